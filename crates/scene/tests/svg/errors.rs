//! One message names the line, the element and the expected input.
use super::{drawing, read_with};
use carom_scene::Options;

/// An invalid element, and the parts that its message must contain.
const REFUSED: [(&str, &str); 22] = [
    (r#"<circle id="x" r="-1"/>"#, "<circle> \"x\": r=\"-1\": expected 0 or more"),
    (r#"<circle id="x" r="big"/>"#, "<circle> \"x\": r=\"big\": expected a length, such as 12, 3.5mm or 50%"),
    (r#"<circle id="x" r="1em"/>"#, "r=\"1em\": expected a length in px, mm, cm, in, pt, pc or %: fonts are not read"),
    (r#"<circle r="1" cx="1 2"/>"#, "<circle>: cx=\"1 2\": expected a length"),
    (r#"<circle r="1e31"/>"#, "radius is 1e31"),
    (r#"<circle r="1" cx="NaN"/>"#, "cx=\"NaN\": expected a length"),
    (r#"<rect width="-1" height="1"/>"#, "width=\"-1\": expected 0 or more"),
    (r#"<ellipse rx="-1" ry="1"/>"#, "rx=\"-1\": expected 0 or more"),
    (r#"<polygon points="1,2 3"/>"#, "holds 3 numbers: expected pairs"),
    (r#"<polygon points="1,2 x,3"/>"#, "points=\"1,2 x,3\": expected pairs of numbers"),
    (r#"<path d="L1 1"/>"#, "the path data is broken at character 1, \"L1 1\": expected a command letter or a number"),
    (r#"<path d="M1 1 L2 x"/>"#, "the path data is broken at character"),
    (r#"<path d="M1 1 L2"/>"#, "the path data ends too early: expected numbers"),
    (r#"<path d="M1 1 2 2 Z 3 3"/>"#, "the path data is broken at character 12, \"3 3\""),
    (
        r#"<circle r="1" transform="rotate(1 2)"/>"#,
        "transform=\"rotate(1 2)\": expected a list such as translate(4 2) rotate(30)",
    ),
    (r#"<g transform="turn(1)"><circle r="1"/></g>"#, "transform=\"turn(1)\""),
    (r#"<circle r="1" transform="rotate(1e40)"/>"#, "transform=\"rotate(1e40)\""),
    (
        r#"<circle r="1" style="transform: rotate(3deg)"/>"#,
        "a transform in style=\"…\" is not read: write it as the attribute transform",
    ),
    (
        r#"<svg viewBox="0 0 1"><circle r="1"/></svg>"#,
        "viewBox=\"0 0 1\": expected min-x min-y width height, with sizes above 0",
    ),
    (r##"<use href="#none"/>"##, "<use>: href=\"#none\": there is no element with this id"),
    (
        r#"<use id="u" href="other.svg#a"/>"#,
        "<use> \"u\": href=\"other.svg#a\": only elements of the same file are shown",
    ),
    (r"<use/>", "<use>: a <use> without href"),
];

#[test]
fn elements_that_are_refused_by_name() {
    for (element, expected) in REFUSED {
        let svg = drawing(&format!("\n <circle id=\"good\" r=\"1\"/>{element}"));
        let error = read_with(&svg, &Options::default()).expect_err(element).to_string();
        assert!(
            error.starts_with("drawing.svg: line 2, column ") && error.contains(expected),
            "{error}\nshould contain {expected}"
        );
        assert!(error.lines().count() == 1 && error.len() < 300, "{error}");
        let scene = read_with(&svg, &Options { skip_invalid: true, ..Options::default() }).unwrap();
        assert_eq!((scene.colliders.len(), scene.skipped.len()), (1, 1), "{element}");
        assert!(error.ends_with(scene.skipped[0].reason.split_once(": ").unwrap().1), "{error}\n{}", scene.skipped[0]);
    }
}

/// Errors of the whole file belong to no element.
#[test]
fn files_that_are_refused() {
    for (svg, expected) in [
        ("<svg", "drawing.svg: line 1, column 5: broken XML"),
        ("<svg>", "drawing.svg: line 1, column 6: broken XML"),
        (
            "<svg viewBox=\"0 0 0 5\"/>",
            "line 1, column 1: <svg>: viewBox=\"0 0 0 5\": expected min-x min-y width height",
        ),
        ("<svg width=\"-5\" height=\"1\"/>", "<svg>: width -5, height 1: expected 0 or more"),
        ("<svg width=\"5furlongs\"/>", "<svg>: width=\"5furlongs\": expected a length"),
        (
            "<svg viewBox=\"0 0 1 1\" width=\"5\" preserveAspectRatio=\"left\"/>",
            "preserveAspectRatio=\"left\": expected such as xMidYMid meet",
        ),
        ("<html/>", "expected a Tiled <map>, found <html>"),
    ] {
        for skip_invalid in [false, true] {
            let error = read_with(svg, &Options { skip_invalid, ..Options::default() }).expect_err(svg).to_string();
            assert!(error.contains(expected), "{error}\nshould contain {expected}");
        }
    }
    let as_svg = Options { format: Some(carom_scene::Format::Svg), ..Options::default() };
    let error = read_with("<map/>", &as_svg).unwrap_err().to_string();
    assert_eq!(error, "drawing.svg: line 1, column 1: expected an <svg>, found <map>");
}
