//! carom's own scene files.
mod collider;
mod error;
pub(crate) mod number;
mod read;
mod serde_helpers;
mod shape;
mod types;
mod write;

pub(crate) use error::without_position;
pub(crate) use read::{broken, read};
pub(crate) use shape::THRESHOLD;
pub use write::{to_json, write_json};

/// The JSON Schema of scene files, generated from the types that read them.
///
/// It accepts every scene that [`crate::read`] accepts. What it cannot say (ids used twice, concave outlines, a 65th layer), only
/// reading finds.
#[must_use]
pub fn schema() -> String {
    let schema = schemars::schema_for!(types::Document<'static>);
    write::pretty(&schema)
}
