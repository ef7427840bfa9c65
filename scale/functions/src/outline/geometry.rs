//! A geometry that is not decoded yet, and its cheap properties.

use super::ring::Ring;
use super::{Bounds, Outline, OutlineError, read};

/// A geometry that is not decoded yet.
#[derive(Clone, Copy)]
pub(crate) enum Geometry<'a> {
    Wkb(&'a [u8]),
    Text(&'a str),
}

impl<'a> Geometry<'a> {
    /// Returns the bytes as written: the key of the cache.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Wkb(bytes) => bytes,
            Self::Text(text) => text.as_bytes(),
        }
    }

    /// Builds the outline, and checks that it is valid.
    pub(crate) fn decode(self) -> Result<Outline, OutlineError> {
        match self {
            Self::Wkb(bytes) => Outline::from_wkb(bytes),
            Self::Text(text) => Outline::from_text(text),
        }
    }

    /// Reads a small ring. Returns false for a geometry of another kind.
    pub(crate) fn read(self, ring: &mut Ring) -> bool {
        matches!(self, Self::Wkb(bytes) if ring.read(bytes))
    }

    /// Reads a small ring, and returns true if it is certainly simple. Then the geometry is valid.
    pub(crate) fn read_simple(self, ring: &mut Ring) -> bool {
        self.read(ring) && ring.is_simple()
    }

    /// Checks that the geometry is valid, without building an outline if possible.
    pub(crate) fn check(self, ring: &mut Ring) -> Result<(), OutlineError> {
        if self.read_simple(ring) { Ok(()) } else { self.decode().map(drop) }
    }

    /// Returns the box. WKB needs no shape for it, a text does.
    pub(crate) fn bounds(self, ring: &mut Ring) -> Result<Bounds, OutlineError> {
        match self {
            Self::Wkb(bytes) if ring.read(bytes) => Ok(ring.bounds()),
            Self::Wkb(bytes) => read::bounds_of_wkb(bytes),
            Self::Text(text) => Outline::from_text(text).map(|outline| outline.bounds()),
        }
    }
}
