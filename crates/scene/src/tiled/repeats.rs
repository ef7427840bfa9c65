//! Limits the data that tiles and templates repeat.
//!
//! A small file can use one large shape, or one long name, many times. The bytes are counted before
//! each copy, and a map beyond 2²⁶ bytes is refused.

use super::model::{Kind, Object};

/// Limit of repeated bytes of names and points.
const MAX_REPEATED: usize = 1 << 26;

/// Number of repeated bytes.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    bytes: usize,
}

impl Repeats {
    /// Counts copies of a text before they are made.
    pub(super) fn texts(&mut self, text: &str, copies: usize) -> Result<(), String> {
        self.add(text.len().saturating_mul(copies))
    }

    /// Counts a copy of the points and names of objects before it is made.
    pub(super) fn objects(&mut self, objects: &[Object]) -> Result<(), String> {
        self.add(objects.iter().map(bytes).sum())
    }

    fn add(&mut self, bytes: usize) -> Result<(), String> {
        let sum = self.bytes.saturating_add(bytes);
        if sum > MAX_REPEATED {
            return Err(format!(
                "tiles and templates repeat {sum} bytes of points and names up to here; the limit is {MAX_REPEATED}"
            ));
        }
        self.bytes = sum;
        Ok(())
    }
}

fn bytes(object: &Object) -> usize {
    let points = match &object.kind {
        Some(Kind::Polygon(points) | Kind::Polyline(points)) => size_of_val(points.as_slice()),
        _ => 0,
    };
    points + object.name.len() + object.properties.bytes()
}
