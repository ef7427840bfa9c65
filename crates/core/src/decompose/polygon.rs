//! Constructs polygons with holes: validation, triangulation and convex partition, computed once.
//!
//! Input: an outer ring and holes. Output: triangles and convex parts as point indices, or an error
//! with the location of the defect.
//!
//! ```text
//! drop repeated points                                 (`rings.rs`)
//! sort the vertices from left to right                 (`radix_sort.rs`)
//! validate and triangulate in one sweep                (`sweep_line.rs`, `noding.rs`, `monotone.rs`)
//! flip diagonals toward reflex vertices                (`edge_flip.rs`)
//! remove the diagonals that are not needed             (`hertel_mehlhorn.rs`)
//! if the sweep fails: find the defect for the message  (`validation_error.rs`)
//! ```
//!
//! Validation in a pass of its own would repeat the same sweep. The sweep detects every defect, but
//! late and without its position, so the search for the position runs only after a failure.

use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use glam::DVec2;

use super::convex_parts::ConvexParts;
use super::edge_flip::flip_diagonals;
use super::half_edge::Mesh;
use super::hertel_mehlhorn::Partition;
use super::optimal_partition::fewest_parts;
use super::rings::{DedupedRings, area_sign};
use super::simplify::simplify_rings;
use super::sweep_line::{Rings, triangulate};
use super::validation_error;
use super::visibility::VisibilityQuery;
use crate::error::{Error, ErrorKind};
use crate::math::lists::{gather, mapped};
use crate::math::point::IntoPoint;
use crate::math::predicates::orientation;
use crate::math::vector::{check_points, check_size};

/// Maximum number of points. The indices of half-edges must fit in 32 bits, without the largest
/// value.
const MAX_POINTS: usize = 1 << 28;

/// Maximum number of points for [`PolygonWithHoles::optimal_convex_parts`], whose table has an
/// entry for each pair of vertices.
const MAX_OPTIMAL_POINTS: usize = 1_000;

/// A polygon with holes, validated and split into convex parts.
///
/// Rings may have either orientation. They may touch each other and themselves at single points.
/// Repeated and collinear points change nothing.
///
/// These rings are errors, because they bound no area or an ambiguous one. The error contains the
/// position.
///
/// - rings that cross themselves or each other
/// - rings that overlap along a length (also a spike of width 0)
/// - holes outside the outer ring or inside another hole
///
/// No vertex is added: triangles and parts are indices into the given points. Their areas add up
/// exactly to the area of the polygon.
///
/// ```
/// use carom::decompose::PolygonWithHoles;
/// use carom::{DVec2, ErrorKind};
///
/// let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
/// let window = vec![[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]];
/// let frame = PolygonWithHoles::new(&square, &[window])?;
/// assert_eq!(frame.convex_parts().len(), 4);
/// assert_eq!(frame.triangles().len(), 8);
///
/// let bow_tie = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
/// let error = PolygonWithHoles::new(&bow_tie, &[]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::SelfCrossing);
/// assert_eq!(error.location(), Some(DVec2::new(1.0, 1.0)));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PolygonWithHoles {
    points: Vec<DVec2>,
    /// End index of each ring in `points`.
    ends: Vec<usize>,
    triangles: Vec<[u32; 3]>,
    parts: ConvexParts,
    /// True if a ring touches another one or itself.
    has_touching_rings: bool,
}

impl PolygonWithHoles {
    /// Creates a polygon from its outer ring and its holes. Vertex indices count the points of the
    /// outer ring first, then those of each hole.
    pub fn new<P: IntoPoint>(outer: &[P], holes: &[Vec<P>]) -> Result<Self, Error> {
        let (points, ends) = concatenated(core::iter::once(outer).chain(holes.iter().map(Vec::as_slice)));
        Self::from_rings(points, ends)
    }

    /// Creates a polygon from the points of all rings, and the end of each ring.
    pub(crate) fn from_rings(points: Vec<DVec2>, ends: Vec<usize>) -> Result<Self, Error> {
        let Triangulation { rings, reflex, names, mut mesh } = Triangulation::new(&points, &ends)?;
        let mut triangles = core::mem::take(&mut mesh.triangles);
        triangles.as_flattened_mut().iter_mut().for_each(|v| *v = names[*v as usize]);
        let touched = mesh.touched;
        flip_diagonals(&mut mesh, &rings.points, &reflex);
        let parts = Partition::new(mesh, &rings.points).collect(|v| names[v as usize]);
        Ok(Self { points, ends, triangles, parts, has_touching_rings: touched })
    }

    /// Returns true if a ring touches another ring or itself.
    pub(crate) fn has_touching_rings(&self) -> bool {
        self.has_touching_rings
    }

    /// Returns all points as given: those of the outer ring, then those of each hole.
    #[must_use]
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// Returns the index range of each ring in [`points`](Self::points): the outer ring, then the
    /// holes.
    #[must_use]
    pub fn rings(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        ranges(&self.ends)
    }

    /// Returns the triangles as point indices, counter-clockwise.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns a small convex partition (Hertel and Mehlhorn 1983, improved locally).
    ///
    /// It has at most four times the minimum number of parts, and is close to the minimum on
    /// average.
    #[must_use]
    pub fn convex_parts(&self) -> &ConvexParts {
        &self.parts
    }

