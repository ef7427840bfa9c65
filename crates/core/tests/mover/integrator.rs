//! A brute-force model of sliding, for comparison. It uses only distances of shapes.
//!
//! It models a shape that is pulled along a motion and keeps the skin to all colliders, without
//! friction. The motion is cut into tiny steps. After each step the shape is moved away from the nearest
//! collider until its distance is the skin, again and again, until all distances are. If they never are,
//! the shape has reached the end of a wedge, and stops. For tiny steps
//! this is the projection of the pull onto the free directions, at every moment (the "catching up"
//! scheme of sweeping processes: Moreau 1977).
//!
//! It knows no ground, steps, snapping or one-way colliders.

use carom::{DVec2, Placed, Pose, Shape, distance};

/// Length of a step. It is below the skin, so that no step ends inside a collider.
pub(super) const STEP: f64 = 0.002;
/// Least number of steps of the default length. Other lengths scale it.
const STEPS: f64 = 100.0;
/// Largest number of corrections per step.
const CORRECTIONS: usize = 200;
/// Largest missing distance after the corrections.
const TOLERANCE: f64 = 1e-8;

/// Returns the position of a shape at the end of a motion.
#[allow(clippy::cast_possible_truncation)]
pub(super) fn pulled(own: Placed<'_>, motion: DVec2, step: f64, skin: f64, colliders: &[Placed<'_>]) -> DVec2 {
    let (shape, start) = (own.shape(), own.pose());
    let steps = (motion.length() / step).max(STEPS * STEP / step).ceil();
    let mut at = start.translation();
    for _ in 0..steps as u32 {
        let Some(next) = corrected(shape, start, at + motion / steps, skin, colliders) else { break };
        at = next;
    }
    at
}

/// Moves a position away from colliders until the distance to all is the skin. `None` if that takes too
/// many corrections: the shape is at the end of an acute wedge.
fn corrected(shape: &Shape, start: Pose, mut at: DVec2, skin: f64, colliders: &[Placed<'_>]) -> Option<DVec2> {
    for _ in 0..CORRECTIONS {
        let here = shape.placed(start.with_translation(at).unwrap());
        let near = colliders.iter().map(|other| distance(*other, here));
        let Some(nearest) = near.min_by(|p, q| p.distance.total_cmp(&q.distance)) else { return Some(at) };
        if nearest.distance >= skin - TOLERANCE {
            return Some(at);
        }
        at += (nearest.point_b - nearest.point_a).normalize_or_zero() * (skin - nearest.distance);
    }
    None
}

/// Pulls a disk along a block, and another disk down past its corner. There the centre
/// moves on an arc of radius R about the corner, at the angle θ from the top: R dθ/ds = sin θ. So it
/// leaves the corner after s = R ln cot(θ₀ / 2), and then moves straight down.
#[test]
fn the_model_slides_along_walls_and_around_corners() {
    let (disk, block) = (Shape::circle(0.4).unwrap(), Shape::rectangle(2.0, 2.0).unwrap());
    let block = block.at([0.0, 0.0]).unwrap();
    let start = Pose::from_translation([0.2, 1.41]).unwrap();
    let along = pulled(disk.placed(start), DVec2::new(0.5, -0.5), STEP, 0.01, &[block]);
    assert!((along - DVec2::new(0.7, 1.41)).length() < 1e-9, "{along}");
    let (arm, angle) = (0.41, 0.5_f64);
    let start = Pose::from_translation([1.0 + arm * angle.sin(), 1.0 + arm * angle.cos()]).unwrap();
    let around = pulled(disk.placed(start), DVec2::new(0.0, -2.0), STEP, 0.01, &[block]);
    let straight = 2.0 + arm * (0.5 * angle).tan().ln();
    assert!((around - DVec2::new(1.41, 1.0 - straight)).length() < 5e-3, "{around}, not {straight} down");
}
