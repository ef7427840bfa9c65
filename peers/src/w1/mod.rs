//! W1, broad phase: intersecting pairs of N boxes, step by step.

mod columns;
mod engines;
mod pair_finder;
mod world;

use std::fmt::Write;

use allocation_counter::measure;
use serde_json::json;

use self::columns::{AUTO, COLUMNS, Column};
use self::pair_finder::PairFinder;
use self::world::{Kind, World};
use crate::options::{Format, Options};
use crate::race::{Library, processor_time, progress};
use crate::{Page, machine};

const ABOUT: &str = "Pairs of N moving boxes that intersect: ns per box and step of processor time, median of interleaved \
steps. Timed: the step's boxes in (an array of minima and maxima), each pair that intersects, once. Not timed: moving \
the boxes. Counts and an order-free checksum are compared in every step. Ids are in random spatial order, but for \
the row that says otherwise; parry, rapier and Box2D get only the boxes that moved, the others get all boxes. \
`>`: left out after the first steps, as it takes more than 25 times as long as the fastest.";

/// Name, world, and number of boxes.
const ROWS: [(&str, Kind, usize); 20] = [
    ("W1 all move, 1k", Kind::All, 1_000),
    ("W1 all move, 10k", Kind::All, 10_000),
    ("W1 all move, 100k", Kind::All, 100_000),
    ("W1 all move, 1M", Kind::All, 1_000_000),
    ("W1 sizes, 1k", Kind::Sizes, 1_000),
    ("W1 sizes, 10k", Kind::Sizes, 10_000),
    ("W1 sizes, 100k", Kind::Sizes, 100_000),
    ("W1 a tenth moves, 1k", Kind::Tenth, 1_000),
    ("W1 a tenth moves, 10k", Kind::Tenth, 10_000),
    ("W1 a tenth moves, 100k", Kind::Tenth, 100_000),
    ("W1 tight cluster, 10k", Kind::Cluster, 10_000),
    ("W1 tight cluster, 100k", Kind::Cluster, 100_000),
    ("W1 line along x, 10k", Kind::LineX, 10_000),
    ("W1 line along x, 100k", Kind::LineX, 100_000),
    ("W1 line along y, 10k", Kind::LineY, 10_000),
    ("W1 line along y, 100k", Kind::LineY, 100_000),
    ("W1 one spot, 1k", Kind::OnePosition, 1_000),
    ("W1 one spot, 3k", Kind::OnePosition, 3_000),
    ("W1 giant among dwarfs, 100k", Kind::Giant, 100_000),
    ("W1 ids in order, 100k", Kind::Sorted, 100_000),
];

/// Number of boxes over all steps of a row, approximately.
const BOXES: usize = 200_000;
/// Above this number of boxes a row takes a third of the rounds.
const MANY: usize = 500_000;
/// Slowness relative to the fastest at which a broad phase is stopped.
const SLOW: f64 = 25.0;

const WRITES: &str = "a String takes every text";

struct Row {
    name: &'static str,
    boxes: usize,
    steps: usize,
    /// Pairs per box in the last step.
    pairs: f64,
    cells: Vec<Cell>,
}

struct Cell {
    library: Library,
    column: &'static str,
    nanoseconds: f64,
    quickest: f64,
    /// Bytes in use per box.
    bytes: f64,
    /// True if it was stopped because it is slow. Then the time is that of one step.
    left_out: bool,
    /// Number of steps whose pairs differ from carom's.
    wrong: usize,
}

/// Runs the selected rows.
pub(crate) fn run(options: &Options) -> Page {
    let wanted = ROWS.iter().filter(|row| row.0.contains(&options.row) && row.2 <= options.records);
    let rows: Vec<Row> = wanted.map(|&(name, kind, n)| progress(name, || row(name, kind, n, options))).collect();
    let wrong = |row: &Row| {
        let name = row.name;
        let cells = row.cells.iter().filter(|cell| cell.wrong > 0);
        cells
            .map(move |cell| format!("{name}, {}: other pairs in {} steps", cell.column, cell.wrong))
            .collect::<Vec<_>>()
    };
    let failures = rows.iter().flat_map(wrong).collect();
    let text = match options.format {
        Format::Markdown => markdown(&rows, options),
        Format::Json => json(&rows, options).to_string(),
    };
    Page { text: (!rows.is_empty()).then_some(text), failures }
}

