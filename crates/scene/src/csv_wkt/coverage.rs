//! Lists the parts of a CSV file with a WKT column.
//!
//! The reader names each part itself. The list is for `docs/FORMATS.md` and its test.

use crate::unread::{Entry, Named};

/// Name under which the coordinate systems of EWKT are reported.
pub(super) const SRID: &str = "SRID";
/// Columns with geometries after the first. Only one column is read.
pub(super) const FURTHER: &str = "further columns with geometries";
/// Columns without a geometry, which are ignored without a warning.
pub(super) const OTHERS: &str = "other columns";

/// The reader itself names each part.
pub(crate) const COVERAGE: &[Entry] = &[
    Entry {
        parent: "row",
        read: &["column with geometries", "column of the id"],
        named: &[Named { name: FURTHER, unless: "", says: "" }],
        ignored: &[OTHERS],
    },
    Entry {
        parent: "geometry",
        read: &super::wkt::KINDS,
        named: &[Named { name: SRID, unless: "", says: "" }, Named { name: "Z and M values", unless: "", says: "" }],
        ignored: &[],
    },
];
