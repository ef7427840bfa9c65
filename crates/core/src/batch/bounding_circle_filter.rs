//! Rejects pairs of rectangles whose bounding circles are apart.
//!
//! Input: a bucket of pairs of rectangles. Output: the rows that remain. Only centres and radii are
//! loaded, so a rejected pair costs no rotation and no separating axis. The remaining rows are
//! gathered into full lanes: a mask over all rows would compute the rejected ones too.
//!
//! ```text
//! for each row: apart = translation of b - translation of a
//!     limit = sum of the bounding radii + sum of the radii + error bound
//!     reject if |apart|^2 > limit^2
//! return the numbers of the other rows, in order, without gaps
//! ```
//!
//! The centre of both circles is the origin of the shape's frame. A square below `TINY_SQUARE` has
//! lost digits and rejects nothing.

use super::kind_buckets::Bucket;
use super::pair_columns::PairColumns;
use super::simd_columns::{CompactedRows, Lanes, ROWS, dot, rounding, sub};
use super::view::View;
use crate::math::simd::Simd;
use crate::math::vector::TINY_SQUARE;

/// Returns the rows whose bounding circles are not apart, with the same arithmetic as the scalar
/// path. Overwrites columns.
#[inline(always)]
pub(super) fn near_rows<S: Simd>(
    simd: S,
    view: View<'_>,
    group: Bucket<'_>,
    columns: &mut PairColumns,
) -> CompactedRows {
    let PairColumns { poses: [[from_p, _], [from_q, _]], radius_pairs: [radius_pairs, _], .. } = columns;
    for (i, (&[a, b], &[p, q])) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
        let (p, q) = (&view.polygons.sizes[p.index() as usize], &view.polygons.sizes[q.index() as usize]);
        from_p.set(i, view.translations[a as usize]);
        from_q.set(i, view.translations[b as usize]);
        radius_pairs.set(i, [p.radius + q.radius, p.bounding_radius + q.bounding_radius]);
    }
    let mut candidates = 0;
    for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
        group.ahead.prefetch_translations(from, Lanes::<S>::LEN);
        let (p, q, [radius, bounding_radius]) =
            (from_p.load(simd, from), from_q.load(simd, from), radius_pairs.load(simd, from));
        let apart = sub::<S>(q, p);
        let limit = bounding_radius + (radius + rounding::<S>(bounding_radius + radius, apart, p, q).separation());
        let square = dot::<S>(apart, apart);
        candidates |= (!(square.simd_gt(limit * limit) & square.simd_gt(TINY_SQUARE))).to_bitmask() << from;
    }
    CompactedRows::of(candidates, group.rows.len())
}
