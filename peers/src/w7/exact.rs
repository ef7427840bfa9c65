//! Decides exactly how two outlines lie to each other, by another method than carom's: every edge
//! against every edge, and rational numbers.
//!
//! The boundary of each outline is cut where it meets the other boundary. Each piece then has one
//! answer on its left and one on its right. The answer says if points beside it are inside each of
//! both outlines. Each region of the plane has such a piece at its border.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use robust::{Coord, orient2d};

use super::input::bounds;
use super::outlines::{Outlines, Point};

type Edge = [Point; 2];

/// Relation of two closed sets a and b.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relation {
    /// They share a point.
    pub(super) intersects: bool,
    /// Their interiors share a point.
    pub(super) overlaps: bool,
    /// b has a point that is not in a.
    pub(super) b_leaves_a: bool,
}

/// Location of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    Outside,
    Boundary,
    Inside,
}

/// Edges of an outline, with the interior on their left.
pub(super) struct Boundary(Vec<Edge>);

impl Boundary {
    pub(super) fn new(outlines: &Outlines, outline: usize) -> Self {
        let mut edges = Vec::new();
        for polygon in outlines.polygons(outline) {
            for (i, ring) in polygon.enumerate() {
                let turned = is_counter_clockwise(ring) != (i == 0);
                let next = ring.iter().cycle().skip(1);
                let around = ring.iter().zip(next).filter(|(p, q)| p != q).map(|(&p, &q)| [p, q]);
                let start = edges.len();
                edges.extend(around);
                if turned {
                    edges[start..].reverse();
                    edges[start..].iter_mut().for_each(|edge| edge.reverse());
                }
            }
        }
        Self(edges)
    }

    /// Returns the location of a point, by the number of edges to its right.
    pub(super) fn locate(&self, point: Point) -> Location {
        let mut inside = false;
        for &[p, q] in &self.0 {
            let within = |axis: usize| p[axis].min(q[axis]) <= point[axis] && point[axis] <= p[axis].max(q[axis]);
            if p[1].max(q[1]) < point[1] || p[1].min(q[1]) > point[1] || p[0].max(q[0]) < point[0] {
                continue;
            }
            let side = orientation(p, q, point);
            if side == 0.0 && within(0) && within(1) {
                return Location::Boundary;
            }
            inside ^= (p[1] > point[1]) != (q[1] > point[1]) && (side > 0.0) == (q[1] > p[1]);
        }
        if inside { Location::Inside } else { Location::Outside }
    }

    /// Returns true if a point that is on no edge is inside.
    fn contains(&self, point: &[BigRational; 2]) -> bool {
        let near = point.each_ref().map(|x| x.to_f64().expect("a number near two vertices"));
        let error = 1e-12 * near[0].abs().max(near[1].abs());
        let mut inside = false;
        for &[p, q] in &self.0 {
            let beside = p[1].max(q[1]) < near[1] - error || p[1].min(q[1]) > near[1] + error;
            if beside || p[0].max(q[0]) < near[0] - error {
                continue;
            }
            let above = |vertex: Point| rational(vertex[1]) > point[1];
            if above(p) != above(q) {
                let left = cross(&exact(p), &exact(q), point) > BigRational::zero();
                inside ^= left == (q[1] > p[1]);
            }
        }
        inside
    }

    /// Returns the distance of two outlines that do not intersect, in f64.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let one_way = |from: &Self, to: &Self| {
            let vertices = from.0.iter().map(|edge| edge[0]);
            let nearest = |p: Point| to.0.iter().map(|edge| squared_distance(p, *edge)).fold(f64::INFINITY, f64::min);
            vertices.map(nearest).fold(f64::INFINITY, f64::min)
        };
        one_way(self, other).min(one_way(other, self)).sqrt()
    }
}

/// Returns the exact relation.
pub(super) fn relation(a: &Boundary, b: &Boundary) -> Relation {
    let mut relation = Relation::default();
    // Inside of the walked outline is the left side alone.
    for_each_piece(a, b, |inside_b, touches| {
        relation.intersects |= touches || inside_b.contains(&true);
        relation.overlaps |= inside_b[0];
        relation.b_leaves_a |= inside_b[1];
    });
    for_each_piece(b, a, |inside_a, _| {
        relation.intersects |= inside_a.contains(&true);
        relation.overlaps |= inside_a[0];
        relation.b_leaves_a |= !inside_a[0];
    });
    relation
}

