//! Tests the options of all commands: selection of contacts, input formats, statistics, several
//! files, and exit codes.
use crate::carom::{BROADS, Folder, carom, carom_with};
use crate::contract::{Report, check};

/// Circles of radius 1 in a row: p and q overlap by 0.5, q and r touch, r and s are 0.25 apart.
const ROW: &str = r#"{"carom": 1, "colliders": [
    {"id": "p", "shape": {"circle": {"radius": 1}}, "position": [0, 0], "layers": ["red"]},
    {"id": "q", "shape": {"circle": {"radius": 1}}, "position": [1.5, 0], "layers": ["green"]},
    {"id": "r", "shape": {"circle": {"radius": 1}}, "position": [3.5, 0], "layers": ["red"]},
    {"id": "s", "shape": {"circle": {"radius": 1}}, "position": [5.75, 0], "layers": ["blue", 7]}]}"#;

/// Returns ids and depth of each contact.
type Pair<'r> = (&'r str, &'r str, f64);

fn pairs(report: &Report) -> Vec<Pair<'_>> {
    report.contacts.iter().map(|c| (c.a.as_str(), c.b.as_str(), c.depth)).collect()
}

#[test]
fn margin_overlaps_and_min_depth() {
    let cases: [(&[&str], &[Pair]); 7] = [
        (&[], &[("p", "q", 0.5), ("q", "r", 0.0)]),
        (&["--overlaps"], &[("p", "q", 0.5)]),
        (&["--margin", "0.25"], &[("p", "q", 0.5), ("q", "r", 0.0), ("r", "s", -0.25)]),
        (&["--margin", "0.24"], &[("p", "q", 0.5), ("q", "r", 0.0)]),
        (&["--min-depth", "0.5"], &[("p", "q", 0.5)]),
        (&["--min-depth", "0.51"], &[]),
        (&["--margin", "1", "--min-depth", "-0.25"], &[("p", "q", 0.5), ("q", "r", 0.0), ("r", "s", -0.25)]),
    ];
    for (args, expected) in cases {
        let report = check(ROW, args);
        assert_eq!(pairs(&report), expected, "{args:?}");
    }
}

#[test]
fn between_two_layers() {
    assert_eq!(pairs(&check(ROW, &["--between", "red", "green"])), [("p", "q", 0.5), ("q", "r", 0.0)]);
    assert_eq!(pairs(&check(ROW, &["--between", "green", "red"])), [("p", "q", 0.5), ("q", "r", 0.0)]);
    assert_eq!(pairs(&check(ROW, &["--between", "red", "red"])), []);
    assert_eq!(pairs(&check(ROW, &["--between", "red", "7", "--margin", "0.25"])), [("r", "s", -0.25)]);
    assert_eq!(check(ROW, &["--between", "red", "red"]).candidates, check(ROW, &[]).candidates);

    let ran = carom_with(&["check", "-", "--between", "red", "gren"], ROW);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("`gren`") && ran.stderr.contains("did you mean `green`"), "{}", ran.stderr);
}

#[test]
fn deny_exits_with_1_if_a_pair_intersects() {
    let code = |args: &[&str]| carom_with(&[&["check", "-"], args].concat(), ROW).code;
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&["--deny"]), 1);
    assert_eq!(code(&["--deny", "--min-depth", "0.5"]), 1);
    assert_eq!(code(&["--deny", "--min-depth", "0.6"]), 0);
    assert_eq!(code(&["--deny", "--between", "green", "red", "--overlaps"]), 1);
    // A near miss does not intersect.
    assert_eq!(code(&["--deny", "--between", "red", "blue", "--margin", "1"]), 0);
    assert_eq!(code(&["--deny", "--between", "red", "blue"]), 0);
}

#[test]
fn arguments_that_make_no_sense_exit_with_2() {
    let cases: [(&[&str], &[&str]); 21] = [
        (&["check"], &["FILE"]),
        (&["check", "-", "--broad", "tree"], &["tree", "auto", "brute", "strips", "bvh", "sweep-swaps"]),
        (&["check", "-", "--format", "xml"], &["xml", "table", "json", "ndjson"]),
        (&["check", "-", "--margin", "-1"], &["--margin", "0 to 1e30"]),
        (&["check", "-", "--margin", "nan"], &["--margin", "finite"]),
        (&["check", "-", "--min-depth", "inf"], &["--min-depth", "finite"]),
        (&["check", "-", "--margin", "1", "--overlaps"], &["--margin", "--overlaps"]),
        (&["check", "-", "--render", "picture.gif"], &[".svg", ".png"]),
        (&["check", "-", "--between", "red"], &["--between"]),
        (&["check", "-", "--input-format", "dxf"], &["scene", "tmx", "tmj"]),
        (&["check", "-", "--sweep", "--margin", "1"], &["--sweep", "--margin"]),
        (&["check", "-", "--pairs", "--margin", "1"], &["--pairs", "--margin"]),
        (&["check", "-", "--relations", "--margin", "1"], &["--relations", "--margin"]),
        (&["check", "-", "--pairs", "--lengths"], &["--relations"]),
        (&["check", "-", "--pairs", "--render", "picture.svg"], &["--pairs", "--render"]),
        (&["check", "-", "--move", "a", "1,0"], &["--sweep"]),
        (&["juggle", "-"], &["juggle"]),
        (&["simulate", "-", "--dt", "-1"], &["time step", "0 or more"]),
        (&["bench", "--most", "0"], &["--most"]),
        (&["check", "-", "--threads", "two"], &["--threads"]),
        (&["simulate", "-", "--threads", "1025"], &["--threads", "1024"]),
    ];
    for (args, words) in cases {
        let ran = carom_with(args, ROW);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
        for word in words {
            assert!(ran.stderr.contains(word), "{args:?}: no \"{word}\" in {}", ran.stderr);
        }
    }
}

