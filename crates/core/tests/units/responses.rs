//! Families of movers, particles and position correction.

use carom::mover::Mover;
use carom::response::{Masses, Particle, Particles, bounce, resolve_penetration};
use carom::{Aabb, Collider, Pose, Shape, World};

use super::unit::{Results, Unit};

pub(super) fn movers(unit: &mut Unit, out: &mut Results) {
    let mut world = World::new();
    let ground = Shape::rectangle(unit.of(40.0), unit.of(1.0)).unwrap();
    world.insert(Collider::new(ground).at(unit.vector(0.0, -0.5)).unwrap().fixed(true));
    for i in 0..10 {
        let (size, angle) = (unit.length(0.2, 1.5), unit.dice.between(-0.6, 0.6));
        let block = Shape::rectangle(2.0 * size, size).unwrap();
        let at = unit.vector(1.7 * f64::from(i) - 4.0, 0.0) + unit.point(0.4);
        world.insert(Collider::new(block).pose(Pose::new(at, angle).unwrap()).fixed(true));
    }
    let lift = Shape::rectangle(unit.of(2.0), unit.of(0.4)).unwrap();
    let lift = world.insert(Collider::new(lift).at(unit.vector(-2.0, 2.0)).unwrap());
    let hero = if unit.dice.chance(0.5) {
        Shape::capsule(unit.vector(0.0, -0.4), unit.vector(0.0, 0.4), unit.of(0.4))
    } else {
        Shape::rectangle(unit.of(0.8), unit.of(1.6))
    };
    let start = unit.vector(-6.0, 2.0);
    let hero = world.insert(Collider::new(hero.unwrap()).at(start).unwrap());
    let mut mover = Mover::new(hero)
        .skin(unit.of(0.01))
        .and_then(|mover| mover.step_height(unit.of(0.3)))
        .and_then(|mover| mover.snap_distance(unit.of(0.3)))
        .and_then(|mover| mover.max_push(unit.of(1.0)))
        .unwrap();
    if unit.dice.chance(0.7) {
        mover = mover.up([0.0, 1.0]).unwrap();
    }
    out.after_cast();
    let mut fall = 0.0;
    for frame in 0..60 {
        fall = if mover.is_grounded() { 0.05 } else { fall + 0.02 };
        let mut wanted = unit.vector(0.15, -fall);
        if frame % 20 == 19 {
            (wanted, fall) = (unit.vector(0.15, 0.4), -0.35);
        }
        world.translate(lift, unit.vector(0.02, -0.02)).unwrap();
        let moved = mover.move_by(&mut world, wanted).unwrap();
        out.count("grounded", mover.is_grounded().into());
        out.point("moved", moved.translation);
        out.length("missing gap", moved.missing_gap);
    }
}

/// Returns particles between walls: balls and boxes that fall, fast ones among them.
fn falling(unit: &mut Unit, world: &mut World) -> Particles {
    let mut particles = Particles::new();
    let is_resting = unit.dice.chance(0.5);
    for i in 0..16 {
        let at = unit.vector(f64::from(i % 4) * 2.0 - 3.0, f64::from(i / 4) * 1.5 - 2.0) + unit.point(0.3);
        let radius = unit.length(0.3, 0.6);
        let shape = match i % 4 {
            0 => Shape::rectangle(2.0 * radius, radius),
            1 => Shape::polygon(&unit.star(3, 1.0)),
            _ => Shape::circle(radius),
        };
        let handle = world.insert(Collider::new(shape.unwrap()).at(at).unwrap());
        let speed = if i == 5 { 40.0 } else { 1.0 };
        let (velocity, restitution) = (unit.point(speed), unit.dice.one_of(&[0.0, 0.5, 1.0]));
        let restitution = if is_resting { 0.0 } else { restitution };
        let mass = unit.dice.between(0.5, 2.0);
        let particle = Particle::new(mass).unwrap().velocity(velocity).unwrap().restitution(restitution).unwrap();
        particles.insert(handle, particle).unwrap();
    }
    let floor = Shape::rectangle(unit.of(20.0), unit.of(2.0)).unwrap();
    world.insert(Collider::new(floor).at(unit.vector(0.0, -6.0)).unwrap().fixed(true));
    particles.set_gravity(unit.vector(0.0, -9.81)).unwrap();
    particles.set_walls(Some(Aabb::new(unit.vector(-5.0, -9.0), unit.vector(5.0, 9.0)).unwrap()));
    particles
}

pub(super) fn particles(unit: &mut Unit, out: &mut Results) {
    let mut world = World::new();
    let mut particles = falling(unit, &mut world);
    out.after_cast();
    // After more impacts, rounding decides which pairs touch exactly.
    for _ in 0..8 {
        let step = particles.step(&mut world, 1.0 / 60.0).unwrap();
        out.count("swept", step.swept);
        out.length("penetration", step.separation.max_penetration);
        for hit in particles.impacts() {
            out.number("impact", hit.impact.time);
        }
        for &handle in particles.bodies().handles() {
            out.point("position", world.pose(handle).unwrap().translation());
        }
        for &velocity in particles.velocities() {
            out.point("velocity", velocity);
        }
    }
    out.area("energy", particles.kinetic_energy());
    out.point("momentum", particles.momentum());
}

pub(super) fn separations(unit: &mut Unit, out: &mut Results) {
    let (mut world, mut bodies) = (World::new(), Masses::new());
    for i in 0..12 {
        let at = if i < 4 { unit.vector(1.0, 2.0) } else { unit.point(2.0) };
        let handle = world.insert(Collider::new(unit.convex()).at(at).unwrap());
        if i > 0 {
            bodies.set_mass(handle, f64::from(i)).unwrap();
        }
    }
    world.update();
    // Corrections end at fixed colliders, which is a cast.
    out.after_cast();
    let report = resolve_penetration(&mut world, &bodies);
    out.count("iterations", report.iterations);
    out.length("penetration", report.max_penetration);
    for handle in world.handles() {
        out.point("position", world.pose(handle).unwrap().translation());
    }
    let velocities = [unit.point(4.0), unit.point(4.0)];
    let (normal, restitution) = (unit.dice.direction(), unit.dice.one_of(&[0.0, 0.5, 1.0]));
    for velocity in bounce(velocities, [1.0, 3.0], normal, restitution).unwrap() {
        out.point("bounce", velocity);
    }
}
