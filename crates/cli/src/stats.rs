//! Measures and prints times and counts of a run, for `--stats`.
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Times of the stages, in the order of execution.
pub(crate) struct Stopwatch {
    stages: Vec<(&'static str, Duration)>,
}

impl Stopwatch {
    pub(crate) fn new() -> Self {
        Self { stages: Vec::new() }
    }

    /// Runs a stage and adds its time. The rounds of a stage have one sum.
    pub(crate) fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(stage, start.elapsed());
        result
    }

    fn add(&mut self, stage: &'static str, elapsed: Duration) {
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += elapsed,
            None => self.stages.push((stage, elapsed)),
        }
    }
}

/// Counts that `--stats` prints beside the times.
pub(crate) struct Counts {
    pub(crate) shapes: usize,
    pub(crate) broad: String,
    pub(crate) candidates: usize,
    /// Name and number of the reported rows.
    pub(crate) found: (&'static str, usize),
}

/// Prints on stderr, because stdout is for data.
pub(crate) fn print(counts: &Counts, watch: &Stopwatch) {
    let mut lines = vec![
        ("shapes", counts.shapes.to_string()),
        ("broad phase", counts.broad.clone()),
        ("candidates", counts.candidates.to_string()),
        (counts.found.0, counts.found.1.to_string()),
    ];
    let total = watch.stages.iter().map(|(_, time)| *time).sum();
    lines.extend(watch.stages.iter().map(|&(stage, time)| (stage, milliseconds(time))));
    lines.push(("total", milliseconds(total)));
    let mut stderr = anstream::stderr().lock();
    for (name, value) in lines {
        // The data is printed. A failure to print statistics is no error.
        let _ = writeln!(stderr, "{name:<14}{value}");
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1e3)
}
