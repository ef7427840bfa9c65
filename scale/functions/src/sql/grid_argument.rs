//! Finds the grid of a function argument: parsed once, then found by its text.
//!
//! The text of a grid can be long, and a function gets it again for each batch of rows. The last
//! grids of the process are kept in a list.

use std::sync::{Arc, Mutex, PoisonError};

use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::ColumnarValue;

use super::bad_argument;
use crate::grid::Grid;

/// Grids kept. A process runs few queries at a time.
const KEPT: usize = 8;

/// The last grids with their texts, the oldest first.
static GRIDS: Mutex<Vec<(String, Arc<Grid>)>> = Mutex::new(Vec::new());

/// Returns the grid of an argument, which must be a constant.
pub(super) fn grid(function: &str, value: &ColumnarValue) -> Result<Arc<Grid>> {
    let ColumnarValue::Scalar(
        ScalarValue::Utf8(Some(text)) | ScalarValue::LargeUtf8(Some(text)) | ScalarValue::Utf8View(Some(text)),
    ) = value
    else {
        return Err(bad_argument(function, "the grid must be a constant text"));
    };
    let mut grids = GRIDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, grid)) = grids.iter().find(|(known, _)| known == text) {
        return Ok(Arc::clone(grid));
    }
    let grid: Arc<Grid> = Arc::new(text.parse().map_err(|error| bad_argument(function, error))?);
    if grids.len() == KEPT {
        grids.remove(0);
    }
    grids.push((text.clone(), Arc::clone(&grid)));
    Ok(grid)
}
