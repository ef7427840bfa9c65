//! Finds the parts of a JSON file that are not read.
//!
//! Input: the text of a file, and the list of parts of its format. Output: entries in [`Unread`].
//!
//! The reader of a format uses typed structures, which drop unknown keys. So this second pass over
//! the text visits every key and looks it up in the list. Values are parsed only if they decide
//! whether the key has an effect. The pass stops at an error of syntax, because the reader reports
//! it.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::{Entry, Found, Unread, entry};

/// Looks up all keys of a file whose outermost object has the entry `parent`. Stops at an error,
/// which the reader reports.
pub(crate) fn search(all: &'static [Entry], parent: &str, text: &str, unread: &mut Unread) {
    let Some(entry) = entry(all, parent) else { return };
    // An error is one of the file.
    let _ = JsonSearch { all, entry, unread }.deserialize(&mut serde_json::Deserializer::from_str(text));
}

/// Looks up one key. Returns the entry of its own keys, if they are to be looked up. `value` is
/// called for keys whose value decides.
pub(crate) fn key(
    all: &'static [Entry],
    entry: &'static Entry,
    name: &str,
    value: &Value,
    unread: &mut Unread,
) -> Option<&'static Entry> {
    match entry.find(all, name) {
        Found::Read(child) => return child,
        Found::Named(named) => {
            if has_effect(value, named.unless) {
                unread.name(named.says, || None);
            }
        }
        Found::Ignored(name) => unread.ignore(entry.parent, name),
        Found::Unknown => {
            unread.name(&format!("the key \"{name}\" of {} is unknown and not read", entry.parent), || None);
        }
    }
    None
}

/// Returns true if a value differs from its default `unless` and is not empty.
fn has_effect(value: &Value, unless: &str) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty() && text != unless,
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
        Value::Number(number) => number.as_f64() != unless.parse().ok(),
        Value::Bool(is) => is.to_string() != unless,
    }
}

/// Object, or list of objects, with the parts of an entry.
struct JsonSearch<'u> {
    all: &'static [Entry],
    entry: &'static Entry,
    unread: &'u mut Unread,
}

impl JsonSearch<'_> {
    fn inner<'u>(unread: &'u mut Unread, all: &'static [Entry], entry: &'static Entry) -> JsonSearch<'u> {
        JsonSearch { all, entry, unread }
    }
}

impl<'de> DeserializeSeed<'de> for JsonSearch<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonSearch<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry.parent)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(name) = map.next_key::<String>()? {
            // Before Tiled 1.2, tiles were an object with the ids as keys.
            if name.parse::<u32>().is_ok() {
                map.next_value_seed(Self::inner(self.unread, self.all, self.entry))?;
                continue;
            }
            let is_named = matches!(self.entry.find(self.all, &name), Found::Named(_));
            let value = if is_named { map.next_value()? } else { Value::Null };
            let child = key(self.all, self.entry, &name, &value, self.unread);
            if child.is_none() && !is_named {
                map.next_value::<IgnoredAny>()?;
            }
            if let Some(child) = child {
                map.next_value_seed(Self::inner(self.unread, self.all, child))?;
            }
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<(), S::Error> {
        while list.next_element_seed(Self::inner(self.unread, self.all, self.entry))?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
