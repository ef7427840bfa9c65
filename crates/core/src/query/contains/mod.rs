//! Decides exactly whether a shape contains another.
//!
//! Input: two placed shapes, convex or composite. Output: a truth value, or a point outside for the
//! explanation.
//!
//! A convex part is contained in another if all its points are, with the margin that the radii
//! require. The simple version for unions stops there:
//!
//! ```text
//! for each part of b: true if one part of a contains it
//! ```
//!
//! Two polygons without a radius are decided by their edges instead (`outline/interiors.rs`).
//!
//! It misses a part across a seam. A union also contains a part if no point of it is uncovered. An
//! uncovered point shows beside an edge. It is on the inner side of an edge of `b`, or on the outer
//! side of an edge of a part inside `b`. So the test visits the edges only:
//!
//! ```text
//! for each edge of b: true if the parts on its inner side cover it
//! for each edge of a part of a, clipped to b: true if the parts on its outer side cover it
//! ```
//!
//! Edges are intersected exactly with the parts (`union_boundary/sub_segment.rs`). For rounded
//! shapes, the hulls are tested first, with a margin. If this test fails, the exact test of the
//! rounded outlines decides ([`rounded`]).

mod clearance;
mod explain;
mod rounded;

use alloc::vec::Vec;
use core::cmp::Ordering::{Greater, Less};
use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;

use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::lists::{filter_mapped, mapped};
use crate::math::pose::Pose;
use crate::math::predicates::orientation;
use crate::math::ring::edges;
use crate::math::vector::norm1;
use crate::pair_result::Relation;
use crate::query::dual_traversal::for_each_near_part;
use crate::query::ray::convex::circle_at;
use crate::query::union_boundary::boundary::UnionPart;
use crate::query::union_boundary::sub_segment::{Segment, SubSegment, placed_hull, surrounded};
use crate::query::{convex_pair, fast_path, outline};
use crate::shape::Placed;
use crate::shape::convex::Convex;
use crate::shape::part::Part;
pub use explain::{Containment, ContainsExplanation, explain_contains};
use rounded::Rounded;

/// Returns true if `b` lies entirely in `a`, boundaries included.
///
/// Exact for convex shapes and composites, rounded or not. `b` may lie across seams, and parts of compounds may overlap
/// in any way.
///
/// ```
/// use carom::{Shape, contains};
///
/// let (big, small) = (Shape::circle(2.0)?, Shape::rectangle(1.0, 1.0)?);
/// assert!(contains(big.at([0.0, 0.0])?, small.at([1.0, 0.0])?));
/// assert!(!contains(big.at([0.0, 0.0])?, small.at([1.5, 0.0])?));
/// assert!(contains(small.at([0.0, 0.0])?, small.at([0.0, 0.0])?)); // the boundary belongs to it
/// # Ok::<(), carom::Error>(())
/// ```
#[must_use]
pub fn contains(a: Placed<'_>, b: Placed<'_>) -> bool {
    let are_convex = a.as_part().is_some() && b.as_part().is_some();
    if !are_convex && let Some(contains) = outline::contains(a, b) {
        return contains;
    }
    match a.as_part() {
        Some(a) => b.parts().all(|b| part_contains(a, b)),
        None => b.parts().all(|b| !matches!(containment_in_union(a, b), Containment::Outside { .. })),
    }
}

/// Returns true if one convex part contains another.
fn part_contains(a: Part<'_>, b: Part<'_>) -> bool {
    if a.convex.radius < b.convex.radius {
        return clearance::part_contains(a, b);
    }
    // Each point of the hull of b must be within the difference of the radii of the hull of a.
    b.points().all(|point| {
        let (point, pose) = circle_at(point, -b.convex.radius);
        fast_path::relation_of_parts(a, Part { convex: &point, pose }) != Relation::Apart
    })
}

