//! Links boundary edges to rings, and rings to polygons with holes.
//!
//! Input: an arrangement and the sides of its edges. Output: rings of points, grouped by polygon, the
//! outer ring first. Each edge is passed with the interior on its left.
//!
//! Most points have two boundary edges, so the next edge is clear. At other points, the rings of the
//! input pass on as they came, if no two of them cross there. Else each edge goes on to the edge that
//! bounds the same sector of the interior, so that pieces that only touch become separate rings.
//!
//! Edges are numbered by the sweep. So the first edge of a ring leaves its leftmost point, with no other
//! edge of the ring below. If the interior is above this edge, the ring is an outer ring. Else it is
//! a hole of the polygon that the next boundary edge below belongs to.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::super::half_edge::NONE;
use super::arrangement::{Arrangement, Edge};
use super::winding::EdgeRegions;
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::predicates::orientation;
use crate::math::sort::{sort_cold, sort_pairs};

/// The polygons that the boundary edges form.
pub(super) struct Outlines {
    /// Rings of each polygon, the outer ring first.
    pub(super) polygons: Vec<Vec<Vec<DVec2>>>,
    /// Number of input rings with an edge on the boundary.
    pub(super) contributing_rings: usize,
}

/// A ring of the result, and its index in the output.
#[derive(Default)]
struct Ring {
    points: Vec<DVec2>,
    /// The lowest input vertex of the ring; `NONE` if it has none.
    first: u32,
}

/// The boundary edges, each directed so that the interior is on its left.
struct Boundary<'a> {
    arrangement: &'a Arrangement,
    sides: &'a [EdgeRegions],
    /// The edge after each boundary edge along its ring.
    next: Vec<u32>,
}

/// Builds the polygons from the boundary edges.
pub(super) fn outlines(arrangement: &Arrangement, sides: &[EdgeRegions]) -> Outlines {
    let mut boundary = Boundary { arrangement, sides, next: vec![NONE; sides.len()] };
    boundary.link();
    let mut polygons: Vec<Vec<Ring>> = Vec::new();
    let mut polygon_of = vec![NONE; sides.len()];
    let mut contributes = vec![false; arrangement.rings.len()];
    for first in 0..sides.len() as u32 {
        if !sides[first as usize].is_boundary() || polygon_of[first as usize] != NONE {
            continue;
        }
        let polygon = if sides[first as usize].inside_above {
            polygons.push(Vec::new());
            polygons.len() as u32 - 1
        } else {
            polygon_of[sides[first as usize].below as usize]
        };
        let edges = boundary.edges_of_ring(first);
        for &edge in &edges {
            polygon_of[edge as usize] = polygon;
            contributes[arrangement.ring_of(arrangement.edges[edge as usize].origin)] = true;
        }
        polygons[polygon as usize].push(boundary.ring(&edges));
    }
    // In the order of the input; pieces without input vertices last, in the order of the sweep.
    for rings in &mut polygons {
        sort_cold(&mut rings[1..], |p, q| p.first.cmp(&q.first));
    }
    sort_cold(&mut polygons, |p, q| p[0].first.cmp(&q[0].first));
    Outlines {
        polygons: mapped(polygons, |rings| mapped(rings, |ring| ring.points)),
        contributing_rings: contributes.into_iter().filter(|&contributes| contributes).count(),
    }
}

