//! The numbers of many rectangles and convex polygons of up to eight corners, which meet each other as polygons do.

use alloc::vec::Vec;

use super::shape_kind::{Kind, ShapeId};
use super::small_polygon::{FeatureIds, HalfExtents, PolygonSoa8, SmallPolygon};
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::shape::{Form, Shape};

/// All of them, and what is asked first a second time.
#[derive(Clone, Debug, Default)]
pub(super) struct SmallPolygons {
    pub(super) sizes: Vec<HalfExtents>,
    pub(super) all: Vec<SmallPolygon>,
}

impl SmallPolygons {
    /// Takes a shape in, if it is one of them.
    pub(super) fn add(&mut self, shape: &Shape) -> Option<ShapeId> {
        let (kind, outline) = of(shape)?;
        self.push(&outline);
        Some(ShapeId::new(kind, self.all.len() - 1))
    }

    pub(super) fn push(&mut self, outline: &SmallPolygon) {
        self.sizes.push(outline.size);
        self.all.push(*outline);
    }

    /// The box around a placed one, bit for bit that of the shape, unless it has other points than its corners: where these are placed may be rounded out of the hull of the others.
    #[inline(always)]
    pub(super) fn aabb(&self, i: usize, pose: &Pose) -> Option<Aabb> {
        let SmallPolygon { octagon, size, count, bare, .. } = &self.all[i];
        let span = || octagon.span(usize::from(*count), pose);
        bare.then(span).map(|[min, max]| Aabb::spanning(min, max, size.radius))
    }

    /// Another shape instead.
    pub(super) fn set(&mut self, i: usize, outline: &SmallPolygon) {
        (self.sizes[i], self.all[i]) = (outline.size, *outline);
    }
}

/// What is kept of a shape, with its kind, if it is one of them.
pub(super) fn of(shape: &Shape) -> Option<(Kind, SmallPolygon)> {
    let Form::Convex(convex) = &shape.0 else { return None };
    let half = convex.as_rectangle();
    if half.is_none() && convex.as_small_polygon().is_none() {
        return None;
    }
    let size = HalfExtents {
        half: half.map_or([convex.inscribed_radius(); 2], |half| half.to_array()),
        radius: convex.radius,
        reach: convex.bounding_radius,
    };
    let kind = if half.is_some() { Kind::Rectangle } else { Kind::Polygon };
    let (count, bare) = (convex.corner_count(), convex.points().len() == convex.corner_count());
    Some((
        kind,
        SmallPolygon {
            octagon: PolygonSoa8::new(convex),
            names: FeatureIds::new(convex),
            size,
            count: count as u8,
            bare,
        },
    ))
}
