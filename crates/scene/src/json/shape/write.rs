//! Writes masks and the children of compounds.
//!
//! Masks are written as rows, because a shape does not know the file of its image.

use carom::{DVec2, Pose, Shape};

use super::scale::Scale;
use super::{Child, Mask, ShapeSpec};
use crate::json::number::{Number, Point};
use crate::json::round_trip::degrees;
use crate::png::HALF_OPACITY;

impl Mask {
    /// A mirrored mask is on the other side of the origin. Its scale is negative, so its rows are
    /// written as before mirroring.
    pub(super) fn new(shape: &Shape, radius: Number) -> Self {
        let mut mask = Self { image: None, rows: None, threshold: HALF_OPACITY, scale: Scale::default(), radius };
        if let Some((pixels, origin, size)) = shape.pixels() {
            let mirrored = [origin.x < 0.0, origin.y < 0.0];
            let from = |mirrored: bool, i: u32, sides: u32| if mirrored { sides - 1 - i } else { i };
            let solid = |x, y| pixels.get(from(mirrored[0], x, pixels.width()), from(mirrored[1], y, pixels.height()));
            let row = |y| (0..pixels.width()).map(|x| if solid(x, y) { '#' } else { '.' }).collect();
            mask.rows = Some((0..pixels.height()).map(row).collect());
            mask.scale =
                Scale([if mirrored[0] { -size.x } else { size.x }, if mirrored[1] { -size.y } else { size.y }]);
        }
        mask
    }
}

impl Child {
    pub(super) fn new(shape: &Shape, pose: Pose, by: f64) -> Self {
        Self {
            shape: ShapeSpec::grown(shape, by),
            position: Point::from(pose.translation()),
            rotation: Number(degrees(pose)),
        }
    }
}

pub(super) fn list(points: &[DVec2]) -> Vec<Point> {
    points.iter().copied().map(Point::from).collect()
}