/// Returns the parts of a union that contain a convex part.
#[inline(never)]
fn containment_in_union(a: Placed<'_>, b: Part<'_>) -> Containment {
    let (mut near, mut container) = (Vec::new(), None);
    for_each_near_part(a, b, 0.0, &mut |number, part| {
        near.push(number);
        container = part_contains(part, b).then_some(number);
        if container.is_some() { Break(()) } else { Continue(()) }
    });
    match container {
        Some(part) => Containment::InPart(part),
        None => HullUnion::new(a, &near, b).gap().map_or(Containment::InUnion, |at| Containment::Outside { at }),
    }
}

/// The hulls of the outer parts and the inner hull.
struct HullUnion<'a> {
    /// The hulls of the parts of `a` near `b`.
    part_hulls: Vec<UnionPart>,
    /// BVH over the boxes of `part_hulls`.
    tree: StaticBvh,
    /// The same parts, with their radii.
    parts: Vec<Part<'a>>,
    /// The inner part.
    b: Part<'a>,
    /// Hull of `b` without its radius, counter-clockwise.
    hull: Vec<DVec2>,
    /// Distance from the boundary of the union that `b` must keep.
    margin: f64,
}

impl<'a> HullUnion<'a> {
    fn new(a: Placed<'a>, parts: &[u32], b: Part<'a>) -> Self {
        let parts = mapped(parts, |&i| a.part(i));
        let thinnest = parts.iter().fold(f64::INFINITY, |radius, part| radius.min(part.convex.radius));
        let margin = b.convex.radius - thinnest.min(b.convex.radius);
        // Rounded up if it is not exact.
        let margin = if thinnest > 0.0 && margin > 0.0 { margin.next_up() } else { margin };
        let mut part_hulls = mapped(&parts, |&part| UnionPart::new(part));
        // Parts without area do not cover either side.
        part_hulls.retain(|part| margin == 0.0 || part.has_area());
        let tree = StaticBvh::new(&mapped(&part_hulls, |part| part.bounds));
        Self { part_hulls, tree, parts, b, hull: placed_hull(b), margin }
    }

    /// Returns a point of `b` outside the union, rounded. `None` if the union contains `b`.
    fn gap(&self) -> Option<DVec2> {
        let gap = self.gap_between_hulls()?;
        let radius = self.b.convex.radius;
        let is_round = radius > 0.0 || self.parts.iter().any(|part| part.convex.radius > 0.0);
        if !is_round || (radius == 0.0 && self.hull.len() < 2) {
            return Some(gap);
        }
        let others = mapped(&self.parts, |&part| Rounded::new(placed_hull(part), part.convex.radius));
        rounded::gap(&others, &Rounded::new(self.hull.clone(), radius))
    }

    /// Returns the same if the hulls of the parts must contain `b` with a margin.
    fn gap_between_hulls(&self) -> Option<DVec2> {
        let gap = match *self.hull {
            // The hull has at least one point.
            [] => Some(DVec2::ZERO),
            [p] => self.gap_at(p),
            [p, q] => self.gap_along(Segment { p, q }),
            _ => self.gap_in_polygon(),
        };
        gap.or_else(|| if self.margin == 0.0 { None } else { self.point_too_near() })
    }

    /// Without a margin, a single part contains a point, and this case was decided before.
    fn gap_at(&self, p: DVec2) -> Option<DVec2> {
        let covered = self.margin > 0.0 && surrounded(p, &mapped(&self.part_hulls, |part| &*part.hull));
        (!covered).then_some(p)
    }

    /// Returns a point of a segment that no part covers; `None` if they cover it.
    fn gap_along(&self, segment: Segment) -> Option<DVec2> {
        let covers = filter_mapped(&self.part_hulls, |part| segment.within(&part.hull));
        segment.uncovered(segment.whole(), covers).first().map(|&interval| middle(&segment, interval))
    }

