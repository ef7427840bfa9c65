//! Converts the WKT of a field to figures, with the crate `wkt`.
//!
//! Input: a field, with or without the prefix `SRID=…;`. Output: figures with their paths for
//! messages, or a message for the row.
//!
//! The crate ignores text after the geometry, and its recursion has no limit. So [`check`] counts
//! the brackets first. It does not read types with curves, so they are refused by name before it
//! runs.

use std::str::FromStr as _;

use carom::DVec2;
use wkt::Wkt;
use wkt::types::{Coord, LineString, Point, Polygon};

use crate::geometry::Figures;

/// The geometries that are read.
pub(super) const KINDS: [&str; 8] = [
    "POINT",
    "LINESTRING",
    "LINEARRING",
    "POLYGON",
    "MULTIPOINT",
    "MULTILINESTRING",
    "MULTIPOLYGON",
    "GEOMETRYCOLLECTION",
];

/// Geometries of the standard with curves or without a meaning in the plane. They are refused by name.
const REFUSED: [&str; 12] = [
    "CIRCULARSTRING",
    "COMPOUNDCURVE",
    "CURVEPOLYGON",
    "MULTICURVE",
    "MULTISURFACE",
    "CURVE",
    "SURFACE",
    "CIRCLE",
    "ELLIPTICALCURVE",
    "POLYHEDRALSURFACE",
    "TIN",
    "TRIANGLE",
];

/// Largest depth of brackets: a MULTIPOLYGON has 3, a collection adds 1 each.
const MAX_DEPTH: usize = 16;

/// Splits a field into the number of an `SRID=…;` prefix, if it has one, and the rest.
fn without_srid(field: &str) -> (Option<&str>, &str) {
    let field = field.trim();
    let prefix = field.get(..5).filter(|prefix| prefix.eq_ignore_ascii_case("SRID="));
    match prefix.and_then(|_| field[5..].split_once(';')) {
        Some((srid, rest)) => (Some(srid), rest.trim_start()),
        None => (None, field),
    }
}

/// Returns true if a field begins with the name of a geometry type. Refused types count too.
pub(super) fn starts_as_geometry(field: &str) -> bool {
    let (_, text) = without_srid(field);
    let (word, rest) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let word = word.to_ascii_uppercase();
    let is_kind = |kind: &&str| word.strip_prefix(*kind).is_some_and(|end| ["", "Z", "M", "ZM"].contains(&end));
    let rest = rest.trim_start();
    let upper = rest.get(..2).unwrap_or(rest).to_ascii_uppercase();
    let continues = rest.starts_with('(') || upper.starts_with(['Z', 'M']) || upper == "EM";
    continues && KINDS.iter().chain(&REFUSED).any(is_kind)
}

/// Returns true if a field is a whole geometry by its brackets.
pub(super) fn is_whole_geometry(field: &str) -> bool {
    starts_as_geometry(field) && check(without_srid(field).1).is_ok()
}

/// Returns the figures of a field and its SRID. Fails with a message for the row.
pub(super) fn figures(field: &str) -> Result<(Figures, Option<&str>), String> {
    let (srid, text) = without_srid(field);
    if !starts_as_geometry(text) {
        let start: String = text.chars().take(20).collect();
        return Err(format!("\"{start}\" is not WKT: expected {}", KINDS.join(", ")));
    }
    check(text)?;
    let upper = text.to_ascii_uppercase();
    if let Some(kind) = REFUSED.iter().find(|kind| upper.starts_with(**kind)) {
        return Err(format!("{kind} is not read: convert it to a POLYGON, a LINESTRING or a collection of them"));
    }
    let geometry = Wkt::<f64>::from_str(text)
        .map_err(|error| format!("not WKT: {}", wrong_position(text).unwrap_or_else(|| error.to_string())))?;
    let mut figures = Figures::default();
    add(&mut figures, "", &geometry);
    Ok((figures, srid))
}

