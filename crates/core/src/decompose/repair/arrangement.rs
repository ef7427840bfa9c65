//! Stores the arrangement: distinct points, and edges between them with directions.
//!
//! Input: rings. Output: their edges, each from its lower to its higher point in the order x, then y.
//! Edges along the same line between the same points are merged. An edge whose directions cancel
//! bounds nothing, so it is removed: this also removes spikes.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec2;

use super::super::half_edge::NONE;
use super::super::radix_sort;
use super::{FillRule, RepairChanges};
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::predicates::{are_collinear, orientation};
use crate::math::sort::sort_cold;

/// An edge of the arrangement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Point indices; `from` comes first in the order of the points.
    pub(super) from: u32,
    pub(super) to: u32,
    /// Number of rings that pass from `from` to `to`, minus the number that pass the other way.
    pub(super) net: i32,
    /// The input edge to which it belongs: the first one, if it is `shared`.
    pub(super) origin: u32,
    /// True if several input edges lie on it.
    pub(super) shared: bool,
}

/// The points and edges of all rings.
pub(super) struct Arrangement {
    /// Distinct points, sorted by x, then y.
    pub(super) points: Vec<DVec2>,
    /// The edges of each ring in order.
    pub(super) edges: Vec<Edge>,
    /// The point of each input vertex. Input edge `i` begins at input vertex `i`.
    pub(super) vertices: Vec<u32>,
    /// The range of input vertices of each ring.
    pub(super) rings: Vec<Range<usize>>,
    /// Number of edges that were merged with an equal one.
    pub(super) overlaps: usize,
}

impl Arrangement {
    /// Takes over the rings that have area, without repeated points.
    pub(super) fn new(rings: &[Vec<DVec2>], changes: &mut RepairChanges) -> Self {
        let mut points: Vec<DVec2> = Vec::new();
        let mut ranges = Vec::new();
        for ring in rings {
            let start = points.len();
            for (i, &p) in ring.iter().enumerate() {
                if i == 0 || ring[i - 1] != p {
                    points.push(p);
                }
            }
            while points.len() > start + 1 && points.last() == points.get(start) {
                points.pop();
            }
            changes.duplicate_points += ring.len() - (points.len() - start);
            if are_collinear(points[start..].iter().copied()) {
                changes.flat_rings += 1;
                points.truncate(start);
            } else {
                ranges.push(start..points.len());
            }
        }
        let vertices = (0..points.len() as u32).collect();
        let mut arrangement = Self { points, edges: Vec::new(), vertices, rings: ranges, overlaps: 0 };
        arrangement.sort_points();
        for ring in arrangement.rings.clone() {
            for origin in ring.clone() {
                let [from, to] = both([origin, next(&ring, origin)], |i| arrangement.vertices[i]);
                arrangement.edges.push(Edge { from, to, net: 1, origin: origin as u32, shared: false }.low_to_high());
            }
        }
        arrangement
    }

    /// Sorts the points, drops repeated ones, and renumbers the input vertices. Returns the new index
    /// of each point. Of equal points, the first one stays.
    pub(super) fn sort_points(&mut self) -> Vec<u32> {
        let order = radix_sort::sort_by_xy(&self.points);
        let mut index = vec![0; order.len()];
        let mut sorted: Vec<DVec2> = Vec::with_capacity(order.len());
        for &i in &order {
            let p = self.points[i as usize];
            if sorted.last() != Some(&p) {
                sorted.push(p);
            }
            index[i as usize] = sorted.len() as u32 - 1;
        }
        self.points = sorted;
        for vertex in &mut self.vertices {
            *vertex = index[*vertex as usize];
        }
        index
    }

    /// Merges edges between the same points. Removes merged edges that do not change the winding number (non-zero rule)
    /// or its parity (even-odd rule).
    pub(super) fn merge_edges(&mut self, rule: FillRule) {
        let key = |e: &Edge| u64::from(e.from) << 32 | u64::from(e.to);
        let mut order: Vec<(u64, u32)> = mapped(self.edges.iter().enumerate(), |(i, e)| (key(e), i as u32));
        sort_cold(&mut order, Ord::cmp);
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            let first = group[0].1 as usize;
            self.overlaps += group.len() - 1;
            for &(_, i) in &group[1..] {
                self.edges[first].net += core::mem::take(&mut self.edges[i as usize].net);
                self.edges[first].shared = true;
            }
        }
        // A sum of directions of 0 changes no winding number; an even one changes no parity.
        self.edges.retain(|e| rule.is_inside(e.net));
    }

    /// Sorts the edges by the point where they begin, those of one point from below to above.
    pub(super) fn sort_edges(&mut self) {
        let points = &self.points;
        let at = |i: u32| points[i as usize];
        sort_cold(&mut self.edges, |a, b| {
            a.from.cmp(&b.from).then_with(|| orientation(at(a.from), at(b.to), at(a.to)))
        });
    }

    /// Returns the number of the passage to which an edge belongs at one of its ends. Both edges of
    /// a passage have the same number. At an input vertex it is the index of the vertex. On a split
    /// input edge it is the number of input vertices plus the index of the edge. Returns `NONE` for
    /// an edge that several input edges share.
    pub(super) fn passage(&self, edge: &Edge, end: u32) -> u32 {
        if edge.shared {
            return NONE;
        }
        let origin = edge.origin as usize;
        let next = next(&self.rings[self.ring_of(edge.origin)], origin);
        if self.vertices[origin] == end {
            edge.origin
        } else if self.vertices[next] == end {
            next as u32
        } else {
            self.vertices.len() as u32 + edge.origin
        }
    }

    /// Returns the ring of an input vertex.
    pub(super) fn ring_of(&self, vertex: u32) -> usize {
        self.rings.partition_point(|r| r.end <= vertex as usize)
    }
}

impl Edge {
    /// Returns the edge with its ends in the order of the points.
    pub(super) fn low_to_high(self) -> Self {
        if self.from < self.to { self } else { Self { from: self.to, to: self.from, net: -self.net, ..self } }
    }

    /// Returns the end that is not `end`.
    pub(super) fn other_end(&self, end: u32) -> u32 {
        if self.from == end { self.to } else { self.from }
    }
}

/// Returns the vertex after a vertex of a ring.
fn next(ring: &Range<usize>, vertex: usize) -> usize {
    if vertex + 1 == ring.end { ring.start } else { vertex + 1 }
}
