//! Exports particles and position correction.

use alloc::vec::Vec;

use carom::response::{Masses, Particle, Particles, PenetrationReport, resolve_penetration};
use carom::{Aabb, World};

use crate::buffers::Buffers;
use crate::columns::address;
use crate::export;
use crate::failure::Failure;
use crate::ids::id_of;
use crate::space::Space;

/// Returns a set of particles and the world that it belongs to.
fn particles(space: &mut Space, number: usize) -> Result<(&mut World, &mut Particles), Failure> {
    let particles = space.particles.get_mut(number).ok_or_else(disposed)?;
    Ok((&mut space.world, particles))
}

fn disposed() -> Failure {
    Failure::new("these particles were disposed")
}

fn set(buffers: &mut Buffers, world: usize, number: usize) -> Result<&mut Particles, Failure> {
    Ok(particles(buffers.space(world)?, number)?.1)
}

fn report(report: &PenetrationReport) -> [f64; 3] {
    [report.iterations as f64, f64::from(report.converged), report.max_penetration]
}

export! {
    /// Creates a set of particles. Writes its number. `walls` is 0 for none, and a threshold of NaN is the default. If
    /// a setting is refused, the world gets no set.
    fn particles_new(
        buffers, world: usize, gravity_x: f64, gravity_y: f64, walls: u32, min_x: f64, min_y: f64, max_x: f64, max_y: f64,
        threshold: f64
    ) {
        let (space, _, output) = buffers.split(world)?;
        let mut particles = Particles::new();
        particles.set_gravity([gravity_x, gravity_y])?;
        if walls != 0 {
            particles.set_walls(Some(Aabb::new([min_x, min_y], [max_x, max_y])?));
        }
        particles.set_restitution_threshold((!threshold.is_nan()).then_some(threshold))?;
        output.clear();
        output.push(space.particles.insert(particles) as f64);
        Ok(true)
    }

    /// Frees a set of particles. Their colliders stay.
    fn particles_free(buffers, world: usize, number: usize) {
        buffers.space(world)?.particles.remove(number);
        Ok(true)
    }

    /// Makes colliders particles. The input is `count` ids, then mass, velocity x, velocity y, restitution of each.
    /// If one is refused, none is added.
    fn particles_add(buffers, world: usize, number: usize, count: usize) {
        let (space, input, _) = buffers.split(world)?;
        let (ids, rows) = input.split_at_checked(count).ok_or_else(|| Failure::new("the input is too short"))?;
        if rows.len() != 4 * count {
            return Err(Failure::new(format_args!(
                "{} numbers are given for {count} particles: each has four, mass, velocity x, velocity y, restitution",
                rows.len()
            )));
        }
        let handles = space.handles(ids)?;
        let made = rows
            .chunks_exact(4)
            .map(|row| Particle::new(row[0])?.velocity([row[1], row[2]])?.restitution(row[3]))
            .collect::<Result<Vec<_>, _>>()?;
        let (_, particles) = particles(space, number)?;
        for (handle, particle) in handles.into_iter().zip(made) {
            particles.insert(handle, particle)?;
        }
        Ok(true)
    }

    /// Removes a particle. Its collider stays, or is gone already. Returns 0 if it was no particle.
    fn particles_remove(buffers, world: usize, number: usize, id: f64) {
        let particles = set(buffers, world, number)?;
        let handle = particles.bodies().handles().iter().copied().find(|&handle| id_of(handle) == id);
        Ok(handle.is_some_and(|handle| particles.remove(handle).is_some()))
    }

    /// Sets the gravity.
    fn particles_set_gravity(buffers, world: usize, number: usize, x: f64, y: f64) {
        set(buffers, world, number)?.set_gravity([x, y])?;
        Ok(true)
    }

    /// Sets the walls, or none if `walls` is 0.
    fn particles_set_walls(
        buffers, world: usize, number: usize, walls: u32, min_x: f64, min_y: f64, max_x: f64, max_y: f64
    ) {
        let walls = if walls == 0 { None } else { Some(Aabb::new([min_x, min_y], [max_x, max_y])?) };
        set(buffers, world, number)?.set_walls(walls);
        Ok(true)
    }

    /// Sets the velocity of a particle.
    fn particles_set_velocity(buffers, world: usize, number: usize, id: f64, x: f64, y: f64) {
        let space = buffers.space(world)?;
        let handle = space.handle(id)?;
        if particles(space, number)?.1.set_velocity(handle, [x, y])? {
            return Ok(true);
        }
        Err(Failure::new(format_args!("the collider {} is no particle: add it first", id as u64)))
    }

    /// Writes the velocity of a particle.
    fn particles_velocity(buffers, world: usize, number: usize, id: f64) {
        let (space, _, output) = buffers.split(world)?;
        let handle = space.handle(id)?;
        let velocity = particles(space, number)?.1.velocity(handle);
        let velocity =
            velocity.ok_or_else(|| Failure::new(format_args!("the collider {} is no particle: add it first", id as u64)))?;
        output.clear();
        output.extend(velocity.to_array());
        Ok(true)
    }

    /// Writes the number of particles, the address of their ids and that of their velocities.
    fn particles_columns(buffers, world: usize, number: usize) {
        let (space, _, output) = buffers.split(world)?;
        let Space { particles, columns, .. } = space;
        let particles = particles.get_mut(number).ok_or_else(disposed)?;
        columns.set_particles(particles);
        let ([ids, velocities], count) = (columns.particles(), particles.len() as f64);
        output.clear();
        output.extend([count, address(ids), address(velocities)]);
        Ok(true)
    }

    /// Moves all particles. Writes the number of fast ones, then the report of the correction.
    fn particles_step(buffers, world: usize, number: usize, seconds: f64) {
        let (space, _, output) = buffers.split(world)?;
        let (world, particles) = particles(space, number)?;
        let step = particles.step(world, seconds)?;
        output.clear();
        output.push(step.swept as f64);
        output.extend(report(&step.separation));
        Ok(true)
    }

    /// Writes the kinetic energy, the momentum, and the number of particles.
    fn particles_energy(buffers, world: usize, number: usize) {
        let (space, _, output) = buffers.split(world)?;
        let (_, particles) = particles(space, number)?;
        output.clear();
        output.push(particles.kinetic_energy());
        output.extend(particles.momentum().to_array());
        output.push(particles.len() as f64);
        Ok(true)
    }

    /// Writes the impacts of the last step: both ids, sensor, time, point, normal.
    fn particles_impacts(buffers, world: usize, number: usize) {
        let (space, _, output) = buffers.split(world)?;
        let (_, particles) = particles(space, number)?;
        output.clear();
        for found in particles.impacts() {
            let ([x, y], [nx, ny]) = (found.impact.point.to_array(), found.impact.normal.to_array());
            let sensor = f64::from(found.sensor);
            output.extend([id_of(found.a), id_of(found.b), sensor, found.impact.time, x, y, nx, ny]);
        }
        Ok(true)
    }

    /// Moves overlapping colliders apart. If `mass` is NaN, the input is id and mass of each movable collider. Else all
    /// colliders that are not fixed have this mass. Writes the report.
    fn world_separate(buffers, world: usize, mass: f64) {
        let (space, input, output) = buffers.split(world)?;
        let mut masses = Masses::new();
        if mass.is_nan() {
            for row in input.chunks_exact(2) {
                masses.set_mass(space.handle(row[0])?, row[1])?;
            }
        } else {
            for (handle, collider) in space.world.colliders() {
                if !collider.fixed {
                    masses.set_mass(handle, mass)?;
                }
            }
        }
        let found = resolve_penetration(&mut space.world, &masses);
        output.clear();
        output.extend(report(&found));
        Ok(true)
    }
}
