//! `carom_owns(box_a, box_b, cell, grid)`: true if this cell reports the pair.

use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, BooleanBuilder};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use super::bad_argument;
use super::boxes::{Boxes, box_type};
use super::grid_argument::grid;

const NAME: &str = "carom_owns";

/// The function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Owns {
    signature: Signature,
}

impl Default for Owns {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Owns {
    fn name(&self) -> &'static str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [a, b, _, _] if *a == box_type() && *b == box_type() => {
                Ok(vec![box_type(), box_type(), DataType::Int64, DataType::Utf8])
            }
            _ => plan_err!("{NAME} has two boxes of carom_box, a cell and a grid as arguments"),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let a = Boxes::new(NAME, &args.args[0].to_array(rows)?)?;
        let b = Boxes::new(NAME, &args.args[1].to_array(rows)?)?;
        let cells = args.args[2].to_array(rows)?;
        let Some(cells) = cells.as_primitive_opt::<Int64Type>() else {
            return Err(bad_argument(NAME, "a cell must come from carom_cells"));
        };
        let grid = grid(NAME, &args.args[3])?;
        let mut out = BooleanBuilder::with_capacity(rows);
        for row in 0..rows {
            let cell = cells.is_valid(row).then(|| cells.value(row));
            let boxes = a.get(row).zip(b.get(row)).zip(cell);
            out.append_option(boxes.map(|((a, b), cell)| grid.owner(&a, &b) == Some(cell)));
        }
        Ok(ColumnarValue::Array(Arc::new(out.finish())))
    }
}
