//! Sorts points by x, then y, for the plane sweep and the hull.
//!
//! Input: points. Output: their indices in order. The method is a radix sort by quantized x, with a
//! comparison sort of equal keys. (Knuth, *The Art of Computer Programming*, volume 3, 5.2.5.)
//!
//! Each comparison of a comparison sort loads two points and branches unpredictably. Quantization
//! is monotone, so the keys never contradict the exact order, and few points have equal keys.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec2;

use crate::math::predicates::compare_xy;
use crate::math::sort::{sort_cold, sort_short};

/// Number of points from which on a counting sort is faster than a comparison sort.
const MIN_COUNTING_SORT: usize = 64;

/// Number of equal keys from which on merge sort is faster than insertion sort.
const MAX_SHORT_RUN: usize = 32;

/// Limits for the number of key bits: 16 bits below `MAX_16_BIT` points, 20 bits below
/// `MAX_20_BIT`, else 30. So nearly all points have different keys.
const MAX_16_BIT: usize = 1 << 12;
const MAX_20_BIT: usize = 1 << 14;

/// Returns the indices of the points, sorted by x, then y; equal points in the given order.
///
/// Each x is quantized to a few bits by a monotone function. These keys are sorted as integers
/// together with the index. Runs of equal keys are then sorted by the points themselves.
pub(super) fn sort_by_xy(points: &[DVec2]) -> Vec<u32> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for p in points {
        low = if p.x < low { p.x } else { low };
        high = if p.x > high { p.x } else { high };
    }
    let bits = if points.len() < MAX_16_BIT {
        16
    } else if points.len() < MAX_20_BIT {
        20
    } else {
        30
    };
    // Subtraction, multiplication and truncation are monotone, so keys never contradict the points.
    // The factor is one less than the power of two, so that rounding cannot reach it.
    let scale = ((1_u64 << bits) - 1) as f64 / (high - low);
    let scale = if scale.is_finite() { scale } else { 0.0 };
    let key = |(i, p): (usize, &DVec2)| u64::from(((p.x - low) * scale) as u32) << 32 | i as u64;
    let mut keys: Vec<u64> = points.iter().enumerate().map(key).collect();
    if keys.len() < MIN_COUNTING_SORT {
        sort_short(&mut keys, Ord::cmp);
    } else if bits == 16 {
        count_digits::<256>(&mut keys, 2);
    } else {
        count_digits::<1024>(&mut keys, bits / 10);
    }
    sort_equal_keys(&mut keys, points);
    keys.into_iter().map(|k| k as u32).collect()
}

/// Sorts by the upper halves of the keys: a stable counting sort, digit by digit from the lowest. A
/// digit has `SIZE` values, a power of two.
fn count_digits<const SIZE: usize>(keys: &mut Vec<u64>, digits: u32) {
    let digit = |key: u64, i: u32| (key >> (32 + i * SIZE.trailing_zeros())) as usize & (SIZE - 1);
    let mut starts = vec![[0_u32; SIZE]; digits as usize];
    for &key in keys.iter() {
        for (i, counts) in starts.iter_mut().enumerate() {
            counts[digit(key, i as u32)] += 1;
        }
    }
    let mut other = vec![0; keys.len()];
    for (i, counts) in starts.iter_mut().enumerate() {
        let mut sum = 0;
        for count in counts.iter_mut() {
            (*count, sum) = (sum, sum + *count);
        }
        for &key in keys.iter() {
            let index = &mut counts[digit(key, i as u32)];
            other[*index as usize] = key;
            *index += 1;
        }
        core::mem::swap(keys, &mut other);
    }
}

/// Sorts each run of equal upper halves by the points.
fn sort_equal_keys(keys: &mut [u64], points: &[DVec2]) {
    for run in keys.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        let by_point = |a: &u64, b: &u64| compare_xy(points[*a as u32 as usize], points[*b as u32 as usize]);
        // Equal points keep the order of their indices: both sorts are stable.
        if run.len() < MAX_SHORT_RUN { sort_short(run, by_point) } else { sort_cold(run, by_point) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the standard library's stable sort: grids with many ties, subnormal numbers
    /// beside 1e30, equal x, and counts on both sides of the limits.
    #[test]
    fn agrees_with_a_stable_sort() {
        let mut dice = fastrand::Rng::with_seed(7);
        for round in 0..400 {
            let n = match round % 97 {
                96 => MAX_20_BIT + 5,
                48 => MAX_16_BIT + 5,
                even if even % 2 == 0 => dice.usize(1..40),
                _ => dice.usize(1..3 * MIN_COUNTING_SORT),
            };
            let kind = round % 5;
            let mut number = || match kind {
                0 => f64::from(dice.i32(-5..5)),
                1 => dice.f64() * 1e-300,
                2 => f64::from_bits(dice.u64(0..4)),
                3 => [1e30, -1e30, f64::from_bits(1), 0.0, -0.0][dice.usize(..5)],
                _ => dice.f64() - 0.5,
            };
            let points: Vec<DVec2> = (0..n).map(|_| DVec2::new(number(), number())).collect();
            let mut expected: Vec<u32> = (0..n as u32).collect();
            expected.sort_by(|&i, &j| compare_xy(points[i as usize], points[j as usize]));
            assert_eq!(sort_by_xy(&points), expected, "round {round}");
        }
    }
}
