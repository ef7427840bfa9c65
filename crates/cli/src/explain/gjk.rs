//! `carom explain --gjk`: shows how a simplex finds the origin, or the nearest point to it.
use std::io::{self, Write};

use carom::explain::{GjkExplanation, GjkPoint, GjkStep, explain_gjk};
use carom_scene::draw;
use serde::Serialize;
use textwrap::fill;

use super::sentences::WIDTH;
use super::{Args, Case};
use crate::error::CliError;
use crate::json_number::{pair, plain};
use crate::number_format::{direction, number, point};
use crate::output;
use crate::table::{Align, Cell, Table};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct More {
    gjk: Gjk,
}

/// Fields that `--gjk` adds to the report.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Gjk {
    contains_origin: bool,
    radius: f64,
    steps: Vec<Step>,
    simplex: Vec<Corner>,
    difference: Vec<[f64; 2]>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Step {
    simplex: Vec<Corner>,
    direction: [f64; 2],
    support: Corner,
    upper: f64,
    lower: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Corner {
    vertex_a: u32,
    vertex_b: u32,
    point: [f64; 2],
}

impl Corner {
    fn new(corner: &GjkPoint) -> Self {
        Self { vertex_a: corner.vertex_a, vertex_b: corner.vertex_b, point: pair(corner.difference()) }
    }
}

fn corners(all: &[GjkPoint]) -> Vec<Corner> {
    all.iter().map(Corner::new).collect()
}

impl Gjk {
    fn new(why: &GjkExplanation) -> Self {
        let step = |step: &GjkStep| Step {
            simplex: corners(step.simplex()),
            direction: pair(step.direction),
            support: Corner::new(&step.support),
            upper: plain(step.upper_bound),
            lower: plain(step.lower_bound),
        };
        Self {
            contains_origin: why.contains_origin(),
            radius: why.radius(),
            steps: why.steps().iter().map(step).collect(),
            simplex: corners(why.simplex()),
            difference: why.difference().iter().copied().map(pair).collect(),
        }
    }
}

pub(super) fn run(case: &Case<'_>, args: &Args) -> Result<(), CliError> {
    let [a, b] = case.placed();
    let why = explain_gjk(a, b);
    if let Some(picture) = &args.render {
        picture.save(&draw::gjk(case.scene, case.a, case.b, &why, &draw::Options::default()))?;
    }
    case.print(args.format, More { gjk: Gjk::new(&why) }, |out| {
        let [a, b] = case.names();
        writeln!(out, "{}\n", method(&a, &b))?;
        table(out, &why)?;
        writeln!(out, "\n{}", verdict(&a, &b, &why))
    })
}

fn method(a: &str, b: &str) -> String {
    let text = format!(
        "{a} and {b} intersect if and only if their Minkowski difference contains the origin: the convex set of all \
         points of {a} minus points of {b}. GJK keeps a simplex of vertices of this set. A vertex is a vertex of {a} \
         minus a vertex of {b}. Each step adds the support point: the vertex farthest towards the origin. Then it \
         keeps the vertices nearest to the origin. The simplex gives an upper bound of the distance, the support \
         point a lower bound."
    );
    fill(&text, WIDTH)
}

fn table(out: &mut dyn Write, why: &GjkExplanation) -> io::Result<()> {
    let (left, right) = (|title| (title, Align::Left), |title| (title, Align::Right));
    let mut table = Table::new(&[
        right("step"),
        left("simplex"),
        left("direction"),
        left("support"),
        left("at"),
        right("at most"),
        right("at least"),
    ]);
    for (i, step) in why.steps().iter().enumerate() {
        let row = [
            (i + 1).to_string(),
            names(step.simplex()),
            direction(step.direction),
            name(&step.support),
            point(step.support.difference()),
            number(step.upper_bound),
            if step.lower_bound > 0.0 { number(step.lower_bound) } else { String::new() },
        ];
        table.add(row.map(Cell::new));
    }
    table.print(out, output::styled())
}

/// Describes the vertices whose difference is a vertex of the simplex.
fn name(corner: &GjkPoint) -> String {
    format!("{}−{}", corner.vertex_a, corner.vertex_b)
}

fn names(corners: &[GjkPoint]) -> String {
    corners.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn verdict(a: &str, b: &str, why: &GjkExplanation) -> String {
    let simplex = names(why.simplex());
    let radii = match why.radius() {
        radius if radius > 0.0 => format!(" The sum of the radii is {}.", number(radius)),
        _ => String::new(),
    };
    let end = if why.contains_origin() {
        format!("The simplex {simplex} contains the origin, so the hulls intersect.")
    } else {
        format!("The simplex {simplex} is nearest to the origin.{radii}")
    };
    let answer =
        if why.intersects() { "intersect".to_owned() } else { format!("have distance {}", number(why.distance())) };
    fill(&format!("{end} {a} and {b} {answer}."), WIDTH)
}
