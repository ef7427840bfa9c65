//! Decides whether a gap is within a margin.
//!
//! Input: a computed depth (negative: minus the gap), its error bound, and the margin. Output: the
//! depth if the gap is at most the margin.
//!
//! The margin of a pair query and the contact margin of a world are exact: if floating point cannot
//! decide, the exact predicate does. Tolerances inside the library are compared with the rounded
//! depth. A tolerance as small as a rounding error would need the exact predicate for almost every
//! pair.

/// The largest gap that counts as a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margin {
    length: f64,
    /// If true, the exact predicate decides gaps that equal the margin up to rounding.
    is_exact: bool,
}

impl Margin {
    /// No margin: the shapes must intersect.
    pub(crate) const ZERO: Self = Self { length: 0.0, is_exact: false };

    /// Creates a margin whose limit is exact. `length` must not be negative or NaN.
    #[inline(always)]
    pub(crate) fn exact(length: f64) -> Self {
        // Without a margin, the depth has an exact sign already.
        Self { length, is_exact: length > 0.0 }
    }

    /// Creates a margin that is compared with rounded depths. `length` must not be negative or NaN.
    #[inline(always)]
    pub(crate) fn rounded(length: f64) -> Self {
        Self { length, is_exact: false }
    }

    #[inline(always)]
    pub(crate) fn length(self) -> f64 {
        self.length
    }

    /// Returns the depth if the gap is within the margin, else `None`. The result is never below
    /// minus the margin.
    ///
    /// `depth` is computed, with the exact sign. `is_within` decides exactly for a length. It is
    /// called only within the error bound.
    #[inline(always)]
    pub(crate) fn limit(self, depth: f64, error_bound: f64, is_within: impl FnOnce(f64) -> bool) -> Option<f64> {
        if self.is_exact && (depth + self.length).abs() <= error_bound {
            return is_within(self.length).then_some(depth.max(-self.length));
        }
        (depth >= -self.length).then_some(depth)
    }
}
