//! Reduces a triangulation to a convex partition: removes diagonals that are not needed.
//!
//! Input: a triangle mesh as half-edges. Output: convex parts, at most four times the minimum
//! number. The algorithm is that of S. Hertel and K. Mehlhorn, *Fast triangulation of simple
//! polygons*, 1983, with a local improvement. `optimal_partition.rs` finds the minimum, but is much
//! slower.
//!
//! A diagonal is essential at an end if the angle there would be reflex (more than 180°) without
//! it. The simple version is one pass:
//!
//! ```text
//! for each diagonal:
//!     if it is essential at neither end: remove it (its two parts become one)
//! ```
//!
//! It keeps diagonals that a better choice of ends would save. So a second pass moves the ends of
//! diagonals that are essential at one end only:
//!
//! ```text
//! for each diagonal that is essential at one end v only:
//!     remove it: its two parts become one polygon P with one reflex vertex, v
//!     for each other vertex w of P for which v w makes both angles at v convex:
//!         if a neighbouring diagonal at v or w is no longer essential with v w:
//!             insert v w, remove that neighbour (one part less); stop
//!     if there is no such w: insert the old diagonal again
//! ```

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::convex_parts::ConvexParts;
use super::half_edge::{HalfEdge, Mesh, NONE};
use crate::math::predicates::{compare_xy, orientation};

/// The ends at which the diagonal of a half-edge is essential, after the first pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Essential {
    /// Both ends; also for edges of the outline and removed diagonals.
    Both,
    /// Only the start of the half-edge.
    Begin,
    /// Only the end of the half-edge.
    End,
}

/// A partition of a polygon as a half-edge mesh. Removed half-edges are not part of any ring, but
/// keep their links.
pub(super) struct Partition<'a> {
    points: &'a [DVec2],
    sides: Vec<HalfEdge>,
    /// Per half-edge.
    essential: Vec<Essential>,
    parts: usize,
}

impl<'a> Partition<'a> {
    /// Creates a partition from a triangle mesh and reduces it.
    pub(super) fn new(mesh: Mesh, points: &'a [DVec2]) -> Self {
        let parts = mesh.sides.len() / 3;
        let mut partition =
            Self { points, essential: vec![Essential::Both; mesh.sides.len()], sides: mesh.sides, parts };
        partition.reduce(mesh.diagonals);
        partition
    }

    /// Removes diagonals that are not essential, from right to left. Then moves the other ones,
    /// from left to right.
    fn reduce(&mut self, mut diagonals: Vec<u32>) {
        let mut kept = diagonals.len();
        for i in (0..diagonals.len()).rev() {
            let side = diagonals[i];
            let twin = self.side(side).twin;
            let (here, there) = (self.is_convex_without(side), self.is_convex_without(twin));
            if here & there {
                self.unlink(side);
                self.parts -= 1;
            } else if here | there {
                // Essential at one end only: lists the half-edge that begins there.
                let (first, second) = if here { (twin, side) } else { (side, twin) };
                self.essential[first as usize] = Essential::Begin;
                self.essential[second as usize] = Essential::End;
                kept -= 1;
                diagonals[kept] = first;
            }
        }
        // One round: a second round removes only one part in a thousand.
        for &side in &diagonals[kept..] {
            // Skips diagonals that were removed, or that are essential at both ends by now.
            if self.essential[side as usize] == Essential::Begin && self.is_convex_without(self.side(side).twin) {
                self.move_end(side);
            }
        }
    }

    /// Returns the parts with their vertices renumbered by `name`, in the order of a depth-first
    /// search across the diagonals.
    pub(super) fn collect(mut self, name: impl Fn(u32) -> u32) -> ConvexParts {
        let mut parts = ConvexParts::with_capacity(self.points.len() + 2 * self.parts, self.parts);
        let mut open = Vec::with_capacity(self.parts);
        for edge in 0..self.sides.len() {
            // Runs once, unless parts of the interior are connected at single points only.
            if self.sides[edge].twin != NONE || self.sides[edge].next == NONE {
                continue;
            }
            open.push(edge as u32);
            while let Some(first) = open.pop() {
                if self.side(first).next != NONE {
                    self.collect_part(first, &mut parts, &mut open, &name);
                }
            }
            if parts.len() == self.parts {
                break;
            }
        }
        parts
    }

    fn collect_part(&mut self, first: u32, parts: &mut ConvexParts, open: &mut Vec<u32>, name: impl Fn(u32) -> u32) {
        let mut side = first;
        loop {
            let HalfEdge { vertex, next, twin, .. } = self.side(side);
            parts.push(name(vertex));
            self.sides[side as usize].next = NONE;
            // Branch-free, because it is unpredictable which sides are diagonals.
            open.push(twin);
            open.truncate(open.len() - usize::from((twin == NONE) | (side == first)));
            side = next;
            if side == first {
                break;
            }
        }
        parts.close();
    }

    #[inline(always)]
    fn side(&self, side: u32) -> HalfEdge {
        self.sides[side as usize]
    }

    /// Returns the point at which a half-edge begins.
    #[inline(always)]
    fn at(&self, side: u32) -> DVec2 {
        self.points[self.side(side).vertex as usize]
    }

