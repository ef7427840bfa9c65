//! Finds the defect of an invalid polygon and its position, after the sweep has failed.
//!
//! Input: the rings, and the vertex at which the sweep failed. Output: an [`Error`] with kind,
//! vertex and position. The vertex of the sweep is not enough for a message: two edges may have
//! crossed far to its left.
//!
//! The tests run in this order:
//!
//! 1. rings without area
//! 2. edges that cross or overlap
//! 3. rings that pass through themselves or each other at a vertex
//! 4. holes at a wrong position
//!
//! This is slow, but runs only for invalid input.
//!
//! ```text
//! for each ring: error if its points are all equal or collinear
//! for each two edges whose boxes intersect (BVH): error if they cross or overlap
//! for each vertex on another edge, or at its start (BVH): error if the rings cross there
//! error if a hole is at a wrong position
//! else: the outline passes through itself at the vertex of the sweep
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use glam::DVec2;

use super::edge_bvh::{EdgeBvh, edge_box};
use super::rings::DedupedRings;
use crate::error::{Coordinates, Error, ErrorKind};
use crate::math::lists::gather;
use crate::math::predicates::{are_collinear, compare_xy, is_in_box_of, is_on_segment, orientation};
use crate::math::ring::edges;
use crate::math::vector::crossing;

/// Returns the error for invalid rings. `vertex`: index of the point at which the sweep failed.
#[cold]
pub(super) fn diagnose(points: &[DVec2], kept: &DedupedRings, vertex: usize) -> Error {
    for (k, ring) in kept.rings.iter().enumerate() {
        if let Some(error) = zero_area_error(points, &kept.indices[ring.clone()], k) {
            return error;
        }
    }
    let edges = RingEdges::new(kept);
    let lines = gather(points, edges.ends.as_flattened());
    let (lines, _) = lines.as_chunks::<2>();
    let tree = EdgeBvh::new(lines.iter().map(|&[p, q]| edge_box(p, q)));
    if let Some(error) = tree.find_pair(|i, j| edges.crossing_error(lines, i, j)) {
        return error;
    }
    if let Some(vertex) =
        tree.find_pair(|i, j| edges.crossing_vertex(lines, i, j).or_else(|| edges.crossing_vertex(lines, j, i)))
    {
        return passes_through(points, vertex as usize);
    }
    misplaced_hole(points, kept, vertex).unwrap_or_else(|| passes_through(points, vertex))
}

fn passes_through(points: &[DVec2], vertex: usize) -> Error {
    let p = points[vertex];
    let message = format!(
        "the outline crosses itself at vertex {vertex} {:?}, where it passes through itself: reorder or split it",
        Coordinates(p)
    );
    Error::new(ErrorKind::SelfCrossing, message).at_vertex(vertex).at_location(p)
}

/// Returns the name of a ring for messages.
pub(super) fn name(ring: usize) -> String {
    if ring == 0 { String::from("the outer ring") } else { format!("hole {}", ring - 1) }
}

/// Returns the error for a ring without area: all points are equal or collinear.
fn zero_area_error(points: &[DVec2], ring: &[u32], k: usize) -> Option<Error> {
    let (vertex, first) = (ring[0] as usize, points[ring[0] as usize]);
    let ring = ring.iter().map(|&i| points[i as usize]);
    let (kind, what) = if ring.clone().all(|p| p == first) {
        (ErrorKind::ZeroSize, "are the same")
    } else if are_collinear(ring) {
        (ErrorKind::Collinear, "lie on one line")
    } else {
        return None;
    };
    let message =
        format!("{} has no area: all its points {what}, at vertex {vertex} {:?}", name(k), Coordinates(first));
    Some(Error::new(kind, message).at_vertex(vertex).at_location(first))
}

/// All edges of all rings: the point indices of their ends, and the edge range of each ring.
struct RingEdges {
    ends: Vec<[u32; 2]>,
    rings: Vec<Range<usize>>,
}

impl RingEdges {
    fn new(kept: &DedupedRings) -> Self {
        let mut ends = Vec::with_capacity(kept.indices.len());
        for ring in &kept.rings {
            let ring = &kept.indices[ring.clone()];
            (0..ring.len()).for_each(|i| ends.push([ring[i], ring[(i + 1) % ring.len()]]));
        }
        Self { ends, rings: kept.rings.clone() }
    }

    fn ring_of(&self, edge: usize) -> usize {
        self.rings.partition_point(|r| r.end <= edge)
    }

    /// Returns the previous edge of the same ring.
    fn before(&self, edge: usize) -> usize {
        let ring = &self.rings[self.ring_of(edge)];
        if edge == ring.start { ring.end - 1 } else { edge - 1 }
    }

    /// Returns the vertex where edge `i` begins, if the ring crosses edge `j` there. That is: the
    /// vertex lies on edge `j` or at its start, and its two edges are on different sides of the
    /// path along `j`.
    fn crossing_vertex(&self, lines: &[[DVec2; 2]], i: usize, j: usize) -> Option<u32> {
        let ([at, after], [from, to]) = (lines[i], lines[j]);
        if i == j || at == to || !is_on_segment([from, to], at) {
            return None;
        }
        let from = if at == from { lines[self.before(j)][0] } else { from };
        let before = lines[self.before(i)][0];
        (is_left_of_path(at, [from, to], before) != is_left_of_path(at, [from, to], after)).then_some(self.ends[i][0])
    }