/// Broad phase and its measurements.
struct Racer {
    column: &'static Column,
    pair_finder: PairFinder,
    times: Vec<f64>,
    /// Of Rust's allocator.
    bytes: i64,
    left_out: bool,
    seen: (usize, u64),
    wrong: usize,
}

impl Racer {
    fn new(column: &'static Column, world: &World) -> Option<Self> {
        let mut made = None;
        let bytes = measure(|| made = (column.make)(world)).bytes_current;
        made.map(|pair_finder| Self {
            column,
            pair_finder,
            times: Vec::new(),
            bytes,
            left_out: false,
            seen: (0, 0),
            wrong: 0,
        })
    }

    /// Executes a step. Returns nanoseconds.
    fn step(&mut self, world: &World, found: &mut Vec<[u32; 2]>) {
        found.clear();
        let start = processor_time();
        (self.pair_finder.run)(world, found);
        self.times.push(processor_time() - start);
        self.seen = summary(found);
    }

    /// Executes a step and measures its memory, without that of the pairs.
    fn first_step(&mut self, world: &World, found: &mut Vec<[u32; 2]>) {
        let before = found.capacity();
        let took = measure(|| self.step(world, found)).bytes_current;
        let of_pairs = (found.capacity() - before) * size_of::<[u32; 2]>();
        self.bytes += took - i64::try_from(of_pairs).expect("what fits into memory");
    }

    fn cell(mut self, boxes: usize) -> Cell {
        self.times.sort_by(f64::total_cmp);
        let per_box = |x: f64| x / boxes as f64;
        Cell {
            library: self.column.library,
            column: self.column.name,
            nanoseconds: per_box(self.times[self.times.len() / 2]),
            quickest: per_box(self.times[0]),
            bytes: per_box(self.bytes as f64 + self.pair_finder.native_bytes.get() as f64),
            left_out: self.left_out,
            wrong: self.wrong,
        }
    }
}

fn row(name: &'static str, kind: Kind, boxes: usize, options: &Options) -> Row {
    let mut world = World::new(kind, boxes, options.seed);
    let mut racers: Vec<Racer> = COLUMNS.iter().filter_map(|column| Racer::new(column, &world)).collect();
    let rounds = if boxes > MANY { options.rounds.div_ceil(3) } else { options.rounds };
    let steps = rounds * if kind == Kind::OnePosition { 1 } else { (BOXES / boxes).clamp(1, 20) };
    let mut found = Vec::new();
    let mut pairs = 0.0;
    // The first two steps do not count.
    for step in 0..steps + 2 {
        world.step();
        let before = |racer: &&mut Racer| !racer.left_out;
        for racer in racers.iter_mut().filter(before) {
            if step < 2 {
                racer.times.clear();
                racer.first_step(&world, &mut found);
            } else {
                if step == 2 {
                    racer.times.clear();
                }
                racer.step(&world, &mut found);
            }
        }
        let truth = racers.iter().find(|r| r.column.name == AUTO).expect("carom takes part").seen;
        pairs = truth.0 as f64 / boxes as f64;
        for racer in racers.iter_mut().filter(before) {
            racer.wrong += usize::from(racer.seen != truth);
        }
        if step < 2 {
            // In the first step all are slow, because they build their data.
            let fastest = racers.iter().map(|r| r.times[0]).fold(f64::INFINITY, f64::min);
            let most = fastest * if step == 0 { 4.0 * SLOW } else { SLOW };
            racers.iter_mut().filter(before).for_each(|r| r.left_out = r.times[0] > most);
        }
    }
    Row { name, boxes, steps, pairs, cells: racers.into_iter().map(|racer| racer.cell(boxes)).collect() }
}

