//! Generates exact contacts: integer coordinates times a power of two, quarter turns, and right
//! triangles with integer sides. So even round shapes touch to the last bit.

use carom::{DVec2, Pose};

use super::super::dice::{Dice, ulps_off};
use super::super::recipe::{Base, Body, Pair, Recipe};
use super::super::shapes;
use super::contact;

/// Everything small and whole, in units from 2^-20 to 2^20, the origin up to 10^9 units away.
pub fn whole_numbers(dice: &mut Dice) -> Pair {
    let unit = libm::exp2(f64::from(dice.whole(-20, 20)));
    let origin = if dice.chance(0.5) { DVec2::ZERO } else { dice.lattice(1_000_000_000) };
    pair_in_units(dice, unit, origin)
}

/// Two small whole shapes near each other or touching; now and then one number is an ulp beside.
pub fn pair_in_units(dice: &mut Dice, unit: f64, origin: DVec2) -> Pair {
    let (first, second) = (whole_shape(dice, unit), whole_shape(dice, unit));
    let position = (origin + dice.lattice(8)) * unit;
    let a = Body::new(first, quarter_turned(dice, position));
    let b = Body::new(second, quarter_turned(dice, DVec2::ZERO));
    let mut position = if dice.chance(0.5) { against(dice, &a, &b) } else { (origin + dice.lattice(8)) * unit };
    if dice.chance(0.3) {
        shapes::nudge(dice, std::slice::from_mut(&mut position));
    }
    Pair { b: b.moved_to(position), a }
}

/// Returns a position at which `b` touches `a` exactly: across an axis, or (without radii) along a sloped edge.
fn against(dice: &mut Dice, a: &Body, b: &Body) -> DVec2 {
    let (mine, theirs) = (a.outline(), b.outline());
    let radii = mine.radius + theirs.radius;
    let axis = dice.one_of(&[DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y]);
    let (point, n) = if radii == 0.0 && dice.chance(0.5) {
        contact::point_of_an_edge(dice, &mine)
    } else {
        (contact::support(&mine.points, axis), axis)
    };
    point - contact::support(&theirs.points, -n) + n * radii
}

fn quarter_turned(dice: &mut Dice, translation: DVec2) -> Pose {
    let (c, s) = dice.one_of(&[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]);
    Pose::from_cos_sin(translation, c, s).expect("a quarter turn")
}

fn whole_shape(dice: &mut Dice, unit: f64) -> Recipe {
    let whole = |dice: &mut Dice, low: i32, high: i32| f64::from(dice.whole(low, high)) * unit;
    let base = match dice.index(5) {
        0 => Base::Circle(whole(dice, 0, 5)),
        1 => Base::Segment(dice.lattice(4) * unit, dice.lattice(4) * unit),
        2 => Base::Capsule(dice.lattice(4) * unit, dice.lattice(4) * unit, whole(dice, 0, 3)),
        3 => Base::Rectangle(2.0 * whole(dice, 1, 5), 2.0 * whole(dice, 1, 5)),
        _ => whole_polygon(dice, unit),
    };
    let rounding = if dice.chance(0.3) { whole(dice, 1, 3) } else { 0.0 };
    Recipe { base, rounding }
}

fn whole_polygon(dice: &mut Dice, unit: f64) -> Base {
    let directions = dice.count(2, 4);
    let corners = shapes::lattice_ring(dice, directions);
    let shift = dice.lattice(4);
    let mut corners: Vec<DVec2> = corners.iter().map(|p| (p + shift) * unit).collect();
    if dice.chance(0.5) {
        corners.reverse();
    }
    Base::Polygon(corners)
}

/// Legs and hypotenuse, all whole.
const TRIPLES: [[f64; 3]; 6] =
    [[3.0, 4.0, 5.0], [5.0, 12.0, 13.0], [8.0, 15.0, 17.0], [7.0, 24.0, 25.0], [20.0, 21.0, 29.0], [9.0, 40.0, 41.0]];

/// A sloped edge, and a round shape at a whole distance from its line or from its end.
pub fn right_triangles(dice: &mut Dice) -> Pair {
    let [x, y, length] = dice.one_of(&TRIPLES);
    let unit = libm::exp2(f64::from(dice.whole(-20, 20)));
    let origin = if dice.chance(0.5) { DVec2::ZERO } else { dice.lattice(1_000_000) };
    let (along, normal) = (DVec2::new(x, y), DVec2::new(-y, x));
    let steps = f64::from(dice.whole(2, 6));
    let end = along * steps;
    // On the edge, at its end, or (for the corner alone) beyond the end at a slant.
    let foot = along * f64::from(dice.whole(0, steps as i32));
    let centre = if dice.chance(0.3) { end + DVec2::new(x, -y) } else { foot + normal };
    let first = sloped(dice, end, normal, unit);
    let inner = f64::from(dice.whole(0, length as i32));
    let radius = (dice.one_of(&[length, length, length.next_up(), length.next_down()]) - inner).max(0.0);
    let second = match dice.index(3) {
        0 => Base::Circle(radius * unit),
        1 => Base::Capsule(DVec2::ZERO, (normal + along) * unit, radius * unit),
        _ => Base::Capsule(DVec2::ZERO, -along * unit, radius * unit),
    };
    let a = Body::new(Recipe { base: first, rounding: inner * unit }, at(origin * unit));
    Pair { a, b: Body::new(second, at((origin + centre) * unit)) }
}

fn at(translation: DVec2) -> Pose {
    Pose::from_translation(translation).expect("a translation in range")
}

/// From the origin to `end`, alone or as the upper side of a polygon.
fn sloped(dice: &mut Dice, end: DVec2, normal: DVec2, unit: f64) -> Base {
    match dice.index(3) {
        0 => Base::Segment(DVec2::ZERO, end * unit),
        1 => Base::Polygon(vec![DVec2::ZERO, (end / 2.0 - normal) * unit, end * unit]),
        _ => Base::Polygon([DVec2::ZERO, -normal, end - normal, end].map(|p| p * unit).to_vec()),
    }
}

/// Two radii whose sum is the distance, or lies so near that it is no f64 itself.
pub fn split_radii(dice: &mut Dice) -> Pair {
    let [x, y, length] = dice.one_of(&TRIPLES);
    let large = ulps_off(length, dice.whole(-2, 1));
    let hair = libm::exp2(f64::from(dice.whole(-80, -50)));
    let small = if large < length && dice.chance(0.8) { length - large } else { ulps_off(hair, dice.whole(-1, 1)) };
    let centre = DVec2::new(if dice.chance(0.7) { x } else { ulps_off(x, dice.whole(-1, 1)) }, y);
    let pair =
        Pair { a: Body::new(Base::Circle(large), at(DVec2::ZERO)), b: Body::new(Base::Circle(small), at(centre)) };
    if dice.chance(0.5) { pair.swapped() } else { pair }
}
