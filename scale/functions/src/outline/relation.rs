//! Decides how two small rings lie to each other, if floating point suffices.
//!
//! Input: two rings that are proven to be simple. Output: their [`Relation`], or `None` if a sign is uncertain: for
//! instance if they touch. Then the library decides exactly.
//!
//! ```text
//! common = intersection of both boxes
//! for each edge of a and of b that touches common:
//!     if they certainly cross: Crossing
//!     if they may share a point: uncertain
//! no edges share a point: one ring lies in the other one, or they are apart
//! ```
//!
//! A shape has a tree of its edges, which takes longer to build than these tests of about ten edges take.

use super::bounds::Bounds;
use super::ring::{Meeting, Ring, boxes_intersect, meeting, side};

/// How two simple rings lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Their boundaries cross.
    Crossing,
    /// The first one lies inside the second one; the boundaries share no point.
    FirstInSecond,
    /// The second one lies inside the first one; the boundaries share no point.
    SecondInFirst,
    /// They share no point.
    Apart,
}

/// Computes relations. Keeps its lists of edges from one pair to the next.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    edges: [Vec<[[f64; 2]; 2]>; 2],
}

impl Relations {
    /// Returns the relation of two simple rings; `None` if floating point cannot decide it.
    pub(crate) fn of(&mut self, a: &Ring, b: &Ring) -> Option<Relation> {
        let (bounds_a, bounds_b) = (a.bounds(), b.bounds());
        if !bounds_a.intersects(&bounds_b) {
            return Some(Relation::Apart);
        }
        let common = Bounds {
            min: [0, 1].map(|axis| bounds_a.min[axis].max(bounds_b.min[axis])),
            max: [0, 1].map(|axis| bounds_a.max[axis].min(bounds_b.max[axis])),
        };
        let diagonal = [common.min, common.max];
        for (edges, ring) in self.edges.iter_mut().zip([a, b]) {
            edges.clear();
            edges.extend(ring.edges().filter(|&edge| boxes_intersect(edge, diagonal)));
        }
        let mut certain = true;
        for &first in &self.edges[0] {
            for &second in &self.edges[1] {
                if boxes_intersect(first, second) {
                    match meeting(first, second) {
                        Meeting::Apart => {}
                        Meeting::Crossing => return Some(Relation::Crossing),
                        Meeting::Uncertain => certain = false,
                    }
                }
            }
        }
        if !certain {
            return None;
        }
        // The boundaries share no point, so one point decides for all.
        if bounds_a.contains(&bounds_b) && contains(a, b.points()[0])? {
            return Some(Relation::SecondInFirst);
        }
        if bounds_b.contains(&bounds_a) && contains(b, a.points()[0])? {
            return Some(Relation::FirstInSecond);
        }
        Some(Relation::Apart)
    }
}

/// Returns true if a point lies inside a ring; `None` if it may lie on an edge. Counts the edges to its right.
fn contains(ring: &Ring, point: [f64; 2]) -> Option<bool> {
    let mut inside = false;
    for [from, to] in ring.edges() {
        let rises = to[1] > point[1];
        if (from[1] > point[1]) != rises {
            match side(from, to, point) {
                0 => return None,
                side => inside ^= (side > 0) == rises,
            }
        }
    }
    Some(inside)
}
