//! Runs `check --pairs` and `check --relations`: lists the pairs that intersect, without contacts.
//!
//! A row is little more than two ids. So the text of each id is escaped once per file, not once per
//! row.
use std::io::{self, IsTerminal as _};

use carom_scene::Scene;
use serde::Serialize;

use super::relations::{Related, Relations, Wanted};
use super::{Args, CheckFormat, print, sentences};
use crate::error::CliError;
use crate::json_number::plain;
use crate::number_format::{number, text};
use crate::output;
use crate::pipeline::Search;
use crate::progress::Progress;
use crate::stats::Stopwatch;
use crate::stream::{Counted, Form, Rows, Tally};
use crate::table::{Align, Cell, Table};

/// Two colliders that intersect, with their relation or without.
trait Pair: Counted {
    fn ids(&self) -> [u32; 2];
    fn related(&self) -> Option<&Related>;
}

impl Pair for [u32; 2] {
    fn ids(&self) -> [u32; 2] {
        *self
    }

    fn related(&self) -> Option<&Related> {
        None
    }
}

impl Pair for ([u32; 2], Related) {
    fn ids(&self) -> [u32; 2] {
        self.0
    }

    fn related(&self) -> Option<&Related> {
        Some(&self.1)
    }
}

impl Counted for [u32; 2] {
    fn depth(&self) -> Option<f64> {
        None
    }
}

impl Counted for ([u32; 2], Related) {
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
    let list = List { args, scene, search };
    if !args.relations {
        return list.run(&|pair| search.meeting(pair), watch, progress);
    }
    let wanted = Wanted { lengths: args.lengths, areas: args.areas, overlaps: args.overlaps };
    let relations = watch.time("outlines", || Relations::new(search.all_placed(), wanted));
    list.run(&|pair| search.placed(pair).and_then(|_| Some((pair, relations.of(pair)?))), watch, progress)
}

/// The list that is printed.
struct List<'l> {
    args: &'l Args,
    scene: &'l Scene,
    search: &'l Search<'l>,
}

