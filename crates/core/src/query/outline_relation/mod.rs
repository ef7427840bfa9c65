//! Classifies two areas with straight edges as maps do: touching at points or along a border,
//! overlapping, containing, equal.
//!
//! Input: two prepared outlines. Output: the relation, the length of the common border, the area of
//! the intersection. The relations are those of DE-9IM, the dimensionally extended
//! nine-intersection model. Source: Clementini, Di Felice and van Oosterom, *A small set of formal
//! topological relationships suitable for end-user interaction*, 1993.
//!
//! ```text
//! apart                                    → disjoint
//! touching, and two edges share a segment  → touches along a border   (border.rs)
//! touching                                 → touches at points
//! overlapping, each contains the other     → equals
//! overlapping, one contains the other      → contains or within
//! overlapping                              → overlaps
//! ```
//!
//! The exact predicates of this crate decide each line. Two edges share a segment if they are collinear, and
//! the ends of the segment are input points. So only the sums of lengths and areas are rounded.

mod area;
mod border;
mod edges;

use alloc::string::ToString;
use alloc::vec::Vec;

use glam::DVec2;

use super::{contains, relation};
use crate::error::{Error, ErrorKind};
use crate::math::aabb::Aabb;
use crate::math::vector::MIN_SUBNORMAL;
use crate::pair_result::Relation;
use crate::shape::{Placed, ShapeKind};

/// Relation of two areas `a` and `b`, by DE-9IM.
///
/// Exactly one of them holds for each pair.
///
/// ```
/// use carom::query::{OutlineRelation, outline_relation};
/// use carom::Shape;
///
/// let square = Shape::rectangle(2.0, 2.0)?;
/// let at = |x, y| square.at([x, y]);
/// let first = at(0.0, 0.0)?;
/// assert_eq!(outline_relation(first, at(2.0, 2.0)?)?, OutlineRelation::TouchesAtPoints);
/// assert_eq!(outline_relation(first, at(2.0, 1.0)?)?, OutlineRelation::TouchesAlongBorder);
/// assert_eq!(outline_relation(first, at(1.0, 1.0)?)?, OutlineRelation::Overlaps);
/// assert_eq!(outline_relation(first, at(0.0, 0.0)?)?, OutlineRelation::Equals);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutlineRelation {
    /// The areas share no point.
    Disjoint,
    /// The areas share only single points, all on both boundaries.
    TouchesAtPoints,
    /// The areas share at least one segment of both boundaries, and no interior point.
    TouchesAlongBorder,
    /// The interiors intersect, and each area has a point outside the other one.
    Overlaps,
    /// `b` lies in `a`, and `a` does not lie in `b`. The boundaries may have common points.
    Contains,
    /// `a` lies in `b`, and `b` does not lie in `a`. The boundaries may have common points.
    Within,
    /// Both areas have the same points.
    Equals,
}

impl OutlineRelation {
    /// Returns the name of the relation in lower case, with `_` between words: `touches_at_points`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Disjoint => "disjoint",
            Self::TouchesAtPoints => "touches_at_points",
            Self::TouchesAlongBorder => "touches_along_border",
            Self::Overlaps => "overlaps",
            Self::Contains => "contains",
            Self::Within => "within",
            Self::Equals => "equals",
        }
    }

    /// Returns the relation of `b` and `a`.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::Contains => Self::Within,
            Self::Within => Self::Contains,
            symmetric => symmetric,
        }
    }

    /// Returns true if the areas touch, at points or along a border: `touches` of DE-9IM.
    #[must_use]
    pub fn touches(self) -> bool {
        matches!(self, Self::TouchesAtPoints | Self::TouchesAlongBorder)
    }
}

/// A placed shape with area and straight edges, prepared for queries with many others.
///
/// The shape is a polygon with or without holes, a rectangle, a mask, or a compound of them, at any pose. Shapes with a
/// radius, and shapes with parts without area (points, segments, chains), are refused.
///
/// A compound is the union of its parts. An inner border of two parts is no boundary, and an area
/// that two parts cover counts once.
///
/// ```
/// use carom::Shape;
/// use carom::query::{OutlineRelation, PreparedOutline};
///
/// let field = Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 3.0], [2.0, 1.0], [0.0, 1.0]])?;
/// let barn = Shape::rectangle(2.0, 2.0)?;
/// let field = PreparedOutline::new(field.at([0.0, 0.0])?)?;
/// let beside = PreparedOutline::new(barn.at([1.0, 2.0])?)?; // in the notch of the field
/// let inside = PreparedOutline::new(barn.at([3.0, 1.5])?)?;
///
/// assert_eq!(field.relation(&beside), OutlineRelation::TouchesAlongBorder);
/// assert_eq!(field.pair(&beside).border_length(), 4.0);
/// assert_eq!(field.relation(&inside), OutlineRelation::Contains);
/// assert_eq!(field.pair(&inside).intersection_area(), 4.0);
/// assert!(PreparedOutline::new(Shape::circle(1.0)?.at([0.0, 0.0])?).is_err());
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparedOutline<'a> {
    placed: Placed<'a>,
    bounds: Aabb,
    /// Edges of the parts that are not inside the shape, as [`edges::of`] returns them.
    edges: Vec<[DVec2; 2]>,
}

