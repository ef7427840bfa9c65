//! Implements serde for contacts, manifolds and their features.
//!
//! Field names are those of the public fields; a manifold has a list of one or two points.
//! Deserialization checks that numbers are finite and that the normal has length 1, because queries
//! guarantee both.
//!
//! In JSON, for example:
//!
//! ```text
//! {"normal": [0.0, 1.0], "depth": 0.1, "part_a": 0, "part_b": 0, "points": [
//!     {"on_a": [0.5, 0.0], "on_b": [0.5, -0.1], "depth": 0.1, "id": {"a": {"edge": 2}, "b": {"vertex": 0}}}
//! ]}
//! ```

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::through;
use crate::error::{Error, ErrorKind};
use crate::query::{ContactId, ContactPoint, Manifold};

/// Returns an error that names the field if the value is not finite.
fn finite(name: &str, value: DVec2) -> Result<DVec2, Error> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::new(ErrorKind::NotFinite, format!("{name} is {value}; it must be finite")))
    }
}

/// A contact point; all coordinates are finite.
#[derive(Serialize, Deserialize)]
#[serde(rename = "ContactPoint", deny_unknown_fields)]
struct PlainPoint {
    /// Position on the first shape, in world coordinates.
    on_a: [f64; 2],
    /// Position on the second shape, in world coordinates.
    on_b: [f64; 2],
    /// Depth at this point; negative if the shapes are apart there.
    depth: f64,
    /// The features of both shapes at this point.
    id: ContactId,
}

through!(ContactPoint, PlainPoint);

impl From<&ContactPoint> for PlainPoint {
    fn from(point: &ContactPoint) -> Self {
        Self { on_a: point.on_a.into(), on_b: point.on_b.into(), depth: point.depth, id: point.id }
    }
}

impl TryFrom<PlainPoint> for ContactPoint {
    type Error = Error;

    fn try_from(plain: PlainPoint) -> Result<Self, Error> {
        let (on_a, on_b) = (
            finite("a point of the contact", plain.on_a.into())?,
            finite("a point of the contact", plain.on_b.into())?,
        );
        finite("the depth", DVec2::splat(plain.depth))?;
        Ok(Self { on_a, on_b, depth: plain.depth, id: plain.id })
    }
}

/// A manifold; the normal is a unit vector.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Manifold", deny_unknown_fields)]
struct PlainManifold {
    /// Unit vector from the first shape to the second.
    normal: [f64; 2],
    /// Depth along the normal.
    depth: f64,
    /// Index of the part of the first shape.
    part_a: u32,
    /// Index of the part of the second shape.
    part_b: u32,
    /// One or two points.
    points: Vec<ContactPoint>,
}

through!(Manifold, PlainManifold);

impl From<&Manifold> for PlainManifold {
    fn from(manifold: &Manifold) -> Self {
        let Manifold { normal, depth, part_a, part_b, .. } = *manifold;
        Self { normal: normal.into(), depth, part_a, part_b, points: manifold.points().to_vec() }
    }
}

impl TryFrom<PlainManifold> for Manifold {
    type Error = Error;

    fn try_from(plain: PlainManifold) -> Result<Self, Error> {
        let normal = finite("the normal", plain.normal.into())?;
        finite("the depth", DVec2::splat(plain.depth))?;
        if (normal.length_squared() - 1.0).abs() > 1e-9 {
            return Err(Error::new(ErrorKind::NotNormalized, format!("the normal is {normal}; its length must be 1")));
        }
        let points = match plain.points[..] {
            [one] => [one; 2],
            [one, two] => [one, two],
            _ => {
                let message = format!("the contact has {} points; it must have one or two", plain.points.len());
                return Err(Error::new(ErrorKind::WrongLength, message));
            }
        };
        Ok(Self::from_stored(normal, plain.depth, [plain.part_a, plain.part_b], points, plain.points.len() as u8))
    }
}
