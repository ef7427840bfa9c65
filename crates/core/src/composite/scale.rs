//! Creates rounded, scaled and mirrored copies of shapes.
//!
//! Input: a shape and a radius, or two factors. Output: a new shape. A composite is created again
//! from its scaled source data, because rounding could make a scaled part concave.
//!
//! Unequal factors turn a circle into an ellipse, and a rotated child of a compound into a sheared
//! one. Neither is points plus a radius, so both are errors.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::DVec2;

use crate::error::{Error, ErrorKind, Number};
use crate::math::lists::try_mapped;
use crate::math::pose::Pose;
use crate::math::vector::{check, check_point, check_size};
use crate::shape::composite_source::CompositeSource;
use crate::shape::convex::Convex;
use crate::shape::polygon::Polygon;
use crate::shape::{Form, Shape};

impl Shape {
    /// Returns the shape grown outward on all sides by `radius`.
    ///
    /// The radius is added to the radius of each part. The points do not change.
    ///
    /// # Errors
    /// If the radius is negative or not finite, or if the sum is above 1e30.
    pub fn rounded(mut self, radius: f64) -> Result<Self, Error> {
        let radius = check_size("radius", radius)?;
        if radius == 0.0 {
            return Ok(self);
        }
        match &mut self.0 {
            Form::Convex(convex) => convex.radius = check_size("radius", convex.radius + radius)?,
            Form::Composite(composite) => *composite = Arc::new(composite.queries().rounded(composite, radius)?),
        }
        Ok(self)
    }

    /// Returns the shape scaled by `sx` along x and `sy` along y. Negative factors mirror it, as
    /// for a flipped sprite.
    ///
    /// ```
    /// # use carom::{DVec2, Shape};
    /// let ramp = Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]])?;
    /// assert_eq!(ramp.scaled(-1.0, 1.0)?.points()[2], DVec2::new(-2.0, 1.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// - If a factor is zero or not finite.
    /// - If the factors have different magnitudes and the shape has a radius.
    /// - If the factors have different magnitudes and a child of a compound is rotated by an angle
    ///   that is not a multiple of 90°.
    /// - If the result is out of range or has no area.
    pub fn scaled(&self, sx: f64, sy: f64) -> Result<Self, Error> {
        let factor = DVec2::new(check("factor", sx)?, check("factor", sy)?);
        if sx == 0.0 || sy == 0.0 {
            return Err(Error::new(
                ErrorKind::ZeroSize,
                format!("a shape cannot be scaled by {:?} and {:?}: a factor must not be 0", Number(sx), Number(sy)),
            ));
        }
        let radius = self.radius();
        if radius > 0.0 && sx.abs() != sy.abs() {
            let message = format!(
                "a shape with radius {:?} cannot be scaled by {:?} and {:?}: its rounding \
                 would become elliptic; use factors of equal magnitude",
                Number(radius),
                Number(sx),
                Number(sy)
            );
            return Err(Error::new(ErrorKind::UnequalScale, message));
        }
        let radius = check_size("scaled radius", radius * sx.abs())?;
        match &self.0 {
            Form::Convex(convex) => scaled_convex(convex, factor, radius),
            Form::Composite(composite) => match &composite.source {
                CompositeSource::Concave(concave) => {
                    let rings = try_mapped(concave.rings(), |ring| scaled_points(ring, factor))?;
                    Self::polygon_with_holes(&rings[0], &rings[1..])?.rounded(radius)
                }
                CompositeSource::Mask(pixels) => Self::from_pixels(pixels.scaled(factor)?)?.rounded(radius),
                CompositeSource::Chain(chain) => {
                    // A mirror swaps left and right. In reverse order the front stays the front.
                    let mut points = scaled_points(&chain.points, factor)?;
                    if sx * sy < 0.0 && chain.one_sided {
                        points.reverse();
                    }
                    Self::new_chain(points, chain.closed, chain.one_sided)?.rounded(radius)
                }
                CompositeSource::Compound(compound) => {
                    let children = try_mapped(&compound.children, |child| scaled_child(child, factor))?;
                    Self::compound(children)?.rounded(radius)
                }
            },
        }
    }
}

fn scaled_points(points: &[DVec2], factor: DVec2) -> Result<Vec<DVec2>, Error> {
    try_mapped(points.iter(), |&p| check_point("scaled vertex", p * factor))
}

fn scaled_convex(convex: &Convex, factor: DVec2, radius: f64) -> Result<Shape, Error> {
    let points = convex.points();
    if let Some(half) = convex.as_rectangle() {
        let size = half * factor.abs() * 2.0;
        return Shape::rectangle(size.x, size.y)?.rounded(radius);
    }
    if points.len() <= 2 {
        return Shape::capsule(points[0] * factor, points[points.len() - 1] * factor, radius);
    }
    Ok(Convex::polygon(Polygon::affine_image(scaled_points(points, factor)?)?, radius).into())
}

/// Scales a child of a compound, by S R = R' S': a mirror inverts the rotation, and a quarter turn
/// swaps the factors.
fn scaled_child((child, pose): &(Shape, Pose), factor: DVec2) -> Result<(Shape, Pose), Error> {
    let (sx, sy) = (factor.x, factor.y);
    let translation = check_point("scaled translation", pose.translation() * factor)?;
    let quarter = pose.cos() == 0.0;
    if sx.abs() != sy.abs() && !quarter && pose.sin() != 0.0 {
        let message = format!(
            "a compound with a child that is rotated by {:?} radians cannot be scaled by {:?} and \
             {:?}: use factors of equal magnitude",
            Number(pose.angle()),
            Number(sx),
            Number(sy)
        );
        return Err(Error::new(ErrorKind::UnequalScale, message));
    }
    let mirrored = if sx * sy < 0.0 { -1.0 } else { 1.0 };
    let own = if quarter { DVec2::new(sy.abs() * sx.signum(), sx.abs() * sy.signum()) } else { factor };
    Ok((child.scaled(own.x, own.y)?, Pose::from_cos_sin(translation, pose.cos(), pose.sin() * mirrored)?))
}
