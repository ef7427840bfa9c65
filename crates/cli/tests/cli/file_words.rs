//! Options that refer to names in the file: ids, numbers, layers, other files, and rows for groups
//! of shapes.
use serde_json::{Value, json};

use crate::carom::{Folder, carom, root};

/// A row of four tiles of 8 units, and two crates: the first 2 deep in three tiles, the second 1 deep
/// in one tile. A tile object of two shapes, `post`, is in no tile.
const MAP: &str = r#"<map orientation="orthogonal" width="5" height="1" tilewidth="8" tileheight="8">
    <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="2"><image source="t.png"/>
    <tile id="1"><objectgroup><object width="2" height="8"/><object x="6" width="2" height="8"/></objectgroup></tile></tileset>
    <layer name="Ground" width="5" height="1"><data encoding="csv">1,1,1,1,0</data></layer>
    <objectgroup name="Things"><object id="49" name="crate" x="4" y="-6" width="16" height="8"/>
    <object id="51" name="crate" x="25" y="-7" width="4" height="8"/>
    <object id="7" name="post" gid="2" x="40" y="8"/><object id="8" name="beam" x="39" y="-1" width="10" height="2"/></objectgroup></map>"#;

fn level() -> (Folder, String) {
    let folder = Folder::new();
    let file = folder.file("level.tmx", MAP);
    (folder, file)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&carom(args).data()).expect("one object")
}

