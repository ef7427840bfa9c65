//! `carom explain`: why two shapes meet or not, and by which steps that is found.
mod containment;
mod gjk;
mod sat;
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
use crate::progress::Progress;
use crate::render::Picture;
use crate::report_json::plain;
use crate::sweep::set_motions;
use crate::{messages, number_format, output};

/// Say why two shapes meet or not: every axis, both shadows on it, and which one decides.
///
/// Or by which steps: of GJK, of the time of impact, of containment.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The scene: carom's JSON, a Tiled map (.tmx, .tmj), GeoJSON, SVG or PNG; `-` is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Id of the first shape, as `carom check` prints it
    a: String,

    /// Id of the second shape
    b: String,

    /// The steps of GJK: how a simplex in the difference of both shapes finds the origin, or what is nearest to it
    #[arg(long, conflicts_with_all = ["sweep", "contains"])]
    gjk: bool,

    /// The steps of the time of impact: shapes with a `motion`, or one of --move, move while time goes from 0 to 1
    #[arg(long, conflicts_with = "contains")]
    sweep: bool,

    /// A motion for --sweep: translation and, in degrees, rotation; may be repeated
    #[arg(long = "move", num_args = 2, value_names = ["ID", "DX,DY[,DEGREES]"], requires = "sweep", allow_hyphen_values = true)]
    moves: Vec<String>,

    /// Why B lies wholly in A, or where it does not
    #[arg(long)]
    contains: bool,

    /// How the explanation is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Draw both shapes with their shadows, or with the steps that are asked for; the suffix .svg or .png says how
    #[arg(long, value_name = "OUT", value_parser = Picture::parse)]
    render: Option<Picture>,

    #[command(flatten)]
    input: Input,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// In words, with a table of the axes
    Table,
    /// One object, every digit
    Json,
}

/// What is common to every `explain --format json`: a contract, field order included. The rest is added at the end.
#[derive(Serialize)]
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

/// Two colliders of a scene, and why they meet or not.
struct Case<'s> {
    scene: &'s Scene,
    a: usize,
    b: usize,
    explanation: SatExplanation,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let progress = Progress::start();
    let mut scene = args.input.scene(std::slice::from_ref(&args.file), &progress)?;
    set_motions(&mut scene, &args.moves)?;
    drop(progress);
    let a = find(&scene, args, &args.a)?;
    let b = find(&scene, args, &args.b)?;
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
    /// The colliders.
    fn colliders(&self) -> [&'s SceneCollider; 2] {
        [self.a, self.b].map(|i| &self.scene.colliders[i])
    }

    /// Both as they are placed.
    fn placed(&self) -> [Placed<'s>; 2] {
        self.colliders().map(|collider| collider.shape.placed(collider.pose))
    }

    /// Their ids, safe to show.
    fn names(&self) -> [String; 2] {
        self.colliders().map(|collider| number_format::text(&collider.id))
    }

    /// Their ids and what they are.
    fn long_names(&self) -> [String; 2] {
        self.colliders().map(|collider| messages::shape(&collider.id, &collider.shape))
    }

    /// Prints words, or the object with what is added to it.
    fn print<T: Serialize>(
        &self,
        format: Format,
        more: T,
        words: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        output::print(|out| match format {
            Format::Table => {
                words(out)?;
                let [a, b] = self.colliders();
                if !a.filter.should_collide(b.filter) {
                    writeln!(
                        out,
                        "\n`carom check` leaves this pair out: layers, masks or groups of the scene say so."
                    )?;
                }
                Ok(())
            }
            Format::Json => {
                serde_json::to_writer(&mut *out, &self.report(more))?;
                writeln!(out)
            }
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

fn find(scene: &Scene, args: &Args, id: &str) -> Result<usize, CliError> {
    scene.colliders.iter().position(|collider| collider.id == id).ok_or_else(|| {
        let ids = scene.colliders.iter().map(|collider| collider.id.as_str());
        let hint = messages::known(id, ids, "the scene is empty");
        CliError::at(input::name(&args.file), format!("no shape has the id `{id}`: {hint}"))
    })
}
