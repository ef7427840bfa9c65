//! Triangulates monotone pieces while the sweep extends them.
//!
//! Input: vertices of a piece, from left to right, each on its lower or upper side. Output:
//! triangles. A piece lies between a lower and an upper chain of vertices. The part that is not
//! triangulated yet is bounded by one reflex chain. This is a stack of vertices of one side, whose
//! lowest entry is the last vertex of the other side. The algorithm is that of Garey, Johnson,
//! Preparata and Tarjan, *Triangulating a simple polygon*, 1978.
//!
//! ```text
//! for each new vertex v of a piece:
//!     if v is on the other side than the chain:
//!         cut a triangle from v to each edge of the chain; the chain is now (top, v)
//!     else:
//!         while the angle at the top of the chain is convex: cut that triangle, pop the top
//!         push v
//! ```
//!
//! Ear clipping needs no pieces, but takes quadratic time. The textbook first stores all pieces,
//! then triangulates each; here triangles are cut during the sweep, so the pieces are never stored.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hint::select_unpredictable;

use glam::DVec2;

use super::half_edge::{Mesh, NONE};
use crate::math::predicates::orientation;

/// The side of a piece that a chain of vertices runs along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChainSide {
    Lower,
    Upper,
}

/// The reflex chain of a piece: its last entry, and the side of the piece that the chain is on.
#[derive(Clone, Copy)]
pub(super) struct ReflexChain {
    top: u32,
    side: ChainSide,
}

impl ReflexChain {
    pub(super) const EMPTY: Self = Self { top: NONE, side: ChainSide::Lower };
}

/// A vertex of a reflex chain.
#[derive(Clone, Copy)]
struct ChainVertex {
    point: DVec2,
    vertex: u32,
    /// Half-edge of the piece along the line to the entry below.
    link: u32,
    below: u32,
}

/// A vertex with its position.
#[derive(Clone, Copy)]
pub(super) struct PieceVertex {
    pub(super) point: DVec2,
    pub(super) vertex: u32,
}

/// The mesh under construction, and the reflex chains of all pieces.
pub(super) struct MonotonePieces {
    pub(super) mesh: Mesh,
    entries: Vec<ChainVertex>,
    /// First free entry; free entries are linked by `below`.
    free: u32,
}

impl MonotonePieces {
    pub(super) fn with_capacity(triangles: usize) -> Self {
        Self { mesh: Mesh::with_capacity(triangles), entries: Vec::new(), free: NONE }
    }

    /// Begins a piece at a vertex.
    pub(super) fn begin(&mut self, vertex: PieceVertex) -> ReflexChain {
        ReflexChain { top: self.push(vertex, NONE, NONE), side: ChainSide::Lower }
    }

    /// Splits a growing piece along the line from its last vertex to a vertex inside it. Returns
    /// the piece below the line, then the one above.
    pub(super) fn split(&mut self, chain: ReflexChain, vertex: PieceVertex) -> (ReflexChain, ReflexChain) {
        let [below, above] = self.mesh.diagonal();
        let ChainVertex { point, vertex: index, .. } = self.entries[chain.top as usize];
        let last = self.push(PieceVertex { point, vertex: index }, NONE, NONE);
        let (own, other) = if chain.side == ChainSide::Lower { (above, below) } else { (below, above) };
        let top = self.push(vertex, other, last);
        let old = self.append(chain, vertex, chain.side, own);
        match chain.side {
            ChainSide::Lower => (ReflexChain { top, side: ChainSide::Upper }, old),
            ChainSide::Upper => (old, ReflexChain { top, side: ChainSide::Lower }),
        }
    }

