//! Converts an image to a scene of its contours.
//!
//! Input: the bytes of a PNG. Output: one polygon with holes per connected component of solid
//! pixels. Contours run along the pixel edges, or between pixel centres (marching squares).
//! Simplification then removes the steps of slopes.

use carom::decompose::{Connectivity, Contour, marching_squares, simplify_contours, trace_pixels as loops};
use carom::{Mask, Pose, Shape};

use crate::png;
use crate::{Error, Scene, SceneCollider, YAxis};

/// Options for tracing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TraceOptions {
    /// Smallest alpha of solid pixels.
    pub threshold: u8,
    /// Largest distance between a contour and the pixel edges, in pixels. The area changes by at
    /// most this times the perimeter. Values from 1 remove the steps of slopes.
    pub tolerance: f64,
    /// Places contours between pixel centres, at the alpha threshold, instead of along pixel edges.
    pub smooth: bool,
    /// Connects pixels that share only a corner.
    pub eight_connected: bool,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self { threshold: 128, tolerance: 1.0, smooth: false, eight_connected: false }
    }
}

/// Largest number of vertices of all contours. Images of noise have more, and their output would
/// need gigabytes.
const MOST_CORNERS: u64 = 1 << 23;

/// Traces the solid pixels of a PNG. The scene has one polygon with holes per connected component.
/// Pixel (x, y) covers (x, y) to (x + 1, y + 1), and +y points down. `id` is the id of the first
/// component. The others are `id#2`, `id#3`, … in the order of their first pixels.
///
/// # Errors
/// The bytes are not a valid PNG, or the image is larger than a mask may be. The image has no solid
/// pixels, or its contours have more than 2²³ = 8 388 608 vertices.
pub fn trace(name: &str, bytes: &[u8], id: &str, options: &TraceOptions) -> Result<Scene, Error> {
    let alpha = png::decode(bytes).map_err(|message| Error::new(name, message))?;
    let (width, height) = (alpha.width, alpha.height);
    let refuse = |error: carom::Error| Error::new(name, error.to_string());
    let mask = Mask::from_alpha(width, height, &alpha.values, options.threshold).map_err(refuse)?;
    let corners = if options.smooth { mask.perimeter() } else { mask.contour_point_count() };
    if corners == 0 {
        let message = format!("no pixel has an alpha of {} or more: lower the threshold", options.threshold);
        return Err(Error::new(name, message));
    }
    if corners > MOST_CORNERS {
        let message = format!(
            "the outlines have {corners} corners; the limit is {MOST_CORNERS}: smooth the image, make it smaller or \
             cut it up"
        );
        return Err(Error::new(name, message));
    }
    let found = if options.smooth {
        marching_squares(width, height, &alpha.values, options.threshold).map_err(refuse)?
    } else {
        loops(&mask, if options.eight_connected { Connectivity::Eight } else { Connectivity::Four })
    };
    let outlines = simplify_contours(&found, options.tolerance).map_err(refuse)?;
    drop(found);
    let mut colliders = Vec::with_capacity(outlines.len());
    for (contour, number) in outlines.iter().zip(1..) {
        let id = if number == 1 { id.to_owned() } else { format!("{id}#{number}") };
        colliders.push(collider(id, contour).map_err(refuse)?);
    }
    Ok(Scene { colliders, y: YAxis::Down, ..Scene::default() })
}

fn collider(id: String, contour: &Contour) -> Result<SceneCollider, carom::Error> {
    let shape = Shape::polygon_with_holes(&contour.outer, &contour.holes)?;
    Ok(SceneCollider::new(id, shape, Pose::IDENTITY))
}
