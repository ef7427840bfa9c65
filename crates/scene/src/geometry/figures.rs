//! Collects the points, lines and polygons of one geometry, as GeoJSON and WKT define them, and
//! counts the parts that a note mentions.
//!
//! Both formats repeat the first point of a ring at its end, and allow empty parts. These rules are
//! applied here once for both readers.

use carom::DVec2;

use super::{Geometry, Rings};

/// Counts of the parts of a geometry that a note mentions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Rings whose last point is not the first.
    pub(crate) unclosed: usize,
    /// Points, lines, polygons and collections without coordinates.
    pub(crate) empty: usize,
    /// Holes without coordinates, in polygons with an exterior ring.
    pub(crate) empty_holes: usize,
    /// Positions with more than two numbers.
    pub(crate) altitudes: usize,
}

/// Figures of one geometry, each with its path for messages.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) found: Vec<(String, Geometry)>,
    pub(crate) counts: Counts,
}

impl Figures {
    /// Adds a point; `None` is an empty point.
    pub(crate) fn point(&mut self, path: String, point: Option<DVec2>) {
        match point {
            Some(centre) => self.found.push((path, Geometry::Circle { centre, radius: 0.0 })),
            None => self.counts.empty += 1,
        }
    }

    /// Adds a polyline. It is closed if its last point is the first.
    pub(crate) fn line(&mut self, path: String, mut points: Vec<DVec2>) {
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

    /// Adds a polygon. The first ring is the exterior ring. Without points in it, the polygon is empty.
    pub(crate) fn polygon(&mut self, path: String, rings: impl IntoIterator<Item = Vec<DVec2>>) {
        let mut rings = rings.into_iter();
        let Some(outer) = rings.next().filter(|outer| !outer.is_empty()) else {
            self.counts.empty += 1;
            return;
        };
        let outer = self.ring(outer);
        let holes: Vec<_> = rings.map(|ring| self.ring(ring)).collect();
        self.counts.empty_holes += holes.iter().filter(|hole| hole.is_empty()).count();
        self.found.push((path, Geometry::Area { rings: Rings { outer, holes }, radius: 0.0 }));
    }

    /// Removes the last point of a ring if it repeats the first.
    fn ring(&mut self, mut points: Vec<DVec2>) -> Vec<DVec2> {
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        } else if !points.is_empty() {
            self.counts.unclosed += 1;
        }
        points
    }
}

/// Counts of accepted objects with a note.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Objects without a geometry.
    pub(crate) empty: usize,
    /// Parts of the objects that are colliders.
    parts: Counts,
}

impl Notes {
    pub(crate) fn add(&mut self, counts: Counts) {
        self.parts.unclosed += counts.unclosed;
        self.parts.empty += counts.empty;
        self.parts.empty_holes += counts.empty_holes;
        self.parts.altitudes += counts.altitudes;
    }

    /// Returns the warnings. `object` is the word of the format for an object: `feature` or `row`.
    pub(crate) fn texts(&self, object: &str) -> Vec<String> {
        let note = |count: usize, one: String, many: String| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        };
        let Counts { unclosed, empty, empty_holes, altitudes } = self.parts;
        let notes = [
            note(
                unclosed,
                "ring does not end where it begins: it is closed by an edge".to_owned(),
                "rings do not end where they begin: they are closed by an edge".to_owned(),
            ),
            note(
                self.empty,
                format!("{object} has no geometry and covers nothing"),
                format!("{object}s have no geometry and cover nothing"),
            ),
            note(
                empty,
                format!("empty part of a {object} is skipped"),
                format!("empty parts of {object}s are skipped"),
            ),
            note(empty_holes, "empty hole is ignored".to_owned(), "empty holes are ignored".to_owned()),
            note(
                altitudes,
                "position has numbers after x and y, such as an altitude: they are not read".to_owned(),
                "positions have numbers after x and y, such as an altitude: they are not read".to_owned(),
            ),
        ];
        notes.into_iter().flatten().collect()
    }
}
