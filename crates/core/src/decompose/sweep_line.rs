//! One sweep from left to right that checks an outline and cuts it into triangles.
//!
//! ```text
//! for each vertex from left to right:
//!     regular vertex    its interval goes on with the next edge
//!     start, split      search; a new interval, or one cut in two along the line to its last vertex
//!     end, merge        an interval ends, or two become one whose next vertex is joined with this one
//!     it must lie strictly between the edges next to it, else edges cross or touch there
//! ```
//!
//! (Hertel and Mehlhorn 1983; the checks are those of Shamos and Hoey 1976, asked at vertices only: two edges that have crossed stay in the
//! wrong order, and the end of one of them is then found on the wrong side of a neighbour.)
//!
//! Where vertices lie on each other or on edges, `noding.rs` first parts them.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::half_edge::{Mesh, NONE};
use super::monotone::{Corner, MonotonePieces, ReflexChain, Side};
use super::sweep_status::{ActiveEdge, InteriorInterval, Status};
use crate::math::predicates::orientation;

/// The rings of an outline, interior to their left: vertices numbered in the order of the sweep.
pub(super) struct Rings {
    pub(super) points: Vec<DVec2>,
    pub(super) next: Vec<u32>,
    pub(super) prev: Vec<u32>,
}

/// The vertex at which a sweep found that the rings bound no area.
#[derive(Clone, Copy, Debug)]
pub(super) struct InvalidAt {
    pub(super) vertex: u32,
}

pub(super) struct SweepLine<'a> {
    pub(super) rings: &'a mut Rings,
    /// For each edge (by the vertex it begins at) the interval that it bounds, from its left end on.
    pub(super) interval: Vec<u32>,
    /// What a vertex is called in the mesh: vertices of one place share a name.
    pub(super) name: Vec<u32>,
    pub(super) status: Status,
    pub(super) pieces: MonotonePieces,
}

/// The triangles of the interior.
pub(super) fn triangulate(rings: &mut Rings, holes: usize) -> Result<Mesh, InvalidAt> {
    let n = rings.points.len();
    let mut sweep = SweepLine {
        interval: alloc::vec![NONE; n],
        name: (0..n as u32).collect(),
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
            sweep.touch(v as u32..end as u32)?;
        }
        v = end;
    }
    Ok(sweep.pieces.mesh)
}

