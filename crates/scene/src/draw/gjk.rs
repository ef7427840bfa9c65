//! Draws the steps of GJK.
//!
//! Input: two colliders and the explanation of GJK (Gilbert, Johnson and Keerthi, 1988). Output:
//! both shapes, then one panel per step in the space of the Minkowski difference a − b. Two shapes
//! intersect if and only if the difference contains the origin.
//!
//! All panels have one scale, so that the simplex can be followed. More than nine steps would need
//! several pages, so the steps in the middle are omitted and counted.

use carom::explain::{GjkExplanation, GjkPoint, GjkStep};
use carom::{Aabb, DVec2};
use svg::node::element::{Group, Path};

use super::Options;
use super::marks::{arrow, dot, line};
use super::page::{
    DEPTH, FAINT, GAP, INK, LETTERS, MARGIN, NO_CONTACT, NORMAL, PAPER, Page, WIDTH, letters, number, rimmed, short, xy,
};
use super::pair;
use super::scene::placed;
use super::transform::View;
use crate::{Scene, YAxis};

/// Size of a panel. Two panels are side by side.
const PANEL: DVec2 = DVec2::new(230.0, 170.0);
/// Space between rows of panels, for the captions.
const SPACE: f64 = 40.0;
/// Largest number of steps that are all drawn. Of more steps, those in the middle are omitted.
const MOST: usize = 9;

/// Draws colliders `a` and `b` of the scene, and one panel per step of GJK. A panel shows the
/// Minkowski difference a − b with the origin, the simplex, the search direction and the support
/// point. The last panel shows the simplex that contains the origin or is nearest to it.
///
/// ```
/// # use carom_scene::{Options, draw, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"rectangle": {"width": 2, "height": 1}}}, {"shape": {"circle": {"radius": 1}}, "position": [4, 1]}]}"#;
/// # let scene = read("two.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
/// let why = carom::explain::explain_gjk(placed(0), placed(1));
/// let svg = draw::gjk(&scene, 0, 1, &why, &draw::Options::default());
/// assert!(svg.contains("#0 and #1, disjoint: 2 steps of GJK"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[must_use]
pub fn gjk(scene: &Scene, a: usize, b: usize, why: &GjkExplanation, options: &Options) -> String {
    let colliders = [&scene.colliders[a], &scene.colliders[b]];
    let [first, second] = colliders.map(|collider| collider.id.as_str());
    let how = if why.intersects() { "intersecting" } else { "disjoint" };
    let count = why.steps().len();
    let steps = format!("{count} step{} of GJK", if count == 1 { "" } else { "s" });
    let mut page = Page::new(&options.title, &format!("{first} and {second}, {how}: {steps}"));
    pair::heads(&mut page, [first, second]);
    let mut grid = PanelGrid { top: page.y + 8.0, next: 0 };
    let up = scene.y == YAxis::Up;
    let shapes = [placed(colliders[0]), placed(colliders[1])];
    let (view, _) = View::fit(&shapes[0].aabb().union(&shapes[1].aabb()), up, grid.corner(), PANEL, PANEL.y);
    for shape in pair::shapes(colliders, shapes, &view) {
        page.add(shape);
    }
    page.add(vertices(why, &view));
    page.add(grid.caption("the vertices of the last simplex"));
    let Some(bounds) = bounds(why) else { return page.finish() };
    let picture = |grid: &PanelGrid| GjkPicture { why, view: View::fit(&bounds, up, grid.corner(), PANEL, PANEL.y).0 };
    let skipped = if count > MOST { MOST - 1..count - 1 } else { 0..0 };
    for (i, step) in why.steps().iter().enumerate().filter(|(i, _)| !skipped.contains(i)) {
        grid.next += 1;
        page.add(picture(&grid).step(step));
        let lower =
            if step.lower_bound > 0.0 { format!(", at least {}", number(step.lower_bound)) } else { String::new() };
        page.add(grid.caption(&format!("{}: distance at most {}{lower}", i + 1, number(step.upper_bound))));
    }
    grid.next += 1;
    page.add(picture(&grid).end());
    page.add(grid.caption(if why.contains_origin() {
        "contains the origin: the hulls intersect"
    } else {
        "nearest to the origin"
    }));
    page.y = grid.bottom();
    if !skipped.is_empty() {
        let text = format!("{} steps omitted", skipped.len());
        page.add(letters(&text, DVec2::new(MARGIN, page.y + LETTERS), LETTERS, FAINT, "start"));
        page.y += LETTERS + 6.0;
    }
    page.finish()
}

/// Panels, two per row.
struct PanelGrid {
    top: f64,
    next: usize,
}

impl PanelGrid {
    /// Returns the upper left corner of the next panel.
    fn corner(&self) -> DVec2 {
        let column = (self.next % 2) as f64;
        DVec2::new(
            MARGIN + column * (WIDTH - 2.0 * MARGIN - PANEL.x),
            self.top + (self.next / 2) as f64 * (PANEL.y + SPACE),
        )
    }

