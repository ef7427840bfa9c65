//! Constructs polygons: convex, concave and with holes.
//!
//! Input: an outline and holes. Output: a convex shape if the outline is convex, else a composite
//! of exact convex parts. The convexity test is in `shape/polygon.rs`, the decomposition in
//! `decompose/`.
//!
//! A convex outline is recognized first, because one convex shape is faster than any number of
//! parts. No vertex is added by the decomposition, so the parts have no gaps and the union is
//! exactly the polygon.

use alloc::vec::Vec;

use super::composite;
use crate::decompose::PolygonWithHoles;
use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::shape::Shape;
use crate::shape::composite_source::{CompositeSource, Concave};
use crate::shape::convex::Convex;
use crate::shape::polygon::Polygon;

impl Shape {
    /// Creates a polygon from any simple outline, convex or concave, in either winding.
    ///
    /// A convex outline gives one convex shape with any number of vertices. Any other outline is
    /// split into exact convex parts. No vertex is added and no area is lost.
    ///
    /// Repeated and collinear vertices change nothing. The outline may touch itself at single
    /// points. A vertex counts as collinear if it lies inside the hull by at most 4 ulp of the
    /// largest coordinate.
    ///
    /// Feature ids are indices into `points`. The id of an edge of a concave polygon is that of the
    /// vertex where it begins, counter-clockwise around its part.
    ///
    /// ```
    /// use carom::{Shape, ShapeKind, intersects};
    ///
    /// let house = Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 5.0], [0.0, 3.0]])?;
    /// assert_eq!(house.kind(), ShapeKind::ConvexPolygon);
    /// let ell = Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]])?;
    /// assert_eq!(ell.kind(), ShapeKind::Polygon);
    /// assert!(!intersects(ell.at([0.0, 0.0])?, Shape::circle(0.9)?.at([3.0, 3.0])?));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// - If there are fewer than three points, or if all lie on one line (use [`Shape::segment`]).
    /// - If the outline crosses itself, or overlaps itself along a length. The error has the
    ///   location.
    /// - If a coordinate is not finite or above 1e30 in magnitude.
    pub fn polygon<P: IntoPoint>(points: &[P]) -> Result<Self, Error> {
        match Polygon::new(P::into_points(points).into_owned())? {
            Ok(polygon) => Ok(Convex::polygon(polygon, 0.0).into()),
            Err(_) => Ok(Self::from_parts(&PolygonWithHoles::new(points, &[])?)),
        }
    }

    /// Creates the [`polygon`](Shape::polygon) of a convex outline; returns an error for a concave
    /// one.
    ///
    /// ```
    /// use carom::{ErrorKind, Shape};
    ///
    /// let dart = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]];
    /// let error = Shape::convex_polygon(&dart).unwrap_err();
    /// assert_eq!((error.kind(), error.vertex()), (ErrorKind::Concave, Some(3)));
    /// ```
    ///
    /// # Errors
    /// - If there are fewer than three points, or if all lie on one line (use [`Shape::segment`]).
    /// - If the outline is not convex. The error has a vertex that lies inside the hull, unless the outline visits the
    ///   vertices of its hull out of order. An outline that crosses itself is not convex.
    /// - If a coordinate is not finite or above 1e30 in magnitude.
    pub fn convex_polygon<P: IntoPoint>(points: &[P]) -> Result<Self, Error> {
        match Polygon::new(P::into_points(points).into_owned())? {
            Ok(polygon) => Ok(Convex::polygon(polygon, 0.0).into()),
            Err(reason) => Err(reason.to_error()),
        }
    }

    /// Creates a polygon with holes. Without holes, the result is that of [`Shape::polygon`].
    ///
    /// Rings may have either winding and may touch at single points. Repeated and collinear points
    /// change nothing. Feature ids count the vertices of all rings in order, the outer ring first.
    ///
    /// ```
    /// use carom::{Shape, intersects};
    ///
    /// let cave = Shape::polygon_with_holes(
    ///     &[[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0]],
    ///     &[vec![[1.0, 1.0], [7.0, 1.0], [7.0, 5.0], [1.0, 5.0]]],
    /// )?;
    /// let bat = Shape::circle(1.0)?;
    /// assert!(!intersects(cave.at([0.0, 0.0])?, bat.at([4.0, 3.0])?)); // inside the hole
    /// assert!(intersects(cave.at([0.0, 0.0])?, bat.at([4.0, 2.0])?)); // touches its edge
    /// assert_eq!(cave.mass_properties().area, 48.0 - 24.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolygonWithHoles::new`], with the location:
    ///
    /// - If a ring has fewer than three points or no area.
    /// - If a ring crosses itself or another ring.
    /// - If a hole lies outside the outer ring or inside another hole.
    pub fn polygon_with_holes<P: IntoPoint>(outer: &[P], holes: &[Vec<P>]) -> Result<Self, Error> {
        if holes.is_empty() {
            return Self::polygon(outer);
        }
        Ok(Self::from_parts(&PolygonWithHoles::new(outer, holes)?))
    }

    /// Creates the polygon of an outline that is already split into parts.
    ///
    /// # Errors
    /// None for an outline that [`PolygonWithHoles::new`] returned.
    pub fn from_outline(outline: &PolygonWithHoles) -> Result<Self, Error> {
        if outline.rings().len() == 1
            && let Ok(polygon) = Polygon::new(outline.points().to_vec())?
        {
            return Ok(Convex::polygon(polygon, 0.0).into());
        }
        Ok(Self::from_parts(outline))
    }

    /// Creates the composite of an outline's convex parts.
    fn from_parts(outline: &PolygonWithHoles) -> Self {
        let parts = convex_parts(outline).collect();
        let source =
            CompositeSource::Concave(Concave { points: outline.points().to_vec(), rings: outline.rings().collect() });
        composite(source, parts, Vec::new(), 0.0)
    }
}

/// Returns the convex parts of an outline.
pub(super) fn convex_parts(outline: &PolygonWithHoles) -> impl Iterator<Item = Convex> {
    let (points, mut hull) = (outline.points(), Vec::new());
    outline
        .convex_parts()
        .iter()
        .map(move |part| Convex::polygon_part(part.iter().map(|&i| points[i as usize]).collect(), part, &mut hull))
}
