//! Benchmarks whole steps: elastic balls in a box, the same for every broad phase.
use std::time::Instant;

use carom::World;
use carom::response::{Particle, Particles};
use carom_scene::Scene;
use rayon::ThreadPool;

use super::broad_phases::{BroadPhaseRow, Pools, median, steps, strategies};
use crate::balls;
use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;

/// Name in the results.
pub(super) const NAME: &str = "balls that move and bounce";

const SECONDS: f64 = 1.0 / 60.0;

/// Box of balls with one broad phase.
struct Runner<'a> {
    broad: BroadPhaseArg,
    pool: &'a ThreadPool,
    world: World,
    particles: Particles,
    times: Vec<f64>,
}

/// Steps all broad phases that are fast enough for this many balls, interleaved. Calls `done` after
/// each step.
pub(super) fn run(
    count: usize,
    seed: u64,
    pools: &Pools,
    done: &mut dyn FnMut(),
) -> Result<Vec<BroadPhaseRow>, CliError> {
    let scene = balls::scene(u32::try_from(count).unwrap_or(u32::MAX), seed);
    let runners: Result<Vec<_>, carom::Error> =
        strategies(count, pools).map(|(broad, pool)| Runner::new(broad, pool, &scene)).collect();
    let mut runners = runners.map_err(|error| CliError::new(error.to_string()))?;
    for step in 0..=steps(count) {
        for runner in &mut runners {
            let time = runner.step()?;
            // The first step builds the data that later steps update.
            if step > 0 {
                runner.times.push(time);
            }
        }
        done();
    }
    agreed(&runners)?;
    Ok(runners.into_iter().map(|runner| runner.row(count)).collect())
}

impl<'a> Runner<'a> {
    fn new(broad: BroadPhaseArg, pool: &'a ThreadPool, scene: &Scene) -> Result<Self, carom::Error> {
        let (mut world, mut particles) = (broad.world(), Particles::new());
        particles.set_walls(scene.walls);
        for collider in &scene.colliders {
            let handle = world.insert(carom::Collider::new(collider.shape.clone()).pose(collider.pose));
            if let Some(body) = collider.body {
                particles.insert(
                    handle,
                    Particle::new(body.mass)?.velocity(body.velocity)?.restitution(body.restitution)?,
                )?;
            }
        }
        Ok(Self { broad, pool, world, particles, times: Vec::new() })
    }

    /// Measures a step in seconds.
    fn step(&mut self) -> Result<f64, CliError> {
        let Self { pool, world, particles, .. } = self;
        let started = Instant::now();
        pool.install(|| particles.step(world, SECONDS)).map_err(|error| CliError::new(error.to_string()))?;
        Ok(started.elapsed().as_secs_f64())
    }

    fn row(mut self, count: usize) -> BroadPhaseRow {
        BroadPhaseRow {
            workload: NAME,
            count,
            strategy: self.broad.build().name(),
            threads: self.pool.current_num_threads(),
            nanoseconds: median(&mut self.times) * 1e9 / count as f64,
            pairs: self.world.contacts().len(),
        }
    }
}

/// Checks that all worlds have the same state, bit for bit.
fn agreed(runners: &[Runner<'_>]) -> Result<(), CliError> {
    let mut hashes = runners.iter().map(|runner| runner.world.state_hash());
    let first = hashes.next();
    match hashes.position(|hash| Some(hash) != first) {
        None => Ok(()),
        Some(at) => {
            let [a, b] = [&runners[0], &runners[at + 1]].map(|runner| runner.broad.build().name());
            Err(CliError::at(
                NAME,
                format!("after the same steps {a} and {b} are in different states, which is a fault of carom"),
            ))
        }
    }
}
