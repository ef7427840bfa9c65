//! From triangles to few convex parts: which diagonals have to stay.
//!
//! A diagonal is needed only at reflex vertices, where it must not leave an angle above half a turn. Those that are not needed go, one after the other
//! (Hertel and Mehlhorn 1983). Then each one that serves only one of its ends is tried at the other places that would serve that end as well: wherever
//! it makes a neighbour superfluous, there is one part less.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::mesh::{HalfEdge, Mesh, NONE};
use super::order::compare;
use super::parts::Parts;
use crate::math::predicates::orientation;

/// Where the diagonal along a half-edge was needed when all that could go had gone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    /// At both ends; or this is no diagonal.
    Both,
    /// Only where the half-edge begins.
    Begin,
    /// Only where it ends.
    End,
}

/// Parts as rings of half-edges that face each other along diagonals; a half-edge that has gone has no next one.
pub(super) struct Partition<'a> {
    points: &'a [DVec2],
    sides: Vec<HalfEdge>,
    /// For each half-edge.
    needed: Vec<Needed>,
    parts: usize,
}

impl<'a> Partition<'a> {
    /// As few parts as are found.
    pub(super) fn new(mesh: Mesh, points: &'a [DVec2]) -> Self {
        let parts = mesh.sides.len() / 3;
        let mut partition = Self { points, needed: vec![Needed::Both; mesh.sides.len()], sides: mesh.sides, parts };
        partition.reduce(mesh.diagonals);
        partition
    }

    /// Takes out what is not needed.
    fn reduce(&mut self, mut diagonals: Vec<u32>) {
        let mut kept = 0;
        for i in 0..diagonals.len() {
            let side = diagonals[i];
            let twin = self.side(side).twin;
            let (here, there) = (self.is_free(side), self.is_free(twin));
            if here & there {
                self.remove(side);
            } else {
                // What is needed at one end can be moved: listed is the half-edge that begins there.
                let (first, second) = if here { (twin, side) } else { (side, twin) };
                if here | there {
                    self.needed[first as usize] = Needed::Begin;
                    self.needed[second as usize] = Needed::End;
                    diagonals[kept] = first;
                    kept += 1;
                }
            }
        }
        // Once: a second round finds one part in a thousand.
        for &side in &diagonals[..kept] {
            let HalfEdge { next, twin, .. } = self.side(side);
            if next != NONE && self.is_free(twin) {
                self.move_end(side);
            }
        }
    }

    /// The parts, their corners by what `name` calls them.
    pub(super) fn collect(mut self, name: impl Fn(u32) -> u32) -> Parts {
        let mut parts = Parts::with_capacity(self.points.len() + 2 * self.parts, self.parts);
        for first in 0..self.sides.len() {
            if self.sides[first].next == NONE {
                continue;
            }
            let mut side = first;
            loop {
                let HalfEdge { corner, next, .. } = self.sides[side];
                parts.push(name(corner));
                self.sides[side].next = NONE;
                side = next as usize;
                if side == first {
                    break;
                }
            }
            parts.close();
        }
        parts
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
    fn remove(&mut self, side: u32) {
        let HalfEdge { twin, next, prev, .. } = self.side(side);
        let HalfEdge { next: twin_next, prev: twin_prev, .. } = self.side(twin);
        self.join(prev, twin_next);
        self.join(twin_prev, next);
        self.sides[side as usize].next = NONE;
        self.sides[twin as usize].next = NONE;
        self.parts -= 1;
    }

    /// Puts a diagonal that was removed between the corners of one part at which two half-edges begin.
    fn insert(&mut self, side: u32, from: u32, to: u32) {
        let twin = self.side(side).twin;
        let (from_side, to_side) = (self.side(from), self.side(to));
        self.join(from_side.prev, side);
        self.join(side, to);
        self.join(to_side.prev, twin);
        self.join(twin, from);
        self.sides[side as usize].corner = from_side.corner;
        self.sides[twin as usize].corner = to_side.corner;
        self.parts += 1;
    }

    /// Tries other ends for a diagonal that is needed where it begins alone. Without it there is one polygon with one reflex corner, which is seen
    /// from all the others.
    fn move_end(&mut self, side: u32) {
        let (old, from) = (self.side(side).next, self.side(self.side(side).twin).next);
        self.remove(side);
        let HalfEdge { corner, next: first, prev: last, .. } = self.side(from);
        let apex = self.points[corner as usize];
        let (right, left) = (self.at(first), self.at(last));
        // A diagonal can go at best if it is not needed elsewhere.
        let begins = |partition: &Self, side: u32| partition.needed[side as usize] == Needed::Begin;
        let ends = |partition: &Self, side: u32| partition.needed[side as usize] == Needed::End;
        let (at_right, at_left) = (begins(self, from), ends(self, last));
        let mut to = self.side(first).next;
        while to != last {
            let HalfEdge { corner, next, prev, .. } = self.side(to);
            let p = self.points[corner as usize];
            let (after, before) = (begins(self, to), ends(self, prev));
            if (after | before | at_right | at_left) && within_half_turn(apex, right, p) && within_half_turn(apex, p, left) {
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
        self.insert(side, from, old);
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
