//! From text to scene.
use carom::broad::Filter;
use serde_json::value::RawValue;

use super::document::Object;
use super::geometry::{Problem, figures, parse};
use crate::figure::{Figure, Trouble};
use crate::ids::Ids;
use crate::json::broken;
use crate::lines::Lines;
use crate::{Collider, Error, Options, Refusal, Scene};

/// Reads a file: a feature collection, one feature, or one geometry.
pub(crate) fn read(name: &str, text: &str, options: &Options) -> Result<Scene, Error> {
    let document: &RawValue = serde_json::from_str(text).map_err(|e| broken(name, &e))?;
    let mut reader =
        Reader { file: name, go_on: options.skip_invalid, lines: Lines::new(text), ids: Ids::default(), scene: Scene::default() };
    let mut counts = Counts::default();
    let object: Object = parse(document, "").map_err(|problem| reader.error(None, &problem))?;
    match &*object.kind {
        "FeatureCollection" => {
            let Some(features) = object.features else {
                return Err(reader.error(None, &Problem::new(document, String::new(), "a FeatureCollection without \"features\"")));
            };
            let features: Vec<&RawValue> = parse(features, "features").map_err(|problem| reader.error(None, &problem))?;
            for (index, feature) in features.into_iter().enumerate() {
                reader.feature(index, feature, &mut counts)?;
            }
        }
        "Feature" => reader.feature(0, document, &mut counts)?,
        "Topology" => {
            let message =
                "this is TopoJSON, which is not read: convert it to GeoJSON (`topo2geo`, or `mapshaper in.json -o format=geojson`)";
            return Err(Error::new(name, message));
        }
        _ => {
            let found = figures(document, "", &mut counts.unclosed);
            reader.collider(&Feature { index: 0, name: None }, found, document, &mut counts)?;
        }
    }
    reader.scene.notes = counts.notes();
    Ok(reader.scene)
}

/// What is accepted but worth saying.
#[derive(Default)]
struct Counts {
    unclosed: usize,
    empty: usize,
}

impl Counts {
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.unclosed > 0 {
            let rings = if self.unclosed == 1 {
                "1 ring does not end where it begins: it is"
            } else {
                &format!("{} rings do not end where they begin: they are", self.unclosed)
            };
            notes.push(format!("{rings} closed by an edge"));
        }
        if self.empty > 0 {
            let features = if self.empty == 1 {
                "1 feature has no geometry and covers"
            } else {
                &format!("{} features have no geometry and cover", self.empty)
            };
            notes.push(format!("{features} nothing"));
        }
        notes
    }
}

/// How messages call a feature.
struct Feature {
    index: usize,
    name: Option<String>,
}

impl Feature {
    fn id(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("#{}", self.index))
    }

    fn place(&self) -> String {
        match &self.name {
            Some(name) => format!("feature {} \"{name}\"", self.index),
            None => format!("feature {}", self.index),
        }
    }
}

struct Reader<'a> {
    file: &'a str,
    /// Whether a refused feature is an entry in the list, or the end.
    go_on: bool,
    lines: Lines<'a>,
    ids: Ids,
    scene: Scene,
}

impl<'a> Reader<'a> {
    fn feature(&mut self, index: usize, raw: &'a RawValue, counts: &mut Counts) -> Result<(), Error> {
        let mut feature = Feature { index, name: None };
        let object: Object = match parse(raw, "") {
            Ok(object) => object,
            Err(problem) => return self.refuse(&feature, &problem),
        };
        feature.name = object.name();
        if object.kind != "Feature" {
            let message = format!("\"{}\": expected Feature", object.kind);
            return self.refuse(&feature, &Problem::new(raw, "type".to_owned(), message));
        }
        let Some(geometry) = object.geometry else {
            counts.empty += 1;
            return Ok(());
        };
        let found = figures(geometry, "geometry.", &mut counts.unclosed);
        self.collider(&feature, found, geometry, counts)
    }

    fn collider(
        &mut self,
        feature: &Feature,
        found: Result<Vec<(String, Figure)>, Problem<'a>>,
        geometry: &'a RawValue,
        counts: &mut Counts,
    ) -> Result<(), Error> {
        let figures = match found {
            Ok(figures) => figures,
            Err(problem) => return self.refuse(feature, &problem),
        };
        if figures.is_empty() {
            counts.empty += 1;
            return Ok(());
        }
        match Figure::Several(figures).build() {
            Ok((shape, pose)) => {
                let id = self.ids.unique(feature.id());
                let filter = Filter::default();
                self.scene.colliders.push(Collider { id, shape, pose, filter, sensor: false, motion: None, body: None });
                Ok(())
            }
            Err(trouble) => {
                let path = place(&trouble);
                self.refuse(feature, &Problem::new(geometry, path, trouble.message))
            }
        }
    }

    fn refuse(&mut self, feature: &Feature, problem: &Problem<'a>) -> Result<(), Error> {
        if !self.go_on {
            return Err(self.error(Some(feature), problem));
        }
        let reason = format!("{}: {}", self.place(None, problem), problem.message);
        self.scene.refused.push(Refusal { object: feature.id(), reason });
        Ok(())
    }

    fn error(&mut self, feature: Option<&Feature>, problem: &Problem<'a>) -> Error {
        Error::at(self.file, self.place(feature, problem), problem.message.clone())
    }

    fn place(&mut self, feature: Option<&Feature>, problem: &Problem<'a>) -> String {
        let (line, column) = self.lines.position(problem.raw.get(), problem.position);
        let feature = feature.map_or(String::new(), |feature| format!(", {}", feature.place()));
        let path = if problem.path.is_empty() { String::new() } else { format!(", {}", problem.path) };
        format!("line {line}, column {column}{feature}{path}")
    }
}

/// The path that a trouble with a shape is about.
fn place(trouble: &Trouble) -> String {
    let index = |i: Option<usize>| i.map_or(String::new(), |i| format!("[{i}]"));
    format!("{}{}{}", trouble.part, index(trouble.ring), index(trouble.vertex))
}
