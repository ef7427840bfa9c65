//! Bad input: exit code 2, one message that names the file and the remedy, nothing on stdout, no
//! panic (P22).
use std::time::Duration;

use crate::carom::{Folder, Ran, carom, command, run};

/// A scene of one collider of the given shape.
fn shape(shape: &str) -> String {
    format!(r#"{{"carom": 1, "colliders": [{{"id": "thing", "shape": {shape}}}]}}"#)
}

fn polygon(points: &str) -> String {
    shape(&format!(r#"{{"polygon": {{"points": {points}}}}}"#))
}

/// Exit 2, one line on stderr that begins with `carom: ` and the file, nothing on stdout, no panic.
fn refused(case: &str, ran: &Ran, named: &str, words: &[&str]) {
    assert_eq!(ran.code, 2, "{case}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{case}");
    assert_eq!(ran.stderr.lines().count(), 1, "{case}: {}", ran.stderr);
    assert!(ran.stderr.starts_with(&format!("carom: {named}: ")), "{case}: {}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{case}: {}", ran.stderr);
    assert!(ran.stderr.len() < 1000, "{case}: {} bytes of message", ran.stderr.len());
    let message = ran.stderr.to_lowercase();
    for word in words {
        assert!(message.contains(&word.to_lowercase()), "{case}: no \"{word}\" in: {}", ran.stderr);
    }
}

/// Both commands that read a scene.
fn refused_by_both(case: &str, bytes: impl AsRef<[u8]>, words: &[&str]) {
    let folder = Folder::new();
    let file = folder.file("bad.json", bytes);
    refused(case, &carom(&["check", &file]), &file, words);
    refused(case, &carom(&["check", &file, "--format", "json", "--stats"]), &file, words);
    refused(case, &carom(&["explain", &file, "a", "b"]), &file, words);
}

#[test]
fn files_that_are_no_scene() {
    refused_by_both("empty", "", &["empty"]);
    refused_by_both("only white space", " \n\t\n", &["empty"]);
    refused_by_both("truncated", r#"{"carom": 1, "colliders": [{"id": "a", "sha"#, &["line 1"]);
    refused_by_both("binary", [0x89, b'P', b'N', b'G', 0, 0xFF, 0xFE, 1, 2, 3], &["not text"]);
    refused_by_both("another kind of text", "Dear Sir or Madam,\n", &["expected"]);
    refused_by_both("a list", "[1, 2, 3]", &["expected"]);
    refused_by_both("JSON of something else", r#"{"name": "x"}"#, &["carom"]);
    refused_by_both("another version", r#"{"carom": 2, "colliders": []}"#, &["1", "2"]);
    refused_by_both("no version", r#"{"colliders": []}"#, &["carom"]);
    refused_by_both("XML of something else", "<html><body/></html>", &["html"]);
    refused_by_both("truncated XML", "<map version=\"1.10\"><layer", &[]);
}

#[test]
fn scenes_with_wrong_keys_and_types() {
    refused_by_both("unknown key", r#"{"carom": 1, "colliders": [], "color": "red"}"#, &["color"]);
    let unknown = r#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}, "positon": [0, 0]}]}"#;
    refused_by_both("unknown key of a collider", unknown, &["positon", "position"]);
    refused_by_both("unknown shape", shape(r#"{"cirle": {"radius": 1}}"#), &["cirle", "circle"]);
    refused_by_both("a string for a number", shape(r#"{"circle": {"radius": "big"}}"#), &["radius", "number"]);
    refused_by_both("a number for a list", r#"{"carom": 1, "colliders": 7}"#, &["7"]);
    refused_by_both("three coordinates", polygon("[[0,0,0],[1,0],[0,1]]"), &["line 1"]);
    let twice = r#"{"carom": 1, "colliders": [{"id": "a", "shape": {"circle": {"radius": 1}}},
                                              {"id": "a", "shape": {"circle": {"radius": 1}}}]}"#;
    refused_by_both("duplicate ids", twice, &["\"a\""]);
    let hash = r##"{"carom": 1, "colliders": [{"id": "#7", "shape": {"circle": {"radius": 1}}}]}"##;
    refused_by_both("an id that begins with #", hash, &["#"]);
}

#[test]
fn numbers_out_of_bounds() {
    refused_by_both("NaN", shape(r#"{"circle": {"radius": NaN}}"#), &["line 1"]);
    refused_by_both("infinity", shape(r#"{"circle": {"radius": Infinity}}"#), &["line 1"]);
    refused_by_both("beyond f64", shape(r#"{"circle": {"radius": 1e999}}"#), &["radius", "range"]);
    refused_by_both("beyond the range", shape(r#"{"circle": {"radius": 1e31}}"#), &["thing", "1e30"]);
    refused_by_both("negative radius", shape(r#"{"circle": {"radius": -1}}"#), &["thing", "radius", "-1"]);
    let zero = shape(r#"{"rectangle": {"width": 0, "height": 1}}"#);
    refused_by_both("a rectangle without a width", zero, &["thing", "segment"]);
}

#[test]
fn outlines_that_are_no_polygon() {
    refused_by_both("no points", polygon("[]"), &["thing"]);
    refused_by_both("two points", polygon("[[0,0],[1,0]]"), &["thing", "segment"]);
    refused_by_both("collinear", polygon("[[0,0],[1,1],[3,3]]"), &["thing", "segment"]);
    let star = "[[0,10],[6,-8],[-10,3],[10,3],[-6,-8]]";
    refused_by_both("self-crossing", polygon(star), &["thing"]);
}

/// P22: deeply nested JSON is an error, not a stack overflow.
#[test]
fn nested_brackets() {
    let n = 200_000;
    refused_by_both("brackets", "[".repeat(n), &[]);
    refused_by_both("braces", r#"{"carom":"#.repeat(n), &[]);
    let inside = format!("{}{}{}", r#"{"carom": 1, "colliders": "#, "[".repeat(n), "]".repeat(n));
    refused_by_both("brackets in a scene", inside, &[]);
    let key = format!("{}{}{}", r#"{"x": "#, "[".repeat(n), "]".repeat(n));
    refused_by_both("brackets before any known key", key, &[]);
    refused_by_both("XML", format!("<map>{}", "<group>".repeat(n)), &[]);
}

/// A large file that is not a scene is refused within seconds.
#[test]
fn huge_nonsense() {
    const SIZE: usize = 200 << 20;
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut noise = Vec::with_capacity(SIZE);
    while noise.len() < SIZE {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        noise.extend_from_slice(&state.to_le_bytes());
    }
    let letters: Vec<u8> = noise.iter().map(|byte| b' ' + byte % 64).collect();
    let scene = [br#"{"carom": 1, "colliders": ["#.as_slice(), &letters].concat();
    for (case, bytes) in [("noise", noise), ("letters", letters), ("a scene of letters", scene)] {
        let folder = Folder::new();
        let file = folder.file("huge", bytes);
        let ran = run(command().args(["check", &file]), b"", Duration::from_secs(20));
        refused(case, &ran, &file, &[]);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    let missing = folder.path().join("missing.json");
    let missing = missing.to_str().expect("a UTF-8 path");
    refused("missing", &carom(&["check", missing]), missing, &["cannot be read"]);
    let path = folder.path().to_str().expect("a UTF-8 path");
    refused("a folder", &carom(&["check", path]), path, &["cannot be read"]);
}

#[test]
fn a_missing_template() {
    let map = r#"<map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
        <objectgroup id="1" name="things"><object id="7" template="gone.tx" x="1" y="2"/></objectgroup></map>"#;
    let folder = Folder::new();
    let file = folder.file("level.tmx", map);
    refused("missing template", &carom(&["check", &file]), &file, &["gone.tx"]);
}

/// Control characters of a file are escaped in messages.
#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = Folder::new();
    let scene = r#"{"carom": 1, "colliders": [{"id": "\u001b[31mred", "shape": {"circle": {"radius": -1}}}]}"#;
    let file = folder.file("escape.json", scene);
    let ran = carom(&["check", &file]);
    assert_eq!(ran.code, 2);
    assert!(!ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
}
