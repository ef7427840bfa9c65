//! Defines a node of the tree: up to eight boxes as a structure of arrays, all tested by one SIMD
//! operation.
//!
//! Input: a query box, ray or point. Output: a bit per box that it hits. A node takes three cache
//! lines. Unused lanes are NaN, which fails every comparison, so no test needs the number of boxes.
//!
//! Eight boxes per node suit one SIMD register of eight f32, and a tree of a third of the levels of
//! a binary one. A binary node tests two boxes per step, and each level can cost a cache miss.
//!
//! The half perimeter estimates the cost of a box: it is proportional to the probability that a
//! random line hits the box. A new box goes to the child whose half perimeter grows least.
//!
//! ```text
//! hit of lane i: min_x[i] <= query.max_x  and  query.min_x <= max_x[i]  and the same along y
//! ```

use crate::broad_phase::Aabb32;
use crate::broad_phase::simd_box_tests::BoxLanes;
use crate::math::simd::{Simd, f32x8};

/// Maximum number of boxes per node.
pub(super) const WIDTH: usize = 8;

/// The null link: no node, no location.
pub(super) const NONE: u32 = u32::MAX;

/// Three cache lines: the boxes in the first two, the other data in the third.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Node {
    /// One row per side, in the order of `Aabb32::to_array`: min x, min y, max x, max y.
    sides: [[f32; WIDTH]; 4],
    /// In a leaf: the ids of the boxes. Otherwise: the indices of the child nodes.
    pub(super) links: [u32; WIDTH],
    /// Contains all boxes of the node. The parent stores the same box.
    pub(super) bounds: Aabb32,
    /// The location of this node in its parent (parent index times [`WIDTH`] plus lane), or
    /// [`NONE`] for the root.
    pub(super) parent: u32,
    /// The half perimeter when the node was built; a measure of its growth since.
    pub(super) built_half_perimeter: f32,
    /// Number of boxes, 0 to [`WIDTH`].
    pub(super) len: u8,
    /// If true, the links are ids of boxes.
    pub(super) is_leaf: bool,
}

impl Node {
    /// Unused lanes are NaN, which fails every comparison.
    pub(super) const EMPTY: Self = Self {
        sides: [[f32::NAN; WIDTH]; 4],
        links: [NONE; WIDTH],
        bounds: Aabb32::EMPTY,
        parent: NONE,
        built_half_perimeter: 0.0,
        len: 0,
        is_leaf: true,
    };

    /// Returns the number of boxes.
    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Returns the id or the child node of a lane.
    #[inline(always)]
    pub(super) fn link(&self, lane: usize) -> u32 {
        self.links[lane % WIDTH]
    }

    /// Returns the box of a lane.
    #[inline(always)]
    pub(super) fn aabb(&self, lane: usize) -> Aabb32 {
        let lane = lane % WIDTH;
        let [min_x, min_y, max_x, max_y] = &self.sides;
        Aabb32 { min: [min_x[lane], min_y[lane]], max: [max_x[lane], max_y[lane]] }
    }

    /// Sets the box of a lane.
    #[inline(always)]
    pub(super) fn set_aabb(&mut self, lane: usize, aabb: Aabb32) {
        for (row, side) in self.sides.iter_mut().zip(aabb.to_array()) {
            row[lane] = side;
        }
    }

    /// Appends a box and returns its lane. The node must not be full.
    pub(super) fn push(&mut self, link: u32, aabb: Aabb32) -> usize {
        let lane = self.len();
        self.set_aabb(lane, aabb);
        self.links[lane] = link;
        self.bounds = union(&self.bounds, &aabb);
        self.len += 1;
        lane
    }

    /// Removes a box. The last box moves to its lane.
    pub(super) fn swap_remove(&mut self, lane: usize) {
        let last = self.len() - 1;
        self.set_aabb(lane, self.aabb(last));
        self.links[lane] = self.links[last];
        self.set_aabb(last, NAN);
        self.links[last] = NONE;
        self.len -= 1;
    }

