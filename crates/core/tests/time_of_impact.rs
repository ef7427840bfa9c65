//! Time of impact: never late, never penetrating, as near as promised, and nothing is missed (P5,
//! P6, P21).
//!
//! A plain test run makes some thousand casts; all of it is
//! `CAROM_PAIRS=1000000 cargo test --release -p carom --test all time_of_impact:: -- --nocapture`.

use carom::query::Impact;
use carom::{DVec2, Pose, collide, overlaps, time_of_impact};

use crate::support;
use crate::support::dice::Dice;
use crate::support::random_pairs::{self, Range};
use crate::support::recipe::{Base, Body, Pair, Recipe};
use crate::support::run::{Case, Run, pairs};
use crate::support::sweeps::{self, Motions};

const RANGE: Range = Range { sizes: (1e-3, 1e5), offset: 1e7 };

fn cast(pair: &Pair, motions: &Motions) -> Option<Impact> {
    let [a, b] = motions.sweeps(pair);
    time_of_impact(a, b)
}

#[test]
fn straight_casts_are_never_late_and_miss_nothing() {
    let make = |_, dice: &mut Dice| random_pairs::any(dice, RANGE);
    let check = |case: &mut Case<'_>| {
        let (pair, motions) = sweeps::leading_to(case.pair, 0.0);
        keeps_the_rules(case, &pair, &motions);
    };
    let run = Run { name: "toi, straight", pairs: pairs(4_000), make, check };
    let seen = run.go();
    let share = 50 * seen.counted("hit") / run.pairs;
    assert!((20..=80).contains(&share), "{share} % hit");
}

/// Two of a million failed. A round end on a central course stopped at its circle, without the
/// rounding of its points. Two points that pass by more than the tolerance counted as an impact;
/// one was far from the origin of its shape.
#[test]
fn round_ends_and_points_hit_at_their_placed_points() {
    let ball = Body::new(
        Base::Circle(0.000_964_787_541_211_351_5),
        pose([-5_197_431.372_985_274_5, -464_611.636_722_666_27], [1.0, 0.0]),
    );
    let ends = [
        [-0.000_523_003_780_526_738, -0.000_922_011_211_387_152_2],
        [-0.000_246_060_764_089_949_07, 0.000_425_356_005_881_294_5],
    ];
    let pin = Base::Capsule(ends[0].into(), ends[1].into(), 3.273_979_580_260_464e-6);
    let pin = Body::new(
        pin,
        pose([-5_197_431.373_810_546_5, -464_611.637_209_768_47], [-0.927_183_854_566_787_4, 0.374_606_593_415_912]),
    );
    let at = DVec2::new(0.106_857_837_796_785_38, 0.272_856_953_881_491_2);
    let at = Body::new(
        Base::Segment(at, at),
        pose([0.231_095_900_908_670_27, 0.180_178_243_312_838_38], [-0.860_110_775_168_656_7, 0.510_107_296_986_401_1]),
    );
    let pairs =
        [Pair { a: ball, b: pin }, Pair { a: Body::new(Base::Circle(0.0), pose([0.0, 0.0], [1.0, 0.0])), b: at }];
    let make = |i, _: &mut Dice| pairs[i as usize].clone();
    let check = |case: &mut Case<'_>| {
        let (pair, motions) = sweeps::leading_to(case.pair, 0.0);
        keeps_the_rules(case, &pair, &motions);
    };
    Run { name: "toi, ends and points", pairs: 2, make, check }.go();
}

fn pose(at: [f64; 2], [cos, sin]: [f64; 2]) -> Pose {
    Pose::from_cos_sin(at, cos, sin).expect("a pose")
}

#[test]
fn turning_casts_are_never_late_and_miss_nothing() {
    let make = |_, dice: &mut Dice| random_pairs::any(dice, RANGE);
    let check = |case: &mut Case<'_>| {
        let (pair, motions) = sweeps::leading_to(case.pair, 3.0);
        keeps_the_rules(case, &pair, &motions);
    };
    let run = Run { name: "toi, turning", pairs: pairs(1_000), make, check };
    let seen = run.go();
    let share = 50 * seen.counted("hit") / run.pairs;
    assert!((20..=80).contains(&share), "{share} % hit");
}

