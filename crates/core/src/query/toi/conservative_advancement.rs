//! Finds the first contact of two moving convex parts, never late: conservative advancement.
//!
//! Input: a relative motion and a time interval. Output: the time, contact point and normal of the
//! first contact. The simple version (Mirtich, Impulse-based dynamic simulation of rigid body
//! systems, 1996):
//!
//! ```text
//! loop
//!     gap = distance of the parts; if it is small: contact
//!     time += gap / maximum closing speed
//! ```
//!
//! It never misses a contact, but it needs many steps: the maximum speed ignores the direction of
//! motion. Catto (Continuous collision, 2013) finds the root of the separation along one axis. This
//! needs few steps, but may miss a contact. This module combines both:
//!
//! ```text
//! loop
//!     find the axis along which the parts are apart, and the gap
//!     if the gap is small: contact
//!     bound the separation along the axis from below by g − c h − K h² / 2, h later
//!     step to where the bound is almost 0
//! ```
//!
//! The separation along any axis is at most the gap, so a lower bound of it suffices. For a vertex
//! of each part its derivative c is known. K bounds the second derivative: points that rotate about
//! a pivot at angular speed ω and distance r have the acceleration ω² r. If the axis rotates with
//! its edge, the other part accelerates relative to it too.
//!
//! The bound is the minimum of such parabolas over all vertices, so it is concave. If it is
//! positive at both ends of a step, it is positive between them. Near the contact the error of a
//! step is of second order, so three to five steps suffice.

use alloc::vec::Vec;

use glam::DVec2;

use super::relative_motion::{PartsAtTime, RelativeMotion, Tolerance, until};
use super::separation_root::find_separation_root;
use super::vertex_edge::{FirstContact, vertex_edge_hit};
use crate::math::both::both;
use crate::math::vector::{UNIT_ROUNDOFF, unscaled_length};
use crate::query::convex_pair;
use crate::query::feature_pair::{EdgeVertex, FeaturePair};
use crate::query::pair::Pair;
use crate::query::separation::{Separation, at_features, witnesses};
use crate::query::support::support_vertex;
use crate::shape::part::Part;

/// Maximum number of steps. No motion within the limits is known to need as many. The time reached
/// by then counts as the impact.
const STEPS: usize = 1_000_000;

/// Maximum number of steps to the last time before a passage.
const STOP_STEPS: usize = 16;

/// Maximum number of vertex pairs for the bound by single vertices.
const MANY: usize = 256;

/// Returns the first contact in a time interval of parts that do not overlap at the start. Appends
/// the computed times to `times`.
///
/// Parts that touch at the start (closer than the tolerance) stay in contact until they separate.
/// During that time only an overlap counts. Two parts without area never overlap deeply, so for them
/// a gap that hides their side counts too (see [`Side`]).
pub(super) fn first_contact(
    motion: &RelativeMotion<'_>,
    [mut time, end]: [f64; 2],
    mut times: Option<&mut Vec<f64>>,
) -> Option<FirstContact> {
    let tolerance = motion.tolerance();
    // The last time without overlap, while the parts are in contact since the start.
    let mut resting = None;
    let mut side = Side::new(motion, &tolerance);
    for _ in 0..STEPS {
        if motion.turning != [0.0; 2] && resting.is_none() {
            let ahead = find_separation_root(motion, [time, end], [side.aim, tolerance.contact], times.as_deref_mut());
            if ahead.time > end {
                return None;
            }
            time = ahead.time;
            if let Some(closest) = ahead.closest
                && let Some(hit) = vertex_edge_hit(motion, time, closest, tolerance.contact)
            {
                if let Some(times) = &mut times {
                    times.push(time);
                }
                return Some(hit);
            }
        }
        if let Some(times) = &mut times {
            times.push(time);
        }
        let now = ContactState::new(motion, time);
        if let Some(before) = side.before_passage(motion, time, &now).filter(|_| resting.is_some()) {
            return Some(side.stop(motion, [before, time]));
        }
        let near = now.gap <= tolerance.contact;
        let is_hit = near && time > 0.0 && resting.is_none();
        let mut level = side.aim;
        if !near {
            resting = None;
        } else if !is_hit {
            if now.gap < -0.5 * tolerance.contact {
                let time = resting.unwrap_or(time);
                return Some(ContactState::new(motion, time).hit(time));
            }
            level = side.level(now.gap, &tolerance);
            if now.gap >= 0.0 || time == 0.0 {
                resting = Some(time);
            }
        }
        if is_hit && (motion.turning != [0.0; 2] || now.gap <= level) {
            return Some(now.hit(time));
        }
        let step = if now.gap > level {
            Derivatives::new(motion, &now).certain(now.gap, level, end - time, resting.is_some())
        } else {
            0.0
        };
        let next = time + step;
        if is_hit {
            // Without rotation one more step is exact: it leads to the smallest certain gap. If the
            // parts pass each other, it leads away.
            let last = next.min(end);
            let nearest = ContactState::new(motion, last);
            return Some(if nearest.gap <= now.gap { nearest.hit(last) } else { now.hit(time) });
        }
        if next >= end {
            let before = resting.and_then(|_| side.before_end(motion, end))?;
            return Some(side.stop(motion, [before, end]));
        }
        if next > time {
            // Round down: one ulp of the time may be many ulps of the gap.
            time = if next - time > step { next.next_down().max(time.next_up()) } else { next };
        } else {
            // The motion is so fast that consecutive times give the same position.
            time = time.next_up();
            if !near && is_beyond(motion, time) {
                return Some(now.hit(time.next_down()));
            }
        }
    }
    Some(ContactState::new(motion, time).hit(time))
}

