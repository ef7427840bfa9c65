//! Reads the objects of a GeoJSON file, one level at a time.
//!
//! Input: the text of an object. Output: its keys; inner objects stay text until their type is
//! known. A typed parser would need the key `type` first, but it may come after the coordinates.
//! Text that is kept borrows from the file, so a large file is not copied.

use std::borrow::Cow;
use std::fmt;

use carom::DVec2;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::number::Number;

/// Keys of feature collections, features and geometries.
#[derive(Debug)]
pub(super) struct Object<'a> {
    pub(super) kind: Cow<'a, str>,
    pub(super) features: Option<&'a RawValue>,
    pub(super) geometry: Option<&'a RawValue>,
    pub(super) coordinates: Option<&'a RawValue>,
    pub(super) geometries: Option<&'a RawValue>,
    pub(super) id: Option<&'a RawValue>,
    pub(super) properties: Option<&'a RawValue>,
    /// All other keys.
    pub(super) others: Vec<(Cow<'a, str>, &'a RawValue)>,
}

/// Expected value in the error for another one.
const OBJECT: &str = "a GeoJSON object, such as {\"type\": \"FeatureCollection\", \"features\": []}";

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectKeys;
        impl<'de> Visitor<'de> for ObjectKeys {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(OBJECT)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut kind = None;
                let [mut features, mut geometry, mut coordinates, mut geometries, mut id, mut properties] = [None; 6];
                let mut others = Vec::new();
                while let Some(Key(key)) = map.next_key()? {
                    let slot: &mut Option<&RawValue> = match &*key {
                        "type" if kind.is_none() => {
                            kind = Some(map.next_value::<Key>()?.0);
                            continue;
                        }
                        "type" => return Err(A::Error::duplicate_field("type")),
                        "features" => &mut features,
                        "geometry" => &mut geometry,
                        "coordinates" => &mut coordinates,
                        "geometries" => &mut geometries,
                        "id" => &mut id,
                        "properties" => &mut properties,
                        _ => {
                            others.push((key, map.next_value()?));
                            continue;
                        }
                    };
                    if slot.is_some() {
                        return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
                    }
                    *slot = map.next_value()?;
                }
                let kind = kind.ok_or_else(|| A::Error::missing_field("type"))?;
                Ok(Object { kind, features, geometry, coordinates, geometries, id, properties, others })
            }
        }
        deserializer.deserialize_map(ObjectKeys)
    }
}

/// Text that is borrowed if it has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Name of a feature, and other facts about its properties.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) name: Option<String>,
    /// True if the feature has a text or a number in the property that is the id.
    pub(super) has_id_property: bool,
    /// True if it has properties that are not read.
    pub(super) has_others: bool,
}

impl Object<'_> {
    /// Returns the name of the feature: the property `id`, else the feature's own id, else the property `name` or
    /// `NAME`.
    pub(super) fn name(&self, id: Option<&str>) -> Names {
        let properties = self.properties.and_then(|raw| {
            let mut json = serde_json::Deserializer::from_str(raw.get());
            json.deserialize_map(NameProperties { id }).ok()
        });
        let ([chosen, name, upper], has_others) = properties.unwrap_or_default();
        let has_id_property = chosen.is_some();
        let name = chosen.or_else(|| self.id.and_then(text)).or(name).or(upper);
        Names { name, has_id_property, has_others }
    }
}

/// Reads the properties that may be the name of a feature.
struct NameProperties<'i> {
    id: Option<&'i str>,
}

impl<'de> Visitor<'de> for NameProperties<'_> {
    /// The property `id`, `name` and `NAME`, and whether there are other properties.
    type Value = ([Option<String>; 3], bool);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the properties of a feature")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut names, mut others) = ([None, None, None], false);
        while let Some(Key(key)) = map.next_key()? {
            let known = [self.id, Some("name"), Some("NAME")];
            if let Some(slot) = known.iter().position(|known| *known == Some(&*key)) {
                names[slot] = text(map.next_value()?);
            } else {
                others = true;
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok((names, others))
    }
}

/// Non-empty string, or a number as in the file.
fn text(raw: &RawValue) -> Option<String> {
    match raw.get().as_bytes()[0] {
        b'"' => serde_json::from_str(raw.get()).ok().filter(|text: &String| !text.is_empty()),
        b'-' | b'0'..=b'9' => Some(raw.get().to_owned()),
        _ => None,
    }
}

/// Position: x and y, and whether other numbers follow, such as an altitude.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) point: DVec2,
    pub(super) has_more: bool,
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PointPosition(position) = PointPosition::deserialize(deserializer)?;
        position.ok_or_else(|| D::Error::invalid_length(0, &EXPECTED))
    }
}

/// Position of a point. `[]` is an empty point: GEOS and GDAL write `POINT EMPTY` in this form.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointPosition(pub(super) Option<Position>);

impl<'de> Deserialize<'de> for PointPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PositionVisitor;
        impl<'de> Visitor<'de> for PositionVisitor {
            type Value = PointPosition;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXPECTED)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PointPosition, A::Error> {
                let Some(x) = seq.next_element::<Number>()? else { return Ok(PointPosition(None)) };
                let y = seq.next_element::<Number>()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
                let mut has_more = false;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    has_more = true;
                }
                Ok(PointPosition(Some(Position { point: DVec2::new(x.0, y.0), has_more })))
            }
        }
        deserializer.deserialize_seq(PositionVisitor)
    }
}

/// Expected value in the error for another one.
const EXPECTED: &str = "a position [x, y]";

/// List of positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    pub(super) points: Vec<DVec2>,
    /// Number of positions with more than two numbers.
    pub(super) with_more: usize,
}

impl<'de> Deserialize<'de> for Positions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PositionList;
        impl<'de> Visitor<'de> for PositionList {
            type Value = Positions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Positions, A::Error> {
                let mut list = Positions::default();
                while let Some(Position { point, has_more }) = seq.next_element()? {
                    list.points.push(point);
                    list.with_more += usize::from(has_more);
                }
                Ok(list)
            }
        }
        deserializer.deserialize_seq(PositionList)
    }
}
