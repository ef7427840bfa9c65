//! Computes the time of impact of convex shapes that translate without rotation: linear cast.
//!
//! Input: two convex shapes with poses and displacements. Output: the impact, none, or undecided.
//! The Minkowski difference of the hulls is a convex polygon with the edges of both. The motion
//! moves the origin along a segment. A convex polygon clips a segment with one division per edge
//! (Cyrus and Beck, Generalized two- and three-dimensional clipping, 1978):
//!
//! ```text
//! project both shapes onto the normal of the motion: disjoint projections mean no contact
//! for each edge normal of either shape
//!     separation = height of the lowest vertex of the other shape − radii; it is linear in time
//!     approaching: enter = max(enter, separation / closing speed)
//!     receding:    outside = max(outside, separation)
//! enter ≤ 0:  no contact if outside > 0, else undecided
//! enter > 0:  impact at this time
//! ```
//!
//! Projections onto the normal of the motion reject most misses. One SIMD step handles eight edges.
//!
//! In a sequence of casts, latency dominates. So the support vertices of all edges stay in
//! registers while other values are computed, and quotients are awaited only for the result.
//!
//! The error bound is subtracted from every separation, so entry times are early by at most the
//! error bound divided by the closing speed. A rejected pair does not touch. A hit is confirmed at
//! its time: the lowest vertex projects onto the edge between its ends. Radii offset the edges and
//! round the vertices. If the vertex does not project onto the edge, [conservative
//! advancement](super::conservative_advancement) decides.

mod edge_hit;
mod entry_times;
mod vertex_hit;

use core::hint::{black_box, select_unpredictable};

use glam::DVec2;

use super::Impact;
use crate::math::pose::Pose;
use crate::math::simd::{Simd, SimdKernel, VectorLanes, dispatch, f64x4};
use crate::math::vector::{TINY_SQUARE, UNIT_ROUNDOFF, cross, norm1, sqrt, unscaled_length};
use crate::query::pair::{ErrorBounds, Relative};
use crate::query::sat;
use crate::query::support::greatest_of_two;
use crate::shape::Sweep;
use crate::shape::convex::{Convex, VertexBlock4};
use crate::shape::part::Part;
use edge_hit::EdgeHit;
use entry_times::EntryTimes;
pub(super) use vertex_hit::first_hit;

/// One of the two moving shapes: a convex shape, its start pose, and its sweep.
#[derive(Clone, Copy)]
pub(super) struct MovingConvex<'a> {
    /// The shape.
    pub(super) convex: &'a Convex,
    /// Its pose at the start.
    pub(super) pose: &'a Pose,
    /// Its motion.
    pub(super) sweep: &'a Sweep<'a>,
}

impl<'a> MovingConvex<'a> {
    /// Wraps a convex shape.
    #[inline(always)]
    pub(super) fn new(sweep: &'a Sweep<'a>) -> Option<Self> {
        sweep.as_convex().map(|(convex, pose)| Self { convex, pose, sweep })
    }

    /// Wraps a part of a shape.
    #[inline(always)]
    pub(super) fn of_part(part: &'a Part<'a>, sweep: &'a Sweep<'a>) -> Self {
        Self { convex: part.convex, pose: &part.pose, sweep }
    }

    /// Returns the placed part at the start.
    #[inline(always)]
    pub(super) fn part(&self) -> Part<'a> {
        self.convex.placed(self.pose)
    }
}

/// The kernel cannot decide: the shapes are too close at the start, too far away for their size, or
/// touch at a rounded vertex.
pub(super) struct Inconclusive;

/// Returns the first contact before `end` of two shapes that translate. `None` if there is none.
#[inline(never)]
pub(super) fn cast(a: MovingConvex<'_>, b: MovingConvex<'_>, end: f64) -> Result<Option<Impact>, Inconclusive> {
    if let (Some(p), Some(q)) = (a.convex.as_point(), b.convex.as_point()) {
        return of_circles([a, b], [p, q], end);
    }
    let (edges_a, edges_b) = (a.convex.edge_count(), b.convex.edge_count());
    // Two segments may be collinear. No edge normal shows their ends.
    if edges_a.max(edges_b) <= 2 || sat::uses_bounds(edges_a, edges_b) {
        return Err(Inconclusive);
    }
    dispatch(LinearCast { a: &a, b: &b, end })
}

/// Two convex shapes, at least one of them a polygon. Most are polygons of up to eight vertices, for which the number
/// of blocks is a constant.
struct LinearCast<'a> {
    /// The first shape.
    a: &'a MovingConvex<'a>,
    /// The second shape.
    b: &'a MovingConvex<'a>,
    /// Latest time of interest.
    end: f64,
}

