//! Summarizes a run.
use std::io::{self, Write};

use carom_scene::Scene;
use serde::Serialize;

use super::run::Summary;
use crate::error::CliError;
use crate::json_number::{pair, plain};
use crate::number_format::{number, point, text};
use crate::output::{self, ResultFormat};
use crate::table::{Align, Cell, Table};

/// Output of `walk --format json`: a contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Report<'s> {
    frames: usize,
    step: f64,
    start: [f64; 2],
    end: [f64; 2],
    distance: f64,
    grounded: usize,
    jumps: usize,
    drops: usize,
    landings: usize,
    grounds: Vec<Ground<'s>>,
}

/// Frames on one collider.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Ground<'s> {
    id: &'s str,
    first: usize,
    frames: usize,
}

pub(super) fn print(scene: &Scene, summary: &Summary, format: ResultFormat) -> Result<(), CliError> {
    let ground = |count: &super::run::GroundCount| Ground {
        id: &scene.colliders[count.index].id,
        first: count.first,
        frames: count.frames,
    };
    let report = Report {
        frames: summary.frames,
        step: summary.step,
        start: pair(summary.start),
        end: pair(summary.end),
        distance: plain(summary.distance),
        grounded: summary.grounded,
        jumps: summary.jumps,
        drops: summary.drops,
        landings: summary.landings,
        grounds: summary.grounds.iter().map(ground).collect(),
    };
    format.print(&report, &|out| table(out, &report))
}

fn table(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut table = Table::new(&[("ground", Align::Left), ("first frame", Align::Right), ("frames", Align::Right)]);
    for ground in &report.grounds {
        table.add([
            Cell::new(text(ground.id)),
            Cell::new(ground.first.to_string()),
            Cell::new(ground.frames.to_string()),
        ]);
    }
    if !report.grounds.is_empty() {
        table.print(out, output::styled())?;
        writeln!(out)?;
    }
    writeln!(out, "{} frames of {} s, {} of them on the ground", report.frames, number(report.step), report.grounded)?;
    writeln!(out, "jumps {}, drops {}, landings {}", report.jumps, report.drops, report.landings)?;
    let distance = number(report.distance);
    writeln!(out, "from {} to {}, a path of length {distance}", point(report.start), point(report.end))
}
