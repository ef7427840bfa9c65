//! Polygons with a thousand corners, touching.

use carom::{DVec2, Pose};

use super::super::dice::Dice;
use super::super::random_pairs::turned;
use super::super::recipe::{Base, Body, Pair};
use super::super::shapes;
use super::contact;

fn round_body(dice: &mut Dice, pose: Pose) -> Body {
    let (size, flatness) = (dice.magnitude(1e-6, 1e6), dice.magnitude(1e-3, 1.0));
    Body::new(Base::Polygon(shapes::ring(dice, 1000, size, flatness)), pose)
}

/// Two, each about an ellipse, turned by any angle.
pub fn round(dice: &mut Dice) -> Pair {
    let origin = contact::offset(dice);
    let pose = turned(dice, origin);
    let a = round_body(dice, pose);
    let pose = turned(dice, DVec2::ZERO);
    let b = round_body(dice, pose);
    let (point, n) = contact::point_of_an_edge(dice, &a.outline());
    contact::touching_at(dice, a, &b, point, n)
}

/// Two with whole coordinates: corners upon corners and edges along edges, to the last bit.
pub fn exact(dice: &mut Dice) -> Pair {
    let unit = libm::exp2(f64::from(dice.whole(-20, 20)));
    let corners: Vec<DVec2> = shapes::lattice_ring(dice, 500).iter().map(|p| p * unit).collect();
    let origin = dice.lattice(1_000_000) * unit;
    let a = Body::new(Base::Polygon(corners.clone()), Pose::from_translation(origin).expect("in range"));
    let b = Body::new(Base::Polygon(corners), Pose::IDENTITY);
    let (point, n) = contact::point_of_an_edge(dice, &a.outline());
    contact::touching_at(dice, a, &b, point, n)
}

/// One, against a shape of any kind.
pub fn and_any(dice: &mut Dice) -> Pair {
    let origin = contact::offset(dice);
    let pose = turned(dice, origin);
    let a = round_body(dice, pose);
    let size = dice.magnitude(1e-6, 1e6);
    let recipe = shapes::any(dice, size);
    let b = Body::new(recipe, turned(dice, DVec2::ZERO));
    let (point, n) = contact::point_of_an_edge(dice, &a.outline());
    let pair = contact::touching_at(dice, a, &b, point, n);
    if dice.chance(0.5) { pair.swapped() } else { pair }
}
