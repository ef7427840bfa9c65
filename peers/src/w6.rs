//! W6, convex decomposition: from the points of a polygon to convex parts.

use std::fmt::Write;
use std::hint::black_box;
use std::rc::Rc;

use carom::decompose::PolygonWithHoles;
use i_triangle::float::delaunay::Delaunay;
use i_triangle::float::triangulator::Triangulator;
use parry2d::math::Vector;
use parry2d::shape::TriMesh;
use parry2d::transformation::hertel_mehlhorn_idx;
use serde_json::json;

use crate::Page;
use crate::machine;
use crate::options::{Format, Options};
use crate::race::{Call, Contestant, Library, Outcome, Question, progress, race};

const ABOUT: &str = "Random star-shaped outlines to convex parts: ns per vertex of processor time, median of the \
interleaved rounds, and parts an outline. Timed: points in, lists of parts out (of earcutr triangles). carom checks \
the outline exactly, the others do not, but for i_triangle's first column, which resolves crossings; i_triangle \
rounds to integers of 32 bits and keeps its buffers from outline to outline, parry works in f32.";

/// Name, vertices per polygon, and polygons in a round at 15 rounds.
const ROWS: [(&str, usize, usize); 3] =
    [("outlines of 100", 100, 200), ("outlines of 1000", 1_000, 20), ("outlines of 10000", 10_000, 2)];

/// parry's ear clipping is at least quadratic. Larger polygons would take minutes.
const PARRY_ENDS: usize = 1_000;

/// Tolerance of the sum of the parts' areas, relative to the area of the outline. The arithmetic of
/// f64 adds up to this; f32 and 32-bit integers round their points.
const AREA: [(Library, f64); 4] =
    [(Library::Carom, 1e-12), (Library::Earcutr, 1e-12), (Library::ITriangle, 1e-6), (Library::Parry, 1e-4)];

const WRITES: &str = "a String takes every text";

/// Result of a call for all polygons.
#[derive(Default)]
struct Made {
    parts: usize,
    area: f64,
}

type Outlines = Rc<[Vec<[f64; 2]>]>;

struct Row {
    name: &'static str,
    vertices: usize,
    outlines: usize,
    area: f64,
    outcomes: Vec<Outcome<Made>>,
}

/// Runs the selected rows.
pub(crate) fn run(options: &Options) -> Page {
    let rows: Vec<Row> = ROWS
        .iter()
        .filter(|row| row.0.contains(&options.row))
        .map(|row| progress(row.0, || self::row(row, options)))
        .collect();
    let failures = rows.iter().flat_map(failures).collect();
    let text = match options.format {
        Format::Markdown => markdown(&rows, options),
        Format::Json => json(&rows, options).to_string(),
    };
    Page { text: (!rows.is_empty()).then_some(text), failures }
}

fn row(&(name, vertices, outlines): &(&'static str, usize, usize), options: &Options) -> Row {
    let outlines = if options.records < 1_000_000 { outlines.div_ceil(10) } else { outlines };
    let mut rng = fastrand::Rng::with_seed(options.seed);
    let input: Outlines = (0..outlines).map(|_| star(vertices, &mut rng)).collect();
    let mut contestants = vec![carom(&input), i_triangle(&input, true), i_triangle(&input, false), earcutr(&input)];
    if vertices <= PARRY_ENDS {
        contestants.push(parry(&input));
    }
    let area = input.iter().map(|outline| area(outline)).sum();
    Row { name, vertices, outlines, area, outcomes: race(contestants, options.rounds) }
}

/// A vertex in each of n directions. Above 200 vertices waves with noise, so that not all are
/// spikes.
fn star(n: usize, rng: &mut fastrand::Rng) -> Vec<[f64; 2]> {
    let vertex = |i: usize| {
        let angle = std::f64::consts::TAU * i as f64 / n as f64;
        let u = rng.f64();
        let radius = if n <= 200 {
            100.0 * (0.4 + 0.6 * u)
        } else {
            60.0 + 20.0 * (5.0 * angle).sin() + 10.0 * (23.0 * angle).cos() + 10.0 * (u - 0.7)
        };
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..n).map(vertex).collect()
}

fn area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>() / 2.0
}

fn contestant(library: Library, column: &'static str, run: impl FnMut(&mut Made) + 'static) -> Contestant<Made> {
    Contestant { call: Call { library, column, question: Question::Contact }, run: Box::new(run) }
}

/// Adds the parts of a polygon to the result.
fn add<'a>(made: &mut Made, outline: &[[f64; 2]], parts: impl Iterator<Item = &'a [u32]>) {
    for part in parts {
        made.parts += 1;
        let corner = |i: usize| outline[part[i % part.len()] as usize];
        made.area +=
            (0..part.len()).map(|i| (corner(i), corner(i + 1))).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>()
                / 2.0;
    }
}

fn carom(input: &Outlines) -> Contestant<Made> {
    let input = Rc::clone(input);
    contestant(Library::Carom, "carom", move |made| {
        *made = Made::default();
        for outline in input.iter() {
            let built = black_box(PolygonWithHoles::new(outline, &[])).expect("a star does not cross itself");
            add(made, outline, built.convex_parts().iter());
        }
    })
}

fn i_triangle(input: &Outlines, checked: bool) -> Contestant<Made> {
    let input = Rc::clone(input);
    let mut triangulator = Triangulator::<u32, i32>::default();
    let mut mesh = Delaunay::<[f64; 2], i32>::default();
    let column = if checked { "i_triangle" } else { "i_triangle unchecked" };
    contestant(Library::ITriangle, column, move |made| {
        *made = Made::default();
        for outline in input.iter() {
            if checked {
                triangulator.delaunay_into(outline, &mut mesh);
            } else {
                triangulator.uncheck_delaunay_into(outline, &mut mesh);
            }
            let parts = black_box(mesh.to_convex_polygons());
            made.parts += parts.len();
            made.area += parts.iter().map(|part| area(part)).sum::<f64>();
        }
    })
}

