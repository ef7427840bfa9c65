//! Reads columns of geometries: WKB in binary types, WKT or GeoJSON in text types.
//!
//! Arrow has three binary and three text types. Each column is converted to the view type once, so
//! that the rest has two cases. A geometry is decoded only if a function needs its shape.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryViewArray, StringViewArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::logical_expr::ColumnarValue;

use super::bad_argument;
use crate::outline::Geometry;

/// Returns true if a column of this type can hold geometries.
pub(crate) fn is_geometry(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Null
    )
}

/// A column of geometries, or one geometry for all rows.
pub(crate) struct Geometries {
    values: Values,
    /// True if the only value holds for all rows.
    scalar: bool,
}

/// The values as a view type, so that each kind of column is one case.
enum Values {
    Wkb(BinaryViewArray),
    Text(StringViewArray),
}

impl Geometries {
    /// Reads an argument. Any type other than binary or text is an error.
    pub(crate) fn new(function: &str, value: &ColumnarValue) -> Result<Self> {
        let (array, scalar): (ArrayRef, bool) = match value {
            ColumnarValue::Array(array) => (array.clone(), false),
            ColumnarValue::Scalar(value) => (value.to_array()?, true),
        };
        let values = match array.data_type() {
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null => {
                Values::Wkb(cast(&array, &DataType::BinaryView)?.as_binary_view().clone())
            }
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                Values::Text(cast(&array, &DataType::Utf8View)?.as_string_view().clone())
            }
            other => {
                return Err(bad_argument(function, format_args!("a geometry must be binary or text, not {other}")));
            }
        };
        Ok(Self { values, scalar })
    }

    /// Returns the whole column if it is WKB.
    pub(crate) fn wkb(&self) -> Option<&BinaryViewArray> {
        match &self.values {
            Values::Wkb(array) if !self.scalar => Some(array),
            _ => None,
        }
    }

    /// Returns the geometry of a row; `None` for NULL.
    pub(crate) fn get(&self, row: usize) -> Option<Geometry<'_>> {
        let row = if self.scalar { 0 } else { row };
        match &self.values {
            Values::Wkb(array) => array.is_valid(row).then(|| Geometry::Wkb(array.value(row))),
            Values::Text(array) => array.is_valid(row).then(|| Geometry::Text(array.value(row))),
        }
    }
}
