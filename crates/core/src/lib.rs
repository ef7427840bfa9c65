//! Exact 2D collision detection: yes/no tests, contacts, distances, casts, broad phases, worlds.
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
//! # Tasks
//!
//! | I want to … | call | term |
//! |---|---|---|
//! | know if two shapes intersect | [`intersects`], [`overlaps`] | boolean test |
//! | get the normal, depth and contact points | [`collide`], [`manifolds`] | contact manifold |
//! | get the closest points | [`distance`], [`query::distance_cached`] | closest points |
//! | cast a ray or a circle | [`ray_cast`], [`Ray::with_radius`] | ray cast |
//! | stop a fast object | [`time_of_impact`], [`World::shape_cast`] | CCD, shape cast |
//! | test a point | [`Placed::contains_point`], [`Placed::signed_distance`] | point query |
//! | test if a shape lies inside another one | [`contains`] | containment |
//! | know how two areas of a map meet | [`query::PreparedOutline`] | DE-9IM, border length, area of intersection |
//! | find the overlapping pairs of many boxes | [`broad_phase::Adaptive`] | broad phase |
//! | query many shapes | [`query::QueryPipeline`] | query pipeline |
//! | test a million pairs | [`batch::Batch`] | SIMD batch |
//! | keep colliders and get events | [`World`] | collision world |
//! | move a character | [`mover::Mover`] | character controller, move and slide |
//! | resolve contacts | [`response::resolve_penetration`], [`response::bounce`] | position correction, impulse |
//! | remove ghost collisions between tiles | [`internal_edges::surface_contacts`] | internal edges |
//! | split a concave polygon | [`Shape::polygon`], [`decompose::PolygonWithHoles`] | convex decomposition |
//! | repair an outline that crosses itself | [`decompose::repair`] | noding, fill rule |
//! | see the steps of an algorithm | [`explain_sat`], [`explain`](mod@explain) | debugging |
//!
//! # Guarantees
//!
//! - **Exact.** [`intersects`] and [`overlaps`] return the answer of exact arithmetic, always.
//!   Floating point decides if its error bound allows it. Otherwise integers decide. Distances,
//!   depths and points are rounded, but never contradict the result: disjoint ⇔ distance > 0,
//!   touching ⇔ depth = 0, overlapping ⇔ depth > 0.
//! - **Touching counts.** Shapes are closed sets. [`intersects`] is true if they share one point. [`overlaps`] is true
//!   if the depth is above 0. A composite overlaps as the union of its parts: its decomposition never matters.
//! - **Normals** of pairs are unit vectors from the first shape to the second. [`Manifold::mtv`] moves the second shape
//!   out of the first. Casts ([`ray_cast`], [`World::shape_cast`], [`World::set_motion`]) return the surface normal of
//!   the shape that was hit, against the motion.
//! - **Angles** are in radians. Positive angles turn +x toward +y. No result depends on whether +y points up or down.
//! - **Numbers** are `f64`, finite, with a magnitude of at most 1e30. Constructors return an error for other numbers.
//!   Queries never fail, never panic and never return NaN.
//! - **Points** are taken as any type that implements [`IntoPoint`]: `[x, y]`, `(x, y)`, [`DVec2`] and the vectors of
//!   other crates. Lists of points are slices: `&[P]`.
//! - **Deterministic.** Every SIMD level, platform, number of threads and broad phase gives the same bits.
//! - **Allocations.** Pair queries of shapes with up to 16 vertices do not allocate. Exceptions: [`explain_sat`],
//!   [`time_of_impact`] of polygons that are tiny beside their coordinates, and parts without area that touch
//!   composites.
//! - **Two dimensions only.** Queries need no bodies, masses or time step.
//!
//! # Modules
//!
//! The root exports the items that most programs need. All others are in the modules.
//!
//! - Pairs and boxes: [`query`] (pairs and many shapes), [`batch`] (many pairs), [`broad_phase`] (boxes),
//!   [`explain`](mod@explain) (steps of an algorithm).
//! - Worlds: [`world`], [`response`] (impulses), [`mover`] (characters), [`internal_edges`] (floors of tiles).
//! - Polygons and images: [`decompose`], [`mask`].
//!
//! # Examples
//!
//! - [`two_shapes`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/two_shapes.rs): one pair:
//!   intersection, contact, distance, separation
//! - [`many_shapes`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/many_shapes.rs): a broad phase
//!   and pair queries
//! - [`mouse_click`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/mouse_click.rs): the topmost
//!   shape at a point
//! - [`rays`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/rays.rs): a ray that bounces inside a
//!   polygon
//! - [`line_of_sight`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/line_of_sight.rs): a field of
//!   view with hidden shapes
//! - [`time_of_impact`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/time_of_impact.rs): a bullet
//!   that moves farther than its length in one step
//! - [`bullets`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/bullets.rs): motions in a world that
//!   stop at thin walls
//! - [`coins`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/coins.rs): sensors and events
//! - [`one_way_platforms`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/one_way_platforms.rs): a
//!   jump up through a platform
//! - [`platformer`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/platformer.rs): a character that
//!   walks, jumps, drops through a platform and rides a lift ([how a mover works](https://github.com/carom-2d/carom/blob/main/docs/MOVER.md))
//! - [`top_down`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/top_down.rs): a character seen from
//!   above, which slides along walls
//! - [`map`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/map.rs): parcels that border, touch,
//!   overlap and contain each other
//! - [`pixel_masks`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/pixel_masks.rs): sprites compared
//!   pixel by pixel
//! - [`rollback`](https://github.com/carom-2d/carom/blob/main/crates/core/examples/rollback.rs): a snapshot restored
//!   for a late input
//!
//! # Features
//!
//! - `std` (on by default). Without it the crate is `no_std` with `alloc`.
//! - `parallel`: the broad phases [`StripSweep`](broad_phase::StripSweep), [`Bvh`](broad_phase::Bvh) and
//!   [`Adaptive`](broad_phase::Adaptive), [`batch::Batch`] and [`World::update`] use rayon's current thread pool if
//!   there is enough work. Any number of threads gives the same results in the same order.
//! - `serde`: poses, boxes, shapes, colliders, contacts and worlds are serialized bit for bit, and validated when they
//!   are read.
//! - `mint`, `glam-034`, `nalgebra`: the vectors and points of `mint` 0.5, `glam` 0.34 and `nalgebra` 0.34 implement
//!   [`IntoPoint`].

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod batch;
pub mod broad_phase;
mod composite;
pub mod decompose;
mod error;
pub mod explain;
pub mod internal_edges;
pub mod mask;
mod math;
pub mod mover;
mod pair_result;
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
