//! Stores quantized shapes that do not move in a packed BVH with eight children per node.
//!
//! Input: placed shapes with ids. Output: a tree whose leaves are in the order of the shapes, so a
//! query reads few, adjacent cache lines. Source: compressed wide BVHs (Ylitie, Karras and Laine
//! 2017), bulk loading from the top (Lee and Lee 2003).
//!
//! A binary tree with links would need a cache miss per level and about three times the levels.
//! Here the tree is complete from the left, so indices suffice. The children of node `n` are `8 n
//! ..= 8 n + 7` of the level below.
//!
//! A leaf is one cache line. It has the boxes of its shapes in 1/252 of their common box, rounded
//! outward, and the location of their exact data. The quantized shapes have the same indices in a
//! column of their own.
//!
//! ```text
//! split(shapes, size of a subtree)
//!     if few shapes are very large: move them to the end
//!     cut at a multiple of the size, at the median along the axis with the larger extent of the centres
//!     split both halves, until a subtree is left; continue with subtrees an eighth as large
//! ```
//!
//! Few very large shapes would enlarge the boxes of all others, so they are stored last.

use alloc::vec::Vec;

use super::exact_data::{ExactData, ShapeRef};
use super::interval::NONE;
use super::quantized_polygon::{NO_OUTLINE, QuantizedPolygon};
use crate::broad_phase::simd_box_tests::BoxLanes;
use crate::broad_phase::{Aabb32, LocalOrigin};
use crate::math::both::both;
use crate::math::prefetch::prefetch;
use crate::math::simd::{Simd, f32x8, i16x8};
use crate::math::sort::sort_cold;
use crate::math::vector::norm1;
use crate::query::dual_traversal::rounding;
use crate::query::within_distance::reach;
use crate::shape::Placed;

/// Maximum number of boxes of a node.
pub(super) const WIDTH: usize = 8;

/// Upper bound of the number of levels for 32-bit ids.
pub(super) const LEVELS: usize = 12;

/// The empty box.
const NOTHING: Aabb32 = Aabb32 { min: [f32::INFINITY; 2], max: [f32::NEG_INFINITY; 2] };

/// See [`QuantizedShapes::packed`](super::QuantizedShapes::packed).
#[derive(Clone, Debug)]
pub(super) struct PackedBvh {
    /// Origin of all boxes.
    pub(super) frame: LocalOrigin,
    /// The nodes above the leaves, level by level from the bottom.
    inner: Vec<InnerNode>,
    /// Start index of each level. The leaves are level 0.
    starts: [usize; LEVELS],
    /// Level of the root.
    pub(super) top: usize,
    /// The common box of all shapes.
    pub(super) bounds: Aabb32,
    /// One leaf per eight shapes.
    leaves: Vec<Leaf>,
    /// Quantized shapes, eight per leaf.
    outlines: Vec<QuantizedPolygon>,
    /// Exact data of the shapes, in the same order.
    pub(super) exact_data: ExactData,
    /// The largest sum of the L1 norm of a shape's translation and the distance of its points from
    /// its origin.
    farthest: f64,
}

/// The boxes of the child nodes: one row per side.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct InnerNode {
    /// Min x, min y, max x, max y.
    sides: [[f32; WIDTH]; 4],
}

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Leaf {
    /// One row per side, in quantization steps of the leaf's box.
    sides: [[i8; 2 * WIDTH]; 2],
    /// Quantization of x and y.
    axes: [Lattice; 2],
    /// Location of the exact data of the leaf, and the offset of each shape.
    first: u32,
    offsets: [u8; WIDTH],
}

/// Quantization of one axis.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    /// Centre of the box along the axis.
    middle: f32,
    /// Length of a step.
    step: f32,
}

/// Number of steps on either side of the centre.
const STEPS: i8 = 127;

impl Lattice {
    /// Creates the quantization with one spare step, and a margin for rounding.
    fn new(aabb: &Aabb32, axis: usize) -> Self {
        let middle = 0.5 * aabb.min[axis] + 0.5 * aabb.max[axis];
        let margin = middle.abs() * (f32::EPSILON / 32.0) + f32::MIN_POSITIVE;
        Self { middle, step: (aabb.max[axis] - aabb.min[axis]) * (0.5 / (f32::from(STEPS) - 1.0)) + margin }
    }

