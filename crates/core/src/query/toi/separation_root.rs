//! Turning polygons far apart: along one axis until they are near.
//!
//! Seen from a polygon that turns, its edges stand still and the other one's corners come along bent ways. Of every edge the separation, the speed at which it
//! shrinks and how that grows say for about how long it lasts; the edge that lasts longest is the axis that is followed. Along that
//! one a step costs little: the heights of the other polygon's corners, and a root. Like the inner loop of Catto (Continuous collision, 2013), but what is jumped over is
//! proved to be free of contacts:
//!
//! ```text
//! guess when the separation along the axis ends, and look at it then
//! if all corners have come nearer since the beginning, and are above the level now: they were so all the time
//! step as far as a bound from below stays above the level, until the lowest corner is near
//! ```
//!
//! Both proofs need no more than how the separation changes, corner by corner:
//!
//! ```text
//! the separation of an edge with normal n from corner q, h from now, in the frame that turns with the edge at speed ω:
//!     n · (R(−ωh) (D + v h) + R(wh) q) − offset          D, v: to the pivot of the other polygon, and how it moves; w: how fast that turns, seen from here
//! closing speed now                       −n · (v − ω ⊥D) − w n · ⊥q
//! how fast that grows now                 ω² n · D + 2ω n · ⊥v + w² n · q
//! how fast that changes, at the most      J = |ω|³ (|D| + |v| h) + 3ω² |v| + |w|³ reach
//! ```
//!
//! A guess is off by terms of third order, and a step from there misses the root by terms of third order of what is left: almost always one of each leads to the contact.

use alloc::vec::Vec;

use glam::DVec2;

use super::relative_motion::{RelativeMotion, RelativeRotation};
use super::separation_function::{SeparationFunction, Step, THIRD};
use crate::math::simd::prelude::*;
use crate::math::simd::{Simd, SimdKernel, dispatch, f64x8};
use crate::math::vector::length;
use crate::query::closest_features::EdgeVertex;
use crate::query::pair::Relative;
use crate::query::support::eight;
use crate::shape::convex::VertexBlock4;

/// More steps along one axis are not made: others may be better by then.
const STEPS: usize = 12;

/// So often it is guessed when they are near: where a corner had come sooner, the time of that corner is a good guess, and others are not likely to be.
const GUESSES: usize = 2;

/// A time up to which the parts are certainly apart by more than a level.
#[derive(Clone, Copy)]
pub(super) struct SafeTime {
    /// Infinite where it is beyond the window; where it begins, where they are near already or that is not for this kernel to tell.
    pub(super) time: f64,
    /// The shape whose edge separates them then, the edge, and the corner of the other one that was lowest over it when they were seen last.
    pub(super) place: Option<EdgeVertex>,
}

/// As far ahead as one axis leads, from the beginning of a window of time; the limits are the level that gaps stay above, and that below which they are near.
pub(super) fn find_separation_root(
    motion: &RelativeMotion<'_>,
    window: [f64; 2],
    limits: [f64; 2],
    seen: Option<&mut Vec<f64>>,
) -> SafeTime {
    match (motion.parts[0].convex.as_small_polygon(), motion.parts[1].convex.as_small_polygon()) {
        (Some(a), Some(b)) if motion.has_no_arms() => dispatch(SeparationRootFinder {
            motion,
            blocks: [a, b],
            window,
            limits,
            seen,
            speed: length(motion.velocity()),
        }),
        _ => SafeTime { time: window[0], place: None },
    }
}

