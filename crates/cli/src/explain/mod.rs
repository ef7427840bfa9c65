//! `carom explain`: shows why two shapes intersect or not, and the steps of the algorithms.
mod axis_table;
mod containment;
mod gjk;
mod sat;
#[cfg(test)]
mod schema;
mod sentences;
mod sweep;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use carom::Placed;
use carom::explain::SatExplanation;
use carom_scene::{Scene, SceneCollider};
use clap::ValueEnum;
use serde::Serialize;

use crate::error::CliError;
use crate::input::{self, Input};
use crate::json_number::plain;
use crate::progress::Progress;
use crate::render::Picture;
use crate::sweep::{MotionArgs, set_motions};
use crate::{names, number_format, output};

/// Explain why two shapes intersect or not: all axes, both projections, and the deciding axis.
///
/// Or show the steps of GJK, of the time of impact, or of containment.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scene: carom's JSON, a Tiled map (.tmx, .tmj), GeoJSON, CSV with WKT, SVG or PNG; `-` is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// First shape: an id as printed by `carom check`, or `#49` for the number of the file (or the
    /// index). A layer stands for its deepest or nearest shape
    a: String,

    /// Second shape
    b: String,

    /// Show the steps of GJK: how a simplex in the difference of both shapes finds the origin, or
    /// the nearest point to it
    #[arg(long, conflicts_with_all = ["sweep", "contains"])]
    gjk: bool,

    /// Show the steps of the time of impact: shapes with a `motion`, or one of --move, move while
    /// time goes from 0 to 1
    #[arg(long, conflicts_with = "contains")]
    sweep: bool,

    #[command(flatten)]
    motions: MotionArgs,

    /// Show why A contains B, or where it does not
    #[arg(long)]
    contains: bool,

    /// Output format of the explanation
    #[arg(long, value_enum, default_value_t = ExplainFormat::Table)]
    format: ExplainFormat,

    /// Draw both shapes with their projections, or with the steps; the suffix .svg or .png chooses
    /// the format
    #[arg(long, value_name = "OUT", value_parser = Picture::parse)]
    render: Option<Picture>,

    #[command(flatten)]
    input: Input,
}

#[derive(Clone, Copy, ValueEnum)]
enum ExplainFormat {
    /// Sentences, with a table of the axes
    Table,
    /// One object, all digits
    Json,
}

/// Common fields of every `explain --format json`: a contract, including their order. Other fields
/// follow.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Report<'s, T> {
    a: &'s str,
    b: &'s str,
    intersects: bool,
    overlaps: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    axes: Vec<sat::Axis>,
    #[serde(flatten)]
    more: T,
}

/// Two colliders of a scene, and the explanation of their result.
struct Case<'s> {
    scene: &'s Scene,
    a: usize,
    b: usize,
    explanation: SatExplanation,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let progress = Progress::start();
    let mut scene = args.input.scene(std::slice::from_ref(&args.file), &progress)?;
    set_motions(&mut scene, &args.motions)?;
    drop(progress);
    let [a, b] = pair(&scene, args)?;
    if a == b {
        return Err(CliError::at(
            input::name(&args.file),
            format!("`{}` is named twice: name two different shapes", args.a),
        ));
    }
    let [first, second] = [a, b].map(|i| scene.colliders[i].shape.placed(scene.colliders[i].pose));
    let case = Case { scene: &scene, a, b, explanation: carom::explain_sat(first, second) };
    if args.gjk {
        gjk::run(&case, args)?;
    } else if args.sweep {
        sweep::run(&case, args)?;
    } else if args.contains {
        containment::run(&case, args)?;
    } else {
        sat::run(&case, args)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl<'s> Case<'s> {
    /// Returns the colliders.
    fn colliders(&self) -> [&'s SceneCollider; 2] {
        [self.a, self.b].map(|i| &self.scene.colliders[i])
    }

    /// Returns the placed shapes.
    fn placed(&self) -> [Placed<'s>; 2] {
        self.colliders().map(|collider| collider.shape.placed(collider.pose))
    }

    /// Returns the ids with escaped control characters.
    fn names(&self) -> [String; 2] {
        self.colliders().map(|collider| number_format::text(&collider.id))
    }

    /// Returns the ids and descriptions of the shapes.
    fn long_names(&self) -> [String; 2] {
        self.colliders().map(|collider| sentences::shape(&collider.id, &collider.shape))
    }

    /// Prints sentences, or the object with the added fields.
    fn print<T: Serialize>(
        &self,
        format: ExplainFormat,
        more: T,
        words: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        output::print(|out| match format {
            ExplainFormat::Table => {
                words(out)?;
                let [a, b] = self.colliders();
                let reason =
                    if a.fixed && b.fixed { "both are fixed" } else { "layers, masks or groups of the scene say so" };
                if (a.fixed && b.fixed) || !a.filter.should_collide(b.filter) {
                    writeln!(out, "\n`carom check` leaves this pair out: {reason}.")?;
                }
                Ok(())
            }
            ExplainFormat::Json => output::json(out, &self.report(more)),
        })
    }

    fn report<T>(&self, more: T) -> Report<'s, T> {
        let (explanation, [a, b]) = (&self.explanation, self.colliders());
        let intersects = explanation.intersects();
        Report {
            a: &a.id,
            b: &b.id,
            intersects,
            overlaps: explanation.overlaps(),
            depth: explanation.depth().map(plain),
            distance: (!intersects).then(|| explanation.distance()),
            axes: explanation.axes().iter().map(sat::Axis::new).collect(),
            more,
        }
    }
}

/// Returns the colliders that A and B stand for. One of them may be a layer. It
/// stands for its collider that is deepest in the other shape, or nearest to it.
fn pair(scene: &Scene, args: &Args) -> Result<[usize; 2], CliError> {
    let layer = |name: &str| names::on_layer(scene, name);
    let fail = |message: String| CliError::at(input::name(&args.file), message);
    match (names::find(scene, &args.a), names::find(scene, &args.b)) {
        (Ok(a), Ok(b)) => Ok([a, b]),
        (Ok(a), Err(message)) => nearest(scene, a, layer(&args.b)).map(|b| [a, b]).ok_or_else(|| fail(message)),
        (Err(message), Ok(b)) => nearest(scene, b, layer(&args.a)).map(|a| [a, b]).ok_or_else(|| fail(message)),
        (Err(_), Err(_)) if !layer(&args.a).is_empty() && !layer(&args.b).is_empty() => {
            Err(fail("A and B are two layers: name a shape for one of them".to_owned()))
        }
        (Err(message), Err(_)) => Err(fail(message)),
    }
}

/// Returns the collider that is deepest in a shape, or else nearest to it.
fn nearest(scene: &Scene, to: usize, mut among: Vec<usize>) -> Option<usize> {
    let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
    let gap = |i: usize| match carom::collide(placed(to), placed(i)) {
        Some(manifold) => -manifold.depth,
        None => carom::distance(placed(to), placed(i)).distance,
    };
    among.retain(|&i| i != to);
    among.into_iter().map(|i| (gap(i), i)).min_by(|p, q| p.0.total_cmp(&q.0)).map(|(_, i)| i)
}
