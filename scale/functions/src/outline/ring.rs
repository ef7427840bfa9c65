//! Reads small polygons of one ring straight from WKB, and proves that they are simple.
//!
//! Input: the WKB of a geometry. Output: the points and the box of a [`Ring`], if the geometry is a polygon without
//! holes and with few points, as buildings are. No shape is built.
//!
//! ```text
//! is_simple(ring):
//!     c = mean of the points; if c sees each edge from the same side, and the ring winds around c once: simple
//!     else: no two edges share a point, besides the common end of neighbours: simple
//! ```
//!
//! The first test is linear: a ring that a point sees completely is star-shaped, so it cannot cross itself. Most
//! buildings are. The second test compares all pairs of edges.
//!
//! Both tests use the floating-point filter of the orientation predicate (Shewchuk, *Adaptive precision floating-point
//! arithmetic and fast robust geometric predicates*, 1997). An uncertain sign proves nothing. Then, as for every other
//! geometry, the constructor of the shape decides. So a ring is called simple only if it certainly is.

use super::bounds::Bounds;

/// Start of a polygon of one ring in WKB: little endian, type 3, one ring.
const HEADER: [u8; 9] = [1, 3, 0, 0, 0, 1, 0, 0, 0];

/// Bytes of a point.
const POINT: usize = 16;

/// Points of a ring, at most. Shapes with a tree of edges are faster for larger ones.
const MAX_POINTS: usize = 128;

/// Largest magnitude of a coordinate that shapes accept.
const MAX_COORDINATE: f64 = 1e30;

/// A polygon of one ring. The first point is not repeated at the end.
#[derive(Debug)]
pub(crate) struct Ring {
    points: Vec<[f64; 2]>,
    bounds: Bounds,
}

impl Default for Ring {
    fn default() -> Self {
        Self { points: Vec::new(), bounds: Bounds::EMPTY }
    }
}

impl Ring {
    /// Replaces the ring by that of a geometry. Returns false for a geometry of another kind, or with more points.
    pub(crate) fn read(&mut self, wkb: &[u8]) -> bool {
        self.points.clear();
        let Some((count, coordinates)) = wkb.strip_prefix(&HEADER).and_then(<[u8]>::split_first_chunk) else {
            return false;
        };
        let count = u32::from_le_bytes(*count) as usize;
        if !(4..=MAX_POINTS + 1).contains(&count) || coordinates.len() != POINT * count {
            return false;
        }
        let (mut bounds, mut in_range) = (Bounds::EMPTY, true);
        let (points, _) = coordinates.as_chunks::<POINT>();
        self.points.extend(points.iter().map(|bytes| {
            let bits = u128::from_le_bytes(*bytes);
            let point = [f64::from_bits(bits as u64), f64::from_bits((bits >> 64) as u64)];
            for (axis, value) in point.into_iter().enumerate() {
                // False for NaN, too.
                in_range &= value.abs() <= MAX_COORDINATE;
                bounds.min[axis] = if value < bounds.min[axis] { value } else { bounds.min[axis] };
                bounds.max[axis] = if value > bounds.max[axis] { value } else { bounds.max[axis] };
            }
            point
        }));
        self.bounds = bounds;
        in_range && self.points.pop().as_ref() == self.points.first()
    }

    /// Returns the smallest box around the ring.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns the points.
    pub(super) fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// Returns the edges. The first edge ends at the first point.
    pub(super) fn edges(&self) -> impl Iterator<Item = [[f64; 2]; 2]> {
        let before = self.points.last().into_iter().chain(&self.points);
        before.zip(&self.points).map(|(&from, &to)| [from, to])
    }

    /// Returns true if the ring certainly neither crosses nor touches itself. False proves nothing.
    pub(crate) fn is_simple(&self) -> bool {
        self.is_star() || self.has_separate_edges()
    }

    /// Returns true if the ring winds once around a point that sees it completely.
    fn is_star(&self) -> bool {
        let share = 1.0 / self.points.len() as f64;
        let sum = self.points.iter().fold([0.0; 2], |sum, point| [sum[0] + point[0], sum[1] + point[1]]);
        let center = sum.map(|sum| sum * share);
        let (mut left, mut right, mut upward) = (true, true, 0);
        for [from, to] in self.edges() {
            let side = side(center, from, to);
            left &= side > 0;
            right &= side < 0;
            // All edges turn the same way around the center. So the number of edges that rise past it is the number
            // of turns.
            upward += u32::from(from[1] <= center[1] && to[1] > center[1]);
        }
        (left || right) && upward == 1
    }

    /// Returns true if neighbouring edges certainly have different directions, and all other edges share no point.
    fn has_separate_edges(&self) -> bool {
        let points = &self.points;
        let count = points.len();
        let edge = |i: usize| [points[i], points[(i + 1) % count]];
        (0..count).all(|i| {
            let first = edge(i);
            let next = points[(i + 2) % count];
            let others = if i == 0 { 2..count - 1 } else { i + 2..count };
            side(first[0], first[1], next) != 0 && { others }.all(|j| {
                let second = edge(j);
                !boxes_intersect(first, second) || meeting(first, second) == Meeting::Apart
            })
        })
    }
}

/// How two edges meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// They certainly share no point.
    Apart,
    /// They certainly cross inside both.
    Crossing,
    /// The filter is inconclusive.
    Uncertain,
}

/// Returns how two edges meet.
pub(super) fn meeting([p, q]: [[f64; 2]; 2], [r, s]: [[f64; 2]; 2]) -> Meeting {
    let first = side(p, q, r) * side(p, q, s);
    if first > 0 {
        return Meeting::Apart;
    }
    let second = side(r, s, p) * side(r, s, q);
    if second > 0 {
        Meeting::Apart
    } else if first < 0 && second < 0 {
        Meeting::Crossing
    } else {
        Meeting::Uncertain
    }
}

/// Returns true if the boxes of two edges share a point.
pub(super) fn boxes_intersect([p, q]: [[f64; 2]; 2], [r, s]: [[f64; 2]; 2]) -> bool {
    (0..2).all(|axis| p[axis].min(q[axis]) <= r[axis].max(s[axis]) && r[axis].min(s[axis]) <= p[axis].max(q[axis]))
}

/// Returns on which side of the line from `a` to `b` the point `c` certainly lies: 1 for left, -1 for right, 0 if the
/// sign is uncertain.
///
/// The bound is Shewchuk's (3 + 16u) u, rounded up, for the products of two differences. 1e-300 covers underflow.
pub(super) fn side(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> i32 {
    let (left, right) = ((b[0] - a[0]) * (c[1] - a[1]), (b[1] - a[1]) * (c[0] - a[0]));
    let determinant = left - right;
    let bound = 2.0 * f64::EPSILON * (left.abs() + right.abs()) + 1e-300;
    i32::from(determinant > bound) - i32::from(determinant < -bound)
}
