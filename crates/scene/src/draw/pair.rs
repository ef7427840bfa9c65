//! Draws two shapes in two colours, with their names above.
//!
//! All explanations of a pair use it, so shape a is blue and shape b is orange in each picture.

use carom::{DVec2, Placed};
use svg::node::element::{Group, Rectangle};

use super::page::{FIRST, INK, LETTERS, MARGIN, Page, SECOND, WIDTH, cut, letters, short};
use super::shape;
use super::transform::View;
use crate::SceneCollider;

/// Writes which colour is which shape.
pub(super) fn heads(page: &mut Page, [a, b]: [&str; 2]) {
    let y = page.y + 8.0;
    let half = (WIDTH - 2.0 * MARGIN) * 0.5;
    for (x, letter, id, [stroke, fill]) in [(MARGIN, "a", a, FIRST), (MARGIN + half, "b", b, SECOND)] {
        let swatch = Rectangle::new()
            .set("x", short(x))
            .set("y", short(y - 6.0))
            .set("width", 18)
            .set("height", 12)
            .set("rx", 2)
            .set("stroke", stroke)
            .set("stroke-width", 1.6)
            .set("fill", fill)
            .set("fill-opacity", 0.4);
        page.add(swatch);
        let text = cut(&format!("{letter}: {id}"), LETTERS, half - 30.0);
        page.add(letters(&text, DVec2::new(x + 25.0, y + 4.5), LETTERS, INK, "start"));
    }
    page.y += 28.0;
}

/// Returns both shapes, each in its colour.
pub(super) fn shapes(colliders: [&SceneCollider; 2], placed: [Placed<'_>; 2], view: &View) -> [Group; 2] {
    [0, 1].map(|i| {
        let [stroke, fill] = [FIRST, SECOND][i];
        Group::new()
            .set("stroke", stroke)
            .set("stroke-width", 1.8)
            .set("stroke-linejoin", "round")
            .set("stroke-linecap", "round")
            .set("fill", fill)
            .set("fill-opacity", 0.4)
            .add(shape::element(placed[i], &colliders[i].id, view))
    })
}
