//! Every shape kind against every kind, in both orders, with every query (P13, P34). Each cell runs, and
//! agrees with an oracle that tests all part pairs in integers. The table of `docs/MATRIX.md` is
//! written from the cells that ran.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use carom::explain::{explain_contains, explain_gjk, explain_time_of_impact};
use carom::query::{DistanceCache, collide_within, distance_cached, overlap_region};
use carom::{
    DVec2, Placed, Pose, Ray, Shape, collide, contains, distance, explain_sat, intersects, manifolds, overlaps,
    ray_cast, time_of_impact,
};

use crate::support;
use crate::support::exact::{Outline, Relation};
use crate::support::kinds::KINDS;
use crate::support::measure;
use crate::support::union::sampled_overlap;

type Dice = fastrand::Rng;

type Check = fn(&Case<'_>);

/// Half of them on the lattice and rotated by quarters, so that edges and vertices touch exactly.
fn pose(dice: &mut Dice) -> Pose {
    let mut at = || f64::from(dice.i32(-10..=10)) / 4.0;
    let (x, y) = (at(), at());
    if dice.bool() {
        Pose::from_degrees([x, y], 90.0 * f64::from(dice.u8(0..4))).unwrap()
    } else {
        Pose::new([x + dice.f64(), y + dice.f64()], dice.f64() * 7.0).unwrap()
    }
}

/// Rotated by quarters, with one of its points on a point of `a`. Vertices touch exactly if
/// rounding allows it.
fn upon(dice: &mut Dice, b: &Shape, a: Placed<'_>) -> Pose {
    let turn = Pose::from_degrees([0.0, 0.0], 90.0 * f64::from(dice.u8(0..4))).unwrap();
    let mut pick = |placed: Placed<'_>| placed.points().nth(dice.usize(0..placed.points().count())).unwrap();
    let (from, to) = (pick(b.placed(turn)), pick(a));
    Pose::from_cos_sin(to - from, turn.cos(), turn.sin()).unwrap()
}

/// Two placed shapes, and the exact relation of all part pairs.
struct Case<'a> {
    a: Placed<'a>,
    b: Placed<'a>,
    relation: Relation,
    /// The numbers of the parts of every pair, how they lie, and how far apart (negative: how deep).
    pairs: Vec<([u32; 2], Relation, f64)>,
    /// The least gap of all pairs, or minus the greatest depth.
    gap: f64,
    /// True if the unions overlap although no pair of parts does.
    as_unions: bool,
    name: String,
}

impl<'a> Case<'a> {
    fn new(a: Placed<'a>, b: Placed<'a>, name: String) -> Self {
        let (of_a, of_b) = (Outline::of_parts(a), Outline::of_parts(b));
        let mut pairs = Vec::new();
        for (i, p) in (0..).zip(&of_a) {
            for (j, q) in (0..).zip(&of_b) {
                let difference = support::exact::Difference::of(p, q);
                pairs.push(([i, j], difference.relation(), difference.gap()));
            }
        }
        let has = |wanted| pairs.iter().any(|(_, relation, _)| *relation == wanted);
        let as_unions = !has(Relation::Overlapping) && has(Relation::Touching) && sampled_overlap(&of_a, &of_b);
        let relation = if has(Relation::Overlapping) || as_unions {
            Relation::Overlapping
        } else if has(Relation::Touching) {
            Relation::Touching
        } else {
            Relation::Apart
        };
        let gap = pairs.iter().map(|(_, _, gap)| *gap).fold(f64::INFINITY, f64::min);
        Self { a, b, relation, pairs, gap, as_unions, name }
    }

    fn meets(&self) -> bool {
        self.relation != Relation::Apart
    }

    fn orders(&self) -> [(Placed<'a>, Placed<'a>); 2] {
        [(self.a, self.b), (self.b, self.a)]
    }

    /// The depth is that of the deepest pair of parts, unless only the unions overlap.
    fn is_depth(&self, found: f64) {
        if self.as_unions {
            assert!(found > 1e-6, "{}: {found}", self.name);
        } else {
            self.is_close(found, -self.gap);
        }
    }

