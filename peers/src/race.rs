//! The race itself: every contestant does the same work in turn, round after round, so that a slow
//! moment of the machine falls on all of them alike.

use std::fmt;

use rustix::time::{ClockId, clock_gettime};

/// Whose code answers, in the order of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Library {
    /// The articles' loop, written here; no library.
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
    /// earcutr, in f64.
    Earcutr,
    /// This project, in f64 and exact.
    Carom,
    /// The same, many pairs a call.
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
            Self::Earcutr => "earcutr",
            Self::Carom => "carom",
            Self::CaromBatch => "carom batch",
        })
    }
}

/// What a call answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Question {
    /// Do they meet? A yes or a no.
    Whether,
    /// How do they meet? Normal and depth, of a manifold the points too.
    How,
}

/// One call of one library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// Whose it is.
    pub(crate) library: Library,
    /// Its column in the table.
    pub(crate) column: &'static str,
    /// What it answers.
    pub(crate) question: Question,
}

/// A call with its work; `run` does a whole round and leaves the answers in `O`.
pub(crate) struct Contestant<O> {
    /// The call.
    pub(crate) call: Call,
    /// The timed work.
    pub(crate) run: Box<dyn FnMut(&mut O)>,
}

/// What one contestant brought home.
pub(crate) struct Outcome<O> {
    /// The call.
    pub(crate) call: Call,
    /// Nanoseconds of each round.
    pub(crate) nanoseconds: Vec<f64>,
    /// The answers of the last round.
    pub(crate) answers: O,
}

impl<O> Outcome<O> {
    /// The median of the rounds.
    pub(crate) fn median(&self) -> f64 {
        let mut sorted = self.nanoseconds.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
    }

    /// The quickest round.
    pub(crate) fn quickest(&self) -> f64 {
        self.nanoseconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Runs A B C, A B C, … `rounds` times, after one round that is not timed.
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

/// Runs a row and says on the error stream how long that took.
pub(crate) fn progress<T>(row: &str, run: impl FnOnce() -> T) -> T {
    let start = std::time::Instant::now();
    let done = run();
    eprintln!("{row}: {:.0} s", start.elapsed().as_secs_f64());
    done
}

/// Nanoseconds that this thread has had of a processor. On a machine that others use at the same time
/// the clock on the wall would count their turns too.
pub(crate) fn processor_time() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    const CALL: Call = Call { library: Library::Textbook, column: "test", question: Question::Whether };

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
