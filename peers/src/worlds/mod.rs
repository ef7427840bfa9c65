//! Whole frames: worlds that receive all poses and find contacts and events, and worlds with
//! bouncing balls (W4).

mod article;
mod carom;
pub(crate) mod engine;
mod rapier;
pub(crate) mod scene;

use std::fmt::Write;

use serde_json::{Value, json};

use self::engine::Engine;
use self::scene::Scene;
use crate::options::{Format, Options};
use crate::race::{Library, processor_time};
use crate::{Page, box2d, machine};

const FRAMES: &str = "Contacts and events of N moving shapes: ns per shape and step of processor time, median of \
interleaved steps. Timed: the new place of each shape in, by hand, contacts and begin and end events up to date. The \
libraries get the same numbers. Box2D's step cannot leave its solver out: beside the whole step, with one sub-step, \
there is the share of it that is spent on pairs and contacts by its own profile. Counts at the last step: contacts, \
of Box2D begins less ends; it and rapier work in f32, and Box2D keeps a margin.";

const STEPS: &str = "W4, elastic balls in a box, 30 % of it covered, radius 0.5, speeds 1 to 5, no gravity and \
friction, dt 1/60: ns per ball and step of processor time, median of interleaved \
steps; and the kinetic energy after the run over that before it. The article's loop makes no contacts and events, and \
lets balls overlap.";

/// Name, number of shapes, and whether they have three kinds.
const FRAME_ROWS: [(&str, usize, bool); 5] = [
    ("world, circles, 1k", 1_000, false),
    ("world, circles, 10k", 10_000, false),
    ("world, circles, 100k", 100_000, false),
    ("world, mixed shapes, 10k", 10_000, true),
    ("world, mixed shapes, 100k", 100_000, true),
];

const STEP_ROWS: [(&str, usize); 3] = [("W4 balls, 1k", 1_000), ("W4 balls, 10k", 10_000), ("W4 balls, 100k", 100_000)];

/// Steps at 100k. Smaller rows take up to twenty times as many.
const SHAPES: usize = 100_000;

const WRITES: &str = "a String takes every text";

struct Row {
    name: &'static str,
    cells: Vec<Cell>,
}

struct Cell {
    library: Library,
    column: &'static str,
    nanoseconds: f64,
    /// Columns beside the time.
    summary: String,
}

/// Worlds that receive all poses.
pub(crate) fn frames(options: &Options) -> Page {
    let wanted = FRAME_ROWS.iter().filter(|row| row.0.contains(&options.row) && row.1 <= options.records);
    let rows = wanted.map(|&(name, n, mixed)| {
        let mut scene = Scene::crowd(n, mixed, options.seed);
        let mut engines: Vec<Box<dyn Engine>> = vec![
            Box::new(rapier::Crowd::new(&scene)),
            Box::new(box2d::bodies::Crowd::new(&scene, true)),
            Box::new(box2d::bodies::Crowd::new(&scene, false)),
            Box::new(carom::Crowd::new(&scene)),
        ];
        let times = run(&mut scene, &mut engines, options);
        let summary = engines
            .iter_mut()
            .map(|engine| engine.seen())
            .map(|s| format!("{} ({} +, {} −)", s.contacts, s.begun, s.ended))
            .collect();
        Row::new(name, &engines, times, summary)
    });
    page("World: contacts and events", FRAMES, "contacts (begun, ended)", &rows.collect::<Vec<_>>(), options)
}

/// Worlds with bouncing balls.
pub(crate) fn steps(options: &Options) -> Page {
    let wanted = STEP_ROWS.iter().filter(|row| row.0.contains(&options.row) && row.1 <= options.records);
    let rows = wanted.map(|&(name, n)| {
        let mut scene = Scene::gas(n, options.seed);
        let mut engines: Vec<Box<dyn Engine>> = vec![
            Box::new(article::Gas::new(&scene)),
            Box::new(rapier::Gas::new(&scene)),
            Box::new(box2d::bodies::Gas::new(&scene)),
            Box::new(carom::Gas::new(&scene)),
        ];
        let before: Vec<f64> = engines.iter_mut().map(|engine| engine.energy()).collect();
        let times = run(&mut scene, &mut engines, options);
        let summary = engines
            .iter_mut()
            .zip(before)
            .map(|(engine, before)| format!("×{:.4}", engine.energy() / before))
            .collect();
        Row::new(name, &engines, times, summary)
    });
    page("W4 whole steps", STEPS, "kinetic energy", &rows.collect::<Vec<_>>(), options)
}

