//! Opens inputs: files of a known format, as tables of the engine.
//!
//! Input: a path, a glob or an address, and the names of columns that the user gave. Output: a [`Source`] with
//! the files, the columns of id and geometry as SQL, and the coordinate reference system.
//!
//! ```text
//! find the files; the suffix names their format, which must be the same for all
//! GeoJSON: convert each file to Parquet
//! CSV: find the columns and types of all files
//! add the files to the session as one table
//! geometry column: the name from the user, else the name in the GeoParquet metadata,
//!     else the first of some usual names
//! sizes of the rows: from the metadata and the pages of Parquet files, or from samples of CSV files
//! coordinate reference system: that of the first file with a known one; another one of a later file is an error
//! ```

mod csv;
mod features;
mod find;
mod geojson;
mod groups;
mod pages;
mod parquet;
mod sizes;
mod thrift;

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use csv::CsvColumns;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::file::metadata::ParquetMetaData;
use datafusion::prelude::{DataFrame, ParquetReadOptions, SessionContext};
pub(crate) use find::SourceFile;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use groups::Measure;
use object_store::ObjectStoreExt as _;
use parquet::GeoMetadata;
pub(crate) use sizes::{LargestPage, RowGroup, Sizes};

use crate::error::Failure;

/// Maximum number of concurrent requests for sizes or metadata of files.
const REQUESTS: usize = 16;

/// Names of geometry columns that are tried if nothing names one.
const GEOMETRY_NAMES: [&str; 6] = ["geometry", "geom", "wkb_geometry", "wkb", "wkt", "shape"];

/// A format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Parquet,
    Csv,
    GeoJson,
    GeoJsonLines,
}

impl Format {
    /// Returns the format that a suffix names.
    fn of(file: &SourceFile) -> Result<Self, Failure> {
        match file.suffix().to_ascii_lowercase().as_str() {
            "parquet" | "geoparquet" | "pq" => Ok(Self::Parquet),
            "csv" => Ok(Self::Csv),
            "geojson" | "json" => Ok(Self::GeoJson),
            "ndjson" | "jsonl" | "geojsonl" | "geojsonseq" => Ok(Self::GeoJsonLines),
            _ => Err(Failure::input(format!(
                "{}: the format is not known by this suffix; .parquet, .geoparquet, .geojson, .json, .ndjson, .geojsonl \
                 and .csv are",
                file.name
            ))),
        }
    }
}

/// An input of a join: a table of the engine.
#[derive(Debug)]
pub(crate) struct Source {
    table: String,
    files: Vec<SourceFile>,
    format: Format,
    /// The columns, as SQL.
    id: String,
    geometry: String,
    is_text: bool,
    schema: Schema,
    /// The columns, if the format is CSV.
    csv: Option<CsvColumns>,
    crs: Option<String>,
    sizes: Sizes,
}

/// The names of the columns that the user gave.
#[derive(Clone, Copy, Default)]
pub(crate) struct Columns<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) geometry: Option<&'a str>,
    /// A condition on the rows as SQL. It reads further columns.
    pub(crate) filter: Option<&'a str>,
    /// True if ids of CSV files stay text, even if the first ones are integers.
    pub(crate) text_ids: bool,
}

impl Source {
    /// Opens an input of a join: finds its files and the columns of the id and the geometry. `reader` has the bytes
    /// that a reader can hold, or nothing if another process reads the files.
    pub(crate) async fn open(
        session: &SessionContext,
        table: &str,
        input: &str,
        columns: Columns<'_>,
        temp: &Path,
        reader: Option<u64>,
    ) -> Result<Self, Failure> {
        let mut source = Self::open_table(session, table, input, temp).await?;
        let geo = match source.files_in_parquet() {
            [] => None,
            [first, ..] => source.geo_metadata(session, first).await?.1,
        };
        let id = source.column("id", columns.id.unwrap_or("id"))?.to_owned();
        let geometry =
            source.find_geometry(columns.geometry.or(geo.as_ref().map(|geo| geo.column.as_str())))?.to_owned();
        if let Some(csv) = &mut source.csv {
            csv.set_id(&source.files, &id, columns.text_ids).await?;
            session.deregister_table(table)?;
            source.register(session).await?;
        }
        source.check_types(&id, &geometry)?;
        source.is_text = is_text(source.schema.field_with_name(&geometry)?.data_type());
        source.geometry = quoted(&geometry);
        if let Some(csv) = source.csv.as_ref().filter(|_| source.is_text) {
            let srids = csv.srids(&source.files, &geometry).await?;
            source.geometry =
                format!("carom_of_srid({}, {})", source.geometry, srids.iter().find(|&&srid| srid != 0).unwrap_or(&0));
            for (file, srid) in source.files.iter_mut().zip(srids) {
                file.crs = (srid != 0).then(|| parquet::crs_of("EPSG", &srid.to_string()));
            }
        }
        let read = source.columns_read(&id, &geometry, columns.filter);
        let (sizes, crs, known) = source.read_metadata(session, &geometry, &read, reader).await?;
        (source.sizes, source.crs) = (sizes, crs);
        if let Some(srid) = parquet::srid_of(source.crs()).filter(|_| known) {
            source.geometry = format!("carom_of_srid({}, {srid})", source.geometry);
        }
        source.id = match source.schema.field_with_name(&id)?.data_type() {
            // SQL takes -0.0 for 0.0, the index does not. The sum of both is 0.0. Ids of CSV are integers or text.
            float if float.is_floating() && source.csv.is_none() => {
                format!("({} + arrow_cast(0, '{float}'))", quoted(&id))
            }
            _ => quoted(&id),
        };
        Ok(source)
    }

