//! Generates contacts at any angle. The second shape is moved to touch the placed points of the
//! first, as exactly as f64 can, and then an ulp or two aside.

use carom::{DVec2, Pose};

use super::super::dice::{Dice, ulps_off};
use super::super::exact::Outline;
use super::super::random_pairs::turned;
use super::super::recipe::{Base, Body, Pair, Recipe};
use super::super::shapes;

const SIZES: (f64, f64) = (1e-6, 1e6);

pub fn corner_on_corner(dice: &mut Dice) -> Pair {
    let (a, b) = two_bodies(dice);
    let n = dice.direction();
    let outline = a.outline();
    let corner = support(&outline.points, n);
    touching_at(dice, a, &b, corner, n)
}

pub fn corner_on_edge(dice: &mut Dice) -> Pair {
    let (a, b) = two_bodies(dice);
    let (point, n) = point_of_an_edge(dice, &a.outline());
    let pair = touching_at(dice, a, &b, point, n);
    if dice.chance(0.5) { pair.swapped() } else { pair }
}

/// The second shape is turned so that an edge of it runs along the edge it touches.
pub fn edge_on_edge(dice: &mut Dice) -> Pair {
    let (a, mut b) = two_bodies(dice);
    let (point, n) = point_of_an_edge(dice, &a.outline());
    let (_, m) = point_of_an_edge(dice, &Outline::of(b.shape.placed(Pose::IDENTITY)));
    let turn = libm::atan2(-n.y, -n.x) - libm::atan2(m.y, m.x);
    b.pose = Pose::new(DVec2::ZERO, turn).expect("an angle");
    touching_at(dice, a, &b, point, n)
}

/// The second shape has the placed ends of an edge of the first as its own points.
pub fn built_on_an_edge(dice: &mut Dice) -> Pair {
    let (a, _) = two_bodies(dice);
    let outline = a.outline();
    let (p, q) = an_edge(dice, &outline);
    let n = outward(&outline.points, p, q);
    let tip = p.midpoint(q) + n * (q - p).length() * dice.between(-0.2, 1.0);
    let between = p + (q - p) * dice.between(0.0, 1.0);
    let mut points = match dice.index(4) {
        0 => vec![p, q],
        1 => vec![p, between],
        2 => vec![between, tip],
        _ => vec![p, q, tip],
    };
    if dice.chance(0.5) {
        shapes::nudge(dice, &mut points);
    }
    let outline = Base::Polygon(points.clone());
    let base =
        if Recipe::from(outline.clone()).build().is_ok() { outline } else { Base::Segment(points[0], points[1]) };
    Pair { b: Body::new(base, Pose::IDENTITY), a }
}

/// Neighbours in a floor of equal tiles that is turned as a whole.
pub fn turned_tiles(dice: &mut Dice) -> Pair {
    let (size, origin) = (dice.magnitude(SIZES.0, SIZES.1), offset(dice));
    let tile = Base::Rectangle(size, size * dice.one_of(&[1.0, 0.5, 0.1]));
    let pose = turned(dice, origin);
    let step = dice.one_of(&[DVec2::X, DVec2::Y, DVec2::ONE, DVec2::new(1.0, -1.0)]);
    let Base::Rectangle(w, h) = tile else { unreachable!("made just now") };
    let (x, y) = (step.x * w, step.y * h);
    let position =
        DVec2::new((pose.cos() * x - pose.sin() * y) + origin.x, (pose.sin() * x + pose.cos() * y) + origin.y);
    let a = Body::new(tile.clone(), pose);
    let b = Body::new(tile, pose).moved_to(aside(dice, position));
    Pair { a, b }
}

/// Needles a million to 10^15 times as long as they are thick, upon each other or crossing at a hair's angle.
pub fn slivers(dice: &mut Dice) -> Pair {
    let size = dice.magnitude(SIZES.0, SIZES.1);
    let needle = |dice: &mut Dice| {
        let (corners, flatness) = (dice.count(3, 6), dice.magnitude(1e-15, 1e-6));
        Base::Polygon(shapes::ring(dice, corners, size, flatness))
    };
    let (first, second) = (needle(dice), needle(dice));
    let origin = offset(dice);
    let pose = turned(dice, origin);
    let hair = dice.magnitude(1e-16, 1e-6);
    let a = Body::new(first, pose);
    let b = Body::new(second, Pose::new(DVec2::ZERO, pose.angle() + hair).expect("an angle"));
    let (point, n) = point_of_an_edge(dice, &a.outline());
    touching_at(dice, a, &b, point, n)
}

fn two_bodies(dice: &mut Dice) -> (Body, Body) {
    let first = dice.magnitude(SIZES.0, SIZES.1);
    let second = if dice.chance(0.7) { first * dice.between(0.2, 5.0) } else { dice.magnitude(SIZES.0, SIZES.1) };
    let recipe_a = shapes::any(dice, first);
    let recipe_b = shapes::any(dice, second);
    let origin = offset(dice);
    (Body::new(recipe_a, turned(dice, origin)), Body::new(recipe_b, turned(dice, DVec2::ZERO)))
}

pub fn offset(dice: &mut Dice) -> DVec2 {
    if dice.chance(0.4) { DVec2::ZERO } else { dice.direction() * dice.magnitude(1e-6, 1e9) }
}

/// `b`, so far untranslated, moved to touch `a` from the direction `n` at `point` of its hull.
pub fn touching_at(dice: &mut Dice, a: Body, b: &Body, point: DVec2, n: DVec2) -> Pair {
    let theirs = b.outline();
    let radius = a.shape.radius() + theirs.radius;
    let position = point - support(&theirs.points, -n) + n * radius;
    let b = b.moved_to(aside(dice, position));
    Pair { a, b }
}

/// Up to two ulp off in either coordinate; in place one time out of three or more.
fn aside(dice: &mut Dice, position: DVec2) -> DVec2 {
    if dice.chance(0.3) {
        return position;
    }
    DVec2::new(ulps_off(position.x, dice.whole(-2, 2)), ulps_off(position.y, dice.whole(-2, 2)))
}

pub fn support(points: &[DVec2], n: DVec2) -> DVec2 {
    let further = |best: DVec2, p: &DVec2| if p.dot(n) > best.dot(n) { *p } else { best };
    points.iter().fold(points[0], further)
}

fn an_edge(dice: &mut Dice, outline: &Outline) -> (DVec2, DVec2) {
    let i = dice.index(outline.points.len());
    (outline.points[i], outline.points[(i + 1) % outline.points.len()])
}

/// Somewhere on an edge, ends and middle more often than not, and the direction away from the shape.
pub fn point_of_an_edge(dice: &mut Dice, outline: &Outline) -> (DVec2, DVec2) {
    let (p, q) = an_edge(dice, outline);
    let along = [0.0, 0.5, 1.0, dice.between(0.0, 1.0)];
    let n = if p == q { dice.direction() } else { outward(&outline.points, p, q) };
    (p + (q - p) * dice.one_of(&along), n)
}

fn outward(points: &[DVec2], p: DVec2, q: DVec2) -> DVec2 {
    let n = (q - p).perp().normalize_or_zero();
    let inside = points.iter().map(|r| (r - p).dot(n)).sum::<f64>() <= 0.0;
    if inside { n } else { -n }
}