/// Returns the nanoseconds of each engine's steps, interleaved. The first two are not timed.
fn run(scene: &mut Scene, engines: &mut [Box<dyn Engine>], options: &Options) -> Vec<Vec<f64>> {
    let n = scene.forms.len();
    let steps = options.rounds * (SHAPES / n).clamp(1, 20);
    let mut times = vec![Vec::with_capacity(steps); engines.len()];
    for step in 0..steps + 2 {
        scene.step();
        for (engine, times) in engines.iter_mut().zip(&mut times) {
            let start = processor_time();
            engine.run(scene);
            let time = processor_time() - start;
            if step >= 2 {
                times.push(time * engine.share() / n as f64);
            }
        }
    }
    times
}

impl Row {
    fn new(name: &'static str, engines: &[Box<dyn Engine>], times: Vec<Vec<f64>>, summary: Vec<String>) -> Self {
        let cells = engines.iter().zip(times).zip(summary).map(|((engine, mut times), summary)| {
            times.sort_by(f64::total_cmp);
            let (library, column) = engine.name();
            Cell { library, column, nanoseconds: times[times.len() / 2], summary }
        });
        Self { name, cells: cells.collect() }
    }

    /// Returns the best library's time relative to carom's.
    fn lead(&self) -> f64 {
        let least = |of: &dyn Fn(Library) -> bool| {
            self.cells.iter().filter(|cell| of(cell.library)).map(|cell| cell.nanoseconds).fold(f64::INFINITY, f64::min)
        };
        least(&|library| matches!(library, Library::Rapier | Library::Box2d))
            / least(&|library| library == Library::Carom)
    }
}

fn page(title: &str, about: &str, summary: &str, rows: &[Row], options: &Options) -> Page {
    let text = match options.format {
        Format::Markdown => markdown(title, about, summary, rows, options),
        Format::Json => json(title, about, rows, options).to_string(),
    };
    Page { text: (!rows.is_empty()).then_some(text), failures: Vec::new() }
}

fn markdown(title: &str, about: &str, summary: &str, rows: &[Row], options: &Options) -> String {
    let columns: Vec<&str> = rows.first().map_or(Vec::new(), |row| row.cells.iter().map(|cell| cell.column).collect());
    let (names, rules) = (columns.join(" | "), "--:|".repeat(columns.len()));
    let (processor, rounds, seed) = (machine::processor(), options.rounds, options.seed);
    let mut text = format!("## {title}\n\n{about}\n\n{processor}; {rounds} rounds, seed {seed}.\n\n");
    writeln!(text, "| ns | {names} | best library ÷ carom |\n|---|{rules}--:|").expect(WRITES);
    for row in rows {
        let cells: Vec<String> = row.cells.iter().map(|cell| format!("{:.1}", cell.nanoseconds)).collect();
        writeln!(text, "| {} | {} | {:.1} |", row.name, cells.join(" | "), row.lead()).expect(WRITES);
    }
    writeln!(text, "\n| {summary} | {names} |\n|---|{rules}").expect(WRITES);
    for row in rows {
        let cells: Vec<&str> = row.cells.iter().map(|cell| cell.summary.as_str()).collect();
        writeln!(text, "| {} | {} |", row.name, cells.join(" | ")).expect(WRITES);
    }
    text
}

fn json(title: &str, about: &str, rows: &[Row], options: &Options) -> Value {
    let cell = |c: &Cell| json!({ "library": c.library.to_string(), "call": c.column, "ns_median": c.nanoseconds, "summary": c.summary });
    let row = |r: &Row| json!({ "row": r.name, "best_library_to_carom": r.lead(), "calls": r.cells.iter().map(cell).collect::<Vec<_>>() });
    json!({
        "workload": title, "about": about, "processor": machine::processor(), "rounds": options.rounds, "seed": options.seed,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}