    /// Finds the files of an input, converts GeoJSON, and adds the table to the session.
    pub(crate) async fn open_table(
        session: &SessionContext,
        table: &str,
        input: &str,
        temp: &Path,
    ) -> Result<Self, Failure> {
        let mut files = find::files(session, input).await?;
        let format = Format::of(&files[0])?;
        if let Some(other) = files.iter().find(|file| Format::of(file).is_ok_and(|other| other != format)) {
            return Err(Failure::input(format!("{input}: the files have different formats, such as {}", other.name)));
        }
        if matches!(format, Format::GeoJson | Format::GeoJsonLines) {
            for (index, file) in files.iter_mut().enumerate() {
                let to = temp.join(format!("{table}-{index}.parquet"));
                let from = file.local(session, temp).await?;
                file.url = SourceFile::of_path(&to)?.url;
                let (name, lines) = (file.name.clone(), format == Format::GeoJsonLines);
                // On a thread of its own, so that Ctrl-C ends the program meanwhile.
                let converted = tokio::task::spawn_blocking(move || geojson::convert(&from, &name, lines, &to)).await;
                file.crs = converted.map_err(|error| Failure::input(format!("{}: {error}", file.name)))??;
            }
        }
        let csv = if format == Format::Csv { Some(CsvColumns::of(session, &files).await?) } else { None };
        let mut source = Self {
            table: table.to_owned(),
            files,
            format,
            id: String::new(),
            geometry: String::new(),
            is_text: false,
            schema: Schema::empty(),
            csv,
            crs: None,
            sizes: Sizes::default(),
        };
        source.register(session).await?;
        source.schema = session.table(table).await?.schema().as_arrow().clone();
        Ok(source)
    }

    /// Adds the table to a session.
    pub(crate) async fn register(&self, session: &SessionContext) -> Result<(), Failure> {
        let frame = self.read(session, &self.files).await?;
        session.register_table(self.table.as_str(), frame.into_view())?;
        Ok(())
    }

    /// Returns the rows of one file.
    pub(crate) async fn read_file(&self, session: &SessionContext, file: &SourceFile) -> Result<DataFrame, Failure> {
        self.read(session, std::slice::from_ref(file)).await
    }

    /// Reads files as one table. All have the format of the source.
    async fn read(&self, session: &SessionContext, files: &[SourceFile]) -> Result<DataFrame, Failure> {
        let paths: Vec<String> = files.iter().map(|file| file.url.to_string()).collect();
        // The engine compares the suffix of each file with this one.
        let suffix = files[0].suffix();
        if let Some(csv) = &self.csv {
            return csv.read(session, paths, suffix).await;
        }
        let options = ParquetReadOptions { file_extension: suffix, ..ParquetReadOptions::default() };
        let frame = session.read_parquet(paths, options).await;
        frame.map_err(|error| Failure::input(format!("{}: {}", self.names(), error.strip_backtrace())))
    }

    /// Returns the files if they are Parquet; GeoJSON was converted to it.
    fn files_in_parquet(&self) -> &[SourceFile] {
        if self.format == Format::Csv { &[] } else { &self.files }
    }

    /// Reads the metadata of a Parquet file, and the part of GeoParquet.
    async fn geo_metadata(
        &self,
        session: &SessionContext,
        file: &SourceFile,
    ) -> Result<(Arc<ParquetMetaData>, Option<GeoMetadata>), Failure> {
        let failed = |reason: String| Failure::input(format!("{}: {reason}", file.name));
        let (store, path) = file.object(session).map_err(failed)?;
        let metadata = parquet::metadata(store.as_ref(), &path).await.map_err(failed)?;
        let geo = if self.format == Format::Parquet { parquet::geo_metadata(&metadata).map_err(failed)? } else { None };
        Ok((metadata, geo))
    }

