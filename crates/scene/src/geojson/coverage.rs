//! Lists the parts of GeoJSON, by RFC 7946 and its predecessor, and finds those that are not read.
//!
//! The reader sees each object before its type is known. So keys are looked up here, and keys of
//! other types of objects count as unknown.

use super::document::Object;
use crate::unread::{Entry, Named, Unread, entry, json};

const CRS: Named = Named {
    name: "crs",
    unless: "",
    says: "the coordinate reference system (crs) is not read: coordinates are planar, as given",
};

/// One entry per kind of object.
pub(crate) const COVERAGE: &[Entry] = &[
    Entry { parent: "FeatureCollection", read: &["type", "features"], named: &[CRS], ignored: &["bbox", "name"] },
    Entry {
        parent: "Feature",
        read: &["type", "id", "geometry", "properties"],
        named: &[CRS],
        ignored: &["bbox", "properties other than the id"],
    },
    Entry {
        parent: "geometry",
        read: &["type", "coordinates", "geometries"],
        named: &[CRS, Named { name: "third and later numbers of a position", unless: "", says: "" }],
        ignored: &["bbox"],
    },
];

/// Looks up the keys of an object.
pub(super) fn search(parent: &'static str, object: &Object<'_>, unread: &mut Unread) {
    let Some(entry) = entry(COVERAGE, parent) else { return };
    for (name, value) in &object.others {
        // Only null and empty values have no effect.
        let value = serde_json::from_str(value.get()).unwrap_or_default();
        json::key(COVERAGE, entry, name, &value, unread);
    }
    let misplaced = [
        ("features", object.features),
        ("geometry", object.geometry),
        ("coordinates", object.coordinates),
        ("geometries", object.geometries),
        ("id", object.id),
        ("properties", object.properties),
    ];
    for (name, _) in misplaced.iter().filter(|(name, value)| value.is_some() && !entry.read.contains(name)) {
        json::key(COVERAGE, entry, name, &serde_json::Value::Null, unread);
    }
}