fn earcutr(input: &Outlines) -> Contestant<Made> {
    let flat: Vec<Vec<f64>> = input.iter().map(|outline| outline.as_flattened().to_vec()).collect();
    let input = Rc::clone(input);
    contestant(Library::Earcutr, "earcutr (triangles)", move |made| {
        *made = Made::default();
        for (flat, outline) in flat.iter().zip(input.iter()) {
            let triangles = black_box(earcutr::earcut(flat, &[], 2)).expect("two coordinates a point");
            for t in triangles.chunks_exact(3) {
                made.parts += 1;
                made.area += area(&[outline[t[0]], outline[t[1]], outline[t[2]]]).abs();
            }
        }
    })
}

fn parry(input: &Outlines) -> Contestant<Made> {
    let outlines: Vec<Vec<Vector>> =
        input.iter().map(|o| o.iter().map(|p| Vector::new(p[0] as f32, p[1] as f32)).collect()).collect();
    let input = Rc::clone(input);
    contestant(Library::Parry, "parry ears + Hertel–Mehlhorn", move |made| {
        *made = Made::default();
        for (points, outline) in outlines.iter().zip(input.iter()) {
            let mesh = TriMesh::from_polygon(points.clone()).expect("a star has ears");
            let parts = black_box(hertel_mehlhorn_idx(mesh.vertices(), mesh.indices()));
            add(made, outline, parts.iter().map(|part| &part[..]));
        }
    })
}

fn failures(row: &Row) -> Vec<String> {
    let wrong = |outcome: &&Outcome<Made>| {
        let allowed = AREA.iter().find(|(library, _)| *library == outcome.call.library).map_or(0.0, |a| a.1);
        (outcome.answers.area - row.area).abs() > allowed * row.area
    };
    let say = |o: &Outcome<Made>| {
        format!("{}, {}: the parts' area is {}, the outlines' {}", row.name, o.call.column, o.answers.area, row.area)
    };
    row.outcomes.iter().filter(wrong).map(say).collect()
}

impl Row {
    fn nanoseconds(&self, outcome: &Outcome<Made>) -> f64 {
        outcome.median() / (self.vertices * self.outlines) as f64
    }

    fn parts(&self, outcome: &Outcome<Made>) -> f64 {
        outcome.answers.parts as f64 / self.outlines as f64
    }

    /// Returns carom's time relative to the fastest library that makes convex parts.
    fn ratio(&self) -> f64 {
        let times = |of: fn(Library) -> bool| {
            let others = self.outcomes.iter().filter(move |o| of(o.call.library));
            others.map(|o| self.nanoseconds(o)).fold(f64::INFINITY, f64::min)
        };
        times(|l| l == Library::Carom) / times(|l| matches!(l, Library::ITriangle | Library::Parry))
    }
}

fn markdown(rows: &[Row], options: &Options) -> String {
    let mut text = format!(
        "## W6 convex decomposition\n\n{ABOUT}\n\n{}; {} rounds, seed {}.\n\n",
        machine::processor(),
        options.rounds,
        options.seed
    );
    let columns: Vec<&str> =
        rows.first().map_or(Vec::new(), |row| row.outcomes.iter().map(|o| o.call.column).collect());
    let rules = "--:|".repeat(columns.len());
    writeln!(text, "| ns per vertex (parts) | {} | carom ÷ best other |\n|---|{rules}--:|", columns.join(" | "))
        .expect(WRITES);
    for row in rows {
        let cell = |column: &&str| match row.outcomes.iter().find(|o| o.call.column == *column) {
            Some(o) => format!("{:.0} ({:.1})", row.nanoseconds(o), row.parts(o)),
            None => "–".to_owned(),
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        writeln!(text, "| {} | {} | {:.2} |", row.name, cells.join(" | "), row.ratio()).expect(WRITES);
    }
    text
}

fn json(rows: &[Row], options: &Options) -> serde_json::Value {
    let row = |row: &Row| {
        let call = |o: &Outcome<Made>| {
            json!({
                "library": o.call.library.to_string(), "call": o.call.column, "ns_median": row.nanoseconds(o),
                "ns_quickest": o.quickest() / (row.vertices * row.outlines) as f64, "parts": row.parts(o), "area": o.answers.area,
            })
        };
        json!({
            "outlines": row.name, "vertices": row.vertices, "area": row.area, "carom_to_best_other": row.ratio(),
            "calls": row.outcomes.iter().map(call).collect::<Vec<_>>(),
        })
    };
    json!({
        "workload": "W6 convex decomposition", "about": ABOUT, "processor": machine::processor(),
        "rounds": options.rounds, "seed": options.seed, "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_loses_area_and_carom_has_the_fewest_parts() {
        let options =
            Options { rounds: 1, records: 1_000, seed: 3, row: "outlines of 100".into(), ..Options::default() };
        for row in ROWS.iter().take(2).map(|r| row(r, &options)) {
            assert_eq!(failures(&row), Vec::<String>::new());
            let parts = |o: &Outcome<Made>| row.parts(o);
            let fewest = row.outcomes.iter().map(parts).fold(f64::INFINITY, f64::min);
            assert_eq!(parts(&row.outcomes[0]), fewest, "{}", row.name);
        }
    }
}
