//! Summarizes a simulation.
use std::io::Write;

use serde::Serialize;

use super::Format;
use super::run::Ran;
use crate::error::CliError;
use crate::number_format::{number, point};
use crate::output;
use crate::report_json::{pair, plain};

/// Output of `simulate --format json`: a contract, including the order of the fields.
#[derive(Serialize)]
struct Report {
    steps: usize,
    dt: f64,
    bodies: usize,
    tests: u64,
    possible_tests: u64,
    begins: u64,
    ends: u64,
    energy: [f64; 2],
    momentum: [[f64; 2]; 2],
    deepest: f64,
    ns_per_body_step: f64,
}

impl Ran {
    /// Number of tests that all pairs would need.
    fn possible_tests(&self) -> u64 {
        let n = self.colliders as u64;
        (n * n.saturating_sub(1) / 2).saturating_mul(self.steps as u64)
    }

    fn ns_per_body_step(&self) -> f64 {
        let total: f64 = self.stages.iter().map(std::time::Duration::as_secs_f64).sum();
        total * 1e9 / (self.bodies.max(1) * self.steps.max(1)) as f64
    }
}

pub(super) fn print(ran: &Ran, format: Format) -> Result<(), CliError> {
    let report = Report {
        steps: ran.steps,
        dt: plain(ran.dt),
        bodies: ran.bodies,
        tests: ran.tests,
        possible_tests: ran.possible_tests(),
        begins: ran.begins,
        ends: ran.ends,
        energy: ran.energy.map(plain),
        momentum: ran.momentum.map(pair),
        deepest: plain(ran.deepest),
        ns_per_body_step: plain(ran.ns_per_body_step()),
    };
    output::print(|out| match format {
        Format::Json => {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)
        }
        Format::Table => {
            writeln!(out, "{} bodies, {} steps of {} s", ran.bodies, ran.steps, number(ran.dt))?;
            writeln!(out, "{} contacts began, {} ended", ran.begins, ran.ends)?;
            if ran.impacts > 0 {
                writeln!(out, "{} impacts of bodies that moved far in a step", ran.impacts)?;
            }
            writeln!(out, "{} pairs tested, of {} that there are", ran.tests, report.possible_tests)?;
            writeln!(out, "energy    {}  →  {}", number(ran.energy[0]), number(ran.energy[1]))?;
            writeln!(out, "momentum  {}  →  {}", point(ran.momentum[0]), point(ran.momentum[1]))?;
            writeln!(out, "deepest overlap after a step: {}", number(ran.deepest))
        }
    })
}

/// Prints on stderr, because stdout is for data.
pub(super) fn stats(ran: &Ran) {
    let per_step =
        |time: std::time::Duration| format!("{:.4} ms a step", time.as_secs_f64() * 1e3 / ran.steps.max(1) as f64);
    let drift = (ran.energy[1] - ran.energy[0]) / ran.energy[0].abs().max(f64::MIN_POSITIVE);
    let share = ran.tests as f64 / (ran.possible_tests() as f64).max(1.0);
    let mut lines = vec![
        ("bodies", format!("{} of {} colliders", ran.bodies, ran.colliders)),
        ("broad phase", ran.broad.to_owned()),
        ("tests", format!("{} of {} ({} %)", ran.tests, ran.possible_tests(), number(share * 100.0))),
    ];
    lines.extend(["move", "update", "bounce", "separate"].into_iter().zip(ran.stages.map(per_step)));
    lines.push(("a body's step", format!("{} ns", number(ran.ns_per_body_step()))));
    lines.push(("energy drift", number(drift)));
    lines.push(("momentum", format!("changed by {}", point(ran.momentum[1] - ran.momentum[0]))));
    lines.push(("deepest", number(ran.deepest)));
    let mut stderr = anstream::stderr().lock();
    for (name, value) in lines {
        // The data is printed. A failure to print statistics is no error.
        let _ = writeln!(stderr, "{name:<14}{value}");
    }
}
