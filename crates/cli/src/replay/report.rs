//! Reports the frames of a replay.
use std::io::{self, Write};

use carom::{Handle, World};
use serde::Serialize;

use super::render::id;
use super::{ReplayFormat, Replayed};
use crate::error::CliError;
use crate::json_number::plain;
use crate::output;
use crate::table::{Align, Cell, Table};

/// One frame. A contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Frame {
    #[serde(rename = "frame")]
    number: usize,
    /// Calls since the previous frame, including the one that makes this frame.
    calls: usize,
    colliders: usize,
    contacts: usize,
    begins: usize,
    ends: usize,
    collisions: usize,
    #[serde(skip)]
    events: Events,
}

/// Events of a frame, with the names of the colliders.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Events {
    begin: Vec<[String; 2]>,
    end: Vec<[String; 2]>,
    hits: Vec<Hit>,
}

/// An impact of a motion, with its time.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Hit {
    a: String,
    b: String,
    time: f64,
}

/// A line of `--format ndjson`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Line<'f> {
    #[serde(flatten)]
    frame: &'f Frame,
    #[serde(flatten)]
    events: &'f Events,
}

/// Output of `--format json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Report<'f> {
    frames: &'f [Frame],
    calls: usize,
    hash: String,
    recorded_hash: Option<String>,
    same: Option<bool>,
    first_difference: Option<usize>,
}

impl Frame {
    pub(super) fn new(number: usize, calls: usize, world: &World) -> Self {
        let pair = |a: Handle, b: Handle| [id(a), id(b)];
        let of = |begins: bool| {
            let wanted = world.events().filter(move |event| event.is_begin() == begins);
            wanted.map(|event| pair(event.contact().a, event.contact().b)).collect::<Vec<_>>()
        };
        let hits = world.motion_hits().map(|hit| {
            let [a, b] = [hit.mover.min(hit.other), hit.mover.max(hit.other)];
            Hit { a: id(a), b: id(b), time: plain(hit.hit.time) }
        });
        let events = Events { begin: of(true), end: of(false), hits: hits.collect() };
        Self {
            number,
            calls,
            colliders: world.len(),
            contacts: world.contacts().len(),
            begins: events.begin.len(),
            ends: events.end.len(),
            collisions: events.hits.len(),
            events,
        }
    }
}

pub(super) fn print(replayed: &Replayed, format: ReplayFormat) -> Result<(), CliError> {
    output::print(|out| match format {
        ReplayFormat::Table => table(out, replayed),
        ReplayFormat::Ndjson => {
            replayed.frames.iter().try_for_each(|frame| output::json(out, &Line { frame, events: &frame.events }))
        }
        ReplayFormat::Json => {
            let report = Report {
                frames: &replayed.frames,
                calls: replayed.calls,
                hash: hex(replayed.world.state_hash()),
                recorded_hash: replayed.recorded.map(hex),
                same: replayed.same(),
                first_difference: replayed.first_difference,
            };
            output::json(out, &report)
        }
    })
}

/// JSON numbers do not hold 64 bits, so hashes are hexadecimal text.
fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

fn table(out: &mut dyn Write, replayed: &Replayed) -> io::Result<()> {
    let titles = ["frame", "calls", "colliders", "contacts", "begin", "end", "collisions"];
    let mut table = Table::new(&titles.map(|title| (title, Align::Right)));
    for f in &replayed.frames {
        let counts = [f.number, f.calls, f.colliders, f.contacts, f.begins, f.ends, f.collisions];
        table.add(counts.map(|count| Cell::new(count.to_string())));
    }
    if !replayed.frames.is_empty() {
        table.print(out, output::styled())?;
        writeln!(out)?;
    }
    let hash = hex(replayed.world.state_hash());
    let end = match (replayed.first_difference, replayed.recorded) {
        (Some(frame), _) => format!("the two worlds differ from frame {frame} on"),
        (None, None) => "stopped before the end".to_owned(),
        (None, Some(recorded)) if replayed.same() == Some(true) => {
            format!("the state that was recorded, {}", hex(recorded))
        }
        (None, Some(recorded)) => format!("another state than the one that was recorded, {}", hex(recorded)),
    };
    writeln!(out, "{} frames, {} calls; state {hash}: {end}", replayed.frames.len(), replayed.calls)
}