    /// Returns a point of a polygon that the union leaves uncovered; `None` if it covers the
    /// polygon.
    fn gap_in_polygon(&self) -> Option<DVec2> {
        let exposed = |edge: &Segment, within| Some(middle(edge, *self.exposed(edge, within?).first()?));
        // Against the edge direction, the inner side is on the right.
        let mut own = edges(&self.hull).map(|[p, q]| Segment { p: q, q: p });
        let gap = own.find_map(|edge| exposed(&edge, Some(edge.whole())));
        gap.or_else(|| self.edges_near(0.0).iter().find_map(|edge| exposed(edge, self.inside(edge))))
    }

    /// Returns the intervals of an edge that are boundary of the union of the hulls.
    fn exposed(&self, edge: &Segment, interval: SubSegment) -> Vec<SubSegment> {
        let near = self.tree.near(&edge.aabb());
        edge.exposed(interval, &mapped(&near, |&i| &self.part_hulls[i as usize]))
    }

    /// Returns the edges of parts with area near the hull.
    fn edges_near(&self, distance: f64) -> Vec<Segment> {
        let (own, mut near) = (Aabb::of_points(&self.hull), Vec::new());
        for part in &self.part_hulls {
            let is_near = |edge: &Segment| part.has_area() && edge.is_near(&own, distance);
            near.append(&mut filter_mapped(part.edges(), |edge| is_near(&edge).then_some(edge)));
        }
        near
    }

    /// Returns the interval of an edge inside the hull.
    fn inside(&self, edge: &Segment) -> Option<SubSegment> {
        let on = |side| self.hull.iter().any(|&vertex| orientation(edge.p, edge.q, vertex) == side);
        if !on(Greater) || !on(Less) {
            return None;
        }
        edge.within(&self.hull).filter(|&[enter, leave]| edge.compare(enter, leave) == Less)
    }

    /// Returns a point of the boundary of the union that is closer than the margin.
    fn point_too_near(&self) -> Option<DVec2> {
        let mut thick = self.b.convex.clone();
        thick.radius = self.margin;
        let b = Part { convex: &thick, pose: self.b.pose };
        for edge in self.edges_near(self.margin) {
            for interval in self.exposed(&edge, edge.whole()) {
                if !is_clear(b, &edge, interval) {
                    return Some(nearest(b, &edge, interval));
                }
            }
        }
        None
    }
}

/// Returns the midpoint of an interval, rounded.
fn middle(edge: &Segment, interval: SubSegment) -> DVec2 {
    let [p, q] = both(interval, |position| edge.at(position));
    p + (q - p) * 0.5
}

/// Returns the point of an interval closest to a part without its radius, rounded.
fn nearest(b: Part<'_>, edge: &Segment, interval: SubSegment) -> DVec2 {
    let [p, q] = both(interval, |position| edge.at(position));
    let (line, mut thin) = (Convex::segment(p, q, 0.0), b.convex.clone());
    thin.radius = 0.0;
    convex_pair::distance(Part { convex: &line, pose: Pose::IDENTITY }, Part { convex: &thin, pose: b.pose }).point_a
}

/// Returns true if a part overlaps no interval of an edge. Crossings with lines are rounded. An
/// uncertain case counts as an overlap.
fn is_clear(b: Part<'_>, edge: &Segment, interval: SubSegment) -> bool {
    if let [Some(p), Some(q)] = both(interval, |position| edge.point_at(position)) {
        let line = Convex::segment(p, q, 0.0);
        return fast_path::relation_of_parts(Part { convex: &line, pose: Pose::IDENTITY }, b) != Relation::Overlapping;
    }
    let [p, q] = both(interval, |position| edge.at(position));
    let line = Convex::segment(p, q, 0.0);
    let line = Part { convex: &line, pose: Pose::IDENTITY };
    let scale =
        norm1(p) + norm1(edge.q - edge.p) + b.convex.radius + b.convex.bounding_radius + norm1(b.pose.translation());
    convex_pair::distance(line, b).distance > 64.0 * f64::EPSILON * scale
}
