//! Validates convex polygons and computes their strict hull.
//!
//! Input: an outline in either winding. Output: the indices of its hull vertices, or the reason why
//! it is not convex. Takes O(n log n).
//!
//! ```text
//! hull = strict convex hull (monotone chain, `decompose/hull.rs`)
//! if the outline visits the hull vertices in another cyclic order: not convex
//! for each vertex between two hull vertices
//!     if it lies inside their edge (by more than 4 ulp, if these are tolerated): not convex
//! ```
//!
//! A test of the turn at each vertex does not suffice: a pentagram turns left everywhere. Such a
//! test would also refuse polygons whose collinear vertices were rounded to the inside. So in a polygon
//! that the caller calls convex, vertices may lie inside the hull by 4 ulp of the largest coordinate. The
//! polygon is then its hull. An outline of a map must keep such vertices: its hull would overlap the neighbours.

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use super::ShapeKind;
use crate::decompose::hull::hull_of;
use crate::error::{Coordinates, Error, ErrorKind, Number};
use crate::math::predicates::orientation;
use crate::math::vector::{check_points, unit};

/// The points of a convex polygon, and the indices of the hull vertices.
pub(crate) struct Polygon {
    /// All points of the input. Each counts in the exact set.
    pub(crate) points: Vec<DVec2>,
    /// Indices of the hull vertices, counter-clockwise from the lowest x (then y), without repeated
    /// and collinear ones.
    pub(crate) hull: Vec<u32>,
    /// True if the points are clockwise in the input.
    pub(crate) clockwise: bool,
    /// [`ShapeKind::ConvexPolygon`], or a kind of polygon with a constructor of its own.
    pub(crate) kind: ShapeKind,
}

/// The reason why an outline is not convex.
pub(crate) struct NotConvex {
    vertex: usize,
    point: DVec2,
    /// Depth of a vertex inside the hull. `None` if the outline visits the vertices of its hull out of order, first at
    /// `vertex`. Then it is concave, or it crosses or touches itself.
    depth: Option<f64>,
}

impl NotConvex {
    /// Returns the error for an outline that is not convex but otherwise valid.
    #[cold]
    pub(crate) fn to_error(&self) -> Error {
        let Self { vertex, point, depth } = *self;
        let at = Coordinates(point);
        let message = match depth {
            Some(depth) => format!(
                "the outline is concave at vertex {vertex} {at:?}, which lies {:?} inside the convex hull: \
                 use `Shape::polygon`",
                Number(depth)
            ),
            None => format!(
                "the outline is not convex: at vertex {vertex} {at:?} it leaves the order of its convex \
                 hull, so it is concave or crosses itself; use `Shape::polygon` if it is concave"
            ),
        };
        Error::new(ErrorKind::Concave, message).at_vertex(vertex).at_location(point)
    }
}

impl Polygon {
    /// Returns the polygon of an outline in either winding, or the reason why it is not convex.
    /// Vertices may lie inside the hull by at most 4 ulp of the largest coordinate.
    ///
    /// Takes O(n log n). Does not decide whether an outline that is not convex crosses itself.
    pub(crate) fn nearly_convex(points: Vec<DVec2>) -> Result<Result<Self, NotConvex>, Error> {
        let largest = points.iter().fold(0.0, |m: f64, p| m.max(p.x.abs()).max(p.y.abs()));
        Self::without_dents(points, 4.0 * (largest.next_up() - largest))
    }

    /// Returns the polygon of an exactly convex outline in either winding, or the reason why the outline is not convex.
    pub(crate) fn convex(points: Vec<DVec2>) -> Result<Result<Self, NotConvex>, Error> {
        Self::without_dents(points, 0.0)
    }

    fn without_dents(points: Vec<DVec2>, tolerance: f64) -> Result<Result<Self, NotConvex>, Error> {
        let hull = strict_hull(&points)?;
        let Some(clockwise) = winding(&hull) else {
            let vertex = out_of_order(&hull);
            return Ok(Err(NotConvex { vertex, point: points[vertex], depth: None }));
        };
        if let Some(dent) = find_dent(&points, &hull, clockwise, tolerance) {
            return Ok(Err(dent));
        }
        Ok(Ok(Self { points, hull, clockwise, kind: ShapeKind::ConvexPolygon }))
    }

