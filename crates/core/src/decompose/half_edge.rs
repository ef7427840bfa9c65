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

impl HalfEdge {
    /// A side of no polygon yet.
    #[inline(always)]
    fn along(twin: u32) -> Self {
        Self { corner: NONE, twin, next: NONE, prev: NONE }
    }
}

/// The triangles of an outline.
#[derive(Default)]
pub(super) struct Mesh {
    /// Of the triangles, in the order in which lines were found: one on the outline, two along a diagonal.
    pub(super) sides: Vec<HalfEdge>,
    /// The first of the two half-edges of each diagonal; the other one follows it.
    pub(super) diagonals: Vec<u32>,
    /// The corners of each triangle.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Do rings touch each other or themselves?
    pub(super) touched: bool,
}

impl Mesh {
    pub(super) fn with_capacity(triangles: usize) -> Self {
        Self {
            sides: Vec::with_capacity(3 * triangles),
            diagonals: Vec::with_capacity(triangles),
            triangles: Vec::with_capacity(triangles),
            touched: false,
        }
    }

    /// A line on the outline.
    #[inline(always)]
    pub(super) fn edge(&mut self) -> u32 {
        self.sides.push(HalfEdge::along(NONE));
        self.sides.len() as u32 - 1
    }

    /// A line inside, by its half-edges.
    #[inline(always)]
    pub(super) fn diagonal(&mut self) -> [u32; 2] {
        let first = self.sides.len() as u32;
        self.sides.extend_from_slice(&[HalfEdge::along(first + 1), HalfEdge::along(first)]);
        self.diagonals.push(first);
        [first, first + 1]
    }

    /// A triangle between three lines that begin at its corners in turn.
    #[inline(always)]
    pub(super) fn triangle(&mut self, corners: [u32; 3], [ab, bc, ca]: [u32; 3]) {
        self.triangles.push(corners);
        let [a, b, c] = corners;
        for (side, corner, next, prev) in [(ab, a, bc, ca), (bc, b, ca, ab), (ca, c, ab, bc)] {
            let side = &mut self.sides[side as usize];
            (side.corner, side.next, side.prev) = (corner, next, prev);
        }
    }
}
