//! Words an explanation of the separating axes in complete sentences.
use carom::explain::{Axis, AxisSource, SatExplanation};
use carom::{Shape, ShapeKind};
use textwrap::fill;

use crate::number_format::{count, number, point, text};

/// Describes a collider in words for a newcomer.
pub(super) fn shape(id: &str, shape: &Shape) -> String {
    let id = text(id);
    let radius = number(shape.radius());
    let rounded = if shape.radius() > 0.0 { format!(", rounded by {radius}") } else { String::new() };
    match shape.kind() {
        ShapeKind::Circle if shape.radius() == 0.0 => format!("{id} (a point)"),
        kind @ (ShapeKind::Circle | ShapeKind::Capsule) => format!("{id} (a {} of radius {radius})", kind.name()),
        ShapeKind::Segment => format!("{id} (a segment)"),
        ShapeKind::Rectangle => {
            let [low, _, high, _] = shape.points() else {
                return format!("{id} (a rectangle{rounded})");
            };
            let size = *high - *low;
            format!("{id} (a rectangle of {} by {}{rounded})", number(size.x), number(size.y))
        }
        ShapeKind::Chain => {
            let closed = if shape.is_closed_chain() { "closed " } else { "" };
            format!("{id} (a {closed}chain of {} points{rounded})", shape.points().len())
        }
        ShapeKind::Polygon => {
            let holes = match shape.rings().count() - 1 {
                0 => String::new(),
                holes => format!(" and {}", count(holes, "hole")),
            };
            format!("{id} (a polygon with {} vertices{holes}{rounded})", shape.points().len())
        }
        ShapeKind::Mask => match shape.pixels() {
            Some((mask, ..)) => format!("{id} (a mask of {} by {} pixels{rounded})", mask.width(), mask.height()),
            None => id,
        },
        ShapeKind::Compound => format!("{id} (a compound of {})", count(shape.children().len(), "shape")),
        kind => format!("{id} (a {} with {} vertices{rounded})", kind.name(), shape.points().len()),
    }
}

/// Longest line, for the narrowest usual terminal.
pub(super) const WIDTH: usize = 80;

/// Returns the first lines of an explanation: the result.
pub(super) fn verdict(a: &str, b: &str, explanation: &SatExplanation) -> String {
    let verdict = match explanation.depth() {
        Some(depth) if explanation.overlaps() => {
            format!("{a} and {b} overlap: the depth is {}.", number(depth))
        }
        Some(_) => {
            format!("{a} and {b} touch: they share boundary points, but no interior points. The depth is exactly 0.")
        }
        None => {
            format!("{a} and {b} are disjoint: their distance is {}.", number(explanation.distance()))
        }
    };
    fill(&verdict, WIDTH)
}

/// Returns the sentences that explain the table of axes.
pub(super) fn method(a: &str, b: &str) -> String {
    let method = format!(
        "The table shows the projections of {a} and {b} onto each axis: intervals from the smallest to the largest \
         value. Convex shapes are disjoint if and only if their projections onto one of these axes are disjoint. The \
         overlap is the distance that {b} must move along the axis to separate the projections. An overlap below 0 \
         is a gap."
    );
    fill(&method, WIDTH)
}

/// Returns the last lines of an explanation: the deciding axis and the reason.
pub(super) fn reason(a: &str, b: &str, explanation: &SatExplanation) -> String {
    let axis = explanation.min_axis();
    let along = format!("({}), {}", point(axis.normal), from(axis, a, b));
    let overlap = number(axis.overlap.abs());
    let reason = match explanation.depth() {
        Some(depth) if explanation.overlaps() => format!(
            "The projections overlap on every axis, so the shapes overlap. The smallest overlap is {overlap}, \
             on the axis {along}. This is the depth. The minimum translation vector is ({}): it \
             separates {b} from {a}.",
            point(axis.normal * depth),
        ),
        Some(_) => format!(
            "No axis has a gap between the projections, so the shapes intersect. On the axis {along}, \
             the projections share a single value. So the shapes only touch."
        ),
        None => format!(
            "The axis {along}, has a gap of {overlap} between the projections. So a line perpendicular to it \
             separates the shapes. No axis has a larger gap, so the gap is the distance."
        ),
    };
    fill(&reason, WIDTH)
}

fn from(axis: &Axis, a: &str, b: &str) -> String {
    match axis.source {
        AxisSource::Nearest => "the direction between the nearest points".to_owned(),
        AxisSource::Union => "the shortest translation out of the union of the parts".to_owned(),
        edge => format!("the normal of {}", source(edge, a, b)),
    }
}

/// Describes the edge or the vertices that define an axis.
pub(super) fn source(source: AxisSource, a: &str, b: &str) -> String {
    match source {
        AxisSource::EdgeOfA(edge) => format!("edge {edge} of {a}"),
        AxisSource::EdgeOfB(edge) => format!("edge {edge} of {b}"),
        AxisSource::Nearest => "nearest points".to_owned(),
        AxisSource::Union => "way out of the union".to_owned(),
    }
}
