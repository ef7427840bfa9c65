//! Turning polygons far apart: along one axis until they are near.
//!
//! Seen from a polygon that turns, its edges stand still and the other one's corners come along bent ways. Of every edge the separation, the speed at which it
//! shrinks and the most by which that grows say for how long it lasts; the edge that lasts longest is the axis that is followed. Along that
//! one a step costs little: the heights of the other polygon's corners, and a root. Like the inner loop of Catto (Continuous collision, 2013), but each step
//! goes as far as the bound is above the level, and no farther.
//!
//! ```text
//! the separation of an edge with normal n from corner q, h from now, in the frame that turns with the edge at speed ω:
//!     n · (R(−ωh) (D + v h) + R(wh) q) − offset          D, v: to the pivot of the other polygon, and how it moves; w: how fast that turns, seen from here
//! the first term is no less than its values at h = 0 say, curve included, by J h³ / 6     J = |ω|³ (|D| + |v| h) + 3ω² |v|
//! n · R(wh) q is no less than that of the tangent, n · q + (n · ⊥q) wh, by reach |wh|³ / 6, and where n · q > 0, by n · q (wh)² / 2 more
//! ```
//!
//! So a step misses the root by terms of third order: from far away two or three of them lead to the contact.

use alloc::vec::Vec;

use glam::DVec2;

use super::motion::{Motion, Stance, until};
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Kernel, Simd, f64x8, widest};
use crate::math::vector::{U, length};
use crate::query::closest::Place;
use crate::query::pair::Relative;
use crate::query::support::eight;
use crate::shape::convex::Block;

/// More steps along one axis are not made: others may be better by then.
const STEPS: usize = 12;

/// Of a cubic term what a square one has at the most.
const THIRD: f64 = 1.0 / 3.0;

/// A time up to which the parts are certainly apart by more than a level.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Infinite where it is beyond the window; where it begins, where they are near already or that is not for this kernel to tell.
    pub(super) time: f64,
    /// The shape whose edge separates them then, the edge, and the corner of the other one that was lowest over it when they were seen last.
    pub(super) place: Option<Place>,
}

