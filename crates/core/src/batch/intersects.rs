//! Decides for blocks of pairs whether the shapes intersect or overlap, with SIMD kernels.
//!
//! Input: pairs of placed shapes. Output: one `bool` per pair. The floating-point filters are those
//! of [`convex_pair`](crate::query::convex_pair), one pair per lane.
//!
//! ```text
//! for each block of 256 pairs
//!     sort the pairs by the kinds of their shapes (counting sort)
//!     for each class of kinds, 64 pairs at a time
//!         s = signed separation of the shapes, radii included; e = its error bound
//!         if s > e: apart        if s < -e: overlap        else: add the pair to the fallback set
//!     compute the pairs of the fallback set with the scalar, exact function
//! ```
//!
//! The kernels of `collide.rs` would give the same answers, but compute normals and points too. For
//! polygons, a separating axis of the first polygon ends the test, and inscribed circles that
//! overlap decide without any axis.
//!
//! Only the fallback distinguishes touching from overlapping, so `intersects` and `overlaps` share
//! the kernels.
//!
//! ```text
//! circles:               compare squared distance and squared radius
//! circle and rectangle:  distance of the centre in the rectangle's frame
//! circle and polygon:    closest edge or vertex (`circle_polygon.rs`)
//! rectangles:            four separating axes
//! polygons:              bounding and inscribed circles; edges of the first; edges of the second for the rest
//! ```
//!
//! The third pass of the polygons tests only the pairs that the second has not separated. They are
//! compacted first, so that lanes are full.

use alloc::vec;

use super::Batch;
use super::kind_buckets::{Bucket, FallbackSet, KindBuckets};
use super::pair_columns::PairColumns;
use super::pair_kernel::{KernelScratch, PairKernel, PerBucket};
use super::prefetch::{BLOCK, blocks};
use super::rectangles::RectangleSeparations;
use super::sat::{RELATIVE_COLUMNS, RelativeLanes, any_above, edge_separations, limit_and_error_bound, prepare};
use super::simd_columns::{CompactedRows, F64Column, Lanes, Poses, load, rounding, sub};
use super::view::View;
use crate::math::parallel;
use crate::math::simd::{Simd, dispatch_avx512, dispatch_max_width};
use crate::math::vector::UNIT_ROUNDOFF;
use crate::pair_result::Relation;
use crate::query::{intersects, overlaps};

/// Minimum number of pairs per chunk of parallel work: about 20 µs.
const MIN_PAIRS_PER_CHUNK: usize = 8 * BLOCK;

/// Computes [`Batch::intersects`] or [`Batch::overlaps`]; `enough` is the least relation that
/// counts as true. Returns the first index without a placed shape as an error.
pub(super) fn all(batch: &Batch, pairs: &[[u32; 2]], enough: Relation, answers: &mut [bool]) -> Result<(), u32> {
    let parts = parallel::chunk_count(pairs.len(), MIN_PAIRS_PER_CHUNK);
    if parts == 1 {
        return run_chunk(batch, pairs, enough, answers);
    }
    let chunk = pairs.len().div_ceil(parts).next_multiple_of(BLOCK);
    let mut results = vec![Ok(()); parts];
    let tasks = pairs.chunks(chunk).zip(answers.chunks_mut(chunk)).zip(&mut results);
    parallel::for_each(tasks.collect(), |((pairs, answers), results)| {
        *results = run_chunk(batch, pairs, enough, answers);
    });
    results.into_iter().find(Result::is_err).unwrap_or(Ok(()))
}

/// Computes a chunk of pairs on one thread.
fn run_chunk(batch: &Batch, pairs: &[[u32; 2]], enough: Relation, answers: &mut [bool]) -> Result<(), u32> {
    let (view, mut groups, mut scratch) = (batch.view(), KindBuckets::EMPTY, KernelScratch::EMPTY);
    for ((pairs, ahead), answers) in blocks(view, pairs).zip(answers.chunks_mut(BLOCK)) {
        groups.sort(view.ids, pairs)?;
        let mut fallback = FallbackSet::default();
        let kernel = IntersectKernel { view, answers, fallback: &mut fallback };
        let kernel = PerBucket { groups: &groups, ahead, scratch: &mut scratch, kernel };
        if let Err(kernel) = dispatch_avx512(batch.max_simd_bits, kernel) {
            dispatch_max_width(batch.max_simd_bits, kernel);
        }
        if !fallback.is_empty() {
            run_fallback(batch, pairs, fallback, enough, answers);
        }
    }
    Ok(())
}

