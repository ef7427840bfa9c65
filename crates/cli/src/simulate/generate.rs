//! `--balls`: generates a gas of balls.
use std::f64::consts::{PI, TAU};

use carom::broad_phase::Filter;
use carom::{Aabb, DVec2, Pose, Shape};
use carom_scene::{Body, Origin, Scene, SceneCollider};

const RADIUS: f64 = 0.5;
/// Fraction of the area that balls cover.
const COVER: f64 = 0.3;
const FASTEST: f64 = 5.0;

/// Places balls on a lattice with small random offsets. No balls overlap.
pub(crate) fn scene(count: u32, seed: u64) -> Scene {
    let mut rng = fastrand::Rng::with_seed(seed);
    let ball = Shape::circle(RADIUS).expect("a fixed radius in range");
    let pitch = RADIUS * (PI / COVER).sqrt();
    let side = f64::from(count).sqrt().ceil().max(1.0);
    let half = 0.5 * pitch * side;
    let mut one = |i: u32| {
        let cell = DVec2::new(f64::from(i) % side, (f64::from(i) / side).floor()) + 0.5;
        let jitter = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * (pitch - 2.0 * RADIUS);
        let speed = FASTEST * (0.2 + 0.8 * rng.f64());
        let (sin, cos) = (rng.f64() * TAU).sin_cos();
        SceneCollider {
            id: format!("#{i}"),
            shape: ball.clone(),
            pose: Pose::from_translation(cell * pitch + jitter - half).expect("a few thousand units at most"),
            filter: Filter::default(),
            sensor: false,
            motion: None,
            body: Some(Body { mass: 1.0, velocity: DVec2::new(cos, sin) * speed, restitution: 1.0 }),
            origin: Origin::default(),
        }
    };
    let colliders = (0..count).map(&mut one).collect();
    let walls = Aabb::new([-half, -half], [half, half]).ok();
    Scene { colliders, walls, ..Scene::default() }
}