    fn is_close(&self, found: f64, expected: f64) {
        // Numbers are rounded, as `ErrorBounds::separation` in `query/pair.rs` bounds. Sizes and
        // coordinates are below 16: 1e-12 × size + 16 ulp are enough.
        assert!(
            (found - expected).abs() <= 1.6e-11 + 16.0 * 16.0 * f64::EPSILON,
            "{}: {found} instead of {expected}",
            self.name
        );
    }
}

/// Name of a query in the table, and its law.
const QUERIES: [(&str, Check); 13] = [
    ("`intersects`", |case| {
        for (a, b) in case.orders() {
            assert_eq!(intersects(a, b), case.meets(), "{}", case.name);
        }
    }),
    ("`overlaps`", |case| {
        for (a, b) in case.orders() {
            assert_eq!(overlaps(a, b), case.relation == Relation::Overlapping, "{}", case.name);
        }
    }),
    ("`collide`", |case| {
        for (a, b) in case.orders() {
            let found = collide(a, b);
            assert_eq!(found.is_some(), case.meets(), "{}", case.name);
            let Some(found) = found else { continue };
            assert_eq!(found.depth > 0.0, case.relation == Relation::Overlapping, "{}", case.name);
            assert!((found.normal.length() - 1.0).abs() < 1e-15 && !found.points().is_empty(), "{}", case.name);
            case.is_depth(found.depth);
        }
    }),
    ("`collide_within`", |case| {
        for (a, b) in case.orders() {
            let margin = case.gap.max(0.0) + 0.25;
            let near = collide_within(a, b, margin).unwrap_or_else(|| panic!("{}: within {margin}", case.name));
            case.is_depth(near.depth);
            if case.gap > 0.1 {
                assert!(collide_within(a, b, case.gap - 0.05).is_none(), "{}", case.name);
            }
        }
    }),
    ("`manifolds`", |case| {
        for (swapped, (a, b)) in case.orders().into_iter().enumerate() {
            let mut found = Vec::new();
            manifolds(a, b, &mut found);
            let mut expected: Vec<_> =
                case.pairs.iter().filter(|pair| pair.1 != Relation::Apart).map(|pair| pair.0).collect();
            if swapped == 1 {
                expected = expected.iter().map(|&[i, j]| [j, i]).collect();
                expected.sort_unstable();
            }
            assert_eq!(found.iter().map(|m| [m.part_a, m.part_b]).collect::<Vec<_>>(), expected, "{}", case.name);
        }
    }),
    ("`distance`", |case| {
        for (a, b) in case.orders() {
            let found = distance(a, b);
            assert_eq!(found.distance == 0.0, case.meets(), "{}", case.name);
            case.is_close(found.distance, case.gap.max(0.0));
            // Once without a cache, and once with the cache of the first call.
            let mut cache = DistanceCache::default();
            assert_eq!([(); 2].map(|()| distance_cached(a, b, &mut cache)), [found; 2], "{}", case.name);
            for (placed, point) in [(a, found.point_a), (b, found.point_b)] {
                let outside = Outline::of_parts(placed)
                    .iter()
                    .map(|part| measure::outside(part, point))
                    .fold(f64::INFINITY, f64::min);
                case.is_close(outside.max(0.0), 0.0);
            }
        }
    }),
    ("`explain_sat`", |case| {
        for (a, b) in case.orders() {
            let found = explain_sat(a, b);
            assert_eq!(
                (found.intersects(), found.overlaps()),
                (case.meets(), case.relation == Relation::Overlapping),
                "{}",
                case.name
            );
            case.is_depth(found.depth().unwrap_or(-found.distance()));
            assert!(found.min_axis().is_minimum, "{}", case.name);
            let steps = explain_gjk(a, b);
            assert_eq!(steps.intersects(), case.meets(), "{}", case.name);
            let [i, j] = steps.parts();
            let hull =
                |placed, part: u32| Outline { radius: 0.0, ..Outline::of_parts(placed).swap_remove(part as usize) };
            let apart = measure::gap(&hull(a, i), &hull(b, j)).max(0.0);
            assert!(
                steps.steps().iter().all(|step| step.lower_bound <= apart + 1e-12 && step.upper_bound >= apart - 1e-12),
                "{}: {steps:?}",
                case.name
            );
            assert!(apart < 1e-12 || !steps.contains_origin(), "{}", case.name);
        }
    }),
    ("`overlap_region`", |case| {
        for (a, b) in case.orders() {
            let region = overlap_region(a, b, 0.01);
            // Lines have no area; both outlines may lack as much as the deviation.
            let areas = a.shape().mass_properties().area > 0.0 && b.shape().mass_properties().area > 0.0;
            if case.gap < -0.02 && areas {
                assert!(region.area() > 0.0, "{}", case.name);
            }
            if region.area() > 0.0 {
                assert!(case.relation == Relation::Overlapping && areas, "{}", case.name);
            }
            for piece in region.pieces() {
                let middle = piece.iter().sum::<DVec2>() / piece.len() as f64;
                for placed in [a, b] {
                    let outside = Outline::of_parts(placed)
                        .iter()
                        .map(|part| measure::outside(part, middle))
                        .fold(f64::INFINITY, f64::min);
                    case.is_close(outside.max(0.0), 0.0);
                }
            }
        }
    }),
    ("`contains_point`", |case| {
        for (a, b) in case.orders() {
            let point = b.points().next().unwrap();
            let contained = Outline::of_parts(a)
                .iter()
                .any(|part| support::exact::Difference::of(part, &Outline::point(point)).relation() != Relation::Apart);
            assert_eq!(a.contains_point(point).unwrap(), contained, "{}", case.name);
        }
    }),
    ("`signed_distance`", |case| {
        for (a, b) in case.orders() {
            let point = b.points().next().unwrap();
            let gap =
                Outline::of_parts(a).iter().map(|part| measure::outside(part, point)).fold(f64::INFINITY, f64::min);
            let found = a.signed_distance(point).unwrap();
            let meets = |part: &Outline| {
                support::exact::Difference::of(part, &Outline::point(point)).relation() != Relation::Apart
            };
            if Outline::of_parts(a).iter().any(meets) {
                // Inside of a union the boundary may be farther away than that of any part.
                assert!(found <= 0.0 && found <= gap + 1e-9, "{}: {found}, {gap} of the deepest part", case.name);
            } else {
                // The gap may round to 0; the sign is exact.
                assert!(found > 0.0, "{}: {found}", case.name);
                case.is_close(found, gap.max(0.0));
            }
            let nearest = a.closest_boundary_point(point).unwrap();
            case.is_close((nearest.point - point).length(), found.abs());
        }
    }),
    ("`contains`", |case| {
        for (a, b) in case.orders() {
            let (of_a, of_b) = (Outline::of_parts(a), Outline::of_parts(b));
            let holds = |p: DVec2| of_a.iter().any(|part| measure::outside(part, p) <= 1e-12);
            let why = explain_contains(a, b);
            assert_eq!((why.contains(), why.parts().len()), (contains(a, b), of_b.len()), "{}", case.name);
            if let Some(at) = why.outside() {
                let beyond = |parts: &[Outline]| {
                    parts.iter().map(|part| measure::outside(part, at)).fold(f64::INFINITY, f64::min)
                };
                assert!(beyond(&of_b) < 1e-11, "{}: {at} is not in b", case.name);
                assert!(a.signed_distance(at).unwrap() > -1e-11, "{}: {at} is inside of a", case.name);
            }
            if contains(a, b) {
                // Points of every part of b: its vertices, grown, and points between them.
                for part in &of_b {
                    let middle = part.points.iter().sum::<DVec2>() / part.points.len() as f64;
                    let radius = part.radius * (1.0 - 1e-9);
                    let grown = |&p: &DVec2| (0..8).map(move |k| p + DVec2::from_angle(f64::from(k) * 0.785) * radius);
                    assert!(part.points.iter().flat_map(grown).all(&holds), "{}", case.name);
                    assert!(part.points.iter().all(|p| holds((*p + middle) * 0.5)), "{}", case.name);
                }
            } else if let ([convex], 0.0) = (&of_a[..], of_a[0].radius) {
                // A convex set without rounding contains b if it contains its grown vertices.
                let out = |part: &Outline| part.points.iter().any(|p| inside_by(convex, *p) < part.radius);
                assert!(of_b.iter().any(out), "{}", case.name);
            }
        }
    }),
    ("`ray_cast`", |case| {
        for (a, b) in case.orders() {
            let (origin, end) = (b.points().next().unwrap(), a.pose().translation() + DVec2::new(0.375, -0.25));
            let Ok(ray) = Ray::new(origin, end - origin) else { continue };
            let segment = Outline { points: vec![ray.origin(), ray.end()], radius: 0.0 };
            let of_a = Outline::of_parts(a);
            let meets =
                of_a.iter().any(|part| support::exact::Difference::of(part, &segment).relation() != Relation::Apart);
            let hit = ray_cast(ray, a);
            assert_eq!(hit.is_some(), meets, "{}", case.name);
            let Some(hit) = hit else { continue };
            assert!((0.0..=1.0).contains(&hit.time) && (hit.normal.length() - 1.0).abs() < 1e-15, "{}", case.name);
            let reached = |time: f64| {
                of_a.iter()
                    .map(|part| measure::outside(part, origin + ray.translation() * time))
                    .fold(f64::INFINITY, f64::min)
            };
            case.is_close(reached(hit.time).max(0.0), 0.0);
            // Nothing is met before.
            assert!(
                (0..16).all(|k| hit.time == 0.0 || reached(hit.time * f64::from(k) / 16.0) > -1e-11),
                "{}",
                case.name
            );
        }
    }),
    ("`time_of_impact`", |case| {
        for (a, b) in case.orders() {
            assert_eq!(time_of_impact(a, b).is_some(), case.relation == Relation::Overlapping, "{}", case.name);
            let translation = (a.pose().translation() - b.pose().translation()) * 1.5 + DVec2::new(0.25, 0.125);
            for turning in [0.0, 0.75] {
                let sweep = b.sweep(translation).unwrap().with_rotation(turning).unwrap();
                let of_a = Outline::of_parts(a);
                let gap = |time: f64| {
                    let of_b = Outline::of_parts(sweep.at(time));
                    let gaps = of_a.iter().flat_map(|p| of_b.iter().map(move |q| measure::gap(p, q)));
                    gaps.fold(f64::INFINITY, f64::min)
                };
                let why = explain_time_of_impact(a, sweep);
                assert_eq!(why.impact(), time_of_impact(a, sweep), "{}", case.name);
                for step in why.steps() {
                    let [i, j] = why.parts().map(|part| part as usize);
                    let apart = measure::gap(&of_a[i], &Outline::of_parts(sweep.at(step.time))[j]);
                    assert!((step.gap - apart).abs() < 1e-10, "{}: {step:?} instead of {apart}", case.name);
                }
                match why.impact() {
                    Some(hit) => {
                        assert_eq!(
                            hit.initial_depth.is_some(),
                            case.relation == Relation::Overlapping,
                            "{}",
                            case.name
                        );
                        // Sizes are below 16: within 1e-7 of that, and never late.
                        assert!(
                            hit.initial_depth.is_some() || (-1e-12..1.6e-6).contains(&gap(hit.time)),
                            "{}: {}",
                            case.name,
                            gap(hit.time)
                        );
                        let before = (1..6).map(|k| gap(hit.time * f64::from(k) / 6.0)).fold(f64::INFINITY, f64::min);
                        assert!(hit.time == 0.0 || before > -1.6e-6, "{}: {before} before {}", case.name, hit.time);
                    }
                    None => assert!((0..=8).all(|k| gap(f64::from(k) / 8.0) > -1.6e-6), "{}", case.name),
                }
            }
        }
    }),
];

