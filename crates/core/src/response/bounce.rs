//! Computes the velocities of two bodies after an impact.
//!
//! Input: two velocities, two inverse masses, the unit contact normal, and the restitution. Output:
//! both velocities after the impact. The formula is Newton's law of restitution without friction
//! (Baraff, *An introduction to physically based modeling: rigid body simulation II*, 1997).
//!
//! ```text
//! approach = (velocity b − velocity a) · normal
//! if approach ≥ 0: the bodies separate, nothing changes
//! change = −(1 + restitution) * approach
//! velocity a −= normal * change * wa / (wa + wb)      wa, wb: inverse masses
//! velocity b += normal * change * wb / (wa + wb)
//! ```
//!
//! With restitution 1, this formula is computed in double-double numbers. The rounding errors of
//! `f64` have the same sign at each impact along one normal. Over thousands of impacts they would
//! change the energy.

use alloc::format;

use glam::DVec2;

use crate::error::{Coordinates, Error, ErrorKind, Number};
use crate::math::both::both;
use crate::math::double_double::DoubleDouble;
use crate::math::point::IntoPoint;
use crate::math::vector::{check, check_point, check_size};

/// Relative rounding error of a speed of approach.
pub(super) const NOISE: f64 = 1e-12;

/// Returns the velocities of two bodies after an impact along a contact normal. The bodies do not
/// turn.
///
/// The normal points from the first to the second. Restitution 1 keeps the kinetic energy; 0 gives
/// both the same speed along the normal. Momentum is always kept. Both hold up to rounding. The
/// velocity of a body of inverse mass 0 never changes. If the bodies already separate, or both have
/// inverse mass 0, nothing changes. The formula is Newton's law of restitution (Baraff, *An
/// introduction to physically based modeling: rigid body simulation II*, 1997).
///
/// ```
/// use carom::DVec2;
/// use carom::response::bounce;
///
/// // Masses 1/3 and 1, head-on.
/// let [a, b] = bounce([[2.0, 5.0], [-2.0, 0.0]], [3.0, 1.0], [1.0, 0.0], 1.0)?;
/// assert_eq!((a, b), (DVec2::new(-4.0, 5.0), DVec2::new(0.0, 0.0)));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// - A velocity, inverse mass or normal that is not finite, or above 1e30 in magnitude.
/// - An inverse mass that is negative, or below 1e-30 and not 0.
/// - A normal whose length is not 1 within 1e-9.
/// - A restitution outside 0 ..= 1.
pub fn bounce<V: IntoPoint>(
    velocities: [V; 2],
    inverse_masses: [f64; 2],
    normal: impl IntoPoint,
    restitution: f64,
) -> Result<[DVec2; 2], Error> {
    let [a, b] = velocities.map(IntoPoint::into_point);
    let velocities = [check_point("first velocity", a)?, check_point("second velocity", b)?];
    for inverse_mass in inverse_masses {
        check_inverse_mass(inverse_mass)?;
    }
    let normal = check_point("normal", normal.into_point())?;
    let square = normal.length_squared();
    if (square - 1.0).abs() > 2e-9 {
        let message = format!(
            "the normal {} has a length whose square is {:?}; it must be 1: divide it by its length",
            Coordinates(normal),
            Number(square)
        );
        return Err(Error::new(ErrorKind::NotNormalized, message));
    }
    check_restitution(restitution)?;
    Ok(bounced(velocities, inverse_masses, normal, restitution).unwrap_or(velocities))
}

/// [`bounce`] for checked input. Returns `None` if the bodies separate already or both have inverse
/// mass 0.
#[inline]
pub(super) fn bounced([a, b]: [DVec2; 2], [wa, wb]: [f64; 2], normal: DVec2, restitution: f64) -> Option<[DVec2; 2]> {
    let approach = (b - a).dot(normal);
    let total = wa + wb;
    if approach >= 0.0 || total == 0.0 {
        return None;
    }
    if restitution == 1.0 {
        return Some(mirrored([a, b], [wa, wb], normal));
    }
    let change = -(1.0 + restitution) * approach;
    // Uses shares of the sum, so no mass in the range overflows.
    Some([a - normal * (change * (wa / total)), b + normal * (change * (wb / total))])
}