struct SeparationRootFinder<'m, 'a> {
    motion: &'m RelativeMotion<'a>,
    blocks: [&'a [VertexBlock4; 2]; 2],
    window: [f64; 2],
    limits: [f64; 2],
    seen: Option<&'m mut Vec<f64>>,
    /// How fast the pivots move.
    speed: f64,
}

impl SimdKernel for SeparationRootFinder<'_, '_> {
    type Output = SafeTime;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> SafeTime {
        let ([start, end], level) = (self.window, self.limits[0]);
        let (mut time, mut now) = (start, RelativeRotation::new(self.motion, start));
        let (lasts, of, edge) = self.best(simd, &now, end - start);
        let (guess, mut guesses, mut corner) = (start + lasts, 0, 0);
        if (guess > start) & (guess < end) {
            (time, now, guesses) = (guess, RelativeRotation::new(self.motion, guess), GUESSES);
        }
        for _ in 0..STEPS {
            let axis = self.axis(simd, &now, of, edge);
            if guesses > 0 {
                if !axis.was_above(simd, time - start, level) {
                    let sooner = time - axis.below_since(simd, level);
                    guesses = if (sooner > start) & (sooner < time) { guesses - 1 } else { 0 };
                    time = if guesses > 0 { sooner } else { start };
                    now = RelativeRotation::new(self.motion, time);
                    continue;
                }
                guesses = 0;
                self.saw(start);
            }
            let Step { lasts, is_last, lowest } = axis.step(simd, end - time, self.limits);
            corner = lowest;
            let next = time + lasts;
            if next <= time {
                break;
            }
            self.saw(time);
            if next >= end {
                return SafeTime { time: f64::INFINITY, place: None };
            }
            // Rounded down.
            time = if next - time > lasts { next.next_down().max(time) } else { next };
            if is_last {
                break;
            }
            now = RelativeRotation::new(self.motion, time);
        }
        SafeTime { time, place: (time > start).then_some(EdgeVertex { of, edge, corner }) }
    }
}

/// What one polygon sees of the other, in its own frame.
struct View {
    other: Relative,
    velocity: DVec2,
    /// How fast it turns itself, and the other one beside that.
    spin: f64,
    twist: f64,
    /// The third derivative is at the most the first of these now, and grows by the second.
    jerk: [f64; 2],
}

impl View {
    #[inline(always)]
    fn new(motion: &RelativeMotion<'_>, now: &RelativeRotation, of: usize, speed: f64) -> Self {
        let (own, sign) = (&now.poses[of], [1.0, -1.0][of]);
        let (offset, velocity) =
            (own.inverse_rotate_vector(now.offset * sign), own.inverse_rotate_vector(motion.velocity() * sign));
        let spin = motion.turning[of];
        let (twist, fast) = (motion.turning[1 - of] - spin, spin.abs());
        // Lengths need not wait for what turns.
        let of_other = twist.abs() * twist * twist * motion.reach[1 - of];
        let jerk = [fast * fast * (fast * length(now.offset) + 3.0 * speed) + of_other, fast * fast * fast * speed];
        let other = Relative { translation: offset, ..Relative::between(own, &now.poses[1 - of]) };
        Self { other, velocity, spin, twist, jerk }
    }
}

impl SeparationRootFinder<'_, '_> {
    /// The edge whose separation lasts longest, of several the first: for about how long, the number of its polygon, and its own.
    #[inline(always)]
    fn best<S: Simd>(&self, simd: S, now: &RelativeRotation, longest: f64) -> (f64, usize, usize) {
        // No `map`: its closures are not inlined into kernels.
        let (of_a, of_b) = (self.lasting(simd, now, 0, longest), self.lasting(simd, now, 1, longest));
        let lasts = of_a.max(of_b).reduce_max();
        let best = f64x8::splat(simd, lasts);
        let first = (of_a.simd_eq(best).to_bitmask() | of_b.simd_eq(best).to_bitmask() << 8).trailing_zeros() as usize;
        (lasts, first / 8 % 2, first % 8)
    }

