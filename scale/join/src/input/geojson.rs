//! Converts GeoJSON to Parquet: a table with `id`, `geometry` (WKB) and one column per property.
//!
//! Input: a file with a feature collection, or with one feature per line. Output: a Parquet file in
//! the temporary directory.
//!
//! The engine has no reader of GeoJSON, and the whole file may not fit into memory. So the file is
//! read twice, feature by feature: first for the types of the properties, then for the rows. So the
//! memory does not grow with the file.
//!
//! The type of a property is that of all its values. Integers and other numbers together are
//! numbers; any other mixture is text.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::ArrowWriter;
use geojson::{Feature, FeatureReader};
use serde_json::Value;

use crate::error::Failure;

/// Rows of a batch, at most.
const ROWS: usize = 4096;

/// Bytes of the geometries of a batch, about.
const BATCH_BYTES: usize = 2 << 20;

/// Bytes of a row group, about. The writer and a reader hold one in memory.
const GROUP_BYTES: usize = 8 << 20;

/// The type of a property: that of all its values, or text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Float,
    Text,
}

/// Converts a file. Messages call it `name`.
pub(super) fn convert(from: &Path, name: &str, lines: bool, to: &Path) -> Result<(), Failure> {
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    for_each(from, name, lines, |feature, _| {
        for (key, value) in feature.properties.iter().flatten() {
            if let Some(kind) = kind(value) {
                let known = kinds.entry(key.clone()).or_insert(kind);
                *known = merged(*known, kind);
            }
        }
        Ok(())
    })?;
    kinds.retain(|key, _| key != "id" && key != "geometry");
    let mut fields = vec![Field::new("id", DataType::Utf8, false), Field::new("geometry", DataType::Binary, true)];
    fields.extend(kinds.iter().map(|(key, kind)| Field::new(key, kind.data_type(), true)));
    let schema = Arc::new(Schema::new(fields));
    let io = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", to.display()));
    let file = File::create(to).map_err(|error| io(&error))?;
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), None).map_err(|error| io(&error))?;
    let mut rows = Rows::new(&kinds);
    for_each(from, name, lines, |feature, number| {
        rows.push(feature, number).map_err(|reason| Failure::input(format!("{name}: feature {number}: {reason}")))?;
        if rows.len == ROWS || rows.geometry_bytes() >= BATCH_BYTES {
            writer.write(&rows.finish(&schema)?).map_err(|error| io(&error))?;
            if writer.in_progress_size() >= GROUP_BYTES {
                writer.flush().map_err(|error| io(&error))?;
            }
        }
        Ok(())
    })?;
    writer.write(&rows.finish(&schema)?).map_err(|error| io(&error))?;
    writer.close().map_err(|error| io(&error))?;
    Ok(())
}

/// Visits all features with their numbers. The first is 1. In a file of lines, it is that of the line.
fn for_each(
    path: &Path,
    name: &str,
    lines: bool,
    mut visit: impl FnMut(Feature, u64) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let file = File::open(path).map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let mut number = 0;
    if lines {
        for line in BufReader::new(file).lines() {
            number += 1;
            let line = line.map_err(|error| Failure::input(format!("{name}: line {number}: {error}")))?;
            // RFC 8142 puts a record separator before each text.
            let text = line.trim_start_matches('\u{1e}').trim();
            if text.is_empty() {
                continue;
            }
            let feature: Feature = text.parse().map_err(|error: geojson::Error| {
                Failure::input(format!("{name}: line {number}: not a feature: {error}"))
            })?;
            visit(feature, number)?;
        }
        return Ok(());
    }
    for feature in FeatureReader::from_reader(BufReader::new(file)).features() {
        number += 1;
        visit(feature.map_err(|error| Failure::input(format!("{name}: feature {number}: {error}")))?, number)?;
    }
    Ok(())
}