/// Returns the velocities after an impact of restitution 1, each rounded once.
///
/// Plain arithmetic has the same relative error at every impact along one normal. The normal is not
/// exactly a unit vector, and the shares of the masses do not add up to exactly 1. Over thousands
/// of impacts, such errors add up to a change of the energy.
fn mirrored([a, b]: [DVec2; 2], [wa, wb]: [f64; 2], normal: DVec2) -> [DVec2; 2] {
    let (product, difference) = (DoubleDouble::product, DoubleDouble::difference);
    let approach = difference(b.x, a.x).multiply(normal.x.into()).add(difference(b.y, a.y).multiply(normal.y.into()));
    let excess = product(normal.x, normal.x).add(product(normal.y, normal.y)).add(DoubleDouble::from(-1.0)).to_f64();
    // Divides by the squared length of the normal.
    let change = approach.add(DoubleDouble::from(-approach.to_f64() * (excess / (1.0 + excess)))).scaled(2.0);
    let total = difference(wa, -wb);
    // Shares of 0, 1/2 and 1 have no rounding error.
    let is_exact = wa == wb || wa == 0.0 || wb == 0.0;
    let moved = |velocity: DVec2, w: f64| {
        let share = w / total.to_f64();
        let by = if is_exact {
            change.scaled(share)
        } else {
            let rest = DoubleDouble::from(w).add_scaled(-share, total) / total.to_f64();
            change.multiply(difference(share, -rest))
        };
        DVec2::new(
            DoubleDouble::from(velocity.x).add_scaled(normal.x, by),
            DoubleDouble::from(velocity.y).add_scaled(normal.y, by),
        )
    };
    [moved(a, wa), moved(b, -wb)]
}

pub(super) fn check_inverse_mass(inverse_mass: f64) -> Result<f64, Error> {
    let checked = check_size("inverse mass", inverse_mass)?;
    // 1 divided by 1e30, the largest mass, is slightly less than 1e-30.
    if checked > 0.0 && checked < 1.0 / 1e30 {
        let message =
            format!("inverse mass is {:?}; it must be 0 (nothing moves it) or at least 1e-30", Number(checked));
        return Err(Error::new(ErrorKind::OutOfRange, message));
    }
    Ok(checked)
}

pub(super) fn check_restitution(restitution: f64) -> Result<f64, Error> {
    if check_size("restitution", restitution)? > 1.0 {
        let message = format!("restitution is {:?}; it must be from 0 (no bounce) to 1 (no loss)", Number(restitution));
        return Err(Error::new(ErrorKind::OutOfRange, message));
    }
    Ok(restitution)
}

/// Returns the restitution of a pair: the larger one, because a ball that bounces does so on everything. A collider
/// that is no particle has 0.
#[inline(always)]
pub(super) fn restitution_of_pair(restitutions: &[f64], indices: [Option<usize>; 2]) -> f64 {
    let [first, second] = both(indices, |index| index.map_or(0.0, |index| restitutions[index]));
    first.max(second)
}

/// Returns the inverse of a mass; 0 for an infinite mass.
pub(super) fn inverse_of(mass: f64) -> Result<f64, Error> {
    if mass == f64::INFINITY {
        return Ok(0.0);
    }
    if check("mass", mass)? <= 0.0 {
        let message =
            format!("mass is {:?}; it must be above 0, or infinite for a body that nothing moves", Number(mass));
        return Err(Error::new(if mass < 0.0 { ErrorKind::Negative } else { ErrorKind::OutOfRange }, message));
    }
    if mass < 1e-30 {
        return Err(Error::new(
            ErrorKind::OutOfRange,
            format!("mass is {:?}; the limit is 1e-30: choose a smaller unit", Number(mass)),
        ));
    }
    Ok(1.0 / mass)
}
