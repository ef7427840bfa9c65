//! Compares masks with arrays of single pixels: the same queries, pixel by pixel (P35).
//!
//! `CAROM_PAIRS` sets how many pairs, `CAROM_SEED` which ones.

mod contour;
mod escape_vector;
mod grid;
mod meeting;
mod picture;
mod simple;