impl<'a> PreparedOutline<'a> {
    /// Collects the edges of a placed shape. Takes O(n log n) time for n edges of all parts.
    ///
    /// # Errors
    /// The shape has a radius, or a part without area.
    pub fn new(placed: Placed<'a>) -> Result<Self, Error> {
        let refused = |reason: &str| Err(Error::new(ErrorKind::NotAnArea, reason.to_string()));
        if placed.parts().any(|part| part.convex.radius > 0.0) {
            return refused("the shape has a radius; an outline has straight edges: use a polygon");
        }
        if placed.has_thin_parts() {
            return refused("the shape has a part without area (a point, a segment or a chain): use a polygon");
        }
        Ok(Self { placed, bounds: placed.aabb(), edges: edges::of(placed) })
    }

    /// Returns the placed shape.
    #[must_use]
    pub fn placed(&self) -> Placed<'a> {
        self.placed
    }

    /// Returns the relation of two areas. Exact.
    #[must_use]
    pub fn relation(&self, other: &Self) -> OutlineRelation {
        match self.exact_relation(other) {
            Relation::Apart => OutlineRelation::Disjoint,
            Relation::Touching if border::has_segment(self, other) => OutlineRelation::TouchesAlongBorder,
            Relation::Touching => OutlineRelation::TouchesAtPoints,
            Relation::Overlapping => match (self.contains(other), other.contains(self)) {
                (true, true) => OutlineRelation::Equals,
                (true, false) => OutlineRelation::Contains,
                (false, true) => OutlineRelation::Within,
                (false, false) => OutlineRelation::Overlaps,
            },
        }
    }

    /// Decides the relation of two areas once, for lengths and areas.
    #[must_use]
    pub fn pair<'p>(&'p self, other: &'p Self) -> OutlinePair<'p, 'a> {
        OutlinePair { a: self, b: other, relation: self.relation(other) }
    }

    /// Returns whether the areas are apart, touch or overlap.
    ///
    /// A query for an overlap need not tell apart from touching: that of two masks does not.
    fn exact_relation(&self, other: &Self) -> Relation {
        let of = |enough| relation(self.placed, other.placed, enough);
        match of(Relation::Overlapping) {
            Relation::Apart if of(Relation::Touching) != Relation::Apart => Relation::Touching,
            decided => decided,
        }
    }

    fn contains(&self, other: &Self) -> bool {
        // Without radii both boxes are exact.
        self.bounds.contains(&other.bounds) && contains(self.placed, other.placed)
    }

    /// Returns true if parts of the shape may overlap each other.
    fn may_overlap_itself(&self) -> bool {
        self.placed.shape().kind() == ShapeKind::Compound
    }
}

/// Two prepared outlines with their relation.
///
/// ```
/// use carom::Shape;
/// use carom::query::{OutlineRelation, PreparedOutline};
///
/// let square = Shape::rectangle(2.0, 2.0)?;
/// let first = PreparedOutline::new(square.at([0.0, 0.0])?)?;
/// let beside = PreparedOutline::new(square.at([2.0, 0.5])?)?;
/// let across = PreparedOutline::new(square.at([1.5, 1.0])?)?;
///
/// assert_eq!(first.pair(&beside).border_length(), 1.5);
/// assert_eq!(first.pair(&across).relation(), OutlineRelation::Overlaps);
/// assert_eq!(first.pair(&across).intersection_area(), 0.5);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OutlinePair<'p, 'a> {
    a: &'p PreparedOutline<'a>,
    b: &'p PreparedOutline<'a>,
    relation: OutlineRelation,
}

impl OutlinePair<'_, '_> {
    /// Returns the relation. Exact.
    #[must_use]
    pub fn relation(&self) -> OutlineRelation {
        self.relation
    }

    /// Returns the length of the common border of two areas that only touch; 0 for all other pairs.
    ///
    /// The result is rounded, and above 0 exactly if the relation is [`OutlineRelation::TouchesAlongBorder`].
    #[must_use]
    pub fn border_length(&self) -> f64 {
        if self.relation != OutlineRelation::TouchesAlongBorder {
            return 0.0;
        }
        border::length(self.a, self.b).max(MIN_SUBNORMAL)
    }

    /// Returns the area of the intersection; 0 for areas that only touch.
    ///
    /// The result is rounded, and above 0 exactly if the interiors intersect.
    #[must_use]
    pub fn intersection_area(&self) -> f64 {
        if self.relation.touches() || self.relation == OutlineRelation::Disjoint {
            return 0.0;
        }
        // A corner of the intersection of both boxes.
        let origin = self.a.bounds.min().max(self.b.bounds.min());
        area::of_intersection(self.a.placed, self.b.placed, origin).max(MIN_SUBNORMAL)
    }
}

/// Returns the relation of two areas with straight edges. Exact.
///
/// [`PreparedOutline`] serves for several queries with the same shape, and for lengths and areas.
///
/// ```
/// use carom::Shape;
/// use carom::query::{OutlineRelation, outline_relation};
///
/// let (big, small) = (Shape::rectangle(4.0, 4.0)?, Shape::rectangle(2.0, 2.0)?);
/// let relation = outline_relation(big.at([0.0, 0.0])?, small.at([1.0, 0.0])?)?;
/// assert_eq!((relation, relation.inverse()), (OutlineRelation::Contains, OutlineRelation::Within));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// A shape has a radius, or a part without area.
pub fn outline_relation(a: Placed<'_>, b: Placed<'_>) -> Result<OutlineRelation, Error> {
    Ok(PreparedOutline::new(a)?.relation(&PreparedOutline::new(b)?))
}
