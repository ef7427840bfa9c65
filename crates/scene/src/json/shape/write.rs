//! From a shape to the form that reads back as it.
use carom::{DVec2, Pose, Shape, ShapeKind};

use super::{Capsule, Chain, Child, Circle, Polygon, Rectangle, Segment, ShapeSpec};
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
            _ => Self::Polygon(Polygon { points: list(points), holes: Vec::new(), radius }),
        }
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
