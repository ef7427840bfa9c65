//! Reads a shape outside of a scene file, for other files that contain shapes.
//!
//! The input of `carom walk` contains the shape of its character in this form. Such a file has no
//! folder, so masks must have `rows`.

use carom::Shape;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

use super::{Images, ShapeSpec};

/// A shape in the form of scene files, as part of another JSON file. Masks have `rows`: an `image`
/// is refused.
///
/// ```
/// use carom::Shape;
/// use carom_scene::ShapeJson;
///
/// let json: ShapeJson = serde_json::from_str(r#"{"circle": {"radius": 2}}"#).unwrap();
/// assert_eq!(json.build(), Ok(Shape::circle(2.0)?));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Debug)]
pub struct ShapeJson(ShapeSpec);

impl ShapeJson {
    /// Builds the shape.
    ///
    /// # Errors
    /// A message with the path of the invalid part, for example a radius below 0.
    pub fn build(&self) -> Result<Shape, String> {
        let mut no_files = |_: &str| Err(std::io::Error::other("images are not read here: use \"rows\""));
        self.0
            .build(&mut Images::new(&mut no_files))
            .map_err(|refused| format!("{}: {}", refused.location, refused.message))
    }
}

impl<'de> Deserialize<'de> for ShapeJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ShapeSpec::deserialize(deserializer).map(Self)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for ShapeJson {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        ShapeSpec::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ShapeSpec::json_schema(generator)
    }
}
