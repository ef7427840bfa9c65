//! Sweeps the plane from left to right: validates a polygon with holes and triangulates it.
//!
//! Input: the rings, with vertices sorted by x, then y. Output: a triangle mesh, or the vertex at
//! which the rings are invalid. The sweep is that of S. Hertel and K. Mehlhorn, *Fast triangulation
//! of simple polygons*, 1983. Its status contains the intervals of the interior on the sweep line;
//! each grows one monotone piece (`monotone.rs`).
//!
//! The simple version is ear clipping:
//!
//! ```text
//! while there are more than three vertices
//!     cut off a convex vertex whose triangle contains no other vertex
//! ```
//!
//! It takes O(n²) time, needs bridges to the holes, and does not detect invalid rings. The sweep
//! takes O(n log n) time:
//!
//! ```text
//! for each vertex v from left to right:
//!     v must lie strictly between its neighbours in the status, else the polygon is invalid
//!     regular (one edge from the left, one to the right): replace the edge in its interval
//!     start (both edges to the right, interior between):  insert a new interval
//!     split (both edges to the right, interior around):   cut the interval in two, with a
//!                                                         diagonal to its last vertex
//!     end   (both edges from the left, interior between): remove the interval
//!     merge (both edges from the left, interior around):  join both intervals; the next vertex
//!                                                         of the interval gets a diagonal to v
//! ```
//!
//! The validity tests are those of M. I. Shamos and D. Hoey, *Geometric intersection problems*,
//! 1976, but at vertices only. Two edges that have crossed stay in the wrong order. The end of one
//! of them is then on the wrong side of a neighbour, and is found there.
//!
//! If vertices lie on other vertices or on edges, `noding.rs` first splits them.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::half_edge::{Mesh, NONE};
use super::monotone::{ChainSide, MonotonePieces, PieceVertex, ReflexChain};
use super::sweep_status::{ActiveEdge, InteriorInterval, Status};
use crate::math::predicates::orientation;

/// The rings of a polygon, with the interior on their left. Vertices are numbered in the order of
/// the sweep.
pub(super) struct Rings {
    pub(super) points: Vec<DVec2>,
    pub(super) next: Vec<u32>,
    pub(super) prev: Vec<u32>,
}

/// The vertex at which the sweep found that the rings are invalid.
#[derive(Clone, Copy, Debug)]
pub(super) struct InvalidAt {
    pub(super) vertex: u32,
}

pub(super) struct SweepLine<'a> {
    pub(super) rings: &'a mut Rings,
    /// For each active edge (by the vertex at which it begins): the interval that it bounds. `NONE`
    /// for all other edges.
    pub(super) interval: Vec<u32>,
    /// Number of each vertex in the mesh. Vertices at one position share a number.
    pub(super) mesh_vertex: Vec<u32>,
    pub(super) status: Status,
    pub(super) pieces: MonotonePieces,
}

/// Triangulates the interior of the rings.
pub(super) fn triangulate(rings: &mut Rings, holes: usize) -> Result<Mesh, InvalidAt> {
    let n = rings.points.len();
    let mut sweep = SweepLine {
        interval: alloc::vec![NONE; n],
        mesh_vertex: (0..n as u32).collect(),
        status: Status::new(),
        pieces: MonotonePieces::with_capacity(n + 2 * holes),
        rings,
    };
    let mut v = 0;
    while v < n {
        let p = sweep.rings.points[v];
        let mut end = v + 1;
        while end < n && sweep.rings.points[end] == p {
            end += 1;
        }
        if end - v > 1 || !sweep.step(v as u32, p)? {
            sweep.step_touching(v as u32..end as u32)?;
        }
        v = end;
    }
    Ok(sweep.pieces.mesh)
}

