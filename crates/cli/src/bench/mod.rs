//! `carom bench`: measures the broad phases, whole steps and the pair kernels on this machine.
mod boxes;
mod broad_phases;
mod kernels;
mod memory;
#[cfg(test)]
mod schema;
mod world_steps;

use std::process::ExitCode;

use anstyle::Style;
use carom::DVec2;
use carom_scene::draw::{self, Line, Panel};
use serde::Serialize;

use crate::error::CliError;
use crate::output::{self, ResultFormat};
use crate::progress::Progress;
use crate::render::Picture;
use crate::table::{Align, Cell, Table};
use crate::threads::Threads;
use boxes::Workload;
use broad_phases::Pools;
use memory::Memory;

/// Measure carom's broad phases and pair kernels on this machine.
///
/// All broad phases step the same boxes, interleaved, and their pairs are compared. A time is the
/// median per box and step: it includes the update of the boxes and the report of every pair. Broad
/// phases that use several threads run on one and on all of them. The row `memory` is the lower
/// limit for one thread: each moved box is fetched once in random order, and the pairs are written.
/// Balls: time per ball and whole step, with contacts, events and bounces; the end states are
/// compared bit for bit. Kernels: time per pair, including the placement of both shapes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Largest number of boxes and balls: 1 000, 10 000 and so on up to N
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000)
    )]
    most: u32,

    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: Threads,

    /// Output format of the results
    #[arg(long, value_enum, default_value_t = ResultFormat::Table)]
    format: ResultFormat,

    /// Draw the cost against the number of boxes; the suffix .svg or .png chooses the format
    #[arg(long, value_name = "OUT", value_parser = Picture::parse)]
    render: Option<Picture>,
}

/// One line of the result.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BenchRow {
    workload: String,
    n: usize,
    strategy: &'static str,
    threads: usize,
    ns: f64,
    pairs: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Report {
    lanes: &'static str,
    threads: usize,
    rows: Vec<BenchRow>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let counts = counts(args.most as usize);
    let pools = Pools::new(args.threads.pool()?)?;
    let progress = Progress::start();
    progress.counted(
        "racing",
        (Workload::ALL.len() + 1) * counts.iter().map(|&n| broad_phases::turns(n)).sum::<usize>() + kernels::TURNS,
    );
    let mut races = Vec::new();
    for workload in Workload::ALL {
        for &count in &counts {
            races.extend(broad_phases::run(workload, count, args.seed, &pools, &mut || progress.advance(1))?);
        }
    }
    for &count in &counts {
        races.extend(world_steps::run(count, args.seed, &pools, &mut || progress.advance(1))?);
    }
    let kernels = kernels::run(args.seed, &mut || progress.advance(1))?;
    if let Some(picture) = &args.render {
        picture.save(&draw::plot("carom bench", "ns per box or ball and step", &panels(&races)))?;
    }
    drop(progress);
    let report = report(pools.threads(), races, kernels);
    args.format.print(&report, &|out| table(&report).print(out, output::styled()))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns powers of ten from a thousand, or a smaller limit alone.
fn counts(most: usize) -> Vec<usize> {
    let powers: Vec<usize> = (3..8).map(|power| 10usize.pow(power)).filter(|&n| n <= most).collect();
    if powers.is_empty() { vec![most] } else { powers }
}

fn report(threads: usize, races: Vec<broad_phases::BroadPhaseRow>, kernels: Vec<kernels::KernelRow>) -> Report {
    let races = races.into_iter().map(|row| BenchRow {
        workload: row.workload.to_owned(),
        n: row.count,
        strategy: row.strategy,
        threads: row.threads,
        ns: row.nanoseconds,
        pairs: row.pairs,
    });
    let kernels = kernels.into_iter().map(|row| BenchRow {
        workload: row.pair.to_owned(),
        n: row.count,
        strategy: row.question,
        threads: 1,
        ns: row.nanoseconds,
        pairs: row.pairs,
    });
    Report { lanes: carom::batch::simd_level(), threads, rows: races.chain(kernels).collect() }
}

fn table(report: &Report) -> Table {
    let mut table = Table::new(&[
        ("workload", Align::Left),
        ("n", Align::Right),
        ("strategy", Align::Left),
        ("threads", Align::Right),
        ("ns each", Align::Right),
        ("pairs", Align::Right),
    ]);
    for row in &report.rows {
        let races =
            |other: &BenchRow| other.workload == row.workload && other.n == row.n && other.strategy != Memory::NAME;
        let rivals = report.rows.iter().filter(|other| races(other));
        let best = races(row)
            && row.workload.contains("move")
            && rivals.map(|other| other.ns).fold(f64::INFINITY, f64::min) >= row.ns;
        let style = if best { Style::new().bold() } else { Style::new() };
        let cells = [
            row.workload.clone(),
            row.n.to_string(),
            row.strategy.to_owned(),
            row.threads.to_string(),
            format!("{:.1}", row.ns),
            row.pairs.to_string(),
        ];
        table.add(cells.map(|text| Cell::new(text).styled(style)));
    }
    table
}

/// Draws one panel per workload and one line per broad phase.
fn panels(races: &[broad_phases::BroadPhaseRow]) -> Vec<Panel> {
    let panel = |workload: &'static str| {
        let mut lines: Vec<Line> = Vec::new();
        for row in races.iter().filter(|row| row.workload == workload) {
            let point = DVec2::new(row.count as f64, row.nanoseconds);
            let name = if row.threads == 1 {
                row.strategy.to_owned()
            } else {
                format!("{}, {} threads", row.strategy, row.threads)
            };
            match lines.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(point),
                None => lines.push(Line { name, points: vec![point] }),
            }
        }
        Panel { title: workload.to_owned(), lines }
    };
    Workload::ALL.map(Workload::name).into_iter().chain([world_steps::NAME]).map(panel).collect()
}
