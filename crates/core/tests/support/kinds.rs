//! All shape kinds, for tests that run on each. Add a new kind here once: to [`Base`] if it is
//! convex, and to [`KINDS`].

use std::fmt::{self, Display, Formatter};

use carom::{DVec2, Error, Mask, Pose, Shape};

use super::dice::Dice;
use super::shapes::ring;

/// The constructor that makes a shape, with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    Circle(f64),
    Segment(DVec2, DVec2),
    Capsule(DVec2, DVec2, f64),
    Rectangle(f64, f64),
    Polygon(Vec<DVec2>),
    Ellipse(f64, f64, f64),
}

impl Base {
    pub fn build(&self) -> Result<Shape, Error> {
        match self {
            Base::Circle(r) => Shape::circle(*r),
            Base::Segment(a, b) => Shape::segment(*a, *b),
            Base::Capsule(a, b, r) => Shape::capsule(*a, *b, *r),
            Base::Rectangle(w, h) => Shape::rectangle(*w, *h),
            Base::Polygon(points) => Shape::convex_polygon(points),
            Base::Ellipse(x, y, deviation) => Shape::ellipse(*x, *y, *deviation),
        }
    }

    /// Any convex kind, about `size` across.
    pub fn any(dice: &mut Dice, size: f64) -> Self {
        match dice.index(12) {
            0 => Self::Circle(if dice.chance(0.2) { 0.0 } else { size / 2.0 }),
            1 => segment(dice, size),
            2 | 3 => capsule(dice, size),
            4..=6 => rectangle(dice, size),
            7 => ellipse(dice, size),
            _ => Self::Polygon(everyday_polygon(dice, size)),
        }
    }
}

impl Display for Base {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let point = |p: &DVec2| format!("[{:?}, {:?}]", p.x, p.y);
        match self {
            Base::Circle(r) => write!(f, "Shape::circle({r:?})?"),
            Base::Segment(a, b) => write!(f, "Shape::segment({}, {})?", point(a), point(b)),
            Base::Capsule(a, b, r) => write!(f, "Shape::capsule({}, {}, {r:?})?", point(a), point(b)),
            Base::Rectangle(w, h) => write!(f, "Shape::rectangle({w:?}, {h:?})?"),
            Base::Polygon(points) => {
                let points: Vec<String> = points.iter().map(point).collect();
                write!(f, "Shape::polygon(&[{}])?", points.join(", "))
            }
            Base::Ellipse(x, y, deviation) => write!(f, "Shape::ellipse({x:?}, {y:?}, {deviation:?})?"),
        }
    }
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

/// Three to twelve vertices as editors write them, in either winding. Some repeat, and some lie in
/// the middle of an edge, so an ulp or two beside it.
fn everyday_polygon(dice: &mut Dice, size: f64) -> Vec<DVec2> {
    let count = dice.count(3, 12);
    let flatness = dice.magnitude(1e-2, 1.0);
    let centre = if dice.chance(0.5) { DVec2::ZERO } else { dice.in_disk(size) };
    let corners: Vec<DVec2> = ring(dice, count, size / 2.0, flatness).iter().map(|p| centre + p).collect();
    let corners = if dice.chance(0.2) { with_redundant_points(dice, &corners) } else { corners };
    if dice.chance(0.5) { corners } else { corners.into_iter().rev().collect() }
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

/// Makes a random shape of one kind.
pub type Make = fn(&mut fastrand::Rng) -> Shape;

/// Every kind by its name in the README, with coordinates of which many are quarters.
pub const KINDS: [(&str, Make); 13] = [
    ("point", |_| Shape::circle(0.0).unwrap()),
    ("circle", |dice| Shape::circle(quarters(dice, 1..5)).unwrap()),
    ("segment", |dice| Shape::segment([0.0, 0.0], [quarters(dice, 1..9), quarters(dice, 0..5)]).unwrap()),
    ("capsule", |dice| Shape::capsule([0.0, 0.0], [quarters(dice, 1..9), 0.0], quarters(dice, 1..4)).unwrap()),
    ("rectangle", |dice| {
        Shape::rectangle(quarters(dice, 1..9), quarters(dice, 1..9)).unwrap().rounded(quarters(dice, 0..2)).unwrap()
    }),
    ("convex polygon", |dice| Shape::polygon(&fan(dice, 3, 0.0)).unwrap().rounded(quarters(dice, 0..2)).unwrap()),
    ("ellipse", |dice| Shape::ellipse(quarters(dice, 2..8), quarters(dice, 2..8), 0.05).unwrap()),
    ("concave polygon", |dice| Shape::polygon(&star(dice)).unwrap().rounded(quarters(dice, 0..2)).unwrap()),
    ("polygon with holes", |_| {
        let frame = [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]];
        Shape::polygon_with_holes(
            &frame,
            &[vec![[-1.5, -1.0], [1.0, -1.0], [1.0, 1.0]], vec![[-1.5, 0.0], [-1.5, 1.0], [-0.5, 1.0]]],
        )
        .unwrap()
    }),
    ("chain", |dice| Shape::chain(&fan(dice, 2, 0.25)).unwrap().rounded(quarters(dice, 0..2)).unwrap()),
    ("closed chain", |dice| Shape::closed_chain(&star(dice)).unwrap()),
    ("compound", |dice| {
        let arm = Shape::rectangle(0.5, 3.0).unwrap();
        let child = |dice: &mut fastrand::Rng| {
            (arm.clone(), Pose::from_degrees([quarters(dice, 0..9), 0.0], 45.0 * quarters(dice, 0..20)).unwrap())
        };
        Shape::compound([child(dice), child(dice), (Shape::polygon(&star(dice)).unwrap(), Pose::IDENTITY)]).unwrap()
    }),
    ("pixel mask", |dice| {
        loop {
            let mask = Mask::from_fn(9, 6, |_, _| dice.u8(0..3) > 0).unwrap();
            if mask.count() > 0 {
                return Shape::mask(mask).unwrap().scaled(0.5, [0.5, -0.5][dice.usize(0..2)]).unwrap();
            }
        }
    }),
];

/// A random number of quarters: on such a grid touching is common.
fn quarters(dice: &mut fastrand::Rng, range: std::ops::Range<u32>) -> f64 {
    f64::from(dice.u32(range)) / 4.0
}

/// Points on a half turn about the origin, convex unless `wobble` moves them.
fn fan(dice: &mut fastrand::Rng, least: usize, wobble: f64) -> Vec<DVec2> {
    let n = dice.usize(least..8);
    let at =
        |i: usize, dice: &mut fastrand::Rng| DVec2::from_angle(i as f64 * 3.0 / n as f64) * (2.0 + wobble * dice.f64());
    (0..n).map(|i| at(i, dice)).collect()
}

fn star(dice: &mut fastrand::Rng) -> Vec<DVec2> {
    let n = dice.usize(5..12);
    (0..n).map(|i| DVec2::from_angle(i as f64 * std::f64::consts::TAU / n as f64) * (0.5 + 1.5 * dice.f64())).collect()
}
