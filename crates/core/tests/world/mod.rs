//! Compares the world with a slow and simple one.

mod bare;
mod brute;
mod brute_motion;
mod brute_one_way;
mod brute_seams;
mod contact_margin;
mod contact_margin_frames;
mod determinism;
mod draw;
mod extremes;
mod growth;
mod model;
mod motion;
mod motion_overlap;
mod motion_seams;
mod one_way;
mod one_way_rows;
mod queries;
mod rollback;
mod sight;
mod snapshot;
mod surface;
mod thin_corners;
mod thin_walls;
mod threads;