/// Returns the gap at a time, and the contact.
pub(super) fn contact_at(motion: &RelativeMotion<'_>, time: f64) -> (f64, FirstContact) {
    let state = ContactState::new(motion, time);
    (state.gap, state.hit(time))
}

/// Returns true if the parts overlap at a time.
#[cold]
#[inline(never)]
fn is_beyond(motion: &RelativeMotion<'_>, time: f64) -> bool {
    ContactState::new(motion, time).gap < 0.0
}

/// The parts at one time, with their closest features.
struct ContactState<'a> {
    /// The parts at that time.
    parts: PartsAtTime<'a>,
    /// Their closest features.
    features: FeaturePair,
    /// Distance and direction of the hulls.
    found: Separation,
    /// The distance minus the radii and the target gaps.
    gap: f64,
}

impl<'a> ContactState<'a> {
    /// Computes the state.
    // Small modules matter more for wasm: it is compiled five times if inlined.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn new(motion: &RelativeMotion<'a>, time: f64) -> Self {
        let parts = motion.at(time);
        let features = convex_pair::unlimited(&parts.pair);
        let found = at_features(&parts.pair, features);
        Self { gap: found.distance - motion.radius, parts, features, found }
    }

    /// Returns the contact at this time.
    #[inline(never)]
    fn hit(&self, time: f64) -> FirstContact {
        let (pair, normal) = (&self.parts.pair, self.found.normal);
        let (on_a, _) = witnesses(pair, self.features);
        FirstContact { time, on_a: on_a + normal * pair.parts[0].convex.radius, normal }
    }
}

/// The side of a part without area on which another one is, while both are in contact.
///
/// The next motion sees the side only in the gap at the end of this one. So a motion from a known side ends at a gap of
/// at least [`Side::least`]. This is about half the gap at a hit, so parts that have stopped may slide.
///
/// If rounding errors exceed the tolerance (coordinates or lengths of motion above about 1e7 × size), the least gap is
/// a few rounding errors. Then parts may stop although they slide along each other or separate slowly.
///
/// Two cases can still pass. Parts that start at a gap below the rounding error have no side. A negative target gap of
/// a motion that slides along a composite (`composite.rs`) lets parts come closer than the least gap.
struct Side {
    /// True if both parts are points or segments with a radius within the tolerance.
    is_thin: bool,
    /// The gap to aim at.
    aim: f64,
    /// The smallest gap at the end of a motion from a known side. Never below `rounding`.
    least: f64,
    /// Upper bound of the rounding error of gaps.
    rounding: f64,
    /// The last time with a certain side, and the normal at this time.
    last: Option<(f64, DVec2)>,
}

