//! Two placed shapes, and what floating point may say about them.

use glam::DVec2;

use super::exact::{self, Relation};
use crate::math::vector::{U, norm1};
use crate::shape::Placed;
use crate::shape::convex::Convex;

/// The pose of one shape in the frame of another.
#[derive(Clone, Copy)]
pub(super) struct Relative {
    pub(super) cos: f64,
    pub(super) sin: f64,
    pub(super) translation: DVec2,
}

impl Relative {
    #[inline(always)]
    pub(super) fn rotate(&self, v: DVec2) -> DVec2 {
        DVec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }

    #[inline(always)]
    pub(super) fn unrotate(&self, v: DVec2) -> DVec2 {
        DVec2::new(self.cos * v.x + self.sin * v.y, self.cos * v.y - self.sin * v.x)
    }

    /// The pose of the other shape in the frame of this one.
    #[inline(always)]
    pub(super) fn inverse(&self) -> Self {
        Self { cos: self.cos, sin: -self.sin, translation: -self.unrotate(self.translation) }
    }
}

/// Two placed shapes, ready for the kernels.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) a: Placed<'a>,
    pub(super) b: Placed<'a>,
    /// The shape of `a`.
    pub(super) convex_a: &'a Convex,
    /// The shape of `b`.
    pub(super) convex_b: &'a Convex,
    /// The pose of b in the frame of a.
    pub(super) b_in_a: Relative,
    /// The sum of both radii.
    pub(super) radius: f64,
    /// How far the hulls can be from each other at the least, seen by their reaches.
    pub(super) gap: f64,
    /// The scale of rounding errors made in the frames of the shapes: relative to sizes and distance, wherever in the world the pair is.
    pub(super) noise: f64,
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
    /// Together below 40u (r + s + ‖D‖₁ + R) + u ‖t‖₁ of each; the constants used are 64 and 4.
    pub(super) doubt: f64,
}

impl<'a> Pair<'a> {
    #[inline(always)]
    pub(super) fn new(a: Placed<'a>, b: Placed<'a>) -> Self {
        let (p, q) = (a.pose(), b.pose());
        let (shape_a, shape_b) = (&a.shape().0, &b.shape().0);
        let apart = q.translation() - p.translation();
        let b_in_a = Relative {
            cos: p.cos() * q.cos() + p.sin() * q.sin(),
            sin: p.cos() * q.sin() - p.sin() * q.cos(),
            translation: p.unrotate(apart),
        };
        let radius = shape_a.radius + shape_b.radius;
        let reach = shape_a.reach + shape_b.reach;
        let noise = U * (reach + norm1(apart) + radius);
        let doubt = 64.0 * noise + 4.0 * U * (norm1(p.translation()) + norm1(q.translation())) + 1e-300;
        // No root: the larger component is at least 0.7 of the length.
        let gap = apart.x.abs().max(apart.y.abs()) - reach;
        Self { a, b, convex_a: shape_a, convex_b: shape_b, b_in_a, radius, gap, noise, doubt }
    }

    /// The exact relation, from a computed signed distance of the shapes: it decides wherever it is beyond doubt.
    #[inline(always)]
    pub(super) fn relation(&self, signed_distance: f64) -> Relation {
        if signed_distance > self.doubt {
            Relation::Apart
        } else if signed_distance < -self.doubt {
            Relation::Overlapping
        } else {
            exact::relation(self.a, self.b)
        }
    }
}