    /// Returns the columns that a join reads: id, geometry, and those whose names occur in the condition.
    fn columns_read<'a>(&'a self, id: &str, geometry: &str, filter: Option<&str>) -> Vec<&'a str> {
        let names = self.schema.fields().iter().map(|field| field.name().as_str());
        names.filter(|&name| name == id || name == geometry || filter.is_some_and(|sql| may_name(sql, name))).collect()
    }

    /// Reads the sizes of the rows from the metadata of all files, or from samples, and the coordinate reference
    /// system. The last result is true if rows of Parquet are to be compared with this system, or with none. `read` are
    /// the columns that are read.
    ///
    /// # Errors
    /// If a file is damaged: it must not hide behind others. If two files have different systems.
    async fn read_metadata(
        &self,
        session: &SessionContext,
        geometry: &str,
        read: &[&str],
        reader: Option<u64>,
    ) -> Result<(Sizes, Option<String>, bool), Failure> {
        let of_file = async |file: &SourceFile| {
            let mut sizes = Sizes::default();
            let mut crs = file.crs.clone();
            let mut is_known = false;
            if self.format == Format::Csv {
                // A server may refuse to send parts of a file. Then the sizes stay unknown.
                let _ = file.sample(session, &mut sizes).await;
            } else {
                let (metadata, geo) = self.geo_metadata(session, file).await?;
                crs = crs.or(geo.and_then(|geo| geo.crs));
                if self.format == Format::Parquet {
                    let srid = parquet::srid(&metadata, geometry);
                    is_known = crs.is_some() || srid.is_some();
                    crs = crs.or(srid.filter(|&srid| srid != 0).map(|srid| parquet::crs_of("EPSG", &srid.to_string())));
                }
                let (store, path) = file.object(session).map_err(Failure::input)?;
                let measure = match reader {
                    None => Measure::Metadata,
                    Some(_) if file.is_local() => Measure::Headers,
                    Some(bytes) => Measure::SomeHeaders(bytes),
                };
                let parquet =
                    groups::File { store: store.as_ref(), path: &path, name: &file.name, metadata: &metadata };
                parquet.add_sizes(read, measure, &mut sizes).await?;
            }
            Ok::<_, Failure>((sizes, crs, is_known))
        };
        let mut of_files = pin!(stream::iter(&self.files).map(of_file).buffered(REQUESTS));
        let mut files = self.files.iter();
        let (mut all, mut any_known) = (Sizes::default(), false);
        // The first file with a known system, and the system.
        let mut known: Option<(&SourceFile, String)> = None;
        while let (Some((sizes, crs, is_known)), Some(file)) = (of_files.try_next().await?, files.next()) {
            all.merge(&sizes);
            any_known |= is_known;
            let Some(crs) = crs else { continue };
            match &known {
                None => known = Some((file, crs)),
                Some((first, of_first)) if *of_first != crs => {
                    return Err(different_crs([&first.name, &file.name], [of_first, &crs]));
                }
                Some(_) => {}
            }
        }
        Ok((all, known.map(|(_, crs)| crs), any_known))
    }

    /// Returns an error if the types of the columns cannot be those of ids and geometries.
    fn check_types(&self, id: &str, geometry: &str) -> Result<(), Failure> {
        let data_type = |name: &str| self.schema.field_with_name(name).map(Field::data_type);
        let refused = |role: &str, name: &str, data_type: &DataType, wanted: &str| {
            let file = self.names();
            Failure::input(format!(
                "{file}: column {name} has the type {data_type}; {wanted}: name another one with --{role}"
            ))
        };
        let of_id = data_type(id)?;
        if of_id.is_nested() {
            return Err(refused("id", id, of_id, "ids are numbers or texts"));
        }
        match data_type(geometry)? {
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null => Ok(()),
            text if is_text(text) => Ok(()),
            other => Err(refused("geometry", geometry, other, "geometries are binary (WKB) or text (WKT, GeoJSON)")),
        }
    }

    /// Returns the name of a column if the table has it. The error lists the columns.
    fn column<'a>(&'a self, role: &str, name: &'a str) -> Result<&'a str, Failure> {
        if self.schema.fields().is_empty() {
            return Err(Failure::input(format!("{}: the file is empty; a header is missing", self.names())));
        }
        match self.schema.field_with_name(name) {
            Ok(_) => Ok(name),
            Err(_) => Err(Failure::input(format!(
                "{}: no column {name} for the {role}; name one with --{role}: {}",
                self.names(),
                self.column_names()
            ))),
        }
    }

    /// Returns the named geometry column, or the first one with a usual name.
    fn find_geometry<'a>(&'a self, named: Option<&'a str>) -> Result<&'a str, Failure> {
        if let Some(name) = named {
            return self.column("geometry", name);
        }
        GEOMETRY_NAMES.into_iter().find(|name| self.schema.field_with_name(name).is_ok()).ok_or_else(|| {
            Failure::input(format!(
                "{}: no column with a geometry was found; name one with --geometry: {}",
                self.names(),
                self.column_names()
            ))
        })
    }

    /// Returns all names of columns, for messages.
    fn column_names(&self) -> String {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns the name of the only file, or of the first one and the number of others.
    fn names(&self) -> String {
        match &self.files[..] {
            [file] => file.name.clone(),
            files => format!("{} and {} more", files[0].name, files.len() - 1),
        }
    }

    /// Returns the size of all files.
    pub(crate) async fn bytes(&self, session: &SessionContext) -> Result<u64, Failure> {
        stream::iter(&self.files)
            .map(async |file| {
                let failed = |reason: String| Failure::input(format!("{}: {reason}", file.name));
                let (store, path) = file.object(session).map_err(failed)?;
                let object = store.head(&path).await.map_err(|error| failed(error.to_string()))?;
                Ok::<_, Failure>(object.size)
            })
            .buffered(REQUESTS)
            .try_fold(0, async |sum, size| Ok(sum + size))
            .await
    }

    /// Returns the sizes of the rows.
    pub(crate) fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Returns the name of the table.
    pub(crate) fn table(&self) -> &str {
        &self.table
    }

    /// Returns the files.
    pub(crate) fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the id column as SQL.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the geometry column as SQL.
    pub(crate) fn geometry(&self) -> &str {
        &self.geometry
    }

    /// Returns true if the geometries are text.
    pub(crate) fn is_text(&self) -> bool {
        self.is_text
    }

    /// Returns the coordinate reference system: of GeoJSON, of EWKT in CSV, of EWKB or EWKT in Parquet, and of
    /// GeoParquet unless it is `null`.
    pub(crate) fn crs(&self) -> Option<&str> {
        self.crs.as_deref()
    }
}

