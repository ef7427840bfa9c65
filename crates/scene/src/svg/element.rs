//! Converts an element to its geometry: an exact shape if possible, else the edges of its outline.
//!
//! Input: an element, the size of the viewport, and its transform. Output: a circle, rectangle,
//! capsule or ellipse of the library, or subpaths.
//!
//! Exact shapes are preferred to flattened ones: a circle has no tolerance, and its queries are
//! faster. A similarity (rotation, reflection, uniform scale) keeps circles and rectangles. Any
//! transform maps an ellipse to an ellipse, whose radii are the singular values of the matrix.

use carom::{DVec2, Pose};
use kurbo::{Affine, Point, Vec2};
use roxmltree::Node;
use svgtypes::NumberListParser;

use super::curve::plain;
use super::path::{self, Subpath};
use super::units::{PercentOf, length};
use crate::geometry::Geometry;

/// Geometry of an element in units of the drawing, before curves are flattened.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ElementGeometry {
    /// Circle, rectangle or ellipse. The deviation of an ellipse is set later.
    Exact(Geometry),
    Paths(Vec<Subpath>),
}

/// Element in its own units.
enum Basic {
    Rectangle { min: Vec2, size: Vec2, radii: Vec2 },
    Ellipse { centre: Point, radii: Vec2 },
    Paths(Vec<Subpath>),
}

/// Returns whether elements of this name have geometry.
pub(super) fn is_shape(name: &str) -> bool {
    matches!(name, "path" | "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon")
}

/// Reads an element. Returns `None` if its size is 0, because it draws nothing. A filled element
/// stays exact if possible.
pub(super) fn outline(
    node: Node<'_, '_>,
    size: Vec2,
    by: Affine,
    filled: bool,
) -> Result<Option<ElementGeometry>, String> {
    let Some(basic) = basic(node, size)? else { return Ok(None) };
    let exact = if filled { basic.exact(by)? } else { None };
    Ok(match exact {
        Some(figure) => Some(ElementGeometry::Exact(figure)),
        None => Some(ElementGeometry::Paths(basic.paths().into_iter().map(|path| path.transformed(by)).collect())),
    })
}

fn basic(node: Node<'_, '_>, viewport: Vec2) -> Result<Option<Basic>, String> {
    let at = |name, of| length(node, name, of, viewport).map(Option::unwrap_or_default);
    let point = |x, y| Ok::<_, String>(Point::new(at(x, PercentOf::Width)?, at(y, PercentOf::Height)?));
    let sized = |name, of| match at(name, of)? {
        length if length < 0.0 => Err(format!("{name}=\"{length}\": expected 0 or more")),
        length => Ok(length),
    };
    let basic = match node.tag_name().name() {
        "rect" => {
            let size = Vec2::new(sized("width", PercentOf::Width)?, sized("height", PercentOf::Height)?);
            let radius = |name, of| length(node, name, of, viewport).map(|radius| radius.filter(|r| *r >= 0.0));
            let (rx, ry) = (radius("rx", PercentOf::Width)?, radius("ry", PercentOf::Height)?);
            // A missing radius equals the other one.
            let radii =
                Vec2::new(rx.or(ry).unwrap_or(0.0).min(size.x * 0.5), ry.or(rx).unwrap_or(0.0).min(size.y * 0.5));
            Basic::Rectangle { min: point("x", "y")?.to_vec2(), size, radii }
        }
        "circle" => {
            Basic::Ellipse { centre: point("cx", "cy")?, radii: Vec2::new(1.0, 1.0) * sized("r", PercentOf::Diagonal)? }
        }
        "ellipse" => {
            let radius = |name, of| if node.has_attribute(name) { sized(name, of).map(Some) } else { Ok(None) };
            let (rx, ry) = (radius("rx", PercentOf::Width)?, radius("ry", PercentOf::Height)?);
            Basic::Ellipse {
                centre: point("cx", "cy")?,
                radii: Vec2::new(rx.or(ry).unwrap_or(0.0), ry.or(rx).unwrap_or(0.0)),
            }
        }
        "line" => Basic::Paths(vec![Subpath::lines(&[point("x1", "y1")?, point("x2", "y2")?], false)]),
        "path" => Basic::Paths(path::parse(node.attribute("d").unwrap_or(""))?),
        name => {
            let points = points(node.attribute("points").unwrap_or(""))?;
            Basic::Paths(if points.len() < 2 { Vec::new() } else { vec![Subpath::lines(&points, name == "polygon")] })
        }
    };
    Ok(Some(basic).filter(|basic| match basic {
        Basic::Rectangle { size, .. } => size.x > 0.0 && size.y > 0.0,
        Basic::Ellipse { radii, .. } => radii.x > 0.0 && radii.y > 0.0,
        Basic::Paths(paths) => !paths.is_empty(),
    }))
}

