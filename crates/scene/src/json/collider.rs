//! Converts an element of `colliders` to a collider.
//!
//! Input: the text of one element. Output: a collider whose layers are not numbered yet, or an
//! error with the path inside the element.
//!
//! Elements are parsed one by one, so that a refused one does not end reading. Layer names get
//! numbers after all elements are read: a number that any element uses is not free for a name.

use std::collections::HashMap;

use carom::broad_phase::Filter;
use carom::world::OneWay;
use carom::{DVec2, Pose};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::{ParseError, without_position};
use super::shape::Images;
use super::types::{BodySpec, ColliderSpec, Layer, MotionSpec, MovingSpec};
use crate::layers::Layers;
use crate::{Body, Motion, Moving, Origin, SceneCollider};

/// Largest magnitude of a coordinate, size or speed.
const MOST: f64 = 1e30;

/// Element of `colliders` as in the file.
pub(super) struct RawCollider<'a> {
    index: usize,
    raw: &'a RawValue,
    /// Id for messages, even if the rest of the element is invalid.
    pub(super) id: String,
}

/// Collider without the numbers of its layers.
pub(super) struct UnresolvedCollider {
    collider: SceneCollider,
    layers: Vec<Layer>,
    mask: Option<Vec<Layer>>,
}

impl<'a> RawCollider<'a> {
    pub(super) fn new(index: usize, raw: &'a RawValue) -> Self {
        #[derive(Deserialize)]
        struct Id {
            id: Option<String>,
        }
        let written = serde_json::from_str::<Id>(raw.get()).ok().and_then(|spec| spec.id);
        Self { index, raw, id: written.unwrap_or_else(|| format!("#{index}")) }
    }

    pub(super) fn text(&self) -> &'a str {
        self.raw.get()
    }

    /// Reads the element. `written` contains the ids so far.
    pub(super) fn part(
        &self,
        written: &mut HashMap<String, usize>,
        images: &mut Images<'_>,
    ) -> Result<UnresolvedCollider, ParseError> {
        let spec = self.spec()?;
        if let Some(id) = &spec.id {
            if id.starts_with('#') {
                let message =
                    format!("\"{id}\" begins with #, which stands for colliders without an id: choose another");
                return Err(ParseError::new("id", message));
            }
            if let Some(first) = written.insert(id.clone(), self.index) {
                let message = format!("\"{id}\" is the id of colliders[{first}] too: ids are unique");
                return Err(ParseError::new("id", message));
            }
        }
        if spec.fixed && (spec.motion.is_some() || spec.body.is_some()) {
            let key = if spec.body.is_some() { "body" } else { "motion" };
            let message = format!("a fixed collider has no {key}: leave one of the two out");
            return Err(ParseError::new("fixed", message));
        }
        let one_way = spec.one_way.map(|front| OneWay::new(front.0)).transpose();
        let collider = SceneCollider {
            id: self.id.clone(),
            shape: spec.shape.build(images).map_err(|refused| ParseError::new(refused.location, refused.message))?,
            pose: Pose::from_degrees(spec.position.0, spec.rotation.0)
                .map_err(|e| ParseError::new("position", e.to_string()))?,
            filter: Filter { group: spec.group.map_or(0, |g| g.0), ..Filter::default() },
            sensor: spec.sensor,
            fixed: spec.fixed,
            one_way: one_way.map_err(|e| ParseError::new("one_way", e.to_string()))?,
            moving: spec.moving.as_ref().map(moving).transpose()?,
            motion: spec.motion.as_ref().map(motion).transpose()?,
            body: spec.body.as_ref().map(body).transpose()?,
            origin: Origin::default(),
        };
        Ok(UnresolvedCollider { collider, layers: spec.layers, mask: spec.mask })
    }

    fn spec(&self) -> Result<ColliderSpec, ParseError> {
        let mut json = serde_json::Deserializer::from_str(self.raw.get());
        serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let path = error.path().to_string();
            let inner = error.into_inner();
            ParseError {
                position: (inner.line(), inner.column()),
                path: if path == "." { String::new() } else { path },
                message: without_position(&inner),
            }
        })
    }
}

impl UnresolvedCollider {
    /// Returns the layers that the collider names by number.
    pub(super) fn bare_layers(&self) -> u64 {
        let mask = self.mask.as_deref().unwrap_or_default();
        self.layers.iter().chain(mask).fold(0, |bits, layer| match layer {
            Layer::Number(n) => bits | 1 << n,
            Layer::Name(_) => bits,
        })
    }

    pub(super) fn collider(mut self, layers: &mut Layers) -> Result<SceneCollider, ParseError> {
        let filter = &mut self.collider.filter;
        filter.layers = bits(&self.layers, layers).map_err(|m| ParseError::new("layers", m))?;
        if let Some(mask) = &self.mask {
            filter.mask = bits(mask, layers).map_err(|m| ParseError::new("mask", m))?;
        }
        Ok(self.collider)
    }
}

fn bits(list: &[Layer], layers: &mut Layers) -> Result<u64, String> {
    list.iter().try_fold(0, |bits, layer| {
        let bit = match layer {
            Layer::Number(n) => 1 << n,
            Layer::Name(name) => layers.bit(name)?,
        };
        Ok(bits | bit)
    })
}

fn moving(spec: &MovingSpec) -> Result<Moving, ParseError> {
    let path: Vec<DVec2> = spec.path.iter().map(|p| p.0.into()).collect();
    Moving::new(path, spec.speed.0).map_err(|e| ParseError::new("moving", e.to_string()))
}

fn motion(spec: &MotionSpec) -> Result<Motion, ParseError> {
    let translation = vector(spec.translation.0).map_err(|m| ParseError::new("motion.translation", m))?;
    let rotation = number(spec.rotation.0).map_err(|m| ParseError::new("motion.rotation", m))?;
    Ok(Motion { translation, rotation })
}

fn body(spec: &BodySpec) -> Result<Body, ParseError> {
    let mass = spec.mass.0;
    if !(mass > 0.0 && mass <= MOST) {
        return Err(ParseError::new("body.mass", format!("a mass is above 0 and at most 1e30, not {mass}")));
    }
    let restitution = spec.restitution.0;
    if !(0.0..=1.0).contains(&restitution) {
        let message = format!("a restitution is from 0 (no bounce) to 1 (no loss), not {restitution}");
        return Err(ParseError::new("body.restitution", message));
    }
    let velocity = vector(spec.velocity.0).map_err(|m| ParseError::new("body.velocity", m))?;
    Ok(Body { mass, velocity, restitution })
}

/// Speeds and accelerations have the range of coordinates.
pub(super) fn vector([x, y]: [f64; 2]) -> Result<DVec2, String> {
    Ok(DVec2::new(number(x)?, number(y)?))
}

fn number(x: f64) -> Result<f64, String> {
    if x.abs() <= MOST { Ok(x) } else { Err(format!("{x:e} is beyond 1e30, the largest magnitude")) }
}
