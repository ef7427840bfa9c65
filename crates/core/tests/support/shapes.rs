//! Random shapes of every kind, within what the constructors promise to accept.

use std::f64::consts::TAU;

use carom::DVec2;

use super::dice::{Dice, heading, ulps_off};
use super::recipe::{Base, Recipe};

/// Any kind, about `size` across, every fourth one rounded.
pub fn any(dice: &mut Dice, size: f64) -> Recipe {
    let base = match dice.index(12) {
        0 => Base::Circle(if dice.chance(0.2) { 0.0 } else { size / 2.0 }),
        1 => segment(dice, size),
        2 | 3 => capsule(dice, size),
        4..=6 => rectangle(dice, size),
        7 => ellipse(dice, size),
        _ => Base::Polygon(everyday_polygon(dice, size)),
    };
    let rounding = if dice.chance(0.25) { size * dice.magnitude(1e-6, 0.5) } else { 0.0 };
    Recipe { base, rounding }
}

fn segment(dice: &mut Dice, size: f64) -> Base {
    let a = dice.in_disk(size / 2.0);
    Base::Segment(a, if dice.chance(0.1) { a } else { dice.in_disk(size / 2.0) })
}

fn capsule(dice: &mut Dice, size: f64) -> Base {
    let a = dice.in_disk(size / 2.0);
    let b = if dice.chance(0.1) { a } else { dice.in_disk(size / 2.0) };
    let radius = if dice.chance(0.1) { 0.0 } else { size * dice.magnitude(1e-4, 0.5) };
    Base::Capsule(a, b, radius)
}

fn rectangle(dice: &mut Dice, size: f64) -> Base {
    let narrow = size * dice.magnitude(1e-3, 1.0);
    if dice.chance(0.5) { Base::Rectangle(size, narrow) } else { Base::Rectangle(narrow, size) }
}

fn ellipse(dice: &mut Dice, size: f64) -> Base {
    let (x, y) = (size / 2.0, size / 2.0 * dice.between(0.2, 1.0));
    Base::Ellipse(x, y, size * dice.magnitude(1e-3, 1e-1))
}

/// Three to twelve corners as editors write them: either winding, sometimes a corner twice, sometimes one
/// in the middle of an edge and so an ulp or two beside it.
fn everyday_polygon(dice: &mut Dice, size: f64) -> Vec<DVec2> {
    let count = dice.count(3, 12);
    let flatness = dice.magnitude(1e-2, 1.0);
    let centre = if dice.chance(0.5) { DVec2::ZERO } else { dice.in_disk(size) };
    let corners: Vec<DVec2> = ring(dice, count, size / 2.0, flatness).iter().map(|p| centre + p).collect();
    let corners = if dice.chance(0.2) { with_redundant_points(dice, &corners) } else { corners };
    if dice.chance(0.5) { corners } else { corners.into_iter().rev().collect() }
}

/// `count` corners on an ellipse, unevenly spread, no two closer than a fifth of the even step.
pub fn ring(dice: &mut Dice, count: usize, reach: f64, flatness: f64) -> Vec<DVec2> {
    let step = TAU / count as f64;
    let start = dice.angle();
    let at = |i: usize, dice: &mut Dice| heading(start + step * (i as f64 + dice.between(0.0, 0.8)));
    (0..count).map(|i| at(i, dice)).map(|p| DVec2::new(p.x * reach, p.y * reach * flatness)).collect()
}

/// Corners repeated and midpoints put in, which rounding leaves up to an ulp beside their edge.
fn with_redundant_points(dice: &mut Dice, corners: &[DVec2]) -> Vec<DVec2> {
    let mut points = Vec::new();
    for (i, &p) in corners.iter().enumerate() {
        points.push(p);
        if dice.chance(0.3) {
            points.push(p);
        }
        if dice.chance(0.5) {
            points.push(p + (corners[(i + 1) % corners.len()] - p) * 0.5);
        }
    }
    points
}

/// A centrally symmetric polygon with whole coordinates and `2 · directions` edges: primitive
/// steps sorted by angle, so that every corner and every edge is exact.
pub fn lattice_ring(dice: &mut Dice, directions: usize) -> Vec<DVec2> {
    let reach = 3 + 2 * (directions as f64).sqrt() as i32;
    let mut steps: Vec<DVec2> = Vec::new();
    while steps.len() < directions {
        let missing = directions - steps.len();
        steps.extend((0..missing).map(|_| upward_step(dice, reach)));
        steps.sort_by(|a, b| 0.0.partial_cmp(&a.perp_dot(*b)).expect("finite"));
        steps.dedup_by(|b, a| a.perp_dot(*b) == 0.0);
    }
    let back: Vec<DVec2> = steps.iter().map(|s| -s).collect();
    let walk = |corner: &mut DVec2, step| {
        *corner += step;
        Some(*corner)
    };
    steps.into_iter().chain(back).scan(DVec2::ZERO, walk).collect()
}

/// A step with direction in 0..180°, 180° left out.
fn upward_step(dice: &mut Dice, reach: i32) -> DVec2 {
    loop {
        let step = dice.lattice(reach);
        if step.y > 0.0 || (step.y == 0.0 && step.x > 0.0) {
            return step;
        }
    }
}

/// One coordinate of one point moved by an ulp or two.
pub fn nudge(dice: &mut Dice, points: &mut [DVec2]) {
    let point = dice.index(points.len());
    let steps = dice.one_of(&[-2, -1, 1, 2]);
    let axis = dice.index(2);
    points[point][axis] = ulps_off(points[point][axis], steps);
}
