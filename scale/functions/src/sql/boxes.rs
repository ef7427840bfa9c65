//! Implements `carom_box(geometry [, margin])`: the box of an outline as a struct of four numbers.
//!
//! The box of WKB is computed from its points without building the shape. A margin grows the box on
//! each side, rounded outward: the join within a distance uses it. NULL gives NULL.
//!
//! [`Boxes`] reads such a column in the other functions. It checks the type, so that another struct
//! is an error and not a wrong result.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, Float64Builder, NullBufferBuilder, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields, Float64Type};
use datafusion::error::Result;
use datafusion::logical_expr::ScalarFunctionArgs;

use super::bad_argument;
use super::geometry::{Geometries, is_geometry};
use super::pairs::numbers;
use super::scalar::Scalar;
use crate::outline::{Bounds, Ring};

const NAME: &str = "carom_box";

/// Returns the type of a box.
pub(super) fn box_type() -> DataType {
    DataType::Struct(fields())
}

/// Returns the four columns of a box.
fn fields() -> Fields {
    ["min_x", "min_y", "max_x", "max_y"].map(|name| Field::new(name, DataType::Float64, true)).to_vec().into()
}

/// Returns the function.
pub(super) fn box_of() -> Scalar {
    let coerce = |types: &[DataType]| match types {
        [geometry] if is_geometry(geometry) => Some(types.to_vec()),
        [geometry, _] if is_geometry(geometry) => Some(vec![geometry.clone(), DataType::Float64]),
        _ => None,
    };
    Scalar::new(NAME, "a geometry, and optionally a margin, as arguments", coerce, box_type(), compute)
}

/// Computes the boxes of a batch of geometries.
fn compute(args: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let geometries = Geometries::new(NAME, &args.args[0])?;
    let margins = args.args.get(1).map(|margin| numbers(margin, args.number_rows)).transpose()?;
    let mut columns: [Float64Builder; 4] = std::array::from_fn(|_| Float64Builder::with_capacity(args.number_rows));
    let mut valid = NullBufferBuilder::new(args.number_rows);
    let mut ring = Ring::default();
    for row in 0..args.number_rows {
        let bounds = match geometries.get(row) {
            None => None,
            Some(geometry) => Some(geometry.bounds(&mut ring).map_err(|error| bad_argument(NAME, error))?),
        };
        let bounds = match &margins {
            None => bounds,
            Some(margins) if margins.is_null(row) => None,
            Some(margins) => bounds.map(|bounds| bounds.grown(margins.value(row))),
        };
        valid.append(bounds.is_some());
        let Bounds { min, max } = bounds.unwrap_or(Bounds { min: [0.0; 2], max: [0.0; 2] });
        for (column, value) in columns.iter_mut().zip(min.into_iter().chain(max)) {
            column.append_value(value);
        }
    }
    let columns = columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
    Ok(Arc::new(StructArray::try_new(fields(), columns, valid.finish())?))
}

/// A column of boxes.
pub(super) struct Boxes {
    array: StructArray,
    columns: [Float64Array; 4],
}

impl Boxes {
    /// Reads a column that `carom_box` returned. Any other type is an error.
    pub(super) fn new(function: &str, array: &ArrayRef) -> Result<Self> {
        let boxes = array.as_struct_opt().filter(|boxes| {
            boxes.num_columns() == 4 && boxes.columns().iter().all(|column| column.data_type() == &DataType::Float64)
        });
        let Some(boxes) = boxes else {
            return Err(bad_argument(
                function,
                format_args!("a box must come from carom_box, not be {}", array.data_type()),
            ));
        };
        let columns = [0, 1, 2, 3].map(|i| boxes.column(i).as_primitive::<Float64Type>().clone());
        Ok(Self { array: boxes.clone(), columns })
    }

    /// Returns the box of a row; `None` for NULL.
    pub(super) fn get(&self, row: usize) -> Option<Bounds> {
        let [x0, y0, x1, y1] = &self.columns;
        self.array
            .is_valid(row)
            .then(|| Bounds { min: [x0.value(row), y0.value(row)], max: [x1.value(row), y1.value(row)] })
    }
}
