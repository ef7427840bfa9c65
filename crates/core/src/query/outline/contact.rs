//! Finds a common point of two outlines.
//!
//! Input: two placed outlines. Output: a point of both, rounded; `None` if they are apart. The decision is exact.
//!
//! ```text
//! if the first vertex of one polygon, or one of a sample, is in the other: return it
//! for each pair of edges whose boxes intersect: if they share a point: return it
//! ```
//!
//! If no edges meet, each polygon lies in one component of the plane without the other boundary. So one vertex of each
//! suffices. It is tested first, because it takes little time and decides most nested polygons. On maps, most pairs of
//! edges that meet share a vertex, which needs no arithmetic.

use core::cmp::Ordering::Equal;
use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;

use super::edge_pairs::{for_each_block_pair, for_each_edge_pair};
use super::locate::{Location, locate};
use super::{PlacedOutline, side};
use crate::math::predicates::is_in_box_of;
use crate::math::vector::crossing;

/// Returns a common point of two outlines, rounded; `None` if they are apart.
pub(super) fn common_point(a: &PlacedOutline<'_>, b: &PlacedOutline<'_>) -> Option<DVec2> {
    if let Some(vertex) = vertex_inside(a, b) {
        return Some(vertex);
    }
    let mut found = None;
    let search = for_each_block_pair(a, b, &mut |p, q| {
        for_each_edge_pair(p, q, |i, j| {
            found = meeting([p.vertices[i], p.vertices[i + 1]], [q.vertices[j], q.vertices[j + 1]]);
            if found.is_some() { Break(()) } else { Continue(()) }
        })
    });
    if search.is_break() { found } else { None }
}

/// Returns one of the sampled vertices of an outline that lies in the other one.
fn vertex_inside(a: &PlacedOutline<'_>, b: &PlacedOutline<'_>) -> Option<DVec2> {
    let is_in = |outline, &vertex: &DVec2| locate(outline, vertex) != Location::Outside;
    a.sample().find(|vertex| is_in(b, vertex)).or_else(|| b.sample().find(|vertex| is_in(a, vertex)))
}

/// Returns a common point of two edges whose boxes intersect, rounded.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn meeting([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<DVec2> {
    if a == c || a == d {
        return Some(a);
    }
    if b == c || b == d {
        return Some(b);
    }
    let of_ab = [side(a, b, c), side(a, b, d)];
    if of_ab[0] == of_ab[1] && of_ab[0] != Equal {
        return None;
    }
    let of_cd = [side(c, d, a), side(c, d, b)];
    if of_cd[0] == of_cd[1] && of_cd[0] != Equal {
        return None;
    }
    let at_end = [(of_ab[0], [a, b], c), (of_ab[1], [a, b], d), (of_cd[0], [c, d], a), (of_cd[1], [c, d], b)]
        .into_iter()
        .find(|&(side, edge, end)| side == Equal && is_in_box_of(edge, end));
    Some(at_end.map_or_else(|| crossing([a, b], [c, d]), |(_, _, end)| end))
}
