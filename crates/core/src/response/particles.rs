//! Defines particles: bodies that move in straight lines or under gravity, do not turn, and bounce.
//!
//! The data are columns with one row per body: inverse mass, velocity, restitution. Loops over all
//! particles then read consecutive memory. The modules of this folder implement the stages of
//! [`Particles::step`].

use alloc::vec::Vec;

use glam::DVec2;

use super::bounce::{check_restitution, inverse_of};
use super::event_driven::EventDrivenSolver;
use super::impulse_solver::ContactConstraints;
use super::masses::Masses;
use super::position_solver::PositionSolver;
use super::resting::RestingSolver;
use super::walls::Walls;
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::vector::{
    check_point, check_size, length, magnification_of, times_power_of_two, vector_times_power_of_two,
};
use crate::world::{Collision, Handle};

/// Mass, velocity and restitution of a collider.
///
/// ```
/// use carom::ErrorKind;
/// use carom::response::Particle;
///
/// let ball = Particle::new(2.0)?.velocity([1.0, 0.0])?.restitution(0.9)?;
/// assert_eq!(ball.inverse_mass(), 0.5);
/// assert_eq!(Particle::new(f64::INFINITY)?.inverse_mass(), 0.0); // impacts never change its velocity
/// assert_eq!(Particle::new(0.0).unwrap_err().kind(), ErrorKind::OutOfRange);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    inverse_mass: f64,
    velocity: DVec2,
    restitution: f64,
}

impl Particle {
    /// Creates a particle at rest with restitution 0. Gravity and bounces do not change the
    /// velocity of a particle of infinite mass.
    ///
    /// # Errors
    /// A mass that is NaN, 0, negative, below 1e-30 or, being finite, above 1e30.
    pub fn new(mass: f64) -> Result<Self, Error> {
        Ok(Self { inverse_mass: inverse_of(mass)?, velocity: DVec2::ZERO, restitution: 0.0 })
    }

    /// Sets the velocity, in units per second.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn velocity(self, velocity: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { velocity: check_point("velocity", velocity.into_point())?, ..self })
    }

    /// Sets the restitution: the share of the speed along the normal that a bounce keeps. For a
    /// pair of particles, the larger restitution counts.
    ///
    /// # Errors
    /// A number outside 0 ..= 1.
    pub fn restitution(self, restitution: f64) -> Result<Self, Error> {
        Ok(Self { restitution: check_restitution(restitution)?, ..self })
    }

    /// Returns 1 divided by the mass.
    #[must_use]
    pub fn inverse_mass(&self) -> f64 {
        self.inverse_mass
    }
}

/// Colliders that move, bounce off each other and off walls, and are pushed apart. Call
/// [`step`](Particles::step) once per frame.
///
/// Particles have any shape, but do not turn. A collider that is no particle does not move and is
/// never pushed. See the [module](super) for an example.
#[derive(Clone, Debug, Default)]
pub struct Particles {
    pub(super) bodies: Masses,
    pub(super) velocities: Vec<DVec2>,
    pub(super) restitutions: Vec<f64>,
    pub(super) gravity: DVec2,
    /// See [`set_restitution_threshold`](Particles::set_restitution_threshold).
    pub(super) threshold: Option<f64>,
    pub(super) walls: Option<Walls>,
    pub(super) resting: RestingSolver,
    pub(super) contacts: ContactConstraints,
    pub(super) separator: PositionSolver,
    /// `fast`: indices, in order, of the particles that move so far that they could pass through
    /// another one. `at_walls`: indices of the other particles that hit a wall. They are added to
    /// `fast` if it is not empty.
    pub(super) fast: Vec<usize>,
    pub(super) at_walls: Vec<usize>,
    pub(super) event_driven: EventDrivenSolver,
    /// Positions and velocities at the end of the step. They are stored separately because the step
    /// can still fail.
    pub(super) next_positions: Vec<DVec2>,
    pub(super) next_velocities: Vec<DVec2>,
    /// Length of the longest displacement of a particle in this step.
    pub(super) farthest: f64,
}

impl Particles {
    /// Creates an empty set, without gravity and walls.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a collider a particle, or overwrites its particle. A particle with an older handle of
    /// the same slot is replaced.
    ///
    /// # Errors
    /// A stale handle: the slot has a particle with a newer handle, or the handle is
    /// [`Handle::NONE`]. Then nothing changes.
    pub fn insert(&mut self, handle: Handle, particle: Particle) -> Result<(), Error> {
        let index = self.bodies.put(handle, particle.inverse_mass)?;
        self.velocities.resize(self.bodies.len(), DVec2::ZERO);
        self.restitutions.resize(self.bodies.len(), 0.0);
        (self.velocities[index], self.restitutions[index]) = (particle.velocity, particle.restitution);
        Ok(())
    }

    /// Removes a particle and returns it; its collider stays in the world. The last particle moves
    /// to its index.
    pub fn remove(&mut self, handle: Handle) -> Option<Particle> {
        let inverse_mass = self.bodies.inverse_mass(handle);
        let index = self.bodies.take(handle)?;
        self.resting.reset();
        let (velocity, restitution) = (self.velocities.swap_remove(index), self.restitutions.swap_remove(index));
        Some(Particle { inverse_mass, velocity, restitution })
    }

