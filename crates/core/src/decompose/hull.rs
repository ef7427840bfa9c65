//! Computes the exact convex hull of a point set.
//!
//! Input: points. Output: indices of the hull vertices, counter-clockwise. The algorithm is the
//! monotone chain (A. M. Andrew, *Another efficient algorithm for convex hulls in two dimensions*,
//! 1979).
//!
//! ```text
//! sort the points by x, then y
//! lower half: for each point, left to right
//!     pop the last point of the half while it does not make a left turn; push the point
//! upper half: the same, right to left
//! ```
//!
//! The turns are decided by the exact orientation predicate. With rounded signs, the hull of nearly
//! collinear points can be concave.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::radix_sort;
use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::math::predicates::orientation;
use crate::math::vector::check_points;

/// Returns the vertices of the convex hull of points, as point indices: counter-clockwise from the
/// lowest x (then y).
///
/// The hull is exact and strict: a point on an edge is no hull vertex. Of equal points, the first
/// one is used. Collinear points give the two ends, equal points one index, no points an empty
/// list.
///
/// Takes O(n log n) time (A. M. Andrew, *Another efficient algorithm for convex hulls in two
/// dimensions*, 1979).
///
/// # Errors
/// A coordinate that is not finite or above 1e30 in magnitude.
///
/// ```
/// use carom::decompose::convex_hull;
///
/// let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0], [1.0, 0.0], [0.0, 2.0]];
/// assert_eq!(convex_hull(&points)?, [0, 1, 3, 5]);
/// assert_eq!(convex_hull(&[[0.0, 0.0], [0.1, 0.1], [0.3, 0.3]])?, [0, 2]);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn convex_hull<P: IntoPoint>(points: &[P]) -> Result<Vec<u32>, Error> {
    let points = P::into_points(points);
    check_points("point", &*points)?;
    Ok(hull_of(&points))
}

/// Returns the [`convex_hull`] of points that are known to be in range.
pub(crate) fn hull_of(points: &[DVec2]) -> Vec<u32> {
    let mut order = radix_sort::sort_by_xy(points);
    let at = |i: u32| points[i as usize];
    order.dedup_by(|i, j| at(*i) == at(*j));
    if order.len() < 3 {
        return order;
    }
    let mut hull = half(points, order.iter().copied());
    let upper = half(points, order.iter().rev().copied());
    // The last vertex of each half is the first one of the other half.
    hull.pop();
    hull.extend_from_slice(&upper[..upper.len() - 1]);
    hull
}

fn half(points: &[DVec2], order: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut chain: Vec<u32> = Vec::new();
    for i in order {
        while let [.., a, b] = chain[..]
            && orientation(points[a as usize], points[b as usize], points[i as usize]) != Ordering::Greater
        {
            chain.pop();
        }
        chain.push(i);
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_and_counter_clockwise() {
        let square =
            [[0.0, 0.0], [0.0, 2.0], [1.0, 2.0], [2.0, 2.0], [2.0, 0.0], [1.0, 1.0], [0.0, 0.0]].map(DVec2::from);
        assert_eq!(hull_of(&square), [0, 4, 3, 1]);
    }

    #[test]
    fn degenerate_sets() {
        let line = [[1.0, 1.0], [3.0, 3.0], [2.0, 2.0]].map(DVec2::from);
        assert_eq!(hull_of(&line), [0, 1]);
        assert_eq!(hull_of(&[DVec2::ONE; 4]), [0]);
    }
}
