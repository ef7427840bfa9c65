//! From outlines, point sets and pictures to convex parts.

mod contour;
mod edge_tree;
mod flip;
pub(crate) mod hull;
mod merge;
mod monotone;
mod order;
mod outline;
mod parts;
mod pieces;
mod refuse;
mod rings;
mod status;
mod sweep;
mod touch;
mod walk;

pub use contour::{Contour, Diagonals, contours, trace};
pub use outline::Outline;
pub use parts::Parts;
