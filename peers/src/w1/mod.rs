//! W1, the broad phase: which of N boxes meet, step after step?

mod entrants;
mod world;

use std::fmt::Write;

use serde_json::json;

use self::entrants::Entrant;
use self::world::{Kind, World};
use crate::options::{Format, Options};
use crate::race::{Library, processor_time};
use crate::{Page, machine};

const ABOUT: &str = "Which of N moving boxes meet: ns per box and step of processor time, median of interleaved steps. Timed: the step's boxes in \
(an array of minima and maxima), every pair that meets out once. Not timed: moving the boxes. Counts and an order-free checksum are compared in every \
step. Ids are in random spatial order, but for the row that says otherwise; parry updates only what moves, the others are handed all boxes.";

/// Name, world, and how many boxes.
const ROWS: [(&str, Kind, usize); 15] = [
    ("W1 all move, 1k", Kind::All, 1_000),
    ("W1 all move, 10k", Kind::All, 10_000),
    ("W1 all move, 100k", Kind::All, 100_000),
    ("W1 all move, 1M", Kind::All, 1_000_000),
    ("W1 sizes, 1k", Kind::Sizes, 1_000),
    ("W1 sizes, 10k", Kind::Sizes, 10_000),
    ("W1 sizes, 100k", Kind::Sizes, 100_000),
    ("W1 a tenth moves, 1k", Kind::Tenth, 1_000),
    ("W1 a tenth moves, 100k", Kind::Tenth, 100_000),
    ("W1 tight cluster, 100k", Kind::Cluster, 100_000),
    ("W1 line along x, 100k", Kind::LineX, 100_000),
    ("W1 line along y, 100k", Kind::LineY, 100_000),
    ("W1 one spot, 1k", Kind::Spot, 1_000),
    ("W1 giant among dwarfs, 100k", Kind::Giant, 100_000),
    ("W1 ids in order, 100k", Kind::Sorted, 100_000),
];

/// A row takes so many steps that about so many boxes are seen.
const BOXES: usize = 200_000;

const WRITES: &str = "a String takes every text";

struct Row {
    name: &'static str,
    boxes: usize,
    steps: usize,
    /// Pairs a box, in the last step.
    pairs: f64,
    cells: Vec<Cell>,
}

struct Cell {
    library: Library,
    column: &'static str,
    nanoseconds: f64,
    quickest: f64,
    /// Steps whose pairs differ from carom's.
    wrong: usize,
}

/// Runs the rows that the options ask for.
pub(crate) fn run(options: &Options) -> Page {
    let wanted = ROWS.iter().filter(|row| row.0.contains(&options.row) && row.2 <= options.records);
    let rows: Vec<Row> = wanted.map(|&(name, kind, n)| row(name, kind, n, options)).collect();
    let wrong = |row: &Row| {
        let name = row.name;
        let cells = row.cells.iter().filter(|cell| cell.wrong > 0);
        cells.map(move |cell| format!("{name}, {}: other pairs in {} steps", cell.column, cell.wrong)).collect::<Vec<_>>()
    };
    let failures = rows.iter().flat_map(wrong).collect();
    let text = match options.format {
        Format::Markdown => markdown(&rows, options),
        Format::Json => json(&rows, options).to_string(),
    };
    Page { text: (!rows.is_empty()).then_some(text), failures }
}

fn row(name: &'static str, kind: Kind, boxes: usize, options: &Options) -> Row {
    let mut world = World::new(kind, boxes, options.seed);
    let mut entrants = entrants::all(&world);
    let steps = options.rounds * (BOXES / boxes).clamp(1, 20);
    let mut times = vec![Vec::with_capacity(steps); entrants.len()];
    let mut wrong = vec![0; entrants.len()];
    let mut found = Vec::new();
    let mut pairs = 0.0;
    // The first two steps are not timed.
    for step in 0..steps + 2 {
        world.step();
        let mut seen = Vec::with_capacity(entrants.len());
        for (Entrant { run, .. }, times) in entrants.iter_mut().zip(&mut times) {
            found.clear();
            let start = processor_time();
            run(&world, &mut found);
            if step >= 2 {
                times.push(processor_time() - start);
            }
            seen.push(summary(&found));
        }
        let truth = seen[entrants.iter().position(|e| e.column == "carom grid").expect("carom takes part")];
        pairs = truth.0 as f64 / boxes as f64;
        for (wrong, seen) in wrong.iter_mut().zip(seen) {
            *wrong += usize::from(seen != truth);
        }
    }
    let cell = |((entrant, mut times), wrong): ((Entrant, Vec<f64>), usize)| {
        times.sort_by(f64::total_cmp);
        let per_box = |ns: f64| ns / boxes as f64;
        let (library, column) = (entrant.library, entrant.column);
        Cell { library, column, nanoseconds: per_box(times[times.len() / 2]), quickest: per_box(times[0]), wrong }
    };
    let cells = entrants.into_iter().zip(times).zip(wrong).map(cell).collect();
    Row { name, boxes, steps, pairs, cells }
}

