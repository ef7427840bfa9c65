//! Stores points in a k-d tree with removal, and finds a point inside a triangle.
//!
//! Input: points with ids, and triangles. Output: whether a remaining point in the triangle passes
//! a test. The tree is built once (J. L. Bentley, *Multidimensional binary search trees used for
//! associative searching*, 1975). Points can be removed, but not added.
//!
//! Most triangles are small and near one of the points. So each node also stores its cell of the
//! plane. A query goes up from the leaf of a vertex, to the first cell that contains the triangle.
//! A query from the root would visit log n nodes before the first useful one.
//!
//! ```text
//! build:   split at the median along the longer side of the box; the dividing line is in the middle of the gap
//! query:   node = leaf of a vertex of the triangle
//!          go up until the cell of the node contains the box of the triangle
//!          visit(node): skip it if it is empty, or if its box is outside the triangle
//!                       leaf: test its points; else: visit both children
//! remove:  clear the bit of the point; empty nodes reduce the counts of their ancestors
//! ```
//!
//! A test of all points takes O(n) per triangle, and there are O(n) triangles.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::predicates::orientation;
use crate::math::sort::{IdPoint, select_first};
use crate::math::vector::{UNIT_ROUNDOFF, cross};

/// Number of points in a leaf.
const LEAF_SIZE: usize = 8;

/// The cell of the root.
const EVERYTHING: Aabb = Aabb::from_corners(DVec2::NEG_INFINITY, DVec2::INFINITY);

#[derive(Clone, Copy)]
struct KdNode {
    bounds: Aabb,
    /// Cell of the plane: its interior contains no points of other nodes.
    cell: Aabb,
    /// Remaining content: for a leaf one bit per point, for other nodes the number of non-empty
    /// children.
    alive: u32,
}

/// A k-d tree from which points can be removed.
pub(super) struct KdTree {
    /// Points in the order of the tree.
    slots: Vec<IdPoint>,
    /// Index in `slots` of each point id.
    indices: Vec<u32>,
    /// Level 0 contains one leaf per `LEAF_SIZE` slots. Each higher level has one node for two
    /// nodes of the level below.
    levels: Vec<Vec<KdNode>>,
}

impl KdTree {
    pub(super) fn new(points: &[DVec2]) -> Self {
        let mut slots = mapped((0..).zip(points), |(id, &point)| IdPoint { point, id });
        let empty = KdNode { bounds: Aabb::EMPTY, cell: EVERYTHING, alive: 0 };
        let mut levels = vec![vec![empty; slots.len().div_ceil(LEAF_SIZE)]];
        while let Some(last) = levels.last()
            && last.len() > 1
        {
            levels.push(vec![empty; last.len().div_ceil(2)]);
        }
        let top = levels.len() - 1;
        let bounds = Aabb::of_points(points);
        build(&mut levels, top, 0, &mut slots, [bounds, EVERYTHING]);
        let mut indices = vec![0; slots.len()];
        (0..slots.len()).for_each(|i| indices[slots[i].id as usize] = i as u32);
        Self { slots, indices, levels }
    }

    pub(super) fn remove(&mut self, id: u32) {
        let index = self.indices[id as usize] as usize;
        let (mut level, mut i) = (0, index / LEAF_SIZE);
        self.levels[0][i].alive &= !(1 << (index % LEAF_SIZE));
        while self.levels[level][i].alive == 0 && level + 1 < self.levels.len() {
            (level, i) = (level + 1, i / 2);
            self.levels[level][i].alive -= 1;
        }
    }

    /// Returns true if a remaining point lies in the closed triangle, is no vertex of it, and
    /// passes the test.
    pub(super) fn any_in_triangle(&self, triangle: &Triangle, mut test: impl FnMut(u32) -> bool) -> bool {
        // Most triangles are small: goes up from the leaf of a vertex, to the first node whose cell
        // contains the triangle.
        let (mut level, mut i) = (0, self.indices[triangle.ids[1] as usize] as usize / LEAF_SIZE);
        while level + 1 < self.levels.len() && !is_strictly_inside(&triangle.bounds, &self.levels[level][i].cell) {
            (level, i) = (level + 1, i / 2);
        }
        self.any_under(level, i, triangle, &mut test)
    }

