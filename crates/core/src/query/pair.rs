//! Two placed convex shapes, and what floating point may say about them.

use core::ops::{Add, Mul};

use glam::DVec2;

use super::exact::{self, Relation};
use crate::math::pose::Pose;
use crate::math::vector::{MIN_SUBNORMAL, UNIT_ROUNDOFF, norm1};
use crate::shape::convex::Convex;
use crate::shape::part::Part;

/// Squares below this may have lost digits to underflow.
pub(crate) const TINY_SQUARE: f64 = 1e-280;

/// The pose of one shape in the frame of another.
#[derive(Clone, Copy)]
pub(super) struct Relative {
    pub(super) cos: f64,
    pub(super) sin: f64,
    pub(super) translation: DVec2,
}

impl Relative {
    /// The pose `q` in the frame of `p`.
    #[inline(always)]
    pub(super) fn between(p: &Pose, q: &Pose) -> Self {
        Self {
            cos: p.cos() * q.cos() + p.sin() * q.sin(),
            sin: p.cos() * q.sin() - p.sin() * q.cos(),
            translation: p.inverse_rotate_vector(q.translation() - p.translation()),
        }
    }

    /// The pose `q` in the frame of `p` and the other way around.
    #[inline(always)]
    pub(super) fn both(p: &Pose, q: &Pose) -> [Self; 2] {
        let q_in_p = Self::between(p, q);
        let translation = -q.inverse_rotate_vector(q.translation() - p.translation());
        [q_in_p, Self { cos: q_in_p.cos, sin: -q_in_p.sin, translation }]
    }

    /// Half the size of the box around a box of half size `half` of the other frame.
    #[inline(always)]
    pub(super) fn extent(&self, half: DVec2) -> DVec2 {
        let (cos, sin) = (self.cos.abs(), self.sin.abs());
        DVec2::new(cos * half.x + sin * half.y, sin * half.x + cos * half.y)
    }

    /// Takes a point of the other frame into this one.
    #[inline(always)]
    pub(super) fn apply(&self, p: DVec2) -> DVec2 {
        DVec2::new(self.cos * p.x - self.sin * p.y, self.sin * p.x + self.cos * p.y) + self.translation
    }

    /// Turns a direction of this frame into the other one.
    #[inline(always)]
    pub(super) fn unrotate(&self, v: DVec2) -> DVec2 {
        DVec2::new(self.cos * v.x + self.sin * v.y, self.cos * v.y - self.sin * v.x)
    }
}

/// Two convex shapes, ready for the kernels; number 0 is the first, 1 the second.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) parts: [Part<'a>; 2],
    /// The pose of the other shape in the frame of each.
    pub(super) other_in: [Relative; 2],
    /// The sum of both radii.
    pub(super) radius: f64,
    pub(super) rounding: ErrorBounds,
}

/// How far rounding can lead astray.
///
/// `T` is a number, or as many numbers as there are lanes.
#[derive(Clone, Copy)]
pub(crate) struct ErrorBounds<T = f64> {
    /// The scale of rounding errors made in the frames of the shapes: relative to sizes and distance, wherever in the world the pair is.
    noise: T,
    /// The scale of rounding errors made where points are placed in the world.
    far: T,
}

impl ErrorBounds {
    /// Of two parts whose translations are `apart`.
    #[inline(always)]
    pub(super) fn of(a: &Part<'_>, b: &Part<'_>, apart: DVec2) -> Self {
        Self::between([a.convex, b.convex], [&a.pose, &b.pose], apart)
    }

    /// The same of two convex shapes and their poses.
    #[inline(always)]
    pub(super) fn between([a, b]: [&Convex; 2], [p, q]: [&Pose; 2], apart: DVec2) -> Self {
        let sizes = a.bounding_radius + b.bounding_radius + (a.radius + b.radius);
        Self::new(sizes, norm1(apart), norm1(p.translation()) + norm1(q.translation()))
    }
}

impl<T: Copy + Add<Output = T> + Add<f64, Output = T> + Mul<f64, Output = T>> ErrorBounds<T> {
    /// From the sum of reaches and radii, how far apart the translations are and how far from the origin, as sums of their coordinates' magnitudes.
    #[inline(always)]
    pub(crate) fn new(sizes: T, apart: T, far: T) -> Self {
        Self { noise: (sizes + apart) * UNIT_ROUNDOFF, far: far * UNIT_ROUNDOFF }
    }

