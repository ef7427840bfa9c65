//! Prints the tables of W7.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Cell, QUESTIONS, Question, Row};
use crate::machine;
use crate::options::Options;
use crate::race::Library;

const ABOUT: &str = "Pairs of outlines whose boxes intersect, and points in the box of an outline. \
Microseconds of processor time for each pair or point, one thread, medians of interleaved rounds. \
geo tells whether a point is strictly inside; all others take outlines as closed. \
A dash: the library has no such call. In brackets: 25 times as slow as the fastest, measured once. \
Best other: the fastest with at most one wrong answer in 1000.";

/// Who gives a wrong answer more often is not counted as the best other library.
const ANSWERS_FOR_A_WRONG_ONE: usize = 1_000;

const WRITES: &str = "a String takes every text";

impl Cell {
    /// Returns the time of a call, without the build.
    fn again(&self) -> f64 {
        self.medians[2] / self.answers as f64
    }

    /// Returns the time of the build and one call for each pair, per pair.
    fn with_build(&self) -> f64 {
        self.medians[0] / self.query_count as f64 + self.medians[1] / self.answers as f64
    }

    fn build(&self) -> f64 {
        self.medians[0] / self.outlines as f64
    }
}

/// Returns a cell per library, and carom's time relative to the best other.
fn line(cells: &[Cell], time: impl Fn(&Cell) -> f64) -> String {
    let text = |cell: &Cell| match (cell.answers, cell.left_out) {
        (0, _) => "–".to_owned(),
        (_, true) => format!("({:.2})", time(cell) / 1e3),
        (_, false) => format!("{:.2}", time(cell) / 1e3),
    };
    let cells_as_text: Vec<String> = cells.iter().map(text).collect();
    format!("{} | {:.2}", cells_as_text.join(" | "), ratio(cells, time))
}

/// Returns carom's time relative to the fastest other library that is hardly ever wrong.
fn ratio(cells: &[Cell], time: impl Fn(&Cell) -> f64) -> f64 {
    let right = |cell: &&Cell| cell.answers > 0 && cell.wrong <= cell.answers / ANSWERS_FOR_A_WRONG_ONE;
    let least = |ours: bool| {
        let took_part = cells.iter().filter(right).filter(|cell| (cell.contestant == Library::Carom) == ours);
        took_part.map(&time).fold(f64::INFINITY, f64::min)
    };
    least(true) / least(false)
}

pub(super) fn markdown(rows: &[Row], version: &str, options: &Options) -> String {
    let (processor, rounds, seed) = (machine::processor(), options.rounds, options.seed);
    let mut text =
        format!("## W7 outlines of maps\n\n{ABOUT}\n\n{processor}; {version}; {rounds} rounds, seed {seed}.\n");
    for row in rows {
        let Row { name, outlines, refused, vertices, pairs, points, decided, .. } = row;
        write!(
            text,
            "\n{name}: {outlines} outlines ({refused} refused), {vertices} vertices, {pairs} pairs, {points} points. \
             {decided} pairs were decided exactly.\n"
        )
        .expect(WRITES);
    }
    let names: Vec<String> = rows
        .first()
        .map_or(Vec::new(), |row| row.questions[0].iter().map(|cell| cell.contestant.to_string()).collect());
    let names = names.join(" | ");
    let rules = "--:|".repeat(names.split(" | ").count());
    let mut table = |heading: &str, ratio: bool, line: &dyn Fn(Question, &[Cell]) -> Option<String>| {
        let (title, rule) = if ratio { (" carom ÷ best other |", "--:|") } else { ("", "") };
        writeln!(text, "\n| {heading} | {names} |{title}\n|---|{rules}{rule}").expect(WRITES);
        for row in rows {
            for (question, cells) in QUESTIONS.into_iter().zip(&row.questions) {
                if let Some(line) = line(question, cells) {
                    writeln!(text, "| {}, {question} | {line} |", row.name.trim_start_matches("W7 ")).expect(WRITES);
                }
            }
        }
    };
    table("µs, outlines ready", true, &|_, cells| Some(line(cells, Cell::again)));
    table("µs, build included", true, &|_, cells| Some(line(cells, Cell::with_build)));
    table("µs to build an outline for", true, &|question, cells| {
        matches!(question, Question::Intersects | Question::Distance | Question::Point)
            .then(|| line(cells, Cell::build))
    });
    table("wrong answers", false, &|_, cells| {
        let wrong = |cell: &Cell| match cell.answers {
            0 => "–".to_owned(),
            answers => format!("{} of {answers}", cell.wrong),
        };
        Some(cells.iter().map(wrong).collect::<Vec<_>>().join(" | "))
    });
    text
}

pub(super) fn json(rows: &[Row], version: &str, options: &Options) -> Value {
    let cell = |c: &Cell| {
        json!({
            "library": c.contestant.to_string(), "asked": c.query_count, "answers": c.answers, "wrong": c.wrong, "left_out": c.left_out,
            "outlines": c.outlines,
            "ns_build_first_again_median": c.medians, "ns_build_first_again_quickest": c.quickest,
        })
    };
    let question = |(question, cells): (Question, &Vec<Cell>)| {
        json!({
            "question": question.to_string(), "carom_to_best_other": ratio(cells, Cell::again),
            "carom_to_best_other_with_build": ratio(cells, Cell::with_build),
            "calls": cells.iter().map(cell).collect::<Vec<_>>(),
        })
    };
    let row = |r: &Row| {
        json!({
            "row": r.name, "outlines": r.outlines, "refused": r.refused, "vertices": r.vertices, "pairs": r.pairs,
            "points": r.points, "pairs_decided_exactly": r.decided,
            "questions": QUESTIONS.into_iter().zip(&r.questions).map(question).collect::<Vec<_>>(),
        })
    };
    json!({
        "workload": "W7 outlines of maps", "about": ABOUT, "processor": machine::processor(), "geos": version,
        "rounds": options.rounds, "seed": options.seed, "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}
