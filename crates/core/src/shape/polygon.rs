//! Convex polygons: which outlines are accepted, and their strict hull.

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use super::ShapeKind;
use crate::decompose::hull::hull_of;
use crate::error::{Error, ErrorKind};
use crate::math::vector::{check_point, unit};

/// The points of a convex polygon as given, and which of them are corners.
pub(super) struct Polygon {
    /// As given: all of them count in the exact set.
    pub(super) points: Vec<DVec2>,
    /// The corners of their hull, counter-clockwise from the lowest x (then y): no repeated and no collinear ones.
    pub(super) hull: Vec<u32>,
    /// Were the points given clockwise?
    pub(super) clockwise: bool,
    /// [`ShapeKind::ConvexPolygon`], or a kind of polygon that has a constructor of its own.
    pub(super) kind: ShapeKind,
}

/// Why an outline is not convex.
pub(super) enum NotConvex {
    /// A vertex that lies inside the hull, and how deep.
    Dent { vertex: usize, point: DVec2, depth: f64 },
    /// The outline visits the corners of its hull out of order: it crosses or touches itself.
    OutOfOrder,
}

impl NotConvex {
    /// Returns the error for an outline that is not convex but otherwise valid.
    #[cold]
    pub(super) fn refuse(&self) -> Error {
        match *self {
            Self::Dent { vertex, point, depth } => {
                let message = format!(
                    "the outline is concave at vertex {vertex} ({:?}, {:?}), which lies {depth:e} inside the convex hull: use `Shape::polygon`",
                    point.x, point.y
                );
                Error::new(ErrorKind::Concave, message).at_vertex(vertex).at_place(point)
            }
            Self::OutOfOrder => {
                let message =
                    "the outline is not convex: it visits the corners of its hull out of order; use `Shape::polygon`";
                Error::new(ErrorKind::Concave, message.into())
            }
        }
    }
}

impl Polygon {
    /// Returns the polygon of a convex outline in either winding, or the reason why the outline is not convex.
    ///
    /// Takes O(n log n). Does not decide whether an outline that is not convex crosses itself.
    pub(super) fn new(points: Vec<DVec2>) -> Result<Result<Self, NotConvex>, Error> {
        let hull = corners(&points)?;
        let Some(clockwise) = winding(&hull) else { return Ok(Err(NotConvex::OutOfOrder)) };
        if let Some(dent) = dent(&points, &hull, clockwise) {
            return Ok(Err(dent));
        }
        Ok(Ok(Self { points, hull, clockwise, kind: ShapeKind::ConvexPolygon }))
    }

    /// A polygon from points that are known to be a scaled or mirrored convex outline, or an ellipse's: rounding may have bent it a little, so
    /// only the hull is asked for.
    pub(super) fn affine_image(points: Vec<DVec2>) -> Result<Self, Error> {
        let hull = corners(&points)?;
        let clockwise = descents(&hull) > 1;
        Ok(Self { points, hull, clockwise, kind: ShapeKind::ConvexPolygon })
    }
}

/// The strict hull, or why there is none.
fn corners(points: &[DVec2]) -> Result<Vec<u32>, Error> {
    for (i, &p) in points.iter().enumerate() {
        check_point(format_args!("vertex {i}"), p).map_err(|e| e.at_vertex(i))?;
    }
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

/// How often an index is followed by a lower one, around the ring: once in an order that goes up once around.
fn descents(hull: &[u32]) -> usize {
    (0..hull.len()).filter(|&i| hull[(i + 1) % hull.len()] < hull[i]).count()
}

/// Returns whether the outline runs clockwise; `None` if it visits the corners of its hull in another order.
fn winding(hull: &[u32]) -> Option<bool> {
    match descents(hull) {
        1 => Some(false),
        n if n == hull.len() - 1 => Some(true),
        _ => None,
    }
}

/// Finds a vertex that lies inside the edge between the corners before and after it by more than 4 ulp of the largest coordinate.
fn dent(points: &[DVec2], hull: &[u32], clockwise: bool) -> Option<NotConvex> {
    let largest = points.iter().fold(0.0, |m: f64, p| m.max(p.x.abs()).max(p.y.abs()));
    let tolerance = 4.0 * (largest.next_up() - largest);
    let n = points.len();
    for k in 0..hull.len() {
        let (mut from, mut to) = (hull[k] as usize, hull[(k + 1) % hull.len()] as usize);
        let normal = {
            let edge = points[to] - points[from];
            unit(DVec2::new(edge.y, -edge.x)).unwrap_or(DVec2::X)
        };
        let corner = points[from];
        if clockwise {
            core::mem::swap(&mut from, &mut to);
        }
        let mut vertex = (from + 1) % n;
        while vertex != to {
            let (point, depth) = (points[vertex], -normal.dot(points[vertex] - corner));
            if depth > tolerance {
                return Some(NotConvex::Dent { vertex, point, depth });
            }
            vertex = (vertex + 1) % n;
        }
    }
    None
}
