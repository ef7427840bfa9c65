//! Implements `carom_integer`: a text as an integer, without loss.
//!
//! A cast takes `007` for 7. An id must keep its form, so this function refuses such a text.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Builder};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use super::bad_argument;
use super::scalar::Scalar;

const INTEGER: &str = "carom_integer";

/// The end of the error of a text that is not a plain integer.
///
/// An error of a cluster is text, so a caller can recognize it by this part.
///
/// ```
/// assert!(carom_functions::NOT_AN_INTEGER.contains("integer"));
/// ```
pub const NOT_AN_INTEGER: &str = "is not a plain integer";

/// Returns true if a text is exactly the decimal form of an `i64`: no leading zero, no plus sign, no space.
///
/// ```
/// use carom_functions::is_plain_integer;
///
/// assert!(is_plain_integer("0") && is_plain_integer("-17"));
/// assert!(!is_plain_integer("01001") && !is_plain_integer("+3") && !is_plain_integer("1e5"));
/// ```
#[must_use]
pub fn is_plain_integer(text: &str) -> bool {
    plain(text).is_some()
}

/// Returns the function `carom_integer`.
///
/// ```
/// assert_eq!(carom_functions::integer_udf().name(), "carom_integer");
/// ```
#[must_use]
pub fn integer_udf() -> ScalarUDF {
    integer().into()
}

/// Returns the integer of a text in its exact form.
fn plain(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && (!digits.starts_with('0') || text == "0");
    if is_plain { text.parse().ok() } else { None }
}

/// Returns `carom_integer(text)`: the integer that the text is the exact form of.
pub(super) fn integer() -> Scalar {
    let coerce = |types: &[DataType]| match types {
        [DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null] => Some(types.to_vec()),
        _ => None,
    };
    Scalar::new(INTEGER, "one argument: a text", coerce, DataType::Int64, integers)
}

/// Converts the texts of a batch.
fn integers(args: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let texts = match &args.args[0] {
        ColumnarValue::Array(array) => Arc::clone(array),
        ColumnarValue::Scalar(value) => value.to_array_of_size(args.number_rows)?,
    };
    let texts = cast(&texts, &DataType::Utf8View)?;
    let mut out = Int64Builder::with_capacity(texts.len());
    for text in texts.as_string_view() {
        match text.map(|text| plain(text).ok_or(text)) {
            None => out.append_null(),
            Some(Ok(value)) => out.append_value(value),
            Some(Err(text)) => {
                return Err(bad_argument(INTEGER, format_args!("{text:?} {NOT_AN_INTEGER}")));
            }
        }
    }
    Ok(Arc::new(out.finish()))
}