/// Polygons of up to eight vertices that approach along one edge at a time. Their displacements are
/// a few sizes long, with up to a full turn.
#[test]
fn turning_polygons_are_never_late_and_miss_nothing() {
    let make = |_, dice: &mut Dice| loop {
        let pair = random_pairs::any(dice, RANGE);
        let is_small = |body: &Body| matches!(body.recipe.base, Base::Polygon(_)) && body.shape.points().len() <= 8;
        if is_small(&pair.a) && is_small(&pair.b) {
            return pair;
        }
    };
    let check = |case: &mut Case<'_>| {
        let (pair, motions) = sweeps::leading_to(case.pair, 6.0);
        keeps_the_rules(case, &pair, &motions);
    };
    let run = Run { name: "toi, turning polygons", pairs: pairs(500), make, check };
    let seen = run.go();
    let share = 50 * seen.counted("hit") / run.pairs;
    assert!((20..=80).contains(&share), "{share} % hit");
}

/// Shapes that swing on arms up to 10¹⁴ times as long as they are large. The tolerance is that of
/// their sizes, or 4 ulp of their coordinates.
#[test]
fn tiny_shapes_on_long_arms_keep_the_tolerance() {
    let make = |_, dice: &mut Dice| {
        let pair = random_pairs::any(dice, Range { sizes: (1e-3, 1e3), offset: 1e3 });
        let away = |dice: &mut Dice, body: &Body, meeting_point: DVec2| {
            let arm = dice.direction() * dice.magnitude(1e3, 1e7);
            let points = body.recipe.build().expect("a shape").points().to_vec();
            let small = if dice.chance(0.3) { 0.0 } else { dice.magnitude(1e-7, 1e-2) };
            let far = |p: &DVec2| arm + (*p - points[0]) * small;
            let base = if points.len() == 1 || small == 0.0 {
                Base::Segment(arm, arm)
            } else if points.len() == 2 {
                Base::Capsule(far(&points[0]), far(&points[1]), small)
            } else {
                Base::Polygon(points.iter().map(far).collect())
            };
            let is_valid = Recipe::from(base.clone()).build().is_ok();
            let base = if is_valid { base } else { Base::Segment(arm, arm) };
            let turned = body.pose.rotate_vector(arm);
            Body::new(base, body.pose.with_translation(meeting_point - turned).expect("a pose in range"))
        };
        let meeting_point = pair.a.pose.translation();
        let near = dice.in_disk(1e-3);
        Pair { a: away(dice, &pair.a, meeting_point), b: away(dice, &pair.b, meeting_point + near) }
    };
    let check = |case: &mut Case<'_>| {
        let (pair, motions) = sweeps::leading_to(case.pair, 3.0);
        keeps_the_rules(case, &pair, &motions);
    };
    Run { name: "toi, long arms", pairs: pairs(200), make, check }.go();
}

/// Every rule, and the same with the shapes swapped.
fn keeps_the_rules(case: &mut Case<'_>, pair: &Pair, motions: &Motions) {
    let found = cast(pair, motions);
    rules(case, pair, motions, found);
    let swapped = cast(&pair.swapped(), &motions.swapped());
    rules(case, &pair.swapped(), &motions.swapped(), swapped);
    let depths = [found, swapped].map(|impact| impact.map(|i| i.initial_depth.is_some()));
    case.expect("swapped: overlap at the start", depths[0] == Some(true) || depths[1] != Some(true), || {
        format!("{found:?} {swapped:?}")
    });
}

