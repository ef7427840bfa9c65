//! Computes pairs of a circle with a circle or a rectangle in closed form.
//!
//! A circle is one point with a radius. Input: two convex shapes and their poses. Output: the exact
//! relation, the separation and the manifold. Source: Ericson 2005, 4.3.1 (circles) and 5.1.3
//! (closest point on a rectangle).
//!
//! ```text
//! circle, circle:     depth = sum of radii − distance of the centres
//! circle, rectangle:  transform the centre into the rectangle's frame, mirror it to the upper right quadrant
//!                     beyond = centre − half extents
//!                     beyond both sides:  closest feature is the vertex; distance = |beyond|
//!                     else:               closest feature is the edge; distance = max(beyond)
//!                     depth = sum of radii − distance
//! ```
//!
//! The simple version rounds, so it cannot tell touching from apart. Here a floating-point filter
//! compares squares first. A difference within its error bound goes to the exact predicate, which
//! also gives the depth its sign.
//!
//! The sides and the intersection are unpredictable for the processor, and a mispredicted branch
//! costs more than the arithmetic. So all cases are computed, and one is selected without a branch.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::exact;
use super::feature_pair::{EdgeVertex, FeaturePair};
use super::pair::{ErrorBounds, is_beyond, relation, with_exact_sign};
use super::sat;
use super::support::lowest_of_rectangle;
use crate::math::pose::Pose;
use crate::math::simd::{Simd, SimdKernel, dispatch_baseline, f64x2, mask64x2};
use crate::math::vector::{UNIT_ROUNDOFF, length_and_direction, subnormal_length, unscaled_length};
use crate::pair_result::{Feature, Manifold, Margin, Relation};
use crate::shape::convex::Convex;
use crate::shape::part::Part;

/// Floating point cannot decide the result.
pub(super) struct Uncertain;

/// Returns the relation of two shapes with one point each if floating point decides it.
///
/// The placed points are the exact set. Only their difference and the comparison are rounded: at most 3 roundings on
/// each side.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn filtered_relation(a: &Part<'_>, b: &Part<'_>, p: DVec2, q: DVec2) -> Option<Relation> {
    let apart = b.pose.transform_center(q) - a.pose.transform_center(p);
    let (excess, error_bound) = beyond(apart, a.convex.radius + b.convex.radius);
    let relation = if excess > 0.0 { Relation::Apart } else { Relation::Overlapping };
    (excess.abs() > error_bound).then_some(relation)
}

/// Returns the squared distance minus the square of `radius`, and its error bound.
#[inline(always)]
fn beyond(apart: DVec2, radius: f64) -> (f64, f64) {
    let (distance, radius) = (apart.x * apart.x + apart.y * apart.y, radius * radius);
    // Squares below 1e-290 may have lost digits to underflow.
    (distance - radius, 8.0 * UNIT_ROUNDOFF * (distance + radius) + 1e-290)
}

/// Returns the manifold of two shapes with one point each if floating point decides it.
///
/// An intersection is often unpredictable. A mispredicted branch costs more than an unneeded manifold, so the only
/// branch is the one to the exact path.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn filtered_contact(
    a: &Part<'_>,
    b: &Part<'_>,
    p: DVec2,
    q: DVec2,
    margin: f64,
) -> Result<Option<Manifold>, Uncertain> {
    let (from, to) = (a.pose.transform_center(p), b.pose.transform_center(q));
    let (radius_a, radius_b) = (a.convex.radius, b.convex.radius);
    let apart = to - from;
    let (excess, error_bound) = beyond(apart, radius_a + radius_b + margin);
    let distance = unscaled_length(apart);
    let depth = radius_a + radius_b - distance;
    // Twice the error bound, so that the squares and the depth agree. The depth's root and sums round differently.
    if (excess.abs() <= 2.0 * error_bound)
        | (depth.abs() <= 8.0 * UNIT_ROUNDOFF * (distance + (radius_a + radius_b)))
        | (distance <= 1e-140)
    {
        return Err(Uncertain);
    }
    let normal = apart / distance;
    let surfaces = [from + normal * radius_a, to - normal * radius_b];
    let mut found = Some(Manifold::at(0, normal, depth, surfaces, [Feature::Vertex(0); 2]));
    if excess > 0.0 {
        found = None;
    }
    Ok(found)
}