#[test]
fn ids_are_names_and_layers_are_shown() {
    let (_folder, file) = level();
    let report = json(&["check", &file, "--solid", "Ground", "--format", "json"]);
    let rows: Vec<_> = report["contacts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| json!([c["a"], c["b"], c["depth"], c["layers_a"], c["layers_b"]]))
        .collect();
    let tile = |n: usize, id: &str, depth: f64| json!([format!("Ground[{n},0]"), id, depth, ["Ground"], ["Things"]]);
    assert_eq!(
        rows,
        [
            tile(0, "crate", 2.0),
            tile(1, "crate", 2.0),
            tile(2, "crate", 2.0),
            tile(3, "crate#2", 1.0),
            json!(["post.1", "beam", 1.0, ["Things"], ["Things"]]),
            json!(["post.2", "beam", 1.0, ["Things"], ["Things"]]),
        ]
    );
}

#[test]
fn rows_sum_up_groups() {
    let (_folder, file) = level();
    let rows = |by: &str| {
        let report = json(&["check", &file, "--solid", "Ground", "--by", by, "--format", "json"]);
        assert_eq!((&report["by"], report["shapes"].as_u64()), (&json!(by), Some(9)));
        let rows = report["rows"].as_array().unwrap().iter();
        rows.map(|r| json!([r["a"], r["b"], r["pairs"], r["touching"], r["depth"], r["total"], r["deepest"]]))
            .collect::<Vec<_>>()
    };
    let [first, post] = [["Ground[0,0]", "crate"], ["post.1", "beam"]];
    assert_eq!(
        rows("tile-layer"),
        [
            json!(["Ground (3 tiles)", "crate", 3, 0, 2.0, 6.0, first]),
            json!(["Ground[3,0]", "crate#2", 1, 0, 1.0, 1.0, ["Ground[3,0]", "crate#2"]]),
            json!(["post.1", "beam", 1, 0, 1.0, 1.0, post]),
            json!(["post.2", "beam", 1, 0, 1.0, 1.0, ["post.2", "beam"]]),
        ]
    );
    assert_eq!(rows("object").last(), Some(&json!(["post", "beam", 2, 0, 1.0, 2.0, post])));
    assert_eq!(
        rows("layer"),
        [json!(["Ground", "Things", 4, 0, 2.0, 7.0, first]), json!(["Things", "Things", 2, 0, 1.0, 2.0, post])]
    );
    assert!(
        json(&["check", &file, "--solid", "Ground", "--by", "shape", "--format", "json"]).get("contacts").is_some()
    );
    // The table sums up tiles unless --by says otherwise.
    let lines = |args: &[&str]| carom(&[&["check", &file, "--solid", "Ground"], args].concat()).data().lines().count();
    assert!(lines(&[]) < lines(&["--by", "shape"]));
    let table = carom(&["check", &file, "--solid", "Ground"]).data();
    assert!(
        table.contains("Ground (3 tiles)") && table.contains("3 pairs, the deepest Ground[0,0] and crate"),
        "{table}"
    );
}

#[test]
fn merged_tiles_are_one_shape() {
    let (_folder, file) = level();
    for form in ["--merge-tiles", "--merge-tiles=outlines"] {
        let report = json(&["check", form, &file, "--solid", "Ground", "--format", "json"]);
        assert_eq!(report["shapes"], 6);
        assert_eq!(report["contacts"][0]["a"], "Ground[0,0] (4 tiles)");
        assert_eq!(report["contacts"][0]["depth"], 2.0);
    }
}

#[test]
fn explain_takes_names_numbers_and_layers() {
    let (_folder, file) = level();
    let explain = |a: &str, b: &str| carom(&["explain", &file, a, b, "--solid", "Ground", "--format", "json"]);
    let pair = |a: &str, b: &str| {
        let report: Value = serde_json::from_str(&explain(a, b).data()).unwrap();
        (report["a"].clone(), report["b"].clone(), report["depth"].clone())
    };
    assert_eq!(pair("crate#2", "Ground"), (json!("crate#2"), json!("Ground[3,0]"), json!(1.0)));
    assert_eq!(pair("ground", "#49").2, json!(2.0));
    assert_eq!(pair("#51", "beam").0, json!("crate#2"));
    for (a, said) in [
        (
            "crate",
            "`crate` stands for 2 shapes: `crate`, `crate#2`; write `crate#1` for the first, or the number of the \
             file `#49`",
        ),
        ("post", "`post` stands for 2 shapes: `post.1`, `post.2`"),
        ("#50", "no shape has the number 50"),
        ("creat", "no shape has the id `creat`: did you mean"),
    ] {
        let ran = explain(a, "beam");
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{a}");
        assert!(ran.stderr.contains(said), "{a}: {}", ran.stderr);
    }
    assert_eq!(explain("Ground", "Things").code, 2);
}

#[test]
fn the_scene_of_the_issue() {
    let file = root().join("scenes/platformer.tmx").display().to_string();
    let report = json(&["explain", &file, "small crate", "ground", "--format", "json"]);
    assert_eq!((&report["a"], &report["depth"]), (&json!("small crate"), &json!(0.0)));
}

#[test]
fn files_are_layers_by_their_stem() {
    let folder = Folder::new();
    let point = |x: f64, name: &str| {
        format!(
            r#"{{"type": "Feature", "properties": {{"name": "{name}", "code": "c-{name}"}}, "geometry": {{"type": "Point", "coordinates": [{x}, 0]}}}}"#
        )
    };
    let counties = folder.file(
        "counties.geojson",
        format!(r#"{{"type": "FeatureCollection", "features": [{}, {}]}}"#, point(0.0, "a"), point(0.0, "b")),
    );
    let roads = folder.file("roads.geojson", point(0.0, "r"));
    let check = |args: &[&str]| json(&[&["check", &counties, &roads, "--format", "json"], args].concat());
    let all = check(&[]);
    assert_eq!((all["contacts"].as_array().unwrap().len(), &all["contacts"][1]["layers_b"]), (3, &json!(["roads"])));
    let across = check(&["--between", "counties", "roads", "--id", "code"]);
    let pairs: Vec<_> =
        across["contacts"].as_array().unwrap().iter().map(|c| json!([c["a"], c["b"], c["layers_a"]])).collect();
    let road = format!("{roads}:c-r");
    assert_eq!(pairs, [json!(["c-a", road, ["counties"]]), json!(["c-b", road, ["counties"]])]);
    let ran = carom(&["check", &counties, &roads, "--between", "counties", "rodas"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("did you mean `roads`?"), "{}", ran.stderr);
}

/// More than 64 files: their layers need none of the 64 bits.
#[test]
fn files_need_no_layer_bits() {
    let folder = Folder::new();
    let files: Vec<String> =
        (0..70).map(|i| folder.file(&format!("f{i}.geojson"), r#"{"type": "Point", "coordinates": [0, 0]}"#)).collect();
    let mut args = vec!["check", "--format", "json", "--between", "f3", "f69"];
    args.extend(files.iter().map(String::as_str));
    assert_eq!(json(&args)["contacts"].as_array().unwrap().len(), 1);
}
