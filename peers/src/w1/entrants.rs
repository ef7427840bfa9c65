//! The broad phases that take part in W1. Each gets the boxes of a step and appends every pair that meets, once.

use carom::broad::{Auto, Box32, BroadPhase, Bvh, Filter, Grid, Sweep, SweepInsertion};
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh as ParryBvh, BvhBuildStrategy, BvhWorkspace};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use static_aabb2d_index::{Control, StaticAABB2DIndexBuilder};

use super::world::World;
use crate::race::Library;

/// A broad phase with its name.
pub(crate) struct Entrant {
    /// Whose it is.
    pub(crate) library: Library,
    /// Its column.
    pub(crate) column: &'static str,
    /// The timed work: boxes in, pairs out.
    pub(crate) run: Box<dyn FnMut(&World, &mut Vec<[u32; 2]>)>,
}

/// All that take part.
pub(crate) fn all(world: &World) -> Vec<Entrant> {
    vec![
        carom("sweep (article)", Sweep::new(), world),
        carom("sweep-insertion (article)", SweepInsertion::new(), world),
        parry(world),
        parry_fat(world),
        broccoli(),
        rstar(),
        static_index(),
        carom("carom grid", Grid::new(), world),
        carom("carom bvh", Bvh::new(), world),
        carom("carom auto", Auto::new(), world),
    ]
}

fn carom(column: &'static str, mut broad: impl BroadPhase + 'static, world: &World) -> Entrant {
    for (id, &aabb) in world.boxes.iter().enumerate() {
        broad.insert(id as u32, aabb, Filter::default(), true);
    }
    let library = if column.starts_with("carom") { Library::Carom } else { Library::Textbook };
    let run = move |world: &World, out: &mut Vec<[u32; 2]>| {
        broad.update_all(&world.boxes);
        broad.pairs(out);
    };
    Entrant { library, column, run: Box::new(run) }
}

fn parry_box(b: &Box32) -> Aabb {
    Aabb::new(Vector::new(b.min[0], b.min[1]), Vector::new(b.max[0], b.max[1]))
}

fn parry_tree(world: &World) -> ParryBvh {
    let leaves: Vec<Aabb> = world.boxes.iter().map(parry_box).collect();
    ParryBvh::from_leaves(BvhBuildStrategy::Binned, &leaves)
}

/// Tight boxes: every mover updates its leaf, one refit, one walk of the tree against itself.
fn parry(world: &World) -> Entrant {
    let (mut tree, mut workspace) = (parry_tree(world), BvhWorkspace::default());
    let run = move |world: &World, out: &mut Vec<[u32; 2]>| {
        for &id in &world.movers {
            tree.insert_or_update_partially(parry_box(&world.boxes[id as usize]), id, 0.0);
        }
        tree.optimize_incremental(&mut workspace);
        tree.refit(&mut workspace);
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| out.push([a, b]));
    };
    Entrant { library: Library::Parry, column: "parry Bvh", run: Box::new(run) }
}

/// Fat boxes: a leaf changes only when its box leaves it; the walk's pairs are looked at again.
fn parry_fat(world: &World) -> Entrant {
    let (mut tree, mut workspace) = (parry_tree(world), BvhWorkspace::default());
    let run = move |world: &World, out: &mut Vec<[u32; 2]>| {
        for &id in &world.movers {
            tree.insert_or_update_partially(parry_box(&world.boxes[id as usize]), id, 0.1);
        }
        tree.optimize_incremental(&mut workspace);
        tree.refit(&mut workspace);
        let boxes = &world.boxes;
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
            if boxes[a as usize].intersects(&boxes[b as usize]) {
                out.push([a, b]);
            }
        });
    };
    Entrant { library: Library::Parry, column: "parry Bvh fat", run: Box::new(run) }
}

/// A new tree each step. Its boxes are half open: touching counts from the next number on.
fn broccoli() -> Entrant {
    let mut bots: Vec<(broccoli::aabb::Rect<f32>, u32)> = Vec::new();
    let run = move |world: &World, out: &mut Vec<[u32; 2]>| {
        bots.clear();
        bots.extend((0..).zip(&world.boxes).map(|(id, b)| (broccoli::rect(b.min[0], b.max[0], b.min[1], b.max[1]), id)));
        broccoli::Tree::new(&mut bots).find_colliding_pairs(|a, b| out.push([*a.unpack_inner(), *b.unpack_inner()]));
    };
    Entrant { library: Library::Broccoli, column: "broccoli", run: Box::new(run) }
}

fn rstar() -> Entrant {
    let run = move |world: &World, out: &mut Vec<[u32; 2]>| {
        let leaf = |(id, b): (u32, &Box32)| GeomWithData::new(Rectangle::from_corners(b.min, b.max), id);
        let tree = RTree::bulk_load((0..).zip(&world.boxes).map(leaf).collect());
        for (id, b) in (0..).zip(&world.boxes) {
            let found = tree.locate_in_envelope_intersecting(AABB::from_corners(b.min, b.max));
            out.extend(found.filter(|other| other.data > id).map(|other| [id, other.data]));
        }
    };
    Entrant { library: Library::Rstar, column: "rstar", run: Box::new(run) }
}

fn static_index() -> Entrant {
    let run = move |world: &World, out: &mut Vec<[u32; 2]>| {
        let mut builder = StaticAABB2DIndexBuilder::<f32>::new(world.boxes.len());
        for b in &world.boxes {
            builder.add(b.min[0], b.min[1], b.max[0], b.max[1]);
        }
        let index = builder.build().expect("as many boxes as were announced");
        for (id, b) in world.boxes.iter().enumerate() {
            let mut found = |other: usize| {
                if other > id {
                    out.push([id as u32, other as u32]);
                }
                Control::<()>::Continue
            };
            index.visit_query(b.min[0], b.min[1], b.max[0], b.max[1], &mut found);
        }
    };
    Entrant { library: Library::StaticIndex, column: "static_aabb2d_index", run: Box::new(run) }
}
