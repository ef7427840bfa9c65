//! Which side of a line a point lies on, exactly.

use core::cmp::Ordering;

use glam::DVec2;

use super::big_int::{BigInt, BitRange, Number};
use super::vector::UNIT_ROUNDOFF;

/// The side of the line from `a` to `b` that `c` lies on: `Greater` for left, `Less` for right, `Equal` for on it.
///
/// Floating point with its error bound first (Shewchuk 1997, the orientation filter), integers where that cannot tell.
#[inline]
pub(crate) fn orientation(a: DVec2, b: DVec2, c: DVec2) -> Ordering {
    let (u, v) = (b - a, c - a);
    let (left, right) = (u.x * v.y, u.y * v.x);
    let determinant = left - right;
    // Two differences, a product and the last difference: (3 + 16u) u, and what underflow can lose.
    let bound = 4.0 * UNIT_ROUNDOFF * (left.abs() + right.abs()) + 1e-300;
    if determinant.abs() > bound { sure_sign(determinant) } else { exact_orientation(a, b, c) }
}

/// The sign of a number that is not zero: a comparison without the branches of three cases.
#[inline(always)]
fn sure_sign(x: f64) -> Ordering {
    if x > 0.0 { Ordering::Greater } else { Ordering::Less }
}

/// Decides where the differences are exact, as among integers and among neighbours, by the exact products (Dekker 1971).
fn from_exact_products(a: DVec2, b: DVec2, c: DVec2) -> Option<Ordering> {
    let (u, v) = (difference(b, a)?, difference(c, a)?);
    let ((left, left_rest), (right, right_rest)) = (product(u.x, v.y)?, product(u.y, v.x)?);
    // The filter could not tell the products apart, so this is exact.
    let (high, low) = (left - right, left_rest - right_rest);
    if high == 0.0 {
        // A rounded difference has the sign of the exact one.
        return Some(low.sign());
    }
    if high.abs() == low.abs() && high != low {
        return None;
    }
    // Where the sum's sign hangs on how `low` was rounded, the two are equal and opposite.
    Some((high + low).sign())
}

/// `p − q` where no rounding is needed.
fn difference(p: DVec2, q: DVec2) -> Option<DVec2> {
    let d = p - q;
    // Knuth's exact error of a difference.
    let error = |p: f64, q: f64, d: f64| {
        let back = d - p;
        (p - (d - back)) - (q + back)
    };
    (error(p.x, q.x, d.x) == 0.0 && error(p.y, q.y, d.y) == 0.0).then_some(d)
}

/// A product and what its rounding lost, where neither overflows nor underflows.
fn product(x: f64, y: f64) -> Option<(f64, f64)> {
    let safe = |x: f64| x == 0.0 || (1e-100..1e100).contains(&x.abs());
    if !(safe(x) && safe(y)) {
        return None;
    }
    let split = |x: f64| {
        let far = 134_217_729.0 * x;
        let high = far - (far - x);
        (high, x - high)
    };
    let ((xh, xl), (yh, yl), xy) = (split(x), split(y), x * y);
    Some((xy, xl * yl - (((xy - xh * yh) - xl * yh) - xh * yl)))
}

#[cold]
fn exact_orientation(a: DVec2, b: DVec2, c: DVec2) -> Ordering {
    if let Some(decided) = from_exact_products(a, b, c) {
        return decided;
    }
    let mut range = BitRange::EMPTY;
    [a, b, c].iter().flat_map(|p| [p.x, p.y]).for_each(|x| range.include(x));
    // Degree 2: two differences multiplied and subtracted.
    if range.width() <= 124 {
        determinant::<4>(a, b, c, range.unit())
    } else {
        determinant::<38>(a, b, c, range.unit())
    }
}

fn determinant<const N: usize>(a: DVec2, b: DVec2, c: DVec2, unit: i32) -> Ordering {
    let difference = |x: f64, y: f64| BigInt::<N>::from_f64(x, unit).subtract(&BigInt::from_f64(y, unit));
    let left = difference(b.x, a.x).multiply(&difference(c.y, a.y));
    let right = difference(b.y, a.y).multiply(&difference(c.x, a.x));
    left.subtract(&right).sign()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientation_where_floating_point_fails() {
        // The middle of a decimal edge is off the line by less than the filter can see (P1).
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