impl Side {
    /// Creates an unknown side.
    fn new(motion: &RelativeMotion<'_>, tolerance: &Tolerance) -> Self {
        let are_lines = motion.parts.iter().all(|part| part.convex.hull_vertex_count() <= 2);
        let is_thin = are_lines && motion.radius <= tolerance.contact;
        let Tolerance { aim, rounding, .. } = *tolerance;
        Self { is_thin, aim: if is_thin { aim + rounding } else { aim }, least: rounding, rounding, last: None }
    }

    /// Sets the side at the start, if the gap there shows it.
    ///
    /// Positions at the start are exact, so the length of the motion adds no error. If the gap is already smaller than
    /// the usual least one, the motion may reduce it by a rounding error.
    #[cold]
    fn start(&mut self, motion: &RelativeMotion<'_>, now: &ContactState<'_>) {
        let sizes = motion.pivot_radii[0] + motion.pivot_radii[1] + motion.radius;
        let (gap, rounding) = (now.gap, self.rounding);
        // No motion ends at a gap below both bounds. Parts that were placed there may slide.
        let placed = (0.01 * (self.aim - 2.0 * rounding)).max(8.0 * UNIT_ROUNDOFF * sizes);
        if gap > placed.min(rounding) {
            self.last = Some((0.0, now.found.normal));
            self.least = (0.5 * self.aim + rounding).min(gap - rounding).max(rounding);
        }
    }

    /// Returns the last time with a certain side, if the parts have passed through each other, if they are closer than
    /// the least gap, or if the shortest way out of their overlap is at the other side.
    #[inline(always)]
    fn before_passage(&mut self, motion: &RelativeMotion<'_>, time: f64, now: &ContactState<'_>) -> Option<f64> {
        if !self.is_thin {
            return None;
        }
        if time == 0.0 {
            self.start(motion, now);
            return None;
        }
        let (last, normal) = (self.last, now.found.normal);
        if now.gap >= self.least {
            self.last = Some((time, normal));
        }
        last.filter(|(_, before)| now.gap < self.least || before.dot(normal) < -0.5).map(|(before, _)| before)
    }

    /// Returns the last time with a certain side, if the parts have passed through each other at the end, or are closer
    /// than the least gap there.
    #[cold]
    fn before_end(&mut self, motion: &RelativeMotion<'_>, end: f64) -> Option<f64> {
        self.last?;
        self.before_passage(motion, end, &ContactState::new(motion, end))
    }

    /// Returns the contact at the last time with at least the least gap. It is between two times with a larger and a
    /// smaller gap.
    ///
    /// An earlier contact may be at a vertex that moves away, while another vertex comes closer.
    #[cold]
    #[inline(never)]
    fn stop(&self, motion: &RelativeMotion<'_>, [mut time, end]: [f64; 2]) -> FirstContact {
        let mut now = ContactState::new(motion, time);
        for _ in 0..STOP_STEPS {
            if now.gap <= self.least {
                break;
            }
            let next = time + Derivatives::new(motion, &now).certain(now.gap, self.least, end - time, true);
            let later = ContactState::new(motion, next);
            if next <= time || later.gap < self.least || later.found.normal.dot(now.found.normal) < -0.5 {
                break;
            }
            (time, now) = (next, later);
        }
        now.hit(time)
    }

    /// Returns the level of the gap at the end of the next step, while the parts are in contact.
    ///
    /// If the side is known, the gap stays above half the least one, up to rounding errors. So the side remains known
    /// if another part stops the motion. If the least gap is a rounding error, the step ends close behind the passage.
    /// A longer one could lead past the end of a part.
    fn level(&self, gap: f64, tolerance: &Tolerance) -> f64 {
        let close = if self.last.is_some() {
            2.0 * gap.min(0.0) + 0.5 * self.least - 4.0 * self.rounding
        } else {
            f64::NEG_INFINITY
        };
        close.max(-tolerance.contact)
    }
}

