//! P22: for all bytes, reading ends soon, in a scene or in one error.
use carom_scene::Options;

use super::{drawing, read, read_with};
use crate::support::{changed_is_sound, soon, truncated_is_refused};

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
    // Elements that are not drawn may be nested to any depth.
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

/// Returns groups of ten uses of the group before, which end in `content`, and the number of
/// elements that a use of each shows.
fn tower(content: &str, levels: u32) -> (String, Vec<u128>) {
    let level = |i: u32| format!("<g id=\"l{i}\">{}</g>", format!("<use href=\"#l{}\"/>", i - 1).repeat(10));
    let shown = (0..levels).scan(1_u128, |shown, _| {
        *shown = shown.saturating_add(1).saturating_mul(10).saturating_add(1);
        Some(*shown)
    });
    (format!("<defs>{content}{}</defs>", (1..=levels).map(level).collect::<String>()), shown.collect())
}

/// The elements were expanded up to the limit before the drawing was refused. This took half a
/// minute in debug builds.
#[test]
fn uses_that_multiply_are_counted_before_they_are_shown() {
    let (groups, shown) = tower("<circle id=\"l0\" r=\"1\"/>", 30);
    for levels in [6, 20, 30] {
        let message = refused(&drawing(&format!("{groups}\n<use href=\"#l{levels}\"/>")));
        let expected = format!("the uses of this drawing show {} elements; the limit is 1048576", shown[levels - 1]);
        assert!(message.contains(&expected) && message.contains("line 2, column 1:"), "{message}\n{expected}");
    }
    let large = drawing(&format!("{groups}<use href=\"#l5\"/>"));
    assert_eq!(read(&large).colliders.len(), 100_000);
    // More than a u64 can count.
    let (groups, _) = tower("<circle id=\"l0\" r=\"1\"/>", 60);
    assert!(
        refused(&drawing(&format!("{groups}<use href=\"#l60\"/>")))
            .contains("show at least 340282366920938463463374607431768211455 elements")
    );
}

/// Groups that use each other in a cycle, many times each: the uses in the cycle are refused one by
/// one, and none is expanded.
#[test]
fn circles_of_uses_that_multiply() {
    let group = |i: usize| format!("<g id=\"c{i}\">{}</g>", format!("<use href=\"#c{}\"/>", (i + 1) % 9).repeat(10));
    let circle: String = (0..9).map(group).collect();
    let svg = drawing(&format!("<defs>{circle}</defs><use href=\"#c4\"/>"));
    assert!(refused(&svg).contains("href=\"#c5\": the element would show itself"));
    let scene = soon(|| read_with(&svg, &Options { skip_invalid: true, ..Options::default() })).unwrap();
    assert_eq!((scene.colliders.len(), scene.skipped.len()), (0, 10));
    // A cycle at the end of a tower counts as the tower.
    let (groups, shown) = tower(&format!("{circle}<use id=\"l0\" href=\"#c0\"/>"), 20);
    let expected = format!("show {} elements", shown[19] + 11 * 10_u128.pow(20));
    assert!(refused(&drawing(&format!("{groups}<use href=\"#l20\"/>"))).contains(&expected));
}

/// Few elements can repeat large content: long path data, long ids, comments.
#[test]
fn uses_that_repeat_a_large_part_of_the_file() {
    let data = "M0 0L1 0".to_owned() + &"L0 1".repeat(200_000);
    let uses = "<use href=\"#big\"/>".repeat(90);
    for content in [
        format!("<defs><path id=\"big\" d=\"{data}\"/></defs>{uses}"),
        format!("<defs><g id=\"big\"><!--{data}--><circle r=\"1\"/></g></defs>{uses}"),
        format!(
            "<defs><g id=\"big\">{}</g></defs><use id=\"{data}\" href=\"#big\"/>",
            "<circle id=\"a\" r=\"1\"/>".repeat(90)
        ),
    ] {
        let message = refused(&drawing(&content));
        assert!(message.contains(" bytes of the file; the limit is 67108864"), "{message}");
    }
    // Names of groups are stored once for all their elements.
    let group = format!("<g id=\"{data}\">{}</g>", "<circle id=\"a\" r=\"1\"/>".repeat(2000));
    assert_eq!(soon(|| read(&drawing(&group))).colliders.len(), 2000);
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
    assert!(
        refused(&drawing(fine))
            .contains("a curve needs more than 65536 edges to deviate by at most 0.01: choose a larger tolerance")
    );
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
    let svg = drawing(
        &(0..200_000).map(|i| format!("<rect x=\"{i}\" width=\".5\" height=\"1\"/>")).collect::<Vec<_>>().concat(),
    );
    assert_eq!(soon(|| read(&svg)).colliders.len(), 200_000);
}
