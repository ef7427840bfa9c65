//! What a shape was made from.

use glam::DVec2;

use super::composite_source::{CompositeSource, Concave};
use super::{Form, Shape, ShapeKind};
use crate::math::mask::Mask;
use crate::math::pose::Pose;

impl Shape {
    /// What the shape is called. A capsule of radius 0 is a segment, a segment with equal ends a circle.
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

    /// How far the points, or the hulls of their parts, are grown outward. A compound's children have radii of their own besides.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f64 {
        match &self.0 {
            Form::Convex(convex) => convex.radius,
            Form::Composite(composite) => composite.radius,
        }
    }

    /// The points as they were given, in the shape's own frame (a rectangle's corners counter-clockwise from the lower left).
    /// Of an outline with holes, the outer ring's first. Compounds and masks have none of their own: look at their [`children`](Shape::children) and
    /// [`pixels`](Shape::pixels).
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

    /// The rings of a concave polygon, the outer one first, as they were given; the outline of a convex one; of other shapes none.
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

    /// The pixels of a mask (mirrored if the shape was), where in the shape's own frame their corner (0, 0) lies, and the size of one; `None` for other shapes.
    #[must_use]
    pub fn pixels(&self) -> Option<(&Mask, DVec2, DVec2)> {
        let Some(CompositeSource::Mask(pixels)) = self.source() else { return None };
        let origin = DVec2::new(pixels.origin[0] as f64, pixels.origin[1] as f64);
        Some((&pixels.mask, origin * pixels.scale, pixels.scale))
    }

    /// Is it a chain whose last point is joined to its first?
    #[must_use]
    pub fn is_closed_chain(&self) -> bool {
        self.source().is_some_and(|source| matches!(source, CompositeSource::Chain(chain) if chain.closed))
    }

    /// Is it a chain with a front and a back?
    #[must_use]
    pub fn is_one_sided(&self) -> bool {
        self.source().is_some_and(|source| matches!(source, CompositeSource::Chain(chain) if chain.one_sided))
    }

    /// The shapes that a compound was made from, with their poses in it; of other shapes none.
    #[must_use]
    pub fn children(&self) -> &[(Self, Pose)] {
        match self.source() {
            Some(CompositeSource::Compound(compound)) => &compound.children,
            _ => &[],
        }
    }

    /// How many convex parts it has; convex shapes have one.
    #[must_use]
    pub fn part_count(&self) -> usize {
        match &self.0 {
            Form::Convex(_) => 1,
            Form::Composite(composite) => composite.part_count(),
        }
    }

    /// The convex parts, as shapes, with their poses in this one. Results name them by their place in this list.
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

    /// The child of a compound that a part belongs to, and the part's number in that child; `None` where there is no such part or no children.
    #[must_use]
    pub fn child_of(&self, part: u32) -> Option<(usize, u32)> {
        let Some(CompositeSource::Compound(compound)) = self.source() else { return None };
        if part as usize >= self.part_count() {
            return None;
        }
        let child = compound.first_parts.partition_point(|&first| first <= part) - 1;
        Some((child, part - compound.first_parts[child]))
    }

    fn source(&self) -> Option<&CompositeSource> {
        match &self.0 {
            Form::Convex(_) => None,
            Form::Composite(composite) => Some(&composite.source),
        }
    }
}
