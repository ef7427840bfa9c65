//! Decides exactly whether a polygon or compound of polygons contains another one.
//!
//! Input: the outlines of both. Output: a truth value; `None` if the parts must decide.
//!
//! ```text
//! for each polygon q of b
//!     if a vertex of q lies in no polygon of a: false
//!     if no polygon of a contains q:
//!         if two polygons of a near q share more than points: the parts decide
//!         false
//! ```
//!
//! The last step is complete. Suppose that the union of `a` contains q, and that its polygons near q share only points.
//! The interior of q is connected, also without these points. Each polygon of `a` covers a closed part of it, and no
//! two of these meet. So one of them is all of it.

use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;
use smallvec::SmallVec;

use super::edge_pairs::{for_each_block_pair, for_each_edge_pair};
use super::outlines::{Outlines, has_point};
use super::{PlacedOutline, interiors, side};
use crate::math::aabb::Aabb;
use crate::math::predicates::is_opposite;
use crate::pair_result::Relation;

/// The reason why a polygon decides the whole query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// A point of it lies outside.
    Outside,
    /// The parts must decide.
    Undecided,
}

/// Returns true if `a` contains `b`; `None` if the parts must decide.
pub(super) fn contains(a: &Outlines<'_>, b: &Outlines<'_>) -> Option<bool> {
    let (outer, all) = (a.aabb(), b.aabb());
    if !outer.contains(&all) {
        return Some(false);
    }
    let mut is_undecided = false;
    let search = b.for_each_near(&all, &mut |j| {
        let stop = b.with(j, |q| contains_polygon(a, q)).unwrap_or(Err(Stop::Undecided));
        is_undecided |= stop == Err(Stop::Undecided);
        // Another polygon can decide that a point lies outside.
        if stop == Err(Stop::Outside) { Break(()) } else { Continue(()) }
    });
    if search.is_break() { Some(false) } else { (!is_undecided).then_some(true) }
}

/// Returns `Ok` if a polygon lies in the union of `a`.
fn contains_polygon(a: &Outlines<'_>, q: &PlacedOutline<'_>) -> Result<(), Stop> {
    // For a single polygon, the relation below begins with the same test.
    if matches!(a, Outlines::Members(..)) && q.sample().any(|vertex| !has_point(a, vertex)) {
        return Err(Stop::Outside);
    }
    let (bounds, mut near) = (q.aabb(), SmallVec::<[usize; 8]>::new());
    let mut stop = Stop::Outside;
    let search = a.for_each_near(&bounds, &mut |i| {
        near.push(i);
        let is_inside = a.with(i, |p| {
            if p.outline.touches_itself() || q.outline.touches_itself() {
                stop = Stop::Undecided;
                return false;
            }
            p.aabb().contains(&bounds) && interiors::relation(p, q, true) != Relation::Overlapping
        });
        if is_inside == Some(true) { Break(()) } else { Continue(()) }
    });
    if search.is_break() {
        return Ok(());
    }
    let is_shared = near.iter().any(|&i| shares_with_another(a, i, &bounds));
    Err(if is_shared { Stop::Undecided } else { stop })
}

/// Returns true if a polygon of `a` and an earlier one, both near a box, overlap or share a segment.
fn shares_with_another(a: &Outlines<'_>, i: usize, bounds: &Aabb) -> bool {
    let shares = |p: &PlacedOutline<'_>| {
        a.for_each_near(&p.aabb(), &mut |j| {
            let shares =
                |other: &PlacedOutline<'_>| other.aabb().intersects(bounds) && share_more_than_points(p, other);
            if j < i && a.with(j, shares) != Some(false) { Break(()) } else { Continue(()) }
        })
    };
    a.with(i, shares).is_none_or(|search| search.is_break())
}

/// Returns true if two polygons overlap or share a segment of their boundaries.
fn share_more_than_points(p: &PlacedOutline<'_>, q: &PlacedOutline<'_>) -> bool {
    if interiors::relation(p, q, false) == Relation::Overlapping {
        return true;
    }
    let search = for_each_block_pair(p, q, &mut |first, second| {
        for_each_edge_pair(first, second, |i, j| {
            let e = [first.vertices[i], first.vertices[i + 1]];
            let f = [second.vertices[j], second.vertices[j + 1]];
            if share_segment(e, f) { Break(()) } else { Continue(()) }
        })
    });
    search.is_break()
}

/// Returns true if two edges share a segment.
fn share_segment([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let is_on_line = |point| side(a, b, point).is_eq();
    // On one line, they share no segment if both ends of one lie beyond an end of the other.
    let is_beyond = |end, other| [c, d].into_iter().all(|point| point == end || is_opposite(end, other, point));
    is_on_line(c) && is_on_line(d) && !is_beyond(a, b) && !is_beyond(b, a)
}
