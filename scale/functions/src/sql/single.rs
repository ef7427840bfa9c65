//! Functions of one geometry: its reason of refusal, and text as WKB.

use std::sync::Arc;

use datafusion::arrow::array::{BinaryBuilder, StringViewBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use super::bad_argument;
use super::geometry::{Geometries, Geometry, is_geometry};
use crate::outline::{OutlineError, wkb_of_text};

const INVALID: &str = "carom_invalid";
const TO_WKB: &str = "carom_wkb";

/// `carom_invalid(geometry)`: the reason why the geometry is refused, or NULL.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Invalid {
    signature: Signature,
}

/// `carom_wkb(geometry)`: the geometry as WKB.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct ToWkb {
    signature: Signature,
}

impl Default for Invalid {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl Default for ToWkb {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

/// Checks that the only argument is a geometry.
fn one_geometry(name: &str, types: &[DataType]) -> Result<Vec<DataType>> {
    match types {
        [data_type] if is_geometry(data_type) => Ok(types.to_vec()),
        _ => plan_err!("{name} has one argument: a geometry, binary (WKB) or text (WKT, GeoJSON)"),
    }
}

impl ScalarUDFImpl for Invalid {
    fn name(&self) -> &'static str {
        INVALID
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        one_geometry(INVALID, types)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8View)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let geometries = Geometries::new(INVALID, &args.args[0])?;
        let mut out = StringViewBuilder::with_capacity(args.number_rows);
        for row in 0..args.number_rows {
            // A missing geometry is no outline either.
            let reason = match geometries.get(row) {
                None => Some(OutlineError::Empty),
                Some(geometry) => geometry.decode().err(),
            };
            out.append_option(reason.map(|reason| reason.to_string()));
        }
        Ok(ColumnarValue::Array(Arc::new(out.finish())))
    }
}

impl ScalarUDFImpl for ToWkb {
    fn name(&self) -> &'static str {
        TO_WKB
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        one_geometry(TO_WKB, types)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Binary)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
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
        Ok(ColumnarValue::Array(Arc::new(out.finish())))
    }
}
