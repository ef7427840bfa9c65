#![no_std]
#![doc = "Exact 2D collision detection."]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod broad;
mod decompose;
mod error;
mod math;
mod query;
mod shape;

pub use error::{Error, ErrorKind};
pub use glam::DVec2;
pub use math::aabb::Aabb;
pub use math::pose::Pose;
pub use math::ray::Ray;
pub use query::{
    Axis, AxisSource, ContactId, ContactPoint, Distance, Explanation, Feature, Manifold, collide, collide_within, distance, explain,
    intersects, overlaps,
};
pub use shape::{MassProperties, Placed, Shape, ShapeKind};
