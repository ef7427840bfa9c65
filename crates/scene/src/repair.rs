//! Repairs outlines that cross or overlap themselves, if the reader was told to.
//!
//! Input: rings as in the file. Output: shapes of valid polygons, and a count of the changes per
//! object. `carom::decompose::repair` does the work. This module decides which errors it can
//! remove: crossings, overlaps and misplaced holes, but not numbers out of range.

use std::fmt;

use carom::decompose::{FillRule, PolygonWithHoles, Repair, RepairChanges, repair};
use carom::{DVec2, Error, ErrorKind, Pose, Shape};

/// Object whose outline was repaired.
///
/// ```
/// use carom::decompose::FillRule;
/// use carom_scene::{Options, read};
///
/// let bow_tie = br#"{"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}"#;
/// let mut no_files = |_: &str| Err(std::io::ErrorKind::NotFound.into());
/// let options = Options { repair: Some(FillRule::EvenOdd), ..Options::default() };
/// let scene = read("bow.geojson", bow_tie, &options, &mut no_files)?;
/// assert_eq!(scene.repaired[0].to_string(), "#0: 1 crossing became a vertex; 2 polygons");
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairedObject {
    /// Id of the object, as in contacts.
    pub object: String,
    /// The differences from the outline in the file.
    pub changes: RepairChanges,
}

impl fmt::Display for RepairedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RepairChanges { crossings, overlaps, duplicate_points, flat_rings, absorbed_rings, polygons, .. } =
            self.changes;
        let parts = [
            (crossings, "crossing became a vertex", "crossings became vertices"),
            (overlaps, "edge on another edge was merged", "edges on other edges were merged"),
            (duplicate_points, "repeated point was removed", "repeated points were removed"),
            (flat_rings, "ring without area was removed", "rings without area were removed"),
            (absorbed_rings, "ring that bounds nothing was removed", "rings that bound nothing were removed"),
        ];
        let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
        let texts: Vec<String> =
            parts.map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many })).collect();
        let changes = if texts.is_empty() { "rings were linked in another way".to_owned() } else { texts.join(", ") };
        let plural = if polygons == 1 { "" } else { "s" };
        write!(f, "{}: {changes}; {polygons} polygon{plural}", self.object)
    }
}

/// Builds shapes of outlines, and counts the changes.
#[derive(Debug)]
pub(crate) struct Repairs {
    /// `None`: outlines are refused as they are.
    rule: Option<FillRule>,
    changes: Option<RepairChanges>,
}

impl Repairs {
    pub(crate) fn new(rule: Option<FillRule>) -> Self {
        Self { rule, changes: None }
    }

    /// Returns true if outlines are repaired.
    pub(crate) fn are_on(&self) -> bool {
        self.rule.is_some()
    }

    /// Returns the shape of a polygon. Repairs it by the rule of the options.
    pub(crate) fn polygon(&mut self, outer: &[DVec2], holes: &[Vec<DVec2>]) -> Result<Shape, Error> {
        match (Shape::polygon_with_holes(outer, holes), self.rule) {
            (Err(error), Some(rule)) if is_repairable(&error, outer.len()) => {
                let rings: Vec<Vec<DVec2>> =
                    std::iter::once(outer).chain(holes.iter().map(Vec::as_slice)).map(<[_]>::to_vec).collect();
                self.rings(&rings, rule)?.ok_or(error)
            }
            (built, _) => built,
        }
    }

    /// Returns the shape that rings enclose by a rule; `None` if they enclose nothing.
    pub(crate) fn rings(&mut self, rings: &[Vec<DVec2>], rule: FillRule) -> Result<Option<Shape>, Error> {
        let Some(polygons) = self.polygons(rings, rule)? else { return Ok(None) };
        let shapes = polygons.iter().map(Shape::from_outline).collect::<Result<Vec<_>, _>>()?;
        if let [only] = shapes.as_slice() {
            return Ok(Some(only.clone()));
        }
        Shape::compound(shapes.into_iter().map(|shape| (shape, Pose::IDENTITY))).map(Some)
    }

    /// Returns the polygons that rings enclose by a rule; `None` if they enclose nothing.
    fn polygons(&mut self, rings: &[Vec<DVec2>], rule: FillRule) -> Result<Option<Vec<PolygonWithHoles>>, Error> {
        let Repair { polygons, changes } = repair(rings, rule)?;
        if polygons.is_empty() {
            return Ok(None);
        }
        let sum = self.changes.get_or_insert_default();
        sum.crossings += changes.crossings;
        sum.overlaps += changes.overlaps;
        sum.duplicate_points += changes.duplicate_points;
        sum.flat_rings += changes.flat_rings;
        sum.absorbed_rings += changes.absorbed_rings;
        sum.rings += changes.rings;
        sum.polygons += changes.polygons;
        Ok(Some(polygons))
    }

    /// Returns the polygons of an invalid outline, each with its outer ring and its holes. Returns `None` for a
    /// valid outline and for an outline without area.
    pub(crate) fn outline(&mut self, points: &[DVec2]) -> Result<Option<Vec<Vec<Vec<DVec2>>>>, Error> {
        let Some(rule) = self.rule else { return Ok(None) };
        let invalid = Shape::polygon(points).is_err_and(|error| is_repairable(&error, points.len()));
        let polygons = if invalid { self.polygons(&[points.to_vec()], rule)? } else { None };
        let rings = |polygon: &PolygonWithHoles| polygon.rings().map(|ring| polygon.points()[ring].to_vec()).collect();
        Ok(polygons.map(|polygons| polygons.iter().map(rings).collect()))
    }

    /// Takes the changes since the last call, if an outline was repaired.
    pub(crate) fn take(&mut self, object: &str) -> Option<RepairedObject> {
        self.changes.take().map(|changes| RepairedObject { object: object.to_owned(), changes })
    }
}

/// Returns true if the rings cross or overlap, or a hole is misplaced or has no area.
fn is_repairable(error: &Error, outer: usize) -> bool {
    match error.kind() {
        ErrorKind::SelfCrossing | ErrorKind::OverlappingEdges | ErrorKind::MisplacedHole => true,
        ErrorKind::Collinear | ErrorKind::ZeroSize | ErrorKind::TooFewPoints => {
            error.vertex().is_some_and(|vertex| vertex >= outer)
        }
        _ => false,
    }
}

/// Returns the message of an error, with the option that repairs the outline if there is one.
pub(crate) fn message(error: &Error) -> String {
    match error.kind() {
        ErrorKind::SelfCrossing | ErrorKind::OverlappingEdges | ErrorKind::MisplacedHole => {
            format!("{error}, or repair it (--repair)")
        }
        _ => error.to_string(),
    }
}
