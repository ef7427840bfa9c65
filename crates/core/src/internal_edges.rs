//! Removes ghost collisions at internal edges: a shape slides over adjacent tiles as over one
//! shape.
//!
//! ```
//! use carom::internal_edges::surface_contacts;
//! use carom::{DVec2, Shape};
//!
//! let (tile, crate_) = (Shape::rectangle(1.0, 1.0)?, Shape::rectangle(0.8, 0.8)?);
//! let floor = [tile.at([0.0, -0.5])?, tile.at([1.0, -0.5])?];
//! let mut contacts = Vec::new();
//! surface_contacts(crate_.at([0.12, 0.35])?, &floor, 0.0, &mut contacts);
//! assert!(contacts.iter().all(|contact| contact.manifold.normal == DVec2::Y)); // no bump at the seam
//! # Ok::<(), carom::Error>(())
//! ```

pub use crate::query::internal_edges::{INTERNAL_EDGE_TOLERANCE, SurfaceContact, fix_internal_edges, surface_contacts};
