//! `within_distance` of points, segments, chains, polygons and compounds with integer coordinates. Compares it with the
//! distance in rational numbers, for limits at the distance and next to it.
//!
//! `CAROM_PAIRS` sets the number of pairs, `CAROM_SEED` selects them.

use carom::query::within_distance;
use carom::{DVec2, Pose, Shape, distance};
use dashu_int::IBig;

use crate::support::dice::{Dice, ulps_off};
use crate::support::integer::{in_units, lowest_bit};
use crate::support::outlines;
use crate::support::run::{pairs, seed};

type Point = [i64; 2];

/// A shape and the segments of its boundary.
struct Drawn {
    shape: Shape,
    segments: Vec<[Point; 2]>,
}

/// A squared distance: numerator and denominator.
type Square = (i64, i64);

fn dot(u: Point, v: Point) -> i64 {
    u[0] * v[0] + u[1] * v[1]
}

/// Returns the squared distance of a point from a segment, by the foot of the perpendicular.
fn from_segment(point: Point, [p, q]: [Point; 2]) -> Square {
    let minus = |u: Point, v: Point| [u[0] - v[0], u[1] - v[1]];
    let (along, offset) = (minus(q, p), minus(point, p));
    let (part, whole) = (dot(along, offset), dot(along, along));
    if part <= 0 {
        (dot(offset, offset), 1)
    } else if part >= whole {
        (dot(minus(point, q), minus(point, q)), 1)
    } else {
        let area = along[0] * offset[1] - along[1] * offset[0];
        (area * area, whole)
    }
}

/// Returns the squared distance of two boundaries that are apart.
fn square(a: &Drawn, b: &Drawn) -> Square {
    let least = |a: &Drawn, b: &Drawn| {
        let ends = a.segments.iter().flatten();
        let all = ends.flat_map(|&end| b.segments.iter().map(move |&segment| from_segment(end, segment)));
        all.min_by(|(n, d), (m, e)| (n * e).cmp(&(m * d))).unwrap()
    };
    let (p, q) = (least(a, b), least(b, a));
    if p.0 * q.1 <= q.0 * p.1 { p } else { q }
}

/// Returns true if the root of a rational number is at most a limit, by integers.
fn is_within((numerator, denominator): Square, limit: f64) -> bool {
    let Some(unit) = lowest_bit(limit) else { return numerator == 0 };
    let bits = usize::try_from(-2 * unit.min(0)).unwrap();
    let limit = in_units(limit, unit.min(0));
    IBig::from(numerator) << bits <= &limit * &limit * IBig::from(denominator)
}

/// Returns a random shape at `x` or to the right of it.
fn draw(dice: &mut Dice, x: i32) -> Drawn {
    let [dx, dy] = [x + dice.whole(0, 3), dice.whole(-9, 9)];
    let point = |dice: &mut Dice| DVec2::new(f64::from(dx + dice.whole(0, 9)), f64::from(dy + dice.whole(0, 9)));
    let rings = |dice: &mut Dice| loop {
        let offset = DVec2::new(f64::from(dx), f64::from(dy));
        let Some(rings) = outlines::lattice(dice) else { continue };
        let least = rings[0].iter().copied().reduce(DVec2::min).unwrap();
        return rings.iter().map(|ring| ring.iter().map(|&p| p - least + offset).collect()).collect::<Vec<Vec<_>>>();
    };
    let to_polygon = |rings: &[Vec<DVec2>]| Shape::polygon_with_holes(&rings[0], &rings[1..]).unwrap();
    let integers = |p: DVec2| [p.x as i64, p.y as i64];
    let of_ring = |ring: &Vec<DVec2>| -> Vec<[Point; 2]> {
        (0..ring.len()).map(|i| [integers(ring[i]), integers(ring[(i + 1) % ring.len()])]).collect()
    };
    match dice.index(5) {
        0 => {
            let p = point(dice);
            Drawn { shape: Shape::segment(p, p).unwrap(), segments: vec![[integers(p); 2]] }
        }
        1 => {
            let [p, q] = [point(dice), point(dice)];
            Drawn { shape: Shape::segment(p, q).unwrap(), segments: vec![[integers(p), integers(q)]] }
        }
        2 => {
            let points: Vec<DVec2> = (0..dice.count(3, 8)).map(|_| point(dice)).collect();
            let segments = points.windows(2).map(|two| [integers(two[0]), integers(two[1])]).collect();
            Shape::chain(&points).map_or_else(|_| draw(dice, x), |shape| Drawn { shape, segments })
        }
        3 => {
            let rings = rings(dice);
            Drawn { shape: to_polygon(&rings), segments: rings.iter().flat_map(of_ring).collect() }
        }
        _ => {
            let all: Vec<_> = (0..dice.count(2, 4)).map(|_| draw(dice, x)).collect();
            let children = all.iter().map(|one| (one.shape.clone(), Pose::IDENTITY));
            Drawn {
                shape: Shape::compound(children).unwrap(),
                segments: all.iter().flat_map(|one| one.segments.clone()).collect(),
            }
        }
    }
}

#[test]
fn it_is_exact() {
    let (mut exactly, mut corrected) = (0, 0);
    for index in 0..pairs(20_000) {
        let mut dice = Dice::new(seed(), index);
        let a = draw(&mut dice, 0);
        let right = a.segments.iter().flatten().map(|p| p[0]).max().unwrap() as i32;
        let b = draw(&mut dice, right + 1);
        let square = square(&a, &b);
        let root = (square.0 as f64 / square.1 as f64).sqrt();
        let mut turned = |p: f64| ulps_off(p, dice.whole(-3, 3));
        let limits = [root, turned(root), root.round(), root.floor(), root.ceil(), f64::MAX, -root];
        let [p, q] = [&a, &b].map(|drawn| drawn.shape.placed(Pose::IDENTITY));
        let gap = distance(p, q).distance;
        for limit in limits {
            let expected = limit >= 0.0 && is_within(square, limit);
            assert_eq!(
                within_distance(p, q, limit),
                expected,
                "{index}: {square:?}, {limit}\n{:?}\n{:?}",
                a.segments,
                b.segments
            );
            assert_eq!(within_distance(q, p, limit), expected, "{index}, reversed");
            corrected += usize::from((gap <= limit) != expected);
            exactly += usize::from(limit == root && expected && !is_within(square, root.next_down()));
        }
    }
    // Distances that are floating-point numbers, and limits that the rounded distance decides wrongly.
    assert!(exactly > 1000 && corrected > 100, "{exactly}, {corrected}");
}

#[test]
fn limits_that_are_no_lengths() {
    let at = |x: f64| Shape::segment([x, 0.0], [x, 0.0]).unwrap();
    let [a, b] = [at(0.0), at(1.0)];
    let [p, q] = [&a, &b].map(|shape| shape.placed(Pose::IDENTITY));
    for (limit, expected) in [(0.0, false), (-1.0, false), (f64::NAN, false), (f64::INFINITY, true), (1.0, true)] {
        assert_eq!(within_distance(p, q, limit), expected, "{limit}");
    }
    assert!(within_distance(p, p, 0.0) && within_distance(p, p, -0.0) && !within_distance(p, p, -1e-300));
}
