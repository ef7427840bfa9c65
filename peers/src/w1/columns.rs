//! The broad phases in W1. Each receives the boxes of a step and appends every intersecting pair
//! once.

use carom::broad_phase::{
    Aabb32, Adaptive, BroadPhase, Bvh, CoherentSortAndSweep, Filter, SortAndSweep, StripSweep, SweepAndPrune,
};
use parry2d::bounding_volume::Aabb;
use parry2d::partitioning::{Bvh as ParryBvh, BvhBuildStrategy, BvhWorkspace};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use static_aabb2d_index::{Control, StaticAABB2DIndexBuilder};

use super::engines;
use super::pair_finder::{PairFinder, parry_box};
use super::world::{Kind, World};
use crate::race::Library;

/// Column: library, name, and constructor. The constructor returns `None` for unsuitable rows.
pub(crate) struct Column {
    pub(crate) library: Library,
    pub(crate) name: &'static str,
    pub(crate) make: fn(&World) -> Option<PairFinder>,
}

const fn column(library: Library, name: &'static str, make: fn(&World) -> Option<PairFinder>) -> Column {
    Column { library, name, make }
}

/// All broad phases.
pub(crate) const COLUMNS: [Column; 13] = [
    column(Library::Textbook, "sweep (article)", |world| article(SortAndSweep::new(), world, usize::MAX)),
    column(Library::Textbook, "sweep-insertion (article)", |world| {
        article(CoherentSortAndSweep::new(), world, usize::MAX)
    }),
    // It keeps its pairs in a set, and its first sorts take N² steps.
    column(Library::Textbook, "sweep-swaps (article)", |world| article(SweepAndPrune::new(), world, 1_000)),
    column(Library::Parry, "parry Bvh", |world| Some(parry(world))),
    column(Library::Parry, "parry Bvh fat", |world| Some(parry_fat(world))),
    column(Library::Rapier, "rapier", |world| Some(engines::rapier(world))),
    column(Library::Box2d, "Box2D tree", |world| Some(engines::box2d(world))),
    column(Library::Broccoli, "broccoli", |_| Some(broccoli())),
    column(Library::Rstar, "rstar", |_| Some(rstar())),
    column(Library::StaticIndex, "static_aabb2d_index", |_| Some(static_index())),
    column(Library::Carom, "carom strips", |world| Some(carom(StripSweep::new(), world))),
    column(Library::Carom, "carom bvh", |world| Some(carom(Bvh::new(), world))),
    column(Library::Carom, AUTO, |world| Some(carom(Adaptive::new(), world))),
];

/// Column of the adaptive broad phase.
pub(crate) const AUTO: &str = "carom auto";

/// One of the articles', for up to so many boxes, unless these are above one another, where it would try all pairs.
fn article(broad: impl BroadPhase + 'static, world: &World, most: usize) -> Option<PairFinder> {
    let takes_part = world.boxes.len() <= most && (world.kind != Kind::LineY || world.boxes.len() <= 10_000);
    // From left to right, so that the first insertion sort is fast.
    let mut ids: Vec<u32> = (0..world.boxes.len() as u32).collect();
    ids.sort_by(|&a, &b| world.boxes[a as usize].min[0].total_cmp(&world.boxes[b as usize].min[0]));
    takes_part.then(|| inserted(broad, world, ids))
}

fn carom(broad: impl BroadPhase + 'static, world: &World) -> PairFinder {
    inserted(broad, world, 0..world.boxes.len() as u32)
}

fn inserted(mut broad: impl BroadPhase + 'static, world: &World, ids: impl IntoIterator<Item = u32>) -> PairFinder {
    for id in ids {
        broad.insert(id, world.boxes[id as usize], Filter::default(), true);
    }
    PairFinder::new(move |world: &World, out: &mut Vec<[u32; 2]>| {
        broad.update_all(&world.boxes);
        broad.pairs(out);
    })
}

fn parry_tree(world: &World) -> ParryBvh {
    let leaves: Vec<Aabb> = world.boxes.iter().map(parry_box).collect();
    ParryBvh::from_leaves(BvhBuildStrategy::Binned, &leaves)
}

/// Tight boxes: every mover updates its leaf, one refit, one walk of the tree against itself.
fn parry(world: &World) -> PairFinder {
    let (mut tree, mut workspace) = (parry_tree(world), BvhWorkspace::default());
    PairFinder::new(move |world: &World, out: &mut Vec<[u32; 2]>| {
        for &id in &world.movers {
            tree.insert_or_update_partially(parry_box(&world.boxes[id as usize]), id, 0.0);
        }
        tree.optimize_incremental(&mut workspace);
        tree.refit(&mut workspace);
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| out.push([a, b]));
    })
}

/// Fat boxes: a leaf changes only when its box leaves it; the walk's pairs are looked at again.
fn parry_fat(world: &World) -> PairFinder {
    let (mut tree, mut workspace) = (parry_tree(world), BvhWorkspace::default());
    PairFinder::new(move |world: &World, out: &mut Vec<[u32; 2]>| {
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
    })
}

/// A new tree each step. Its boxes are half open: touching counts from the next number on.
fn broccoli() -> PairFinder {
    let mut bots: Vec<(broccoli::aabb::Rect<f32>, u32)> = Vec::new();
    PairFinder::new(move |world: &World, out: &mut Vec<[u32; 2]>| {
        bots.clear();
        bots.extend(
            (0..).zip(&world.boxes).map(|(id, b)| (broccoli::rect(b.min[0], b.max[0], b.min[1], b.max[1]), id)),
        );
        broccoli::Tree::new(&mut bots).find_colliding_pairs(|a, b| out.push([*a.unpack_inner(), *b.unpack_inner()]));
    })
}

fn rstar() -> PairFinder {
    PairFinder::new(move |world: &World, out: &mut Vec<[u32; 2]>| {
        let leaf = |(id, b): (u32, &Aabb32)| GeomWithData::new(Rectangle::from_corners(b.min, b.max), id);
        let tree = RTree::bulk_load((0..).zip(&world.boxes).map(leaf).collect());
        for (id, b) in (0..).zip(&world.boxes) {
            let found = tree.locate_in_envelope_intersecting(AABB::from_corners(b.min, b.max));
            out.extend(found.filter(|other| other.data > id).map(|other| [id, other.data]));
        }
    })
}

fn static_index() -> PairFinder {
    PairFinder::new(move |world: &World, out: &mut Vec<[u32; 2]>| {
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
    })
}
