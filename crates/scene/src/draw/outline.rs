//! A placed shape as an SVG element: exact lines and arcs.
use std::fmt::Write;

use carom::{DVec2, Placed};
use svg::node::element::{Circle, Element, Path, Title};

use super::page::{printable, short, xy};
use super::view::View;

/// Points closer than this are one point on the page.
const SAME: f64 = 1e-3;
/// A shape smaller than this is drawn as a dot of this radius.
const DOT: f64 = 2.0;

/// The shape's outline, with its id to be shown where the pointer rests.
pub(super) fn element(placed: Placed<'_>, id: &str, view: &View) -> Element {
    let radius = view.length(placed.shape().radius());
    let corners = corners(placed.points().map(|p| view.point(p)));
    let title = Title::new(printable(id));
    if let [centre] = corners[..] {
        let circle = Circle::new().set("cx", short(centre.x)).set("cy", short(centre.y));
        return circle.set("r", short(radius.max(DOT))).add(title).into();
    }
    Path::new().set("d", path(&corners, radius)).add(title).into()
}

/// The corners in order, each once.
fn corners(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut corners: Vec<DVec2> = Vec::new();
    for p in points {
        if corners.last().is_none_or(|last| last.distance(p) > SAME) {
            corners.push(p);
        }
    }
    while corners.len() > 1 && corners[0].distance(corners[corners.len() - 1]) <= SAME {
        corners.pop();
    }
    corners
}

/// Along each edge, moved outward by the radius, and round each corner.
fn path(corners: &[DVec2], radius: f64) -> String {
    let n = corners.len();
    let edges = || (0..n).map(|i| (corners[i], corners[(i + 1) % n]));
    let area: f64 = edges().map(|(p, q)| (p - corners[0]).perp_dot(q - corners[0])).sum();
    let outward = if area < 0.0 { -radius } else { radius };
    let sweep = u8::from(area >= 0.0);
    let mut data = String::new();
    for (i, (p, q)) in edges().enumerate() {
        let out = -(q - p).perp().normalize() * outward;
        if radius == 0.0 {
            write!(data, "{}{}", if i == 0 { "M" } else { "L" }, xy(p)).expect("a String takes all");
        } else {
            if i == 0 {
                write!(data, "M{}", xy(p + out)).expect("a String takes all");
            } else {
                write!(data, "A{r} {r} 0 0 {sweep} {}", xy(p + out), r = short(radius)).expect("a String takes all");
            }
            write!(data, "L{}", xy(q + out)).expect("a String takes all");
        }
    }
    if radius > 0.0 {
        let out = -(corners[1] - corners[0]).perp().normalize() * outward;
        write!(data, "A{r} {r} 0 0 {sweep} {}", xy(corners[0] + out), r = short(radius)).expect("a String takes all");
    }
    data + "Z"
}