/// Cuts the edges of an outline at the boundary of the other. Calls `piece` for each piece. The
/// first argument is true for a side of the piece inside the other outline, left side first. The
/// second is true if the edge touches the other boundary.
fn for_each_piece(from: &Boundary, other: &Boundary, mut piece: impl FnMut([bool; 2], bool)) {
    let span = |edges: &[Edge]| bounds(edges.as_flattened());
    let intersect = |a: [Point; 2], b: [Point; 2]| (0..2).all(|i| a[0][i] <= b[1][i] && b[0][i] <= a[1][i]);
    let whole = span(&from.0);
    let near: Vec<(Edge, [Point; 2])> =
        other.0.iter().map(|&edge| (edge, span(&[edge]))).filter(|(_, span)| intersect(*span, whole)).collect();
    // Location of the last piece, if no boundary was touched since.
    let mut last: Option<(Point, bool)> = None;
    for &edge in &from.0 {
        let here = span(&[edge]);
        let contacts: Vec<Contact> =
            near.iter().filter(|(_, span)| intersect(*span, here)).filter_map(|(e, _)| contact(edge, *e)).collect();
        let mut cuts = vec![BigRational::zero(), BigRational::one()];
        cuts.extend(contacts.iter().flat_map(|c| c.range.clone()));
        cuts.sort();
        cuts.dedup();
        let touched = |t: &BigRational| contacts.iter().any(|c| c.range.contains(t));
        for ends in cuts.windows(2) {
            let middle = (&ends[0] + &ends[1]) / rational(2.0);
            let shared = contacts.iter().find(|c| c.range[0] < middle && middle < c.range[1]);
            let inside = match (shared, last) {
                (Some(shared), _) => [shared.same_direction, !shared.same_direction],
                (None, Some((end, inside))) if end == edge[0] && ends[0].is_zero() && !touched(&ends[0]) => [inside; 2],
                _ => {
                    let (p, q) = (exact(edge[0]), exact(edge[1]));
                    let point = [0, 1].map(|axis| &p[axis] + (&q[axis] - &p[axis]) * &middle);
                    [other.contains(&point); 2]
                }
            };
            piece(inside, !contacts.is_empty());
            last = (!touched(&ends[1])).then_some((edge[1], inside[0]));
        }
    }
}

/// Common points of an edge with one of the other outline, from 0 at its start to 1 at its end.
struct Contact {
    range: [BigRational; 2],
    same_direction: bool,
}

fn contact(edge: Edge, other: Edge) -> Option<Contact> {
    let [p, q] = edge;
    let [u, v] = other;
    let at = |t: BigRational| Some(Contact { range: [t.clone(), t], same_direction: false });
    let [u_side, v_side] = [u, v].map(|vertex| orientation(p, q, vertex));
    if u_side == 0.0 && v_side == 0.0 {
        let [u, v] = [u, v].map(|vertex| along(edge, vertex));
        let same_direction = u < v;
        let (low, high) = if same_direction { (u, v) } else { (v, u) };
        let range = [low.max(BigRational::zero()), high.min(BigRational::one())];
        return (range[0] <= range[1]).then_some(Contact { range, same_direction });
    }
    let [p_side, q_side] = [p, q].map(|vertex| orientation(u, v, vertex));
    let apart = |a: f64, b: f64| (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
    if apart(u_side, v_side) || apart(p_side, q_side) {
        None
    } else if u_side == 0.0 {
        at(along(edge, u))
    } else if v_side == 0.0 {
        at(along(edge, v))
    } else {
        let [p, q, u, v] = [p, q, u, v].map(exact);
        let (start, end) = (cross(&u, &v, &p), cross(&u, &v, &q));
        at(&start / (&start - &end))
    }
}

/// Returns the place of a point on the line of an edge: 0 at its start, 1 at its end.
fn along([p, q]: Edge, point: Point) -> BigRational {
    let axis = usize::from((q[1] - p[1]).abs() > (q[0] - p[0]).abs());
    let from_start = |x: f64| rational(x) - rational(p[axis]);
    from_start(point[axis]) / from_start(q[axis])
}

/// Returns the sign of the exact orientation: above 0 if r is on the left of the line from p to q.
fn orientation(p: Point, q: Point, r: Point) -> f64 {
    let [p, q, r] = [p, q, r].map(|[x, y]| Coord { x, y });
    orient2d(p, q, r)
}

fn cross(p: &[BigRational; 2], q: &[BigRational; 2], r: &[BigRational; 2]) -> BigRational {
    (&q[0] - &p[0]) * (&r[1] - &p[1]) - (&q[1] - &p[1]) * (&r[0] - &p[0])
}

fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("a finite number")
}

fn exact(point: Point) -> [BigRational; 2] {
    point.map(rational)
}

/// Returns the direction of a ring by its corner with the lowest x.
fn is_counter_clockwise(ring: &[Point]) -> bool {
    let n = ring.len();
    let lowest = (0..n).min_by(|&i, &j| ring[i].partial_cmp(&ring[j]).expect("finite numbers")).expect("a vertex");
    let other = |step: usize| {
        let around = (1..n).map(|k| ring[(lowest + k * step) % n]);
        around.into_iter().find(|p| *p != ring[lowest]).expect("two different vertices")
    };
    orientation(other(n - 1), ring[lowest], other(1)) > 0.0
}

