//! Exact oracle: decides whether two convex shapes intersect, in integers, by the definition alone.
//!
//! A placed shape is the convex hull of its points, grown by its radius. Let `D` be the Minkowski
//! difference of the two hulls and `R` the sum of the radii. The shapes intersect if the origin
//! lies within `R` of `D`. They overlap if it lies in the interior of `D` grown by `R`.
//!
//! Every coordinate and radius is an integer multiple of one power of two, so all arithmetic is in
//! integers. There is no rounding, division or root, and no code of the tested library.

use std::cmp::Ordering;

use carom::{DVec2, Placed, Shape};
use dashu_int::IBig;

use super::integer::{self, Float};

/// Relation of two closed sets: disjoint, touching or overlapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// No point in common.
    Apart,
    /// Points in common, yet the least push parts them.
    Touching,
    /// The origin is in the interior of the Minkowski difference.
    Overlapping,
}

/// A placed shape as the definition sees it: points and a radius.
#[derive(Clone, Debug)]
pub struct Outline {
    pub points: Vec<DVec2>,
    pub radius: f64,
}

impl Outline {
    /// Places every point of a shape with six rounded operations, in the order of the definition.
    pub fn of(placed: Placed<'_>) -> Self {
        let (c, s, t) = (placed.pose().cos(), placed.pose().sin(), placed.pose().translation());
        let position = |p: &DVec2| DVec2::new((c * p.x - s * p.y) + t.x, (s * p.x + c * p.y) + t.y);
        Self { points: placed.shape().points().iter().map(position).collect(), radius: placed.shape().radius() }
    }

    /// The parts of a placed shape: a compound of the shape at its pose has its parts with their
    /// composed poses.
    pub fn of_parts(placed: Placed<'_>) -> Vec<Self> {
        let whole = Shape::compound([(placed.shape().clone(), placed.pose())]).unwrap();
        whole.parts().map(|(part, pose)| Self::of(part.placed(pose))).collect()
    }

    /// A single point.
    pub fn point(p: DVec2) -> Self {
        Self { points: vec![p], radius: 0.0 }
    }
}

/// Shorthand for the relation of two placed shapes.
pub fn relation(a: Placed<'_>, b: Placed<'_>) -> Relation {
    Difference::of(&Outline::of(a), &Outline::of(b)).relation()
}

/// A point, or the vector between two, in units of the common power of two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lattice {
    x: IBig,
    y: IBig,
}

impl Lattice {
    fn plus(&self, o: &Self) -> Self {
        Self { x: &self.x + &o.x, y: &self.y + &o.y }
    }

    fn minus(&self, o: &Self) -> Self {
        Self { x: &self.x - &o.x, y: &self.y - &o.y }
    }

    fn cross(&self, o: &Self) -> IBig {
        &self.x * &o.y - &self.y * &o.x
    }

    fn dot(&self, o: &Self) -> IBig {
        &self.x * &o.x + &self.y * &o.y
    }

    /// Compares edges of a counter-clockwise polygon that starts at its lowest point in (x, y)
    /// order. The order is by direction, from straight down (excluded) around to straight down.
    fn by_direction(&self, o: &Self) -> Ordering {
        let turned_back = |v: &Self| v.x < IBig::ZERO || (v.x == IBig::ZERO && v.y < IBig::ZERO);
        turned_back(self).cmp(&turned_back(o)).then_with(|| IBig::ZERO.cmp(&self.cross(o)))
    }
}

/// The Minkowski difference `a − b` of two hulls, and the radius by which it grows.
#[derive(Debug)]
pub struct Difference {
    /// Strictly convex, counter-clockwise; one point, two points (a segment) or a polygon.
    corners: Vec<Lattice>,
    radius: IBig,
    /// One unit of the integers is two to this power.
    exponent: i32,
}

impl Difference {
    /// Returns the difference of two placed shapes.
    pub fn of(a: &Outline, b: &Outline) -> Self {
        Self::within(a, b, 0.0)
    }