impl SweepLine<'_> {
    /// A vertex that lies alone, strictly between the edges next to it; `false` if something touches it (or is wrong).
    #[inline]
    fn step(&mut self, v: u32, p: DVec2) -> Result<bool, InvalidAt> {
        let (entering, leaving) = (self.interval[self.rings.prev[v as usize] as usize], self.interval[v as usize]);
        match (entering != NONE, leaving != NONE) {
            (true, false) => {
                let k = self.status.at(entering);
                let between =
                    k.upper.side(p) == Ordering::Less && self.status.at(k.below).upper.side(p) == Ordering::Greater;
                if between {
                    self.go_on_below(entering, v);
                }
                Ok(between)
            }
            (false, true) => {
                let k = self.status.at(leaving);
                let between =
                    k.lower.side(p) == Ordering::Greater && self.status.at(k.above).lower.side(p) == Ordering::Less;
                if between {
                    self.go_on_above(leaving, v);
                }
                Ok(between)
            }
            (false, false) => Ok(self.open(v, p)),
            (true, true) => self.close(v, p, leaving, entering),
        }
    }

    /// Both edges lead to the right.
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

    /// Both edges come from the left: `low` lies below the upper one, `high` above the lower one.
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

    fn corner(&self, v: u32) -> Corner {
        Corner { point: self.point(v), vertex: self.name[v as usize] }
    }

    /// The edge from a vertex to the right, to the next vertex: it bounds the interval from below.
    fn bound_below(&mut self, k: u32, v: u32) {
        let span = ActiveEdge { left: self.point(v), right: self.point(self.rings.next[v as usize]) };
        self.interval[v as usize] = k;
        let interval = self.status.at_mut(k);
        (interval.lower, interval.lower_edge) = (span, v);
    }

    /// The edge from a vertex to the right, to the one before it: it bounds the interval from above.
    fn bound_above(&mut self, k: u32, v: u32) {
        let edge = self.rings.prev[v as usize];
        let span = ActiveEdge { left: self.point(v), right: self.point(edge) };
        self.interval[edge as usize] = k;
        let interval = self.status.at_mut(k);
        (interval.upper, interval.upper_edge) = (span, edge);
    }

    /// A regular vertex on the lower edge of an interval.
    pub(super) fn go_on_below(&mut self, k: u32, v: u32) {
        let corner = self.corner(v);
        let InteriorInterval { merged, low, high, .. } = *self.status.at(k);
        let edge = self.pieces.mesh.edge();
        let link = if merged { self.part_low(low, corner, edge) } else { edge };
        let high = self.pieces.append(high, corner, Side::Lower, link);
        self.set(k, high, high, false);
        self.bound_below(k, v);
    }

    /// A regular vertex on the upper edge of an interval.
    pub(super) fn go_on_above(&mut self, k: u32, v: u32) {
        let corner = self.corner(v);
        let InteriorInterval { merged, low, high, .. } = *self.status.at(k);
        let edge = self.pieces.mesh.edge();
        let link = if merged { self.part_high(high, corner, edge) } else { edge };
        let low = self.pieces.append(low, corner, Side::Upper, link);
        self.set(k, low, low, false);
        self.bound_above(k, v);
    }

    /// Ends the lower piece of a merged interval at a corner, and gives the upper one's side along the line between them.
    fn part_low(&mut self, low: ReflexChain, corner: Corner, edge: u32) -> u32 {
        let [below, above] = self.pieces.mesh.diagonal();
        let _ = self.pieces.end(low, corner, edge, below);
        above
    }

    fn part_high(&mut self, high: ReflexChain, corner: Corner, edge: u32) -> u32 {
        let [below, above] = self.pieces.mesh.diagonal();
        let _ = self.pieces.end(high, corner, above, edge);
        below
    }

    fn set(&mut self, k: u32, low: ReflexChain, high: ReflexChain, merged: bool) {
        let interval = self.status.at_mut(k);
        (interval.low, interval.high, interval.merged) = (low, high, merged);
    }

    /// An interval begins above another one.
    pub(super) fn start(&mut self, below: u32, v: u32) -> u32 {
        let chain = self.pieces.begin(self.corner(v));
        let k = self
            .status
            .insert_above(below, InteriorInterval { low: chain, high: chain, merged: false, ..*self.status.at(below) });
        self.bound_below(k, v);
        self.bound_above(k, v);
        k
    }

    /// An interval becomes two, around the edges that begin at a vertex inside it.
    pub(super) fn split(&mut self, k: u32, v: u32) {
        let corner = self.corner(v);
        let interval = *self.status.at(k);
        let (low, high) = if interval.merged {
            let [below, above] = self.pieces.mesh.diagonal();
            let low = self.pieces.append(interval.low, corner, Side::Upper, below);
            (low, self.pieces.append(interval.high, corner, Side::Lower, above))
        } else {
            self.pieces.split(interval.low, corner)
        };
        let upper = self.status.insert_above(k, InteriorInterval { low: high, high, merged: false, ..interval });
        self.interval[interval.upper_edge as usize] = upper;
        self.set(k, low, low, false);
        self.bound_above(k, v);
        self.bound_below(upper, v);
    }

    /// An interval ends at a vertex.
    pub(super) fn end(&mut self, k: u32, v: u32) -> Result<(), InvalidAt> {
        let corner = self.corner(v);
        let InteriorInterval { merged, low, high, .. } = *self.status.at(k);
        let (lower, upper) = (self.pieces.mesh.edge(), self.pieces.mesh.edge());
        let link = if merged { self.part_low(low, corner, lower) } else { lower };
        self.pieces.end(high, corner, link, upper).ok_or(InvalidAt { vertex: v })?;
        self.status.remove(k);
        Ok(())
    }

    /// Two neighbouring intervals become one behind a vertex between them.
    pub(super) fn merge(&mut self, below: u32, above: u32, v: u32) {
        let corner = self.corner(v);
        let (b, a) = (*self.status.at(below), *self.status.at(above));
        let (upper, lower) = (self.pieces.mesh.edge(), self.pieces.mesh.edge());
        let link = if b.merged { self.part_high(b.high, corner, upper) } else { upper };
        let low = self.pieces.append(b.low, corner, Side::Upper, link);
        let link = if a.merged { self.part_low(a.low, corner, lower) } else { lower };
        let high = self.pieces.append(a.high, corner, Side::Lower, link);
        self.status.remove(above);
        self.interval[a.upper_edge as usize] = below;
        let interval = self.status.at_mut(below);
        (interval.upper, interval.upper_edge) = (a.upper, a.upper_edge);
        self.set(below, low, high, true);
    }
}
