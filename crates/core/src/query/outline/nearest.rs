//! Computes the distance of two polygons or compounds of polygons.
//!
//! Input: the outlines of both. Output: the distance and a pair of closest points. If two outlines intersect, it is 0.
//! Else the pairs of outlines are searched, closer boxes first, each with the best distance so far as its limit.
//! The boundaries of polygons that are apart are as close as the polygons. The closest points are a vertex and a point
//! of an edge.
//!
//! ```text
//! visit(node of a, node of b)
//!     if both are leaves: for each pair of edges that can be closer: compare both starts with the other edge
//!     else: split the larger node; for its children, that with the closer box first
//!         if the boxes are closer than the best distance: visit(child, other node)
//! ```
//!
//! The end of an edge is the start of the next one. Squares are compared, so only the result needs a root.

use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;

use super::contact::common_point;
use super::outlines::{Outlines, ROOT, for_each_near_pair, visit_pair};
use super::{MIN_DISTANCE, PlacedOutline};
use crate::decompose::edge_bvh::{EdgeBvh, edge_box};
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::vector::{TINY_SQUARE, cross, sqrt};
use crate::pair_result::Distance;
use crate::query::dual_traversal::{replaced, split};
use crate::shape::outline::EDGES;

/// The search for the closest points of two outlines.
struct Nearest<'o, 'a> {
    outlines: [&'o PlacedOutline<'a>; 2],
    /// The least squared distance so far.
    square: f64,
    /// The closest points so far.
    points: Option<[DVec2; 2]>,
}

/// Returns the distance of two shapes, and the indices of the closest outlines. The distance is 0 if they intersect.
/// `None` if they are so close that the parts must decide.
pub(super) fn of_outlines(a: &Outlines<'_>, b: &Outlines<'_>) -> Option<(Distance, [usize; 2])> {
    let mut best = None;
    let search = for_each_near_pair(a, b, &mut |[p, q], indices| match common_point(p, q) {
        Some(point) => {
            best = Some((Distance::new(0.0, [point; 2]), indices));
            Break(())
        }
        None => Continue(()),
    });
    if search.is_break() {
        return best;
    }
    nearest_below([a, b], [ROOT; 2], [a.aabb(), b.aabb()], &mut best);
    best.filter(|(best, _)| best.distance > MIN_DISTANCE)
}

/// Searches the pairs of outlines below two nodes, closer boxes first. Improves the best distance so far.
fn nearest_below(
    outlines: [&Outlines<'_>; 2],
    nodes: [u32; 2],
    boxes: [Aabb; 2],
    best: &mut Option<(Distance, [usize; 2])>,
) {
    match split(both([0, 1], |k| outlines[k].children(nodes[k])), || boxes) {
        Ok(indices) => {
            let limit = best.map_or(f64::INFINITY, |(best, _)| best.distance);
            let _ = visit_pair(outlines, indices, &mut |[p, q], indices| {
                if let Some(found) = distance(p, q, limit) {
                    *best = Some((found, indices));
                }
                Continue(())
            });
        }
        Err((side, children)) => {
            for (square, child, bounds) in
                closer_first(children, |child| outlines[side].bounds(child), &boxes[1 - side])
            {
                let limit = best.map_or(f64::INFINITY, |(best, _)| best.distance * best.distance);
                if square < limit {
                    nearest_below(outlines, replaced(nodes, side, child), replaced(boxes, side, bounds), best);
                }
            }
        }
    }
}

/// Returns both children of a node, the closer one to another box first: its squared distance, the child and its box.
#[inline(always)]
fn closer_first<N: Copy>(children: [N; 2], bounds: impl Fn(N) -> Aabb, other: &Aabb) -> [(f64, N, Aabb); 2] {
    let [p, q] = both(children, |child| {
        let bounds = bounds(child);
        (square_gap(&bounds, other), child, bounds)
    });
    if q.0 < p.0 { [q, p] } else { [p, q] }
}

/// Returns the distance of two outlines that are apart, if it is below `limit`.
fn distance(a: &PlacedOutline<'_>, b: &PlacedOutline<'_>, limit: f64) -> Option<Distance> {
    let mut nearest = Nearest { outlines: [a, b], square: limit * limit, points: None };
    let boxes = [a.aabb(), b.aabb()];
    if square_gap(&boxes[0], &boxes[1]) < nearest.square {
        nearest.below([EdgeBvh::ROOT; 2], boxes);
    }
    Some(Distance::new(sqrt(nearest.square), nearest.points?))
}

impl Nearest<'_, '_> {
    /// Searches below two nodes.
    fn below(&mut self, nodes: [usize; 2], boxes: [Aabb; 2]) {
        match split(both([0, 1], |k| self.outlines[k].children(nodes[k])), || boxes) {
            Ok(blocks) => self.compare_blocks(blocks, &boxes[1]),
            Err((side, children)) => {
                let outline = self.outlines[side];
                for (square, child, bounds) in closer_first(children, |child| outline.bounds(child), &boxes[1 - side]) {
                    if square < self.square {
                        self.below(replaced(nodes, side, child), replaced(boxes, side, bounds));
                    }
                }
            }
        }
    }

    /// Compares the edges of two blocks; `bounds` is the box of the second one.
    fn compare_blocks(&mut self, blocks: [usize; 2], bounds: &Aabb) {
        let [a, b] = both([0, 1], |k| self.outlines[k].block(blocks[k]));
        for i in 0..EDGES {
            let (p, q) = (a[i], a[i + 1]);
            let of_a = edge_box(p, q);
            if p == q || square_gap(&of_a, bounds) >= self.square {
                continue;
            }
            for j in 0..EDGES {
                let (r, s) = (b[j], b[j + 1]);
                if r == s || square_gap(&of_a, &edge_box(r, s)) >= self.square {
                    continue;
                }
                let (square, point) = closest_point([r, s], p);
                if square < self.square {
                    (self.square, self.points) = (square, Some([p, point]));
                }
                let (square, point) = closest_point([p, q], r);
                if square < self.square {
                    (self.square, self.points) = (square, Some([point, r]));
                }
            }
        }
    }
}

/// Returns the squared distance of a point from an edge, and the closest point of the edge.
#[inline(always)]
fn closest_point([p, q]: [DVec2; 2], point: DVec2) -> (f64, DVec2) {
    let (along, offset) = (q - p, point - p);
    let (dot, square) = (along.dot(offset), along.length_squared());
    if dot <= 0.0 {
        (offset.length_squared(), p)
    } else if dot >= square {
        ((point - q).length_squared(), q)
    } else {
        let area = cross(along, offset);
        // If the squares underflow, the distance counts as 0, so that the parts decide.
        let is_certain = (area * area).min(square) >= TINY_SQUARE;
        (if is_certain { area * area / square } else { 0.0 }, p + along * (dot / square))
    }
}

/// Returns the squared distance of two boxes. That of an inverted box is infinite.
#[inline(always)]
fn square_gap(a: &Aabb, b: &Aabb) -> f64 {
    (a.min() - b.max()).max(b.min() - a.max()).max(DVec2::ZERO).length_squared()
}
