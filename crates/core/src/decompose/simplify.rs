//! Simplifies polylines and rings: removes vertices within a maximum deviation, without new
//! crossings.
//!
//! Input: points, and the maximum deviation as a length. Output: a subset of the points. The method
//! is greedy vertex removal, the smallest error first. The condition against crossings is that of
//! de Berg, van Kreveld and Schirra, *Topologically correct subdivision simplification using the
//! bandwidth criterion*, 1998.
//!
//! The simple version (Douglas and Peucker 1973) splits a line at its farthest point:
//!
//! ```text
//! simplify(line): if the farthest point from the chord is within the deviation: keep the ends only
//!     else simplify both halves at this point
//! ```
//!
//! It treats each line alone, so its result can cross itself and other lines. Greedy removal tests
//! each step:
//!
//! ```text
//! queue = all vertices v that may be removed, smallest error first
//! while the queue is not empty:
//!     v = pop; u, w = its neighbours
//!     error = largest distance from the edge u w to the removed vertices between u and w, and v
//!     skip v if error > deviation
//!     skip v if the triangle u v w contains another vertex (the line would pass over it)
//!     remove v; push u and w again with their new errors
//! ```
//!
//! The deviation bounds both distances: each point of the old line is within `deviation` of the new
//! line, and vice versa. The reason: along the removed vertices, the nearest point on the new edge
//! moves continuously from one end of the edge to the other.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec2;

use super::bucket_queue::BucketQueue;
use super::kd_tree::{KdTree, Triangle};
use super::segment_distance::{MaxSegmentDistance, distance};
use super::still::{Role, roles};
use crate::error::{Error, ErrorKind};
use crate::math::both::both;
use crate::math::lists::{filter_mapped, mapped};
use crate::math::point::IntoPoint;
use crate::math::vector::{check_points, check_size, magnification_of, times_power_of_two, vector_times_power_of_two};

/// Simplifies a polyline: removes points, so that the old and the new line are within `deviation`
/// of each other.
///
/// - The first and the last point stay.
/// - The result crosses itself only where the line did before. Points that touch other parts of the
///   line stay.
/// - With a deviation of 0, only points exactly on the segment between their neighbours are
///   removed.
///
/// Takes O(n log n) time for a line that does not run back and forth over itself.
///
/// # Errors
/// A coordinate or deviation that is not finite or above 1e30 in magnitude; a negative deviation;
/// 2³² points or more.
///
/// ```
/// use carom::decompose::simplify;
///
/// let line = [[0.0, 0.0], [1.0, 0.1], [2.0, -0.1], [3.0, 0.0], [3.0, 5.0]];
/// let simple = simplify(&line, 0.2)?;
/// assert_eq!(simple.len(), 3);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn simplify<P: IntoPoint>(points: &[P], deviation: f64) -> Result<Vec<DVec2>, Error> {
    let points = P::into_points(points);
    check_count(points.len())?;
    check_points("point", &*points)?;
    let deviation = check_size("deviation", deviation)?;
    let simplified = magnified(&[&points[..]], deviation, &|lines, deviation| {
        let line = Polyline { range: 0..points.len(), closed: false, stays: false };
        Ok(simplify_lines(lines[0], &[line], deviation))
    })?;
    Ok(simplified.into_iter().next().unwrap_or_default())
}

/// Points of several lines.
type Lines = Vec<Vec<DVec2>>;

/// A function that simplifies lines within a deviation.
type Simplify<'a> = dyn Fn(&[&[DVec2]], f64) -> Result<Lines, Error> + 'a;

/// Simplifies lines with a function. If all points are tiny, lines and deviation are multiplied by a power of two,
/// because products of two lengths would underflow. This is exact, except for a deviation that becomes infinite.
fn magnified(lines: &[&[DVec2]], deviation: f64, simplify: &Simplify<'_>) -> Result<Lines, Error> {
    let power = magnification_of(lines.iter().copied().flatten().copied());
    if power == 0 {
        return simplify(lines, deviation);
    }
    let all_times = |line: &[DVec2], power: i32| mapped(line, |&p| vector_times_power_of_two(p, power));
    let large: Lines = mapped(lines, |line| all_times(line, power));
    let large: Vec<&[DVec2]> = mapped(&large, Vec::as_slice);
    let simplified = simplify(&large, times_power_of_two(deviation, power))?;
    Ok(mapped(&simplified, |line| all_times(line, -power)))
}

/// Simplifies rings together: no ring crosses another one or itself where it did not before. Each
/// ring keeps at least three points and the sign of its area.
pub(super) fn simplify_rings(rings: &[&[DVec2]], deviation: f64) -> Result<Lines, Error> {
    magnified(rings, deviation, &simplify_magnified_rings)
}