    /// Converts steps to a coordinate.
    #[inline(always)]
    fn coordinate(self, steps: i8) -> f32 {
        self.middle + f32::from(steps) * self.step
    }

    /// Returns the last step not above one number, and the first step not below another.
    fn around(self, min: f32, max: f32) -> [i8; 2] {
        let near = |x: f32| ((x - self.middle) / self.step) as i8;
        let (mut low, mut high) = (near(min).max(1 - STEPS) - 1, near(max).min(STEPS - 1) + 1);
        while low < STEPS && self.coordinate(low + 1) <= min {
            low += 1;
        }
        while low > -STEPS && self.coordinate(low) > min {
            low -= 1;
        }
        while high > -STEPS && self.coordinate(high - 1) >= max {
            high -= 1;
        }
        while high < STEPS && self.coordinate(high) < max {
            high += 1;
        }
        [low, high]
    }
}

/// A shape to pack.
#[derive(Clone, Copy)]
struct PackedItem<'a> {
    /// Id of the shape.
    id: u32,
    /// Its box.
    aabb: Aabb32,
    /// The shape.
    placed: Placed<'a>,
}

impl PackedItem<'_> {
    /// Returns twice the centre along an axis.
    fn middle(&self, axis: usize) -> f32 {
        self.aabb.min[axis] + self.aabb.max[axis]
    }

    /// Returns the longer side of the box.
    fn size(&self) -> f32 {
        (self.aabb.max[0] - self.aabb.min[0]).max(self.aabb.max[1] - self.aabb.min[1])
    }
}

