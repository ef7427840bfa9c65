//! Computes positions and velocities at the end of a step, without impacts between colliders.
//!
//! Input: positions, velocities, gravity, walls, and the step in seconds. Output: new positions and
//! velocities, and the lists of fast particles and of particles at a wall. The displacement is the
//! average of the velocities before and after, times the step (trapezoidal rule). It is exact under
//! constant gravity. A particle with resting contacts moves with its solved velocity instead
//! (`resting.rs`).
//!
//! A particle is fast if it moves farther than half its inner radius. Its integrated position is
//! replaced by the event-driven solver.
//!
//! Each particle is a few additions, so loads and branches take most of the time. Blocks of 64
//! particles are loaded as columns and computed with SIMD. The result of a block is final for slow
//! circles far from the walls. All other particles take the scalar path, with the same bits.
//!
//! ```text
//! for each particle
//!     new velocity = velocity + gravity · step
//!     displacement = (velocity + new velocity) / 2 · step
//!     if the displacement is longer than half the inner radius: the particle is fast
//!     else if it ends beyond a wall: reflect it there                        (walls.rs)
//! ```

use alloc::format;
use core::ops::Range;

use glam::DVec2;

use super::environment::is_solved;
use super::particles::Particles;
use super::tolerance::inner_radius;
use super::walls::{MovingParticle, Walls};
use crate::error::{Error, ErrorKind};
use crate::math::simd::{Simd, SimdKernel, dispatch};
use crate::math::vector::{
    MAX_COORDINATE, TINY_SQUARE, check_point, in_range, magnification, sqrt, times_power_of_two,
    vector_times_power_of_two,
};
use crate::world::{Handle, World};

/// Share of the radius that a particle may move in a step. If it moves farther, it is simulated by
/// events: below this limit, two particles cannot pass through each other unseen.
const MAX_RELATIVE_STEP: f64 = 0.5;

/// Number of particles in a SIMD block.
const BLOCK_SIZE: usize = 64;

impl Particles {
    /// Computes the positions and velocities at the end of the step, and collects the fast
    /// particles.
    pub(super) fn integrate(&mut self, world: &World, seconds: f64) -> Result<(), Error> {
        self.fast.clear();
        self.at_walls.clear();
        self.next_positions.resize(self.bodies.len(), DVec2::ZERO);
        self.next_velocities.resize(self.bodies.len(), DVec2::ZERO);
        let mut block = ParticleBlock::new(self.gravity, seconds, self.walls);
        for from in (0..self.bodies.len()).step_by(BLOCK_SIZE) {
            let here = from..self.bodies.len().min(from + BLOCK_SIZE);
            let (handles, inverse_masses) =
                (&self.bodies.handles()[here.clone()], &self.bodies.inverse_masses()[here.clone()]);
            block.load(world, handles, inverse_masses, &self.velocities[here.clone()])?;
            block.exempt_from_gravity(self.resting.solved(), here.clone());
            let all_plain = dispatch(IntegrateKernel(&mut block));
            self.next_positions[here.clone()].copy_from_slice(&block.positions[..here.len()]);
            self.next_velocities[here.clone()].copy_from_slice(&block.velocities[..here.len()]);
            for (_, index) in block.plain.iter().zip(here).filter(|(plain, _)| !all_plain && !**plain) {
                self.integrate_one(world, seconds, index)?;
            }
        }
        self.farthest = sqrt(block.farthest);
        Ok(())
    }

