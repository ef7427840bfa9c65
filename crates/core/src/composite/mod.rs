//! Constructs shapes that can be composites: polygons, chains, compounds, masks, scaled copies and
//! shapes read from bytes.
//!
//! A composite holds a pointer to its pair queries. The layer `query` defines them, so this layer
//! lies above it. A program that calls none of these constructors links no code for composites.

mod chain;
mod compound;
mod mask;
mod polygon;
mod scale;
mod serialize;

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::math::pose::Pose;
use crate::query::composite::Queries;
use crate::shape::composite::{Composite, QueryTable};
use crate::shape::composite_source::CompositeSource;
use crate::shape::convex::Convex;
use crate::shape::{Form, Shape};

/// Creates a composite of parts with a pose each; without poses, all parts lie in the shape's own frame.
fn composite(source: CompositeSource, parts: Vec<Convex>, poses: Vec<Pose>, radius: f64) -> Shape {
    Shape(Form::Composite(Arc::new(Composite::with_poses(QueryTable(&Queries), source, parts, poses, radius))))
}
