//! Converts a geometry to a figure.
use carom::DVec2;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::coverage;
use super::document::{Object, PointPosition, Position, Positions};
use crate::coverage::Unread;
use crate::geometry::{Geometry, Rings};
use crate::json::without_position;

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

/// Counts of the parts of a geometry that a note mentions.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    /// Rings whose last point is not the first.
    pub(super) unclosed: usize,
    /// Points, lines, polygons and collections without coordinates.
    pub(super) empty: usize,
    /// Holes without coordinates, in polygons with an exterior ring.
    pub(super) empty_holes: usize,
    /// Positions with more than two numbers.
    pub(super) altitudes: usize,
}

/// Returns the figures of a geometry, each with its path, and counts for notes.
pub(super) fn figures<'a>(
    raw: &'a RawValue,
    path: &str,
    unread: &mut Unread,
) -> Result<(Vec<(String, Geometry)>, Counts), ParseError<'a>> {
    let mut reader = Reader { counts: Counts::default(), found: Vec::new(), unread };
    reader.geometry(raw, path, 0)?;
    Ok((reader.found, reader.counts))
}

struct Reader<'u> {
    counts: Counts,
    found: Vec<(String, Geometry)>,
    unread: &'u mut Unread,
}

impl Reader<'_> {
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
        self.counts.empty += usize::from(list.is_empty());
        list.into_iter()
            .enumerate()
            .try_for_each(|(i, raw)| self.geometry(raw, &format!("{path}geometries[{i}]."), depth + 1))
    }

    /// Reads the items of a `Multi` geometry, each with its path.
    fn each<T>(&mut self, list: Vec<T>, path: &str, take: fn(&mut Self, String, T)) {
        self.counts.empty += usize::from(list.is_empty());
        list.into_iter().enumerate().for_each(|(i, item)| take(self, format!("{path}[{i}]"), item));
    }

    fn point(&mut self, path: String, PointPosition(position): PointPosition) {
        match position {
            Some(Position { point, has_more }) => {
                self.counts.altitudes += usize::from(has_more);
                self.found.push((path, Geometry::Circle { centre: point, radius: 0.0 }));
            }
            None => self.counts.empty += 1,
        }
    }

    fn line(&mut self, path: String, points: Positions) {
        let mut points = self.plain(points);
        let closed = points.len() > 3 && points.first() == points.last();
        if closed {
            points.pop();
        }
        if points.is_empty() {
            self.counts.empty += 1;
        } else {
            self.found.push((path, Geometry::Line { points, closed }));
        }
    }

    fn polygon(&mut self, path: String, rings: Vec<Positions>) {
        let mut rings = rings.into_iter();
        // A polygon is empty if its exterior ring has no points.
        let Some(outer) = rings.next().filter(|outer| !outer.points.is_empty()) else {
            self.counts.empty += 1;
            return;
        };
        let outer = self.ring(outer);
        let holes: Vec<_> = rings.map(|ring| self.ring(ring)).collect();
        self.counts.empty_holes += holes.iter().filter(|hole| hole.is_empty()).count();
        self.found.push((path, Geometry::Area { rings: Rings { outer, holes }, radius: 0.0 }));
    }

    fn ring(&mut self, points: Positions) -> Vec<DVec2> {
        let mut points = self.plain(points);
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        } else if !points.is_empty() {
            self.counts.unclosed += 1;
        }
        points
    }

    fn plain(&mut self, Positions { points, with_more }: Positions) -> Vec<DVec2> {
        self.counts.altitudes += with_more;
        points
    }
}

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
