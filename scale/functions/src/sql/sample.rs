//! Implements `carom_sample(box, geometry)`: a summary of an input, as an aggregate function.
//!
//! The engine computes one accumulator per part of the input and merges their states
//! (`Sample::to_bytes`). The result does not depend on the number of parts. The geometry gives only
//! the length of its bytes, from which the join estimates its memory. Rows with NULL do not count.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{ScalarValue, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, ColumnarValue, Signature, Volatility};

use super::bad_argument;
use super::boxes::{Boxes, box_type};
use super::geometry::{Geometries, is_geometry};
use crate::sample::Sample;

const NAME: &str = "carom_sample";

/// The function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct SampleOf {
    signature: Signature,
}

impl Default for SampleOf {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for SampleOf {
    fn name(&self) -> &'static str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [a, geometry] if *a == box_type() && is_geometry(geometry) => Ok(types.to_vec()),
            _ => plan_err!("{NAME} has a box of carom_box and its geometry as arguments"),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Binary)
    }

    fn accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Summary(Sample::default())))
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format!("{}[sample]", args.name), DataType::Binary, true))])
    }
}

/// The accumulator of the engine for one part of the input.
#[derive(Debug)]
struct Summary(Sample);

impl Accumulator for Summary {
    /// Adds the boxes of a batch. Rows with NULL do not count.
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let boxes = Boxes::new(NAME, &values[0])?;
        let geometries = Geometries::new(NAME, &ColumnarValue::Array(Arc::clone(&values[1])))?;
        for row in 0..values[1].len() {
            if let Some((bounds, geometry)) = boxes.get(row).zip(geometries.get(row)) {
                self.0.add(bounds, geometry.bytes().len() as u64);
            }
        }
        Ok(())
    }

    /// Adds the summaries of other parts.
    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for state in states[0].as_binary::<i32>().iter().flatten() {
            let sample = Sample::from_bytes(state).ok_or_else(|| bad_argument(NAME, "the state is damaged"))?;
            self.0.merge(&sample);
        }
        Ok(())
    }

    /// Returns the summary as bytes: the state is also the result.
    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Binary(Some(self.0.to_bytes())))
    }

    fn size(&self) -> usize {
        self.0.memory()
    }
}
