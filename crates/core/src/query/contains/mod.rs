//! Does one shape lie wholly in another?
//!
//! A convex part lies in another where all its points do, by as much as the radii ask for. In a union of parts it lies where one of them holds it, or else where it has no place
//! that none of them covers. Such places show along lines: beside its own edges, on their inner side, or inside it beside the edges of the parts, on their
//! outer side. So it is enough to look along edges, at the exact stretches that lie in parts which reach to that side.
//!
//! Of shapes with radii that is asked about the hulls first, which are held with as much to spare if so. Where they are not, the round outlines decide ([`rounded`]).

mod clearance;
mod explain;
mod rounded;

use alloc::vec::Vec;
use core::cmp::Ordering::{Greater, Less};
use core::ops::ControlFlow::{self, Break, Continue};

use glam::DVec2;

use crate::math::both::both;
use crate::math::pose::Pose;
use crate::math::predicates::orientation;
use crate::math::vector::norm1;
use crate::query::dual_traversal::{PairVisitor, traverse};
use crate::query::exact::Relation;
use crate::query::ray::convex::circle_at;
use crate::query::union_boundary::boundary::UnionPart;
use crate::query::union_boundary::sub_segment::{Segment, SubSegment, bounds, placed_hull, surrounded};
use crate::query::{convex_pair, fast_path};
use crate::shape::convex::Convex;
use crate::shape::part::Part;
use crate::shape::{Placed, Shape};
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
    match a.as_part() {
        Some(a) => b.parts().all(|b| holds(a, b)),
        None => b.parts().all(|b| !matches!(held_by_union(a, b), Containment::Outside { .. })),
    }
}

/// Does a convex part hold another?
fn holds(a: Part<'_>, b: Part<'_>) -> bool {
    if a.convex.radius < b.convex.radius {
        return clearance::holds(a, b);
    }
    // Every point of b's hull is no farther from a's hull than the radii leave.
    b.points().all(|point| {
        let (point, pose) = circle_at(point, -b.convex.radius);
        fast_path::relation_of_parts(a, Part { convex: &point, pose }) != Relation::Apart
    })
}

/// Which parts of a union hold a convex part?
#[inline(never)]
fn held_by_union(a: Placed<'_>, b: Part<'_>) -> Containment {
    let alone = Shape::from(b.convex.clone());
    let mut near = Near { parts: Vec::new(), holder: None };
    traverse(a, alone.placed(b.pose), &mut near);
    match near.holder {
        Some(part) => Containment::InPart(part),
        None => Union::new(a, &near.parts, b).gap().map_or(Containment::InUnion, |at| Containment::Outside { at }),
    }
}

/// The parts that come near, until one of them holds `b` alone.
struct Near {
    parts: Vec<u32>,
    holder: Option<u32>,
}

impl PairVisitor for Near {
    fn min_depth(&self) -> f64 {
        0.0
    }

    fn visit(&mut self, (i, a): (u32, Part<'_>), (_, b): (u32, Part<'_>)) -> ControlFlow<()> {
        self.parts.push(i);
        if holds(a, b) {
            self.holder = Some(i);
            return Break(());
        }
        Continue(())
    }
}

/// The hulls of some parts, and what they are to hold together.
struct Union<'a> {
    /// Without radii.
    patches: Vec<UnionPart>,
    parts: Vec<Part<'a>>,
    b: Part<'a>,
    hull: Vec<DVec2>,
    /// How far from the boundary of the union `b` has to stay.
    margin: f64,
}

impl<'a> Union<'a> {
    fn new(a: Placed<'a>, parts: &[u32], b: Part<'a>) -> Self {
        let parts: Vec<Part<'a>> = parts.iter().map(|&i| a.part(i)).collect();
        let thinnest = parts.iter().map(|part| part.convex.radius).fold(f64::INFINITY, f64::min);
        let margin = b.convex.radius - thinnest.min(b.convex.radius);
        // Rounded up where it is not exact.
        let margin = if thinnest > 0.0 && margin > 0.0 { margin.next_up() } else { margin };
        let patches = parts.iter().map(|&part| UnionPart::new(part));
        // What has no area leaves no room to either side.
        let patches = patches.filter(|patch| margin == 0.0 || patch.has_area()).collect();
        Self { patches, parts, b, hull: placed_hull(b), margin }
    }

    /// A place where the union does not hold `b`, rounded; none where it does.
    fn gap(&self) -> Option<DVec2> {
        let gap = self.gap_between_hulls()?;
        let radius = self.b.convex.radius;
        let is_round = radius > 0.0 || self.parts.iter().any(|part| part.convex.radius > 0.0);
        if !is_round || (radius == 0.0 && self.hull.len() < 2) {
            return Some(gap);
        }
        let others: Vec<Rounded> =
            self.parts.iter().map(|&part| Rounded::new(placed_hull(part), part.convex.radius)).collect();
        rounded::gap(&others, &Rounded::new(self.hull.clone(), radius))
    }

