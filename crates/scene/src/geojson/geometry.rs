//! From a geometry to a figure.
use carom::DVec2;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{Object, Position, Positions};
use crate::figure::{Figure, Rings};
use crate::json::without_position;

/// Collections inside collections; the format advises against any.
const MAX_DEPTH: usize = 16;

/// What is wrong with a geometry, and where.
pub(super) struct Problem<'a> {
    /// The part of the file that `position` counts from.
    pub(super) raw: &'a RawValue,
    /// Line and column in `raw`, from 1.
    pub(super) position: (usize, usize),
    /// The path below the geometry; empty for the geometry itself.
    pub(super) path: String,
    pub(super) message: String,
}

impl<'a> Problem<'a> {
    pub(super) fn new(raw: &'a RawValue, path: String, message: impl Into<String>) -> Self {
        Self { raw, position: (1, 1), path, message: message.into() }
    }
}

/// The figures of a geometry, each with its path. `unclosed` counts rings that do not end where they begin.
pub(super) fn figures<'a>(raw: &'a RawValue, path: &str, unclosed: &mut usize) -> Result<Vec<(String, Figure)>, Problem<'a>> {
    let mut reader = Reader { unclosed, found: Vec::new() };
    reader.geometry(raw, path, 0)?;
    Ok(reader.found)
}

struct Reader<'r> {
    unclosed: &'r mut usize,
    found: Vec<(String, Figure)>,
}

impl Reader<'_> {
    fn geometry<'a>(&mut self, raw: &'a RawValue, path: &str, depth: usize) -> Result<(), Problem<'a>> {
        let object: Object<'a> = parse(raw, path)?;
        if object.kind == "GeometryCollection" {
            return self.collection(raw, &object, path, depth);
        }
        if !KINDS.contains(&&*object.kind) {
            let message = format!("\"{}\": expected {} or GeometryCollection", object.kind, KINDS.join(", "));
            return Err(Problem::new(raw, format!("{path}type"), message));
        }
        let Some(raw) = object.coordinates else { return Err(missing(raw, path, &object.kind, "coordinates")) };
        let path = format!("{path}coordinates");
        match &*object.kind {
            "Point" => self.point(path.clone(), parse(raw, &path)?),
            "MultiPoint" => each(parse(raw, &path)?, &path, |path, p| self.point(path, p)),
            "LineString" => self.line(path.clone(), parse(raw, &path)?),
            "MultiLineString" => each(parse(raw, &path)?, &path, |path, points| self.line(path, points)),
            "Polygon" => self.polygon(path.clone(), parse(raw, &path)?),
            _ => each(parse(raw, &path)?, &path, |path, rings| self.polygon(path, rings)),
        }
        Ok(())
    }

    fn collection<'a>(&mut self, raw: &'a RawValue, object: &Object<'a>, path: &str, depth: usize) -> Result<(), Problem<'a>> {
        let Some(list) = object.geometries else { return Err(missing(raw, path, &object.kind, "geometries")) };
        if depth == MAX_DEPTH {
            return Err(Problem::new(raw, format!("{path}geometries"), format!("collections more than {MAX_DEPTH} deep")));
        }
        let list: Vec<&'a RawValue> = parse(list, &format!("{path}geometries"))?;
        list.into_iter().enumerate().try_for_each(|(i, raw)| self.geometry(raw, &format!("{path}geometries[{i}]."), depth + 1))
    }

    fn point(&mut self, path: String, Position(centre): Position) {
        self.found.push((path, Figure::Circle { centre, radius: 0.0 }));
    }

    fn line(&mut self, path: String, points: Positions) {
        let mut points = plain(points);
        let closed = points.len() > 3 && points.first() == points.last();
        if closed {
            points.pop();
        }
        if !points.is_empty() {
            self.found.push((path, Figure::Line { points, closed }));
        }
    }

    fn polygon(&mut self, path: String, rings: Vec<Positions>) {
        let mut rings = rings.into_iter().map(|ring| self.ring(ring));
        // An outline without points is an empty polygon, which the format allows.
        if let Some(outer) = rings.next().filter(|outer| !outer.is_empty()) {
            let rings = Rings { outer, holes: rings.collect() };
            self.found.push((path, Figure::Area { rings, radius: 0.0 }));
        }
    }

    fn ring(&mut self, points: Positions) -> Vec<DVec2> {
        let mut points = plain(points);
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        } else if !points.is_empty() {
            *self.unclosed += 1;
        }
        points
    }
}

const KINDS: [&str; 6] = ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"];

fn each<T>(list: Vec<T>, path: &str, mut take: impl FnMut(String, T)) {
    list.into_iter().enumerate().for_each(|(i, item)| take(format!("{path}[{i}]"), item));
}

fn plain(points: Positions) -> Vec<DVec2> {
    points.into_iter().map(|Position(p)| p).collect()
}

fn missing<'a>(raw: &'a RawValue, path: &str, kind: &str, key: &str) -> Problem<'a> {
    let path = path.trim_end_matches('.').to_owned();
    Problem::new(raw, path, format!("a {kind} without \"{key}\""))
}

/// Reads a part of the file. Where it fails, it is read again with an eye on the path.
pub(super) fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue, path: &str) -> Result<T, Problem<'a>> {
    if let Ok(value) = serde_json::from_str(raw.get()) {
        return Ok(value);
    }
    let mut json = serde_json::Deserializer::from_str(raw.get());
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let below = error.path().to_string();
        let below = if below == "." { String::new() } else { below };
        let inner = error.into_inner();
        let path = format!("{path}{below}");
        Problem {
            raw,
            position: (inner.line(), inner.column()),
            path: path.trim_end_matches('.').to_owned(),
            message: without_position(&inner),
        }
    })
}