    fn any_under(&self, level: usize, i: usize, triangle: &Triangle, test: &mut impl FnMut(u32) -> bool) -> bool {
        let node = &self.levels[level][i];
        if node.alive == 0 || !node.bounds.meets(&triangle.bounds) {
            return false;
        }
        if level > 0 {
            let end = self.levels[level - 1].len().min(2 * i + 2);
            return !triangle.is_certainly_outside(&node.bounds)
                && (2 * i..end).any(|half| self.any_under(level - 1, half, triangle, test));
        }
        for k in 0..LEAF_SIZE {
            if node.alive >> k & 1 == 1 {
                let slot = &self.slots[i * LEAF_SIZE + k];
                if triangle.contains(slot) && test(slot.id) {
                    return true;
                }
            }
        }
        false
    }
}

/// Returns true if a box lies in the interior of a cell.
fn is_strictly_inside(bounds: &Aabb, cell: &Aabb) -> bool {
    cell.min().cmplt(bounds.min()).all() && bounds.max().cmplt(cell.max()).all()
}

/// Sorts slots into the order of the tree and fills the nodes. Splits at the median along the
/// longer side of the box.
fn build(levels: &mut [Vec<KdNode>], level: usize, i: usize, slots: &mut [IdPoint], [bounds, cell]: [Aabb; 2]) {
    let middle = (LEAF_SIZE << level) / 2;
    let halved = level > 0 && middle < slots.len();
    levels[level][i] =
        KdNode { bounds, cell, alive: if level == 0 { (1 << slots.len()) - 1 } else { 1 + u32::from(halved) } };
    if halved {
        let axis = usize::from(bounds.size().y > bounds.size().x);
        let [low, high] = select_first(slots, middle, axis);
        let [below, above] = both([&*low, &*high], |half| Aabb::around(half.iter().map(|slot| slot.point), 0.0));
        // Puts the splitting line into the middle of the gap. Then fewer triangles cross the line.
        let between = below.max()[axis].midpoint(above.min()[axis]);
        let (mut low_end, mut high_start) = (cell.max(), cell.min());
        (low_end[axis], high_start[axis]) = (between, between);
        build(levels, level - 1, 2 * i, low, [below, Aabb::from_corners(cell.min(), low_end)]);
        build(levels, level - 1, 2 * i + 1, high, [above, Aabb::from_corners(high_start, cell.max())]);
    } else if level > 0 {
        build(levels, level - 1, 2 * i, slots, [bounds, cell]);
    }
}

/// A closed triangle; possibly flat, or a segment.
pub(super) struct Triangle {
    /// Vertices, counter-clockwise.
    vertices: [DVec2; 3],
    /// Point ids of the vertices. Points with these ids never count as contained.
    ids: [u32; 3],
    bounds: Aabb,
}

impl Triangle {
    pub(super) fn new(points: &[DVec2], ids: [u32; 3]) -> Self {
        let [a, b, c] = [points[ids[0] as usize], points[ids[1] as usize], points[ids[2] as usize]];
        let vertices = if b != c && orientation(a, b, c) == Ordering::Less { [a, c, b] } else { [a, b, c] };
        Self { vertices, ids, bounds: Aabb::of_points(&vertices) }
    }

    fn sides(&self) -> [[DVec2; 2]; 3] {
        let [a, b, c] = self.vertices;
        [[a, b], [b, c], [c, a]]
    }

    fn contains(&self, slot: &IdPoint) -> bool {
        let p = slot.point;
        self.bounds.contains_point(p)
            && !self.ids.contains(&slot.id)
            // Points at a vertex are common on pixel grids, and would need exact arithmetic below.
            && (self.vertices.contains(&p)
                || self.sides().iter().all(|&[a, b]| a == b || orientation(a, b, p) != Ordering::Less))
    }

    /// Returns true if all vertices of the box are certainly to the right of one side of the
    /// triangle.
    fn is_certainly_outside(&self, bounds: &Aabb) -> bool {
        self.sides().iter().any(|&[a, b]| {
            // The vertex of the box that is farthest to the left of the side.
            let d = b - a;
            let far = DVec2::new(
                if d.y < 0.0 { bounds.max().x } else { bounds.min().x },
                if d.x > 0.0 { bounds.max().y } else { bounds.min().y },
            );
            let v = far - a;
            // A floating-point filter suffices here (Shewchuk, *Adaptive precision floating-point
            // arithmetic*, 1997).
            cross(d, v) < -4.0 * UNIT_ROUNDOFF * ((d.x * v.y).abs() + (d.y * v.x).abs()) - 1e-300
        })
    }
}
