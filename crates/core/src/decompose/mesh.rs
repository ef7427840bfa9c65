//! Polygons by their sides: half-edges that face each other along diagonals.

use alloc::vec::Vec;

/// No interval, edge or vertex.
pub(super) const NONE: u32 = u32::MAX;

/// A side of a triangle, later of a part, with that polygon on its left.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfEdge {
    /// The vertex at which it begins.
    pub(super) corner: u32,
    /// The same side of the polygon beyond, or [`NONE`] on the outline.
    pub(super) twin: u32,
    /// The half-edges after and before it around its polygon.
    pub(super) next: u32,
    pub(super) prev: u32,
}

/// The triangles of an outline.
#[derive(Default)]
pub(super) struct Mesh {
    /// Three half-edges for each triangle, in turn.
    pub(super) sides: Vec<HalfEdge>,
    /// One of the two half-edges of each diagonal.
    pub(super) diagonals: Vec<u32>,
    /// Do rings touch each other or themselves?
    pub(super) touched: bool,
}

impl Mesh {
    pub(super) fn with_capacity(triangles: usize) -> Self {
        Self { sides: Vec::with_capacity(3 * triangles), diagonals: Vec::with_capacity(triangles), touched: false }
    }

    /// Adds a triangle; its sides begin at the corners in turn, and the first one is returned.
    #[inline(always)]
    pub(super) fn add(&mut self, [a, b, c]: [u32; 3]) -> u32 {
        let first = self.sides.len() as u32;
        let side = |corner, next, prev| HalfEdge { corner, twin: NONE, next: first + next, prev: first + prev };
        self.sides.extend_from_slice(&[side(a, 1, 2), side(b, 2, 0), side(c, 0, 1)]);
        first
    }

    /// Lets two sides face each other.
    #[inline(always)]
    pub(super) fn pair(&mut self, side: u32, twin: u32) {
        self.sides[side as usize].twin = twin;
        self.sides[twin as usize].twin = side;
        self.diagonals.push(side);
    }

    /// The corners of the triangles.
    pub(super) fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> {
        self.sides.chunks_exact(3).map(|t| [t[0].corner, t[1].corner, t[2].corner])
    }
}
