//! Gathers poses and sizes of pairs of one class into columns, so that kernels load whole SIMD
//! vectors of pairs.
//!
//! Input: the pairs of a bucket. Output: one row per pair. A kernel reads only the columns that its
//! class needs.

use super::kind_buckets::Bucket;
use super::simd_columns::{F64Column, ROWS, Vec2Column, gather_pose};
use super::small_polygon::HalfExtents;
use super::view::View;

/// Up to [`ROWS`] pairs, one per row. In a pair of a circle and a polygon, the polygon comes first.
pub(super) struct PairColumns {
    /// Translation and rotation of both shapes. Those of circles have no rotation.
    pub(super) poses: [[Vec2Column; 2]; 2],
    /// Half extents of rectangles; the inscribed radius, twice, of other polygons.
    pub(super) halves: [Vec2Column; 2],
    /// Rounding radius and bounding radius of both polygons, or their sums in the first column.
    pub(super) radius_pairs: [Vec2Column; 2],
    /// Radii of circles.
    pub(super) radii: [F64Column; 2],
}

impl PairColumns {
    /// All columns zero: the state before the first bucket.
    pub(super) const EMPTY: Self = Self {
        poses: [[Vec2Column::ZERO; 2]; 2],
        halves: [Vec2Column::ZERO; 2],
        radius_pairs: [Vec2Column::ZERO; 2],
        radii: [F64Column::ZERO; 2],
    };

    /// Gathers pairs of circles.
    #[inline(always)]
    pub(super) fn gather_circles(&mut self, view: View<'_>, group: Bucket<'_>) {
        let Self { poses: [[from_p, _], [from_q, _]], radii: [radii_p, radii_q], .. } = self;
        for (i, (&[a, b], &[p, q])) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let (p, q) = (p.index() as usize, q.index() as usize);
            from_p.set(i, view.translations[a as usize]);
            from_q.set(i, view.translations[b as usize]);
            (radii_p[i], radii_q[i]) = (view.circles[p], view.circles[q]);
        }
    }

    /// Gathers pairs of a polygon, shape number `of` of each pair, and a circle.
    #[inline(always)]
    pub(super) fn gather_polygon_circle(&mut self, view: View<'_>, group: Bucket<'_>, of: usize) {
        let Self { poses: [poses, [centers, _]], halves, radius_pairs, radii } = self;
        for (i, (&pair, shapes)) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let size = &view.polygons.sizes[shapes[of].index() as usize];
            gather_pose(view, pair[of], poses, i);
            centers.set(i, view.translations[pair[1 - of] as usize]);
            halves[0].set(i, size.half);
            radius_pairs[0].set(i, [size.radius, size.bounding_radius]);
            radii[0][i] = view.circles[shapes[1 - of].index() as usize];
        }
    }

    /// Gathers pairs of polygons or rectangles, with the sums of their radii.
    #[inline(always)]
    pub(super) fn gather_polygons(&mut self, view: View<'_>, group: Bucket<'_>) {
        for (i, (&pair, &[p, q])) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let (p, q) = (p.index() as usize, q.index() as usize);
            let (p, q) = (&view.polygons.sizes[p], &view.polygons.sizes[q]);
            self.set_polygons(view, i, pair, [p, q]);
            self.radius_pairs[0].set(i, [p.radius + q.radius, p.bounding_radius + q.bounding_radius]);
        }
    }

    /// Stores poses and half extents of two polygons in row `i`.
    #[inline(always)]
    pub(super) fn set_polygons(&mut self, view: View<'_>, i: usize, [a, b]: [u32; 2], [p, q]: [&HalfExtents; 2]) {
        gather_pose(view, a, &mut self.poses[0], i);
        gather_pose(view, b, &mut self.poses[1], i);
        self.halves[0].set(i, p.half);
        self.halves[1].set(i, q.half);
    }
}
