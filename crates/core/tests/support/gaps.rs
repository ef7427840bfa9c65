//! Draws shapes with integer coordinates that are apart, and computes their distance in rational numbers.

use carom::{DVec2, Pose, Shape};
use dashu_int::IBig;

use super::dice::Dice;
use super::integer::{in_units, lowest_bit};
use super::outlines;

pub type Point = [i64; 2];

/// A shape and the segments of its boundary.
pub struct Drawn {
    pub shape: Shape,
    pub segments: Vec<[Point; 2]>,
}

/// A squared distance: numerator and denominator.
pub type Square = (i64, i64);

fn dot(u: Point, v: Point) -> i64 {
    u[0] * v[0] + u[1] * v[1]
}

/// Returns the squared distance of a point from a segment, by the foot of the perpendicular.
pub fn from_segment(point: Point, [p, q]: [Point; 2]) -> Square {
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
pub fn square(a: &Drawn, b: &Drawn) -> Square {
    let least = |a: &Drawn, b: &Drawn| {
        let ends = a.segments.iter().flatten();
        let all = ends.flat_map(|&end| b.segments.iter().map(move |&segment| from_segment(end, segment)));
        all.min_by(|(n, d), (m, e)| (n * e).cmp(&(m * d))).unwrap()
    };
    let (p, q) = (least(a, b), least(b, a));
    if p.0 * q.1 <= q.0 * p.1 { p } else { q }
}

/// Returns true if the root of a rational number is at most a limit, by integers.
pub fn is_within((numerator, denominator): Square, limit: f64) -> bool {
    let Some(unit) = lowest_bit(limit) else { return numerator == 0 };
    let bits = usize::try_from(-2 * unit.min(0)).unwrap();
    let limit = in_units(limit, unit.min(0));
    IBig::from(numerator) << bits <= &limit * &limit * IBig::from(denominator)
}

/// Returns a random shape at `x` or to the right of it.
pub fn draw(dice: &mut Dice, x: i32) -> Drawn {
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