/// An axis at one time, and the derivatives of the separation along it.
struct Derivatives<'a, 'b> {
    /// The parts at that time.
    pair: &'b Pair<'a>,
    /// Index of the part with the edge that gives the axis, else 0.
    own: usize,
    /// True if an edge gives the axis.
    is_edge: bool,
    /// The axis: a unit vector from part `own` to the other one.
    axis: DVec2,
    /// Vector from the pivot of `own` to that of the other part.
    apart: DVec2,
    /// Derivative of `apart`.
    velocity: DVec2,
    /// Angular speeds of `own` and of the other part.
    turning: [f64; 2],
    /// Largest distances of the hull points from their pivots.
    pivot_radii: [f64; 2],
    /// Indices of the deciding vertices.
    decides: [usize; 2],
    /// Positions of the deciding vertices relative to their pivots.
    vertices: [DVec2; 2],
}

impl<'a, 'b> Derivatives<'a, 'b> {
    /// Evaluates the axis of the closest features.
    #[inline(always)]
    fn new(motion: &RelativeMotion<'a>, now: &'b ContactState<'a>) -> Self {
        let (own, is_edge, [p, q]) = match now.features {
            FeaturePair::EdgeVertex(EdgeVertex { of, edge, vertex }) => (of, true, [edge, vertex]),
            FeaturePair::Vertices(vertices) => (0, false, vertices),
        };
        let (PartsAtTime { pair, pivots, offset }, other, sign) = (&now.parts, 1 - own, [1.0, -1.0][own]);
        Self {
            pair,
            own,
            is_edge,
            axis: now.found.normal * sign,
            decides: [p, q],
            apart: *offset * sign,
            velocity: motion.velocity() * sign,
            turning: [motion.turning[own], motion.turning[other]],
            pivot_radii: [motion.pivot_radii[own], motion.pivot_radii[other]],
            vertices: [pair.parts[own].placed(p) - pivots[own], pair.parts[other].placed(q) - pivots[other]],
        }
    }

    /// Returns a duration, up to `longest`, for which the gap certainly stays above a level that it
    /// exceeds now.
    #[inline(never)]
    fn certain(&self, gap: f64, level: f64, longest: f64, resting: bool) -> f64 {
        let excess = gap - level;
        let mut bound = self.bound(0.0, excess, longest);
        if self.is_edge && self.turning[0] != 0.0 {
            // An axis that rotates with its edge is accurate near the contact. Farther away a fixed
            // axis has less relative acceleration.
            let turning = self.bound(self.turning[0], excess, longest);
            if turning.step > 0.7 * bound.step {
                bound = turning;
            }
        }
        let step = self.of_all(&bound, excess);
        if resting { step.max(self.of_vertices(excess, longest)) } else { step }
    }

    /// Bounds the derivatives of the deciding vertices along an axis that rotates at speed `spin`
    /// about the pivot of `own`.
    #[inline(always)]
    fn bound(&self, spin: f64, excess: f64, longest: f64) -> Bound {
        let [own, other] = [self.turning[0] - spin, self.turning[1] - spin];
        let (longest, swing) = self.swing(spin, longest);
        let bend = own * own * self.pivot_radii[0] + other * other * self.pivot_radii[1] + swing;
        let drift = self.axis.dot(self.velocity - self.apart.perp() * spin);
        let across = self.across();
        let closing = own * across.dot(self.vertices[0]) - drift - other * across.dot(self.vertices[1]);
        // Reduce the step by more than rounding may add to it, which matters for long motions.
        Bound {
            own,
            other,
            closing,
            bend,
            step: (until(excess, closing, bend) * (1.0 - 16.0 * UNIT_ROUNDOFF)).min(longest),
        }
    }

    /// Returns the step that all vertices allow. Their separations are lower-bounded by parabolas
    /// below that of the deciding vertex.
    fn of_all(&self, &Bound { own, other, closing, bend, step }: &Bound, excess: f64) -> f64 {
        if own == 0.0 && other == 0.0 {
            return step;
        }
        let across = self.across();
        let of_own = if own == 0.0 { 0.0 } else { self.extent_below(0, -self.axis - across * (own * step)) };
        let of_all = of_own + self.extent_below(1, self.axis + across * (other * step));
        let left = excess - step * (closing + 0.5 * bend * step) + of_all;
        if left >= 0.0 { step } else { step * (excess / (excess - left)) }
    }

