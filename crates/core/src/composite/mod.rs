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

use crate::query::composite::Queries;
use crate::shape::composite::{Composite, QueryTable};
use crate::shape::composite_parts::CompositeParts;
use crate::shape::composite_source::CompositeSource;
use crate::shape::outline::Outline;
use crate::shape::{Form, Shape};

/// Creates a composite. Without parts, the first query that needs them computes them.
///
/// Only polygons and compounds without a radius can be created without parts. An outline must be that of the parts.
fn composite(source: CompositeSource, radius: f64, outline: Option<Outline>, parts: Option<CompositeParts>) -> Shape {
    Shape(Form::Composite(Arc::new(Composite::new(QueryTable(&Queries), source, radius, outline, parts))))
}
