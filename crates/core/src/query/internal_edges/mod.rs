//! Surfaces without seams: contacts with flush neighbours as if these were one shape.
//!
//! A contact of two convex parts knows nothing of the parts beside them. Where a box has sunk a little into a row of tiles and its corner
//! has just passed a seam, the shortest way out of the next tile leads back, and the box stops at an edge that nobody can see: a ghost
//! collision (Catto 2020). What tells a ghost from a wall is the surface of the union: a normal counts where the union, not only the part,
//! lies behind it.
//!
//! 1. A contact whose normal the union leaves open at its points stays as it is ([`exposed`]).
//! 2. Any other one is a ghost, and gets the shortest way out that is open, if there is one ([`exit`]).
//! 3. It is dropped where another contact does its work with less: where the mover, moved out of that one, is out of the ghost's part too.

mod exposed_normals;
mod ghost_contact;
mod open_direction;
mod part_pair;

use alloc::vec::Vec;

use self::exposed_normals::Union;
use self::ghost_contact::{ghosts, settle};
use super::manifold::Manifold;
use super::manifolds_within;
use crate::shape::{Placed, Shape};

/// What [`surface_contacts`] takes as flush: steps and gaps of up to a millionth of the smallest part that is involved.
pub const INTERNAL_EDGE_TOLERANCE: f64 = 1e-6;

/// How a mover meets one shape of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact {
    /// The number of the shape in the list of the surface's.
    pub surface: usize,
    /// The contact, from the surface to the mover: its [`mtv`](Manifold::mtv) moves the mover out.
    pub manifold: Manifold,
}

/// Every contact of a mover with a surface of one or many shapes, without ghosts at the seams between them.
///
/// ```text
///        ┌────────┐                     ┌────────┐
///        │ mover  │                     │ mover  │
///    ┌───┼─────┬──┼──┐              ┌───┼─────┬──┼──┐
///    │   └─────┼──┘  │              │   └─↑───┼─↑┘  │
///    │         ←     │              │         │     │
///    └─────────┴─────┘              └─────────┴─────┘
///    the tile on the right           both tiles say:
///    says: back!                     up
/// ```
///
/// This is [`manifolds_within`] with each shape of the surface, and then [`fix_internal_edges`] with [`INTERNAL_EDGE_TOLERANCE`]. What `out` holds already stays as
/// it is.
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

/// Replaces or drops the contacts that a mover has with inner edges of a surface: with flush neighbours it then feels one smooth surface.
///
/// The contacts are those of [`manifolds_within`], each shape of the surface first and the mover second. Neighbours may be parts of one
/// compound, concave polygon, mask or chain (from either side), or separate shapes side by side; parts of the mover that are flush count as
/// one as well. Nothing is remembered and nothing is asked of velocities: but for ties, the result does not depend on the order of the
/// shapes.
///
/// `flush` says which steps and gaps are nothing, relative to the smallest part that is involved ([`INTERNAL_EDGE_TOLERANCE`] suits everything but seams that
/// are meant to be bridged; negative and NaN count as 0); rounding errors of the coordinates are allowed for besides.
///
/// - A contact stays as it is where the surface as a whole has its normal there: floors, walls, corners of both, real steps, the end of a
///   row.
/// - A ghost becomes the contact along the shortest open normal of the two parts, with depth and points along it; or is dropped where
///   another contact of the list moves the mover out of that part too. Moving out of each contact that is left ends every overlap of the
///   list, up to `flush`.
/// - Where a mover is so deep that no open normal is in reach and no other contact helps (it has left the surface behind), the contact
///   stays as it is.
///
/// List every shape near the mover, also those that it does not touch: a neighbour that is not listed hides nothing. Wedges that open below
/// a seam, as between rectangles along a concave arc, are gaps, and a corner that has sunk into one may feel its far side: use a chain or a
/// polygon there, or a larger `flush`.
///
/// Contacts that name shapes or parts that do not exist stay as they are.
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
    // A circle of radius 0 is never refused.
    let Ok(point) = Shape::circle(0.0) else { return };
    let flush = flush.max(0.0);
    let surface = Surface {
        ground: Union::new(surface, &point, flush),
        mover: Union::new(core::slice::from_ref(&mover), &point, flush),
    };
    let ghosts = ghosts(&surface, contacts);
    if ghosts.is_empty() {
        return;
    }
    let mut kept: Vec<Option<Manifold>> = contacts.iter().map(|contact| Some(contact.manifold)).collect();
    for ghost in &ghosts {
        kept[ghost.contact] = None;
    }
    settle(&ghosts, &mut kept);
    let mut settled = kept.into_iter();
    contacts.retain_mut(|contact| {
        let Some(manifold) = settled.next().flatten() else { return false };
        contact.manifold = manifold;
        true
    });
}

/// What a mover slides over, and the mover: each hides normals of its own parts.
struct Surface<'a> {
    ground: Union<'a>,
    mover: Union<'a>,
}