    fn caption(&self, text: &str) -> svg::node::element::Text {
        letters(
            text,
            self.corner() + DVec2::new(PANEL.x * 0.5, PANEL.y + LETTERS + 8.0),
            LETTERS - 2.0,
            FAINT,
            "middle",
        )
    }

    fn bottom(&self) -> f64 {
        self.corner().y + PANEL.y + SPACE
    }
}

/// Box that all panels show: the difference and the origin, with a margin.
fn bounds(why: &GjkExplanation) -> Option<Aabb> {
    let points = why.difference().iter().copied().chain([DVec2::ZERO]);
    let [low, high] = points.fold([DVec2::INFINITY, DVec2::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)]);
    let margin = DVec2::splat((high - low).max_element() * 0.04);
    Aabb::new(low - margin, high + margin).ok()
}

/// Draws the vertices of both shapes in the last simplex.
fn vertices(why: &GjkExplanation, view: &View) -> Group {
    why.simplex().iter().fold(Group::new(), |group, corner| {
        let (a, b) = (view.point(corner.point_a), view.point(corner.point_b));
        let mark = |at| dot(at, 3.2).set("fill", INK);
        group.add(line(a, b, NORMAL, 1.2).set("stroke-dasharray", "3 2.5")).add(mark(a)).add(mark(b))
    })
}

/// An explanation of GJK with its scale.
struct GjkPicture<'a> {
    why: &'a GjkExplanation,
    view: View,
}

impl GjkPicture<'_> {
    fn at(&self, corner: &GjkPoint) -> DVec2 {
        self.view.point(corner.difference())
    }

    /// Draws the difference and the origin. Rounded shapes intersect if the difference is as near
    /// to the origin as the circle.
    fn base(&self) -> Group {
        let outline: Vec<String> = self.why.difference().iter().map(|&p| xy(self.view.point(p))).collect();
        let difference = Path::new()
            .set("d", format!("M{}Z", outline.join("L")))
            .set("stroke", NO_CONTACT[0])
            .set("stroke-width", 1.2)
            .set("stroke-linejoin", "round")
            .set("fill", NO_CONTACT[1])
            .set("fill-opacity", 0.6);
        let origin = self.view.point(DVec2::ZERO);
        let arm = |d: DVec2| line(origin - d, origin + d, INK, 1.6);
        let group = Group::new().add(difference).add(arm(DVec2::new(6.0, 0.0))).add(arm(DVec2::new(0.0, 6.0)));
        let radius = self.view.length(self.why.radius());
        if radius < 2.0 {
            return group;
        }
        group.add(
            dot(origin, radius)
                .set("fill", "none")
                .set("stroke", FAINT)
                .set("stroke-width", 1)
                .set("stroke-dasharray", "2 3"),
        )
    }

    fn simplex(&self, corners: &[GjkPoint], colour: &str) -> Group {
        let points: Vec<DVec2> = corners.iter().map(|corner| self.at(corner)).collect();
        let data: Vec<String> = points.iter().map(|&p| xy(p)).collect();
        let shape = Path::new()
            .set("d", format!("M{}Z", data.join("L")))
            .set("stroke", colour)
            .set("stroke-width", 2.2)
            .set("fill", colour);
        let group = Group::new().add(shape.set("fill-opacity", 0.18).set("stroke-linejoin", "round"));
        points.into_iter().fold(group, |group, p| group.add(dot(p, 3.6).set("fill", colour)))
    }

    fn step(&self, step: &GjkStep) -> Group {
        let group = self.base().add(self.simplex(step.simplex(), NORMAL));
        // Starts at the point of the simplex nearest to the origin.
        let from = self.view.point(step.direction * -step.upper_bound);
        let long = self.view.length(step.upper_bound).min(46.0);
        let support = self.at(&step.support);
        let found =
            dot(support, 5.0).set("fill", PAPER).set("fill-opacity", 0.5).set("stroke", DEPTH).set("stroke-width", 1.8);
        let label = format!("{} − {}", step.support.vertex_a, step.support.vertex_b);
        let text = rimmed(letters(&label, support + DVec2::new(0.0, -9.0), LETTERS - 3.0, DEPTH, "middle"));
        group.add(arrow(from, self.view.direction(step.direction), long, GAP, 1.6)).add(found).add(text)
    }

    /// Draws the last simplex and its point nearest to the origin.
    fn end(&self) -> Group {
        let group =
            self.base().add(self.simplex(self.why.simplex(), if self.why.contains_origin() { DEPTH } else { GAP }));
        let nearest = match self.why.simplex() {
            _ if self.why.contains_origin() => return group,
            [p, q] => {
                let (p, edge) = (p.difference(), q.difference() - p.difference());
                p - edge * (p.dot(edge) / edge.dot(edge))
            }
            [p, ..] => p.difference(),
            [] => return group,
        };
        let gap = line(self.view.point(DVec2::ZERO), self.view.point(nearest), GAP, 1.8);
        let width = short(2.5);
        group.add(gap.set("stroke-dasharray", format!("3 {width}")))
    }
}
