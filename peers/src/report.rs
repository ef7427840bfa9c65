//! Formats the result of a workload as Markdown or JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::machine;
use crate::options::Options;
use crate::race::{Call, Library, Question};

/// Build options of Box2D. Set by `.cargo/config.toml`, which cargo reads when it runs in `peers/`.
const BOX2D_BUILD: &str = concat!(
    env!("CC", "run cargo inside peers/, whose .cargo/config.toml says how Box2D is built"),
    " ",
    env!("CFLAGS", "run cargo inside peers/, whose .cargo/config.toml says how Box2D is built"),
);

/// Table of a workload.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// Heading.
    pub(crate) title: &'static str,
    /// Meaning of the numbers.
    pub(crate) about: &'static str,
    /// In the order of the table.
    pub(crate) rows: Vec<Row>,
}

/// Line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Name of the row.
    pub(crate) name: &'static str,
    /// Number of records in a round.
    pub(crate) records: usize,
    /// Largest distance of the centres, relative to the sum of the sizes.
    pub(crate) spread: f64,
    /// Number of pairs that intersect, exactly.
    pub(crate) hits: usize,
    /// Number of records on which calls differ. The exact result decides.
    pub(crate) disputed: usize,
    /// One for each call.
    pub(crate) cells: Vec<Cell>,
}

/// Time and results of a call.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The call.
    pub(crate) call: Call,
    /// Median of the rounds per record.
    pub(crate) nanoseconds: f64,
    /// Fastest round per record.
    pub(crate) quickest: f64,
    /// Number of pairs that intersect by this call.
    pub(crate) hits: usize,
    /// Number of results that differ from the exact one.
    pub(crate) wrong: usize,
    /// Allowed number of differences.
    pub(crate) allowed: usize,
}

impl Row {
    fn cell(&self, column: &str) -> Option<&Cell> {
        self.cells.iter().find(|c| c.call.column == column)
    }

    /// Returns the fastest call of the libraries selected by `of`. A call for contacts also counts
    /// as a call for intersection.
    fn fastest(&self, question: Question, of: impl Fn(Library) -> bool) -> Option<&Cell> {
        self.cells
            .iter()
            .filter(|c| of(c.call.library))
            .filter(|c| question == Question::Intersects || c.call.question == Question::Contact)
            .min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds))
    }

    /// Returns the time of carom, or of its batches, relative to the best other library.
    fn ratio(&self, ours: Library, question: Question) -> Option<f64> {
        let ours = self.cells.iter().find(|c| c.call.library == ours && c.call.question == question)?;
        let best =
            self.fastest(question, |l| !matches!(l, Library::Textbook | Library::Carom | Library::CaromBatch))?;
        Some(ours.nanoseconds / best.nanoseconds)
    }

    fn winners(&self) -> [Option<&'static str>; 2] {
        [Question::Intersects, Question::Contact].map(|question| {
            self.fastest(question, |l| !matches!(l, Library::Textbook | Library::CaromBatch)).map(|c| c.call.column)
        })
    }
}

