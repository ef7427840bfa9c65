//! Exactness: `intersects` and `overlaps` return the result of exact arithmetic on the exact set,
//! for every pair of convex kinds. No other query contradicts them (P1, P2, P14, P16, P22).
//!
//! A plain test run asks some ten thousand pairs; the whole proof is
//! `CAROM_PAIRS=1000000 cargo test --release -p carom --test all oracle:: -- --nocapture`.

use carom::{DVec2, Pose, Shape, collide, distance, intersects, overlaps};

use crate::support::adversarial;
use crate::support::dice::{Dice, ulp};
use crate::support::exact::{Difference, Outline, Relation, relation};
use crate::support::random_pairs::{self, Range};
use crate::support::run::{Case, Findings, Run, pairs};

const SMALL: u64 = 20_000;

#[test]
fn random_pairs_get_the_exact_answer() {
    let range = Range { sizes: (1e-6, 1e6), offset: 1e9 };
    let run = Run {
        name: "random",
        pairs: pairs(SMALL),
        make: |_, dice: &mut _| random_pairs::any(dice, range),
        check: answers_exactly,
    };
    let seen = run.go();
    at_least_percent(&seen, run.pairs, "apart", 20);
    at_least_percent(&seen, run.pairs, "overlapping", 30);
}

#[test]
fn adversarial_pairs_get_the_exact_answer() {
    let run = Run {
        name: "adversarial",
        pairs: pairs(SMALL),
        make: |index, dice: &mut _| (adversarial::family(index).1)(dice),
        check: answers_exactly,
    };
    let seen = run.go();
    for relation in ["apart", "touching", "overlapping"] {
        at_least_percent(&seen, run.pairs, relation, 10);
    }
    at_least_percent(&seen, run.pairs, "within 8 ulp", 30);
    assert!(seen.counted("1000-gon") >= run.pairs / 100, "every hundredth pair has a thousand corners");
}

/// Results of the inner and outer circles of polygons depend on the origin of the shape: in its
/// middle, near an edge, outside.
#[test]
fn polygons_about_and_beside_their_origins_get_the_exact_answer() {
    let seed = 23;
    for index in 0..6000 {
        let mut dice = Dice::new(seed, index);
        let (a, b) = (polygon(&mut dice), polygon(&mut dice));
        let [p, q] = [3.0, 3.0].map(|spread| Pose::new(dice.in_disk(spread), dice.angle()).unwrap());
        let (a, b) = (a.placed(p), b.placed(q));
        let relation = relation(a, b);
        let expected = (relation != Relation::Apart, relation == Relation::Overlapping);
        assert_eq!((intersects(a, b), overlaps(a, b)), expected, "seed {seed}, pair {index}: {relation:?}");
    }
}

/// Inscribed in an ellipse whose center is not the origin.
fn polygon(dice: &mut Dice) -> Shape {
    let (count, radius, aspect, center) =
        (dice.count(3, 40), dice.between(0.5, 1.5), dice.between(0.1, 1.0), dice.in_disk(2.0));
    let angles: Vec<f64> =
        (0..count).map(|i| std::f64::consts::TAU * (i as f64 + dice.between(0.0, 0.7)) / count as f64).collect();
    let points: Vec<DVec2> =
        angles.iter().map(|angle| center + radius * DVec2::new(angle.cos(), aspect * angle.sin())).collect();
    Shape::polygon(&points).unwrap()
}

/// Without this a generator that has gone blunt would let everything pass.
fn at_least_percent(seen: &Findings, pairs: u64, name: &str, percent: u64) {
    let share = 100 * seen.counted(name) / pairs;
    assert!(share >= percent, "only {share} % of the pairs are {name}, {percent} % were meant to be");
}

fn answers_exactly(case: &mut Case<'_>) {
    let (a, b) = (case.pair.a.placed(), case.pair.b.placed());
    let (outline_a, outline_b) = (Outline::of(a), Outline::of(b));
    let difference = Difference::of(&outline_a, &outline_b);
    let relation = difference.relation();
    classify(case, relation, &difference, &[&outline_a, &outline_b]);

    let (meet, deep) = (relation != Relation::Apart, relation == Relation::Overlapping);
    for (order, a, b) in [("(a, b)", a, b), ("(b, a)", b, a)] {
        let seen = |got: bool| move || format!("exactly {relation:?}, got {got} for {order}");
        let got = intersects(a, b);
        case.expect("P1: intersects is exact", got == meet, seen(got));
        let got = overlaps(a, b);
        case.expect("P16: overlaps is exact", got == deep, seen(got));
        case.expect("candidates: boxes of shapes that meet meet", !meet || a.aabb().intersects(&b.aabb()), || {
            format!("{:?} and {:?}", a.aabb(), b.aabb())
        });
        agrees_in_distance(case, relation, order, distance(a, b));
        agrees_in_depth(case, relation, order, collide(a, b));
    }
}

fn agrees_in_distance(case: &mut Case<'_>, relation: Relation, order: &str, d: carom::query::Distance) {
    let holds = if relation == Relation::Apart { d.distance > 0.0 } else { d.distance == 0.0 };
    case.expect("P1: distance is 0 exactly where shapes meet", holds, || format!("{relation:?} {order}: {d:?}"));
    let finite = d.distance.is_finite() && d.point_a.is_finite() && d.point_b.is_finite();
    case.expect("P22: distances are finite", finite, || format!("{order}: {d:?}"));
}

fn agrees_in_depth(case: &mut Case<'_>, relation: Relation, order: &str, found: Option<carom::Manifold>) {
    let Some(m) = found else {
        case.expect("P1: collide finds what meets", relation == Relation::Apart, || {
            format!("{relation:?}, none {order}")
        });
        return;
    };
    let seen = || format!("{relation:?} {order}: {m:?}");
    let holds = match relation {
        Relation::Apart => false,
        Relation::Touching => m.depth == 0.0,
        Relation::Overlapping => m.depth > 0.0,
    };
    case.expect("P1, P2: depth is 0 exactly where shapes touch", holds, seen);
    let unit = (m.normal.length() - 1.0).abs() <= 4.0 * f64::EPSILON;
    case.expect("P2: the normal is a unit vector", unit, seen);
    let finite = |p: &carom::query::ContactPoint| p.on_a.is_finite() && p.on_b.is_finite() && p.depth.is_finite();
    let sound = m.depth.is_finite() && (1..=2).contains(&m.points().len()) && m.points().iter().all(finite);
    case.expect("P22: one or two points, all finite", sound, seen);
}

fn classify(case: &mut Case<'_>, relation: Relation, difference: &Difference, outlines: &[&Outline; 2]) {
    case.count(match relation {
        Relation::Apart => "apart",
        Relation::Touching => "touching",
        Relation::Overlapping => "overlapping",
    });
    let points = || outlines.iter().flat_map(|o| &o.points);
    let largest = points().map(|p| p.abs().max_element()).chain(outlines.map(|o| o.radius)).fold(0.0, f64::max);
    if difference.gap().abs() <= 8.0 * ulp(largest) {
        case.count("within 8 ulp");
    }
    if outlines.iter().any(|o| o.points.len() >= 1000) {
        case.count("1000-gon");
    }
}
