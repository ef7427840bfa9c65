//! Decides predicates of two geometries, and measures distances and depths.
//!
//! Input: two geometries, not decoded. Output: a truth value or a number, exact as those of the library, or the reason
//! why a geometry is not valid.
//!
//! ```text
//! decide(predicate, a, b):
//!     both are small rings, certainly simple: their relation decides, if floating point suffices
//!     else: outlines of both, from the cache or decoded; boxes decide most, the library all others
//! ```
//!
//! Both sides keep the ring or the outline of their last geometry, because the rows of a join repeat it.

mod cache;

use std::sync::Arc;

use carom::query::within_distance;
use carom::{collide, contains, distance, intersects, overlaps};

use crate::outline::{Geometry, Outline, OutlineError, Relation, Relations, Ring};

/// A condition on two outlines.
///
/// ```
/// use carom_functions::Predicate;
///
/// assert_eq!(Predicate::Within(2.0).margin(), 2.0);
/// assert_eq!(Predicate::Contains.margin(), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Predicate {
    /// They share a point. Touching counts.
    Intersects,
    /// They share more than boundary points.
    Overlaps,
    /// The second one lies in the first one, boundary included.
    Contains,
    /// Their distance is at most this.
    Within(f64),
}

impl Predicate {
    /// Returns the distance by which the box of the first outline grows, so that the boxes of each pair intersect.
    #[must_use]
    pub fn margin(self) -> f64 {
        if let Self::Within(distance) = self { distance } else { 0.0 }
    }

    /// Returns the truth value that follows from a relation of rings; `None` if their distance decides.
    fn of_relation(self, relation: Relation) -> Option<bool> {
        match self {
            Self::Intersects | Self::Overlaps => Some(relation != Relation::Apart),
            Self::Contains => Some(relation == Relation::SecondInFirst),
            Self::Within(limit) => (relation != Relation::Apart).then_some(0.0 <= limit),
        }
    }

    /// Returns the truth value for two outlines. Boxes decide most pairs.
    fn of_outlines(self, a: &Outline, b: &Outline) -> bool {
        let (bounds_a, bounds_b) = (a.bounds(), b.bounds());
        match self {
            Self::Intersects => bounds_a.intersects(&bounds_b) && intersects(a.placed(), b.placed()),
            Self::Overlaps => bounds_a.intersects(&bounds_b) && overlaps(a.placed(), b.placed()),
            Self::Contains => bounds_a.contains(&bounds_b) && contains(a.placed(), b.placed()),
            Self::Within(limit) => {
                bounds_a.grown(limit).intersects(&bounds_b) && within_distance(a.placed(), b.placed(), limit)
            }
        }
    }
}

/// A number that two outlines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The penetration depth.
    Depth,
    /// The distance; 0 if they intersect.
    Distance,
}

/// Two geometries, with the rings and outlines of the last ones.
#[derive(Debug, Default)]
pub(crate) struct Pair {
    sides: [Side; 2],
    relations: Relations,
}

impl Pair {
    /// Returns the truth value of a predicate.
    pub(crate) fn decide(&mut self, predicate: Predicate, a: Geometry, b: Geometry) -> Result<bool, OutlineError> {
        self.decide_checked(predicate, (a, None), (b, None))
    }

    /// Returns the truth value of a predicate. `Some` says whether a geometry is a small ring, certainly simple.
    pub(crate) fn decide_checked(
        &mut self,
        predicate: Predicate,
        (a, a_is_simple): (Geometry, Option<bool>),
        (b, b_is_simple): (Geometry, Option<bool>),
    ) -> Result<bool, OutlineError> {
        let [first, second] = &mut self.sides;
        // Both are loaded, because an invalid one is an error in any case.
        if first.load(a, a_is_simple) & second.load(b, b_is_simple) {
            let relation = self.relations.of(&first.ring, &second.ring);
            if let Some(truth) = relation.and_then(|relation| predicate.of_relation(relation)) {
                return Ok(truth);
            }
        }
        Ok(predicate.of_outlines(&*first.outline(a)?, &*second.outline(b)?))
    }

    /// Returns the number; `None` for the depth of two outlines that do not intersect.
    pub(crate) fn measure(&mut self, measure: Measure, a: Geometry, b: Geometry) -> Result<Option<f64>, OutlineError> {
        let [first, second] = &mut self.sides;
        // A measure needs the outlines in any case, so the rings are not read.
        first.load(a, Some(false));
        second.load(b, Some(false));
        let (a, b) = (first.outline(a)?, second.outline(b)?);
        Ok(match measure {
            Measure::Depth => collide(a.placed(), b.placed()).map(|contact| contact.depth),
            Measure::Distance => Some(distance(a.placed(), b.placed()).distance),
        })
    }
}

/// The last geometry of one side.
#[derive(Debug, Default)]
struct Side {
    /// Address and length of its bytes.
    at: Option<(usize, usize)>,
    ring: Ring,
    /// True if `ring` is the geometry, and certainly simple.
    is_ring: bool,
    outline: Option<Arc<Outline>>,
}

impl Side {
    /// Makes a geometry the last one. Returns true if it is a small ring, certainly simple.
    ///
    /// The caller keeps the bytes of both columns alive, so equal addresses are equal bytes.
    fn load(&mut self, geometry: Geometry, is_simple: Option<bool>) -> bool {
        let bytes = geometry.bytes();
        let at = Some((bytes.as_ptr().addr(), bytes.len()));
        if self.at != at {
            self.is_ring = match is_simple {
                None => geometry.read_simple(&mut self.ring),
                Some(is_simple) => is_simple && geometry.read(&mut self.ring),
            };
            (self.at, self.outline) = (at, None);
        }
        self.is_ring
    }

    /// Returns the outline of the last geometry.
    fn outline(&mut self, geometry: Geometry) -> Result<Arc<Outline>, OutlineError> {
        if let Some(outline) = &self.outline {
            return Ok(Arc::clone(outline));
        }
        let outline = cache::outline(geometry)?;
        self.outline = Some(Arc::clone(&outline));
        Ok(outline)
    }
}
