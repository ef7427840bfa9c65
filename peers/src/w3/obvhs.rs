//! obvhs: its wide compressed tree for rays, its binary one for boxes, both about parry's shapes.
//! Boxes range from z = -1 to 1, and queries lie in the plane z = 0. A flat box would have an empty
//! interval on a ray.

use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb;
use obvhs::bvh2::{Bvh2, builder::build_bvh2};
use obvhs::cwbvh::{CwBvh, builder::build_cwbvh};
use obvhs::ray::{Ray, RayHit};
use parry2d::query::{PointQuery, Ray as ParryRay, RayCast};

use super::input::Input;
use super::{Answers, Contestant, Kind, Library, NONE, Vec2, builder, one_by_one, sum, vector};

/// Leaves are tested without their boxes, so each has one shape.
const CAREFUL: BvhBuildParams =
    BvhBuildParams { max_prims_per_leaf: 1, pre_split: false, ..BvhBuildParams::slow_build() };

fn boxes_of(input: &Input) -> Vec<Aabb> {
    let flat = |b: &parry2d::bounding_volume::Aabb| {
        Aabb::new([b.mins.x, b.mins.y, -1.0].into(), [b.maxs.x, b.maxs.y, 1.0].into())
    };
    input.parry_boxes().iter().map(flat).collect()
}

fn binary(boxes: &[Aabb]) -> Bvh2 {
    build_bvh2(boxes, CAREFUL, &mut Duration::default())
}

fn wide(boxes: &[Aabb]) -> CwBvh {
    build_cwbvh(boxes, CAREFUL, &mut Duration::default())
}

/// Calls `visit` with the ids of the boxes that intersect a box.
fn query_aabb(tree: &Bvh2, aabb: Aabb, mut visit: impl FnMut(u32)) {
    tree.aabb_traverse(aabb, |tree, node| {
        let node = &tree.nodes[node as usize];
        let found = node.first_index..node.first_index + node.prim_count;
        found.for_each(|i| visit(tree.primitive_indices[i as usize]));
        true
    });
}

fn flat<V: From<[f32; 3]>>(v: Vec2) -> V {
    [v[0] as f32, v[1] as f32, 0.0].into()
}

pub(super) fn contestants(kind: Kind, input: &Rc<Input>) -> Vec<Contestant<Answers>> {
    const OBVHS: (Library, &str) = (Library::Obvhs, "obvhs");
    let boxes = boxes_of(input);
    vec![match kind {
        Kind::Rays => {
            let tree = wide(&boxes);
            let query = move |input: &Input, [from, direction]: [Vec2; 2]| {
                let ray = ParryRay::new(vector(from), vector(direction));
                let mut hit = RayHit::none();
                let found = tree.ray_traverse(Ray::new(flat(from), flat(direction), 0.0, 1.0), &mut hit, |bound, i| {
                    let (polygon, pose) = &input.parry[tree.primitive_indices[i] as usize];
                    polygon
                        .cast_ray_and_get_normal(pose, &ray, bound.tmax, true)
                        .map_or(f32::INFINITY, |hit| hit.time_of_impact)
                });
                if found { tree.primitive_indices[hit.primitive_id as usize] } else { NONE }
            };
            one_by_one(OBVHS, input, |input| &input.rays, query)
        }
        Kind::Points => {
            let tree = binary(&boxes);
            let query = move |input: &Input, p: Vec2| {
                let (point, mut answer) = (vector(p), 0_u32);
                query_aabb(&tree, Aabb::from_point(flat(p)), |id| {
                    if input.parry[id as usize].0.contains_point(&input.parry[id as usize].1, point) {
                        answer = answer.wrapping_add(sum(id));
                    }
                });
                answer
            };
            one_by_one(OBVHS, input, |input| &input.points, query)
        }
        Kind::Regions => {
            let tree = binary(&boxes);
            let query = move |_: &Input, region: carom::broad_phase::Aabb32| {
                let ([x, y], [right, top]) = (region.min, region.max);
                let mut answer = 0_u32;
                query_aabb(&tree, Aabb::new([x, y, 0.0].into(), [right, top, 0.0].into()), |id| {
                    answer = answer.wrapping_add(sum(id));
                });
                answer
            };
            one_by_one(OBVHS, input, |input| &input.regions, query)
        }
        // It has no such query.
        Kind::Nearest => return Vec::new(),
        Kind::Build => builder(OBVHS.0, OBVHS.1, move || {
            black_box(build_bvh2(&boxes, BvhBuildParams::fast_build(), &mut Duration::default()));
        }),
    }]
}
