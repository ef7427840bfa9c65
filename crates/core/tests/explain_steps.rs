//! The steps of an explanation are those of the algorithm: each has the properties that its
//! algorithm promises.

use carom::explain::{ImpactMethod, explain_gjk, explain_time_of_impact};
use carom::{DVec2, Shape, intersects};

use crate::support;
use crate::support::dice::Dice;
use crate::support::measure::{self, Yardstick};
use crate::support::random_pairs::{self, Range};
use crate::support::run::{Case, Run, pairs};
use crate::support::sweeps;

const RANGE: Range = Range { sizes: (1e-3, 1e3), offset: 1e4 };

/// Returns the support value of the polygon along a direction.
fn support_value(points: &[DVec2], direction: DVec2) -> f64 {
    points.iter().map(|p| p.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn gjk_comes_nearer_with_every_step() {
    let make = |_, dice: &mut Dice| random_pairs::any(dice, RANGE);
    let check = |case: &mut Case<'_>| {
        let pair = case.pair;
        let (a, b, unit) = (pair.a.placed(), pair.b.placed(), Yardstick::of(pair));
        let (slack, why) = (unit.witness() * 4.0, explain_gjk(a, b));
        case.count(if why.contains_origin() { "meet" } else { "apart" });
        case.expect("exact", why.intersects() == intersects(a, b), || format!("{why:?}"));
        let all: Vec<DVec2> = a.points().flat_map(|p| b.points().map(move |q| p - q)).collect();
        for (i, step) in why.steps().iter().enumerate() {
            let found = step.support.difference();
            let farthest = support_value(&all, step.direction);
            case.at_most("the support is the farthest of all differences", farthest - found.dot(step.direction), slack);
            case.at_most("the lower bound is its line's", (step.lower_bound + farthest).abs(), slack);
            case.at_most("bounds do not cross", step.lower_bound - step.upper_bound, slack);
            let before = if i == 0 { f64::INFINITY } else { why.steps()[i - 1].upper_bound };
            case.at_most("no step leads away", step.upper_bound - before, slack);
        }
        let hulls =
            [pair.a.outline(), pair.b.outline()].map(|outline| support::exact::Outline { radius: 0.0, ..outline });
        let gap = measure::gap(&hulls[0], &hulls[1]);
        match why.steps().last() {
            Some(last) if !why.contains_origin() => {
                case.at_most("it ends at the distance", (last.upper_bound - gap).abs(), slack);
                case.at_most("and proves it", gap - last.lower_bound, slack);
            }
            _ => case.at_most("it ends with the origin", gap, slack),
        }
    };
    let run = Run { name: "steps of GJK", pairs: pairs(3_000), make, check };
    let seen = run.go();
    assert!(["meet", "apart"].iter().all(|&name| 5 * seen.counted(name) > run.pairs), "both kinds");
}

#[test]
fn the_difference_is_the_hull_of_all_differences() {
    let make = |_, dice: &mut Dice| random_pairs::any(dice, RANGE);
    let check = |case: &mut Case<'_>| {
        let pair = case.pair;
        let (a, b, slack) = (pair.a.placed(), pair.b.placed(), Yardstick::of(pair).witness() * 4.0);
        let all: Vec<DVec2> = a.points().flat_map(|p| b.points().map(move |q| p - q)).collect();
        let why = explain_gjk(a, b);
        let outline = why.difference();
        for k in 0..24 {
            let direction = DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / 24.0);
            case.at_most(
                "as far as the differences",
                (support_value(outline, direction) - support_value(&all, direction)).abs(),
                slack,
            );
        }
        let corner = |i: usize| outline[i % outline.len()];
        for i in 0..outline.len() {
            let turn = (corner(i + 1) - corner(i)).perp_dot(corner(i + 2) - corner(i + 1));
            let size = (corner(i + 1) - corner(i)).length() + (corner(i + 2) - corner(i + 1)).length();
            case.at_most("it turns to the left", -turn, slack * size);
        }
    };
    Run { name: "Minkowski differences", pairs: pairs(1_000), make, check }.go();
}

