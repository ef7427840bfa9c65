//! Decides exactly whether the interiors of two polygons intersect, from their edges.
//!
//! Input: two placed outlines. Output: overlapping if the interiors intersect, touching if only the boundaries do, else
//! apart. `contains` uses the same test: a polygon lies in another if its interior does not intersect the complement of
//! the other. The complement has the same edges in the opposite direction.
//!
//! ```text
//! if the first vertex of one, or one of a sample, lies in the interior of the other: overlapping
//! for each pair of edges whose boxes intersect
//!     if they cross: overlapping
//!     if the start of one lies on the other, or both start at one vertex: a contact
//!         overlapping if an edge of one leads from it into the interior of the other, or
//!         both boundaries continue along it in the same direction
//! for each ring without a contact: overlapping if its first vertex lies in the other interior
//! ```
//!
//! It is complete: suppose that the interiors intersect. Then a piece of one boundary lies in the
//! interior of the other polygon. Or both boundaries have a common piece with the interior on the
//! same side. Follow the piece along its ring. It ends at a crossing or at a contact, where the
//! directions show it, or the whole ring has no contact.
//!
//! The interior at a vertex is the sector to the left of both edges. This does not hold if a polygon touches itself
//! there, so such polygons are not passed to this test. A shared border decides nothing and costs little: most of its
//! contacts are vertices at which each polygon continues where the other one comes from.

use core::cmp::Ordering::{Equal, Greater, Less};
use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;
use smallvec::SmallVec;

use super::edge_pairs::{for_each_block_pair, for_each_edge_pair};
use super::locate::{Location, locate};
use super::{PlacedOutline, side};
use crate::math::predicates::is_in_box_of;
use crate::pair_result::Relation;
use crate::query::union_boundary::sub_segment::same_direction;

/// The path of a boundary through a contact: a point before it, the contact, and a point after it. The interior is on
/// the left.
#[derive(Clone, Copy)]
struct Path {
    before: DVec2,
    at: DVec2,
    after: DVec2,
}

/// Returns the relation of two outlines that do not touch themselves. If `complement` is true, it is the relation of
/// the closed complement of `a`, and of `b`.
pub(super) fn relation(a: &PlacedOutline<'_>, b: &PlacedOutline<'_>, complement: bool) -> Relation {
    let mut has_contact: [SmallVec<[bool; 4]>; 2] =
        [a, b].map(|outline| SmallVec::from_elem(false, outline.outline.ring_ends().len()));
    let path_of_a = |path: Path| {
        if complement { Path { before: path.after, after: path.before, ..path } } else { path }
    };
    let interior_of_a = if complement { Location::Outside } else { Location::Inside };
    // Decides most nested polygons without a search.
    if b.sample().any(|vertex| locate(a, vertex) == interior_of_a)
        || a.sample().any(|vertex| locate(b, vertex) == Location::Inside)
    {
        return Relation::Overlapping;
    }
    let search = for_each_block_pair(a, b, &mut |p, q| {
        let mut is_contact = false;
        let result = for_each_edge_pair(p, q, |i, j| {
            let (e, f) = ([p.vertices[i], p.vertices[i + 1]], [q.vertices[j], q.vertices[j + 1]]);
            if e[0] == f[1] && e[1] == f[0] {
                is_contact = true;
                return Continue(());
            }
            let Some(meeting) = meeting(e, f) else { return Continue(()) };
            is_contact = true;
            let start = |outline: &PlacedOutline<'_>, block, slot, [at, after]: [DVec2; 2]| Path {
                before: outline.vertex_before(block, slot),
                at,
                after,
            };
            let along = |[before, after]: [DVec2; 2], at| Path { before, at, after };
            let meet = |of_a, of_b| interiors_meet(path_of_a(of_a), of_b);
            let is_overlap = match meeting {
                Meeting::Crossing => true,
                Meeting::Starts => meet(start(a, p.index, i, e), start(b, q.index, j, f)),
                Meeting::Inside { start_of_a, start_of_b } => {
                    (start_of_a && meet(start(a, p.index, i, e), along(f, e[0])))
                        || (start_of_b && meet(along(e, f[0]), start(b, q.index, j, f)))
                }
            };
            if is_overlap { Break(()) } else { Continue(()) }
        });
        if is_contact {
            has_contact[0][a.outline.ring_of(p.index)] = true;
            has_contact[1][b.outline.ring_of(q.index)] = true;
        }
        result
    });
    if search.is_break() {
        return Relation::Overlapping;
    }
    let is_free = |of: usize, other: &PlacedOutline<'_>, outline: &PlacedOutline<'_>, within: Location| {
        let mut free = has_contact[of].iter().enumerate().filter(|(_, has_contact)| !**has_contact);
        free.any(|(ring, _)| locate(other, outline.vertex_of(ring)) == within)
    };
    if is_free(0, b, a, Location::Inside) || is_free(1, a, b, interior_of_a) {
        Relation::Overlapping
    } else if has_contact[0].contains(&true) {
        Relation::Touching
    } else {
        Relation::Apart
    }
}

/// The way in which two edges share a point. The end of an edge is a contact of the next edge.
enum Meeting {
    /// They cross.
    Crossing,
    /// Both start at one vertex.
    Starts,
    /// The start of one or both lies inside the other, or neither: then an edge ends at the shared point.
    Inside { start_of_a: bool, start_of_b: bool },
}

/// Returns the way in which two edges meet whose boxes intersect; `None` if they share no point.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn meeting([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<Meeting> {
    if a == c {
        return Some(Meeting::Starts);
    }
    let of_ab = [side(a, b, c), side(a, b, d)];
    if of_ab[0] == of_ab[1] && of_ab[0] != Equal {
        return None;
    }
    let of_cd = [side(c, d, a), side(c, d, b)];
    if of_cd[0] == of_cd[1] && of_cd[0] != Equal {
        return None;
    }
    if [of_ab, of_cd].as_flattened().iter().all(|&side| side != Equal) {
        return Some(Meeting::Crossing);
    }
    let is_inside = |edge: [DVec2; 2], r: DVec2| !edge.contains(&r) && is_in_box_of(edge, r);
    Some(Meeting::Inside {
        start_of_a: of_cd[0] == Equal && is_inside([c, d], a),
        start_of_b: of_ab[0] == Equal && is_inside([a, b], c),
    })
}

/// Returns true if the sectors to the left of two paths through one point have a common interior.
fn interiors_meet(a: Path, b: Path) -> bool {
    if a.after == b.before && a.before == b.after {
        return false;
    }
    [a.before, a.after].into_iter().any(|end| b.has_on_its_left(end))
        || [b.before, b.after].into_iter().any(|end| a.has_on_its_left(end))
        || same_direction(a.at, a.after, b.after)
        || same_direction(a.at, a.before, b.before)
}

impl Path {
    /// Returns true if the direction to a point lies strictly inside the sector to the left of the path.
    fn has_on_its_left(&self, end: DVec2) -> bool {
        let of_after = side(self.at, self.after, end);
        let of_before = side(self.at, self.before, end);
        match side(self.at, self.after, self.before) {
            Greater => of_after == Greater && of_before == Less,
            // The sector is a half-plane: both directions are opposite, because rings have no spikes.
            Equal => of_after == Greater,
            // The sector is larger than a half-plane: all but the closed sector to the right.
            Less => of_before == Less || of_after == Greater,
        }
    }
}
