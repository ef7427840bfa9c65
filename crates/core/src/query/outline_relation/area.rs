//! Computes the area of the intersection of two shapes.
//!
//! Input: two placed shapes without radii, and an origin near them. Output: the rounded area. The intersection is
//! cut into convex pieces, one for each pair of parts that overlap ([`pieces`]). Their coordinates are relative to
//! the origin, because areas far from the world origin would lose digits. Tiny ones are multiplied by a power of
//! two, because products of two lengths can underflow. If parts of a compound overlap each
//! other, so do the pieces. Then each piece loses the area of the earlier pieces:
//!
//! ```text
//! for each piece
//!     rest = [piece]
//!     for each earlier piece whose box overlaps: cut it out of each polygon of the rest
//!     area += areas of the rest
//! ```
//!
//! A tree of boxes finds the pieces whose boxes overlap, because a multipolygon can have thousands of parts.

use alloc::vec::Vec;

use glam::DVec2;

use crate::broad_phase::static_bvh::StaticBvh;
use crate::math::aabb::Aabb;
use crate::math::lists::mapped;
use crate::math::ring::edges;
use crate::math::vector::{cross, magnification_of, times_power_of_two, vector_times_power_of_two};
use crate::query::overlap_region::pieces;
use crate::shape::{Placed, ShapeKind};

/// Returns the area of the intersection of two shapes. `origin`: a point near the intersection.
pub(super) fn of_intersection(a: Placed<'_>, b: Placed<'_>, origin: DVec2) -> f64 {
    let mut polygons = pieces(a, b, 0.0, origin);
    let power = magnification_of(polygons.iter().flatten().copied());
    if power != 0 {
        for point in polygons.iter_mut().flatten() {
            *point = vector_times_power_of_two(*point, power);
        }
    }
    times_power_of_two(magnified_area([a, b], &polygons), -2 * power)
}

/// Returns the area of the pieces of an intersection of two shapes.
fn magnified_area(shapes: [Placed<'_>; 2], polygons: &[Vec<DVec2>]) -> f64 {
    if shapes.iter().any(|placed| placed.shape().kind() == ShapeKind::Compound) {
        return area_of_union(polygons);
    }
    // The sum of no floating-point numbers is −0.0 in Rust.
    polygons.iter().fold(0.0, |sum, piece| sum + area_of(piece).max(0.0))
}

/// Returns the area of the union of convex polygons, counter-clockwise.
fn area_of_union(polygons: &[Vec<DVec2>]) -> f64 {
    let mut area = 0.0;
    let boxes = mapped(polygons, |polygon| Aabb::of_points(polygon));
    let tree = StaticBvh::new(&boxes);
    for (i, polygon) in polygons.iter().enumerate() {
        let mut rest = Vec::from([polygon.clone()]);
        // In the order of the polygons.
        for j in tree.near(&boxes[i]) {
            let j = j as usize;
            if j < i && overlap(&boxes[i], &boxes[j]) {
                for polygon in core::mem::take(&mut rest) {
                    rest.append(&mut without(polygon, &polygons[j]));
                }
            }
        }
        area += rest.iter().map(|polygon| area_of(polygon)).sum::<f64>();
    }
    area
}

/// Returns true if two boxes share more than their boundaries.
fn overlap(a: &Aabb, b: &Aabb) -> bool {
    a.min().cmplt(b.max()).all() && b.min().cmplt(a.max()).all()
}

/// Returns the convex pieces of a polygon outside another one.
fn without(polygon: Vec<DVec2>, other: &[DVec2]) -> Vec<Vec<DVec2>> {
    if edges(other).any(|side| polygon.iter().all(|&point| height(side, point) <= 0.0)) {
        return Vec::from([polygon]);
    }
    let (mut inside, mut outside) = (polygon, Vec::new());
    for [p, q] in edges(other) {
        outside.push(clipped(&inside, [q, p]));
        inside = clipped(&inside, [p, q]);
    }
    outside.retain(|polygon| polygon.len() > 2);
    outside
}

/// Returns the part of a convex polygon on the left of a line.
fn clipped(polygon: &[DVec2], side: [DVec2; 2]) -> Vec<DVec2> {
    let mut points = Vec::new();
    for [p, q] in edges(polygon) {
        let (from, to) = (height(side, p), height(side, q));
        if from >= 0.0 {
            points.push(p);
        }
        if (from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0) {
            points.push(p + (q - p) * (from / (from - to)));
        }
    }
    points
}

/// Returns a positive number on the left of a line, proportional to the distance.
fn height([p, q]: [DVec2; 2], point: DVec2) -> f64 {
    cross(q - p, point - p)
}

fn area_of(polygon: &[DVec2]) -> f64 {
    let Some((&first, others)) = polygon.split_first() else { return 0.0 };
    others.windows(2).map(|pair| cross(pair[0] - first, pair[1] - first) / 2.0).sum()
}
