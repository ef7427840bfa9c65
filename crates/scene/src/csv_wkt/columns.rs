//! Finds the separator of a CSV file and its columns.
//!
//! Input: the text. Output: the separator, the names of the columns, and the columns with
//! geometries.
//!
//! ```text
//! for each separator: comma, semicolon, tab, vertical bar
//!     for each of the first 100 rows: if a field is a complete geometry, the layout is found
//! the same again for fields that only start as a geometry
//! both again for all rows
//! the first row is a header if it has no geometry
//! ```
//!
//! A separator cannot be guessed by its frequency: WKT contains commas itself. Complete geometries
//! come first, because a field that was split at the wrong separator only starts as one.

use csv::{Reader, ReaderBuilder, StringRecord};

use super::wkt::{is_whole_geometry, starts_as_geometry};

/// Separators, in the order in which they are tried.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Rows in which a geometry is searched first. The first rows may have none.
const SEARCHED: usize = 100;

/// Layout of a file.
#[derive(Debug, PartialEq)]
pub(super) struct Columns {
    pub(super) separator: u8,
    /// Names of the columns. Empty if the first row is data.
    pub(super) names: Vec<String>,
    /// Columns with a geometry, in the order of the file. Only the first is read.
    pub(super) geometries: Vec<usize>,
}

/// Bytes in which a geometry is searched to detect the format: a file of another format can be large.
const DETECTED: usize = 1 << 20;

/// Returns true if a text is a table with a geometry, or the start of one, in its first megabyte.
pub(crate) fn is_table(text: &str) -> bool {
    Columns::find(first_megabyte(text)).is_some()
}

fn first_megabyte(text: &str) -> &str {
    let end = (0..=text.len().min(DETECTED)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}

/// Returns the message for a table whose geometries are WKB (well-known binary) in hexadecimal digits; `None` for
/// other texts.
pub(crate) fn wkb_message(text: &str) -> Option<String> {
    let text = first_megabyte(text);
    SEPARATORS.into_iter().find_map(|separator| {
        let rows = || reader(text, separator).into_records().take(SEARCHED).map_while(Result::ok);
        let column = rows().find_map(|row| row.iter().position(is_wkb))?;
        let name = rows().next()?.get(column).filter(|name| !is_wkb(name)).map(str::to_string);
        let place = name.as_ref().map_or_else(|| (column + 1).to_string(), |name| format!("`{name}`"));
        let argument = name.as_deref().unwrap_or("…");
        Some(format!(
            "the column {place} has geometries as WKB, which is not read: write them as WKT, such as with \
             ST_AsText({argument})"
        ))
    })
}

/// Returns true for the hexadecimal digits of a WKB geometry: the byte order, and at least a type and a count.
fn is_wkb(field: &str) -> bool {
    let field = field.trim();
    field.len() >= 18 && (field.starts_with("00") || field.starts_with("01")) && {
        field.len().is_multiple_of(2) && field.bytes().all(|byte| byte.is_ascii_hexdigit())
    }
}

impl Columns {
    /// Finds the layout. A separator with a complete geometry is preferred to one with the start of
    /// a geometry. So a broken geometry is found, and its row is refused.
    pub(super) fn find(text: &str) -> Option<Self> {
        let by = |is_geometry: fn(&str) -> bool, rows: usize| {
            SEPARATORS.into_iter().find_map(|separator| Self::separated(text, separator, is_geometry, rows))
        };
        let within = |rows| by(is_whole_geometry, rows).or_else(|| by(starts_as_geometry, rows));
        within(SEARCHED).or_else(|| within(usize::MAX))
    }

    /// Finds the first of `rows` rows with a geometry.
    fn separated(text: &str, separator: u8, is_geometry: fn(&str) -> bool, rows: usize) -> Option<Self> {
        let mut names = None;
        for record in reader(text, separator).records().take(rows) {
            let record = record.ok()?;
            let found = |(i, field): (usize, &str)| is_geometry(field).then_some(i);
            let geometries: Vec<usize> = record.iter().enumerate().filter_map(found).collect();
            let is_header = names.is_none() && geometries.is_empty();
            let names = names.get_or_insert_with(|| if is_header { texts(&record) } else { Vec::new() });
            if !geometries.is_empty() {
                return Some(Self { separator, names: std::mem::take(names), geometries });
            }
        }
        None
    }

    /// Returns the column of the id: `wanted` as written, else `id`, else `name` in upper or lower case. Fails if there
    /// is no column `wanted`.
    pub(super) fn id(&self, wanted: Option<&str>) -> Result<Option<usize>, String> {
        let Some(wanted) = wanted else {
            let named = |name: &str| self.names.iter().position(|own| own.eq_ignore_ascii_case(name));
            return Ok(named("id").or_else(|| named("name")));
        };
        let column = self.names.iter().position(|name| name == wanted);
        column.map(Some).ok_or_else(|| match &*self.names {
            [] => format!("no column is called `{wanted}`: the file has no header"),
            names => format!("no column is called `{wanted}`; the columns are {}", names.join(", ")),
        })
    }
}

/// Returns a reader of all rows, the header included. Rows may have different numbers of fields.
pub(super) fn reader(text: &str, separator: u8) -> Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).delimiter(separator).flexible(true).from_reader(text.as_bytes())
}

fn texts(record: &StringRecord) -> Vec<String> {
    record.iter().map(|name| name.trim().to_owned()).collect()
}
