//! Draws the separating-axis test of two shapes.
//!
//! Input: two colliders and the explanation of SAT. Output: both shapes, axes around them with both
//! projections, and rows with all axes below (`sat_rows.rs`).
//!
//! ```text
//! for each axis, the deciding one first
//!     try lines parallel to it, alternately on both sides, farther and farther from the shapes
//!     take the first line that crosses no other axis and lies on the page
//! ```
//!
//! An axis without a free line is in the rows only.

use carom::DVec2;
use carom::explain::SatExplanation;
use svg::node::element::Group;

use super::Options;
use super::marks::line;
use super::page::{FAINT, FIRST, INK, LETTERS, MARGIN, Page, SECOND, WIDTH, letters, number, rimmed, short};
use super::pair;
use super::sat_rows::{self, Row, between};
use super::scene::placed;
use super::transform::View;
use crate::{Scene, YAxis};

/// Width of the two shapes in the drawing.
const SHAPES: f64 = 210.0;
/// Distance between the shapes and the nearest projection bars. Other lanes are farther outside.
const LANE: f64 = 26.0;
const LANES: usize = 6;

/// Draws colliders `a` and `b` of the scene, each axis of the explanation beside them with both
/// projections, and the axes as rows below. The deciding axis is highlighted. Of many axes only the
/// most important are drawn, with the number of others.
///
/// ```
/// # use carom_scene::{Options, draw, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}}, {"shape": {"circle": {"radius": 1}}}]}"#;
/// # let scene = read("two.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
/// let why = carom::explain_sat(placed(0), placed(1));
/// let svg = draw::sat(&scene, 0, 1, &why, &draw::Options::default());
/// assert!(svg.contains("#0 and #1 overlap by 2"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[must_use]
pub fn sat(scene: &Scene, a: usize, b: usize, explanation: &SatExplanation, options: &Options) -> String {
    let (first, second) = (&scene.colliders[a], &scene.colliders[b]);
    let mut page = Page::new(&options.title, &summary(&first.id, &second.id, explanation));
    let bounds = placed(first).aabb().union(&placed(second).aabb());
    let edge = (WIDTH - SHAPES) * 0.5;
    let square = DVec2::splat(SHAPES);
    let (view, _) = View::fit(&bounds, scene.y == YAxis::Up, DVec2::new(edge, page.y + edge), square, SHAPES);
    let picture = SatPicture { view, middle: DVec2::new(edge, page.y + edge) + square * 0.5, centre: bounds.center() };
    let listed = sat_rows::listed(explanation, [placed(first), placed(second)], bounds.center());
    let lanes = picture.lanes(&listed);
    let (top, bottom) = picture.extent(&lanes);
    // The number of used lanes decides the height.
    let shift = page.y + MARGIN - top;
    let mut body = Group::new().set("transform", format!("translate(0 {})", short(shift)));
    for shape in pair::shapes([first, second], [placed(first), placed(second)], &view) {
        body = body.add(shape);
    }
    for lane in lanes.iter().rev() {
        body = body.add(picture.axis(lane, [placed(first), placed(second)]));
    }
    page.add(body);
    page.y = bottom + shift + MARGIN;
    sat_rows::add(&mut page, [&first.id, &second.id], explanation, &listed);
    page.finish()
}

fn summary(a: &str, b: &str, explanation: &SatExplanation) -> String {
    match explanation.depth() {
        Some(depth) if explanation.overlaps() => format!("{a} and {b} overlap by {}", number(depth)),
        Some(_) => format!("{a} and {b} touch"),
        None => format!("{a} and {b} are disjoint, distance {}", number(explanation.distance())),
    }
}

/// Axis and its position in the drawing.
struct Lane<'a> {
    row: &'a Row<'a>,
    /// Direction on the page.
    along: DVec2,
    /// Vector from the centre to the line, perpendicular to it.
    out: DVec2,
}

/// Scale and centre of the drawing, to which the axes are added.
struct SatPicture {
    view: View,
    /// Centre of both shapes on the page.
    middle: DVec2,
    /// The same point in the scene.
    centre: DVec2,
}

