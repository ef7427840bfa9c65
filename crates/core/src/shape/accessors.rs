//! Returns the data that a shape was created from, and its parts.
//!
//! The accessors read the representation and copy nothing, except [`Shape::parts`], which returns
//! each part as a shape of its own. Kind, points, rings, children and pixels are those of the
//! input.

use alloc::sync::Arc;

use glam::DVec2;

use super::composite::Composite;
use super::composite_source::{CompositeSource, Concave};
use super::{Form, Shape, ShapeKind};
use crate::math::mask::Mask;
use crate::math::pose::Pose;

impl Shape {
    /// Returns the kind of the shape. A capsule of radius 0 is a segment; a segment with equal ends
    /// is a circle.
    #[must_use]
    pub fn kind(&self) -> ShapeKind {
        match &self.0 {
            Form::Convex(convex) => convex.kind(),
            Form::Composite(composite) => match &composite.source {
                CompositeSource::Concave(_) => ShapeKind::Polygon,
                CompositeSource::Chain(_) => ShapeKind::Chain,
                CompositeSource::Compound(_) => ShapeKind::Compound,
                CompositeSource::Mask(_) => ShapeKind::Mask,
            },
        }
    }

    /// Returns the distance by which the points, or the hulls of all parts, are grown outward.
    ///
    /// The children of a compound have their own radii in addition.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f64 {
        match &self.0 {
            Form::Convex(convex) => convex.radius,
            Form::Composite(composite) => composite.radius,
        }
    }

    /// Returns the points of the input, in the shape's own frame.
    ///
    /// The vertices of a rectangle are counter-clockwise from the lower left. For a polygon with
    /// holes, the outer ring comes first. Compounds and masks return none: see
    /// [`children`](Shape::children) and [`pixels`](Shape::pixels).
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[DVec2] {
        match &self.0 {
            Form::Convex(convex) => convex.points(),
            Form::Composite(composite) => match &composite.source {
                CompositeSource::Concave(concave) => &concave.points,
                CompositeSource::Chain(chain) => &chain.points,
                CompositeSource::Compound(_) | CompositeSource::Mask(_) => &[],
            },
        }
    }

    /// Returns the rings of a polygon as they were given, the outer ring first. Other shapes have
    /// none.
    ///
    /// A convex polygon and a rectangle return their outline.
    ///
    /// ```
    /// # use carom::Shape;
    /// let l = Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]])?;
    /// assert_eq!(l.rings().map(<[_]>::len).collect::<Vec<_>>(), [6]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn rings(&self) -> impl Iterator<Item = &[DVec2]> {
        let (concave, convex) = match self.source() {
            Some(CompositeSource::Concave(concave)) => (Some(concave), None),
            Some(_) => (None, None),
            None => (None, (self.points().len() > 2).then(|| self.points())),
        };
        concave.into_iter().flat_map(Concave::rings).chain(convex)
    }

    /// Returns the mask of a shape, the position of its pixel (0, 0) and the size of a pixel;
    /// `None` for other shapes.
    ///
    /// If the shape was mirrored, so is the mask. The position is that of the lowest corner, in the
    /// shape's own frame.
    #[must_use]
    pub fn pixels(&self) -> Option<(&Mask, DVec2, DVec2)> {
        let Some(CompositeSource::Mask(pixels)) = self.source() else { return None };
        let origin = DVec2::new(pixels.origin[0] as f64, pixels.origin[1] as f64);
        Some((&pixels.mask, origin * pixels.scale, pixels.scale))
    }

    /// Returns true for a chain whose last point is connected to its first.
    #[must_use]
    pub fn is_closed_chain(&self) -> bool {
        self.source().is_some_and(|source| matches!(source, CompositeSource::Chain(chain) if chain.closed))
    }

    /// Returns true for a chain with a front and a back.
    #[must_use]
    pub fn is_one_sided(&self) -> bool {
        self.source().is_some_and(|source| matches!(source, CompositeSource::Chain(chain) if chain.one_sided))
    }

    /// Returns the shapes that a compound was created from, with their poses in it. Other shapes
    /// return none.
    #[must_use]
    pub fn children(&self) -> &[(Self, Pose)] {
        match self.source() {
            Some(CompositeSource::Compound(compound)) => &compound.children,
            _ => &[],
        }
    }

    /// Returns the number of convex parts; 1 for a convex shape.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.as_composite().map_or(1, |composite| composite.part_count())
    }

    /// Returns the convex parts as shapes, with their poses in this shape. Query results identify a
    /// part by its index in this list.
    ///
    /// ```
    /// # use carom::{Pose, Shape};
    /// let fence = Shape::closed_chain(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]])?;
    /// assert_eq!(fence.parts().map(|(part, _)| part.points().len()).collect::<Vec<_>>(), [2, 2, 2]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn parts(&self) -> impl ExactSizeIterator<Item = (Self, Pose)> {
        self.placed(Pose::IDENTITY).parts().map(|part| (part.convex.clone().into(), part.pose))
    }

    /// Returns the child of a compound that a part belongs to, and the index of the part in that
    /// child.
    ///
    /// Returns `None` if there is no such part, or if the shape is not a compound.
    #[must_use]
    pub fn child_of(&self, part: u32) -> Option<(usize, u32)> {
        let composite = self.as_composite()?;
        if part as usize >= composite.part_count() {
            return None;
        }
        let first_parts = &composite.parts().first_parts;
        let child = first_parts.partition_point(|&first| first <= part).checked_sub(1)?;
        Some((child, part - first_parts[child]))
    }

    pub(crate) fn as_composite(&self) -> Option<&Arc<Composite>> {
        match &self.0 {
            Form::Convex(_) => None,
            Form::Composite(composite) => Some(composite),
        }
    }

    fn source(&self) -> Option<&CompositeSource> {
        self.as_composite().map(|composite| &composite.source)
    }
}
