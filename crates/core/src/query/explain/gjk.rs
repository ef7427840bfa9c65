//! Records the iterations of GJK as [`gjk`](crate::query::gjk) runs them.
//!
//! Input: two placed shapes. Output: per iteration the simplex, the search direction, the farthest
//! vertex, and both bounds of the distance. The loop of the query itself runs, with an observer, so
//! the record cannot differ from the query.
//!
//! The outline of the Minkowski difference is added for drawings. It merges the edges of both hulls
//! in the order of their directions (Ericson 2005, 3.12). This takes linear time; the hull of all
//! differences of vertices would take the product of the counts.
//!
//! ```text
//! parts = the closest parts, by the distance query
//! run GJK on their Minkowski difference, with an observer
//!     for each iteration: store simplex, direction and farthest vertex
//!                         upper bound = distance of the simplex from the origin
//!                         lower bound = distance of the line through the farthest vertex, across the direction
//! ```

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::vector::{cross, length, unit};
use crate::query::gjk::{Iteration, NearestFeature, SupportPoint, nearest_observed};
use crate::query::minkowski::MinkowskiDifference;
use crate::query::pair::Pair;
use crate::query::{Distance, distance};
use crate::shape::Placed;
use crate::shape::part::Part;

/// The iterations of GJK for two shapes. Each one moves a simplex of the Minkowski difference A − B
/// closer to the origin.
///
/// The difference is that of the two hulls, without radii. The shapes intersect if the distance of
/// the hulls is at most [`radius`](Self::radius). For composites, it is about the two parts that
/// intersect or are closest.
///
/// The same loop over integers decides [`intersects`](crate::intersects) if floating point is
/// uncertain. Over `f64`, as here, it computes a shared point and serves as a filter for shapes of
/// many vertices. [`distance`](crate::distance) and [`collide`](crate::collide) measure along edge
/// normals: see [`explain_sat`](crate::explain_sat).
///
/// ```
/// use carom::Shape;
/// use carom::explain::explain_gjk;
///
/// let square = Shape::rectangle(2.0, 2.0)?;
/// let kite = Shape::polygon(&[[0.0, 0.0], [2.0, -1.0], [3.0, 0.0], [2.0, 1.0]])?;
/// let why = explain_gjk(square.at([0.0, 0.0])?, kite.at([1.5, 0.5])?);
/// for step in why.steps() {
///     println!("{:?}, at most {} from the origin, at least {}", step.simplex(), step.upper_bound, step.lower_bound);
/// }
/// assert_eq!((why.intersects(), why.distance()), (false, 0.5));
/// let last = why.steps().last().unwrap();
/// assert_eq!((last.lower_bound, last.upper_bound), (0.5, 0.5)); // nothing is closer
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GjkExplanation {
    /// The iterations.
    steps: Vec<GjkStep>,
    /// The last simplex.
    simplex: Simplex,
    /// True if the hulls intersect.
    contains_origin: bool,
    /// Outline of the Minkowski difference.
    difference: Vec<DVec2>,
    /// Sum of both radii.
    radius: f64,
    /// Result of the distance query.
    found: Distance,
}

/// A vertex of A − B: a vertex of the first shape minus one of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GjkPoint {
    /// The vertex of the first shape, placed.
    pub point_a: DVec2,
    /// The vertex of the second shape, placed.
    pub point_b: DVec2,
    /// Index of the vertex in the input of the first shape.
    pub vertex_a: u32,
    /// Index of the vertex in the input of the second shape.
    pub vertex_b: u32,
}

impl GjkPoint {
    /// Returns the vertex of A − B, in world axes.
    #[must_use]
    pub fn difference(&self) -> DVec2 {
        self.point_a - self.point_b
    }
}

/// One iteration: a simplex, the search direction and the support vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GjkStep {
    /// The simplex before the step.
    simplex: Simplex,
    /// Unit vector from the simplex toward the origin, in world axes.
    pub direction: DVec2,
    /// The vertex of A − B farthest along the direction.
    pub support: GjkPoint,
    /// Distance of the simplex from the origin. An upper bound of the distance of the hulls.
    pub upper_bound: f64,
    /// Distance from the origin to the line through `support` perpendicular to `direction`. A lower
    /// bound of the distance of the hulls. Negative values prove nothing.
    pub lower_bound: f64,
}

impl GjkStep {
    /// Returns the one or two vertices of A − B at the start of the iteration.
    #[must_use]
    pub fn simplex(&self) -> &[GjkPoint] {
        self.simplex.points()
    }
}