/// Does the same for rings that are not tiny.
fn simplify_magnified_rings(rings: &[&[DVec2]], deviation: f64) -> Result<Lines, Error> {
    let points: Vec<DVec2> = rings.concat();
    check_count(points.len())?;
    let roles = roles(&points, &ranges(rings), deviation);
    if roles.iter().all(|&role| role == Role::Changes) {
        return Ok(simplify_lines(&points, &lines(rings, &roles), deviation));
    }
    let is_apart = |i: usize| roles[i] == Role::Apart;
    let near: Vec<&[DVec2]> = filter_mapped(0..rings.len(), |i| (!is_apart(i)).then(|| rings[i]));
    let near_roles: Vec<Role> = filter_mapped(0..rings.len(), |i| (!is_apart(i)).then(|| roles[i]));
    let mut fewer = simplify_lines(&near.concat(), &lines(&near, &near_roles), deviation).into_iter();
    Ok(mapped(0..rings.len(), |i| if is_apart(i) { rings[i].to_vec() } else { fewer.next().unwrap_or_default() }))
}

/// Returns the index range of each ring in the concatenation of all rings.
fn ranges(rings: &[&[DVec2]]) -> Vec<Range<usize>> {
    let mut end = 0;
    mapped(rings, |ring| {
        end += ring.len();
        end - ring.len()..end
    })
}

fn lines(rings: &[&[DVec2]], roles: &[Role]) -> Vec<Polyline> {
    let line = |(range, &role): (_, &Role)| Polyline { range, closed: true, stays: role != Role::Changes };
    mapped(ranges(rings).into_iter().zip(roles), line)
}

/// Returns an error for more points than 32-bit indices can distinguish.
fn check_count(points: usize) -> Result<(), Error> {
    const MOST: usize = REMOVED as usize - 1;
    if points <= MOST {
        return Ok(());
    }
    let message =
        format!("{points} points are too many to simplify at once; the limit is {MOST}: simplify parts of them");
    Err(Error::new(ErrorKind::TooManyPoints, message))
}

/// A polyline, open or closed, as a range of the points.
struct Polyline {
    range: Range<usize>,
    closed: bool,
    /// True if no vertex of the line may be removed.
    stays: bool,
}

fn simplify_lines(points: &[DVec2], lines: &[Polyline], deviation: f64) -> Vec<Vec<DVec2>> {
    if points.is_empty() {
        return vec![Vec::new(); lines.len()];
    }
    let mut work = Simplifier::new(points, lines, deviation);
    work.run();
    let kept = |v: usize| (work.next[v] != REMOVED).then(|| points[v]);
    mapped(lines, |line| filter_mapped(line.range.clone(), kept))
}

const REMOVED: u32 = u32::MAX;

/// A vertex that may be removed: the error without the vertex, and the version of the vertex for
/// which the error was computed.
struct RemovalCandidate {
    error: f64,
    vertex: u32,
    version: u32,
}

struct Simplifier<'a> {
    points: &'a [DVec2],
    deviation: f64,
    tree: KdTree,
    queue: BucketQueue<RemovalCandidate>,
    /// Neighbours that are not removed. The ends of an open line are their own neighbours.
    next: Vec<u32>,
    prev: Vec<u32>,
    /// Error of the edge to the next vertex: upper bound of the distance to the vertices that it
    /// replaced.
    errors: Vec<f64>,
    version: Vec<u32>,
    /// Per vertex: true if it lies on an edge of other vertices, or its line stays.
    touching: Vec<bool>,
    /// `line`: line of each vertex. `ranges`: vertices of each line. `left`: number of vertices
    /// that each line still has.
    line: Vec<u32>,
    ranges: Vec<Range<usize>>,
    left: Vec<usize>,
}

impl<'a> Simplifier<'a> {
    fn new(points: &'a [DVec2], lines: &[Polyline], deviation: f64) -> Self {
        let n = points.len();
        let mut work = Self {
            points,
            deviation,
            tree: KdTree::new(points),
            queue: BucketQueue::new(deviation),
            next: (0..n as u32).collect(),
            prev: (0..n as u32).collect(),
            errors: vec![0.0; n],
            version: vec![0; n],
            touching: vec![false; n],
            line: vec![0; n],
            ranges: Vec::with_capacity(lines.len()),
            left: Vec::with_capacity(lines.len()),
        };
        for (k, line) in lines.iter().enumerate() {
            work.ranges.push(line.range.clone());
            work.line[line.range.clone()].fill(k as u32);
            for v in line.range.clone().skip(1) {
                (work.next[v - 1], work.prev[v]) = (v as u32, v as u32 - 1);
            }
            if line.closed && !line.range.is_empty() {
                let (first, last) = (line.range.start, line.range.end - 1);
                (work.next[last], work.prev[first]) = (first as u32, last as u32);
            }
            work.touching[line.range.clone()].fill(line.stays);
            let left = work.drop_repeated(line);
            work.left.push(left);
        }
        work.mark_touching();
        (0..n as u32).for_each(|v| work.consider(v));
        work
    }

