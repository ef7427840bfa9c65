//! Computes with two vectors at a time: one SIMD vector has both x, another has both y.
//!
//! Both ends of an edge need the same computation when contact points are clipped. Each function
//! computes in the order of the scalar version, so both give the same bits. The manifold itself
//! is computed in `clip.rs`.

use glam::DVec2;

use crate::math::pose::Pose;
use crate::math::simd::{Simd, f64x2};

/// Two vectors in SIMD lanes: both ends of an edge are computed together.
#[derive(Clone, Copy)]
pub(super) struct Vec2x2<S: Simd> {
    /// The x coordinates of both.
    pub(super) x: f64x2<S>,
    /// The y coordinates of both.
    pub(super) y: f64x2<S>,
}

impl<S: Simd> Vec2x2<S> {
    /// Combines two vectors.
    #[inline(always)]
    pub(super) fn new(simd: S, p: DVec2, q: DVec2) -> Self {
        Self { x: f64x2::from_array(simd, [p.x, q.x]), y: f64x2::from_array(simd, [p.y, q.y]) }
    }

    /// [`Pose::transform_point`].
    #[inline(always)]
    pub(super) fn placed(self, pose: &Pose) -> Self {
        let (cos, sin, origin) = (pose.cos(), pose.sin(), pose.translation());
        Self { x: self.x * cos - self.y * sin + origin.x, y: self.x * sin + self.y * cos + origin.y }
    }

    /// Subtracts a vector from both.
    #[inline(always)]
    pub(super) fn minus(self, v: DVec2) -> Self {
        Self { x: self.x - v.x, y: self.y - v.y }
    }

    /// Returns the scalar products of both with a vector.
    #[inline(always)]
    pub(super) fn along(self, v: DVec2) -> f64x2<S> {
        self.x * v.x + self.y * v.y
    }

    /// Returns one of the two.
    #[inline(always)]
    pub(super) fn get(self, i: usize) -> DVec2 {
        DVec2::new(self.x[i], self.y[i])
    }
}

/// Swaps the two lanes.
#[inline(always)]
pub(super) fn swapped<S: Simd>(simd: S, v: f64x2<S>) -> f64x2<S> {
    f64x2::from_array(simd, [v[1], v[0]])
}
