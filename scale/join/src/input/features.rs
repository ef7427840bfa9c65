//! Reads the features of a GeoJSON file one by one.
//!
//! Input: a file with a feature collection, one feature or one geometry, or with one feature per line. Output: each
//! feature with its number.
//!
//! A collection can be larger than the memory. So the list of its features is visited while it is parsed. Members of
//! the collection can have any order. The reader of the crate `geojson` refuses compact empty collections and single
//! features, and ends at the first geometry that it cannot read. So only serde is used here, and the crate reads single
//! geometries.

use std::fmt;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::Failure;

/// The types of geometries.
const GEOMETRIES: [&str; 7] =
    ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"];

/// A feature. Its geometry was not checked.
#[derive(Debug, Default)]
pub(super) struct Feature {
    /// The member `id`, or null: a plain integer of 64 bits, or a text.
    pub(super) id: Value,
    /// The properties. The one named `id` is such an id.
    pub(super) properties: Map<String, Value>,
    pub(super) geometry: Value,
}

/// Visits all features with their numbers. The first is 1. In a file of lines, it is that of the line. Geometries are
/// null without `geometries`. Returns the member `crs` of a document.
pub(super) fn for_each(
    path: &Path,
    name: &str,
    lines: bool,
    geometries: bool,
    mut visit: impl FnMut(Feature, u64) -> Result<(), Failure>,
) -> Result<Option<Value>, Failure> {
    let failed = |error: &dyn fmt::Display| Failure::input(format!("{name}: {error}"));
    let mut file = BufReader::new(File::open(path).map_err(|error| failed(&error))?);
    // A byte order mark.
    if file.fill_buf().map_err(|error| failed(&error))?.starts_with(b"\xef\xbb\xbf") {
        file.consume(3);
    }
    if !lines {
        let mut number = 0;
        let mut numbered = |feature| {
            number += 1;
            visit(feature, number)
        };
        let result = read(&mut serde_json::Deserializer::from_reader(file), true, geometries, &mut numbered);
        return result.map_err(|error| match error {
            Error::Visit(failure) => failure,
            Error::Json(error) if error.is_syntax() && error.to_string().starts_with("trailing characters") => {
                failed(&format_args!("{error}; name a file with one feature per line .ndjson or .geojsonl"))
            }
            Error::Json(error) => failed(&format_args!("feature {}: {error}", number + 1)),
        });
    }
    for (number, line) in (1..).zip(file.lines()) {
        let failed = |error: &dyn fmt::Display| failed(&format_args!("line {number}: {error}"));
        let line = line.map_err(|error| failed(&error))?;
        // RFC 8142 puts a record separator before each text.
        let text = line.trim_start_matches('\u{1e}').trim();
        if text.is_empty() {
            continue;
        }
        let mut numbered = |feature| visit(feature, number);
        let result = read(&mut serde_json::Deserializer::from_str(text), false, geometries, &mut numbered);
        result.map_err(|error| match error {
            Error::Visit(failure) => failure,
            Error::Json(error) => failed(&format_args!("not a feature: {error}")),
        })?;
    }
    Ok(None)
}

/// Why features were not read.
enum Error {
    Json(serde_json::Error),
    /// The error of the visitor.
    Visit(Failure),
}

/// Reads one text: a document, or else a feature.
fn read<'a, R: serde_json::de::Read<'a>>(
    from: &mut serde_json::Deserializer<R>,
    is_document: bool,
    geometries: bool,
    visit: &mut dyn FnMut(Feature) -> Result<(), Failure>,
) -> Result<Option<Value>, Error> {
    let mut sink = Sink { geometries, visit, failure: None, crs: None };
    let object = Object { is_document, sink: &mut sink };
    let result = object.deserialize(&mut *from).and_then(|()| from.end());
    match sink.failure {
        Some(failure) => Err(Error::Visit(failure)),
        None => result.map(|()| sink.crs).map_err(Error::Json),
    }
}

/// The receiver of features.
struct Sink<'a> {
    /// True if geometries are kept.
    geometries: bool,
    visit: &'a mut dyn FnMut(Feature) -> Result<(), Failure>,
    /// The error of `visit`. It ends the parser.
    failure: Option<Failure>,
    /// The member `crs` of the document.
    crs: Option<Value>,
}

