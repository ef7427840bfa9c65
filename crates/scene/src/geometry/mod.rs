//! Defines the figures of a file before they become shapes. All importers share them.
//!
//! A figure has coordinates of the scene. It keeps the kind that the file names, so that circles
//! and rectangles stay exact. `figures.rs` collects the figures of map formats, and `build.rs`
//! converts a figure to a shape.

mod build;
mod figures;

use carom::{DVec2, Pose};

pub(crate) use build::{BuildError, chain, ring_of};
pub(crate) use figures::{Figures, Notes};

/// Object of a file, in the coordinates of the scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Geometry {
    /// A circle of radius 0 is a point.
    Circle { centre: DVec2, radius: f64 },
    /// Becomes a polygon with a deviation of at most `deviation`.
    Ellipse { radii: DVec2, deviation: f64, pose: Pose },
    /// Full width and height about its centre, grown by the radius.
    Rectangle { size: DVec2, radius: f64, pose: Pose },
    /// Convex hull of two points, grown by the radius.
    Capsule { ends: [DVec2; 2], radius: f64 },
    /// Polygon with holes, grown by the radius.
    Area { rings: Rings, radius: f64 },
    /// Polyline. A closed one has an edge from the last to the first point.
    Line { points: Vec<DVec2>, closed: bool },
    /// Several figures, each with its name inside the object, for messages.
    Several(Vec<(String, Geometry)>),
}

/// Exterior ring and holes. No ring repeats its first point at the end. An empty hole removes
/// nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rings {
    pub(crate) outer: Vec<DVec2>,
    pub(crate) holes: Vec<Vec<DVec2>>,
}
