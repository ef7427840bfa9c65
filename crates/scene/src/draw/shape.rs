//! Converts a placed shape to an SVG element with exact lines and arcs.
//!
//! Rounded convex shapes become paths with straight edges and circular arcs. Polygons and masks
//! become their rings with the even-odd rule. Rounded composites are drawn part by part, because
//! their boundary is not known as a path. Points that coincide on the page are merged, so a polygon
//! with a million vertices gives a small file.

use std::fmt::Write;

use carom::decompose::{Connectivity, trace_pixels};
use carom::{DVec2, Placed, Shape, ShapeKind};
use svg::node::element::{Circle, Element, Group, Path, Title};

use super::page::{printable, short, xy};
use super::transform::View;

/// Distance on the page below which points are merged.
const SAME: f64 = 1e-3;
/// Radius of the dot for shapes that are smaller than this.
const DOT: f64 = 2.0;

/// Returns the boundary of the shape, with its id as tooltip.
pub(super) fn element(placed: Placed<'_>, id: &str, view: &View) -> Element {
    let mut elements = Vec::new();
    add(placed.shape(), &|p| view.point(placed.pose().transform_point(p)), view, 0.0, &mut elements);
    let mut element = match elements.len() {
        1 => elements.remove(0),
        _ => elements.into_iter().fold(Group::new(), Group::add).into(),
    };
    svg::Node::append(&mut element, Title::new(printable(id)));
    element
}

/// Adds the path of a shape grown by `grow`. `map` converts local coordinates to the page.
fn add(shape: &Shape, map: &dyn Fn(DVec2) -> DVec2, view: &View, grow: f64, elements: &mut Vec<Element>) {
    let radius = view.length(shape.radius() + grow);
    match shape.kind() {
        ShapeKind::Compound => {
            for (child, pose) in shape.children() {
                add(child, &|p| map(pose.transform_point(p)), view, shape.radius() + grow, elements);
            }
        }
        ShapeKind::Chain if radius == 0.0 => {
            let points = corners(shape.points().iter().map(|&p| map(p)), false);
            elements.push(line(&points, shape.is_closed_chain()));
        }
        ShapeKind::Polygon if radius == 0.0 => elements.push(rings(shape.rings().map(|ring| on_page(ring, map)))),
        ShapeKind::Mask if radius == 0.0 => {
            let (mask, origin, size) = shape.pixels().expect("a mask has pixels");
            let outlines = trace_pixels(mask, Connectivity::Eight);
            let pixel_to_page = |p: DVec2| map(origin + p * size);
            elements.push(rings(
                outlines.iter().flat_map(|outline| outline.rings().map(|ring| on_page(ring, &pixel_to_page))),
            ));
        }
        ShapeKind::Chain | ShapeKind::Polygon | ShapeKind::Mask => {
            for (part, pose) in shape.parts() {
                add(&part, &|p| map(pose.transform_point(p)), view, grow, elements);
            }
        }
        _ => elements.push(convex(&corners(shape.points().iter().map(|&p| map(p)), true), radius)),
    }
}

fn on_page(ring: &[DVec2], map: &dyn Fn(DVec2) -> DVec2) -> Vec<DVec2> {
    corners(ring.iter().map(|&p| map(p)), true)
}

/// Adds boundaries with their holes.
fn rings(all: impl Iterator<Item = Vec<DVec2>>) -> Element {
    let mut data = String::new();
    all.for_each(|points| ring(&mut data, &points, "Z"));
    Path::new().set("d", data).set("fill-rule", "evenodd").into()
}

/// Adds an open polyline.
fn line(points: &[DVec2], closed: bool) -> Element {
    if let [only] = points {
        return dot(*only, 0.0);
    }
    let mut data = String::new();
    ring(&mut data, points, if closed { "Z" } else { "" });
    Path::new().set("d", data).set("fill", "none").into()
}

fn convex(corners: &[DVec2], radius: f64) -> Element {
    match corners {
        [centre] => dot(*centre, radius),
        corners => Path::new().set("d", path(corners, radius)).into(),
    }
}

fn dot(centre: DVec2, radius: f64) -> Element {
    Circle::new().set("cx", short(centre.x)).set("cy", short(centre.y)).set("r", short(radius.max(DOT))).into()
}

/// Adds straight lines through points.
fn ring(data: &mut String, points: &[DVec2], end: &str) {
    for (i, &p) in points.iter().enumerate() {
        write!(data, "{}{}", if i == 0 { "M" } else { "L" }, xy(p)).expect("a String takes all");
    }
    data.push_str(end);
}

/// Returns the vertices in order, each once. A ring does not repeat its first vertex.
fn corners(points: impl Iterator<Item = DVec2>, ring: bool) -> Vec<DVec2> {
    let mut corners: Vec<DVec2> = Vec::new();
    for p in points {
        if corners.last().is_none_or(|last| last.distance(p) > SAME) {
            corners.push(p);
        }
    }
    while ring && corners.len() > 1 && corners[0].distance(corners[corners.len() - 1]) <= SAME {
        corners.pop();
    }
    corners
}

/// Adds the boundary of a rounded polygon: edges offset by the radius, and an arc at each vertex.
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