/// Checks that the brackets match, are not too deep, and end with the text.
fn check(text: &str) -> Result<(), String> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Err(format!("the bracket ) at character {at} has no (")),
            ')' => depth -= 1,
            _ => continue,
        }
        if depth > MAX_DEPTH {
            return Err(format!("geometries more than {MAX_DEPTH} deep inside each other"));
        }
        let rest = text[at + 1..].trim_start();
        if c == ')' && depth == 0 && !rest.is_empty() {
            return Err(format!("text after the geometry: \"{}\"", rest.chars().take(20).collect::<String>()));
        }
    }
    if depth > 0 {
        return Err("the geometry has no end: a bracket ) is missing; a field with commas must be in quotes".to_owned());
    }
    let has_brackets = text.ends_with(')');
    let is_empty = || text.split_ascii_whitespace().next_back().is_some_and(|word| word.eq_ignore_ascii_case("EMPTY"));
    if has_brackets || is_empty() {
        Ok(())
    } else {
        Err("expected ( or EMPTY after the kind of the geometry".to_owned())
    }
}

/// Returns a message about the first position without two to four numbers; `None` if all have them.
fn wrong_position(text: &str) -> Option<String> {
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphabetic()) && !is_nan_or_infinite(word);
    let is_number = |word: &&str| word.parse::<f64>().is_ok() && !is_nan_or_infinite(word);
    for position in text.split(['(', ')', ',']).map(str::trim) {
        let words: Vec<&str> = position.split_ascii_whitespace().collect();
        if words.iter().all(|word| is_name(word)) {
            continue;
        }
        if let Some(wrong) = words.iter().find(|word| !is_number(word)) {
            return Some(format!("\"{wrong}\" is not a finite number"));
        }
        if !(2..=4).contains(&words.len()) {
            return Some(format!("the position \"{position}\" is not x and y, with or without Z and M"));
        }
    }
    None
}

/// Returns true for the words that Rust reads as NaN or infinity.
fn is_nan_or_infinite(word: &str) -> bool {
    word.parse().is_ok_and(|number: f64| !number.is_finite()) && !word.contains(|c: char| c.is_ascii_digit())
}

/// Adds the figures of a geometry. Their paths start with `path`.
fn add(figures: &mut Figures, path: &str, geometry: &Wkt<f64>) {
    let at = |kind: &str| format!("{path}{kind}");
    let each = |kind: &str, i: usize| format!("{path}{kind}[{i}]");
    match geometry {
        Wkt::Point(point) => add_point(figures, at("POINT"), point),
        Wkt::LineString(line) => add_line(figures, at("LINESTRING"), line),
        Wkt::Polygon(polygon) => add_polygon(figures, at("POLYGON"), polygon),
        Wkt::MultiPoint(list) => {
            all(figures, list.points(), |figures, i, point| add_point(figures, each("MULTIPOINT", i), point));
        }
        Wkt::MultiLineString(list) => {
            all(figures, list.line_strings(), |figures, i, line| add_line(figures, each("MULTILINESTRING", i), line));
        }
        Wkt::MultiPolygon(list) => {
            all(figures, list.polygons(), |figures, i, item| add_polygon(figures, each("MULTIPOLYGON", i), item));
        }
        Wkt::GeometryCollection(list) => all(figures, list.geometries(), |figures, i, item| {
            add(figures, &format!("{path}GEOMETRYCOLLECTION[{i}]."), item);
        }),
    }
}

/// Adds the items of a collection. A collection without items is empty.
fn all<T>(figures: &mut Figures, items: &[T], add: impl Fn(&mut Figures, usize, &T)) {
    figures.counts.empty += usize::from(items.is_empty());
    items.iter().enumerate().for_each(|(i, item)| add(figures, i, item));
}

fn add_point(figures: &mut Figures, path: String, point: &Point<f64>) {
    let point = point.coord().map(|coord| plain(figures, coord));
    figures.point(path, point);
}

fn add_line(figures: &mut Figures, path: String, line: &LineString<f64>) {
    let points = positions(figures, line);
    figures.line(path, points);
}

fn add_polygon(figures: &mut Figures, path: String, polygon: &Polygon<f64>) {
    let rings: Vec<Vec<DVec2>> = polygon.rings().iter().map(|ring| positions(figures, ring)).collect();
    figures.polygon(path, rings);
}

fn positions(figures: &mut Figures, line: &LineString<f64>) -> Vec<DVec2> {
    line.coords().iter().map(|coord| plain(figures, coord)).collect()
}

/// Returns x and y, and counts the other numbers.
fn plain(figures: &mut Figures, coord: &Coord<f64>) -> DVec2 {
    figures.counts.altitudes += usize::from(coord.z.is_some() || coord.m.is_some());
    DVec2::new(coord.x, coord.y)
}
