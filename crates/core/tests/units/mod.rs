//! Results do not depend on the unit of length: each family of functions runs the same scenes in other units.
//!
//! A multiplication by a power of two is exact. So the results at unit 1, times a power of the unit, are the expected
//! results. `time_of_impact_tiny.rs` does the same for motions.
//!
//! `CAROM_PAIRS` sets the number of scenes of each family, `CAROM_SEED` selects them.

mod geometry;
mod responses;
mod unit;
mod worlds;

use carom::response::{Particle, Particles};
use carom::{Collider, Shape, World};
use unit::{Results, Unit, Value};

use crate::support::dice::Dice;
use crate::support::run::{pairs, seed};

/// Exponents of units. Coordinates and speeds are below 100 units, and at most 1e30.
const POWERS: [i32; 11] = [-950, -800, -540, -500, -400, -300, -200, -140, -60, 60, 93];

/// Relative error of a result, beside results of size 1 in unit 1.
const ROUNDED: f64 = 1e-9;

/// The error of a cast, and of results after it. In units below 2⁻²⁰⁰, products of four lengths underflow. Then there
/// is no closed form, and the impact is that of `time_of_impact`: up to 1e-7 of the size.
const SEARCHED: f64 = 1e-5;

/// A family of functions: appends its results for a random scene.
type Family = fn(&mut Unit, &mut Results);

fn run(family: Family, power: i32, index: u64) -> Vec<Value> {
    let mut results = Results::default();
    family(&mut Unit { power, dice: Dice::new(seed(), index) }, &mut results);
    results.values
}

/// Returns the first result that is not the expected one times a power of the unit.
fn difference(expected: &[Value], found: &[Value], power: i32) -> Option<String> {
    for (k, (of_one, of_unit)) in expected.iter().zip(found).enumerate() {
        let (Value { name, degree, number: x, after_cast }, Value { name: other, number: y, .. }) = (of_one, of_unit);
        let error = if *after_cast && power < -200 { SEARCHED } else { ROUNDED };
        let scaled = |value: f64| libm::ldexp(value, degree * power);
        // Areas and inertias of tiny shapes are subnormal or 0.
        let tolerance = scaled(error * (1.0 + x.abs())) + 8.0 * f64::from_bits(1);
        // False for NaN.
        let is_near = (y - scaled(*x)).abs() <= tolerance;
        if name != other || !is_near {
            return Some(format!("result {k}: {name} {x:?} becomes {other} {y:e}, not {:e}", scaled(*x)));
        }
    }
    (expected.len() != found.len()).then(|| format!("{} and {} results", expected.len(), found.len()))
}

/// Compares the results of a family in all units with those in unit 1.
fn check(family: Family, scenes: u64) {
    let mut failures = Vec::new();
    for power in POWERS {
        let (mut wrong, count) = (Vec::new(), pairs(scenes));
        for index in 0..count {
            let found = difference(&run(family, 0, index), &run(family, power, index), power);
            wrong.extend(found.map(|found| format!("scene {index}: {found}")));
        }
        if let Some(first) = wrong.first() {
            failures.push(format!("unit 2^{power}: {} of {count} scenes differ, {first}", wrong.len()));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn of_shapes() {
    check(geometry::shapes, 200);
}

#[test]
fn of_pairs_of_shapes() {
    check(geometry::pairs_of_shapes, 150);
}

#[test]
fn of_batches() {
    check(geometry::batches, 50);
}

#[test]
fn of_rays() {
    check(geometry::rays, 200);
}

#[test]
fn of_spatial_queries() {
    check(worlds::spatial_queries, 40);
}

#[test]
fn of_worlds() {
    check(worlds::worlds, 40);
}

#[test]
fn of_decompositions() {
    check(geometry::decompositions, 40);
}

#[test]
fn of_movers() {
    check(responses::movers, 40);
}

#[test]
fn of_particles() {
    check(responses::particles, 20);
}

#[test]
fn of_separations() {
    check(responses::separations, 10);
}

/// The square of the speed underflows, its product with the mass does not.
#[test]
fn a_heavy_slow_particle_has_energy() {
    let (mut world, mut particles) = (World::new(), Particles::new());
    let ball = world.insert(Collider::new(Shape::circle(1.0).unwrap()));
    let speed = libm::ldexp(1.0, -540);
    particles.insert(ball, Particle::new(libm::ldexp(1.0, 99)).unwrap().velocity([speed, 0.0]).unwrap()).unwrap();
    // A fast particle of infinite mass has no part in the energy.
    let lift = world.insert(Collider::new(Shape::circle(1.0).unwrap()).at([9.0, 0.0]).unwrap());
    particles.insert(lift, Particle::new(f64::INFINITY).unwrap().velocity([1.0, 0.0]).unwrap()).unwrap();
    assert_eq!(particles.kinetic_energy(), libm::ldexp(0.5, 99 - 1080));
}
