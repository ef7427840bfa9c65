//! P22: whatever the bytes, reading ends soon, in a scene or in one error.
use crate::support::{changed_is_sound, soon, truncated_is_refused};
use crate::{drawing, read, read_with};
use carom_scene::Options;

fn refused(svg: &str) -> String {
    soon(|| read_with(svg, &Options::default())).expect_err("must be refused").to_string()
}

#[test]
fn deep_nesting() {
    let depth = 200_000;
    let nested = |name: &str| drawing(&(format!("<{name}>").repeat(depth) + &format!("</{name}>").repeat(depth)));
    for name in ["g", "svg", "a", "switch"] {
        assert!(refused(&nested(name)).contains("elements more than 200 deep inside each other"), "{name}");
    }
    // What is not drawn may be as deep as it likes.
    for name in ["defs", "x", "title"] {
        assert!(soon(|| read(&nested(name))).colliders.is_empty());
    }
}

#[test]
fn uses_that_show_themselves() {
    for content in [
        r##"<use id="a" href="#a"/>"##,
        r##"<g id="a"><use href="#a"/></g>"##,
        r##"<defs><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></defs><use href="#b"/>"##,
        r##"<symbol id="a"><use href="#a"/></symbol><use href="#a"/>"##,
    ] {
        assert!(refused(&drawing(content)).contains("the element would show itself"), "{content}");
    }
}

#[test]
fn uses_that_multiply() {
    let level = |i: usize| format!("<g id=\"l{i}\">{}</g>", format!("<use href=\"#l{}\"/>", i - 1).repeat(10));
    let svg = drawing(&format!("<defs><circle id=\"l0\" r=\"1\"/>{}</defs><use href=\"#l20\"/>", (1..=20).map(level).collect::<String>()));
    assert!(refused(&svg).contains("the uses of this drawing show more than 1048576 elements"));
}

#[test]
fn entities_do_not_expand() {
    let laughs = (1..10).map(|i| format!(r#"<!ENTITY l{i} "{}">"#, format!("&l{};", i - 1).repeat(10)));
    let svg = format!(r#"<!DOCTYPE svg [<!ENTITY l0 "ha">{}]><svg>&l9;</svg>"#, laughs.collect::<String>());
    assert!(refused(&svg).contains("entity declarations are not read"));
}

#[test]
fn attributes_by_the_thousand() {
    let many = (0..100_000).map(|i| format!(" a{i}=\"u\"")).collect::<Vec<_>>().concat();
    assert!(refused(&drawing(&format!("<circle{many}/>"))).contains("more than 256 attributes"));
}

#[test]
fn curves_without_end() {
    let fine = r#"<path fill="none" stroke="red" d="M0 0Q1e20 1e20 0 9"/>"#;
    assert!(refused(&drawing(fine)).contains("a curve needs more than 65536 edges to deviate by at most 0.01: choose a larger tolerance"));
    // 59 000 edges each.
    let many = format!(r#"<path fill="none" stroke="red" d="M0 0{}"/>"#, "Q5e7 5e7 0 9Q5e7 5e7 0 0".repeat(100));
    assert!(refused(&drawing(&many)).contains("the drawing's curves become more than 8388608 edges"));
}

#[test]
fn changed_drawings() {
    let whole = include_bytes!("../../../../scenes/drawing.svg");
    let letters = b"0123456789-+.eE\"<>&/{}[],: \n\0\xffMzAaqTsh()#";
    let read = changed_is_sound("drawing.svg", &[whole], letters, 500, 0x5EED_0004);
    assert!(read > 125, "only {read} of the changed drawings were read");
}

#[test]
fn truncated_drawings() {
    truncated_is_refused("drawing.svg", include_str!("../../../../scenes/drawing.svg").trim_end());
}

#[test]
fn many_elements_load_soon() {
    let svg = drawing(&(0..200_000).map(|i| format!("<rect x=\"{i}\" width=\".5\" height=\"1\"/>")).collect::<Vec<_>>().concat());
    assert_eq!(soon(|| read(&svg)).colliders.len(), 200_000);
}
