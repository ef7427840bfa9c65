//! Constructs chains: polylines, open or closed, two-sided or one-sided.
//!
//! Input: points. Output: a composite with one segment per pair of consecutive points. Repeated
//! points give no segment. Both sides of a segment have the id of the point where it starts, so
//! that ids are indices of the input.
//!
//! A chain is not a polygon: it has no interior, and it may cross itself. A one-sided chain stores
//! the same segments with a flag. `query/one_sided.rs` evaluates the flag.

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use super::composite;
use crate::error::{Error, ErrorKind};
use crate::math::lists::mapped;
use crate::math::point::IntoPoint;
use crate::math::vector::check_points;
use crate::shape::Shape;
use crate::shape::composite_parts::CompositeParts;
use crate::shape::composite_source::{Chain, CompositeSource};
use crate::shape::convex::{ChainLink, Convex};

impl Shape {
    /// Creates an open polyline: the line segments from each point to the next.
    ///
    /// It may cross itself and has no interior. Each part is a segment; repeated points are
    /// skipped. The id of a vertex is the index of its point. The id of an edge is the index of the
    /// point where it starts, for both sides.
    ///
    /// ```
    /// use carom::{Shape, collide};
    ///
    /// let hill = Shape::chain(&[[-9.0, 0.0], [0.0, 1.0], [9.0, 0.0]])?;
    /// let ball = Shape::circle(0.5)?;
    /// let contact = collide(hill.at([0.0, 0.0])?, ball.at([5.0, 0.75])?).unwrap();
    /// assert_eq!(contact.part_a, 1); // the second segment
    /// assert!(contact.normal.y > 0.9);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// - If there are fewer than two points, or if all are the same (use [`Shape::circle`] of
    ///   radius 0).
    /// - If a coordinate is not finite or above 1e30 in magnitude.
    #[doc(alias("polyline", "edge_chain"))]
    pub fn chain<P: IntoPoint>(points: &[P]) -> Result<Self, Error> {
        Self::new_chain(P::into_points(points).into_owned(), false, false)
    }

    /// Creates a closed polyline: a [`chain`](Shape::chain) whose last point is connected to the
    /// first. It has no interior.
    ///
    /// # Errors
    /// As [`Shape::chain`]. Also if there are fewer than three points.
    #[doc(alias = "loop")]
    pub fn closed_chain<P: IntoPoint>(points: &[P]) -> Result<Self, Error> {
        Self::new_chain(P::into_points(points).into_owned(), true, false)
    }

    /// Returns the chain with a front and a back.
    ///
    /// The front is on the right of the direction from each point to the next, so a
    /// counter-clockwise loop faces outward. The set of points does not change. The MTV of a shape
    /// that overlaps the chain always leads to the front: the normals of
    /// [`collide`](crate::collide) never point to the back.
    ///
    /// ```
    /// use carom::{DVec2, Shape, collide};
    ///
    /// let floor = Shape::chain(&[[5.0, 0.0], [-5.0, 0.0]])?.one_sided()?; // right to left: the front is above
    /// let ball = Shape::circle(1.0)?;
    /// let contact = collide(floor.at([0.0, 0.0])?, ball.at([0.0, -0.75])?).unwrap();
    /// assert_eq!((contact.normal, contact.depth), (DVec2::Y, 1.75));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the shape is not a chain.
    pub fn one_sided(self) -> Result<Self, Error> {
        if let Some(composite) = self.as_composite()
            && let CompositeSource::Chain(chain) = &composite.source
        {
            let shape = Self::new_chain(chain.points.clone(), chain.closed, true)?;
            return shape.rounded(composite.radius);
        }
        Err(Error::new(
            ErrorKind::NotAChain,
            format!("a {:?} has no front and back: only chains can be one-sided", self.kind()),
        ))
    }

    pub(super) fn new_chain(points: Vec<DVec2>, closed: bool, one_sided: bool) -> Result<Self, Error> {
        check_points("point", &points)?;
        let min_count = if closed { 3 } else { 2 };
        if points.len() < min_count {
            let kind = if closed { "closed chain" } else { "chain" };
            let message = format!("a {kind} needs at least {min_count} points, not {}", points.len());
            return Err(Error::new(ErrorKind::TooFewPoints, message));
        }
        let next = |i: usize| points[(i + 1) % points.len()];
        let count = if closed { points.len() } else { points.len() - 1 };
        let link = |i: usize| ChainLink::of_chain(i as u32, ((i + 1) % points.len()) as u32, one_sided);
        let distinct = (0..count).filter(|&i| points[i] != next(i));
        let parts = mapped(distinct, |i| Convex::link(points[i], next(i), link(i), 0.0));
        if parts.is_empty() {
            let message =
                format!("all {} points of the chain are the same: use a circle of radius 0 for a point", points.len());
            return Err(Error::new(ErrorKind::ZeroSize, message));
        }
        let source = CompositeSource::Chain(Chain { points, closed, one_sided });
        Ok(composite(source, 0.0, None, Some(CompositeParts::new(parts, Vec::new()))))
    }
}
