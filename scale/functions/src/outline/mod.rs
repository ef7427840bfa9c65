//! Converts the geometries of a map to shapes of carom.
//!
//! Input: a geometry as WKB, WKT or GeoJSON. Output: an [`Outline`], which is a shape at the
//! identity pose with its box, or the reason of the refusal.
//!
//! - `read.rs` parses the three formats.
//! - `shape.rs` builds the shape and the box.
//! - `ring.rs` and `relation.rs` decide small polygons without a shape, if floating point suffices.
//! - `geometry.rs`, `bounds.rs` and `error.rs` have the plain types.
//!
//! The pose is the identity, so no coordinate is rounded: the queries decide about the points in
//! the file.

mod bounds;
mod error;
mod geometry;
mod read;
mod relation;
mod ring;
mod shape;

use carom::{Placed, Pose, Shape};

pub use bounds::Bounds;
pub use error::OutlineError;
pub(crate) use geometry::Geometry;
pub(crate) use read::split_srid;
pub use read::{bounds_of_wkb, srid_at_start, wkb_of_text};
pub(crate) use relation::{Relation, Relations};
pub(crate) use ring::Ring;

/// A geometry of a map as a shape of carom, at the coordinates of the map.
///
/// | geometry | shape |
/// |---|---|
/// | polygon | polygon with holes |
/// | point, line | point, chain |
/// | multi-point, multi-line, multi-polygon, collection | the union of its members |
///
/// Coordinates beyond x and y are ignored.
///
/// ```
/// use carom_functions::Outline;
///
/// let lake = Outline::from_text("POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))")?;
/// let pier = Outline::from_text(r#"{"type": "LineString", "coordinates": [[4, 1], [6, 1]]}"#)?;
/// assert!(carom::intersects(lake.placed(), pier.placed()));
/// assert!(!carom::overlaps(lake.placed(), pier.placed())); // they only touch
/// # Ok::<(), carom_functions::OutlineError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outline {
    shape: Shape,
    bounds: Bounds,
}

impl Outline {
    /// Reads well-known binary (WKB or EWKB).
    ///
    /// # Errors
    /// If the bytes are not WKB, or if the geometry is empty or not valid.
    pub fn from_wkb(bytes: &[u8]) -> Result<Self, OutlineError> {
        read::shape_of_wkb(bytes).map(Self::from_shape)
    }

    /// Reads well-known text (WKT or EWKT), or the GeoJSON of a geometry if the text starts with `{`.
    ///
    /// # Errors
    /// If the text is neither, or if the geometry is empty or not valid.
    pub fn from_text(text: &str) -> Result<Self, OutlineError> {
        read::shape_of_text(text).map(Self::from_shape)
    }

    /// Stores a shape with its box, which most queries test first.
    fn from_shape(shape: Shape) -> Self {
        let aabb = shape.placed(Pose::IDENTITY).aabb();
        let (min, max) = (aabb.min(), aabb.max());
        Self { shape, bounds: Bounds { min: [min.x, min.y], max: [max.x, max.y] } }
    }

    /// Returns the shape at the coordinates of the map.
    #[must_use]
    pub fn placed(&self) -> Placed<'_> {
        self.shape.placed(Pose::IDENTITY)
    }

    /// Returns the smallest box around the outline.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }
}
