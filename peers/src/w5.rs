//! W5, casts: time of impact of two convex polygons, with and without rotation.

use crate::casts::random;
use crate::options::Options;
use crate::race::{Library, Outcome, Question, progress, race};
use crate::report::{Cell, Report, Row};
use crate::{box2d, carom, parry};

/// Meaning of the numbers, printed above the table.
const ABOUT: &str = "ns per cast of processor time, median of the interleaved rounds. Timed: poses, motions in; \
time, normal and point of the impact out. Convex polygons of 3–8 vertices, targets 3…10 away, ways of 8…14, aimed so \
that half of them hit; spinning: both turn by up to ±1.5 radians. The truth is found by steps no longer than the \
distance over the greatest speed. Libraries in f32 get the same numbers rounded; Box2D's shape cast stops a slop of \
0.005 early, and its time of impact turns shapes by mixing the rotations at both ends, not evenly, so grazes \
differ.";

/// Names, true if the shapes rotate, and the share of the records that is enough. The last number
/// is the share of a million on which another library may differ from the truth.
const ROWS: [(&str, bool, usize, usize); 2] =
    [("casts, straight", false, 1, 10_000), ("casts, spinning", true, 4, 60_000)];

/// Runs the selected rows.
pub(crate) fn run(options: &Options) -> Report {
    let rows = ROWS
        .iter()
        .filter(|(name, ..)| name.contains(&options.row))
        .map(|row| progress(row.0, || self::row(row, options)))
        .collect();
    Report { title: "W5 casts", about: ABOUT, rows }
}

fn row(&(name, spinning, share, allowed): &(&'static str, bool, usize, usize), options: &Options) -> Row {
    let records = options.records.div_ceil(share);
    let (input, spread, truth) = random(spinning, records, options.seed);
    let mut contestants = parry::casts(&input);
    contestants.extend(box2d::casts(&input));
    contestants.extend(carom::casts(&input));
    let outcomes = race(contestants, options.rounds);
    let disputed = (0..records).filter(|&i| outcomes.iter().any(|o| o.answers[i] != truth[i])).count();
    let cells = outcomes.iter().map(|o| cell(o, &truth, allowed)).collect();
    Row { name, records, spread, hits: yes(&truth), disputed, cells }
}

fn cell(outcome: &Outcome<Vec<bool>>, truth: &[bool], allowed: usize) -> Cell {
    let records = truth.len();
    // No differences are allowed for carom. For others, the share that their tolerances and motions
    // explain.
    let allowed = if outcome.call.library == Library::Carom { 0 } else { 1 + records * allowed / 1_000_000 };
    debug_assert_eq!(outcome.call.question, Question::Contact);
    Cell {
        call: outcome.call,
        nanoseconds: outcome.median() / records as f64,
        quickest: outcome.quickest() / records as f64,
        hits: yes(&outcome.answers),
        wrong: outcome.answers.iter().zip(truth).filter(|(a, t)| a != t).count(),
        allowed,
    }
}

fn yes(answers: &[bool]) -> usize {
    answers.iter().filter(|&&a| a).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_libraries_answer_alike_up_to_tolerances() {
        let options = Options { rounds: 1, records: 20_000, seed: 5, ..Options::default() };
        let report = run(&options);
        assert_eq!(report.failures(), Vec::<String>::new());
        assert_eq!(report.rows.iter().map(|r| r.cells.len()).collect::<Vec<_>>(), [4, 3]);
        assert!(report.rows.iter().all(|r| (45..=55).contains(&(100 * r.hits / r.records))));
    }
}