/// How many pairs, and a sum that knows no order.
fn summary(pairs: &[[u32; 2]]) -> (usize, u64) {
    let mix = |&[a, b]: &[u32; 2]| {
        let key = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    (pairs.len(), pairs.iter().map(mix).fold(0, u64::wrapping_add))
}

impl Row {
    fn least(&self, of: impl Fn(&Cell) -> bool) -> f64 {
        self.cells.iter().filter(|cell| of(cell)).map(|cell| cell.nanoseconds).fold(f64::INFINITY, f64::min)
    }

    /// The best library's time over that of `auto`.
    fn lead(&self) -> f64 {
        self.least(|c| !matches!(c.library, Library::Carom | Library::Textbook)) / self.least(|c| c.column == "carom auto")
    }

    /// The time of `auto` over that of carom's best strategy.
    fn cost_of_choice(&self) -> f64 {
        self.least(|c| c.column == "carom auto") / self.least(|c| c.library == Library::Carom)
    }
}

fn markdown(rows: &[Row], options: &Options) -> String {
    let lanes = machine::lanes().join(" ");
    let mut text = format!(
        "## W1 broad phase\n\n{ABOUT}\n\n{}; lanes {lanes}; {} rounds, seed {}.\n\n",
        machine::processor(),
        options.rounds,
        options.seed
    );
    let columns: Vec<&str> = rows.first().map_or(Vec::new(), |row| row.cells.iter().map(|cell| cell.column).collect());
    let rules = "--:|".repeat(columns.len());
    writeln!(
        text,
        "| ns per box | {} | best library ÷ auto | auto ÷ best of carom | pairs a box |\n|---|{rules}--:|--:|--:|",
        columns.join(" | ")
    )
    .expect(WRITES);
    for row in rows {
        let cells: Vec<String> = row.cells.iter().map(|cell| format!("{:.1}", cell.nanoseconds)).collect();
        let (lead, choice) = (row.lead(), row.cost_of_choice());
        writeln!(text, "| {} | {} | {lead:.1} | {choice:.2} | {:.1} |", row.name, cells.join(" | "), row.pairs).expect(WRITES);
    }
    text
}

fn json(rows: &[Row], options: &Options) -> serde_json::Value {
    let cell = |c: &Cell| {
        json!({
            "library": c.library.to_string(), "call": c.column, "ns_median": c.nanoseconds, "ns_quickest": c.quickest, "wrong_steps": c.wrong,
        })
    };
    let row = |r: &Row| {
        json!({
            "row": r.name, "boxes": r.boxes, "steps": r.steps, "pairs_per_box": r.pairs, "best_library_to_auto": r.lead(),
            "auto_to_best_strategy": r.cost_of_choice(), "calls": r.cells.iter().map(cell).collect::<Vec<_>>(),
        })
    };
    json!({
        "workload": "W1 broad phase", "about": ABOUT, "processor": machine::processor(), "lanes": machine::lanes(),
        "rounds": options.rounds, "seed": options.seed, "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_finds_the_same_pairs() {
        let options = Options { rounds: 1, records: 1_000, seed: 4, row: "W1".into(), ..Options::default() };
        let page = run(&options);
        assert_eq!(page.failures, Vec::<String>::new());
        assert!(page.text.is_some_and(|text| text.contains("| W1 one spot, 1k |")));
    }

    #[test]
    fn a_box_meets_two_others_on_average() {
        for kind in [Kind::All, Kind::Sizes] {
            let world = World::new(kind, 20_000, 9);
            let mut pairs = Vec::new();
            let mut grid = entrants::all(&world).swap_remove(7);
            (grid.run)(&world, &mut pairs);
            let each = pairs.len() as f64 / 20_000.0;
            assert!((0.9..1.1).contains(&each), "{kind:?}: {each} pairs a box");
        }
    }
}
