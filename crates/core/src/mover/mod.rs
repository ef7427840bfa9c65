//! Moves a character through a world: slides along walls, climbs steps, stays on the ground.
//!
//! A [`Mover`] moves one collider of a [`World`]. It has no mass and no clock: the caller gives the
//! wanted translation of each frame, gravity included. For a platformer set an
//! [`up`](Mover::up) direction. Without it the mover slides along everything, as in a top-down game.
//!
//! ```text
//! move with the ground if it moved
//! move out of colliders that are closer than the skin
//! repeat
//!     planes = contacts within the skin, without internal edges
//!     motion = the allowed motion nearest to the remaining motion
//!     if a wall stops it: try a step
//!     cast the shape along the motion, stop at the skin
//! if it walked off the ground: snap down
//! ```
//!
//! ```
//! use carom::mover::Mover;
//! use carom::{Collider, Shape, World};
//!
//! let mut world = World::new();
//! world.insert(Collider::new(Shape::rectangle(20.0, 1.0)?).at([0.0, -0.5])?.fixed(true)); // its top is y = 0
//! let hero = world.insert(Collider::new(Shape::rectangle(0.8, 1.6)?).at([0.0, 1.0])?);
//! let mut mover = Mover::new(hero).up([0.0, 1.0])?;
//! mover.move_by(&mut world, [0.0, -1.0])?; // falls
//! assert!(mover.is_grounded());
//! let moved = mover.move_by(&mut world, [0.5, -0.1])?; // walks
//! assert!((moved.translation.x - 0.5).abs() < 1e-9 && moved.translation.y == 0.0);
//! # Ok::<(), carom::Error>(())
//! ```

mod ground;
mod plane_solver;
mod slide;

use alloc::vec::Vec;

use glam::DVec2;

use crate::error::Error;
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::{check, check_point, check_size, length, unit};
use crate::world::{Handle, OneWay, World};
use slide::{Buffers, Slide};

/// Moves one collider of a world as a character. See the [module](self).
///
/// Default settings: skin 0.01, no up direction, slopes up to 50°, steps up to 0.3, snapping up to 0.3,
/// at most 1 out of overlaps per call. All lengths are in the units of the world.
///
/// A clone has the same state, so a snapshot of a game contains the mover and the world.
#[derive(Clone, Debug)]
pub struct Mover {
    handle: Handle,
    settings: Settings,
    drop: bool,
    ground: Option<Ground>,
    /// Pose of the ground at the last call.
    ground_pose: Pose,
    /// One-way colliders that the mover passes until it is farther away than the skin.
    passing: Vec<Handle>,
    buffers: Buffers,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    skin: f64,
    up: Option<DVec2>,
    /// Cosine of the steepest slope that counts as floor.
    floor: f64,
    step: f64,
    snap: f64,
    push: f64,
}

/// The kind of a surface, by the angle between its normal and the up direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceClass {
    /// At most the maximum slope: the mover stands on it.
    Floor,
    /// Neither floor nor ceiling. Without an up direction all surfaces are walls.
    Wall,
    /// At most the maximum slope off the down direction.
    Ceiling,
}

/// A surface that a mover touched during a call.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoverSurface {
    /// The collider.
    pub handle: Handle,
    /// Unit normal of its surface, toward the mover.
    pub normal: DVec2,
    /// Floor, wall or ceiling.
    pub class: SurfaceClass,
}

/// The floor that a mover stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ground {
    /// The collider.
    pub handle: Handle,
    /// Unit normal of the floor. On the corner of a step: the up direction.
    pub normal: DVec2,
    /// Translation of the floor below the mover since the call before, for example to add to a jump.
    pub motion: DVec2,
}

/// The result of a call of [`Mover::move_by`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Movement {
    /// Translation that was made, with the motion of the ground and out of overlaps.
    pub translation: DVec2,
    /// The part of the wanted translation that was stopped or turned away.
    pub remaining: DVec2,
}

impl Mover {
    /// Creates a mover of a collider, with the default settings.
    #[must_use]
    pub fn new(handle: Handle) -> Self {
        let floor = libm::cos(50_f64.to_radians());
        let settings = Settings { skin: 0.01, up: None, floor, step: 0.3, snap: 0.3, push: 1.0 };
        Self {
            handle,
            settings,
            drop: false,
            ground: None,
            ground_pose: Pose::IDENTITY,
            passing: Vec::new(),
            buffers: Buffers::default(),
        }
    }

    /// Sets the distance that the mover keeps to other colliders. 0.01 of its size is a good value.
    /// Below 1e-5 of its size, rounding makes it stop at seams.
    ///
    /// # Errors
    /// A number that is not finite, negative or above 1e30.
    pub fn skin(mut self, skin: f64) -> Result<Self, Error> {
        self.settings.skin = check_size("skin", skin)?;
        Ok(self)
    }

    /// Sets the direction against gravity, of any length.
    ///
    /// # Errors
    /// A direction without length, or with a coordinate that is not finite or above 1e30 in magnitude.
    pub fn up(mut self, up: impl IntoPoint) -> Result<Self, Error> {
        self.settings.up = Some(OneWay::new(up)?.front());
        Ok(self)
    }

    /// Sets the steepest slope that the mover stands on and climbs, in radians.
    ///
    /// # Errors
    /// A number that is not finite or above 1e30 in magnitude.
    pub fn max_slope(mut self, radians: f64) -> Result<Self, Error> {
        // Slopes at the limit count as floor, whatever their rounding.
        self.settings.floor = libm::cos(check("slope", radians)?) - 1e-9;
        Ok(self)
    }

