//! From point sets, outlines and pictures to convex pieces.

mod contour;
pub(crate) mod hull;
mod pieces;
mod walk;

pub use contour::{Diagonals, Outline, contours, trace};
