//! Prepares a pair of placed convex shapes and bounds the rounding error of its separations.
//!
//! Input: two convex parts. Output: their relative poses, the error bounds, and the depth with its
//! exact sign. This is the floating-point filter of exact geometric computation (Shewchuk 1997):
//!
//! ```text
//! if |separation| > error bound: its sign is correct
//! else:                          the exact predicate decides
//! ```
//!
//! A fixed tolerance does not suffice: it is too small far from the origin and too large for tiny
//! shapes. So the bound follows from sizes, distance and world position.
//! [`ErrorBounds::separation`] proves it.
//!
//! Bounding and inscribed circles decide most random pairs from one squared distance. Computations
//! run in the frame of a shape. So their error depends on the distance of the shapes and not on the
//! distance from the world origin.

use core::ops::{Add, Mul};

use glam::DVec2;

use super::exact;
use crate::math::pose::Pose;
use crate::math::vector::{MIN_SUBNORMAL, TINY_SQUARE, UNIT_ROUNDOFF, norm1};
use crate::pair_result::Relation;
use crate::shape::convex::Convex;
use crate::shape::part::Part;

/// The pose of one shape in the frame of another.
#[derive(Clone, Copy)]
pub(super) struct Relative {
    /// Cosine of the angle.
    pub(super) cos: f64,
    /// Sine of the angle.
    pub(super) sin: f64,
    /// Position of the origin.
    pub(super) translation: DVec2,
}

impl Relative {
    /// Returns the pose `q` in the frame of `p`.
    #[inline(always)]
    pub(super) fn between(p: &Pose, q: &Pose) -> Self {
        Self {
            cos: p.cos() * q.cos() + p.sin() * q.sin(),
            sin: p.cos() * q.sin() - p.sin() * q.cos(),
            translation: p.inverse_rotate_vector(q.translation() - p.translation()),
        }
    }

    /// Returns the pose `q` in the frame of `p`, and `p` in the frame of `q`.
    #[inline(always)]
    pub(super) fn both(p: &Pose, q: &Pose) -> [Self; 2] {
        let q_in_p = Self::between(p, q);
        let translation = -q.inverse_rotate_vector(q.translation() - p.translation());
        [q_in_p, Self { cos: q_in_p.cos, sin: -q_in_p.sin, translation }]
    }

    /// Returns the half extents of the box around a box with half extents `half` in the other frame.
    #[inline(always)]
    pub(super) fn extent(&self, half: DVec2) -> DVec2 {
        let (cos, sin) = (self.cos.abs(), self.sin.abs());
        DVec2::new(cos * half.x + sin * half.y, sin * half.x + cos * half.y)
    }

    /// Transforms a point of the other frame into this one.
    #[inline(always)]
    pub(super) fn apply(&self, p: DVec2) -> DVec2 {
        DVec2::new(self.cos * p.x - self.sin * p.y, self.sin * p.x + self.cos * p.y) + self.translation
    }

    /// Rotates a direction of this frame into the other one.
    #[inline(always)]
    pub(super) fn unrotate(&self, v: DVec2) -> DVec2 {
        DVec2::new(self.cos * v.x + self.sin * v.y, self.cos * v.y - self.sin * v.x)
    }
}

/// Two convex shapes, prepared for the kernels. Index 0 is the first shape, 1 the second.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    /// Both parts.
    pub(super) parts: [Part<'a>; 2],
    /// The pose of the other shape in the frame of each shape.
    pub(super) other_in: [Relative; 2],
    /// The sum of both radii.
    pub(super) radius: f64,
    /// Error bounds of numbers computed from the pair.
    pub(super) rounding: ErrorBounds,
}

/// Bounds of the rounding errors of a pair.
///
/// `T` is one number, or a SIMD vector with one number per lane.
#[derive(Clone, Copy)]
pub(crate) struct ErrorBounds<T = f64> {
    /// Scale of the rounding errors made in the frames of the shapes. Depends on sizes and distance, not on the world
    /// position.
    noise: T,
    /// Scale of the rounding errors made when points are transformed into the world.
    far: T,
}

impl ErrorBounds {
    /// Returns the bounds for two parts. `apart` is the difference of their translations.
    #[inline(always)]
    pub(super) fn of(a: &Part<'_>, b: &Part<'_>, apart: DVec2) -> Self {
        Self::between([a.convex, b.convex], [&a.pose, &b.pose], apart)
    }

    /// Returns the bounds for two convex shapes and their poses.
    #[inline(always)]
    pub(super) fn between([a, b]: [&Convex; 2], [p, q]: [&Pose; 2], apart: DVec2) -> Self {
        let sizes = a.bounding_radius + b.bounding_radius + (a.radius + b.radius);
        Self::new(sizes, norm1(apart), norm1(p.translation()) + norm1(q.translation()))
    }
}

impl<T: Copy + Add<Output = T> + Add<f64, Output = T> + Mul<f64, Output = T>> ErrorBounds<T> {
    /// Builds the bounds from three lengths.
    ///
    /// - `sizes`: sum of the bounding radii and the radii.
    /// - `apart`: L1 norm of the difference of the translations.
    /// - `far`: sum of the L1 norms of both translations.
    #[inline(always)]
    pub(crate) fn new(sizes: T, apart: T, far: T) -> Self {
        Self { noise: (sizes + apart) * UNIT_ROUNDOFF, far: far * UNIT_ROUNDOFF }
    }

