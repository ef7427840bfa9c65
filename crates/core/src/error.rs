//! What constructors refuse, and how they say so.
//!
//! Queries never fail: whatever was built is finite and in range, so every question about it has an answer.

use alloc::string::String;
use core::fmt;

use glam::DVec2;

/// Why a shape, pose, box or motion could not be built.
///
/// The message names the number, the limit and what to do; [`kind`](Error::kind) is for programs.
///
/// ```
/// use carom::{ErrorKind, Shape};
///
/// let error = Shape::circle(-1.0).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Negative);
/// assert_eq!(error.to_string(), "radius is -1.0; it must be 0 or more");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    vertex: Option<usize>,
    /// The coordinates' bits: errors are compared, and a place is never worked with.
    place: Option<[u64; 2]>,
    message: String,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A number is NaN or infinite.
    NotFinite,
    /// A number is larger than 1e30 in magnitude, or a pixel lies outside its mask.
    OutOfRange,
    /// A size that must not be negative is.
    Negative,
    /// A side has no length, or all points are the same: use a segment or a circle of radius 0. An image has no pixels.
    ZeroSize,
    /// A polygon has fewer than three points.
    TooFewPoints,
    /// All points of a polygon lie on one line: use a segment.
    Collinear,
    /// A polygon bends inward: it must be convex here.
    Concave,
    /// An outline crosses itself, or two of its rings cross.
    SelfCrossing,
    /// Edges of an outline lie on each other along a length.
    OverlappingEdges,
    /// A hole lies outside its outline or inside another hole.
    MisplacedHole,
    /// This is worked out only for an outline of one ring that does not touch itself.
    NotSimple,
    /// A cosine and sine that do not belong to one angle.
    NotARotation,
    /// A shape with a radius was scaled by different factors along x and y.
    UnequalScale,
    /// More vertices were asked for than a shape may have.
    TooManyPoints,
    /// A direction whose length is not 1.
    NotNormalized,
    /// A box whose minimum lies above its maximum.
    Inverted,
    /// A compound without shapes.
    Empty,
    /// Something was asked of a shape that only chains can do.
    NotAChain,
    /// An image has more pixels than a mask may have.
    TooManyPixels,
    /// Data of another length than their size asks for.
    WrongLength,
    /// A handle names no collider of the world: it was removed, or is of another world.
    StaleHandle,
    /// Bytes that are no snapshot or recording of a world, or were damaged since.
    InvalidData,
    /// Bytes of a format that this version does not read.
    UnknownVersion,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: String) -> Self {
        Self { kind, vertex: None, place: None, message }
    }

    pub(crate) fn at_vertex(mut self, vertex: usize) -> Self {
        self.vertex = Some(vertex);
        self
    }

    pub(crate) fn at_place(mut self, place: DVec2) -> Self {
        self.place = Some([place.x.to_bits(), place.y.to_bits()]);
        self
    }

    /// What is wrong, for programs.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The index of the input's vertex that the error is about, if it is about one.
    #[must_use]
    pub fn vertex(&self) -> Option<usize> {
        self.vertex
    }

    /// Where it is wrong: the place at which an outline crosses, overlaps or leaves its outer ring.
    #[must_use]
    pub fn location(&self) -> Option<DVec2> {
        self.place.map(|bits| bits.map(f64::from_bits).into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}
