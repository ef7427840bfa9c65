//! Whether two sets of segments that only touch cross each other: chains at their vertices, or along stretches that they share. Exact.
//!
//! Each connected piece of what both sets share is contracted to a point, by walking around it. On the walk the branches of both sets are
//! met in circular order. The sets cross if the branches interleave: a, b, a, b.

use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater, Less};

use glam::DVec2;

use crate::math::predicates::orientation;

pub(super) type Link = [DVec2; 2];

/// A direction in which one set goes on from a node, or both do.
#[derive(Clone, Copy)]
struct Ray {
    toward: DVec2,
    of: [bool; 2],
}

impl Ray {
    fn is_shared(&self) -> bool {
        self.of == [true; 2]
    }
}

/// A point that both sets share and at which a segment of either ends, with the rays from it counter-clockwise.
struct Node {
    at: DVec2,
    rays: Vec<Ray>,
}

/// Returns every crossing: the segments of both sets that take part in it, by their numbers.
pub(super) fn crossings(sets: [&[Link]; 2]) -> Vec<[Vec<usize>; 2]> {
    let (nodes, mut found) = (nodes(sets), Vec::new());
    let mut visited: Vec<Vec<bool>> = nodes.iter().map(|node| alloc::vec![false; node.rays.len()]).collect();
    for start in 0..nodes.len() {
        for ray in 0..nodes[start].rays.len() {
            let around = walk(&nodes, [start, ray], &mut visited);
            if interleave(&around) {
                let on_walk = |link: &Link| around.iter().any(|&(node, _)| holds(link, nodes[node].at));
                found.push(sets.map(|set| (0..set.len()).filter(|&i| on_walk(&set[i])).collect()));
            }
        }
    }
    found
}

/// Walks counter-clockwise around a shared piece, from a ray on: the nodes passed, and the set of each branch there.
fn walk(nodes: &[Node], [mut node, mut ray]: [usize; 2], visited: &mut [Vec<bool>]) -> Vec<(usize, usize)> {
    let mut branches = Vec::new();
    while !core::mem::replace(&mut visited[node][ray], true) {
        let here = &nodes[node];
        let Ray { toward, of } = here.rays[ray];
        if here.rays[ray].is_shared() {
            // To the other end of the shared stretch, and on after the way back.
            let Some((next, back)) = other_end(nodes, here.at, toward) else { return branches };
            (node, ray) = (next, back);
        } else {
            branches.push((node, usize::from(of[1])));
        }
        ray = (ray + 1) % nodes[node].rays.len();
    }
    branches
}

/// The nearest node along a shared ray, and the number of its ray that leads back.
fn other_end(nodes: &[Node], from: DVec2, toward: DVec2) -> Option<(usize, usize)> {
    let ahead = (0..nodes.len()).filter(|&i| same_way(from, toward, nodes[i].at));
    let next = ahead.reduce(|p, q| if is_nearer(from, nodes[q].at, nodes[p].at) { q } else { p })?;
    let back = nodes[next].rays.iter().position(|ray| same_way(nodes[next].at, ray.toward, from))?;
    Some((next, back))
}

/// Returns true if the branches change from one set to the other at least four times around.
fn interleave(around: &[(usize, usize)]) -> bool {
    let next = |i: usize| around[(i + 1) % around.len()].1;
    (0..around.len()).filter(|&i| around[i].1 != next(i)).count() >= 4
}

fn nodes(sets: [&[Link]; 2]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for at in sets.into_iter().flatten().flatten().copied() {
        let is_shared = sets.iter().all(|set| set.iter().any(|link| holds(link, at)));
        if is_shared && nodes.iter().all(|node| node.at != at) {
            nodes.push(Node { at, rays: rays(sets, at) });
        }
    }
    nodes
}

/// The directions in which segments lead from a point, counter-clockwise.
fn rays(sets: [&[Link]; 2], at: DVec2) -> Vec<Ray> {
    let mut rays: Vec<Ray> = Vec::new();
    for (set, links) in sets.into_iter().enumerate() {
        let ends = links.iter().filter(|link| holds(link, at)).flatten().filter(|&&end| end != at);
        for &toward in ends {
            match rays.iter_mut().find(|ray| same_way(at, ray.toward, toward)) {
                Some(ray) => ray.of[set] = true,
                None => rays.push(Ray { toward, of: [set == 0, set == 1] }),
            }
        }
    }
    rays.sort_unstable_by(|p, q| by_angle(at, p.toward, q.toward));
    rays
}

/// Compares the angles of two directions from a point, from +x counter-clockwise.
fn by_angle(at: DVec2, p: DVec2, q: DVec2) -> Ordering {
    let is_lower = |r: DVec2| r.y < at.y || (r.y == at.y && r.x < at.x);
    is_lower(p).cmp(&is_lower(q)).then_with(|| orientation(at, p, q).reverse())
}

/// Returns true if a segment contains a point.
fn holds(&[p, q]: &Link, point: DVec2) -> bool {
    let in_box = p.min(q).cmple(point).all() && point.cmple(p.max(q)).all();
    in_box && orientation(p, q, point) == Equal
}

/// Returns true if two points lie in the same direction from a third one.
fn same_way(at: DVec2, p: DVec2, q: DVec2) -> bool {
    let sign = |x: f64, y: f64| x.partial_cmp(&y);
    q != at && orientation(at, p, q) == Equal && sign(p.x, at.x) == sign(q.x, at.x) && sign(p.y, at.y) == sign(q.y, at.y)
}

/// Returns true if `p` is nearer than `q`; both lie in the same direction.
fn is_nearer(from: DVec2, p: DVec2, q: DVec2) -> bool {
    let between = |x: f64, p: f64, q: f64| match p.partial_cmp(&q) {
        Some(Less) => x <= p,
        Some(Greater) => x >= p,
        _ => true,
    };
    p != q && between(from.x, p.x, q.x) && between(from.y, p.y, q.y)
}
