//! The iterations of the algorithm of Gilbert, Johnson and Keerthi, as [`gjk`](crate::query::gjk) runs them.

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::vector::{cross, length, unit};
use crate::query::gjk::{Iteration, Nearest, SupportPoint, nearest_observed};
use crate::query::minkowski::MinkowskiDifference;
use crate::query::pair::Pair;
use crate::query::{Distance, distance};
use crate::shape::Placed;
use crate::shape::part::Part;

/// The iterations of GJK for two shapes: how a simplex in their Minkowski difference A − B finds the origin, or what is nearest to it.
///
/// The difference is that of the two hulls, radii left out: the shapes meet where the hulls' distance is no more than [`radius`](Self::radius). Of composites it is about the two parts
/// that are nearest or meet.
///
/// The same loop, over integers, is what decides [`intersects`](crate::intersects) where floating point cannot; over `f64`, as here, it finds a point that two shapes share, and
/// quick answers for shapes of many vertices. (What [`distance`](crate::distance) and [`collide`](crate::collide) measure comes from the edges: see [`explain_sat`](crate::explain_sat).)
///
/// ```
/// use carom::Shape;
/// use carom::explain::explain_gjk;
///
/// let (square, kite) = (Shape::rectangle(2.0, 2.0)?, Shape::polygon(&[[0.0, 0.0], [2.0, -1.0], [3.0, 0.0], [2.0, 1.0]])?);
/// let why = explain_gjk(square.at([0.0, 0.0])?, kite.at([1.5, 0.5])?);
/// for step in why.steps() {
///     println!("{:?}, at most {} from the origin, at least {}", step.simplex(), step.upper_bound, step.lower_bound);
/// }
/// assert_eq!((why.intersects(), why.distance()), (false, 0.5));
/// assert_eq!(why.steps().last().map(|step| (step.lower_bound, step.upper_bound)), Some((0.5, 0.5))); // nothing is nearer
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GjkExplanation {
    steps: Vec<GjkStep>,
    simplex: Simplex,
    contains_origin: bool,
    difference: Vec<DVec2>,
    radius: f64,
    found: Distance,
}

/// A corner of A − B: a vertex of the first shape minus one of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GjkPoint {
    /// The vertex of the first shape, placed.
    pub point_a: DVec2,
    /// The vertex of the second shape, placed.
    pub point_b: DVec2,
    /// Its number, as the first shape's input gave it.
    pub vertex_a: u32,
    /// Its number, as the second shape's input gave it.
    pub vertex_b: u32,
}

impl GjkPoint {
    /// The corner of A − B, in the directions of the world.
    #[must_use]
    pub fn difference(&self) -> DVec2 {
        self.point_a - self.point_b
    }
}

/// One iteration: a simplex, where it looks for a corner nearer to the origin, and what is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GjkStep {
    simplex: Simplex,
    /// Unit vector from the simplex toward the origin, in the directions of the world.
    pub direction: DVec2,
    /// The corner of A − B that is farthest along it.
    pub support: GjkPoint,
    /// How far the simplex is from the origin: the hulls are no farther apart.
    pub upper_bound: f64,
    /// How far from the origin the line across `direction` through `support` is: the hulls are no nearer to each other. Below 0 it proves nothing.
    pub lower_bound: f64,
}

impl GjkStep {
    /// The one or two corners of A − B that the step starts from.
    #[must_use]
    pub fn simplex(&self) -> &[GjkPoint] {
        self.simplex.points()
    }
}

/// One to three corners.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Simplex {
    points: [GjkPoint; 3],
    count: usize,
}

impl Simplex {
    fn points(&self) -> &[GjkPoint] {
        &self.points[..self.count]
    }
}

impl GjkExplanation {
    /// The iterations, in order.
    #[must_use]
    pub fn steps(&self) -> &[GjkStep] {
        &self.steps
    }

    /// The last simplex: a triangle, segment or point of A − B that holds the origin, or a segment or point that is nearest to it.
    #[must_use]
    pub fn simplex(&self) -> &[GjkPoint] {
        self.simplex.points()
    }

    /// Did the loop, in `f64`, find the origin in the last simplex: do the hulls meet?
    #[must_use]
    pub fn contains_origin(&self) -> bool {
        self.contains_origin
    }

    /// The outline of A − B, counter-clockwise: one point where both shapes are points, two where the difference has no area.
    #[must_use]
    pub fn difference(&self) -> &[DVec2] {
        &self.difference
    }

    /// The sum of the radii, by which A − B is grown.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The parts that it is about.
    #[must_use]
    pub fn parts(&self) -> [u32; 2] {
        [self.found.part_a, self.found.part_b]
    }

