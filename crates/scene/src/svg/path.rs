//! Parses path data (the attribute `d`) to subpaths of lines, curves and arcs.
//!
//! Input: a text. Output: subpaths in absolute coordinates. The crate `svgtypes` splits the text.
//! This module keeps the position of the pen, and resolves relative and smooth commands. It
//! converts the end points of an arc to its centre (SVG 2, appendix B.2.4).
//!
//! [`Subpath`] also has constructors for lines and ellipses, which `element.rs` uses for the basic
//! shapes.

use kurbo::{Affine, Point, Vec2};
use svgtypes::{PathParser, PathSegment};

use super::curve::{Arc, Edge};

/// Connected edges.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subpath {
    pub(super) start: Point,
    pub(super) edges: Vec<Edge>,
    pub(super) closed: bool,
}

impl Subpath {
    pub(super) fn new(start: Point) -> Self {
        Self { start, edges: Vec::new(), closed: false }
    }

    /// Returns straight edges through points.
    pub(super) fn lines(points: &[Point], closed: bool) -> Self {
        Self { start: points[0], edges: points[1..].iter().map(|&p| Edge::Line(p)).collect(), closed }
    }

    /// Returns a whole ellipse with axes along x and y.
    pub(super) fn ellipse(centre: Point, radii: Vec2) -> Self {
        let start = centre + Vec2::new(radii.x, 0.0);
        let arc = Arc {
            centre,
            x: Vec2::new(radii.x, 0.0),
            y: Vec2::new(0.0, radii.y),
            from: 0.0,
            turn: std::f64::consts::TAU,
        };
        Self { start, edges: vec![Edge::Arc(arc, start)], closed: true }
    }

    pub(super) fn transformed(self, by: Affine) -> Self {
        Self {
            start: by * self.start,
            edges: self.edges.into_iter().map(|edge| edge.transformed(by)).collect(),
            ..self
        }
    }
}

/// Parses path data. The message has the position of the error.
pub(super) fn parse(data: &str) -> Result<Vec<Subpath>, String> {
    let mut pen = Pen::default();
    // `d="none"` and an empty `d` draw nothing.
    if data.trim() == "none" {
        return Ok(Vec::new());
    }
    for segment in PathParser::from(data) {
        pen.draw(segment.map_err(|error| broken(data, &error))?);
    }
    pen.subpaths.retain(|subpath| !subpath.edges.is_empty());
    Ok(pen.subpaths)
}

fn broken(data: &str, error: &svgtypes::Error) -> String {
    use svgtypes::Error::{InvalidChar, InvalidNumber, InvalidString, UnexpectedData};
    let at = match error {
        UnexpectedData(at) | InvalidChar(_, at) | InvalidString(_, at) | InvalidNumber(at) => *at,
        _ => return "the path data ends too early: expected numbers".to_owned(),
    };
    let rest: String = data.chars().skip(at.saturating_sub(1)).collect();
    if rest.is_empty() {
        return "the path data ends too early: expected numbers".to_owned();
    }
    format!(
        "the path data is broken at character {at}, \"{}\": expected a command letter or a number",
        super::cut(&rest)
    )
}

/// Executes the commands.
#[derive(Default)]
struct Pen {
    subpaths: Vec<Subpath>,
    at: Point,
    /// Control point that a smooth curve reflects, if the last edge was of its kind.
    cubic: Option<Point>,
    quad: Option<Point>,
}

