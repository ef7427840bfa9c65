//! Decides exactly whether two sets of segments that only touch cross each other.
//!
//! Input: the segments of both shapes, and their parts with area. Output: every crossing, as the
//! segments of both sets that take part in it. The simple version tests pairs of segments:
//!
//! ```text
//! for each segment of a, for each segment of b: they cross if each separates the ends of the other
//! ```
//!
//! It misses chains that cross at a vertex or along shared segments, because no pair of segments
//! crosses there. So each connected piece that both sets share is contracted to a point by tracing
//! around it:
//!
//! ```text
//! nodes = points of both sets at which a segment ends or leaves an area, with the rays that leave them
//! for each ray that is not visited yet: trace counter-clockwise around the shared piece
//!     ray of both sets: continue at its other end, after the ray that leads back
//!     ray of one set:   it is a branch of that set; continue with the next ray
//! the sets cross if their branches alternate: a, b, a, b
//! ```
//!
//! A segment along or inside a part with area of its own shape is no branch, because it adds
//! nothing to that shape. A BVH returns the segments at each point.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::TouchingPart;
use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::predicates::{compare_xy, is_on_segment, orientation};
use crate::math::sort::sort_cold;
use crate::math::sqrt_extension::Field;
use crate::query::union_boundary::round::curve_intersection::{HomogeneousPoint, minus};
use crate::query::union_boundary::round::rounded_polygon::{Location, RoundedPolygon};
use crate::query::union_boundary::round::tangent_cone::CurveDirection;
use crate::query::union_boundary::sub_segment::same_direction;

/// A segment by its ends.
pub(super) type Link = [DVec2; 2];

/// The segments of one shape, and its parts with area. The covered pieces of a segment do not count.
pub(super) struct ShapeSegments<'m, 'a> {
    /// The segments.
    links: &'m [Link],
    /// A BVH over the boxes of the segments.
    link_tree: StaticBvh,
    /// The parts with area.
    areas: &'m [&'m TouchingPart<'a>],
    /// A BVH over the boxes of the parts.
    area_tree: StaticBvh,
}

impl<'m, 'a> ShapeSegments<'m, 'a> {
    /// Builds both BVHs.
    pub(super) fn new(links: &'m [Link], areas: &'m [&'m TouchingPart<'a>]) -> Self {
        let link_tree = StaticBvh::new(&mapped(links, |link| Aabb::of_points(link)));
        Self { links, link_tree, areas, area_tree: StaticBvh::new(&mapped(areas, |area| area.part.aabb())) }
    }

    /// Returns the indices of the segments that contain a point.
    fn links_at(&self, at: DVec2) -> Vec<usize> {
        let mut found = boxes_at(&self.link_tree, at);
        found.retain(|&i| is_on_segment(self.links[i], at));
        found
    }

    /// Returns true if a part with area contains all points close to `at` in a direction.
    fn covers(&self, at: DVec2, toward: DVec2) -> bool {
        let covers = |i: usize| {
            let area = self.areas[i];
            let covers = |f| covers(&f, area, at, toward);
            covers(Field::intervals()).or_else(|| covers(Field::exact())).unwrap_or(false)
        };
        boxes_at(&self.area_tree, at).into_iter().any(covers)
    }
}

/// Returns the items of a tree whose boxes contain a point.
fn boxes_at(tree: &StaticBvh, at: DVec2) -> Vec<usize> {
    mapped(&tree.near(&Aabb::at(at)), |&item| item as usize)
}

/// Returns true if a part with area contains all points close to `at` in a direction; `None` if the
/// number field is not exact enough.
fn covers(f: &Field, area: &TouchingPart<'_>, at: DVec2, toward: DVec2) -> Option<bool> {
    let outline = RoundedPolygon::new(f, &area.hull, area.part.convex.radius, at);
    let here = HomogeneousPoint { at: [f.number(0.0), f.number(0.0)], scale: f.number(1.0) };
    match outline.locate(f, &here)? {
        Location::Inside => Some(true),
        Location::Boundary(sector) => {
            let [from, to] = both([at, toward], |p| [f.number(p.x), f.number(p.y)]);
            CurveDirection::straight(minus(f, &to, &from)).is_in(f, &sector)
        }
        Location::Outside | Location::Along(_) => Some(false),
    }
}

/// A direction in which one set or both continue from a node, each along a segment.
#[derive(Clone, Copy, Debug)]
struct NodeRay {
    /// A point in the direction of the ray.
    toward: DVec2,
    /// Index of the segment of each set, if the set continues along the ray.
    links: [Option<usize>; 2],
}

impl NodeRay {
    /// Returns true if both sets continue along the ray.
    fn is_shared(&self) -> bool {
        self.links.iter().all(Option::is_some)
    }
}

/// A point of both sets at which a segment ends or leaves an area, with its rays in counter-clockwise order.
struct CrossingNode {
    /// Position.
    at: DVec2,
    /// The rays, counter-clockwise.
    rays: Vec<NodeRay>,
    /// Indices of the segments of both sets that contain the point.
    links: [Vec<usize>; 2],
}

