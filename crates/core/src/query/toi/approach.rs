//! Turning polygons far apart: along one axis until they are near.
//!
//! Seen from a polygon that turns, its edges stand still and the other one's corners come along bent ways. Of every edge the separation, the speed at which it
//! shrinks and the most by which that grows say for how long it certainly lasts; the edge whose bound lasts longest is the axis that is followed. Along that
//! one a step costs little: the heights of the other polygon's corners, and a root. Like the inner loop of Catto (Continuous collision, 2013), but each step
//! goes as far as the bound is above the level, and no farther.
//!
//! ```text
//! the separation of an edge with normal n from corner q, h from now, in the frame that turns with the edge at speed ω:
//!     n · (R(−ωh) (D + v h) + R(wh) q) − offset          D, v: to the pivot of the other polygon, and how it moves; w: how fast that turns, seen from here
//! its second derivative is no less than
//!     −(ω² n·D + 2ω n·⊥v) − J h − w² reach               J = |ω|³ (|D| + |v| h) + 3ω² |v| bounds the third one of the first term
//! ```

use alloc::vec::Vec;

use glam::DVec2;

use super::motion::{Motion, until};
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f64x4, f64x8, widest};
use crate::math::pose::Pose;
use crate::math::vector::{U, length};
use crate::query::pair::Relative;
use crate::shape::convex::Block;

/// More steps along one axis are not made: others may be better by then.
const STEPS: usize = 12;

/// A time up to which the parts are certainly apart by more than a level.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Infinite where it is beyond the window; where it begins, where they are near already or that is not for this kernel to tell.
    pub(super) time: f64,
    /// The shape whose edge separates them then, and the edge.
    pub(super) edge: Option<(usize, usize)>,
}

/// As far ahead as one axis leads, from the beginning of a window of time; the limits are the level that gaps stay above, and that below which they are near.
pub(super) fn approach(motion: &Motion<'_>, window: [f64; 2], limits: [f64; 2], seen: Option<&mut Vec<f64>>) -> Ahead {
    match (motion.parts[0].convex.as_two_blocks(), motion.parts[1].convex.as_two_blocks()) {
        (Some(a), Some(b)) if motion.has_no_arms() => widest(Approach { motion, blocks: [a, b], window, limits, seen }),
        _ => Ahead { time: window[0], edge: None },
    }
}

struct Approach<'m, 'a> {
    motion: &'m Motion<'a>,
    blocks: [&'a [Block; 2]; 2],
    window: [f64; 2],
    limits: [f64; 2],
    seen: Option<&'m mut Vec<f64>>,
}

impl Kernel for Approach<'_, '_> {
    type Output = Ahead;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> Ahead {
        let [mut time, end] = self.window;
        let mut now = Stance::new(self.motion, time);
        // No `map`: its closures are not inlined into kernels.
        let (of_a, of_b) = (self.longest(simd, &now, 0, end - time), self.longest(simd, &now, 1, end - time));
        let (of, edge) = if of_b.0 > of_a.0 { (1, of_b.1) } else { (0, of_a.1) };
        for _ in 0..STEPS {
            let step = self.step(simd, &now, of, edge, end - time);
            let next = time + step;
            if next <= time {
                break;
            }
            if let Some(seen) = &mut self.seen {
                seen.push(time);
            }
            if next >= end {
                return Ahead { time: f64::INFINITY, edge: None };
            }
            // Rounded down.
            time = if next - time > step { next.next_down().max(time) } else { next };
            now = Stance::new(self.motion, time);
        }
        Ahead { time, edge: (time > self.window[0]).then_some((of, edge)) }
    }
}

/// How both are turned at a time, and how they lie to each other, in the world.
struct Stance {
    poses: [Pose; 2],
    offset: DVec2,
}

impl Stance {
    #[inline(always)]
    fn new(motion: &Motion<'_>, time: f64) -> Self {
        let poses = [motion.rotation(0, time, DVec2::ZERO), motion.rotation(1, time, DVec2::ZERO)];
        Self { poses, offset: motion.offset(time) }
    }
}

/// What one polygon sees of the other, in its own frame.
struct View {
    other: Relative,
    velocity: DVec2,
    /// How fast it turns itself, and the other one beside that.
    spin: f64,
    twist: f64,
    /// The most by which the second derivative grows; and that of the other's own turning.
    jerk: f64,
    bend: f64,
}

impl View {
    #[inline(always)]
    fn new(motion: &Motion<'_>, now: &Stance, of: usize, longest: f64) -> Self {
        let (own, sign) = (&now.poses[of], [1.0, -1.0][of]);
        let (offset, velocity) = (own.unrotate(now.offset * sign), own.unrotate(motion.velocity() * sign));
        let spin = motion.turning[of];
        let (twist, fast, speed) = (motion.turning[1 - of] - spin, spin.abs(), length(velocity));
        let jerk = fast * fast * (fast * (length(offset) + speed * longest) + 3.0 * speed);
        let other = Relative { translation: offset, ..Relative::between(own, &now.poses[1 - of]) };
        // Not zero, for the sake of divisions.
        Self { other, velocity, spin, twist, jerk, bend: twist * twist * motion.reach[1 - of] + 1e-290 }
    }
}

impl Approach<'_, '_> {
    /// The edge whose separation certainly lasts longest, as far as the corners tell that are lowest now, and for how long; negative where none separates.
    #[inline(always)]
    fn longest<S: Simd>(&self, simd: S, now: &Stance, of: usize, longest: f64) -> (f64, usize) {
        let View { other, velocity, spin, twist, jerk, bend } = View::new(self.motion, now, of, longest);
        let (edges, corners) = (self.blocks[of], self.blocks[1 - of]);
        let (normal_x, normal_y) = (eight(simd, edges, |b| &b.normal_x), eight(simd, edges, |b| &b.normal_y));
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
        let room = least + along - eight(simd, edges, |b| &b.offset) - (self.motion.radius + self.limits[0]);
        let (back, swing) = (velocity - other.translation.perp() * spin, velocity.perp() * (2.0 * spin));
        let closing = -(normal_x * back.x + normal_y * back.y + rate * twist);
        let curve = along * (spin * spin) + normal_x * swing.x + normal_y * swing.y;
        let steps = certain(simd, [room, closing, curve], jerk, bend, longest);
        let greatest = steps.reduce_max();
        let lane = steps.simd_eq(f64x8::splat(simd, greatest)).to_bitmask().trailing_zeros();
        (greatest, lane as usize % 8)
    }

