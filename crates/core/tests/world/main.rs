//! The world against a slow one that is obviously right.

mod brute;
mod draw;
mod model;
mod motion;
mod one_way;
mod queries;
mod sight;
mod snapshot;
