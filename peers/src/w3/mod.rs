//! Measures W3, queries of 100 000 static convex polygons. The queries are the first hit of a
//! ray, the shapes at a point and in a region, and the nearest to a point.

mod box2d;
mod boxes;
mod carom;
mod input;
mod obvhs;
mod parry;

use std::fmt::Write;
use std::rc::Rc;

use parry2d::math::Vector;
use serde_json::json;

use input::Input;

use crate::Page;
use crate::machine;
use crate::options::{Format, Options};
use crate::race::{Call, Contestant, Library, Outcome, Question, progress, race};

const ABOUT: &str = "100 000 static convex polygons of 3 to 8 vertices, half of them boxes: ns per query of \
processor time, median of the interleaved rounds, queries in random order. Rays, points and nearest shapes are \
answered by the shapes themselves (carom: its exact f64 ones; Box2D: its own; the rest: parry's; these in f32), \
regions and the build by boxes alone. Batches get and give arrays.";

/// Number of shapes.
const SHAPES: usize = 100_000;

/// Number of queries of a million on which f32 may differ. Its steps are 3e-5 at the shapes. If two
/// shapes are hit or nearest within a step, either may be first.
const DIFFER_PER_MILLION: usize = 500;

const WRITES: &str = "a String takes every text";
const IN_RANGE: &str = "the race stays within the range of carom";

/// No shape.
const NONE: u32 = u32::MAX;

/// A shape that contains the point. If there are several, any is the nearest.
const NEAR: u32 = u32::MAX - 1;

/// Result of each query: the id, or an order-free checksum of several.
type Answers = Vec<u32>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rays,
    Points,
    Regions,
    Nearest,
    Build,
}

const ROWS: [(&str, Kind); 5] = [
    ("ray, closest hit", Kind::Rays),
    ("point", Kind::Points),
    ("small region", Kind::Regions),
    ("nearest shape", Kind::Nearest),
    ("build, per shape", Kind::Build),
];

struct Row {
    name: &'static str,
    queries: usize,
    outcomes: Vec<Outcome<Answers>>,
}

type Vec2 = [f64; 2];

/// Runs the selected rows.
pub(crate) fn run(options: &Options) -> Page {
    let chosen: Vec<_> = ROWS.iter().filter(|row| row.0.contains(&options.row)).collect();
    if chosen.is_empty() {
        return Page { text: None, failures: Vec::new() };
    }
    let input = Rc::new(Input::random(SHAPES, (options.records / 5).max(1), options.seed));
    let rows: Vec<Row> =
        chosen.iter().map(|&&(name, kind)| progress(name, || row(name, kind, &input, options.rounds))).collect();
    let failures = rows.iter().flat_map(failures).collect();
    let text = match options.format {
        Format::Markdown => markdown(&rows, options),
        Format::Json => json(&rows, options).to_string(),
    };
    Page { text: Some(text), failures }
}

fn row(name: &'static str, kind: Kind, input: &Rc<Input>, rounds: usize) -> Row {
    let contestants = [
        carom::contestants(kind, input),
        parry::contestants(kind, input),
        obvhs::contestants(kind, input),
        box2d::contestants(kind, input),
        boxes::static_index(kind, input),
        boxes::rstar(kind, input),
    ];
    let queries = match kind {
        Kind::Build => input.boxes.len(),
        _ => input.points.len(),
    };
    Row { name, queries, outcomes: race(contestants.into_iter().flatten().collect(), rounds) }
}

fn vector(v: Vec2) -> Vector {
    Vector::new(v[0] as f32, v[1] as f32)
}

/// Contribution of an id to a checksum.
fn sum(id: u32) -> u32 {
    (id + 1).wrapping_mul(0x9E37_79B9)
}

fn contestant(library: Library, column: &'static str, run: impl FnMut(&mut Answers) + 'static) -> Contestant<Answers> {
    Contestant { call: Call { library, column, question: Question::Contact }, run: Box::new(run) }
}

/// Library that computes queries one by one.
fn one_by_one<Q: Copy + 'static>(
    (library, column): (Library, &'static str),
    input: &Rc<Input>,
    queries: fn(&Input) -> &[Q],
    mut query: impl FnMut(&Input, Q) -> u32 + 'static,
) -> Contestant<Answers> {
    let input = Rc::clone(input);
    contestant(library, column, move |answers| {
        answers.clear();
        answers.extend(queries(&input).iter().map(|&input_query| query(&input, input_query)));
    })
}