fn points(text: &str) -> Result<Vec<Point>, String> {
    let numbers = NumberListParser::from(text.trim()).collect::<Result<Vec<f64>, _>>();
    let numbers = numbers.map_err(|_| format!("points=\"{}\": expected pairs of numbers", super::cut(text)))?;
    if numbers.len() % 2 == 1 {
        return Err(format!("points=\"…\" holds {} numbers: expected pairs", numbers.len()));
    }
    Ok(numbers.chunks_exact(2).map(|pair| Point::new(pair[0], pair[1])).collect())
}

impl Basic {
    /// Returns the exact shape, if the transform keeps its kind.
    fn exact(&self, by: Affine) -> Result<Option<Geometry>, String> {
        Ok(match *self {
            Self::Rectangle { min, size, radii } if radii.x == radii.y => rectangle(min, size, radii.x, by),
            Self::Ellipse { centre, radii } if radii.x == radii.y && similar(by).is_some() => {
                let scale = similar(by).unwrap_or(1.0);
                Some(Geometry::Circle { centre: plain(by * centre), radius: radii.x * scale })
            }
            Self::Ellipse { centre, radii } => Some(ellipse(plain(by * centre), radii, by)?),
            Self::Rectangle { .. } | Self::Paths(_) => None,
        })
    }

    fn paths(self) -> Vec<Subpath> {
        match self {
            Self::Rectangle { min, size, radii } => vec![rounded(min.to_point(), size, radii)],
            Self::Ellipse { centre, radii } => vec![Subpath::ellipse(centre, radii)],
            Self::Paths(paths) => paths,
        }
    }
}

/// Returns the scale of a similarity: rotation, reflection and uniform scale. `None` for other
/// transforms.
fn similar(by: Affine) -> Option<f64> {
    let [a, b, c, d, _, _] = by.as_coeffs();
    let size = a.abs().max(b.abs());
    // Combined transforms may have two scales that differ by rounding.
    let near = |p: f64, q: f64| (p - q).abs() <= 1e-12 * size;
    let kept = near(a, d) && near(b, -c);
    let mirrored = near(a, -d) && near(b, c);
    (size > 0.0 && (kept || mirrored)).then(|| {
        if b == 0.0 {
            a.abs()
        } else if a == 0.0 {
            b.abs()
        } else {
            (a * a + b * b).sqrt()
        }
    })
}

/// Returns a rectangle under a similarity. A rectangle without radius also if its sides stay
/// parallel to the axes.
fn rectangle(min: Vec2, size: Vec2, radius: f64, by: Affine) -> Option<Geometry> {
    let [a, b, c, d, _, _] = by.as_coeffs();
    let inner = [min + Vec2::new(radius, radius), min + size - Vec2::new(radius, radius)];
    let corners =
        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, y]: [usize; 2]| plain(by * Point::new(inner[x].x, inner[y].y)));
    let scale = match similar(by) {
        Some(scale) => scale,
        None if radius == 0.0 => 1.0,
        None => return None,
    };
    let radius = radius * scale;
    let (width, height) = (inner[1].x - inner[0].x, inner[1].y - inner[0].y);
    match (width > 0.0, height > 0.0) {
        (false, false) => return Some(Geometry::Circle { centre: corners[0], radius }),
        (false, true) | (true, false) => return Some(Geometry::Capsule { ends: [corners[0], corners[2]], radius }),
        _ => {}
    }
    if (b == 0.0 && c == 0.0) || (a == 0.0 && d == 0.0) {
        return Some(upright(corners, radius));
    }
    let scale = similar(by)?;
    let centre = (corners[0] + corners[2]) * 0.5;
    let pose = Pose::from_cos_sin(centre, a / scale, b / scale).ok()?;
    Some(Geometry::Rectangle { size: DVec2::new(width, height) * scale, radius, pose })
}

