//! Computes which vertices of a triangulated polygon a vertex can see.
//!
//! Input: a triangulation. Output: the visible vertices of one vertex, each with the side on which
//! other vertices touch the line of sight. The method is the triangular expansion: it starts with
//! the triangles at the vertex and crosses their sides. For each crossed side, it stores the
//! window, the part of the side that is visible.
//!
//! A test of each pair of vertices against each edge takes O(n³) time for all vertices. The
//! expansion visits only triangles that the vertex sees. All tests are exact orientations.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::half_edge::NONE;
use crate::math::both::both;
use crate::math::lists::mapped;
use crate::math::predicates::orientation;
use crate::math::sort::{sort_cold, sort_in_place};

/// Classifies the line of sight between two vertices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LineOfSight {
    /// The line touches no other vertex.
    Clear,
    /// The line touches other vertices, all on its right (`PastRight`) or all on its left
    /// (`PastLeft`).
    PastRight,
    PastLeft,
}

/// Returns the next side of the same triangle.
fn next(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}

/// Returns the previous side of the same triangle.
fn prev(side: u32) -> u32 {
    if side.is_multiple_of(3) { side + 2 } else { side - 1 }
}

/// A triangulation with adjacency. Side `i` is the side `i % 3` of triangle `i / 3`.
pub(super) struct VisibilityQuery<'a> {
    points: &'a [DVec2],
    vertices: &'a [u32],
    twins: Vec<u32>,
    /// `sides`: all sides, sorted by the vertex at which they begin. `starts`: start of each
    /// vertex's range in `sides`.
    sides: Vec<u32>,
    starts: Vec<u32>,
}

impl<'a> VisibilityQuery<'a> {
    pub(super) fn new(points: &'a [DVec2], triangles: &'a [[u32; 3]]) -> Self {
        let vertices = triangles.as_flattened();
        let end = |side: u32| vertices[next(side) as usize];
        let mut sides: Vec<u32> = (0..vertices.len() as u32).collect();
        sort_cold(&mut sides, |&s, &t| (vertices[s as usize], end(s)).cmp(&(vertices[t as usize], end(t))));
        let mut starts = vec![0; points.len() + 1];
        for &vertex in vertices {
            starts[vertex as usize + 1] += 1;
        }
        (0..points.len()).for_each(|i| starts[i + 1] += starts[i]);
        let twin = |side: u32| {
            let (from, to) = (end(side), vertices[side as usize]);
            let all = &sides[starts[from as usize] as usize..starts[from as usize + 1] as usize];
            all.binary_search_by_key(&to, |&s| end(s)).map_or(NONE, |i| all[i])
        };
        let twins = mapped(0..vertices.len() as u32, twin);
        Self { points, vertices, twins, sides, starts }
    }

    fn at(&self, side: u32) -> DVec2 {
        self.points[self.vertices[side as usize] as usize]
    }

    /// Returns the vertices that are visible from a vertex through the interior, including its
    /// neighbours in the ring.
    pub(super) fn visible_from(&self, vertex: u32) -> Vec<(u32, LineOfSight)> {
        let eye = self.points[vertex as usize];
        let mut seen = Vec::new();
        let mut windows = Vec::new();
        for &side in &self.sides[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize] {
            let far = next(side);
            seen.extend(both([far, prev(side)], |s| (self.vertices[s as usize], LineOfSight::Clear)));
            windows.push((far, self.at(far), self.at(prev(side))));
        }
        while let Some((side, right, left)) = windows.pop() {
            let twin = self.twins[side as usize];
            if twin == NONE {
                continue;
            }
            // The third vertex of the triangle beyond the side lies between the other two sides.
            let (first, second) = (next(twin), prev(twin));
            let p = self.at(second);
            let (after_right, before_left) = (orientation(eye, right, p), orientation(eye, p, left));
            let opposite = self.vertices[second as usize];
            match (after_right, before_left) {
                (Ordering::Greater, Ordering::Greater) => seen.push((opposite, LineOfSight::Clear)),
                (Ordering::Equal, _) => seen.push((opposite, LineOfSight::PastRight)),
                (_, Ordering::Equal) => seen.push((opposite, LineOfSight::PastLeft)),
                _ => {}
            }
            if after_right == Ordering::Greater {
                windows.push((first, right, if before_left == Ordering::Greater { p } else { left }));
            }
            if before_left == Ordering::Greater {
                windows.push((second, if after_right == Ordering::Greater { p } else { right }, left));
            }
        }
        sort_in_place(&mut seen, Ord::cmp);
        seen.dedup();
        seen
    }
}