/// Returns the error of two inputs whose coordinates mean different places.
pub(crate) fn different_crs(names: [&str; 2], systems: [&str; 2]) -> Failure {
    let ([a, b], [of_a, of_b]) = (names, systems);
    // A whole definition is long.
    let words = if systems.iter().any(|text| text.starts_with('{')) {
        format!("{a} and {b} have different coordinate reference systems")
    } else {
        format!("{a} has the coordinate reference system {of_a}, and {b} has {of_b}")
    };
    Failure::input(format!("{words}: convert one of them"))
}

/// Returns true if the values of a column are text.
fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Returns a name as a SQL identifier.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns false if a condition certainly does not name a column: its text does not have the name, in any case.
fn may_name(sql: &str, column: &str) -> bool {
    sql.to_lowercase().contains(&column.replace('"', "\"\"").to_lowercase())
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use datafusion::parquet::arrow::ArrowWriter;

    use super::*;

    /// A reader holds id, geometry and the columns of the condition. The column `note` has 1 MB, the others far less.
    #[tokio::test]
    async fn the_condition_names_further_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet").display().to_string();
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..10));
        let texts = |text: &dyn Fn(u64) -> String| -> ArrayRef {
            Arc::new((0..10).map(|i| Some(text(i))).collect::<StringArray>())
        };
        let batch = RecordBatch::try_from_iter([
            ("id", ids),
            ("wkt", texts(&|i| format!("POINT ({i} 0)"))),
            ("note", texts(&|i| i.to_string().repeat(100_000))),
        ])
        .unwrap();
        let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let session = SessionContext::new();
        for (filter, names_note) in
            [(None, false), (Some("id > 3"), false), (Some("length(\"note\") > 3"), true), (Some("NOTE IS NULL"), true)]
        {
            let columns = Columns { filter, ..Columns::default() };
            let source = Source::open(&session, "a", &path, columns, folder.path(), Some(1 << 30)).await.unwrap();
            session.deregister_table("a").unwrap();
            let group = source.sizes().largest_row_group();
            assert_eq!(group.written > 1_000_000, names_note, "{filter:?}: {}", group.written);
            assert_eq!(group.file, path);
        }
    }

    #[test]
    fn a_quote_in_a_name_is_doubled() {
        assert!(may_name(r#""a""b" > 1"#, r#"a"b"#));
        assert!(!may_name("a > 1", r#"a"b"#));
    }
}
