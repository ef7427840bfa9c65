//! Decides on which side of a line a point lies, exactly: the orientation predicate.
//!
//! Input: three points. Output: the sign of the determinant `(b − a) × (c − a)`, without error.
//!
//! The simple version computes the determinant in `f64` and takes its sign. For points that are
//! nearly collinear, the sign is wrong. Then a triangulation can cross itself, and a hull can be
//! concave. Three stages follow each other, each called only if the previous one is inconclusive:
//!
//! ```text
//! 1. f64 with an error bound           decides nearly all calls
//! 2. exact products of f64             if both differences are exact
//! 3. integers of 4 or 38 limbs         always decides
//! ```
//!
//! Stage 1 is the filter of Shewchuk, *Adaptive precision floating-point arithmetic and fast robust
//! geometric predicates*, 1997. Stage 2 computes products without error (Dekker 1971).

use core::cmp::Ordering;

use glam::DVec2;

use super::big_int::{BigInt, BitRange, Number, cross, difference};
use super::double_double::DoubleDouble;
use super::vector::UNIT_ROUNDOFF;

/// Returns the side of the line from `a` to `b` on which `c` lies: `Greater` for left, `Less` for
/// right, `Equal` for on the line.
///
/// Evaluates the sign of `(b − a) × (c − a)`, by floating point if its error bound allows it, else
/// exactly.
#[inline(always)]
pub(crate) fn orientation(a: DVec2, b: DVec2, c: DVec2) -> Ordering {
    // Numbers are passed in registers.
    orientation_of(a.x, a.y, b.x, b.y, c.x, c.y)
}

/// Computes [`orientation`] from coordinates.
#[cfg_attr(not(target_arch = "wasm32"), inline)]
fn orientation_of(ax: f64, ay: f64, bx: f64, by: f64, cx: f64, cy: f64) -> Ordering {
    let (left, right) = ((bx - ax) * (cy - ay), (by - ay) * (cx - ax));
    let determinant = left - right;
    // Shewchuk's bound (3 + 16u) u for two differences, a product and the last difference, rounded
    // up. 1e-300 covers underflow.
    let bound = 4.0 * UNIT_ROUNDOFF * (left.abs() + right.abs()) + 1e-300;
    if determinant.abs() > bound {
        return nonzero_sign(determinant);
    }
    exact_orientation(DVec2::new(ax, ay), DVec2::new(bx, by), DVec2::new(cx, cy))
}

/// Compares two points by x, then by y. Coordinates are numbers, so they are always ordered.
#[inline(always)]
pub(crate) fn compare_xy(p: DVec2, q: DVec2) -> Ordering {
    let by = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    by(p.x, q.x).then(by(p.y, q.y))
}

/// Returns true if a point lies in the closed bounding box of a segment.
#[inline(always)]
pub(crate) fn is_in_box_of([p, q]: [DVec2; 2], point: DVec2) -> bool {
    p.min(q).cmple(point).all() && point.cmple(p.max(q)).all()
}

/// Returns true if a point lies on a closed segment.
#[inline]
pub(crate) fn is_on_segment([p, q]: [DVec2; 2], point: DVec2) -> bool {
    is_in_box_of([p, q], point) && orientation(p, q, point) == Ordering::Equal
}

/// Returns true if all points lie on one line.
pub(crate) fn are_collinear(mut points: impl Iterator<Item = DVec2>) -> bool {
    let Some(first) = points.next() else { return true };
    let Some(second) = points.find(|&p| p != first) else { return true };
    points.all(|p| orientation(first, second, p) == Ordering::Equal)
}

/// Returns true if a point on the line through `at` and `p` lies beyond `at`, as seen from `p`.
pub(crate) fn is_opposite(at: DVec2, p: DVec2, q: DVec2) -> bool {
    let sign = |x: f64, y: f64| x.partial_cmp(&y);
    sign(p.x, at.x) != sign(q.x, at.x) || sign(p.y, at.y) != sign(q.y, at.y)
}

/// Returns the sign of a number that is not zero. Avoids the branches of a comparison with three
/// results.
#[inline(always)]
fn nonzero_sign(x: f64) -> Ordering {
    if x > 0.0 { Ordering::Greater } else { Ordering::Less }
}

