//! Reads the objects of a GeoJSON file, one level at a time. Inner objects stay text until their
//! type is known.
use std::borrow::Cow;
use std::fmt;

use carom::DVec2;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::number::Number;

/// Keys of feature collections, features and geometries.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a GeoJSON object, such as {\"type\": \"FeatureCollection\", \"features\": []}")]
pub(super) struct Object<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) features: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) geometry: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) coordinates: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) geometries: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) properties: Option<&'a RawValue>,
}

impl Object<'_> {
    /// Returns the name of the feature: its `id`, else its name.
    pub(super) fn name(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Properties<'a> {
            #[serde(borrow)]
            name: Option<&'a RawValue>,
            #[serde(borrow, rename = "NAME")]
            upper: Option<&'a RawValue>,
        }
        let properties = || self.properties.and_then(|raw| serde_json::from_str::<Properties>(raw.get()).ok());
        self.id
            .and_then(text)
            .or_else(|| properties().and_then(|p| p.name.and_then(text).or_else(|| p.upper.and_then(text))))
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

/// Position: x and y. Other numbers, such as an altitude, are ignored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position(pub(super) DVec2);

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
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(PointPosition(Some(Position(DVec2::new(x.0, y.0)))))
            }
        }
        deserializer.deserialize_seq(PositionVisitor)
    }
}

const EXPECTED: &str = "a position [x, y]";

pub(super) type Positions = Vec<Position>;
