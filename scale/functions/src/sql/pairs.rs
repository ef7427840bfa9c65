//! Implements the functions of two outlines: the queries of carom as SQL.
//!
//! Input: two columns of geometries, and a distance for `carom_within`. Output: a column of truth
//! values or numbers. NULL gives NULL, and an invalid geometry is an error.
//!
//! Boxes decide most pairs; all other pairs are decided exactly by the library. Both sides keep the
//! outline of their last row, because the rows of a join repeat it.

use std::sync::Arc;

use carom::{collide, contains, distance, intersects, overlaps};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanBuilder, Float64Array, Float64Builder};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use super::bad_argument;
use super::geometry::{Geometries, Last, is_geometry};
use crate::outline::Outline;

/// The queries of the library that are functions in SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Query {
    Intersects,
    Overlaps,
    Contains,
    Within,
    Distance,
    Depth,
}

/// All queries.
pub(super) const ALL: [Query; 6] =
    [Query::Intersects, Query::Overlaps, Query::Contains, Query::Within, Query::Distance, Query::Depth];

impl Query {
    /// Returns the name of the function in SQL.
    fn name(self) -> &'static str {
        match self {
            Self::Intersects => "carom_intersects",
            Self::Overlaps => "carom_overlaps",
            Self::Contains => "carom_contains",
            Self::Within => "carom_within",
            Self::Distance => "carom_distance",
            Self::Depth => "carom_depth",
        }
    }

    /// Returns the number of arguments. `carom_within` has a distance, too.
    fn argument_count(self) -> usize {
        if self == Self::Within { 3 } else { 2 }
    }

    /// Returns true if the result is a number, false if it is a truth value.
    fn is_number(self) -> bool {
        matches!(self, Self::Distance | Self::Depth)
    }

    /// Returns the truth value. Boxes decide most pairs.
    fn decide(self, a: &Outline, b: &Outline, limit: f64) -> bool {
        let (bounds_a, bounds_b) = (a.bounds(), b.bounds());
        match self {
            Self::Overlaps => bounds_a.intersects(&bounds_b) && overlaps(a.placed(), b.placed()),
            Self::Contains => bounds_a.contains(&bounds_b) && contains(a.placed(), b.placed()),
            Self::Within => {
                bounds_a.grown(limit).intersects(&bounds_b) && distance(a.placed(), b.placed()).distance <= limit
            }
            _ => bounds_a.intersects(&bounds_b) && intersects(a.placed(), b.placed()),
        }
    }

    /// Returns the number; `None` gives NULL.
    fn measure(self, a: &Outline, b: &Outline) -> Option<f64> {
        match self {
            Self::Depth => collide(a.placed(), b.placed()).map(|contact| contact.depth),
            _ => Some(distance(a.placed(), b.placed()).distance),
        }
    }
}

/// A function of two outlines.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct PairFunction {
    query: Query,
    signature: Signature,
}

impl PairFunction {
    /// Creates the function of a query. Equal arguments always give equal results, so it is
    /// immutable.
    pub(super) fn new(query: Query) -> Self {
        Self { query, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for PairFunction {
    fn name(&self) -> &str {
        self.query.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Accepts two geometries, and converts a distance to `f64`. Geometries keep their types,
    /// because [`Geometries`] reads them all.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let name = self.query.name();
        if types.len() != self.query.argument_count() {
            return plan_err!("{name} has {} arguments, not {}", self.query.argument_count(), types.len());
        }
        if let Some(wrong) = types[..2].iter().find(|data_type| !is_geometry(data_type)) {
            return plan_err!("{name}: a geometry must be binary (WKB) or text (WKT, GeoJSON), not {wrong}");
        }
        let mut coerced = types.to_vec();
        if let Some(limit) = coerced.get_mut(2) {
            *limit = DataType::Float64;
        }
        Ok(coerced)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(if self.query.is_number() { DataType::Float64 } else { DataType::Boolean })
    }

    /// Computes a batch of rows.
    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let name = self.query.name();
        let (a, b) = (Geometries::new(name, &args.args[0])?, Geometries::new(name, &args.args[1])?);
        let limits = args.args.get(2).map(|limit| numbers(limit, args.number_rows)).transpose()?;
        let (mut last_a, mut last_b) = (Last::default(), Last::default());
        let mut pair = |row: usize| -> Result<_> {
            let a = last_a.outline(&a, row).map_err(|error| bad_argument(name, error))?;
            let b = last_b.outline(&b, row).map_err(|error| bad_argument(name, error))?;
            Ok(a.zip(b))
        };
        let array: ArrayRef = if self.query.is_number() {
            let mut out = Float64Builder::with_capacity(args.number_rows);
            for row in 0..args.number_rows {
                out.append_option(pair(row)?.and_then(|(a, b)| self.query.measure(&a, &b)));
            }
            Arc::new(out.finish())
        } else {
            let mut out = BooleanBuilder::with_capacity(args.number_rows);
            for row in 0..args.number_rows {
                let limit = match &limits {
                    None => Some(0.0),
                    Some(limits) => limits.is_valid(row).then(|| limits.value(row)),
                };
                out.append_option(pair(row)?.zip(limit).map(|((a, b), limit)| self.query.decide(&a, &b, limit)));
            }
            Arc::new(out.finish())
        };
        Ok(ColumnarValue::Array(array))
    }
}

/// Returns an argument as a column of numbers.
pub(super) fn numbers(value: &ColumnarValue, rows: usize) -> Result<Float64Array> {
    let array = cast(&value.to_array(rows)?, &DataType::Float64)?;
    Ok(array.as_primitive::<Float64Type>().clone())
}
