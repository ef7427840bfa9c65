//! The box that particles stay in.

use glam::DVec2;

use super::tolerance::at_speed;
use crate::math::aabb::Aabb;
use crate::math::vector::sqrt;

/// The inside of four walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Walls(pub(super) Aabb);

impl Walls {
    /// Where the origin of a collider may be, if it has this box while its origin is here. Without room the middle.
    #[inline]
    pub(super) fn free_range(&self, origin: DVec2, aabb: &Aabb) -> (DVec2, DVec2) {
        let (low, high) = self.reach(origin, aabb);
        let middle = (low + high) * 0.5;
        (low.min(middle), high.max(middle))
    }

    /// [`free_range`](Walls::room) if there is any.
    #[inline(always)]
    fn reach(&self, origin: DVec2, aabb: &Aabb) -> (DVec2, DVec2) {
        (self.0.min() + (origin - aabb.min()), self.0.max() - (aabb.max() - origin))
    }

    /// The place nearest to a target that lies inside.
    #[inline]
    pub(super) fn clamp(&self, target: DVec2, origin: DVec2, aabb: &Aabb) -> DVec2 {
        let (low, high) = self.free_range(origin, aabb);
        target.max(low).min(high)
    }

    /// Lets a target and a velocity bounce where the target lies outside.
    #[inline(always)]
    pub(super) fn bounce(&self, moving: Moving, origin: DVec2, aabb: &Aabb) -> Moving {
        let (low, high) = self.reach(origin, aabb);
        let target = moving.target;
        let inside = (target.x >= low.x) & (target.y >= low.y) & (target.x <= high.x) & (target.y <= high.y);
        if inside { moving } else { self.bounce_off(moving, origin, aabb) }
    }

    fn bounce_off(&self, moving: Moving, origin: DVec2, aabb: &Aabb) -> Moving {
        let (low, high) = self.free_range(origin, aabb);
        let Moving { target, velocity, gravity, restitution, threshold } = moving;
        // Of a way that begins outside only what leads farther out is mirrored, at the wall that is next.
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
        Moving { target: DVec2::new(x.0, y.0), velocity: DVec2::new(x.1, y.1), ..moving }
    }

    /// How much of the way to a target is free, where it must not leave a room, and along which axes it ends there then.
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

/// What moves, and what is to become of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) target: DVec2,
    pub(super) velocity: DVec2,
    pub(super) gravity: DVec2,
    pub(super) restitution: f64,
    /// Speed below which a wall does not let it bounce, unless its restitution is 1.
    pub(super) threshold: f64,
}

/// From how far behind a wall, how fast into it and pulled how hard into it, to how far in front of it and how fast away from it.
///
/// The path goes on mirrored, and the speed is what the fall from there to here leaves: with restitution 1 no energy is lost or won.
fn reflect(past: f64, speed: f64, pull: f64, restitution: f64) -> (f64, f64) {
    let front = restitution * past;
    if pull == 0.0 {
        // What moves away already is merely put back.
        return (front, if speed > 0.0 { restitution * speed } else { -speed });
    }
    let at_wall = speed * speed - 2.0 * pull * past;
    let square = restitution * restitution * at_wall.max(0.0) - 2.0 * pull * front;
    (front, if speed > 0.0 { sqrt(square.max(0.0)) } else { -speed })
}
