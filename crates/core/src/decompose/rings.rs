//! Prepares rings for the plane sweep: removes repeated points, puts the interior on the left, and
//! sorts vertices by x, then y.
//!
//! Input: points and the index range of each ring. Output: rings whose vertices are numbered in the
//! order of the sweep, linked to their neighbours. The orientation of a ring is the exact sign of
//! its area, by a filter and integers. The turn at an extreme vertex would also decide it, but not
//! if rings touch themselves there.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use glam::DVec2;

use super::radix_sort;
use super::sweep_line::Rings;
use crate::math::big_int::Number;
use crate::math::lists::gather;
use crate::math::predicates::exact_area_sign;
use crate::math::vector::{UNIT_ROUNDOFF, cross};

/// Point indices of each ring, without points that are equal to the previous one.
pub(super) struct DedupedRings {
    pub(super) indices: Vec<u32>,
    pub(super) rings: Vec<Range<usize>>,
}

impl DedupedRings {
    pub(super) fn new(points: &[DVec2], rings: impl Iterator<Item = Range<usize>>) -> Self {
        let mut kept = Self { indices: Vec::with_capacity(points.len()), rings: Vec::new() };
        for ring in rings {
            let start = kept.indices.len();
            let mut before = ring.end - 1;
            for i in ring.clone() {
                if points[i] != points[before] {
                    kept.indices.push(i as u32);
                }
                before = i;
            }
            // All points of the ring are equal: keeps one.
            if kept.indices.len() == start {
                kept.indices.push(ring.start as u32);
            }
            kept.rings.push(start..kept.indices.len());
        }
        kept
    }

    /// Returns the rings with vertices sorted in the order of the sweep, and the point index of
    /// each vertex.
    pub(super) fn sorted(&self, points: &[DVec2]) -> (Rings, Vec<u32>) {
        let own = gather(points, &self.indices);
        let order = radix_sort::sort_by_xy(&own);
        let mut rank = vec![0; own.len()];
        for (r, &i) in order.iter().enumerate() {
            rank[i as usize] = r as u32;
        }
        let mut next = vec![0; own.len()];
        let mut prev = vec![0; own.len()];
        for (k, ring) in self.rings.iter().enumerate() {
            // Makes the outer ring counter-clockwise and the holes clockwise.
            let turned = (area_sign(&own[ring.clone()]) == Ordering::Less) == (k == 0);
            let mut before = rank[ring.end - 1];
            for &v in &rank[ring.clone()] {
                let (from, to) = if turned { (v, before) } else { (before, v) };
                next[from as usize] = to;
                prev[to as usize] = from;
                before = v;
            }
        }
        (Rings { points: gather(&own, &order), next, prev }, gather(&self.indices, &order))
    }
}

/// Returns the sign of a ring's signed area: `Greater` for counter-clockwise, `Equal` for area 0.
pub(crate) fn area_sign(ring: &[DVec2]) -> Ordering {
    let origin = ring[0];
    let (mut sum, mut size) = (0.0, 0.0);
    for pair in ring.windows(2) {
        let (u, v) = (pair[0] - origin, pair[1] - origin);
        sum += cross(u, v);
        size += (u.x * v.y).abs() + (u.y * v.x).abs();
    }
    // Error bound, with the unit roundoff u: each term has an error below 4 u times its size. Each
    // addition has one below u times the sum of the sizes.
    let bound = UNIT_ROUNDOFF * size * (ring.len() as f64 + 8.0) + 1e-290;
    if sum.abs() > bound { sum.sign() } else { exact_area_sign(ring) }
}