impl List<'_> {
    fn run<R: Pair>(
        &self,
        row: &(dyn Fn([u32; 2]) -> Option<R> + Sync),
        watch: &mut Stopwatch,
        progress: Progress,
    ) -> Result<Tally, CliError> {
        let (args, search, shapes) = (self.args, self.search, self.scene.colliders.len());
        if args.count || args.quiet {
            let rows = Rows { row, write: &|_, _| Ok(()) };
            let tally = rows.count(search, args.quiet && !args.stats, watch, &progress);
            drop(progress);
            if args.count {
                let count = Count { shapes, candidates: search.candidates(), pairs: tally.rows };
                print::one(args.format, tally.rows, &count)?;
            }
            return Ok(tally);
        }
        let (form, ids) = match args.format {
            CheckFormat::Table => {
                let pairs = search.all(row, watch, &progress);
                drop(progress);
                watch.time("print", || self.table(&pairs))?;
                return Ok(Tally::of(&pairs));
            }
            CheckFormat::Json => (Form::object(shapes, search.candidates(), "pairs"), Ids::json(self.scene)),
            CheckFormat::Ndjson => (Form::Lines, Ids::json(self.scene)),
            CheckFormat::Csv => (Form::Csv(self.csv_header()), Ids::csv(self.scene)),
        };
        let write = |text: &mut Vec<u8>, pair: &R| match args.format {
            CheckFormat::Csv => self.write_csv(text, &ids, pair),
            _ => self.write_json(text, &ids, pair),
        };
        // A progress bar on the terminal would mix with the data.
        let progress = (!io::stdout().is_terminal()).then_some(progress);
        Rows { row, write: &write }.run(search, form, print::unread(args), watch, progress.as_ref())
    }

    /// Returns the wanted measures of a pair, with their names in JSON and CSV.
    fn measures(&self, related: &Related) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        let lengths = self.args.lengths.then_some(("border_length", related.border_length.map(plain)));
        let areas = self.args.areas.then_some(("intersection_area", related.intersection_area.map(plain)));
        lengths.into_iter().chain(areas)
    }

    /// Appends a row as [`Row`] describes it.
    fn write_json<R: Pair>(&self, text: &mut Vec<u8>, ids: &Ids, row: &R) -> io::Result<()> {
        let [a, b] = row.ids().map(|i| ids.get(i));
        for piece in [b"{\"a\":", a, b",\"b\":", b] {
            text.extend_from_slice(piece);
        }
        if let Some(related) = row.related() {
            for piece in [",\"relation\":\"", related.name, "\""] {
                text.extend_from_slice(piece.as_bytes());
            }
            for (name, measure) in self.measures(related) {
                for piece in [",\"", name, "\":"] {
                    text.extend_from_slice(piece.as_bytes());
                }
                serde_json::to_writer(&mut *text, &measure)?;
            }
        }
        text.push(b'}');
        Ok(())
    }

    fn csv_header(&self) -> String {
        let [relation, lengths, areas] = [
            (self.args.relations, ",relation"),
            (self.args.lengths, ",border_length"),
            (self.args.areas, ",intersection_area"),
        ]
        .map(|(is_wanted, column)| if is_wanted { column } else { "" });
        format!("a,b{relation}{lengths}{areas}")
    }

    fn write_csv<R: Pair>(&self, text: &mut Vec<u8>, ids: &Ids, row: &R) -> io::Result<()> {
        let [a, b] = row.ids().map(|i| ids.get(i));
        for piece in [a, b",", b] {
            text.extend_from_slice(piece);
        }
        if let Some(related) = row.related() {
            text.push(b',');
            text.extend_from_slice(related.name.as_bytes());
            for (_, measure) in self.measures(related) {
                text.push(b',');
                if let Some(measure) = measure {
                    serde_json::to_writer(&mut *text, &measure)?;
                }
            }
        }
        Ok(())
    }

    /// Prints one row per pair, and a summary.
    fn table<R: Pair>(&self, pairs: &[R]) -> Result<(), CliError> {
        let id = |i: u32| Cell::new(text(&self.scene.colliders[i as usize].id));
        let left = |title| (title, Align::Left);
        output::print(|out| {
            if !pairs.is_empty() {
                if self.args.relations {
                    self.related_rows(pairs).print(out, output::styled())?;
                } else {
                    let mut table = Table::new(&[left("a"), left("b")]);
                    for pair in pairs {
                        table.add(pair.ids().map(id));
                    }
                    table.print(out, output::styled())?;
                }
                writeln!(out)?;
            }
            writeln!(out, "{}", sentences::tally(self.scene.colliders.len(), pairs.len(), "pair"))
        })
    }

    fn related_rows<R: Pair>(&self, pairs: &[R]) -> Table {
        let title = |is_wanted: bool, title| (if is_wanted { title } else { "" }, Align::Right);
        let left = |title| (title, Align::Left);
        let length = title(self.args.lengths, "border length");
        let area = title(self.args.areas, "intersection area");
        let mut table = Table::new(&[left("a"), left("b"), left("relation"), length, area]);
        for pair in pairs {
            let [a, b] = pair.ids().map(|i| text(&self.scene.colliders[i as usize].id));
            let related = pair.related();
            let measure = |is_wanted: bool, measure: Option<f64>| match (is_wanted, measure) {
                (false, _) => String::new(),
                (true, None) => "–".to_owned(),
                (true, Some(measure)) => number(measure),
            };
            let length = measure(self.args.lengths, related.and_then(|related| related.border_length));
            let area = measure(self.args.areas, related.and_then(|related| related.intersection_area));
            let relation = related.map_or(String::new(), |related| related.name.replace('_', " "));
            table.add([a, b, relation, length, area].map(Cell::new));
        }
        table
    }
}

/// Output of `check --pairs --count --format json`.
#[derive(Serialize)]
struct Count {
    shapes: usize,
    candidates: usize,
    pairs: usize,
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

/// One pair as JSON, for the schema: [`List::write_json`] writes the same fields without serde.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct Row<'s> {
    a: &'s str,
    b: &'s str,
    /// With `--relations`.
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<Relation>,
    /// With `--lengths`. Null if a shape has a radius or no area.
    #[serde(skip_serializing_if = "Option::is_none")]
    border_length: Option<f64>,
    /// With `--areas`. Null if a shape has a radius or no area.
    #[serde(skip_serializing_if = "Option::is_none")]
    intersection_area: Option<f64>,
}

/// Names of the relations.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum Relation {
    Touches,
    TouchesAtPoints,
    TouchesAlongBorder,
    Overlaps,
    Contains,
    Within,
    Equals,
}
