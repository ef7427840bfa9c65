//! Checks laws of all results (P2, P3, P4, P15). The MTV separates, and points of a shape lie on
//! it. Translated, rotated and mirrored pairs have the same results.
//!
//! A plain test run asks some thousand pairs; all of it is
//! `CAROM_PAIRS=1000000 cargo test --release -p carom --test all laws:: -- --nocapture`.

use carom::query::collide_within;
use carom::{Manifold, collide, distance, explain_sat, intersects, overlaps};

use crate::support;
use crate::support::adversarial;
use crate::support::dice::Dice;
use crate::support::exact::{Difference, Outline, Relation};
use crate::support::measure::{self, Yardstick};
use crate::support::random_pairs::{self, Range};
use crate::support::recipe::Pair;
use crate::support::run::{Case, Run, pairs};

const SMALL: u64 = 5_000;

#[test]
fn random_pairs_keep_the_laws() {
    let range = Range { sizes: (1e-3, 1e3), offset: 1e6 };
    let make = |_, dice: &mut _| random_pairs::any(dice, range);
    let run = Run { name: "laws, random pairs", pairs: pairs(SMALL), make, check: every_law };
    let seen = run.go();
    let share = 100 * seen.counted("meet") / run.pairs;
    assert!((45..=55).contains(&share), "half of the pairs are meant to meet, {share} % do");
    let (kept, changed) = (seen.counted("ids kept"), seen.counted("ids changed"));
    assert!(changed * 1000 <= kept, "{changed} of {kept} contacts changed their ids by a hair's motion");
}

#[test]
fn pairs_that_barely_touch_or_lie_inside_each_other_keep_the_laws() {
    let make = |index: u64, dice: &mut Dice| {
        let of = adversarial::LAWFUL;
        let name = of[usize::try_from(index % of.len() as u64).expect("a short table")];
        (adversarial::named(name).1)(dice)
    };
    Run { name: "laws, close pairs", pairs: pairs(SMALL), make, check: every_law }.go();
}

#[test]
fn a_million_away_the_numbers_are_the_same() {
    let make = |_, dice: &mut Dice| adversarial::lattice::pair_in_units(dice, 1.0 / 1024.0, carom::DVec2::ZERO);
    Run { name: "laws, far away", pairs: pairs(SMALL), make, check: far_from_the_origin }.go();
}

/// A side of a that the input splits in two, 2.5e8 from the origin, and a triangle b whose corners
/// fall on two neighbouring numbers. Regression: from the wrong half of the side, all vertices of b
/// were equally good. The search went around b until its limit, and the points were 17 ulp off the
/// normal.
#[test]
fn a_shape_below_rounding_meets_the_half_of_a_side_that_it_lies_over() {
    let (cos, sin) = (-0.797_356_941_652_462_2, 0.603_508_001_271_426_5);
    let a = carom::Shape::polygon(&[
        [-1.165_209_471_921_833_5e-5, -1.182_616_306_417_783e-5],
        [-1.538_825_659_164_504_2e-5, -1.103_563_789_720_214_6e-5],
        [-1.912_441_846_407_174_6e-5, -1.024_511_273_022_646e-5],
        [-6.720_094_649_735_023e-6, -3.501_586_024_737_345_3e-7],
    ])
    .unwrap();
    let b = carom::Shape::polygon(&[
        [2.119_019_011_716_987e-8, -2.032_313_766_072_176e-8],
        [7.493_134_064_669_514e-9, -2.027_970_456_747_749_4e-8],
        [-1.337_308_227_863_955_8e-9, -2.011_848_433_555_082e-8],
    ])
    .unwrap();
    let position = |x: f64, y: f64| carom::Pose::from_cos_sin([x, y], cos, sin).unwrap();
    let a = a.placed(position(81_699_134.976_813_82, 241_094_196.544_429_66));
    let b = b.placed(position(81_699_134.976_831_4, 241_094_196.544_428_68));
    let m = collide(a, b).expect("b lies in a");
    for p in m.points() {
        let off = (p.on_b - p.on_a + m.normal * p.depth).length();
        assert!(off <= 16.0 * support::dice::ulp(2.5e8), "{off:e} off the normal, {p:?}");
    }
}

