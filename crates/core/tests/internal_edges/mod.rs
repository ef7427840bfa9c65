//! A shape that slides over flush neighbours has the contacts of one smooth surface (P17). Real
//! edges stay.
//!
//! `CAROM_PAIRS` asks for more seams, places and cut rectangles, `CAROM_SEED` for other rectangles.

mod bent;
mod flat;
mod pieces;
mod real;
mod scene;
