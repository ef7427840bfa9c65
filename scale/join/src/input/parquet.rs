//! Reads the metadata of Parquet files: the key `geo` of GeoParquet (version 1.1), and the SRID of EWKB.
//!
//! The key names the geometry column, its encoding and its coordinate reference system. A join
//! refuses encodings other than WKB, and spherical edges: the library computes in the plane. Plain
//! Parquet has no such key.

use std::sync::Arc;

use carom_functions::srid_at_start;
use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use datafusion::parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _};
use serde_json::Value;

/// The coordinate reference system of a file that names none: longitude and latitude.
pub(super) const DEFAULT_CRS: &str = "OGC:CRS84";

/// The parts of the metadata that a join needs.
#[derive(Clone, Debug)]
pub(crate) struct GeoMetadata {
    /// Name of the primary geometry column.
    pub(crate) column: String,
    /// Its coordinate reference system: `authority:code`, or compact JSON. `None` if it is unknown.
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
    let crs = match described.get("crs") {
        None => Some(DEFAULT_CRS.to_owned()),
        Some(Value::Null) => None,
        Some(crs) => Some(crs_name(crs)),
    };
    Ok(Some(GeoMetadata { column, crs }))
}

/// Returns the identifier of a coordinate reference system, or its whole definition if it has none.
///
/// Coordinates of GeoParquet are in the order x, y. So EPSG:4326 is the default system.
fn crs_name(crs: &Value) -> String {
    let (authority, code) = (crs["id"]["authority"].as_str(), &crs["id"]["code"]);
    let code = code.as_str().map_or_else(|| code.to_string(), str::to_owned);
    authority.map_or_else(|| crs.to_string(), |authority| crs_of(authority, &code))
}

/// Returns the SRID of the geometries in a column, from the least and greatest values that the metadata has; 0 if these
/// have none. `None` without such values.
///
/// EWKB starts with the type and the SRID. So values of one type and SRID are all between two of this SRID. A column
/// with several types and rows without an SRID can have both ends without one. Then its rows with an SRID are not
/// valid.
pub(super) fn srid(metadata: &ParquetMetaData, column: &str) -> Option<u32> {
    let chunks = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let of_column = chunks.filter(|chunk| chunk.column_path().string() == column);
    let ends = of_column
        .filter_map(ColumnChunkMetaData::statistics)
        .flat_map(|statistics| [statistics.min_bytes_opt(), statistics.max_bytes_opt()].into_iter().flatten());
    let mut srids = ends.map(srid_at_start).peekable();
    srids.peek()?;
    Some(srids.find(|&srid| srid != 0).unwrap_or(0))
}

/// Returns the SRID with the meaning of a coordinate reference system, 0 for none. `None` if it is not known.
pub(super) fn srid_of(crs: Option<&str>) -> Option<u32> {
    match crs {
        None => Some(0),
        Some(DEFAULT_CRS) => Some(4326),
        Some(other) => other.strip_prefix("EPSG:")?.parse().ok(),
    }
}

/// Returns `authority:code`; the default system for EPSG:4326 in the order x, y.
pub(super) fn crs_of(authority: &str, code: &str) -> String {
    let name = format!("{authority}:{code}");
    if name == "EPSG:4326" { DEFAULT_CRS.to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A definition has many forms. Its identifier has one.
    #[test]
    fn crs_names() {
        let epsg = |code: Value| crs_name(&json!({"name": "x", "id": {"authority": "EPSG", "code": code}}));
        assert_eq!(epsg(json!(3857)), "EPSG:3857");
        assert_eq!(epsg(json!("3857")), "EPSG:3857");
        assert_eq!(epsg(json!(4326)), "OGC:CRS84");
        assert_eq!(crs_name(&json!({"name": "x"})), r#"{"name":"x"}"#);
    }
}
