//! The boundary of a union of polygons with integer vertices, around a rational point. All
//! decisions are made in integers.

use carom::DVec2;

pub type Whole = [i64; 2];
type Big = [i128; 2];

/// A step away from a point is one part in so many: shorter than the distance to any edge that does not pass the point.
const STEPS: i128 = 10_000_000_000;

/// A point with rational coordinates: `numerators / denominator`.
#[derive(Clone, Copy, Debug)]
pub struct Rational {
    pub numerators: Big,
    pub denominator: i128,
}

/// An open sector around a point, outside the union, counter-clockwise from `first` to `last`. Both
/// are directions of boundary edges.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    first: Big,
    last: Big,
}

fn cross(u: Big, v: Big) -> i128 {
    u[0] * v[1] - u[1] * v[0]
}

fn dot(u: Big, v: Big) -> i128 {
    u[0] * v[0] + u[1] * v[1]
}

fn minus(u: Big, v: Big) -> Big {
    [u[0] - v[0], u[1] - v[1]]
}

fn reduced(u: Big) -> Big {
    let (mut a, mut b) = (u[0].abs(), u[1].abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    u.map(|x| x / a.max(1))
}

/// Returns true if `u` comes strictly before `v`, counter-clockwise from `from`.
fn comes_first(from: Big, u: Big, v: Big) -> bool {
    let half = |w: Big| cross(from, w) < 0 || (cross(from, w) == 0 && dot(from, w) < 0);
    if half(u) == half(v) { cross(u, v) > 0 } else { half(v) }
}

/// Returns true if a polygon (or a segment, as two points) holds a point, its boundary included.
fn holds(polygon: &[Whole], p: Big, scale: i128) -> bool {
    let mut odd = false;
    for (i, &a) in polygon.iter().enumerate() {
        let [a, b] = [a, polygon[(i + 1) % polygon.len()]].map(|q| q.map(|v| i128::from(v) * scale));
        let side = cross(minus(b, a), minus(p, a));
        if side == 0 && dot(minus(a, p), minus(b, p)) <= 0 {
            return true;
        }
        odd ^= (a[1] <= p[1] && p[1] < b[1] && side > 0) || (b[1] <= p[1] && p[1] < a[1] && side < 0);
    }
    odd
}

/// Returns true if the union holds a point, its boundary included.
pub fn union_contains(polygons: &[Vec<Whole>], at: Rational) -> bool {
    polygons.iter().any(|polygon| holds(polygon, at.numerators, at.denominator))
}

/// Returns the sectors around a point that lie outside the union; none if all that is near belongs to it.
pub fn gaps(polygons: &[Vec<Whole>], at: Rational) -> Vec<Gap> {
    let (p, scale) = (at.numerators, at.denominator);
    let mut directions: Vec<Big> = vec![[1, 0], [0, 1], [-1, 0], [0, -1]];
    for polygon in polygons {
        for (i, &a) in polygon.iter().enumerate() {
            let ends = [a, polygon[(i + 1) % polygon.len()]].map(|q| minus(q.map(|v| i128::from(v) * scale), p));
            if cross(ends[0], ends[1]) == 0 && dot(ends[0], ends[1]) <= 0 {
                directions.extend(ends.into_iter().filter(|&end| end != [0, 0]).map(reduced));
            }
        }
    }
    directions.sort_by(|&u, &v| {
        if u == v { std::cmp::Ordering::Equal } else { comes_first([1, 0], v, u).cmp(&comes_first([1, 0], u, v)) }
    });
    directions.dedup();
    let is_free = |ray: Big| {
        let stepped =
            Rational { numerators: [p[0] * STEPS + ray[0], p[1] * STEPS + ray[1]], denominator: scale * STEPS };
        !union_contains(polygons, stepped)
    };
    let n = directions.len();
    let next = |i: usize| directions[(i + 1) % n];
    let after = |i: usize| is_free([directions[i][0] + next(i)[0], directions[i][1] + next(i)[1]]);
    let starts: Vec<usize> = (0..n).filter(|&i| !is_free(directions[i]) && after(i)).collect();
    let end_of = |start: usize| (start + 1..=start + n).map(|i| i % n).find(|&i| !is_free(directions[i])).unwrap();
    starts.iter().map(|&start| Gap { first: directions[start], last: directions[end_of(start)] }).collect()
}

impl Gap {
    /// Returns true if the gap holds a direction.
    pub fn holds(&self, direction: Whole) -> bool {
        let ray = direction.map(i128::from);
        let is_first = cross(self.first, ray) == 0 && dot(self.first, ray) > 0;
        !is_first && (self.first == self.last || comes_first(self.first, ray, self.last))
    }

    /// Returns true if `normal` is an outward normal of the boundary along this gap. It is a normal
    /// of one of both edges, or lies between them at a convex vertex.
    pub fn has_outward_normal(&self, normal: DVec2, tolerance: f64) -> bool {
        let float = |v: Big| DVec2::new(v[0] as f64, v[1] as f64).normalize();
        let (first, last) = (float(self.first).perp(), -float(self.last).perp());
        if cross(self.first, self.last) > 0 {
            return normal.distance(first) <= tolerance || normal.distance(last) <= tolerance;
        }
        first.perp_dot(normal) >= -tolerance
            && normal.perp_dot(last) >= -tolerance
            && first.dot(normal).max(last.dot(normal)) >= -tolerance
    }
}
