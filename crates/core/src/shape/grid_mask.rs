//! Masks on the grid of their own pixels.
//!
//! Two such masks with pixels of the same size are compared by words of 64 pixels.

use glam::DVec2;

use super::Placed;
use super::composite_source::CompositeSource;
use crate::math::mask::Mask;

/// The limit for exact integers: sums of two such numbers are exact too.
const MAX_EXACT: f64 = (1_u64 << 51) as f64;

/// A mask on the grid of its own pixels. `corner` is the position of its pixel (0, 0), in pixels
/// from the world's origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridMask<'a> {
    pub(crate) mask: &'a Mask,
    pub(crate) corner: [i64; 2],
    pub(crate) scale: DVec2,
}

impl<'a> Placed<'a> {
    /// Returns the shape as a mask on the grid of its pixels.
    ///
    /// Returns `None` if a corner of a pixel does not lie exactly on that grid.
    ///
    /// Requires no rotation, no radius, pixels whose size is a power of two, and a translation by
    /// whole pixels.
    pub(crate) fn as_grid_mask(&self) -> Option<GridMask<'a>> {
        let composite = self.shape().as_composite()?;
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
        if steps != steps.round() || steps.abs().max_element() > MAX_EXACT {
            return None;
        }
        let corner = [steps.x as i64 + pixels.origin[0], steps.y as i64 + pixels.origin[1]];
        Some(GridMask { mask: &pixels.mask, corner, scale: pixels.scale })
    }
}
