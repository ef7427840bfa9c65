//! Computes contacts of pairs of circles with SIMD, for [`Batch`](super::Batch) and for the world.
//!
//! Input: columns of both centres and both radii. Output: normal, depth and the points on both
//! circles, in place, and masks of the rows that overlap or need the scalar fallback. The formulas
//! are those of the scalar path, one pair per lane, so the bits are equal. Concentric circles have
//! no normal; they go to the fallback.
//!
//! ```text
//! distance = |q - p|; normal = (q - p) / distance
//! depth = radius of p + radius of q - distance
//! point on p = p + normal * radius of p; point on q = q - normal * radius of q
//! hit if depth > 0; fallback if |depth| <= error bound, or distance <= 1e-140
//! ```
//!
//! The columns of the input are overwritten by the output, so a block needs seven columns and not
//! thirteen.

use super::contact_writer::LaneMasks;
use super::simd_columns::{F64Column, Lanes, Vectors, load_all, store};
use crate::math::simd::Simd;
use crate::math::vector::UNIT_ROUNDOFF;
use crate::query::{ContactId, ContactPoint, Feature, Manifold};

/// Number of columns for pairs of circles. Input: both centres and both radii. Output: normal,
/// depth, and the points on both circles.
pub(crate) const COLUMNS: usize = 7;

/// Computes the contacts of the first `rows` rows, in place. Returns a bit mask of the rows that
/// overlap, and one of the rows that need the scalar fallback.
#[inline(always)]
pub(crate) fn collide_rows<S: Simd>(simd: S, columns: &mut [F64Column], rows: usize) -> [u64; 2] {
    let (mut hits, mut fallback) = (0, 0);
    for from in (0..rows).step_by(Lanes::<S>::LEN) {
        let [px, py, qx, qy, radius_p, radius_q] = load_all(simd, columns, 0, from);
        let (contacts, masks) = collide_lanes::<S>([px, py], [qx, qy], [radius_p, radius_q]);
        fallback |= masks.fallback << from;
        hits |= masks.hit << from;
        for (column, lanes) in columns.iter_mut().zip(contacts) {
            store::<S>(lanes, column, from);
        }
    }
    [hits, fallback]
}

/// Computes the contacts of one vector of pairs: normal, depth, and the points on both circles.
#[inline(always)]
pub(super) fn collide_lanes<S: Simd>(
    [px, py]: Vectors<S>,
    [qx, qy]: Vectors<S>,
    [radius_p, radius_q]: [Lanes<S>; 2],
) -> ([Lanes<S>; 7], LaneMasks) {
    let (x, y) = (qx - px, qy - py);
    let distance = (x * x + y * y).sqrt();
    let (normal_x, normal_y) = (x / distance, y / distance);
    let depth = radius_p + radius_q - distance;
    // Rounding errors: 3u of the distance, u of the sum of the radii, u of the difference. 8u is an
    // upper bound (u = unit roundoff).
    let error_bound = (distance + radius_p + radius_q) * (8.0 * UNIT_ROUNDOFF);
    let fallback = (depth.abs().simd_le(error_bound) | distance.simd_le(1e-140)).to_bitmask();
    // One point on each circle, along the normal.
    let on_p = [px + normal_x * radius_p, py + normal_y * radius_p];
    let on_q = [qx - normal_x * radius_q, qy - normal_y * radius_q];
    let contacts = [normal_x, normal_y, depth, on_p[0], on_p[1], on_q[0], on_q[1]];
    (contacts, LaneMasks { hit: depth.simd_gt(0.0).to_bitmask(), fallback })
}

/// Returns the manifold of a row.
#[inline(always)]
pub(crate) fn manifold(columns: &[F64Column; COLUMNS], row: usize) -> Manifold {
    let [normal_x, normal_y, depth, px, py, qx, qy] = columns;
    let id = ContactId { a: Feature::Vertex(0), b: Feature::Vertex(0) };
    let point =
        ContactPoint { on_a: [px[row], py[row]].into(), on_b: [qx[row], qy[row]].into(), depth: depth[row], id };
    Manifold::one([normal_x[row], normal_y[row]].into(), depth[row], point)
}
