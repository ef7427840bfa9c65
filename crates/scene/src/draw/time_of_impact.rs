//! Draws the steps of a time of impact: the poses at each step, and the gap over time.
//!
//! Input: two colliders with motions, and the explanation of their time of impact. Output: both
//! shapes at the start, at some steps and at the impact, with the gap between their closest points.
//! A chart below shows how the gap falls to 0. Steps beyond 24 are drawn with a stride.

use carom::explain::{ImpactExplanation, ImpactMethod};
use carom::{Aabb, DVec2, Sweep};
use svg::node::element::Group;

use super::Options;
use super::marks::{arrow, dot, line};
use super::page::{
    DEPTH, FAINT, FIRST, GAP, INK, LETTERS, MARGIN, NORMAL, PAPER, Page, SECOND, WIDTH, letters, number, rimmed,
};
use super::pair;
use super::shape;
use super::transform::View;
use crate::{Scene, YAxis};

/// Space between the drawing and its frame.
const PADDING: f64 = 16.0;
/// Largest height of the drawing.
const TALLEST: f64 = 420.0;
/// Size of the chart of gaps.
const CHART: f64 = 120.0;
/// Largest number of steps that are all drawn in place.
const MOST: usize = 24;

/// Draws colliders `a` and `b` of the scene in motion. They are solid at the start and dashed at
/// the impact or the end; each step between shows the gap. A chart below shows the gap over time.
///
/// ```
/// # use carom_scene::{Options, draw, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"rectangle": {"width": 2, "height": 1}}, "motion": {"translation": [9, 0], "rotation": 90}},
/// #   {"shape": {"circle": {"radius": 1}}, "position": [6, 0]}]}"#;
/// # let scene = read("two.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let sweeps = [0, 1].map(|i| scene.colliders[i].sweep().unwrap());
/// let why = carom::explain::explain_time_of_impact(sweeps[0], sweeps[1]);
/// let svg = draw::time_of_impact(&scene, 0, 1, &why, &draw::Options::default()).unwrap();
/// assert!(svg.contains("#0 hits #1 at time"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
///
/// # Errors
/// The errors of [`SceneCollider::sweep`](crate::SceneCollider::sweep).
pub fn time_of_impact(
    scene: &Scene,
    a: usize,
    b: usize,
    why: &ImpactExplanation,
    options: &Options,
) -> Result<String, carom::Error> {
    let colliders = [&scene.colliders[a], &scene.colliders[b]];
    let [first, second] = colliders.map(|collider| collider.id.as_str());
    let sweeps = [colliders[0].sweep()?, colliders[1].sweep()?];
    let mut page = Page::new(&options.title, &summary(first, second, why));
    pair::heads(&mut page, [first, second]);
    let end = why.impact().map_or(1.0, |impact| impact.time);
    let bounds = bounds(&sweeps, end);
    let available = DVec2::new(WIDTH - 2.0 * (MARGIN + PADDING), TALLEST);
    let (view, height) =
        View::fit(&bounds, scene.y == YAxis::Up, DVec2::new(MARGIN + PADDING, page.y + PADDING), available, 40.0);
    for shape in pair::shapes(colliders, sweeps.map(|sweep| sweep.start()), &view) {
        page.add(shape);
    }
    let ids = [first, second];
    let stride = why.steps().len().div_ceil(MOST).max(1);
    for step in why.steps().iter().step_by(stride) {
        page.add(ghosts(&sweeps, ids, step.time, &view, ["1 0", "0.8", "0.05"]));
    }
    if end > 0.0 {
        page.add(ghosts(&sweeps, ids, end, &view, ["4 3", "1.6", "0.18"]));
    }
    for step in why.steps().iter().step_by(stride) {
        let (p, q) = (view.point(step.point_a), view.point(step.point_b));
        let colour = if step.gap < 0.0 { DEPTH } else { GAP };
        page.add(line(p, q, colour, 1.4));
        page.add(dot(p, 2.2).set("fill", colour));
        page.add(dot(q, 2.2).set("fill", colour));
    }
    if let Some(impact) = why.impact() {
        let at = view.point(impact.point);
        page.add(arrow(at, view.direction(impact.normal), 30.0, NORMAL, 1.8));
        page.add(dot(at, 3.2).set("fill", PAPER).set("stroke", INK).set("stroke-width", 1.2));
    }
    page.y += height + 2.0 * PADDING + 8.0;
    if !why.steps().is_empty() {
        chart(&mut page, why);
    }
    Ok(page.finish())
}