/// A rectangle and a circle, in either order.
///
/// Computes in the frame of the rectangle, within [`ErrorBounds::separation`]. All quadrants are mirrored to the
/// upper right one. The side of the point is unpredictable, so all cases are computed and one is selected.
#[derive(Clone, Copy)]
pub(super) struct CircleRectangle<'a> {
    /// The rectangle's index in the pair.
    of: usize,
    /// The rectangle and its pose.
    rectangle: At<'a>,
    /// The circle and its pose.
    circle: At<'a>,
    /// Half the width and half the height of the rectangle.
    half: DVec2,
    /// The point in world coordinates.
    center: DVec2,
    /// The point in the rectangle's frame.
    point: DVec2,
    /// Signed distance of the point beyond the sides, along both axes.
    beyond: DVec2,
    /// Error bounds of the pair.
    rounding: ErrorBounds,
}

/// A convex shape and its pose. A [`Part`] would copy the pose.
#[derive(Clone, Copy)]
struct At<'a> {
    /// The shape.
    convex: &'a Convex,
    /// Its pose.
    pose: &'a Pose,
}

impl<'a> CircleRectangle<'a> {
    /// Returns the pair in the frame of the rectangle; `None` for other kinds.
    #[inline(always)]
    pub(super) fn new([a, b]: [&'a Convex; 2], [p, q]: [&'a Pose; 2]) -> Option<Self> {
        let (a, b) = (At { convex: a, pose: p }, At { convex: b, pose: q });
        if let (Some(half), Some(point)) = (a.convex.as_rectangle(), b.convex.as_point()) {
            return Some(Self::ordered(0, a, b, half, point));
        }
        if let (Some(half), Some(point)) = (b.convex.as_rectangle(), a.convex.as_point()) {
            return Some(Self::ordered(1, b, a, half, point));
        }
        None
    }

    /// Computes the position of the centre; `of` is the index of the rectangle in the pair.
    #[inline(always)]
    fn ordered(of: usize, rectangle: At<'a>, circle: At<'a>, half: DVec2, point: DVec2) -> Self {
        let center = circle.pose.transform_center(point);
        let apart = center - rectangle.pose.translation();
        let point = rectangle.pose.inverse_rotate_vector(apart);
        let rounding = ErrorBounds::between([rectangle.convex, circle.convex], [rectangle.pose, circle.pose], apart);
        Self { of, rectangle, circle, half, center, point, beyond: point.abs() - half, rounding }
    }

    /// Returns the relation. Exact.
    #[inline(always)]
    pub(super) fn relation(&self) -> Relation {
        let outside = self.beyond.max(DVec2::ZERO);
        // Tiny squares underflow. The wrapping subtraction excludes 0 (inside), which needs no root.
        let is_tiny = outside.max_element().to_bits().wrapping_sub(1) < 1e-140_f64.to_bits();
        let length = if is_tiny { subnormal_length(outside) } else { unscaled_length(outside) };
        self.relation_from_distance(length + self.beyond.max_element().min(0.0) - self.radius())
    }

    /// Returns the closest features: a vertex if the point is beyond both sides, else the edge with the greatest
    /// separation.
    #[inline(always)]
    pub(super) fn features(&self) -> FeaturePair {
        if self.is_at_vertex() {
            return FeaturePair::Vertices(self.in_order(lowest_of_rectangle(-self.point), 0));
        }
        FeaturePair::EdgeVertex(EdgeVertex { of: self.of, edge: self.edge(), vertex: 0 })
    }

    /// Returns the separation of the hulls and its direction, from the first shape to the second.
    #[inline(always)]
    pub(super) fn separation(&self) -> (f64, DVec2) {
        let nearest = self.nearest();
        (nearest.distance, self.rectangle.pose.rotate_vector(nearest.normal) * self.sign())
    }

    /// Returns the manifold; `None` if the gap is greater than the margin.
    #[inline(always)]
    pub(super) fn contact(&self, margin: Margin) -> Option<Manifold> {
        // An intersection is often unpredictable. Pairs that are apart return before the root is computed.
        if is_beyond(self.beyond.max(DVec2::ZERO), self.radius() + margin.length() + self.rounding.separation()) {
            return None;
        }
        let nearest = self.nearest();
        let depth = self.radius() - nearest.distance;
        let depth = if depth.abs() > self.rounding.separation() {
            depth
        } else {
            with_exact_sign(depth, self.relation_from_distance(-depth))
        };
        let depth = margin.limit(depth, self.rounding.separation(), |margin| {
            let [a, b] = self.in_order(self.rectangle, self.circle);
            exact::is_within(a.convex.placed(a.pose), b.convex.placed(b.pose), margin)
        })?;
        let normal = self.rectangle.pose.rotate_vector(nearest.normal);
        let on_rectangle = self.rectangle.pose.transform_point(nearest.foot) + normal * self.rectangle.convex.radius;
        let surfaces = [on_rectangle, self.center - normal * self.circle.convex.radius];
        let features = [self.feature(), Feature::Vertex(0)];
        Some(Manifold::at(self.of, normal * self.sign(), depth, surfaces, features))
    }

