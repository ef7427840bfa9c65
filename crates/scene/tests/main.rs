//! Tests of the readers, the schema and the drawings, in one binary: linking is paid once.
//!
//! Runs one module with `cargo test -p carom-scene --test all tiled::`.

mod articles;
mod bad_input;
mod coverage;
mod csv_wkt;
mod draw;
mod geojson;
mod json_contract;
mod library;
mod masks;
mod merge;
mod merge_tiles;
mod repair;
mod schema;
mod steps;
mod support;
mod svg;
mod tiled;
mod world;