fn builder(library: Library, column: &'static str, build: impl Fn() + 'static) -> Contestant<Answers> {
    contestant(library, column, move |answers| {
        answers.clear();
        build();
    })
}

/// Returns the number of queries on which a library differs from the first one, which is exact.
fn differing(row: &Row, outcome: &Outcome<Answers>) -> usize {
    row.outcomes[0].answers.iter().zip(&outcome.answers).filter(|(a, b)| a != b).count()
}

fn failures(row: &Row) -> Vec<String> {
    let allowed = |o: &Outcome<Answers>| {
        if o.call.library == Library::Carom { 0 } else { 2 + row.queries * DIFFER_PER_MILLION / 1_000_000 }
    };
    let wrong = row
        .outcomes
        .iter()
        .filter(|o| differing(row, o) > allowed(o) || o.answers.len() != row.outcomes[0].answers.len());
    wrong
        .map(|o| format!("{}, {}: {} of {} answers differ", row.name, o.call.column, differing(row, o), row.queries))
        .collect()
}

impl Row {
    fn nanoseconds(&self, outcome: &Outcome<Answers>) -> f64 {
        outcome.median() / self.queries as f64
    }

    /// Returns the fastest other library's time relative to a call of carom.
    fn ratio(&self, column: &str) -> Option<f64> {
        let ours = self.outcomes.iter().find(|o| o.call.column == column)?;
        let others = self.outcomes.iter().filter(|o| o.call.library != Library::Carom);
        Some(others.map(|o| self.nanoseconds(o)).fold(f64::INFINITY, f64::min) / self.nanoseconds(ours))
    }
}

const COLUMNS: [&str; 7] = ["parry", "obvhs", "Box2D", "static_aabb2d_index", "rstar", "carom", "carom batch"];

fn markdown(rows: &[Row], options: &Options) -> String {
    let mut text = format!(
        "## W3 queries of many shapes\n\n{ABOUT}\n\n{}; lanes {}; {} rounds, seed {}.\n\n",
        machine::processor(),
        machine::simd_level().join(" "),
        options.rounds,
        options.seed
    );
    let rules = "--:|".repeat(COLUMNS.len());
    writeln!(
        text,
        "| ns per query | {} | best other ÷ carom | best other ÷ batch |\n|---|{rules}--:|--:|",
        COLUMNS.join(" | ")
    )
    .expect(WRITES);
    for row in rows {
        let cell = |column: &&str| {
            let outcome = row.outcomes.iter().find(|o| o.call.column == *column);
            outcome.map_or("–".to_owned(), |o| format!("{:.0} ({})", row.nanoseconds(o), differing(row, o)))
        };
        let cells: Vec<String> = COLUMNS.iter().map(cell).collect();
        let ratios =
            ["carom", "carom batch"].map(|column| row.ratio(column).map_or("–".to_owned(), |r| format!("{r:.2}")));
        writeln!(text, "| {} | {} | {} |", row.name, cells.join(" | "), ratios.join(" | ")).expect(WRITES);
    }
    text + "\nIn brackets: answers of the last round that differ from carom's.\n"
}

fn json(rows: &[Row], options: &Options) -> serde_json::Value {
    let row = |row: &Row| {
        let call = |o: &Outcome<Answers>| {
            json!({
                "library": o.call.library.to_string(), "call": o.call.column, "ns_median": row.nanoseconds(o),
                "ns_quickest": o.quickest() / row.queries as f64, "differing": differing(row, o),
            })
        };
        json!({
            "query": row.name, "queries": row.queries, "best_other_to_carom": row.ratio("carom"), "best_other_to_batch": row.ratio("carom batch"),
            "calls": row.outcomes.iter().map(call).collect::<Vec<_>>(),
        })
    };
    json!({
        "workload": "W3 queries of many shapes", "about": ABOUT, "processor": machine::processor(), "lanes": machine::simd_level(),
        "rounds": options.rounds, "seed": options.seed, "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_libraries_answer_alike() {
        let input = Rc::new(Input::random(5_000, 5_000, 3));
        for (name, kind) in ROWS {
            let row = row(name, kind, &input, 1);
            assert_eq!(failures(&row), Vec::<String>::new());
        }
    }
}
