//! Decides whether an overlap at the start stops a motion.
//!
//! Input: two sweeps whose shapes overlap at the start. Output: the first impact that stops them.
//!
//! The simple version ignores colliders that overlap at the start. Then a collider that was pushed out of a wall, and
//! overlaps it by a rounding error, passes through the whole wall.
//!
//! ```text
//! if the motion increases the depth at a point of contact, and the overlap is shallow: the impact is at time 0
//! else if the overlap is shallow: the first impact of the other parts
//! else: none
//! ```
//!
//! The parts that overlap at the start are tested only there. So a shape that turns can get deeper later.

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::sort::sort_cold;
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::query::{ContactPoint, Impact, Manifold, first_after_slides, first_that_counts, manifolds_within};
use crate::shape::{Placed, Sweep};

/// Relative rounding error of a motion along a normal.
const ROUNDING: f64 = 1e-12;
/// Largest gap at an impact, relative to the size.
const IMPACT_TOLERANCE: f64 = 1e-7;
/// Rounding error of the gap at an impact, in units of the last place of the coordinates.
const ULPS: f64 = 8.0;

/// The start of two colliders that overlap there, and their motions.
pub(super) struct StartOverlap<'a> {
    pub(super) sweeps: [Sweep<'a>; 2],
    /// The impact at time 0 of the deepest parts.
    pub(super) deepest: Impact,
}

impl StartOverlap<'_> {
    /// Returns the first accepted impact that stops a motion. `counts` returns true for accepted impacts.
    /// [`first_after_slides`] defines `least_gap`.
    ///
    /// Parts that overlap at the start stop a motion that increases the depth of a shallow overlap. If the deepest
    /// overlap is shallow, the other parts count too. Otherwise a shape leaves the collider in which it starts.
    pub(super) fn first_impact(&self, least_gap: f64, counts: &dyn Fn(&Impact) -> bool) -> Option<Impact> {
        let [a, b] = &self.sweeps;
        let depth = self.deepest.initial_depth.unwrap_or(0.0);
        let is_shallow = self.is_shallow(depth, self.deepest.normal);
        let is_turning = a.angle() != 0.0 || b.angle() != 0.0;
        if is_turning && is_shallow {
            // The deepest point can rise while another one goes down, which can be apart by a rounding error.
            let mut contacts = Vec::new();
            manifolds_within(a.start(), b.start(), impact_tolerance([a.start(), b.start()]), &mut contacts);
            contacts.retain(|contact| contact.depth > 0.0);
            let parts = |contact: &Manifold| [contact.part_a, contact.part_b];
            // The deepest one first.
            let key =
                |contact: &Manifold| (parts(contact) != [self.deepest.part_a, self.deepest.part_b], parts(contact));
            sort_cold(&mut contacts, |p, q| key(p).cmp(&key(q)));
            for contact in &contacts {
                let leads_deeper = |point: &ContactPoint| self.leads_deeper(point.position(), contact.normal);
                let impact = Impact::at_start(contact);
                if self.is_shallow(contact.depth, contact.normal)
                    && contact.points().iter().any(leads_deeper)
                    && counts(&impact)
                {
                    return Some(impact);
                }
            }
        }
        let stops = |impact: &Impact| match impact.initial_depth {
            Some(depth) => {
                self.leads_deeper(impact.point, impact.normal)
                    && self.is_shallow(depth, impact.normal)
                    && counts(impact)
            }
            None => counts(impact),
        };
        if is_shallow {
            let are_parts = a.as_part().is_some() && b.as_part().is_some();
            return if stops(&self.deepest) {
                Some(self.deepest)
            } else if are_parts {
                None
            } else {
                first_after_slides(a, b, least_gap, &stops)
            };
        }
        first_that_counts(self.deepest, a, b, &|impact| impact.initial_depth.is_some() && stops(impact))
    }

    /// Returns true if the motion increases the depth at a point of contact.
    fn leads_deeper(&self, point: DVec2, normal: DVec2) -> bool {
        let (mut approach, mut terms) = (0.0, 0.0);
        for (sweep, sign) in self.sweeps.iter().zip([1.0, -1.0]) {
            let (translation, angle, origin) = (sweep.translation(), sweep.angle(), sweep.start().pose().translation());
            let arm = point - origin;
            approach += sign * (translation + arm.perp() * angle).dot(normal);
            terms += norm1(translation) + angle.abs() * (norm1(arm) + norm1(point) + norm1(origin));
        }
        approach > ROUNDING * terms
    }

    /// Returns true if the overlap at the start is shallow.
    fn is_shallow(&self, depth: f64, normal: DVec2) -> bool {
        is_shallow([0, 1].map(|i| (self.sweeps[i].start(), !self.sweeps[i].is_still())), depth, normal)
    }
}

/// Returns true if no collider in motion overlaps the other one by more than half of its own extent along the
/// normal, and none starts inside the other one. Overlaps within the tolerance of impacts are always shallow.
pub(super) fn is_shallow(pair: [(Placed<'_>, bool); 2], depth: f64, normal: DVec2) -> bool {
    let boxes = [0, 1].map(|i| pair[i].0.aabb());
    let half_extent =
        |placed: Placed<'_>| 0.5 * (placed.support_point(normal) - placed.support_point(-normal)).dot(normal);
    // The box of a rotated or concave collider can contain that of a collider outside.
    let is_inside = |inner: usize, outer: usize| {
        boxes[outer].contains(&boxes[inner]) && pair[outer].0.contains_point(boxes[inner].center()).unwrap_or(false)
    };
    let mut moving = pair.iter().filter(|(_, moves)| *moves);
    depth <= impact_tolerance([pair[0].0, pair[1].0])
        || moving.all(|(placed, _)| depth <= half_extent(*placed)) && !is_inside(0, 1) && !is_inside(1, 0)
}

/// Returns the largest gap at an impact that counts as touching, a length.
fn impact_tolerance(pair: [Placed<'_>; 2]) -> f64 {
    let [a, b] = pair.map(|placed| length(placed.aabb().size()));
    let far: f64 = pair.iter().map(|placed| norm1(placed.pose().translation())).sum();
    IMPACT_TOLERANCE * a.min(b) + ULPS * UNIT_ROUNDOFF * far
}
