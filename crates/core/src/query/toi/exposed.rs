//! Corrects normals of impacts with unions: a vertex between two flush parts is not a vertex of the
//! union.
//!
//! Input: an impact and both sweeps. Output: the impact, with another normal, point and parts if an
//! edge is as close. The earliest pair of parts alone does not give the normal. Two flush parts are
//! in contact within the tolerance at the same time, and the vertex of one may be found first.
//!
//! ```text
//! if the normal is that of an edge, for each union: return the impact
//! for each pair of parts in contact at the time of the impact
//!     if it is at least as close and has fewer vertices in contact: return it instead; the closest first
//! ```
//!
//! This is correct because the vertex is at least as far from the other shape as the adjacent edge
//! of the neighbouring part.

use core::ops::ControlFlow::Continue;

use glam::DVec2;

use super::conservative_advancement::contact_at;
use super::relative_motion::RelativeMotion;
use super::{Impact, of_parts};
use crate::math::both::both;
use crate::query::dual_traversal::visit_near;
use crate::shape::Sweep;
use crate::shape::part::Part;

/// Directions with a smaller sine of their angle count as equal.
const ALIKE: f64 = 1e-9;

/// Replaces an impact at a vertex of a union by that at the closest edge, if the edge is at least
/// as close. Returns normal, point and parts.
#[inline]
pub(super) fn exposed(impact: Impact, sweeps: [&Sweep<'_>; 2]) -> Impact {
    // Only the rotations matter.
    let turned = |i: usize, part: u32| {
        let sweep = sweeps[i];
        (if sweep.angle() == 0.0 { sweep.start() } else { sweep.at(impact.time) }).part(part)
    };
    if impact.initial_depth.is_some()
        || vertices_in_contact(sweeps, [turned(0, impact.part_a), turned(1, impact.part_b)], impact.normal) == 0
    {
        return impact;
    }
    nearest_side(impact, sweeps)
}

/// Counts the unions with a vertex in contact: the normal is that of no edge of its part.
fn vertices_in_contact(sweeps: [&Sweep<'_>; 2], parts: [Part<'_>; 2], normal: DVec2) -> usize {
    let is_at_vertex = |&i: &usize| {
        let normal = parts[i].pose.inverse_rotate_vector(normal) * [1.0, -1.0][i];
        let is_alike = |edge: DVec2| edge.perp_dot(normal).abs() <= ALIKE && edge.dot(normal) > 0.0;
        let convex = parts[i].convex;
        sweeps[i].start().shape().part_count() > 1
            && !(0..convex.edge_count()).any(|edge| is_alike(convex.normal(edge)))
    };
    (0..2).filter(is_at_vertex).count()
}

/// Searches all pairs of parts in contact for a better normal.
#[cold]
#[inline(never)]
fn nearest_side(impact: Impact, sweeps: [&Sweep<'_>; 2]) -> Impact {
    let parts = both([(0, impact.part_a), (1, impact.part_b)], |(i, part)| sweeps[i].start().part(part));
    let (gap, max_gap) = RelativeMotion::new(parts[0], parts[1], sweeps).with_precise_frame(|motion| {
        let tolerance = motion.tolerance();
        (contact_at(motion, impact.time).0 + 4.0 * tolerance.rounding, tolerance.contact)
    });
    let placed = both(sweeps, |sweep| sweep.at(impact.time));
    let vertex_count =
        vertices_in_contact(sweeps, [placed[0].part(impact.part_a), placed[1].part(impact.part_b)], impact.normal);
    let mut nearest = ClosestContact { sweeps, first: impact, gap, vertex_count, found: None };
    visit_near(placed[0], placed[1], max_gap, &mut |a, b| {
        nearest.visit(a, b);
        Continue(())
    });
    nearest.found.unwrap_or(impact)
}

/// The closest contact with fewer vertices in contact.
struct ClosestContact<'a> {
    /// Both sweeps.
    sweeps: [&'a Sweep<'a>; 2],
    /// The impact to replace.
    first: Impact,
    /// Contacts that are farther apart, or with as many vertices, do not count.
    gap: f64,
    /// Number of vertices in contact at the first impact.
    vertex_count: usize,
    /// The best contact so far.
    found: Option<Impact>,
}

impl ClosestContact<'_> {
    /// Compares the contact of two parts with the best one.
    fn visit(&mut self, (i, a): (u32, Part<'_>), (j, b): (u32, Part<'_>)) {
        let (time, [p, q]) = (self.first.time, [self.sweeps[0].start().part(i), self.sweeps[1].start().part(j)]);
        let (gap, impact, rests) = RelativeMotion::new(p, q, self.sweeps).with_precise_frame(|motion| {
            let (gap, hit) = contact_at(motion, time);
            (gap, Impact::of(motion, &hit), contact_at(motion, 0.0).0 <= motion.tolerance().contact)
        });
        let key = |impact: &Impact| (impact.part_a, impact.part_b);
        let impact = Impact { part_a: i, part_b: j, ..impact };
        let is_nearer =
            gap < self.gap || (gap == self.gap && self.found.is_none_or(|found| key(&impact) < key(&found)));
        // Parts that rest on each other do not count.
        let counts = || !rests || of_parts((&p, self.sweeps[0]), (&q, self.sweeps[1]), time).is_some();
        if is_nearer && vertices_in_contact(self.sweeps, [a, b], impact.normal) < self.vertex_count && counts() {
            (self.gap, self.found) = (gap, Some(impact));
        }
    }
}
