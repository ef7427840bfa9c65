//! Computes contact manifolds for blocks of pairs with SIMD kernels.
//!
//! Input: pairs of placed shapes. Output: the manifolds of the pairs that intersect. The arithmetic
//! is that of [`convex_pair`](crate::query::convex_pair), one pair per lane, so the manifolds are
//! bit-identical to the scalar path.
//!
//! The simple version is a loop:
//!
//! ```text
//! for each pair: append collide(a, b), if there is a manifold
//! ```
//!
//! Kinds of shapes are random, so it mispredicts branches, and a pair of circles uses one lane.
//! Here pairs of equal kinds are computed together:
//!
//! ```text
//! for each block of 256 pairs
//!     sort the pairs by the kinds of their shapes (counting sort)
//!     for each class of kinds, 64 pairs at a time
//!         gather poses and sizes into columns
//!         for each SIMD vector of pairs
//!             reject pairs whose bounding circles are apart
//!             compute the reference edge (or closest feature), clip, and compute the depth
//!             if |depth| <= error bound, or in a rare case: add the pair to the fallback set
//!             else if depth > 0: append the manifold
//!     compute the pairs of the fallback set with the scalar, exact function
//!     restore the order of the pairs
//! ```
//!
//! Exact arithmetic has no SIMD form, so pairs within the error bound are left to the scalar
//! function.

use super::bounding_circle_filter::near_rows;
use super::clip::{ClipInput, ReferenceEdgeLanes};
use super::contact_columns::ContactColumns;
use super::contact_writer::{BlockWriter, LaneMasks, LaneRows};
use super::kind_buckets::{Bucket, FallbackSet, KindBuckets};
use super::pair_columns::PairColumns;
use super::pair_kernel::{KernelScratch, PairKernel, PerBucket};
use super::prefetch::{BLOCK, blocks};
use super::rectangles::Rectangles;
use super::sat::{LENGTH_ERROR, RelativeLanes, best, edge_separations, limit_and_error_bound, min_vertex, prepare};
use super::simd_columns::{Codes, CompactedRows, Lanes, Poses, ROWS, load, rounding};
use super::view::View;
use super::{Batch, circles};
use crate::math::simd::{Simd, dispatch_avx512, dispatch_max_width};
use crate::query::collide;
use crate::query::support::lowest_of_rectangle;

/// Computes [`Batch::collide`] for pairs; `first` is the index of the first pair. Returns the first
/// index without a placed shape as an error.
pub(super) fn all(batch: &Batch, pairs: &[[u32; 2]], first: usize, out: &mut ContactColumns) -> Result<(), u32> {
    let (view, mut groups) = (batch.view(), KindBuckets::EMPTY);
    let (mut scratch, mut own) = (KernelScratch::EMPTY, CollideScratch::EMPTY);
    for (first, (pairs, ahead)) in (first..).step_by(BLOCK).zip(blocks(view, pairs)) {
        groups.sort(view.ids, pairs)?;
        let mut sink = BlockWriter::new(out, first, groups.are_in_order());
        let kernel = CollideKernel { view, writer: &mut sink, scratch: &mut own };
        run(batch.max_simd_bits, PerBucket { groups: &groups, ahead, scratch: &mut scratch, kernel });
        if !sink.fallback.is_empty() {
            run_fallback(batch, pairs, &mut sink);
        }
        sink.end_block();
    }
    Ok(())
}

/// Runs the kernel for a block, with SIMD vectors of at most `bits` bits.
fn run(bits: u32, kernel: PerBucket<'_, CollideKernel<'_, '_>>) {
    if let Err(kernel) = dispatch_avx512(bits, kernel) {
        run_up_to_avx2(bits, kernel);
    }
}

/// Runs the kernel for a block, on AVX2 at most.
///
/// Not inlined, so that this largest of all kernels is compiled once and not for every caller.
#[inline(never)]
pub(super) fn run_up_to_avx2(bits: u32, kernel: PerBucket<'_, CollideKernel<'_, '_>>) {
    dispatch_max_width(bits, kernel);
}