    /// Returns the difference of two placed shapes, grown by a margin. It contains the origin if and
    /// only if the distance of the shapes is at most the margin.
    pub fn within(a: &Outline, b: &Outline, margin: f64) -> Self {
        let numbers = |o: &Outline| {
            let points = o.points.iter().flat_map(|p| [p.x, p.y]).collect::<Vec<_>>();
            points.into_iter().chain([o.radius])
        };
        let numbers = numbers(a).chain(numbers(b)).chain([margin]);
        let exponent = numbers.filter_map(integer::lowest_bit).min().unwrap_or(0);
        let whole = |v: f64| integer::in_units(v, exponent);
        let lattice = |p: &DVec2, sign: f64| Lattice { x: whole(sign * p.x), y: whole(sign * p.y) };
        let hull_a = hull(a.points.iter().map(|p| lattice(p, 1.0)).collect());
        let hull_b = hull(b.points.iter().map(|p| lattice(p, -1.0)).collect());
        let radius = whole(a.radius) + whole(b.radius) + whole(margin);
        Self { corners: sum(&hull_a, &hull_b), radius, exponent }
    }

    /// The difference of two placed shapes that have moved for a time, without a rounding.
    pub fn moved(a: &Outline, b: &Outline, [d, e]: [DVec2; 2], time: f64) -> Self {
        let numbers = |o: &Outline| {
            let points = o.points.iter().flat_map(|p| [p.x, p.y]).collect::<Vec<_>>();
            points.into_iter().chain([o.radius])
        };
        let displacements = [d.x, d.y, e.x, e.y].into_iter().filter_map(|v| integer::lowest_bit_of_product(time, v));
        let exponent =
            numbers(a).chain(numbers(b)).filter_map(integer::lowest_bit).chain(displacements).min().unwrap_or(0);
        let whole = |v: f64| integer::in_units(v, exponent);
        let position = |p: f64, displacement: f64| whole(p) + integer::product_in_units(time, displacement, exponent);
        let hull_a = hull(a.points.iter().map(|p| Lattice { x: position(p.x, d.x), y: position(p.y, d.y) }).collect());
        let hull_b =
            hull(b.points.iter().map(|p| Lattice { x: -position(p.x, e.x), y: -position(p.y, e.y) }).collect());
        Self { corners: sum(&hull_a, &hull_b), radius: whole(a.radius) + whole(b.radius), exponent }
    }

    /// The exact answer.
    pub fn relation(&self) -> Relation {
        let round = self.radius > IBig::ZERO;
        match self.side_of_origin() {
            Side::Inside => Relation::Overlapping,
            Side::Boundary if round => Relation::Overlapping,
            Side::Boundary => Relation::Touching,
            Side::Outside if !round => Relation::Apart,
            Side::Outside => match self.nearest_against_radius() {
                Ordering::Less => Relation::Overlapping,
                Ordering::Equal => Relation::Touching,
                Ordering::Greater => Relation::Apart,
            },
        }
    }

    /// The gap between the shapes, or minus the depth of their overlap, right to a few ulp.
    /// For the laws only: the relation never looks at it.
    pub fn gap(&self) -> f64 {
        let radius = integer::to_float(&self.radius).times_power(self.exponent);
        match self.side_of_origin() {
            Side::Inside => {
                let depths = self.edges().map(|(p, q)| self.distance_to_line(p, q));
                -(depths.fold(f64::INFINITY, f64::min) + radius)
            }
            Side::Boundary => -radius,
            Side::Outside => {
                let to_corners = self.corners.iter().map(|p| self.length(&p.dot(p)));
                let to_edges =
                    self.edges().filter(|(p, q)| faces_origin(p, q)).map(|(p, q)| self.distance_to_line(p, q));
                to_corners.chain(to_edges).fold(f64::INFINITY, f64::min) - radius
            }
        }
    }

    fn edges(&self) -> impl Iterator<Item = (&Lattice, &Lattice)> {
        self.corners.iter().zip(self.corners.iter().cycle().skip(1))
    }