/// All nodes in lexical order (x, then y), and the node indices on each segment of both sets, in the same order.
struct Nodes {
    /// The nodes.
    all: Vec<CrossingNode>,
    /// For each set and segment: the nodes on it.
    on: [Vec<Vec<usize>>; 2],
}

/// Returns every crossing, as the indices of the segments of both sets that take part in it.
pub(super) fn crossings(sides: [&ShapeSegments<'_, '_>; 2]) -> Vec<[Vec<usize>; 2]> {
    let (nodes, mut found) = (Nodes::new(sides), Vec::new());
    let mut visited = mapped(&nodes.all, |node| alloc::vec![false; node.rays.len()]);
    for start in 0..nodes.all.len() {
        for ray in 0..nodes.all[start].rays.len() {
            let around = nodes.trace([start, ray], &mut visited);
            if interleave(&around) {
                found.push(both([0, 1], |set| {
                    let mut links = Vec::new();
                    for &(node, _) in &around {
                        links.extend_from_slice(&nodes.all[node].links[set]);
                    }
                    links.sort_unstable();
                    links.dedup();
                    links
                }));
            }
        }
    }
    found
}

impl Nodes {
    /// Finds all nodes and their rays.
    fn new(sides: [&ShapeSegments<'_, '_>; 2]) -> Self {
        let mut points: Vec<DVec2> = Vec::new();
        for side in sides {
            points.extend_from_slice(side.links.as_flattened());
            for area in side.areas {
                points.extend_from_slice(&area.hull);
            }
        }
        sort_cold(&mut points, |p, q| compare_xy(*p, *q));
        points.dedup();
        let mut on = both(sides, |side| mapped(side.links, |_| Vec::new()));
        let mut all = Vec::new();
        for at in points {
            let links = both(sides, |side| side.links_at(at));
            if !links[0].is_empty() && !links[1].is_empty() {
                for set in 0..2 {
                    for &link in &links[set] {
                        on[set][link].push(all.len());
                    }
                }
                all.push(CrossingNode { at, rays: rays(sides, at, &links), links });
            }
        }
        Self { all, on }
    }

    /// Traces counter-clockwise around a shared piece, from one ray. Returns the node and the set of each branch.
    fn trace(&self, [mut node, mut ray]: [usize; 2], visited: &mut [Vec<bool>]) -> Vec<(usize, usize)> {
        let mut branches = Vec::new();
        while !core::mem::replace(&mut visited[node][ray], true) {
            let here = self.all[node].rays[ray];
            if here.is_shared() {
                // Continue at the other end of the shared segment, after the ray that leads back.
                let Some((next, back)) = self.other_end(node, here) else { return branches };
                (node, ray) = (next, back);
            } else {
                branches.push((node, usize::from(here.links[0].is_none())));
            }
            ray = (ray + 1) % self.all[node].rays.len();
        }
        branches
    }

    /// Returns the nearest node along a shared ray, and the index of its ray that leads back.
    fn other_end(&self, node: usize, ray: NodeRay) -> Option<(usize, usize)> {
        let at = self.all[node].at;
        let is_ahead = compare_xy(at, ray.toward).is_lt();
        // The nearest node is on both segments.
        let mut next = None;
        for set in 0..2 {
            let on = &self.on[set][ray.links[set]?];
            let index = on.binary_search(&node).ok()?;
            let beside = if is_ahead { on.get(index + 1) } else { on[..index].last() };
            if next.is_none_or(|best| beside.is_some_and(|&node| (node < best) == is_ahead)) {
                next = beside.copied();
            }
        }
        let next = next?;
        let back = self.all[next].rays.iter().position(|ray| same_direction(self.all[next].at, ray.toward, at))?;
        Some((next, back))
    }
}

/// Returns true if the branches change from one set to the other at least four times around.
fn interleave(around: &[(usize, usize)]) -> bool {
    let mut changes = 0;
    for i in 0..around.len() {
        changes += u32::from(around[i].1 != around[(i + 1) % around.len()].1);
    }
    changes >= 4
}

/// Returns the directions in which segments leave a point outside their own areas, counter-clockwise.
fn rays(sides: [&ShapeSegments<'_, '_>; 2], at: DVec2, links: &[Vec<usize>; 2]) -> Vec<NodeRay> {
    let mut rays: Vec<NodeRay> = Vec::new();
    for set in 0..2 {
        for &link in &links[set] {
            for toward in sides[set].links[link] {
                if toward != at && !sides[set].covers(at, toward) {
                    rays.push(NodeRay { toward, links: [(set == 0).then_some(link), (set == 1).then_some(link)] });
                }
            }
        }
    }
    sort_cold(&mut rays, |p, q| by_angle(at, p.toward, q.toward));
    rays.dedup_by(|next, ray| {
        let same = same_direction(at, ray.toward, next.toward);
        if same {
            ray.links = both([0, 1], |set| ray.links[set].or(next.links[set]));
        }
        same
    });
    rays
}

/// Compares the angles of two directions from a point, from +x counter-clockwise.
fn by_angle(at: DVec2, p: DVec2, q: DVec2) -> Ordering {
    let is_lower = |r: DVec2| r.y < at.y || (r.y == at.y && r.x < at.x);
    is_lower(p).cmp(&is_lower(q)).then_with(|| orientation(at, p, q).reverse())
}
