//! Reads SVG drawings. Every painted element becomes one collider.
//!
//! - **Elements**: `path`, `rect`, `circle`, `ellipse`, `line`, `polyline` and `polygon`, inside `svg`,
//!   `g`, `a` and `switch` (its first child without requirements), and through `use` and `symbol`.
//!   Elements that are not displayed, hidden, or neither filled nor stroked are ignored.
//! - **Filled** elements have area: rings with holes by the fill rule, several islands a compound.
//!   Circles and rectangles stay exact under rotation, reflection and uniform scale (`rx` shrinks a
//!   rectangle before it rounds it). Curves become straight edges with a deviation of at most
//!   [`Options::flatten_tolerance`] × the larger side of the drawing (its `viewBox` or size, else its bounding
//!   box). A curved path whose end is nearer to its start than this is closed. Rings that cross are
//!   refused, with the position.
//! - **Stroked** elements without fill are chains along the middle of the stroke. The stroke width is
//!   ignored.
//! - **Pose**: transforms, nested viewports, `viewBox`, `preserveAspectRatio` and units apply. An inch is
//!   96 px. Nothing is clipped. +y points down.
//! - **Ids**: the `id` of an element, else its `inkscape:label`, else `#index`. An element that a `use`
//!   shows has the id of the use. If the use shows a group, the id of the use and `.` precede the ids
//!   inside. Repeated ids get `#2`, `#3` ….
//! - **Layers**: Inkscape's layers, or without them the outermost groups with an `inkscape:label` or
//!   `id`, become layers by name. Other elements are on layer 0. If there are more than 63 names, none
//!   becomes a layer, and a note says so.
//!
//! Style sheets, text, images, clip paths, masks, filters, markers, widths of strokes and animation are
//! not read. A warning names each kind once, and each unknown element and attribute. Limits:
//! elements 200 deep, and 2²⁰ elements and 2²⁶ bytes of the file that uses repeat, counted before
//! drawing. A use that shows itself is refused.
mod coverage;
mod curve;
mod document;
mod element;
mod fill_rule;
mod path;
mod scene;
mod style;
mod units;
mod unread;
mod uses;

use crate::unread::Unread;
use crate::{Error, Options, Scene};

pub(crate) use coverage::COVERAGE;

/// Reads a drawing.
pub(crate) fn read(name: &str, text: &str, options: &Options) -> Result<Scene, Error> {
    let document = crate::xml::parse(name, text)?;
    let drawing = document::drawing(name, &document)?;
    let mut scene = scene::scene(name, text, drawing, options)?;
    let mut unread = Unread::default();
    unread::search(&document, &mut unread);
    let (unknown, ignored) = unread.into_texts();
    scene.warnings.extend(unknown);
    scene.ignored = ignored;
    Ok(scene)
}

/// Returns the beginning of a text, for messages.
fn cut(text: &str) -> String {
    const MOST: usize = 24;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
