//! Converts the text of carom's own format to a scene.
//!
//! Input: the text, the options, and a function that loads images. Output: a scene.
//!
//! ```text
//! parse the document; elements of "colliders" stay text        all errors of syntax
//! for each element: parse it and build its shape               errors of one collider
//! number the layers that have names; add the colliders
//! ```
//!
//! Errors of one collider name its id, line and column. They end reading, or become entries of
//! [`Scene::skipped`].

use std::collections::HashMap;
use std::{fmt, io};

use carom::{Aabb, DVec2};
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::collider::{RawCollider, UnresolvedCollider, vector};
use super::error::{ParseError, without_position};
use super::shape::Images;
use super::types::{Direction, Document};
use crate::layers::Layers;
use crate::line_index::LineIndex;
use crate::{Error, Options, Scene, SkippedObject, YAxis};

/// Largest number of refused colliders before reading stops.
const MOST_REFUSED: usize = 100_000;

/// Reads a scene file: first the document, which finds all JSON errors, then its colliders one by
/// one.
pub(crate) fn read(
    name: &str,
    text: &str,
    options: &Options,
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Scene, Error> {
    let document: Document = serde_json::from_str(text).map_err(|e| broken(name, &e))?;
    let mut scene = Scene {
        y: match document.y {
            Direction::Up => YAxis::Up,
            Direction::Down => YAxis::Down,
        },
        gravity: document.gravity.map(|g| vector(g.0)).transpose().map_err(|m| Error::at(name, "gravity", m))?,
        walls: document.walls.map(|w| walls(w.0)).transpose().map_err(|m| Error::at(name, "walls", m))?,
        ..Scene::default()
    };
    let mut refusals =
        Refusals { file: name, go_on: options.skip_invalid, lines: LineIndex::new(text), list: Vec::new() };
    let parts = parts(document.colliders, Images::new(load), &mut refusals)?;
    let mut layers = Layers::new(parts.iter().fold(0, |bits, (_, part)| bits | part.bare_layers()));
    for (entry, part) in parts {
        match part.collider(&mut layers) {
            Ok(collider) => scene.colliders.push(collider),
            Err(problem) => refusals.add(&entry, problem)?,
        }
    }
    scene.layers = layers.into_names();
    scene.skipped = refusals.list;
    Ok(scene)
}

/// Reads the list of colliders one by one, so that reading stops at the first element of invalid
/// content.
fn parts<'a>(
    raw: &'a RawValue,
    images: Images<'_>,
    refusals: &mut Refusals<'_>,
) -> Result<Vec<(RawCollider<'a>, UnresolvedCollider)>, Error> {
    let mut list = ColliderList { parts: Vec::new(), images, refusals, written: HashMap::new(), end: None };
    let read = serde_json::Deserializer::from_str(raw.get()).deserialize_seq(&mut list);
    match (list.end, read) {
        (Some(error), _) => Err(error),
        (None, Ok(())) => Ok(list.parts),
        (None, Err(error)) => {
            let (line, column) = list.refusals.lines.position(raw.get(), (error.line(), error.column()));
            Err(Error::at(
                list.refusals.file,
                format!("line {line}, column {column}, colliders"),
                without_position(&error),
            ))
        }
    }
}

/// Colliders that have been read.
struct ColliderList<'a, 'r, 't, 'l> {
    parts: Vec<(RawCollider<'a>, UnresolvedCollider)>,
    images: Images<'l>,
    refusals: &'r mut Refusals<'t>,
    /// Index of the collider with each id.
    written: HashMap<String, usize>,
    /// Error that stopped reading.
    end: Option<Error>,
}

impl<'a> Visitor<'a> for &mut ColliderList<'a, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of colliders, such as [{\"shape\": {\"circle\": {\"radius\": 1}}}]")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(raw) = seq.next_element::<&RawValue>()? {
            let entry = RawCollider::new(index, raw);
            let kept = match entry.part(&mut self.written, &mut self.images) {
                Ok(part) => {
                    self.parts.push((entry, part));
                    Ok(())
                }
                Err(problem) => self.refusals.add(&entry, problem),
            };
            if let Err(error) = kept {
                self.end = Some(error);
                return Err(A::Error::custom("ended"));
            }
            index += 1;
        }
        Ok(())
    }
}

/// Receiver of refused colliders.
struct Refusals<'a> {
    file: &'a str,
    /// True if a refused collider is added to the list. False if it is an error.
    go_on: bool,
    lines: LineIndex<'a>,
    list: Vec<SkippedObject>,
}

impl Refusals<'_> {
    fn add(&mut self, entry: &RawCollider<'_>, problem: ParseError) -> Result<(), Error> {
        let (line, column) = self.lines.position(entry.text(), problem.position);
        let path = if problem.path.is_empty() { String::new() } else { format!(", {}", problem.path) };
        if !self.go_on {
            let location = format!("line {line}, column {column}, collider \"{}\"{path}", entry.id);
            return Err(Error::at(self.file, location, problem.message));
        }
        if self.list.len() == MOST_REFUSED {
            let message =
                format!("more than {MOST_REFUSED} colliders cannot be read, the first of them {}", self.list[0]);
            return Err(Error::new(self.file, message));
        }
        let reason = format!("line {line}, column {column}{path}: {}", problem.message);
        self.list.push(SkippedObject { object: entry.id.clone(), reason });
        Ok(())
    }
}

fn walls([min_x, min_y, max_x, max_y]: [f64; 4]) -> Result<Aabb, String> {
    Aabb::new(DVec2::new(min_x, min_y), DVec2::new(max_x, max_y))
        .map_err(|e| format!("{e} (walls are [min_x, min_y, max_x, max_y])"))
}

/// Returns an error about the document or its JSON.
pub(crate) fn broken(name: &str, error: &serde_json::Error) -> Error {
    let end = if error.is_eof() { "the file ends too early: " } else { "" };
    let location = format!("line {}, column {}", error.line(), error.column());
    let message = without_position(error);
    // Only two keys of a scene are required.
    let missing = if message.starts_with("missing field") {
        "; a scene looks like {\"carom\": 1, \"colliders\": []}"
    } else {
        ""
    };
    Error::at(name, location, format!("{end}{message}{missing}"))
}
