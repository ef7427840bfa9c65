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
use super::monotone::ChainSide::{self, Lower, Upper};
use super::monotone::{MonotonePieces, PieceVertex, ReflexChain};
use super::sweep_status::{ActiveEdge, Bound, InteriorInterval, Status};
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
                    k.side(Upper, p) == Ordering::Less && self.status.at(k.below).side(Upper, p) == Ordering::Greater;
                if between {
                    self.append(entering, v, Lower);
                }
                Ok(between)
            }
            (false, true) => {
                let k = self.status.at(leaving);
                let between =
                    k.side(Lower, p) == Ordering::Greater && self.status.at(k.above).side(Lower, p) == Ordering::Less;
                if between {
                    self.append(leaving, v, Upper);
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
        match (found.side(Lower, p), found.side(Upper, p)) {
            (Ordering::Greater, Ordering::Less) if bend == Ordering::Less => {
                self.split(k, v);
                true
            }
            (Ordering::Greater, Ordering::Greater) if bend == Ordering::Greater => {
                let between = self.status.at(found.above).side(Lower, p) == Ordering::Less;
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
            let between = below.side(Upper, p) == Ordering::Greater && above.side(Lower, p) == Ordering::Less;
            if between {
                self.end(low, v)?;
            }
            return Ok(between);
        }
        let between = l.above == high && l.side(Lower, p) == Ordering::Greater && h.side(Upper, p) == Ordering::Less;
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

    /// Sets one bound of an interval: the edge from `v` to the right. It ends at the next vertex of the ring if it is
    /// the lower bound, else at the previous one.
    fn set_bound(&mut self, k: u32, v: u32, side: ChainSide) {
        let prev = self.rings.prev[v as usize];
        let (edge, end) = if side == Lower { (v, self.rings.next[v as usize]) } else { (prev, prev) };
        let line = ActiveEdge { left: self.point(v), right: self.point(end) };
        self.interval[edge as usize] = k;
        self.status.at_mut(k).bounds[side as usize] = Bound { line, edge };
    }

    /// Processes a regular vertex on the lower or the upper edge of an interval.
    #[inline]
    pub(super) fn append(&mut self, k: u32, v: u32, side: ChainSide) {
        let vertex = self.piece_vertex(v);
        let chain = self.extend(k, vertex, side);
        self.set_pieces(k, [chain; 2], false);
        self.set_bound(k, v, side);
    }

    /// Adds a vertex on one edge of an interval to the piece at the other edge. If the interval is merged, the piece at
    /// the edge ends at the vertex.
    #[inline]
    fn extend(&mut self, k: u32, vertex: PieceVertex, side: ChainSide) -> ReflexChain {
        let InteriorInterval { merged, pieces, .. } = *self.status.at(k);
        let edge = self.pieces.mesh.edge();
        let link = if merged { self.end_piece(pieces, vertex, side, edge) } else { edge };
        self.pieces.append(pieces[1 - side as usize], vertex, side, link)
    }

    /// Ends the piece at one edge of a merged interval at a vertex. Returns the other piece's half-edge of the new
    /// diagonal.
    fn end_piece(&mut self, pieces: [ReflexChain; 2], vertex: PieceVertex, side: ChainSide, edge: u32) -> u32 {
        let [below, above] = self.pieces.mesh.diagonal();
        let (lower, upper, other) = if side == Lower { (edge, below, above) } else { (above, edge, below) };
        let _ = self.pieces.end(pieces[side as usize], vertex, lower, upper);
        other
    }

    fn set_pieces(&mut self, k: u32, pieces: [ReflexChain; 2], merged: bool) {
        let interval = self.status.at_mut(k);
        (interval.pieces, interval.merged) = (pieces, merged);
    }

    /// Inserts an interval above another one, and returns its id.
    pub(super) fn start(&mut self, below: u32, v: u32) -> u32 {
        let pieces = [self.pieces.begin(self.piece_vertex(v)); 2];
        let interval = InteriorInterval { pieces, merged: false, ..*self.status.at(below) };
        let k = self.status.insert_above(below, interval);
        self.set_bound(k, v, Lower);
        self.set_bound(k, v, Upper);
        k
    }

    /// Splits an interval in two, around the edges that begin at a vertex inside it.
    pub(super) fn split(&mut self, k: u32, v: u32) {
        let vertex = self.piece_vertex(v);
        let interval = *self.status.at(k);
        let [low, high] = interval.pieces;
        let (low, high) = if interval.merged {
            let [below, above] = self.pieces.mesh.diagonal();
            let low = self.pieces.append(low, vertex, Upper, below);
            (low, self.pieces.append(high, vertex, Lower, above))
        } else {
            self.pieces.split(low, vertex)
        };
        let upper = self.status.insert_above(k, InteriorInterval { pieces: [high; 2], merged: false, ..interval });
        self.interval[interval.bounds[1].edge as usize] = upper;
        self.set_pieces(k, [low; 2], false);
        self.set_bound(k, v, Upper);
        self.set_bound(upper, v, Lower);
    }

    /// Removes an interval that ends at a vertex.
    pub(super) fn end(&mut self, k: u32, v: u32) -> Result<(), InvalidAt> {
        let vertex = self.piece_vertex(v);
        let InteriorInterval { merged, pieces, .. } = *self.status.at(k);
        let (lower, upper) = (self.pieces.mesh.edge(), self.pieces.mesh.edge());
        let link = if merged { self.end_piece(pieces, vertex, Lower, lower) } else { lower };
        self.pieces.end(pieces[1], vertex, link, upper).ok_or(InvalidAt { vertex: v })?;
        self.status.remove(k);
        Ok(())
    }

    /// Joins two neighbouring intervals at a vertex between them.
    pub(super) fn merge(&mut self, below: u32, above: u32, v: u32) {
        let vertex = self.piece_vertex(v);
        let pieces = [self.extend(below, vertex, Upper), self.extend(above, vertex, Lower)];
        let bound = self.status.at(above).bounds[1];
        self.status.remove(above);
        self.interval[bound.edge as usize] = below;
        self.status.at_mut(below).bounds[1] = bound;
        self.set_pieces(below, pieces, true);
    }
}
