//! Locates a point relative to a hull grown by a radius.
//!
//! Input: a hull, a radius and a homogeneous point. Output: outside, inside, the sector of
//! directions at a boundary point, or the directions of a set without area.
//!
//! ```text
//! radius 0:  signs of the point against each edge; on an edge or vertex, the two directions along the outline
//! radius r:  inside if the hull contains the point
//!            for each edge with the foot of the point: compare the squared height with r²
//!            for each vertex: compare the squared distance with r²; if equal, the directions of the arc
//! ```
//!
//! All comparisons are signs of polynomials in the field, so no distance is rounded.

use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Greater, Less};

use glam::DVec2;

use super::curve_intersection::{
    Circle, Curve, HomogeneousPoint, Line, Vector, cross, dot, minus, negative, perp, times,
};
use super::tangent_cone::{CurveDirection, Sector};
use crate::math::lists::{filter_mapped, mapped};
use crate::math::sqrt_extension::{Field, Number};

/// A hull, counter-clockwise. The set contains all points within the radius of the hull.
pub(in crate::query) struct RoundedPolygon {
    /// Vertices of the hull.
    hull: Vec<Vector>,
    /// The rounding radius, in units of length.
    radius: f64,
}

/// Location of a point relative to a set.
pub(in crate::query) enum Location {
    /// No point of the set is near.
    Outside,
    /// The set contains the neighborhood.
    Inside,
    /// On the boundary: the set fills this sector.
    Boundary(Sector),
    /// On a set without area, which continues from the point.
    Along(Vec<CurveDirection>),
}

impl RoundedPolygon {
    /// Builds the set with coordinates relative to a near point.
    pub(in crate::query) fn new(f: &Field, hull: &[DVec2], radius: f64, origin: DVec2) -> Self {
        let relative = |p: &DVec2| minus(f, &[f.number(p.x), f.number(p.y)], &[f.number(origin.x), f.number(origin.y)]);
        Self { hull: mapped(hull, relative), radius }
    }

    /// Returns true if the radius is positive.
    fn is_round(&self) -> bool {
        self.radius > 0.0
    }

    /// Returns the vectors from each vertex to the next. For a segment: forward and back.
    fn edges(&self, f: &Field) -> impl Iterator<Item = (&Vector, Vector)> {
        let count = if self.hull.len() > 1 { self.hull.len() } else { 0 };
        (0..count).map(move |i| (&self.hull[i], minus(f, &self.hull[(i + 1) % count], &self.hull[i])))
    }

    /// Returns the curves: first the lines in the order of the edges, then the circles in the order
    /// of the vertices.
    pub(in crate::query) fn curve(&self, f: &Field, number: usize) -> Curve {
        let edges = if self.hull.len() > 1 { self.hull.len() } else { 0 };
        let radius = f.number(self.radius);
        if number >= edges {
            return Curve::Circle(Circle { center: self.hull[number - edges].clone(), radius });
        }
        let from = &self.hull[number];
        let direction = minus(f, &self.hull[(number + 1) % edges], from);
        Curve::Line(Line { from: from.clone(), direction, radius, is_round: self.is_round() })
    }

    /// Returns a point of the outline.
    pub(in crate::query) fn outline_point(&self, f: &mut Field) -> HomogeneousPoint {
        let first = &self.hull[0];
        if !self.is_round() {
            return HomogeneousPoint { at: first.clone(), scale: f.number(1.0) };
        }
        let radius = f.number(self.radius);
        let Some((_, direction)) = self.edges(f).next() else {
            return HomogeneousPoint { at: [f.add(&first[0], &radius), first[1].clone()], scale: f.number(1.0) };
        };
        // To the right of the start of the first edge.
        let square = dot(f, &direction, &direction);
        let length = f.sqrt(&square);
        let shift = f.multiply(&radius, &length);
        let right = times(f, &negative(f, &perp(f, &direction)), &shift);
        let at = times(f, first, &square);
        HomogeneousPoint { at: [f.add(&at[0], &right[0]), f.add(&at[1], &right[1])], scale: square }
    }

