//! Numbers as a sum of two `f64`, for the one place where digits cancel: a long way minus another.
//!
//! Error-free sums by Knuth (The Art of Computer Programming, 4.2.2) and products by Dekker (A floating-point technique for extending the available
//! precision, 1971).

/// `high + low`, not rounded; `low` is at most half an ulp of `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twofold {
    high: f64,
    low: f64,
}

impl Twofold {
    /// `a − b`, exactly.
    #[inline(always)]
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        sum(a, -b)
    }

    /// `self + factor · other`, rounded once but for errors of errors.
    #[inline(always)]
    pub(crate) fn plus(self, factor: f64, other: Self) -> f64 {
        let product = product(factor, other.high);
        let whole = sum(self.high, product.high);
        whole.high + (whole.low + (self.low + (product.low + factor * other.low)))
    }

    /// The nearest `f64`.
    #[inline(always)]
    pub(crate) fn rounded(self) -> f64 {
        self.high
    }
}

#[inline(always)]
fn sum(a: f64, b: f64) -> Twofold {
    let high = a + b;
    let back = high - a;
    Twofold { high, low: (a - (high - back)) + (b - back) }
}

#[inline(always)]
fn product(a: f64, b: f64) -> Twofold {
    let high = a * b;
    let ([a1, a2], [b1, b2]) = (halves(a), halves(b));
    Twofold { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
}

/// Two numbers of 26 bits whose sum it is (Veltkamp).
#[inline(always)]
fn halves(x: f64) -> [f64; 2] {
    let shifted = x * 134_217_729.0;
    let high = shifted - (shifted - x);
    [high, x - high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_is_right_to_the_last_bit() {
        // (2^53 + 1 − 1) − (1 + 2^-52)² · 2^53 / 2^53 and the like: whole numbers beyond 53 bits.
        let far = Twofold::difference(9_007_199_254_740_992.0, -1.0);
        assert_eq!(far.plus(-1.0, Twofold::difference(9_007_199_254_740_992.0, 0.0)), 1.0);
        let square = Twofold::difference(1.0 + f64::EPSILON, 0.0);
        assert_eq!(Twofold::difference(-1.0, 2.0 * f64::EPSILON).plus(1.0 + f64::EPSILON, square), f64::EPSILON * f64::EPSILON);
    }
}
