//! Implements the functions of two outlines: the queries of carom as SQL.
//!
//! Input: two columns of geometries, and a distance for `carom_within`. Output: a column of truth
//! values or numbers. NULL gives NULL. An invalid geometry is an error, also beside a NULL.
//!
//! `pair/` decides each pair exactly.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanBuilder, Float64Array, Float64Builder};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use super::bad_argument;
use super::geometry::{Geometries, is_geometry};
use crate::outline::{Geometry, OutlineError, Ring};
use crate::pair::{Measure, Pair, Predicate};

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

    /// Returns the predicate; `None` if the result is a number.
    fn predicate(self, limit: f64) -> Option<Predicate> {
        match self {
            Self::Intersects => Some(Predicate::Intersects),
            Self::Overlaps => Some(Predicate::Overlaps),
            Self::Contains => Some(Predicate::Contains),
            Self::Within => Some(Predicate::Within(limit)),
            Self::Distance | Self::Depth => None,
        }
    }

    /// Returns the number that is measured.
    fn measure(self) -> Measure {
        if self == Self::Depth { Measure::Depth } else { Measure::Distance }
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
        let mut pair = Pair::default();
        let failed = |error| bad_argument(name, error);
        let array: ArrayRef = if self.query.is_number() {
            let mut out = Float64Builder::with_capacity(args.number_rows);
            for row in 0..args.number_rows {
                let value = match a.get(row).zip(b.get(row)) {
                    None => {
                        check([a.get(row), b.get(row)]).map_err(failed)?;
                        None
                    }
                    Some((a, b)) => pair.measure(self.query.measure(), a, b).map_err(failed)?,
                };
                out.append_option(value);
            }
            Arc::new(out.finish())
        } else {
            let mut out = BooleanBuilder::with_capacity(args.number_rows);
            for row in 0..args.number_rows {
                let limit = match &limits {
                    None => Some(0.0),
                    Some(limits) => limits.is_valid(row).then(|| limits.value(row)),
                };
                let predicate = limit.and_then(|limit| self.query.predicate(limit));
                let value = match a.get(row).zip(b.get(row)).zip(predicate) {
                    None => {
                        check([a.get(row), b.get(row)]).map_err(failed)?;
                        None
                    }
                    Some(((a, b), predicate)) => Some(pair.decide(predicate, a, b).map_err(failed)?),
                };
                out.append_option(value);
            }
            Arc::new(out.finish())
        };
        Ok(ColumnarValue::Array(array))
    }
}

/// Checks the geometries of a row with a NULL.
fn check(geometries: [Option<Geometry>; 2]) -> Result<(), OutlineError> {
    let mut ring = Ring::default();
    geometries.into_iter().flatten().try_for_each(|geometry| geometry.check(&mut ring))
}

/// Returns an argument as a column of numbers.
pub(super) fn numbers(value: &ColumnarValue, rows: usize) -> Result<Float64Array> {
    let array = cast(&value.to_array(rows)?, &DataType::Float64)?;
    Ok(array.as_primitive::<Float64Type>().clone())
}