    /// Computes the minimum number of convex parts without new vertices, for small polygons (Keil
    /// and Snoeyink 2002).
    ///
    /// Takes O(r² n) time for n vertices, r of them reflex.
    ///
    /// # Errors
    /// A polygon with holes, or with a ring that touches itself ([`ErrorKind::NotSimple`]): the
    /// algorithm needs a simple polygon. A polygon of more than 1000 points
    /// ([`ErrorKind::TooManyPoints`]). Use [`convex_parts`](Self::convex_parts) for these.
    pub fn optimal_convex_parts(&self) -> Result<ConvexParts, Error> {
        if self.ends.len() > 1 || self.has_touching_rings {
            let message =
                "the minimum partition needs a polygon of one ring that does not touch itself: use `convex_parts`";
            return Err(Error::new(ErrorKind::NotSimple, message.into()));
        }
        if self.points.len() > MAX_OPTIMAL_POINTS {
            let message = format!(
                "the minimum partition of {} points takes too long; the limit is \
                 {MAX_OPTIMAL_POINTS}: use `convex_parts`",
                self.points.len()
            );
            return Err(Error::new(ErrorKind::TooManyPoints, message));
        }
        let mut ring = DedupedRings::new(&self.points, self.rings()).indices;
        if area_sign(&gather(&self.points, &ring)) == Ordering::Less {
            ring.reverse();
        }
        Ok(fewest_parts(&self.points, &ring, &VisibilityQuery::new(&self.points, &self.triangles)))
    }

    /// Returns the polygon with fewer vertices. Each point of an old ring is within `deviation` of
    /// the new ring, and vice versa.
    ///
    /// No rings cross, and no ring moves into or out of another one. Each ring keeps at least three
    /// vertices. Vertices at which rings touch stay.
    ///
    /// ```
    /// use carom::decompose::PolygonWithHoles;
    ///
    /// let angle = |i: i32| f64::from(i) * 0.002 * std::f64::consts::PI;
    /// let circle: Vec<[f64; 2]> = (0..1000).map(|i| angle(i).sin_cos().into()).collect();
    /// let coarse = PolygonWithHoles::new(&circle, &[])?.simplified(0.01)?;
    /// assert!(coarse.points().len() < 50);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn simplified(&self, deviation: f64) -> Result<Self, Error> {
        let deviation = check_size("deviation", deviation)?;
        let rings: Vec<&[DVec2]> = mapped(self.rings(), |ring| &self.points[ring]);
        let rings = simplify_rings(&rings, deviation)?;
        Self::new(&rings[0], &rings[1..])
    }
}

/// The sorted rings of a valid polygon and their triangles.
struct Triangulation {
    rings: Rings,
    /// For each vertex: true if it is reflex.
    reflex: Vec<bool>,
    /// The point index of each vertex.
    names: Vec<u32>,
    mesh: Mesh,
}

impl Triangulation {
    /// Validates the rings and triangulates them.
    fn new(points: &[DVec2], ends: &[usize]) -> Result<Self, Error> {
        check(points, ends)?;
        let kept = DedupedRings::new(points, ranges(ends));
        let (mut rings, names) = kept.sorted(points);
        let reflex = reflex(&rings);
        let mesh = triangulate(&mut rings, kept.rings.len() - 1)
            .map_err(|t| validation_error::diagnose(points, &kept, names[t.vertex as usize] as usize))?;
        Ok(Self { rings, reflex, names, mesh })
    }
}

/// Validates the rings of a polygon. Returns true if a ring touches another ring or itself.
pub(crate) fn validate(points: &[DVec2], ends: &[usize]) -> Result<bool, Error> {
    Ok(Triangulation::new(points, ends)?.mesh.touched)
}

/// Returns the points of all rings, and the end of each ring.
pub(crate) fn concatenated<'r, P: IntoPoint + 'r>(rings: impl Iterator<Item = &'r [P]>) -> (Vec<DVec2>, Vec<usize>) {
    let (mut points, mut ends) = (Vec::new(), Vec::new());
    for ring in rings {
        points.extend_from_slice(&P::into_points(ring));
        ends.push(points.len());
    }
    (points, ends)
}

/// Returns the range of each ring from the ends of all rings.
pub(crate) fn ranges(ends: &[usize]) -> impl ExactSizeIterator<Item = Range<usize>> {
    (0..ends.len()).map(|k| if k == 0 { 0 } else { ends[k - 1] }..ends[k])
}

/// Returns an error for too many points, coordinates out of range, and rings of fewer than three
/// points.
fn check(points: &[DVec2], ends: &[usize]) -> Result<(), Error> {
    if points.len() > MAX_POINTS {
        let message =
            format!("an outline of {} points is too large; the limit is {MAX_POINTS}: split it", points.len());
        return Err(Error::new(ErrorKind::TooManyPoints, message));
    }
    check_points("vertex", points)?;
    let Some((k, ring)) = ranges(ends).enumerate().find(|(_, ring)| ring.len() < 3) else { return Ok(()) };
    let message = format!("{} has {} points; a ring needs at least 3", validation_error::name(k), ring.len());
    let error = Error::new(ErrorKind::TooFewPoints, message);
    Err(if ring.is_empty() { error } else { error.at_vertex(ring.start) })
}

/// Returns for each vertex whether it is reflex.
fn reflex(rings: &Rings) -> Vec<bool> {
    let at = |v: u32| rings.points[v as usize];
    let bend = |v: usize| orientation(at(rings.prev[v]), rings.points[v], at(rings.next[v]));
    (0..rings.points.len()).map(|v| bend(v) == Ordering::Less).collect()
}
