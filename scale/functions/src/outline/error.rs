//! Explains why a geometry is not an outline that carom can compute with.
//!
//! A join refuses such a geometry with the reason, or leaves it out and lists it. It never guesses
//! a valid outline.

use std::fmt;

/// The reason why a geometry was refused.
///
/// ```
/// use carom_functions::Outline;
///
/// let bow_tie = Outline::from_text("POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))").unwrap_err();
/// assert!(bow_tie.to_string().contains("crosses"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutlineError {
    /// The bytes or the text are not a geometry in a known format.
    Unreadable {
        /// The format: WKB, EWKB, WKT, EWKT or GeoJSON.
        format: &'static str,
        /// The message of the reader.
        reason: String,
    },
    /// The geometry has no points, or is missing.
    Empty,
    /// The geometry was read, but it is not a valid shape: for instance, a ring crosses itself.
    Invalid(carom::Error),
}

impl fmt::Display for OutlineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { format, reason } => write!(f, "not readable as {format}: {reason}"),
            Self::Empty => write!(f, "the geometry is empty"),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OutlineError {}

impl From<carom::Error> for OutlineError {
    fn from(error: carom::Error) -> Self {
        Self::Invalid(error)
    }
}
