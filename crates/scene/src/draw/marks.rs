//! Draws contact points, normals and depths.
//!
//! Normals are arrows of a fixed length, because their length is 1 in any scene. Depths and gaps
//! are lines in the scale of the scene. Points with depth 0 are rings.

use carom::DVec2;
use svg::node::element::{Circle, Group, Line, Path};

use super::Contact;
use super::page::{DEPTH, GAP, INK, NORMAL, PAPER, short, xy};
use super::transform::View;

/// Returns a line segment.
pub(super) fn line(p: DVec2, q: DVec2, colour: &str, width: f64) -> Line {
    Line::new()
        .set("x1", short(p.x))
        .set("y1", short(p.y))
        .set("x2", short(q.x))
        .set("y2", short(q.y))
        .set("stroke", colour)
        .set("stroke-width", short(width))
}

/// Returns an arrow of a given length, with the head at the end.
pub(super) fn arrow(from: DVec2, direction: DVec2, length: f64, colour: &str, width: f64) -> Group {
    let tip = from + direction * length;
    let head = (width * 4.5).min(length);
    let neck = tip - direction * head;
    let side = direction.perp() * head * 0.42;
    let head = format!("M{}L{}L{}Z", xy(tip), xy(neck + side), xy(neck - side));
    Group::new()
        .add(line(from, neck, colour, width).set("stroke-linecap", "round"))
        .add(Path::new().set("d", head).set("fill", colour))
}

pub(super) fn dot(at: DVec2, radius: f64) -> Circle {
    Circle::new().set("cx", short(at.x)).set("cy", short(at.y)).set("r", short(radius))
}

/// Draws the marks of a contact. `unit` scales symbols: 1 in a picture with few shapes, less with
/// many.
pub(super) fn contact(contact: &Contact, view: &View, unit: f64) -> Group {
    let mut group = Group::new();
    let arrows = unit;
    // Two composites may touch along a whole boundary. Many marks are small.
    let unit = unit * (8.0 / contact.points.len() as f64).sqrt().clamp(0.3, 1.0);
    for point in &contact.points {
        let (on_a, on_b) = (view.point(point.on_a), view.point(point.on_b));
        if point.depth < 0.0 {
            group = group.add(line(on_a, on_b, GAP, 1.6 * unit).set("stroke-dasharray", (3.0 * unit, 2.5 * unit)));
        } else {
            group = group.add(line(on_a, on_b, DEPTH, 3.2 * unit).set("stroke-linecap", "butt"));
        }
    }
    let deepest = contact.manifold.points();
    let tip = deepest.iter().map(|p| view.point(p.on_a)).sum::<DVec2>() / deepest.len() as f64;
    group = group.add(arrow(tip, view.direction(contact.manifold.normal), 30.0 * arrows, NORMAL, 1.8 * arrows));
    for point in &contact.points {
        let mark = dot(view.point(point.position()), 3.2 * unit);
        // A contact with depth 0 is a ring.
        group = group.add(if point.depth > 0.0 {
            mark.set("fill", INK)
        } else {
            mark.set("fill", PAPER).set("stroke", INK).set("stroke-width", 1.2 * unit)
        });
    }
    group
}