/// One to three vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Simplex {
    /// The vertices; the first `count` are valid.
    points: [GjkPoint; 3],
    /// Number of vertices, 1 to 3.
    count: usize,
}

impl Simplex {
    /// Returns the valid vertices.
    fn points(&self) -> &[GjkPoint] {
        &self.points[..self.count]
    }
}

impl GjkExplanation {
    /// Returns the iterations in order.
    #[must_use]
    pub fn steps(&self) -> &[GjkStep] {
        &self.steps
    }

    /// Returns the last simplex. It is a triangle, segment or point of A − B that contains the
    /// origin, or a segment or point closest to the origin.
    #[must_use]
    pub fn simplex(&self) -> &[GjkPoint] {
        self.simplex.points()
    }

    /// Returns true if the `f64` loop found the origin in the last simplex, so the hulls intersect.
    #[must_use]
    pub fn contains_origin(&self) -> bool {
        self.contains_origin
    }

    /// Returns the outline of A − B, counter-clockwise. One point if both shapes are points, two if
    /// the difference has no area.
    #[must_use]
    pub fn difference(&self) -> &[DVec2] {
        &self.difference
    }

    /// Returns the sum of the radii. A − B grows by it.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the indices of the two parts.
    #[must_use]
    pub fn parts(&self) -> [u32; 2] {
        [self.found.part_a, self.found.part_b]
    }

    /// Returns true if the shapes share a point. Exact.
    #[must_use]
    pub fn intersects(&self) -> bool {
        self.found.distance == 0.0
    }

    /// Returns the [`distance`](crate::distance) of the shapes, radii included.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.found.distance
    }
}

/// Records the iterations of GJK for two shapes.
///
/// [`GjkExplanation`] has an example.
#[must_use]
pub fn explain_gjk(a: Placed<'_>, b: Placed<'_>) -> GjkExplanation {
    let found = distance(a, b);
    let pair = Pair::new(a.part(found.part_a), b.part(found.part_b));
    let hulls = MinkowskiDifference::new(&pair);
    let mut steps = Vec::new();
    let last = nearest_observed::<f64, false>(&hulls, hulls.vertex(0, 0), |turn| steps.push(step(&pair, &turn)));
    let (simplex, contains_origin) = match last {
        NearestFeature::Vertex(p) => (simplex(&pair, &[p]), false),
        NearestFeature::Segment(p, q) => (simplex(&pair, &[p, q]), false),
        NearestFeature::AtVertex(p) => (simplex(&pair, &[p]), true),
        NearestFeature::OnSegment(p, q) => (simplex(&pair, &[p, q]), true),
        NearestFeature::Inside(p, q, r) => (simplex(&pair, &[p, q, r]), true),
    };
    GjkExplanation { steps, simplex, contains_origin, difference: difference(pair.parts), radius: pair.radius, found }
}

/// Converts an iteration to a record in world coordinates.
fn step(pair: &Pair<'_>, turn: &Iteration<'_, f64>) -> GjkStep {
    let simplex = match *turn.simplex {
        NearestFeature::Segment(p, q) => simplex(pair, &[p, q]),
        NearestFeature::Vertex(p) | NearestFeature::AtVertex(p) => simplex(pair, &[p]),
        // The other results end the loop.
        _ => simplex(pair, &[*turn.farthest]),
    };
    let support = vertex(pair, turn.farthest);
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
    // Adding 0 turns −0 into 0.
    GjkStep { simplex, direction, support, upper_bound: upper, lower_bound: 0.0 - direction.dot(support.difference()) }
}

/// Converts the vertices of a simplex.
fn simplex(pair: &Pair<'_>, vertices: &[SupportPoint<f64>]) -> Simplex {
    let at = |i: usize| vertex(pair, &vertices[i.min(vertices.len() - 1)]);
    Simplex { points: [at(0), at(1), at(2)], count: vertices.len() }
}

/// Converts a vertex of the Minkowski difference.
fn vertex(pair: &Pair<'_>, of: &SupportPoint<f64>) -> GjkPoint {
    let ([a, b], i, j) = (&pair.parts, of.a as usize, of.b as usize);
    GjkPoint {
        point_a: a.placed(i),
        point_b: b.placed(j),
        vertex_a: a.convex.vertex_id(i),
        vertex_b: b.convex.vertex_id(j),
    }
}

/// Returns the outline of A − B. Merges the edges of both in the order of their directions (Ericson
/// 2005, 3.12).
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
        // Parallel edges become one.
        let (with_a, with_b) = (i < n && (j == m || turn >= 0.0), j < m && (i == n || turn <= 0.0));
        i += usize::from(with_a);
        j += usize::from(with_b);
    }
    outline
}