impl Boundary<'_> {
    fn edge(&self, edge: u32) -> &Edge {
        &self.arrangement.edges[edge as usize]
    }

    fn point(&self, index: u32) -> DVec2 {
        self.arrangement.points[index as usize]
    }

    /// Returns the points where a boundary edge begins and ends, with the interior on its left.
    fn ends(&self, edge: u32) -> [u32; 2] {
        let Edge { from, to, .. } = *self.edge(edge);
        if self.sides[edge as usize].inside_above { [from, to] } else { [to, from] }
    }

    /// Finds the next edge of each boundary edge.
    fn link(&mut self) {
        let mut around = Vec::new();
        for (i, side) in self.sides.iter().enumerate() {
            if side.is_boundary() {
                let (edge, i) = (&self.arrangement.edges[i], i as u32);
                around.push([edge.from, i]);
                around.push([edge.to, i]);
            }
        }
        sort_pairs(&mut around);
        for group in around.chunk_by(|a, b| a[0] == b[0]) {
            let (v, mut edges) = (group[0][0], mapped(group.iter(), |&[_, edge]| edge));
            if edges.len() > 2 {
                self.sort_around(v, &mut edges);
                if self.link_passages(v, &edges) {
                    continue;
                }
            }
            self.link_sectors(v, &edges);
        }
    }

    /// Sorts the edges of a point counter-clockwise, from the direction downward on.
    fn sort_around(&self, v: u32, edges: &mut [u32]) {
        let p = self.point(v);
        let leftward = |edge: u32| self.edge(edge).to == v;
        sort_cold(edges, |&i, &j| {
            let other = |edge: u32| self.point(self.edge(edge).other_end(v));
            leftward(i).cmp(&leftward(j)).then_with(|| orientation(p, other(j), other(i)))
        });
    }

    /// Links the edges of a point as the input rings pass through it. Returns false, and links nothing,
    /// if they cross there or overlap.
    fn link_passages(&mut self, v: u32, edges: &[u32]) -> bool {
        let passage = |&edge: &u32| self.arrangement.passage(self.edge(edge), v);
        let passages: Vec<u32> = mapped(edges.iter(), passage);
        // The ends of the passages must be nested like brackets, an arriving edge with a leaving one.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut links = Vec::new();
        for (&edge, &passage) in edges.iter().zip(&passages) {
            match open.last() {
                Some(&(other, same)) if same == passage && self.leaves(edge, v) != self.leaves(other, v) => {
                    open.pop();
                    links.push(if self.leaves(edge, v) { (other, edge) } else { (edge, other) });
                }
                _ => open.push((edge, passage)),
            }
        }
        if !open.is_empty() || passages.contains(&NONE) {
            return false;
        }
        for (arriving, leaving) in links {
            self.next[arriving as usize] = leaving;
        }
        true
    }

    /// Links each arriving edge with the leaving edge on the other side of the interior sector between
    /// them. The sector is clockwise of the arriving edge.
    fn link_sectors(&mut self, v: u32, edges: &[u32]) {
        for (i, &edge) in edges.iter().enumerate() {
            if !self.leaves(edge, v) {
                self.next[edge as usize] = edges[(i + edges.len() - 1) % edges.len()];
            }
        }
    }

    fn leaves(&self, edge: u32, v: u32) -> bool {
        self.ends(edge)[0] == v
    }

    fn edges_of_ring(&self, first: u32) -> Vec<u32> {
        let mut edges = vec![first];
        let mut edge = self.next[first as usize];
        while edge != first {
            edges.push(edge);
            edge = self.next[edge as usize];
        }
        edges
    }

    /// Returns the points of a ring. Points where other edges touched an input edge, and which lie
    /// exactly on the new edge, are left out.
    fn ring(&self, edges: &[u32]) -> Ring {
        let inputs = self.arrangement.vertices.len() as u32;
        let mut points: Vec<DVec2> = Vec::with_capacity(edges.len());
        let (mut first, mut start) = (NONE, 0);
        let mut before = edges[edges.len() - 1];
        for &edge in edges {
            let [v, to] = self.ends(edge);
            let passages = both([before, edge], |e| self.arrangement.passage(self.edge(e), v));
            before = edge;
            let passage = if passages[0] == passages[1] { passages[0] } else { NONE };
            // The first point is the leftmost one of the ring, so it is never between its neighbours.
            let straight = |&from: &DVec2| orientation(from, self.point(v), self.point(to)) == Ordering::Equal;
            if (inputs..NONE).contains(&passage) && points.last().is_some_and(straight) {
                continue;
            }
            if passage < inputs && passage < first {
                (first, start) = (passage, points.len());
            }
            points.push(self.point(v));
        }
        points.rotate_left(start);
        let along_input = |&edge: &u32| (self.edge(edge).net > 0) == self.sides[edge as usize].inside_above;
        if !edges.iter().any(along_input) {
            points[1..].reverse();
        }
        Ring { points, first }
    }
}
