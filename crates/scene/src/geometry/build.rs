//! Converts a figure to a shape and its pose.
//!
//! The constructors of shapes number the vertices of all rings in one sequence. An error is
//! converted to the ring and vertex of the file. The figures of one object become a compound,
//! unless there is only one.

use std::borrow::Cow;

use carom::{DVec2, Error, Pose, Shape};

use super::{Geometry, Rings};
use crate::repair::{self, PolygonError, Repairs};

/// Error of a figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BuildError {
    /// Names of the parts that contain it, outermost first.
    pub(crate) part: String,
    /// Ring of the error, 0 for the exterior ring, and the vertex of that ring or line.
    pub(crate) ring: Option<usize>,
    pub(crate) vertex: Option<usize>,
    pub(crate) message: String,
    /// True if repairs are on and a polygon encloses nothing.
    has_no_area: bool,
}

impl BuildError {
    /// Returns the part with the indices of the ring and of the vertex, as in `coordinates[1][0][7]`.
    pub(crate) fn path(&self) -> String {
        let index = |i: Option<usize>| i.map_or(String::new(), |i| format!("[{i}]"));
        format!("{}{}{}", self.part, index(self.ring), index(self.vertex))
    }
}

impl From<Error> for BuildError {
    fn from(error: Error) -> Self {
        let message = repair::message(&error);
        Self { part: String::new(), ring: None, vertex: error.vertex(), message, has_no_area: false }
    }
}

impl Geometry {
    /// Returns the shape and its pose. `repairs`: decides if invalid polygons are repaired.
    pub(crate) fn build(&self, repairs: &mut Repairs) -> Result<(Shape, Pose), BuildError> {
        let here = |shape| (shape, Pose::IDENTITY);
        Ok(match self {
            Self::Circle { centre, radius } => (Shape::circle(*radius)?, Pose::from_translation(*centre)?),
            Self::Ellipse { radii, deviation, pose } => (Shape::ellipse(radii.x, radii.y, *deviation)?, *pose),
            Self::Rectangle { size, radius, pose } => (Shape::rectangle(size.x, size.y)?.rounded(*radius)?, *pose),
            Self::Capsule { ends: [a, b], radius } => here(Shape::capsule(*a, *b, *radius)?),
            Self::Area { rings, radius } => {
                let shape =
                    repairs.polygon(&rings.outer, &rings.real_holes()).map_err(|error| rings.build_error(error))?;
                here(shape.rounded(*radius)?)
            }
            Self::Line { points, closed } => here(chain(points, *closed)?),
            Self::Several(figures) => return compound(figures, repairs),
        })
    }
}

impl Rings {
    /// Returns the holes that have points. An empty hole removes nothing, but counts in
    /// [`BuildError::ring`].
    fn real_holes(&self) -> Cow<'_, [Vec<DVec2>]> {
        if self.holes.iter().any(Vec::is_empty) {
            return self.holes.iter().filter(|hole| !hole.is_empty()).cloned().collect();
        }
        Cow::Borrowed(&self.holes)
    }

    /// Converts an error of the shape, which numbers the vertices of all rings in one sequence.
    fn build_error(&self, error: PolygonError) -> BuildError {
        let found = error.vertex.map(|vertex| ring_of(vertex, &self.outer, &self.holes));
        BuildError {
            part: String::new(),
            ring: found.map(|f| f.0),
            vertex: found.map(|f| f.1),
            message: error.message,
            has_no_area: error.has_no_area,
        }
    }
}

/// Returns the ring of a vertex, 0 for the exterior ring, and its index in the ring. The sequence
/// has the vertices of the exterior ring first, then those of each hole.
pub(crate) fn ring_of<T>(mut vertex: usize, outer: &[T], holes: &[Vec<T>]) -> (usize, usize) {
    for (ring, length) in std::iter::once(outer.len()).chain(holes.iter().map(Vec::len)).enumerate() {
        if vertex < length {
            return (ring, vertex);
        }
        vertex -= length;
    }
    (holes.len(), vertex)
}

/// Builds figures as one shape. If repairs are on, polygons that enclose nothing are left out, unless all do.
fn compound(figures: &[(String, Geometry)], repairs: &mut Repairs) -> Result<(Shape, Pose), BuildError> {
    let mut parts = Vec::with_capacity(figures.len());
    let mut without_area = None;
    for (name, figure) in figures {
        match figure.build(repairs) {
            Ok(part) => parts.push(part),
            Err(error) => {
                let error = BuildError { part: format!("{name}{}", error.part), ..error };
                if !error.has_no_area {
                    return Err(error);
                }
                if let Geometry::Area { rings, .. } = figure {
                    repairs.leave_out(1 + rings.holes.len());
                }
                without_area.get_or_insert(error);
            }
        }
    }
    match (parts.as_slice(), without_area) {
        ([], Some(error)) => Err(error),
        ([only], _) => Ok(only.clone()),
        _ => Ok((Shape::compound(parts)?, Pose::IDENTITY)),
    }
}

/// Returns the polyline through points. A single point is a circle of radius 0.
pub(crate) fn chain(points: &[DVec2], closed: bool) -> Result<Shape, Error> {
    match points {
        [only] => Shape::segment(*only, *only),
        [_, _, _, ..] if closed => Shape::closed_chain(points),
        _ => Shape::chain(points),
    }
}
