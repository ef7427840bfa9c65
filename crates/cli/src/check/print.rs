//! Prints the results of `check` as table, JSON or CSV: contacts, counts, and the numbers of
//! `--stats`.
//!
//! [`contacts`] also runs the search: JSON is written while contacts are computed, so no list of
//! all contacts is needed. [`rows`] is the common printer of all reports of `check`.
use std::io::{self, IsTerminal as _, Write};

use carom_scene::Scene;
use carom_scene::draw::Contact;
use serde::Serialize;

use super::by::{By, Groups};
use super::{Args, CheckFormat, contact_table, csv, sentences};
use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;
use crate::output;
use crate::pipeline::Search;
use crate::progress::Progress;
use crate::stats::{self, Counts, Stopwatch};
use crate::stream::{self, Form, Rows, Tally, Unread};

/// Computes and prints the contacts of a search. JSON is written while contacts are computed.
pub(super) fn contacts(
    args: &Args,
    scene: &Scene,
    search: &Search<'_>,
    watch: &mut Stopwatch,
    progress: Progress,
) -> Result<Tally, CliError> {
    if let (Some(form), None, None | Some(By::Shape)) =
        (form(args.format, scene, search.candidates()), &args.render, args.by)
    {
        // A progress bar on the terminal would mix with the data.
        let progress = (!io::stdout().is_terminal()).then_some(progress);
        let write = |text: &mut Vec<u8>, contact: &_| stream::write_contact(text, scene, contact);
        let rows = Rows { row: &|pair| search.contact(pair), write: &write };
        return rows.run(search, form, unread(args), watch, progress.as_ref());
    }
    // Tables and pictures need all contacts in memory, for widths and labels.
    let contacts = search.contacts(watch, &progress);
    args.draw(scene, &contacts, &progress, watch)?;
    drop(progress);
    let tally = Tally::of(&contacts);
    if args.count {
        count(args, scene.colliders.len(), search.candidates(), &tally)?;
    } else if !args.quiet {
        watch.time("print", || all(args, scene, search.candidates(), &contacts))?;
    }
    Ok(tally)
}

/// Returns the form of JSON output; `None` for the other formats.
fn form(format: CheckFormat, scene: &Scene, candidates: usize) -> Option<Form> {
    match format {
        CheckFormat::Json => Some(Form::object(scene.colliders.len(), candidates, "contacts")),
        CheckFormat::Ndjson => Some(Form::Lines),
        CheckFormat::Table | CheckFormat::Csv => None,
    }
}

/// Returns the pair at which the search ends if nobody reads the output.
pub(super) fn unread(args: &Args) -> Unread {
    match (args.stats, args.deny) {
        (true, _) => Unread::Count,
        (false, true) => Unread::UntilContact,
        (false, false) => Unread::Stop,
    }
}

/// Prints contacts that are in memory.
pub(super) fn all(args: &Args, scene: &Scene, candidates: usize, contacts: &[Contact]) -> Result<(), CliError> {
    if let (Some(form), None | Some(By::Shape)) = (form(args.format, scene, candidates), args.by) {
        return stream::all(scene, contacts, form);
    }
    match (args.format, args.by) {
        (CheckFormat::Table, by) => table(scene, contacts, by.unwrap_or(By::TileLayer)),
        (CheckFormat::Csv, None | Some(By::Shape)) => {
            output::print(|out| csv::write(out, &mut contacts.iter().map(|contact| csv::contact(scene, contact))))
        }
        (format, by) => {
            let groups = Groups::new(scene, by.unwrap_or(By::Shape), contacts);
            let report = groups.report(candidates, contacts);
            let lines = groups.json(contacts);
            rows(format, &mut lines.iter(), &mut lines.iter().map(csv::group), &report, |_| Ok(()))
        }
    }
}

/// Prints a table with a summary.
pub(super) fn table(scene: &Scene, contacts: &[Contact], by: By) -> Result<(), CliError> {
    output::print(|out| {
        if !contacts.is_empty() {
            let print = match by {
                By::Shape | By::TileLayer => contact_table::contacts,
                By::Object | By::Layer => contact_table::groups,
            };
            print(out, output::styled(), scene, contacts, by)?;
            writeln!(out)?;
        }
        writeln!(out, "{}", sentences::summary(scene.colliders.len(), contacts))
    })
}

/// Prints a table, one object, one row per line, or comma-separated values.
pub(super) fn rows<R: Serialize, C: Serialize + Default>(
    format: CheckFormat,
    rows: &mut dyn Iterator<Item = R>,
    lines: &mut dyn Iterator<Item = C>,
    report: &impl Serialize,
    table: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CliError> {
    output::print(|out| match format {
        CheckFormat::Table => table(out),
        CheckFormat::Json => output::json(out, report),
        CheckFormat::Ndjson => {
            for row in rows {
                output::json(out, &row)?;
            }
            Ok(())
        }
        CheckFormat::Csv => csv::write(out, lines),
    })
}

/// Prints the number of `--count`, or an object or a row with all counts.
pub(super) fn one(format: CheckFormat, found: usize, report: &impl Serialize) -> Result<(), CliError> {
    output::print(|out| match format {
        CheckFormat::Table => writeln!(out, "{found}"),
        CheckFormat::Json | CheckFormat::Ndjson => output::json(out, report),
        CheckFormat::Csv => csv::write_one(out, report),
    })
}

/// Output of `check --count`: a contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Count {
    shapes: usize,
    candidates: usize,
    contacts: usize,
    touching: usize,
    near_misses: usize,
}

/// Prints the number of contacts, or an object with all counts.
pub(super) fn count(args: &Args, shapes: usize, candidates: usize, tally: &Tally) -> Result<(), CliError> {
    let Tally { rows: contacts, touching, near_misses, .. } = *tally;
    one(args.format, contacts, &Count { shapes, candidates, contacts, touching, near_misses })
}

/// Prints the numbers and times of `--stats`.
pub(super) fn stats(args: &Args, scene: &Scene, search: &Search<'_>, found: &Tally, watch: &Stopwatch) {
    let auto = if matches!(args.broad, BroadPhaseArg::Auto) {
        format!(" (picked by auto: {})", search.broad.reason)
    } else {
        String::new()
    };
    let counts = Counts {
        shapes: scene.colliders.len(),
        broad: format!("{}{auto}", search.broad.strategy),
        candidates: search.candidates(),
        found: (if args.lists_pairs() { "pairs" } else { "contacts" }, found.rows),
    };
    stats::print(&counts, watch);
}
