//! `carom explain --sweep`: shows the steps of a time of impact.
use std::io::{self, Write};

use carom::explain::{ImpactExplanation, ImpactMethod, ImpactStep, explain_time_of_impact};
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
    sweep: Sweep,
}

/// Fields that `--sweep` adds to the report.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Sweep {
    method: &'static str,
    hit: Option<Hit>,
    steps: Vec<Step>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Hit {
    time: f64,
    normal: [f64; 2],
    point: [f64; 2],
    initial_depth: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Step {
    time: f64,
    gap: f64,
    normal: [f64; 2],
    point_a: [f64; 2],
    point_b: [f64; 2],
}

impl Sweep {
    fn new(why: &ImpactExplanation) -> Self {
        let step = |step: &ImpactStep| Step {
            time: plain(step.time),
            gap: plain(step.gap),
            normal: pair(step.normal),
            point_a: pair(step.point_a),
            point_b: pair(step.point_b),
        };
        let hit = |impact: carom::query::Impact| Hit {
            time: plain(impact.time),
            normal: pair(impact.normal),
            point: pair(impact.point),
            initial_depth: impact.initial_depth.map(plain),
        };
        let method = match why.method() {
            ImpactMethod::Start => "start",
            ImpactMethod::Clip => "clip",
            _ => "advancement",
        };
        Self { method, hit: why.impact().map(hit), steps: why.steps().iter().map(step).collect() }
    }
}

pub(super) fn run(case: &Case<'_>, args: &Args) -> Result<(), CliError> {
    let sweep =
        |i: usize| case.scene.colliders[i].sweep().map_err(|error| CliError::at(&case.scene.colliders[i].id, error));
    let why = explain_time_of_impact(sweep(case.a)?, sweep(case.b)?);
    if let Some(picture) = &args.render {
        let svg = draw::time_of_impact(case.scene, case.a, case.b, &why, &draw::Options::default());
        picture.save(&svg.map_err(|error| CliError::new(error.to_string()))?)?;
    }
    case.print(args.format, More { sweep: Sweep::new(&why) }, |out| {
        let [a, b] = case.names();
        writeln!(out, "{}\n", verdict(&a, &b, &why))?;
        writeln!(out, "{}", method(&a, &b, &why))?;
        if !why.steps().is_empty() {
            writeln!(out)?;
            table(out, &why)?;
        }
        Ok(())
    })
}

fn verdict(a: &str, b: &str, why: &ImpactExplanation) -> String {
    let text = match why.impact() {
        Some(impact) => match impact.initial_depth {
            Some(depth) => format!("{a} and {b} overlap at the start of the motion. The depth is {}.", number(depth)),
            None => format!(
                "{a} hits {b} at time {}, at ({}), with normal ({}).",
                number(impact.time),
                point(impact.point),
                direction(impact.normal)
            ),
        },
        None => format!("{a} does not hit {b} during the motion."),
    };
    fill(&text, WIDTH)
}

fn method(a: &str, b: &str, why: &ImpactExplanation) -> String {
    let text = match why.method() {
        ImpactMethod::Start => "The time of impact is 0, so no search is needed.".to_owned(),
        ImpactMethod::Clip => format!(
            "Neither shape rotates. So the motion is a segment, which is clipped by the edges of the Minkowski \
             difference. The table shows the gap between {a} and {b} at the start and at the time of impact, or at \
             the end."
        ),
        _ if why.steps().is_empty() => {
            "The bounding circles of the shapes never touch, so no step is needed.".to_owned()
        }
        _ => format!(
            "The length of each step is a lower bound of the time to contact. It follows from the gap between {a} \
             and {b} and the largest possible approach speed. So no contact is missed. Near the contact the steps \
             become short."
        ),
    };
    fill(&text, WIDTH)
}

fn table(out: &mut dyn Write, why: &ImpactExplanation) -> io::Result<()> {
    let (left, right) = (|title| (title, Align::Left), |title| (title, Align::Right));
    let mut table =
        Table::new(&[right("step"), right("time"), right("gap"), left("normal"), left("on a"), left("on b")]);
    for (i, step) in why.steps().iter().enumerate() {
        let row = [
            (i + 1).to_string(),
            number(step.time),
            number(step.gap),
            direction(step.normal),
            point(step.point_a),
            point(step.point_b),
        ];
        table.add(row.map(Cell::new));
    }
    table.print(out, output::styled())
}
