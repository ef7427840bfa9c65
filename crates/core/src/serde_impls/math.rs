//! Implements serde for poses, boxes, filters, handles and one-way fronts.
//!
//! A pose is stored as translation, cosine and sine: an angle would not restore the same bits. A
//! handle is stored as slot and generation, so it can be used with a restored world.
//! Deserialization checks values as the constructors do.
//!
//! In JSON, for example:
//!
//! ```text
//! pose      {"translation": [1.0, 2.0], "cos": 1.0, "sin": 0.0}
//! box       {"min": [0.0, 0.0], "max": [1.0, 1.0]}
//! filter    {"layers": 1, "mask": 1, "group": 0}
//! handle    {"index": 3, "generation": 1}
//! one-way   {"front": [0.0, 1.0]}
//! ```

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::through;
use crate::error::{Error, ErrorKind};
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::vector::check_point;
use crate::world::OneWay;

/// Stores cosine and sine, because an angle would not restore the same bits.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Pose", deny_unknown_fields)]
struct PlainPose {
    /// Position of the origin.
    translation: [f64; 2],
    /// Cosine of the angle.
    cos: f64,
    /// Sine of the angle.
    sin: f64,
}

through!(Pose, PlainPose);

impl From<&Pose> for PlainPose {
    fn from(pose: &Pose) -> Self {
        Self { translation: pose.translation().into(), cos: pose.cos(), sin: pose.sin() }
    }
}

impl TryFrom<PlainPose> for Pose {
    type Error = Error;

    fn try_from(plain: PlainPose) -> Result<Self, Error> {
        let PlainPose { translation, cos, sin } = plain;
        let translation = check_point("translation", translation.into())?;
        // If the pose is not a rotation, `from_cos_sin` returns an error with the reason.
        Self::from_stored(translation, cos, sin).map_or_else(|| Self::from_cos_sin(translation, cos, sin), Ok)
    }
}

/// A box; each minimum is at most its maximum.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Aabb", deny_unknown_fields)]
struct PlainAabb {
    /// Lowest x and y.
    min: [f64; 2],
    /// Highest x and y.
    max: [f64; 2],
}

through!(Aabb, PlainAabb);

impl From<&Aabb> for PlainAabb {
    fn from(aabb: &Aabb) -> Self {
        Self { min: aabb.min().into(), max: aabb.max().into() }
    }
}

impl TryFrom<PlainAabb> for Aabb {
    type Error = Error;

    fn try_from(plain: PlainAabb) -> Result<Self, Error> {
        Self::new(plain.min, plain.max)
    }
}

/// The front of a one-way collider.
#[derive(Serialize, Deserialize)]
#[serde(rename = "OneWay", deny_unknown_fields)]
struct PlainOneWay {
    /// Direction of the front, in the frame of the collider.
    front: [f64; 2],
}

through!(OneWay, PlainOneWay);

impl From<&OneWay> for PlainOneWay {
    fn from(one_way: &OneWay) -> Self {
        Self { front: one_way.front().into() }
    }
}

impl TryFrom<PlainOneWay> for OneWay {
    type Error = Error;

    fn try_from(plain: PlainOneWay) -> Result<Self, Error> {
        let front = check_point("front", DVec2::from(plain.front))?;
        Self::from_stored(front).ok_or_else(|| {
            Error::new(ErrorKind::NotNormalized, alloc::format!("the front is {front}; its length must be 1"))
        })
    }
}
