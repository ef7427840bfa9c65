//! Reads columns of geometries: WKB in binary types, WKT or GeoJSON in text types.
//!
//! Arrow has three binary and three text types. Each column is converted to the view type once, so
//! that the rest has two cases. A geometry is decoded only if a function needs its shape.
//!
//! [`Last`] keeps the outline of the last row. The rows of a join repeat the outline of one side,
//! so this comparison of addresses saves most searches in the cache.

use std::rc::Rc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryViewArray, StringViewArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::logical_expr::ColumnarValue;

use super::{bad_argument, cache};
use crate::outline::{self, Bounds, Outline, OutlineError};

/// A geometry that is not decoded yet.
#[derive(Clone, Copy)]
pub(super) enum Geometry<'a> {
    Wkb(&'a [u8]),
    Text(&'a str),
}

impl<'a> Geometry<'a> {
    /// Returns the bytes as written: the key of the cache.
    pub(super) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Wkb(bytes) => bytes,
            Self::Text(text) => text.as_bytes(),
        }
    }

    /// Builds the outline, and checks that it is valid.
    pub(super) fn decode(self) -> Result<Outline, OutlineError> {
        match self {
            Self::Wkb(bytes) => Outline::from_wkb(bytes),
            Self::Text(text) => Outline::from_text(text),
        }
    }

    /// Returns the box. WKB needs no shape for it, a text does.
    pub(super) fn bounds(self) -> Result<Bounds, OutlineError> {
        match self {
            Self::Wkb(bytes) => outline::bounds_of_wkb(bytes),
            Self::Text(text) => Outline::from_text(text).map(|outline| outline.bounds()),
        }
    }
}

/// Returns true if a column of this type can hold geometries.
pub(super) fn is_geometry(data_type: &DataType) -> bool {
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
pub(super) struct Geometries {
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
    pub(super) fn new(function: &str, value: &ColumnarValue) -> Result<Self> {
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

    /// Returns the geometry of a row; `None` for NULL.
    pub(super) fn get(&self, row: usize) -> Option<Geometry<'_>> {
        let row = if self.scalar { 0 } else { row };
        match &self.values {
            Values::Wkb(array) => array.is_valid(row).then(|| Geometry::Wkb(array.value(row))),
            Values::Text(array) => array.is_valid(row).then(|| Geometry::Text(array.value(row))),
        }
    }
}

/// The outline of the last row. Rows of a join repeat the outline of one side many times.
#[derive(Default)]
pub(super) struct Last {
    outline: Option<(*const u8, usize, Rc<Outline>)>,
}

impl Last {
    /// Returns the outline of a row of `geometries`; `None` for NULL. Pass the same column each time.
    pub(super) fn outline(&mut self, geometries: &Geometries, row: usize) -> Result<Option<Rc<Outline>>, OutlineError> {
        let Some(geometry) = geometries.get(row) else { return Ok(None) };
        let bytes = geometry.bytes();
        // The column keeps its buffers alive, so equal addresses are equal bytes.
        if let Some((at, len, outline)) = &self.outline
            && (*at, *len) == (bytes.as_ptr(), bytes.len())
        {
            return Ok(Some(Rc::clone(outline)));
        }
        let outline = cache::outline(geometry)?;
        self.outline = Some((bytes.as_ptr(), bytes.len(), Rc::clone(&outline)));
        Ok(Some(outline))
    }
}
