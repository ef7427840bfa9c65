//! Converts the text of a GeoJSON file to a scene.
//!
//! Input: the text and the options. Output: one collider per feature with a geometry, notes,
//! warnings, and refused features. A file may be a feature collection, one feature or one geometry. It
//! may also have one feature per line (newline-delimited GeoJSON), with or without a record separator
//! before each (RFC 8142).
//! Errors name line and column of the file, although features are parsed alone.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::coverage;
use super::document::{Names, Object};
use super::geometry::{ParseError, figures, parse};
use crate::geometry::{Figures, Geometry, Notes};
use crate::ids::Ids;
use crate::json::broken;
use crate::line_index::LineIndex;
use crate::repair::Repairs;
use crate::unread::Unread;
use crate::{Error, Options, Origin, Scene, SceneCollider, SkippedObject};

/// First character of each text of a GeoJSON text sequence (RFC 8142).
pub(crate) const RECORD_SEPARATOR: char = '\u{1e}';

/// Reads a file: a feature collection, one feature, one geometry, or several features without a collection.
pub(crate) fn read(name: &str, text: &str, options: &Options) -> Result<Scene, Error> {
    let text = &*without_separators(text);
    let documents = serde_json::Deserializer::from_str(text).into_iter();
    let documents: Vec<&RawValue> = documents.collect::<Result<_, _>>().map_err(|e| broken(name, &e))?;
    let mut reader = GeoJsonReader {
        file: name,
        go_on: options.skip_invalid,
        id: options.id_property.clone(),
        repairs: Repairs::new(options.repair),
        lines: LineIndex::new(text),
        ids: Ids::default(),
        scene: Scene::default(),
        unread: Unread::default(),
        has_id_property: false,
    };
    let mut notes = Notes::default();
    match documents.as_slice() {
        [document] => reader.document(document, &mut notes)?,
        features => {
            for (index, feature) in features.iter().enumerate() {
                reader.feature(index, feature, &mut notes)?;
            }
        }
    }
    let (named, ignored) = reader.unread.into_texts();
    reader.scene.warnings = notes.texts("feature");
    reader.scene.warnings.extend(named);
    if let Some(property) = &options.id_property
        && !reader.has_id_property
        && !reader.scene.colliders.is_empty()
    {
        let says = format!(
            "no feature has a text or a number in the property \"{property}\", so their own ids or names are used"
        );
        reader.scene.warnings.push(says);
    }
    reader.scene.ignored = ignored;
    Ok(reader.scene)
}

/// Replaces the record separators at the start of lines by spaces, as RFC 8142 has them. JSON strings contain no line
/// break, so the start of a line is never inside a string.
fn without_separators(text: &str) -> Cow<'_, str> {
    if !text.contains(RECORD_SEPARATOR) {
        return Cow::Borrowed(text);
    }
    let mut is_start = true;
    let spaced = text.chars().map(|character| {
        let is_separator = is_start && character == RECORD_SEPARATOR;
        is_start = is_separator || character == '\n';
        if is_separator { ' ' } else { character }
    });
    Cow::Owned(spaced.collect())
}

/// Index and name of a feature, for messages.
struct Feature {
    index: usize,
    name: Option<String>,
}

impl Feature {
    fn id(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("#{}", self.index))
    }

    fn location(&self) -> String {
        match &self.name {
            Some(name) => format!("feature {} \"{name}\"", self.index),
            None => format!("feature {}", self.index),
        }
    }
}

/// State while the features are read.
struct GeoJsonReader<'a> {
    file: &'a str,
    /// True if a refused feature is added to the list. False if it is an error.
    go_on: bool,
    /// Property that is the id.
    id: Option<String>,
    repairs: Repairs,
    lines: LineIndex<'a>,
    ids: Ids,
    scene: Scene,
    unread: Unread,
    /// True if a feature has the property `id`.
    has_id_property: bool,
}

