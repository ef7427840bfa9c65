//! Draws a sweep: start poses, motions and impacts.
//!
//! Input: the sweeps of all colliders, and the hits between them. Output: each shape at its start,
//! its translation as an arrow, and its pose at the first hit or at the end.

use carom::query::Impact;
use carom::{DVec2, Sweep};
use svg::node::element::Group;

use super::Options;
use super::labels::{Area, Labels};
use super::marks::{arrow, dot, line};
use super::page::{
    FAINT, IN_CONTACT, INK, LETTERS, MARGIN, NO_CONTACT, NORMAL, PAPER, Page, WIDTH, cut, letters, printable, rimmed,
    width,
};
use super::scene::on_page;
use super::shape;
use super::transform::View;
use crate::{Scene, YAxis};

/// Impact of two colliders of the scene, for drawing.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Index of the first collider.
    pub a: usize,
    /// Index of the second collider.
    pub b: usize,
    /// Time and contact.
    pub impact: Impact,
}

/// Margin around the shapes, for labels and arrows.
const PADDING: f64 = 24.0;
/// Largest height of the drawing.
const TALLEST: f64 = 760.0;

/// Draws shapes at their start (solid), their translations (arrows), and their poses at the first
/// hit or at the end (dashed). Each hit has its normal, from a to b. `sweeps` are those of
/// [`Scene::colliders`], in order.
///
/// ```
/// # use carom_scene::{Options, draw, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}, "motion": {"translation": [9, 0]}},
/// #   {"shape": {"circle": {"radius": 1}}, "position": [6, 0]}]}"#;
/// # let scene = read("two.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let sweeps: Vec<carom::Sweep> = scene.colliders.iter().map(|c| c.sweep().unwrap()).collect();
/// let impact = carom::time_of_impact(sweeps[0], sweeps[1]).unwrap();
/// let svg = draw::motions(&scene, &sweeps, &[draw::Hit { a: 0, b: 1, impact }], &draw::Options::default());
/// assert!(svg.contains("2 shapes, 1 hit"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[must_use]
pub fn motions(scene: &Scene, sweeps: &[Sweep<'_>], hits: &[Hit], options: &Options) -> String {
    let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let mut page =
        Page::new(&options.title, &format!("{}, {}", count(sweeps.len(), "shape"), count(hits.len(), "hit")));
    let Some(bounds) = sweeps.iter().map(Sweep::aabb).reduce(|a, b| a.union(&b)) else {
        page.add(letters("no colliders", DVec2::new(WIDTH * 0.5, page.y + 60.0), LETTERS, FAINT, "middle"));
        page.y += 100.0;
        return page.finish();
    };
    let top = DVec2::new(MARGIN + PADDING, page.y + PADDING);
    let available = DVec2::new(WIDTH - 2.0 * (MARGIN + PADDING), TALLEST);
    let (view, height) = View::fit(&bounds, scene.y == YAxis::Up, top, available, 40.0);
    let times = first_hits(sweeps.len(), hits);
    for (i, sweep) in sweeps.iter().enumerate() {
        page.add(shape(scene, i, sweep, times[i], &view));
    }
    for hit in hits {
        page.add(mark(hit, &view));
    }
    if options.labels {
        let free = Area {
            min: top - DVec2::splat(PADDING),
            max: top + DVec2::new(available.x, height) + DVec2::splat(PADDING),
        };
        page.add(names(scene, sweeps, &mut Labels::new(free), &view));
    }
    page.y += height + 2.0 * PADDING;
    page.finish()
}

/// Returns the time of the first hit of each shape, if there is one.
fn first_hits(count: usize, hits: &[Hit]) -> Vec<Option<f64>> {
    let mut times: Vec<Option<f64>> = vec![None; count];
    for hit in hits {
        for i in [hit.a, hit.b] {
            times[i] = Some(times[i].map_or(hit.impact.time, |time| time.min(hit.impact.time)));
        }
    }
    times
}

/// Draws a shape at its start, its translation, and its pose at the hit or at the end.
fn shape(scene: &Scene, i: usize, sweep: &Sweep<'_>, hit: Option<f64>, view: &View) -> Group {
    let [stroke, fill] = if hit.is_some() { IN_CONTACT } else { NO_CONTACT };
    let id = &scene.colliders[i].id;
    let solid = Group::new().set("stroke", stroke).set("stroke-width", 1.4).set("fill", fill).set("fill-opacity", 0.45);
    let mut group = Group::new().add(solid.add(shape::element(sweep.start(), id, view)));
    if sweep.translation() == DVec2::ZERO && sweep.angle() == 0.0 {
        return group;
    }
    let ghost = Group::new()
        .set("stroke", stroke)
        .set("stroke-width", 1.2)
        .set("fill", fill)
        .set("fill-opacity", 0.12)
        .set("stroke-dasharray", "4 3");
    group = group.add(ghost.add(shape::element(sweep.at(hit.unwrap_or(1.0)), id, view)));
    let (from, to) = (view.point(sweep.start().pose().translation()), view.point(sweep.at(1.0).pose().translation()));
    let displacement = to - from;
    let reached = from + displacement * hit.unwrap_or(1.0);
    if hit.is_some() {
        group = group.add(line(reached, to, FAINT, 1.0).set("stroke-dasharray", "1 4").set("stroke-linecap", "round"));
    }
    if (reached - from).length() > 1.0 {
        group = group.add(arrow(from, displacement.normalize(), (reached - from).length(), FAINT, 1.4));
    }
    group
}

fn mark(hit: &Hit, view: &View) -> Group {
    let at = view.point(hit.impact.point);
    Group::new().add(arrow(at, view.direction(hit.impact.normal), 30.0, NORMAL, 1.8)).add(
        dot(at, 3.2)
            .set("fill", if hit.impact.initial_depth.is_some() { INK } else { PAPER })
            .set("stroke", INK)
            .set("stroke-width", 1.2),
    )
}

/// Writes ids beside the shapes if there is space.
fn names(scene: &Scene, sweeps: &[Sweep<'_>], labels: &mut Labels, view: &View) -> Group {
    let mut group = Group::new();
    for (collider, sweep) in scene.colliders.iter().zip(sweeps) {
        let text = cut(&printable(&collider.id), LETTERS, 160.0);
        let area = on_page(&sweep.start().aabb(), view);
        let middle = (area.min + area.max) * 0.5;
        let beside = DVec2::new(0.0, area.size().y * 0.5 + LETTERS);
        let aside = DVec2::new(area.size().x * 0.5 + width(&text, LETTERS) * 0.5 + 6.0, 0.0);
        if let Some(at) =
            labels.place(&text, LETTERS, [middle - beside, middle + beside, middle + aside, middle - aside])
        {
            group = group.add(rimmed(letters(&text, at + DVec2::new(0.0, LETTERS * 0.36), LETTERS, INK, "middle")));
        }
    }
    group
}
