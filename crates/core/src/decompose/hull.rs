//! The convex hull of a point set, exactly.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use crate::math::predicates::orientation;

/// The corners of the convex hull, counter-clockwise from the lowest x (then y), as indices into `points`.
///
/// Strict: no point of an edge, no repeated point (the first one counts). One index where all points are equal, two where they lie on one line.
/// Andrew's monotone chain (Andrew 1979) on exact orientations.
pub(crate) fn convex_hull(points: &[DVec2]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    let at = |i: u32| points[i as usize];
    let compare =
        |p: DVec2, q: DVec2| p.x.partial_cmp(&q.x).unwrap_or(Ordering::Equal).then(p.y.partial_cmp(&q.y).unwrap_or(Ordering::Equal));
    order.sort_unstable_by(|&i, &j| compare(at(i), at(j)).then(i.cmp(&j)));
    order.dedup_by(|i, j| at(*i) == at(*j));
    if order.len() < 3 {
        return order;
    }
    let mut hull = half(points, order.iter().copied());
    let upper = half(points, order.iter().rev().copied());
    // Each half ends where the other begins.
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
        let square = [[0.0, 0.0], [0.0, 2.0], [1.0, 2.0], [2.0, 2.0], [2.0, 0.0], [1.0, 1.0], [0.0, 0.0]].map(DVec2::from);
        assert_eq!(convex_hull(&square), [0, 4, 3, 1]);
    }

    #[test]
    fn degenerate_sets() {
        let line = [[1.0, 1.0], [3.0, 3.0], [2.0, 2.0]].map(DVec2::from);
        assert_eq!(convex_hull(&line), [0, 1]);
        assert_eq!(convex_hull(&[DVec2::ONE; 4]), [0]);
    }
}