    /// Returns true if the angle at the start of a diagonal would be convex (at most 180°) without
    /// the diagonal.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn is_convex_without(&self, side: u32) -> bool {
        let HalfEdge { vertex, prev, twin, .. } = self.side(side);
        let beyond = self.side(self.side(twin).next).next;
        orientation(self.at(prev), self.points[vertex as usize], self.at(beyond)) != Ordering::Less
    }

    #[inline(always)]
    fn link(&mut self, side: u32, after: u32) {
        self.sides[side as usize].next = after;
        self.sides[after as usize].prev = side;
    }

    /// Removes a diagonal: joins the parts on both sides.
    #[inline(always)]
    fn unlink(&mut self, side: u32) {
        let HalfEdge { twin, next, prev, .. } = self.side(side);
        let HalfEdge { next: twin_next, prev: twin_prev, .. } = self.side(twin);
        self.link(prev, twin_next);
        self.link(twin_prev, next);
    }

    /// Inserts a diagonal again that was just unlinked. Its half-edges still store their neighbours
    /// (D. E. Knuth, *Dancing links*, 2000).
    #[inline(always)]
    fn relink(&mut self, side: u32) {
        for side in [side, self.side(side).twin] {
            let HalfEdge { next, prev, .. } = self.side(side);
            self.sides[prev as usize].next = side;
            self.sides[next as usize].prev = side;
        }
    }

    /// Inserts an unlinked diagonal into one part, between the vertices at which two half-edges
    /// begin.
    fn insert(&mut self, side: u32, from: u32, to: u32) {
        let twin = self.side(side).twin;
        let (from_side, to_side) = (self.side(from), self.side(to));
        self.link(from_side.prev, side);
        self.link(side, to);
        self.link(to_side.prev, twin);
        self.link(twin, from);
        self.sides[side as usize].vertex = from_side.vertex;
        self.sides[twin as usize].vertex = to_side.vertex;
    }

    /// Tries other ends for a diagonal that is essential at its start only. Without the diagonal,
    /// there is one polygon with one reflex vertex, and this vertex sees all others.
    fn move_end(&mut self, side: u32) {
        let HalfEdge { twin, next: old, .. } = self.side(side);
        let from = self.side(twin).next;
        self.unlink(side);
        let HalfEdge { vertex, next: first, prev: last, .. } = self.side(from);
        let apex = self.points[vertex as usize];
        let (right, left) = (self.at(first), self.at(last));
        // A diagonal can become superfluous only if it is not essential at its other end.
        let begins = |partition: &Self, side: u32| partition.essential[side as usize] == Essential::Begin;
        let ends = |partition: &Self, side: u32| partition.essential[side as usize] == Essential::End;
        let (at_right, at_left) = (begins(self, from), ends(self, last));
        let mut to = self.side(first).next;
        while to != last {
            let HalfEdge { vertex, next, prev, .. } = self.side(to);
            let p = self.points[vertex as usize];
            let (after, before) = (begins(self, to), ends(self, prev));
            let tried = (to != old) & (after | before | at_right | at_left);
            if tried && within_half_turn(apex, right, p) & within_half_turn(apex, p, left) {
                let superfluous =
                    if at_right && self.is_convex_at_start(from, p) && self.is_convex_without(self.side(from).twin) {
                        from
                    } else if at_left && self.is_convex_at_end(last, p) && self.is_convex_without(last) {
                        last
                    } else if after && self.is_convex_at_start(to, apex) && self.is_convex_without(self.side(to).twin) {
                        to
                    } else if before && self.is_convex_at_end(prev, apex) && self.is_convex_without(prev) {
                        prev
                    } else {
                        NONE
                    };
                if superfluous != NONE {
                    self.insert(side, from, to);
                    return self.remove(superfluous);
                }
            }
            to = next;
        }
        self.relink(side);
    }

    /// Removes a diagonal that can still be in the list of diagonals to move, and marks it as
    /// removed.
    fn remove(&mut self, side: u32) {
        self.unlink(side);
        let twin = self.side(side).twin;
        self.essential[side as usize] = Essential::Both;
        self.essential[twin as usize] = Essential::Both;
        self.parts -= 1;
    }

    /// Returns true if the angle at the start of a diagonal is convex without it, after a new
    /// diagonal from there to `end` is inserted.
    fn is_convex_at_start(&self, side: u32, end: DVec2) -> bool {
        let beyond = self.side(self.side(self.side(side).twin).next).next;
        orientation(end, self.at(side), self.at(beyond)) != Ordering::Less
    }

    /// Returns the same for the angle at the end of a diagonal.
    fn is_convex_at_end(&self, side: u32, end: DVec2) -> bool {
        let HalfEdge { next, twin, .. } = self.side(side);
        orientation(self.at(self.side(twin).prev), self.at(next), end) != Ordering::Less
    }
}

/// Returns true if the angle from `b` to `c` around `a` is above 0° and at most 180°.
#[inline(always)]
fn within_half_turn(a: DVec2, b: DVec2, c: DVec2) -> bool {
    match orientation(a, b, c) {
        Ordering::Greater => true,
        Ordering::Equal => compare_xy(b, a) != compare_xy(c, a),
        Ordering::Less => false,
    }
}
