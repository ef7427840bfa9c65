//! Two convex parts in motion, seen from the pivot of the first: the frame in which nothing is large once they are near each other.
//!
//! A part moves with its shape's pose: it turns about that pose's origin, its *pivot*, which goes straight on. Only the way between the two pivots is
//! long, and only there do digits cancel: it is kept to twice the digits ([`Twofold`]).

use glam::DVec2;

use crate::math::pose::Pose;
use crate::math::twofold::Twofold;
use crate::math::vector::{U, length, norm1, sqrt};
use crate::query::pair::Pair;
use crate::shape::Sweep;
use crate::shape::part::Part;

/// The relative motion of two parts; number 0 is the first, 1 the second.
pub(super) struct Motion<'a> {
    parts: [Part<'a>; 2],
    /// From the pivot to the origin of the part, at the start.
    arms: [DVec2; 2],
    /// By how much each turns.
    pub(super) turning: [f64; 2],
    /// No point of the hull is farther from the pivot than this.
    pub(super) reach: [f64; 2],
    /// The sum of both radii.
    pub(super) radius: f64,
    /// From the pivot of a to that of b, at the start.
    apart: [Twofold; 2],
    /// How far that moves.
    travel: [Twofold; 2],
    /// Where the pivot of a starts, and how far it moves.
    origin: [DVec2; 2],
    /// The largest coordinate, reach or length of motion.
    largest: f64,
}

impl<'a> Motion<'a> {
    pub(super) fn new(a: Part<'a>, b: Part<'a>, sweeps: [&Sweep<'_>; 2]) -> Self {
        let parts = [a, b];
        let turning = sweeps.map(Sweep::angle);
        // What does not turn has no need of a pivot elsewhere.
        let pivot = |i: usize| if turning[i] == 0.0 { parts[i].pose } else { sweeps[i].start().pose() }.translation();
        let (p, q) = (pivot(0), pivot(1));
        let arms = [a.pose.translation() - p, b.pose.translation() - q];
        let reach = [0, 1].map(|i| parts[i].convex.reach + if arms[i] == DVec2::ZERO { 0.0 } else { length(arms[i]) * (1.0 + 4.0 * U) });
        let [d, e] = sweeps.map(Sweep::translation);
        let arcs = [0, 1].map(|i| reach[i] * turning[i].abs().max(1.0));
        let vectors = [a.pose.translation(), b.pose.translation(), p, q, d, e];
        let largest = vectors.iter().map(|v| v.abs().max_element()).fold(arcs[0].max(arcs[1]), f64::max);
        Self {
            parts,
            arms,
            turning,
            reach,
            radius: a.convex.radius + b.convex.radius,
            apart: [Twofold::difference(q.x, p.x), Twofold::difference(q.y, p.y)],
            travel: [Twofold::difference(e.x, d.x), Twofold::difference(e.y, d.y)],
            origin: [p, d],
            largest,
        }
    }

    /// From the pivot of a to that of b.
    #[inline(always)]
    pub(super) fn offset(&self, time: f64) -> DVec2 {
        DVec2::new(self.apart[0].plus(time, self.travel[0]), self.apart[1].plus(time, self.travel[1]))
    }

    /// How fast that changes.
    #[inline(always)]
    pub(super) fn velocity(&self) -> DVec2 {
        DVec2::new(self.travel[0].rounded(), self.travel[1].rounded())
    }

    /// The parts at a time, seen from the pivot of a, where that of b is at `offset`.
    #[inline(always)]
    pub(super) fn pair(&self, time: f64, offset: DVec2) -> Pair<'a> {
        let [a, b] = &self.parts;
        Pair::new(Part { pose: self.pose(0, time, DVec2::ZERO), ..*a }, Part { pose: self.pose(1, time, offset), ..*b })
    }

    #[inline(always)]
    fn pose(&self, i: usize, time: f64, pivot: DVec2) -> Pose {
        let (start, arm, angle) = (&self.parts[i].pose, self.arms[i], self.turning[i] * time);
        let turned = start.turned(angle, pivot);
        // The arm turns by the same angle; its direction is not that of the part.
        if arm == DVec2::ZERO { turned } else { turned.turned(0.0, Pose::IDENTITY.turned(angle, pivot).apply(arm)) }
    }

    /// From the frame of the pivot of a into the world.
    #[inline(always)]
    pub(super) fn in_world(&self, point: DVec2, time: f64) -> DVec2 {
        self.origin[0] + self.origin[1] * time + point
    }

    /// How near counts as contact.
    pub(super) fn tolerance(&self) -> Tolerance {
        let size = self.parts.iter().map(size).fold(0.0, f64::max);
        // An ulp of the largest number is between this and its double.
        let ulp = U * self.largest;
        // Without turning every corner is turned as it was at the start, to the bit, and only sums are rounded. Denormal numbers are whole multiples of 5e-324.
        let roundings = if self.turning == [0.0; 2] { 2.0 } else { 16.0 };
        let noise = roundings * U * (self.reach[0] + self.reach[1] + self.radius) + 1e-322;
        Tolerance { aim: 5e-9 * size + 1.5 * ulp + noise, contact: 6e-8 * size + 3.0 * ulp + 2.0 * noise }
    }

    /// The times of 0..=`end` outside of which the parts are certainly apart: the circles around them do not meet.
    pub(super) fn window(&self, end: f64) -> Option<[f64; 2]> {
        let (apart, velocity) = (self.offset(0.0), self.velocity());
        let reach = (self.reach[0] + self.reach[1] + self.radius) * (1.0 + 1e-9) + 16.0 * U * (norm1(apart) + norm1(velocity)) + 1e-300;
        let speed = length(velocity);
        if speed.min(reach) < 1e-140 {
            // Squares underflow, or there is no motion.
            return (norm1(apart) <= 2.0 * (reach + norm1(velocity))).then_some([0.0, end]);
        }
        let along = velocity / speed;
        let middle = -apart.dot(along);
        let aside = along.perp_dot(apart).abs();
        if aside > reach {
            return None;
        }
        let half = sqrt((reach - aside) * (reach + aside));
        let [from, to] = [(middle - half) / speed, (middle + half) / speed];
        let slack = 4.0 * U * (from.abs() + to.abs());
        let window = [(from - slack).max(0.0), (to + slack).min(end)];
        (window[0] <= window[1]).then_some(window)
    }
}

/// For how long a gap certainly lasts that closes at a speed, where that speed grows no faster than by `bend`: the first root of
/// room − closing · h − bend · h² / 2, infinite where there is none.
#[inline(always)]
pub(super) fn until(room: f64, closing: f64, bend: f64) -> f64 {
    let square = closing * closing + 2.0 * bend * room;
    // Tiny squares underflow.
    let root = if square > 1e-280 { sqrt(square) } else { closing.abs().max(sqrt(2.0 * bend) * sqrt(room)) * core::f64::consts::SQRT_2 };
    let under = closing + root;
    if under > 0.0 { 2.0 * room / under } else { f64::INFINITY }
}

/// Gaps that count as contact, and the one to aim at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    /// No answer has a smaller gap, up to rounding errors that are smaller than this.
    pub(super) aim: f64,
    /// A gap no larger than this is contact.
    pub(super) contact: f64,
}

/// No more than the diameter of a part, and no less than a third of it.
pub(super) fn size(part: &Part<'_>) -> f64 {
    let points = part.convex.points();
    let extent = points.iter().map(|p| (*p - points[0]).abs().max_element()).fold(0.0, f64::max);
    extent + 2.0 * part.convex.radius
}