/// Computes the pairs of the fallback set with the scalar function.
#[cold]
fn run_fallback(batch: &Batch, pairs: &[[u32; 2]], sink: &mut BlockWriter<'_>) {
    for row in sink.fallback.rows() {
        let [a, b] = pairs[row as usize];
        if let (Some(a), Some(b)) = (batch.get(a), batch.get(b))
            && let Some(manifold) = collide(a, b)
        {
            sink.push(row, &manifold);
        }
    }
}

/// Number of rows gathered ahead of the arithmetic.
///
/// Memory access and arithmetic alternate in short steps, so that neither waits for the other.
const GATHER_AHEAD: usize = 16;

/// The kernels that compute manifolds.
pub(super) struct CollideKernel<'a, 's> {
    /// The placed shapes.
    pub(super) view: View<'a>,
    /// The writer of the current block.
    pub(super) writer: &'a mut BlockWriter<'s>,
    pub(super) scratch: &'a mut CollideScratch,
}

/// Scratch memory of these kernels, in addition to [`KernelScratch`].
pub(super) struct CollideScratch {
    /// The rows of rectangles whose bounding circles are not apart.
    rows: [u32; ROWS],
    /// The reference shape and edge of each row.
    best_edges: [[u8; 2]; ROWS],
    /// The input of the edge clip.
    clip_input: ClipInput,
}

impl CollideScratch {
    /// All columns zero: the state before the first block.
    pub(super) const EMPTY: Self = Self { rows: [0; ROWS], best_edges: [[0; 2]; ROWS], clip_input: ClipInput::EMPTY };
}

