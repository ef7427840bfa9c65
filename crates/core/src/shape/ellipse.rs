//! Approximates an ellipse by an inscribed polygon with a given deviation.
//!
//! Input: both radii and the largest deviation, in units of length. Output: the vertices of one
//! quarter, mirrored to all four, counter-clockwise from +x.
//!
//! ```text
//! half angle = 2 asin(√(deviation / (2 r)))       sagitta of a chord: r (1 − cos(half angle))
//! count      = π / half angle, rounded up to a multiple of 4, at least 8
//! vertex i   = (rx cos(2π i / count), ry sin(2π i / count))
//! ```
//!
//! r is the larger radius. An ellipse is an affine image of its larger circle that shrinks lengths.
//! So its deviation is at most that of the circle. An exact ellipse would need roots of degree four
//! in every predicate.

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use crate::error::{Error, ErrorKind, Number};
use crate::math::vector::{check, check_size, sqrt};

/// The largest number of vertices. A deviation that needs more is finer than any use.
const MAX_VERTICES: u32 = 1_048_576;

/// Returns the vertices of the polygon that [`Shape::ellipse`](crate::Shape::ellipse) describes.
pub(super) fn inscribed(radius_x: f64, radius_y: f64, deviation: f64) -> Result<Vec<DVec2>, Error> {
    for (name, value) in [("radius along x", radius_x), ("radius along y", radius_y), ("deviation", deviation)] {
        if check(name, value)? <= 0.0 {
            let kind = if value < 0.0 { ErrorKind::Negative } else { ErrorKind::ZeroSize };
            return Err(Error::new(kind, format!("{name} of the ellipse is {:?}; it must be above 0", Number(value))));
        }
    }
    let largest = check_size("radius", radius_x.max(radius_y))?;
    // An arc of angle 2h of the larger circle has the sagitta r (1 − cos h) = 2 r sin²(h/2). The
    // sagitta of the ellipse is at most as large.
    let half = 2.0 * libm::asin(sqrt((deviation / (2.0 * largest)).min(0.5)));
    let count = (libm::ceil(core::f64::consts::PI / half / 4.0) * 4.0).max(8.0);
    // If the angle underflows to 0, the count is infinite.
    if count > f64::from(MAX_VERTICES) {
        let message = format!(
            "a deviation of {:?} from an ellipse of radius {:?} needs {:?} vertices; the limit is {MAX_VERTICES}: \
             choose a larger deviation",
            Number(deviation),
            Number(largest),
            Number(count)
        );
        return Err(Error::new(ErrorKind::TooManyPoints, message));
    }
    let quarter = count as usize / 4;
    // Compute one quarter and mirror it, so the polygon is exactly symmetric.
    let on_arc = |i: usize| {
        if i == 0 {
            DVec2::new(radius_x, 0.0)
        } else if i == quarter {
            DVec2::new(-0.0, radius_y)
        } else {
            let (sin, cos) = libm::sincos(core::f64::consts::FRAC_PI_2 * i as f64 / quarter as f64);
            DVec2::new(radius_x * cos, radius_y * sin)
        }
    };
    let mut points = Vec::with_capacity(4 * quarter);
    for i in 0..=quarter {
        points.push(on_arc(i));
    }
    for i in (1..quarter).rev() {
        points.push(DVec2::new(-points[i].x, points[i].y));
    }
    for i in 0..2 * quarter {
        points.push(-points[i]);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_within_the_deviation() {
        for (rx, ry, deviation) in [(1.0, 1.0, 1e-3), (3.0, 0.5, 0.01), (1e-3, 40.0, 0.1), (7.0, 7.0, 1e-9)] {
            let points = inscribed(rx, ry, deviation).unwrap();
            for (i, &p) in points.iter().enumerate() {
                let q = points[(i + 1) % points.len()];
                assert!((p.x / rx).powi(2) + (p.y / ry).powi(2) < 1.0 + 1e-12);
                // The largest distance of the ellipse from the chord: at the middle of the
                // parameter range.
                let middle = (p + q) * 0.5;
                let scale = 1.0 / ((middle.x / rx).powi(2) + (middle.y / ry).powi(2)).sqrt();
                let chord = (q - p).perp().normalize();
                assert!((middle * (scale - 1.0)).dot(chord).abs() <= deviation * (1.0 + 1e-6), "{rx} {ry} {deviation}");
            }
        }
    }

    #[test]
    fn refuses_what_nobody_can_use() {
        assert_eq!(inscribed(1.0, 1.0, 1e-14).unwrap_err().kind(), ErrorKind::TooManyPoints);
        assert_eq!(inscribed(1.0, 0.0, 1e-3).unwrap_err().kind(), ErrorKind::ZeroSize);
        assert_eq!(inscribed(1.0, -1.0, 1e-3).unwrap_err().kind(), ErrorKind::Negative);
    }
}
