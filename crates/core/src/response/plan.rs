//! Where particles go in a step: many at a time, and by themselves those that may meet a wall, are no circles, or go far.

use alloc::format;

use glam::DVec2;

use super::particles::Particles;
use super::walls::{Moving, Walls};
use crate::error::{Error, ErrorKind};
use crate::math::lanes::{Kernel, Simd, widest};
use crate::math::vector::{LIMIT, check_point, in_range, sqrt};
use crate::shape::{Shape, ShapeKind};
use crate::world::{Handle, World};

/// A particle that moves farther than this share of its radius in a step is swept: two of them cannot pass each other unseen then.
const FAR: f64 = 0.5;

/// Particles that are looked at together.
const ROOM: usize = 64;

impl Particles {
    /// Where everything goes, and what of it must be swept.
    pub(super) fn plan(&mut self, world: &World, seconds: f64) -> Result<(), Error> {
        self.swept.clear();
        self.next_places.resize(self.bodies.len(), DVec2::ZERO);
        self.next_velocities.resize(self.bodies.len(), DVec2::ZERO);
        let mut farthest: f64 = 0.0;
        let mut block = Block::new(self.gravity, seconds, self.walls);
        for from in (0..self.bodies.len()).step_by(ROOM) {
            let here = from..self.bodies.len().min(from + ROOM);
            let (handles, inverse_masses) = (&self.bodies.handles()[here.clone()], &self.bodies.inverse_masses()[here.clone()]);
            block.fetch(world, handles, inverse_masses, &self.velocities[here.clone()])?;
            widest(Go(&mut block));
            let next = self.next_places[here.clone()].iter_mut().zip(&mut self.next_velocities[here.clone()]);
            for (k, next) in next.enumerate() {
                (*next.0, *next.1) = (DVec2::new(block.x[k], block.y[k]), DVec2::new(block.vx[k], block.vy[k]));
            }
            for (k, place) in here.enumerate() {
                let square = if block.plain[k] { block.squares[k] } else { self.plan_one(world, seconds, place)? };
                if square > farthest {
                    farthest = square;
                }
            }
        }
        self.farthest = sqrt(farthest);
        Ok(())
    }

    /// Where one goes; says by the square of how far, without walls.
    fn plan_one(&mut self, world: &World, seconds: f64, place: usize) -> Result<f64, Error> {
        let (handle, movable) = (self.bodies.handles()[place], self.bodies.inverse_masses()[place] > 0.0);
        let Some(seen) = world.seen(handle) else { return Err(gone(handle)) };
        let gravity = if movable { self.gravity } else { DVec2::ZERO };
        let before = self.velocities[place];
        let velocity = before + gravity * seconds;
        if !in_range(velocity) {
            check_point("velocity", velocity)?;
        }
        let (origin, way) = (seen.pose.translation(), (before + velocity) * (0.5 * seconds));
        let mut moving = Moving { target: origin + way, velocity, gravity, restitution: self.restitutions[place] };
        let far = FAR * if seen.round.is_nan() { thickness(seen.shape) } else { seen.round };
        let square = way.length_squared();
        if square > far * far {
            self.swept.add(place);
        } else if let Some(walls) = self.walls.filter(|_| movable) {
            moving = walls.bounce(moving, origin, seen.aabb);
        }
        if !in_range(moving.target) {
            seen.pose.moved_to(moving.target)?;
        }
        (self.next_places[place], self.next_velocities[place]) = (moving.target, moving.velocity);
        Ok(square)
    }
}

/// Particles in columns: where they are and how fast, then where and how fast they will be.
struct Block {
    x: [f64; ROOM],
    y: [f64; ROOM],
    vx: [f64; ROOM],
    vy: [f64; ROOM],
    /// Radii of circles; NaN of all others.
    rounds: [f64; ROOM],
    inverse_masses: [f64; ROOM],
    /// The squares of how far they go.
    squares: [f64; ROOM],
    /// Is it a circle that goes neither far nor near a wall?
    plain: [bool; ROOM],
    gravity: DVec2,
    seconds: f64,
    /// The corners between the walls.
    low: DVec2,
    high: DVec2,
}