    /// Returns the error bound of a computed separation.
    ///
    /// The exact set consists of placed points. The kernels use the shapes' own points and an ideal transform.
    /// Let r and s be the bounding radii, R the sum of the radii, D the difference of the translations t, and u = 2⁻⁵³.
    /// The errors of a separation along a unit vector are at most:
    ///
    /// | source | error |
    /// |---|---|
    /// | rounding of a placed point: two products, a difference, a sum | 5u (r + s) + u ‖t‖₁ of each |
    /// | cosine and sine that are not exactly a rotation (4 epsilon = 8u in the square) | 4u (r + s) |
    /// | normal of an edge: difference, root, division, then rotation by a product of rotations | 14u (r + s + ‖D‖) |
    /// | D and its rotation | 5u ‖D‖₁ |
    /// | scalar products along the normal | 6u (r + s + ‖D‖) |
    /// | a vertex-vertex distance, the sum of the radii and its subtraction | 6u (r + s + ‖D‖ + R) |
    ///
    /// The sum is below 40u (r + s + ‖D‖₁ + R) + u ‖t‖₁ of each. An edge counts as the closest feature if the foot of
    /// the perpendicular misses it by at most [`position`](Self::position). A vertex counts as the closest within the
    /// same tolerance. Therefore the constants are 64 and 3.
    #[inline(always)]
    pub(crate) fn separation(&self) -> T {
        self.noise * 64.0 + self.far * 3.0 + 1e-300
    }

    /// Returns the tolerance for lengths in the frames of the shapes: a smaller difference may be rounding.
    #[inline(always)]
    pub(crate) fn length(&self) -> T {
        self.noise * 16.0
    }

    /// Returns the tolerance for positions: rounding in the shapes' frames and in the world may cause this distance.
    #[inline(always)]
    pub(crate) fn position(&self) -> T {
        self.noise * 8.0 + self.far * 1.25
    }
}

impl ErrorBounds {
    /// Returns the tolerance for the choice of an edge by its height.
    ///
    /// Each of two heights is computed in the frame of its own shape, so the world position adds no error. One height
    /// is off by at most 25 units (normals 14, D 5, products 6 in the table above). Subnormal products are rounded to
    /// multiples of the least positive number: D and a vertex by 1.5 of it each, the product with the normal by 1.
    pub(super) fn height(&self) -> f64 {
        self.noise * 50.0 + 8.0 * MIN_SUBNORMAL
    }
}

impl<'a> Pair<'a> {
    /// Prepares two parts.
    #[inline(always)]
    pub(super) fn new(a: Part<'a>, b: Part<'a>) -> Self {
        let rounding = ErrorBounds::of(&a, &b, b.pose.translation() - a.pose.translation());
        Self {
            parts: [a, b],
            other_in: Relative::both(&a.pose, &b.pose),
            radius: a.convex.radius + b.convex.radius,
            rounding,
        }
    }

    /// Returns the vector from the first shape's origin to the second's.
    #[inline(always)]
    pub(super) fn apart(&self) -> DVec2 {
        let [a, b] = &self.parts;
        b.pose.translation() - a.pose.translation()
    }

    /// Returns the depth from a computed separation of the hulls, with the sign of the exact predicate.
    ///
    /// A negative depth is minus the distance.
    #[inline(always)]
    pub(super) fn exact_sign_depth(&self, separation: f64) -> f64 {
        let depth = self.radius - separation;
        if depth.abs() > self.rounding.separation() { depth } else { with_exact_sign(depth, self.relation(-depth)) }
    }

    /// Returns the exact relation, from a computed signed distance of the shapes.
    #[inline(always)]
    pub(super) fn relation(&self, signed_distance: f64) -> Relation {
        let [a, b] = self.parts;
        relation(signed_distance, self.rounding.separation(), || exact::relation(a, b))
    }
}

/// Decides the relation from bounding and inscribed circles, if possible. This decides most random pairs.
///
/// `error_bound` covers the rounding of the squares and of the positions of the edges' lines.
#[inline(always)]
pub(super) fn relation_of_circles([a, b]: [&Convex; 2], apart: DVec2, error_bound: f64) -> Option<Relation> {
    let radius = a.radius + b.radius;
    let outer = a.bounding_radius + b.bounding_radius + radius + error_bound;
    let inner = a.inscribed_radius() + b.inscribed_radius() + radius - error_bound;
    let outer_square = outer * outer;
    // Compares the squared distance with the middle of both squares: one branch instead of two.
    // A small inner square would be lost to rounding, so it is ignored.
    let inner_square = if inner > outer * 0.125 { inner * inner } else { -outer_square };
    let from_middle = apart.length_squared() - (outer_square + inner_square) * 0.5;
    if (from_middle.abs() <= (outer_square - inner_square) * 0.5) | (outer_square < TINY_SQUARE) {
        return None;
    }
    Some(if from_middle > 0.0 { Relation::Apart } else { Relation::Overlapping })
}

/// Returns true if a vector is longer than `limit`. Returns false if its square may have underflowed.
#[inline(always)]
pub(super) fn is_beyond(apart: DVec2, limit: f64) -> bool {
    let square = apart.length_squared();
    // Tiny squares underflow.
    (square > limit * limit) & (square > TINY_SQUARE)
}

/// Returns the exact relation from a computed signed distance. Calls `exactly` only within the error bound.
#[inline(always)]
pub(super) fn relation(signed_distance: f64, error_bound: f64, exactly: impl FnOnce() -> Relation) -> Relation {
    // This branch is almost never taken. The sign below compiles without a branch.
    if signed_distance.abs() <= error_bound {
        return exactly();
    }
    if signed_distance > 0.0 { Relation::Apart } else { Relation::Overlapping }
}

/// Returns a computed depth, corrected to the sign of the exact relation.
#[inline(always)]
pub(super) fn with_exact_sign(depth: f64, relation: Relation) -> f64 {
    match relation {
        Relation::Apart => depth.min(-MIN_SUBNORMAL),
        Relation::Touching => 0.0,
        Relation::Overlapping => depth.max(MIN_SUBNORMAL),
    }
}
