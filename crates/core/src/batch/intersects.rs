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
use super::circle_polygon::CirclePolygon;
use super::kind_buckets::{
    Bucket, CIRCLE_POLYGON, CIRCLE_RECTANGLE, CIRCLES, FallbackSet, KindBuckets, POLYGON_CIRCLE, POLYGON_RECTANGLE,
    POLYGONS, PairKernel, PerBucket, RECTANGLE_CIRCLE, RECTANGLE_POLYGON, RECTANGLES,
};
use super::prefetch::BLOCK;
use super::prefetch::blocks;
use super::sat::{
    PlacedLanes, RELATIVE_COLUMNS, RelativeLanes, any_above, edge_separations, limit_and_error_bound,
    rectangle_separations,
};
use super::simd_columns::{CompactedRows, F64Column, Lanes, Poses, ROWS, Vec2Column, gather_pose, load, rounding, sub};
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
    let (view, mut groups, mut scratch) = (batch.view(), KindBuckets::EMPTY, IntersectScratch::EMPTY);
    for ((pairs, ahead), answers) in blocks(view, pairs).zip(answers.chunks_mut(BLOCK)) {
        groups.sort(view.ids, pairs)?;
        let mut fallback = FallbackSet::default();
        let output = IntersectAnswers { view, answers, fallback: &mut fallback };
        let kernel = PerBucket { groups: &groups, ahead, kernel: IntersectQuery { output, scratch: &mut scratch } };
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

/// The kernel that decides intersection.
struct IntersectQuery<'a> {
    /// The placed shapes, and the answers of the current block.
    output: IntersectAnswers<'a>,
    /// Columns that all classes of pairs share.
    scratch: &'a mut IntersectScratch,
}

/// The input pairs and the output.
struct IntersectAnswers<'a> {
    /// The placed shapes.
    view: View<'a>,
    /// One answer per row of the block.
    answers: &'a mut [bool],
    /// The rows that the scalar function must decide.
    fallback: &'a mut FallbackSet,
}

/// Scratch memory of the kernels.
struct IntersectScratch {
    /// Translation and rotation of both shapes of each pair.
    poses: [[Vec2Column; 2]; 2],
    /// Half extents, radii or centres, by class.
    sizes: [Vec2Column; 4],
    /// Sums of the radii of circles, or of inscribed radii, by class.
    radii: [F64Column; 2],
    /// The relative poses and error bounds of pairs of polygons; see [`sat`](super::sat).
    relatives: [F64Column; RELATIVE_COLUMNS],
    /// The columns of pairs of a circle and a polygon.
    circle_polygon: CirclePolygon,
}

impl IntersectScratch {
    /// All columns zero: the state before the first block.
    const EMPTY: Self = Self {
        poses: [[Vec2Column::ZERO; 2]; 2],
        sizes: [Vec2Column::ZERO; 4],
        radii: [F64Column::ZERO; 2],
        relatives: [F64Column::ZERO; RELATIVE_COLUMNS],
        circle_polygon: CirclePolygon::EMPTY,
    };
}

impl PairKernel for IntersectQuery<'_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S, class: usize, group: Bucket<'_>) {
        let Self { output, scratch } = self;
        match class {
            CIRCLES => output.circles(simd, group, scratch),
            CIRCLE_RECTANGLE => output.rectangle_circle(simd, group, scratch, 1),
            RECTANGLE_CIRCLE => output.rectangle_circle(simd, group, scratch, 0),
            CIRCLE_POLYGON => output.polygon_circle(simd, group, &mut scratch.circle_polygon, 1),
            POLYGON_CIRCLE => output.polygon_circle(simd, group, &mut scratch.circle_polygon, 0),
            RECTANGLES => output.rectangles(simd, group, scratch),
            POLYGONS | RECTANGLE_POLYGON | POLYGON_RECTANGLE => output.polygons(simd, group, scratch),
            _ => group.rows.iter().for_each(|&row| output.fallback.insert(row)),
        }
    }
}

