//! Defines the half-edge mesh of a triangulation. Half-edges on both sides of a diagonal are twins.
//!
//! Input: edges, diagonals and triangles, as the sweep finds them. Output: the neighbour of each
//! half-edge in its polygon, and across its diagonal.
//!
//! Other files change the mesh: `edge_flip.rs` flips diagonals, and `hertel_mehlhorn.rs` removes
//! them. Each change writes a few links, whatever the size of the polygons on both sides. A list of
//! vertices per polygon would have to be copied.

use alloc::vec::Vec;

/// No interval, edge or vertex.
pub(super) const NONE: u32 = u32::MAX;

/// A side of a triangle or of a convex part, with that polygon on its left.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfEdge {
    /// Vertex at which the half-edge begins.
    pub(super) vertex: u32,
    /// Half-edge on the other side of the diagonal, or [`NONE`] on the outline.
    pub(super) twin: u32,
    /// Next and previous half-edge of the same polygon.
    pub(super) next: u32,
    pub(super) prev: u32,
}

impl HalfEdge {
    /// A half-edge that belongs to no polygon yet.
    #[inline(always)]
    fn along(twin: u32) -> Self {
        Self { vertex: NONE, twin, next: NONE, prev: NONE }
    }
}

/// The triangulation of a polygon.
#[derive(Default)]
pub(super) struct Mesh {
    /// Half-edges in the order of creation: one for an edge of the outline, two for a diagonal.
    pub(super) sides: Vec<HalfEdge>,
    /// The first of the two half-edges of each diagonal; the second one has the next index.
    pub(super) diagonals: Vec<u32>,
    /// Vertices of each triangle.
    pub(super) triangles: Vec<[u32; 3]>,
    /// True if rings touch each other or themselves.
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

    /// Adds an edge of the outline, and returns its half-edge.
    #[inline(always)]
    pub(super) fn edge(&mut self) -> u32 {
        self.sides.push(HalfEdge::along(NONE));
        self.sides.len() as u32 - 1
    }

    /// Adds a diagonal, and returns its two half-edges.
    #[inline(always)]
    pub(super) fn diagonal(&mut self) -> [u32; 2] {
        let first = self.sides.len() as u32;
        self.sides.extend_from_slice(&[HalfEdge::along(first + 1), HalfEdge::along(first)]);
        self.diagonals.push(first);
        [first, first + 1]
    }

    /// Adds a triangle of three half-edges, which begin at its vertices in turn.
    #[inline(always)]
    pub(super) fn triangle(&mut self, vertices: [u32; 3], [ab, bc, ca]: [u32; 3]) {
        self.triangles.push(vertices);
        let [a, b, c] = vertices;
        for (side, vertex, next, prev) in [(ab, a, bc, ca), (bc, b, ca, ab), (ca, c, ab, bc)] {
            let side = &mut self.sides[side as usize];
            (side.vertex, side.next, side.prev) = (vertex, next, prev);
        }
    }
}
