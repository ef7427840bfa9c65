//! Shapes upon, around and inside each other: where the centres give no direction.

use carom::DVec2;

use super::super::dice::{Dice, ulps_off};
use super::super::random_pairs::turned;
use super::super::recipe::{Body, Pair};
use super::super::shapes;
use super::contact::offset;

fn body(dice: &mut Dice) -> Body {
    let size = dice.magnitude(1e-6, 1e6);
    let recipe = shapes::any(dice, size);
    let origin = offset(dice);
    Body::new(recipe, turned(dice, origin))
}

/// The same shape in the same place, or an ulp beside it.
pub fn identical(dice: &mut Dice) -> Pair {
    let a = body(dice);
    let mut position = a.pose.translation();
    if dice.chance(0.5) {
        position = DVec2::new(ulps_off(position.x, dice.whole(-2, 2)), ulps_off(position.y, dice.whole(-2, 2)));
    }
    Pair { b: a.moved_to(position), a }
}

/// Any two shapes about one origin.
pub fn concentric(dice: &mut Dice) -> Pair {
    let (a, b) = (body(dice), body(dice));
    Pair { b: b.moved_to(a.pose.translation()), a }
}

/// A small shape somewhere about the middle of a large one, turned alike or not.
pub fn contained(dice: &mut Dice) -> Pair {
    let a = body(dice);
    let points = a.outline().points;
    let middle = points.iter().sum::<DVec2>() / points.len() as f64;
    let radius = points.iter().map(|p| (p - middle).length()).fold(a.shape.radius(), f64::max);
    let size = radius.max(1e-6) * dice.magnitude(1e-3, 0.5);
    let recipe = shapes::any(dice, size);
    let position = middle + dice.in_disk(radius) * dice.one_of(&[0.0, 1e-6, 1e-3, 0.2]);
    let pose = if dice.chance(0.5) { turned(dice, position) } else { a.pose };
    let b = Body::new(recipe, pose).moved_to(position);
    if dice.chance(0.5) { Pair { a, b } } else { Pair { a: b, b: a } }
}
