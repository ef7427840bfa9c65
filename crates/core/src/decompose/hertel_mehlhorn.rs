//! From triangles to few convex parts: which diagonals have to stay.
//!
//! A diagonal is needed only at reflex vertices, where it must not leave an angle above half a turn. Those that are not needed go, one after the other
//! (Hertel and Mehlhorn 1983). Then each one that serves only one of its ends is tried at the other places that would serve that end as well: wherever
//! it makes a neighbour superfluous, there is one part less.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::convex_parts::ConvexParts;
use super::half_edge::{HalfEdge, Mesh, NONE};
use super::radix_sort::compare;
use crate::math::predicates::orientation;

/// Where the diagonal along a half-edge was needed when all that could go had gone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Essential {
    /// At both ends; or this is no diagonal, or it has gone.
    Both,
    /// Only where the half-edge begins.
    Begin,
    /// Only where it ends.
    End,
}

/// Parts as rings of half-edges that face each other along diagonals; rings no longer lead to a half-edge that has gone.
pub(super) struct Partition<'a> {
    points: &'a [DVec2],
    sides: Vec<HalfEdge>,
    /// For each half-edge.
    needed: Vec<Essential>,
    parts: usize,
}

impl<'a> Partition<'a> {
    /// As few parts as are found.
    pub(super) fn new(mesh: Mesh, points: &'a [DVec2]) -> Self {
        let parts = mesh.sides.len() / 3;
        let mut partition = Self { points, needed: vec![Essential::Both; mesh.sides.len()], sides: mesh.sides, parts };
        partition.reduce(mesh.diagonals);
        partition
    }

    /// Takes out what is not needed, from right to left, and then moves what is left from left to right.
    fn reduce(&mut self, mut diagonals: Vec<u32>) {
        let mut kept = diagonals.len();
        for i in (0..diagonals.len()).rev() {
            let side = diagonals[i];
            let twin = self.side(side).twin;
            let (here, there) = (self.is_free(side), self.is_free(twin));
            if here & there {
                self.unlink(side);
                self.parts -= 1;
            } else if here | there {
                // What is needed at one end can be moved: listed is the half-edge that begins there.
                let (first, second) = if here { (twin, side) } else { (side, twin) };
                self.needed[first as usize] = Essential::Begin;
                self.needed[second as usize] = Essential::End;
                kept -= 1;
                diagonals[kept] = first;
            }
        }
        // Once: a second round finds one part in a thousand.
        for &side in &diagonals[kept..] {
            // Unless it has gone, or by now serves both ends.
            if self.needed[side as usize] == Essential::Begin && self.is_free(self.side(side).twin) {
                self.move_end(side);
            }
        }
    }

