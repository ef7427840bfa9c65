//! Bodies that move in straight lines and bounce.

use alloc::vec::Vec;

use glam::DVec2;

use super::masses::Masses;
use super::bounce::{check_restitution, inverse_of};
use super::event_driven::EventDrivenSolver;
use super::impulse_solver::ContactConstraints;
use super::position_solver::Separator;
use super::resting::Resting;
use super::walls::Walls;
use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::point::IntoPoint;
use crate::math::vector::{check_point, check_size, length};
use crate::world::{Collision, Handle};

/// How a collider moves and bounces.
///
/// ```
/// use carom::ErrorKind;
/// use carom::response::Particle;
///
/// let ball = Particle::new(2.0)?.velocity([1.0, 0.0])?.restitution(0.9)?;
/// assert_eq!(ball.inverse_mass(), 0.5);
/// assert_eq!(Particle::new(f64::INFINITY)?.inverse_mass(), 0.0); // nothing moves it but its own velocity
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
    /// At rest, not bouncing at all. An infinite mass is a body that gravity and bounces leave alone: it goes on as it does.
    ///
    /// # Errors
    /// A mass that is NaN, 0, negative, below 1e-30 or, being finite, above 1e30.
    pub fn new(mass: f64) -> Result<Self, Error> {
        Ok(Self { inverse_mass: inverse_of(mass)?, velocity: DVec2::ZERO, restitution: 0.0 })
    }

    /// Moving, in units per second.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn velocity(self, velocity: impl IntoPoint) -> Result<Self, Error> {
        Ok(Self { velocity: check_point("velocity", velocity.into_point())?, ..self })
    }

    /// The share of the speed that a bounce keeps; of two that meet the larger one counts.
    ///
    /// # Errors
    /// A number outside 0 ..= 1.
    pub fn restitution(self, restitution: f64) -> Result<Self, Error> {
        Ok(Self { restitution: check_restitution(restitution)?, ..self })
    }

    /// One divided by the mass.
    #[must_use]
    pub fn inverse_mass(&self) -> f64 {
        self.inverse_mass
    }
}

/// Colliders that move, bounce off each other and off walls, and are kept apart: [`step`](Particles::step) does it all, once a frame.
///
/// Bodies of any shape, but without spin. What is no particle stands still and is never pushed. See the [module](super) for an example.
#[derive(Clone, Debug, Default)]
pub struct Particles {
    pub(super) bodies: Masses,
    pub(super) velocities: Vec<DVec2>,
    pub(super) restitutions: Vec<f64>,
    pub(super) gravity: DVec2,
    /// See `set_restitution_threshold`.
    pub(super) threshold: Option<f64>,
    pub(super) walls: Option<Walls>,
    pub(super) resting: Resting,
    pub(super) touches: ContactConstraints,
    pub(super) separator: Separator,
    /// The places of those that go so far that they might pass something, in order; then also of those that meet a wall in such a step.
    pub(super) fast: Vec<usize>,
    pub(super) at_walls: Vec<usize>,
    pub(super) flight: EventDrivenSolver,
    /// Where the particles will be, and how fast: of a step that may still fail.
    pub(super) next_places: Vec<DVec2>,
    pub(super) next_velocities: Vec<DVec2>,
    /// How far the one that goes farthest goes.
    pub(super) farthest: f64,
}

impl Particles {
    /// None, without gravity and walls.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a collider a particle, or overwrites its particle. A particle with an older handle of the same slot is replaced.
    ///
    /// # Errors
    /// A stale handle: the slot has a particle with a newer handle, or the handle is [`Handle::NONE`]. Nothing is changed then.
    pub fn insert(&mut self, handle: Handle, particle: Particle) -> Result<(), Error> {
        let place = self.bodies.put(handle, particle.inverse_mass)?;
        self.velocities.resize(self.bodies.len(), DVec2::ZERO);
        self.restitutions.resize(self.bodies.len(), 0.0);
        (self.velocities[place], self.restitutions[place]) = (particle.velocity, particle.restitution);
        Ok(())
    }

    /// Lets a collider stand still; the last particle takes its place in the columns. Gives back what it was.
    pub fn remove(&mut self, handle: Handle) -> Option<Particle> {
        let inverse_mass = self.bodies.inverse_mass(handle);
        let place = self.bodies.take(handle)?;
        self.resting.reset();
        let (velocity, restitution) = (self.velocities.swap_remove(place), self.restitutions.swap_remove(place));
        Some(Particle { inverse_mass, velocity, restitution })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Their colliders and inverse masses: what [`resolve_penetration`](super::position_solver) takes.
    #[must_use]
    pub fn bodies(&self) -> &Masses {
        &self.bodies
    }

    /// Their velocities, in the order of [`Masses::handles`].
    #[must_use]
    pub fn velocities(&self) -> &[DVec2] {
        &self.velocities
    }

    /// How fast a particle is.
    #[must_use]
    pub fn velocity(&self, handle: Handle) -> Option<DVec2> {
        self.bodies.place(handle).map(|place| self.velocities[place])
    }

    /// What those that moved far in the last [`step`](Particles::step) ran into, by time, which is a part of the step; sensors that they came to are told of too, walls are not. Nothing where
    /// nobody moved far: then contacts and events of the world tell all.
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
        &self.flight.impacts
    }

    /// Gives a particle another velocity; says whether there is such a particle.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn set_velocity(&mut self, handle: Handle, velocity: impl IntoPoint) -> Result<bool, Error> {
        let velocity = check_point("velocity", velocity.into_point())?;
        let place = self.bodies.place(handle);
        if let Some(place) = place {
            self.velocities[place] = velocity;
        }
        Ok(place.is_some())
    }

    /// Accelerates every particle of finite mass, in units per second squared.
    ///
    /// # Errors
    /// A coordinate that is not finite or above 1e30 in magnitude.
    pub fn set_gravity(&mut self, gravity: impl IntoPoint) -> Result<(), Error> {
        self.gravity = check_point("gravity", gravity.into_point())?;
        Ok(())
    }

    /// Sets the speed, along the contact normal, below which two that meet do not bounce: their restitution counts as 0, unless it is 1.
    ///
    /// That lets piles come to rest. `None`, the default, is twice the speed that gravity gives in a step: 0 without gravity.
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

    /// Keeps every particle of finite mass inside a box, off whose sides it bounces with its own restitution; one that is outside is put to the nearest place inside, and what is larger
    /// than the box is held in its middle. `None`: no walls.
    pub fn set_walls(&mut self, walls: Option<Aabb>) {
        self.walls = walls.map(Walls);
    }

    /// The kinetic energy of all, those of infinite mass left out: the half of mass times speed squared.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let of = |(w, v): (&f64, &DVec2)| if *w > 0.0 { 0.5 * v.length_squared() / w } else { 0.0 };
        self.bodies.inverse_masses().iter().zip(&self.velocities).map(of).sum()
    }

    /// The momentum of all, those of infinite mass left out: mass times velocity.
    #[must_use]
    pub fn momentum(&self) -> DVec2 {
        let of = |(w, v): (&f64, &DVec2)| if *w > 0.0 { *v / *w } else { DVec2::ZERO };
        self.bodies.inverse_masses().iter().zip(&self.velocities).map(of).sum()
    }
}
