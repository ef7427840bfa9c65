//! Draws a shape inside another, or the points at which it is outside.
//!
//! Input: two colliders and the explanation of `contains`. Output: one picture of both, with a ring
//! at a point of each part that is outside.

use carom::DVec2;
use carom::explain::ContainsExplanation;
use carom::query::Containment;

use super::Options;
use super::marks::dot;
use super::page::{DEPTH, MARGIN, PAPER, Page, WIDTH};
use super::pair;
use super::scene::placed;
use super::transform::View;
use crate::{Scene, YAxis};

/// Space between the drawing and its frame.
const PADDING: f64 = 16.0;
/// Largest height of the drawing.
const TALLEST: f64 = 520.0;

/// Draws collider `b` of the scene over `a`, with a ring in each part of `b` that `a` does not contain.
///
/// ```
/// # use carom_scene::{Options, draw, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 3}}}, {"shape": {"circle": {"radius": 1}}, "position": [1, 0]}]}"#;
/// # let scene = read("two.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
/// let why = carom::explain::explain_contains(placed(0), placed(1));
/// let svg = draw::containment(&scene, 0, 1, &why, &draw::Options::default());
/// assert!(svg.contains("#0 contains #1"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[must_use]
pub fn containment(scene: &Scene, a: usize, b: usize, why: &ContainsExplanation, options: &Options) -> String {
    let colliders = [&scene.colliders[a], &scene.colliders[b]];
    let [first, second] = colliders.map(|collider| collider.id.as_str());
    let verdict = if why.contains() { "contains" } else { "does not contain" };
    let mut page = Page::new(&options.title, &format!("{first} {verdict} {second}"));
    pair::heads(&mut page, [first, second]);
    let shapes = [placed(colliders[0]), placed(colliders[1])];
    let available = DVec2::new(WIDTH - 2.0 * (MARGIN + PADDING), TALLEST);
    let top = DVec2::new(MARGIN + PADDING, page.y + PADDING);
    let (view, height) =
        View::fit(&shapes[0].aabb().union(&shapes[1].aabb()), scene.y == YAxis::Up, top, available, 40.0);
    for shape in pair::shapes(colliders, shapes, &view) {
        page.add(shape);
    }
    for held in why.parts() {
        if let Containment::Outside { at } = held {
            page.add(
                dot(view.point(*at), 5.0)
                    .set("fill", PAPER)
                    .set("fill-opacity", 0.7)
                    .set("stroke", DEPTH)
                    .set("stroke-width", 2),
            );
        }
    }
    page.y += height + 2.0 * PADDING;
    page.finish()
}
