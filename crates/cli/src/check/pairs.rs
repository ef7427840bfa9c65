//! Runs `check --pairs`: lists the pairs that intersect, without contacts.
//!
//! A row is little more than two ids. So the text of each id is escaped once per file, not once per
//! row.
use std::io::{self, IsTerminal as _};

use carom_scene::Scene;
use serde::Serialize;

use super::{Args, Format, print};
use crate::error::CliError;
use crate::number_format::text;
use crate::pipeline::Search;
use crate::progress::Progress;
use crate::stats::Stopwatch;
use crate::stream::{Counted, Form, Rows, Tally};
use crate::table::{Align, Cell, Table};
use crate::{messages, output};

/// Two colliders that intersect.
type Pair = [u32; 2];

impl Counted for Pair {
    fn depth(&self) -> Option<f64> {
        None
    }
}

/// Computes and prints the pairs.
pub(super) fn run(
    args: &Args,
    scene: &Scene,
    search: &Search<'_>,
    watch: &mut Stopwatch,
    progress: Progress,
) -> Result<Tally, CliError> {
    let (shapes, row) = (scene.colliders.len(), |pair| search.meeting(pair));
    if args.count || args.quiet {
        let rows = Rows { row: &row, write: &|_, _| Ok(()) };
        let tally = rows.count(search, args.quiet && !args.stats, watch, &progress);
        drop(progress);
        if args.count {
            count(args, &Count { shapes, candidates: search.candidates(), pairs: tally.rows })?;
        }
        return Ok(tally);
    }
    let (form, ids) = match args.format {
        Format::Table => {
            let pairs = search.all(row, watch, &progress);
            drop(progress);
            watch.time("print", || table(scene, &pairs))?;
            return Ok(Tally::of(&pairs));
        }
        Format::Json => (Form::object(shapes, search.candidates(), "pairs"), Ids::json(scene)),
        Format::Ndjson => (Form::Lines, Ids::json(scene)),
        Format::Csv => (Form::Csv("a,b".to_owned()), Ids::csv(scene)),
    };
    let write = |text: &mut Vec<u8>, &[a, b]: &Pair| {
        let (a, b) = (ids.get(a), ids.get(b));
        let pieces = match args.format {
            Format::Csv => [b"", a, b",", b, b""],
            _ => [b"{\"a\":", a, b",\"b\":", b, b"}"],
        };
        pieces.into_iter().for_each(|piece| text.extend_from_slice(piece));
        Ok(())
    };
    // A progress bar on the terminal would mix with the data.
    let progress = (!io::stdout().is_terminal()).then_some(progress);
    Rows { row: &row, write: &write }.run(search, form, print::unread(args), watch, progress.as_ref())
}

/// Output of `check --pairs --count --format json`.
#[derive(Serialize)]
struct Count {
    shapes: usize,
    candidates: usize,
    pairs: usize,
}

fn count(args: &Args, count: &Count) -> Result<(), CliError> {
    let once = || std::iter::once(count);
    print::rows(args.format, once(), once(), count, |out| writeln!(out, "{}", count.pairs))
}

/// Prints one row per pair, and a summary.
fn table(scene: &Scene, pairs: &[Pair]) -> Result<(), CliError> {
    output::print(|out| {
        if !pairs.is_empty() {
            let mut table = Table::new([("a", Align::Left), ("b", Align::Left)]);
            for pair in pairs {
                table.add(pair.map(|i| Cell::new(text(&scene.colliders[i as usize].id))));
            }
            table.print(out, output::styled())?;
            writeln!(out)?;
        }
        writeln!(out, "{}", messages::tally(scene.colliders.len(), pairs.len(), "pair"))
    })
}

/// The ids of all colliders as they are written, in one buffer.
struct Ids {
    text: Vec<u8>,
    /// End of each id in `text`.
    ends: Vec<usize>,
}

impl Ids {
    /// Returns the ids as JSON strings.
    fn json(scene: &Scene) -> Self {
        Self::new(scene, |text, id| serde_json::to_writer(text, id).expect("a Vec grows"))
    }

    /// Returns the ids as CSV fields, quoted if necessary.
    fn csv(scene: &Scene) -> Self {
        Self::new(scene, |text, id| {
            // A second field: the writer quotes a record that is empty as a whole.
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record([id, ""]).expect("a Vec grows");
            let record = writer.into_inner().expect("a Vec grows");
            text.extend_from_slice(record.strip_suffix(b",\n").unwrap_or(&record));
        })
    }

    fn new(scene: &Scene, write: impl Fn(&mut Vec<u8>, &str)) -> Self {
        let mut ids = Self { text: Vec::new(), ends: Vec::with_capacity(scene.colliders.len()) };
        for collider in &scene.colliders {
            write(&mut ids.text, &collider.id);
            ids.ends.push(ids.text.len());
        }
        ids
    }

    fn get(&self, i: u32) -> &[u8] {
        let i = i as usize;
        let start = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[i]]
    }
}

/// One pair as JSON, for the schema: [`run`] writes the same fields without serde.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct Row<'s> {
    a: &'s str,
    b: &'s str,
}
