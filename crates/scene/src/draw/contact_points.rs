//! Merges equal contact points of the parts of a composite, so that each is drawn once.
//!
//! Two composites can touch in many pairs of parts, and neighbouring parts share vertices. The
//! points are sorted by x, and each is compared with the points before it that have the same x up
//! to rounding.

use carom::query::ContactPoint;

/// Largest difference of equal coordinates, relative to the largest coordinate. Parts that share a
/// vertex compute it with different roundings.
const SAME: f64 = 1e-14;

/// Returns each point once, in the given order. Of equal points the deepest stays.
pub(super) fn unique(points: &[ContactPoint]) -> Vec<ContactPoint> {
    let largest = points.iter().map(|p| p.position().abs().max_element()).fold(0.0, f64::max);
    let same = |p: f64, q: f64| (p - q).abs() <= largest * SAME;
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| points[i].position().x.total_cmp(&points[j].position().x));
    let mut is_kept = vec![true; points.len()];
    for (rank, &i) in order.iter().enumerate() {
        let near = order[..rank].iter().rev().take_while(|&&j| same(points[i].position().x, points[j].position().x));
        for &j in near {
            if is_kept[i] && is_kept[j] && same(points[i].position().y, points[j].position().y) {
                let is_deeper = points[i].depth > points[j].depth || (points[i].depth == points[j].depth && i < j);
                is_kept[if is_deeper { j } else { i }] = false;
            }
        }
    }
    points.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(point, _)| *point).collect()
}

#[cfg(test)]
mod tests {
    use super::unique;
    use carom::query::{ContactPoint, manifolds};
    use carom::{Pose, Shape};

    /// The three parts of a `U` share vertices on the floor.
    #[test]
    fn shared_vertices_of_parts_count_once() {
        let u = [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let (u, floor) = (Shape::polygon(&u).unwrap(), Shape::rectangle(20.0, 2.0).unwrap());
        for degrees in [0.0, 90.0, 180.0] {
            let pose = Pose::from_degrees([0.3, 0.7], degrees).unwrap();
            let mut all = Vec::new();
            manifolds(floor.at([0.0, -0.4]).unwrap(), u.placed(pose), &mut all);
            let points: Vec<ContactPoint> = all.iter().flat_map(carom::Manifold::points).copied().collect();
            let once = unique(&points);
            for (i, p) in once.iter().enumerate() {
                assert!(points.iter().any(|q| q == p));
                assert!(once[..i].iter().all(|q| p.position().distance(q.position()) > 1e-9), "{degrees}: {once:?}");
            }
            // No point is lost: each is at most rounding away from one that stays.
            for p in &points {
                assert!(once.iter().any(|q| p.position().distance(q.position()) < 1e-9 && q.depth >= p.depth));
            }
        }
    }
}
