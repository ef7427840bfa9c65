//! Traces the boundaries of the solid pixels of a mask, edge by edge.
//!
//! Input: a mask and a rule for corners where two solid pixels are diagonal neighbours. Output: all
//! boundary edges, ring by ring. The method is boundary following: each edge has the solid pixel on
//! its left, and the two pixels ahead decide the next edge.
//!
//! ```text
//! pending = edges along +x between an empty pixel below and a solid one
//! while there is a pending edge, lowest row and column first
//!     follow the boundary until it returns to this edge; remove its +x edges from pending
//! ```
//!
//! Every ring has an edge along +x. So a bit set of these edges gives the start of each ring, 64
//! pixels at a time. A flag per pixel edge would take four times the memory, and a scan over all
//! pixels.

use alloc::vec::Vec;

use crate::math::both::both;
use crate::math::mask::Mask;

/// Direction of an edge: 0 to 3 for +x, +y, −x, −y.
type Heading = usize;

/// Step along an edge in each direction, modulo 2^32. A column or row before the first one wraps to
/// a position far beyond the last one, where no pixel is solid.
const STEP: [[u32; 2]; 4] = [[1, 0], [0, 1], [u32::MAX, 0], [0, u32::MAX]];

/// Offset from the corner where an edge begins to the pixel on its left, for each direction.
const LEFT: [[u32; 2]; 4] = [[0, 0], [u32::MAX, 0], [u32::MAX, u32::MAX], [0, u32::MAX]];

/// An edge between a solid pixel on the left and an empty one on the right.
pub(super) struct PixelEdge {
    heading: Heading,
    pub(super) solid: [u32; 2],
    /// True if the previous edge of the ring has another direction.
    pub(super) turned: bool,
    /// True for the first edge of a ring; then `turned` is true, too.
    pub(super) first: bool,
}

impl PixelEdge {
    /// Returns the corner at which the edge begins.
    pub(super) fn corner(&self) -> [u32; 2] {
        // Subtracts the offset from the corner to the pixel.
        let [x, y] = LEFT[self.heading];
        plus(self.solid, [x.wrapping_neg(), y.wrapping_neg()])
    }

    /// Returns the pixel on the right, modulo 2^32.
    pub(super) fn empty(&self) -> [u32; 2] {
        plus(self.solid, STEP[right(self.heading)])
    }

    /// Returns the offset from the solid pixel to the empty one.
    pub(super) fn outward(&self) -> [i8; 2] {
        both(STEP[right(self.heading)], |c| c as i8)
    }
}

fn plus(p: [u32; 2], q: [u32; 2]) -> [u32; 2] {
    [p[0].wrapping_add(q[0]), p[1].wrapping_add(q[1])]
}

fn left(heading: Heading) -> Heading {
    (heading + 1) % 4
}

fn right(heading: Heading) -> Heading {
    (heading + 3) % 4
}

/// Traces each ring once, with the solid pixels on the left, and calls `show` for each edge. Rings
/// are sorted by their first edge along +x: by row, then column. They begin with this edge.
///
/// `joined` decides a corner at which exactly the pixels ahead on the right and behind on the left
/// are solid. If it returns true, the ring turns right, along the other pixel. If false, it turns
/// left, around the same pixel. The arguments of `joined` are the corner and the other pixel. It
/// must return the same for every visit of a corner.
pub(super) fn trace_boundaries(
    mask: &Mask,
    joined: impl Fn([u32; 2], [u32; 2]) -> bool,
    mut show: impl FnMut(PixelEdge),
) {
    let mut pending = edges_along_x(mask);
    let height = mask.height() as usize;
    for row in 0..height {
        for stripe in 0..mask.stripes() {
            // Tracing a ring clears bits, also in this word.
            while pending[stripe * height + row] != 0 {
                let column = stripe as u32 * u64::BITS + pending[stripe * height + row].trailing_zeros();
                trace_ring(mask, [column, row as u32], &joined, |edge| {
                    if edge.heading == 0 {
                        let [x, y] = edge.solid;
                        pending[(x / u64::BITS) as usize * height + y as usize] &= !(1 << (x % u64::BITS));
                    }
                    show(edge);
                });
            }
        }
    }
}

/// Returns a bit set of the solid pixels whose lower neighbour is empty, in the layout of the
/// mask's words.
fn edges_along_x(mask: &Mask) -> Vec<u64> {
    let mut edges = Vec::new();
    for stripe in 0..mask.stripes() {
        let mut before = 0;
        edges.extend(mask.stripe(stripe).iter().map(|&word| word & !core::mem::replace(&mut before, word)));
    }
    edges
}

/// Traces one ring, from an edge along +x. Each edge has exactly one successor and one predecessor,
/// so the ring returns to its start.
fn trace_ring(
    mask: &Mask,
    start: [u32; 2],
    joined: impl Fn([u32; 2], [u32; 2]) -> bool,
    mut show: impl FnMut(PixelEdge),
) {
    let solid = |[x, y]: [u32; 2]| mask.get(x, y);
    let (mut corner, mut heading) = (start, 0);
    let (mut turned, mut first) = (true, true);
    loop {
        let own = plus(corner, LEFT[heading]);
        show(PixelEdge { heading, solid: own, turned, first });
        corner = plus(corner, STEP[heading]);
        let ahead = plus(corner, LEFT[heading]);
        let across = plus(ahead, STEP[right(heading)]);
        let next = match (solid(ahead), solid(across)) {
            (true, false) => heading,
            (true, true) => right(heading),
            (false, true) if joined(corner, across) => right(heading),
            _ => left(heading),
        };
        (turned, first, heading) = (next != heading, false, next);
        if corner == start && heading == 0 {
            return;
        }
    }
}
