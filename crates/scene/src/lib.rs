//! Reads scenes for carom (JSON, Tiled maps, GeoJSON, CSV with WKT, SVG, PNG), and draws them.
//!
//! [`read`] detects the format by content. It returns a [`Scene`] with the shapes of the file:
//! concave polygons with holes, polylines, masks. [`merge`] combines several files to one scene.
//! [`Scene::to_world`] converts it to a `World`. [`to_json`] and [`write_json`] write a scene.
//! [`draw`] draws scenes, contacts and explanations as SVG. No function opens a file: inputs are
//! bytes, outputs are strings or bytes.
//!
//! The feature `schema` adds `schema()`, the JSON Schema of scene files, and `schemars::JsonSchema` for [`ShapeJson`].
mod csv_wkt;
mod decompose;
mod detect_format;
mod error;
mod format;
mod geojson;
mod geometry;
mod ids;
mod json;
mod layers;
mod line_index;
mod merge;
mod merge_tiles;
mod model;
mod moving;
mod options;
mod png;
mod repair;
mod svg;
mod tiled;
mod trace;
mod unread;
mod world;
mod xml;

pub mod coverage;
pub mod draw;

pub use decompose::decompose;
pub use error::{Error, SkippedObject};
pub use format::Format;
#[cfg(feature = "schema")]
pub use json::schema;
pub use json::{ShapeJson, to_json, write_json};
pub use merge::merge;
pub use merge_tiles::{TileMerge, merge_tiles};
pub use model::{Body, Motion, Origin, Scene, SceneCollider, YAxis};
pub use moving::{InvalidPath, Moving};
pub use options::Options;
pub use repair::RepairedObject;
pub use trace::{TraceOptions, trace};
pub use world::Handles;

/// Reads a scene from the bytes of a file. `name` is used in messages. `load` reads referenced
/// files (tilesets, templates, images of masks) by their relative path.
///
/// A PNG image becomes a scene with one mask. The mask has the name of the file. Its upper left
/// corner is the origin. Pixels with at least half opacity are solid.
///
/// Broken JSON, XML or PNG is always an error. An object that cannot become a collider is an error
/// too, unless [`Options::skip_invalid`] is set. Then it is listed in [`Scene::skipped`].
///
/// ```
/// use carom_scene::{Options, read, to_json};
///
/// let json = br#"{"carom": 1, "colliders": [{"id": "ball", "shape": {"circle": {"radius": 0.5}}, "position": [0, 2]}]}"#;
/// let mut no_files = |_: &str| Err(std::io::ErrorKind::NotFound.into());
/// let scene = read("ball.json", json, &Options::default(), &mut no_files)?;
/// assert_eq!(scene.colliders[0].id, "ball");
/// assert_eq!(read("again.json", to_json(&scene).as_bytes(), &Options::default(), &mut no_files)?, scene);
///
/// let error = read("cut.json", &json[..40], &Options::default(), &mut no_files).unwrap_err();
/// assert!(error.to_string().starts_with("cut.json: line 1, column 40: the file ends too early"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub fn read(
    name: &str,
    bytes: &[u8],
    options: &Options,
    load: &mut dyn FnMut(&str) -> std::io::Result<Vec<u8>>,
) -> Result<Scene, Error> {
    if options.format == Some(Format::Png) || (options.format.is_none() && png::is_png(bytes)) {
        return png::read(name, bytes);
    }
    let text = detect_format::text(name, bytes)?;
    let format = match options.format {
        Some(format) => format,
        None => detect_format::detect(name, text)?,
    };
    match format {
        Format::Scene => json::read(name, text, options, load),
        Format::GeoJson => geojson::read(name, text, options),
        Format::Csv => csv_wkt::read(name, text, options),
        Format::Svg => svg::read(name, text, options),
        Format::Png => png::read(name, bytes),
        Format::Tmx => tiled::read_tmx(name, text, options, load),
        Format::Tmj => tiled::read_tmj(name, text, options, load),
    }
}

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Runs the example of the page on movers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/MOVER.md")]
struct MoverPage;
