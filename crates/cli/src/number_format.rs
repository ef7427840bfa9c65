//! Formats numbers and names in tables, with about six significant digits. JSON has all digits.

/// Rounds to six significant digits. Uses powers of ten if zeros would fill the column.
pub(crate) fn number(x: f64) -> String {
    digits(x, 6)
}

/// Rounds to five significant digits, for lines with many numbers.
pub(crate) fn short(x: f64) -> String {
    digits(x, 5)
}

fn digits(x: f64, count: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", count - 1).parse().expect("what Rust prints it reads");
    if rounded == 0.0 {
        "0".to_owned()
    } else if (1e-5..1e9).contains(&rounded.abs()) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

/// Formats a point or a vector.
pub(crate) fn point(p: impl Into<[f64; 2]>) -> String {
    let [x, y] = p.into();
    format!("{}, {}", number(x), number(y))
}

/// Formats a unit vector with three decimals, which are enough to compare directions.
pub(crate) fn direction(n: impl Into<[f64; 2]>) -> String {
    let [x, y] = n.into().map(|c| (c * 1e3).round() / 1e3);
    point([x, y])
}

/// Escapes control characters in text from a file, because they could control a terminal.
pub(crate) fn text(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Returns a number with its noun, in the plural if the number is not 1.
pub(crate) fn count(n: usize, what: &str) -> String {
    let plural = if what.ends_with('s') { "es" } else { "s" };
    format!("{n} {what}{}", if n == 1 { "" } else { plural })
}

#[cfg(test)]
mod tests {
    use super::{direction, number, point, text};

    #[test]
    fn numbers_have_six_digits_and_no_minus_zero() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (0.1 + 0.2, "0.3"),
            (2.0 / 3.0, "0.666667"),
            (123_456.789, "123457"),
            (999_999.9, "1000000"),
            (1e30, "1e30"),
            (-1.25e-7, "-1.25e-7"),
            (f64::from_bits(1), "5e-324"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(text("Käse \u{1b}[31m\n"), "Käse \\u{1b}[31m\\n");
    }

    #[test]
    fn pairs_of_numbers() {
        assert_eq!(point([1.0, -0.0]), "1, 0");
        assert_eq!(direction([-1e-9, 0.999_999_99]), "0, 1");
        assert_eq!(direction([0.123_456, -0.999_949]), "0.123, -1");
    }
}
