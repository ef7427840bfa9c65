//! Rays and polygons with integer coordinates: intersections as fractions.

use carom::DVec2;

use crate::support::dice::Dice;

/// A fraction in lowest or other terms, its denominator above 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fraction(pub(crate) i64, pub(crate) i64);

impl Fraction {
    pub(crate) fn new(numerator: i64, denominator: i64) -> Self {
        if denominator < 0 { Self(-numerator, -denominator) } else { Self(numerator, denominator) }
    }

    pub(crate) fn compare(self, other: Self) -> std::cmp::Ordering {
        (i128::from(self.0) * i128::from(other.1)).cmp(&(i128::from(other.0) * i128::from(self.1)))
    }

    pub(crate) fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

pub(crate) type Whole = [i64; 2];

pub(crate) fn minus(p: Whole, q: Whole) -> Whole {
    [p[0] - q[0], p[1] - q[1]]
}

pub(crate) fn cross(u: Whole, v: Whole) -> i64 {
    u[0] * v[1] - u[1] * v[0]
}

pub(crate) fn dot(u: Whole, v: Whole) -> i64 {
    u[0] * v[0] + u[1] * v[1]
}

/// The first time that the segment o → e shares a point with the segment a → b.
pub(crate) fn meets_edge(o: Whole, e: Whole, a: Whole, b: Whole) -> Option<Fraction> {
    let (translation, edge, from) = (minus(e, o), minus(b, a), minus(a, o));
    let area = cross(translation, edge);
    if area != 0 {
        let (time, along) = (Fraction::new(cross(from, edge), area), Fraction::new(cross(from, translation), area));
        let within = |f: Fraction| (0..=f.1).contains(&f.0);
        return (within(time) && within(along)).then_some(time);
    }
    if cross(translation, from) != 0 {
        return None;
    }
    let square = dot(translation, translation);
    let (s, t) = (dot(from, translation), dot(minus(b, o), translation));
    let (first, last) = (s.min(t).max(0), s.max(t).min(square));
    (first <= last).then(|| Fraction::new(first, square))
}

/// Returns whether a point is inside a polygon, by the number of edges that a horizontal ray
/// crosses. Not for points on the boundary.
pub(crate) fn crossings_are_odd(p: Whole, outline: &[Whole]) -> bool {
    let crossed = |a: Whole, b: Whole| {
        let (low, high) = if a[1] < b[1] { (a, b) } else { (b, a) };
        low[1] <= p[1] && p[1] < high[1] && cross(minus(high, low), minus(p, low)) > 0
    };
    edges(outline).filter(|&[a, b]| crossed(a, b)).count() % 2 == 1
}

pub(crate) fn edges(outline: &[Whole]) -> impl Iterator<Item = [Whole; 2]> {
    outline.iter().zip(outline.iter().cycle().skip(1)).map(|(&a, &b)| [a, b])
}

pub(crate) fn float(p: Whole) -> DVec2 {
    DVec2::new(p[0] as f64, p[1] as f64)
}

/// A ray between two whole points near to `points`: often through a vertex, along an edge, or from on the boundary.
pub(crate) fn whole_ray(dice: &mut Dice, points: &[Whole], range: i32) -> [Whole; 2] {
    let anywhere = |dice: &mut Dice| [dice.whole(-range, range), dice.whole(-range, range)].map(i64::from);
    let vertex = |dice: &mut Dice| points[dice.index(points.len())];
    match dice.index(5) {
        0 => [anywhere(dice), vertex(dice)],
        1 => [vertex(dice), anywhere(dice)],
        2 => {
            let (from, over) = (anywhere(dice), vertex(dice));
            [from, [2 * over[0] - from[0], 2 * over[1] - from[1]]]
        }
        3 => {
            let i = dice.index(points.len());
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            let (s, t) = (i64::from(dice.whole(-2, 1)), i64::from(dice.whole(0, 3)));
            let along = |k: i64| [a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k];
            [along(s), along(t)]
        }
        _ => [anywhere(dice), anywhere(dice)],
    }
}

pub(crate) fn point_on_edge(p: Whole, a: Whole, b: Whole) -> Option<Fraction> {
    let on = cross(minus(b, a), minus(p, a)) == 0 && dot(minus(a, p), minus(b, p)) <= 0;
    on.then_some(Fraction(0, 1))
}

/// An outline of whole points that does not cross itself: a hill side above a base line, or a star.
pub(crate) fn whole_outline(dice: &mut Dice, count: usize) -> Vec<Whole> {
    if dice.chance(0.5) {
        let hills = (0..count).map(|i| [i as i64 - count as i64 / 2, i64::from(dice.whole(0, 20))]);
        return [[count as i64 / 2 - 1, -5], [-(count as i64) / 2, -5]]
            .into_iter()
            .rev()
            .chain(hills.rev())
            .rev()
            .collect();
    }
    let star = (0..count).map(|i| {
        let (sin, cos) = libm::sincos(i as f64 * std::f64::consts::TAU / count as f64);
        let range = dice.between(4.0, 12.0) * (count as f64).clamp(8.0, 200.0);
        [(cos * range) as i64, (sin * range) as i64]
    });
    star.collect()
}

/// Returns true if p / d lies in the outline or on it.
pub(crate) fn point_in(p: [i128; 2], d: i128, outline: &[Whole]) -> bool {
    let mut odd = false;
    for [a, b] in edges(outline) {
        let [a, b] = [a, b].map(|q| q.map(|v| i128::from(v) * d));
        let side = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let between = (a[0] - p[0]) * (b[0] - p[0]) + (a[1] - p[1]) * (b[1] - p[1]) <= 0;
        if side == 0 && between {
            return true;
        }
        let up = a[1] <= p[1] && p[1] < b[1];
        let down = b[1] <= p[1] && p[1] < a[1];
        odd ^= (up && side > 0) || (down && side < 0);
    }
    odd
}