impl Block {
    fn new(gravity: DVec2, seconds: f64, walls: Option<Walls>) -> Self {
        let (low, high) = walls.map_or((DVec2::NEG_INFINITY, DVec2::INFINITY), |Walls(inside)| (inside.min(), inside.max()));
        let [x, y, vx, vy, rounds, inverse_masses, squares] = [[0.0; ROOM]; 7];
        Self { x, y, vx, vy, rounds, inverse_masses, squares, plain: [false; ROOM], gravity, seconds, low, high }
    }

    #[inline(always)]
    fn fetch(&mut self, world: &World, handles: &[Handle], inverse_masses: &[f64], velocities: &[DVec2]) -> Result<(), Error> {
        world.fetch(handles, [&mut self.x, &mut self.y, &mut self.rounds]).map_err(gone)?;
        for ((k, velocity), inverse_mass) in (0..ROOM).zip(velocities).zip(inverse_masses) {
            (self.vx[k], self.vy[k], self.inverse_masses[k]) = (velocity.x, velocity.y, *inverse_mass);
        }
        Ok(())
    }
}

/// Moves a block.
struct Go<'a>(&'a mut Block);

impl Kernel for Go<'_> {
    type Output = ();

    /// What the compiler makes many lanes of by itself. To the bit what `plan_one` does.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Block { x, y, vx, vy, rounds, inverse_masses, squares, plain, gravity, seconds, low, high } = self.0;
        let (half, fall_x, fall_y) = (0.5 * *seconds, gravity.x * *seconds, gravity.y * *seconds);
        for k in 0..ROOM {
            let movable = inverse_masses[k] > 0.0;
            let (ux, uy) = (vx[k] + if movable { fall_x } else { 0.0 }, vy[k] + if movable { fall_y } else { 0.0 });
            let (way_x, way_y) = ((vx[k] + ux) * half, (vy[k] + uy) * half);
            let (to_x, to_y) = (x[k] + way_x, y[k] + way_y);
            let (square, far) = (way_x * way_x + way_y * way_y, FAR * rounds[k]);
            // Boxes are rounded outward; where that matters a wall is near.
            let (room_x, room_y) = (rounds[k] + (rounds[k] + x[k].abs()) * 1e-12, rounds[k] + (rounds[k] + y[k].abs()) * 1e-12);
            let inside = (to_x > low.x + room_x) & (to_y > low.y + room_y) & (to_x < high.x - room_x) & (to_y < high.y - room_y);
            let fast = (ux.abs() <= LIMIT) & (uy.abs() <= LIMIT) & (to_x.abs() <= LIMIT) & (to_y.abs() <= LIMIT);
            plain[k] = inside & fast & (square <= far * far);
            (x[k], y[k], vx[k], vy[k], squares[k]) = (to_x, to_y, ux, uy, square);
        }
    }
}

/// How far a shape reaches inward at its thinnest: a circle's radius, half the shorter side of a rectangle; of other shapes their rounding.
#[inline]
fn thickness(shape: &Shape) -> f64 {
    let inner = if let [a, _, c, _] = shape.points() { rectangle(shape, *c - *a) } else { 0.0 };
    inner + shape.radius()
}

fn rectangle(shape: &Shape, diagonal: DVec2) -> f64 {
    if shape.kind() == ShapeKind::Rectangle { 0.5 * diagonal.abs().min_element() } else { 0.0 }
}

#[cold]
fn gone(handle: Handle) -> Error {
    let message = format!("{handle:?} is a particle, but names no collider of this world: remove it from the particles too");
    Error::new(ErrorKind::StaleHandle, message)
}