/// Returns the number of pairs and an order-free checksum.
fn summary(pairs: &[[u32; 2]]) -> (usize, u64) {
    let mix = |&[a, b]: &[u32; 2]| {
        let key = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    (pairs.len(), pairs.iter().map(mix).fold(0, u64::wrapping_add))
}

impl Row {
    /// Returns a cell per column.
    fn line(&self, text: impl Fn(&Cell) -> String) -> String {
        let cell =
            |column: &Column| self.cells.iter().find(|cell| cell.column == column.name).map_or("–".into(), &text);
        COLUMNS.iter().map(cell).collect::<Vec<String>>().join(" | ")
    }

    fn least(&self, of: impl Fn(&Cell) -> bool) -> f64 {
        self.cells.iter().filter(|cell| of(cell)).map(|cell| cell.nanoseconds).fold(f64::INFINITY, f64::min)
    }

    /// Returns the best library's time relative to that of `auto`.
    fn lead(&self) -> f64 {
        self.least(|c| !matches!(c.library, Library::Carom | Library::Textbook)) / self.least(|c| c.column == AUTO)
    }

    /// Returns the time of `auto` relative to that of carom's best broad phase.
    fn cost_of_choice(&self) -> f64 {
        self.least(|c| c.column == AUTO) / self.least(|c| c.library == Library::Carom)
    }
}

fn markdown(rows: &[Row], options: &Options) -> String {
    let lanes = machine::simd_level().join(" ");
    let mut text = format!(
        "## W1 broad phase\n\n{ABOUT}\n\n{}; lanes {lanes}; {} rounds, seed {}.\n\n",
        machine::processor(),
        options.rounds,
        options.seed
    );
    let columns: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    let rules = "--:|".repeat(columns.len());
    writeln!(
        text,
        "| ns per box | {} | best library ÷ auto | auto ÷ best of carom | pairs a box |\n|---|{rules}--:|--:|--:|",
        columns.join(" | ")
    )
    .expect(WRITES);
    for row in rows {
        let time = |cell: &Cell| format!("{}{:.1}", if cell.left_out { "> " } else { "" }, cell.nanoseconds);
        let (lead, choice) = (row.lead(), row.cost_of_choice());
        writeln!(text, "| {} | {} | {lead:.1} | {choice:.2} | {:.1} |", row.name, row.line(time), row.pairs)
            .expect(WRITES);
    }
    writeln!(
        text,
        "\nBytes that are kept, a box, without the pairs found:\n\n| bytes per box | {} |\n|---|{rules}",
        columns.join(" | ")
    )
    .expect(WRITES);
    for row in rows {
        writeln!(text, "| {} | {} |", row.name, row.line(|cell| format!("{:.0}", cell.bytes))).expect(WRITES);
    }
    text
}

fn json(rows: &[Row], options: &Options) -> serde_json::Value {
    let cell = |c: &Cell| {
        json!({
            "library": c.library.to_string(), "call": c.column, "ns_median": c.nanoseconds, "ns_quickest": c.quickest, "bytes": c.bytes, "left_out": c.left_out,
            "wrong_steps": c.wrong,
        })
    };
    let row = |r: &Row| {
        json!({
            "row": r.name, "boxes": r.boxes, "steps": r.steps, "pairs_per_box": r.pairs, "best_library_to_auto": r.lead(),
            "auto_to_best_strategy": r.cost_of_choice(), "calls": r.cells.iter().map(cell).collect::<Vec<_>>(),
        })
    };
    json!({
        "workload": "W1 broad phase", "about": ABOUT, "processor": machine::processor(), "lanes": machine::simd_level(),
        "rounds": options.rounds, "seed": options.seed, "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_libraries_find_the_same_pairs() {
        let options = Options { rounds: 1, records: 1_000, seed: 4, row: "W1".into(), ..Options::default() };
        let page = run(&options);
        assert_eq!(page.failures, Vec::<String>::new());
        assert!(page.text.is_some_and(|text| text.contains("| W1 one spot, 1k |")));
    }

    #[test]
    fn a_box_intersects_two_others_on_average() {
        for kind in [Kind::All, Kind::Sizes] {
            let world = World::new(kind, 20_000, 9);
            let mut pairs = Vec::new();
            let column = COLUMNS.iter().find(|column| column.name == "carom strips").unwrap();
            ((column.make)(&world).unwrap().run)(&world, &mut pairs);
            let each = pairs.len() as f64 / 20_000.0;
            assert!((0.9..1.1).contains(&each), "{kind:?}: {each} pairs a box");
        }
    }
}
