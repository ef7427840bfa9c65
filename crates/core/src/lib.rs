//! Exact 2D collision detection: whether shapes meet, how, and which of many.
//!
//! ```
//! use carom::{Pose, Shape, collide, distance, intersects, overlaps};
//!
//! let ball = Shape::circle(0.5)?;
//! let block = Shape::rectangle(2.0, 1.0)?.rounded(0.1)?;
//! let a = ball.at([0.0, 0.0])?;
//! let b = block.placed(Pose::new([1.2, 0.3], 0.4)?); // translation, radians
//!
//! assert!(intersects(a, b) && overlaps(a, b));
//! if let Some(manifold) = collide(a, b) {
//!     assert!(manifold.depth > 0.0 && manifold.normal.x > 0.0); // from a to b
//!     let moved = b.pose().translation() + manifold.mtv() * (1.0 + 1e-9);
//!     let parted = block.placed(Pose::new(moved, 0.4)?);
//!     assert!(!overlaps(a, parted) && distance(a, parted).distance < 1e-8);
//! }
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # What holds everywhere
//!
//! - **Exact.** [`intersects`] and [`overlaps`] give the answer of exact arithmetic, in every case: floating point decides where its error bound
//!   allows it, integers where it does not. Distance, depth and the points are rounded, but never contradict them: apart ⇔ distance > 0, touching ⇔ depth
//!   exactly 0, overlapping ⇔ depth > 0.
//! - **Touching counts.** Shapes are closed: [`intersects`] is true if they share one point. [`overlaps`] is true if the depth is above 0. Composites overlap as
//!   unions: the decomposition into parts never matters.
//! - **Angles** are in radians; positive ones turn +x toward +y. Nothing depends on which way +y points.
//! - **Normals** of pairs are unit vectors from the first shape to the second; [`Manifold::mtv`] moves the second one out of the first. Casts
//!   ([`ray_cast`], [`World::shape_cast`], [`World::set_motion`]) have the normal of the surface that was hit, against the motion.
//! - **Numbers** are `f64`, finite and up to 1e30 in magnitude. Other numbers are errors of the constructor of the shape, pose or box. Queries never fail, never panic and
//!   never return NaN. Points are taken as any type that implements [`IntoPoint`]:
//!   `[x, y]`, `(x, y)`, [`DVec2`] and the vectors of other crates.
//! - **Two dimensions only**, and no bodies, masses or clock.
//!
//! # Where to look
//!
//! - [`Shape`] and [`Placed`]: a shape, and a shape at a pose. All queries take placed shapes.
//! - [`collide`], [`intersects`], [`distance`]: queries of two shapes. [`explain_sat`] shows the steps of the decision.
//! - [`World`]: many colliders, with contacts and with events that begin and end. [`response`] separates colliders and makes them bounce.
//! - [`broad`]: the candidates among many boxes. [`query::QueryPipeline`]: rays, points and regions among many shapes. [`batch`]: queries of many pairs in one call.
//! - [`decompose`]: convex parts of outlines with holes.
//!
//! Pair queries of shapes with up to 16 vertices do not allocate. Exceptions: [`explain_sat`], [`time_of_impact`] of polygons that are tiny beside their coordinates,
//! and parts without area that touch composites.
//!
//! The root exports the items that most programs need. All others are in the modules: [`query`], [`world`], [`mask`], [`explain`](mod@explain), [`internal_edges`].
//!
//! # Features
//!
//! - `std` (on by default): without it the crate is `no_std` with `alloc`.
//! - `parallel`: the broad phases [`Grid`](broad::Grid), [`Bvh`](broad::Bvh) and [`Auto`](broad::Auto) and the [`batch`]es use the cores of rayon's current
//!   thread pool where there is enough to do; `ThreadPool::install` chooses another pool. Every number of threads gives the same answers in the same order.
//! - `serde`: poses, boxes, shapes, colliders, contacts and whole worlds are serialized bit for bit, and checked where they are read.
//! - `mint`, `glam-034`, `nalgebra`: the vectors and points of `mint` 0.5, `glam` 0.34 and `nalgebra` 0.34 implement [`IntoPoint`].

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod batch;
pub mod broad_phase;
pub mod decompose;
mod error;
pub mod explain;
pub mod internal_edges;
pub mod mask;
mod math;
pub mod query;
pub mod response;
#[cfg(feature = "serde")]
mod serde_impls;
mod shape;
pub mod world;

pub use broad_phase::Filter;
pub use error::{Error, ErrorKind};
pub use glam::DVec2;
pub use math::aabb::Aabb;
pub use math::mask::Mask;
pub use math::point::IntoPoint;
pub use math::pose::Pose;
pub use math::ray::Ray;
pub use query::explain::explain_sat;
pub use query::{
    Manifold, RayHit, collide, contains, distance, intersects, manifolds, overlaps, ray_cast, time_of_impact,
};
pub use shape::{Placed, Shape, ShapeKind, Sweep};
pub use world::{Collider, Contact, Event, Handle, World};
