//! Casts with a target distance, against the distance sampled along the motion.

use carom::query::time_of_impact_within;
use carom::{DVec2, Placed, Pose, Shape, Sweep, distance};

use crate::support::dice::Dice;
use crate::support::kinds::Base;
use crate::support::run::pairs;

/// Number of samples of a motion.
const SAMPLES: u32 = 400;

fn composite(dice: &mut Dice) -> Shape {
    match dice.index(3) {
        0 => Shape::chain(&[[-2.0, 0.3], [-1.0, -0.2], [0.5, 0.1], [2.0, 0.0]]).unwrap(),
        1 => Shape::chain(&[[2.0, 0.0], [0.5, 0.1], [-2.0, 0.3]]).unwrap().one_sided().unwrap(),
        _ => Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 0.5], [0.5, 0.5], [0.5, 2.0], [0.0, 2.0]]).unwrap(),
    }
}

fn gap(a: &Sweep<'_>, b: Placed<'_>, time: f64) -> f64 {
    distance(a.at(time), b).distance
}

/// Number of places that are tried for a start closer than the target.
const TRIES: usize = 20;

/// Returns a pose of `a` that is closer to `b` than the target without overlap, if it finds one. It
/// moves `a` along the line of the closest points until the gap is a fraction of the target.
fn near_start(dice: &mut Dice, a: &Shape, b: Placed<'_>, target: f64) -> Option<Pose> {
    let wanted = target * dice.between(0.05, 0.95);
    let mut pose = Pose::new(dice.in_disk(6.0), dice.between(-3.0, 3.0)).unwrap();
    for _ in 0..TRIES {
        let found = distance(a.placed(pose), b);
        if found.distance > 0.0 && found.distance < target {
            return Some(pose);
        }
        let direction = if found.distance > 0.0 { found.point_b - found.point_a } else { -pose.translation() };
        let step = direction.normalize_or(DVec2::X) * (found.distance - wanted);
        pose = pose.with_translation(pose.translation() + step).unwrap();
    }
    None
}

/// Before the impact, the gap never falls below the target. At the impact, it is the target.
/// Without an impact, it falls below the target at most by the tolerance.
#[test]
fn motions_stop_at_the_target_distance() {
    let (mut hits, mut misses, mut near) = (0, 0, 0);
    for seed in 0..pairs(3_000) {
        let mut dice = Dice::new(seed, 0);
        let a = Base::any(&mut dice, 1.0).build().unwrap();
        let b = if dice.chance(0.5) { composite(&mut dice) } else { Base::any(&mut dice, 2.0).build().unwrap() };
        let target = dice.magnitude(1e-4, 1.0);
        let range = if dice.chance(0.3) { 1.6 } else { 4.0 };
        let at = Pose::new(dice.in_disk(range), dice.between(-3.0, 3.0)).unwrap();
        let turn = if dice.chance(0.5) { 0.0 } else { dice.between(-3.0, 3.0) };
        let motion = -at.translation() * dice.between(0.5, 2.0) + dice.in_disk(2.0);
        let still = b.placed(Pose::new([0.0, 0.0], dice.between(-3.0, 3.0)).unwrap());
        let is_near = dice.chance(0.25);
        let at = if is_near { near_start(&mut dice, &a, still, target).unwrap_or(at) } else { at };
        let sweep = a.placed(at).sweep(motion).unwrap().with_rotation(turn).unwrap();
        let start = gap(&sweep, still, 0.0);
        if start == 0.0 {
            continue;
        }
        near += u32::from(start < target);
        let (target, impact) = (target.min(start), time_of_impact_within(sweep, still, target));
        let tolerance = 1e-7 * 4.0 + 1e-12;
        let end = impact.map_or(1.0, |impact| impact.time);
        for i in 0..=SAMPLES {
            let found = gap(&sweep, still, end * f64::from(i) / f64::from(SAMPLES));
            assert!(found >= target - tolerance, "seed {seed}: {found} of {target} at sample {i}");
        }
        match impact {
            None => misses += 1,
            Some(impact) => {
                hits += 1;
                let found = gap(&sweep, still, impact.time);
                assert!(found <= target + tolerance, "seed {seed}: {found} of {target} at the impact");
                assert!(impact.initial_depth.is_none() && (impact.normal.length() - 1.0).abs() < 1e-12);
                let to = distance(sweep.at(impact.time), still);
                assert!((to.point_a - to.point_b).length() <= target + tolerance);
                // The motion leads closer soon after the impact, unless it only grazes or ends there.
                let after = |step: f64| gap(&sweep, still, (impact.time + step).min(1.0));
                let soon = [1e-6, 1e-5, 1e-4, 1e-3].map(after).into_iter().fold(f64::INFINITY, f64::min);
                assert!(soon <= found + tolerance, "seed {seed}: {soon} after {found}");
            }
        }
    }
    assert!(hits > 500 && misses > 500 && near > 400, "{hits} hits, {misses} misses, {near} near");
}

/// A motion along a face at less than the target is free, and one toward it stops at once.
#[test]
fn motion_that_does_not_come_closer_is_free() {
    let (mover, tile) = (Shape::rectangle(1.0, 1.0).unwrap(), Shape::rectangle(4.0, 1.0).unwrap());
    let (tile, mover) = (tile.at([0.0, 0.0]).unwrap(), mover.at([0.0, 1.005]).unwrap());
    let cast = |motion: [f64; 2]| time_of_impact_within(mover.sweep(motion).unwrap(), tile, 0.01);
    assert!(cast([3.0, 0.0]).is_none() && cast([0.0, 2.0]).is_none());
    let hit = cast([1.0, -0.1]).unwrap();
    assert_eq!((hit.time, hit.normal), (0.0, DVec2::NEG_Y));
}

/// A corner is rounded by the target distance, not squared.
#[test]
fn corners_are_round() {
    let tile = Shape::rectangle(2.0, 2.0).unwrap();
    let (dot, tile) = (Shape::circle(0.0).unwrap(), tile.at([0.0, 0.0]).unwrap());
    let cast = |y: f64| time_of_impact_within(dot.at([-5.0, y]).unwrap().sweep([10.0, 0.0]).unwrap(), tile, 0.5);
    let hit = cast(1.3).unwrap();
    assert!((10.0 * hit.time - (5.0 - 1.0 - 0.4)).abs() < 1e-6, "{hit:?}");
    assert!((hit.normal - DVec2::new(0.8, -0.6)).length() < 1e-6);
    assert!(cast(1.501).is_none());
}

#[test]
fn bad_targets_count_as_none() {
    let ball = Shape::circle(1.0).unwrap();
    let (a, b) = (ball.at([0.0, 0.0]).unwrap().sweep([10.0, 0.0]).unwrap(), ball.at([5.0, 0.0]).unwrap());
    for target in [0.0, -1.0, f64::NAN] {
        assert_eq!(time_of_impact_within(a, b, target), carom::time_of_impact(a, b));
    }
    assert_eq!(time_of_impact_within(a, b, f64::INFINITY).unwrap().time, 0.0);
}
