//! Converts the text of a drawing to paths, so that no font is needed to show it.
//!
//! The font is Ubuntu Light, which is built in. So every machine draws the same pixels. One glyph
//! stands for each character, without kerning and combining marks. A character that is not in the
//! font is drawn as an empty box.

use std::fmt::Write;
use std::ops::Range;

use roxmltree::{Document, Node};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Attributes of text that paths do not have.
const OF_TEXT: [&str; 7] = ["x", "y", "dy", "font-size", "font-weight", "font-family", "text-anchor"];

/// Returns the drawing with a path in place of each `text` element.
pub(crate) fn outline_text(svg: &str) -> Result<String, String> {
    let invalid = |error: &dyn std::fmt::Display| format!("the drawing is not valid SVG: {error}");
    let document = Document::parse(svg).map_err(|error| invalid(&error))?;
    let face = Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0).map_err(|error| invalid(&error))?;
    let (mut outlined, mut done) = (String::with_capacity(svg.len()), 0);
    for text in document.descendants().filter(|node| node.has_tag_name((SVG, "text"))) {
        let Range { start, end } = text.range();
        outlined.push_str(&svg[done..start]);
        outlined.push_str(&path_element(&face, text));
        done = end;
    }
    outlined.push_str(&svg[done..]);
    Ok(outlined)
}

/// Namespace of SVG.
const SVG: &str = "http://www.w3.org/2000/svg";

/// Writes the path of a `text` element and keeps its other attributes.
fn path_element(face: &Face<'_>, text: Node<'_, '_>) -> String {
    let number =
        |name: &str, default: f32| text.attribute(name).and_then(|value| value.parse().ok()).unwrap_or(default);
    let (size, x, y) = (number("font-size", 16.0), number("x", 0.0), number("y", 0.0));
    let y = y + text.attribute("dy").map_or(0.0, |dy| shift(dy, size));
    let scale = size / f32::from(face.units_per_em());
    let words = text.text().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let glyphs: Vec<GlyphId> = words.chars().map(|letter| face.glyph_index(letter).unwrap_or_default()).collect();
    let advance = |glyph: GlyphId| scale * f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    let width: f32 = glyphs.iter().map(|&glyph| advance(glyph)).sum();
    let start = match text.attribute("text-anchor") {
        Some("middle") => x - 0.5 * width,
        Some("end") => x - width,
        _ => x,
    };
    let mut path = GlyphOutline { data: String::new(), at: [start, y], scale };
    for glyph in glyphs {
        face.outline_glyph(glyph, &mut path);
        path.at[0] += advance(glyph);
    }
    let mut element = format!("<path d=\"{}\"", path.data);
    for attribute in text.attributes().filter(|attribute| !OF_TEXT.contains(&attribute.name())) {
        let value = attribute.value().replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        let _ = write!(element, " {}=\"{value}\"", attribute.name());
    }
    element + "/>"
}

/// Returns a vertical shift in pixels. An `ex` is half an `em`, the size of the font.
fn shift(dy: &str, size: f32) -> f32 {
    let scaled = |unit: &str, scale: f32| dy.strip_suffix(unit).and_then(|n| n.parse().ok()).map(|n: f32| n * scale);
    scaled("em", size).or_else(|| scaled("ex", 0.5 * size)).or_else(|| dy.parse().ok()).unwrap_or(0.0)
}

/// Builds path data from glyphs. The y axis of fonts points up, that of drawings points down.
struct GlyphOutline {
    data: String,
    /// Origin of the glyph in the drawing.
    at: [f32; 2],
    scale: f32,
}

impl GlyphOutline {
    fn command(&mut self, name: char, points: &[[f32; 2]]) {
        self.data.push(name);
        for [x, y] in points {
            let _ = write!(self.data, "{:.3} {:.3} ", self.at[0] + self.scale * x, self.at[1] - self.scale * y);
        }
    }
}

impl OutlineBuilder for GlyphOutline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.command('M', &[[x, y]]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.command('L', &[[x, y]]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.command('Q', &[[x1, y1], [x, y]]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.command('C', &[[x1, y1], [x2, y2], [x, y]]);
    }

    fn close(&mut self) {
        self.data.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg"><text x="10" y="20" font-size="12" fill="#123" text-anchor="ANCHOR">
a &lt; b
</text><g/></svg>"##;

    /// Returns the smallest and largest x of the path.
    fn span(anchor: &str) -> [f32; 2] {
        let outlined = outline_text(&DRAWING.replace("ANCHOR", anchor)).unwrap();
        let document = Document::parse(&outlined).unwrap();
        let path = document.descendants().find(|node| node.has_tag_name("path")).unwrap();
        assert_eq!(path.attribute("fill"), Some("#123"));
        assert!(!outlined.contains("<text"));
        let numbers: Vec<f32> = path
            .attribute("d")
            .unwrap()
            .split(|c: char| c.is_ascii_alphabetic() || c == ' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        let x = numbers.iter().step_by(2).copied();
        [x.clone().fold(f32::MAX, f32::min), x.fold(f32::MIN, f32::max)]
    }

    #[test]
    fn text_becomes_a_path_at_its_anchor() {
        let [left, right] = span("start");
        // Five characters of about half an em each.
        assert!((10.0..11.5).contains(&left) && (30.0..42.0).contains(&right), "{left} {right}");
        let [end_left, end_right] = span("end");
        assert!(
            (end_left - end_right - (left - right)).abs() < 0.01 && (8.5..=10.0).contains(&end_right),
            "{end_left} {end_right}"
        );
        let [middle_left, middle_right] = span("middle");
        assert!(
            (middle_left - f32::midpoint(left, end_left)).abs() < 0.01
                && (middle_right - f32::midpoint(right, end_right)).abs() < 0.01
        );
    }

    #[test]
    fn shifts_are_relative_to_the_size_of_the_font() {
        assert_eq!(
            [shift("0.5em", 12.0), shift("-0.5ex", 12.0), shift("7", 12.0), shift("x", 12.0)],
            [6.0, -3.0, 7.0, 0.0]
        );
    }

    #[test]
    fn invalid_xml_is_an_error() {
        assert!(outline_text("<svg>").unwrap_err().contains("not valid SVG"));
    }
}
