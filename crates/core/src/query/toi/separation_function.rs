//! Evaluates the separations along the normal of a rotating edge, and bounds their changes.
//!
//! Input: heights, closing speeds and their derivatives of the vertices of the other polygon, up to
//! eight. Output: whether all were above a level for a given time, and how long they certainly stay
//! above it. A root of the separation function itself (Catto 2013) does not suffice: another vertex
//! can arrive earlier.
//!
//! Backward test: if a vertex approaches now, faster than its speed may have changed in a given
//! time, it has approached all that time. So it was farther away.
//!
//! Forward test: the separation is at least a parabola of the present speed, its derivative, and a
//! bound of the third derivative. If the parabolas only fall, they stay above the level until their
//! ends. The others are made concave: if they are above the level at both ends, they are so between
//! them.

use super::relative_motion::until;
use crate::math::simd::{Simd, f64x8};
use crate::math::vector::UNIT_ROUNDOFF;

/// Ratio of the cubic term to the square term.
pub(super) const THIRD: f64 = 1.0 / 3.0;

/// Separations of the vertices of one polygon along the normal of an edge of the other at one time,
/// and their derivatives.
pub(super) struct SeparationFunction<S: Simd> {
    /// Heights of the vertices over the pivot of their polygon.
    pub(super) heights: f64x8<S>,
    /// Height of that pivot over the edge, without the radii.
    pub(super) beyond: f64,
    /// Closing speeds.
    pub(super) closing: f64x8<S>,
    /// Derivatives of the closing speeds.
    pub(super) bend: f64x8<S>,
    /// Bounds of the third derivative: the present bound, and its growth per time.
    pub(super) jerk: [f64; 2],
}

/// The result of one evaluation.
pub(super) struct Evaluation {
    /// Duration for which all vertices certainly stay above the level. 0 if one is near.
    pub(super) lasts: f64,
    /// True if a vertex is near at the end of that duration.
    pub(super) is_last: bool,
    /// Index of the lowest vertex now.
    pub(super) lowest: usize,
}

impl<S: Simd> SeparationFunction<S> {
    /// Returns true if all vertices were above a level for a given time: they are above it now, and
    /// have approached all that time.
    #[inline(always)]
    pub(super) fn was_above(&self, simd: S, past: f64, level: f64) -> bool {
        let zero = f64x8::splat(simd, 0.0);
        let more = (self.jerk[0] + self.jerk[1] * past) * (0.5 * past);
        let slowest = self.closing - (self.bend.max(zero) + more) * past;
        let above = self.heights.simd_gt(f64x8::splat(simd, level - self.beyond));
        (slowest.simd_gt(zero) & above).to_bitmask() == 0xff
    }

    /// Returns an estimate of the time since the lowest vertex passed a level, to about a fiftieth.
    /// Useless if the vertex moves away.
    #[inline(always)]
    pub(super) fn below_since(&self, simd: S, level: f64) -> f64 {
        let (least, lowest) = self.lowest(simd);
        let closings: [f64; 8] = self.closing.to_array();
        1.02 * (level - least - self.beyond) / closings[lowest]
    }

    /// Returns the height and index of the lowest vertex. Tie: lowest index.
    #[inline(always)]
    fn lowest(&self, simd: S) -> (f64, usize) {
        let least = self.heights.reduce_min();
        (least, self.heights.simd_le(f64x8::splat(simd, least)).to_bitmask().trailing_zeros() as usize % 8)
    }

