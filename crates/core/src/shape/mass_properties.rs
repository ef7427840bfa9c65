//! Area, centroid and inertia.

use core::f64::consts::PI;

use glam::DVec2;

use super::convex::Convex;
use super::{Form, Shape};
use crate::math::pose::Pose;
use crate::math::vector::{cross, length};

/// What a shape weighs and how hard it is to turn, per unit of density.
///
/// Multiply `area` and `inertia` by the density for mass and moment of inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// The area, rounding included; 0 for points and segments.
    pub area: f64,
    /// The centre of the area in the shape's own frame; of what has no area, the middle of its points.
    pub centroid: DVec2,
    /// The polar second moment of area about the centroid.
    pub inertia: f64,
}

/// A piece of the area: how large, where, and its inertia about its own centroid.
struct Piece {
    area: f64,
    centroid: DVec2,
    inertia: f64,
}

/// Of composites, the sum over the parts: what two of them cover counts for both.
pub(super) fn of(shape: &Shape) -> MassProperties {
    match &shape.0 {
        Form::Convex(convex) => of_convex(convex),
        Form::Composite(_) => sum(shape.placed(Pose::IDENTITY).parts().map(|part| {
            let own = of_convex(part.convex);
            MassProperties { centroid: part.pose.transform_point(own.centroid), ..own }
        })),
    }
}

fn sum(parts: impl ExactSizeIterator<Item = MassProperties> + Clone) -> MassProperties {
    // Relative to the middle, so that nothing cancels far from the origin.
    let count = parts.len() as f64;
    let middle = parts.clone().fold(DVec2::ZERO, |sum, part| sum + part.centroid / count);
    let area = parts.clone().map(|part| part.area).sum::<f64>();
    if area == 0.0 {
        return MassProperties { area, centroid: middle, inertia: 0.0 };
    }
    let moved = parts.clone().fold(DVec2::ZERO, |sum, part| sum + (part.centroid - middle) * (part.area / area));
    let centroid = middle + moved;
    let inertia = parts.map(|part| part.inertia + part.area * (part.centroid - centroid).length_squared()).sum();
    MassProperties { area, centroid, inertia }
}

/// The core polygon, a rectangle along each edge and a sector at each corner.
fn of_convex(convex: &Convex) -> MassProperties {
    let n = convex.corner_count();
    let middle = (0..n).fold(DVec2::ZERO, |sum, i| sum + convex.corner(i) / n as f64);
    let corner = |i: usize| convex.corner(i) - middle;
    let triangles = (1..n.max(2) - 1).map(|i| triangle(corner(0), corner(i), corner(i + 1)));
    let edges =
        (0..convex.edge_count()).map(|i| edge(corner(i), corner(convex.next(i)), convex.normal(i), convex.radius));
    let rims = (0..n).map(|i| {
        if n == 1 {
            return disc(corner(i), convex.radius);
        }
        let (before, after) = (convex.normal(convex.previous(i)), convex.normal(i));
        let angle = libm::atan2(cross(before, after), before.dot(after)).abs();
        sector(corner(i), before, angle, convex.radius)
    });
    let (mut area, mut moment, mut inertia) = (0.0, DVec2::ZERO, 0.0);
    for piece in triangles.chain(edges).chain(rims) {
        area += piece.area;
        moment += piece.centroid * piece.area;
        inertia += piece.inertia + piece.area * piece.centroid.length_squared();
    }
    if area > 0.0 {
        let centroid = moment / area;
        MassProperties { area, centroid: middle + centroid, inertia: inertia - area * centroid.length_squared() }
    } else {
        MassProperties { area: 0.0, centroid: middle, inertia: 0.0 }
    }
}

fn triangle(a: DVec2, b: DVec2, c: DVec2) -> Piece {
    let area = cross(b - a, c - a) / 2.0;
    let sides = (b - a).length_squared() + (c - b).length_squared() + (a - c).length_squared();
    Piece { area, centroid: (a + b + c) / 3.0, inertia: area * sides / 36.0 }
}

fn edge(a: DVec2, b: DVec2, normal: DVec2, radius: f64) -> Piece {
    let width = length(b - a);
    let area = width * radius;
    Piece {
        area,
        centroid: (a + b) / 2.0 + normal * (radius / 2.0),
        inertia: area * (width * width + radius * radius) / 12.0,
    }
}

fn disc(center: DVec2, radius: f64) -> Piece {
    let area = PI * radius * radius;
    Piece { area, centroid: center, inertia: area * radius * radius / 2.0 }
}

/// The sector from the direction `from` counter-clockwise by `angle`.
fn sector(corner: DVec2, from: DVec2, angle: f64, radius: f64) -> Piece {
    let area = angle * radius * radius / 2.0;
    let (sin, cos) = libm::sincos(angle / 2.0);
    let away = if angle > 0.0 { 4.0 * radius * sin / (3.0 * angle) } else { 0.0 };
    let bisector = DVec2::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y);
    Piece { area, centroid: corner + bisector * away, inertia: area * (radius * radius / 2.0 - away * away) }
}
