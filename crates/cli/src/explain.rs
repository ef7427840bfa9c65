//! `carom explain`: why two shapes meet or not.
use std::path::PathBuf;
use std::process::ExitCode;

use carom::Explanation;
use carom_scene::{Scene, draw};
use clap::ValueEnum;
use serde::Serialize;

use crate::contact::{pair, plain};
use crate::failure::Failure;
use crate::load::{self, Input};
use crate::picture::Picture;
use crate::progress::Progress;
use crate::{human, output, rows, words};

/// Say why two shapes meet or not: every axis, both shadows on it, and which one decides.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The scene: carom's JSON, a Tiled map (.tmx, .tmj), GeoJSON, SVG or PNG; `-` is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Id of the first shape, as `carom check` prints it
    a: String,

    /// Id of the second shape
    b: String,

    /// How the explanation is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Draw both shapes with their shadows; the suffix .svg or .png says how
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

/// `explain --format json`: a contract, field order included.
#[derive(Serialize)]
struct Report<'s> {
    a: &'s str,
    b: &'s str,
    intersects: bool,
    overlaps: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    axes: Vec<Axis>,
}

#[derive(Serialize)]
struct Axis {
    normal: [f64; 2],
    shadow_a: [f64; 2],
    shadow_b: [f64; 2],
    overlap: f64,
    decides: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let progress = Progress::start();
    let scene = args.input.scene(std::slice::from_ref(&args.file), &progress)?;
    drop(progress);
    let a = find(&scene, args, &args.a)?;
    let b = find(&scene, args, &args.b)?;
    if a == b {
        return Err(Failure::at(load::name(&args.file), format!("`{}` is named twice: name two different shapes", args.a)));
    }
    let placed = [a, b].map(|i| scene.colliders[i].shape.placed(scene.colliders[i].pose));
    let explanation = carom::explain(placed[0], placed[1]);
    if let Some(picture) = &args.render {
        picture.save(&draw::explanation(&scene, a, b, &explanation, &draw::Options::default()))?;
    }
    match args.format {
        Format::Table => tell(&scene, a, b, &explanation)?,
        Format::Json => output::print(|out| {
            serde_json::to_writer(&mut *out, &report(&scene, a, b, &explanation))?;
            writeln!(out)
        })?,
    }
    Ok(ExitCode::SUCCESS)
}

fn find(scene: &Scene, args: &Args, id: &str) -> Result<usize, Failure> {
    scene.colliders.iter().position(|collider| collider.id == id).ok_or_else(|| {
        let ids = scene.colliders.iter().map(|collider| collider.id.as_str());
        let hint = words::known(id, ids, "the scene is empty");
        Failure::at(load::name(&args.file), format!("no shape has the id `{id}`: {hint}"))
    })
}

fn report<'s>(scene: &'s Scene, a: usize, b: usize, explanation: &Explanation) -> Report<'s> {
    let axis = |axis: &carom::Axis| Axis {
        normal: pair(axis.normal),
        shadow_a: axis.shadow_a.map(plain),
        shadow_b: axis.shadow_b.map(plain),
        overlap: plain(axis.overlap),
        decides: axis.decides,
    };
    let intersects = explanation.intersects();
    Report {
        a: &scene.colliders[a].id,
        b: &scene.colliders[b].id,
        intersects,
        overlaps: explanation.overlaps(),
        depth: explanation.depth().map(plain),
        distance: (!intersects).then(|| explanation.distance()),
        axes: explanation.axes().iter().map(axis).collect(),
    }
}

fn tell(scene: &Scene, a: usize, b: usize, explanation: &Explanation) -> Result<(), Failure> {
    let colliders = [&scene.colliders[a], &scene.colliders[b]];
    let [name_a, name_b] = colliders.map(|collider| human::text(&collider.id));
    let [long_a, long_b] = colliders.map(|collider| words::shape(&collider.id, &collider.shape));
    output::print(|out| {
        writeln!(out, "{}\n", words::verdict(&long_a, &long_b, explanation))?;
        writeln!(out, "{}\n", words::method(&name_a, &name_b))?;
        rows::axes(out, output::styled(), &name_a, &name_b, explanation.axes())?;
        writeln!(out, "\n{}", words::reason(&name_a, &name_b, explanation))?;
        if !colliders[0].filter.allows(colliders[1].filter) {
            writeln!(out, "\n`carom check` leaves this pair out: layers, masks or groups of the scene say so.")?;
        }
        Ok(())
    })
}
