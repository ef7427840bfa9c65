//! Defines the page: size, colours, fonts, and the form of numbers.
//!
//! A page is filled from the top: each drawing adds elements and moves `y` down. All coordinates
//! are rounded to two decimals, so the files are small. An element becomes text at once, which needs
//! less memory than its nodes.

use std::fmt::Write;

use carom::DVec2;
use svg::Document;
use svg::node::element::{Description, Element, Rectangle, Text, Title};

/// Width of all pictures. Letters are readable at the width of a phone.
pub(super) const WIDTH: f64 = 540.0;
/// Empty space at each side of the page.
pub(super) const MARGIN: f64 = 20.0;

/// Font sizes.
pub(super) const HEADING: f64 = 20.0;
pub(super) const LETTERS: f64 = 14.0;

/// Colour of the background.
pub(super) const PAPER: &str = "#fdfdfb";
/// Colour of text, points and axes.
pub(super) const INK: &str = "#1f2933";
/// Colour of captions and helper lines.
pub(super) const FAINT: &str = "#6b7785";
/// Colours of a shape without contacts.
pub(super) const NO_CONTACT: [&str; 2] = ["#8794a3", "#dfe5eb"];
/// Colours of a shape with contacts.
pub(super) const IN_CONTACT: [&str; 2] = ["#c2500a", "#f08a3c"];
/// Colours of the two shapes of an explanation.
pub(super) const FIRST: [&str; 2] = ["#1d5fa8", "#6fa8dc"];
pub(super) const SECOND: [&str; 2] = ["#b4610a", "#f0a04b"];
/// Colour of contact normals, and of the simplex of a step of GJK.
pub(super) const NORMAL: &str = "#1d4ed8";
/// Colour of penetration depths.
pub(super) const DEPTH: &str = "#a3123a";
/// Colour of distances between shapes that do not touch, and of search directions.
pub(super) const GAP: &str = "#0f766e";

/// Formats a coordinate. Two decimals of a 540th of the width are finer than the pixels of a
/// screen.
pub(super) fn short(x: f64) -> f64 {
    // Adding 0 converts -0 to 0.
    (x * 100.0).round() / 100.0 + 0.0
}

/// Returns a point as path data.
pub(super) fn xy(p: DVec2) -> String {
    format!("{} {}", short(p.x), short(p.y))
}

/// Formats a number with three or four digits.
pub(super) fn number(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e5).contains(&size) {
        return format!("{x:.2e}").replace(".00e", "e");
    }
    let decimals = (2 - size.log10().floor() as i32).clamp(0, 5) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Returns a text element. `anchor` is start, middle or end, as in SVG.
pub(super) fn letters(text: &str, at: DVec2, size: f64, colour: &str, anchor: &str) -> Text {
    Text::new(printable(text))
        .set("x", short(at.x))
        .set("y", short(at.y))
        .set("font-size", size)
        .set("fill", colour)
        .set("text-anchor", anchor)
}

/// Adds an outline in the colour of the page, so that text on lines is readable.
pub(super) fn rimmed(text: Text) -> Text {
    text.set("stroke", PAPER).set("stroke-width", 3).set("stroke-linejoin", "round").set("paint-order", "stroke")
}

/// Removes control characters, which XML does not allow.
pub(super) fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'), "\u{fffd}")
}

/// Estimates the width of a text.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| if c.is_ascii() { 0.58 } else { 1.0 }).sum::<f64>() * size
}

/// Shortens a text to a width, with an ellipsis.
pub(super) fn cut(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        short.push(c);
        if width(&short, size) > most - size {
            break;
        }
    }
    short + "…"
}

/// End of an SVG file.
const END: &str = "</svg>";

/// Page under construction, filled from the top.
pub(super) struct Page {
    /// Text of the elements, each with a line feed before it.
    body: String,
    /// y coordinate of the free area.
    pub(super) y: f64,
    name: String,
    summary: String,
}

impl Page {
    /// Begins a page with a heading, if there is one, and a line below it.
    pub(super) fn new(title: &str, summary: &str) -> Self {
        let mut page = Self {
            body: String::new(),
            y: MARGIN,
            name: if title.is_empty() { summary.to_owned() } else { title.to_owned() },
            summary: summary.to_owned(),
        };
        let most = WIDTH - 2.0 * MARGIN;
        if !title.is_empty() {
            page.y += HEADING;
            let heading = letters(&cut(title, HEADING, most), DVec2::new(MARGIN, page.y - 3.0), HEADING, INK, "start");
            page.add(heading.set("font-weight", 600));
        }
        page.y += LETTERS + 4.0;
        page.add(letters(&cut(summary, LETTERS, most), DVec2::new(MARGIN, page.y - 3.0), LETTERS, FAINT, "start"));
        page.y += 6.0;
        page
    }

    /// Begins a page without text. The name is for screen readers.
    pub(super) fn bare(name: &str) -> Self {
        Self { body: String::new(), y: MARGIN, name: name.to_owned(), summary: name.to_owned() }
    }

    pub(super) fn add(&mut self, element: impl Into<Element>) {
        let _ = write!(self.body, "\n{}", element.into());
    }

    /// Returns the SVG file.
    pub(super) fn finish(self) -> String {
        let height = (self.y + MARGIN).ceil();
        let paper = Rectangle::new().set("width", WIDTH).set("height", height).set("fill", PAPER);
        let document = Document::new()
            .set("viewBox", (0, 0, WIDTH, height))
            .set("width", WIDTH)
            .set("height", height)
            .set("role", "img")
            .set("font-family", "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif")
            .add(Title::new(printable(&self.name)))
            .add(Description::new().add(svg::node::Text::new(printable(&self.summary))))
            .add(paper)
            .to_string();
        let head = document.strip_suffix(END).unwrap_or(&document);
        // A page without elements has an empty group.
        let [open, close] = if self.body.is_empty() { ["<g/>", ""] } else { ["<g>", "\n</g>"] };
        let mut text = String::with_capacity(head.len() + self.body.len() + 32);
        for part in [head, open, &self.body, close, "\n", END, "\n"] {
            text.push_str(part);
        }
        text
    }
}
