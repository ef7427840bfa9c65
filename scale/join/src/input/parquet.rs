//! Reads the metadata of GeoParquet (version 1.1): the key `geo` of a Parquet file.
//!
//! The metadata name the geometry column, its encoding and its coordinate reference system. A join
//! refuses encodings other than WKB, and spherical edges: the library computes in the plane. Plain
//! Parquet has no such key.

use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _};
use serde_json::Value;

/// The parts of the metadata that a join needs.
#[derive(Clone, Debug)]
pub(crate) struct GeoMetadata {
    /// Name of the primary geometry column.
    pub(crate) column: String,
    /// Its coordinate reference system as compact JSON, if the file names one.
    pub(crate) crs: Option<String>,
}

/// Reads the metadata; `None` for plain Parquet.
///
/// # Errors
/// If the file is not Parquet, if it is damaged, or if the encoding is not WKB.
pub(super) async fn geo_metadata(store: &dyn ObjectStore, path: &Path) -> Result<Option<GeoMetadata>, String> {
    let object = store.head(path).await.map_err(|error| error.to_string())?;
    let metadata = DFParquetMetadata::new(store, &object)
        .fetch_metadata()
        .await
        .map_err(|error| format!("not a whole Parquet file, it may be truncated: {}", error.strip_backtrace()))?;
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
