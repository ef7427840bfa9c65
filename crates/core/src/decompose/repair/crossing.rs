//! Computes the crossing of two segments, rounded once.
//!
//! Input: two segments that cross properly. Output: the crossing, each coordinate rounded to the
//! nearest `f64`.
//!
//! With floating point, the crossing of two nearly parallel segments can lie far from both. The exact
//! crossing is a quotient of integers: `a + (b − a) · ((c − a) × (d − c)) / ((b − a) × (d − c))`.
//! Rounding is monotone. So the crossings on one segment stay in order in x and in y, and stay within
//! the bounds of both segments.

use glam::DVec2;

use crate::math::big_int::{BigInt, BitRange, Number, cross, difference};

/// Returns the crossing of the segments `ab` and `cd`, which must not be parallel.
pub(super) fn rounded_crossing(ab: [DVec2; 2], cd: [DVec2; 2]) -> DVec2 {
    let mut range = BitRange::EMPTY;
    range.include_points(&ab);
    range.include_points(&cd);
    // Degree 3: for inputs of w bits, the numerator has at most 3 w + 6 bits, and the division uses one
    // more. The widest input has 1174 bits.
    if range.width() <= 168 { quotients::<8>(ab, cd, range.unit()) } else { quotients::<56>(ab, cd, range.unit()) }
}

fn quotients<const N: usize>([a, b]: [DVec2; 2], [c, d]: [DVec2; 2], unit: i32) -> DVec2 {
    let of = |x: f64| BigInt::<N>::from_f64(x, unit);
    let (along, other) = (difference(b, a, unit), difference(d, c, unit));
    let (numerator, denominator) = (cross(&difference(c, a, unit), &other), cross(&along, &other));
    let coordinate = |from: f64, step: &BigInt<N>| {
        of(from).multiply(&denominator).add(&step.multiply(&numerator)).quotient(&denominator, unit)
    };
    DVec2::new(coordinate(a.x, &along[0]), coordinate(a.y, &along[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing(ab: [[f64; 2]; 2], cd: [[f64; 2]; 2]) -> [f64; 2] {
        rounded_crossing(ab.map(DVec2::from), cd.map(DVec2::from)).to_array()
    }

    #[test]
    fn crossings_are_rounded_to_nearest() {
        assert_eq!(crossing([[0.0, 0.0], [2.0, 2.0]], [[2.0, 0.0], [0.0, 2.0]]), [1.0, 1.0]);
        // The line through the origin with slope 1/3 at x = 1.
        assert_eq!(crossing([[0.0, 0.0], [3.0, 1.0]], [[1.0, -1.0], [1.0, 1.0]]), [1.0, 1.0 / 3.0]);
        assert_eq!(crossing([[-1.0, -1e-320], [1.0, 1e-320]], [[0.0, -1.0], [0.0, 1.0]]), [0.0, 0.0]);
    }

    #[test]
    fn crossings_of_nearly_parallel_segments_are_exact() {
        // They cross where y = x · 2⁻⁶⁰ meets y = 2⁻⁶¹, at x = 1/2. The full range needs all limbs.
        let tiny = 2.0_f64.powi(-60);
        assert_eq!(crossing([[0.0, 0.0], [1.0, tiny]], [[-1.0, tiny / 2.0], [1.0, tiny / 2.0]]), [0.5, tiny / 2.0]);
        let least = f64::from_bits(1);
        assert_eq!(crossing([[0.0, 0.0], [1e30, least]], [[1.0, -1e30], [1.0, 1e30]]), [1.0, 0.0]);
        assert_eq!(crossing([[-1e30, least], [1e30, least]], [[-least, -1e30], [-least, 1e30]]), [-least, least]);
    }
}