    /// Returns the point of the rectangle closest to the centre, with distance and normal.
    #[inline(always)]
    fn nearest(&self) -> ClosestOnRectangle {
        dispatch_baseline(Quadrant {
            half: self.half,
            point: self.point,
            slack: self.rounding.position(),
            sideways: self.edge() % 2 == 1,
        })
    }

    /// Returns the edge or vertex of the rectangle that decides.
    #[inline(always)]
    fn feature(&self) -> Feature {
        // The vertex in the quadrant of the point is the farthest one in its direction.
        let (vertex, edge) = (lowest_of_rectangle(-self.point) as u32, self.edge() as u32);
        select_unpredictable(self.is_at_vertex(), Feature::Vertex(vertex), Feature::Edge(edge))
    }

    /// Returns the sign that orients a normal of the rectangle from the first shape to the second.
    #[inline(always)]
    fn sign(&self) -> f64 {
        [1.0, -1.0][self.of]
    }

    /// Returns the sum of both radii.
    #[inline(always)]
    fn radius(&self) -> f64 {
        self.rectangle.convex.radius + self.circle.convex.radius
    }

    /// Returns the relation from a distance; the exact predicate decides within the error bound.
    #[inline(always)]
    fn relation_from_distance(&self, signed_distance: f64) -> Relation {
        let [a, b] = self.in_order(self.rectangle, self.circle);
        relation(signed_distance, self.rounding.separation(), || {
            exact::relation(a.convex.placed(a.pose), b.convex.placed(b.pose))
        })
    }

    /// Returns a value of the rectangle and a value of the circle in the order of the pair.
    #[inline(always)]
    fn in_order<T>(&self, of_rectangle: T, of_circle: T) -> [T; 2] {
        if self.of == 0 { [of_rectangle, of_circle] } else { [of_circle, of_rectangle] }
    }

    /// Returns true if the point is beyond two sides.
    #[inline(always)]
    fn is_at_vertex(&self) -> bool {
        self.beyond.min_element() > self.rounding.position()
    }

    /// Returns the edge with the greatest separation: 0 lower, 1 right, 2 upper, 3 left.
    #[inline(always)]
    fn edge(&self) -> usize {
        sat::of_rectangle(self.half, self.point, DVec2::ZERO).edge
    }
}

/// A point and a rectangle, mirrored to the rectangle's upper right quadrant for the computation.
struct Quadrant {
    half: DVec2,
    point: DVec2,
    /// Tolerance: a point beyond two sides by at most this length is in front of an edge.
    slack: f64,
    /// If true, that edge is the left or the right one.
    sideways: bool,
}

/// The point of a rectangle's boundary closest to a point, in the frame of the rectangle.
struct ClosestOnRectangle {
    /// Signed distance of the centre from the rectangle, negative inside.
    distance: f64,
    /// Outward unit normal in the frame of the rectangle.
    normal: DVec2,
    /// The closest point in the frame of the rectangle.
    foot: DVec2,
}

impl SimdKernel for Quadrant {
    type Output = ClosestOnRectangle;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ClosestOnRectangle {
        let vector = |v: DVec2| f64x2::from_array(simd, v.to_array());
        let (point, half, zero) = (vector(self.point), vector(self.half), f64x2::splat(simd, 0.0));
        let signs = (point * vector(DVec2::new(1.0, -1.0)))
            .simd_lt(zero)
            .select(vector(DVec2::new(-1.0, 1.0)), vector(DVec2::new(1.0, -1.0)));
        let (within, beyond) = (point.abs().min(half), point.abs() - half);
        let other = f64x2::from_array(simd, [beyond[1], beyond[0]]);
        let across = mask64x2::from_bitmask(simd, if self.sideways { 1 } else { 2 });
        let at_vertex = beyond.min(other).simd_gt(f64x2::splat(simd, self.slack));
        // In front of a vertex the point is beyond both sides, so this vector is not zero.
        let (length, direction) = length_and_direction(DVec2::new(beyond[0], beyond[1]), DVec2::X);
        let normal = at_vertex.select(vector(direction) * signs, across.select(signs, zero));
        let distance = at_vertex.select(f64x2::splat(simd, length), beyond.max(other));
        let foot = across.select(half, within) * signs;
        ClosestOnRectangle {
            distance: distance[0],
            normal: DVec2::new(normal[0], normal[1]),
            foot: DVec2::new(foot[0], foot[1]),
        }
    }
}
