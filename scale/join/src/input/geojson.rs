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
//! numbers; any other mixture is text. Ids are integers if all are, else text as in the file.
//!
//! The coordinate reference system is longitude and latitude (RFC 7946), unless the document names another one.
//!
//! A geometry that cannot be read is no error here. Its text is kept, so that the join refuses it by file, row and id,
//! or leaves it out.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::ArrowWriter;
use serde_json::Value;

use super::features::{Feature, for_each};
use super::parquet::DEFAULT_CRS;
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

/// Converts a file. Messages call it `name`. Returns its coordinate reference system; `None` if it is unknown.
pub(super) fn convert(from: &Path, name: &str, lines: bool, to: &Path) -> Result<Option<String>, Failure> {
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    let mut ids = None;
    let crs = for_each(from, name, lines, false, |feature, number| {
        let kind_of_id = match kind(&id(&feature, number)) {
            Some(Kind::Int) => Kind::Int,
            _ => Kind::Text,
        };
        ids = Some(ids.map_or(kind_of_id, |ids| merged(ids, kind_of_id)));
        for (key, value) in &feature.properties {
            if let Some(kind) = kind(value) {
                let known = kinds.entry(key.clone()).or_insert(kind);
                *known = merged(*known, kind);
            }
        }
        Ok(())
    })?;
    kinds.retain(|key, _| key != "id" && key != "geometry");
    let ids = ids.unwrap_or(Kind::Text);
    let mut fields = vec![Field::new("id", ids.data_type(), false), Field::new("geometry", DataType::Binary, true)];
    fields.extend(kinds.iter().map(|(key, kind)| Field::new(key, kind.data_type(), true)));
    let schema = Arc::new(Schema::new(fields));
    let io = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", to.display()));
    let file = File::create(to).map_err(|error| io(&error))?;
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), None).map_err(|error| io(&error))?;
    let mut rows = Rows::new(ids, &kinds);
    for_each(from, name, lines, true, |feature, number| {
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
    Ok(crs.map_or_else(|| Some(DEFAULT_CRS.to_owned()), |crs| crs_name(&crs)))
}

/// Returns the name of the coordinate reference system in a member `crs`, as GeoJSON had it before RFC 7946; `None` if
/// it is `null` or has another form.
fn crs_name(member: &Value) -> Option<String> {
    let name = member["properties"]["name"].as_str()?;
    let name = match name.split(':').collect::<Vec<_>>()[..] {
        ["urn", "ogc", "def", "crs", authority, _version, code] => format!("{authority}:{code}"),
        _ => name.to_owned(),
    };
    Some(if name == "EPSG:4326" { DEFAULT_CRS.to_owned() } else { name })
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

/// Returns the id of a feature: its own, else the property `id`, else `#number`.
fn id(feature: &Feature, number: u64) -> Value {
    let property = feature.properties.get("id").unwrap_or(&Value::Null);
    let id = [&feature.id, property].into_iter().find(|id| !id.is_null());
    id.cloned().unwrap_or_else(|| Value::String(format!("#{number}")))
}

/// Returns a text as it is, any other value as JSON.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Rows of one batch.
struct Rows {
    len: usize,
    ids: Column,
    geometries: BinaryBuilder,
    properties: Vec<(String, Column)>,
}

impl Rows {
    fn new(ids: Kind, kinds: &BTreeMap<String, Kind>) -> Self {
        Self {
            len: 0,
            ids: Column::new(ids),
            geometries: BinaryBuilder::new(),
            properties: kinds.iter().map(|(key, &kind)| (key.clone(), Column::new(kind))).collect(),
        }
    }

    /// Adds a feature.
    fn push(&mut self, feature: Feature, number: u64) -> Result<(), String> {
        self.ids.push(Some(&id(&feature, number)));
        for (key, column) in &mut self.properties {
            column.push(feature.properties.get(key.as_str()));
        }
        match feature.geometry {
            Value::Null => self.geometries.append_null(),
            Value::Object(geometry) => {
                let text = Value::Object(geometry).to_string();
                // The functions recognize the text, and return the reason of its refusal.
                self.geometries.append_value(carom_functions::wkb_of_text(&text).unwrap_or(text.into_bytes()));
            }
            _ => return Err("the geometry is neither an object nor null".to_owned()),
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
        let mut columns: Vec<ArrayRef> = vec![self.ids.finish(), Arc::new(self.geometries.finish())];
        columns.extend(self.properties.iter_mut().map(|(_, column)| column.finish()));
        Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
    }
}
