//! Runs the event-driven solver for the particles that move far in a step.
//!
//! Input: the integrated positions and velocities, and the lists of fast particles and of particles
//! at a wall. Output: the positions and velocities of these particles, and of all particles that
//! they hit. The algorithm is in `event_driven.rs`; this module prepares its input.
//!
//! Particles at a wall are added to the fast ones, because their impacts are within the step, too.
//! All others move straight to their target. The length of the longest such displacement is the
//! margin of neighbour queries.

use super::environment::Environment;
use super::particles::Particles;
use crate::math::vector::{length, rescaled};
use crate::world::World;

impl Particles {
    /// Replaces the integrated positions and velocities of fast particles by those of the
    /// event-driven solver. Returns the number of particles that it simulated.
    pub(super) fn run_events(&mut self, world: &World, seconds: f64) -> usize {
        if self.fast.is_empty() {
            self.event_driven.impacts.clear();
            return 0;
        }
        // Particles at a wall have impacts within the step, too.
        self.fast.append(&mut self.at_walls);
        self.fast.sort_unstable();
        self.farthest = self.farthest_of_slow(world);
        let threshold = self.threshold(seconds);
        let Self { bodies, restitutions, gravity, walls, fast, next_positions, next_velocities, .. } = self;
        let (walls, gravity, down) = (*walls, *gravity, rescaled(*gravity).0);
        let solved = self.resting.solved();
        let environment = Environment { world, bodies, restitutions, threshold, walls, gravity, down, seconds, solved };
        let solver = &mut self.event_driven;
        let swept = solver.run(&environment, fast, self.farthest, &self.velocities, next_positions, next_velocities);
        self.resting.record_stuck(self.event_driven.resting(), self.bodies.len());
        swept
    }

    /// Returns the length of the longest displacement of a particle that is not fast.
    fn farthest_of_slow(&self, world: &World) -> f64 {
        let mut flies = self.fast.iter().peekable();
        let mut farthest: f64 = 0.0;
        for (index, (&handle, &target)) in self.bodies.handles().iter().zip(&self.next_positions).enumerate() {
            if flies.next_if(|&&fast| fast == index).is_none()
                && let Some(pose) = world.pose(handle)
            {
                farthest = farthest.max(length(target - pose.translation()));
            }
        }
        farthest
    }
}
