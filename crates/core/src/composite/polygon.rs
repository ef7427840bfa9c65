//! Constructs polygons: convex, concave and with holes.
//!
//! Input: an outline and holes. Output: a convex shape if the outline is convex, else a composite: the edges of the
//! boundary, and exact convex parts. The convexity test is in `shape/polygon.rs`, the edges are in `shape/outline.rs`,
//! the decomposition is in `decompose/`.
//!
//! The constructor validates the rings. The parts take longer, so the first query that needs them computes them.
//!
//! A convex outline is recognized first, because one convex shape is faster than any number of
//! parts. No vertex is added by the decomposition, so the parts have no gaps and the union is
//! exactly the polygon.

use alloc::vec::Vec;

use glam::DVec2;

use super::composite;
use crate::decompose::{self, PolygonWithHoles};
use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::math::vector::{cross, in_range, norm1};
use crate::query::outline::simple::is_simple;
use crate::shape::Shape;
use crate::shape::composite_parts::CompositeParts;
use crate::shape::composite_source::{CompositeSource, Concave};
use crate::shape::convex::Convex;
use crate::shape::polygon::Polygon;

/// Larger rings are left to the validation of polygons with holes, which checks their number of points.
const MAX_SIMPLE_POINTS: usize = 1 << 28;

impl Shape {
    /// Creates a polygon from any simple outline, convex or concave, in either winding.
    ///
    /// A convex outline gives one convex shape with any number of vertices. Any other outline is
    /// split into exact convex parts. No vertex is added and no area is lost.
    ///
    /// Repeated and collinear vertices change nothing. The outline may touch itself at single
    /// points. Convexity is decided exactly: a vertex inside the hull by one ulp makes the outline concave.
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
        let ring = match Self::simple_polygon(P::into_points(points).into_owned()) {
            Ok(shape) => return Ok(shape),
            Err(ring) => ring,
        };
        match Polygon::convex(ring)? {
            Ok(polygon) => Ok(Convex::polygon(polygon, 0.0).into()),
            Err(_) => Self::from_rings(points, &[]),
        }
    }

    /// Creates the [`polygon`](Shape::polygon) of a convex outline; returns an error for a concave
    /// one.
    ///
    /// A vertex inside the hull by at most 4 ulp of the largest coordinate counts as collinear. The shape is the hull.
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
        match Polygon::nearly_convex(P::into_points(points).into_owned())? {
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
        Self::from_rings(outer, holes)
    }

    /// Creates the polygon of an outline that is already split into parts.
    ///
    /// # Errors
    /// None for an outline that [`PolygonWithHoles::new`] returned.
    pub fn from_outline(outline: &PolygonWithHoles) -> Result<Self, Error> {
        if outline.rings().len() == 1
            && let Ok(polygon) = Polygon::convex(outline.points().to_vec())?
        {
            return Ok(Convex::polygon(polygon, 0.0).into());
        }
        Ok(Self::from_parts(outline))
    }

    /// Creates the polygon of a ring that is certainly concave and simple. Returns other rings as they are.
    ///
    /// This decides most rings of real data. For others, the hull and the sweep decide.
    fn simple_polygon(ring: Vec<DVec2>) -> Result<Self, Vec<DVec2>> {
        let is_valid =
            ring.len() < MAX_SIMPLE_POINTS && ring.iter().copied().all(in_range) && is_certainly_concave(&ring);
        if !is_valid {
            return Err(ring);
        }
        let source = Concave { rings: core::iter::once(0..ring.len()).collect(), points: ring };
        match source.outline(false) {
            Some(outline) if is_simple(&outline) => {
                Ok(composite(CompositeSource::Concave(source), 0.0, Some(outline), None))
            }
            _ => Err(source.points),
        }
    }

    /// Creates the composite of an outline's convex parts.
    fn from_parts(outline: &PolygonWithHoles) -> Self {
        let source = Concave { points: outline.points().to_vec(), rings: outline.rings().collect() };
        let edges = source.outline(outline.has_touching_rings());
        composite(CompositeSource::Concave(source), 0.0, edges, Some(CompositeParts::of_polygon(outline)))
    }

    /// Creates the composite of rings that bound a polygon. Its convex parts are computed when they are needed.
    fn from_rings<P: IntoPoint>(outer: &[P], holes: &[Vec<P>]) -> Result<Self, Error> {
        let rings = core::iter::once(outer).chain(holes.iter().map(Vec::as_slice));
        let (points, ends) = decompose::polygon::concatenated(rings);
        let touches_itself = decompose::polygon::validate(&points, &ends)?;
        let source = Concave { points, rings: decompose::polygon::ranges(&ends).collect() };
        let edges = source.outline(touches_itself);
        Ok(composite(CompositeSource::Concave(source), 0.0, edges, None))
    }
}

/// Returns true if a ring has left turns and right turns that no convex polygon can have. Vertices
/// of a convex polygon may lie inside its hull by a few ulp.
///
/// If each vertex moves by d, the cross product of two consecutive edges changes by at most about 4 d times their
/// lengths. Here d is 4 ulp of the largest coordinate, and the bound is a million times larger.
fn is_certainly_concave(ring: &[DVec2]) -> bool {
    let largest = ring.iter().fold(0.0, |largest: f64, p| largest.max(p.x.abs()).max(p.y.abs()));
    let (mut turns_left, mut turns_right) = (false, false);
    let [.., before, last] = *ring else { return false };
    let (mut q, mut u) = (last, last - before);
    for &r in ring {
        let v = r - q;
        let (turn, bound) = (cross(u, v), 1e-9 * largest * (norm1(u) + norm1(v)) + 1e-300);
        turns_left |= turn > bound;
        turns_right |= turn < -bound;
        if turns_left && turns_right {
            return true;
        }
        (q, u) = (r, v);
    }
    false
}
