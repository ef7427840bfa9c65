//! Boxes over runs of neighbouring vertices: which vertices a triangle holds.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use crate::math::predicates::orientation;

/// Vertices under one box on the lowest level.
const RUN: usize = 8;

#[derive(Clone, Copy)]
struct Node {
    min: DVec2,
    max: DVec2,
    /// Vertices under it that are still there.
    alive: u32,
}

/// A binary tree over vertices in the order of their lines: vertices that follow each other lie close together.
pub(super) struct PointTree<'a> {
    points: &'a [DVec2],
    alive: Vec<bool>,
    /// Level 0 has a node for each run, each further one a node for two of the level before.
    levels: Vec<Vec<Node>>,
}

impl<'a> PointTree<'a> {
    pub(super) fn new(points: &'a [DVec2]) -> Self {
        let run = |run: &[DVec2]| {
            let node = Node { min: run[0], max: run[0], alive: run.len() as u32 };
            run.iter().fold(node, |n, &p| Node { min: n.min.min(p), max: n.max.max(p), ..n })
        };
        let mut levels = vec![points.chunks(RUN).map(run).collect::<Vec<_>>()];
        while let Some(last) = levels.last()
            && last.len() > 1
        {
            let both = |a: Node, b: &Node| Node { min: a.min.min(b.min), max: a.max.max(b.max), alive: a.alive + b.alive };
            levels.push(last.chunks(2).map(|p| p[1..].iter().fold(p[0], both)).collect());
        }
        Self { points, alive: vec![true; points.len()], levels }
    }

    pub(super) fn remove(&mut self, vertex: usize) {
        self.alive[vertex] = false;
        let mut i = vertex / RUN;
        for level in &mut self.levels {
            level[i].alive -= 1;
            i /= 2;
        }
    }

    /// Does the closed triangle hold a vertex that is still there, other than its corners?
    pub(super) fn holds_other(&self, corners: [usize; 3]) -> bool {
        self.any_other(corners, |_| true)
    }

    /// Is one of the vertices in the closed triangle, its corners apart, as asked?
    pub(super) fn any_other(&self, corners: [usize; 3], mut test: impl FnMut(usize) -> bool) -> bool {
        let triangle = Triangle::new(corners.map(|i| self.points[i]));
        let mut pending = vec![(self.levels.len() - 1, 0)];
        while let Some((level, i)) = pending.pop() {
            let node = &self.levels[level][i];
            if node.alive == 0 || triangle.misses(node) {
                continue;
            }
            if level > 0 {
                let end = self.levels[level - 1].len().min(2 * i + 2);
                pending.extend((2 * i..end).map(|half| (level - 1, half)));
                continue;
            }
            let run = i * RUN..(i * RUN + RUN).min(self.points.len());
            if run.into_iter().any(|v| self.alive[v] && !corners.contains(&v) && triangle.holds(self.points[v]) && test(v)) {
                return true;
            }
        }
        false
    }
}

/// A triangle, counter-clockwise; possibly flat.
struct Triangle {
    corners: [DVec2; 3],
    min: DVec2,
    max: DVec2,
}

impl Triangle {
    fn new([a, b, c]: [DVec2; 3]) -> Self {
        let corners = if orientation(a, b, c) == Ordering::Less { [a, c, b] } else { [a, b, c] };
        Self { corners, min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    fn sides(&self) -> [[DVec2; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]]
    }

    fn holds(&self, p: DVec2) -> bool {
        let boxed = p.cmpge(self.min).all() && p.cmple(self.max).all();
        boxed && self.sides().iter().all(|&[a, b]| orientation(a, b, p) != Ordering::Less)
    }

    /// Is the box surely outside: beside the triangle's box, or behind one of its sides with all corners?
    fn misses(&self, node: &Node) -> bool {
        if !(node.min.cmple(self.max).all() && self.min.cmple(node.max).all()) {
            return true;
        }
        self.sides().iter().any(|&[a, b]| {
            // The corner of the box that is farthest to the left of the side.
            let d = b - a;
            let far = DVec2::new(if d.y < 0.0 { node.max.x } else { node.min.x }, if d.x > 0.0 { node.max.y } else { node.min.y });
            a != b && orientation(a, b, far) == Ordering::Less
        })
    }
}
