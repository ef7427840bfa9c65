//! Defines the options for reading.

use carom::decompose::FillRule;

use crate::Format;

/// Options for reading.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Lists refused objects in [`Scene::skipped`](crate::Scene::skipped) and continues.
    pub skip_invalid: bool,
    /// Repairs outlines of SVG, GeoJSON, CSV and Tiled that cross or overlap themselves, instead of refusing them.
    /// Lists them in [`Scene::repaired`](crate::Scene::repaired). The rule decides which regions are inside. SVG has
    /// its own rule.
    pub repair: Option<FillRule>,
    /// Tiled tile layers of which every non-empty tile is solid.
    pub solid: Vec<String>,
    /// Every non-empty tile of every Tiled tile layer is solid.
    pub solid_all: bool,
    /// Property of GeoJSON features, or column of a CSV file, that is the id. Features without it have
    /// their own id, else their name.
    pub id_property: Option<String>,
    /// Format of the file. `None`: detected from the content.
    pub format: Option<Format>,
    /// Largest deviation between SVG curves and the edges that replace them, relative to the larger
    /// side of the drawing. `None`: [`Options::DEFAULT_FLATTEN_TOLERANCE`].
    pub flatten_tolerance: Option<f64>,
}

impl Options {
    /// 0.1 pixel for a drawing that is shown 1000 pixels wide.
    pub const DEFAULT_FLATTEN_TOLERANCE: f64 = 1e-4;
}