/// A capsule with both ends deep in a floor at 25° had its second point r (1 − cos 25°) inside itself.
#[test]
fn both_points_of_a_capsule_on_a_slope_lie_on_it() {
    let (capsule, floor) =
        (carom::Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.5).unwrap(), carom::Shape::rectangle(10.0, 4.0).unwrap());
    let (a, b) = (capsule.at([0.0, 0.0]).unwrap(), floor.placed(carom::Pose::from_degrees([0.0, -2.0], 25.0).unwrap()));
    let m = collide(a, b).unwrap();
    assert_eq!(m.points().len(), 2);
    for p in m.points() {
        let core = p.on_a.x.clamp(-1.0, 1.0);
        let off = (p.on_a - carom::DVec2::new(core, 0.0)).length() - 0.5;
        assert!(off.abs() < 1e-15 && (p.on_a - m.normal * p.depth - p.on_b).length() < 1e-15, "{off}: {m:?}");
    }
}

/// A pair, its exact relation and gap, and its ulp.
struct Facts {
    a: Outline,
    b: Outline,
    relation: Relation,
    gap: f64,
    unit: Yardstick,
}

impl Facts {
    fn of(pair: &Pair) -> Self {
        let (a, b) = (pair.a.outline(), pair.b.outline());
        let difference = Difference::of(&a, &b);
        Self { relation: difference.relation(), gap: difference.gap(), unit: Yardstick::of(pair), a, b }
    }

    fn swapped(&self) -> Self {
        Self { a: self.b.clone(), b: self.a.clone(), ..*self }
    }
}

fn every_law(case: &mut Case<'_>) {
    let facts = Facts::of(case.pair);
    if facts.relation != Relation::Apart {
        case.count("meet");
    }
    let (pair, swapped) = (case.pair, case.pair.swapped());
    for (pair, facts) in [(pair, &facts), (&swapped, &facts.swapped())] {
        gap_is_true(case, pair, facts);
        witnesses_lie_on_their_shapes(case, pair, facts);
        if let Some(m) = collide(pair.a.placed(), pair.b.placed()) {
            manifold_is_sound(case, pair, facts, &m);
            push_parts(case, pair, facts, &m);
        }
        margin_reports_near_misses(case, pair, facts);
        explanation_agrees(case, pair, facts);
    }
    motions_change_nothing(case, &facts);
    depth_is_continuous(case, &facts);
}

/// Distance less depth, as the library says.
fn signed_gap(pair: &Pair) -> f64 {
    let (a, b) = (pair.a.placed(), pair.b.placed());
    collide(a, b).map_or_else(|| distance(a, b).distance, |m| -m.depth)
}

fn gap_is_true(case: &mut Case<'_>, pair: &Pair, facts: &Facts) {
    let error = (signed_gap(pair) - facts.gap).abs();
    case.at_most("P2: distance and depth are the true ones", error, facts.unit.moved());
}

fn witnesses_lie_on_their_shapes(case: &mut Case<'_>, pair: &Pair, facts: &Facts) {
    let d = distance(pair.a.placed(), pair.b.placed());
    let bound = facts.unit.witness();
    case.at_most("P3: point_a lies on a", measure::outside(&facts.a, d.point_a), bound);
    case.at_most("P3: point_b lies on b", measure::outside(&facts.b, d.point_b), bound);
    let between = d.point_a.distance(d.point_b);
    case.at_most("P3: the points are the distance apart", (between - d.distance).abs(), 2.0 * bound);
    if let Some(m) = collide_within(pair.a.placed(), pair.b.placed(), d.distance) {
        let off = (d.point_b - d.point_a - d.distance * m.normal).length();
        // A direction is known no better than the gap is wide compared with the rounding of its ends.
        let known = d.distance > 1e3 * bound;
        case.at_most(
            "P3: p2 - p1 = distance · normal",
            if known { off } else { 0.0 },
            1e-6 * facts.unit.size + 4.0 * bound,
        );
    }
}

fn manifold_is_sound(case: &mut Case<'_>, pair: &Pair, facts: &Facts, m: &Manifold) {
    let unit = facts.unit;
    case.at_most("P2: the normal is a unit vector", (m.normal.length() - 1.0).abs(), 4.0 * f64::EPSILON);
    case.expect("contacts: one or two points", (1..=2).contains(&m.points().len()), || format!("{m:?}"));
    let deepest = m.points().iter().map(|p| p.depth).fold(f64::NEG_INFINITY, f64::max);
    case.expect("contacts: the deepest point is as deep as the manifold", deepest == m.depth, || format!("{m:?}"));
    let origin = facts.a.points[0];
    let [_, top_of_a] = measure::projection(&facts.a, m.normal, origin);
    let [bottom_of_b, _] = measure::projection(&facts.b, m.normal, origin);
    let error = (top_of_a - bottom_of_b - m.depth).abs();
    case.at_most("P2: the shadows overlap by the depth", error, unit.moved());
    for p in m.points() {
        let outside = [measure::outside(&facts.a, p.on_a), measure::outside(&facts.b, p.on_b)];
        case.at_most("P3: on_a lies on a", outside[0], unit.witness());
        case.at_most("P3: on_b lies on b", outside[1], unit.witness());
        case.at_most("contacts: on_a lies on the surface of a, not inside", -outside[0], unit.moved());
        case.at_most("contacts: on_b lies on the surface of b, not inside", -outside[1], unit.moved());
        let off = (p.on_b - p.on_a + m.normal * p.depth).length();
        case.at_most("contacts: on_b - on_a = -depth · normal", off, unit.moved());
        features_hold_their_points(case, pair, facts, p);
    }
}

