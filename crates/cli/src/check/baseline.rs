//! `--baseline`: compares contacts with a former result.
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use anstyle::AnsiColor;
use carom_scene::Scene;
use carom_scene::draw::Contact;
use serde::{Deserialize, Serialize};

use super::csv::{self, DifferenceLine};
use super::{Args, CheckFormat};
use crate::error::CliError;
use crate::input;
use crate::json_number::plain;
use crate::number_format::{number, text};
use crate::output;
use crate::report_json::Row;
use crate::table::{Align, Cell, Table};

/// Contact of a former result.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Known {
    a: String,
    b: String,
    depth: f64,
}

/// Former result.
pub(super) struct Baseline(Vec<Known>);

/// Contacts that differ from those of a baseline.
pub(super) struct Difference<'c> {
    scene: &'c Scene,
    new: Vec<&'c Contact>,
    gone: Vec<Known>,
    /// With the former depth.
    changed: Vec<(&'c Contact, f64)>,
}

impl Baseline {
    /// Reads the output of `carom check --format json` or `ndjson`.
    pub(super) fn read(file: &Path) -> Result<Self, CliError> {
        #[derive(Deserialize)]
        struct Report {
            contacts: Vec<Known>,
        }
        let bytes = input::bytes(file)?;
        if let Ok(report) = serde_json::from_slice::<Report>(&bytes) {
            return Ok(Self(report.contacts));
        }
        let lines: Result<Vec<Known>, _> = serde_json::Deserializer::from_slice(&bytes).into_iter().collect();
        lines.map(Self).map_err(|error| {
            let message = format!(
                "not a result of `carom check --format json` or `--format ndjson` without --by: {error}; write one \
                 with `carom check FILE --format json > {}`",
                file.display()
            );
            CliError::at(input::name(file), message)
        })
    }

    /// Keeps ids and depths of contacts.
    pub(super) fn of(scene: &Scene, contacts: &[Contact]) -> Self {
        let id = |i: usize| scene.colliders[i].id.clone();
        let known = |c: &Contact| Known { a: id(c.a), b: id(c.b), depth: plain(c.manifold.depth) };
        Self(contacts.iter().map(known).collect())
    }

    /// Returns the contacts that are new, gone, or changed by more than the tolerance. The order of
    /// two ids does not matter.
    pub(super) fn compare<'c>(&self, scene: &'c Scene, contacts: &'c [Contact], tolerance: f64) -> Difference<'c> {
        let key = |a: &str, b: &str| if a < b { [a.to_owned(), b.to_owned()] } else { [b.to_owned(), a.to_owned()] };
        let mut left: HashMap<[String; 2], usize> =
            self.0.iter().enumerate().map(|(i, known)| (key(&known.a, &known.b), i)).collect();
        let mut difference = Difference { scene, new: Vec::new(), gone: Vec::new(), changed: Vec::new() };
        for contact in contacts {
            let [a, b] = [contact.a, contact.b].map(|i| scene.colliders[i].id.as_str());
            match left.remove(&key(a, b)).map(|i| self.0[i].depth) {
                None => difference.new.push(contact),
                Some(before) if (contact.manifold.depth - before).abs() > tolerance => {
                    difference.changed.push((contact, before));
                }
                Some(_) => {}
            }
        }
        let mut gone: Vec<usize> = left.into_values().collect();
        gone.sort_unstable();
        difference.gone = gone.into_iter().map(|i| self.0[i].clone()).collect();
        difference
    }
}

/// Output of `check --baseline --format json`: a contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Report<'s> {
    shapes: usize,
    candidates: usize,
    new: Vec<Row<'s>>,
    gone: &'s [Known],
    changed: Vec<Changed<'s>>,
}

/// Contact with another depth.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Changed<'s> {
    #[serde(flatten)]
    now: Row<'s>,
    before: f64,
}

impl Difference<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty() && self.changed.is_empty()
    }

    /// Returns true if a pair intersects that did not before.
    pub(super) fn is_worse(&self) -> bool {
        let meets = |contact: &Contact| contact.manifold.depth >= 0.0;
        self.new.iter().any(|contact| meets(contact))
            || self.changed.iter().any(|(contact, before)| meets(contact) && *before < 0.0)
    }

    /// Prints the difference. Returns false if the reader has closed standard output.
    pub(super) fn print(&self, args: &Args, candidates: usize) -> Result<bool, CliError> {
        if args.quiet {
            return Ok(true);
        }
        output::print_while_read(|out| match args.format {
            CheckFormat::Table => self.table(out),
            CheckFormat::Csv => csv::write(out, &mut self.lines().into_iter()),
            CheckFormat::Ndjson => self.lines().into_iter().try_for_each(|line| output::json(out, &line)),
            CheckFormat::Json => {
                let row = |contact| Row::new(self.scene, contact);
                let report = Report {
                    shapes: self.scene.colliders.len(),
                    candidates,
                    new: self.new.iter().map(|contact| row(contact)).collect(),
                    gone: &self.gone,
                    changed: self.changed.iter().map(|&(c, before)| Changed { now: row(c), before }).collect(),
                };
                output::json(out, &report)
            }
        })
    }

    fn lines(&self) -> Vec<DifferenceLine<'_>> {
        let line = |change, contact: &Contact, before| {
            let [a, b] = [contact.a, contact.b].map(|i| self.scene.colliders[i].id.as_str());
            DifferenceLine { change, a, b, depth: Some(plain(contact.manifold.depth)), before }
        };
        let new = self.new.iter().map(|contact| line("new", contact, None));
        let changed = self.changed.iter().map(|&(contact, before)| line("changed", contact, Some(before)));
        let gone = self.gone.iter().map(|known| DifferenceLine {
            change: "gone",
            a: &known.a,
            b: &known.b,
            depth: None,
            before: Some(known.depth),
        });
        new.chain(gone).chain(changed).collect()
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let (left, right) = (|title| (title, Align::Left), |title| (title, Align::Right));
        let mut table = Table::new(&[left("change"), left("a"), left("b"), right("before"), right("now")]);
        let depth = |depth: Option<f64>| depth.map_or("–".to_owned(), number);
        for line in self.lines() {
            let colour = match line.change {
                "new" => AnsiColor::Red,
                "gone" => AnsiColor::Green,
                _ => AnsiColor::Yellow,
            };
            table.add([
                Cell::new(line.change).styled(colour.on_default()),
                Cell::new(text(line.a)),
                Cell::new(text(line.b)),
                Cell::new(depth(line.before)),
                Cell::new(depth(line.depth)),
            ]);
        }
        if !self.is_empty() {
            table.print(out, output::styled())?;
            writeln!(out)?;
        }
        writeln!(out, "{} new, {} gone, {} changed", self.new.len(), self.gone.len(), self.changed.len())
    }
}