impl SatPicture {
    /// Places each axis as near to the shapes as possible without crossing another axis. Parallel
    /// axes are placed once. Axes without space are only in the rows.
    fn lanes<'a>(&self, listed: &'a [Row<'a>]) -> Vec<Lane<'a>> {
        let mut lanes: Vec<Lane<'a>> = Vec::new();
        for row in listed {
            let along = self.view.direction(row.axis.normal);
            if lanes.iter().any(|lane| lane.along.perp_dot(along).abs() < 1e-6) {
                continue;
            }
            let half_length = SHAPES * 0.5 * std::f64::consts::SQRT_2.min(1.2);
            let positions = (0..LANES).flat_map(|step| {
                [1.0, -1.0].map(|side| along.perp() * side * (half_length + LANE * (step as f64 + 0.5)))
            });
            let lane = positions
                .map(|out| Lane { row, along, out })
                .find(|lane| !lanes.iter().any(|other| self.cross(lane, other)) && self.on_page(lane));
            lanes.extend(lane);
        }
        lanes
    }

    /// Returns the position of the end of a projection on its line.
    fn on_line(&self, lane: &Lane<'_>, distance: f64) -> DVec2 {
        self.middle + lane.out + lane.along * self.view.length(distance)
    }

    /// Returns both ends of the line.
    fn ends(&self, lane: &Lane<'_>) -> [DVec2; 2] {
        let beyond = lane.along * 14.0;
        let [from, to] = lane.row.whole();
        [self.on_line(lane, from) - beyond, self.on_line(lane, to) + beyond]
    }

    fn cross(&self, one: &Lane<'_>, other: &Lane<'_>) -> bool {
        let ([p, q], [r, s]) = (self.ends(one), self.ends(other));
        // Bars have a width, so three parallel lines of each are compared.
        let near = |x: DVec2, y: DVec2, l: DVec2| [-8.0, 8.0].map(|d| (x + l.perp() * d, y + l.perp() * d));
        near(p, q, one.along)
            .iter()
            .any(|&(p, q)| near(r, s, other.along).iter().any(|&(r, s)| segments_cross(p, q, r, s)))
    }

    fn on_page(&self, lane: &Lane<'_>) -> bool {
        self.ends(lane).iter().all(|p| p.x > MARGIN && p.x < WIDTH - MARGIN)
    }

    /// Returns the smallest and largest y coordinate in use.
    fn extent(&self, lanes: &[Lane<'_>]) -> (f64, f64) {
        let half = SHAPES * 0.5;
        let ends = lanes.iter().flat_map(|lane| self.ends(lane)).map(|p| p.y);
        let all = ends.chain([self.middle.y - half, self.middle.y + half]);
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(top, bottom), y| (top.min(y - 8.0), bottom.max(y + 8.0)))
    }

    /// Draws the line, both projections, the overlap or gap, and for the deciding axis the
    /// projection lines.
    fn axis(&self, lane: &Lane<'_>, shapes: [carom::Placed<'_>; 2]) -> Group {
        let strong = lane.row.axis.is_minimum;
        let mut group = Group::new().set("opacity", if strong { 1.0 } else { 0.55 });
        let side = lane.out.normalize();
        if strong {
            for (shape, [colour, _]) in shapes.into_iter().zip([FIRST, SECOND]) {
                for normal in [lane.row.axis.normal, -lane.row.axis.normal] {
                    let from = shape.support_point(normal);
                    let to = self.on_line(lane, (from - self.centre).dot(lane.row.axis.normal));
                    let ray = line(self.view.point(from), to, colour, 0.8).set("stroke-dasharray", "2 3");
                    group = group.add(ray);
                }
            }
        }
        let [p, q] = self.ends(lane);
        group = group.add(line(p, q, if strong { INK } else { FAINT }, if strong { 1.2 } else { 0.7 }));
        let wide = if strong { 5.0 } else { 3.0 };
        let [from, to] = lane.row.between().map(|t| self.on_line(lane, t));
        let wash = line(from, to, between(lane.row.axis), 2.0 * wide + 8.0)
            .set("stroke-opacity", if strong { 0.55 } else { 0.35 });
        group = group.add(wash);
        let bars = [(lane.row.a, FIRST[0], -0.5), (lane.row.b, SECOND[0], 0.5)];
        for (interval, colour, offset) in bars {
            let off = side * offset * (wide + 1.0);
            let bar = line(self.on_line(lane, interval[0]) + off, self.on_line(lane, interval[1]) + off, colour, wide);
            group = group.add(bar);
        }
        let tag = q + lane.along * 9.0 + DVec2::new(0.0, 4.0);
        group.add(rimmed(letters(
            &(lane.row.number + 1).to_string(),
            tag,
            LETTERS - 2.0,
            if strong { INK } else { FAINT },
            "middle",
        )))
    }
}

fn segments_cross(p: DVec2, q: DVec2, r: DVec2, s: DVec2) -> bool {
    let side = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
    side(p, q, r) * side(p, q, s) <= 0.0 && side(r, s, p) * side(r, s, q) <= 0.0
}
