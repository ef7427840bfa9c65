//! Reads WKB, WKT and GeoJSON, and writes WKB.
//!
//! Three crates parse the formats. All give a value with the trait `GeometryTrait`. So `shape.rs`
//! has one conversion for all formats.
//!
//! A text that starts with `{` is GeoJSON, any other text is WKT or EWKT. EWKT is one SRID and WKT.
//! EWKB is WKB with a bit in the number of the type, and an SRID after it. The SRID is ignored here.
//! Joins convert text to WKB once per row, because WKB is smaller and faster to decode.

use carom::Shape;
use geo_traits::GeometryTrait;

use super::bounds::Bounds;
use super::error::OutlineError;
use super::shape;

/// Reads the shape of a WKB geometry.
pub(super) fn shape_of_wkb(bytes: &[u8]) -> Result<Shape, OutlineError> {
    shape::shape(&wkb(bytes)?)
}

/// Reads the shape of a WKT or GeoJSON geometry.
pub(super) fn shape_of_text(text: &str) -> Result<Shape, OutlineError> {
    match Text::read(text)? {
        Text::Wkt(geometry) => shape::shape(&geometry),
        Text::GeoJson(geometry) => shape::shape(&geometry),
    }
}

/// Returns the box of a WKB geometry without building its shape.
///
/// # Errors
/// If the bytes are not WKB, or if the geometry is empty or has a coordinate that is not finite.
pub fn bounds_of_wkb(bytes: &[u8]) -> Result<Bounds, OutlineError> {
    shape::bounds(&wkb(bytes)?)
}

/// Returns the WKB of a WKT or GeoJSON geometry.
///
/// # Errors
/// If the text is neither.
pub fn wkb_of_text(text: &str) -> Result<Vec<u8>, OutlineError> {
    match Text::read(text)? {
        Text::Wkt(geometry) => write(&geometry),
        Text::GeoJson(geometry) => write(&geometry),
    }
}

/// Splits EWKT, `SRID=4326;POINT (1 2)`, into the number and the geometry; 0 for a text without an SRID.
///
/// # Errors
/// If a text starts with `SRID=`, but no number follows. If a second SRID or GeoJSON follows the first SRID.
pub(crate) fn split_srid(text: &str) -> Result<(u32, &str), OutlineError> {
    let text = text.trim_start();
    let Some(rest) = after_srid(text) else { return Ok((0, text)) };
    let (number, geometry) = rest.split_once(';').unwrap_or((rest, ""));
    let geometry = geometry.trim_start();
    let refused = |reason: &str| Err(unreadable("EWKT", &format_args!("SRID={number}{reason}")));
    match number.trim().parse() {
        Err(_) => refused(""),
        Ok(_) if after_srid(geometry).is_some() => refused(" and a second SRID"),
        Ok(_) if geometry.starts_with('{') => refused(" before GeoJSON"),
        Ok(number) => Ok((number, geometry)),
    }
}

/// The bit of the type in EWKB that an SRID follows.
const HAS_SRID: u32 = 0x2000_0000;

/// Returns the SRID of EWKB, or of EWKT as bytes; 0 if there is none. Reads the first bytes only:
/// the rest can be missing or damaged.
///
/// ```
/// use carom_functions::srid_at_start;
///
/// assert_eq!(srid_at_start(&[1, 1, 0, 0, 0x20, 0xe6, 0x10, 0, 0]), 4326); // a point, little endian
/// assert_eq!(srid_at_start(&[1, 1, 0, 0, 0, 0, 0, 0, 0]), 0);
/// assert_eq!(srid_at_start(b"SRID=3857;POINT (1 2)"), 3857);
/// ```
#[must_use]
pub fn srid_at_start(bytes: &[u8]) -> u32 {
    let number: fn([u8; 4]) -> u32 = match bytes.first() {
        Some(0) => u32::from_be_bytes,
        Some(1) => u32::from_le_bytes,
        _ => return srid_of_text_at_start(bytes),
    };
    let at = |start: usize| bytes.get(start..start + 4)?.try_into().ok().map(number);
    at(1).filter(|kind| kind & HAS_SRID != 0).and_then(|_| at(5)).unwrap_or(0)
}

/// Returns the SRID of EWKT; 0 if there is none.
fn srid_of_text_at_start(bytes: &[u8]) -> u32 {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    split_srid(text).map_or(0, |(srid, _)| srid)
}

/// Returns what follows `SRID=` at the start of a text.
fn after_srid(text: &str) -> Option<&str> {
    text.split_at_checked(5).filter(|(word, _)| word.eq_ignore_ascii_case("SRID=")).map(|(_, rest)| rest)
}

/// A parsed text. The two crates have types of their own.
enum Text {
    Wkt(wkt::Wkt<f64>),
    GeoJson(geo_types::Geometry<f64>),
}

impl Text {
    /// Parses a text that starts with `{` as GeoJSON, any other as WKT.
    fn read(text: &str) -> Result<Self, OutlineError> {
        let text = text.trim_start();
        if text.starts_with('{') {
            let unreadable = |error: geojson::Error| unreadable("GeoJSON", &error);
            let geometry: geojson::Geometry = text.parse().map_err(unreadable)?;
            geometry.try_into().map(Self::GeoJson).map_err(unreadable)
        } else {
            let geometry = split_srid(text)?.1;
            geometry.parse().map(Self::Wkt).map_err(|error: &str| {
                let hexadecimal = "hexadecimal WKB is not read; write WKT, in PostGIS with ST_AsEWKT";
                unreadable("WKT", if is_hexadecimal_wkb(geometry) { &hexadecimal } else { &error })
            })
        }
    }
}

/// Returns true if a text is WKB in hexadecimal digits, as `PostGIS` writes geometries.
fn is_hexadecimal_wkb(text: &str) -> bool {
    let text = text.trim_end();
    text.len() >= 10
        && (text.starts_with("00") || text.starts_with("01"))
        && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Parses the frame of a WKB geometry. The coordinates are read later, without a copy.
fn wkb(bytes: &[u8]) -> Result<wkb::reader::Wkb<'_>, OutlineError> {
    wkb::reader::read_wkb(bytes).map_err(|error| {
        // A converter keeps the text of GeoJSON that it cannot write as WKB. `carom_of_srid` writes
        // the text of EWKB with another SRID. No WKB starts with these bytes.
        let text = std::str::from_utf8(bytes).unwrap_or("");
        if text.starts_with("SRID=") {
            return unreadable("EWKB", &text);
        }
        let reason = if text.starts_with('{') { wkb_of_text(text).err() } else { None };
        reason.unwrap_or_else(|| unreadable("WKB", &error))
    })
}

/// Writes a geometry as WKB, little endian.
fn write(geometry: &impl GeometryTrait<T = f64>) -> Result<Vec<u8>, OutlineError> {
    let mut bytes = Vec::with_capacity(wkb::writer::geometry_wkb_size(geometry));
    wkb::writer::write_geometry(&mut bytes, geometry, &wkb::writer::WriteOptions::default())
        .map_err(|error| unreadable("WKB", &error))?;
    Ok(bytes)
}

/// Returns the error of bytes or a text in the wrong format.
fn unreadable(format: &'static str, reason: &dyn std::fmt::Display) -> OutlineError {
    OutlineError::Unreadable { format, reason: reason.to_string() }
}
