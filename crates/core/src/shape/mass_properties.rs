//! Computes area, centroid and second moment of area.
//!
//! Input: a shape. Output: its mass properties for density 1. A convex shape is decomposed into the
//! triangles of its hull, a rectangle along each edge, and a circular sector at each hull vertex.
//! Their moments are added by the parallel axis theorem.
//!
//! All sums are relative to the mean of the points. Relative to the origin, the moments of a small
//! shape far away would cancel most digits. Tiny shapes are multiplied by a power of two first, because
//! a second moment is a product of four lengths, which underflows.

use core::f64::consts::PI;

use glam::DVec2;

use super::convex::Convex;
use super::{Form, Shape};
use crate::math::pose::Pose;
use crate::math::vector::{cross, length, magnification, norm1, times_power_of_two, vector_times_power_of_two};

/// Area, centroid and second moment of area of a shape: its mass properties for density 1.
///
/// Multiply `area` and `inertia` by the density to get the mass and the moment of inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Area, radius included; 0 for points and segments. An area or inertia below the least positive number is 0.
    pub area: f64,
    /// Centroid in the shape's own frame. For points, and segments without a radius: the mean of the points.
    pub centroid: DVec2,
    /// Polar second moment of area about the centroid.
    pub inertia: f64,
}

/// Returns the mass properties. A composite is the sum over its parts: an area that two parts cover
/// counts twice.
pub(super) fn of(shape: &Shape) -> MassProperties {
    let parts = shape.placed(Pose::IDENTITY).parts();
    let largest = parts
        .clone()
        .map(|part| norm1(part.pose.translation()).max(part.convex.bounding_radius).max(part.convex.radius));
    let power = magnification(largest.fold(0.0, f64::max));
    let magnified = match &shape.0 {
        Form::Convex(convex) => of_magnified(convex, power),
        Form::Composite(_) => sum(parts.map(|part| {
            let of_part = of_magnified(part.convex, power);
            let rotated = part.pose.rotate_vector(of_part.centroid);
            MassProperties { centroid: rotated + vector_times_power_of_two(part.pose.translation(), power), ..of_part }
        })),
    };
    MassProperties {
        area: times_power_of_two(magnified.area, -2 * power),
        centroid: vector_times_power_of_two(magnified.centroid, -power),
        inertia: times_power_of_two(magnified.inertia, -4 * power),
    }
}

fn sum(parts: impl ExactSizeIterator<Item = MassProperties> + Clone) -> MassProperties {
    // Relative to the mean of the centroids, so that no digits cancel far from the origin.
    let count = parts.len() as f64;
    let mean = parts.clone().fold(DVec2::ZERO, |sum, part| sum + part.centroid / count);
    let area = parts.clone().map(|part| part.area).sum::<f64>();
    if area == 0.0 {
        return MassProperties { area, centroid: mean, inertia: 0.0 };
    }
    let offset = parts.clone().fold(DVec2::ZERO, |sum, part| sum + (part.centroid - mean) * (part.area / area));
    let centroid = mean + offset;
    let inertia = parts.map(|part| part.inertia + part.area * (part.centroid - centroid).length_squared()).sum();
    MassProperties { area, centroid, inertia }
}

/// Returns the mass properties of a convex shape, multiplied by a power of two.
fn of_magnified(convex: &Convex, power: i32) -> MassProperties {
    if power == 0 { of_convex(convex) } else { of_convex(&convex.times_power_of_two(power)) }
}

/// Returns the sum of the hull's triangles, a rectangle along each edge and a sector at each hull
/// vertex.
fn of_convex(convex: &Convex) -> MassProperties {
    let n = convex.hull_vertex_count();
    let mean = (0..n).fold(DVec2::ZERO, |sum, i| sum + convex.hull_vertex(i) / n as f64);
    let hull_vertex = |i: usize| convex.hull_vertex(i) - mean;
    let (mut area, mut moment, mut inertia) = (0.0, DVec2::ZERO, 0.0);
    let mut add = |piece: MassProperties| {
        area += piece.area;
        moment += piece.centroid * piece.area;
        inertia += piece.inertia + piece.area * piece.centroid.length_squared();
    };
    for i in 1..n.max(2) - 1 {
        add(triangle(hull_vertex(0), hull_vertex(i), hull_vertex(i + 1)));
    }
    for i in 0..convex.edge_count() {
        add(edge(hull_vertex(i), hull_vertex(convex.next(i)), convex.normal(i), convex.radius));
    }
    for i in 0..n {
        if n == 1 {
            add(disc(hull_vertex(i), convex.radius));
            break;
        }
        let (before, after) = (convex.normal(convex.previous(i)), convex.normal(i));
        let angle = libm::atan2(cross(before, after), before.dot(after)).abs();
        add(sector(hull_vertex(i), before, angle, convex.radius));
    }
    if area > 0.0 {
        let centroid = moment / area;
        MassProperties { area, centroid: mean + centroid, inertia: inertia - area * centroid.length_squared() }
    } else {
        MassProperties { area: 0.0, centroid: mean, inertia: 0.0 }
    }
}

fn triangle(a: DVec2, b: DVec2, c: DVec2) -> MassProperties {
    let area = cross(b - a, c - a) / 2.0;
    let sides = (b - a).length_squared() + (c - b).length_squared() + (a - c).length_squared();
    MassProperties { area, centroid: (a + b + c) / 3.0, inertia: area * sides / 36.0 }
}

fn edge(a: DVec2, b: DVec2, normal: DVec2, radius: f64) -> MassProperties {
    let width = length(b - a);
    let area = width * radius;
    MassProperties {
        area,
        centroid: (a + b) / 2.0 + normal * (radius / 2.0),
        inertia: area * (width * width + radius * radius) / 12.0,
    }
}

fn disc(center: DVec2, radius: f64) -> MassProperties {
    let area = PI * radius * radius;
    MassProperties { area, centroid: center, inertia: area * radius * radius / 2.0 }
}

/// Returns the sector about `center`, from the direction `from` counter-clockwise by `angle`
/// radians.
fn sector(center: DVec2, from: DVec2, angle: f64, radius: f64) -> MassProperties {
    let area = angle * radius * radius / 2.0;
    let (sin, cos) = libm::sincos(angle / 2.0);
    let distance = if angle > 0.0 { 4.0 * radius * sin / (3.0 * angle) } else { 0.0 };
    let bisector = DVec2::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y);
    MassProperties {
        area,
        centroid: center + bisector * distance,
        inertia: area * (radius * radius / 2.0 - distance * distance),
    }
}
