//! Random shapes of every kind, within the limits of the constructors.

use std::f64::consts::TAU;

use carom::DVec2;

use super::dice::{Dice, heading, ulps_off};
use super::recipe::{Base, Recipe};

/// Any kind, about `size` across, every fourth one rounded.
pub fn any(dice: &mut Dice, size: f64) -> Recipe {
    let base = Base::any(dice, size);
    let rounding = if dice.chance(0.25) { size * dice.magnitude(1e-6, 0.5) } else { 0.0 };
    Recipe { base, rounding }
}

/// `count` corners on an ellipse, unevenly spread, no two closer than a fifth of the even step.
pub fn ring(dice: &mut Dice, count: usize, extent: f64, flatness: f64) -> Vec<DVec2> {
    let step = TAU / count as f64;
    let start = dice.angle();
    let at = |i: usize, dice: &mut Dice| heading(start + step * (i as f64 + dice.between(0.0, 0.8)));
    (0..count).map(|i| at(i, dice)).map(|p| DVec2::new(p.x * extent, p.y * extent * flatness)).collect()
}

/// A centrally symmetric polygon with whole coordinates and `2 · directions` edges: primitive
/// steps sorted by angle, so that every corner and every edge is exact.
pub fn lattice_ring(dice: &mut Dice, directions: usize) -> Vec<DVec2> {
    let extent = 3 + 2 * (directions as f64).sqrt() as i32;
    let mut steps: Vec<DVec2> = Vec::new();
    while steps.len() < directions {
        let missing = directions - steps.len();
        steps.extend((0..missing).map(|_| upward_step(dice, extent)));
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
fn upward_step(dice: &mut Dice, extent: i32) -> DVec2 {
    loop {
        let step = dice.lattice(extent);
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
