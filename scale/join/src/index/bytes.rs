//! Counts the bytes that rows use of their columns.
//!
//! Batches share memory. A slice holds the buffers of its whole batch, and the batches of a file hold the same pages.
//! So the sum of their buffers counts most bytes several times. The sum of the bytes that rows use does not.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, MutableArrayData, RecordBatch, make_array};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;

/// Returns the bytes that the rows of a batch use.
pub(super) fn used(batch: &RecordBatch) -> usize {
    batch.columns().iter().map(of_column).sum()
}

/// Returns the bytes that the rows of a column use: its views, and the values of these.
fn of_column(column: &ArrayRef) -> usize {
    let values = match column.data_type() {
        DataType::Utf8View => column.as_string_view().total_buffer_bytes_used(),
        DataType::BinaryView => column.as_binary_view().total_buffer_bytes_used(),
        _ => 0,
    };
    let others = column.to_data().get_slice_memory_size();
    values + others.unwrap_or_else(|_| column.get_array_memory_size())
}

/// Copies the rows of a column, so that they do not keep the memory of a larger one.
pub(super) fn copied(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    // A copy of views shares their values.
    let column: ArrayRef = match column.data_type() {
        DataType::Utf8View => Arc::new(column.as_string_view().gc()),
        DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
        _ => Arc::clone(column),
    };
    let data = column.to_data();
    let mut copy = MutableArrayData::new(vec![&data], false, data.len());
    copy.try_extend(0, 0, data.len())?;
    Ok(make_array(copy.freeze()))
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{Int64Array, StringArray, StringViewArray};

    use super::*;

    /// Returns columns of 10 000 ids: numbers, texts, views of short texts and of long texts.
    fn columns() -> [ArrayRef; 4] {
        let texts = |length: usize| (0..10_000).map(move |i| Some(format!("{i:0length$}")));
        [
            Arc::new(Int64Array::from_iter_values(0..10_000)),
            Arc::new(texts(20).collect::<StringArray>()),
            Arc::new(texts(8).collect::<StringViewArray>()),
            Arc::new(texts(20).collect::<StringViewArray>()),
        ]
    }

    /// The slices of a column use as many bytes as the column: per row 8, 4 + 20, 16, and 16 + 20.
    #[test]
    fn slices_share_no_bytes() {
        for (column, bytes) in columns().iter().zip([8, 24, 16, 36]) {
            let batch = RecordBatch::try_from_iter([("id", Arc::clone(column))]).unwrap();
            let sum: usize = (0..100).map(|i| used(&batch.slice(100 * i, 100))).sum();
            // The offsets of n texts are n + 1.
            let offsets = if column.data_type() == &DataType::Utf8 { 4 } else { 0 };
            assert_eq!(sum, 10_000 * bytes + 100 * offsets, "{}", column.data_type());
            assert_eq!(used(&batch), 10_000 * bytes + offsets);
        }
    }

    /// A copy of a slice has its values, and the memory of the copies is about that of the column.
    #[test]
    fn copies_hold_their_rows_only() {
        for column in columns() {
            let slices: Vec<ArrayRef> = (0..100).map(|i| column.slice(100 * i, 100)).collect();
            let copies: Vec<ArrayRef> = slices.iter().map(|slice| copied(slice).unwrap()).collect();
            assert!(slices == copies);
            let memory = |parts: &[ArrayRef]| parts.iter().map(Array::get_array_memory_size).sum::<usize>();
            let (copies, whole) = (memory(&copies), column.get_array_memory_size());
            assert!(copies <= 2 * whole, "{}: {copies} {whole}", column.data_type());
            assert!(memory(&slices) > 20 * whole, "slices hold the whole column");
        }
    }
}