    /// Computes one particle: the scalar path.
    fn integrate_one(&mut self, world: &World, seconds: f64, index: usize) -> Result<(), Error> {
        let (handle, movable) = (self.bodies.handles()[index], self.bodies.inverse_masses()[index] > 0.0);
        let Some(state) = world.collider_state(handle) else { return Err(stale_particle(handle)) };
        let falls = movable && !is_solved(self.resting.solved(), index);
        let gravity = if falls { self.gravity } else { DVec2::ZERO };
        let before = self.velocities[index];
        let velocity = before + gravity * seconds;
        if !in_range(velocity) {
            check_point("velocity", velocity)?;
        }
        let (origin, displacement) = (state.pose.translation(), (before + velocity) * (0.5 * seconds));
        let mut moving = MovingParticle {
            target: origin + displacement,
            velocity,
            gravity,
            restitution: self.restitutions[index],
            threshold: self.threshold(seconds),
        };
        if is_longer(displacement, MAX_RELATIVE_STEP * inner_radius(&state)) {
            self.fast.push(index);
        } else if let Some(walls) = self.walls.filter(|_| movable) {
            moving = walls.bounce(moving, origin, state.aabb);
            if moving.target != origin + displacement {
                self.at_walls.push(index);
            }
        }
        if !in_range(moving.target) {
            state.pose.with_translation(moving.target)?;
        }
        (self.next_positions[index], self.next_velocities[index]) = (moving.target, moving.velocity);
        Ok(())
    }
}

/// Particles that are computed together, as columns.
struct ParticleBlock {
    /// Velocities before the step, then after it.
    velocities: [DVec2; BLOCK_SIZE],
    /// Positions after the step.
    positions: [DVec2; BLOCK_SIZE],
    /// Inverse masses; 0 for a particle that gravity does not accelerate in this step.
    inverse_masses: [f64; BLOCK_SIZE],
    /// Radii of circles; NaN for any other shape.
    radii: [f64; BLOCK_SIZE],
    /// True for a slow circle that is far from all walls: the block's result is final.
    plain: [bool; BLOCK_SIZE],
    x: AxisColumns,
    y: AxisColumns,
    seconds: f64,
    /// Square of the longest displacement up to now, walls ignored. If it underflows, boxes of moved colliders have
    /// a smaller margin.
    farthest: f64,
}

/// Coordinates of the particles of a block along one axis.
struct AxisColumns {
    origins: [f64; BLOCK_SIZE],
    targets: [f64; BLOCK_SIZE],
    speeds: [f64; BLOCK_SIZE],
    displacements: [f64; BLOCK_SIZE],
    gravity: f64,
    /// Positions of the two walls on this axis.
    low: f64,
    high: f64,
}

impl AxisColumns {
    fn new(gravity: f64, low: f64, high: f64) -> Self {
        let [origins, targets, speeds, displacements] = [[0.0; BLOCK_SIZE]; 4];
        Self { origins, targets, speeds, displacements, gravity, low, high }
    }
}

impl ParticleBlock {
    fn new(gravity: DVec2, seconds: f64, walls: Option<Walls>) -> Self {
        let (low, high) =
            walls.map_or((DVec2::NEG_INFINITY, DVec2::INFINITY), |Walls(inside)| (inside.min(), inside.max()));
        let ([velocities, positions], [inverse_masses, radii]) =
            ([[DVec2::ZERO; BLOCK_SIZE]; 2], [[0.0; BLOCK_SIZE]; 2]);
        let (x, y) = (AxisColumns::new(gravity.x, low.x, high.x), AxisColumns::new(gravity.y, low.y, high.y));
        Self { velocities, positions, inverse_masses, radii, plain: [false; BLOCK_SIZE], x, y, seconds, farthest: 0.0 }
    }

    #[inline(always)]
    fn load(
        &mut self,
        world: &World,
        handles: &[Handle],
        inverse_masses: &[f64],
        velocities: &[DVec2],
    ) -> Result<(), Error> {
        world
            .read_positions(handles, [&mut self.x.origins, &mut self.y.origins, &mut self.radii])
            .map_err(stale_particle)?;
        // Unused entries of the block do not move, and are plain.
        self.radii[handles.len()..].fill(1.0);
        self.velocities[handles.len()..].fill(DVec2::ZERO);
        self.inverse_masses[handles.len()..].fill(0.0);
        self.velocities[..handles.len()].copy_from_slice(velocities);
        self.inverse_masses[..handles.len()].copy_from_slice(inverse_masses);
        Ok(())
    }

    /// Removes gravity from the particles whose velocity includes it already. `here`: their indices.
    fn exempt_from_gravity(&mut self, solved: &[bool], here: Range<usize>) {
        for (inverse_mass, &is_solved) in self.inverse_masses.iter_mut().zip(solved.get(here).unwrap_or(&[])) {
            if is_solved {
                *inverse_mass = 0.0;
            }
        }
    }
}