    /// Returns the extent of a part along a direction, relative to its deciding vertex. At most 0.
    #[inline(never)]
    fn extent_below(&self, which: usize, direction: DVec2) -> f64 {
        let side = self.side(which);
        let vertex = support_vertex(side.convex, side.pose.inverse_rotate_vector(direction));
        direction.dot(self.beside_decisive(which, vertex)).min(0.0)
    }

    /// Returns part `own` or the other one.
    fn side(&self, which: usize) -> &'b Part<'a> {
        &self.pair.parts[if which == 0 { self.own } else { 1 - self.own }]
    }

    /// Returns the vector from the deciding vertex to another vertex of the same part. No digits
    /// cancel, even if both are far from the pivot.
    #[inline(always)]
    fn beside_decisive(&self, which: usize, vertex: usize) -> DVec2 {
        let side = self.side(which);
        side.pose.rotate_vector(side.convex.hull_vertex(vertex) - side.convex.hull_vertex(self.decides[which]))
    }

    /// Returns the direction along which a rotating axis changes separations.
    #[inline(always)]
    fn across(&self) -> DVec2 {
        -self.axis.perp()
    }

    /// Computes the same bound vertex by vertex. A vertex at the pivot, as in a hinge, has no
    /// acceleration. Only the other vertices, which are farther away, count. An axis of an edge
    /// rotates with it. An axis between two vertices is fixed, and every pair of vertices is
    /// tested.
    #[cold]
    fn of_vertices(&self, excess: f64, longest: f64) -> f64 {
        if self.pair.parts[0].convex.hull_vertex_count() * self.pair.parts[1].convex.hull_vertex_count() > MANY {
            return 0.0;
        }
        let spin = if self.is_edge { self.turning[0] } else { 0.0 };
        let (longest, swing) = self.swing(spin, longest);
        let drift = self.axis.dot(self.velocity - self.apart.perp() * spin);
        let across = self.across();
        let [own, other] = both(self.turning, |turning| turning - spin);
        let moved = |which: usize| {
            (0..self.side(which).convex.hull_vertex_count()).map(move |vertex| self.beside_decisive(which, vertex))
        };
        let step = |from_p: DVec2, from_q: DVec2| {
            let [p, q] = [self.vertices[0] + from_p, self.vertices[1] + from_q];
            let excess = (excess + self.axis.dot(from_q - from_p)).max(0.0);
            let bend = own * own * unscaled_length(p) + other * other * unscaled_length(q) + swing;
            until(excess, own * across.dot(p) - drift - other * across.dot(q), bend)
        };
        if self.is_edge {
            return moved(1).map(|q| step(DVec2::ZERO, q)).fold(longest, f64::min);
        }
        moved(0).flat_map(|p| moved(1).map(move |q| (p, q))).map(|(p, q)| step(p, q)).fold(longest, f64::min)
    }

    /// Returns a duration for which the other pivot stays within twice its present distance while
    /// the axis rotates, and the acceleration.
    #[inline(always)]
    fn swing(&self, spin: f64, longest: f64) -> (f64, f64) {
        if spin == 0.0 {
            return (longest, 0.0);
        }
        let (distance, speed) = (unscaled_length(self.apart), unscaled_length(self.velocity));
        let longest = if longest * speed > distance { distance / speed } else { longest };
        (longest, 2.0 * spin.abs() * (spin.abs() * distance + speed))
    }
}

/// Derivatives of the separation of the deciding vertices along an axis.
struct Bound {
    /// Angular speed of `own` relative to the axis.
    own: f64,
    /// Angular speed of the other part relative to the axis.
    other: f64,
    /// Closing speed of the gap between the deciding vertices.
    closing: f64,
    /// Maximum acceleration of a vertex along the axis.
    bend: f64,
    /// Duration of the gap.
    step: f64,
}
