//! Reads and writes numbers and points. Messages name the expected value.
//!
//! JSON has no integers: `3` and `3.0` are equal. Numbers are written in the shortest form that
//! reads back to the same `f64`, so that a scene is equal after writing and reading.

use std::fmt;

use carom::DVec2;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};

/// 2⁵³. Every integer up to this is exact in f64.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Finite number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transparent, inline))]
pub(crate) struct Number(pub(crate) f64);

impl Serialize for Number {
    /// Writes integers without `.0`, and other numbers in the shortest form that reads back to the
    /// same f64.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let whole = self.0.fract() == 0.0 && self.0.abs() < WHOLE && self.0.to_bits() != (-0.0f64).to_bits();
        if whole { serializer.serialize_i64(self.0 as i64) } else { serializer.serialize_f64(self.0) }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
        }
        deserializer.deserialize_f64(NumberVisitor)
    }
}

impl Number {
    /// Returns the number if it is an integer in the range. JSON does not distinguish `3` from
    /// `3.0`.
    pub(crate) fn whole<E: Error>(self, least: u32, most: u32, what: &str) -> Result<u32, E> {
        if self.0.fract() == 0.0 && self.0 >= f64::from(least) && self.0 <= f64::from(most) {
            return Ok(self.0 as u32);
        }
        Err(E::custom(format_args!("{what} is a whole number from {least} to {most}, not {}", self.0)))
    }
}

/// Exactly `N` numbers: two for a point, four for a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers<const N: usize>(pub(crate) [f64; N]);

/// `[x, y]`.
pub(crate) type Point = Numbers<2>;

impl From<DVec2> for Point {
    fn from(p: DVec2) -> Self {
        Self(p.to_array())
    }
}

impl<const N: usize> Default for Numbers<N> {
    fn default() -> Self {
        Self([0.0; N])
    }
}

/// Returns the name and the form of the numbers for messages.
fn form<const N: usize>() -> (&'static str, &'static str) {
    match N {
        2 => ("Point", "a point [x, y]"),
        _ => ("Box", "a box [min_x, min_y, max_x, max_y]"),
    }
}

#[cfg(feature = "schema")]
impl<const N: usize> JsonSchema for Numbers<N> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        form::<N>().0.into()
    }

    /// The derived schema would have no range.
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": form::<N>().1,
            "type": "array",
            "items": { "type": "number", "minimum": -1e30, "maximum": 1e30 },
            "minItems": N,
            "maxItems": N,
        })
    }
}

impl<const N: usize> Serialize for Numbers<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(N))?;
        for &value in &self.0 {
            seq.serialize_element(&Number(value))?;
        }
        seq.end()
    }
}

impl<'de, const N: usize> Deserialize<'de> for Numbers<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumbersVisitor<const N: usize>;
        impl<'de, const N: usize> Visitor<'de> for NumbersVisitor<N> {
            type Value = Numbers<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(form::<N>().1)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Numbers<N>, A::Error> {
                let mut numbers = [0.0; N];
                for (i, number) in numbers.iter_mut().enumerate() {
                    *number = seq.next_element::<Number>()?.ok_or_else(|| A::Error::invalid_length(i, &self))?.0;
                }
                match seq.next_element::<serde::de::IgnoredAny>()? {
                    None => Ok(Numbers(numbers)),
                    Some(_) => Err(A::Error::invalid_length(N + 1, &self)),
                }
            }
        }
        deserializer.deserialize_seq(NumbersVisitor)
    }
}
