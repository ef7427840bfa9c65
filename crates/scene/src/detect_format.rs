//! Detects the format of a file from its content.
//!
//! Input: bytes. Output: a [`Format`], or an error that lists the formats.
//!
//! ```text
//! PNG: the first eight bytes
//! XML (first character <): SVG if the first element is <svg>, else Tiled
//! JSON (first character {): the first key that only one format has
//! GeoJSON text sequence (first character U+001E)
//! else: CSV, if a field of the first rows is a geometry
//! ```
//!
//! Suffixes do not suffice: `.json` is used by three of the formats, and standard input has no
//! name.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::{Error, Format, csv_wkt, geojson};

const EXPECTED: &str = "expected a carom scene ({\"carom\": 1, \"colliders\": […]}), a Tiled map (.tmx, .tmj), \
    GeoJSON, CSV with a WKT column, SVG or a PNG image";

/// Returns the file as text without a byte-order mark.
pub(crate) fn text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Error> {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return Err(Error::new(name, "the text is UTF-16: save it as UTF-8"));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        Error::new(name, format!("not text: byte {at} (0x{:02X}) is not UTF-8; {EXPECTED}", bytes[at]))
    })?;
    if text.trim_ascii_start().is_empty() {
        return Err(Error::new(name, format!("the file is empty; {EXPECTED}")));
    }
    Ok(text)
}

/// Detects the format of a text that is not empty.
pub(crate) fn detect(name: &str, text: &str) -> Result<Format, Error> {
    match text.trim_ascii_start().chars().next() {
        Some('<') => Ok(detect_xml(text)),
        Some('{') => detect_json(name, text),
        Some(geojson::RECORD_SEPARATOR) => Ok(Format::GeoJson),
        _ if csv_wkt::is_table(text) => Ok(Format::Csv),
        first => {
            if let Some(message) = csv_wkt::wkb_message(text) {
                return Err(Error::new(name, message));
            }
            let found = first.map_or(String::new(), |c| format!("the file begins with {c:?}; "));
            Err(Error::new(name, format!("{found}{EXPECTED}")))
        }
    }
}

/// Decides by the name of the first element. The reader of Tiled maps reports an unknown element.
fn detect_xml(text: &str) -> Format {
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        rest = &rest[open..];
        let end = match rest.as_bytes() {
            [b'<', b'!', b'-', b'-', ..] => "-->",
            [b'<', b'?', ..] => "?>",
            [b'<', b'!', ..] => ">",
            _ => {
                let name = rest[1..].split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next().unwrap_or("");
                let local = name.rsplit(':').next().unwrap_or("");
                return if local == "svg" { Format::Svg } else { Format::Tmx };
            }
        };
        let Some(after) = rest.find(end) else { break };
        rest = &rest[after..];
    }
    Format::Tmx
}

/// Decides by the first key that belongs to one format only. Ignores the rest.
fn detect_json(name: &str, text: &str) -> Result<Format, Error> {
    let mut detected = None;
    let end = serde_json::Deserializer::from_str(text).deserialize_map(FormatKeys { detected: &mut detected });
    match (detected, end) {
        (Some(format), _) => Ok(format),
        // The JSON is broken before such a key. The scene reader reports the position of the error.
        (None, Err(_)) => Ok(Format::Scene),
        (None, Ok(())) => Err(Error::new(
            name,
            format!("JSON without the keys of a scene (\"carom\"), a Tiled map or GeoJSON; {EXPECTED}"),
        )),
    }
}

/// Looks for the keys of an object that tell its format.
struct FormatKeys<'t> {
    detected: &'t mut Option<Format>,
}

impl<'de> Visitor<'de> for FormatKeys<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let value: &RawValue = match key.as_str() {
                "carom" | "colliders" => return self.tell(Format::Scene),
                "orientation" | "renderorder" | "tiledversion" | "tileheight" | "tilewidth" | "tilesets"
                | "nextobjectid" | "nextlayerid" => return self.tell(Format::Tmj),
                "features" | "geometry" | "coordinates" | "geometries" => return self.tell(Format::GeoJson),
                "type" => map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if GEOJSON.iter().any(|kind| value.get().strip_prefix('"').and_then(|v| v.strip_suffix('"')) == Some(kind))
            {
                return self.tell(Format::GeoJson);
            }
        }
        Ok(())
    }
}

impl FormatKeys<'_> {
    /// Stops reading.
    fn tell<E: serde::de::Error>(self, format: Format) -> Result<(), E> {
        *self.detected = Some(format);
        Err(E::custom("told"))
    }
}

/// Values of `"type"` in GeoJSON, and `Topology`: the GeoJSON reader refuses TopoJSON and names the
/// remedy.
const GEOJSON: [&str; 10] = [
    "FeatureCollection",
    "Feature",
    "Polygon",
    "MultiPolygon",
    "LineString",
    "MultiLineString",
    "Point",
    "MultiPoint",
    "GeometryCollection",
    "Topology",
];
