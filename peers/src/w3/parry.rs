//! Measures parry: its tree and its shapes.

use std::hint::black_box;
use std::rc::Rc;

use parry2d::bounding_volume::Aabb as ParryAabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh as ParryBvh, BvhBuildStrategy};
use parry2d::query::{PointQuery, Ray as ParryRay, RayCast};

use super::input::Input;
use super::{Answers, Contestant, Kind, Library, NEAR, NONE, builder, one_by_one, sum, vector};

pub(super) fn contestants(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const PARRY: (Library, &str) = (Library::Parry, "parry");
    let boxes = input.parry_boxes();
    let tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    vec![match kind {
        Kind::Rays => one_by_one(
            PARRY,
            input,
            |input| &input.rays,
            move |input, [from, direction]| {
                let ray = ParryRay::new(vector(from), vector(direction));
                let hit = tree.cast_ray(&ray, 1.0, |id, most| {
                    let (polygon, pose) = &input.parry[id as usize];
                    polygon.cast_ray_and_get_normal(pose, &ray, most, true).map(|hit| hit.time_of_impact)
                });
                black_box(hit).map_or(NONE, |hit| hit.0)
            },
        ),
        Kind::Points => one_by_one(
            PARRY,
            input,
            |input| &input.points,
            move |input, p| {
                let point = vector(p);
                let contains =
                    |&id: &u32| input.parry[id as usize].0.contains_point(&input.parry[id as usize].1, point);
                tree.intersect_aabb(&ParryAabb::new(point, point))
                    .filter(contains)
                    .fold(0, |all, id| all.wrapping_add(sum(id)))
            },
        ),
        Kind::Regions => one_by_one(
            PARRY,
            input,
            |input| &input.regions,
            move |_, region| {
                let [min, max] = [region.min, region.max].map(|p| Vector::new(p[0], p[1]));
                tree.intersect_aabb(&ParryAabb::new(min, max)).fold(0, |all, id| all.wrapping_add(sum(id)))
            },
        ),
        Kind::Nearest => one_by_one(
            PARRY,
            input,
            |input| &input.points,
            move |input, p| {
                let found = tree.project_point(vector(p), f32::MAX, |id, _| {
                    let (polygon, pose) = &input.parry[id as usize];
                    Some(polygon.project_point(pose, vector(p), true))
                });
                // From the inside the way to itself, there and back again through the shape's
                // frame, is a rounding long.
                black_box(found).map_or(NONE, |(id, (_, nearest))| if nearest.is_inside { NEAR } else { id })
            },
        ),
        Kind::Build => builder(PARRY.0, PARRY.1, move || {
            black_box(ParryBvh::from_leaves(BvhBuildStrategy::Binned, &boxes));
        }),
    }]
}
