//! The error type of constructors.
//!
//! Queries never fail: every object that was built is finite and in range, so every query has a
//! result.

use alloc::string::String;
use core::fmt;

use glam::DVec2;

/// The reason why a shape, pose, box or motion could not be built.
///
/// The message has the number, the limit and a remedy. [`kind`](Error::kind) is for programs.
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
    /// The bits of the coordinates, because `Error` implements `Eq`.
    location: Option<[u64; 2]>,
    message: String,
}

/// A number in the message of an error.
///
/// With `--cfg carom_number_bits` it is written as U+0001 and its bits in 16 hexadecimal digits. All wasm modules are
/// built with it, because code that formats floating-point numbers is large.
/// Every caller decodes the texts of a module.
pub(crate) struct Number(pub(crate) f64);

/// Coordinates in the message of an error, as in `[1, -2]`.
pub(crate) struct Coordinates(pub(crate) DVec2);

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A number is NaN or infinite.
    NotFinite,
    /// A number is larger than 1e30 in magnitude, or a pixel lies outside its mask.
    OutOfRange,
    /// A size is negative.
    Negative,
    /// A side has no length, or all points are the same: use a segment or a circle of radius 0. Or
    /// an image has no pixels.
    ZeroSize,
    /// A polygon has fewer than three points.
    TooFewPoints,
    /// All points of a polygon lie on one line: use a segment.
    Collinear,
    /// A polygon is concave where a convex one is required.
    Concave,
    /// A ring of a polygon crosses itself or another ring.
    SelfCrossing,
    /// Edges of a polygon overlap along a length.
    OverlappingEdges,
    /// A hole lies outside the outer ring or inside another hole.
    MisplacedHole,
    /// Rings cross more often than [`repair`](crate::decompose::repair) can resolve.
    TooManyCrossings,
    /// A polygon has holes or touches itself, and the operation supports only a single simple ring.
    NotSimple,
    /// A cosine and sine are not of the same angle: their squares do not add up to 1.
    NotARotation,
    /// A shape with a radius was scaled by different factors along x and y.
    UnequalScale,
    /// A shape would have more vertices or parts than the limit.
    TooManyPoints,
    /// The length of a direction is not 1.
    NotNormalized,
    /// The minimum of a box is above its maximum.
    Inverted,
    /// A compound has no shapes, or a mask has no solid pixels.
    Empty,
    /// The shape is not a chain, and the operation supports only chains.
    NotAChain,
    /// The shape has a radius or a part without area, and the operation supports only areas with
    /// straight edges.
    NotAnArea,
    /// An image has more pixels than a mask may have.
    TooManyPixels,
    /// The length of the data does not match their size.
    WrongLength,
    /// A handle names no collider of this world: it was removed, or belongs to another world.
    StaleHandle,
    /// The collider of a [mover](crate::mover) is fixed. Fixed colliders never form contacts with each other.
    FixedMover,
    /// The bytes are not a snapshot or recording of a world, or were damaged.
    InvalidData,
    /// The bytes have a format version that this version of carom does not read.
    UnknownVersion,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: String) -> Self {
        Self { kind, vertex: None, location: None, message }
    }

    pub(crate) fn at_vertex(mut self, vertex: usize) -> Self {
        self.vertex = Some(vertex);
        self
    }

    pub(crate) fn at_location(mut self, point: DVec2) -> Self {
        self.location = Some([point.x.to_bits(), point.y.to_bits()]);
        self
    }

    /// Returns the kind of the error, for programs.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the index of the input's vertex that caused the error; `None` if no single vertex
    /// did.
    #[must_use]
    pub fn vertex(&self) -> Option<usize> {
        self.vertex
    }

    /// Returns the location of the error: the point where an outline crosses itself, overlaps
    /// itself or leaves its outer ring.
    #[must_use]
    pub fn location(&self) -> Option<DVec2> {
        self.location.map(|[x, y]| DVec2::new(f64::from_bits(x), f64::from_bits(y)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}

/// Implements a format of `core::fmt` for [`Number`].
macro_rules! number_format {
    ($($format:ident)*) => {$(
        impl fmt::$format for Number {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if cfg!(carom_number_bits) {
                    return write!(f, "\u{1}{:016x}", self.0.to_bits());
                }
                fmt::$format::fmt(&self.0, f)
            }
        }
    )*};
}

number_format!(Debug Display);

/// Writes the numbers as Rust does, as in `(1.0, -2.0)`.
impl fmt::Debug for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:?}, {:?})", Number(self.0.x), Number(self.0.y))
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", Number(self.0.x), Number(self.0.y))
    }
}
