//! Finds double quotes that the CSV reader would accept and that hide rows.
//!
//! The reader of the crate `csv` takes all rows after an unclosed quote into one field, without an
//! error. It also joins a quoted field with text after its closing quote.
//!
//! ```text
//! for each field that begins with a quote (RFC 4180)
//!     two quotes are a quote of the field, a single one closes it
//!     after it, only spaces may come before the separator or the end of the line
//! ```

use crate::line_index::LineIndex;

/// Returns the line, from 1, of the first quote that is not closed or has text behind its end, and the fault.
pub(super) fn fault(text: &str, separator: u8) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let ends_field = |byte: u8| byte == separator || matches!(byte, b'\n' | b'\r');
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            let line = || LineIndex::new(text).at(at).0;
            let Some(end) = closing_quote(bytes, at + 1) else {
                return Some((line(), "a field begins with a double quote that is not closed"));
            };
            let spaces = bytes[end + 1..].iter().take_while(|byte| **byte == b' ').count();
            let after = end + 1 + spaces;
            if bytes.get(after).is_some_and(|byte| !ends_field(*byte)) {
                return Some((
                    line(),
                    "text follows the closing double quote of a field; a quote in a field is written twice",
                ));
            }
            at = after;
        } else {
            at += bytes[at..].iter().position(|byte| ends_field(*byte)).unwrap_or(bytes.len() - at);
        }
        at += 1;
    }
    None
}

/// Returns the index of the quote that closes a field. `from` is the index after its first quote.
fn closing_quote(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let quote = from + bytes[from..].iter().position(|byte| *byte == b'"')?;
        if bytes.get(quote + 1) != Some(&b'"') {
            return Some(quote);
        }
        from = quote + 2;
    }
}
