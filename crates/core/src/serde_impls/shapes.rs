//! Implements serde for shapes, as the arguments of their constructors, and for colliders.
//!
//! Input: a shape. Output: a constructor by name, with its arguments. So files stay readable, and
//! other programs can write them.
//!
//! ```text
//! definition = constructor and arguments, from the accessors
//! if the shape it builds has other bits: store the bytes of a snapshot
//! ```
//!
//! Both shapes are compared by their snapshots. They differ, for example, for a part of a polygon,
//! which has the feature ids of the whole.
//!
//! In JSON, for example:
//!
//! ```text
//! {"circle": {"radius": 0.5}}
//! {"rectangle": {"width": 2.0, "height": 1.0, "radius": 0.1}}
//! {"chain": {"points": [[0.0, 0.0], [2.0, 1.0]], "closed": false, "one_sided": true, "radius": 0.0}}
//! {"compound": {"children": [[shape, pose], ...], "radius": 0.0}}
//! {"data": {"bytes": [...]}}
//! ```
//!
//! Unknown names are errors, so that a misspelled argument is not ignored.

use alloc::vec::Vec;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::through;
use crate::broad_phase::BruteForce;
use crate::error::{Error, ErrorKind};
use crate::math::pose::Pose;
use crate::shape::{Shape, ShapeKind};
use crate::world::{Collider, World};

type Point = [f64; 2];

/// The constructor of a shape and its arguments. Sizes are full sizes; a radius grows the shape
/// outward.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Shape", rename_all = "snake_case", deny_unknown_fields)]
enum Definition {
    /// A circle about the origin.
    Circle { radius: f64 },
    /// A segment between two points.
    Segment { a: Point, b: Point },
    /// All points within the radius of a segment.
    Capsule { a: Point, b: Point, radius: f64 },
    /// A rectangle about the origin, rounded by the radius.
    Rectangle { width: f64, height: f64, radius: f64 },
    /// A convex polygon, rounded by the radius.
    Polygon { points: Vec<Point>, radius: f64 },
    /// A concave polygon: the outer ring, then the holes.
    Concave { rings: Vec<Vec<Point>>, radius: f64 },
    /// A polyline, rounded by the radius.
    Chain { points: Vec<Point>, closed: bool, one_sided: bool, radius: f64 },
    /// Shapes at poses, each grown by the radius.
    Compound { children: Vec<(Shape, Pose)>, radius: f64 },
    /// The bytes of a snapshot of a world that contains only this shape. For masks, for parts of
    /// composites, and for all shapes that no constructor restores bit for bit.
    Data { bytes: Vec<u8> },
}

through!(Shape, Definition);

/// Converts points to arrays.
fn plain(points: &[DVec2]) -> Vec<Point> {
    points.iter().map(|&p| p.into()).collect()
}

impl From<&Shape> for Definition {
    fn from(shape: &Shape) -> Self {
        let definition = Self::of(shape)
            .filter(|definition| definition.build().is_ok_and(|again| to_world_bytes(&again) == to_world_bytes(shape)));
        definition.unwrap_or_else(|| Self::Data { bytes: to_world_bytes(shape) })
    }
}

impl Definition {
    /// Returns the constructor that may have created the shape. Its result may differ in some bits.
    fn of(shape: &Shape) -> Option<Self> {
        let (points, radius) = (plain(shape.points()), shape.radius());
        Some(match shape.kind() {
            ShapeKind::Circle if shape.points() == [DVec2::ZERO] => Self::Circle { radius },
            ShapeKind::Circle => Self::Capsule { a: *points.first()?, b: *points.first()?, radius },
            ShapeKind::Segment => Self::Segment { a: *points.first()?, b: *points.last()? },
            ShapeKind::Capsule => Self::Capsule { a: *points.first()?, b: *points.last()?, radius },
            ShapeKind::Rectangle => {
                let half = shape.points().get(2)?;
                Self::Rectangle { width: half.x * 2.0, height: half.y * 2.0, radius }
            }
            ShapeKind::ConvexPolygon => Self::Polygon { points, radius },
            ShapeKind::Polygon => Self::Concave { rings: shape.rings().map(plain).collect(), radius },
            ShapeKind::Chain => {
                Self::Chain { points, closed: shape.is_closed_chain(), one_sided: shape.is_one_sided(), radius }
            }
            ShapeKind::Compound => Self::Compound { children: shape.children().to_vec(), radius },
            ShapeKind::Mask => return None,
        })
    }

    /// Calls the constructor.
    fn build(&self) -> Result<Shape, Error> {
        match self {
            Self::Circle { radius } => Shape::circle(*radius),
            Self::Segment { a, b } => Shape::segment(*a, *b),
            Self::Capsule { a, b, radius } => Shape::capsule(*a, *b, *radius),
            Self::Rectangle { width, height, radius } => Shape::rectangle(*width, *height)?.rounded(*radius),
            Self::Polygon { points, radius } => Shape::convex_polygon(points)?.rounded(*radius),
            Self::Concave { rings, radius } => {
                let (outline, holes) = rings.split_first().ok_or_else(no_outline)?;
                Shape::polygon_with_holes(outline, holes)?.rounded(*radius)
            }
            Self::Chain { points, closed, one_sided, radius } => {
                let chain = if *closed { Shape::closed_chain(points) } else { Shape::chain(points) }?;
                let chain = if *one_sided { chain.one_sided()? } else { chain };
                chain.rounded(*radius)
            }
            Self::Compound { children, radius } => Shape::compound(children.iter().cloned())?.rounded(*radius),
            Self::Data { bytes } => {
                let world = World::from_bytes(bytes)?;
                let shape = world.colliders().next().map(|(_, collider)| collider.shape.clone());
                shape.ok_or_else(|| Error::new(ErrorKind::InvalidData, "the data of the shape contain no shape".into()))
            }
        }
    }
}

/// Returns the error for a polygon without rings.
#[cold]
fn no_outline() -> Error {
    Error::new(
        ErrorKind::TooFewPoints,
        "a concave polygon needs at least one ring: the first ring is the outline".into(),
    )
}

/// Returns all bits of a shape, as a snapshot of a world that contains only it.
fn to_world_bytes(shape: &Shape) -> Vec<u8> {
    let mut world = World::with_broad_phase(BruteForce::new());
    world.insert(Collider::new(shape.clone()));
    world.to_bytes()
}

impl TryFrom<Definition> for Shape {
    type Error = Error;

    fn try_from(definition: Definition) -> Result<Self, Error> {
        definition.build()
    }
}