    /// Sets the highest step that the mover climbs, a length.
    ///
    /// # Errors
    /// A number that is not finite, negative or above 1e30.
    pub fn step_height(mut self, height: f64) -> Result<Self, Error> {
        self.settings.step = check_size("step height", height)?;
        Ok(self)
    }

    /// Sets the largest height by which the mover snaps down to the ground when it walks off it.
    ///
    /// # Errors
    /// A number that is not finite, negative or above 1e30.
    pub fn snap_distance(mut self, distance: f64) -> Result<Self, Error> {
        self.settings.snap = check_size("snap distance", distance)?;
        Ok(self)
    }

    /// Sets the largest distance that one call moves the mover out of overlaps.
    ///
    /// # Errors
    /// A number that is not finite, negative or above 1e30.
    pub fn max_push(mut self, distance: f64) -> Result<Self, Error> {
        self.settings.push = check_size("push", distance)?;
        Ok(self)
    }

    /// Lets the mover fall through the one-way colliders that it stands on, in the next call.
    pub fn drop_through(&mut self) {
        self.drop = true;
    }

    /// Returns the collider that is moved.
    #[must_use]
    pub fn handle(&self) -> Handle {
        self.handle
    }

    /// Returns true if the mover stood on a floor at the end of the last call.
    #[must_use]
    pub fn is_grounded(&self) -> bool {
        self.ground.is_some()
    }

    /// Returns the floor at the end of the last call.
    #[must_use]
    pub fn ground(&self) -> Option<Ground> {
        self.ground
    }

    /// Returns the surfaces that were touched in the last call, in order of contact. Each collider
    /// occurs once for each normal.
    #[must_use]
    pub fn surfaces(&self) -> &[MoverSurface] {
        &self.buffers.surfaces
    }

    /// Moves the collider by a translation as far as the world allows, and sets its pose.
    ///
    /// A move upward (along `up`) is a jump: it leaves the ground. On the ground, only the part along
    /// the ground counts, and its length is kept on slopes. So gravity does not move a mover that
    /// stands. Sensors and pairs that filters exclude are ignored. Other colliders do not move.
    ///
    /// The mover ends no nearer to others than the skin, up to 1e-6 of its size + 64 ulp, unless it
    /// started nearer and the [`max_push`](Mover::max_push) or opposite walls did not let it out. One-way
    /// colliders stop it only from the front. A one-way collider that overlaps the mover at the start is
    /// ignored until the distance exceeds the skin.
    ///
    /// # Errors
    /// A stale handle; a translation or an end beyond 1e30 in magnitude. Nothing is changed then.
    pub fn move_by(&mut self, world: &mut World, translation: impl IntoPoint) -> Result<Movement, Error> {
        let wanted = check_point("translation", translation.into_point())?;
        let placed = world.expect_placed(self.handle)?;
        let start = placed.pose().translation();
        placed.sweep(wanted)?;
        let mut buffers = core::mem::take(&mut self.buffers);
        let mut passing = core::mem::take(&mut self.passing);
        buffers.surfaces.clear();
        let mut slide = Slide::new(world, self.handle, placed, self.settings, &mut buffers, &mut passing);
        let carried = self.carry(&mut slide);
        slide.update_passing(core::mem::take(&mut self.drop));
        self.ground = self.ground.filter(|ground| !slide.passes(ground.handle));
        slide.push_out();
        let before = slide.position;
        let (ground, remaining) = match self.settings.up {
            Some(up) => slide.walk(wanted, up, self.ground),
            None => (None, slide.slide(wanted, None).remaining),
        };
        slide.ignore_near(ground.or(self.ground).map(|ground| ground.handle));
        let (end, stood) = (slide.position, slide.position == before);
        self.ground = ground.or(if stood { self.ground.filter(|_| !is_jump(wanted, self.settings.up)) } else { None });
        self.ground = self.ground.map(|ground| Ground { motion: carried, ..ground });
        if let Some(pose) = self.ground.and_then(|ground| world.pose(ground.handle)) {
            self.ground_pose = pose;
        }
        (self.buffers, self.passing) = (buffers, passing);
        if end != start {
            world.set_position(self.handle, end)?;
        }
        Ok(Movement { translation: end - start, remaining })
    }

    /// Moves with the ground. Returns its translation below the mover.
    fn carry(&mut self, slide: &mut Slide<'_, '_>) -> DVec2 {
        let Some(ground) = self.ground else { return DVec2::ZERO };
        let Some(now) = slide.world.pose(ground.handle) else {
            self.ground = None;
            return DVec2::ZERO;
        };
        if now == self.ground_pose {
            return DVec2::ZERO;
        }
        let before = self.ground_pose;
        let seen = before.inverse_rotate_vector(slide.position - before.translation());
        let motion = now.transform_point(seen) - slide.position;
        slide.slide(motion, Some(ground.handle));
        motion
    }
}

/// Returns true if a wanted motion leads up from the ground.
fn is_jump(wanted: DVec2, up: Option<DVec2>) -> bool {
    up.is_some_and(|up| wanted.dot(up) > 0.0)
}

/// Returns a vector of this length along a plane, in the direction nearest to `toward`.
fn along(normal: DVec2, toward: DVec2) -> DVec2 {
    let tangent = normal.perp();
    tangent * if tangent.dot(toward) < 0.0 { -length(toward) } else { length(toward) }
}

/// Returns the part of a vector across `up`, exactly 0 if it is only rounding.
fn across(vector: DVec2, up: DVec2) -> DVec2 {
    let aside = vector - up * vector.dot(up);
    if length(aside) <= 1e-12 * length(vector) { DVec2::ZERO } else { aside }
}

/// Returns the unit vector across `up`, or zero.
fn side(vector: DVec2, up: DVec2) -> DVec2 {
    unit(across(vector, up)).unwrap_or(DVec2::ZERO)
}
