//! Vectors of numbers of a field, and where the curves of outlines cross.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Less};

use crate::math::surds::Field;

pub(super) type Vector<F> = [<F as Field>::Number; 2];

pub(super) fn cross<F: Field>(f: &F, u: &Vector<F>, v: &Vector<F>) -> F::Number {
    f.subtract(&f.multiply(&u[0], &v[1]), &f.multiply(&u[1], &v[0]))
}

pub(super) fn dot<F: Field>(f: &F, u: &Vector<F>, v: &Vector<F>) -> F::Number {
    f.add(&f.multiply(&u[0], &v[0]), &f.multiply(&u[1], &v[1]))
}

pub(super) fn plus<F: Field>(f: &F, u: &Vector<F>, v: &Vector<F>) -> Vector<F> {
    [f.add(&u[0], &v[0]), f.add(&u[1], &v[1])]
}

pub(super) fn minus<F: Field>(f: &F, u: &Vector<F>, v: &Vector<F>) -> Vector<F> {
    [f.subtract(&u[0], &v[0]), f.subtract(&u[1], &v[1])]
}

pub(super) fn times<F: Field>(f: &F, v: &Vector<F>, factor: &F::Number) -> Vector<F> {
    [f.multiply(&v[0], factor), f.multiply(&v[1], factor)]
}

pub(super) fn negative<F: Field>(f: &F, v: &Vector<F>) -> Vector<F> {
    let zero = F::number(0.0);
    [f.subtract(&zero, &v[0]), f.subtract(&zero, &v[1])]
}

/// A quarter turn.
pub(super) fn perp<F: Field>(f: &F, v: &Vector<F>) -> Vector<F> {
    [f.subtract(&F::number(0.0), &v[1]), v[0].clone()]
}

/// A point times a number above zero: nothing is divided.
pub(super) struct Point<F: Field> {
    pub(super) at: Vector<F>,
    pub(super) scale: F::Number,
}

/// A curve of an outline, and what goes on with it beyond its ends.
pub(super) enum Curve<F: Field> {
    /// The line to the right of a way from a point, so far away from it.
    Line { from: Vector<F>, way: Vector<F>, radius: F::Number, is_round: bool },
    /// The circle about a corner.
    Circle { center: Vector<F>, radius: F::Number },
}

/// Where two curves meet; nowhere where they are the same.
pub(super) fn crossings<F: Field>(f: &mut F, p: &Curve<F>, q: &Curve<F>) -> Option<Vec<Point<F>>> {
    match (p, q) {
        (Curve::Line { .. }, Curve::Line { .. }) => of_lines(f, p, q),
        (Curve::Line { .. }, Curve::Circle { center, radius }) => of_line_and_circle(f, p, center, radius),
        (Curve::Circle { center, radius }, Curve::Line { .. }) => of_line_and_circle(f, q, center, radius),
        (Curve::Circle { center: c, radius: r }, Curve::Circle { center: d, radius: s }) => of_circles(f, [c, d], [r, s]),
    }
}

/// By how much a line is to the right of its way, times the length of that.
fn shift<F: Field>(f: &mut F, way: &Vector<F>, radius: &F::Number, is_round: bool) -> F::Number {
    if !is_round {
        return F::number(0.0);
    }
    let square = dot(f, way, way);
    let length = f.root(&square);
    f.multiply(radius, &length)
}

fn of_lines<F: Field>(f: &mut F, p: &Curve<F>, q: &Curve<F>) -> Option<Vec<Point<F>>> {
    let (
        Curve::Line { from, way, radius, is_round },
        Curve::Line { from: other_from, way: other_way, radius: other_radius, is_round: other_is_round },
    ) = (p, q)
    else {
        return Some(Vec::new());
    };
    let scale = cross(f, way, other_way);
    let sign = f.sign(&scale)?;
    if sign == Equal {
        return Some(Vec::new());
    }
    // way × x is the same all along a line.
    let own_shift = shift(f, way, radius, *is_round);
    let own = f.subtract(&cross(f, way, from), &own_shift);
    let other_shift = shift(f, other_way, other_radius, *other_is_round);
    let other = f.subtract(&cross(f, other_way, other_from), &other_shift);
    let at = minus(f, &times(f, other_way, &own), &times(f, way, &other));
    let turned = |v: &F::Number| f.subtract(&F::number(0.0), v);
    Some(vec![if sign == Less { Point { at: negative(f, &at), scale: turned(&scale) } } else { Point { at, scale } }])
}

fn of_line_and_circle<F: Field>(f: &mut F, line: &Curve<F>, center: &Vector<F>, circle: &F::Number) -> Option<Vec<Point<F>>> {
    let Curve::Line { from, way, radius, is_round } = line else { return Some(Vec::new()) };
    let scale = dot(f, way, way);
    let shift = shift(f, way, radius, *is_round);
    let apart = minus(f, center, from);
    // How far the centre is to the left of the line, times the length of the way.
    let height = f.add(&cross(f, way, &apart), &shift);
    let square = f.subtract(&f.multiply(&f.multiply(circle, circle), &scale), &f.multiply(&height, &height));
    let along = dot(f, way, &apart);
    let right = negative(f, &perp(f, way));
    let base = plus(f, &times(f, from, &scale), &times(f, &right, &shift));
    let middle = plus(f, &base, &times(f, way, &along));
    both(f, &middle, way, &square, &scale)
}

fn of_circles<F: Field>(f: &mut F, [c, d]: [&Vector<F>; 2], [r, s]: [&F::Number; 2]) -> Option<Vec<Point<F>>> {
    let between = minus(f, d, c);
    let distance = dot(f, &between, &between);
    if f.sign(&distance)? == Equal {
        return Some(Vec::new());
    }
    let radius = f.multiply(r, r);
    let along = f.add(&distance, &f.subtract(&radius, &f.multiply(s, s)));
    let scale = f.add(&distance, &distance);
    let four = f.add(&scale, &scale);
    let square = f.subtract(&f.multiply(&four, &radius), &f.multiply(&along, &along));
    let middle = plus(f, &times(f, c, &scale), &times(f, &between, &along));
    both(f, &middle, &perp(f, &between), &square, &scale)
}

/// The points on either side of a middle, by the root of a square times a way.
fn both<F: Field>(f: &mut F, middle: &Vector<F>, way: &Vector<F>, square: &F::Number, scale: &F::Number) -> Option<Vec<Point<F>>> {
    let sign = f.sign(square)?;
    if sign == Less {
        return Some(Vec::new());
    }
    if sign == Equal {
        return Some(vec![Point { at: middle.clone(), scale: scale.clone() }]);
    }
    let root = f.root(square);
    let offset = times(f, way, &root);
    let ends = [plus(f, middle, &offset), minus(f, middle, &offset)];
    Some(ends.map(|at| Point { at, scale: scale.clone() }).into())
}
