//! Rooms with thin walls: no particle leaves, and none ends inside another.
//!
//! The test knows its rooms by numbers of its own: the walls' inner sides are those of a rectangle
//! that is turned about the origin.

use carom::response::{PENETRATION_SLOP, Particle, Particles};
use carom::{Aabb, Collider, DVec2, Handle, Pose, Shape, World, collide};

use crate::support::run::from_environment;

/// Rooms that are tried. `CAROM_ROOMS=100000` is the size that is promised.
fn rooms(fewer: u64) -> u64 {
    from_environment("CAROM_ROOMS").unwrap_or(fewer)
}

const DT: f64 = 1.0 / 60.0;

/// Times of impact are early by up to this share of a size; everything else here is rounding.
const EARLY: f64 = 2e-7;

#[derive(Clone, Copy, Debug)]
enum Walls {
    /// Four fixed rectangles of this thickness.
    Rectangles(f64),
    Segments,
    /// One closed chain.
    Chain,
    /// One compound of four rectangles of this thickness.
    Compound(f64),
    /// The box of the particles; the room is not turned.
    Box,
}

struct Room {
    half: DVec2,
    pose: Pose,
    world: World,
    particles: Particles,
    balls: Vec<Handle>,
}

fn uniform(rng: &mut fastrand::Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

fn magnitude(rng: &mut fastrand::Rng, low: f64, high: f64) -> f64 {
    uniform(rng, low.ln(), high.ln()).exp().clamp(low, high)
}

impl Room {
    fn new(walls: Walls, half: DVec2, angle: f64) -> Self {
        let (mut world, mut particles) = (World::new(), Particles::new());
        let pose = Pose::new([0.0, 0.0], if matches!(walls, Walls::Box) { 0.0 } else { angle }).unwrap();
        let fixed = |shape: Shape, pose: Pose| Collider::new(shape).pose(pose).fixed(true);
        // Inner sides at `half`; longer by the thickness at both ends.
        let sides = |t: f64| {
            let wide = Shape::rectangle(2.0 * half.x + 2.0 * t, t).unwrap();
            let high = Shape::rectangle(t, 2.0 * half.y + 2.0 * t).unwrap();
            let (x, y) = (half.x + 0.5 * t, half.y + 0.5 * t);
            [(wide.clone(), [0.0, y]), (wide, [0.0, -y]), (high.clone(), [x, 0.0]), (high, [-x, 0.0])]
        };
        let corners = [[-half.x, -half.y], [half.x, -half.y], [half.x, half.y], [-half.x, half.y]];
        match walls {
            Walls::Rectangles(t) => {
                for (shape, at) in sides(t) {
                    let pose = Pose::new(pose.transform_point(at), angle).unwrap();
                    world.insert(fixed(shape, pose));
                }
            }
            Walls::Segments => {
                for i in 0..4 {
                    world.insert(fixed(Shape::segment(corners[i], corners[(i + 1) % 4]).unwrap(), pose));
                }
            }
            Walls::Chain => {
                world.insert(fixed(Shape::closed_chain(&corners).unwrap(), pose));
            }
            Walls::Compound(t) => {
                let parts = sides(t).map(|(shape, at)| (shape, Pose::from_translation(at).unwrap()));
                world.insert(fixed(Shape::compound(parts).unwrap(), pose));
            }
            Walls::Box => particles.set_walls(Some(Aabb::new(-half, half).unwrap())),
        }
        Self { half, pose, world, particles, balls: Vec::new() }
    }

    /// The middle of a ball in the frame of the room.
    fn middle(&self, ball: Handle) -> DVec2 {
        let at = self.world.pose(ball).unwrap().translation();
        let x = self.pose.rotate_vector(DVec2::X);
        DVec2::new(at.dot(x), at.dot(x.perp()))
    }

    /// Deepest overlap with any other body beyond the tolerance. Above 0 is an error.
    fn deepest(&self) -> f64 {
        let size = |handle: Handle| self.world.placed(handle).unwrap().aabb().size().max_element();
        let mut deepest = f64::NEG_INFINITY;
        for &ball in &self.balls {
            for (other, _) in self.world.colliders().filter(|(other, _)| *other != ball) {
                let least = size(ball).min(size(other).max(f64::MIN_POSITIVE));
                let depth = collide(self.world.placed(ball).unwrap(), self.world.placed(other).unwrap())
                    .map_or(0.0, |m| m.depth);
                // A segment has no thickness. Sizes are those of moving bodies.
                let allowed = (PENETRATION_SLOP * least.max(1e-300) + EARLY * size(ball).max(size(other))).max(1e-14);
                deepest = deepest.max(depth - allowed);
            }
        }
        deepest
    }

    /// Puts a ball where it fits, if there is room; says whether there was.
    fn put(&mut self, collider: &Collider, particle: Particle) -> bool {
        let handle = self.world.insert(collider.clone());
        let placed = self.world.placed(handle).unwrap();
        let free = self.world.colliders().filter(|(other, _)| *other != handle).all(|(other, _)| {
            collide(placed, self.world.placed(other).unwrap())
                .is_none_or(|m| m.depth <= 0.5 * PENETRATION_SLOP * placed.aabb().size().max_element())
        });
        if free && self.middle(handle).abs().cmple(self.half).all() {
            self.particles.insert(handle, particle).unwrap();
            self.balls.push(handle);
            true
        } else {
            self.world.remove(handle);
            false
        }
    }
}

/// Builds a room from a seed, with up to eight particles of any kind that begin apart, touching, or
/// within the slop. Returns it with their least restitution, and true if there is gravity.
fn random_room(seed: u64) -> (Room, f64, bool) {
    let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let thickness = magnitude(&mut rng, 1e-4, 0.2);
    let walls = match rng.u32(0..6) {
        0 | 1 => Walls::Rectangles(thickness),
        2 => Walls::Segments,
        3 => Walls::Chain,
        4 => Walls::Compound(thickness),
        _ => Walls::Box,
    };
    let half = DVec2::new(uniform(&mut rng, 0.6, 2.0), uniform(&mut rng, 0.6, 2.0));
    let angle = if rng.bool() { 0.0 } else { uniform(&mut rng, 0.0, 6.0) };
    let mut room = Room::new(walls, half, angle);
    let common = [0.0, 0.3, 0.7, 0.95, 1.0][rng.usize(0..5)];
    let mut least: f64 = 1.0;
    let falls = rng.u32(0..4) == 0;
    if falls {
        let pull = DVec2::from_angle(uniform(&mut rng, 0.0, 6.3)) * magnitude(&mut rng, 1.0, 1e3);
        room.particles.set_gravity(pull).unwrap();
    }
    // Slow ones only, or of any speed.
    let fastest = if rng.u32(0..3) == 0 { 20.0 } else { 1e6 };
    for _ in 0..rng.u32(1..=8) {
        let size = uniform(&mut rng, 0.02, 0.45);
        let (shape, inner) = match rng.u32(0..4) {
            0 | 1 => (Shape::circle(size).unwrap(), size),
            2 => {
                let other = uniform(&mut rng, 0.02, 0.45);
                (Shape::rectangle(2.0 * size, 2.0 * other).unwrap(), size.max(other))
            }
            _ => (Shape::capsule([-0.5 * size, 0.0], [0.5 * size, 0.0], 0.5 * size).unwrap(), size),
        };
        let restitution = if rng.u32(0..4) == 0 { rng.f64() } else { common };
        least = least.min(restitution);
        let speed = if rng.u32(0..8) == 0 { 0.0 } else { magnitude(&mut rng, 0.1, fastest) };
        let velocity = DVec2::from_angle(uniform(&mut rng, 0.0, 6.3)) * speed;
        let particle = Particle::new(magnitude(&mut rng, 1e-3, 1e3)).unwrap();
        let particle = particle.velocity(velocity).unwrap().restitution(restitution).unwrap();
        for _ in 0..20 {
            let turned = if rng.bool() { angle } else { uniform(&mut rng, 0.0, 6.0) };
            let turned = if inner == size || matches!(walls, Walls::Box) { turned } else { angle };
            let mut at = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * 2.0 * (half - inner).max(DVec2::ZERO);
            if rng.u32(0..3) == 0 {
                // Against a wall: by rounding apart or not, or within the slop.
                let axis = rng.usize(0..2);
                let by = [0.0, 0.0, 1e-16, -1e-16, 1e-9, 0.2 * PENETRATION_SLOP * size][rng.usize(0..6)];
                at[axis] = (half[axis] - inner + by).copysign(at[axis]);
            }
            let room_pose = room.pose;
            let pose = Pose::new(room_pose.transform_point(at), turned).unwrap();
            if room.put(&Collider::new(shape.clone()).pose(pose), particle) {
                break;
            }
        }
    }
    (room, least, falls)
}

/// Promise: nothing tunnels, and resting costs time alone. Law: without gravity impacts never add
/// energy; with restitution 1 they keep it.
#[test]
fn no_particle_leaves_a_room_with_thin_walls() {
    let (mut bad, count) = (Vec::new(), rooms(1_500));
    for seed in 0..count {
        if let Some(why) = run(seed) {
            bad.push((seed, why));
        }
    }
    assert!(bad.is_empty(), "{} of {count} rooms, such as {:?}", bad.len(), &bad[..bad.len().min(12)]);
}

fn run(seed: u64) -> Option<String> {
    let (mut room, restitution, falls) = random_room(seed);
    let mut energy = room.particles.kinetic_energy();
    for step in 0..10 {
        let report = room.particles.step(&mut room.world, DT).unwrap();
        let after = room.particles.kinetic_energy();
        if !falls && (after > energy * (1.0 + 1e-11) || (restitution == 1.0 && after < energy * (1.0 - 1e-11))) {
            return Some(format!("step {step}: energy {energy:e} to {after:e}"));
        }
        energy = after;
        for &ball in &room.balls {
            let at = room.middle(ball);
            if !at.abs().cmple(room.half + 1e-12).all() {
                return Some(format!("step {step}: {ball:?} left, it is at {at}"));
            }
        }
        let deepest = room.deepest();
        if deepest > 0.0 {
            return Some(format!("step {step}: too deep by {deepest:e}, {report:?}"));
        }
    }
    None
}

/// Steps of a long run.
const LONG: usize = 600;

/// Largest relative change of the kinetic energy in a long run.
const DRIFT: f64 = 1e-11;

/// Promise: without gravity the kinetic energy keeps within [`DRIFT`] over [`LONG`] steps at
/// restitution 1. Below 1 it never grows by more than that.
///
/// Runs 1 of 40 of the rooms of the short test, and first one in which an error of 1e-16 an impact adds up.
#[test]
fn energy_of_a_long_run_keeps_or_falls() {
    let count = rooms(1_600).div_ceil(40);
    let (mut bad, mut ran, mut kept, mut most) = (Vec::new(), 0, 0, 0.0);
    for seed in [2079].into_iter().chain(0..) {
        let (room, restitution, falls) = random_room(seed);
        if falls || room.particles.kinetic_energy() == 0.0 {
            continue;
        }
        match long_run(room, restitution) {
            Ok(drift) => most = f64::max(most, drift),
            Err(why) => bad.push((seed, why)),
        }
        kept += u32::from(restitution == 1.0);
        ran += 1;
        if ran == count {
            break;
        }
    }
    println!("{ran} rooms, {kept} of restitution 1, largest drift {most:e}");
    assert!(kept > 0, "no room keeps its energy");
    assert!(bad.is_empty(), "{} of {ran} rooms, such as {:?}", bad.len(), &bad[..bad.len().min(12)]);
}

/// Runs a room without gravity. Returns the largest relative change of the energy that is not a
/// loss below restitution 1.
fn long_run(mut room: Room, restitution: f64) -> Result<f64, String> {
    let start = room.particles.kinetic_energy();
    let (mut least, mut most) = (start, 0.0_f64);
    for step in 0..LONG {
        room.particles.step(&mut room.world, DT).map_err(|error| error.to_string())?;
        let energy = room.particles.kinetic_energy();
        // Energy that was lost must not come back either.
        let drift = if restitution == 1.0 {
            (energy / start - 1.0).abs()
        } else {
            (energy - least) / least.max(f64::MIN_POSITIVE)
        };
        most = most.max(drift);
        if drift.is_nan() || drift > DRIFT {
            return Err(format!(
                "step {step}: restitution {restitution}, energy {start:e} to {energy:e}, at least {least:e}, drift \
                 {drift:e}"
            ));
        }
        least = least.min(energy);
        if let Some(&ball) = room.balls.iter().find(|&&ball| !room.middle(ball).abs().cmple(room.half + 1e-12).all()) {
            return Err(format!("step {step}: {ball:?} left, it is at {}", room.middle(ball)));
        }
    }
    Ok(most)
}
