//! Random pairs of all kinds. Half of them share a point by construction.

use carom::{DVec2, Pose};

use super::dice::Dice;
use super::recipe::{Body, Pair};
use super::shapes;

/// Between which bounds sizes and distances from the origin lie.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub sizes: (f64, f64),
    pub offset: f64,
}

/// A pair within the range; the two sizes are drawn apart from each other.
pub fn any(dice: &mut Dice, range: Range) -> Pair {
    let (low, high) = range.sizes;
    let first = dice.magnitude(low, high);
    let second = if dice.chance(0.5) { first * dice.between(0.3, 3.0) } else { dice.magnitude(low, high) };
    let offset = if dice.chance(0.3) { DVec2::ZERO } else { dice.direction() * dice.magnitude(low, range.offset) };
    let recipe_a = shapes::any(dice, first);
    let recipe_b = shapes::any(dice, second.clamp(low, high));
    let a = Body::new(recipe_a, turned(dice, offset));
    let b = Body::new(recipe_b, turned(dice, DVec2::ZERO));
    let position = if dice.chance(0.5) { sharing_a_point(dice, &a, &b) } else { side_by_side(dice, &a, &b) };
    let b = b.moved_to(position);
    Pair { a, b }
}

/// A pose that is turned by any angle, or by none, or by a multiple of 90°.
pub fn turned(dice: &mut Dice, translation: DVec2) -> Pose {
    let pose = match dice.index(5) {
        0 => Pose::from_translation(translation),
        1 => Pose::from_degrees(translation, 90.0 * f64::from(dice.whole(-4, 4))),
        2 => Pose::from_degrees(translation, f64::from(dice.whole(-180, 180))),
        _ => Pose::new(translation, dice.angle()),
    };
    pose.expect("a translation in range")
}

/// A translation that puts a point of `b` upon a point of `a`.
fn sharing_a_point(dice: &mut Dice, a: &Body, b: &Body) -> DVec2 {
    inner_point(dice, a) - inner_point(dice, b)
}

/// A mean of all points with random weights, so that no corner or edge of two shapes falls together by construction.
fn inner_point(dice: &mut Dice, body: &Body) -> DVec2 {
    let outline = body.outline();
    let origin = outline.points[0];
    let mut whole = 0.0;
    let mut weighted = DVec2::ZERO;
    for p in &outline.points {
        let weight = dice.between(0.0, 1.0);
        whole += weight;
        weighted += (p - origin) * weight;
    }
    let mean = if whole > 0.0 { weighted / whole } else { DVec2::ZERO };
    origin + mean + dice.in_disk(outline.radius * 0.9)
}

/// A translation that leaves a gap in some direction, a millionth to ten times as wide as `a`.
fn side_by_side(dice: &mut Dice, a: &Body, b: &Body) -> DVec2 {
    let n = dice.direction();
    let (outline_a, outline_b) = (a.outline(), b.outline());
    let origin = a.pose.translation();
    let support_value = |points: &[DVec2], n: DVec2| points.iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
    let local: Vec<DVec2> = outline_a.points.iter().map(|p| p - origin).collect();
    let touch = support_value(&local, n) + support_value(&outline_b.points, -n) + outline_a.radius + outline_b.radius;
    let gap = touch.abs() * dice.magnitude(1e-6, 10.0);
    let across = n.perp() * touch * dice.between(-0.5, 0.5);
    origin + n * (touch + gap) + across
}
