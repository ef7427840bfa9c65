//! Converts the rows of a CSV file to a scene.
//!
//! Input: the text and the options. Output: one collider per row with a geometry, notes about
//! omissions, and warnings about columns that are not read. A refused row is an error with its
//! line, or an entry of [`Scene::skipped`] if the options say so.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use csv::StringRecord;

use super::columns::{Columns, reader, wkb_message};
use super::coverage::{FURTHER, OTHERS, SRID};
use super::quotes;
use super::wkt::figures;
use crate::geometry::{Geometry, Notes};
use crate::ids::Ids;
use crate::repair::Repairs;
use crate::unread::Unread;
use crate::{Error, Options, Origin, Scene, SceneCollider, SkippedObject};

/// Reads a file.
pub(crate) fn read(name: &str, text: &str, options: &Options) -> Result<Scene, Error> {
    let Some(columns) = Columns::find(text) else {
        if let Some(message) = wkb_message(text) {
            return Err(Error::new(name, message));
        }
        let message = "no column has geometries as WKT, such as POLYGON ((0 0, 1 0, 1 1, 0 0)); \
                       a field that contains the separator must be in double quotes";
        return Err(Error::new(name, message));
    };
    if let Some((line, fault)) = quotes::fault(text, columns.separator) {
        return Err(Error::at(name, format!("line {line}"), fault));
    }
    let id = columns.id(options.id_property.as_deref()).map_err(|message| Error::new(name, message))?;
    let mut rows = CsvReader {
        file: name,
        go_on: options.skip_invalid,
        id,
        geometry: columns.geometries[0],
        ids: Ids::default(),
        scene: Scene::default(),
        repairs: Repairs::new(options.repair),
        notes: Notes::default(),
        srids: BTreeSet::new(),
    };
    let headers = usize::from(!columns.names.is_empty());
    let mut fields = 0;
    for (index, record) in reader(text, columns.separator).records().enumerate() {
        let record = record.map_err(|error| Error::new(name, format!("not CSV: {error}")))?;
        if index == 0 {
            fields = record.len();
        }
        if index >= headers {
            rows.row(index - headers, &record, fields)?;
        }
    }
    let CsvReader { mut scene, notes, srids, .. } = rows;
    let (named, ignored) = unread(&columns, id, &srids).into_texts();
    scene.warnings = notes.texts("row");
    scene.warnings.extend(named);
    scene.ignored = ignored;
    Ok(scene)
}

/// Names the columns that are not read, and the coordinate systems.
fn unread(columns: &Columns, id: Option<usize>, srids: &BTreeSet<Rc<str>>) -> Unread {
    let mut unread = Unread::default();
    let title =
        |&column: &usize| columns.names.get(column).map_or(format!("{}", column + 1), |name| format!("`{name}`"));
    let (read, further) = (columns.geometries[0], &columns.geometries[1..]);
    if !further.is_empty() {
        let further: Vec<String> = further.iter().map(title).collect();
        let says = format!("{FURTHER} are not read: {}; {} is read", further.join(", "), title(&read));
        unread.name(&says, || None);
    }
    let is_other = |column: &usize| Some(*column) != id && !columns.geometries.contains(column);
    if (0..columns.names.len()).any(|column| is_other(&column)) {
        unread.ignore("row", OTHERS);
    }
    if !srids.is_empty() {
        let all: Vec<&str> = srids.iter().map(|srid| &**srid).collect();
        let says =
            format!("the coordinate system ({SRID} {}) is not read: coordinates are planar, as given", all.join(", "));
        unread.name(&says, || None);
    }
    unread
}

/// State while the rows are read.
struct CsvReader<'a> {
    file: &'a str,
    /// True if a refused row is added to the list. False if it is an error.
    go_on: bool,
    /// Column of the id.
    id: Option<usize>,
    /// Column of the geometry.
    geometry: usize,
    ids: Ids,
    scene: Scene,
    repairs: Repairs,
    notes: Notes,
    /// Coordinate systems of all geometries.
    srids: BTreeSet<Rc<str>>,
}

impl CsvReader<'_> {
    /// Reads a row. The first row after the header has the index 0. `fields`: number of fields of the first row.
    fn row(&mut self, index: usize, record: &StringRecord, fields: usize) -> Result<(), Error> {
        let field = record.get(self.geometry).unwrap_or_default();
        let name = self.id.and_then(|id| record.get(id)).map(str::trim).filter(|name| !name.is_empty());
        if record.len() != fields {
            let message = format!(
                "{} fields, but the first row has {fields}; a field that contains the separator must be in double quotes",
                record.len()
            );
            return self.refuse(index, record, name, "", message);
        }
        if field.trim().is_empty() {
            self.notes.empty += 1;
            return Ok(());
        }
        let (figures, srid) = match figures(field) {
            Ok(found) => found,
            Err(message) => return self.refuse(index, record, name, "", message),
        };
        if figures.found.is_empty() {
            self.notes.empty += 1;
            return Ok(());
        }
        match Geometry::Several(figures.found).build(&mut self.repairs) {
            Ok((shape, pose)) => {
                self.notes.add(figures.counts);
                self.srids.extend(srid.map(Rc::from));
                let id = self.ids.unique(name.map_or_else(|| format!("#{index}"), str::to_owned));
                self.scene.repaired.extend(self.repairs.take(&id));
                let origin = Origin { name: name.map(Arc::from), ..Origin::default() };
                self.scene.colliders.push(SceneCollider { origin, ..SceneCollider::new(id, shape, pose) });
                Ok(())
            }
            Err(error) => {
                // The changes of its other parts do not count.
                let _ = self.repairs.take("");
                self.refuse(index, record, name, &error.path(), error.message)
            }
        }
    }

    /// Refuses a row: an error, or an entry in the list of refused objects.
    fn refuse(
        &mut self,
        index: usize,
        record: &StringRecord,
        name: Option<&str>,
        path: &str,
        message: String,
    ) -> Result<(), Error> {
        let line = record.position().map_or(0, csv::Position::line);
        let path = if path.is_empty() { String::new() } else { format!(", {path}") };
        if !self.go_on {
            let name = name.map_or(String::new(), |name| format!(" \"{name}\""));
            return Err(Error::at(self.file, format!("line {line}, row {}{name}{path}", index + 1), message));
        }
        let object = name.map_or_else(|| format!("#{index}"), str::to_owned);
        self.scene.skipped.push(SkippedObject { object, reason: format!("line {line}{path}: {message}") });
        Ok(())
    }
}
