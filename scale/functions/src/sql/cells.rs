//! Implements `carom_cells(box, grid)`: the cells that a box touches, as a list.
//!
//! The query expands the list to one row per cell (`unnest`). These rows are the input of the
//! equi-join. The numbers of a whole batch are written into one array with offsets, as Arrow stores
//! lists.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, ListArray, NullBufferBuilder};
use datafusion::arrow::buffer::{OffsetBuffer, ScalarBuffer};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::error::Result;
use datafusion::logical_expr::ScalarFunctionArgs;

use super::bad_argument;
use super::boxes::{Boxes, box_type};
use super::grid_argument::grid;
use super::scalar::Scalar;

const NAME: &str = "carom_cells";

/// Returns the type of an element of the list: the number of a cell.
fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Int64, false))
}

/// Returns the function.
pub(super) fn cells() -> Scalar {
    let coerce =
        |types: &[DataType]| matches!(types, [a, _] if *a == box_type()).then(|| vec![box_type(), DataType::Utf8]);
    Scalar::new(NAME, "a box of carom_box and a grid as arguments", coerce, DataType::List(item()), compute)
}

/// Computes the lists of a batch of boxes. NULL gives NULL.
fn compute(args: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let boxes = Boxes::new(NAME, &args.args[0].to_array(args.number_rows)?)?;
    let grid = grid(NAME, &args.args[1])?;
    let mut cells = Vec::with_capacity(2 * args.number_rows);
    let mut offsets = vec![0_i32];
    let mut valid = NullBufferBuilder::new(args.number_rows);
    for row in 0..args.number_rows {
        let bounds = boxes.get(row);
        if let Some(bounds) = &bounds {
            grid.cells(bounds, &mut cells);
        }
        valid.append(bounds.is_some());
        let end = i32::try_from(cells.len());
        offsets.push(end.map_err(|_| bad_argument(NAME, "a batch touches more than 2³¹ cells: use a coarser grid"))?);
    }
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let list = ListArray::try_new(item(), offsets, Arc::new(Int64Array::from(cells)), valid.finish())?;
    Ok(Arc::new(list))
}
