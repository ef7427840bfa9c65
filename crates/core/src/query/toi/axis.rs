//! One axis that turns with an edge: the separations of all corners of the other polygon along it, and for how long they last.

use super::motion::until;
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Simd, f64x8};
use crate::math::vector::U;

/// Of a cubic term what a square one has at the most.
pub(super) const THIRD: f64 = 1.0 / 3.0;

/// The separations of the corners of one polygon along the normal of an edge of the other, at a moment, and how they change.
pub(super) struct Axis<S: Simd> {
    /// Of the corners over the pivot of their polygon.
    pub(super) heights: f64x8<S>,
    /// Of that pivot over the edge, without the radii.
    pub(super) beyond: f64,
    /// How fast they come nearer, and how fast that grows.
    pub(super) closing: f64x8<S>,
    pub(super) bend: f64x8<S>,
    /// And that by no more than this: the first of these now, and by the second more as time goes by.
    pub(super) jerk: [f64; 2],
}

/// What an axis says.
pub(super) struct Step {
    /// For how long all corners certainly stay above the level; 0 where one is near.
    pub(super) lasts: f64,
    /// Are they near then?
    pub(super) is_last: bool,
    /// The corner that is lowest now.
    pub(super) lowest: usize,
}

impl<S: Simd> Axis<S> {
    /// Have all been above a level for some time? So they have where they are, and have come nearer all the time.
    #[inline(always)]
    pub(super) fn was_above(&self, simd: S, past: f64, level: f64) -> bool {
        let zero = f64x8::splat(simd, 0.0);
        let more = (self.jerk[0] + self.jerk[1] * past) * (0.5 * past);
        let slowest = self.closing - (self.bend.max(zero) + more) * past;
        let above = self.heights.simd_gt(f64x8::splat(simd, level - self.beyond));
        (slowest.simd_gt(zero) & above).to_bitmask() == 0xff
    }

    /// About how long ago the lowest was above a level, by a little of what it is below it now; not a number or not positive where that is not told.
    #[inline(always)]
    pub(super) fn below_since(&self, simd: S, level: f64) -> f64 {
        let least = self.heights.reduce_min();
        let lowest = self.heights.simd_le(f64x8::splat(simd, least)).to_bitmask().trailing_zeros() as usize % 8;
        let closings: [f64; 8] = self.closing.into();
        (level - least - self.beyond) * 1.02 / closings[lowest]
    }

    /// As far as all certainly stay above the first of two limits; the other one says what is near.
    #[inline(always)]
    pub(super) fn step(&self, simd: S, longest: f64, [level, near]: [f64; 2]) -> Step {
        let (closings, bends): ([f64; 8], [f64; 8]) = (self.closing.into(), self.bend.into());
        let least = self.heights.reduce_min();
        let lowest = self.heights.simd_le(f64x8::splat(simd, least)).to_bitmask().trailing_zeros() as usize % 8;
        let gap = least + self.beyond;
        if gap <= near {
            return Step { lasts: 0.0, is_last: true, lowest };
        }
        let (room, closing, bend) = (gap - level, closings[lowest], bends[lowest]);
        // Twice as long as without a bend, and no longer: slower it may become.
        let longest = if closing * longest > 2.0 * room { 2.0 * room / closing } else { longest };
        let doubt = (self.jerk[0] + self.jerk[1] * longest) * (longest * THIRD);
        // Shorter by more than rounding may lengthen it.
        let step = (until(room, closing, bend + doubt) * (1.0 - 16.0 * U)).min(longest);
        let half = 0.5 * step * step;
        let (zero, all) = (f64x8::splat(simd, 0.0), self.bend + doubt);
        let ways = self.heights - self.closing * step - all * half;
        let way = least - closing * step - (bend + doubt) * half;
        // What comes nearer all the time is above the level where it is so at the end.
        let nearer = (self.closing + all.min(zero) * step).simd_gt(zero);
        if (nearer & ways.simd_ge(f64x8::splat(simd, way))).to_bitmask() == 0xff {
            return Step { lasts: step, is_last: 2.0 * doubt * half <= near - level, lowest };
        }
        // Without what may slow them down the ways are concave, and so is the least of them.
        let step = (until(room, closing, (bend + doubt).max(0.0)) * (1.0 - 16.0 * U)).min(longest);
        let ways = self.heights - self.closing * step - all.max(zero) * (0.5 * step * step);
        let left = ways.reduce_min() + (self.beyond - level);
        Step { lasts: if left >= 0.0 { step } else { step * (room / (room - left)) }, is_last: false, lowest }
    }
}
