//! Moves a character through a world: slides along walls, climbs steps, stays on the ground.
//!
//! A [`Mover`] moves one collider of a [`World`]. It has no mass and no clock: the caller gives the
//! wanted translation of each frame, gravity included. For a platformer set an
//! [`up`](Mover::up) direction. Without it the mover slides along everything, as in a top-down game.
//!
//! Input of a call: the wanted translation. Output: the translation made, the surfaces touched, and the
//! ground. The simple version casts the shape along the translation and stops. It sticks at every wall,
//! so the rest of the motion must slide (move and slide):
//!
//! ```text
//! move with the ground; get out of the way of moving colliders      // moving.rs
//! move out of colliders that are nearer than the skin               // push.rs
//! slide along all contacts, climb steps                             // slide.rs, step.rs
//! if it walked off the ground: snap down                            // ground.rs
//! ```
//!
//! | file | computes |
//! |---|---|
//! | `body.rs` | lengths of the mover, once for many calls |
//! | `contacts.rs` | contacts and casts at a position |
//! | `plane_solver.rs` | the allowed motion nearest to a wanted one |
//! | `one_way.rs` | the one-way colliders that the mover passes |
//! | `settings.rs` | lengths and angles, checked |
//! | `escape.rs` | the nearest free place, if a call starts inside colliders |
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

mod body;
mod contacts;
mod escape;
mod ground;
mod moving;
mod one_way;
mod plane_solver;
mod push;
mod settings;
mod slide;
mod step;

use alloc::string::ToString;
use alloc::vec::Vec;

use glam::DVec2;

use crate::error::{Error, ErrorKind};
use crate::math::point::IntoPoint;
use crate::math::pose::Pose;
use crate::math::vector::{check_point, length, unit};
use crate::world::{Handle, World};
use body::Body;
use contacts::{Buffers, Slide};
use moving::Neighbour;
use settings::Settings;

/// Relative rounding error of a vector's part along or across `up`.
const ROUNDING: f64 = 1e-12;

/// Moves one collider of a world as a character. See the [module](self).
///
/// Default settings: skin 0.01, no up direction, slopes up to 50°, steps up to 0.3, snapping up to 0.3.
/// One call moves it out of overlaps by at most 1. All lengths are in the units of the world.
///
/// A clone has the same state, so a snapshot of a game contains the mover and the world.
#[doc(alias("character_controller", "kinematic"))]
#[derive(Clone, Debug)]
pub struct Mover {
    handle: Handle,
    settings: Settings,
    drop: bool,
    ground: Option<Ground>,
    /// Pose of the ground at the end of the last call.
    ground_pose: Pose,
    /// Position at the end of the last call.
    end: Option<DVec2>,
    /// Colliders near the mover at the end of the last call.
    near: Vec<Neighbour>,
    /// One-way colliders that the mover passes until it is farther away than the skin.
    passing: Vec<Handle>,
    buffers: Buffers,
    /// The lengths of the mover in the last call.
    body: Option<Body>,
    /// Input and result of the last call, if it changed nothing. Then the same input has the same result, as long as
    /// nothing near the mover changes.
    rest: Option<((DVec2, Settings), Movement)>,
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
    /// True on the corner of a step: its normal is steep, so the next call does not find a floor.
    corner: bool,
}

/// The result of a call of [`Mover::move_by`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Movement {
    /// Translation that was made, with the motion of the ground and out of overlaps.
    pub translation: DVec2,
    /// The part of the wanted translation that walls and corners stopped. 0 if the mover slid along
    /// them to the end. On the ground, gravity is not part of it.
    pub remaining: DVec2,
    /// The length by which the nearest collider is nearer than the skin at the end; 0 if none is. Above
    /// the skin, they overlap.
    ///
    /// It is above 0 if the mover is crushed between a moving collider and a wall, or started deeper in
    /// a collider than [`max_push`](Mover::max_push).
    pub missing_gap: f64,
}

impl Mover {
    /// Creates a mover of a collider, with the default settings.
    #[must_use]
    pub fn new(handle: Handle) -> Self {
        Self {
            handle,
            settings: Settings::default(),
            drop: false,
            ground: None,
            ground_pose: Pose::IDENTITY,
            end: None,
            near: Vec::new(),
            passing: Vec::new(),
            buffers: Buffers::default(),
            body: None,
            rest: None,
        }
    }

