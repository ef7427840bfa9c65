//! One step of particles: solve contacts at rest, move, find contacts, bounce, push apart.

use super::impulse_solver::ContactConstraints;
use super::particles::Particles;
use super::position_solver::{PenetrationReport, Surroundings};
use super::resting::Now;
use crate::error::Error;
use crate::math::prefetch::prefetch_distance;
use crate::math::vector::check_size;
use crate::world::World;

/// How much room boxes get for pushes, as a share of the way of what goes farthest: two overlap by as much as they went, at most, and hardly any is pushed half as far.
const ROOM: f64 = 0.5;

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// How many particles were swept from impact to impact: those that moved far, those that met a wall in the same step, and whom either hit.
    pub swept: usize,
    /// How overlaps were pushed apart.
    pub separation: PenetrationReport,
}

/// The parts of a step, in their order: told to whoever measures them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Everything is where it goes.
    Integrate,
    /// Contacts and events are found.
    Update,
    /// What approached has bounced.
    Velocities,
    /// What overlapped is apart.
    Positions,
}

impl Particles {
    /// Moves every particle for a time in seconds, updates the world, bounces contacts, and pushes overlaps apart.
    ///
    /// Gravity bends paths exactly. Events and contacts of the world are those of this step, before overlaps were pushed apart. A time of 0 moves nothing, but contacts that approach
    /// bounce.
    ///
    /// A particle that moves farther than half its radius, or is thin, is swept: it bounces when and where it hits something, goes on with the rest of the step, and so on
    /// ([`impacts`](Particles::impacts)). After [`MAX_IMPACTS_PER_STEP`](super::MAX_IMPACTS_PER_STEP) in one step it rests until the next one: it stays where it is and stops others. That costs time, never
    /// energy. Under gravity a swept particle takes the chord of its parabola: for each unit of mass an impact costs up to an eighth of the square of the speed that gravity gives in a step.
    /// Colliders with a motion of yours are met where they stand.
    ///
    /// No particle passes through a collider that nothing moves. No two that were apart before the step overlap by more than [`PENETRATION_SLOP`](super::SLOP) and the tolerance of
    /// [`time_of_impact`](crate::time_of_impact) after it: if pushes do not suffice, particles go back to where the step began.
    ///
    /// Contacts slower than the [restitution threshold](Particles::set_restitution_threshold) are solved together, without bounce. All others bounce in the order of handles. With restitution 1 and
    /// without gravity bounces keep the kinetic energy to rounding, whatever the step; with less they never add any.
    ///
    /// # Errors
    /// A time that is not finite, negative, or above 1e30; a particle whose collider is gone (remove it here too); one that would leave the range of coordinates, or become as fast. Nothing has moved then.
    pub fn step(&mut self, world: &mut World, seconds: f64) -> Result<Step, Error> {
        self.step_observed(world, seconds, |_| ())
    }

    /// [`step`](Particles::step), telling when each part of it is done: the library has no clock.
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
        self.hold(world, seconds);
        if let Err(error) = self.integrate(world, seconds) {
            self.resting.forget(&mut self.velocities);
            return Err(error);
        }
        let swept = self.make(world, seconds);
        core::mem::swap(&mut self.velocities, &mut self.next_velocities);
        self.resting.finish(self.gravity, seconds, &mut self.velocities);
        done(Stage::Integrate);
        world.update();
        done(Stage::Update);
        self.answer(world, seconds);
        done(Stage::Velocities);
        let around = Surroundings {
            walls: self.walls.as_ref(),
            starts: Some(&self.next_places),
            carriers: self.resting.carriers(self.gravity),
        };
        let separation = self.separator.run(world, &self.bodies, &around);
        self.resting.record_stuck(self.separator.back.iter().map(|&place| place as usize), self.bodies.len());
        done(Stage::Positions);
        Ok(Step { swept, separation })
    }

    /// Solves the contacts at rest.
    fn hold(&mut self, world: &World, seconds: f64) {
        let threshold = self.threshold(seconds);
        let Self { bodies, restitutions, walls, gravity, resting, velocities, flight, .. } = self;
        let now = Now { world, bodies, restitutions, walls: *walls, gravity: *gravity, seconds, threshold };
        resting.hold(now, &flight.impacts, velocities);
    }

    /// Lets all particles go. Says how many were swept.
    fn make(&mut self, world: &mut World, seconds: f64) -> usize {
        let swept = self.fly(world, seconds);
        // All handles were found while planning.
        world.swap_places(self.bodies.handles(), &mut self.next_places, ROOM * self.farthest);
        swept
    }

    /// Bounces of what meets now.
    fn answer(&mut self, world: &World, seconds: f64) {
        self.touches.clear();
        let mut later = world.contacts().skip(prefetch_distance(self.bodies.len()));
        for contact in world.contacts() {
            if let Some(next) = later.next() {
                // The first ones are in order.
                ContactConstraints::fetch(&self.bodies, &self.restitutions, next.b);
            }
            if !contact.sensor {
                self.touches.add(&self.bodies, &self.restitutions, [contact.a, contact.b], contact.normal);
            }
        }
        let threshold = self.threshold(seconds);
        self.touches.bounce(&mut self.velocities, threshold);
    }
}
