//! Reads and writes carom's own scene files.
//!
//! - `types.rs` has the types of a file. Parser, writer and JSON Schema are derived from them, so
//!   they agree.
//! - `shape/` has the forms of `"shape"`, `number.rs` numbers and points.
//! - `read.rs` and `collider.rs` convert the types to a scene, and `write.rs` converts a scene to
//!   text. `round_trip.rs` finds numbers that read back to the same bits.

mod collider;
mod error;
pub(crate) mod number;
mod read;
mod round_trip;
mod serde_helpers;
mod shape;
mod types;
mod write;

pub(crate) use error::without_position;
pub(crate) use read::{broken, read};
pub use shape::ShapeJson;
pub use write::{to_json, write_json};

/// Returns the JSON Schema of scene files, generated from the types that read them. Needs the feature `schema`.
///
/// It accepts every scene that [`crate::read`] accepts. It cannot express some errors: repeated
/// ids, polygons that are not simple, more than 64 layers. Only reading finds these.
#[cfg(feature = "schema")]
#[expect(clippy::missing_panics_doc, reason = "a schema has string keys only")]
#[must_use]
pub fn schema() -> String {
    let schema = schemars::schema_for!(types::Document<'static>);
    serde_json::to_string_pretty(&schema).expect("string keys only") + "\n"
}
