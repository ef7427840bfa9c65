//! Contact response: bounces and pushes colliders apart. Called by the user, never by the world.
//!
//! Bodies have a mass and move, but have no rotation and no friction. [`bounce`] is the pure
//! function for two velocities. [`resolve_penetration`] moves overlapping colliders of a
//! [`World`](crate::World) apart. [`Particles`] move and bounce in one call per frame.
//!
//! ```
//! use carom::response::{Particle, Particles};
//! use carom::{Collider, Shape, World};
//!
//! let (mut world, mut particles) = (World::new(), Particles::new());
//! let ball = Shape::circle(0.5)?;
//! let [moving, resting] = [0.0, 2.0].map(|x| world.insert(Collider::new(ball.clone()).at([x, 0.0]).unwrap()));
//! particles.insert(moving, Particle::new(1.0)?.velocity([3.0, 0.0])?.restitution(1.0)?)?;
//! particles.insert(resting, Particle::new(1.0)?.restitution(1.0)?)?;
//! for _ in 0..60 {
//!     particles.step(&mut world, 1.0 / 60.0)?;
//! }
//! assert_eq!(particles.velocity(moving), Some([0.0, 0.0].into())); // all of it was handed on
//! assert_eq!(particles.velocity(resting), Some([3.0, 0.0].into()));
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! Own bodies need no world: [`collide`](crate::collide) gives the normal and the depth, [`bounce`] the velocities, and
//! [`Manifold::mtv`](crate::Manifold::mtv) the translation that separates the shapes. Each body takes the share of it
//! that its inverse mass has in the sum.
//!
//! ```
//! use carom::response::bounce;
//! use carom::{DVec2, Shape, collide};
//!
//! let ball = Shape::circle(1.0)?;
//! let mut positions = [DVec2::new(0.0, 0.0), DVec2::new(1.5, 0.0)];
//! let mut velocities = [DVec2::new(2.0, 0.0), DVec2::ZERO];
//! let inverse_masses = [1.0, 0.25]; // masses 1 and 4
//! if let Some(contact) = collide(ball.at(positions[0])?, ball.at(positions[1])?) {
//!     velocities = bounce(velocities, inverse_masses, contact.normal, 1.0)?;
//!     let share = contact.mtv() / (inverse_masses[0] + inverse_masses[1]);
//!     positions[0] -= share * inverse_masses[0];
//!     positions[1] += share * inverse_masses[1];
//! }
//! assert!((velocities[0].x + 1.2).abs() < 1e-12 && (velocities[1].x - 0.8).abs() < 1e-12);
//! assert!((positions[0].x + 0.4).abs() < 1e-12 && (positions[1].x - 1.6).abs() < 1e-12);
//! # Ok::<(), carom::Error>(())
//! ```

mod bounce;
mod environment;
mod event_driven;
mod event_queue;
mod fast_particles;
mod impulse_solver;
mod integrate;
mod masses;
mod particles;
mod position_solver;
mod resting;
mod resting_constraint;
mod spread;
mod step;
mod tolerance;
mod trajectory;
mod walls;

pub use bounce::bounce;
pub use masses::Masses;
pub use particles::{Particle, Particles};
pub use position_solver::{PenetrationReport, resolve_penetration};
pub use step::{Stage, Step};
pub use tolerance::PENETRATION_SLOP;
pub use trajectory::MAX_IMPACTS_PER_STEP;
