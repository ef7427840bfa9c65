//! Describes a scalar function of SQL by its name, types and computation.
//!
//! DataFusion expects one type with a trait for each function. The functions of carom with fixed
//! types differ only in the fields of [`Scalar`], so one type serves them all. `pairs.rs` has its
//! own type, because its functions share their code.

use std::hash::{Hash, Hasher};

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

/// A scalar function. Its name identifies it.
#[derive(Debug)]
pub(super) struct Scalar {
    name: &'static str,
    /// The arguments in words, for the error message.
    arguments: &'static str,
    signature: Signature,
    /// Returns the types to which arguments are converted; `None` if they do not fit.
    coerce: fn(&[DataType]) -> Option<Vec<DataType>>,
    /// The type of the result; `None` for that of the first argument.
    result: Option<DataType>,
    compute: fn(&ScalarFunctionArgs) -> Result<ArrayRef>,
}

impl Scalar {
    /// Describes a function that always gives equal results for equal arguments.
    pub(super) fn new(
        name: &'static str,
        arguments: &'static str,
        coerce: fn(&[DataType]) -> Option<Vec<DataType>>,
        result: DataType,
        compute: fn(&ScalarFunctionArgs) -> Result<ArrayRef>,
    ) -> Self {
        let signature = Signature::user_defined(Volatility::Immutable);
        Self { name, arguments, signature, coerce, result: Some(result), compute }
    }

    /// Does the same as [`new`](Scalar::new) for a function whose result has the type of the first argument.
    pub(super) fn of_first_type(
        name: &'static str,
        arguments: &'static str,
        coerce: fn(&[DataType]) -> Option<Vec<DataType>>,
        compute: fn(&ScalarFunctionArgs) -> Result<ArrayRef>,
    ) -> Self {
        Self { result: None, ..Self::new(name, arguments, coerce, DataType::Null, compute) }
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Scalar {}

impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Scalar {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let Some(types) = (self.coerce)(types) else {
            return plan_err!("{} has {}", self.name, self.arguments);
        };
        Ok(types)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(self.result.clone().or_else(|| types.first().cloned()).unwrap_or(DataType::Null))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        (self.compute)(&args).map(ColumnarValue::Array)
    }
}