    /// Marks vertices that lie on another edge or vertex: they stay, and so do their neighbours.
    /// Otherwise a new edge to such a vertex could overlap the other edge.
    fn mark_touching(&mut self) {
        for (v, &w) in (0..).zip(&self.next).filter(|&(v, &w)| w != REMOVED && w != v) {
            self.tree.any_in_triangle(&Triangle::new(self.points, [v, w, w]), |x| {
                self.touching[x as usize] = true;
                false
            });
        }
    }

    /// Removes points that are equal to the previous one, and returns the number of points that are
    /// left.
    fn drop_repeated(&mut self, line: &Polyline) -> usize {
        let mut left = line.range.len();
        for v in line.range.clone() {
            let u = self.prev[v] as usize;
            // The last point of an open line stays; the one before it is removed.
            if u != v && self.points[u] == self.points[v] && left > 1 {
                let removed = if self.next[v] as usize == v { u } else { v };
                if self.prev[removed] as usize != removed {
                    self.unlink(removed as u32);
                    left -= 1;
                }
            }
        }
        left
    }

    fn unlink(&mut self, v: u32) {
        let (u, w) = self.neighbours(v);
        (self.next[u as usize], self.prev[w as usize]) = (w, u);
        self.next[v as usize] = REMOVED;
        self.tree.remove(v);
    }

    fn neighbours(&self, v: u32) -> (u32, u32) {
        (self.prev[v as usize], self.next[v as usize])
    }

    fn run(&mut self) {
        while let Some(RemovalCandidate { error: off, vertex: v, version }) = self.queue.pop() {
            let line = self.line[v as usize] as usize;
            let (u, w) = self.neighbours(v);
            let stale = w == REMOVED || self.version[v as usize] != version;
            if stale || self.left[line] <= 3 && self.is_closed(line) || off != 0.0 && self.is_blocked(v) {
                continue;
            }
            self.unlink(v);
            self.left[line] -= 1;
            self.errors[u as usize] = off;
            self.consider(u);
            self.consider(w);
        }
    }

    /// Returns true if another vertex lies in the triangle of a vertex and its neighbours. A flat
    /// triangle consists of the two edges, and nothing touches them.
    fn is_blocked(&self, v: u32) -> bool {
        let (u, w) = self.neighbours(v);
        self.tree.any_in_triangle(&Triangle::new(self.points, [u, v, w]), |_| true)
    }

    fn is_closed(&self, line: usize) -> bool {
        let start = self.ranges[line].start;
        self.prev[start] as usize != start
    }

    /// Adds a vertex to the queue if its removal keeps the error within the deviation.
    fn consider(&mut self, v: u32) {
        let (u, w) = self.neighbours(v);
        if w == REMOVED || u == v || w == v || u == w || [u, v, w].iter().any(|&x| self.touching[x as usize]) {
            return;
        }
        self.version[v as usize] += 1;
        let off = self.error_without(v);
        if off <= self.deviation {
            self.queue.push(off, RemovalCandidate { error: off, vertex: v, version: self.version[v as usize] });
        }
    }

    /// Returns the error of the edge between the neighbours of `v`: its largest distance to the
    /// vertices between them. Stops early, with a lower bound, if that is above the deviation.
    fn error_without(&self, v: u32) -> f64 {
        let (u, w) = self.neighbours(v);
        let chord = both([u, w], |x| self.points[x as usize]);
        let own = distance(chord, self.points[v as usize]);
        // If both edges have error 0, no point of them is farther from the chord than `v`.
        if own > self.deviation || self.errors[u as usize] == 0.0 && self.errors[v as usize] == 0.0 {
            return own;
        }
        let mut farthest = MaxSegmentDistance::new(chord);
        let (from, to) = (u as usize + 1, w as usize);
        if from <= to {
            farthest.include(&self.points[from..to]);
        } else {
            let range = &self.ranges[self.line[v as usize] as usize];
            farthest.include(&self.points[from..range.end]);
            farthest.include(&self.points[range.start..to]);
        }
        farthest.distance()
    }
}
