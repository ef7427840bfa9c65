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

use super::bounding_circle_filter::BoundingCircleFilter;
use super::circle_polygon::CirclePolygon;
use super::clip::{ClipInput, ReferenceEdgeLanes};
use super::contact_writer::{BlockWriter, ContactWriter, LaneMasks, LaneRows};
use super::kind_buckets::{
    Bucket, CIRCLE_POLYGON, CIRCLE_RECTANGLE, CIRCLES, KindBuckets, POLYGON_CIRCLE, POLYGON_RECTANGLE, POLYGONS,
    PairKernel, PerBucket, RECTANGLE_CIRCLE, RECTANGLE_POLYGON, RECTANGLES,
};
use super::prefetch::{BLOCK, blocks};
use super::rectangles::Rectangles;
use super::sat::{
    LENGTH_ERROR, PlacedLanes, RELATIVE_COLUMNS, RelativeLanes, best, edge_separations, limit_and_error_bound,
    min_vertex,
};
use super::simd_columns::{
    Codes, CompactedRows, F64Column, Lanes, Poses, ROWS, Vec2Column, gather_pose, load, rounding,
};
use super::view::View;
use super::{Batch, circles};
use crate::math::simd::{Simd, dispatch_avx512, dispatch_max_width};
use crate::query::collide;
use crate::query::support::lowest_of_rectangle;

/// Computes [`Batch::collide`] for pairs; `first` is the index of the first pair. Returns the first
/// index without a placed shape as an error.
pub(super) fn all(batch: &Batch, pairs: &[[u32; 2]], first: usize, writer: &mut ContactWriter) -> Result<(), u32> {
    let (view, mut groups, mut scratch) = (batch.view(), KindBuckets::EMPTY, CollideScratch::EMPTY);
    for (first, (pairs, ahead)) in (first..).step_by(BLOCK).zip(blocks(view, pairs)) {
        groups.sort(view.ids, pairs)?;
        let mut sink = writer.block(first, groups.are_in_order());
        let question = CollideQuery { output: CollideOutput { view, writer: &mut sink }, scratch: &mut scratch };
        run(batch.max_simd_bits, PerBucket { groups: &groups, ahead, kernel: question });
        if !sink.fallback.is_empty() {
            run_fallback(batch, pairs, &mut sink);
        }
        sink.end_block();
    }
    Ok(())
}

/// Runs the kernel for a block, with SIMD vectors of at most `bits` bits.
fn run(bits: u32, kernel: PerBucket<'_, CollideQuery<'_, '_>>) {
    if let Err(kernel) = dispatch_avx512(bits, kernel) {
        run_up_to_avx2(bits, kernel);
    }
}

