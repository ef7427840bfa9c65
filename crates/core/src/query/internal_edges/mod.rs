//! Removes ghost contacts at internal edges, so that flush neighbours act as one surface.
//!
//! Input: a moving shape (the mover), the shapes of a surface, and the contacts between them.
//! Output: the same list, with each ghost contact replaced or dropped.
//!
//! A contact of two convex parts is computed without their neighbours. Example: a box has sunk a
//! little into a row of tiles, and one hull vertex has just passed a seam. The MTV out of the next
//! tile then points backward, and the box stops at an internal edge: a ghost collision (Catto 2020).
//! The surface of the union separates ghosts from walls. A normal is valid at a point if the
//! surface of the union, not only of the part, has this normal there.
//!
//! ```text
//! for each contact:
//!     if the union exposes its normal at its points:      // exposed_normals.rs
//!         keep the contact
//!     else:
//!         it is a ghost; find the exposed face normal     // open_direction.rs
//!         of either part with the least depth, if any
//! for each ghost:                                         // ghost_contact.rs
//!     if the MTV of another contact also ends the ghost's overlap, at less cost:
//!         drop the ghost
//!     else:
//!         replace the ghost by the contact along the exposed normal
//! ```

mod exposed_normals;
mod ghost_contact;
mod open_direction;
mod part_pair;

use alloc::vec::Vec;

use smallvec::SmallVec;

use self::exposed_normals::ShapeUnion;
pub(crate) use self::exposed_normals::{farthest, vertex_along};
use self::ghost_contact::{ghosts, settle};
use super::manifolds_within;
use crate::pair_result::Manifold;
use crate::shape::{Placed, Shape};

/// Default flush tolerance, used by [`surface_contacts`]: 1e-6 of the size of the smallest part involved.
///
/// Steps and gaps up to this length are ignored.
pub const INTERNAL_EDGE_TOLERANCE: f64 = 1e-6;

/// Number of contacts that are stored without an allocation.
const MANY: usize = 16;

/// A contact between a mover and one shape of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact {
    /// Index of the shape in the slice of surface shapes.
    pub surface: usize,
    /// The contact manifold. Its normal points from the surface to the mover, so its
    /// [`mtv`](Manifold::mtv) moves the mover out.
    pub manifold: Manifold,
}

/// Computes all contacts of a mover with a surface of one or more shapes, without ghosts at the seams.
///
/// ```text
///        ┌────────┐                     ┌────────┐
///        │ mover  │                     │ mover  │
///    ┌───┼─────┬──┼──┐              ┌───┼─────┬──┼──┐
///    │   └─────┼──┘  │              │   └─↑───┼─↑┘  │
///    │         ←     │              │         │     │
///    └─────────┴─────┘              └─────────┴─────┘
///    without the fix: the right      with the fix: both
///    tile pushes backward            tiles push upward
/// ```
///
/// Calls [`manifolds_within`] for each shape of the surface, with `margin` as the largest reported distance. Then calls
/// [`fix_internal_edges`] with [`INTERNAL_EDGE_TOLERANCE`]. The contacts are appended to `out`.
///
/// Shapes have no history, so this function cannot respect [one-way](crate::Collider::one_way) colliders: it reports
/// their contacts from all sides. [`World::surface_contacts`](crate::World::surface_contacts) respects them.
///
/// ```
/// use carom::{DVec2, Pose, Shape, collide};
/// use carom::internal_edges::surface_contacts;
///
/// let (tile, crate_) = (Shape::rectangle(1.0, 1.0)?, Shape::rectangle(0.8, 0.8)?);
/// let floor = [tile.at([0.0, -0.5])?, tile.at([1.0, -0.5])?]; // its top is y = 0, the seam is at x = 0.5
/// let mover = crate_.at([0.12, 0.35])?; // 0.05 deep, and 0.02 past the seam
///
/// assert_eq!(collide(floor[1], mover).unwrap().normal, DVec2::NEG_X); // a bump
///
/// let mut contacts = Vec::new();
/// surface_contacts(mover, &floor, 0.0, &mut contacts);
/// assert_eq!(contacts.len(), 2);
/// for contact in &contacts {
///     assert_eq!(contact.manifold.normal, DVec2::Y);
///     assert!((contact.manifold.depth - 0.05).abs() < 1e-15);
/// }
/// # Ok::<(), carom::Error>(())
/// ```
pub fn surface_contacts(mover: Placed<'_>, surface: &[Placed<'_>], margin: f64, out: &mut Vec<SurfaceContact>) {
    let (mut contacts, mut manifolds) = (Vec::new(), Vec::new());
    for (number, &shape) in surface.iter().enumerate() {
        manifolds_within(shape, mover, margin, &mut manifolds);
        contacts.extend(manifolds.drain(..).map(|manifold| SurfaceContact { surface: number, manifold }));
    }
    fix_internal_edges(mover, surface, INTERNAL_EDGE_TOLERANCE, &mut contacts);
    out.append(&mut contacts);
}

