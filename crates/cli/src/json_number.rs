//! Prepares numbers for JSON and CSV: zero has no sign.

/// Removes the sign of zero. Other numbers stay as they are.
pub(crate) fn plain(x: f64) -> f64 {
    x + 0.0
}

/// Returns both coordinates of a vector as [`plain`] numbers.
pub(crate) fn pair(v: carom::DVec2) -> [f64; 2] {
    [plain(v.x), plain(v.y)]
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn only_minus_zero_changes() {
        assert_eq!(plain(-0.0).to_bits(), 0);
        for x in [0.0, -1.5, f64::MIN_POSITIVE, -f64::from_bits(1), 1e30] {
            assert_eq!(plain(x).to_bits(), x.to_bits());
        }
    }
}