/// Runs the kernel for a block, on AVX2 at most.
///
/// Not inlined, so that this largest of all kernels is compiled once and not for every caller.
#[inline(never)]
pub(super) fn run_up_to_avx2(bits: u32, kernel: PerBucket<'_, CollideQuery<'_, '_>>) {
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

/// The kernel that computes manifolds.
pub(super) struct CollideQuery<'a, 's> {
    /// The placed shapes, and the writer of the manifolds.
    pub(super) output: CollideOutput<'a, 's>,
    /// Columns that all classes of pairs share.
    pub(super) scratch: &'a mut CollideScratch,
}

/// The input pairs, and the writer for their manifolds.
pub(super) struct CollideOutput<'a, 's> {
    /// The placed shapes.
    pub(super) view: View<'a>,
    /// The writer of the current block.
    pub(super) writer: &'a mut BlockWriter<'s>,
}

/// Scratch memory of the kernels.
pub(super) struct CollideScratch {
    /// Translation and rotation of both shapes of each pair.
    poses: [[Vec2Column; 2]; 2],
    /// Half extents, radii or centres, by class.
    sizes: [Vec2Column; 4],
    /// Radii of circles, or sums of inscribed radii, by class.
    radii: [F64Column; 2],
    /// The relative poses and error bounds of pairs of polygons; see [`sat`](super::sat).
    relatives: [F64Column; RELATIVE_COLUMNS],
    /// The filter for pairs of rectangles.
    circle_filter: BoundingCircleFilter,
    /// The rows that passed the filter.
    rows: [u32; ROWS],
    /// The reference shape and edge of each row.
    best_edges: [[u8; 2]; ROWS],
    /// The input of the edge clip.
    clip_input: ClipInput,
    /// The columns of circle and polygon pairs.
    circle_polygon: CirclePolygon,
}

impl CollideScratch {
    /// All columns zero: the state before the first block.
    pub(super) const EMPTY: Self = Self {
        poses: [[Vec2Column::ZERO; 2]; 2],
        sizes: [Vec2Column::ZERO; 4],
        radii: [F64Column::ZERO; 2],
        relatives: [F64Column::ZERO; RELATIVE_COLUMNS],
        circle_filter: BoundingCircleFilter::EMPTY,
        rows: [0; ROWS],
        best_edges: [[0; 2]; ROWS],
        clip_input: ClipInput::EMPTY,
        circle_polygon: CirclePolygon::EMPTY,
    };
}

impl PairKernel for CollideQuery<'_, '_> {
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
            POLYGONS | RECTANGLE_POLYGON | POLYGON_RECTANGLE => {
                output.polygons(simd, group, scratch, [class == RECTANGLE_POLYGON, class == POLYGON_RECTANGLE]);
            }
            _ => group.rows.iter().for_each(|&row| output.writer.fallback.insert(row)),
        }
    }
}