#[test]
fn steps_of_casts_go_forward_to_the_contact() {
    let make = |_, dice: &mut Dice| random_pairs::any(dice, RANGE);
    let check = |case: &mut Case<'_>| {
        let turning = if Dice::of(case.pair).chance(0.5) { 0.0 } else { 3.0 };
        let (pair, motions) = sweeps::leading_to(case.pair, turning);
        let [a, b] = motions.sweeps(&pair);
        let (why, tolerance) = (explain_time_of_impact(a, b), sweeps::tolerance(&pair, &motions));
        let turns = motions.turnings != [0.0; 2];
        case.count(match why.method() {
            ImpactMethod::Start => "start",
            ImpactMethod::Clip => "clip",
            _ if turns => "turning",
            _ => "straight",
        });
        case.expect("only what does not turn is clipped", !turns || why.method() != ImpactMethod::Clip, || {
            format!("{why:?}")
        });
        let times: Vec<f64> = why.steps().iter().map(|step| step.time).collect();
        case.expect("forward in time", times.windows(2).all(|pair| pair[0] < pair[1]), || format!("{times:?}"));
        let impact = why.impact();
        case.expect("it ends with the impact", impact.is_none_or(|impact| times.last() == Some(&impact.time)), || {
            format!("{why:?}")
        });
        let starts_apart = impact.is_none_or(|impact| impact.initial_depth.is_none());
        for step in why.steps().iter().filter(|_| starts_apart) {
            case.at_most("apart at every step", -step.gap, tolerance);
        }
        if let Some(last) = why.steps().last().filter(|_| impact.is_some() && starts_apart) {
            case.at_most("in contact at the last", last.gap, 6.0 * tolerance);
            case.at_most(
                "the gap is between the points",
                ((last.point_b - last.point_a).dot(last.normal) - last.gap).abs(),
                tolerance,
            );
        }
    };
    let run = Run { name: "steps of casts", pairs: pairs(1_500), make, check };
    let seen = run.go();
    for name in ["start", "clip", "turning", "straight"] {
        assert!(seen.counted(name) > run.pairs / 200, "{name}: {}", seen.counted(name));
    }
}

#[test]
fn without_motion_there_is_one_step() {
    let ball = Shape::circle(1.0).unwrap();
    let (a, b) = (ball.at([0.0, 0.0]).unwrap(), ball.at([3.0, 0.0]).unwrap());
    let why = explain_time_of_impact(a, b);
    assert_eq!((why.method(), why.steps().len(), why.impact()), (ImpactMethod::Start, 1, None));
    assert_eq!((why.steps()[0].gap, why.steps()[0].point_b), (1.0, DVec2::new(2.0, 0.0)));
}

#[test]
fn steps_of_a_known_cast() {
    // A unit circle approaches a wall from distance 10. Its boundary hits the wall, not its centre.
    let (ball, wall) = (Shape::circle(1.0).unwrap(), Shape::rectangle(2.0, 50.0).unwrap());
    let why =
        explain_time_of_impact(ball.at([0.0, 0.0]).unwrap().sweep([20.0, 0.0]).unwrap(), wall.at([11.0, 0.0]).unwrap());
    assert_eq!(why.method(), ImpactMethod::Clip);
    let [start, end] = why.steps() else { panic!("{why:?}") };
    assert_eq!((start.time, start.gap, start.normal), (0.0, 9.0, DVec2::X));
    assert!((end.time - 0.45).abs() < 1e-8 && (0.0..1e-7).contains(&end.gap), "{end:?}");
    assert!(
        (end.point_a - DVec2::new(10.0, 0.0)).length() < 1e-6 && (end.point_b - DVec2::new(10.0, 0.0)).length() < 1e-6,
        "{end:?}"
    );
}