impl SimdKernel for LinearCast<'_> {
    type Output = Result<Option<Impact>, Inconclusive>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let (a, b) = (self.a.convex, self.b.convex);
        if let (Some(p), Some(q)) = (a.as_small_polygon(), b.as_small_polygon()) {
            return cast_polygons(simd, [p, q], [*self.a, *self.b], self.end);
        }
        let (p, q) = (a.blocks(), b.blocks());
        cast_polygons(simd, [p.as_slice(), q.as_slice()], [*self.a, *self.b], self.end)
    }
}

/// Computes the cast of two polygons.
#[inline(always)]
fn cast_polygons<S: Simd, B: AsRef<[VertexBlock4]> + ?Sized>(
    simd: S,
    [p, q]: [&B; 2],
    [a, b]: [MovingConvex<'_>; 2],
    end: f64,
) -> Result<Option<Impact>, Inconclusive> {
    // No `map`: its closures are not inlined into kernels.
    let blocks = [p.as_ref(), q.as_ref()];
    let velocity = b.sweep.translation() - a.sweep.translation();
    let apart = b.pose.translation() - a.pose.translation();
    let radius = a.convex.radius + b.convex.radius + (a.sweep.target_gap() + b.sweep.target_gap());
    let far = norm1(a.pose.translation()) + norm1(b.pose.translation());
    let (sizes, far_apart) = (a.convex.bounding_radius + b.convex.bounding_radius + radius, norm1(apart));
    let speed = norm1(velocity);
    let closing = [a.pose.inverse_rotate_vector(-velocity), b.pose.inverse_rotate_vector(velocity)];
    // Error bound times speed, in the order of availability, because the branch waits for it. If
    // rounding is lost beside subnormal numbers, the entry times decide.
    let error_bound =
        (sizes + far_apart) * (speed * (64.0 * UNIT_ROUNDOFF)) + (far * (speed * (3.0 * UNIT_ROUNDOFF)) + 1e-290);
    if passes_by(simd, blocks, closing, apart.perp_dot(velocity), error_bound + radius * speed) {
        return Ok(None);
    }
    let rounding = ErrorBounds::new(sizes, far_apart, far);
    let error_bound = rounding.separation();
    let gap = radius + error_bound;
    let b_in_a = Relative::between(a.pose, b.pose);
    let a_in_b = Relative { cos: b_in_a.cos, sin: -b_in_a.sin, translation: -b.pose.inverse_rotate_vector(apart) };
    // Load the numbers again: extracting them from vectors would cost more.
    let blocks = [black_box(p).as_ref(), black_box(q).as_ref()];
    let of_a = EntryTimes::new(simd, blocks[0], blocks[1], b_in_a, closing[0], gap);
    let of_b = EntryTimes::new(simd, blocks[1], blocks[0], a_in_b, closing[1], gap);
    // The owner of the edge is unpredictable, so there are no branches.
    let (latest, lane) = greatest_of_two(of_a.last, of_b.last);
    if latest <= 0.0 {
        // Behind, or in contact.
        return if of_a.outside.max(of_b.outside).reduce_max() > 0.0 { Ok(None) } else { Err(Inconclusive) };
    }
    let time = of_two(of_a.separations, of_b.separations, lane) / of_two(of_a.rates, of_b.rates, lane);
    if time > end {
        return Ok(None);
    }
    let of_second = lane >= 8;
    let edge = lane % 8 + pick(of_second, of_a.first_edge(lane % 8), of_b.first_edge(lane % 8));
    let (own, other) = (pick(of_second, blocks[0], blocks[1]), pick(of_second, blocks[1], blocks[0]));
    let lowest: i64 = of_two(of_a.lowest, of_b.lowest, lane);
    let (sin, translation) =
        (pick(of_second, b_in_a.sin, a_in_b.sin), pick(of_second, b_in_a.translation, a_in_b.translation));
    let pose = Relative { sin, translation, ..b_in_a };
    let edge_hit = EdgeHit { own, other, edge, pose, moved: pick(of_second, closing[0], closing[1]) * -time };
    let radius = a.convex.radius;
    // Points are on the surface of a, for an edge of either shape.
    let on_a = |height: f64| pick(of_second, radius, height - radius);
    let Some(contact) = edge_hit.contact(lowest as usize, pick(of_second, b.convex, a.convex), &rounding, on_a) else {
        return Err(Inconclusive);
    };
    let (pose, sweep) = (pick(of_second, a.pose, b.pose), pick(of_second, a.sweep, b.sweep));
    let point = pose.translation() + pose.rotate_vector(contact) + sweep.translation() * time;
    let normal = pose.rotate_vector(edge_hit.normal()) * pick(of_second, 1.0, -1.0);
    Ok(Some(Impact::later(time, normal, point)))
}

/// Returns true if the projections onto the normal of the motion are disjoint. Then the shapes
/// never touch. Most misses are rejected by this test alone. `closing` is the relative displacement
/// in both frames. The offset of the origins and `gap` are multiplied by the length of the motion.
#[inline(always)]
fn passes_by<S: Simd>(simd: S, blocks: [&[VertexBlock4]; 2], closing: [DVec2; 2], aside: f64, gap: f64) -> bool {
    let (a, b) = (projection(simd, blocks[0], closing[0].perp()), projection(simd, blocks[1], -closing[1].perp()));
    // Computes both maxima at once: of the extents of b downward and a upward, and vice versa.
    let [down_b, down_a, up_a, up_b]: [f64; 4] = halved(halved(-b[0], a[1]), halved(-a[0], b[1])).to_array();
    ((down_b - aside) + up_a < -gap) | ((down_a + aside) + up_b < -gap)
}

/// Returns the maximum of pairs of lanes of two vectors, interleaved.
#[inline(always)]
fn halved<S: Simd>(p: f64x4<S>, q: f64x4<S>) -> f64x4<S> {
    let (low, high) = p.interleave(q);
    low.max(high)
}

/// Returns the minimum and maximum height of a shape's vertices along a direction, for every fourth
/// vertex.
#[inline(always)]
fn projection<S: Simd>(simd: S, blocks: &[VertexBlock4], along: DVec2) -> [f64x4<S>; 2] {
    let first = heights(simd, &blocks[0], along);
    let (mut least, mut greatest) = (first, first);
    for block in &blocks[1..] {
        let heights = heights(simd, block, along);
        (least, greatest) = (least.min(heights), greatest.max(heights));
    }
    [least, greatest]
}

/// Returns the heights of four vertices along a direction.
#[inline(always)]
fn heights<S: Simd>(simd: S, block: &VertexBlock4, along: DVec2) -> f64x4<S> {
    f64x4::from_slice(simd, &block.x) * along.x + f64x4::from_slice(simd, &block.y) * along.y
}

/// Selects one of two values without a branch.
#[inline(always)]
fn pick<T>(second: bool, p: T, q: T) -> T {
    select_unpredictable(second, q, p)
}

/// Returns one lane of two vectors.
#[inline(always)]
fn of_two<V: VectorLanes>(p: V, q: V, lane: usize) -> V::Element {
    [p, q][lane / 8 % 2].as_slice()[lane % 8]
}

/// Casts two circles: the ray of one centre against the circle with both radii about the other.
#[inline(always)]
fn of_circles([a, b]: [MovingConvex<'_>; 2], [p, q]: [DVec2; 2], end: f64) -> Result<Option<Impact>, Inconclusive> {
    let (p, q) = (a.pose.transform_point(p), b.pose.transform_point(q));
    let (apart, velocity) = (q - p, b.sweep.translation() - a.sweep.translation());
    let larger = a.convex.radius.max(b.convex.radius);
    let radius = a.convex.radius + b.convex.radius + (a.sweep.target_gap() + b.sweep.target_gap());
    let error_bound = ErrorBounds::of(&a.part(), &b.part(), b.pose.translation() - a.pose.translation()).separation();
    let distance = unscaled_length(apart) - radius;
    if distance <= error_bound || error_bound > 1e-8 * larger {
        return Err(Inconclusive);
    }
    if velocity == DVec2::ZERO {
        return Ok(None);
    }
    let limit = radius + error_bound;
    if limit * limit * velocity.length_squared() < TINY_SQUARE {
        // Products of tiny numbers underflow.
        return Err(Inconclusive);
    }
    let Some(time) = time_at_distance(apart, velocity, limit, distance - error_bound).filter(|&time| time <= end)
    else {
        return Ok(None);
    };
    let between = apart + velocity * time;
    let normal = between / unscaled_length(between);
    let point = p + a.sweep.translation() * time + normal * a.convex.radius;
    Ok(Some(Impact::later(time, normal, point)))
}

/// Returns the time at which a moving point enters the circle about the origin with radius `limit`, if it does. `gap`
/// is its distance from the circle now. Squares of the lengths must not underflow.
#[inline(always)]
fn time_at_distance(apart: DVec2, velocity: DVec2, limit: f64, gap: f64) -> Option<f64> {
    let (toward, aside) = (-apart.dot(velocity), cross(apart, velocity));
    let inside = limit * limit * velocity.length_squared() - aside * aside;
    if toward <= 0.0 || inside <= 0.0 {
        return None;
    }
    // The smaller root in the form without cancellation.
    Some(gap.max(0.0) * (unscaled_length(apart) + limit) / (toward + sqrt(inside)))
}