    fn side_of_origin(&self) -> Side {
        let boundary = |on: bool| if on { Side::Boundary } else { Side::Outside };
        match &self.corners[..] {
            [p] => boundary(p.x == IBig::ZERO && p.y == IBig::ZERO),
            [p, q] => boundary(p.cross(q) == IBig::ZERO && p.dot(q) <= IBig::ZERO),
            _ => match self.edges().map(|(p, q)| p.cross(q)).min().expect("has edges").cmp(&IBig::ZERO) {
                Ordering::Greater => Side::Inside,
                Ordering::Equal => Side::Boundary,
                Ordering::Less => Side::Outside,
            },
        }
    }

    /// The distance from the origin, which is outside, to the polygon, compared with the radius.
    fn nearest_against_radius(&self) -> Ordering {
        let square = &self.radius * &self.radius;
        let corners = self.corners.iter().map(|p| p.dot(p).cmp(&square));
        let edges = self.edges().filter(|(p, q)| faces_origin(p, q)).map(|(p, q)| {
            let (edge, area) = (q.minus(p), p.cross(q));
            (&area * &area).cmp(&(&square * edge.dot(&edge)))
        });
        corners.chain(edges).min().expect("has corners")
    }

    fn distance_to_line(&self, p: &Lattice, q: &Lattice) -> f64 {
        let edge = q.minus(p);
        let area = integer::to_float(&p.cross(q)).abs();
        area.over(integer::to_float(&edge.dot(&edge)).sqrt()).times_power(self.exponent)
    }

    fn length(&self, square: &IBig) -> f64 {
        let root: Float = integer::to_float(square).sqrt();
        root.times_power(self.exponent)
    }
}

/// Position of the origin. A point or a segment consists only of its boundary.
enum Side {
    Inside,
    Boundary,
    Outside,
}

/// Returns true if the origin projects strictly between `p` and `q`, on the outer side.
fn faces_origin(p: &Lattice, q: &Lattice) -> bool {
    let edge = q.minus(p);
    p.cross(q) <= IBig::ZERO && p.dot(&edge) < IBig::ZERO && q.dot(&edge) > IBig::ZERO
}

/// Strictly convex hull, counter-clockwise from the lowest point in (x, y) order (monotone chain).
fn hull(mut points: Vec<Lattice>) -> Vec<Lattice> {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut corners = half_hull(points.iter());
    let upper = half_hull(points.iter().rev());
    corners.pop();
    corners.extend(upper);
    corners.pop();
    corners
}

fn half_hull<'a>(points: impl Iterator<Item = &'a Lattice>) -> Vec<Lattice> {
    let mut chain: Vec<Lattice> = Vec::new();
    for p in points {
        while let [.., o, m] = &chain[..]
            && m.minus(o).cross(&p.minus(o)) <= IBig::ZERO
        {
            chain.pop();
        }
        chain.push(p.clone());
    }
    chain
}

/// Minkowski sum of two hulls: their edges merged by direction, equal directions joined.
fn sum(a: &[Lattice], b: &[Lattice]) -> Vec<Lattice> {
    let (edges_a, edges_b) = (edges_of(a), edges_of(b));
    let (mut i, mut j) = (0, 0);
    let mut corners = vec![a[0].plus(&b[0])];
    while i < edges_a.len() || j < edges_b.len() {
        let order = match (edges_a.get(i), edges_b.get(j)) {
            (Some(e), Some(f)) => e.by_direction(f),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let mut corner = corners[corners.len() - 1].clone();
        if order.is_le() {
            corner = corner.plus(&edges_a[i]);
            i += 1;
        }
        if order.is_ge() {
            corner = corner.plus(&edges_b[j]);
            j += 1;
        }
        corners.push(corner);
    }
    if corners.len() > 1 {
        corners.pop(); // back at the start
    }
    corners
}

fn edges_of(corners: &[Lattice]) -> Vec<Lattice> {
    if corners.len() < 2 {
        return Vec::new();
    }
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(p, q)| q.minus(p)).collect()
}
