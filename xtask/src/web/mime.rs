//! Names the media types of the files of a page.

use std::path::Path;

/// Returns the media type of a file by its suffix.
pub(super) fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|suffix| suffix.to_str()).unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" | "geojson" | "tmj" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "xml" | "tmx" => "application/xml",
        "txt" => "text/plain; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