impl PackedBvh {
    /// Builds a tree. Of several shapes with one id, the last one counts.
    pub(super) fn new<'a>(frame: LocalOrigin, shapes: impl IntoIterator<Item = (u32, Placed<'a>)>) -> Self {
        let item = |(id, placed): (u32, Placed<'a>)| PackedItem { id, aabb: frame.to_local(&placed.aabb()), placed };
        let mut items: Vec<PackedItem<'_>> = shapes.into_iter().map(item).collect();
        // Keep the last of each id.
        items.reverse();
        sort_cold(&mut items, |p, q| p.id.cmp(&q.id));
        items.dedup_by_key(|item| item.id);
        arrange(&mut items);
        let reaches = items.iter().map(|item| norm1(item.placed.pose_ref().translation()) + reach(&item.placed));
        let farthest = reaches.fold(0.0, f64::max);
        let mut packed = Self {
            frame,
            inner: Vec::new(),
            starts: [0; LEVELS],
            top: 0,
            bounds: NOTHING,
            leaves: Vec::with_capacity(items.len().div_ceil(WIDTH)),
            outlines: Vec::with_capacity(items.len().next_multiple_of(WIDTH)),
            exact_data: ExactData::default(),
            farthest,
        };
        let boxes = items.chunks(WIDTH).map(|items| packed.push_leaf(items)).collect();
        packed.build_levels(boxes);
        let whole = packed.leaves.len().next_multiple_of(WIDTH).max(WIDTH);
        packed.leaves.resize(whole, Leaf::empty(&packed.bounds, 0));
        packed
    }

    /// Builds the leaf of some shapes. Returns their common box.
    fn push_leaf(&mut self, items: &[PackedItem<'_>]) -> Aabb32 {
        let boxes: Vec<Aabb32> = items.iter().map(|item| item.aabb).collect();
        let bounds = around(&boxes);
        let mut leaf = Leaf::empty(&bounds, self.exact_data.len());
        for (lane, item) in items.iter().enumerate() {
            for (axis, lattice) in leaf.axes.into_iter().enumerate() {
                let [min, max] = lattice.around(item.aabb.min[axis], item.aabb.max[axis]);
                (leaf.sides[0][axis * WIDTH + lane], leaf.sides[1][axis * WIDTH + lane]) = (min, max);
            }
            let (slot, first) = self.exact_data.push(item.placed);
            // At most eight shapes with eight vertices each.
            leaf.offsets[lane] = (first - leaf.first) as u8;
            self.outlines.push(QuantizedPolygon::of(item.placed).unwrap_or(NO_OUTLINE).with_exact_data(slot, item.id));
        }
        self.leaves.push(leaf);
        self.outlines.resize(self.leaves.len() * WIDTH, NO_OUTLINE);
        bounds
    }

    /// Builds the nodes above leaves with these boxes.
    fn build_levels(&mut self, mut boxes: Vec<Aabb32>) {
        while boxes.len() > 1 || self.top == 0 {
            self.top += 1;
            self.starts[self.top] = self.inner.len();
            self.inner.extend(boxes.chunks(WIDTH).map(InnerNode::new));
            boxes = boxes.chunks(WIDTH).map(around).collect();
            if boxes.is_empty() {
                // A root without children.
                self.inner.push(InnerNode::new(&[]));
            }
        }
        self.bounds = boxes.first().copied().unwrap_or(Aabb32 { min: [0.0; 2], max: [0.0; 2] });
    }

    /// Returns an upper bound of the error of the distance of any shape from a point with this L1
    /// norm.
    #[inline(always)]
    pub(super) fn distance_error(&self, point: f64) -> f64 {
        rounding(self.farthest + point, self.farthest + point)
    }

    /// Returns the n-th node of a level above the leaves.
    #[inline(always)]
    pub(super) fn inner(&self, level: usize, n: usize) -> &InnerNode {
        &self.inner[self.starts[level % LEVELS] + n]
    }

    /// Returns the n-th leaf. Its parent is node n/8 of the level above.
    #[inline(always)]
    pub(super) fn leaf(&self, n: usize) -> &Leaf {
        &self.leaves[n]
    }

    /// Returns the quantized shape at an index: lane `lane` of leaf `n` has the index `8 n + lane`.
    #[inline(always)]
    pub(super) fn outline(&self, index: usize) -> &QuantizedPolygon {
        &self.outlines[index]
    }

    /// Prefetches all leaves below the n-th node above them, before it is known which of them are
    /// needed.
    #[inline(always)]
    pub(super) fn prefetch_leaves(&self, n: usize) {
        for lane in 0..WIDTH {
            prefetch(&self.leaves, n * WIDTH + lane);
        }
    }

    /// Prefetches the quantized shape at an index.
    #[inline(always)]
    pub(super) fn prefetch_outline(&self, index: usize) {
        prefetch(&self.outlines, index);
    }

    /// Prefetches all quantized shapes of the n-th leaf, before it is known which of them are
    /// needed.
    #[inline(always)]
    pub(super) fn prefetch_outlines(&self, n: usize) {
        for lane in 0..WIDTH {
            self.prefetch_outline(n * WIDTH + lane);
        }
    }

    /// Returns the exact data of the shape at an index.
    #[inline(always)]
    pub(super) fn exact_data_of(&self, index: usize) -> ShapeRef {
        self.outline(index).exact_data(self.leaves[index / WIDTH].first(index))
    }

    /// Returns the shapes by id.
    pub(super) fn into_outlines(self) -> Vec<QuantizedPolygon> {
        let known = || self.outlines.iter().filter(|outline| outline.id != NONE);
        let end = known().map(|outline| outline.id as usize + 1).max().unwrap_or(0);
        let mut by_id = alloc::vec![NO_OUTLINE; end];
        for outline in known() {
            by_id[outline.id as usize] = *outline;
        }
        by_id
    }
}

/// Returns the common box of several boxes.
pub(super) fn around(boxes: &[Aabb32]) -> Aabb32 {
    let union = |a: Aabb32, b: &Aabb32| Aabb32 {
        min: [a.min[0].min(b.min[0]), a.min[1].min(b.min[1])],
        max: [a.max[0].max(b.max[0]), a.max[1].max(b.max[1])],
    };
    boxes.iter().fold(NOTHING, union)
}

impl InnerNode {
    /// Returns the boxes of the first lanes. The other lanes are infinitely far away.
    pub(super) fn new(boxes: &[Aabb32]) -> Self {
        let mut sides =
            [[NOTHING.min[0]; WIDTH], [NOTHING.min[1]; WIDTH], [NOTHING.max[0]; WIDTH], [NOTHING.max[1]; WIDTH]];
        for (lane, aabb) in boxes.iter().enumerate() {
            for axis in 0..2 {
                (sides[axis][lane], sides[axis + 2][lane]) = (aabb.min[axis], aabb.max[axis]);
            }
        }
        Self { sides }
    }
}

impl<S: Simd> BoxLanes<S> for InnerNode {
    #[inline(always)]
    fn side(&self, simd: S, side: usize) -> f32x8<S> {
        f32x8::from_slice(simd, &self.sides[side % 4])
    }
}

impl Leaf {
    /// A lane without a shape: its box contains nothing.
    fn empty(bounds: &Aabb32, first: u32) -> Self {
        let axes = both([0, 1], |axis| Lattice::new(bounds, axis));
        Self { sides: [[STEPS; 2 * WIDTH], [-STEPS; 2 * WIDTH]], axes, first, offsets: [0; WIDTH] }
    }

    /// Returns the location of a shape's exact data.
    #[inline(always)]
    pub(super) fn first(&self, lane: usize) -> u32 {
        self.first + u32::from(self.offsets[lane % WIDTH])
    }

    /// Returns the box of a lane.
    #[inline(always)]
    pub(super) fn aabb(&self, lane: usize) -> Aabb32 {
        let [low, high] = &self.sides;
        let ([x, y], lane) = (self.axes, lane % WIDTH);
        Aabb32 {
            min: [x.coordinate(low[lane]), y.coordinate(low[WIDTH + lane])],
            max: [x.coordinate(high[lane]), y.coordinate(high[WIDTH + lane])],
        }
    }
}

impl<S: Simd> BoxLanes<S> for Leaf {
    #[inline(always)]
    fn side(&self, simd: S, side: usize) -> f32x8<S> {
        let [x, y] = i16x8::widen(simd, &self.sides[side / 2 % 2]);
        let (steps, Lattice { middle, step }) = if side & 1 == 0 { (x, self.axes[0]) } else { (y, self.axes[1]) };
        f32x8::splat(simd, middle) + steps.to_f32() * f32x8::splat(simd, step)
    }
}

/// Sorts shapes into the order of the leaves. Splits along the axis with the larger extent of
/// centres, at multiples of the largest power of eight below their number.
fn arrange(items: &mut [PackedItem<'_>]) {
    if items.len() > WIDTH {
        let small_count = items.len() - partition_large(items);
        median_split(items, small_count, WIDTH.pow((items.len() - 1).ilog(WIDTH)));
    }
}

/// Splits until at most one quantum is left. Items after the first `small_count` stay last.
fn median_split(items: &mut [PackedItem<'_>], small_count: usize, quantum: usize) {
    if items.len() <= quantum {
        return arrange(items);
    }
    let cut = items.len().div_ceil(quantum) / 2 * quantum;
    if cut < small_count {
        let small = &mut items[..small_count];
        let axis = usize::from(spread(small, 1) > spread(small, 0));
        small.select_nth_unstable_by(cut, |a, b| a.middle(axis).total_cmp(&b.middle(axis)));
    }
    let (first, second) = items.split_at_mut(cut);
    median_split(first, small_count.min(cut), quantum);
    median_split(second, small_count.saturating_sub(cut), quantum);
}

/// Returns twice the extent of the centres along an axis.
fn spread(items: &[PackedItem<'_>], axis: usize) -> f32 {
    let middles = items.iter().map(|item| item.middle(axis));
    let (low, high) = middles.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    high - low
}

/// Moves very large shapes to the end if they are few: they would enlarge the boxes of all others.
/// Returns their number.
fn partition_large(items: &mut [PackedItem<'_>]) -> usize {
    let limit = 0.25 * spread(items, 0).max(spread(items, 1));
    let large = items.iter().filter(|item| item.size() > limit).count();
    if large == 0 || large > items.len() / 4 {
        return 0;
    }
    let (mut ordered, rest): (Vec<_>, Vec<_>) = items.iter().copied().partition(|item| item.size() <= limit);
    ordered.extend(rest);
    items.copy_from_slice(&ordered);
    large
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::simd_box_tests::{BoxTest, PointDistance};
    use crate::math::simd::{SimdKernel, dispatch};

    /// Returns the keys of boxes about a point, and the largest key of interest.
    struct Keys<'a> {
        boxes: &'a [Aabb32],
        point: [f64; 2],
        within: f64,
    }

    impl SimdKernel for Keys<'_> {
        type Output = ([f32; WIDTH], f32);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let mut near = PointDistance::new(simd, self.point, [around(self.boxes)]);
            near.tighten(self.within);
            let mut keys = [0.0; WIDTH];
            near.lower_bounds(simd, &InnerNode::new(self.boxes)).store_slice(&mut keys);
            (keys, near.max_key())
        }
    }

    /// Law: the key of a box at the limit is of interest. The key of a box one percent farther is
    /// not, nor is that of an empty lane.
    #[test]
    fn keys_tell_near_boxes_from_far_ones_and_from_none() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut apart = 0;
        for _ in 0..20_000 {
            let size = 10.0_f32.powi(rng.i32(-15..25));
            let one = |rng: &mut fastrand::Rng| {
                let [x, y] = [rng.f32() * size, -rng.f32() * size];
                Aabb32 { min: [x, y], max: [x + size * rng.f32(), y + size * rng.f32()] }
            };
            let boxes: Vec<Aabb32> = (0..rng.usize(1..=WIDTH)).map(|_| one(&mut rng)).collect();
            let point = [0, 1].map(|_| f64::from(size) * (4.0 * rng.f64() - 2.0));
            for (lane, aabb) in boxes.iter().enumerate() {
                let [x, y] = [0, 1].map(|axis| {
                    (f64::from(aabb.min[axis]) - point[axis]).max(point[axis] - f64::from(aabb.max[axis])).max(0.0)
                });
                let distance = libm::hypot(x, y);
                let (keys, max_key) = dispatch(Keys { boxes: &boxes, point, within: distance });
                assert!(
                    keys[lane] <= max_key,
                    "{aabb:?} is {distance} from {point:?}: {} is beyond {max_key}",
                    keys[lane]
                );
                assert!(
                    keys[boxes.len()..].iter().all(|&key| key == f32::INFINITY),
                    "{keys:?} of {} boxes",
                    boxes.len()
                );
                if distance > 1e-3 * f64::from(size) {
                    let (keys, max_key) = dispatch(Keys { boxes: &boxes, point, within: 0.99 * distance });
                    assert!(
                        keys[lane] > max_key,
                        "{aabb:?} is {distance} from {point:?}: {} is within {max_key}",
                        keys[lane]
                    );
                    apart += 1;
                }
            }
        }
        assert!(apart > 20_000, "{apart} boxes were apart from the point");
    }

    /// Law: a quantized box contains the box, and is larger by at most three steps, up to rounding.
    #[test]
    fn quantized_boxes_contain_their_boxes() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..100_000 {
            let (far, size) = (10.0_f32.powi(rng.i32(-44..30)), 10.0_f32.powi(rng.i32(-44..30)));
            let mut numbers = [0; 4].map(|_| far * [-1.0, 0.0, 1.0][rng.usize(..3)] + size * rng.f32());
            numbers.sort_unstable_by(f32::total_cmp);
            let [low, min, max, high] = numbers;
            let lattice = Lattice::new(&Aabb32 { min: [low; 2], max: [high; 2] }, 1);
            let [first, last] = lattice.around(min, max).map(|steps| lattice.coordinate(steps));
            assert!(first <= min && max <= last, "{numbers:?}: {first} {last}");
            let tolerance = 3.0 * lattice.step + 4.0 * f32::EPSILON * high.abs().max(low.abs());
            assert!(min - first <= tolerance && last - max <= tolerance, "{numbers:?}: {first} {last}");
        }
    }
}
