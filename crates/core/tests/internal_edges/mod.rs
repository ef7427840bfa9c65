//! A shape that slides over flush neighbours feels one smooth surface (P17), and nothing that is real is smoothed away.
//!
//! `CAROM_PAIRS` asks for more seams, places and cut rectangles, `CAROM_SEED` for other rectangles.

mod bent;
mod flat;
mod pieces;
mod real;
mod scene;
