//! The one family of convex shapes: points, and a radius that grows their hull.

use alloc::sync::Arc;

use glam::DVec2;

use super::ShapeKind;
use super::polygon::Polygon;
use crate::math::integer::power_of_two;
use crate::math::vector::{length, rescaled, unit};

/// Points plus a radius.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Convex {
    points: Points,
    /// How far the hull of the points is grown outward.
    pub(crate) radius: f64,
    /// No point is farther from the origin than this.
    pub(crate) reach: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum Points {
    One(DVec2),
    Two { ends: [DVec2; 2], normals: [DVec2; 2] },
    Four([DVec2; 4]),
    Many(Arc<Polygon>),
}

/// The normals of a rectangle's edges, from the lower one counter-clockwise.
const RECTANGLE_NORMALS: [DVec2; 4] = [DVec2::NEG_Y, DVec2::X, DVec2::Y, DVec2::NEG_X];

/// The corners of a convex shape, counter-clockwise, and the unit outward normal of the edge that begins at each.
///
/// A point has no edges; a segment has two, one for each side.
#[derive(Clone, Copy)]
pub(crate) struct Ring<'a> {
    pub(crate) corners: &'a [DVec2],
    pub(crate) normals: &'a [DVec2],
}

impl Ring<'_> {
    /// The corner after `i`.
    #[inline(always)]
    pub(crate) fn next(&self, i: usize) -> usize {
        if i + 1 == self.corners.len() { 0 } else { i + 1 }
    }

    /// The corner before `i`.
    #[inline(always)]
    pub(crate) fn previous(&self, i: usize) -> usize {
        if i == 0 { self.corners.len() - 1 } else { i - 1 }
    }
}

impl Convex {
    pub(super) fn point(p: DVec2, radius: f64) -> Self {
        Self { points: Points::One(p), radius, reach: reach(&[p]) }
    }

    pub(super) fn segment(a: DVec2, b: DVec2, radius: f64) -> Self {
        match unit(DVec2::new(b.y - a.y, a.x - b.x)) {
            Some(normal) => Self { points: Points::Two { ends: [a, b], normals: [normal, -normal] }, radius, reach: reach(&[a, b]) },
            None => Self::point(a, radius),
        }
    }

    pub(super) fn rectangle(half: DVec2, radius: f64) -> Self {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|s| half * DVec2::from(s));
        Self { points: Points::Four(corners), radius, reach: reach(&corners) }
    }

    pub(super) fn polygon(polygon: Arc<Polygon>, radius: f64) -> Self {
        let reach = reach(&polygon.corners);
        Self { points: Points::Many(polygon), radius, reach }
    }

    pub(super) fn kind(&self) -> ShapeKind {
        match self.points {
            Points::One(_) => ShapeKind::Circle,
            Points::Two { .. } if self.radius > 0.0 => ShapeKind::Capsule,
            Points::Two { .. } => ShapeKind::Segment,
            Points::Four(_) => ShapeKind::Rectangle,
            Points::Many(_) => ShapeKind::Polygon,
        }
    }

    /// All points as given.
    #[inline(always)]
    pub(crate) fn points(&self) -> &[DVec2] {
        match &self.points {
            Points::One(p) => core::slice::from_ref(p),
            Points::Two { ends, .. } => ends,
            Points::Four(corners) => corners,
            Points::Many(polygon) => &polygon.points,
        }
    }

    /// The corners and normals.
    #[inline(always)]
    pub(crate) fn ring(&self) -> Ring<'_> {
        match &self.points {
            Points::One(p) => Ring { corners: core::slice::from_ref(p), normals: &[] },
            Points::Two { ends, normals } => Ring { corners: ends, normals },
            Points::Four(corners) => Ring { corners, normals: &RECTANGLE_NORMALS },
            Points::Many(polygon) => Ring { corners: &polygon.corners, normals: &polygon.normals },
        }
    }

    /// The number that the input gave to a corner.
    #[inline]
    pub(crate) fn vertex_id(&self, corner: usize) -> u32 {
        match &self.points {
            Points::Many(polygon) => polygon.vertex_ids[corner],
            _ => corner as u32,
        }
    }

    /// The number that the input gave to the edge that begins at a corner.
    #[inline]
    pub(crate) fn edge_id(&self, corner: usize) -> u32 {
        match &self.points {
            Points::Many(polygon) => polygon.edge_ids[corner],
            _ => corner as u32,
        }
    }
}

/// No less than the largest distance of a point from the origin, and hardly more.
fn reach(points: &[DVec2]) -> f64 {
    let distance = |&p: &DVec2| {
        let (scaled, power) = rescaled(p);
        length(scaled) * power_of_two(-power)
    };
    points.iter().map(distance).fold(0.0, f64::max) * (1.0 + 4.0 * f64::EPSILON)
}