    /// A computed separation is within this of the exact one.
    ///
    /// The exact set is made of placed points, the kernels work on the shapes' own points, ideally placed. With r and s the reaches, D = the
    /// difference of the translations t and u = 2⁻⁵³, the errors of a separation along a unit vector are at most:
    ///
    /// | source | error |
    /// |---|---|
    /// | rounding when a point is placed: two products, a difference, a sum | 5u (r + s) + u ‖t‖₁ of each |
    /// | cosine and sine that are not quite a rotation (4 epsilon = 8u in the square) | 4u (r + s) |
    /// | an edge's normal: difference, root, division, and turned by a product of rotations | 14u (r + s + ‖D‖) |
    /// | D and its rotation | 5u ‖D‖₁ |
    /// | scalar products along the normal | 6u (r + s + ‖D‖) |
    /// | a length where corners meet, the sum of the radii and its subtraction | 6u (r + s + ‖D‖ + R) |
    ///
    /// InUnion below 40u (r + s + ‖D‖₁ + R) + u ‖t‖₁ of each. An edge counts as nearest where the foot on its line misses it by no more than
    /// [`position_error`](Self::slack), and a corner where it is the nearest but for as much: the constants used are 64 and 3.
    #[inline(always)]
    pub(crate) fn separation(&self) -> T {
        self.noise * 64.0 + self.far * 3.0 + 1e-300
    }

    /// Lengths that differ by no more than this are equal up to rounding in the frames of the shapes.
    #[inline(always)]
    pub(crate) fn length(&self) -> T {
        self.noise * 16.0
    }

    /// Places that are no farther apart than this are not told apart: rounding in the frames of the shapes and in the world may have parted them.
    #[inline(always)]
    pub(crate) fn position(&self) -> T {
        self.noise * 8.0 + self.far * 1.25
    }
}

impl<'a> Pair<'a> {
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

    /// [`ErrorBounds::separation`].
    #[inline(always)]
    pub(super) fn separation_error(&self) -> f64 {
        self.rounding.separation()
    }

    /// [`ErrorBounds::length`].
    #[inline(always)]
    pub(super) fn length_error(&self) -> f64 {
        self.rounding.length()
    }

    /// [`ErrorBounds::position`].
    #[inline(always)]
    pub(super) fn position_error(&self) -> f64 {
        self.rounding.position()
    }

    /// Are the circles around the shapes farther apart than `limit`?
    #[inline(always)]
    pub(super) fn is_beyond_reach(&self, limit: f64) -> bool {
        let [a, b] = &self.parts;
        is_beyond(self.apart(), a.convex.bounding_radius + b.convex.bounding_radius + limit)
    }

    /// How far apart the origins are.
    #[inline(always)]
    pub(super) fn apart(&self) -> DVec2 {
        let [a, b] = &self.parts;
        b.pose.translation() - a.pose.translation()
    }

    /// The depth (negative: minus the distance), from a computed separation of the hulls, with the sign that the exact predicate gives it.
    #[inline(always)]
    pub(super) fn exact_sign_depth(&self, separation: f64) -> f64 {
        let depth = self.radius - separation;
        if depth.abs() > self.separation_error() { depth } else { with_exact_sign(depth, self.relation(-depth)) }
    }

    /// The exact relation, from a computed signed distance of the shapes.
    #[inline(always)]
    pub(super) fn relation(&self, signed_distance: f64) -> Relation {
        let [a, b] = self.parts;
        relation(signed_distance, self.separation_error(), || exact::relation(a, b))
    }
}

/// What circles around and in two shapes tell: most of pairs that lie anyhow. That their squares are rounded, and the places of the edges' lines, is part of the doubt.
#[inline(always)]
pub(super) fn relation_of_circles([a, b]: [&Convex; 2], apart: DVec2, doubt: f64) -> Option<Relation> {
    let radius = a.radius + b.radius;
    let outer = a.bounding_radius + b.bounding_radius + radius + doubt;
    let inner = a.inscribed_radius() + b.inscribed_radius() + radius - doubt;
    let outer_square = outer * outer;
    // One branch, not two: the distance from the middle between both squares. A small inner one would be lost in it.
    let inner_square = if inner > outer * 0.125 { inner * inner } else { -outer_square };
    let from_middle = apart.length_squared() - (outer_square + inner_square) * 0.5;
    if (from_middle.abs() <= (outer_square - inner_square) * 0.5) | (outer_square < TINY_SQUARE) {
        return None;
    }
    Some(if from_middle > 0.0 { Relation::Apart } else { Relation::Overlapping })
}

/// Is a vector longer than a reach?
#[inline(always)]
pub(super) fn is_beyond(apart: DVec2, reach: f64) -> bool {
    let square = apart.length_squared();
    // Tiny squares underflow.
    (square > reach * reach) & (square > TINY_SQUARE)
}

/// The exact relation, from a computed signed distance: it decides wherever it is beyond doubt.
#[inline(always)]
pub(super) fn relation(signed_distance: f64, doubt: f64, exactly: impl FnOnce() -> Relation) -> Relation {
    // One branch that is almost never taken; the sign is no branch.
    if signed_distance.abs() <= doubt {
        return exactly();
    }
    if signed_distance > 0.0 { Relation::Apart } else { Relation::Overlapping }
}

/// A computed depth with the sign of the exact relation.
#[inline(always)]
pub(super) fn with_exact_sign(depth: f64, relation: Relation) -> f64 {
    match relation {
        Relation::Apart => depth.min(-MIN_SUBNORMAL),
        Relation::Touching => 0.0,
        Relation::Overlapping => depth.max(MIN_SUBNORMAL),
    }
}
