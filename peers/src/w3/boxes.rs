//! Measures box indices with parry's shapes: `static_aabb2d_index` and rstar.

use std::hint::black_box;
use std::rc::Rc;

use carom::broad_phase::Aabb32;
use parry2d::bounding_volume::Aabb as ParryAabb;
use parry2d::query::PointQuery;
use rstar::{AABB, PointDistance, RTree, RTreeObject};
use static_aabb2d_index::{StaticAABB2DIndex, StaticAABB2DIndexBuilder};

use super::input::Input;
use super::{Answers, Contestant, Kind, Library, NEAR, NONE, builder, one_by_one, sum, vector};

fn index_of(boxes: &[ParryAabb]) -> StaticAABB2DIndex<f32> {
    let mut builder = StaticAABB2DIndexBuilder::new(boxes.len());
    for aabb in boxes {
        builder.add(aabb.mins.x, aabb.mins.y, aabb.maxs.x, aabb.maxs.y);
    }
    builder.build().expect("as many boxes as were announced")
}

pub(super) fn static_index(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const INDEX: (Library, &str) = (Library::StaticIndex, "static_aabb2d_index");
    let boxes = input.parry_boxes();
    let index = index_of(&boxes);
    let mut stack = Vec::new();
    vec![match kind {
        // It has no rays.
        Kind::Rays => return Vec::new(),
        Kind::Points => one_by_one(
            INDEX,
            input,
            |input| &input.points,
            move |input, p| {
                let (point, mut answer) = (vector(p), 0_u32);
                let mut visit = |id: usize| {
                    if input.parry[id].0.contains_point(&input.parry[id].1, point) {
                        answer = answer.wrapping_add(sum(id as u32));
                    }
                };
                index.visit_query_with_stack(point.x, point.y, point.x, point.y, &mut visit, &mut stack);
                answer
            },
        ),
        Kind::Regions => one_by_one(
            INDEX,
            input,
            |input| &input.regions,
            move |_, Aabb32 { min, max }| {
                let mut answer = 0_u32;
                let mut visit = |id: usize| answer = answer.wrapping_add(sum(id as u32));
                index.visit_query_with_stack(min[0], min[1], max[0], max[1], &mut visit, &mut stack);
                answer
            },
        ),
        Kind::Nearest => one_by_one(
            INDEX,
            input,
            |input| &input.points,
            move |input, p| {
                let (point, mut best) = (vector(p), (f32::INFINITY, NONE));
                // Boxes come nearest first, with the squares of their distances.
                let mut visit = |id: usize, squared: f32| {
                    if squared > best.0 * best.0 {
                        return Err(());
                    }
                    let distance = input.parry[id].0.distance_to_point(&input.parry[id].1, point, true);
                    if distance < best.0 {
                        best = (distance, id as u32);
                    }
                    Ok(())
                };
                let _ = index.visit_neighbors(point.x, point.y, &mut visit);
                if best.0 > 0.0 { best.1 } else { NEAR }
            },
        ),
        Kind::Build => builder(INDEX.0, INDEX.1, move || {
            black_box(index_of(&boxes));
        }),
    }]
}

/// Box with an id for rstar.
struct Entry(AABB<[f32; 2]>, u32);

impl RTreeObject for Entry {
    type Envelope = AABB<[f32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        self.0
    }
}

impl PointDistance for Entry {
    fn distance_2(&self, point: &[f32; 2]) -> f32 {
        rstar::Envelope::distance_2(&self.0, point)
    }
}

fn rstar_of(boxes: &[ParryAabb]) -> RTree<Entry> {
    let entry = |(id, aabb): (u32, &ParryAabb)| {
        Entry(AABB::from_corners([aabb.mins.x, aabb.mins.y], [aabb.maxs.x, aabb.maxs.y]), id)
    };
    RTree::bulk_load((0..).zip(boxes).map(entry).collect())
}

pub(super) fn rstar(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const RSTAR: (Library, &str) = (Library::Rstar, "rstar");
    let boxes = input.parry_boxes();
    let tree = rstar_of(&boxes);
    vec![match kind {
        // It has no rays.
        Kind::Rays => return Vec::new(),
        Kind::Points => one_by_one(
            RSTAR,
            input,
            |input| &input.points,
            move |input, p| {
                let point = vector(p);
                let found =
                    tree.locate_in_envelope_intersecting(AABB::from_point([point.x, point.y])).map(|entry| entry.1);
                let contains =
                    |&id: &u32| input.parry[id as usize].0.contains_point(&input.parry[id as usize].1, point);
                found.filter(contains).fold(0, |all, id| all.wrapping_add(sum(id)))
            },
        ),
        Kind::Regions => one_by_one(
            RSTAR,
            input,
            |input| &input.regions,
            move |_, region| {
                let found = tree.locate_in_envelope_intersecting(AABB::from_corners(region.min, region.max));
                found.fold(0, |all, entry| all.wrapping_add(sum(entry.1)))
            },
        ),
        Kind::Nearest => one_by_one(
            RSTAR,
            input,
            |input| &input.points,
            move |input, p| {
                let (point, mut best) = (vector(p), (f32::INFINITY, NONE));
                for (Entry(_, id), squared) in tree.nearest_neighbor_iter_with_distance_2([point.x, point.y]) {
                    if squared > best.0 * best.0 {
                        break;
                    }
                    let (polygon, pose) = &input.parry[*id as usize];
                    let distance = polygon.distance_to_point(pose, point, true);
                    if distance < best.0 {
                        best = (distance, *id);
                    }
                }
                if best.0 > 0.0 { best.1 } else { NEAR }
            },
        ),
        Kind::Build => builder(RSTAR.0, RSTAR.1, move || {
            black_box(rstar_of(&boxes));
        }),
    }]
}
