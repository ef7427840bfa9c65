//! Intersects lines and circles of outlines over a number field.
//!
//! Input: two curves, with coordinates in a field. Output: their intersections, none if the curves
//! are equal, or undecided if the field is not exact enough.
//!
//! Points are homogeneous: coordinates times a positive weight, and the weight. So no division is
//! needed, and integers with square roots represent all results exactly. A line at a distance from
//! two points needs the root of its length. Its crossing with a circle needs one more root, of a
//! number that contains the first one.
//!
//! ```text
//! line, line:     p × d1 = c1 and p × d2 = c2; solved by Cramer's rule, weight = d1 × d2
//! line, circle:   foot of the centre on the line ± root(r² − height²) along the line
//! circle, circle: point on the line of the centres ± root(r² − distance²) across it
//! ```
//!
//! Rounded crossings do not suffice. A crossing is tested against other outlines that may pass
//! through it, and a rounded point would be off all of them.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Less};

use crate::math::sqrt_extension::{Field, Number};

/// A vector with coordinates in the field.
pub(in crate::query) type Vector = [Number; 2];

/// Returns the cross product `u.x v.y − u.y v.x`.
pub(in crate::query) fn cross(f: &Field, u: &Vector, v: &Vector) -> Number {
    f.subtract(&f.multiply(&u[0], &v[1]), &f.multiply(&u[1], &v[0]))
}

/// Returns the dot product.
pub(in crate::query) fn dot(f: &Field, u: &Vector, v: &Vector) -> Number {
    f.add(&f.multiply(&u[0], &v[0]), &f.multiply(&u[1], &v[1]))
}

/// Returns `u + v`.
pub(in crate::query) fn plus(f: &Field, u: &Vector, v: &Vector) -> Vector {
    [f.add(&u[0], &v[0]), f.add(&u[1], &v[1])]
}

/// Returns `u − v`.
pub(in crate::query) fn minus(f: &Field, u: &Vector, v: &Vector) -> Vector {
    [f.subtract(&u[0], &v[0]), f.subtract(&u[1], &v[1])]
}

/// Returns `v · factor`.
pub(in crate::query) fn times(f: &Field, v: &Vector, factor: &Number) -> Vector {
    [f.multiply(&v[0], factor), f.multiply(&v[1], factor)]
}

/// Returns `−v`.
pub(in crate::query) fn negative(f: &Field, v: &Vector) -> Vector {
    let zero = f.number(0.0);
    [f.subtract(&zero, &v[0]), f.subtract(&zero, &v[1])]
}

/// Returns the vector turned by a quarter turn.
pub(in crate::query) fn perp(f: &Field, v: &Vector) -> Vector {
    [f.subtract(&f.number(0.0), &v[1]), v[0].clone()]
}

/// A point in homogeneous coordinates with a positive weight. No division is needed.
pub(in crate::query) struct HomogeneousPoint {
    /// The coordinates times the weight.
    pub(in crate::query) at: Vector,
    /// The weight, positive.
    pub(in crate::query) scale: Number,
}

/// The line or circle of an outline curve, extended beyond its ends.
pub(in crate::query) enum Curve {
    /// The line of an edge, moved outward by the radius.
    Line(Line),
    /// The circle about a vertex.
    Circle(Circle),
}

/// A line at a distance to the right of a point and a direction.
pub(in crate::query) struct Line {
    /// A point of the line before it is moved.
    pub(in crate::query) from: Vector,
    /// Direction of the line, of any length.
    pub(in crate::query) direction: Vector,
    /// Distance of the line to the right of `from`.
    pub(in crate::query) radius: Number,
    /// True if the distance is positive.
    pub(in crate::query) is_round: bool,
}

/// A circle around a vertex.
pub(in crate::query) struct Circle {
    /// The vertex.
    pub(in crate::query) center: Vector,
    /// The radius.
    pub(in crate::query) radius: Number,
}

impl Line {
    /// Returns the distance to the right of the direction, times the length of the direction.
    fn shift(&self, f: &mut Field) -> Number {
        if !self.is_round {
            return f.number(0.0);
        }
        let square = dot(f, &self.direction, &self.direction);
        let length = f.sqrt(&square);
        f.multiply(&self.radius, &length)
    }
}

