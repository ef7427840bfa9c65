//! Converts a geometry to figures, with the path of each for messages.
//!
//! Input: the text of a geometry. Output: its points, lines and polygons, and counts for the notes.
//! Nested collections are limited to 16 levels, because each uses stack.
//!
//! A geometry is parsed without paths first. Only if that fails, it is parsed again with a record
//! of the path, which takes longer.

use carom::DVec2;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::coverage;
use super::document::{Object, PointPosition, Positions};
use crate::geometry::Figures;
use crate::json::without_position;
use crate::unread::Unread;

/// Largest depth of nested collections. The format advises against any.
const MAX_DEPTH: usize = 16;

/// Error of a geometry, with its position.
pub(super) struct ParseError<'a> {
    /// Part of the file in which `position` counts.
    pub(super) raw: &'a RawValue,
    /// Line and column in `raw`, from 1.
    pub(super) position: (usize, usize),
    /// Path below the geometry. Empty for the geometry itself.
    pub(super) path: String,
    pub(super) message: String,
}

impl<'a> ParseError<'a> {
    pub(super) fn new(raw: &'a RawValue, path: String, message: impl Into<String>) -> Self {
        Self { raw, position: (1, 1), path, message: message.into() }
    }
}

/// Returns the figures of a geometry.
pub(super) fn figures<'a>(raw: &'a RawValue, path: &str, unread: &mut Unread) -> Result<Figures, ParseError<'a>> {
    let mut reader = GeometryReader { figures: Figures::default(), unread };
    reader.geometry(raw, path, 0)?;
    Ok(reader.figures)
}

/// Collects the figures of a geometry and of the geometries nested in it.
struct GeometryReader<'u> {
    figures: Figures,
    unread: &'u mut Unread,
}

impl GeometryReader<'_> {
    fn geometry<'a>(&mut self, raw: &'a RawValue, path: &str, depth: usize) -> Result<(), ParseError<'a>> {
        let object: Object<'a> = parse(raw, path)?;
        coverage::search("geometry", &object, self.unread);
        if object.kind == "GeometryCollection" {
            return self.collection(raw, &object, path, depth);
        }
        if !KINDS.contains(&&*object.kind) {
            let message = format!("\"{}\": expected {} or GeometryCollection", object.kind, KINDS.join(", "));
            return Err(ParseError::new(raw, format!("{path}type"), message));
        }
        let Some(raw) = object.coordinates else { return Err(missing(raw, path, &object.kind, "coordinates")) };
        let path = format!("{path}coordinates");
        match &*object.kind {
            "Point" => self.point(path.clone(), parse(raw, &path)?),
            "MultiPoint" => self.each(parse(raw, &path)?, &path, Self::point),
            "LineString" => self.line(path.clone(), parse(raw, &path)?),
            "MultiLineString" => self.each(parse(raw, &path)?, &path, Self::line),
            "Polygon" => self.polygon(path.clone(), parse(raw, &path)?),
            _ => self.each(parse(raw, &path)?, &path, Self::polygon),
        }
        Ok(())
    }

    fn collection<'a>(
        &mut self,
        raw: &'a RawValue,
        object: &Object<'a>,
        path: &str,
        depth: usize,
    ) -> Result<(), ParseError<'a>> {
        let Some(list) = object.geometries else { return Err(missing(raw, path, &object.kind, "geometries")) };
        if depth == MAX_DEPTH {
            // The path to the collection would repeat one name once per level.
            let whole = if path.starts_with("geometry.") { "geometry" } else { "" };
            return Err(ParseError::new(
                raw,
                whole.to_owned(),
                format!("collections more than {MAX_DEPTH} deep inside each other"),
            ));
        }
        let list: Vec<&'a RawValue> = parse(list, &format!("{path}geometries"))?;
        self.figures.counts.empty += usize::from(list.is_empty());
        list.into_iter()
            .enumerate()
            .try_for_each(|(i, raw)| self.geometry(raw, &format!("{path}geometries[{i}]."), depth + 1))
    }

    /// Reads the items of a `Multi` geometry, each with its path.
    fn each<T>(&mut self, list: Vec<T>, path: &str, take: fn(&mut Self, String, T)) {
        self.figures.counts.empty += usize::from(list.is_empty());
        list.into_iter().enumerate().for_each(|(i, item)| take(self, format!("{path}[{i}]"), item));
    }

    fn point(&mut self, path: String, PointPosition(position): PointPosition) {
        self.figures.counts.altitudes += usize::from(position.as_ref().is_some_and(|position| position.has_more));
        self.figures.point(path, position.map(|position| position.point));
    }

    fn line(&mut self, path: String, points: Positions) {
        let points = self.plain(points);
        self.figures.line(path, points);
    }

    fn polygon(&mut self, path: String, rings: Vec<Positions>) {
        // The altitudes of an empty polygon do not count.
        let is_empty = rings.first().is_none_or(|outer| outer.points.is_empty());
        let rings = if is_empty { Vec::new() } else { rings };
        let rings: Vec<Vec<DVec2>> = rings.into_iter().map(|ring| self.plain(ring)).collect();
        self.figures.polygon(path, rings);
    }

    fn plain(&mut self, Positions { points, with_more }: Positions) -> Vec<DVec2> {
        self.figures.counts.altitudes += with_more;
        points
    }
}

/// Types of geometries with coordinates.
const KINDS: [&str; 6] = ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"];

fn missing<'a>(raw: &'a RawValue, path: &str, kind: &str, key: &str) -> ParseError<'a> {
    let path = path.trim_end_matches('.').to_owned();
    ParseError::new(raw, path, format!("a {kind} without \"{key}\""))
}

/// Reads a part of the file. After an error, reads it again to find the path.
pub(super) fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue, path: &str) -> Result<T, ParseError<'a>> {
    if let Ok(value) = serde_json::from_str(raw.get()) {
        return Ok(value);
    }
    let mut json = serde_json::Deserializer::from_str(raw.get());
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let below = error.path().to_string();
        let below = if below == "." { String::new() } else { below };
        let inner = error.into_inner();
        let path = format!("{path}{below}");
        ParseError {
            raw,
            position: (inner.line(), inner.column()),
            path: path.trim_end_matches('.').to_owned(),
            message: without_position(&inner),
        }
    })
}
