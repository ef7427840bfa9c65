//! World queries with numbers of any magnitude together.

use carom::{Collider, DVec2, Pose, Ray, Shape, World};

use crate::support::run::from_environment;

/// A number of any size in the range, or one of those that are special.
fn number(rng: &mut fastrand::Rng) -> f64 {
    const SPECIAL: [f64; 9] = [0.0, 1.0, -1.0, 1e30, -1e30, 5e-324, 1e-256, 1e15, 1.0 + f64::EPSILON];
    match rng.u8(..3) {
        0 => SPECIAL[rng.usize(..SPECIAL.len())],
        // Any exponent below that of 1e30.
        1 => f64::from_bits(rng.u64(..) & !(0x7ff << 52) | rng.u64(..0x462) << 52),
        _ => (rng.f64() - 0.5) * 8.0,
    }
}

fn any_shape(rng: &mut fastrand::Rng) -> Option<Shape> {
    let point = |rng: &mut fastrand::Rng| [number(rng), number(rng)];
    let shape = match rng.u8(..5) {
        0 => Shape::circle(number(rng).abs()),
        1 => Shape::capsule(point(rng), point(rng), number(rng).abs()),
        2 => Shape::polygon(&[point(rng), point(rng), point(rng), point(rng)]),
        _ => Shape::rectangle(number(rng).abs(), number(rng).abs()),
    };
    shape.ok()
}

/// `ray_cast` is the first hit of `ray_cast_all`, for shapes of any size and ratio.
#[test]
fn the_first_hit_is_the_first_of_all_hits() {
    let seed = from_environment("CAROM_SEED").unwrap_or(7);
    let worlds = from_environment("CAROM_PAIRS").unwrap_or(2_000);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut several = 0;
    for index in 0..worlds {
        let (mut world, mut corners) = (World::new(), Vec::new());
        while corners.is_empty() || rng.u8(..3) > 0 {
            let Some(shape) = any_shape(&mut rng) else { continue };
            let position = if rng.bool() { [0.0, 0.0] } else { [number(&mut rng), number(&mut rng)] };
            let turn = if rng.bool() { 90.0 * f64::from(rng.u8(..4)) } else { rng.f64() * 360.0 };
            let Ok(pose) = Pose::from_degrees(position, turn) else { continue };
            corners.extend(shape.placed(pose).points());
            world.insert(Collider::new(shape).pose(pose));
        }
        for _ in 0..6 {
            let mut end = || {
                if rng.bool() {
                    corners[rng.usize(..corners.len())]
                } else {
                    DVec2::new(number(&mut rng), number(&mut rng))
                }
            };
            let (from, to) = (end(), end());
            let Ok(ray) = Ray::new(from, to - from) else { continue };
            let Ok(ray) = ray.with_radius(if rng.u8(..4) == 0 { number(&mut rng).abs() } else { 0.0 }) else {
                continue;
            };
            for ray in [ray, ray.hollow()] {
                let all = world.ray_cast_all(ray, u64::MAX);
                assert_eq!(
                    world.ray_cast(ray, u64::MAX),
                    all.first().copied(),
                    "seed {seed}, world {index}, {ray:?}: {all:?}"
                );
                several += usize::from(all.len() > 1);
            }
        }
    }
    assert!(several > 300, "{several}");
}
