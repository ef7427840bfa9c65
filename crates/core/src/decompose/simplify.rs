//! Fewer vertices within a stated distance, and nothing crosses that did not before.
//!
//! Vertices go one by one, the least noticed first. One may go if the edge that replaces its two stays within `deviation` of every vertex that has gone
//! between its ends, and if the triangle of the three edges holds no other vertex: then the line can be drawn straight without passing over anything (de Berg,
//! van Kreveld and Schirra 1998 state the condition).
//!
//! Both distances are bounded: each point of the old line lies within `deviation` of the new one, and each of the new one within `deviation` of the old
//! (the nearest point on an edge moves continuously from one end to the other as one walks along the vertices that it replaces).

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};
use core::ops::Range;

use glam::DVec2;

use super::point_tree::PointTree;
use crate::error::Error;
use crate::math::predicates::orientation;
use crate::math::vector::{U, check_point, check_size, length, norm1};

/// A polyline with fewer points: the first and last stay, and each of the two lines lies within `deviation` of the other.
///
/// The result crosses itself only where the line did before; points that touch other parts of the line stay. With a deviation of 0 only points go that lie exactly on
/// the line between their neighbours. Refused are numbers that are not finite, negative or above 1e30.
///
/// ```
/// use carom::decompose::simplify;
///
/// let line = [[0.0, 0.0], [1.0, 0.1], [2.0, -0.1], [3.0, 0.0], [3.0, 5.0]];
/// let simple = simplify(&line, 0.2)?;
/// assert_eq!(simple.len(), 3);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn simplify<P: Copy + Into<DVec2>>(points: &[P], deviation: f64) -> Result<Vec<DVec2>, Error> {
    let points: Vec<DVec2> = points.iter().map(|&p| p.into()).collect();
    for (i, &p) in points.iter().enumerate() {
        check_point(format_args!("point {i}"), p).map_err(|e| e.at_vertex(i))?;
    }
    let deviation = check_size("deviation", deviation)?;
    let lines = [Line { range: 0..points.len(), closed: false }];
    Ok(reduced(&points, &lines, deviation).pop().unwrap_or_default())
}

/// Rings with fewer points, none of which crosses another or itself where it did not before. Every ring keeps three points at least, and its area's sign.
#[allow(dead_code, reason = "contours are simplified with it")]
pub(crate) fn simplify_rings(rings: &[Vec<DVec2>], deviation: f64) -> Vec<Vec<DVec2>> {
    let points: Vec<DVec2> = rings.iter().flatten().copied().collect();
    let mut lines = Vec::with_capacity(rings.len());
    let mut start = 0;
    for ring in rings {
        lines.push(Line { range: start..start + ring.len(), closed: true });
        start += ring.len();
    }
    reduced(&points, &lines, deviation)
}

/// A polyline, open or closed, among all points.
struct Line {
    range: Range<usize>,
    closed: bool,
}

fn reduced(points: &[DVec2], lines: &[Line], deviation: f64) -> Vec<Vec<DVec2>> {
    if points.is_empty() {
        return lines.iter().map(|_| Vec::new()).collect();
    }
    let mut work = Work::new(points, lines, deviation);
    work.run();
    lines.iter().map(|line| line.range.clone().filter(|&v| work.next[v] != GONE).map(|v| points[v]).collect()).collect()
}

const GONE: usize = usize::MAX;

/// A vertex that may go: how far off the line will be, how many vertices the edge will have replaced, and the state of the vertex when this was worked out.
#[derive(PartialEq)]
struct Candidate {
    deviation: f64,
    replaced: usize,
    vertex: usize,
    version: u32,
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_size = self.deviation.total_cmp(&other.deviation).then(self.replaced.cmp(&other.replaced));
        by_size.then(self.vertex.cmp(&other.vertex)).then(self.version.cmp(&other.version))
    }
}

struct Work<'a> {
    points: &'a [DVec2],
    tree: PointTree<'a>,
    /// The neighbours that are still there; an open line's ends are their own.
    next: Vec<usize>,
    prev: Vec<usize>,
    /// Which line a vertex is on, and how many vertices each still has.
    line: Vec<u32>,
    left: Vec<usize>,
    ranges: Vec<Range<usize>>,
    version: Vec<u32>,
    /// Does the vertex lie in the middle of an edge?
    touching: Vec<bool>,
    heap: BinaryHeap<Reverse<Candidate>>,
    deviation: f64,
}

