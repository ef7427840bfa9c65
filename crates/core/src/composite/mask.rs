//! Constructs shapes from pixel masks.
//!
//! Input: a mask, and the size of a pixel. Output: a composite of convex parts. The outlines of the
//! solid pixels are traced and decomposed as polygons are.
//!
//! One square per pixel would be simpler. But a sprite of 64 × 64 pixels would have thousands of
//! parts, and inner edges on which other shapes catch. The mask is stored too. If two masks lie on
//! the same pixel grid, their bits are compared (`math/mask/`). This is exact and faster than any
//! traversal of parts.

use alloc::vec::Vec;

use glam::DVec2;

use super::composite;
use crate::decompose::{Connectivity, PolygonWithHoles, trace_pixels};
use crate::error::{Error, ErrorKind};
use crate::math::lists::try_mapped;
use crate::math::mask::Mask;
use crate::math::vector::check_point;
use crate::shape::Shape;
use crate::shape::composite_parts::CompositeParts;
use crate::shape::composite_source::{CompositeSource, Pixels};
use crate::shape::convex::Convex;

impl Shape {
    /// Creates a shape of the solid pixels of a mask. Pixel (0, 0) is the closed square from the
    /// origin to (1, 1).
    ///
    /// [`scaled`](Shape::scaled) changes the size of the pixels. The parts are convex pieces of the
    /// outlines of the pixels; their vertices are corners of pixels. Pixels that share only a
    /// corner are not connected, but as closed squares they touch.
    ///
    /// Two masks are compared by bits, 64 pixels at a time, under these conditions. Neither is
    /// rotated or rounded. Their pixels have the same width and height, both a power of two. Both
    /// masks are at whole multiples of the pixel size.
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
    /// If the mask has no solid pixels.
    #[doc(alias("bitmap", "pixels"))]
    pub fn mask(mask: Mask) -> Result<Self, Error> {
        Self::from_pixels(Pixels { mask, origin: [0; 2], scale: DVec2::ONE })
    }

    /// Traces the outlines of the pixels and splits them into convex parts.
    pub(super) fn from_pixels(pixels: Pixels) -> Result<Self, Error> {
        let contours = trace_pixels(&pixels.mask, Connectivity::Four);
        if contours.is_empty() {
            return Err(Error::new(
                ErrorKind::Empty,
                "a mask without solid pixels has no points: lower the threshold or omit the mask".into(),
            ));
        }
        let origin = DVec2::new(pixels.origin[0] as f64, pixels.origin[1] as f64);
        let to_local = |p: &DVec2| check_point("corner of a pixel", (origin + *p) * pixels.scale);
        let ring = |points: &Vec<DVec2>| try_mapped(points.iter(), to_local);
        let mut parts = Vec::new();
        for contour in &contours {
            let holes = try_mapped(contour.holes.iter(), ring)?;
            parts.extend(Convex::parts_of_polygon(&PolygonWithHoles::new(&ring(&contour.outer)?, &holes)?));
        }
        Ok(composite(CompositeSource::Mask(pixels), 0.0, None, Some(CompositeParts::new(parts, Vec::new()))))
    }
}

impl Pixels {
    /// Returns the mask with pixels of another size, mirrored if a factor is negative.
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
