//! Compares directions in which outlines leave a point, and decides whether sectors cover its
//! neighborhood.
//!
//! Input: sectors of the outlines through a point. Output: a truth value, or undecided if the field
//! is not exact enough. A convex outline through a point fills a sector of at most half a turn,
//! from its outgoing to its incoming direction.
//!
//! ```text
//! sectors cover the neighborhood if the last direction of each lies in another sector before that sector's end
//! ```
//!
//! Directions alone do not suffice: an arc and its tangent leave a point in the same direction,
//! with a gap between them. So equal directions are ordered by curvature.

use core::cmp::Ordering::{self, Equal, Greater, Less};

use super::curve_intersection::{Vector, cross, dot};
use crate::math::sqrt_extension::Field;

/// The start of a curve at a point.
pub(in crate::query) struct CurveDirection {
    /// Direction of any length.
    pub(in crate::query) direction: Vector,
    /// Radius of the arc: positive if it bends to the left, negative to the right, zero if it is
    /// straight.
    pub(in crate::query) bend: f64,
}

/// A sector from one direction counter-clockwise to another, at most half a turn.
pub(in crate::query) struct Sector {
    /// The direction in which the outline leaves the point.
    pub(in crate::query) first: CurveDirection,
    /// The direction from which the outline arrives.
    pub(in crate::query) last: CurveDirection,
}

impl CurveDirection {
    /// Returns the start of a straight curve.
    pub(in crate::query) fn straight(direction: Vector) -> Self {
        Self { direction, bend: 0.0 }
    }

    /// Returns the sixth of a turn (0 to 5), counted counter-clockwise from this direction, that
    /// contains another direction.
    fn turn(&self, f: &Field, other: &Self) -> Option<u8> {
        Some(match f.sign(&cross(f, &self.direction, &other.direction))? {
            Greater => 2,
            Less => 4,
            Equal if f.sign(&dot(f, &self.direction, &other.direction))? == Less => 3,
            Equal => match compare_bends(self.bend, other.bend) {
                Equal => 0,
                Less => 1,
                Greater => 5,
            },
        })
    }

    /// Orders two directions counter-clockwise from this one.
    fn compare(&self, f: &Field, p: &Self, q: &Self) -> Option<Ordering> {
        let (of_p, of_q) = (self.turn(f, p)?, self.turn(f, q)?);
        if of_p != of_q || of_p == 0 {
            return Some(of_p.cmp(&of_q));
        }
        // Both are in the same half turn.
        let side = f.sign(&cross(f, &q.direction, &p.direction))?;
        Some(side.then(compare_bends(p.bend, q.bend)))
    }

    /// Returns true if both curves start in the same direction with the same curvature.
    pub(in crate::query) fn equals(&self, f: &Field, other: &Self) -> Option<bool> {
        Some(self.turn(f, other)? == 0)
    }

    /// Returns true if a sector begins at this direction or contains it before its end.
    fn is_followed_by(&self, f: &Field, sector: &Sector) -> Option<bool> {
        Some(sector.first.compare(f, self, &sector.last)? == Less)
    }

    /// Returns true if the direction is in a sector, both ends included.
    pub(in crate::query) fn is_in(&self, f: &Field, sector: &Sector) -> Option<bool> {
        Some(sector.first.compare(f, self, &sector.last)? != Greater)
    }
}

/// Orders two curvatures from left to right.
fn compare_bends(p: f64, q: f64) -> Ordering {
    // A small circle has a larger curvature than a large one.
    let key = |bend: f64| (bend.partial_cmp(&0.0), -bend);
    key(p).partial_cmp(&key(q)).unwrap_or(Equal)
}

/// Returns true if sectors together contain another one, or the whole neighborhood of the point.
pub(in crate::query) fn sectors_cover(f: &Field, sectors: &[Sector], own: Option<&Sector>) -> Option<bool> {
    let continues = |direction: &CurveDirection| any(sectors.iter().map(|sector| direction.is_followed_by(f, sector)));
    if sectors.is_empty() || (own.is_some() && !continues(&own?.first)?) {
        return Some(false);
    }
    for Sector { last, .. } in sectors {
        let matters = match own {
            Some(own) => last.is_followed_by(f, own)?,
            None => true,
        };
        if matters && !continues(last)? {
            return Some(false);
        }
    }
    Some(true)
}

/// Returns true if any value is true. `None` if this is uncertain.
pub(in crate::query) fn any(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    for answer in answers {
        if answer? {
            return Some(true);
        }
    }
    Some(false)
}
