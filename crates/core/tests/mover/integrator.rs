//! A brute-force model of sliding, for comparison. It uses only distances of shapes.
//!
//! It models a shape that is pulled along a motion and keeps the skin to all colliders, without
//! friction. The motion is cut into tiny steps. After each step the shape is moved away from the nearest
//! collider until its distance is the skin, again and again, until all distances are. For tiny steps
//! this is the projection of the pull onto the free directions, at every moment (the "catching up"
//! scheme of sweeping processes: Moreau 1977).
//!
//! It knows no ground, steps, snapping or one-way colliders.

use carom::{DVec2, Placed, Pose, Shape, distance};

/// Longest step. It must be below the skin, so that no step ends inside a collider.
const STEP: f64 = 0.002;
/// Least number of steps.
const STEPS: f64 = 100.0;
/// Largest number of corrections per step.
const CORRECTIONS: usize = 40;

/// Returns the position of a shape at the end of a motion.
#[allow(clippy::cast_possible_truncation)]
pub fn pulled(shape: &Shape, start: Pose, motion: DVec2, skin: f64, colliders: &[Placed<'_>]) -> DVec2 {
    let steps = (motion.length() / STEP).max(STEPS).ceil();
    let mut at = start.translation();
    for _ in 0..steps as u32 {
        at += motion / steps;
        for _ in 0..CORRECTIONS {
            let here = shape.placed(start.with_translation(at).unwrap());
            let near = colliders.iter().map(|other| distance(*other, here));
            let Some(nearest) = near.min_by(|p, q| p.distance.total_cmp(&q.distance)) else { break };
            if nearest.distance >= skin - 1e-12 {
                break;
            }
            at += (nearest.point_b - nearest.point_a).normalize() * (skin - nearest.distance);
        }
    }
    at
}

/// The model on a scene with a known result: a disk that is pulled down along a wall, then past its end.
#[test]
fn the_model_slides_along_walls_and_around_ends() {
    let (disk, wall) = (Shape::circle(0.4).unwrap(), Shape::rectangle(2.0, 2.0).unwrap());
    let wall = wall.at([0.0, 0.0]).unwrap();
    let start = Pose::from_translation([0.2, 1.41]).unwrap();
    let along = pulled(&disk, start, DVec2::new(0.5, -0.5), 0.01, &[wall]);
    assert!((along - DVec2::new(0.7, 1.41)).length() < 1e-9, "{along}");
    let start = Pose::from_translation([1.0, 1.41]).unwrap();
    let around = pulled(&disk, start, DVec2::new(0.5, -2.0), 0.01, &[wall]);
    assert!((around.x - 1.41).abs() < 0.2 && around.y < 0.5, "{around}");
}
