//! Polygons that bend inward, with holes.

use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::DVec2;

use super::composite::Composite;
use super::convex::Convex;
use super::source::{Concave, Source};
use super::{Form, Shape};
use crate::decompose::Outline;
use crate::error::Error;

impl Shape {
    /// A polygon of any outline, with holes: exact convex parts, with no vertex added and no area lost.
    ///
    /// Rings may run either way and touch at single points; repeated and collinear points change nothing. An outline that turns out to be convex is a
    /// [`polygon`](Shape::polygon). Vertices are numbered through, the outer ring's first; the number of an edge is that of the vertex where it begins, seen
    /// counter-clockwise around its part.
    ///
    /// ```
    /// use carom::{Shape, intersects};
    ///
    /// let cave = Shape::concave(
    ///     &[[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0]],
    ///     &[vec![[1.0, 1.0], [7.0, 1.0], [7.0, 5.0], [1.0, 5.0]]],
    /// )?;
    /// let bat = Shape::circle(1.0)?;
    /// assert!(!intersects(cave.at([0.0, 0.0])?, bat.at([4.0, 3.0])?)); // inside the hole
    /// assert!(intersects(cave.at([0.0, 0.0])?, bat.at([4.0, 2.0])?)); // touches its edge
    /// assert_eq!(cave.mass_properties().area, 48.0 - 24.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Outline::new`]: a ring of fewer than three points, one that crosses another or itself, holes that lie elsewhere, no area; each with the place.
    pub fn concave<P: Copy + Into<DVec2>>(outer: &[P], holes: &[Vec<P>]) -> Result<Self, Error> {
        Self::from_outline(&Outline::new(outer, holes)?)
    }

    /// The shape of an outline that is split already.
    ///
    /// # Errors
    /// None that [`Outline::new`] has not found.
    pub fn from_outline(outline: &Outline) -> Result<Self, Error> {
        if outline.parts().len() == 1 {
            return Self::polygon(outline.points());
        }
        let parts = convex_parts(outline).collect();
        let source = Source::Concave(Concave { points: outline.points().to_vec(), rings: outline.rings().collect() });
        Ok(Self(Form::Composite(Arc::new(Composite::new(source, parts, 0.0)))))
    }
}

/// The convex parts of an outline.
pub(super) fn convex_parts(outline: &Outline) -> impl Iterator<Item = Convex> {
    let (points, mut hull) = (outline.points(), Vec::new());
    outline.parts().iter().map(move |part| Convex::part_of_outline(part.iter().map(|&i| points[i as usize]).collect(), part, &mut hull))
}