/// A new broad phase must be in the list, else the tests of the command line would not run it.
#[test]
fn the_tests_run_every_broad_phase() {
    let error = carom_with(&["check", "-", "--broad", "none of them"], ROW).stderr;
    let (_, values) = error.split_once("[possible values: ").unwrap_or_else(|| panic!("no list in {error}"));
    let values: Vec<&str> = values.split(']').next().unwrap().split(", ").collect();
    assert_eq!(values, BROADS, "add the new value to BROADS in tests/cli/carom.rs and to docs/CLI.md");
}

#[test]
fn skip_invalid_lists_refused_shapes_and_continues() {
    let scene = r#"{"carom": 1, "colliders": [
        {"id": "a", "shape": {"circle": {"radius": 1}}},
        {"id": "crooked", "shape": {"polygon": {"points": [[0,0],[1,1],[2,2]]}}},
        {"id": "b", "shape": {"circle": {"radius": 1}}, "position": [1, 0]}]}"#;
    let strict = carom_with(&["check", "-", "--format", "json"], scene);
    assert_eq!((strict.code, strict.stdout.as_str()), (2, ""));
    assert!(strict.stderr.contains("crooked"), "{}", strict.stderr);
    let ran = carom_with(&["check", "-", "--format", "json", "--skip-invalid"], scene);
    assert!(ran.stderr.starts_with("carom: stdin: skipped crooked: "), "{}", ran.stderr);
    let report = crate::contract::report(&ran.data());
    assert_eq!(report.shapes, 2);
    assert_eq!(pairs(&report), [("a", "b", 1.0)]);
}

#[test]
fn several_files_make_one_scene() {
    let folder = Folder::new();
    let one =
        folder.file("one.json", r#"{"carom": 1, "colliders": [{"id": "a", "shape": {"circle": {"radius": 1}}}]}"#);
    let two =
        folder.file("two.json", r#"{"carom": 1, "colliders": [{"id": "a", "shape": {"circle": {"radius": 2}}}]}"#);
    let report = crate::contract::report(&carom(&["check", &one, &two, "--format", "json"]).data());
    assert_eq!(pairs(&report), [("a", &*format!("{two}:a"), 3.0)]);
    let down = folder.file("down.json", r#"{"carom": 1, "y": "down", "colliders": []}"#);
    let ran = carom(&["check", &one, &down]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with(&format!("carom: {down}: ")), "{}", ran.stderr);
}

#[test]
fn stats_go_to_stderr_and_do_not_change_the_data() {
    let plain = carom_with(&["check", "-", "--format", "json"], ROW).data();
    let ran = carom_with(&["check", "-", "--format", "json", "--stats"], ROW);
    for line in
        ["shapes        4", "candidates    2", "contacts      2", "broad phase   brute (picked by auto: few boxes)"]
    {
        assert!(ran.stderr.contains(line), "no \"{line}\" in {}", ran.stderr);
    }
    for stage in ["read", "boxes", "broad phase", "narrow phase", "print", "total"] {
        assert!(ran.stderr.lines().any(|line| line.starts_with(stage) && line.ends_with(" ms")), "{}", ran.stderr);
    }
    assert_eq!(ran.data(), plain);
}

/// Two tiles of 16 units side by side, and a box of 8 units whose lower half is in the first tile.
const MAP: &str = r#"<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
    <tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1"><image source="t.png" width="16" height="16"/></tileset>
    <layer id="1" name="Ground" width="2" height="1"><data encoding="csv">1,1</data></layer>
    <objectgroup id="2" name="things"><object id="1" name="box" x="4" y="-4" width="8" height="8"/></objectgroup></map>"#;

#[test]
fn a_tiled_map_on_stdin_with_a_solid_layer() {
    let check = |args: &[&str]| carom_with(&[&["check", "-", "--format", "json"], args].concat(), MAP);
    let report = crate::contract::report(&check(&["--input-format", "tmx"]).data());
    assert_eq!((report.shapes, report.contacts.len()), (1, 0));
    let report = crate::contract::report(&check(&["--input-format", "tmx", "--solid", "Ground"]).data());
    assert_eq!(report.shapes, 3);
    // The tiles touch each other. Tiles of one layer form one group, so they are not listed.
    assert_eq!(report.contacts.len(), 1);
    assert_eq!(report.contacts[0].depth, 4.0);
    // Without `--input-format`, the format is detected from the content, as for files.
    let report = crate::contract::report(&check(&["--solid", "Ground"]).data());
    assert_eq!(report.shapes, 3);
}

/// One layer name in two Tiled files is one layer. `--input-format` applies to every file.
#[test]
fn maps_and_scenes_make_one_scene() {
    let folder = Folder::new();
    let map = folder.file("level.tmx", MAP);
    let scene = r#"{"carom": 1, "y": "down", "colliders": [{"id": "ball", "shape": {"circle": {"radius": 1}}, "position": [8, 0], "layers": ["things"]}]}"#;
    let scene = folder.file("ball.json", scene);
    let report = crate::contract::report(
        &carom(&["check", &map, &scene, "--format", "json", "--between", "things", "things"]).data(),
    );
    assert_eq!(report.contacts.len(), 1);
    assert_eq!(report.contacts[0].b, format!("{scene}:ball"));
    let ran = carom(&["check", &map, &scene, "--input-format", "tmx"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}