impl CollideOutput<'_, '_> {
    /// Computes pairs of circles.
    #[inline(always)]
    fn circles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut CollideScratch) {
        let CollideScratch { sizes: [from_p, from_q, ..], radii: [radii_p, radii_q], .. } = scratch;
        for (i, (&[a, b], &[p, q])) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let (p, q) = (p.index() as usize, q.index() as usize);
            from_p.set(i, self.view.translations[a as usize]);
            from_q.set(i, self.view.translations[b as usize]);
            (radii_p[i], radii_q[i]) = (self.view.circles[p], self.view.circles[q]);
        }
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

    /// Computes pairs of a rectangle, shape number `of` of the pair, and a circle.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn rectangle_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut CollideScratch, of: usize) {
        let CollideScratch { poses: [poses, _], sizes: [centers, halves, radius_pairs, _], radii: [radii, _], .. } =
            scratch;
        for (i, (&pair, shapes)) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let indices = [shapes[0].index() as usize, shapes[1].index() as usize];
            let rectangle = &self.view.polygons.sizes[indices[of]];
            gather_pose(self.view, pair[of], poses, i);
            centers.set(i, self.view.translations[pair[1 - of] as usize]);
            halves.set(i, rectangle.half);
            radius_pairs.set(i, [rectangle.radius, rectangle.bounding_radius]);
            radii[i] = self.view.circles[indices[1 - of]];
        }
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let (pose, [x, y], [half_x, half_y]) =
                (Poses::of(simd, poses, from), centers.load(simd, from), halves.load(simd, from));
            let ([radius_own, bounding_radius], radius_other) =
                (radius_pairs.load(simd, from), load(simd, radii, from));
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

    /// Computes pairs of a polygon, shape number `of` of the pair, and a circle.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn polygon_circle<S: Simd>(&mut self, simd: S, group: Bucket<'_>, nearest: &mut CirclePolygon, of: usize) {
        for (i, (&pair, shapes)) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let indices = [shapes[0].index() as usize, shapes[1].index() as usize];
            nearest.gather(self.view, i, pair, indices, of);
        }
        let remaining = nearest.find_edges(simd, self.view.polygons, group.rows.len());
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            group.ahead.prefetch_poses(from, Lanes::<S>::LEN);
            let closest = nearest.closest_edges(simd, from);
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

    /// Computes pairs of rectangles.
    #[inline(always)]
    fn rectangles<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut CollideScratch) {
        let CollideScratch {
            poses: [poses_p, poses_q],
            sizes: [halves_p, halves_q, radius_pairs_p, radius_pairs_q],
            circle_filter: filter,
            rows,
            ..
        } = scratch;
        let sizes = &self.view.polygons.sizes;
        // Only pairs whose bounding circles are not apart.
        let remaining = filter.candidates(simd, self.view, group);
        let (count, mut gathered) = (remaining.count(), 0);
        for from in (0..count).step_by(Lanes::<S>::LEN) {
            // Gather the rows of the next steps before the arithmetic of this one.
            let next = count.min(from + GATHER_AHEAD);
            for (k, to) in rows[gathered..next].iter_mut().enumerate() {
                let (i, row) = (gathered + k, remaining.row(gathered + k));
                let ([a, b], [p, q]) = (group.pairs[row], group.indices(row));
                let (p, q) = (&sizes[p], &sizes[q]);
                *to = group.rows[row];
                gather_pose(self.view, a, poses_p, i);
                gather_pose(self.view, b, poses_q, i);
                halves_p.set(i, p.half);
                halves_q.set(i, q.half);
                radius_pairs_p.set(i, [p.radius, p.bounding_radius]);
                radius_pairs_q.set(i, [q.radius, q.bounding_radius]);
            }
            gathered = next;
            let ([radius_p, bounding_p], [radius_q, bounding_q]) =
                (radius_pairs_p.load(simd, from), radius_pairs_q.load(simd, from));
            group.ahead.prefetch_rotations(2 * from, 2 * Lanes::<S>::LEN);
            let rectangles = Rectangles {
                poses: [Poses::of(simd, poses_p, from), Poses::of(simd, poses_q, from)],
                halves: [halves_p.load(simd, from), halves_q.load(simd, from)],
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

    /// Computes pairs of polygons, or of a polygon and a rectangle.
    #[inline(always)]
    fn polygons<S: Simd>(&mut self, simd: S, group: Bucket<'_>, scratch: &mut CollideScratch, is_rectangle: [bool; 2]) {
        let CollideScratch {
            poses,
            sizes: [radius_pairs_p, radius_pairs_q, ..],
            relatives,
            best_edges,
            clip_input,
            ..
        } = scratch;
        let outlines = self.view.polygons;
        for (i, (&[a, b], &[p, q])) in group.pairs.iter().zip(group.shapes).enumerate().take(ROWS) {
            let (p, q) = (p.index() as usize, q.index() as usize);
            let (p, q) = (&outlines.sizes[p], &outlines.sizes[q]);
            gather_pose(self.view, a, &mut poses[0], i);
            gather_pose(self.view, b, &mut poses[1], i);
            radius_pairs_p.set(i, [p.radius, p.bounding_radius]);
            radius_pairs_q.set(i, [q.radius, q.bounding_radius]);
        }
        // Pass 1: relative poses and bounding circles, one pair per lane.
        let mut candidates = 0;
        for from in (0..group.rows.len()).step_by(Lanes::<S>::LEN) {
            let ([radius_p, bounding_p], [radius_q, bounding_q]) =
                (radius_pairs_p.load(simd, from), radius_pairs_q.load(simd, from));
            let placed = PlacedLanes {
                poses: [Poses::of(simd, &poses[0], from), Poses::of(simd, &poses[1], from)],
                radius: radius_p + radius_q,
                bounding_radius: bounding_p + bounding_q,
                inscribed_radius: Lanes::splat(simd, 0.0),
            };
            let [is_candidate, _] = placed.prepare(relatives, from);
            candidates |= is_candidate << from;
        }
        // Pass 2: separating axes, one edge per lane; the reference edge of each remaining pair.
        let mut remaining = CompactedRows::of(0, 0);
        for (k, i) in CompactedRows::of(candidates, group.rows.len()).rows().enumerate() {
            group.ahead.prefetch_poses(2 * k, 2);
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
                [&poses[of], &poses[1 - of]],
                i,
                [own, other],
            );
        }
        clip_input.clip(simd, self.writer);
    }
}
