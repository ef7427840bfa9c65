//! W2, narrow phase: intersection test and contact for a stream of a million records.

use crate::input::{Input, Pair};
use crate::options::Options;
use crate::race::{Library, Outcome, Question, progress, race};
use crate::report::{Cell, Report, Row};
use crate::{box2d, carom, parry, textbook};

/// Number of records of a million on which a call of another library may differ from the exact
/// answer. The steps of f32 are 4e-6 at the border of the field, and GJK stops at a tolerance. So a
/// few near-touching pairs differ. Of carom itself none may.
const WRONG_PER_MILLION: usize = 100;

/// Meaning of the numbers, printed above the table.
const ABOUT: &str = "ns per pair of processor time, median of the interleaved rounds. Timed: poses in, answer out. \
Included: reading the record (72 bytes in f64, 40 in f32) and the shapes, forming the relative pose or placing the \
vertices, and writing the yes or no; contacts and manifolds are built whole. Not included: building shapes and \
poses, sines and cosines. Random pairs, half of them overlapping, so nothing starts warm. A batch has the poses and \
shapes of the same records in its columns and pairs of their numbers, asked about all at once, manifolds 4096 pairs \
at a time into one buffer; the 128-bit columns use no wider vectors (SSE2, NEON).";

/// Name, kinds, and the number by which the records are divided. A pair of large polygons takes the
/// textbook microseconds.
const ROWS: [(&str, Pair, usize); 6] = [
    ("circle–circle", Pair::Circles, 1),
    ("circle–rectangle", Pair::CircleRectangle, 1),
    ("rectangle–rectangle", Pair::Rectangles, 1),
    ("polygons of 3–8", Pair::Polygons(3, 8), 1),
    ("polygons of 8", Pair::Polygons(8, 8), 1),
    ("polygons of 64", Pair::Polygons(64, 64), 10),
];

/// Runs the selected rows.
pub(crate) fn run(options: &Options) -> Report {
    let rows = ROWS
        .iter()
        .filter(|(name, ..)| name.contains(&options.row))
        .map(|&(name, pair, share)| {
            let records = options.records.div_ceil(share);
            progress(name, || row(name, pair, records, options))
        })
        .collect();
    Report { title: "W2 narrow phase", about: ABOUT, rows }
}

fn row(name: &'static str, pair: Pair, records: usize, options: &Options) -> Row {
    let input = Input::random(pair, records, options.seed, textbook::hits);
    let mut contestants = textbook::contestants(&input);
    contestants.extend(parry::contestants(&input));
    contestants.extend(box2d::contestants(&input));
    contestants.extend(carom::contestants(&input));

    let outcomes = race(contestants, options.rounds);

    let exact = &outcomes
        .iter()
        .find(|o| o.call.library == Library::Carom && o.call.question == Question::Intersects)
        .expect("carom takes part in every row")
        .answers;
    let disputed = (0..exact.len()).filter(|&i| outcomes.iter().any(|o| o.answers[i] != exact[i])).count();
    let cells = outcomes.iter().map(|o| cell(o, exact)).collect();
    Row { name, records, spread: input.spread, hits: yes(exact), disputed, cells }
}

fn cell(outcome: &Outcome<Vec<bool>>, exact: &[bool]) -> Cell {
    let records = exact.len();
    let allowed = match outcome.call.library {
        Library::Carom | Library::CaromBatch => 0,
        _ => 1 + records * WRONG_PER_MILLION / 1_000_000,
    };
    Cell {
        call: outcome.call,
        nanoseconds: outcome.median() / records as f64,
        quickest: outcome.quickest() / records as f64,
        hits: yes(&outcome.answers),
        wrong: outcome.answers.iter().zip(exact).filter(|(a, e)| a != e).count(),
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
    fn all_libraries_answer_alike_on_every_row() {
        let options = Options { rounds: 1, records: 20_000, seed: 5, ..Options::default() };
        let report = run(&options);
        assert_eq!(report.failures(), Vec::<String>::new());
        assert_eq!(report.rows.len(), ROWS.len());
        let sizes: Vec<usize> = report.rows.iter().map(|r| r.cells.len()).collect();
        assert_eq!(sizes, [12, 12, 13, 13, 13, 11]);
    }
}
