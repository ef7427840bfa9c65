//! One step of particles: move, find contacts, bounce, push apart.

use super::particles::Particles;
use super::separate::Separation;
use crate::error::Error;
use crate::math::vector::check_size;
use crate::world::World;

/// How much room boxes get for pushes, as a share of the way of what goes farthest: two overlap by as much as they went, at most, and hardly any is pushed half as far.
const ROOM: f64 = 0.5;

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// How many particles moved so far that they were swept.
    pub swept: usize,
    /// How overlaps were pushed apart.
    pub separation: Separation,
}

/// The parts of a step, in their order: told to whoever measures them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Everything is where it goes.
    Move,
    /// Contacts and events are found.
    Update,
    /// What approached has bounced.
    Bounce,
    /// What overlapped is apart.
    Separate,
}

impl Particles {
    /// Moves every particle for a time in seconds, updates the world, lets what met bounce, and pushes apart what overlaps.
    ///
    /// Gravity bends paths exactly. Events and contacts of the world are those of this step, as they were before overlaps were pushed apart. A time of 0 moves nothing, but what approaches bounces. A
    /// particle that moves farther than half its radius, or is thin, is swept, with all that may be in its way: it stops at what it hits first, bounces there, and loses the rest of the step's motion (its time stands still), not of its speed.
    /// Bounces are worked out in the order of handles; with restitution 1 and without gravity they keep the kinetic energy to rounding, whatever the step.
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
    pub fn step_observed(&mut self, world: &mut World, seconds: f64, mut done: impl FnMut(Stage)) -> Result<Step, Error> {
        let seconds = check_size("time step", seconds)?;
        self.plan(world, seconds)?;
        if self.swept.any() {
            self.bounce_early(world);
            self.plan(world, seconds)?;
        }
        let swept = self.make(world);
        core::mem::swap(&mut self.velocities, &mut self.next_velocities);
        done(Stage::Move);
        world.update();
        done(Stage::Update);
        self.take_back(world, seconds);
        self.answer(world);
        done(Stage::Bounce);
        let separation = self.separator.run(world, &self.bodies, self.walls.as_ref());
        done(Stage::Separate);
        Ok(Step { swept, separation })
    }

    /// Lets all particles go; those that are swept as far as they get. Says how many those are.
    fn make(&mut self, world: &mut World) -> usize {
        if !self.swept.any() {
            // All handles were found while planning.
            world.set_places(self.bodies.handles(), &self.next_places, ROOM * self.farthest);
            return 0;
        }
        self.sweep(world)
    }

    /// Bounces of what ran into each other on its way, of what meets now, and off the walls.
    fn answer(&mut self, world: &mut World) {
        self.touches.clear();
        for hit in world.collisions().iter().filter(|hit| !hit.sensor) {
            self.touches.add(&self.bodies, &self.restitutions, [hit.a, hit.b], hit.impact.normal);
        }
        for contact in world.contacts().filter(|contact| !contact.sensor) {
            self.touches.add(&self.bodies, &self.restitutions, [contact.a, contact.b], contact.normal);
        }
        self.touches.bounce(&mut self.velocities);
        self.bounce_at_walls(world);
    }
}