    /// Returns the number of particles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Returns true if there are no particles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Returns handles and inverse masses, the input of
    /// [`resolve_penetration`](super::resolve_penetration).
    #[must_use]
    pub fn bodies(&self) -> &Masses {
        &self.bodies
    }

    /// Returns the velocities, in the order of [`Masses::handles`].
    #[must_use]
    pub fn velocities(&self) -> &[DVec2] {
        &self.velocities
    }

    /// Returns the velocity of a particle, in units per second; `None` if the collider is no
    /// particle.
    #[must_use]
    pub fn velocity(&self, handle: Handle) -> Option<DVec2> {
        self.bodies.index(handle).map(|index| self.velocities[index])
    }

    /// Returns the impacts of fast particles in the last [`step`](Particles::step), sorted by time.
    ///
    /// The time is a fraction of the step, 0 to 1. Impacts with sensors are reported too, impacts
    /// with walls are not. Empty if no particle was fast: then the contacts and events of the world
    /// are complete.
    ///
    /// ```
    /// use carom::response::{Particle, Particles};
    /// use carom::{Collider, Shape, World};
    ///
    /// let (mut world, mut particles) = (World::new(), Particles::new());
    /// let ball = world.insert(Collider::new(Shape::circle(0.5)?));
    /// let wall = world.insert(Collider::new(Shape::rectangle(1.0, 9.0)?).at([3.0, 0.0])?.fixed(true));
    /// particles.insert(ball, Particle::new(1.0)?.velocity([8.0, 0.0])?.restitution(1.0)?)?;
    /// particles.step(&mut world, 0.5)?; // two there, and two back
    /// assert!(world.pose(ball).unwrap().translation().length() < 1e-9);
    /// let [hit] = particles.impacts() else { panic!() };
    /// assert!((hit.a, hit.b) == (ball, wall) && (hit.impact.time - 0.5).abs() < 1e-9);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn impacts(&self) -> &[Collision] {
        &self.event_driven.impacts
    }

    /// Sets the velocity of a particle. Returns true if the particle exists.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn set_velocity(&mut self, handle: Handle, velocity: impl IntoPoint) -> Result<bool, Error> {
        let velocity = check_point("velocity", velocity.into_point())?;
        let index = self.bodies.index(handle);
        if let Some(index) = index {
            self.velocities[index] = velocity;
        }
        Ok(index.is_some())
    }

    /// Sets the acceleration of all particles of finite mass, in units per second squared.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn set_gravity(&mut self, gravity: impl IntoPoint) -> Result<(), Error> {
        self.gravity = check_point("gravity", gravity.into_point())?;
        Ok(())
    }

    /// Sets the speed of approach along the contact normal below which a pair does not bounce: its
    /// restitution counts as 0, unless it is 1.
    ///
    /// The threshold lets piles come to rest. `None` (default): twice the speed that gravity adds
    /// in a step; 0 without gravity.
    ///
    /// # Errors
    /// A speed that is not finite, negative, or above 1e30.
    pub fn set_restitution_threshold(&mut self, speed: Option<f64>) -> Result<(), Error> {
        self.threshold = speed.map(|speed| check_size("restitution threshold", speed)).transpose()?;
        Ok(())
    }

    /// Returns the restitution threshold of a step of this length in seconds.
    pub(super) fn threshold(&self, seconds: f64) -> f64 {
        self.threshold.unwrap_or_else(|| 2.0 * seconds * length(self.gravity))
    }

    /// Keeps every particle of finite mass inside a box. Particles bounce off its sides with their
    /// own restitution.
    ///
    /// A particle outside is moved to the nearest position inside. A particle larger than the box
    /// is kept in its middle. `None`: no walls.
    pub fn set_walls(&mut self, walls: Option<Aabb>) {
        self.walls = walls.map(Walls);
    }

    /// Returns the kinetic energy of all particles of finite mass: the sum of mass * speed² / 2.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        // Squares of tiny speeds would underflow, although their product with a mass does not.
        let all = || self.bodies.inverse_masses().iter().zip(&self.velocities).filter(|(w, _)| **w > 0.0);
        let power = magnification_of(all().map(|(_, v)| *v));
        let of = |(w, v): (&f64, &DVec2)| 0.5 * vector_times_power_of_two(*v, power).length_squared() / w;
        let energy = all().map(of).fold(0.0, |sum, own| sum + own);
        times_power_of_two(energy, -2 * power)
    }

    /// Returns the momentum of all particles of finite mass: the sum of mass * velocity.
    #[must_use]
    pub fn momentum(&self) -> DVec2 {
        let of = |(w, v): (&f64, &DVec2)| if *w > 0.0 { *v / *w } else { DVec2::ZERO };
        self.bodies.inverse_masses().iter().zip(&self.velocities).map(of).sum()
    }
}