/// Returns the intersections of two curves. Empty if the curves are equal.
pub(in crate::query) fn crossings(f: &mut Field, p: &Curve, q: &Curve) -> Option<Vec<HomogeneousPoint>> {
    match (p, q) {
        (Curve::Line(p), Curve::Line(q)) => of_lines(f, p, q),
        (Curve::Line(line), Curve::Circle(circle)) | (Curve::Circle(circle), Curve::Line(line)) => {
            of_line_and_circle(f, line, circle)
        }
        (Curve::Circle(p), Curve::Circle(q)) => of_circles(f, p, q),
    }
}

/// Intersects two lines: one point, or none if they are parallel.
fn of_lines(f: &mut Field, p: &Line, q: &Line) -> Option<Vec<HomogeneousPoint>> {
    let scale = cross(f, &p.direction, &q.direction);
    let sign = f.sign(&scale)?;
    if sign == Equal {
        return Some(Vec::new());
    }
    // direction × x is constant along a line.
    let (of_p, of_q) = (p.shift(f), q.shift(f));
    let (of_p, of_q) =
        (f.subtract(&cross(f, &p.direction, &p.from), &of_p), f.subtract(&cross(f, &q.direction, &q.from), &of_q));
    let at = minus(f, &times(f, &q.direction, &of_p), &times(f, &p.direction, &of_q));
    let turned = f.subtract(&f.number(0.0), &scale);
    Some(vec![if sign == Less {
        HomogeneousPoint { at: negative(f, &at), scale: turned }
    } else {
        HomogeneousPoint { at, scale }
    }])
}

/// Intersects a line and a circle: no point, one or two.
fn of_line_and_circle(f: &mut Field, line: &Line, circle: &Circle) -> Option<Vec<HomogeneousPoint>> {
    let Line { from, direction, .. } = line;
    let scale = dot(f, direction, direction);
    let shift = line.shift(f);
    let apart = minus(f, &circle.center, from);
    // Distance of the center to the left of the line, times the length of the direction.
    let height = f.add(&cross(f, direction, &apart), &shift);
    let square =
        f.subtract(&f.multiply(&f.multiply(&circle.radius, &circle.radius), &scale), &f.multiply(&height, &height));
    let right = negative(f, &perp(f, direction));
    let base = plus(f, &times(f, from, &scale), &times(f, &right, &shift));
    let middle = plus(f, &base, &times(f, direction, &dot(f, direction, &apart)));
    both(f, &middle, direction, &square, &scale)
}

/// Intersects two circles: no point, one or two.
fn of_circles(f: &mut Field, p: &Circle, q: &Circle) -> Option<Vec<HomogeneousPoint>> {
    let between = minus(f, &q.center, &p.center);
    let distance = dot(f, &between, &between);
    if f.sign(&distance)? == Equal {
        return Some(Vec::new());
    }
    let radius = f.multiply(&p.radius, &p.radius);
    let along = f.add(&distance, &f.subtract(&radius, &f.multiply(&q.radius, &q.radius)));
    let scale = f.add(&distance, &distance);
    let four = f.add(&scale, &scale);
    let square = f.subtract(&f.multiply(&four, &radius), &f.multiply(&along, &along));
    let middle = plus(f, &times(f, &p.center, &scale), &times(f, &between, &along));
    both(f, &middle, &perp(f, &between), &square, &scale)
}

/// Returns the two points on either side of a midpoint, at the root of a square times a direction.
fn both(
    f: &mut Field,
    middle: &Vector,
    direction: &Vector,
    square: &Number,
    scale: &Number,
) -> Option<Vec<HomogeneousPoint>> {
    let sign = f.sign(square)?;
    if sign == Less {
        return Some(Vec::new());
    }
    if sign == Equal {
        return Some(vec![HomogeneousPoint { at: middle.clone(), scale: scale.clone() }]);
    }
    let root = f.sqrt(square);
    let offset = times(f, direction, &root);
    let ends = [plus(f, middle, &offset), minus(f, middle, &offset)];
    Some(ends.map(|at| HomogeneousPoint { at, scale: scale.clone() }).into())
}