impl Report {
    /// Returns every call with more differences than its precision explains.
    pub(crate) fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for row in &self.rows {
            for cell in row.cells.iter().filter(|c| c.wrong > c.allowed) {
                failures.push(format!(
                    "{}, {}: {} of {} answers differ from the exact one, at most {} may",
                    row.name, cell.call.column, cell.wrong, row.records, cell.allowed
                ));
            }
        }
        failures
    }

    /// Returns two tables, of nanoseconds and of differences, with the machine above them.
    pub(crate) fn markdown(&self, options: &Options) -> String {
        format!(
            "## {}\n\n{}\n\n{}; lanes {}; Box2D built with `{BOX2D_BUILD}`; {} rounds of {} records, seed {}.\n\n{}\n{}",
            self.title,
            self.about,
            machine::processor(),
            machine::simd_level().join(" "),
            options.rounds,
            options.records,
            options.seed,
            self.times(),
            self.answers(),
        )
    }

    fn times(&self) -> String {
        let columns = self.columns();
        let mut ratios = vec!["carom bool ÷ best other", "carom manifold ÷ best other"];
        let mut ours = vec![Library::Carom];
        if self.rows.iter().flat_map(|r| &r.cells).any(|c| c.call.library == Library::CaromBatch) {
            ratios.extend(["batch bool ÷ best other", "batch manifold ÷ best other"]);
            ours.push(Library::CaromBatch);
        }
        let mut table = heading("ns per pair", &columns, &ratios);
        for row in &self.rows {
            let winners = row.winners();
            let times = columns.iter().map(|&column| match row.cell(column) {
                None => "–".to_owned(),
                Some(c) if winners.contains(&Some(column)) => format!("**{:.1}**", c.nanoseconds),
                Some(c) => format!("{:.1}", c.nanoseconds),
            });
            let questions = ours.iter().flat_map(|&of| [(of, Question::Intersects), (of, Question::Contact)]);
            let ratios =
                questions.map(|(of, question)| row.ratio(of, question).map_or("–".to_owned(), |r| format!("{r:.2}")));
            line(&mut table, row.name, times.chain(ratios));
        }
        table
            + "\nBold: the fastest library for the yes or no (a contact says that too) and for the contact, a pair a \
                call.\n"
    }

    fn answers(&self) -> String {
        let columns = self.columns();
        let counts = ["records", "hits", "disputed"];
        let mut table = heading("answers that differ from the exact one", &columns, &counts);
        for row in &self.rows {
            let wrong = columns.iter().map(|column| row.cell(column).map_or("–".to_owned(), |c| c.wrong.to_string()));
            let counts = [row.records, row.hits, row.disputed].map(|n| n.to_string());
            line(&mut table, row.name, wrong.chain(counts));
        }
        table + "\nDisputed: records on which not all calls agree; the exact answer settles every one.\n"
    }

    /// Returns the content of the tables and the fastest rounds.
    pub(crate) fn json(&self, options: &Options) -> Value {
        let cell = |c: &Cell| {
            json!({
                "library": c.call.library.to_string(), "call": c.call.column,
                "answers": match c.call.question { Question::Intersects => "bool", Question::Contact => "contact" },
                "ns_median": c.nanoseconds, "ns_quickest": c.quickest,
                "hits": c.hits, "wrong": c.wrong, "wrong_allowed": c.allowed,
            })
        };
        let row = |r: &Row| {
            json!({
                "pair": r.name, "records": r.records, "spread": r.spread, "hits": r.hits, "disputed": r.disputed,
                "calls": r.cells.iter().map(cell).collect::<Vec<_>>(),
                "carom_bool_to_best_other": r.ratio(Library::Carom, Question::Intersects),
                "carom_manifold_to_best_other": r.ratio(Library::Carom, Question::Contact),
                "batch_bool_to_best_other": r.ratio(Library::CaromBatch, Question::Intersects),
                "batch_manifold_to_best_other": r.ratio(Library::CaromBatch, Question::Contact),
            })
        };
        json!({
            "workload": self.title, "about": self.about,
            "processor": machine::processor(), "lanes": machine::simd_level(), "box2d_build": BOX2D_BUILD,
            "rounds": options.rounds, "records": options.records, "seed": options.seed,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }

    /// Returns the columns of all rows, library by library.
    fn columns(&self) -> Vec<&'static str> {
        let mut calls: Vec<Call> = Vec::new();
        for cell in self.rows.iter().flat_map(|r| &r.cells) {
            if calls.iter().all(|c| c.column != cell.call.column) {
                calls.push(cell.call);
            }
        }
        calls.sort_by_key(|c| (c.library, c.question));
        calls.iter().map(|c| c.column).collect()
    }
}

fn heading(first: &str, columns: &[&str], last: &[&str]) -> String {
    let mut table = String::new();
    let titles = columns.iter().chain(last).map(|&c| c.to_owned());
    line(&mut table, first, titles);
    let rules = vec!["--:".to_owned(); columns.len() + last.len()];
    line(&mut table, "---", rules.into_iter());
    table
}

fn line(table: &mut String, first: &str, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    writeln!(table, "| {first} | {} |", cells.join(" | ")).expect("a String takes every text");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(library: Library, column: &'static str, question: Question, nanoseconds: f64) -> Cell {
        Cell {
            call: Call { library, column, question },
            nanoseconds,
            quickest: nanoseconds,
            hits: 5,
            wrong: 0,
            allowed: 1,
        }
    }

    fn report() -> Report {
        let row = Row {
            name: "squares",
            records: 10,
            spread: 1.0,
            hits: 5,
            disputed: 0,
            cells: vec![
                cell(Library::Textbook, "textbook bool", Question::Intersects, 1.0),
                cell(Library::Parry, "parry bool", Question::Intersects, 60.0),
                cell(Library::Box2d, "Box2D manifold", Question::Contact, 40.0),
                cell(Library::Carom, "carom bool", Question::Intersects, 10.0),
                cell(Library::Carom, "carom manifold", Question::Contact, 50.0),
            ],
        };
        Report { title: "test", about: "", rows: vec![row] }
    }

    #[test]
    fn the_fastest_library_is_bold_and_a_manifold_counts_as_a_bool() {
        let page = report().markdown(&Options::default());
        let line = "| squares | 1.0 | 60.0 | **40.0** | **10.0** | 50.0 | 0.25 | 1.25 |";
        assert!(page.contains(line), "{page}");
    }

    #[test]
    fn json_has_the_values_of_the_table() {
        let value = report().json(&Options::default());
        assert_eq!(value["rows"][0]["calls"][2]["ns_median"], 40.0);
        assert_eq!(value["rows"][0]["carom_bool_to_best_other"], 0.25);
    }

    #[test]
    fn too_many_wrong_answers_fail() {
        let mut report = report();
        assert!(report.failures().is_empty());
        report.rows[0].cells[1].wrong = 2;
        assert_eq!(report.failures().len(), 1);
        assert!(report.failures()[0].starts_with("squares, parry bool: 2 of 10"));
    }
}
