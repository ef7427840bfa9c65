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
        write!(f, "{}: {changes}", self.object)?;
        match polygons {
            // Only polygons that enclose nothing were removed.
            0 => Ok(()),
            1 => write!(f, "; 1 polygon"),
            _ => write!(f, "; {polygons} polygons"),
        }
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
    pub(crate) fn polygon(&mut self, outer: &[DVec2], holes: &[Vec<DVec2>]) -> Result<Shape, PolygonError> {
        let error = match Shape::polygon_with_holes(outer, holes) {
            Ok(shape) => return Ok(shape),
            Err(error) => error,
        };
        let Some(rule) = self.rule else {
            let message = if is_repairable(&error, outer.len()) { with_remedy(&error) } else { error.to_string() };
            return Err(PolygonError { message, vertex: error.vertex(), has_no_area: false });
        };
        if !is_repairable(&error, outer.len()) {
            let has_no_area = is_flat(&error) && holes.is_empty();
            return Err(PolygonError { message: error.to_string(), vertex: error.vertex(), has_no_area });
        }
        let rings: Vec<Vec<DVec2>> =
            std::iter::once(outer).chain(holes.iter().map(Vec::as_slice)).map(<[_]>::to_vec).collect();
        let failed =
            |error: Error| PolygonError { message: error.to_string(), vertex: error.vertex(), has_no_area: false };
        self.rings(&rings, rule).map_err(failed)?.ok_or_else(|| {
            let rule = match rule {
                FillRule::EvenOdd => "even-odd",
                FillRule::NonZero => "non-zero",
            };
            let message = format!("by the {rule} rule its rings enclose nothing");
            PolygonError { message, vertex: None, has_no_area: true }
        })
    }

    /// Counts the rings of a polygon that encloses nothing and is left out, because its object has others.
    pub(crate) fn leave_out(&mut self, rings: usize) {
        self.changes.get_or_insert_default().absorbed_rings += rings;
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

/// Reason why an outline is not a polygon, also after a repair.
pub(crate) struct PolygonError {
    pub(crate) message: String,
    /// Index in the sequence of the points of all rings.
    pub(crate) vertex: Option<usize>,
    /// True if repairs are on and the outline encloses nothing.
    pub(crate) has_no_area: bool,
}

/// Returns true if the rings cross or overlap, or a hole is misplaced or has no area. `outer`: number of points of
/// the outer ring.
fn is_repairable(error: &Error, outer: usize) -> bool {
    crosses(error) || (is_flat(error) && error.vertex().is_some_and(|vertex| vertex >= outer))
}

/// Returns true if rings cross or overlap, or a hole is misplaced.
fn crosses(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::SelfCrossing | ErrorKind::OverlappingEdges | ErrorKind::MisplacedHole)
}

/// Returns true if a ring has no area.
fn is_flat(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Collinear | ErrorKind::ZeroSize | ErrorKind::TooFewPoints)
}

/// Returns the message of an error, with the option that repairs the outline if there is one.
pub(crate) fn message(error: &Error) -> String {
    if crosses(error) { with_remedy(error) } else { error.to_string() }
}

fn with_remedy(error: &Error) -> String {
    format!("{error}, or repair it (--repair)")
}