    /// Returns a step for which all vertices certainly stay above the first of two limits. The
    /// second limit defines near.
    #[inline(always)]
    pub(super) fn step(&self, simd: S, longest: f64, [level, near]: [f64; 2]) -> Evaluation {
        let ((least, lowest), closings, bends): (_, [f64; 8], [f64; 8]) =
            (self.lowest(simd), self.closing.to_array(), self.bend.to_array());
        let gap = least + self.beyond;
        if gap <= near {
            return Evaluation { lasts: 0.0, is_last: true, lowest };
        }
        let (excess, closing, bend) = (gap - level, closings[lowest], bends[lowest]);
        // The speed may fall, but by at most half. Later times are not bounded.
        let longest = if closing * longest > 2.0 * excess { 2.0 * excess / closing } else { longest };
        let error_bound = (self.jerk[0] + self.jerk[1] * longest) * (longest * THIRD);
        // Reduce the step by more than rounding may add to it.
        let lasting = |bend: f64| (until(excess, closing, bend) * (1.0 - 16.0 * UNIT_ROUNDOFF)).min(longest);
        let lasts = lasting(bend + error_bound);
        let half = 0.5 * lasts * lasts;
        let (zero, all) = (f64x8::splat(simd, 0.0), self.bend + error_bound);
        let later_heights = self.heights - self.closing * lasts - all * half;
        let later_least = least - closing * lasts - (bend + error_bound) * half;
        let fall = (self.closing + all.min(zero) * lasts).simd_gt(zero);
        if (fall & later_heights.simd_ge(f64x8::splat(simd, later_least))).to_bitmask() == 0xff {
            return Evaluation { lasts, is_last: 2.0 * error_bound * half <= near - level, lowest };
        }
        let lasts = lasting((bend + error_bound).max(0.0));
        let later_heights = self.heights - self.closing * lasts - all.max(zero) * (0.5 * lasts * lasts);
        let left = later_heights.reduce_min() + (self.beyond - level);
        Evaluation {
            lasts: if left >= 0.0 { lasts } else { lasts * (excess / (excess - left)) },
            is_last: false,
            lowest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::{SimdKernel, dispatch};

    /// An axis with two uniformly accelerated vertices: separation, closing speed and acceleration
    /// of each.
    struct Two {
        vertices: [[f64; 3]; 2],
        past: f64,
        limits: [f64; 2],
    }

    impl SimdKernel for Two {
        type Output = (bool, Evaluation);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> (bool, Evaluation) {
            let [p, q] = self.vertices;
            let lanes = |i: usize| f64x8::from_array(simd, [p[i], q[i], p[i], q[i], p[i], q[i], p[i], q[i]]);
            let axis = SeparationFunction {
                heights: lanes(0),
                beyond: 0.0,
                closing: lanes(1),
                bend: lanes(2),
                jerk: [0.0; 2],
            };
            (axis.was_above(simd, self.past, self.limits[0]), axis.step(simd, 2.0, self.limits))
        }
    }

    fn step(vertices: [[f64; 3]; 2]) -> Evaluation {
        dispatch(Two { vertices, past: 0.0, limits: [0.0, 1e-6] }).1
    }

    fn was_above(vertices: [[f64; 3]; 2], past: f64, level: f64) -> bool {
        dispatch(Two { vertices, past, limits: [level, level] }).0
    }

    #[test]
    fn a_root_pair_in_the_interval_is_not_missed() {
        let [near, far] = [[1.0, 2.0, 0.0], [3.0, 2.0, 0.0]];
        assert!(was_above([near, far], 1.0, 0.5));
        assert!(!was_above([near, far], 1.0, 1.5), "it is below now");
        // 3 + 0.1 u − u² / 2 at time u in the past.
        let bent = [3.0, 0.1, 1.0];
        assert!(!was_above([near, bent], 1.0, 0.5), "it went away at first");
        assert!(was_above([near, bent], 0.05, 0.5));
    }

    #[test]
    fn a_step_ends_where_the_first_vertex_does() {
        for ([p, q], end) in [
            ([[1.0, 1.0, 0.0], [3.0, 1.0, 0.0]], 1.0),
            // It comes from farther away, and faster.
            ([[1.0, 1.0, 0.0], [3.0, 6.0, 0.0]], 0.5),
            // It slows down: 1 − h + h² / 8.
            ([[1.0, 1.0, -0.25], [3.0, 1.0, 0.0]], 4.0 - libm::sqrt(8.0)),
            // It is below for a while and above again when the other vertex arrives: 1.2 − 5 h +
            // 5.1 h².
            ([[1.0, 1.0, 0.0], [1.2, 5.0, -10.2]], (5.0 - libm::sqrt(0.52)) / 10.2),
        ] {
            let [found, swapped] = [step([p, q]), step([q, p])];
            assert_eq!(found.lasts, swapped.lasts);
            assert!(found.lasts <= end && found.lasts > 0.2 * end, "{} of {end}", found.lasts);
            // If the lowest vertex now also limits the step, the contact is found at once.
            let has_root = 1.0 - end * p[1] - 0.5 * end * end * p[2] < 1e-9;
            assert_eq!(found.is_last, has_root, "{} of {end}", found.lasts);
            assert!(!has_root || found.lasts > end * (1.0 - 1e-12), "{} of {end}", found.lasts);
        }
    }
}
