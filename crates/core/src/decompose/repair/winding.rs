//! Computes on which side of each edge the interior lies, by a sweep from left to right.
//!
//! Input: an arrangement whose edges meet at common ends only. Output: for each edge, the side of the
//! interior, and the next boundary edge below. The winding number of the region below all edges
//! is 0. Each edge adds the sum of its directions from below to above.
//!
//! ```text
//! for each point from left to right:
//!     remove the edges that end at the point
//!     insert the edges that begin there, from below to above
//!     winding above an edge = winding below it + its net direction
//! ```
//!
//! The status is that of the triangulation (`sweep_status.rs`). Each edge is stored as an interval
//! without height.

use alloc::vec::Vec;

use super::super::half_edge::NONE;
use super::super::sweep_status::{ActiveEdge, BOTTOM, InteriorInterval, Status};
use super::FillRule;
use super::arrangement::Arrangement;

/// The regions on both sides of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeRegions {
    /// The winding number above the edge. Above is left of the edge, if the edge is vertical.
    winding_above: i32,
    /// True if the region above the edge is inside, and the same for below.
    pub(super) inside_above: bool,
    pub(super) inside_below: bool,
    /// The nearest boundary edge below the left end of the edge; `NONE` if there is none.
    pub(super) below: u32,
}

impl EdgeRegions {
    /// Returns true if the edge bounds the interior.
    pub(super) fn is_boundary(&self) -> bool {
        self.inside_above != self.inside_below
    }
}

/// Returns the sides of each edge. The edges must be sorted by `Arrangement::sort_edges`.
pub(super) fn interior_sides(arrangement: &Arrangement, rule: FillRule) -> Vec<EdgeRegions> {
    let Arrangement { points, edges, .. } = arrangement;
    let mut status = Status::new();
    let mut sides: Vec<EdgeRegions> = Vec::with_capacity(edges.len());
    for (v, &p) in points.iter().enumerate() {
        let mut k = status.search(p);
        // The ends of removed edges are points too, and may lie on an edge. They end and begin nothing.
        while status.at(k).bounds[0].line.right == p {
            let below = status.at(k).below;
            status.remove(k);
            k = below;
        }
        while let Some(edge) = edges.get(sides.len()).filter(|e| e.from as usize == v) {
            let (winding_below, below) = match status.at(k).bounds[0].edge {
                _ if k == BOTTOM => (0, NONE),
                e if sides[e as usize].is_boundary() => (sides[e as usize].winding_above, e),
                e => (sides[e as usize].winding_above, sides[e as usize].below),
            };
            let line = ActiveEdge { left: p, right: points[edge.to as usize] };
            let id = sides.len() as u32;
            k = status.insert_above(k, InteriorInterval::without_height(line, id));
            let winding_above = winding_below + edge.net;
            let (inside_above, inside_below) = (rule.is_inside(winding_above), rule.is_inside(winding_below));
            sides.push(EdgeRegions { winding_above, inside_above, inside_below, below });
        }
    }
    sides
}
