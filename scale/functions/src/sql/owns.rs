//! Implements `carom_owns(box_a, box_b, cell, grid)`: true if this cell reports the pair.
//!
//! A pair of outlines is a candidate in each cell that both boxes touch. The cell with the low
//! corner of the intersection of both boxes owns the pair. It is false if the boxes do not
//! intersect, which most candidates do not. It compares four numbers per box; the predicates decode
//! geometries.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanBuilder};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::error::Result;
use datafusion::logical_expr::ScalarFunctionArgs;

use super::bad_argument;
use super::boxes::{Boxes, box_type};
use super::grid_argument::grid;
use super::scalar::Scalar;

const NAME: &str = "carom_owns";

/// Returns the function.
pub(super) fn owns() -> Scalar {
    let coerce = |types: &[DataType]| {
        let fit = matches!(types, [a, b, _, _] if *a == box_type() && *b == box_type());
        fit.then(|| vec![box_type(), box_type(), DataType::Int64, DataType::Utf8])
    };
    Scalar::new(NAME, "two boxes of carom_box, a cell and a grid as arguments", coerce, DataType::Boolean, compute)
}

/// Compares the owner of each pair of boxes with the cell of its row.
fn compute(args: &ScalarFunctionArgs) -> Result<ArrayRef> {
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
    Ok(Arc::new(out.finish()))
}
