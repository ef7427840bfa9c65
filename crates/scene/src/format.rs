//! Defines the formats of scene files.

/// Formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// carom's own JSON.
    Scene,
    /// Tiled XML (`.tmx`).
    Tmx,
    /// Tiled JSON (`.tmj`, `.json`).
    Tmj,
    /// GeoJSON (`.geojson`, `.json`).
    GeoJson,
    /// CSV with a column of geometries as WKT (`.csv`, `.tsv`).
    Csv,
    /// SVG (`.svg`).
    Svg,
    /// A PNG image (`.png`), as a scene of one mask.
    Png,
}
