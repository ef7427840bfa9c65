//! Does one shape lie wholly in another?
//!
//! A convex part lies in another where all its points do, by as much as the radii ask for. In a union of parts it lies where one of them holds it, or else where it has no place
//! that none of them covers. Such places show along lines: beside its own edges, on their inner side, or inside it beside the edges of the parts, on their
//! outer side. So it is enough to look along edges, at the exact stretches that lie in parts which reach to that side.

mod margin;

use alloc::vec::Vec;
use core::cmp::Ordering::{Greater, Less};
use core::ops::ControlFlow::{self, Break, Continue};

use glam::DVec2;

use crate::math::pose::Pose;
use crate::math::predicates::orientation;
use crate::math::vector::norm1;
use crate::query::exact::Relation;
use crate::query::kernel;
use crate::query::ray::passage::circle_at;
use crate::query::union::outline::Patch;
use crate::query::union::stretch::{Segment, Stretch, bounds, placed_hull, surrounded};
use crate::query::walk::{Search, search};
use crate::shape::convex::Convex;
use crate::shape::part::Part;
use crate::shape::{Placed, Shape};

/// Does `b` lie wholly in `a`, boundaries included?
///
/// Exact, for convex shapes and for shapes of many parts: `b` may lie across their seams, and children of compounds may overlap in any way.
///
/// Two answers are `false` where the truth may be yes, never the other way round. Where no single part of `a` holds a part of `b` and a's parts have
/// radii, they are taken for their hulls and `b` for as much thinner: then a `b` that reaches into the round rim across a seam is not held. And a `b` with a
/// radius that comes as near as rounding to a place in which outlines of a's children cross is not.
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
pub fn contains(a: Placed<'_>, b: Placed<'_>) -> bool {
    match a.as_part() {
        Some(a) => b.parts().all(|b| holds(a, b)),
        None => b.parts().all(|b| union_holds(a, b)),
    }
}

/// Does a convex part hold another?
fn holds(a: Part<'_>, b: Part<'_>) -> bool {
    if a.convex.radius < b.convex.radius {
        return margin::holds(a, b);
    }
    // Every point of b's hull is no farther from a's hull than the radii leave.
    b.points().all(|point| {
        let (point, pose) = circle_at(point, -b.convex.radius);
        kernel::relation(a, Part { convex: &point, pose }) != Relation::Apart
    })
}

/// Does the union of parts hold a convex part?
#[inline(never)]
fn union_holds(a: Placed<'_>, b: Part<'_>) -> bool {
    let alone = Shape::from(b.convex.clone());
    let mut near = Near { parts: Vec::new(), held: false };
    search(a, alone.placed(b.pose), &mut near);
    near.held || Union::new(a, &near.parts, b).holds()
}

/// The parts that come near, until one of them holds `b` alone.
struct Near {
    parts: Vec<u32>,
    held: bool,
}

impl Search for Near {
    fn floor(&self) -> f64 {
        0.0
    }

    fn look(&mut self, (i, a): (u32, Part<'_>), (_, b): (u32, Part<'_>)) -> ControlFlow<()> {
        self.parts.push(i);
        self.held = holds(a, b);
        if self.held { Break(()) } else { Continue(()) }
    }
}

/// The hulls of some parts, and what they are to hold together.
struct Union<'a> {
    patches: Vec<Patch>,
    b: Part<'a>,
    hull: Vec<DVec2>,
    /// How far from the boundary of the union `b` has to stay.
    margin: f64,
}

impl<'a> Union<'a> {
    fn new(a: Placed<'_>, parts: &[u32], b: Part<'a>) -> Self {
        let thinnest = parts.iter().map(|&i| a.part(i).convex.radius).fold(f64::INFINITY, f64::min);
        let margin = b.convex.radius - thinnest.min(b.convex.radius);
        // Rounded up where it is not exact.
        let margin = if thinnest > 0.0 && margin > 0.0 { margin.next_up() } else { margin };
        let patches = parts.iter().map(|&i| Patch::new(a.part(i)));
        // What has no area leaves no room to either side.
        let patches = patches.filter(|patch| margin == 0.0 || patch.has_area()).collect();
        Self { patches, b, hull: placed_hull(b), margin }
    }

    fn holds(&self) -> bool {
        let hull = match *self.hull {
            [] => false,
            [p] => self.holds_point(p),
            [p, q] => self.holds_segment(Segment { p, q }),
            _ => self.holds_polygon(),
        };
        hull && (self.margin == 0.0 || self.keeps_away())
    }

    /// A point without a margin would lie in a single part.
    fn holds_point(&self, p: DVec2) -> bool {
        self.margin > 0.0 && surrounded(p, self.patches.iter().map(|patch| &*patch.hull))
    }

    fn holds_segment(&self, segment: Segment) -> bool {
        let covers = self.patches.iter().filter_map(|patch| segment.within(&patch.hull)).collect();
        segment.uncovered(Segment::WHOLE, covers).is_empty()
    }

    fn holds_polygon(&self) -> bool {
        let count = self.hull.len();
        let mut own = (0..count).map(|i| Segment { p: self.hull[(i + 1) % count], q: self.hull[i] });
        // Against its direction the inner side is on the right.
        own.all(|edge| edge.exposed(Segment::WHOLE, &self.patches).is_empty())
            && self.edges_near(0.0).all(|edge| self.inside(&edge).is_none_or(|stretch| edge.exposed(stretch, &self.patches).is_empty()))
    }

    /// The edges of parts with an area that come near to the hull.
    fn edges_near(&self, reach: f64) -> impl Iterator<Item = Segment> {
        let own = bounds(&self.hull);
        let patches = self.patches.iter().filter(|patch| patch.has_area());
        patches.flat_map(Patch::edges).filter(move |edge| edge.is_near(&own, reach))
    }

    /// The stretch of an edge that goes through the inside of the hull.
    fn inside(&self, edge: &Segment) -> Option<Stretch> {
        let on = |side| self.hull.iter().any(|&corner| orientation(edge.p, edge.q, corner) == side);
        if !on(Greater) || !on(Less) {
            return None;
        }
        edge.within(&self.hull).filter(|&[enter, leave]| edge.compare(enter, leave) == Less)
    }

    /// Is the boundary of the union nowhere nearer than the margin?
    fn keeps_away(&self) -> bool {
        let mut thick = self.b.convex.clone();
        thick.radius = self.margin;
        let b = Part { convex: &thick, pose: self.b.pose };
        self.edges_near(self.margin)
            .all(|edge| edge.exposed(Segment::WHOLE, &self.patches).iter().all(|&stretch| is_clear(b, &edge, stretch)))
    }
}

/// Does a part overlap no stretch of an edge? Where a line crosses the edge, the place is rounded, and what is too close to tell counts as overlapping.
fn is_clear(b: Part<'_>, edge: &Segment, stretch: Stretch) -> bool {
    if let [Some(p), Some(q)] = stretch.map(|place| edge.point_at(place)) {
        let line = Convex::segment(p, q, 0.0);
        return kernel::relation(Part { convex: &line, pose: Pose::IDENTITY }, b) != Relation::Overlapping;
    }
    let [p, q] = stretch.map(|place| edge.at(place));
    let line = Convex::segment(p, q, 0.0);
    let line = Part { convex: &line, pose: Pose::IDENTITY };
    let scale = norm1(p) + norm1(edge.q - edge.p) + b.convex.radius + b.convex.reach + norm1(b.pose.translation());
    kernel::distance(line, b).distance > 64.0 * f64::EPSILON * scale
}
