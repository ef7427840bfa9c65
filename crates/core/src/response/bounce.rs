//! The velocity change of two bodies that run into each other.

use alloc::format;

use glam::DVec2;

use crate::error::{Error, ErrorKind};
use crate::math::double_double::DoubleDouble;
use crate::math::point::IntoPoint;
use crate::math::vector::{check, check_point, check_size};

/// What rounding leaves of an approach, as a share of the speeds.
pub(super) const NOISE: f64 = 1e-12;

/// The velocities of two bodies without spin after they ran into each other along a contact normal, which leads from the first to the second.
///
/// Restitution 1 keeps the kinetic energy, 0 leaves the two with the same speed along the normal; momentum is kept in every case, both to rounding. An inverse mass of 0 is
/// a body that nothing moves. Bodies that separate already are left alone, and so are two that nothing moves. (Impulse of Newton's law of restitution; Ericson, Real-Time Collision
/// Detection, leaves it to the reader; Baraff 1997, Physically Based Modeling.)
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
/// A velocity, inverse mass or normal that is not finite, or above 1e30 in magnitude; a negative inverse mass, and one below 1e-30 that is not 0; a normal whose length is not 1 within 1e-9; a
/// restitution outside 0 ..= 1.
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
            "the normal {normal} has a length whose square is {square:?}; it must be 1: divide it by its length"
        );
        return Err(Error::new(ErrorKind::NotNormalized, message));
    }
    check_restitution(restitution)?;
    Ok(bounced(velocities, inverse_masses, normal, restitution).unwrap_or(velocities))
}

/// [`bounce`] of what was checked; `None` where they separate already, or nothing moves them.
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
    // Shares of the sum, so that no mass within the range overflows.
    Some([a - normal * (change * (wa / total)), b + normal * (change * (wb / total))])
}

/// Returns the velocities after an impact of restitution 1, each rounded once.
///
/// Plain arithmetic errs by the same share at every impact along one normal: the normal is no unit vector to the last bit, and shares of masses do not add up to 1.
/// Over many impacts such errors add up to a change of the energy.
fn mirrored([a, b]: [DVec2; 2], [wa, wb]: [f64; 2], normal: DVec2) -> [DVec2; 2] {
    let (product, difference) = (DoubleDouble::product, DoubleDouble::difference);
    let approach = difference(b.x, a.x).times(normal.x.into()).add(difference(b.y, a.y).times(normal.y.into()));
    let excess = product(normal.x, normal.x).add(product(normal.y, normal.y)).add(DoubleDouble::from(-1.0)).rounded();
    // Divided by the square of the normal's length.
    let change = approach.add(DoubleDouble::from(-approach.rounded() * (excess / (1.0 + excess)))).scaled(2.0);
    let total = difference(wa, -wb);
    // Shares of 0, one half and 1 have no error.
    let is_exact = wa == wb || wa == 0.0 || wb == 0.0;
    let moved = |velocity: DVec2, w: f64| {
        let share = w / total.rounded();
        let by = if is_exact {
            change.scaled(share)
        } else {
            let rest = DoubleDouble::from(w).plus(-share, total) / total.rounded();
            change.times(difference(share, -rest))
        };
        DVec2::new(DoubleDouble::from(velocity.x).plus(normal.x, by), DoubleDouble::from(velocity.y).plus(normal.y, by))
    };
    [moved(a, wa), moved(b, -wb)]
}

pub(super) fn check_inverse_mass(inverse_mass: f64) -> Result<f64, Error> {
    let checked = check_size("inverse mass", inverse_mass)?;
    // One divided by 1e30, the largest mass, is a bit less than 1e-30.
    if checked > 0.0 && checked < 1.0 / 1e30 {
        let message = format!("inverse mass is {checked:e}; it must be 0 (nothing moves it) or at least 1e-30");
        return Err(Error::new(ErrorKind::OutOfRange, message));
    }
    Ok(checked)
}

pub(super) fn check_restitution(restitution: f64) -> Result<f64, Error> {
    if check_size("restitution", restitution)? > 1.0 {
        let message = format!("restitution is {restitution:?}; it must be from 0 (no bounce) to 1 (no loss)");
        return Err(Error::new(ErrorKind::OutOfRange, message));
    }
    Ok(restitution)
}

/// An inverse mass from a mass: infinity is a body that nothing moves.
pub(super) fn inverse_of(mass: f64) -> Result<f64, Error> {
    if mass == f64::INFINITY {
        return Ok(0.0);
    }
    if check("mass", mass)? <= 0.0 {
        let message = format!("mass is {mass:?}; it must be above 0, or infinite for a body that nothing moves");
        return Err(Error::new(if mass < 0.0 { ErrorKind::Negative } else { ErrorKind::OutOfRange }, message));
    }
    if mass < 1e-30 {
        return Err(Error::new(
            ErrorKind::OutOfRange,
            format!("mass is {mass:e}; the limit is 1e-30: choose a smaller unit"),
        ));
    }
    Ok(1.0 / mass)
}