impl Sink<'_> {
    /// Passes a feature on.
    fn pass<E: serde::de::Error>(&mut self, feature: Feature) -> Result<(), E> {
        (self.visit)(feature).map_err(|failure| {
            self.failure = Some(failure);
            E::custom("the visitor failed")
        })
    }
}

/// An object that is parsed: a document, or an element of its list of features.
struct Object<'a, 'b> {
    is_document: bool,
    sink: &'a mut Sink<'b>,
}

impl<'de> DeserializeSeed<'de> for Object<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.is_document { "a feature collection" } else { "a feature" })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut kind, mut has_features) = (None, false);
        let mut feature = Feature::default();
        let mut geometry = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "type" => {
                    let value: Value = map.next_value()?;
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    if !self.may_have(&text) {
                        // The rest can be large.
                        return Err(A::Error::custom(format_args!(
                            "the type is {text:?}, not that of {}",
                            self.name()
                        )));
                    }
                    kind = Some(text);
                }
                "features" if self.is_document => {
                    map.next_value_seed(Features { sink: &mut *self.sink })?;
                    has_features = true;
                }
                "id" => feature.id = id::<A::Error>(&map.next_value::<Box<RawValue>>()?)?,
                "properties" => feature.properties = map.next_value::<Properties>()?.0,
                "crs" if self.is_document => self.sink.crs = Some(map.next_value()?),
                "geometry" if self.sink.geometries => feature.geometry = map.next_value()?,
                "coordinates" | "geometries" if self.is_document && self.sink.geometries => {
                    geometry.insert(key, map.next_value()?);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match kind {
            _ if has_features => Ok(()),
            Some(kind) if kind == "Feature" => self.sink.pass(feature),
            Some(kind) if kind != "FeatureCollection" => {
                if self.sink.geometries {
                    geometry.insert("type".to_owned(), Value::String(kind));
                    feature.geometry = Value::Object(geometry);
                }
                self.sink.pass(feature)
            }
            Some(_) => Err(A::Error::custom("the collection has no member `features`")),
            None => Err(A::Error::custom(format_args!("the object has no type; expected {}", self.name()))),
        }
    }
}

impl Object<'_, '_> {
    /// Returns true if the object may have this type.
    fn may_have(&self, kind: &str) -> bool {
        kind == "Feature" || self.is_document && (kind == "FeatureCollection" || GEOMETRIES.contains(&kind))
    }

    /// Returns the objects that are expected, for messages.
    fn name(&self) -> &'static str {
        if self.is_document { "a feature collection, a feature or a geometry" } else { "a feature" }
    }
}

/// Returns an id as the file has it: a plain integer of 64 bits as a number, else a text. `null` stays.
///
/// The parser rounds other numbers, so two different ids could become equal.
fn id<E: serde::de::Error>(raw: &RawValue) -> Result<Value, E> {
    let text = raw.get();
    if text == "null" || text.starts_with('"') || carom_functions::is_plain_integer(text) {
        return serde_json::from_str(text).map_err(E::custom);
    }
    Ok(Value::String(text.to_owned()))
}

/// Properties of a feature. The one named `id` is an id.
struct Properties(Map<String, Value>);

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PropertiesVisitor)
    }
}

struct PropertiesVisitor;

impl<'de> Visitor<'de> for PropertiesVisitor {
    type Value = Properties;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("properties as an object or null")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Properties, E> {
        Ok(Properties(Map::new()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
        let mut properties = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value =
                if key == "id" { id::<A::Error>(&map.next_value::<Box<RawValue>>()?)? } else { map.next_value()? };
            properties.insert(key, value);
        }
        Ok(Properties(properties))
    }
}

/// The list of features of a collection.
struct Features<'a, 'b> {
    sink: &'a mut Sink<'b>,
}

impl<'de> DeserializeSeed<'de> for Features<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Features<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Object { is_document: false, sink: &mut *self.sink })?.is_some() {}
        Ok(())
    }
}