impl SweepLine<'_> {
    /// Processes a vertex that lies strictly between its neighbours in the status. Returns false if
    /// something touches the vertex, or the rings are invalid here.
    #[inline]
    fn step(&mut self, v: u32, p: DVec2) -> Result<bool, InvalidAt> {
        let (entering, leaving) = (self.interval[self.rings.prev[v as usize] as usize], self.interval[v as usize]);
        match (entering != NONE, leaving != NONE) {
            (true, false) => {
                let k = self.status.at(entering);
                let between =
                    k.upper.side(p) == Ordering::Less && self.status.at(k.below).upper.side(p) == Ordering::Greater;
                if between {
                    self.append_lower(entering, v);
                }
                Ok(between)
            }
            (false, true) => {
                let k = self.status.at(leaving);
                let between =
                    k.lower.side(p) == Ordering::Greater && self.status.at(k.above).lower.side(p) == Ordering::Less;
                if between {
                    self.append_upper(leaving, v);
                }
                Ok(between)
            }
            (false, false) => Ok(self.open(v, p)),
            (true, true) => self.close(v, p, leaving, entering),
        }
    }

    /// Processes a start or split vertex: both edges lead to the right.
    fn open(&mut self, v: u32, p: DVec2) -> bool {
        let (u, w) = (self.point(self.rings.prev[v as usize]), self.point(self.rings.next[v as usize]));
        let bend = orientation(u, p, w);
        let k = self.status.search(p);
        let found = self.status.at(k);
        match (found.lower.side(p), found.upper.side(p)) {
            (Ordering::Greater, Ordering::Less) if bend == Ordering::Less => {
                self.split(k, v);
                true
            }
            (Ordering::Greater, Ordering::Greater) if bend == Ordering::Greater => {
                let between = self.status.at(found.above).lower.side(p) == Ordering::Less;
                if between {
                    self.start(k, v);
                }
                between
            }
            _ => false,
        }
    }

    /// Processes an end or merge vertex: both edges come from the left. `low` is the interval below
    /// the upper edge, `high` the one above the lower edge.
    fn close(&mut self, v: u32, p: DVec2, low: u32, high: u32) -> Result<bool, InvalidAt> {
        let (l, h) = (self.status.at(low), self.status.at(high));
        if low == high {
            let (below, above) = (self.status.at(l.below), self.status.at(l.above));
            let between = below.upper.side(p) == Ordering::Greater && above.lower.side(p) == Ordering::Less;
            if between {
                self.end(low, v)?;
            }
            return Ok(between);
        }
        let between = l.above == high && l.lower.side(p) == Ordering::Greater && h.upper.side(p) == Ordering::Less;
        if between {
            self.merge(low, high, v);
        }
        Ok(between)
    }

    pub(super) fn point(&self, v: u32) -> DVec2 {
        self.rings.points[v as usize]
    }

    fn piece_vertex(&self, v: u32) -> PieceVertex {
        PieceVertex { point: self.point(v), vertex: self.mesh_vertex[v as usize] }
    }

    /// Sets the lower bound of an interval: the edge from `v` to the right, which ends at the next
    /// vertex of the ring.
    fn bound_below(&mut self, k: u32, v: u32) {
        let span = ActiveEdge { left: self.point(v), right: self.point(self.rings.next[v as usize]) };
        self.interval[v as usize] = k;
        let interval = self.status.at_mut(k);
        (interval.lower, interval.lower_edge) = (span, v);
    }

    /// Sets the upper bound of an interval: the edge from `v` to the right, which ends at the
    /// previous vertex of the ring.
    fn bound_above(&mut self, k: u32, v: u32) {
        let edge = self.rings.prev[v as usize];
        let span = ActiveEdge { left: self.point(v), right: self.point(edge) };
        self.interval[edge as usize] = k;
        let interval = self.status.at_mut(k);
        (interval.upper, interval.upper_edge) = (span, edge);
    }

    /// Processes a regular vertex on the lower edge of an interval.
    pub(super) fn append_lower(&mut self, k: u32, v: u32) {
        let vertex = self.piece_vertex(v);
        let InteriorInterval { merged, low, high, .. } = *self.status.at(k);
        let edge = self.pieces.mesh.edge();
        let link = if merged { self.end_low_piece(low, vertex, edge) } else { edge };
        let high = self.pieces.append(high, vertex, ChainSide::Lower, link);
        self.set(k, high, high, false);
        self.bound_below(k, v);
    }

    /// Processes a regular vertex on the upper edge of an interval.
    pub(super) fn append_upper(&mut self, k: u32, v: u32) {
        let vertex = self.piece_vertex(v);
        let InteriorInterval { merged, low, high, .. } = *self.status.at(k);
        let edge = self.pieces.mesh.edge();
        let link = if merged { self.end_high_piece(high, vertex, edge) } else { edge };
        let low = self.pieces.append(low, vertex, ChainSide::Upper, link);
        self.set(k, low, low, false);
        self.bound_above(k, v);
    }

    /// Ends the lower piece of a merged interval at a vertex. Returns the upper piece's half-edge
    /// of the new diagonal.
    fn end_low_piece(&mut self, low: ReflexChain, vertex: PieceVertex, edge: u32) -> u32 {
        let [below, above] = self.pieces.mesh.diagonal();
        let _ = self.pieces.end(low, vertex, edge, below);
        above
    }

    /// Ends the upper piece of a merged interval at a vertex. Returns the lower piece's half-edge
    /// of the new diagonal.
    fn end_high_piece(&mut self, high: ReflexChain, vertex: PieceVertex, edge: u32) -> u32 {
        let [below, above] = self.pieces.mesh.diagonal();
        let _ = self.pieces.end(high, vertex, above, edge);
        below
    }

    fn set(&mut self, k: u32, low: ReflexChain, high: ReflexChain, merged: bool) {
        let interval = self.status.at_mut(k);
        (interval.low, interval.high, interval.merged) = (low, high, merged);
    }

    /// Inserts an interval above another one, and returns its id.
    pub(super) fn start(&mut self, below: u32, v: u32) -> u32 {
        let chain = self.pieces.begin(self.piece_vertex(v));
        let k = self
            .status
            .insert_above(below, InteriorInterval { low: chain, high: chain, merged: false, ..*self.status.at(below) });
        self.bound_below(k, v);
        self.bound_above(k, v);
        k
    }

    /// Splits an interval in two, around the edges that begin at a vertex inside it.
    pub(super) fn split(&mut self, k: u32, v: u32) {
        let vertex = self.piece_vertex(v);
        let interval = *self.status.at(k);
        let (low, high) = if interval.merged {
            let [below, above] = self.pieces.mesh.diagonal();
            let low = self.pieces.append(interval.low, vertex, ChainSide::Upper, below);
            (low, self.pieces.append(interval.high, vertex, ChainSide::Lower, above))
        } else {
            self.pieces.split(interval.low, vertex)
        };
        let upper = self.status.insert_above(k, InteriorInterval { low: high, high, merged: false, ..interval });
        self.interval[interval.upper_edge as usize] = upper;
        self.set(k, low, low, false);
        self.bound_above(k, v);
        self.bound_below(upper, v);
    }

    /// Removes an interval that ends at a vertex.
    pub(super) fn end(&mut self, k: u32, v: u32) -> Result<(), InvalidAt> {
        let vertex = self.piece_vertex(v);
        let InteriorInterval { merged, low, high, .. } = *self.status.at(k);
        let (lower, upper) = (self.pieces.mesh.edge(), self.pieces.mesh.edge());
        let link = if merged { self.end_low_piece(low, vertex, lower) } else { lower };
        self.pieces.end(high, vertex, link, upper).ok_or(InvalidAt { vertex: v })?;
        self.status.remove(k);
        Ok(())
    }

    /// Joins two neighbouring intervals at a vertex between them.
    pub(super) fn merge(&mut self, below: u32, above: u32, v: u32) {
        let vertex = self.piece_vertex(v);
        let (b, a) = (*self.status.at(below), *self.status.at(above));
        let (upper, lower) = (self.pieces.mesh.edge(), self.pieces.mesh.edge());
        let link = if b.merged { self.end_high_piece(b.high, vertex, upper) } else { upper };
        let low = self.pieces.append(b.low, vertex, ChainSide::Upper, link);
        let link = if a.merged { self.end_low_piece(a.low, vertex, lower) } else { lower };
        let high = self.pieces.append(a.high, vertex, ChainSide::Lower, link);
        self.status.remove(above);
        self.interval[a.upper_edge as usize] = below;
        let interval = self.status.at_mut(below);
        (interval.upper, interval.upper_edge) = (a.upper, a.upper_edge);
        self.set(below, low, high, true);
    }
}
