//! Reads the metadata of Parquet files: the sizes of their row groups, and the key `geo` of GeoParquet (version 1.1).
//!
//! The key names the geometry column, its encoding and its coordinate reference system. A join
//! refuses encodings other than WKB, and spherical edges: the library computes in the plane. Plain
//! Parquet has no such key.

use std::sync::Arc;

use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use datafusion::parquet::file::metadata::ParquetMetaData;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _};
use serde_json::Value;

use super::sizes::Sizes;

/// The parts of the metadata that a join needs.
#[derive(Clone, Debug)]
pub(crate) struct GeoMetadata {
    /// Name of the primary geometry column.
    pub(crate) column: String,
    /// Its coordinate reference system as compact JSON, if the file names one.
    pub(crate) crs: Option<String>,
}

/// Reads the metadata of a file.
///
/// # Errors
/// If the file is not Parquet, or if it is damaged.
pub(super) async fn metadata(store: &dyn ObjectStore, path: &Path) -> Result<Arc<ParquetMetaData>, String> {
    let object = store.head(path).await.map_err(|error| error.to_string())?;
    DFParquetMetadata::new(store, &object)
        .fetch_metadata()
        .await
        .map_err(|error| format!("not a whole Parquet file, it may be truncated: {}", error.strip_backtrace()))
}

/// Adds the sizes of the row groups of a file, for some columns.
pub(super) fn add_sizes(metadata: &ParquetMetaData, file: &str, columns: &[&str], sizes: &mut Sizes) {
    for group in metadata.row_groups() {
        let (mut decoded, mut written) = (0, 0);
        for column in group.columns() {
            let name = column.column_path().parts().first().map_or("", String::as_str);
            if columns.contains(&name) {
                decoded += column.uncompressed_size().max(0) as u64;
                written += column.compressed_size().max(0) as u64;
            }
        }
        sizes.add_group(file, group.num_rows().max(0) as u64, decoded, written);
    }
}

/// Returns the GeoParquet metadata of a file; `None` for plain Parquet.
///
/// # Errors
/// If the encoding is not WKB, among others.
pub(super) fn geo_metadata(metadata: &ParquetMetaData) -> Result<Option<GeoMetadata>, String> {
    let metadata = metadata.file_metadata().key_value_metadata();
    let Some(text) = metadata.and_then(|pairs| pairs.iter().find(|pair| pair.key == "geo")?.value.as_deref()) else {
        return Ok(None);
    };
    let geo: Value =
        serde_json::from_str(text).map_err(|error| format!("the GeoParquet metadata is not JSON: {error}"))?;
    let column = geo["primary_column"].as_str().ok_or("the GeoParquet metadata names no primary_column")?.to_owned();
    let described = &geo["columns"][&column];
    match described["encoding"].as_str() {
        Some("WKB") => {}
        other => {
            return Err(format!(
                "column {column} has the encoding {}; only WKB can be read",
                other.unwrap_or("(none)")
            ));
        }
    }
    if described["edges"].as_str() == Some("spherical") {
        return Err(format!("column {column} has spherical edges; only planar ones can be joined"));
    }
    let crs = Some(&described["crs"]).filter(|crs| !crs.is_null()).map(Value::to_string);
    Ok(Some(GeoMetadata { column, crs }))
}
