//! Tests of the library's promises, one binary for all: linking is then paid once.
//!
//! Runs one module with `cargo test -p carom --test all oracle::`.

mod allocation;
mod among;
mod among_any;
mod any_bits;
mod architecture;
mod batch;
mod broad;
mod broad_frames;
mod broad_places;
mod bvh;
mod cached;
mod cast_normals;
mod composite;
mod contact_sides;
mod contains;
mod contains_round;
mod decompose;
mod exact;
mod golden;
mod into_point;
mod laws;
mod mask;
mod matrix;
mod one_sided;
mod oracle;
mod points;
mod polygons;
mod ray_features;
mod rays;
mod refusals;
mod region;
mod response;
mod seams;
#[cfg(feature = "serde")]
mod serde;
mod simplify;
mod steps;
mod support;
mod toi;
mod toi_rules;
mod union_casts;
mod union_normals;
mod union_tiny;
mod unions;
mod world;
mod world_costs;