impl PairKernel for CollideKernel<'_, '_> {
    #[inline(always)]
    fn circles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch) {
        let columns = &mut scratch.columns;
        columns.gather_circles(self.view, group);
        let PairColumns { poses: [[from_p, _], [from_q, _]], radii: [radii_p, radii_q], .. } = &*columns;
        let vertex = Codes::splat(simd, 0);
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_translations(from, Lanes::<S>::LEN);
            let radii = [load(simd, radii_p, from), load(simd, radii_q, from)];
            let (numbers, masks) = circles::collide_lanes::<S>(from_p.load(simd, from), from_q.load(simd, from), radii);
            // The manifold has one point, so the depth is stored twice.
            let [nx, ny, depth, px, py, qx, qy] = numbers;
            self.writer.push_one(
                simd,
                LaneRows { rows: group.rows, from },
                &masks,
                &[nx, ny, depth, px, py, qx, qy, depth],
                &[vertex; 2],
            );
        }
        self.writer.end_rows(simd, group.rows);
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn rectangle_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, of: usize) {
        let columns = &mut scratch.columns;
        columns.gather_polygon_circle(self.view, group, of);
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let (pose, [x, y]) = (Poses::of(simd, &columns.poses[0], from), columns.poses[1][0].load(simd, from));
            let [half_x, half_y] = columns.halves[0].load(simd, from);
            let [radius_own, bounding_radius] = columns.radius_pairs[0].load(simd, from);
            let radius_other = load(simd, &columns.radii[0], from);
            let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
            // The centre of the circle in the rectangle's frame, and its distances beyond both
            // sides.
            let apart = [x - pose.translation[0], y - pose.translation[1]];
            let point = pose.unrotate(apart);
            let radius = radius_own + radius_other;
            let rounding = rounding::<S>(bounding_radius + radius, apart, pose.translation, [x, y]);
            let beyond = [point[0].abs() - half_x, point[1].abs() - half_y];
            let (left, above) = (point[0].simd_lt(zero), point[1].simd_gt(zero));
            let sideways = beyond[0].simd_gt(beyond[1]) | (beyond[0].simd_eq(beyond[1]) & !left & above);
            // The closest feature: a vertex if the centre is beyond two sides, else the side
            // farther out.
            let at_vertex = beyond[0].min(beyond[1]).simd_gt(rounding.position());
            let (sign_x, sign_y) = (left.select(-one, one), above.select(one, -one));

            let length = (beyond[0] * beyond[0] + beyond[1] * beyond[1]).sqrt();
            // Normal, distance and closest point in the rectangle's frame.
            let face_x = sideways.select(sign_x, zero);
            let face_y = sideways.select(zero, sign_y);
            let normal_x = at_vertex.select(beyond[0] / length * sign_x, face_x);
            let normal_y = at_vertex.select(beyond[1] / length * sign_y, face_y);
            let distance = at_vertex.select(length, beyond[0].max(beyond[1]));
            let closest_x = sideways.select(half_x, point[0].abs().min(half_x)) * sign_x;
            let closest_y = sideways.select(point[1].abs().min(half_y), half_y) * sign_y;

            let depth = radius - distance;
            // Squares below 1e-280 lose relative precision, so the scalar path computes such pairs.
            let is_tiny = at_vertex & length.simd_le(1e-140);
            // Normal and points in world coordinates.
            let [nx, ny] = pose.rotate([normal_x, normal_y]);
            let on_own = pose.apply([closest_x, closest_y]);
            let on_own = [on_own[0] + nx * radius_own, on_own[1] + ny * radius_own];
            let on_other = [x - nx * radius_other, y - ny * radius_other];
            // Vertices are numbered from the lower left one, and edges from the lower one,
            // counter-clockwise.
            let (vertex, edge) = (|i: u64| Codes::splat(simd, i << 1), |i: u64| Codes::splat(simd, i << 1 | 1));
            let vertex_code = above.select(left.select(vertex(3), vertex(2)), left.select(vertex(0), vertex(1)));
            let side = sideways.select(left.select(edge(3), edge(1)), above.select(edge(2), edge(0)));
            let fallback = depth.abs().simd_le(rounding.separation()) | is_tiny;
            let masks = LaneMasks { hit: depth.simd_gt(zero).to_bitmask(), fallback: fallback.to_bitmask() };
            let numbers = [nx, ny, depth, on_own[0], on_own[1], on_other[0], on_other[1]];
            self.push_points(
                simd,
                LaneRows { rows: group.rows, from },
                of,
                &masks,
                numbers,
                at_vertex.select(vertex_code, side),
            );
        }
        self.writer.end_rows(simd, group.rows);
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn polygon_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, of: usize) {
        let KernelScratch { columns, circle_polygon, .. } = scratch;
        columns.gather_polygon_circle(self.view, group, of);
        let remaining = circle_polygon.find_edges(simd, columns, self.view.polygons, group, of);
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let closest = circle_polygon.closest_edges(simd, columns, from);
            let (numbers, is_tiny) = closest.contact(simd, of);
            let fallback = closest.needs_fallback | is_tiny | numbers[2].abs().simd_le(closest.error_bound);
            let remaining = remaining >> from;
            let masks = LaneMasks {
                hit: numbers[2].simd_gt(0.0).to_bitmask() & remaining,
                fallback: fallback.to_bitmask() & remaining,
            };
            self.push_points(simd, LaneRows { rows: group.rows, from }, of, &masks, numbers, closest.feature());
        }
        self.writer.end_rows(simd, group.rows);
    }

    #[inline(always)]
    fn rectangles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch) {
        let rows = &mut self.scratch.rows;
        let columns = &mut scratch.columns;
        let sizes = &self.view.polygons.sizes;
        // Only pairs whose bounding circles are not apart.
        let remaining = near_rows(simd, self.view, group, columns);
        let (count, mut gathered) = (remaining.count(), 0);
        for from in (0..count).step_by(Lanes::<S>::LEN) {
            // Gather the rows of the next steps before the arithmetic of this one.
            let next = count.min(from + GATHER_AHEAD);
            for (k, to) in rows[gathered..next].iter_mut().enumerate() {
                let (i, row) = (gathered + k, remaining.row(gathered + k));
                let [p, q] = group.indices(row);
                let (p, q) = (&sizes[p], &sizes[q]);
                *to = group.rows[row];
                columns.set_polygons(self.view, i, group.pairs[row], [p, q]);
                columns.radius_pairs[0].set(i, [p.radius, p.bounding_radius]);
                columns.radius_pairs[1].set(i, [q.radius, q.bounding_radius]);
            }
            gathered = next;
            let PairColumns { poses, halves, radius_pairs, .. } = &*columns;
            let ([radius_p, bounding_p], [radius_q, bounding_q]) =
                (radius_pairs[0].load(simd, from), radius_pairs[1].load(simd, from));
            group.ahead.prefetch_rotations(2 * from, 2 * Lanes::<S>::LEN);
            let rectangles = Rectangles {
                poses: [Poses::of(simd, &poses[0], from), Poses::of(simd, &poses[1], from)],
                halves: [halves[0].load(simd, from), halves[1].load(simd, from)],
                radii: [radius_p, radius_q],
                bounding_radius: bounding_p + bounding_q,
            };
            let (input, candidates) = rectangles.decide(simd);
            let mut clipped = input.clip(simd);
            clipped.masks.hit &= candidates;
            clipped.masks.fallback &= candidates;
            clipped.push_to(simd, LaneRows { rows: &rows[..count], from }, self.writer);
        }
        self.writer.end_rows(simd, &rows[..count]);
    }

    #[inline(always)]
    fn polygons<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut KernelScratch, is_rectangle: [bool; 2]) {
        let CollideScratch { best_edges, clip_input, .. } = &mut *self.scratch;
        let KernelScratch { columns, relatives, .. } = scratch;
        let outlines = self.view.polygons;
        columns.gather_polygons(self.view, group);
        // Pass 1: relative poses and bounding circles, one pair per lane.
        let [candidates, _] = prepare(simd, columns, group, relatives);
        // Pass 2: separating axes, one edge per lane; the reference edge of each remaining pair.
        let mut remaining = CompactedRows::of(0, 0);
        for i in CompactedRows::of(candidates, group.rows.len()).rows() {
            let [p, q] = group.indices(i);
            let (p, q) = (&outlines.all[p].soa, &outlines.all[q].soa);
            let first = best(simd, &edge_separations(simd, p, q, RelativeLanes::load(relatives, i, 0)));
            let second = best(simd, &edge_separations(simd, q, p, RelativeLanes::load(relatives, i, 1)));
            // Prefer the first polygon, unless the second is better by more than the length error.
            let of = usize::from(second.0 - relatives[LENGTH_ERROR][i] > first.0);
            best_edges[i] = [of as u8, [first.1, second.1][of] as u8];
            remaining.keep_if(i, first.0.max(second.0) <= limit_and_error_bound(relatives, i)[0]);
        }
        // Pass 3: find the incident vertex of each pair, and clip, one pair per lane.
        clip_input.clear();
        for i in remaining.rows() {
            let [of, edge] = best_edges[i].map(usize::from);
            let of = of % 2;
            let indices = group.indices(i);
            let (own, other) = (&outlines.all[indices[of]], &outlines.all[indices[1 - of]]);
            let (cos, sin) = (relatives[0][i], relatives[1][i] * [1.0, -1.0][of]);
            let [nx, ny] = own.normal(edge);
            let direction = [cos * nx + sin * ny, cos * ny - sin * nx];
            let vertex = if is_rectangle[1 - of] {
                lowest_of_rectangle(direction.into())
            } else {
                min_vertex(simd, &other.soa, direction)
            };
            clip_input.gather(
                ReferenceEdgeLanes { row: group.rows[i], of, edge, vertex },
                [&columns.poses[of], &columns.poses[1 - of]],
                i,
                [own, other],
            );
        }
        clip_input.clip(simd, self.writer);
    }

    #[inline(always)]
    fn fallback(&mut self) -> &mut FallbackSet {
        &mut self.writer.fallback
    }
}

impl CollideKernel<'_, '_> {
    /// Appends one-point manifolds of shape number `of`, whose feature is given, and a circle.
    #[inline(always)]
    fn push_points<S: Simd>(
        &mut self,
        simd: S,
        at: LaneRows<'_>,
        of: usize,
        masks: &LaneMasks,
        numbers: [Lanes<S>; 7],
        feature: Codes<S>,
    ) {
        let [nx, ny, depth, px, py, qx, qy] = numbers;
        let vertex = Codes::splat(simd, 0);
        if of == 0 {
            self.writer.push_one(simd, at, masks, &[nx, ny, depth, px, py, qx, qy, depth], &[feature, vertex]);
        } else {
            self.writer.push_one(simd, at, masks, &[-nx, -ny, depth, qx, qy, px, py, depth], &[vertex, feature]);
        }
    }
}