    /// Do the shapes share a point? Exact.
    #[must_use]
    pub fn intersects(&self) -> bool {
        self.found.distance == 0.0
    }

    /// How far apart the shapes are, radii included, as [`distance`](crate::distance) says.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.found.distance
    }
}

/// The iterations of GJK for two shapes, to be read or drawn.
#[must_use]
pub fn explain_gjk(a: Placed<'_>, b: Placed<'_>) -> GjkExplanation {
    let found = distance(a, b);
    let pair = Pair::new(a.part(found.part_a), b.part(found.part_b));
    let hulls = MinkowskiDifference::new(&pair);
    let mut steps = Vec::new();
    let last = nearest_observed::<f64, false>(&hulls, hulls.corner(0, 0), |turn| steps.push(step(&pair, &turn)));
    let (simplex, contains_origin) = match last {
        Nearest::Corner(p) => (simplex(&pair, &[p]), false),
        Nearest::Segment(p, q) => (simplex(&pair, &[p, q]), false),
        Nearest::AtCorner(p) => (simplex(&pair, &[p]), true),
        Nearest::OnSegment(p, q) => (simplex(&pair, &[p, q]), true),
        Nearest::Inside(p, q, r) => (simplex(&pair, &[p, q, r]), true),
        // Settled only where there is a limit.
        Nearest::Settled => (simplex(&pair, &[hulls.corner(0, 0)]), false),
    };
    GjkExplanation { steps, simplex, contains_origin, difference: difference(pair.parts), radius: pair.radius, found }
}

fn step(pair: &Pair<'_>, turn: &Iteration<'_, f64>) -> GjkStep {
    let simplex = match *turn.simplex {
        Nearest::Segment(p, q) => simplex(pair, &[p, q]),
        Nearest::Corner(p) | Nearest::AtCorner(p) => simplex(pair, &[p]),
        // The others end the loop.
        _ => simplex(pair, &[*turn.farthest]),
    };
    let support = corner(pair, turn.farthest);
    let toward = pair.parts[0].pose.rotate_vector(DVec2::from(*turn.toward));
    let direction = unit(toward).unwrap_or(DVec2::X);
    let upper = match simplex.points() {
        [p, q] => {
            let edge = unit(q.difference() - p.difference());
            edge.map_or(length(p.difference()), |edge| cross(p.difference(), edge).abs())
        }
        [p, ..] => length(p.difference()),
        [] => 0.0,
    };
    // Adding 0 turns -0 into 0.
    GjkStep { simplex, direction, support, upper_bound: upper, lower_bound: 0.0 - direction.dot(support.difference()) }
}

fn simplex(pair: &Pair<'_>, corners: &[SupportPoint<f64>]) -> Simplex {
    let at = |i: usize| corner(pair, &corners[i.min(corners.len() - 1)]);
    Simplex { points: [at(0), at(1), at(2)], count: corners.len() }
}

fn corner(pair: &Pair<'_>, of: &SupportPoint<f64>) -> GjkPoint {
    let ([a, b], i, j) = (&pair.parts, of.a as usize, of.b as usize);
    GjkPoint {
        point_a: a.placed(i),
        point_b: b.placed(j),
        vertex_a: a.convex.vertex_id(i),
        vertex_b: b.convex.vertex_id(j),
    }
}

/// The outline of A − B: the edges of both, in the order of their directions (Ericson 2005, 3.12).
fn difference([a, b]: [Part<'_>; 2]) -> Vec<DVec2> {
    let (n, m) = (a.convex.hull_vertex_count(), b.convex.hull_vertex_count());
    let of_a = |i: usize| a.placed(i % n);
    let of_b = |j: usize| -b.placed(j % m);
    let lowest = |points: &dyn Fn(usize) -> DVec2, count: usize| {
        let key = |i: &usize| (points(*i).y, points(*i).x);
        (0..count).reduce(|low, next| if key(&next) < key(&low) { next } else { low }).unwrap_or(0)
    };
    let (first_a, first_b) = (lowest(&of_a, n), lowest(&of_b, m));
    let (mut i, mut j, mut outline) = (0, 0, Vec::with_capacity(n + m));
    while i + j == 0 || i < n || j < m {
        let (p, q) = (of_a(first_a + i), of_b(first_b + j));
        outline.push(p + q);
        let turn = cross(of_a(first_a + i + 1) - p, of_b(first_b + j + 1) - q);
        // Parallel edges are one.
        let (with_a, with_b) = (i < n && (j == m || turn >= 0.0), j < m && (i == n || turn <= 0.0));
        i += usize::from(with_a);
        j += usize::from(with_b);
    }
    outline
}
