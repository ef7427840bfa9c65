//! The ends of the range: the least numbers there are, the largest that are allowed, and both at once.

use carom::DVec2;

use super::super::dice::Dice;
use super::super::random_pairs::turned;
use super::super::recipe::{Base, Body, Pair, Recipe};
use super::contact;
use super::lattice::pair_in_units;

/// Whole multiples of powers of two near the least number; some turned, so that rounding bends the shapes.
pub fn denormal(dice: &mut Dice) -> Pair {
    let unit = libm::ldexp(1.0, dice.whole(-1074, -1000));
    let pair = pair_in_units(dice, unit, DVec2::ZERO);
    if dice.chance(0.5) { pair } else { turned_anyhow(dice, &pair) }
}

/// Coordinates up to 10^30.
pub fn huge(dice: &mut Dice) -> Pair {
    let unit = libm::ldexp(1.0, dice.whole(80, 92));
    let pair = pair_in_units(dice, unit, DVec2::ZERO);
    if dice.chance(0.5) { pair } else { turned_anyhow(dice, &pair) }
}

fn turned_anyhow(dice: &mut Dice, pair: &Pair) -> Pair {
    let a = Body { pose: turned(dice, pair.a.pose.translation()), ..pair.a.clone() };
    let b = Body { pose: turned(dice, DVec2::ZERO), ..pair.b.clone() };
    meeting_somewhere(dice, a, &b)
}

/// Every number of any magnitude that is allowed, the shapes often sharing a point.
pub fn mixed(dice: &mut Dice) -> Pair {
    let (first, second) = (mixed_shape(dice), mixed_shape(dice));
    let origin = if dice.chance(0.5) { DVec2::ZERO } else { point(dice) };
    let a = Body::new(first, turned(dice, origin));
    let position = if dice.chance(0.5) { DVec2::ZERO } else { point(dice) };
    let b = Body::new(second, turned(dice, position));
    if dice.chance(0.3) { Pair { a, b } } else { meeting_somewhere(dice, a, &b) }
}

/// One corner of `b` on a corner of `a`, or `b` against an edge of `a`.
fn meeting_somewhere(dice: &mut Dice, a: Body, b: &Body) -> Pair {
    let (point, n) = contact::point_of_an_edge(dice, &a.outline());
    let n = if dice.chance(0.5) { n } else { dice.direction() };
    let b = b.moved_to(DVec2::ZERO);
    let translation = contact::support(&b.outline().points, -n) - point;
    let in_range = translation.abs().max_element() + a.shape.radius() + b.shape.radius() < 9e29;
    if in_range { contact::touching_at(dice, a, &b, point, n) } else { Pair { a, b } }
}

const MAGNITUDES: [f64; 10] = [0.0, 5e-324, 3e-310, 1e-300, 1e-160, 1e-20, 1.0, 1e9, 1e20, 1e29];

fn number(dice: &mut Dice) -> f64 {
    dice.one_of(&MAGNITUDES) * f64::from(dice.whole(-9, 9))
}

fn point(dice: &mut Dice) -> DVec2 {
    DVec2::new(number(dice), number(dice))
}

fn mixed_shape(dice: &mut Dice) -> Recipe {
    let base = match dice.index(5) {
        0 => Base::Circle(number(dice).abs()),
        1 => Base::Segment(point(dice), point(dice)),
        2 => Base::Capsule(point(dice), point(dice), number(dice).abs()),
        3 => rectangle(dice),
        _ => triangle(dice),
    };
    // Both radii together stay within the range.
    Recipe { base, rounding: if dice.chance(0.3) { number(dice).abs() / 1e3 } else { 0.0 } }
}

fn rectangle(dice: &mut Dice) -> Base {
    let side = |dice: &mut Dice| number(dice).abs().max(1e-300);
    Base::Rectangle(side(dice), side(dice))
}

/// Three points of any magnitude, or the segment between two where they lie on one line.
fn triangle(dice: &mut Dice) -> Base {
    let points = vec![point(dice), point(dice), point(dice)];
    let ends = (points[0], points[1]);
    let triangle = Base::Polygon(points);
    if Recipe::from(triangle.clone()).build().is_ok() { triangle } else { Base::Segment(ends.0, ends.1) }
}