    /// For about how long the separations of the edges of one polygon last, as far as the corners tell that are lowest now; negative where there is none.
    #[inline(always)]
    fn lasting<S: Simd>(&self, simd: S, now: &RelativeRotation, of: usize, longest: f64) -> f64x8<S> {
        let View { other, velocity, spin, twist, jerk } = View::new(self.motion, now, of, self.speed);
        let (edges, corners) = (self.blocks[of], self.blocks[1 - of]);
        let (normal_x, normal_y) =
            (eight(simd, &edges[0].normal_x, &edges[1].normal_x), eight(simd, &edges[0].normal_y, &edges[1].normal_y));
        let x = normal_x * other.cos + normal_y * other.sin;
        let y = normal_y * other.cos - normal_x * other.sin;
        let (mut least, mut rate) = (f64x8::splat(simd, f64::INFINITY), f64x8::splat(simd, 0.0));
        for block in corners {
            for i in 0..4 {
                let height = x * block.x[i] + y * block.y[i];
                rate = height.simd_lt(least).select(y * block.x[i] - x * block.y[i], rate);
                least = least.min(height);
            }
        }
        let along = normal_x * other.translation.x + normal_y * other.translation.y;
        let room =
            least + along - eight(simd, &edges[0].offset, &edges[1].offset) - (self.motion.radius + self.limits[0]);
        let (back, swing) = (velocity - other.translation.perp() * spin, velocity.perp() * (2.0 * spin));
        let closing = -(normal_x * back.x + normal_y * back.y + rate * twist);
        let curve = along * (spin * spin) + normal_x * swing.x + normal_y * swing.y;
        lasting(simd, [room, closing, curve + least * (twist * twist)], jerk, longest)
    }

    /// The separation along the normal of an edge.
    #[inline(always)]
    fn axis<S: Simd>(&self, simd: S, now: &RelativeRotation, of: usize, edge: usize) -> SeparationFunction<S> {
        let View { other, velocity, spin, twist, jerk } = View::new(self.motion, now, of, self.speed);
        let (own, corners) = (&self.blocks[of][edge / 4], self.blocks[1 - of]);
        let normal = DVec2::new(own.normal_x[edge % 4], own.normal_y[edge % 4]);
        let seen = other.unrotate(normal);
        let (x, y) = (eight(simd, &corners[0].x, &corners[1].x), eight(simd, &corners[0].y, &corners[1].y));
        let heights = x * seen.x + y * seen.y;
        let along = normal.dot(other.translation);
        let drift = normal.dot(velocity - other.translation.perp() * spin);
        let closing = (y * seen.x - x * seen.y) * twist - drift;
        let curve = along * (spin * spin) + 2.0 * spin * normal.dot(velocity.perp());
        let bend = heights * (twist * twist) + curve;
        SeparationFunction { heights, closing, bend, beyond: along - own.offset[edge % 4] - self.motion.radius, jerk }
    }

    #[inline(always)]
    fn saw(&mut self, time: f64) {
        if let Some(seen) = &mut self.seen {
            seen.push(time);
        }
    }
}

/// For about how long eight separations last that are as far above the level as `room`, close at a speed and are bent as said; negative where there is no room. A step
/// of Newton's from where they would end without a bend: it is not known what is certain, but which lasts.
#[inline(always)]
fn lasting<S: Simd>(simd: S, [room, closing, curve]: [f64x8<S>; 3], jerk: [f64; 2], longest: f64) -> f64x8<S> {
    let (zero, end) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, longest));
    let straight = closing.simd_gt(zero).select((room / closing).min(end), end);
    let bend = curve + (straight * jerk[1] + jerk[0]) * (straight * THIRD);
    let speed = closing + bend * straight;
    let bent = (room + bend * straight * straight * 0.5) / speed;
    room.simd_gt(zero).select(speed.simd_gt(zero).select(bent.min(end), end), f64x8::splat(simd, -1.0))
}

#[cfg(test)]
mod tests {
    use core::f64::consts::TAU;

    use fastrand::Rng;

    use super::*;
    use crate::shape::{Shape, Sweep};

    /// What an axis at a time says of a while before and of a while after.
    struct Probe<'m, 'a> {
        approach: SeparationRootFinder<'m, 'a>,
        time: f64,
        edge: (usize, usize),
        past: f64,
    }

    impl SimdKernel for Probe<'_, '_> {
        type Output = (bool, Step);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> (bool, Step) {
            let Probe { approach, time, edge: (of, edge), past } = self;
            let axis = approach.axis(simd, &RelativeRotation::new(approach.motion, time), of, edge);
            (axis.was_above(simd, past, approach.limits[0]), axis.step(simd, approach.window[1], approach.limits))
        }
    }

