//! Words the results of `check` and `explain` in complete sentences.
use carom::explain::{Axis, SatExplanation};
use carom::{Shape, ShapeKind};
use carom_scene::draw::Contact;
use textwrap::fill;

use crate::number_format::{number, point, text};
use crate::report_table::source;

/// Returns the last line of the table of contacts.
pub(crate) fn summary(shapes: usize, contacts: &[Contact]) -> String {
    let (near, intersecting): (Vec<&Contact>, Vec<&Contact>) =
        contacts.iter().partition(|contact| contact.manifold.depth < 0.0);
    let touching = intersecting.iter().filter(|contact| contact.manifold.depth == 0.0).count();
    let meet = match intersecting.len() {
        0 => "no pair intersects".to_owned(),
        1 => "1 pair intersects".to_owned(),
        pairs => format!("{pairs} pairs intersect"),
    };
    let mut parts = vec![meet];
    if touching > 0 {
        parts.push(format!("{touching} only touching"));
    }
    if !near.is_empty() {
        parts.push(count(near.len(), "near miss"));
    }
    format!("{}: {}", count(shapes, "shape"), parts.join(", "))
}

/// Returns the last line of the other tables.
pub(crate) fn tally(shapes: usize, found: usize, what: &str) -> String {
    let found = match (found, what) {
        (0, "hit") => "nothing is hit".to_owned(),
        (0, "pair") => "no pair intersects".to_owned(),
        (0, _) => "no shape contains another".to_owned(),
        (n, "hit") => count(n, "hit"),
        (1, "pair") => "1 pair intersects".to_owned(),
        (n, "pair") => format!("{n} pairs intersect"),
        (n, _) => format!("{n} contained in another"),
    };
    format!("{}: {found}", count(shapes, "shape"))
}

/// Suggests names that are similar to an unknown name, or all names.
pub(crate) fn known<'n>(wrong: &str, known: impl Iterator<Item = &'n str>, none: &str) -> String {
    const SHOWN: usize = 5;
    const SIMILAR: f64 = 0.75;
    let known: Vec<&str> = known.collect();
    let mut near: Vec<(f64, &str)> = known
        .iter()
        .map(|name| (strsim::jaro_winkler(wrong, name), *name))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .collect();
    near.sort_by(|(p, _), (q, _)| q.total_cmp(p));
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if !near.is_empty() {
        let names: Vec<&str> = near.iter().take(SHOWN).map(|(_, name)| *name).collect();
        format!("did you mean {}?", quoted(&names))
    } else if known.is_empty() {
        none.to_owned()
    } else if known.len() > SHOWN {
        format!("there are {} and {} more", quoted(&known[..SHOWN]), known.len() - SHOWN)
    } else {
        format!("there {} {}", if known.len() == 1 { "is" } else { "are" }, quoted(&known))
    }
}

/// Describes a collider in words for a newcomer.
pub(crate) fn shape(id: &str, shape: &Shape) -> String {
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
pub(crate) const WIDTH: usize = 80;

/// Returns the first lines of an explanation: the result.
pub(crate) fn verdict(a: &str, b: &str, explanation: &SatExplanation) -> String {
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
pub(crate) fn method(a: &str, b: &str) -> String {
    let method = format!(
        "The table shows the projections of {a} and {b} onto each axis: intervals from the smallest to the largest \
         value. Convex shapes are disjoint if and only if their projections onto one of these axes are disjoint. The \
         overlap is the distance that {b} must move along the axis to separate the projections. An overlap below 0 \
         is a gap."
    );
    fill(&method, WIDTH)
}

/// Returns the last lines of an explanation: the deciding axis and the reason.
pub(crate) fn reason(a: &str, b: &str, explanation: &SatExplanation) -> String {
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
        carom::explain::AxisSource::Nearest => "the direction between the nearest points".to_owned(),
        carom::explain::AxisSource::Union => "the shortest translation out of the union of the parts".to_owned(),
        edge => format!("the normal of {}", source(edge, a, b)),
    }
}

fn count(n: usize, what: &str) -> String {
    let plural = if what.ends_with('s') { "es" } else { "s" };
    format!("{n} {what}{}", if n == 1 { "" } else { plural })
}

#[cfg(test)]
mod tests {
    use super::known;

    #[test]
    fn near_names_come_first_and_long_lists_are_cut() {
        let names = ["ball", "block", "#2", "#3", "crate", "lamp"];
        assert_eq!(known("bal", names.into_iter(), "none"), "did you mean `ball`?");
        assert_eq!(
            known("zzz", names.into_iter(), "none"),
            "there are `ball`, `block`, `#2`, `#3`, `crate` and 1 more"
        );
        assert_eq!(known("zzz", names.into_iter().take(1), "none"), "there is `ball`");
        assert_eq!(known("zzz", names.into_iter().take(0), "none"), "none");
    }
}
