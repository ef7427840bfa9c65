//! Repairs rings that cross, touch or overlap themselves or each other: computes the polygons with
//! holes that they enclose by a fill rule.
//!
//! Input: rings and a [`FillRule`]. Output: valid polygons, and counts of the changes.
//!
//! ```text
//! drop rings without area and repeated points         (`arrangement.rs`)
//! until no edges cross or overlap:                    (`node.rs`)
//!     find the pairs of edges that intersect
//!     split them at the crossing, rounded to f64      (`crossing.rs`)
//!     replace equal edges by one with the sum of their directions
//! sweep: the winding numbers below and above each edge (`winding.rs`)
//! keep the edges with the inside on one side only
//! link them to rings, rings to polygons with holes    (`boundary.rs`)
//! ```
//!
//! The simple version splits all edges once. But a rounded crossing is not on its edges, so they bend
//! a little, and may cross other edges that were near. So the rounds repeat until nothing crosses.
//! Two or three rounds suffice in practice. If more are needed, crossings near the end of an edge are
//! moved there.
//!
//! All decisions are exact, as in the snap rounding of J. D. Hobby, *Practical segment intersection
//! with finite precision output*, 1999. Unlike there, input vertices are not rounded.

mod arrangement;
mod boundary;
mod crossing;
mod node;
mod winding;

use alloc::vec::Vec;

use glam::DVec2;

use self::arrangement::Arrangement;
use super::polygon::PolygonWithHoles;
use crate::error::Error;
use crate::math::lists::try_mapped;
use crate::math::point::IntoPoint;
use crate::math::vector::check_points;

/// The rule that decides which regions of crossing rings are inside.
///
/// The winding number of a point counts how often the rings go around it: counter-clockwise turns
/// minus clockwise ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FillRule {
    /// Inside: the winding number is not 0. The default of SVG.
    NonZero,
    /// Inside: the winding number is odd. Holes may have any direction.
    EvenOdd,
}

/// The result of [`repair`].
#[derive(Clone, Debug, PartialEq)]
pub struct Repair {
    /// The polygons, whose interiors are disjoint. They may touch each other at single points. Empty if
    /// the rings enclose nothing.
    pub polygons: Vec<PolygonWithHoles>,
    /// The differences from the input.
    pub changes: RepairChanges,
}

/// The differences between the rings that [`repair`] was given and its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RepairChanges {
    /// Number of new points at which edges cross. Each is rounded to the nearest `f64`.
    pub crossings: usize,
    /// Number of edges, or parts of edges between crossings, that lay on other edges.
    pub overlaps: usize,
    /// Number of points that were equal to the point before them in their ring.
    pub duplicate_points: usize,
    /// Number of rings without area: all their points lie on one line.
    pub flat_rings: usize,
    /// Number of other rings without an edge on the boundary of the result. They lie inside other
    /// rings, equal another ring, or enclose nothing by the fill rule.
    pub absorbed_rings: usize,
    /// Number of input rings.
    pub rings: usize,
    /// Number of polygons of the result.
    pub polygons: usize,
}

impl RepairChanges {
    /// Returns true if no crossing, overlap, point or ring was added or removed. The result then has the
    /// input's rings, bit for bit, or rings that touch each other, linked in another way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.crossings + self.overlaps + self.duplicate_points + self.flat_rings + self.absorbed_rings == 0
    }
}

/// Computes the valid polygons that rings enclose. The rings may cross, touch or overlap themselves
/// and each other.
///
/// - Input vertices of the result are bit-equal. Vertices are only added at crossings, rounded to the
///   nearest `f64`. If edges, bent by the rounding, cross other edges, these crossings are added too.
/// - A valid polygon without repeated points is returned bit for bit by [`FillRule::EvenOdd`].
/// - Rings of new pieces have the interior on their left; a ring of which all edges go the other way
///   keeps its direction.
///
/// Takes O((n + k) log n) time for n points and k crossings of outlines whose edges are short. Memory
/// grows with k, which is up to n²/2.
///
/// # Errors
/// - A coordinate that is not finite or above 1e30 in magnitude. The vertex index counts the points of
///   all rings.
/// - [`ErrorKind::TooManyCrossings`](crate::ErrorKind::TooManyCrossings): more than 2²² points and
///   crossings, 2²³ points at which edges touch or cross, or edges that still cross after 64 rounds.
///
/// ```
/// use carom::Shape;
/// use carom::decompose::{FillRule, repair};
///
/// let bow_tie = vec![[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
/// let repaired = repair(&[bow_tie], FillRule::NonZero)?;
/// assert_eq!((repaired.polygons.len(), repaired.changes.crossings), (2, 1));
/// assert_eq!(repaired.polygons[0].points()[1].to_array(), [1.0, 1.0]);
/// let left = Shape::from_outline(&repaired.polygons[0])?;
/// assert_eq!(left.mass_properties().area, 1.0);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn repair<P: IntoPoint>(rings: &[Vec<P>], rule: FillRule) -> Result<Repair, Error> {
    let rings: Vec<Vec<DVec2>> = rings.iter().map(|ring| P::into_points(ring).into_owned()).collect();
    repair_rings(&rings, rule)
}

fn repair_rings(rings: &[Vec<DVec2>], rule: FillRule) -> Result<Repair, Error> {
    check_points("vertex", rings.iter().flatten())?;
    let mut changes = RepairChanges { rings: rings.len(), ..RepairChanges::default() };
    let mut arrangement = Arrangement::new(rings, &mut changes);
    let distinct = arrangement.points.len();
    node::resolve_crossings(&mut arrangement, rule)?;
    changes.crossings = arrangement.points.len() - distinct;
    changes.overlaps = arrangement.overlaps;
    arrangement.sort_edges();
    let sides = winding::interior_sides(&arrangement, rule);
    let outlines = boundary::outlines(&arrangement, &sides);
    changes.absorbed_rings = arrangement.rings.len() - outlines.contributing_rings;
    let polygons = try_mapped(outlines.polygons.iter(), |rings| PolygonWithHoles::new(&rings[0], &rings[1..]))?;
    changes.polygons = polygons.len();
    Ok(Repair { polygons, changes })
}

impl FillRule {
    /// Returns true if a region with this winding number is inside.
    fn is_inside(self, winding: i32) -> bool {
        match self {
            Self::NonZero => winding != 0,
            Self::EvenOdd => winding & 1 != 0,
        }
    }
}
