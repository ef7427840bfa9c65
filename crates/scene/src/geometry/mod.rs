//! What a file draws, before it becomes a shape: the form that all importers share.
mod build;

use carom::{DVec2, Pose};

pub(crate) use build::{BuildError, chain, ring_of};

/// One object of a file, in the scene's numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Geometry {
    /// Of radius 0, a point.
    Circle { centre: DVec2, radius: f64 },
    /// Becomes a polygon that deviates by at most `deviation`.
    Ellipse { radii: DVec2, deviation: f64, pose: Pose },
    /// Full sizes about its centre, grown by the radius on all sides.
    Rectangle { size: DVec2, radius: f64, pose: Pose },
    /// The hull of two points, grown by the radius.
    Capsule { ends: [DVec2; 2], radius: f64 },
    /// An outline with holes, grown by the radius.
    Area { rings: Rings, radius: f64 },
    /// Points in a row; a closed one has an edge from the last to the first.
    Line { points: Vec<DVec2>, closed: bool },
    /// All of them together, each with its name inside the object, for messages.
    Several(Vec<(String, Geometry)>),
}

/// An outline and the holes in it; no ring repeats its first point at the end. An empty hole removes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rings {
    pub(crate) outer: Vec<DVec2>,
    pub(crate) holes: Vec<Vec<DVec2>>,
}
