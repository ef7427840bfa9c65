//! Pixel masks as shapes.

use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::DVec2;

use super::composite::Composite;
use super::composite_source::{CompositeSource, Pixels};
use super::concave::convex_parts;
use super::{Form, Placed, Shape};
use crate::decompose::{Connectivity, PolygonWithHoles, trace_pixels};
use crate::error::{Error, ErrorKind};
use crate::math::mask::Mask;
use crate::math::vector::check_point;

impl Shape {
    /// The solid pixels of a mask as closed unit squares, pixel (0, 0) from the origin to (1, 1): [`scaled`](Shape::scaled) gives them another size.
    ///
    /// The parts are convex pieces of the outlines of the pixels, with corners of pixels as vertices; pixels that meet at a corner only are not joined, but
    /// as closed squares they touch. Two masks that are not turned, with pixels of one size that is a power of two, at whole pixels from each other, are compared by
    /// their words.
    ///
    /// ```
    /// use carom::{Mask, Shape, overlaps};
    ///
    /// let ship = Shape::mask(Mask::from_rows(&[".#.", "###"])?)?;
    /// assert!(!overlaps(ship.at([0.0, 0.0])?, ship.at([2.0, -1.0])?)); // the boxes do, the pixels do not
    /// assert!(overlaps(ship.at([0.0, 0.0])?, ship.at([1.5, 0.0])?)); // half a pixel
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A mask without solid pixels: it has no points.
    pub fn mask(mask: Mask) -> Result<Self, Error> {
        Self::from_pixels(Pixels { mask, origin: [0; 2], scale: DVec2::ONE })
    }

    pub(super) fn from_pixels(pixels: Pixels) -> Result<Self, Error> {
        let contours = trace_pixels(&pixels.mask, Connectivity::Four);
        if contours.is_empty() {
            return Err(Error::new(
                ErrorKind::Empty,
                "a mask without solid pixels has no points: lower the threshold or leave it out".into(),
            ));
        }
        let origin = DVec2::new(pixels.origin[0] as f64, pixels.origin[1] as f64);
        let place = |p: &DVec2| check_point("corner of a pixel", (origin + *p) * pixels.scale);
        let ring = |points: &Vec<DVec2>| points.iter().map(place).collect::<Result<Vec<DVec2>, Error>>();
        let mut parts = Vec::new();
        for contour in &contours {
            let holes = contour.holes.iter().map(ring).collect::<Result<Vec<_>, _>>()?;
            parts.extend(convex_parts(&PolygonWithHoles::new(&ring(&contour.outer)?, &holes)?));
        }
        Ok(Self(Form::Composite(Arc::new(Composite::new(CompositeSource::Mask(pixels), parts, 0.0)))))
    }
}

impl Pixels {
    /// The mask with pixels of another size, mirrored where a factor is negative.
    pub(super) fn scaled(&self, factor: DVec2) -> Result<Self, Error> {
        let scale = check_point("scaled pixel", self.scale * factor.abs())?;
        let (mut mask, mut origin) = (self.mask.clone(), self.origin);
        if factor.x < 0.0 {
            origin[0] = -(origin[0] + i64::from(mask.width()));
            mask = mask.flipped_horizontally();
        }
        if factor.y < 0.0 {
            origin[1] = -(origin[1] + i64::from(mask.height()));
            mask = mask.flipped_vertically();
        }
        Ok(Self { mask, origin, scale })
    }
}

/// Whole numbers up to this are exact, and so are sums of two of them.
const EXACT: f64 = (1_u64 << 51) as f64;

/// A mask on the grid of its own pixels: where its pixel (0, 0) lies, counted in pixels from the world's origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnGrid<'a> {
    pub(crate) mask: &'a Mask,
    pub(crate) corner: [i64; 2],
    pub(crate) scale: DVec2,
}

impl<'a> Placed<'a> {
    /// The shape as a mask on a grid, where every corner of a pixel lies exactly on that grid: not turned, not rounded, pixels whose size is a power of two,
    /// and whole pixels from the origin.
    pub(crate) fn on_grid(&self) -> Option<OnGrid<'a>> {
        let Form::Composite(composite) = &self.shape().0 else { return None };
        let CompositeSource::Mask(pixels) = &composite.source else { return None };
        let pose = self.pose();
        let power_of_two = |x: f64| x.to_bits() & ((1 << 52) - 1) == 0 && (1e-100..1e29).contains(&x);
        if pose.cos() != 1.0
            || pose.sin() != 0.0
            || composite.radius != 0.0
            || !power_of_two(pixels.scale.x)
            || !power_of_two(pixels.scale.y)
        {
            return None;
        }
        let steps = pose.translation() / pixels.scale;
        if steps != steps.round() || steps.abs().max_element() > EXACT {
            return None;
        }
        let corner = [steps.x as i64 + pixels.origin[0], steps.y as i64 + pixels.origin[1]];
        Some(OnGrid { mask: &pixels.mask, corner, scale: pixels.scale })
    }
}
