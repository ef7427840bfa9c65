//! Implements `carom_of_srid`: geometries without the SRID that EWKT has before it and EWKB in it.
//!
//! A file of EWKT or EWKB has one reference system. A join compares it with that of the other input, so each row must
//! have the same SRID, or none. Another SRID stays as a text that the reader of geometries refuses with the reason. So
//! the join refuses the row as any other invalid geometry.
//!
//! The reader of WKB skips the SRID, so EWKB with the right one is not changed.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryViewBuilder, Int64Array, StringBuilder};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::error::Result;
use datafusion::logical_expr::ScalarFunctionArgs;

use super::geometry::is_geometry;
use super::scalar::Scalar;
use crate::outline::{split_srid, srid_at_start, wkb_of_text};

/// Returns the SRID of EWKT; 0 for WKT or GeoJSON. Returns `None` if the text is not readable as a geometry.
///
/// ```
/// use carom_functions::srid_of_text;
///
/// assert_eq!(srid_of_text("SRID=4326;POINT (1 2)"), Some(4326));
/// assert_eq!(srid_of_text("POINT (1 2)"), Some(0));
/// assert_eq!(srid_of_text("SRID=x;POINT (1 2)"), None);
/// ```
#[must_use]
pub fn srid_of_text(text: &str) -> Option<u32> {
    wkb_of_text(text).and_then(|_| split_srid(text)).ok().map(|(srid, _)| srid)
}

/// Returns `carom_of_srid(geometry, srid)`, which removes the SRID `srid` from EWKT. `srid` = 0: the input has no SRID.
/// A geometry with another SRID becomes an invalid one.
pub(super) fn of_srid() -> Scalar {
    Scalar::of_first_type("carom_of_srid", "two arguments: a geometry and an SRID", coerce, compute)
}

/// Binary types stay: casts of large columns would take time.
fn coerce(types: &[DataType]) -> Option<Vec<DataType>> {
    let [geometry, _] = types else { return None };
    let geometry = match geometry {
        binary @ (DataType::Binary | DataType::LargeBinary | DataType::BinaryView) => binary.clone(),
        other if is_geometry(other) => DataType::Utf8,
        _ => return None,
    };
    Some(vec![geometry, DataType::Int64])
}

fn compute(args: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let geometries = args.args[0].to_array(args.number_rows)?;
    let expected = args.args[1].to_array(args.number_rows)?;
    let expected = expected.as_primitive::<Int64Type>();
    if geometries.data_type() == &DataType::Utf8 { Ok(texts(geometries, expected)) } else { wkb(geometries, expected) }
}

/// Returns the text that a geometry with another SRID becomes; `None` if the SRID is the expected one, or 0.
fn refused(srid: u32, expected: i64) -> Option<String> {
    match expected {
        _ if srid == 0 || i64::from(srid) == expected => None,
        0 => Some(format!("SRID={srid}, but the first geometry of the file has none")),
        _ => Some(format!("SRID={srid}, but the input has SRID={expected}")),
    }
}

/// Removes the SRID from the texts of a batch.
fn texts(texts: ArrayRef, expected: &Int64Array) -> ArrayRef {
    let column = texts.as_string::<i32>();
    let has_none = |text: &str| split_srid(text).is_ok_and(|(_, geometry)| geometry.len() == text.len());
    if column.iter().flatten().all(has_none) {
        return texts;
    }
    let mut out = StringBuilder::with_capacity(column.len(), column.value_data().len());
    for (text, &expected) in column.iter().zip(expected.values()) {
        match text.map(|text| (text, split_srid(text))) {
            None => out.append_null(),
            Some((_, Ok((srid, geometry)))) => match refused(srid, expected) {
                None => out.append_value(geometry),
                Some(reason) => out.append_value(reason),
            },
            // The reader of geometries returns the reason.
            Some((text, Err(_))) => out.append_value(text),
        }
    }
    Arc::new(out.finish())
}

/// Replaces the geometries of a batch that have another SRID.
fn wkb(geometries: ArrayRef, expected: &Int64Array) -> Result<ArrayRef> {
    let views = cast(&geometries, &DataType::BinaryView)?;
    let column = views.as_binary_view();
    let reason = |bytes: Option<&[u8]>, expected: i64| refused(srid_at_start(bytes?), expected);
    if column.iter().zip(expected.values()).all(|(bytes, &expected)| reason(bytes, expected).is_none()) {
        return Ok(geometries);
    }
    let mut out = BinaryViewBuilder::with_capacity(column.len());
    for (bytes, &expected) in column.iter().zip(expected.values()) {
        match reason(bytes, expected) {
            None => out.append_option(bytes),
            Some(reason) => out.append_value(reason),
        }
    }
    Ok(cast(&out.finish(), geometries.data_type())?)
}
