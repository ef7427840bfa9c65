//! Tests of the library's promises, in one binary, so that it is linked once.
//!
//! Runs one module with `cargo test -p carom --test all oracle::`.

mod allocation;
mod arbitrary_bits;
mod architecture;
mod batch;
mod broad_phase;
mod broad_phase_frames;
mod broad_phase_observed;
mod broad_phase_positions;
mod bvh;
mod cast_normals;
mod composite;
mod contact_sides;
mod contains;
mod contains_rounded;
mod decompose;
mod distance_cache;
mod exact;
mod explain_steps;
mod golden;
mod internal_edges;
mod into_point;
mod laws;
mod mask;
mod matrix;
mod mover;
mod one_sided;
mod oracle;
mod outline_points;
mod outline_queries;
mod outline_relation;
mod overlap_region;
mod points;
mod polygons;
mod query_pipeline;
mod query_pipeline_any;
mod ray_features;
mod rays;
mod refusals;
mod repair;
mod response;
mod seam_casts;
#[cfg(feature = "serde")]
mod serde;
mod simplify;
mod support;
mod time_of_impact;
mod time_of_impact_rules;
mod time_of_impact_within;
mod union_casts;
mod union_normals;
mod union_tiny;
mod unions;
mod world;
mod world_complexity;
