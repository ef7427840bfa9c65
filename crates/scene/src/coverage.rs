//! Lists which parts of each format are read.
//!
//! Each part (element, attribute, key, chunk) has one of three [`Treatment`]s. Parts that could
//! change a collider are named in [`Scene::warnings`](crate::Scene::warnings), and all others in
//! [`Scene::ignored`](crate::Scene::ignored). Parts that are on no list are named too.
//! `docs/FORMATS.md` is written from these lists.
use crate::unread::Entry;
use crate::{Format, csv_wkt, geojson, png, svg, tiled};

pub use crate::unread::{Part, Treatment};

/// Returns the parts of a format, grouped by parent. None for scene JSON: all its keys are read, and any
/// other key is an error. The function `schema`, of the feature with this name, lists them.
///
/// ```
/// use carom_scene::{Format, coverage::{Treatment, parts}};
///
/// let find = |name| parts(Format::Tmx).into_iter().find(|p| p.parent == "object" && p.name == name);
/// assert_eq!(find("rotation").unwrap().treatment, Treatment::Read);
/// assert_eq!(find("visible").unwrap().treatment, Treatment::Named);
/// ```
#[must_use]
pub fn parts(format: Format) -> Vec<Part> {
    let entries = match format {
        // Its schema is the list: it is written from the types that read it.
        Format::Scene => &[],
        Format::Tmx => tiled::XML_COVERAGE,
        Format::Tmj => tiled::JSON_COVERAGE,
        Format::GeoJson => geojson::COVERAGE,
        Format::Csv => csv_wkt::COVERAGE,
        Format::Svg => svg::COVERAGE,
        Format::Png => png::COVERAGE,
    };
    entries.iter().flat_map(Entry::parts).collect()
}
