//! SVG drawings: every painted element is one collider.
//!
//! - **Elements**: `path`, `rect`, `circle`, `ellipse`, `line`, `polyline` and `polygon`, inside `svg`, `g`, `a`, `switch` (its first child
//!   that asks for nothing), and through `use` and `symbol`. What is not displayed, hidden, or neither filled nor stroked covers nothing.
//! - **Filled** elements are areas: rings with holes by the fill rule, several islands a compound. Circles, rectangles (`rx` shrinks them
//!   before it rounds them) and their turned, mirrored and evenly scaled copies stay exact; curves become straight edges that deviate by at
//!   most [`Options::flatten`] × the larger side of the drawing (its `viewBox` or size; without either, the box of all that is drawn). Of a
//!   curved outline, what comes back to its start within that tolerance is its end. Rings that cross themselves or each other are refused, with
//!   the place.
//! - **Stroked but not filled** elements are chains along the middle of the stroke; its width is not looked at, nor is that of filled ones.
//! - **Place**: all transforms, nested viewports, `viewBox`, `preserveAspectRatio` and units apply; an inch is 96 px. Nothing is clipped. y
//!   points down.
//! - **Ids**: an element's `id`, else its `inkscape:label`, else `#index`. What a `use` with an id shows has that id, or where it shows a
//!   group, `id.` in front. Repeats get `#2`, `#3` ….
//! - **Layers**: Inkscape's layers, or in a file without them the outermost groups with an `inkscape:label` or `id`, become layers by
//!   name; what is in none is on layer 0. Of more than 63 names none is a layer, and a note says so.
//!
//! Style sheets, text, images, clip paths, masks, filters, markers and animation are not read: a note names each kind once.
//! Elements nest 200 deep, at most. All uses together repeat at most 2²⁰ elements and 2²⁶ bytes of the file, counted before any is drawn. A use that
//! would show itself, on whatever way, is refused.
mod curve;
mod document;
mod element;
mod fill_rule;
mod path;
mod scene;
mod style;
mod units;
mod uses;

use crate::{Error, Options, Scene};

/// Reads a drawing.
pub(crate) fn read(name: &str, text: &str, options: &Options) -> Result<Scene, Error> {
    let document = crate::xml::parse(name, text)?;
    let drawing = document::drawing(name, &document)?;
    scene::scene(name, text, drawing, options)
}

/// The beginning of a text, for messages.
fn cut(text: &str) -> String {
    const MOST: usize = 24;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