/// Returns the depth of a point in a convex part without rounding, by the lines of its edges; below 0 outside.
fn inside_by(part: &Outline, p: DVec2) -> f64 {
    let center = part.points.iter().sum::<DVec2>() / part.points.len() as f64;
    let edges = part.points.iter().zip(part.points.iter().cycle().skip(1)).filter(|(q, r)| q != r);
    let heights = edges.map(|(q, r)| {
        let normal = (*r - *q).perp().normalize();
        normal.dot(p - *q) * normal.dot(center - *q).signum()
    });
    if part.points.len() < 3 { -measure::outside(part, p).max(0.0) } else { heights.fold(f64::INFINITY, f64::min) }
}

/// Rounds for every pair of kinds.
const ROUNDS: u64 = 12;

#[test]
fn every_kind_works_with_every_kind_in_every_query() {
    let mut ran = BTreeSet::new();
    let (mut relations, mut as_unions) = ([0; 3], 0);
    for (i, (first, make_first)) in KINDS.iter().enumerate() {
        for (j, (second, make_second)) in KINDS.iter().enumerate() {
            for round in 0..ROUNDS {
                let seed = (i * 100 + j) as u64 * 1000 + round;
                let mut dice = Dice::with_seed(seed);
                let (a, b) = (make_first(&mut dice), make_second(&mut dice));
                let a = a.placed(pose(&mut dice));
                let position = if dice.u8(0..3) == 0 { upon(&mut dice, &b, a) } else { pose(&mut dice) };
                let case = Case::new(a, b.placed(position), format!("{first} and {second}, seed {seed}"));
                relations[case.relation as usize] += 1;
                as_unions += usize::from(case.as_unions);
                for (k, (_, check)) in QUERIES.iter().enumerate() {
                    check(&case);
                    ran.insert((i, j, k));
                }
            }
        }
    }
    assert!(
        relations.iter().all(|&n| n > 60) && as_unions > 0,
        "apart, touching, overlapping: {relations:?}; as unions alone: {as_unions}"
    );
    in_page(&table(&ran));
}