/// Replaces or drops the contacts of a mover with internal edges of a surface, so that flush
/// neighbours act as one shape.
///
/// Compute the contacts with [`manifolds_within`]: the surface shape is the first argument, the mover the second.
/// Neighbours may be parts of one compound, concave polygon, mask or chain (from either side), or separate shapes.
/// Flush parts of the mover act as one shape too. The function keeps no state and uses no velocities. Except for
/// ties, the result does not depend on the order of the shapes.
///
/// `flush` is the largest step or gap that is ignored, relative to the size of the smallest part involved. Use
/// [`INTERNAL_EDGE_TOLERANCE`], or more to bridge wider seams. Negative values and NaN count as 0. A tolerance for
/// rounding errors of the coordinates is always added.
///
/// - A contact is kept if the surface of the union has its normal there. Examples: floors, walls,
///   their corners, real steps, the end of a row.
/// - A ghost is replaced by the contact along the exposed face normal of the two parts with the least depth.
///   Its depth and points are measured along that normal.
/// - A ghost is dropped if the MTV of another contact in the list moves the mover out of the ghost's part too.
///   Resolving each remaining contact ends every overlap of the list, up to `flush`.
/// - If no exposed normal is found and no other contact helps, the ghost gets the least depth along the normal of
///   another contact. If there is none, it is kept. This happens if the mover is very deep inside the surface.
///
/// Pass every shape near the mover, also shapes that it does not touch: a neighbour that is not in `surface` cannot
/// hide an edge. A wedge-shaped gap below a seam, as between rectangles along a concave arc, is a real gap. A hull
/// vertex that has sunk into it may get a contact with its far side. Use a chain, a polygon or a larger `flush` there.
///
/// A contact with an invalid shape index or part index is kept unchanged.
///
/// ```
/// use carom::{DVec2, Shape, manifolds};
/// use carom::internal_edges::{INTERNAL_EDGE_TOLERANCE, SurfaceContact, fix_internal_edges};
///
/// let ground = Shape::chain(&[[-4.0, 0.0], [0.0, 0.0], [4.0, 0.0]])?;
/// let (ground, ball) = (ground.at([0.0, 0.0])?, Shape::circle(1.0)?);
/// let mover = ball.at([-0.3, 0.9])?;
///
/// let mut found = Vec::new();
/// manifolds(ground, mover, &mut found);
/// assert_eq!(found.len(), 2); // the segment below, and the end of the next one
/// let mut contacts: Vec<_> = found.into_iter().map(|manifold| SurfaceContact { surface: 0, manifold }).collect();
/// fix_internal_edges(mover, &[ground], INTERNAL_EDGE_TOLERANCE, &mut contacts);
/// assert_eq!(contacts.len(), 1);
/// assert_eq!(contacts[0].manifold.normal, DVec2::Y);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn fix_internal_edges(mover: Placed<'_>, surface: &[Placed<'_>], flush: f64, contacts: &mut Vec<SurfaceContact>) {
    // A circle of radius 0 is always valid.
    let Ok(point) = Shape::circle(0.0) else { return };
    let flush = flush.max(0.0);
    let surface = Surface {
        ground: ShapeUnion::new(surface, &point, flush),
        mover: ShapeUnion::new(core::slice::from_ref(&mover), &point, flush),
    };
    let ghosts = ghosts(&surface, contacts);
    if ghosts.is_empty() {
        return;
    }
    let mut kept: SmallVec<[Option<Manifold>; MANY]> = SmallVec::new();
    for contact in contacts.iter() {
        kept.push(Some(contact.manifold));
    }
    for ghost in &ghosts {
        kept[ghost.contact] = None;
    }
    settle(&ghosts, &mut kept);
    let mut settled = kept.iter();
    contacts.retain_mut(|contact| {
        let Some(Some(manifold)) = settled.next() else { return false };
        contact.manifold = *manifold;
        true
    });
}

/// The surface and the mover, each as a union. Each union can hide normals of its own parts.
struct Surface<'a> {
    ground: ShapeUnion<'a>,
    mover: ShapeUnion<'a>,
}