    /// Returns the location of a point; `None` if the field is not exact enough.
    pub(in crate::query) fn locate(&self, f: &Field, point: &HomogeneousPoint) -> Option<Location> {
        if self.is_round() { self.locate_in_round(f, point) } else { self.locate_in_hull(f, point) }
    }

    /// Locates a point relative to a hull without a radius.
    fn locate_in_hull(&self, f: &Field, point: &HomogeneousPoint) -> Option<Location> {
        let (mut first, mut last, mut on) = (None, None, 0);
        for (from, direction) in self.edges(f) {
            let relative = minus(f, &point.at, &times(f, from, &point.scale));
            match f.sign(&cross(f, &direction, &relative))? {
                Less => return Some(Location::Outside),
                Greater => {}
                Equal => {
                    on += 1;
                    let along = dot(f, &direction, &relative);
                    let before_end =
                        f.sign(&f.subtract(&f.multiply(&dot(f, &direction, &direction), &point.scale), &along))?;
                    match (f.sign(&along)?, before_end) {
                        (Less, _) | (_, Less) => return Some(Location::Outside),
                        (_, Equal) => last = Some(CurveDirection::straight(negative(f, &direction))),
                        (Equal, _) => first = Some(CurveDirection::straight(direction)),
                        _ => {
                            (first, last) = (
                                Some(CurveDirection::straight(direction.clone())),
                                Some(CurveDirection::straight(negative(f, &direction))),
                            );
                        }
                    }
                }
            }
        }
        Some(match (self.hull.len(), first, last) {
            (0 | 1, ..) => Location::Outside,
            (2, first, last) if on > 0 => Location::Along(filter_mapped([first, last], |direction| direction)),
            (_, Some(first), Some(last)) => Location::Boundary(Sector { first, last }),
            _ if on == 0 => Location::Inside,
            _ => Location::Outside,
        })
    }

    /// Locates a point relative to a hull with a radius.
    fn locate_in_round(&self, f: &Field, point: &HomogeneousPoint) -> Option<Location> {
        let square = |x: &Number| f.multiply(x, x);
        let radius_squared = square(&f.multiply(&f.number(self.radius), &point.scale));
        let (mut first, mut last) = (None, None);
        let mut is_in_hull = self.hull.len() > 2;
        for (from, direction) in self.edges(f) {
            let relative = minus(f, &point.at, &times(f, from, &point.scale));
            let height = cross(f, &direction, &relative);
            let side = f.sign(&height)?;
            if side == Greater {
                continue;
            }
            is_in_hull &= side == Equal;
            let (along, length) = (dot(f, &direction, &relative), dot(f, &direction, &direction));
            let ends = (f.sign(&along)?, f.sign(&f.subtract(&f.multiply(&length, &point.scale), &along))?);
            if ends.0 == Less || ends.1 == Less {
                continue;
            }
            match f.sign(&f.subtract(&square(&height), &f.multiply(&length, &radius_squared)))? {
                Less => return Some(Location::Inside),
                Greater => {}
                Equal => {
                    if ends.1 != Equal {
                        first = Some(CurveDirection::straight(direction.clone()));
                    }
                    if ends.0 != Equal {
                        last = Some(CurveDirection::straight(negative(f, &direction)));
                    }
                }
            }
        }
        if is_in_hull {
            return Some(Location::Inside);
        }
        if first.is_none() || last.is_none() {
            for vertex in &self.hull {
                let relative = minus(f, &point.at, &times(f, vertex, &point.scale));
                match f.sign(&f.subtract(&dot(f, &relative, &relative), &radius_squared))? {
                    Less => return Some(Location::Inside),
                    Greater => {}
                    Equal => {
                        let tangent = perp(f, &relative);
                        last = last
                            .or_else(|| Some(CurveDirection { direction: negative(f, &tangent), bend: -self.radius }));
                        first = first.or(Some(CurveDirection { direction: tangent, bend: self.radius }));
                    }
                }
            }
        }
        Some(match (first, last) {
            (Some(first), Some(last)) => Location::Boundary(Sector { first, last }),
            _ => Location::Outside,
        })
    }
}
