//! Runs all libraries on the same work, interleaved round by round, so that a slow phase of the
//! machine affects all equally.

use std::fmt;

use rustix::time::{ClockId, clock_gettime};

/// Libraries, in the order of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Library {
    /// Loop of the articles, written here.
    Textbook,
    /// parry2d, in f32.
    Parry,
    /// rapier2d, in f32.
    Rapier,
    /// Box2D, in f32.
    Box2d,
    /// obvhs, in f32.
    Obvhs,
    /// broccoli, in f32.
    Broccoli,
    /// rstar, in f32.
    Rstar,
    /// `static_aabb2d_index`, in f32.
    StaticIndex,
    /// `i_triangle`, in integers of 32 bits.
    ITriangle,
    /// GEOS, in f64.
    Geos,
    /// geo, in f64.
    Geo,
    /// `i_overlay`, in integers of 32 bits.
    IOverlay,
    /// earcutr, in f64.
    Earcutr,
    /// carom, in f64 and exact.
    Carom,
    /// carom with many pairs per call.
    CaromBatch,
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Textbook => "textbook",
            Self::Parry => "parry",
            Self::Rapier => "rapier",
            Self::Box2d => "Box2D",
            Self::Obvhs => "obvhs",
            Self::Broccoli => "broccoli",
            Self::Rstar => "rstar",
            Self::StaticIndex => "static_aabb2d_index",
            Self::ITriangle => "i_triangle",
            Self::Geos => "GEOS",
            Self::Geo => "geo",
            Self::IOverlay => "i_overlay",
            Self::Earcutr => "earcutr",
            Self::Carom => "carom",
            Self::CaromBatch => "carom batch",
        })
    }
}

/// Result type of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Question {
    /// True if the pair intersects.
    Intersects,
    /// Contact: normal and depth; for a manifold also the points.
    Contact,
}

/// Call of a library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// Library.
    pub(crate) library: Library,
    /// Column in the table.
    pub(crate) column: &'static str,
    /// Result type.
    pub(crate) question: Question,
}

/// Call with its work. `run` executes a whole round and writes the results to `O`.
pub(crate) struct Contestant<O> {
    /// The call.
    pub(crate) call: Call,
    /// The timed work.
    pub(crate) run: Box<dyn FnMut(&mut O)>,
}

/// Measurements of one call.
pub(crate) struct Outcome<O> {
    /// The call.
    pub(crate) call: Call,
    /// Nanoseconds of each round.
    pub(crate) nanoseconds: Vec<f64>,
    /// Results of the last round.
    pub(crate) answers: O,
}

impl<O> Outcome<O> {
    /// Returns the median of the rounds.
    pub(crate) fn median(&self) -> f64 {
        median(&self.nanoseconds)
    }

    /// Returns the fastest round.
    pub(crate) fn quickest(&self) -> f64 {
        self.nanoseconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Returns the middle of the numbers, or the mean of both middles.
pub(crate) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

/// Runs A B C, A B C, … `rounds` times, after one untimed round.
pub(crate) fn race<O: Default>(mut contestants: Vec<Contestant<O>>, rounds: usize) -> Vec<Outcome<O>> {
    let mut outcomes: Vec<Outcome<O>> = contestants
        .iter()
        .map(|c| Outcome { call: c.call, nanoseconds: Vec::with_capacity(rounds), answers: O::default() })
        .collect();
    for (contestant, outcome) in contestants.iter_mut().zip(&mut outcomes) {
        (contestant.run)(&mut outcome.answers);
    }
    for _ in 0..rounds {
        for (contestant, outcome) in contestants.iter_mut().zip(&mut outcomes) {
            let start = processor_time();
            (contestant.run)(&mut outcome.answers);
            outcome.nanoseconds.push(processor_time() - start);
        }
    }
    outcomes
}

/// Runs a row and prints its duration on stderr.
pub(crate) fn progress<T>(row: &str, run: impl FnOnce() -> T) -> T {
    let start = std::time::Instant::now();
    let done = run();
    eprintln!("{row}: {:.0} s", start.elapsed().as_secs_f64());
    done
}

/// Returns the CPU time of this thread in nanoseconds. On a shared machine wall time would include
/// other processes.
pub(crate) fn processor_time() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    const CALL: Call = Call { library: Library::Textbook, column: "test", question: Question::Intersects };

    #[test]
    fn contestants_take_turns() {
        let order = Rc::new(RefCell::new(String::new()));
        let contestants = ['A', 'B', 'C']
            .map(|name| {
                let order = Rc::clone(&order);
                Contestant {
                    call: CALL,
                    run: Box::new(move |count: &mut u32| {
                        order.borrow_mut().push(name);
                        *count += 1;
                    }),
                }
            })
            .into_iter()
            .collect();
        let outcomes = race(contestants, 2);
        assert_eq!(*order.borrow(), "ABCABCABC");
        assert!(outcomes.iter().all(|o| o.answers == 3 && o.nanoseconds.len() == 2));
    }

    #[test]
    fn the_median_ignores_the_odd_slow_round() {
        let outcome = |nanoseconds| Outcome { call: CALL, nanoseconds, answers: () };
        assert_eq!(outcome(vec![3.0, 900.0, 1.0]).median(), 3.0);
        assert_eq!(outcome(vec![4.0, 900.0, 1.0, 2.0]).median(), 3.0);
        assert_eq!(outcome(vec![4.0, 900.0, 1.0, 2.0]).quickest(), 1.0);
    }
}
