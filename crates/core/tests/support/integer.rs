//! Converts f64 to integers of a common power of two, and back for messages.

use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, Sign};

/// A finite f64 as `mantissa · 2^exponent`, mantissa odd or zero.
fn split(v: f64) -> (i64, i32) {
    assert!(v.is_finite(), "the definition knows finite numbers only, not {v}");
    let bits = v.to_bits();
    let fraction = i64::try_from(bits & ((1 << 52) - 1)).expect("52 bits");
    let field = i32::try_from((bits >> 52) & 0x7ff).expect("11 bits");
    let (mantissa, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    let odd = mantissa >> zeros;
    (if v < 0.0 { -odd } else { odd }, exponent + zeros.cast_signed())
}

/// The power of two of the lowest bit that is set; none for zero.
pub fn lowest_bit(v: f64) -> Option<i32> {
    let (mantissa, exponent) = split(v);
    (mantissa != 0).then_some(exponent)
}

/// `v` in units of `2^unit`, which must divide it.
pub fn in_units(v: f64, unit: i32) -> IBig {
    let (mantissa, exponent) = split(v);
    if mantissa == 0 {
        return IBig::ZERO;
    }
    IBig::from(mantissa) << usize::try_from(exponent - unit).expect("the unit divides every number")
}

/// `factor · v` in units of `2^unit`, which must divide it.
pub fn product_in_units(factor: f64, v: f64, unit: i32) -> IBig {
    let (Some(p), Some(q)) = (lowest_bit(factor), lowest_bit(v)) else { return IBig::ZERO };
    (in_units(factor, p) * in_units(v, q)) << usize::try_from(p + q - unit).expect("the unit divides every number")
}

/// The power of two of the lowest bit of a product; none for zero.
pub fn lowest_bit_of_product(p: f64, q: f64) -> Option<i32> {
    Some(lowest_bit(p)? + lowest_bit(q)?)
}

/// `(q + time · e) − (p + time · d)`, rounded once at the end.
pub fn moved_difference([p, q]: [f64; 2], [d, e]: [f64; 2], time: f64) -> f64 {
    let bits = [lowest_bit(p), lowest_bit(q), lowest_bit_of_product(time, d), lowest_bit_of_product(time, e)];
    let Some(unit) = bits.into_iter().flatten().min() else { return 0.0 };
    let whole =
        in_units(q, unit) - in_units(p, unit) + product_in_units(time, e, unit) - product_in_units(time, d, unit);
    to_float(&whole).times_power(unit)
}

/// A real number with an exponent that cannot overflow: `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub struct Float {
    mantissa: f64,
    exponent: i32,
}

/// The integer, rounded to about 53 bits.
pub fn to_float(v: &IBig) -> Float {
    let exponent = v.bit_len().saturating_sub(64);
    let head = (v.unsigned_abs() >> exponent).to_f64().value();
    let mantissa = if v.sign() == Sign::Negative { -head } else { head };
    Float { mantissa, exponent: i32::try_from(exponent).expect("a few thousand bits") }
}

impl Float {
    pub fn abs(self) -> Self {
        Self { mantissa: self.mantissa.abs(), ..self }
    }

    pub fn sqrt(self) -> Self {
        let odd = self.exponent.rem_euclid(2);
        let mantissa = if odd == 1 { self.mantissa * 2.0 } else { self.mantissa };
        Self { mantissa: mantissa.sqrt(), exponent: (self.exponent - odd) / 2 }
    }

    pub fn over(self, o: Self) -> Self {
        Self { mantissa: self.mantissa / o.mantissa, exponent: self.exponent - o.exponent }
    }

    /// As f64, in units of two to the given power.
    pub fn times_power(self, power: i32) -> f64 {
        libm::ldexp(self.mantissa, self.exponent + power)
    }
}
