//! Pixel masks and their overlap.
//!
//! ```
//! use carom::mask::Mask;
//!
//! let ell = Mask::from_rows(&["#.", "##"])?;
//! assert_eq!((ell.count(), ell.width(), ell.height()), (3, 2, 2));
//! # Ok::<(), carom::Error>(())
//! ```

pub use crate::math::mask::{Mask, MaskOverlap, PixelBox};