fn features_hold_their_points(case: &mut Case<'_>, pair: &Pair, facts: &Facts, p: &carom::query::ContactPoint) {
    let sides = [(&pair.a, &facts.a, p.id.a, p.on_a), (&pair.b, &facts.b, p.id.b, p.on_b)];
    for (body, outline, feature, point) in sides {
        let offset = measure::to_feature(outline, feature, point) - outline.radius;
        case.expect("contacts: a feature id names a vertex or edge", offset < f64::INFINITY, || format!("{feature:?}"));
        if !measure::has_redundant_points(body) {
            case.at_most("contacts: a point lies on the feature it names", offset, facts.unit.moved());
        }
    }
}

/// Moving b by a little more than the depth parts the two; by a little less does not.
fn push_parts(case: &mut Case<'_>, pair: &Pair, facts: &Facts, m: &Manifold) {
    let (size, ulp) = (facts.unit.size, facts.unit.ulp);
    let relation_after = |length: f64| {
        let position = pair.b.pose.translation() + m.normal * length;
        Difference::of(&facts.a, &pair.b.moved_to(position).outline()).relation()
    };
    let parted = relation_after(m.depth * (1.0 + 1e-9) + 16.0 * ulp);
    case.expect("P2: the push parts", parted == Relation::Apart, || format!("{parted:?} after {m:?}"));
    if m.depth > 1e-6 * size + 1e7 * ulp {
        let parted = relation_after(m.depth * (1.0 - 1e-6));
        case.expect("P2: less than the push does not part", parted != Relation::Apart, || format!("after {m:?}"));
    }
}

fn margin_reports_near_misses(case: &mut Case<'_>, pair: &Pair, facts: &Facts) {
    let (a, b) = (pair.a.placed(), pair.b.placed());
    let (apart, slack) = (distance(a, b).distance, 16.0 * facts.unit.ulp);
    if facts.relation != Relation::Apart {
        // A margin may add a point that is not yet reached, but moves nothing.
        let told = |m: Option<Manifold>| m.map(|m| (m.normal, m.depth));
        let (without, with) = (told(collide(a, b)), told(collide_within(a, b, slack)));
        case.expect("margin: nothing changes for what meets", with == without, || format!("{without:?}, {with:?}"));
        return;
    }
    let seen = |m: &Option<Manifold>| format!("distance {apart:?}, {m:?}");
    let found = collide_within(a, b, apart);
    // The distance is rounded.
    let counts = Difference::within(&facts.a, &facts.b, apart).relation() != Relation::Apart;
    case.expect("margin: a gap counts if it is at most as wide", found.is_some() == counts, || seen(&found));
    let narrow = (apart * (1.0 - 1e-9) - slack).max(0.0);
    let missed = collide_within(a, b, narrow);
    case.expect("margin: a gap wider than the margin does not", missed.is_none(), || seen(&missed));
    let Some(m) = collide_within(a, b, apart * 2.0 + slack) else {
        case.expect("margin: a gap narrower than the margin counts", false, || seen(&None));
        return;
    };
    case.at_most("margin: the depth is minus the distance", (m.depth + apart).abs(), facts.unit.moved());
    case.expect("margin: what is apart has a negative depth", m.depth < 0.0, || seen(&Some(m)));
    manifold_is_sound(case, pair, facts, &m);
}

