//! Monotone pieces, cut into triangles while they grow.
//!
//! A piece lies between a lower and an upper chain that both run from left to right. What has not been cut off yet is bounded by one reflex
//! chain: a stack of vertices of one side, whose lowest entry is the last vertex of the other side (Garey, Johnson, Preparata and Tarjan 1978).

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::mesh::{Mesh, NONE};
use crate::math::predicates::orientation;

/// Marks a link that names a line whose two sides are not yet known, rather than a triangle's side.
const LINE: u32 = 1 << 31;

/// The side of a piece that a chain of vertices runs along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Lower,
    Upper,
}

/// The reflex chain of a piece: its last vertex, and the side it runs along.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    top: u32,
    side: Side,
}

impl Chain {
    pub(super) const EMPTY: Self = Self { top: NONE, side: Side::Lower };
}

/// A vertex of a reflex chain.
#[derive(Clone, Copy)]
struct Entry {
    point: DVec2,
    vertex: u32,
    /// What lies beyond the line to the entry below: a triangle's side, a line between two pieces, or nothing.
    link: u32,
    below: u32,
}

/// A vertex as pieces know it.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub(super) point: DVec2,
    pub(super) vertex: u32,
}

/// The mesh as it grows, with the chains of all pieces.
pub(super) struct Pieces {
    pub(super) mesh: Mesh,
    entries: Vec<Entry>,
    /// The first free entry; free ones are linked by `below`.
    free: u32,
    /// For each line between two pieces the first triangle's side that lies along it.
    lines: Vec<u32>,
}

impl Pieces {
    pub(super) fn with_capacity(triangles: usize) -> Self {
        Self { mesh: Mesh::with_capacity(triangles), entries: Vec::new(), free: NONE, lines: Vec::new() }
    }

    /// A piece that begins at a corner.
    pub(super) fn begin(&mut self, corner: Corner) -> Chain {
        Chain { top: self.push(corner, NONE, NONE), side: Side::Lower }
    }

    /// The line between two pieces, as a link for both.
    pub(super) fn line(&mut self) -> u32 {
        self.lines.push(NONE);
        LINE | (self.lines.len() - 1) as u32
    }

    /// Cuts a growing piece along the line from its last vertex to a corner inside it: the piece below the line, and the one above.
    pub(super) fn split(&mut self, chain: Chain, corner: Corner) -> (Chain, Chain) {
        let line = self.line();
        let Entry { point, vertex, .. } = self.entries[chain.top as usize];
        let last = self.push(Corner { point, vertex }, NONE, NONE);
        let top = self.push(corner, line, last);
        let old = self.append(chain, corner, chain.side, line);
        match chain.side {
            Side::Lower => (Chain { top, side: Side::Upper }, old),
            Side::Upper => (old, Chain { top, side: Side::Lower }),
        }
    }

    /// The next vertex on one side of a piece; `link` is what lies beyond the edge that leads to it.
    #[inline]
    pub(super) fn append(&mut self, chain: Chain, corner: Corner, side: Side, link: u32) -> Chain {
        if chain.side != side && self.entries[chain.top as usize].below != NONE {
            let (beyond, _) = self.fan(chain, corner, link);
            self.entries[chain.top as usize].below = NONE;
            return Chain { top: self.push(corner, beyond, chain.top), side };
        }
        let mut beyond = link;
        let mut top = chain.top;
        loop {
            let b = self.entries[top as usize];
            if b.below == NONE {
                break;
            }
            let a = self.entries[b.below as usize];
            let bend = orientation(a.point, b.point, corner.point);
            let cut = if side == Side::Lower { Ordering::Greater } else { Ordering::Less };
            if bend != cut {
                break;
            }
            beyond = self.triangle(side, a.vertex, b.vertex, corner.vertex, [b.link, beyond, NONE]);
            self.release(top);
            top = b.below;
        }
        Chain { top: self.push(corner, beyond, top), side }
    }

    /// The last vertex of a piece, with what lies beyond the edges that lead to it. `None` for a piece without area, which no valid outline has.
    pub(super) fn end(&mut self, chain: Chain, corner: Corner, lower: u32, upper: u32) -> Option<()> {
        if self.entries[chain.top as usize].below == NONE {
            return None;
        }
        let (top_link, bottom_link) = if chain.side == Side::Lower { (lower, upper) } else { (upper, lower) };
        let (first, bottom) = self.fan(chain, corner, bottom_link);
        self.link(first, top_link);
        self.release(bottom);
        self.release(chain.top);
        Some(())
    }

    /// Triangles from a corner to every line of a chain; the side from the chain's top to the corner, still unlinked, and the chain's lowest
    /// entry. Releases what lies between top and bottom.
    fn fan(&mut self, chain: Chain, corner: Corner, bottom_link: u32) -> (u32, u32) {
        let mut top = chain.top;
        let (mut first, mut before) = (NONE, NONE);
        loop {
            let b = self.entries[top as usize];
            let a = self.entries[b.below as usize];
            // The side to the corner is known to the triangle before; the other is told by the next one.
            let last = a.below == NONE;
            let beyond = if last { bottom_link } else { NONE };
            let far = self.triangle(chain.side, a.vertex, b.vertex, corner.vertex, [b.link, before, beyond]);
            if before == NONE {
                first = near_side(far, chain.side);
            }
            before = far;
            if top != chain.top {
                self.release(top);
            }
            top = b.below;
            if last {
                return (first, top);
            }
        }
    }

    /// The triangle of two neighbours on a chain (`a` left of `b`) and a corner, with the links of `ab`, `b corner` and `corner a`; returns its
    /// side between `a` and the corner.
    #[inline(always)]
    fn triangle(&mut self, side: Side, a: u32, b: u32, corner: u32, [ab, bc, ca]: [u32; 3]) -> u32 {
        let lower = side == Side::Lower;
        let first = self.mesh.add(if lower { [a, b, corner] } else { [b, a, corner] });
        self.link(first, ab);
        let (near, far) = if lower { (first + 1, first + 2) } else { (first + 2, first + 1) };
        self.link(near, bc);
        self.link(far, ca);
        far
    }

    /// Joins a triangle's side with what lies beyond it.
    #[inline(always)]
    fn link(&mut self, side: u32, beyond: u32) {
        if beyond == NONE {
            return;
        }
        let mut other = beyond;
        if beyond & LINE != 0 {
            let known = &mut self.lines[(beyond & !LINE) as usize];
            other = core::mem::replace(known, side);
            if other == NONE {
                return;
            }
        }
        self.mesh.pair(side, other);
    }

    #[inline(always)]
    fn push(&mut self, corner: Corner, link: u32, below: u32) -> u32 {
        let entry = Entry { point: corner.point, vertex: corner.vertex, link, below };
        if self.free == NONE {
            self.entries.push(entry);
            return self.entries.len() as u32 - 1;
        }
        let place = self.free;
        self.free = self.entries[place as usize].below;
        self.entries[place as usize] = entry;
        place
    }

    #[inline(always)]
    fn release(&mut self, entry: u32) {
        self.entries[entry as usize].below = self.free;
        self.free = entry;
    }
}

/// From a triangle's side between `a` and the corner to its side between `b` and the corner.
#[inline(always)]
fn near_side(far: u32, side: Side) -> u32 {
    if side == Side::Lower { far - 1 } else { far + 1 }
}
