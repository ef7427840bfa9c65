//! Which format a file is in, told by what is in it.
use std::fmt;

use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::Error;

/// Formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// carom's own JSON.
    Scene,
    /// Tiled XML (`.tmx`).
    Tmx,
    /// Tiled JSON (`.tmj`, `.json`).
    Tmj,
}

const EXPECTED: &str = "expected a carom scene ({\"carom\": 1, \"colliders\": […]}) or a Tiled map (.tmx, .tmj)";

/// The file as text, without a byte-order mark.
pub(crate) fn text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Error> {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return Err(Error::new(name, "the text is UTF-16: save it as UTF-8"));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        Error::new(name, format!("not text: byte {at} (0x{:02X}) is not UTF-8; {EXPECTED}", bytes[at]))
    })?;
    if text.trim_ascii_start().is_empty() {
        return Err(Error::new(name, format!("the file is empty; {EXPECTED}")));
    }
    Ok(text)
}

/// Tells the format of a text that is not empty.
pub(crate) fn detect(name: &str, text: &str) -> Result<Format, Error> {
    match text.trim_ascii_start().chars().next() {
        Some('<') => Ok(Format::Tmx),
        Some('{') => detect_json(name, text),
        first => {
            let found = first.map_or(String::new(), |c| format!("the file begins with {c:?}; "));
            Err(Error::new(name, format!("{found}{EXPECTED}")))
        }
    }
}

/// The first key that belongs to one format decides, and what follows it is not looked at.
fn detect_json(name: &str, text: &str) -> Result<Format, Error> {
    let mut told = None;
    let end = serde_json::Deserializer::from_str(text).deserialize_map(Keys { told: &mut told });
    match (told, end) {
        (Some(format), _) => Ok(format),
        // Broken before any such key: the reader of scenes says where.
        (None, Err(_)) => Ok(Format::Scene),
        (None, Ok(())) => Err(Error::new(name, format!("JSON without the key \"carom\" and without those of a Tiled map; {EXPECTED}"))),
    }
}

struct Keys<'t> {
    told: &'t mut Option<Format>,
}

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            *self.told = match key.as_str() {
                "carom" | "colliders" => Some(Format::Scene),
                "orientation" | "renderorder" | "tiledversion" | "tileheight" | "tilewidth" | "tilesets" | "nextobjectid"
                | "nextlayerid" => Some(Format::Tmj),
                _ => None,
            };
            if self.told.is_some() {
                return Err(M::Error::custom("told"));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
