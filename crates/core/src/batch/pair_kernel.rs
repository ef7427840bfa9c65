//! Runs the kernels of a block of pairs: one kernel per class of kinds.
//!
//! Input: the pairs of a block, sorted by class. Each kernel gets up to [`ROWS`] pairs of its class,
//! and columns to gather them. Pairs without a kernel go to the fallback set.

use super::circle_polygon::CirclePolygon;
use super::kind_buckets::{Bucket, CLASSES, FallbackSet, KindBuckets};
use super::pair_columns::PairColumns;
use super::prefetch::NextPairs;
use super::sat::RELATIVE_COLUMNS;
use super::shape_kind::KernelKind::{self, Circle, Other, Polygon, Rectangle};
use super::simd_columns::{F64Column, ROWS};
use crate::math::both::both;
use crate::math::simd::{Simd, SimdKernel};

/// The kinds of shapes, in the order of their numbers.
const KINDS: [KernelKind; 4] = [Circle, Rectangle, Polygon, Other];

/// Scratch memory that the kernels of `intersects` and of `collide` share.
pub(super) struct KernelScratch {
    pub(super) columns: PairColumns,
    /// The relative poses and error bounds of pairs of polygons; see [`sat`](super::sat).
    pub(super) relatives: [F64Column; RELATIVE_COLUMNS],
    /// The columns of pairs of a circle and a polygon.
    pub(super) circle_polygon: CirclePolygon,
}

impl KernelScratch {
    /// All columns zero: the state before the first block.
    pub(super) const EMPTY: Self = Self {
        columns: PairColumns::EMPTY,
        relatives: [F64Column::ZERO; RELATIVE_COLUMNS],
        circle_polygon: CirclePolygon::EMPTY,
    };
}

/// One kernel per class of pairs, each for up to [`ROWS`] pairs.
pub(super) trait PairKernel {
    /// Computes pairs of circles.
    fn circles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch);
    /// Computes pairs of a rectangle, shape number `of` of the pair, and a circle.
    fn rectangle_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, of: usize);
    /// Computes pairs of a polygon, shape number `of` of the pair, and a circle.
    fn polygon_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, of: usize);
    /// Computes pairs of rectangles.
    fn rectangles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch);
    /// Computes pairs of polygons, or of a polygon and a rectangle.
    fn polygons<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, is_rectangle: [bool; 2]);
    /// Returns the set of rows that the scalar function must compute.
    fn fallback(&mut self) -> &mut FallbackSet;
}

/// Runs the kernel of each class in turn.
pub(super) struct PerBucket<'a, K> {
    /// The sorted pairs of the block.
    pub(super) groups: &'a KindBuckets,
    pub(super) ahead: NextPairs<'a>,
    pub(super) scratch: &'a mut KernelScratch,
    pub(super) kernel: K,
}

impl<K: PairKernel> SimdKernel for PerBucket<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { groups, ahead, scratch, mut kernel } = self;
        for class in 0..CLASSES {
            let end = groups.starts[class + 1];
            for start in (groups.starts[class]..end).step_by(ROWS) {
                let group = groups.bucket(start..end.min(start + ROWS), ahead);
                match [KINDS[class / 4], KINDS[class % 4]] {
                    [Circle, Circle] => kernel.circles(simd, group, scratch),
                    [Circle, Rectangle] => kernel.rectangle_circle(simd, group, scratch, 1),
                    [Rectangle, Circle] => kernel.rectangle_circle(simd, group, scratch, 0),
                    [Circle, Polygon] => kernel.polygon_circle(simd, group, scratch, 1),
                    [Polygon, Circle] => kernel.polygon_circle(simd, group, scratch, 0),
                    [Rectangle, Rectangle] => kernel.rectangles(simd, group, scratch),
                    [Other, _] | [_, Other] => group.rows.iter().for_each(|&row| kernel.fallback().insert(row)),
                    kinds => kernel.polygons(simd, group, scratch, both(kinds, |kind| kind == Rectangle)),
                }
            }
        }
    }
}
