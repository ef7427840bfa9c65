//! Runs one step of all particles.
//!
//! Input: the world, the particles, and the step in seconds. Output: new poses and velocities,
//! updated contacts of the world, and a report.
//!
//! ```text
//! solve resting contacts               (`resting.rs`)
//! integrate positions and velocities   (`integrate.rs`; fast particles: `event_driven.rs`)
//! update the world: contacts, events
//! bounce contacts that approach        (`impulse_solver.rs`)
//! push overlaps apart                  (`position_solver.rs`)
//! ```
//!
//! The simple version (integrate, update, bounce) lets fast particles pass through walls, and piles
//! vibrate. So fast particles are simulated by events, and resting contacts are solved before
//! integration. Position correction is last, because its pushes must not add speed.

use super::environment::Environment;
use super::impulse_solver::ContactConstraints;
use super::particles::Particles;
use super::position_solver::{PenetrationReport, StepState};
use crate::error::Error;
use crate::math::prefetch::prefetch_distance;
use crate::math::vector::{check_size, rescaled};
use crate::world::World;

/// Margin of moved AABBs for later pushes, as a share of the longest displacement. Two colliders
/// overlap at most by the sum of their displacements. Few are pushed farther than half of theirs.
const PUSH_MARGIN: f64 = 0.5;

/// Result of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Number of particles that were simulated by events: fast ones, others that hit a wall in the
    /// same step, and all that these hit.
    pub swept: usize,
    /// Report of the position correction.
    pub separation: PenetrationReport,
}

/// The stages of a step, in their order. [`Particles::step_observed`] reports the end of each, for
/// profiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// All particles have their new positions.
    Integrate,
    /// Contacts and events of the world are updated.
    Update,
    /// Velocities after all bounces are computed.
    Velocities,
    /// Overlaps are pushed apart.
    Positions,
}

impl Particles {
    /// Moves all particles for a time in seconds, updates the world, bounces contacts, and pushes
    /// overlaps apart.
    ///
    /// Gravity bends paths exactly. Events and contacts of the world are those of this step, before
    /// overlaps were pushed apart. In a step of 0 seconds nothing moves, but contacts that approach
    /// bounce.
    ///
    /// **Fast particles.** A particle that moves farther than half its radius, or is thin, is
    /// simulated by events. It bounces at the time and position of each impact
    /// ([`impacts`](Particles::impacts)) and goes on for the rest of the step. After
    /// [`MAX_IMPACTS_PER_STEP`](super::MAX_IMPACTS_PER_STEP) it rests until the next step: it stays
    /// where it is and stops others. This loses time, never energy. Under gravity, a fast particle
    /// moves along the chord of its parabola. So an impact loses, per unit of mass, up to one
    /// eighth of the squared speed that gravity adds in a step. Colliders with a motion set by the
    /// caller are hit at their current position.
    ///
    /// **No tunneling.** No particle passes through a collider of inverse mass 0. Two colliders
    /// that were apart before the step overlap after it at most by
    /// [`PENETRATION_SLOP`](super::PENETRATION_SLOP) and the tolerance of
    /// [`time_of_impact`](crate::time_of_impact). If pushes do not suffice, particles move back to
    /// their positions before the step.
    ///
    /// **Resting bodies.** Contacts slower than the [restitution
    /// threshold](Particles::set_restitution_threshold), and touching pairs of restitution 0, are
    /// solved together, without bounce. A stack of a column stays at its rest height: it is lower by
    /// at most the slop per contact, never higher than by rounding. There is no friction: a body on
    /// a slope slides.
    ///
    /// **Energy.** All other contacts bounce in the order of handles. With restitution 1 and without gravity, bounces
    /// keep the kinetic energy up to rounding, for any step length. With a lower restitution they never
    /// add energy.
    ///
    /// # Errors
    /// - A time that is not finite, negative, or above 1e30.
    /// - A particle whose collider was removed from the world: remove the particle, too.
    /// - A position or velocity that would leave the range of coordinates.
    ///
    /// Then nothing has moved.
    pub fn step(&mut self, world: &mut World, seconds: f64) -> Result<Step, Error> {
        self.step_observed(world, seconds, |_| ())
    }

    /// Runs a [`step`](Particles::step) and calls `done` at the end of each stage. The caller
    /// measures times, because the library has no clock.
    ///
    /// # Errors
    /// Those of [`step`](Particles::step).
    pub fn step_observed(
        &mut self,
        world: &mut World,
        seconds: f64,
        mut done: impl FnMut(Stage),
    ) -> Result<Step, Error> {
        let seconds = check_size("time step", seconds)?;
        self.solve_resting(world, seconds);
        if let Err(error) = self.integrate(world, seconds) {
            self.resting.restore_velocities(&mut self.velocities);
            return Err(error);
        }
        let swept = self.move_all(world, seconds);
        core::mem::swap(&mut self.velocities, &mut self.next_velocities);
        done(Stage::Integrate);
        world.update();
        done(Stage::Update);
        self.bounce_contacts(world, seconds);
        done(Stage::Velocities);
        let step_state = StepState {
            walls: self.walls.as_ref(),
            starts: Some(&self.next_positions),
            carriers: self.resting.carriers(self.gravity),
        };
        let separation = self.separator.run(world, &self.bodies, &step_state);
        self.resting.record_stuck(self.separator.restored.iter().map(|&index| index as usize), self.bodies.len());
        done(Stage::Positions);
        Ok(Step { swept, separation })
    }

    /// Solves the resting contacts.
    fn solve_resting(&mut self, world: &World, seconds: f64) {
        let threshold = self.threshold(seconds);
        let Self { bodies, restitutions, walls, gravity, resting, velocities, event_driven, .. } = self;
        let (walls, gravity, down) = (*walls, *gravity, rescaled(*gravity).0);
        let environment =
            Environment { world, bodies, restitutions, threshold, walls, gravity, down, seconds, solved: &[] };
        resting.solve_all(environment, &event_driven.impacts, velocities);
    }

    /// Moves all particles. Returns the number of particles that were simulated by events.
    fn move_all(&mut self, world: &mut World, seconds: f64) -> usize {
        let swept = self.run_events(world, seconds);
        // `integrate` has checked all handles.
        world.swap_positions(self.bodies.handles(), &mut self.next_positions, PUSH_MARGIN * self.farthest);
        swept
    }

    /// Bounces the contacts of this step.
    fn bounce_contacts(&mut self, world: &World, seconds: f64) {
        self.contacts.clear();
        let mut later = world.contacts().skip(prefetch_distance(self.bodies.len()));
        for contact in world.contacts() {
            if let Some(next) = later.next() {
                // Only the second handle: the first ones are sorted.
                ContactConstraints::prefetch_body(&self.bodies, &self.restitutions, next.b);
            }
            if !contact.sensor && !contact.is_gap() {
                self.contacts.add(&self.bodies, &self.restitutions, [contact.a, contact.b], contact.normal);
            }
        }
        let threshold = self.threshold(seconds);
        self.contacts.bounce(&mut self.velocities, threshold);
    }
}