    /// For how long the separation along the normal of an edge certainly stays above the level; 0 where they are near.
    #[inline(always)]
    fn step<S: Simd>(&self, simd: S, now: &Stance, of: usize, edge: usize, longest: f64) -> f64 {
        let View { other, velocity, spin, twist, jerk, bend } = View::new(self.motion, now, of, longest);
        let (own, corners) = (&self.blocks[of][edge / 4], self.blocks[1 - of]);
        let normal = DVec2::new(own.normal_x[edge % 4], own.normal_y[edge % 4]);
        let seen = other.unrotate(normal);
        let (x, y) = (eight(simd, corners, |b| &b.x), eight(simd, corners, |b| &b.y));
        let (heights, rates) = (x * seen.x + y * seen.y, x * seen.y - y * seen.x);
        let least = heights.reduce_min();
        // Of several the one that comes fastest.
        let lowest = heights.simd_le(f64x8::splat(simd, least));
        let rate = (lowest.select(rates * twist, f64x8::splat(simd, f64::INFINITY))).reduce_min();
        let along = normal.dot(other.translation);
        let gap = least + along - own.offset[edge % 4] - self.motion.radius;
        let [level, near] = self.limits;
        if gap <= near {
            return 0.0;
        }
        let (room, closing) = (gap - level, -(normal.dot(velocity - other.translation.perp() * spin) + rate));
        let curve = along * (spin * spin) + 2.0 * spin * normal.dot(velocity.perp());
        let longest = if closing * longest > 2.0 * room { 2.0 * room / closing } else { longest };
        let bend = (curve + jerk * longest).max(0.0) + bend;
        // Shorter by more than rounding may lengthen it.
        let step = (until(room, closing, bend) * (1.0 - 16.0 * U)).min(longest);
        // As straight lines the least of all corners' ways is no higher than that of the lowest one.
        let below = (heights + rates * (twist * step)).reduce_min() - (least + step * rate);
        let left = room - step * (closing + 0.5 * bend * step) + below.min(0.0);
        if left >= 0.0 { step } else { step * (room / (room - left)) }
    }
}

/// For how long eight separations certainly last that are as far above the level as `room`, close at a speed, and are bent at the most as said; negative where
/// there is no room.
#[inline(always)]
fn certain<S: Simd>(simd: S, [room, closing, curve]: [f64x8<S>; 3], jerk: f64, bend: f64, longest: f64) -> f64x8<S> {
    let zero = f64x8::splat(simd, 0.0);
    let nearer = closing.simd_gt(zero);
    let free = room.max(zero);
    // Twice as long as without a bend is more than enough to look at.
    let longest = nearer.select((free * 2.0 / closing).min(f64x8::splat(simd, longest)), f64x8::splat(simd, longest));
    let bend = (curve + longest * jerk).max(zero) + bend;
    let root = (closing * closing + bend * free * 2.0).sqrt();
    let step = nearer.select(free * 2.0, root - closing) / nearer.select(closing + root, bend);
    room.simd_gt(zero).select(step.min(longest), f64x8::splat(simd, -1.0))
}

/// What two blocks have of something.
#[inline(always)]
fn eight<S: Simd>(simd: S, blocks: &[Block; 2], of: impl Fn(&Block) -> &[f64; 4]) -> f64x8<S> {
    f64x4::from_slice(simd, of(&blocks[0])).combine(f64x4::from_slice(simd, of(&blocks[1])))
}
