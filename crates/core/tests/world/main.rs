//! The world against a slow one that is obviously right.

mod brute;
mod model;
mod queries;
mod snapshot;
