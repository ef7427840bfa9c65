//! Sorts points in Morton order (Z-order; G. M. Morton, 1966), so that neighbours are near in
//! memory.
//!
//! Input: points. Output: their indices in Morton order. The points are quantized to 11 bits per
//! axis. The interleaved bits are sorted by an LSD radix sort with two passes of 11 bits.
//!
//! Objects in the order of insertion are at random positions, so a tree visit per object misses the
//! cache each time. A sort by x alone groups points that are far apart along y.
//!
//! ```text
//! cell = (point - min of all points) * 2047 / extent, per axis, rounded down
//! key = bits of cell.x and cell.y, alternately
//! order = indices sorted by key: first by the low 11 bits, then stably by the high 11 bits
//! ```

use alloc::vec;
use alloc::vec::Vec;

use crate::math::both::both;
use crate::math::sort::{MAX_DIGIT_VALUES as DIGITS, counting_sort};

/// Bits per digit, and per coordinate.
const BITS: u32 = DIGITS.ilog2();

/// Returns the indices of the points in Morton order.
pub(crate) fn morton_order(points: impl ExactSizeIterator<Item = [f32; 2]> + Clone) -> Vec<u32> {
    let mut min = [f32::INFINITY; 2];
    let mut max = [f32::NEG_INFINITY; 2];
    for point in points.clone() {
        for axis in 0..2 {
            (min[axis], max[axis]) = (min[axis].min(point[axis]), max[axis].max(point[axis]));
        }
    }
    // If all points are equal or some are infinite, the scale is infinite or NaN. The cast and the
    // mask still give a valid cell.
    let scale = both([0, 1], |axis| (DIGITS - 1) as f32 / (max[axis] - min[axis]));
    let cell = |point: [f32; 2], axis: usize| ((point[axis] - min[axis]) * scale[axis]) as u32 & (DIGITS as u32 - 1);
    let mut keyed = Vec::with_capacity(points.len());
    for (index, point) in points.enumerate() {
        keyed.push((spread(cell(point, 0)) | spread(cell(point, 1)) << 1, index as u32));
    }
    let mut by_low = vec![(0, 0); keyed.len()];
    counting_sort(&keyed, &mut by_low, DIGITS, |&(key, _)| key as usize % DIGITS, |&entry| entry);
    let mut order = vec![0; keyed.len()];
    counting_sort(&by_low, &mut order, DIGITS, |&(key, _)| key as usize >> BITS, |&(_, number)| number);
    order
}

/// Inserts a zero bit between any two bits of an 11-bit number.
fn spread(x: u32) -> u32 {
    let x = (x | x << 8) & 0x00ff_00ff;
    let x = (x | x << 4) & 0x0f0f_0f0f;
    let x = (x | x << 2) & 0x3333_3333;
    (x | x << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_corners_come_in_the_order_of_the_letter_z() {
        let points = [[1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
        assert_eq!(morton_order(points.into_iter()), [3, 2, 1, 0]);
    }

    #[test]
    fn every_index_is_in_the_order_once() {
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX, 0.0, 1e-40];
        let points = (0..49).map(|i| [odd[i / 7], odd[i % 7]]);
        let mut order = morton_order(points);
        order.sort_unstable();
        assert_eq!(order, (0..49).collect::<Vec<_>>());
        assert_eq!(morton_order([[2.0, 3.0]; 5].into_iter()), [0, 1, 2, 3, 4]);
        assert_eq!(morton_order(core::iter::empty()), []);
    }
}
