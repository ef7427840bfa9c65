//! Decides whether an overlap at the start stops a motion.
//!
//! Input: two sweeps whose shapes overlap at the start. Output: the first impact that stops them.
//!
//! The simple version ignores colliders that overlap at the start. Then a collider that was pushed out of a wall, and
//! overlaps it by a rounding error, passes through the whole wall.
//!
//! ```text
//! if the motion increases the depth at a point of contact, and the overlap is shallow: the impact is at time 0
//! else if the overlap is a rounding error: the first impact of the other parts
//! else: none
//! ```
//!
//! The parts that overlap at the start are tested only there. So a shape that turns can get deeper later.

use glam::DVec2;

use crate::math::vector::{length, norm1};
use crate::query::{Impact, collide, first_that_counts};
use crate::shape::Sweep;

/// Relative rounding error of a motion along a normal, and of a depth.
const ROUNDING: f64 = 1e-12;
/// Largest gap at an impact, relative to the size.
const IMPACT_TOLERANCE: f64 = 1e-7;

/// The start of two colliders that overlap there, and their motions.
pub(super) struct StartOverlap<'a> {
    pub(super) sweeps: [Sweep<'a>; 2],
    /// The impact at time 0 of the deepest parts.
    pub(super) deepest: Impact,
}

impl StartOverlap<'_> {
    /// Returns the first impact that stops a motion.
    ///
    /// Parts that overlap at the start stop a motion that increases the depth of a shallow overlap. If the overlap is a
    /// rounding error, the other parts count too. Otherwise they do not count: a shape that has sunk into a floor of
    /// flush parts would stop at the side of the next part.
    pub(super) fn first_impact(&self) -> Option<Impact> {
        let [a, b] = &self.sweeps;
        let depth = self.deepest.initial_depth.unwrap_or(0.0);
        let is_rounding = depth <= ROUNDING * self.size(f64::max);
        let is_turning = a.angle() != 0.0 || b.angle() != 0.0;
        if is_turning && self.is_shallow(depth, self.deepest.normal) {
            // The deepest point can rise while the other end of the contact goes down.
            let contact = collide(a.start(), b.start())?;
            if contact.points().iter().any(|point| self.leads_deeper(point.position(), contact.normal)) {
                return Some(self.deepest);
            }
        }
        first_that_counts(self.deepest, a, b, &|impact| match impact.initial_depth {
            Some(depth) => self.leads_deeper(impact.point, impact.normal) && self.is_shallow(depth, impact.normal),
            None => is_rounding,
        })
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

    /// Returns true if no collider in motion overlaps the other one by more than half of its own extent along the
    /// normal, and neither box contains the other. Overlaps within the tolerance of impacts are always shallow.
    fn is_shallow(&self, depth: f64, normal: DVec2) -> bool {
        let [a, b] = [0, 1].map(|i| self.sweeps[i].start().aabb());
        let half_extent = |sweep: &Sweep<'_>| {
            let placed = sweep.start();
            0.5 * (placed.support_point(normal) - placed.support_point(-normal)).dot(normal)
        };
        let mut moving = self.sweeps.iter().filter(|sweep| !sweep.is_still());
        depth <= IMPACT_TOLERANCE * self.size(f64::min)
            || !a.contains(&b) && !b.contains(&a) && moving.all(|sweep| depth <= half_extent(sweep))
    }

    /// Returns the smaller or larger diagonal of the two boxes.
    fn size(&self, choose: fn(f64, f64) -> f64) -> f64 {
        let [a, b] = [0, 1].map(|i| length(self.sweeps[i].start().aabb().size()));
        choose(a, b)
    }
}
