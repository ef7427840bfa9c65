//! From outlines, point sets and pictures to convex parts, exactly.
//!
//! [`Outline`] takes a polygon with holes, says what is wrong with it or splits it into convex [`Parts`]; [`convex_hull`] and [`simplify`] work on plain points. All
//! decisions are exact, so nothing depends on the size or the place of the input, and no vertex is added or moved. [`trace`] and [`contours`] find the outlines
//! of pictures.
//!
//! ```
//! use carom::decompose::{Outline, convex_hull};
//!
//! let arrow = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]];
//! let outline = Outline::new(&arrow, &[])?;
//! assert_eq!(outline.parts().len(), 2);
//! assert_eq!(convex_hull(&arrow)?, [0, 1, 2]);
//! # Ok::<(), carom::Error>(())
//! ```

mod chord;
mod contour;
mod edge_tree;
mod fewest;
mod flip;
pub(crate) mod hull;
mod merge;
mod mesh;
mod monotone;
mod octaves;
mod order;
mod outline;
mod parts;
mod pieces;
mod point_tree;
mod refuse;
mod rings;
mod simplify;
mod status;
mod still;
mod sweep;
mod touch;
mod visible;
mod walk;

pub use contour::{Contour, Diagonals, contours, simplified, trace};
pub use hull::convex_hull;
pub use outline::Outline;
pub use parts::Parts;
pub use simplify::simplify;