impl<'a> Work<'a> {
    fn new(points: &'a [DVec2], lines: &[Line], deviation: f64) -> Self {
        let mut work = Self {
            points,
            tree: PointTree::new(points),
            next: (0..points.len()).collect(),
            prev: (0..points.len()).collect(),
            line: vec![0; points.len()],
            left: Vec::with_capacity(lines.len()),
            ranges: lines.iter().map(|l| l.range.clone()).collect(),
            version: vec![0; points.len()],
            touching: vec![false; points.len()],
            heap: BinaryHeap::new(),
            deviation,
        };
        for (k, line) in lines.iter().enumerate() {
            work.line[line.range.clone()].fill(k as u32);
            for v in line.range.clone().skip(1) {
                (work.next[v - 1], work.prev[v]) = (v, v - 1);
            }
            if line.closed && !line.range.is_empty() {
                (work.next[line.range.end - 1], work.prev[line.range.start]) = (line.range.start, line.range.end - 1);
            }
            let left = work.drop_repeated(line);
            work.left.push(left);
        }
        work.mark_touching();
        (0..points.len()).for_each(|v| work.consider(v));
        work
    }

    /// A vertex in the middle of an edge stays, and so do its neighbours: an edge that leads straight to it could come to lie on the other one.
    fn mark_touching(&mut self) {
        for (v, &w) in self.next.iter().enumerate().filter(|&(_, &w)| w != GONE) {
            self.tree.any_other([v, w, w], |x| {
                self.touching[x] |= self.points[x] != self.points[v] && self.points[x] != self.points[w];
                false
            });
        }
    }

    /// Takes out points that repeat the one before, and counts what is left.
    fn drop_repeated(&mut self, line: &Line) -> usize {
        let mut left = line.range.len();
        for v in line.range.clone() {
            let u = self.prev[v];
            // An open line's last point stays; the one before it goes.
            if u != v && self.points[u] == self.points[v] && left > 1 {
                let gone = if self.next[v] == v { u } else { v };
                if self.prev[gone] != gone {
                    self.unlink(gone);
                    left -= 1;
                }
            }
        }
        left
    }

    fn unlink(&mut self, v: usize) {
        let (u, w) = (self.prev[v], self.next[v]);
        (self.next[u], self.prev[w]) = (w, u);
        self.next[v] = GONE;
        self.tree.remove(v);
    }

    fn run(&mut self) {
        while let Some(Reverse(candidate)) = self.heap.pop() {
            let v = candidate.vertex;
            let line = self.line[v] as usize;
            if self.next[v] == GONE || self.version[v] != candidate.version || self.left[line] <= 3 && self.is_closed(line) {
                continue;
            }
            let (u, w) = (self.prev[v], self.next[v]);
            if self.tree.holds_other([u, v, w]) {
                continue;
            }
            self.unlink(v);
            self.left[line] -= 1;
            self.consider(u);
            self.consider(w);
        }
    }

    fn is_closed(&self, line: usize) -> bool {
        let start = self.ranges[line].start;
        self.prev[start] != start
    }

    /// Puts a vertex in the queue if the edge that would replace its two stays near enough.
    fn consider(&mut self, v: usize) {
        let (u, w) = (self.prev[v], self.next[v]);
        if w == GONE || u == v || w == v || u == w || [u, v, w].iter().any(|&x| self.touching[x]) {
            return;
        }
        self.version[v] += 1;
        let range = &self.ranges[self.line[v] as usize];
        let (mut deviation, mut replaced, mut x) = (0.0_f64, 0, u);
        loop {
            x = if x + 1 == range.end { range.start } else { x + 1 };
            if x == w {
                break;
            }
            deviation = deviation.max(distance(self.points[u], self.points[w], self.points[x]));
            replaced += 1;
            if deviation > self.deviation {
                return;
            }
        }
        self.heap.push(Reverse(Candidate { deviation, replaced, vertex: v, version: self.version[v] }));
    }
}

/// The distance of a point from a segment, rounded up; exactly 0 on it.
fn distance(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    let (ab, ap, bp) = (b - a, p - a, p - b);
    // Differences and products err by a few ulp of what they are made of; squares of the smallest numbers vanish.
    let above = |d: f64, size: f64| d + 8.0 * U * (d + size) + 1e-140;
    if ab.dot(ap) <= 0.0 || ab == DVec2::ZERO {
        return if p == a { 0.0 } else { above(length(ap), norm1(ap)) };
    }
    if ab.dot(bp) >= 0.0 {
        return if p == b { 0.0 } else { above(length(bp), norm1(bp)) };
    }
    if orientation(a, b, p) == Ordering::Equal {
        return 0.0;
    }
    above(ab.perp_dot(ap).abs() / length(ab), norm1(ap))
}
