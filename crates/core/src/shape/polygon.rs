//! Convex polygons: what is accepted as one, and what is worked out once.

use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use crate::decompose::hull::hull_of;
use crate::error::{Error, ErrorKind};
use crate::math::predicates::orientation;
use crate::math::vector::{check_point, length, unit};

/// How many outlines edges a refusal looks at pair by pair to tell a crossing from a dent.
const SEARCHED: usize = 1_000;

/// The points of a convex polygon as given, and which of them are corners.
pub(super) struct Polygon {
    /// As given: all of them count in the exact set.
    pub(super) points: Vec<DVec2>,
    /// The corners of their hull, counter-clockwise from the lowest x (then y): no repeated and no collinear ones.
    pub(super) hull: Vec<u32>,
    /// Were the points given clockwise?
    pub(super) clockwise: bool,
}

impl Polygon {
    /// A polygon from its outline, in either winding.
    pub(super) fn new(points: Vec<DVec2>) -> Result<Self, Error> {
        let hull = corners(&points)?;
        let clockwise = winding(&points, &hull)?;
        check_bends(&points, &hull, clockwise)?;
        Ok(Self { points, hull, clockwise })
    }

    /// A polygon from points that are known to be a scaled or mirrored convex outline, or an ellipse's: rounding may have bent it a little, so
    /// only the hull is asked for.
    pub(super) fn affine_image(points: Vec<DVec2>) -> Result<Self, Error> {
        let hull = corners(&points)?;
        let clockwise = descents(&hull) > 1;
        Ok(Self { points, hull, clockwise })
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
        2 => Err(Error::new(ErrorKind::Collinear, format!("all {} points of the polygon lie on one line: use a segment", points.len()))),
        _ => Ok(hull),
    }
}

/// How often an index is followed by a lower one, around the ring: once in an order that goes up once around.
fn descents(hull: &[u32]) -> usize {
    (0..hull.len()).filter(|&i| hull[(i + 1) % hull.len()] < hull[i]).count()
}

/// Whether the outline runs clockwise; an outline that visits the corners of its hull in another order crosses itself.
fn winding(points: &[DVec2], hull: &[u32]) -> Result<bool, Error> {
    match descents(hull) {
        1 => Ok(false),
        n if n == hull.len() - 1 => Ok(true),
        _ => Err(crossing(points).unwrap_or_else(|| {
            Error::new(
                ErrorKind::SelfCrossing,
                format!("the outline of {} points crosses itself: it visits the corners of its hull out of order", points.len()),
            )
        })),
    }
}

/// Every point between two corners, as given, lies on the edge between them, or inside by at most 4 ulp of the largest coordinate.
fn check_bends(points: &[DVec2], hull: &[u32], clockwise: bool) -> Result<(), Error> {
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
        let mut i = (from + 1) % n;
        while i != to {
            let inside = -normal.dot(points[i] - corner);
            if inside > tolerance {
                return Err(crossing(points).unwrap_or_else(|| concave(i, points[i], inside)));
            }
            i = (i + 1) % n;
        }
    }
    Ok(())
}

fn concave(i: usize, p: DVec2, inside: f64) -> Error {
    let message = format!(
        "the outline is concave at vertex {i} ({:?}, {:?}), which lies {inside:e} inside the convex hull: split it into convex parts",
        p.x, p.y
    );
    Error::new(ErrorKind::Concave, message).at_vertex(i)
}

/// The first two edges that cross properly, for outlines small enough to look at every pair.
fn crossing(points: &[DVec2]) -> Option<Error> {
    let n = points.len();
    if n > SEARCHED {
        return None;
    }
    let edge = |i: usize| (points[i], points[(i + 1) % n]);
    for i in 0..n {
        for j in i + 2..n {
            let ((a, b), (c, d)) = (edge(i), edge(j));
            let apart = |p, q, r, s| {
                let (left, right) = (orientation(p, q, r), orientation(p, q, s));
                left == Ordering::Equal || right == Ordering::Equal || left == right
            };
            if apart(a, b, c, d) || apart(c, d, a, b) {
                continue;
            }
            let at = meeting_point(a, b, c, d);
            let message = format!(
                "the outline crosses itself near ({:?}, {:?}), where the edges from vertex {i} and from vertex {j} meet: reorder or split it",
                at.x, at.y
            );
            return Some(Error::new(ErrorKind::SelfCrossing, message).at_vertex(i));
        }
    }
    None
}

/// Where two crossing segments meet, for a message.
fn meeting_point(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> DVec2 {
    let normal = unit(DVec2::new(d.y - c.y, c.x - d.x)).unwrap_or(DVec2::X);
    let (before, after) = (normal.dot(a - c).abs(), normal.dot(b - c).abs());
    let whole = before + after;
    if whole > 0.0 && length(b - a).is_finite() { a + (b - a) * (before / whole) } else { a }
}