/// Decides from exact products if the differences are exact, as for integers and for neighbouring
/// points.
///
/// Returns `None` if a difference is not exact, if a product may overflow or underflow, or if the
/// last sum is inconclusive.
fn orientation_from_products(a: DVec2, b: DVec2, c: DVec2) -> Option<Ordering> {
    let difference =
        |p: f64, q: f64| Some(DoubleDouble::difference(p, q)).filter(|d| d.is_f64()).map(DoubleDouble::to_f64);
    let [u, v] = [[difference(b.x, a.x)?, difference(b.y, a.y)?], [difference(c.x, a.x)?, difference(c.y, a.y)?]];
    let [left, left_rest] = DoubleDouble::exact_product(u[0], v[1])?.parts();
    let [right, right_rest] = DoubleDouble::exact_product(u[1], v[0])?.parts();
    // The filter was inconclusive, so the products are nearly equal and this difference is exact.
    let (high, low) = (left - right, left_rest - right_rest);
    if high == 0.0 {
        // A rounded difference has the sign of the exact one.
        return Some(low.sign());
    }
    if high.abs() == low.abs() && high != low {
        return None;
    }
    // If the rounding of `low` could change the sign of the sum, `high` and `low` are equal and
    // opposite. That case has returned above.
    Some((high + low).sign())
}

/// Decides exactly: by exact products, else by integers as wide as the inputs require.
#[cold]
fn exact_orientation(a: DVec2, b: DVec2, c: DVec2) -> Ordering {
    if let Some(decided) = orientation_from_products(a, b, c) {
        return decided;
    }
    let mut range = BitRange::EMPTY;
    range.include_points(&[a, b, c]);
    // Degree 2: a product of two differences has at most 2 · (width + 1) bits. So 4 limbs suffice
    // up to a width of 124 bits.
    if range.width() <= 124 {
        determinant::<4>(a, b, c, range.unit()).sign()
    } else {
        determinant::<38>(a, b, c, range.unit()).sign()
    }
}

/// Computes the determinant with integers of `N` limbs.
fn determinant<const N: usize>(a: DVec2, b: DVec2, c: DVec2, unit: i32) -> BigInt<N> {
    cross(&difference(b, a, unit), &difference(c, a, unit))
}

/// Returns the sign of the signed area of a ring with integers: `Greater` for counter-clockwise, `Equal` for area 0.
#[cold]
pub(crate) fn exact_area_sign(ring: &[DVec2]) -> Ordering {
    let mut range = BitRange::EMPTY;
    range.include_points(ring);
    // A term has at most 2 · (width + 1) + 1 bits, and there are up to 2^32 terms.
    if range.width() <= 108 { area_sign::<4>(ring, range.unit()) } else { area_sign::<38>(ring, range.unit()) }
}

/// Computes the sign of the area with integers of `N` limbs, as a sum of triangles at the first vertex.
fn area_sign<const N: usize>(ring: &[DVec2], unit: i32) -> Ordering {
    let triangles = ring.windows(2).map(|edge| determinant(ring[0], edge[0], edge[1], unit));
    triangles.fold(BigInt::<N>::ZERO, |sum, triangle| sum.add(&triangle)).sign()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientation_where_floating_point_fails() {
        // The middle of this edge with decimal coordinates lies off the line by less than the error
        // bound of the filter.
        let (a, b) = (DVec2::new(0.1, 0.1), DVec2::new(0.3, 0.3));
        assert_eq!(orientation(a, b, DVec2::new(0.2, 0.2)), Ordering::Equal);
        assert_eq!(orientation(a, b, DVec2::new(0.2, 0.2_f64.next_up())), Ordering::Greater);
        assert_eq!(orientation(a, b, DVec2::new(0.2, 0.2_f64.next_down())), Ordering::Less);
    }

    #[test]
    fn orientation_survives_underflow_and_the_whole_range() {
        let tiny = f64::from_bits(1);
        let (a, b) = (DVec2::ZERO, DVec2::new(tiny, tiny));
        assert_eq!(orientation(a, b, DVec2::new(tiny, 2.0 * tiny)), Ordering::Greater);
        assert_eq!(orientation(a, DVec2::new(1e30, tiny), DVec2::new(1e30, 0.0)), Ordering::Less);
        assert_eq!(orientation(DVec2::splat(-1e30), DVec2::splat(1e30), DVec2::new(tiny, 0.0)), Ordering::Less);
    }
}