/// Computes the pairs of the fallback set with the scalar function.
#[cold]
fn run_fallback(batch: &Batch, pairs: &[[u32; 2]], fallback: FallbackSet, enough: Relation, answers: &mut [bool]) {
    for row in fallback.rows().map(|row| row as usize) {
        let [a, b] = pairs[row];
        if let (Some(a), Some(b)) = (batch.get(a), batch.get(b)) {
            answers[row] = if enough == Relation::Touching { intersects(a, b) } else { overlaps(a, b) };
        }
    }
}

/// The kernels that decide intersection.
struct IntersectKernel<'a> {
    /// The placed shapes.
    view: View<'a>,
    /// One answer per row of the block.
    answers: &'a mut [bool],
    /// The rows that the scalar function must decide.
    fallback: &'a mut FallbackSet,
}

impl IntersectKernel<'_> {
    /// Stores the answers of one SIMD vector of pairs; both masks have one bit per lane.
    #[inline(always)]
    fn store_answers<S: Simd>(&mut self, rows: &[u32], from: usize, overlap: u64, inconclusive: u64) {
        let rows = &rows[from..rows.len().min(from + Lanes::<S>::LEN)];
        for (lane, &row) in rows.iter().enumerate() {
            self.answers[row as usize] = overlap >> lane & 1 != 0;
        }
        self.fallback.insert_some(rows, inconclusive);
    }

    /// Returns the pairs that no edge of polygon number `side` separates. Clears the bits in `deep`
    /// of pairs that do not overlap by more than the error bound.
    #[inline(always)]
    fn separate<S: Simd>(
        &self,
        simd: S,
        group: Bucket<'_>,
        relatives: &[F64Column; RELATIVE_COLUMNS],
        side: usize,
        rows: &CompactedRows,
        deep: &mut u64,
    ) -> CompactedRows {
        let outlines = &self.view.polygons.all;
        let mut remaining = CompactedRows::of(0, 0);
        for i in rows.rows() {
            let indices = group.indices(i);
            let (own, other) = (&outlines[indices[side]].soa, &outlines[indices[1 - side]].soa);
            let separations = edge_separations(simd, own, other, RelativeLanes::load(relatives, i, side));
            let [limit, error_bound] = limit_and_error_bound(relatives, i);
            remaining.keep_if(i, !any_above(simd, &separations, limit));
            *deep &= !(u64::from(any_above(simd, &separations, -error_bound)) << i);
        }
        remaining
    }
}