    /// Returns the smallest box that contains all boxes of the node.
    pub(super) fn tight_bounds(&self) -> Aabb32 {
        let least = |sides: &[f32; WIDTH]| sides.iter().fold(f32::INFINITY, |a, &b| a.min(b));
        let most = |sides: &[f32; WIDTH]| sides.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
        let [min_x, min_y, max_x, max_y] = &self.sides;
        Aabb32 { min: [least(min_x), least(min_y)], max: [most(max_x), most(max_y)] }
    }

    /// Returns the lane whose half perimeter grows least if its box is enlarged to contain `aabb`.
    /// Ties: the smallest box, then the lowest lane.
    pub(super) fn least_growth(&self, aabb: &Aabb32) -> usize {
        let mut best = (f32::INFINITY, f32::INFINITY, 0);
        for lane in 0..self.len() {
            let own = self.aabb(lane);
            let size = half_perimeter(&own);
            let growth = half_perimeter(&union(&own, aabb)) - size;
            if growth < best.0 || (growth == best.0 && size < best.1) {
                best = (growth, size, lane);
            }
        }
        best.2
    }
}

/// The box of an unused lane.
const NAN: Aabb32 = Aabb32 { min: [f32::NAN; 2], max: [f32::NAN; 2] };

/// Returns the smallest box that contains both boxes.
#[inline(always)]
pub(super) fn union(a: &Aabb32, b: &Aabb32) -> Aabb32 {
    Aabb32 {
        min: [a.min[0].min(b.min[0]), a.min[1].min(b.min[1])],
        max: [a.max[0].max(b.max[0]), a.max[1].max(b.max[1])],
    }
}

/// Returns width plus height, or 0 for an empty box.
///
/// Proportional to the probability that a random line intersects the box, and nearly so for a
/// random box (the surface area heuristic in 2D).
#[inline(always)]
pub(super) fn half_perimeter(aabb: &Aabb32) -> f32 {
    ((aabb.max[0] - aabb.min[0]) + (aabb.max[1] - aabb.min[1])).clamp(0.0, f32::MAX)
}

/// The same box in every lane.
#[derive(Clone, Copy)]
pub(super) struct Splat<S: Simd> {
    min_x: f32x8<S>,
    min_y: f32x8<S>,
    max_x: f32x8<S>,
    max_y: f32x8<S>,
}

impl<S: Simd> Splat<S> {
    /// Copies a box to all lanes.
    #[inline(always)]
    pub(super) fn new(simd: S, aabb: &Aabb32) -> Self {
        let [min_x, min_y, max_x, max_y] = aabb.to_array();
        Self {
            min_x: f32x8::splat(simd, min_x),
            min_y: f32x8::splat(simd, min_y),
            max_x: f32x8::splat(simd, max_x),
            max_y: f32x8::splat(simd, max_y),
        }
    }

    /// Returns a bit mask of the lanes whose boxes intersect this box.
    #[inline(always)]
    pub(super) fn hits(&self, simd: S, node: &Node) -> u32 {
        let [min_x, min_y, max_x, max_y] = node.lanes(simd);
        let along_x = min_x.simd_le(self.max_x) & self.min_x.simd_le(max_x);
        let along_y = min_y.simd_le(self.max_y) & self.min_y.simd_le(max_y);
        (along_x & along_y).to_bitmask() as u32
    }
}

impl Node {
    /// Returns all sides, in the order of `Aabb32::to_array`. Written out by hand, because a
    /// closure would not be inlined in a SIMD kernel.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S) -> [f32x8<S>; 4] {
        [self.side(simd, 0), self.side(simd, 1), self.side(simd, 2), self.side(simd, 3)]
    }
}

impl<S: Simd> BoxLanes<S> for Node {
    #[inline(always)]
    fn side(&self, simd: S, side: usize) -> f32x8<S> {
        f32x8::from_slice(simd, &self.sides[side % 4])
    }
}

/// Returns the indices of the bits that are set, lowest first.
#[inline(always)]
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        let some = mask != 0;
        mask &= mask.wrapping_sub(1);
        some.then_some(lane)
    })
}
