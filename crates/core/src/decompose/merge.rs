//! From triangles to few convex parts: which diagonals have to stay.
//!
//! A diagonal is needed only at reflex vertices, where it must not leave an angle above half a turn. Those that are not needed go, one after the other
//! (Hertel and Mehlhorn 1983). Then each one that serves only one of its ends is tried at the other places that would serve that end as well: wherever
//! it makes a neighbour superfluous, there is one part less.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::flip::{next, prev};
use super::monotone::Mesh;
use super::order::compare;
use super::parts::Parts;
use super::status::NONE;
use crate::math::predicates::orientation;

/// Parts as rings of half-edges that face each other along diagonals.
pub(super) struct Partition<'a> {
    points: &'a [DVec2],
    /// Where each half-edge begins.
    corners: Vec<u32>,
    twins: Vec<u32>,
    /// The half-edge after and before each one around its part; [`NONE`] after one that has gone.
    next: Vec<u32>,
    prev: Vec<u32>,
    parts: usize,
}

impl<'a> Partition<'a> {
    /// The triangles, each a part.
    pub(super) fn new(mesh: Mesh, points: &'a [DVec2]) -> Self {
        let sides = 0..mesh.corners.len() as u32;
        Self {
            points,
            parts: mesh.corners.len() / 3,
            next: sides.clone().map(next).collect(),
            prev: sides.map(prev).collect(),
            corners: mesh.corners,
            twins: mesh.twins,
        }
    }

    /// Takes out what is not needed.
    pub(super) fn reduce(&mut self) {
        for side in 0..self.corners.len() as u32 {
            let twin = self.twins[side as usize];
            if twin != NONE && side < twin && self.is_free(side) && self.is_free(twin) {
                self.remove(side);
            }
        }
        // Once: a second round finds one part in a thousand.
        for side in 0..self.corners.len() as u32 {
            let twin = self.twins[side as usize];
            if twin != NONE && side < twin && self.after(side) != NONE {
                self.improve(side);
            }
        }
    }

    /// The parts, their corners by what `name` calls them.
    pub(super) fn collect(mut self, name: impl Fn(u32) -> u32) -> Parts {
        let mut parts = Parts::with_capacity(self.points.len() + 2 * self.parts, self.parts);
        for side in 0..self.corners.len() {
            let mut at = side as u32;
            if self.next[side] == NONE {
                continue;
            }
            while self.after(at) != NONE {
                parts.push(name(self.corners[at as usize]));
                at = core::mem::replace(&mut self.next[at as usize], NONE);
            }
            parts.close();
        }
        parts
    }

    #[inline(always)]
    fn at(&self, side: u32) -> DVec2 {
        self.points[self.corners[side as usize] as usize]
    }

    #[inline(always)]
    fn after(&self, side: u32) -> u32 {
        self.next[side as usize]
    }

    #[inline(always)]
    fn before(&self, side: u32) -> u32 {
        self.prev[side as usize]
    }

    /// Where a half-edge ends.
    #[inline(always)]
    fn end(&self, side: u32) -> DVec2 {
        self.at(self.after(side))
    }

    /// Would the corner at which a diagonal begins be convex without it?
    #[inline(always)]
    fn is_free(&self, side: u32) -> bool {
        let beyond = self.after(self.twins[side as usize]);
        orientation(self.at(self.before(side)), self.at(side), self.end(beyond)) != Ordering::Less
    }

    #[inline(always)]
    fn join(&mut self, side: u32, after: u32) {
        self.next[side as usize] = after;
        self.prev[after as usize] = side;
    }

    /// Makes the parts on both sides of a diagonal one.
    #[inline(always)]
    fn remove(&mut self, side: u32) {
        let twin = self.twins[side as usize];
        let (after, before) = (self.after(side), self.before(side));
        let (twin_after, twin_before) = (self.after(twin), self.before(twin));
        self.join(before, twin_after);
        self.join(twin_before, after);
        self.next[side as usize] = NONE;
        self.next[twin as usize] = NONE;
        self.parts -= 1;
    }

    /// Puts a diagonal that was removed between the corners of one part at which two half-edges begin.
    fn insert(&mut self, side: u32, from: u32, to: u32) {
        let twin = self.twins[side as usize];
        let (before_from, before_to) = (self.before(from), self.before(to));
        self.join(before_from, side);
        self.join(side, to);
        self.join(before_to, twin);
        self.join(twin, from);
        self.corners[side as usize] = self.corners[from as usize];
        self.corners[twin as usize] = self.corners[to as usize];
        self.parts += 1;
    }

    /// Removes a diagonal, or moves it to where another one can go.
    fn improve(&mut self, side: u32) {
        let twin = self.twins[side as usize];
        match (self.is_free(side), self.is_free(twin)) {
            (true, true) => self.remove(side),
            (true, false) => self.move_end(twin),
            (false, true) => self.move_end(side),
            (false, false) => {}
        }
    }

    /// Tries other ends for a diagonal that is needed where it begins alone. Without it there is one polygon with one reflex corner, which is seen
    /// from all the others.
    fn move_end(&mut self, side: u32) {
        let (old, from) = (self.after(side), self.after(self.twins[side as usize]));
        self.remove(side);
        let apex = self.at(from);
        let (first, last) = (self.after(from), self.before(from));
        let mut to = self.after(first);
        while to != last {
            let p = self.at(to);
            if within_half_turn(apex, self.at(first), p) && within_half_turn(apex, p, self.at(last)) {
                let [after, before] = [(to, apex), (from, p)].map(|(corner, end)| {
                    [self.goes_after(corner, end).then_some(corner), self.goes_before(corner, end).then(|| self.before(corner))]
                });
                if let Some(superfluous) = after[0].or(after[1]).or(before[0]).or(before[1]) {
                    self.insert(side, from, to);
                    return self.remove(superfluous);
                }
            }
            to = self.after(to);
        }
        self.insert(side, from, old);
    }

    /// Can the diagonal with which a corner begins go once another one leads from there to `end`?
    fn goes_after(&self, corner: u32, end: DVec2) -> bool {
        let twin = self.twins[corner as usize];
        twin != NONE && orientation(end, self.at(corner), self.end(self.after(twin))) != Ordering::Less && self.is_free(twin)
    }

    /// Can the diagonal that leads to a corner go once another one leads from there to `end`?
    fn goes_before(&self, corner: u32, end: DVec2) -> bool {
        let before = self.before(corner);
        let twin = self.twins[before as usize];
        twin != NONE && orientation(self.at(self.before(twin)), self.at(corner), end) != Ordering::Less && self.is_free(before)
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