impl PairKernel for IntersectKernel<'_> {
    /// Compares squared distances.
    #[inline(always)]
    fn circles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch) {
        let columns = &mut scratch.columns;
        columns.gather_circles(self.view, group);
        let PairColumns { poses: [[from_p, _], [from_q, _]], radii: [radii_p, radii_q], .. } = &*columns;
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_translations(from, Lanes::<S>::LEN);
            let [x, y] = sub::<S>(from_q.load(simd, from), from_p.load(simd, from));
            let radius = load(simd, radii_p, from) + load(simd, radii_q, from);
            let (distance, radius_squared) = (x * x + y * y, radius * radius);
            // Rounding errors: 4u and 3u of the squares, u of the difference. 1e-290 covers
            // underflow.
            let error_bound = (distance + radius_squared) * (8.0 * UNIT_ROUNDOFF) + 1e-290;
            let above = distance - radius_squared;
            self.store_answers::<S>(
                group.rows,
                from,
                above.simd_lt(0.0).to_bitmask(),
                above.abs().simd_le(error_bound).to_bitmask(),
            );
        }
    }

    #[inline(always)]
    fn rectangle_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, of: usize) {
        let columns = &mut scratch.columns;
        columns.gather_polygon_circle(self.view, group, of);
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let (pose, [x, y]) = (Poses::of(simd, &columns.poses[0], from), columns.poses[1][0].load(simd, from));
            let [half_x, half_y] = columns.halves[0].load(simd, from);
            let [radius_own, bounding_radius] = columns.radius_pairs[0].load(simd, from);
            let radius = radius_own + load(simd, &columns.radii[0], from);
            let apart = [x - pose.translation[0], y - pose.translation[1]];
            let point = pose.unrotate(apart);
            let error_bound = rounding::<S>(bounding_radius + radius, apart, pose.translation, [x, y]).separation();
            let beyond = [point[0].abs() - half_x, point[1].abs() - half_y];
            let zero = Lanes::splat(simd, 0.0);
            // Signed distance of the centre from the rectangle, minus the radii.
            let outside = [beyond[0].max(zero), beyond[1].max(zero)];
            let square = outside[0] * outside[0] + outside[1] * outside[1];
            let signed = square.sqrt() + beyond[0].max(beyond[1]).min(zero) - radius;
            // Squares of tiny numbers underflow.
            let is_tiny = square.simd_lt(1e-280) & (outside[0] + outside[1]).simd_gt(zero);
            self.store_answers::<S>(
                group.rows,
                from,
                signed.simd_lt(zero).to_bitmask(),
                (signed.abs().simd_le(error_bound) | is_tiny).to_bitmask(),
            );
        }
    }

    #[inline(always)]
    fn polygon_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, of: usize) {
        let KernelScratch { columns, circle_polygon, .. } = scratch;
        columns.gather_polygon_circle(self.view, group, of);
        let remaining = circle_polygon.find_edges(simd, columns, self.view.polygons, group, of);
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let closest = circle_polygon.closest_edges(simd, columns, from);
            let (signed, is_tiny) = closest.distance();
            let inconclusive = signed.abs().simd_le(closest.error_bound) | closest.needs_fallback | is_tiny;
            let remaining = remaining >> from;
            self.store_answers::<S>(
                group.rows,
                from,
                signed.simd_lt(0.0).to_bitmask() & remaining,
                inconclusive.to_bitmask() & remaining,
            );
        }
    }

    #[inline(always)]
    fn rectangles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch) {
        let columns = &mut scratch.columns;
        columns.gather_polygons(self.view, group);
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let PairColumns { poses, halves, radius_pairs, .. } = &*columns;
            let poses = [Poses::of(simd, &poses[0], from), Poses::of(simd, &poses[1], from)];
            let halves = [halves[0].load(simd, from), halves[1].load(simd, from)];
            let [radius, bounding_radius] = radius_pairs[0].load(simd, from);
            let separations = RectangleSeparations::new(&poses, halves, bounding_radius + radius);
            let RectangleSeparations { of_a, of_b, rounding, .. } = separations;
            let error_bound = rounding.separation();
            let separation = of_a[0].max(of_a[1]).max(of_b[0].max(of_b[1]));
            // Negative without the radii: an overlap for any radii. Up to the sum of the radii:
            // inconclusive.
            let (overlap, apart) = (separation.simd_lt(-error_bound), separation.simd_gt(radius + error_bound));
            self.store_answers::<S>(group.rows, from, overlap.to_bitmask(), (!(overlap | apart)).to_bitmask());
        }
    }

    #[inline(always)]
    fn polygons<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, _: [bool; 2]) {
        let KernelScratch { columns, relatives, .. } = scratch;
        columns.gather_polygons(self.view, group);
        // Bounding circles reject pairs; inscribed circles accept pairs.
        let [candidates, inside] = prepare(simd, columns, group, relatives);
        // One pass per polygon; the second pass computes only the pairs that remain after the
        // first.
        for (i, &row) in group.rows.iter().enumerate() {
            self.answers[row as usize] = inside >> i & 1 != 0;
        }
        let mut deep = u64::MAX;
        let mut remaining = CompactedRows::of(candidates & !inside, group.rows.len());
        for side in [0, 1] {
            remaining = self.separate(simd, group, relatives, side, &remaining, &mut deep);
        }
        for i in remaining.rows() {
            self.answers[group.rows[i] as usize] = true;
            // No axis separates the pair, but the overlap is within the error bound.
            if deep >> i & 1 == 0 {
                self.fallback.insert(group.rows[i]);
            }
        }
    }

    #[inline(always)]
    fn fallback(&mut self) -> &mut FallbackSet {
        self.fallback
    }
}
