//! Keeps particles inside a box of four walls.
//!
//! Input: the box, the AABB of a particle, and its target position and velocity. Output: the range
//! of positions inside the box, and the position and velocity after a bounce off its sides.
//!
//! The range is the box shrunk by the extents of the particle, so an impact is a comparison and a
//! division per axis. Walls are no colliders: four long colliders would be candidates of every
//! particle near them. A bounce reflects the position at the wall. The speed follows from the
//! energy at the reflected position, so a bounce of restitution 1 keeps the energy under gravity.

use glam::DVec2;

use super::tolerance::at_speed;
use crate::math::aabb::Aabb;
use crate::math::vector::{magnification, sqrt, times_power_of_two};

/// The box that particles stay inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Walls(pub(super) Aabb);

impl Walls {
    /// Returns the range of positions of a collider's origin inside the walls. `aabb` is the AABB
    /// of the collider with its origin at `origin`. If the collider is larger than the box, the
    /// range is the middle.
    #[inline]
    pub(super) fn free_range(&self, origin: DVec2, aabb: &Aabb) -> (DVec2, DVec2) {
        let (low, high) = self.unclamped_range(origin, aabb);
        let middle = (low + high) * 0.5;
        (low.min(middle), high.max(middle))
    }

    /// Returns the same range without the correction for large colliders: then the minimum is above
    /// the maximum.
    #[inline(always)]
    fn unclamped_range(&self, origin: DVec2, aabb: &Aabb) -> (DVec2, DVec2) {
        (self.0.min() + (origin - aabb.min()), self.0.max() - (aabb.max() - origin))
    }

    /// Returns the position inside the range that is nearest to a target.
    #[inline]
    pub(super) fn clamp(&self, target: DVec2, origin: DVec2, aabb: &Aabb) -> DVec2 {
        let (low, high) = self.free_range(origin, aabb);
        target.max(low).min(high)
    }

    /// Bounces a target position and its velocity off the walls, if the target is outside.
    #[inline(always)]
    pub(super) fn bounce(&self, moving: MovingParticle, origin: DVec2, aabb: &Aabb) -> MovingParticle {
        let (low, high) = self.unclamped_range(origin, aabb);
        let target = moving.target;
        let inside = (target.x >= low.x) & (target.y >= low.y) & (target.x <= high.x) & (target.y <= high.y);
        if inside { moving } else { self.bounce_off(moving, origin, aabb) }
    }

    fn bounce_off(&self, moving: MovingParticle, origin: DVec2, aabb: &Aabb) -> MovingParticle {
        let (low, high) = self.free_range(origin, aabb);
        let MovingParticle { target, velocity, gravity, restitution, threshold } = moving;
        // If the path begins outside, only its part that leads farther out is reflected, at the
        // nearest wall.
        let axis = |from: f64, x: f64, v: f64, g: f64, low: f64, high: f64| {
            let restitution = at_speed(restitution, v.abs(), threshold);
            if x < low {
                let (past, v) = reflect((low - x).min((from - x).max(0.0)), -v, -g, restitution);
                ((low + past).min(high), v)
            } else if x > high {
                let (past, v) = reflect((x - high).min((x - from).max(0.0)), v, g, restitution);
                ((high - past).max(low), -v)
            } else {
                (x, v)
            }
        };
        let x = axis(origin.x, target.x, velocity.x, gravity.x, low.x, high.x);
        let y = axis(origin.y, target.y, velocity.y, gravity.y, low.y, high.y);
        MovingParticle { target: DVec2::new(x.0, y.0), velocity: DVec2::new(x.1, y.1), ..moving }
    }

    /// Returns the fraction (0 to 1) of the path to a target that is inside a range of positions.
    /// For each axis, also returns whether the path ends at a wall.
    pub(super) fn clip_path(target: DVec2, origin: DVec2, (low, high): (DVec2, DVec2)) -> (f64, [bool; 2]) {
        let axis = |from: f64, to: f64, low: f64, high: f64| {
            if to > high && to > from {
                (high - from).max(0.0) / (to - from)
            } else if to < low && to < from {
                (low - from).min(0.0) / (to - from)
            } else {
                f64::INFINITY
            }
        };
        let (x, y) = (axis(origin.x, target.x, low.x, high.x), axis(origin.y, target.y, low.y, high.y));
        let part = x.min(y).min(1.0);
        (part, [x <= part, y <= part])
    }
}

/// A moving particle at the end of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingParticle {
    pub(super) target: DVec2,
    pub(super) velocity: DVec2,
    pub(super) gravity: DVec2,
    pub(super) restitution: f64,
    /// Speed below which a wall does not reflect the velocity, unless the restitution is 1.
    pub(super) threshold: f64,
}

/// Reflects a motion along one axis at a wall. `past`: distance behind the wall; `speed` and
/// `pull`: velocity and acceleration into the wall. Returns the distance in front of the wall and
/// the speed away from it.
///
/// The path is reflected. The speed follows from the energy at the new height: with restitution 1,
/// no energy is lost or gained.
fn reflect(past: f64, speed: f64, pull: f64, restitution: f64) -> (f64, f64) {
    let front = restitution * past;
    if pull == 0.0 {
        // If the particle moves away from the wall already, only its position changes.
        return (front, if speed > 0.0 { restitution * speed } else { -speed });
    }
    let power = magnification(speed.abs().max(pull.abs()).max(past));
    let [speed_m, pull_m, past_m] = [speed, pull, past].map(|length| times_power_of_two(length, power));
    let at_wall = speed_m * speed_m - 2.0 * pull_m * past_m;
    let square = restitution * restitution * at_wall.max(0.0) - 2.0 * pull_m * (restitution * past_m);
    (front, if speed > 0.0 { times_power_of_two(sqrt(square.max(0.0)), -power) } else { -speed })
}