/// Integrates a block. Returns true if all of it is plain.
struct IntegrateKernel<'a>(&'a mut ParticleBlock);

impl SimdKernel for IntegrateKernel<'_> {
    type Output = bool;

    /// The compiler vectorizes these loops. The results are the same bits as those of
    /// `integrate_one`.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> bool {
        let ParticleBlock { velocities, positions, inverse_masses, radii, plain, x, y, seconds, farthest } = self.0;
        for (k, velocity) in velocities.iter().enumerate() {
            (x.speeds[k], y.speeds[k]) = (velocity.x, velocity.y);
        }
        x.integrate(inverse_masses, *seconds);
        y.integrate(inverse_masses, *seconds);
        let mut all_plain = true;
        for k in 0..BLOCK_SIZE {
            let square = x.displacements[k] * x.displacements[k] + y.displacements[k] * y.displacements[k];
            let max_square = (MAX_RELATIVE_STEP * radii[k]) * (MAX_RELATIVE_STEP * radii[k]);
            // Tiny squares underflow.
            let is_slow = (square <= max_square) & (max_square > TINY_SQUARE);
            plain[k] = x.is_free(k, radii[k]) & y.is_free(k, radii[k]) & is_slow;
            all_plain &= plain[k];
        }
        *farthest = largest_square(*farthest, &x.displacements, &y.displacements);
        for k in 0..BLOCK_SIZE {
            (positions[k], velocities[k]) =
                (DVec2::new(x.targets[k], y.targets[k]), DVec2::new(x.speeds[k], y.speeds[k]));
        }
        all_plain
    }
}

impl AxisColumns {
    #[inline(always)]
    fn integrate(&mut self, inverse_masses: &[f64; BLOCK_SIZE], seconds: f64) {
        let Self { origins, targets, speeds, displacements, gravity, .. } = self;
        let (half, fall) = (0.5 * seconds, *gravity * seconds);
        for k in 0..BLOCK_SIZE {
            let speed = speeds[k] + if inverse_masses[k] > 0.0 { fall } else { 0.0 };
            displacements[k] = (speeds[k] + speed) * half;
            (targets[k], speeds[k]) = (origins[k] + displacements[k], speed);
        }
    }

    /// Returns true if the target is in range and no wall is near.
    #[inline(always)]
    fn is_free(&self, k: usize, round: f64) -> bool {
        let target = self.targets[k];
        // AABBs are rounded outward. The margin is larger than this rounding.
        let margin = round + (round + self.origins[k].abs()) * 1e-12;
        (target > self.low + margin)
            & (target < self.high - margin)
            & (target.abs() <= MAX_COORDINATE)
            & (self.speeds[k].abs() <= MAX_COORDINATE)
    }
}

/// Returns true if a vector is longer than a limit.
fn is_longer(v: DVec2, limit: f64) -> bool {
    let power = magnification(limit.max(v.abs().max_element()));
    let (v, limit) = (vector_times_power_of_two(v, power), times_power_of_two(limit, power));
    v.length_squared() > limit * limit
}

/// Returns the largest squared length of some vectors and the previous maximum. Uses one SIMD lane
/// for each eighth of the vectors.
#[inline(always)]
fn largest_square(before: f64, x: &[f64; BLOCK_SIZE], y: &[f64; BLOCK_SIZE]) -> f64 {
    let mut most = [before; 8];
    for from in (0..BLOCK_SIZE).step_by(8) {
        for i in 0..8 {
            let square = x[from + i] * x[from + i] + y[from + i] * y[from + i];
            most[i] = if square > most[i] { square } else { most[i] };
        }
    }
    most.into_iter().fold(before, f64::max)
}

#[cold]
fn stale_particle(handle: Handle) -> Error {
    let message =
        format!("{handle:?} is a particle, but names no collider of this world: remove it from the particles too");
    Error::new(ErrorKind::StaleHandle, message)
}