fn squared_distance(point: Point, [p, q]: Edge) -> f64 {
    let [d, r] = [[q[0] - p[0], q[1] - p[1]], [point[0] - p[0], point[1] - p[1]]];
    let t = ((d[0] * r[0] + d[1] * r[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
    let [x, y] = [r[0] - t * d[0], r[1] - t * d[1]];
    // The last vertex is as exact as the first one.
    let [s, e] = [point[0] - q[0], point[1] - q[1]];
    (x * x + y * y).min(s * s + e * e)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &[Point] = &[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    const HOLE: &[Point] = &[[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]];

    fn boundary(rings: &[&[Point]]) -> Boundary {
        let mut outlines = Outlines::empty();
        outlines.push([rings.iter().copied()]);
        Boundary::new(&outlines, 0)
    }

    fn found(a: &[&[Point]], b: &[&[Point]]) -> [bool; 3] {
        let Relation { intersects, overlaps, b_leaves_a } = relation(&boundary(a), &boundary(b));
        [intersects, overlaps, !b_leaves_a]
    }

    /// Answers worked out by hand: intersects, overlaps, contains.
    #[test]
    fn relations_are_those_of_the_drawings() {
        let moved = |ring: &[Point], x: f64, y: f64| ring.iter().map(|p| [p[0] + x, p[1] + y]).collect::<Vec<_>>();
        let cases: [(&str, Vec<Point>, [bool; 3]); 8] = [
            ("apart", moved(SQUARE, 4.5, 0.0), [false, false, false]),
            ("at a corner", moved(SQUARE, 4.0, 4.0), [true, false, false]),
            ("along a part of an edge", moved(SQUARE, 4.0, 1.0), [true, false, false]),
            ("crossing", moved(SQUARE, 2.0, 1.0), [true, true, false]),
            ("equal", SQUARE.to_vec(), [true, true, true]),
            ("inside", HOLE.to_vec(), [true, true, true]),
            ("inside along an edge", moved(HOLE, 1.0, 0.0), [true, true, true]),
            ("around", vec![[-1.0, -1.0], [5.0, -1.0], [5.0, 5.0], [-1.0, 5.0]], [true, true, false]),
        ];
        for (name, ring, expected) in cases {
            assert_eq!(found(&[SQUARE], &[&ring]), expected, "{name}");
            let turned: Vec<Point> = ring.into_iter().rev().collect();
            assert_eq!(found(&[SQUARE], &[&turned]), expected, "{name}, clockwise");
        }
        assert_eq!(found(&[SQUARE, HOLE], &[HOLE]), [true, false, false], "fills a hole");
        assert_eq!(found(&[SQUARE], &[SQUARE, HOLE]), [true, true, true], "has a hole");
        assert_eq!(found(&[SQUARE, HOLE], &[SQUARE]), [true, true, false], "has no hole");
        let speck = [[1.5, 1.5], [2.5, 1.5], [2.0, 2.0]];
        assert_eq!(found(&[SQUARE, HOLE], &[&speck]), [false, false, false], "inside of a hole");
    }

    #[test]
    fn a_crossing_by_less_than_rounding_counts() {
        // 0.1 + 0.2 is above 0.3 by one bit.
        let left: &[Point] = &[[0.0, 0.0], [0.1 + 0.2, 0.0], [0.1 + 0.2, 1.0], [0.0, 1.0]];
        let right: &[Point] = &[[0.3, 0.0], [1.0, 0.0], [1.0, 1.0], [0.3, 1.0]];
        assert_eq!(found(&[left], &[right]), [true, true, false]);
    }

    #[test]
    fn points_are_outside_on_the_boundary_or_inside() {
        let ring = boundary(&[SQUARE, HOLE]);
        let at = |x: f64, y: f64| ring.locate([x, y]);
        assert_eq!([at(0.5, 0.5), at(0.5, 1.0), at(3.5, 4.0 - 1e-9)], [Location::Inside; 3]);
        assert_eq!([at(2.0, 2.0), at(-1.0, 0.0), at(5.0, 4.0), at(-1.0, 2.0)], [Location::Outside; 4]);
        assert_eq!([at(0.0, 0.0), at(4.0, 4.0), at(2.0, 1.0), at(1.0, 2.0), at(0.0, 3.0)], [Location::Boundary; 5]);
    }

    #[test]
    fn the_distance_is_that_of_the_closest_edges() {
        let other: &[Point] = &[[7.0, 8.0], [9.0, 8.0], [9.0, 9.0]];
        assert_eq!(boundary(&[SQUARE]).distance(&boundary(&[other])), 5.0);
    }
}
