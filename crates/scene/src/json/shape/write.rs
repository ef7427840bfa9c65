//! From a shape to the form that reads back as it.
use carom::{DVec2, Pose, Shape, ShapeKind};

use super::scale::Scale;
use super::{Capsule, Chain, Child, Circle, Mask, Polygon, Rectangle, Segment, ShapeSpec, THRESHOLD};
use crate::json::number::{Number, Numbers, Point};
use crate::json::write::degrees;

impl ShapeSpec {
    /// The form that reads back as this shape. A compound that was grown reads back as one of grown children: the same points.
    pub(crate) fn of(shape: &Shape) -> Self {
        Self::grown(shape, 0.0)
    }

    /// The form of the shape grown by a radius.
    fn grown(shape: &Shape, by: f64) -> Self {
        let points = shape.points();
        let radius = Number(shape.radius() + by);
        match shape.kind() {
            // A segment of equal ends is a circle too, and need not be centred.
            ShapeKind::Circle if points[0] == DVec2::ZERO => Self::Circle(Circle { radius }),
            ShapeKind::Circle => Self::Segment(Segment { a: point(points[0]), b: point(points[0]), radius }),
            ShapeKind::Segment => Self::Segment(Segment { a: point(points[0]), b: point(points[1]), radius }),
            ShapeKind::Capsule => Self::Capsule(Capsule { a: point(points[0]), b: point(points[1]), radius }),
            ShapeKind::Rectangle => {
                let size = points[2] - points[0];
                Self::Rectangle(Rectangle { width: Number(size.x), height: Number(size.y), radius })
            }
            ShapeKind::Chain => {
                let (closed, one_sided) = (shape.is_closed_chain(), shape.is_one_sided());
                Self::Chain(Chain { points: list(points), closed, one_sided, radius })
            }
            ShapeKind::Compound => {
                let children = shape.children().iter();
                Self::Compound(children.map(|(child, pose)| Child::new(child, *pose, shape.radius() + by)).collect())
            }
            ShapeKind::Mask => Self::Mask(Mask::new(shape, radius)),
            ShapeKind::Concave => {
                let mut rings = shape.rings().map(list);
                let points = rings.next().unwrap_or_default();
                Self::Polygon(Polygon { points, holes: rings.collect(), radius })
            }
            _ => Self::Polygon(Polygon { points: list(points), holes: Vec::new(), radius }),
        }
    }
}

impl Mask {
    /// A mirrored mask lies on the other side of the origin, which its scale says, so that its rows are written as before it was mirrored.
    fn new(shape: &Shape, radius: Number) -> Self {
        let mut mask = Self { image: None, rows: None, threshold: THRESHOLD, scale: Scale::default(), radius };
        if let Some((pixels, origin, size)) = shape.pixels() {
            let mirrored = [origin.x < 0.0, origin.y < 0.0];
            let from = |mirrored: bool, i: u32, sides: u32| if mirrored { sides - 1 - i } else { i };
            let solid = |x, y| pixels.get(from(mirrored[0], x, pixels.width()), from(mirrored[1], y, pixels.height()));
            let row = |y| (0..pixels.width()).map(|x| if solid(x, y) { '#' } else { '.' }).collect();
            mask.rows = Some((0..pixels.height()).map(row).collect());
            mask.scale = Scale([if mirrored[0] { -size.x } else { size.x }, if mirrored[1] { -size.y } else { size.y }]);
        }
        mask
    }
}

impl Child {
    fn new(shape: &Shape, pose: Pose, by: f64) -> Self {
        Self { shape: ShapeSpec::grown(shape, by), position: point(pose.translation()), rotation: Number(degrees(pose)) }
    }
}

fn point(p: DVec2) -> Point {
    Numbers(p.to_array())
}

fn list(points: &[DVec2]) -> Vec<Point> {
    points.iter().map(|&p| point(p)).collect()
}