    /// Lets the mover fall through the one-way colliders that it stands on, in the next call. One-way floors beside
    /// them at the same height are passed too.
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
    /// The mover ends no nearer to others than the skin, up to 1e-6 of its size + 64 ulp, unless
    /// [`missing_gap`](Movement::missing_gap) is above 0. One-way colliders stop it only from the front. A
    /// one-way collider that overlaps the mover at the start is ignored until the distance exceeds the
    /// skin. If its own motion brought it there from below, the mover stands on it instead.
    ///
    /// # Errors
    /// A stale handle; a fixed collider, because fixed colliders never meet each other; a motion or
    /// an end beyond 1e30 in magnitude. Nothing is changed then.
    pub fn move_by(&mut self, world: &mut World, translation: impl IntoPoint) -> Result<Movement, Error> {
        let wanted = check_point("motion", translation.into_point())?;
        let mover = world.expect_at(self.handle)?;
        if world.is_fixed(self.handle) {
            let message = "the collider of a mover is fixed; create it with `fixed(false)`".to_string();
            return Err(Error::new(ErrorKind::FixedMover, message));
        }
        let start = mover.placed.pose_ref().translation();
        mover.placed.sweep(wanted)?;
        let Self { settings, drop, ground: stood, ground_pose, end, near, passing, buffers, body, rest, .. } = self;
        let (body, is_same) = Body::cached(body, &mover.placed, world.revision());
        let mut slide = Slide::new(world, mover, (settings, body), wanted, buffers, passing);
        let is_same = slide.reuse_contacts(is_same);
        let (drop, input) = (core::mem::take(drop), (wanted, *settings));
        if let Some((last, made)) = rest
            && is_same
            && slide.is_alone()
            && !drop
            && *last == input
        {
            return Ok(*made);
        }
        slide.buffers.surfaces.clear();
        let mut may_rest = is_same && !drop && *end == Some(start) && near.is_empty();
        let (last_ground, mut carried) = (*stood, DVec2::ZERO);
        // A mover that the caller has put elsewhere has left its ground.
        if end.is_none_or(|end| length(start - end) > settings.skin + settings.snap) {
            *stood = None;
        } else {
            let ground = stood.map(|ground| Neighbour { handle: ground.handle, pose: *ground_pose });
            carried = slide.follow(ground, near);
        }
        let has_one_way = slide.world.has_one_way();
        if has_one_way {
            slide.update_passing(drop);
        } else {
            slide.passing.clear();
        }
        let before = stood.filter(|ground| !slide.passes(ground.handle));
        let (was_put, from) = (*end != Some(start), slide.position);
        let is_clear = slide.push_out() || was_put && slide.escape(from);
        let (ground, remaining) = match settings.up {
            Some(up) => slide.walk(wanted, up, before),
            None => (None, slide.slide(wanted, None).remaining),
        };
        let missing_gap = if is_clear { 0.0 } else { slide.missing_gap() };
        if has_one_way {
            slide.ignore_near(ground.map(|ground| ground.handle));
        }
        slide.remember(near);
        slide.keep_contacts();
        may_rest &= slide.is_alone() && near.is_empty();
        let (position, at_end) = (slide.position, slide.collider());
        let (handle, pose, aabb) = (at_end.handle, at_end.placed.pose(), at_end.aabb);
        check_point("position", position)?;
        *stood = ground.map(|ground| {
            let is_same = before.is_some_and(|before| before.handle == ground.handle);
            Ground { motion: if is_same { carried } else { DVec2::ZERO }, ..ground }
        });
        if let Some(pose) = ground.and_then(|ground| world.pose(ground.handle)) {
            *ground_pose = pose;
        }
        *end = Some(position);
        let made = Movement { translation: position - start, remaining, missing_gap };
        *rest = if may_rest && position == start && *stood == last_ground { Some((input, made)) } else { None };
        if position != start {
            world.set_pose_and_box(handle, pose, aabb, body.radius);
        }
        Ok(made)
    }
}

/// Returns true if a wanted motion leads up from the ground, by more than rounding.
fn is_jump(wanted: DVec2, up: DVec2) -> bool {
    wanted.dot(up) > ROUNDING * length(wanted)
}

/// Returns a vector of this length along a plane, in the direction nearest to `toward`.
fn along(normal: DVec2, toward: DVec2) -> DVec2 {
    let tangent = normal.perp();
    tangent * if tangent.dot(toward) < 0.0 { -length(toward) } else { length(toward) }
}

/// Returns the part of a vector across `up`, exactly 0 if it is only rounding.
fn across(vector: DVec2, up: DVec2) -> DVec2 {
    let aside = vector - up * vector.dot(up);
    if length(aside) <= ROUNDING * length(vector) { DVec2::ZERO } else { aside }
}

/// Returns the unit vector across `up`, or zero.
fn side(vector: DVec2, up: DVec2) -> DVec2 {
    unit(across(vector, up)).unwrap_or(DVec2::ZERO)
}