    /// Returns the error for two edges that cross or overlap along a length.
    fn crossing_error(&self, lines: &[[DVec2; 2]], i: usize, j: usize) -> Option<Error> {
        let (kind, location) = intersection(lines[i], lines[j])?;
        let (i, j) = (i.min(j), i.max(j));
        let (a, b) = (self.ring_of(i), self.ring_of(j));
        let (subject, object) = if a == b { (name(a), "itself".into()) } else { (name(b), name(a)) };
        let (verb, where_) = match kind {
            ErrorKind::SelfCrossing => ("crosses", "meet"),
            _ => ("lies on", "share a length"),
        };
        let (v, w) = (self.ends[i][0], self.ends[j][0]);
        let message = format!(
            "{subject} {verb} {object} near {:?}, where the edges from vertex {v} and from vertex {w} {where_}: \
             reorder or split it",
            Coordinates(location)
        );
        Some(Error::new(kind, message).at_vertex(v as usize).at_location(location))
    }
}

/// Returns true if a point lies to the left of the path from `from` over `at` to `to`.
fn is_left_of_path(at: DVec2, [from, to]: [DVec2; 2], p: DVec2) -> bool {
    // Left is the sector from the direction to `to`, counter-clockwise, to the direction to `from`.
    match orientation(at, to, from) {
        Ordering::Greater => {
            orientation(at, to, p) == Ordering::Greater && orientation(at, p, from) == Ordering::Greater
        }
        Ordering::Equal => orientation(at, to, p) == Ordering::Greater,
        Ordering::Less => orientation(at, from, p) == Ordering::Less || orientation(at, p, to) == Ordering::Less,
    }
}

/// Returns the position where two segments cross properly, or the first point of their common part
/// if they overlap along a length.
fn intersection([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<(ErrorKind, DVec2)> {
    let sides = [orientation(a, b, c), orientation(a, b, d), orientation(c, d, a), orientation(c, d, b)];
    if sides == [Ordering::Equal; 4] {
        let ends = |p, q| if compare_xy(p, q) == Ordering::Less { (p, q) } else { (q, p) };
        let ((low, high), (from, to)) = (ends(a, b), ends(c, d));
        let first = if compare_xy(low, from) == Ordering::Less { from } else { low };
        let last = if compare_xy(high, to) == Ordering::Less { high } else { to };
        return (compare_xy(first, last) == Ordering::Less).then_some((ErrorKind::OverlappingEdges, first));
    }
    let crosses = !sides.contains(&Ordering::Equal) && sides[0] != sides[1] && sides[2] != sides[3];
    crosses.then(|| (ErrorKind::SelfCrossing, crossing([a, b], [c, d])))
}

/// Returns the error for a hole that is outside the outer ring, inside another hole, or around one.
fn misplaced_hole(points: &[DVec2], kept: &DedupedRings, vertex: usize) -> Option<Error> {
    let ring = |k: usize| gather(points, &kept.indices[kept.rings[k].clone()]);
    let own = kept.rings.iter().position(|r| kept.indices[r.clone()].contains(&(vertex as u32)))?;
    let holes = if own == 0 { 1..kept.rings.len() } else { own..own + 1 };
    for hole in holes {
        let outer = ring(0);
        let inner = ring(hole);
        let first = kept.indices[kept.rings[hole].start] as usize;
        let refuse = |p: DVec2, what: String| {
            let message = format!(
                "{} lies {what} at {:?}: leave it out, or give it as an outline of its own",
                name(hole),
                Coordinates(p)
            );
            Some(Error::new(ErrorKind::MisplacedHole, message).at_vertex(first).at_location(p))
        };
        let find = |points: &[DVec2], ring: &[DVec2], at| points.iter().copied().find(|&p| side(ring, p) == at);
        if let Some(p) = find(&inner, &outer, Ordering::Less) {
            return refuse(p, format!("outside {}", name(0)));
        }
        for other in (1..kept.rings.len()).filter(|&k| k != hole) {
            let around = ring(other);
            if let Some(p) = find(&inner, &around, Ordering::Greater) {
                return refuse(p, format!("inside {}", name(other)));
            }
            if let Some(p) = find(&around, &inner, Ordering::Greater) {
                return refuse(p, format!("around {}", name(other)));
            }
        }
    }
    None
}

/// Returns `Greater` for a point inside a ring, `Equal` for a point on it, `Less` for a point
/// outside.
fn side(ring: &[DVec2], p: DVec2) -> Ordering {
    let mut inside = false;
    for [a, b] in edges(ring) {
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        let turn = orientation(low, high, p);
        if turn == Ordering::Equal && is_in_box_of([a, b], p) {
            return Ordering::Equal;
        }
        inside ^= low.y <= p.y && p.y < high.y && turn == Ordering::Greater;
    }
    if inside { Ordering::Greater } else { Ordering::Less }
}
