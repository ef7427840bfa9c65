//! Checks limits of XML before parsing.
//!
//! The time of the parser grows with the square of the attributes of an element and of the
//! namespaces in scope, and entities multiply. Tiled and drawing programs write a few dozen
//! attributes and a dozen namespaces. So one pass over the bytes counts them, and refuses more than
//! 256 of either and all entities.

/// For one element.
const MAX_ATTRIBUTES: usize = 256;
/// For the whole file. Sprite sheets repeat namespaces at every symbol.
const MAX_NAMESPACES: usize = 256;

/// Returns the position and the reason of the first violation as an error.
pub(super) fn check(text: &str) -> Result<(), (usize, String)> {
    let bytes = text.as_bytes();
    let mut namespaces = 0;
    let mut at = 0;
    while let Some(open) = find(bytes, at, b"<") {
        let rest = &bytes[open..];
        let end = if rest.starts_with(b"<!--") {
            find(bytes, open + 4, b"-->")
        } else if rest.starts_with(b"<![CDATA[") {
            find(bytes, open + 9, b"]]>")
        } else if rest.starts_with(b"<?") {
            find(bytes, open + 2, b"?>")
        } else if rest.starts_with(b"<!ENTITY") {
            return Err((
                open,
                "entity declarations are not read: write what they stand for in their place".to_owned(),
            ));
        } else {
            let tag = tag(bytes, open);
            namespaces += tag.namespaces;
            if tag.attributes > MAX_ATTRIBUTES {
                return Err((open, format!("an element with more than {MAX_ATTRIBUTES} attributes")));
            }
            if namespaces > MAX_NAMESPACES {
                return Err((open, format!("more than {MAX_NAMESPACES} namespace declarations")));
            }
            tag.end
        };
        // The parser reports a missing end.
        let Some(end) = end else { return Ok(()) };
        at = end + 1;
    }
    Ok(())
}

/// Numbers of attributes and of namespace declarations of a start tag.
struct Tag {
    attributes: usize,
    namespaces: usize,
    /// Position of its `>`.
    end: Option<usize>,
}

fn tag(bytes: &[u8], open: usize) -> Tag {
    let mut tag = Tag { attributes: 0, namespaces: 0, end: None };
    let mut quote = None;
    for (i, &byte) in bytes.iter().enumerate().skip(open + 1) {
        match (quote, byte) {
            (Some(q), b) if q == b => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => tag.attributes += 1,
            (None, b'x') if bytes[i..].starts_with(b"xmlns") => tag.namespaces += 1,
            // A document type with inner declarations. Each is checked alone.
            (None, b'<') => {
                tag.end = Some(i - 1);
                break;
            }
            (None, b'>') => {
                tag.end = Some(i);
                break;
            }
            _ => {}
        }
    }
    tag
}

/// Returns the position of `text` at or after `from`.
fn find(bytes: &[u8], from: usize, text: &[u8]) -> Option<usize> {
    bytes.get(from..)?.windows(text.len()).position(|w| w == text).map(|i| from + i)
}