/// Returns the corners. The corner of a rectangle may touch another shape. A rectangle about its
/// centre can miss that contact by a rounding error. The four corners cannot.
fn upright(corners: [DVec2; 4], radius: f64) -> Geometry {
    let (min, max) = corners.iter().fold((corners[0], corners[0]), |(l, h), &p| (l.min(p), h.max(p)));
    let (centre, half) = ((min + max) * 0.5, (max - min) * 0.5);
    match Pose::from_translation(centre) {
        Ok(pose) if centre - half == min && centre + half == max => {
            Geometry::Rectangle { size: half * 2.0, radius, pose }
        }
        _ => Geometry::Area { rings: crate::geometry::Rings { outer: corners.to_vec(), holes: Vec::new() }, radius },
    }
}

/// Returns the ellipse under any transform.
fn ellipse(centre: DVec2, radii: Vec2, by: Affine) -> Result<Geometry, String> {
    let [a, b, c, d, _, _] = by.as_coeffs();
    let (radii, cos, sin) = if b == 0.0 && c == 0.0 {
        (Vec2::new(radii.x * a.abs(), radii.y * d.abs()), 1.0, 0.0)
    } else if a == 0.0 && d == 0.0 {
        (Vec2::new(radii.y * c.abs(), radii.x * b.abs()), 1.0, 0.0)
    } else {
        // The singular values of the matrix that maps the unit circle to the ellipse, and the
        // direction of the larger.
        let (a, b, c, d) = (a * radii.x, b * radii.x, c * radii.y, d * radii.y);
        let (sum, det) = (a * a + b * b + c * c + d * d, a * d - b * c);
        let large = (0.5 * (sum + (sum * sum - 4.0 * det * det).max(0.0).sqrt())).sqrt();
        let (sin, cos) = libm::sincos(0.5 * libm::atan2(2.0 * (a * b + c * d), a * a + c * c - b * b - d * d));
        (Vec2::new(large, det.abs() / large), cos, sin)
    };
    let pose = Pose::from_cos_sin(centre, cos, sin).map_err(|error| error.to_string())?;
    Ok(Geometry::Ellipse { radii: plain(radii.to_point()), deviation: 0.0, pose })
}

/// Returns a rectangle with elliptic corners. The start is that of SVG.
fn rounded(min: Point, size: Vec2, radii: Vec2) -> Subpath {
    let max = min + size;
    if radii.x == 0.0 || radii.y == 0.0 {
        return Subpath::lines(&[min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)], true);
    }
    let inner = [min + radii, max - radii];
    let mut path = Subpath::new(Point::new(inner[0].x, min.y));
    let quarter = std::f64::consts::FRAC_PI_2;
    // For each corner: centre, start and end of the arc, and start angle.
    let corners = [
        (Point::new(inner[1].x, inner[0].y), Point::new(inner[1].x, min.y), Point::new(max.x, inner[0].y), -quarter),
        (inner[1], Point::new(max.x, inner[1].y), Point::new(inner[1].x, max.y), 0.0),
        (Point::new(inner[0].x, inner[1].y), Point::new(inner[0].x, max.y), Point::new(min.x, inner[1].y), quarter),
        (inner[0], Point::new(min.x, inner[0].y), Point::new(inner[0].x, min.y), 2.0 * quarter),
    ];
    for (centre, begin, end, from) in corners {
        let arc =
            super::curve::Arc { centre, x: Vec2::new(radii.x, 0.0), y: Vec2::new(0.0, radii.y), from, turn: quarter };
        path.edges.extend([super::curve::Edge::Line(begin), super::curve::Edge::Arc(arc, end)]);
    }
    path.closed = true;
    path
}
