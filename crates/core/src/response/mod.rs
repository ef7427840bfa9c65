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
