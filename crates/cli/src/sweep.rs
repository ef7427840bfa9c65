//! `carom check --sweep`: reports the first contacts of moving shapes.
use std::io::{self, Write};

use carom::{Aabb, Sweep, time_of_impact};
use carom_scene::draw::Hit;
use carom_scene::{Motion, Scene, SceneCollider};
use serde::Serialize;

use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;
use crate::json_number::{pair, plain};
use crate::layers::Layers;
use crate::names;
use crate::number_format::{direction, number, point, text};
use crate::pipeline::candidates;
use crate::table::{Align, Cell, Table};

/// Output of `check --sweep --format json`: a contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Report<'s> {
    pub(crate) shapes: usize,
    pub(crate) hits: Vec<Row<'s>>,
}

/// One hit. A line of `--format ndjson`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Row<'s> {
    a: &'s str,
    b: &'s str,
    time: f64,
    normal: [f64; 2],
    point: [f64; 2],
    initial_depth: Option<f64>,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    layers_a: Layers<'s>,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    layers_b: Layers<'s>,
}

impl<'s> Row<'s> {
    pub(crate) fn new(scene: &'s Scene, hit: &Hit) -> Self {
        let (a, b) = (&scene.colliders[hit.a], &scene.colliders[hit.b]);
        Self {
            a: &a.id,
            b: &b.id,
            time: plain(hit.impact.time),
            normal: pair(hit.impact.normal),
            point: pair(hit.impact.point),
            initial_depth: hit.impact.initial_depth.map(plain),
            layers_a: Layers(scene, a),
            layers_b: Layers(scene, b),
        }
    }
}

/// Motions of shapes, from the command line.
#[derive(clap::Args)]
pub(crate) struct MotionArgs {
    /// Motion for --sweep: translation and rotation in degrees; may be repeated
    #[arg(
        long = "move",
        num_args = 2,
        value_names = ["ID", "DX,DY[,DEGREES]"],
        requires = "sweep",
        allow_hyphen_values = true
    )]
    moves: Vec<String>,
}

/// Sets the motions of `--move`: pairs of an id and `dx,dy` or `dx,dy,degrees`.
pub(crate) fn set_motions(scene: &mut Scene, args: &MotionArgs) -> Result<(), CliError> {
    for pair in args.moves.chunks(2) {
        let [id, motion] = pair else { continue };
        let numbers: Option<Vec<f64>> =
            motion.split(',').map(|x| x.trim().parse().ok().filter(|x: &f64| x.is_finite())).collect();
        let motion = match numbers.as_deref() {
            Some(&[x, y]) => Motion { translation: [x, y].into(), rotation: 0.0 },
            Some(&[x, y, rotation]) => Motion { translation: [x, y].into(), rotation },
            _ => {
                return Err(CliError::new(format!(
                    "--move {id} {motion}: expected dx,dy or dx,dy,degrees, such as 10,0 or 10,0,90"
                )));
            }
        };
        let index = names::find(scene, id).map_err(|message| CliError::at("--move", message))?;
        scene.colliders[index].motion = Some(motion);
    }
    Ok(())
}

/// Returns each collider with its motion.
pub(crate) fn sweeps(scene: &Scene) -> Result<Vec<Sweep<'_>>, CliError> {
    let sweep = |collider| SceneCollider::sweep(collider).map_err(|error| CliError::at(&collider.id, error));
    scene.colliders.iter().map(sweep).collect()
}

/// Returns the pairs that touch during the motion and of which at least one moves, ordered by time.
pub(crate) fn hits(
    scene: &Scene,
    sweeps: &[Sweep<'_>],
    broad: BroadPhaseArg,
    allowed: impl Fn(usize, usize) -> bool,
) -> (Vec<Hit>, usize) {
    let boxes: Vec<Aabb> = sweeps.iter().map(Sweep::aabb).collect();
    let (pairs, _) = candidates(scene, &boxes, broad);
    let moves = |i: usize| sweeps[i].translation() != carom::DVec2::ZERO || sweeps[i].angle() != 0.0;
    let mut hits: Vec<Hit> = Vec::new();
    for &[a, b] in &pairs {
        let (a, b) = (a as usize, b as usize);
        if allowed(a, b) && (moves(a) || moves(b)) {
            hits.extend(time_of_impact(sweeps[a], sweeps[b]).map(|impact| Hit { a, b, impact }));
        }
    }
    // A stable sort keeps the file order of pairs with equal times.
    hits.sort_by(|p, q| p.impact.time.total_cmp(&q.impact.time));
    (hits, pairs.len())
}

/// Prints one row per hit.
pub(crate) fn table(out: &mut dyn Write, styled: bool, scene: &Scene, hits: &[Hit]) -> io::Result<()> {
    let left = |title| (title, Align::Left);
    let mut table =
        Table::new(&[("time", Align::Right), left("a"), left("b"), left("normal"), left("point"), left("")]);
    for hit in hits {
        let note = hit
            .impact
            .initial_depth
            .map_or(String::new(), |depth| format!("overlap by {} at the start", number(depth)));
        table.add(
            [
                number(hit.impact.time),
                text(&scene.colliders[hit.a].id),
                text(&scene.colliders[hit.b].id),
                direction(hit.impact.normal),
                point(hit.impact.point),
                note,
            ]
            .map(Cell::new),
        );
    }
    table.print(out, styled)
}
