//! Computes the area of the intersection of two shapes.
//!
//! Input: two placed shapes without radii. Output: the rounded area. [`overlap_region`] cuts the intersection
//! into convex pieces, one for each pair of parts that overlap. If parts of a compound overlap each
//! other, so do the pieces. Then each piece loses the area of the earlier pieces:
//!
//! ```text
//! for each piece
//!     rest = [piece]
//!     for each earlier piece whose box overlaps: cut it out of each polygon of the rest
//!     area += areas of the rest
//! ```

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::vector::cross;
use crate::query::overlap_region;
use crate::query::union_boundary::sub_segment::bounds;
use crate::shape::{Placed, ShapeKind};

/// Returns the area of the intersection of two shapes.
pub(super) fn of_intersection(a: Placed<'_>, b: Placed<'_>) -> f64 {
    let region = overlap_region(a, b, 0.0);
    if [a, b].iter().all(|placed| placed.shape().kind() != ShapeKind::Compound) {
        return region.area();
    }
    // Relative to a point of the region: areas far from the origin would lose digits.
    let Some(origin) = region.pieces().find_map(|piece| piece.first().copied()) else { return 0.0 };
    let pieces: Vec<Vec<DVec2>> =
        region.pieces().map(|piece| piece.iter().map(|&point| point - origin).collect()).collect();
    area_of_union(&pieces)
}

/// Returns the area of the union of convex polygons, counter-clockwise.
fn area_of_union(polygons: &[Vec<DVec2>]) -> f64 {
    let boxes: Vec<[DVec2; 2]> = polygons.iter().map(|polygon| bounds(polygon)).collect();
    let mut area = 0.0;
    for (i, polygon) in polygons.iter().enumerate() {
        let mut rest = Vec::from([polygon.clone()]);
        for (earlier, own) in polygons[..i].iter().zip(&boxes[..i]) {
            if own[0].cmplt(boxes[i][1]).all() && boxes[i][0].cmplt(own[1]).all() {
                rest = rest.into_iter().flat_map(|polygon| without(polygon, earlier)).collect();
            }
        }
        area += rest.iter().map(|polygon| area_of(polygon)).sum::<f64>();
    }
    area
}

/// Returns the convex pieces of a polygon outside another one.
fn without(polygon: Vec<DVec2>, other: &[DVec2]) -> Vec<Vec<DVec2>> {
    let sides = || (0..other.len()).map(|i| [other[i], other[(i + 1) % other.len()]]);
    if sides().any(|side| polygon.iter().all(|&point| height(side, point) <= 0.0)) {
        return Vec::from([polygon]);
    }
    let (mut inside, mut outside) = (polygon, Vec::new());
    for [p, q] in sides() {
        outside.push(clipped(&inside, [q, p]));
        inside = clipped(&inside, [p, q]);
    }
    outside.retain(|polygon| polygon.len() > 2);
    outside
}

/// Returns the part of a convex polygon on the left of a line.
fn clipped(polygon: &[DVec2], side: [DVec2; 2]) -> Vec<DVec2> {
    let mut points = Vec::new();
    for (i, &p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
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