    /// Appends a vertex on one side of a piece. `link`: the piece's half-edge along the line to
    /// this vertex.
    #[inline]
    pub(super) fn append(
        &mut self,
        chain: ReflexChain,
        vertex: PieceVertex,
        side: ChainSide,
        link: u32,
    ) -> ReflexChain {
        let mut top = chain.top;
        let mut b = self.entries[top as usize];
        if chain.side != side && b.below != NONE {
            let [near, beyond] = self.mesh.diagonal();
            self.fan(chain, vertex, near, link);
            self.entries[top as usize].below = NONE;
            return ReflexChain { top: self.push(vertex, beyond, top), side };
        }
        let mut link = link;
        while b.below != NONE {
            let a = self.entries[b.below as usize];
            let bend = orientation(a.point, b.point, vertex.point);
            let cut = if side == ChainSide::Lower { Ordering::Greater } else { Ordering::Less };
            if bend != cut {
                break;
            }
            let [far, beyond] = self.mesh.diagonal();
            self.triangle(side, [a.vertex, b.vertex, vertex.vertex], [b.link, link, far]);
            self.release(top);
            (top, b, link) = (b.below, a, beyond);
        }
        ReflexChain { top: self.push(vertex, link, top), side }
    }

    /// Ends a piece at its last vertex. `lower`, `upper`: the piece's half-edges along the lines to
    /// this vertex. Returns `None` for a piece without area, which no valid polygon has.
    pub(super) fn end(&mut self, chain: ReflexChain, vertex: PieceVertex, lower: u32, upper: u32) -> Option<()> {
        if self.entries[chain.top as usize].below == NONE {
            return None;
        }
        let (near, far) = if chain.side == ChainSide::Lower { (lower, upper) } else { (upper, lower) };
        self.fan(chain, vertex, near, far);
        self.release(chain.top);
        Some(())
    }

    /// Cuts triangles from a vertex to every line of a chain, from the top (`near`: half-edge
    /// between vertex and top) to the lowest entry (`far`). Releases all entries but the top.
    fn fan(&mut self, chain: ReflexChain, vertex: PieceVertex, mut near: u32, far: u32) {
        let mut b = self.entries[chain.top as usize];
        loop {
            let a = self.entries[b.below as usize];
            self.release(b.below);
            let vertices = [a.vertex, b.vertex, vertex.vertex];
            if a.below == NONE {
                return self.triangle(chain.side, vertices, [b.link, near, far]);
            }
            let [own, beyond] = self.mesh.diagonal();
            self.triangle(chain.side, vertices, [b.link, near, own]);
            (near, b) = (beyond, a);
        }
    }

    /// Adds the triangle of two neighbours on a chain (`a` left of `b`) and a vertex. Its half-edges
    /// are along `ab`, `b corner` and `corner a`.
    #[inline(always)]
    fn triangle(&mut self, side: ChainSide, [a, b, vertex]: [u32; 3], [ab, near, far]: [u32; 3]) {
        // Branch-free, because the side is unpredictable.
        let (a, b, bc, ca) = select_unpredictable(side == ChainSide::Lower, (a, b, near, far), (b, a, far, near));
        self.mesh.triangle([a, b, vertex], [ab, bc, ca]);
    }

    #[inline(always)]
    fn push(&mut self, vertex: PieceVertex, link: u32, below: u32) -> u32 {
        if self.free == NONE {
            self.grow();
        }
        let index = self.free;
        let entry = &mut self.entries[index as usize];
        self.free = entry.below;
        *entry = ChainVertex { point: vertex.point, vertex: vertex.vertex, link, below };
        index
    }

    #[inline(always)]
    fn release(&mut self, entry: u32) {
        self.entries[entry as usize].below = self.free;
        self.free = entry;
    }

    /// Doubles the number of entries. Then `push` needs only one predictable branch.
    #[cold]
    fn grow(&mut self) {
        let old = self.entries.len() as u32;
        for below in core::iter::once(NONE).chain(old..2 * old + 31) {
            self.free = self.entries.len() as u32;
            self.entries.push(ChainVertex { point: DVec2::ZERO, vertex: NONE, link: NONE, below });
        }
    }
}