fn rules(case: &mut Case<'_>, pair: &Pair, motions: &Motions, found: Option<Impact>) {
    let (a, b) = (pair.a.placed(), pair.b.placed());
    let tolerance = sweeps::tolerance(pair, motions);
    let story = || format!("{found:?} for {motions:?} from\n    {pair}\n   ");
    if overlaps(a, b) {
        case.count("overlap at the start");
        let manifold = collide(a, b).expect("they overlap");
        let has_depth = found
            .is_some_and(|i| i.time == 0.0 && i.initial_depth == Some(manifold.depth) && i.normal == manifold.normal);
        case.expect("P6: overlap at the start has a depth", has_depth, story);
        return;
    }
    let Some(impact) = found else {
        case.count("miss");
        let deepest = lowest_gap(pair, motions, 1.0, tolerance);
        case.expect("P5: nothing deeper than the tolerance is missed", deepest >= -tolerance, || {
            format!("gap {deepest:e} of {tolerance:e}: {}", story())
        });
        return;
    };
    case.count("hit");
    case.expect("P6: a depth only for overlap at the start", impact.initial_depth.is_none(), story);
    case.expect("P5: time is a part of the motion", (0.0..=1.0).contains(&impact.time), story);
    case.at_most("P5: the normal is a unit vector", (impact.normal.length() - 1.0).abs(), 4.0 * f64::EPSILON);
    let gap = sweeps::gap(pair, motions, impact.time);
    case.expect("P5: the gap is within the tolerance", gap <= tolerance, || {
        format!("gap {gap:e} of {tolerance:e}: {}", story())
    });
    if motions.turnings == [0.0; 2] {
        let overlap = sweeps::overlap(pair, motions, impact.time);
        case.expect("P5: never penetrating", !overlap, || format!("gap {gap:e} of {tolerance:e}: {}", story()));
    } else {
        case.expect("P5: never penetrating", gap >= -0.1 * tolerance, || {
            format!("gap {gap:e} of {tolerance:e}: {}", story())
        });
    }
    let before = lowest_gap(pair, motions, impact.time, 0.1 * tolerance);
    case.expect("P5: never late", before >= -0.1 * tolerance, || {
        format!("gap {before:e} of {tolerance:e} before: {}", story())
    });
    point_and_normal(case, pair, motions, &impact, tolerance);
}

/// The point lies on both shapes, and the normal parts them.
fn point_and_normal(case: &mut Case<'_>, pair: &Pair, motions: &Motions, impact: &Impact, tolerance: f64) {
    let [a, b] = sweeps::seen_from(pair, motions, impact.time, impact.point);
    let off = [&a, &b].map(|outline| support::measure::outside(outline, DVec2::ZERO));
    case.at_most("P5: the point lies on a", off[0], 2.0 * tolerance);
    case.at_most("P5: the point lies on b", off[1], 3.0 * tolerance);
    let [_, top] = support::measure::projection(&a, impact.normal, DVec2::ZERO);
    let [bottom, _] = support::measure::projection(&b, impact.normal, DVec2::ZERO);
    case.at_most("P5: the normal parts them", top - bottom, 3.0 * tolerance);
}

/// Returns the smallest gap from the start to a time. Steps are at most the gap over the largest
/// speed. `floor` is the resolution.
fn lowest_gap(pair: &Pair, motions: &Motions, end: f64, floor: f64) -> f64 {
    let speed = sweeps::speed(pair, motions);
    if motions.turnings == [0.0; 2] {
        return lowest_of_convex(|time| sweeps::gap(pair, motions, time), end, speed);
    }
    let (mut time, mut lowest) = (0.0, f64::INFINITY);
    loop {
        let gap = sweeps::gap(pair, motions, time);
        lowest = lowest.min(gap);
        if gap < -2.0 * floor || time >= end {
            return lowest;
        }
        let step = ((gap + 0.5 * floor) / speed).max(0.5 * floor / speed);
        time = (time + step).max(time.next_up()).min(end);
    }
}

/// Without rotation the gap is a convex function of time. Golden-section search until the rest is
/// too short for the gap to become 0.
fn lowest_of_convex(gap: impl Fn(f64) -> f64, end: f64, speed: f64) -> f64 {
    // Falling at the end, the usual case of a hit: the end is lowest.
    let last = gap(end);
    if gap(end * (1.0 - 1e-3)) > last {
        return last;
    }
    let share = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, end);
    let inner = |low: f64, high: f64| [high - (high - low) * share, low + (high - low) * share];
    let [mut p, mut q] = inner(low, high);
    let [mut at_p, mut at_q] = [p, q].map(&gap);
    for _ in 0..92 {
        if at_p.min(at_q) > speed * (high - low) {
            break;
        }
        if at_p < at_q {
            (high, q, at_q) = (q, p, at_p);
            p = inner(low, high)[0];
            at_p = gap(p);
        } else {
            (low, p, at_p) = (p, q, at_q);
            q = inner(low, high)[1];
            at_q = gap(q);
        }
    }
    at_p.min(at_q).min(gap(0.0)).min(last)
}
