//! Computes the bounding boxes of several circles at once, with SIMD.
//!
//! Input: slots, centres and radii of up to 64 circles. Output: the f64 boxes, and f32 boxes with a
//! margin for the broad phase. The results are the same bits as those of the scalar path.
//!
//! The box of a circle is four additions, each rounded outward. In columns, the compiler vectorizes
//! them, and the conversion to f32. An interval that is not safe to round fast makes the whole
//! block take the slow rounding.

use glam::DVec2;

use crate::broad_phase::{Aabb32, LocalOrigin};
use crate::math::aabb::{Aabb, grown};
use crate::math::simd::{Simd, SimdKernel, dispatch};

/// Maximum number of circles per block.
pub(super) const CAPACITY: usize = 64;

/// A block of circles, and their boxes.
pub(super) struct CircleBounds {
    slots: [u32; CAPACITY],
    count: usize,
    radii: [f64; CAPACITY],
    x: AxisIntervals,
    y: AxisIntervals,
}

/// Centres and intervals of the circles along one axis.
struct AxisIntervals {
    centers: [f64; CAPACITY],
    low: [f64; CAPACITY],
    high: [f64; CAPACITY],
    low32: [f32; CAPACITY],
    high32: [f32; CAPACITY],
}

impl AxisIntervals {
    const NONE: Self = Self {
        centers: [0.0; CAPACITY],
        low: [0.0; CAPACITY],
        high: [0.0; CAPACITY],
        low32: [0.0; CAPACITY],
        high32: [0.0; CAPACITY],
    };
}

impl CircleBounds {
    pub(super) fn new() -> Self {
        Self { slots: [0; CAPACITY], count: 0, radii: [0.0; CAPACITY], x: AxisIntervals::NONE, y: AxisIntervals::NONE }
    }

    /// Adds a circle. A block contains at most `CAPACITY` of them.
    #[inline(always)]
    pub(super) fn add(&mut self, slot: u32, center: DVec2, radius: f64) {
        let index = self.count % CAPACITY;
        (self.slots[index], self.radii[index]) = (slot, radius);
        (self.x.centers[index], self.y.centers[index]) = (center.x, center.y);
        self.count = index + 1;
    }

    /// Computes the boxes, and the f32 boxes with a margin. Returns how many of them have a minimum
    /// farther from `from` than `radius`, along x or y.
    #[inline(always)]
    pub(super) fn measure(&mut self, local_origin: &LocalOrigin, margin: f64, from: DVec2, radius: f64) -> usize {
        dispatch(Measure { circles: self, local_origin, margin, from, radius })
    }

    /// Calls `take` with each slot, its box and its f32 box, in order, and clears the block.
    #[inline(always)]
    pub(super) fn drain(&mut self, mut take: impl FnMut(u32, Aabb, Aabb32)) {
        let Self { slots, count, x, y, .. } = self;
        for (i, &slot) in slots.iter().enumerate().take(core::mem::take(count)) {
            let aabb = Aabb::from_corners([x.low[i], y.low[i]].into(), [x.high[i], y.high[i]].into());
            let local = Aabb32 { min: [x.low32[i], y.low32[i]], max: [x.high32[i], y.high32[i]] };
            take(slot, aabb, local);
        }
    }
}

struct Measure<'a> {
    circles: &'a mut CircleBounds,
    local_origin: &'a LocalOrigin,
    margin: f64,
    from: DVec2,
    radius: f64,
}

impl SimdKernel for Measure<'_> {
    type Output = usize;

    /// Plain loops, which the compiler vectorizes.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> usize {
        let CircleBounds { count, radii, x, y, .. } = self.circles;
        let count = (*count).min(CAPACITY);
        x.measure(0, radii, count, self.local_origin, self.margin);
        y.measure(1, radii, count, self.local_origin, self.margin);
        let (from_x, from_y, mut far_count) = (self.from.x, self.from.y, 0);
        for i in 0..count {
            far_count +=
                usize::from(((x.low[i] - from_x).abs() > self.radius) | ((y.low[i] - from_y).abs() > self.radius));
        }
        far_count
    }
}

impl AxisIntervals {
    #[inline(always)]
    fn measure(&mut self, axis: usize, radii: &[f64; CAPACITY], count: usize, local_origin: &LocalOrigin, margin: f64) {
        let Self { centers, low, high, low32, high32 } = self;
        for i in 0..count {
            (low[i], high[i]) = (-grown(-centers[i], radii[i]), grown(centers[i], radii[i]));
        }
        let mut safe = true;
        for i in 0..count {
            let (interval, is_safe) = local_origin.to_local_interval_fast(axis, low[i], high[i], margin);
            [low32[i], high32[i]] = interval;
            safe &= is_safe;
        }
        for i in 0..if safe { 0 } else { count } {
            [low32[i], high32[i]] = local_origin.to_local_interval(axis, low[i] - margin, high[i] + margin);
        }
    }
}
