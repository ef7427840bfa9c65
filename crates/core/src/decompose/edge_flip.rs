//! Flips diagonals of a triangulation so that a convex partition needs fewer of them.
//!
//! Input: a triangle mesh, and the reflex vertices. Output: the same mesh with other diagonals. The
//! triangulation of a plane sweep has fans of long thin triangles. Their diagonals end at vertices
//! that are not reflex, so a partition that keeps a subset of them has more parts than necessary.
//! Delaunay flips would prefer round triangles; here diagonals between reflex vertices are
//! preferred.

use core::cmp::Ordering;

use glam::DVec2;

use super::half_edge::{HalfEdge, Mesh};
use crate::math::both::both;
use crate::math::predicates::orientation;
use crate::math::vector::{magnification, vector_times_power_of_two};

/// Flips each diagonal of a triangulation at most once, if the other diagonal of its quadrilateral
/// is better. A better one has more reflex ends, or as many and is shorter.
///
/// A convex partition needs diagonals at reflex vertices only, so one with two reflex ends can
/// serve both. Short diagonals obstruct fewer others. Flipping until nothing changes takes twice as
/// long and gives no fewer parts.
pub(super) fn flip_diagonals(mesh: &mut Mesh, points: &[DVec2], reflex: &[bool]) {
    for &side in mesh.diagonals.iter().rev() {
        let HalfEdge { vertex: a, twin, prev, .. } = mesh.sides[side as usize];
        let HalfEdge { vertex: b, prev: twin_prev, .. } = mesh.sides[twin as usize];
        let (c, d) = (mesh.sides[prev as usize].vertex, mesh.sides[twin_prev as usize].vertex);
        let ends = |v: u32, w: u32| u32::from(reflex[v as usize]) + u32::from(reflex[w as usize]);
        let (now, then) = (ends(a, b), ends(c, d));
        let at = |v: u32| points[v as usize];
        let (p, q, r, s) = (at(a), at(b), at(c), at(d));
        let shorter = is_shorter(s - r, q - p);
        // One unpredictable branch instead of three.
        if (then > now) | (then == now) & shorter
            && (orientation(s, q, r) == Ordering::Greater) & (orientation(r, p, s) == Ordering::Greater)
        {
            flip(&mut mesh.sides, side, twin);
        }
    }
}

/// Returns true if the first vector is shorter than the second one.
fn is_shorter(u: DVec2, v: DVec2) -> bool {
    let power = magnification(u.abs().max(v.abs()).max_element());
    let [u, v] = both([u, v], |w| vector_times_power_of_two(w, power));
    u.length_squared() < v.length_squared()
}

/// Replaces the diagonal of a convex quadrilateral by the other one.
fn flip(sides: &mut [HalfEdge], side: u32, twin: u32) {
    let HalfEdge { next: bc, prev: ca, .. } = sides[side as usize];
    let HalfEdge { next: ad, prev: db, .. } = sides[twin as usize];
    sides[side as usize].vertex = sides[db as usize].vertex;
    sides[twin as usize].vertex = sides[ca as usize].vertex;
    for [first, second, third] in [[side, ca, ad], [twin, db, bc]] {
        (sides[first as usize].next, sides[first as usize].prev) = (second, third);
        (sides[second as usize].next, sides[second as usize].prev) = (third, first);
        (sides[third as usize].next, sides[third as usize].prev) = (first, second);
    }
}