/// Returns the box of both shapes during the motion.
fn bounds(sweeps: &[Sweep<'_>; 2], end: f64) -> Aabb {
    const TIMES: u32 = 16;
    let at = |time: f64| sweeps[0].at(time).aabb().union(&sweeps[1].at(time).aabb());
    (1..=TIMES).fold(at(0.0), |all, i| all.union(&at(end * f64::from(i) / f64::from(TIMES))))
}

fn summary(a: &str, b: &str, why: &ImpactExplanation) -> String {
    let count = why.steps().len();
    let steps = match why.method() {
        ImpactMethod::Clip => "found in one go".to_owned(),
        _ => format!("{count} step{}", if count == 1 { "" } else { "s" }),
    };
    match why.impact() {
        Some(impact) if impact.initial_depth.is_some() => format!("{a} and {b} overlap at the start"),
        Some(impact) => format!("{a} hits {b} at time {}, {steps}", number(impact.time)),
        None => format!("{a} does not hit {b}, {steps}"),
    }
}

/// Draws both shapes at a time, with dashes, line width and opacity.
fn ghosts(sweeps: &[Sweep<'_>; 2], ids: [&str; 2], time: f64, view: &View, [dashes, wide, fill]: [&str; 3]) -> Group {
    [FIRST, SECOND].into_iter().enumerate().fold(Group::new(), |group, (i, colours)| {
        let ghost = Group::new()
            .set("stroke", colours[0])
            .set("stroke-width", wide)
            .set("stroke-dasharray", dashes)
            .set("fill", colours[1])
            .set("fill-opacity", fill);
        let moves = sweeps[i].translation() != DVec2::ZERO || sweeps[i].angle() != 0.0;
        if moves { group.add(ghost.add(shape::element(sweeps[i].at(time), ids[i], view))) } else { group }
    })
}

/// Draws the gap over time, with one dot per step.
fn chart(page: &mut Page, why: &ImpactExplanation) {
    let widest = why.steps().iter().map(|step| step.gap).fold(0.0, f64::max);
    let (left, right, bottom) = (MARGIN + 10.0, WIDTH - MARGIN - 10.0, page.y + CHART);
    let scale = (CHART - 24.0) / widest.max(1e-290);
    let at = |time: f64, gap: f64| DVec2::new(left + (right - left) * time, bottom - gap.max(0.0) * scale);
    page.add(line(at(0.0, 0.0), at(1.0, 0.0), FAINT, 1.0));
    page.add(line(at(0.0, 0.0), at(0.0, widest), FAINT, 1.0));
    for pair in why.steps().windows(2) {
        // The end of the step's bound, and the gap there.
        page.add(
            line(at(pair[0].time, pair[0].gap), at(pair[1].time, pair[1].gap), GAP, 1.0).set("stroke-opacity", 0.5),
        );
    }
    for step in why.steps() {
        page.add(line(at(step.time, 0.0), at(step.time, step.gap), GAP, 0.8).set("stroke-dasharray", "2 3"));
        page.add(dot(at(step.time, step.gap), 2.8).set("fill", GAP));
    }
    if let Some(impact) = why.impact() {
        page.add(dot(at(impact.time, 0.0), 4.0).set("fill", PAPER).set("stroke", INK).set("stroke-width", 1.4));
        let text = format!("time {}", number(impact.time));
        let x = at(impact.time, 0.0).x.clamp(left + 70.0, right - 60.0);
        page.add(letters(&text, DVec2::new(x, bottom + LETTERS + 4.0), LETTERS - 1.0, INK, "middle"));
    }
    let label = rimmed(letters(
        &format!("gap {}", number(widest)),
        at(0.0, widest) + DVec2::new(8.0, -4.0),
        LETTERS - 1.0,
        FAINT,
        "start",
    ));
    page.add(label);
    page.add(letters("0", DVec2::new(left, bottom + LETTERS + 4.0), LETTERS - 1.0, FAINT, "middle"));
    page.add(letters("1", DVec2::new(right, bottom + LETTERS + 4.0), LETTERS - 1.0, FAINT, "middle"));
    page.y = bottom + LETTERS + 10.0;
}
