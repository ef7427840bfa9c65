//! Implements the functions of one geometry: `carom_invalid`, the reason of its refusal, and
//! `carom_wkb`, its WKB.
//!
//! `carom_invalid` lets a query count and list invalid rows before the join. A missing geometry is
//! a reason, too. `carom_wkb` converts text once per row, so that the join moves and decodes WKB
//! only.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BinaryBuilder, StringViewBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::logical_expr::ScalarFunctionArgs;

use super::bad_argument;
use super::geometry::{Geometries, is_geometry};
use super::scalar::Scalar;
use crate::outline::{Geometry, OutlineError, Ring, wkb_of_text};

const INVALID: &str = "carom_invalid";
const TO_WKB: &str = "carom_wkb";

const ARGUMENTS: &str = "one argument: a geometry, binary (WKB) or text (WKT, GeoJSON)";

/// Accepts one geometry of any type.
fn coerce(types: &[DataType]) -> Option<Vec<DataType>> {
    matches!(types, [data_type] if is_geometry(data_type)).then(|| types.to_vec())
}

/// Returns `carom_invalid(geometry)`: the reason why the geometry is refused, or NULL.
pub(super) fn invalid() -> Scalar {
    Scalar::new(INVALID, ARGUMENTS, coerce, DataType::Utf8View, reasons)
}

/// Returns `carom_wkb(geometry)`: the geometry as WKB.
pub(super) fn to_wkb() -> Scalar {
    Scalar::new(TO_WKB, ARGUMENTS, coerce, DataType::Binary, wkb)
}

/// Checks each geometry of a batch, and returns the reasons of refusal.
fn reasons(args: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let geometries = Geometries::new(INVALID, &args.args[0])?;
    let mut out = StringViewBuilder::with_capacity(args.number_rows);
    let mut ring = Ring::default();
    for row in 0..args.number_rows {
        // A missing geometry is no outline either.
        let reason = match geometries.get(row) {
            None => Some(OutlineError::Empty),
            Some(geometry) => geometry.check(&mut ring).err(),
        };
        out.append_option(reason.map(|reason| reason.to_string()));
    }
    Ok(Arc::new(out.finish()))
}

/// Converts the texts of a batch to WKB. WKB is copied.
fn wkb(args: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let geometries = Geometries::new(TO_WKB, &args.args[0])?;
    let mut out = BinaryBuilder::with_capacity(args.number_rows, 0);
    for row in 0..args.number_rows {
        match geometries.get(row) {
            None => out.append_null(),
            Some(Geometry::Wkb(bytes)) => out.append_value(bytes),
            Some(Geometry::Text(text)) => {
                out.append_value(wkb_of_text(text).map_err(|error| bad_argument(TO_WKB, error))?);
            }
        }
    }
    Ok(Arc::new(out.finish()))
}