impl<'a> GeoJsonReader<'a> {
    /// Reads a feature collection, a feature or a geometry.
    fn document(&mut self, document: &'a RawValue, notes: &mut Notes) -> Result<(), Error> {
        let object: Object = parse(document, "").map_err(|problem| self.error(None, &problem))?;
        match &*object.kind {
            "FeatureCollection" => {
                coverage::search("FeatureCollection", &object, &mut self.unread);
                let Some(features) = object.features else {
                    let message = "a FeatureCollection without \"features\"";
                    return Err(self.error(None, &ParseError::new(document, String::new(), message)));
                };
                let features: Vec<&RawValue> =
                    parse(features, "features").map_err(|problem| self.error(None, &problem))?;
                features.into_iter().enumerate().try_for_each(|(index, feature)| self.feature(index, feature, notes))
            }
            "Feature" => self.feature(0, document, notes),
            "Topology" => {
                let message = "this is TopoJSON, which is not read: convert it to GeoJSON (`topo2geo`, or `mapshaper \
                    in.json -o format=geojson`)";
                Err(Error::new(self.file, message))
            }
            _ => {
                let found = figures(document, "", &mut self.unread);
                self.collider(&Feature { index: 0, name: None }, found, document, notes)
            }
        }
    }

    fn feature(&mut self, index: usize, raw: &'a RawValue, notes: &mut Notes) -> Result<(), Error> {
        let mut feature = Feature { index, name: None };
        let object: Object = match parse(raw, "") {
            Ok(object) => object,
            Err(problem) => return self.refuse(&feature, &problem),
        };
        let Names { name, has_id_property, has_others } = object.name(self.id.as_deref());
        self.has_id_property |= has_id_property;
        feature.name = name;
        if object.kind != "Feature" {
            let message = format!("\"{}\": expected Feature", object.kind);
            return self.refuse(&feature, &ParseError::new(raw, "type".to_owned(), message));
        }
        coverage::search("Feature", &object, &mut self.unread);
        if has_others {
            self.unread.ignore("Feature", "properties other than the id");
        }
        let Some(geometry) = object.geometry else {
            notes.empty += 1;
            return Ok(());
        };
        let found = figures(geometry, "geometry.", &mut self.unread);
        self.collider(&feature, found, geometry, notes)
    }

    fn collider(
        &mut self,
        feature: &Feature,
        found: Result<Figures, ParseError<'a>>,
        geometry: &'a RawValue,
        notes: &mut Notes,
    ) -> Result<(), Error> {
        let figures = match found {
            Ok(figures) => figures,
            Err(problem) => return self.refuse(feature, &problem),
        };
        if figures.found.is_empty() {
            notes.empty += 1;
            return Ok(());
        }
        match Geometry::Several(figures.found).build(&mut self.repairs) {
            Ok((shape, pose)) => {
                notes.add(figures.counts);
                let id = self.ids.unique(feature.id());
                self.scene.repaired.extend(self.repairs.take(&id));
                let origin = Origin { name: feature.name.as_deref().map(Arc::from), ..Origin::default() };
                self.scene.colliders.push(SceneCollider { origin, ..SceneCollider::new(id, shape, pose) });
                Ok(())
            }
            Err(error) => {
                let path = error.path();
                // The changes of its other parts do not count.
                let _ = self.repairs.take("");
                self.refuse(feature, &ParseError::new(geometry, path, error.message))
            }
        }
    }

    fn refuse(&mut self, feature: &Feature, problem: &ParseError<'a>) -> Result<(), Error> {
        if !self.go_on {
            return Err(self.error(Some(feature), problem));
        }
        let reason = format!("{}: {}", self.location(None, problem), problem.message);
        self.scene.skipped.push(SkippedObject { object: feature.id(), reason });
        Ok(())
    }

    fn error(&mut self, feature: Option<&Feature>, problem: &ParseError<'a>) -> Error {
        Error::at(self.file, self.location(feature, problem), problem.message.clone())
    }

    fn location(&mut self, feature: Option<&Feature>, problem: &ParseError<'a>) -> String {
        let (line, column) = self.lines.position(problem.raw.get(), problem.position);
        let feature = feature.map_or(String::new(), |feature| format!(", {}", feature.location()));
        let path = if problem.path.is_empty() { String::new() } else { format!(", {}", problem.path) };
        format!("line {line}, column {column}{feature}{path}")
    }
}
