//! `carom explain`: shows all axes with both projections.
use carom_scene::draw;
use serde::Serialize;

use super::{Args, Case, axis_table, sentences};
use crate::error::CliError;
use crate::json_number::{pair, plain};
use crate::output;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Axis {
    normal: [f64; 2],
    shadow_a: [f64; 2],
    shadow_b: [f64; 2],
    overlap: f64,
    decides: bool,
}

impl Axis {
    pub(super) fn new(axis: &carom::explain::Axis) -> Self {
        Self {
            normal: pair(axis.normal),
            shadow_a: axis.projection_a.map(plain),
            shadow_b: axis.projection_b.map(plain),
            overlap: plain(axis.overlap),
            decides: axis.is_minimum,
        }
    }
}

/// No added fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Nothing {}

pub(super) fn run(case: &Case<'_>, args: &Args) -> Result<(), CliError> {
    let explanation = &case.explanation;
    if let Some(picture) = &args.render {
        picture.save(&draw::sat(case.scene, case.a, case.b, explanation, &draw::Options::default()))?;
    }
    case.print(args.format, Nothing {}, |out| {
        let ([long_a, long_b], [a, b]) = (case.long_names(), case.names());
        writeln!(out, "{}\n", sentences::verdict(&long_a, &long_b, explanation))?;
        writeln!(out, "{}\n", sentences::method(&a, &b))?;
        axis_table::print(out, output::styled(), &a, &b, explanation.axes())?;
        writeln!(out, "\n{}", sentences::reason(&a, &b, explanation))
    })
}