    /// The same where the hulls of the parts are to hold `b` with a margin.
    fn gap_between_hulls(&self) -> Option<DVec2> {
        let gap = match *self.hull {
            // There is a point at least.
            [] => Some(DVec2::ZERO),
            [p] => self.gap_at(p),
            [p, q] => self.gap_along(Segment { p, q }),
            _ => self.gap_in_polygon(),
        };
        gap.or_else(|| if self.margin == 0.0 { None } else { self.place_too_near() })
    }

    /// A point without a margin would lie in a single part.
    fn gap_at(&self, p: DVec2) -> Option<DVec2> {
        let held = self.margin > 0.0 && surrounded(p, self.patches.iter().map(|patch| &*patch.hull));
        (!held).then_some(p)
    }

    fn gap_along(&self, segment: Segment) -> Option<DVec2> {
        let covers = self.patches.iter().filter_map(|patch| segment.within(&patch.hull)).collect();
        segment.uncovered(Segment::WHOLE, covers).first().map(|&stretch| middle(&segment, stretch))
    }

    fn gap_in_polygon(&self) -> Option<DVec2> {
        let count = self.hull.len();
        let mut own = (0..count).map(|i| Segment { p: self.hull[(i + 1) % count], q: self.hull[i] });
        let exposed = |edge: Segment, stretch| {
            edge.exposed(stretch, &self.patches).first().map(|&stretch| middle(&edge, stretch))
        };
        // Against its direction the inner side is on the right.
        own.find_map(|edge| exposed(edge, Segment::WHOLE)).or_else(|| {
            self.edges_near(0.0).find_map(|edge| self.inside(&edge).and_then(|stretch| exposed(edge, stretch)))
        })
    }

    /// The edges of parts with an area that come near to the hull.
    fn edges_near(&self, reach: f64) -> impl Iterator<Item = Segment> {
        let own = bounds(&self.hull);
        let patches = self.patches.iter().filter(|patch| patch.has_area());
        patches.flat_map(UnionPart::edges).filter(move |edge| edge.is_near(&own, reach))
    }

    /// The stretch of an edge that goes through the inside of the hull.
    fn inside(&self, edge: &Segment) -> Option<SubSegment> {
        let on = |side| self.hull.iter().any(|&corner| orientation(edge.p, edge.q, corner) == side);
        if !on(Greater) || !on(Less) {
            return None;
        }
        edge.within(&self.hull).filter(|&[enter, leave]| edge.compare(enter, leave) == Less)
    }

    /// Where the boundary of the union is nearer than the margin.
    fn place_too_near(&self) -> Option<DVec2> {
        let mut thick = self.b.convex.clone();
        thick.radius = self.margin;
        let b = Part { convex: &thick, pose: self.b.pose };
        self.edges_near(self.margin).find_map(|edge| {
            let exposed = edge.exposed(Segment::WHOLE, &self.patches);
            exposed.into_iter().find(|&stretch| !is_clear(b, &edge, stretch)).map(|stretch| nearest(b, &edge, stretch))
        })
    }
}

/// The middle of a stretch, rounded.
fn middle(edge: &Segment, stretch: SubSegment) -> DVec2 {
    let [p, q] = both(stretch, |place| edge.at(place));
    p + (q - p) * 0.5
}

/// The point of a stretch that is nearest to a part without its radius, rounded.
fn nearest(b: Part<'_>, edge: &Segment, stretch: SubSegment) -> DVec2 {
    let [p, q] = both(stretch, |place| edge.at(place));
    let (line, mut thin) = (Convex::segment(p, q, 0.0), b.convex.clone());
    thin.radius = 0.0;
    convex_pair::distance(Part { convex: &line, pose: Pose::IDENTITY }, Part { convex: &thin, pose: b.pose }).point_a
}

/// Does a part overlap no stretch of an edge? Where a line crosses the edge, the place is rounded, and what is too close to tell counts as overlapping.
fn is_clear(b: Part<'_>, edge: &Segment, stretch: SubSegment) -> bool {
    if let [Some(p), Some(q)] = both(stretch, |place| edge.point_at(place)) {
        let line = Convex::segment(p, q, 0.0);
        return fast_path::relation_of_parts(Part { convex: &line, pose: Pose::IDENTITY }, b) != Relation::Overlapping;
    }
    let [p, q] = both(stretch, |place| edge.at(place));
    let line = Convex::segment(p, q, 0.0);
    let line = Part { convex: &line, pose: Pose::IDENTITY };
    let scale =
        norm1(p) + norm1(edge.q - edge.p) + b.convex.radius + b.convex.bounding_radius + norm1(b.pose.translation());
    convex_pair::distance(line, b).distance > 64.0 * f64::EPSILON * scale
}
