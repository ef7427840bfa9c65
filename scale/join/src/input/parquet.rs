//! Reads the metadata of Parquet files: the sizes of their row groups, and the key `geo` of GeoParquet (version 1.1).
//!
//! The key names the geometry column, its encoding and its coordinate reference system. A join
//! refuses encodings other than WKB, and spherical edges: the library computes in the plane. Plain
//! Parquet has no such key.
//!
//! The metadata has no sizes of pages. A reader decodes a whole page, and some writers fill pages by rows. So the headers
//! of the first pages of the largest column chunks are read.

use std::ops::Range;
use std::sync::Arc;

use carom_functions::srid_at_start;
use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _};
use serde_json::Value;

use super::sizes::{RowGroup, Sizes};

/// Column chunks of a file whose pages are tested, at most.
const CHUNKS: usize = 16;

/// Bytes of a column chunk from which its pages are tested.
const LARGE_CHUNK: i64 = 8 << 20;

/// Bytes of a page header up to its sizes.
const HEADER_BYTES: u64 = 32;

/// Pages that a reader holds: rows of a batch can be in two.
const PAGES: u64 = 2;

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

/// Adds the sizes of the row groups of a file, for some columns.
pub(super) async fn add_sizes(
    store: &dyn ObjectStore,
    path: &Path,
    metadata: &ParquetMetaData,
    file: &str,
    columns: &[&str],
    sizes: &mut Sizes,
) {
    let is_read = |column: &&ColumnChunkMetaData| {
        let name = column.column_path().parts().first().map_or("", String::as_str);
        columns.contains(&name)
    };
    // Pages that are not compressed are parts of the row group in memory.
    let is_large = |column: &&ColumnChunkMetaData| {
        column.compression() != Compression::UNCOMPRESSED && column.uncompressed_size() >= LARGE_CHUNK
    };
    let groups = metadata.row_groups();
    let mut chunks: Vec<_> = groups
        .iter()
        .enumerate()
        .flat_map(|(index, group)| {
            group.columns().iter().filter(is_read).filter(is_large).map(move |column| (index, column))
        })
        .collect();
    chunks.sort_by_key(|(_, column)| -column.uncompressed_size());
    chunks.truncate(CHUNKS);
    let mut pages = vec![0; groups.len()];
    for (index, column) in chunks {
        // A server may refuse to send parts of a file. Then the pages stay unknown.
        let held = held_pages(store, path, column).await.unwrap_or(0);
        pages[index] += held.min(column.uncompressed_size().max(0) as u64);
    }
    for ((index, group), pages) in groups.iter().enumerate().zip(pages) {
        let (mut decoded, mut written) = (0, 0);
        for column in group.columns().iter().filter(is_read) {
            decoded += column.uncompressed_size().max(0) as u64;
            written += column.compressed_size().max(0) as u64;
        }
        let row_group = RowGroup { file: file.to_owned(), index, written, pages };
        sizes.add_group(row_group, group.num_rows().max(0) as u64, decoded);
    }
}

/// Returns the decoded bytes of the pages of a column chunk that a reader holds: the dictionary, and pages of the size of
/// the first one. `None` if they cannot be read.
async fn held_pages(store: &dyn ObjectStore, path: &Path, column: &ColumnChunkMetaData) -> Option<u64> {
    let header = |offset: i64| -> Option<Range<u64>> {
        let offset = u64::try_from(offset).ok()?;
        Some(offset..offset + HEADER_BYTES)
    };
    let first = header(column.data_page_offset())?;
    let dictionary = column.dictionary_page_offset().and_then(header);
    let ranges: Vec<_> = std::iter::once(first).chain(dictionary).collect();
    let headers = store.get_ranges(path, &ranges).await.ok()?;
    let page = decoded_bytes(headers.first()?)?;
    Some(PAGES * page + headers.get(1).and_then(|header| decoded_bytes(header)).unwrap_or(0))
}

/// Returns the decoded bytes of a page from the start of its header.
///
/// The header is a structure in the compact protocol of Thrift. Its first fields are the type of the page and its decoded
/// bytes, both of the type i32: a byte with the distance to the last field and the type, then a zigzag number of 7 bits per
/// byte.
fn decoded_bytes(header: &[u8]) -> Option<u64> {
    /// The next field, of the type i32.
    const NEXT_I32: u8 = 0x15;
    let mut bytes = header.iter().copied();
    let mut number = || {
        let mut value = 0_u64;
        (bytes.next()? == NEXT_I32).then_some(())?;
        for shift in (0..35).step_by(7) {
            let byte = bytes.next()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                // Sizes are not negative.
                return Some(value >> 1);
            }
        }
        None
    };
    number()?;
    number()
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
/// EWKB starts with the type and the SRID. So values of one type and SRID are all between two of this SRID. A column with
/// several types and rows without an SRID can have both ends without one. Then its rows with an SRID are not valid.
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

    /// Headers of pages that pyarrow wrote: of 163 873 799 bytes, and of a dictionary of 163 873 792 bytes.
    #[test]
    fn sizes_in_headers_of_pages() {
        assert_eq!(decoded_bytes(&[0x15, 0x00, 0x15, 0x8e, 0x90, 0xa4, 0x9c, 0x01, 0x15]), Some(163_873_799));
        assert_eq!(decoded_bytes(&[0x15, 0x04, 0x15, 0x80, 0x90, 0xa4, 0x9c, 0x01, 0x15]), Some(163_873_792));
        assert_eq!(decoded_bytes(&[0x15, 0x04, 0x16, 0x80]), None);
        assert_eq!(decoded_bytes(&[0x15, 0x00, 0x15, 0x8e]), None);
    }

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