/// As far ahead as one axis leads, from the beginning of a window of time; the limits are the level that gaps stay above, and that below which they are near.
pub(super) fn approach(motion: &Motion<'_>, window: [f64; 2], limits: [f64; 2], seen: Option<&mut Vec<f64>>) -> Ahead {
    match (motion.parts[0].convex.as_two_blocks(), motion.parts[1].convex.as_two_blocks()) {
        (Some(a), Some(b)) if motion.has_no_arms() => widest(Approach { motion, blocks: [a, b], window, limits, seen }),
        _ => Ahead { time: window[0], place: None },
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
        let [start, end] = self.window;
        let (mut time, mut now) = (start, Stance::new(self.motion, start));
        // No `map`: its closures are not inlined into kernels.
        let (of_a, of_b) = (self.longest(simd, &now, 0, end - start), self.longest(simd, &now, 1, end - start));
        let (of, (lasts, edge)) = if of_b.0 > of_a.0 { (1, of_b) } else { (0, of_a) };
        let guess = start + lasts;
        let mut is_guess = (guess > start) & (guess < end);
        if is_guess {
            (time, now) = (guess, Stance::new(self.motion, guess));
        }
        let mut corner = 0;
        for _ in 0..STEPS {
            let axis = self.axis(simd, &now, of, edge);
            if is_guess {
                is_guess = false;
                if !axis.was_above(simd, time - start, self.limits[0]) {
                    (time, now) = (start, Stance::new(self.motion, start));
                    continue;
                }
                self.saw(start);
            }
            let Step { lasts: step, is_last, lowest } = axis.step(simd, end - time, self.limits);
            corner = lowest;
            let next = time + step;
            if next <= time {
                break;
            }
            self.saw(time);
            if next >= end {
                return Ahead { time: f64::INFINITY, place: None };
            }
            // Rounded down.
            time = if next - time > step { next.next_down().max(time) } else { next };
            if is_last {
                break;
            }
            now = Stance::new(self.motion, time);
        }
        Ahead { time, place: (time > start).then_some(Place { of, edge, corner }) }
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
    fn new(motion: &Motion<'_>, now: &Stance, of: usize) -> Self {
        let (own, sign) = (&now.poses[of], [1.0, -1.0][of]);
        let (offset, velocity) = (own.unrotate(now.offset * sign), own.unrotate(motion.velocity() * sign));
        let spin = motion.turning[of];
        let (twist, fast, speed) = (motion.turning[1 - of] - spin, spin.abs(), length(velocity));
        let of_other = twist.abs() * twist * twist * motion.reach[1 - of];
        let jerk = [fast * fast * (fast * length(offset) + 3.0 * speed) + of_other, fast * fast * fast * speed];
        let other = Relative { translation: offset, ..Relative::between(own, &now.poses[1 - of]) };
        Self { other, velocity, spin, twist, jerk }
    }
}

impl Approach<'_, '_> {
    /// The edge whose separation lasts longest, as far as the corners tell that are lowest now, and for about how long; negative where none separates.
    #[inline(always)]
    fn longest<S: Simd>(&self, simd: S, now: &Stance, of: usize, longest: f64) -> (f64, usize) {
        let View { other, velocity, spin, twist, jerk } = View::new(self.motion, now, of);
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
        let room = least + along - eight(simd, &edges[0].offset, &edges[1].offset) - (self.motion.radius + self.limits[0]);
        let (back, swing) = (velocity - other.translation.perp() * spin, velocity.perp() * (2.0 * spin));
        let closing = -(normal_x * back.x + normal_y * back.y + rate * twist);
        let curve = along * (spin * spin) + normal_x * swing.x + normal_y * swing.y;
        let curve = [curve, least.max(f64x8::splat(simd, 0.0)) * (twist * twist)];
        let steps = lasting(simd, [room, closing], curve, jerk, longest);
        let greatest = steps.reduce_max();
        let lane = steps.simd_eq(f64x8::splat(simd, greatest)).to_bitmask().trailing_zeros();
        (greatest, lane as usize % 8)
    }

    /// The separation along the normal of an edge.
    #[inline(always)]
    fn axis<S: Simd>(&self, simd: S, now: &Stance, of: usize, edge: usize) -> Axis<S> {
        let View { other, velocity, spin, twist, jerk } = View::new(self.motion, now, of);
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
        Axis { heights, closing, bend, beyond: along - own.offset[edge % 4] - self.motion.radius, jerk }
    }

    #[inline(always)]
    fn saw(&mut self, time: f64) {
        if let Some(seen) = &mut self.seen {
            seen.push(time);
        }
    }
}

/// The separations of the corners of one polygon along the normal of an edge of the other, at a moment, and how they change.
struct Axis<S: Simd> {
    /// Of the corners over the pivot of their polygon.
    heights: f64x8<S>,
    /// Of that pivot over the edge, without the radii.
    beyond: f64,
    /// How fast they come nearer, and how fast that grows.
    closing: f64x8<S>,
    bend: f64x8<S>,
    /// And that by no more than this: the first of these now, and by the second more as time goes by.
    jerk: [f64; 2],
}

/// What an axis says.
struct Step {
    /// For how long all corners certainly stay above the level; 0 where one is near.
    lasts: f64,
    /// Are they near then?
    is_last: bool,
    /// The corner that is lowest now.
    lowest: usize,
}

impl<S: Simd> Axis<S> {
    /// Have all been above a level for some time? So they have where they are, and have come nearer all the time.
    #[inline(always)]
    fn was_above(&self, simd: S, past: f64, level: f64) -> bool {
        let zero = f64x8::splat(simd, 0.0);
        let more = (self.jerk[0] + self.jerk[1] * past) * (0.5 * past);
        let slowest = self.closing - (self.bend.max(zero) + more) * past;
        let above = self.heights.simd_gt(f64x8::splat(simd, level - self.beyond));
        (slowest.simd_gt(zero) & above).to_bitmask() == 0xff
    }

    /// As far as all certainly stay above the first of two limits; the other one says what is near.
    #[inline(always)]
    fn step(&self, simd: S, longest: f64, [level, near]: [f64; 2]) -> Step {
        let zero = f64x8::splat(simd, 0.0);
        let least = self.heights.reduce_min();
        let gap = least + self.beyond;
        let lowest = self.heights.simd_le(f64x8::splat(simd, least));
        let corner = lowest.to_bitmask().trailing_zeros() as usize % 8;
        if gap <= near {
            return Step { lasts: 0.0, is_last: true, lowest: corner };
        }
        let room = gap - level;
        // Of several the one that comes fastest.
        let closing = lowest.select(self.closing, f64x8::splat(simd, f64::NEG_INFINITY)).reduce_max();
        let bend = lowest.select(self.bend, f64x8::splat(simd, f64::NEG_INFINITY)).reduce_max();
        // Twice as long as without a bend, and no longer: slower it may become.
        let longest = if closing * longest > 2.0 * room { 2.0 * room / closing } else { longest };
        let doubt = (self.jerk[0] + self.jerk[1] * longest) * (longest * THIRD);
        let bends = self.bend + doubt;
        // What comes nearer all the time is above the level where it is so at the end.
        let nearer = (self.closing + bends.min(zero) * longest).simd_gt(zero).to_bitmask() == 0xff;
        let least_bend = if nearer { f64::NEG_INFINITY } else { 0.0 };
        let used = (bend + doubt).max(least_bend);
        // Shorter by more than rounding may lengthen it.
        let step = (until(room, closing, used) * (1.0 - 16.0 * U)).min(longest);
        let half = 0.5 * step * step;
        let ways = self.heights - self.closing * step - bends.max(f64x8::splat(simd, least_bend)) * half;
        let way = least - closing * step - used * half;
        let is_lowest = ways.simd_lt(f64x8::splat(simd, way)).to_bitmask() == 0;
        if is_lowest {
            return Step { lasts: step, is_last: (used - bend + doubt) * half <= near - level, lowest: corner };
        }
        let ways = self.heights - self.closing * step - bends.max(zero) * half;
        let left = ways.reduce_min() + (self.beyond - level);
        Step { lasts: if left >= 0.0 { step } else { step * (room / (room - left)) }, is_last: false, lowest: corner }
    }
}

/// For about how long eight separations last that are as far above the level as `room`, close at a speed, and are bent as said, of which the second is not less
/// than zero; negative where there is no room. A step of Newton's from where they would end without a bend: it is not known what is certain, but which lasts.
#[inline(always)]
fn lasting<S: Simd>(simd: S, [room, closing]: [f64x8<S>; 2], [curve, more]: [f64x8<S>; 2], jerk: [f64; 2], longest: f64) -> f64x8<S> {
    let (zero, end) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, longest));
    let free = room.max(zero);
    let straight = closing.simd_gt(zero).select((free / closing).min(end), end);
    let bend = (curve + (straight * jerk[1] + jerk[0]) * (straight * THIRD)).max(zero) + more;
    let speed = closing + bend * straight;
    let bent = (free + bend * straight * straight * 0.5) / speed;
    room.simd_gt(zero).select(speed.simd_gt(zero).select(bent.min(straight), straight), f64x8::splat(simd, -1.0))
}