fn explanation_agrees(case: &mut Case<'_>, pair: &Pair, facts: &Facts) {
    let (a, b) = (pair.a.placed(), pair.b.placed());
    let told = explain_sat(a, b);
    let meets = (told.intersects(), told.overlaps(), told.depth(), told.distance());
    let results = (intersects(a, b), overlaps(a, b), collide(a, b).map(|m| m.depth), distance(a, b).distance);
    case.expect("explain: says what the queries say", meets == results, || format!("{meets:?} is not {results:?}"));
    let decided: Vec<_> = told.axes().iter().filter(|axis| axis.is_minimum).collect();
    case.expect("explain: one axis decides", decided.len() == 1, || format!("{} do", decided.len()));
    let bound = facts.unit.moved();
    let Some(decided) = decided.first() else { return };
    let error = (decided.overlap + facts.gap).abs();
    case.at_most("explain: the axis that decides overlaps by the depth", error, bound);
    for axis in told.axes() {
        case.at_most("explain: normals are unit vectors", (axis.normal.length() - 1.0).abs(), 4.0 * f64::EPSILON);
        case.at_most("explain: no axis overlaps less than the one that decides", decided.overlap - axis.overlap, bound);
        for (outline, projection) in [(&facts.a, axis.projection_a), (&facts.b, axis.projection_b)] {
            let true_projection = measure::projection(outline, axis.normal, carom::DVec2::ZERO);
            let error = (projection[0] - true_projection[0]).abs().max((projection[1] - true_projection[1]).abs());
            case.at_most("explain: a shadow reaches as far as the shape", error, bound);
        }
        let [low, high] = [axis.projection_b[1] - axis.projection_a[0], axis.projection_a[1] - axis.projection_b[0]];
        let error = (axis.overlap - high).abs().min((axis.overlap - low.min(high)).abs());
        case.at_most("explain: the overlap is that of the shadows", error, bound);
    }
}

fn motions_change_nothing(case: &mut Case<'_>, facts: &Facts) {
    let pair = case.pair;
    let before = signed_gap(pair);
    let mut dice = Dice::of(pair);
    let turned = measure::moved_rigidly(pair, dice.angle(), dice.direction() * dice.magnitude(1e-3, 1e6));
    let unit = facts.unit.or(Yardstick::of(&turned));
    case.at_most("motion: a rigid motion keeps the gap", (signed_gap(&turned) - before).abs(), unit.moved());
    let mirrored = measure::mirrored(pair);
    let (a, b) = (mirrored.a.placed(), mirrored.b.placed());
    let same = intersects(a, b) == (facts.relation != Relation::Apart)
        && overlaps(a, b) == (facts.relation == Relation::Overlapping);
    case.expect("motion: a mirror keeps the answers exactly", same, || format!("{:?} {mirrored}", facts.relation));
    case.at_most("motion: a mirror keeps the gap", (signed_gap(&mirrored) - before).abs(), facts.unit.moved());
}

fn depth_is_continuous(case: &mut Case<'_>, facts: &Facts) {
    let pair = case.pair;
    let mut dice = Dice::of(pair);
    let step = facts.unit.size * dice.magnitude(1e-12, 1e-2);
    let elsewhere = |length: f64, dice: &mut Dice| {
        let b = pair.b.moved_to(pair.b.pose.translation() + dice.direction() * length);
        Pair { a: pair.a.clone(), b }
    };
    let change = (signed_gap(&elsewhere(step, &mut dice)) - signed_gap(pair)).abs();
    case.at_most("P2: the depth changes no more than the place", change - step, facts.unit.moved());
    let hair = elsewhere(1e-10 * facts.unit.size, &mut dice);
    let ids =
        |p: &Pair| collide(p.a.placed(), p.b.placed()).map(|m| m.points().iter().map(|p| p.id).collect::<Vec<_>>());
    if let (Some(before), Some(after)) = (ids(pair), ids(&hair)) {
        case.count(if before == after { "ids kept" } else { "ids changed" });
    }
}

/// P15: within 4 ulp of the offset, and the same answers, since every point moves exactly.
fn far_from_the_origin(case: &mut Case<'_>) {
    let far = carom::DVec2::new(1e6, -1e6);
    let near = case.pair;
    let moved = |body: &support::recipe::Body| body.moved_to(body.pose.translation() + far);
    let pair = Pair { a: moved(&near.a), b: moved(&near.b) };
    let exact = [&near.a, &near.b].iter().zip([&pair.a, &pair.b]).all(|(from, to)| {
        let (from, to) = (from.outline(), to.outline());
        from.points.iter().zip(&to.points).all(|(p, q)| *q - far == *p)
    });
    if !exact {
        return; // an ulp beside a whole number does not survive the way
    }
    case.count("moved exactly");
    let error = (signed_gap(&pair) - signed_gap(near)).abs();
    case.at_most("P15: a million away the depth is the same", error, 4.0 * support::dice::ulp(1e6));
    let answers = |p: &Pair| (intersects(p.a.placed(), p.b.placed()), overlaps(p.a.placed(), p.b.placed()));
    case.expect("P15: a million away the answers are the same", answers(&pair) == answers(near), || pair.to_string());
}
