//! Scenes for carom: JSON, Tiled maps, GeoJSON, SVG and PNG in, one model, pictures out.
//!
//! [`read`] tells the format by content and gives a [`Scene`] of shapes as they stand in the file: concave outlines with holes, polylines, pixels; [`merge`] makes one scene of several
//! files, [`Scene::to_world`] makes a `World` of it, [`to_json`] and [`write_json`] write a scene back, and [`draw`] turns scenes, contacts and explanations into SVG.
//! Nothing here opens a file: bytes come in, strings or bytes go out.
mod decompose;
mod error;
mod format;
mod geojson;
mod geometry;
mod ids;
mod json;
mod layers;
mod line_index;
mod merge;
mod model;
mod png;
mod svg;
mod tiled;
mod trace;
mod world;
mod xml;

pub mod draw;

pub use decompose::decompose;
pub use error::{Error, SkippedObject};
pub use format::Format;
pub use json::{schema, to_json, write_json};
pub use merge::merge;
pub use model::{Body, Motion, Scene, SceneCollider, YAxis};
pub use trace::{TraceOptions, trace};
pub use world::Handles;

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Name what is refused in [`Scene::skipped`] and go on.
    pub skip_invalid: bool,
    /// Tiled tile layers whose every non-empty tile is solid.
    pub solid: Vec<String>,
    /// The format; `None`: told by content.
    pub format: Option<Format>,
    /// How far the straight edges that stand for SVG's curves may deviate from them, as a share of the drawing's larger side;
    /// `None`: [`Options::DEFAULT_FLATTEN_TOLERANCE`].
    pub flatten_tolerance: Option<f64>,
}

impl Options {
    /// A tenth of a pixel of a drawing that is shown 1000 pixels wide.
    pub const DEFAULT_FLATTEN_TOLERANCE: f64 = 1e-4;
}

/// Reads one file's bytes. `name` is used in messages; `load` fetches files that it refers to
/// (tilesets, templates, images of masks), by their path relative to it.
///
/// A PNG image is a scene of one mask that has the file's name, its upper left corner at the origin; pixels that are at least half opaque are solid.
///
/// A file that is broken as JSON, XML or PNG is always an error. An object that cannot become a collider
/// is one too, unless [`Options::skip_invalid`] asks to name it in [`Scene::skipped`] and go on.
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
    if options.format == Some(Format::Png) || (options.format.is_none() && format::is_png(bytes)) {
        return png::read(name, bytes);
    }
    let text = format::text(name, bytes)?;
    let format = match options.format {
        Some(format) => format,
        None => format::detect(name, text)?,
    };
    match format {
        Format::Scene => json::read(name, text, options, load),
        Format::GeoJson => geojson::read(name, text, options),
        Format::Svg => svg::read(name, text, options),
        Format::Png => png::read(name, bytes),
        Format::Tmx => tiled::read_tmx(name, text, options, load),
        Format::Tmj => tiled::read_tmj(name, text, options, load),
    }
}

/// The examples of the README run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