    /// The parts, their corners by what `name` calls them: from one to the next across the diagonals between them.
    pub(super) fn collect(mut self, name: impl Fn(u32) -> u32) -> ConvexParts {
        let mut parts = ConvexParts::with_capacity(self.points.len() + 2 * self.parts, self.parts);
        let mut open = Vec::with_capacity(self.parts);
        for edge in 0..self.sides.len() {
            // Once, but for an inside that hangs together at points alone.
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
            let HalfEdge { corner, next, twin, .. } = self.side(side);
            parts.push(name(corner));
            self.sides[side as usize].next = NONE;
            // Which sides are diagonals cannot be foretold.
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

    /// Where a half-edge begins.
    #[inline(always)]
    fn at(&self, side: u32) -> DVec2 {
        self.points[self.side(side).corner as usize]
    }

    /// Would the corner at which a diagonal begins be convex without it?
    #[inline(always)]
    fn is_free(&self, side: u32) -> bool {
        let HalfEdge { corner, prev, twin, .. } = self.side(side);
        let beyond = self.side(self.side(twin).next).next;
        orientation(self.at(prev), self.points[corner as usize], self.at(beyond)) != Ordering::Less
    }

    #[inline(always)]
    fn join(&mut self, side: u32, after: u32) {
        self.sides[side as usize].next = after;
        self.sides[after as usize].prev = side;
    }

    /// Makes the parts on both sides of a diagonal one.
    #[inline(always)]
    fn unlink(&mut self, side: u32) {
        let HalfEdge { twin, next, prev, .. } = self.side(side);
        let HalfEdge { next: twin_next, prev: twin_prev, .. } = self.side(twin);
        self.join(prev, twin_next);
        self.join(twin_prev, next);
    }

    /// Puts back what was just unlinked: its half-edges still know their neighbours.
    #[inline(always)]
    fn relink(&mut self, side: u32) {
        for side in [side, self.side(side).twin] {
            let HalfEdge { next, prev, .. } = self.side(side);
            self.sides[prev as usize].next = side;
            self.sides[next as usize].prev = side;
        }
    }

    /// Puts an unlinked diagonal between the corners of one part at which two half-edges begin.
    fn insert(&mut self, side: u32, from: u32, to: u32) {
        let twin = self.side(side).twin;
        let (from_side, to_side) = (self.side(from), self.side(to));
        self.join(from_side.prev, side);
        self.join(side, to);
        self.join(to_side.prev, twin);
        self.join(twin, from);
        self.sides[side as usize].corner = from_side.corner;
        self.sides[twin as usize].corner = to_side.corner;
    }

    /// Tries other ends for a diagonal that is needed where it begins alone. Without it there is one polygon with one reflex corner, which is seen
    /// from all the others.
    fn move_end(&mut self, side: u32) {
        let HalfEdge { twin, next: old, .. } = self.side(side);
        let from = self.side(twin).next;
        self.unlink(side);
        let HalfEdge { corner, next: first, prev: last, .. } = self.side(from);
        let apex = self.points[corner as usize];
        let (right, left) = (self.at(first), self.at(last));
        // A diagonal can go at best if it is not needed elsewhere.
        let begins = |partition: &Self, side: u32| partition.needed[side as usize] == Essential::Begin;
        let ends = |partition: &Self, side: u32| partition.needed[side as usize] == Essential::End;
        let (at_right, at_left) = (begins(self, from), ends(self, last));
        let mut to = self.side(first).next;
        while to != last {
            let HalfEdge { corner, next, prev, .. } = self.side(to);
            let p = self.points[corner as usize];
            let (after, before) = (begins(self, to), ends(self, prev));
            let tried = (to != old) & (after | before | at_right | at_left);
            if tried && within_half_turn(apex, right, p) & within_half_turn(apex, p, left) {
                let superfluous = if at_right && self.opens_after(from, p) && self.is_free(self.side(from).twin) {
                    from
                } else if at_left && self.opens_before(last, p) && self.is_free(last) {
                    last
                } else if after && self.opens_after(to, apex) && self.is_free(self.side(to).twin) {
                    to
                } else if before && self.opens_before(prev, apex) && self.is_free(prev) {
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

    /// Takes out a diagonal that was listed.
    fn remove(&mut self, side: u32) {
        self.unlink(side);
        let twin = self.side(side).twin;
        self.needed[side as usize] = Essential::Both;
        self.needed[twin as usize] = Essential::Both;
        self.parts -= 1;
    }

    /// Is the corner at which a diagonal begins convex without it once another one leads from there to `end`?
    fn opens_after(&self, side: u32, end: DVec2) -> bool {
        let beyond = self.side(self.side(self.side(side).twin).next).next;
        orientation(end, self.at(side), self.at(beyond)) != Ordering::Less
    }

    /// The same of the corner where it ends.
    fn opens_before(&self, side: u32, end: DVec2) -> bool {
        let HalfEdge { next, twin, .. } = self.side(side);
        orientation(self.at(self.side(twin).prev), self.at(next), end) != Ordering::Less
    }
}

/// Is the angle from `b` to `c` around `a` more than nothing and no more than half a turn?
#[inline(always)]
fn within_half_turn(a: DVec2, b: DVec2, c: DVec2) -> bool {
    match orientation(a, b, c) {
        Ordering::Greater => true,
        Ordering::Equal => compare(b, a) != compare(c, a),
        Ordering::Less => false,
    }
}
