//! Implements `carom_of_srid`: WKT without the SRID that EWKT has before it.
//!
//! A file of EWKT has one reference system. A join compares it with that of the other input, so each row must have the
//! same SRID, or none. Another SRID stays as a text that the reader of geometries refuses with the reason. So the join
//! refuses the row as any other invalid geometry.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::error::Result;
use datafusion::logical_expr::ScalarFunctionArgs;

use super::scalar::Scalar;
use crate::outline::{split_srid, wkb_of_text};

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

/// Returns `carom_of_srid(text, srid)`, which removes the SRID `srid` from EWKT. `srid` = 0: the file has no SRID.
/// Text with another SRID becomes an invalid geometry.
pub(super) fn of_srid() -> Scalar {
    let coerce = |types: &[DataType]| (types.len() == 2).then(|| vec![DataType::Utf8, DataType::Int64]);
    Scalar::new("carom_of_srid", "two arguments: a text and an SRID", coerce, DataType::Utf8, texts)
}

/// Removes the SRID from the texts of a batch.
fn texts(args: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let texts = args.args[0].to_array(args.number_rows)?;
    let expected = args.args[1].to_array(args.number_rows)?;
    let (column, expected) = (texts.as_string::<i32>(), expected.as_primitive::<Int64Type>());
    let has_none = |text: &str| split_srid(text).is_ok_and(|(_, geometry)| geometry.len() == text.len());
    if column.iter().flatten().all(has_none) {
        return Ok(texts);
    }
    let mut out = StringBuilder::with_capacity(column.len(), column.value_data().len());
    for (text, &expected) in column.iter().zip(expected.values()) {
        match text.map(|text| (text, split_srid(text))) {
            None => out.append_null(),
            Some((_, Ok((srid, geometry)))) if srid == 0 || i64::from(srid) == expected => out.append_value(geometry),
            Some((_, Ok((srid, _)))) if expected == 0 => {
                out.append_value(format!("SRID={srid}, but the first geometry of the file has none"));
            }
            Some((_, Ok((srid, _)))) => {
                out.append_value(format!("SRID={srid}, but the input has SRID={expected}"));
            }
            // The reader of geometries returns the reason.
            Some((text, Err(_))) => out.append_value(text),
        }
    }
    Ok(Arc::new(out.finish()))
}