/// The second table of `docs/MATRIX.md` is written by hand: it must have a row for every kind.
#[test]
fn every_kind_has_a_row_with_its_constructor() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/MATRIX.md")).unwrap();
    for (kind, _) in KINDS {
        let row = format!("\n| {kind} | `Shape::");
        assert!(page.contains(&row), "add a row for {kind} to the table \"Kinds of shapes\" of docs/MATRIX.md");
    }
}

/// A row a kind, a column a query: a mark where the kind ran against all kinds.
fn table(ran: &BTreeSet<(usize, usize, usize)>) -> String {
    let mut text = String::from("| each with each |");
    for (name, _) in QUERIES {
        write!(text, " {name} |").unwrap();
    }
    text += "\n|---|";
    text += &":-:|".repeat(QUERIES.len());
    for (i, (kind, _)) in KINDS.iter().enumerate() {
        write!(text, "\n| {kind} |").unwrap();
        for k in 0..QUERIES.len() {
            let full = (0..KINDS.len()).all(|j| ran.contains(&(i, j, k)) && ran.contains(&(j, i, k)));
            text += if full { " ✓ |" } else { " – |" };
        }
    }
    text
}

/// Compares the table between the marks of `docs/MATRIX.md`. `CAROM_BLESS=1` writes it.
fn in_page(table: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/MATRIX.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (start, end) = ("<!-- matrix: written by crates/core/tests/matrix.rs -->\n", "\n<!-- matrix end -->");
    let (before, rest) = page.split_once(start).expect("the page has a mark at the start of the table");
    let (shown, after) = rest.split_once(end).expect("the page has a mark at the end of the table");
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::write(path, [before, start, table, end, after].concat()).unwrap();
    } else {
        let missing: Vec<&str> = table.lines().filter(|row| !shown.lines().any(|line| line == *row)).collect();
        assert!(
            shown == table,
            "the table of docs/MATRIX.md is out of date. New rows: {missing:#?}.\n\
             Write it by CAROM_BLESS=1 cargo test -p carom --test all matrix::"
        );
    }
}