    /// Creates a polygon from a scaled or mirrored convex outline, or from the points of an
    /// ellipse.
    ///
    /// Computes only the hull. Does not check convexity, because rounding may have bent the outline
    /// a little.
    pub(crate) fn affine_image(points: Vec<DVec2>) -> Result<Self, Error> {
        let hull = strict_hull(&points)?;
        let clockwise = descents(&hull) > 1;
        Ok(Self { points, hull, clockwise, kind: ShapeKind::ConvexPolygon })
    }
}

/// Returns the strict hull, or the error that explains why there is none.
fn strict_hull(points: &[DVec2]) -> Result<Vec<u32>, Error> {
    check_points("vertex", points)?;
    if points.len() < 3 {
        let message = format!(
            "a polygon of {} points has no area; it needs at least 3: use a segment for 2, a circle of radius 0 for 1",
            points.len()
        );
        return Err(Error::new(ErrorKind::TooFewPoints, message));
    }
    let hull = hull_of(points);
    match hull.len() {
        1 => Err(Error::new(
            ErrorKind::ZeroSize,
            format!("all {} points of the polygon are the same: use a circle of radius 0 for a point", points.len()),
        )),
        2 => Err(Error::new(
            ErrorKind::Collinear,
            format!("all {} points of the polygon lie on one line: use a segment", points.len()),
        )),
        _ => Ok(hull),
    }
}

/// Counts the indices followed by a lower one, cyclically. An increasing cyclic order has exactly
/// one.
fn descents(hull: &[u32]) -> usize {
    (0..hull.len()).filter(|&i| hull[(i + 1) % hull.len()] < hull[i]).count()
}

/// Returns true if the outline is clockwise; `None` if it visits the vertices of its hull in
/// another order.
fn winding(hull: &[u32]) -> Option<bool> {
    match descents(hull) {
        1 => Some(false),
        n if n == hull.len() - 1 => Some(true),
        _ => None,
    }
}

/// Returns the first hull vertex after which the outline's order changes its direction. The outline
/// does so more than once around the hull.
fn out_of_order(hull: &[u32]) -> usize {
    let mostly_rising = 2 * descents(hull) <= hull.len();
    // One change is part of every order: from the last vertex to the first.
    let last = if mostly_rising { hull.iter().max() } else { hull.iter().min() };
    let turns = |&i: &usize| (hull[i] < hull[(i + 1) % hull.len()]) != mostly_rising && Some(&hull[i]) != last;
    (0..hull.len()).find(turns).map_or(0, |i| hull[i] as usize)
}

/// Finds a vertex that lies inside the hull by more than the tolerance. The tolerance 0 is exact.
///
/// Measures its distance from the hull edge between the hull vertices before and after it.
fn find_dent(points: &[DVec2], hull: &[u32], clockwise: bool, tolerance: f64) -> Option<NotConvex> {
    let n = points.len();
    for k in 0..hull.len() {
        let (mut from, mut to) = (hull[k] as usize, hull[(k + 1) % hull.len()] as usize);
        let normal = {
            let edge = points[to] - points[from];
            unit(DVec2::new(edge.y, -edge.x)).unwrap_or(DVec2::X)
        };
        let (start, end) = (points[from], points[to]);
        if clockwise {
            core::mem::swap(&mut from, &mut to);
        }
        let mut vertex = (from + 1) % n;
        while vertex != to {
            let (point, depth) = (points[vertex], -normal.dot(points[vertex] - start));
            let is_inside = if tolerance == 0.0 { orientation(start, end, point).is_ne() } else { depth > tolerance };
            if is_inside {
                return Some(NotConvex { vertex, point, depth: Some(depth) });
            }
            vertex = (vertex + 1) % n;
        }
    }
    None
}