impl IntersectAnswers<'_> {
    /// Stores the answers of one SIMD vector of pairs; both masks have one bit per lane.
    #[inline(always)]
    fn store_answers<S: Simd>(&mut self, rows: &[u32], from: usize, overlap: u64, inconclusive: u64) {
        let rows = &rows[from..rows.len().min(from + Lanes::<S>::LEN)];
        for (lane, &row) in rows.iter().enumerate() {
            self.answers[row as usize] = overlap >> lane & 1 != 0;
        }
        self.fallback.insert_some(rows, inconclusive);
    }

    /// Computes pairs of circles by comparing squared distances.
    #[inline(always)]
    fn circles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut IntersectScratch) {
        let IntersectScratch { sizes: [from_p, from_q, ..], radii: [radii, _], .. } = scratch;
        for (i, (&[a, b], &[p, q])) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let (p, q) = (p.index() as usize, q.index() as usize);
            from_p.set(i, self.view.translations[a as usize]);
            from_q.set(i, self.view.translations[b as usize]);
            radii[i] = self.view.circles[p] + self.view.circles[q];
        }
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_translations(from, Lanes::<S>::LEN);
            let [x, y] = sub::<S>(from_q.load(simd, from), from_p.load(simd, from));
            let radius = load(simd, radii, from);
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

    /// Computes pairs of a rectangle, shape number `of` of the pair, and a circle.
    #[inline(always)]
    fn rectangle_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut IntersectScratch, of: usize) {
        let IntersectScratch { poses: [poses, _], sizes: [centers, halves, radius_pairs, _], .. } = scratch;
        for (i, (&pair, shapes)) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let indices = [shapes[0].index() as usize, shapes[1].index() as usize];
            let (rectangle, radius) = (&self.view.polygons.sizes[indices[of]], self.view.circles[indices[1 - of]]);
            gather_pose(self.view, pair[of], poses, i);
            centers.set(i, self.view.translations[pair[1 - of] as usize]);
            halves.set(i, rectangle.half);
            radius_pairs.set(i, [rectangle.radius + radius, rectangle.bounding_radius]);
        }
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let (pose, [x, y]) = (Poses::of(simd, poses, from), centers.load(simd, from));
            let ([half_x, half_y], [radius, bounding_radius]) =
                (halves.load(simd, from), radius_pairs.load(simd, from));
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

    /// Computes pairs of a polygon, shape number `of` of the pair, and a circle.
    #[inline(always)]
    fn polygon_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, nearest: &mut CirclePolygon, of: usize) {
        for (i, (&pair, shapes)) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let indices = [shapes[0].index() as usize, shapes[1].index() as usize];
            nearest.gather(self.view, i, pair, indices, of);
        }
        let remaining = nearest.find_edges(simd, self.view.polygons, group.rows.len());
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let closest = nearest.closest_edges(simd, from);
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

    /// Computes pairs of rectangles by their four separating axes.
    #[inline(always)]
    fn rectangles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut IntersectScratch) {
        let IntersectScratch { poses, sizes: [halves_p, halves_q, radius_pairs, _], .. } = scratch;
        for (i, (&[a, b], &[p, q])) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let (p, q) = (p.index() as usize, q.index() as usize);
            let (p, q) = (&self.view.polygons.sizes[p], &self.view.polygons.sizes[q]);
            gather_pose(self.view, a, &mut poses[0], i);
            gather_pose(self.view, b, &mut poses[1], i);
            halves_p.set(i, p.half);
            halves_q.set(i, q.half);
            radius_pairs.set(i, [p.radius + q.radius, p.bounding_radius + q.bounding_radius]);
        }
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let (p, q) = (Poses::of(simd, &poses[0], from), Poses::of(simd, &poses[1], from));
            let ([ax, ay], [bx, by], [radius, bounding_radius]) =
                (halves_p.load(simd, from), halves_q.load(simd, from), radius_pairs.load(simd, from));
            let relative = p.relative_to(&q);
            let error_bound =
                rounding::<S>(bounding_radius + radius, relative.apart, p.translation, q.translation).separation();
            let (cos, sin) = (relative.cos.abs(), relative.sin.abs());
            // Project each rectangle onto the axes of the other one.
            let of_a =
                rectangle_separations::<S>([ax, ay], relative.b_in_a, [cos * bx + sin * by, sin * bx + cos * by]);
            let of_b =
                rectangle_separations::<S>([bx, by], relative.a_in_b, [cos * ax + sin * ay, sin * ax + cos * ay]);
            let separation = of_a[0].max(of_a[1]).max(of_b[0].max(of_b[1]));
            // Negative without the radii: an overlap for any radii. Up to the sum of the radii:
            // inconclusive.
            let (overlap, apart) = (separation.simd_lt(-error_bound), separation.simd_gt(radius + error_bound));
            self.store_answers::<S>(group.rows, from, overlap.to_bitmask(), (!(overlap | apart)).to_bitmask());
        }
    }

    /// Computes pairs of polygons, or of a polygon and a rectangle, in three passes.
    #[inline(always)]
    fn polygons<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut IntersectScratch) {
        let IntersectScratch { poses, sizes: [radius_pairs, ..], radii: [inners, _], relatives, .. } = scratch;
        for (i, (&[a, b], &[p, q])) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let (p, q) = (p.index() as usize, q.index() as usize);
            let (p, q) = (&self.view.polygons.sizes[p], &self.view.polygons.sizes[q]);
            gather_pose(self.view, a, &mut poses[0], i);
            gather_pose(self.view, b, &mut poses[1], i);
            radius_pairs.set(i, [p.radius + q.radius, p.bounding_radius + q.bounding_radius]);
            inners[i] = p.half[0].min(p.half[1]) + q.half[0].min(q.half[1]);
        }
        // Bounding circles reject pairs; inscribed circles accept pairs.
        let (mut candidates, mut inside) = (0, 0);
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let [radius, bounding_radius] = radius_pairs.load(simd, from);
            let poses = [Poses::of(simd, &poses[0], from), Poses::of(simd, &poses[1], from)];
            let [is_candidate, is_inside] =
                PlacedLanes { poses, radius, bounding_radius, inscribed_radius: load(simd, inners, from) }
                    .prepare(relatives, from);
            candidates |= is_candidate << from;
            inside |= is_inside << from;
        }
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