    fn polygon(rng: &mut Rng) -> Shape {
        let (count, radius) = (rng.usize(3..=8), 0.5 + rng.f64());
        let step = TAU / count as f64;
        let corner = |i: usize, bent: f64| libm::sincos(step * (i as f64 + 0.6 * bent));
        let points: Vec<[f64; 2]> =
            (0..count).map(|i| corner(i, rng.f64())).map(|(y, x)| [radius * x, 0.8 * radius * y]).collect();
        Shape::polygon(&points).unwrap()
    }

    /// How far the lowest corner of one polygon is over the line of an edge of the other, from where their corners are.
    fn separation(sweeps: [&Sweep<'_>; 2], (of, edge): (usize, usize), time: f64) -> f64 {
        let [own, other] = [of, 1 - of].map(|i| sweeps[i].as_part().unwrap());
        let [p, q] = [of, 1 - of].map(|i| sweeps[i].at(time).pose());
        let normal = p.rotate_vector(own.convex.normal(edge));
        let height = |i: usize| {
            normal.dot(q.transform_point(other.convex.hull_vertex(i)) - p.transform_point(own.convex.hull_vertex(edge)))
        };
        (0..other.convex.hull_vertex_count()).map(height).fold(f64::INFINITY, f64::min)
    }

    fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
        low + (high - low) * rng.f64()
    }

    /// What was said to be above a level was, what is said to stay above it does, and what is said to come near does: at 64 moments of each while.
    #[test]
    fn what_an_axis_says_of_before_and_after_is_so() {
        const ROUNDING: f64 = 1e-12;
        let (mut past, mut steps, mut last) = (0, 0, 0);
        for seed in 0..4_000 {
            let mut rng = Rng::with_seed(seed);
            let rng = &mut rng;
            let (a, b) = (polygon(rng), polygon(rng));
            let spin = [0.5, 2.0, 10.0, 40.0][rng.usize(..4)];
            let mut swept = |shape| {
                let [place, way] = [2.0, 8.0].map(|size| [between(rng, -size, size), between(rng, -size, size)]);
                Shape::at(shape, place).unwrap().sweep(way).unwrap().with_rotation(between(rng, -spin, spin)).unwrap()
            };
            let (p, q) = (swept(&a), swept(&b));
            let (part, other) = (p.as_part().unwrap(), q.as_part().unwrap());
            let motion = RelativeMotion::new(part, other, [&p, &q]);
            let of = rng.usize(..2);
            let edge = (of, rng.usize(..[part, other][of].convex.edge_count()));
            let time = between(rng, 0.1, 0.9);
            let tell = |time: f64| separation([&p, &q], edge, time);
            let mut tiny = || libm::exp(between(rng, -16.0, 0.5));
            let (while_before, while_after) = (tiny().min(time), tiny().min(1.0 - time));
            let level = tell(time) - tiny() * [1.0, 1.0, 1e-6, -1.0][seed as usize % 4];
            let limits = [level, level + 0.1 * tiny()];
            let blocks = [part, other].map(|part| part.convex.as_small_polygon().unwrap());
            let (window, speed) = ([time, while_after], length(motion.velocity()));
            let approach = SeparationRootFinder { motion: &motion, blocks, window, limits, seen: None, speed };
            let (was_above, Step { lasts, is_last, .. }) = dispatch(Probe { approach, time, edge, past: while_before });
            for part in (0..=64).map(|i| f64::from(i) / 64.0) {
                let (before, after) = (tell(time - while_before * part), tell(time + lasts * part));
                assert!(!was_above || before >= level - ROUNDING, "seed {seed}: {before} of {level} before");
                assert!(after >= level.min(tell(time)) - ROUNDING, "seed {seed}: {after} of {level} after");
            }
            past += usize::from(was_above);
            steps += usize::from(lasts > 0.0 && lasts < while_after);
            if is_last && lasts > 0.0 && lasts < while_after {
                last += 1;
                assert!(tell(time + lasts) <= limits[1] + ROUNDING, "seed {seed}: not near");
            }
        }
        assert!(past > 300 && steps > 300 && last > 100, "{past} were above, {steps} steps, {last} of them the last");
    }
}
