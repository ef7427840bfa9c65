//! Builds a static BVH over a list of edges, and finds pairs of edges with intersecting boxes.
//!
//! Input: edges in ring order. Output: calls of a test for pairs whose boxes intersect. The tree is
//! a complete binary tree over the given order, traversed against itself (C. Ericson, *Real-Time
//! Collision Detection*, 6.3). A test of all pairs takes quadratic time: 5 · 10¹¹ tests for an
//! outline of a million points.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec2;

/// The closed AABB of some edges.
#[derive(Clone, Copy)]
struct Bounds {
    min: DVec2,
    max: DVec2,
}

impl Bounds {
    fn intersects(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// A complete binary tree over a list of edges in the given order. No sorting is needed, because
/// consecutive edges are close together.
pub(super) struct EdgeBvh {
    /// Level 0 has a box for each edge. Each higher level has one box for two of the level below.
    levels: Vec<Vec<Bounds>>,
}

impl EdgeBvh {
    pub(super) fn new(edges: &[[DVec2; 2]]) -> Self {
        let mut levels = vec![edges.iter().map(|[p, q]| Bounds { min: p.min(*q), max: p.max(*q) }).collect::<Vec<_>>()];
        while let Some(last) = levels.last()
            && last.len() > 1
        {
            let pair =
                |p: &[Bounds]| p[1..].iter().fold(p[0], |a, b| Bounds { min: a.min.min(b.min), max: a.max.max(b.max) });
            levels.push(last.chunks(2).map(pair).collect());
        }
        Self { levels }
    }

    /// Calls `test` for pairs of edges whose boxes intersect, until it returns a value, and returns
    /// that.
    pub(super) fn find_pair<T>(&self, mut test: impl FnMut(usize, usize) -> Option<T>) -> Option<T> {
        let mut pending = vec![(self.levels.len() - 1, 0, 0)];
        while let Some((level, i, j)) = pending.pop() {
            if i != j && !self.levels[level][i].intersects(&self.levels[level][j]) {
                continue;
            }
            if level == 0 {
                if i != j
                    && let Some(found) = test(i, j)
                {
                    return Some(found);
                }
                continue;
            }
            let len = self.levels[level - 1].len();
            let halves = |k: usize| (2 * k..2 * k + 2).filter(move |&h| h < len).rev();
            for b in halves(j) {
                pending.extend(halves(i).filter(|&a| a <= b).map(|a| (level - 1, a, b)));
            }
        }
        None
    }
}