/// Returns the type of a value; `None` for null.
fn kind(value: &Value) -> Option<Kind> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some(Kind::Bool),
        Value::Number(number) if number.is_i64() => Some(Kind::Int),
        Value::Number(_) => Some(Kind::Float),
        _ => Some(Kind::Text),
    }
}

/// Returns the type that has the values of both types.
fn merged(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        _ if a == b => a,
        (Kind::Int, Kind::Float) | (Kind::Float, Kind::Int) => Kind::Float,
        _ => Kind::Text,
    }
}

impl Kind {
    /// Returns the type of the column in Parquet.
    fn data_type(self) -> DataType {
        match self {
            Self::Bool => DataType::Boolean,
            Self::Int => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::Text => DataType::Utf8,
        }
    }
}

/// A column that is being built.
enum Column {
    Bool(BooleanBuilder),
    Int(Int64Builder),
    Float(Float64Builder),
    Text(StringBuilder),
}

impl Column {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Bool => Self::Bool(BooleanBuilder::new()),
            Kind::Int => Self::Int(Int64Builder::new()),
            Kind::Float => Self::Float(Float64Builder::new()),
            Kind::Text => Self::Text(StringBuilder::new()),
        }
    }

    /// Appends the value of a feature. A missing value is NULL.
    fn push(&mut self, value: Option<&Value>) {
        match self {
            Self::Bool(out) => out.append_option(value.and_then(Value::as_bool)),
            Self::Int(out) => out.append_option(value.and_then(Value::as_i64)),
            Self::Float(out) => out.append_option(value.and_then(Value::as_f64)),
            Self::Text(out) => out.append_option(value.filter(|value| !value.is_null()).map(text)),
        }
    }

    /// Returns the column and empties the builder.
    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Bool(out) => Arc::new(out.finish()),
            Self::Int(out) => Arc::new(out.finish()),
            Self::Float(out) => Arc::new(out.finish()),
            Self::Text(out) => Arc::new(out.finish()),
        }
    }
}

/// Returns a text as it is, any other value as JSON.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Rows of one batch.
struct Rows {
    len: usize,
    ids: StringBuilder,
    geometries: BinaryBuilder,
    properties: Vec<(String, Column)>,
}

impl Rows {
    fn new(kinds: &BTreeMap<String, Kind>) -> Self {
        Self {
            len: 0,
            ids: StringBuilder::new(),
            geometries: BinaryBuilder::new(),
            properties: kinds.iter().map(|(key, &kind)| (key.clone(), Column::new(kind))).collect(),
        }
    }

    /// Adds a feature. Its id is the feature's, else the property `id`, else `#number`.
    fn push(&mut self, feature: Feature, number: u64) -> Result<(), String> {
        let property = feature.property("id").filter(|id| !id.is_null()).map(text);
        let id = match &feature.id {
            Some(geojson::feature::Id::String(id)) => id.clone(),
            Some(geojson::feature::Id::Number(id)) => id.to_string(),
            None => property.unwrap_or_else(|| format!("#{number}")),
        };
        self.ids.append_value(id);
        for (key, column) in &mut self.properties {
            column.push(feature.property(key));
        }
        match feature.geometry {
            None => self.geometries.append_null(),
            Some(geometry) => {
                let wkb = carom_functions::wkb_of_text(&geometry.to_string()).map_err(|error| error.to_string())?;
                self.geometries.append_value(wkb);
            }
        }
        self.len += 1;
        Ok(())
    }

    /// Returns the bytes of the geometries.
    fn geometry_bytes(&self) -> usize {
        self.geometries.values_slice().len()
    }

    /// Returns the rows as a batch and empties the builders.
    fn finish(&mut self, schema: &Arc<Schema>) -> Result<RecordBatch, Failure> {
        self.len = 0;
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.ids.finish()), Arc::new(self.geometries.finish())];
        columns.extend(self.properties.iter_mut().map(|(_, column)| column.finish()));
        Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
    }
}