impl Pen {
    fn draw(&mut self, segment: PathSegment) {
        let (mut cubic, mut quad) = (None, None);
        let from = if segment.is_abs() { Vec2::ZERO } else { self.at.to_vec2() };
        let to = |x, y| Point::new(x, y) + from;
        match segment {
            PathSegment::MoveTo { x, y, .. } => {
                self.at = to(x, y);
                self.subpaths.push(Subpath::new(self.at));
            }
            PathSegment::LineTo { x, y, .. } => self.edge(Edge::Line(to(x, y))),
            PathSegment::HorizontalLineTo { x, .. } => self.edge(Edge::Line(Point::new(x + from.x, self.at.y))),
            PathSegment::VerticalLineTo { y, .. } => self.edge(Edge::Line(Point::new(self.at.x, y + from.y))),
            PathSegment::CurveTo { x1, y1, x2, y2, x, y, .. } => {
                cubic = Some(to(x2, y2));
                self.edge(Edge::Cubic(to(x1, y1), to(x2, y2), to(x, y)));
            }
            PathSegment::SmoothCurveTo { x2, y2, x, y, .. } => {
                cubic = Some(to(x2, y2));
                self.edge(Edge::Cubic(self.mirrored(self.cubic), to(x2, y2), to(x, y)));
            }
            PathSegment::Quadratic { x1, y1, x, y, .. } => {
                quad = Some(to(x1, y1));
                self.edge(Edge::Quad(to(x1, y1), to(x, y)));
            }
            PathSegment::SmoothQuadratic { x, y, .. } => {
                let control = self.mirrored(self.quad);
                quad = Some(control);
                self.edge(Edge::Quad(control, to(x, y)));
            }
            PathSegment::EllipticalArc { rx, ry, x_axis_rotation, large_arc, sweep, x, y, .. } => {
                let edge = arc(self.at, Vec2::new(rx.abs(), ry.abs()), x_axis_rotation, large_arc, sweep, to(x, y));
                self.edge(edge);
            }
            PathSegment::ClosePath { .. } => self.close(),
        }
        (self.cubic, self.quad) = (cubic, quad);
    }

    fn mirrored(&self, control: Option<Point>) -> Point {
        control.map_or(self.at, |control| self.at + (self.at - control))
    }

    fn edge(&mut self, edge: Edge) {
        // After a close without a move, a new subpath begins at the start of the last one.
        if self.subpaths.last().is_none_or(|last| last.closed) {
            self.subpaths.push(Subpath::new(self.at));
        }
        self.at = edge.end();
        self.subpaths.last_mut().expect("there is one").edges.push(edge);
    }

    fn close(&mut self) {
        if let Some(last) = self.subpaths.last_mut() {
            last.closed = true;
            self.at = last.start;
        }
    }
}

/// Converts an arc by SVG 2, appendix B.2.4, in coordinates in which the ellipse is a unit circle.
/// Radii that are too small grow.
fn arc(start: Point, radii: Vec2, degrees: f64, large: bool, sweep: bool, end: Point) -> Edge {
    let turned = carom::Pose::from_degrees([0.0, 0.0], degrees);
    let (Ok(turned), true) = (turned, radii.x > 0.0 && radii.y > 0.0) else { return Edge::Line(end) };
    let (cos, sin) = (turned.cos(), turned.sin());
    let local = |p: Vec2| Vec2::new((cos * p.x + sin * p.y) / radii.x, (cos * p.y - sin * p.x) / radii.y);
    let half = local((end - start) * 0.5);
    let square = half.hypot2();
    if square == 0.0 || !square.is_finite() {
        return Edge::Line(end);
    }
    let grow = square.sqrt().max(1.0);
    let (x, y) = (Vec2::new(cos, sin) * radii.x * grow, Vec2::new(-sin, cos) * radii.y * grow);
    // From the middle of the chord to the centre, perpendicular to the chord.
    let side = if large == sweep { -1.0 } else { 1.0 };
    let out = Vec2::new(-half.y, half.x) / square.sqrt() * ((1.0 - square).max(0.0).sqrt() * side);
    let angle = |v: Vec2| libm::atan2(v.y, v.x);
    let (from, to) = (angle(-half - out), angle(half - out));
    let full = std::f64::consts::TAU;
    let turn = match to - from {
        turn if sweep && turn < 0.0 => turn + full,
        turn if !sweep && turn > 0.0 => turn - full,
        turn => turn,
    };
    let offset =
        Vec2::new(cos * radii.x * out.x - sin * radii.y * out.y, sin * radii.x * out.x + cos * radii.y * out.y);
    let centre = start.midpoint(end) + offset;
    Edge::Arc(Arc { centre, x, y, from, turn }, end)
}
