//! Tests `carom walk`: the events of a walk through a level, the contract, errors.
//!
//! The tiles of `scenes/walk.tmx` have a side of 128. Heights are in tiles, and +y points down. The
//! ground is at 9, the hill and the one-way platform are at 7. The top of the stairs is at 8, the
//! last ledge at 6.
use serde_json::Value;

use crate::carom::{Folder, Ran, carom, carom_with, root};

const TILE: f64 = 128.0;
/// From the origin of the capsule to its lowest point, and the skin below it.
const FEET: f64 = (0.35 + 0.35 + 0.01) * TILE;

const FLOOR: &str = r#"{"carom": 1, "colliders": [{"id": "floor", "shape": {"rectangle": {"width": 40, "height": 2}}, "position": [0, -1]}]}"#;

fn path(name: &str) -> String {
    root().join(name).to_str().expect("UTF-8").to_owned()
}

/// Runs a script in a level, both as text. Returns the lines of the trace.
fn trace(level: &str, script: &str) -> Vec<Value> {
    let folder = Folder::new();
    let (level, script) = (folder.file("level.json", level), folder.file("script.json", script));
    let trace = folder.path().join("trace.ndjson");
    carom(&["walk", &level, "--input", &script, "--trace", trace.to_str().unwrap()]).data();
    lines(&std::fs::read_to_string(trace).unwrap())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// The walk of the repository, with its trace.
fn whole() -> (String, String) {
    let folder = Folder::new();
    let trace = folder.path().join("trace.ndjson");
    let (level, script) = (path("scenes/walk.tmx"), path("scenes/walk.json"));
    let args = ["walk", &level, "--input", &script, "--format", "json", "--trace", trace.to_str().unwrap()];
    let summary = carom(&args).data();
    (summary, std::fs::read_to_string(trace).unwrap())
}

fn number(line: &Value, key: &str, axis: usize) -> f64 {
    line[key][axis].as_f64().unwrap()
}

/// Position in tiles.
fn x(line: &Value) -> f64 {
    number(line, "position", 0) / TILE
}

/// Height of the feet in tiles, without the skin.
fn feet(line: &Value) -> f64 {
    (number(line, "position", 1) + FEET) / TILE
}

fn ground(line: &Value) -> &str {
    line["ground"]["id"].as_str().unwrap_or("")
}

fn stands_on(line: &Value, id: &str, height: f64) -> bool {
    ground(line).starts_with(id) && (feet(line) - height).abs() < 1e-3
}

fn has_normal(line: &Value, [nx, ny]: [f64; 2]) -> bool {
    let normal = &line["ground"]["normal"];
    (normal[0].as_f64().unwrap() - nx).abs() < 1e-9 && (normal[1].as_f64().unwrap() - ny).abs() < 1e-9
}

/// Returns the index of the first line from `from` on that fits.
fn first(all: &[Value], from: usize, what: &str, fits: impl Fn(&Value) -> bool) -> usize {
    let found = all.iter().skip(from).position(fits);
    from + found.unwrap_or_else(|| panic!("after frame {from}: no frame in which it {what}"))
}

/// Each event follows from the map: where its slopes, steps and platforms are, and how fast they move.
#[test]
fn the_level_of_the_repository_is_walked_to_its_end() {
    let (_, text) = whole();
    let all = lines(&text);
    let slope = std::f64::consts::FRAC_1_SQRT_2;
    let mut at = first(&all, 0, "stands at the start", |line| stands_on(line, "Ground[1,9]", 9.0));
    at =
        first(&all, at, "climbs the slope", |line| ground(line) == "Ground[6,8]" && has_normal(line, [-slope, -slope]));
    at = first(&all, at, "climbs the slope on", |line| ground(line) == "Ground[7,7]");
    at = first(&all, at, "stands on the hill", |line| stands_on(line, "Ground[9,7]", 7.0));
    at = first(&all, at, "walks down", |line| ground(line) == "Ground[11,7]" && has_normal(line, [slope, -slope]));
    at = first(&all, at, "stands behind the hill", |line| stands_on(line, "Ground[14,9]", 9.0));
    let stairs = at;
    for step in 1..=4 {
        let id = format!("step {step}");
        at = first(&all, at, &format!("stands on {id}"), |line| stands_on(line, &id, 9.0 - 0.25 * f64::from(step)));
    }
    at = first(&all, at, "stands above the stairs", |line| stands_on(line, "Ground[21,8]", 8.0));
    for pair in all[stairs..=at].windows(2) {
        assert!(pair[1]["grounded"] == true && feet(&pair[1]) <= feet(&pair[0]) + 1e-9, "{}", pair[1]);
    }
    at = first(&all, at, "falls off the ledge", |line| line["grounded"] == false && (23.0..25.0).contains(&x(line)));
    at = first(&all, at, "lands", |line| stands_on(line, "Ground[", 9.0));

    // The platform is between 7 and 7 + 46/128. It has no contact while the mover rises through it.
    let under = 7.0 + 46.0 / 128.0;
    let head = |line: &Value| feet(line) - 2.0 * FEET / TILE + 2.0 * 0.01;
    let inside = |line: &Value| head(line) < under && feet(line) > 7.0 && (26.5..28.5).contains(&x(line));
    at = first(&all, at, "rises through the platform", |line| inside(line) && number(line, "velocity", 1) < -TILE);
    assert_eq!(all[at]["grounded"], false);
    at = first(&all, at, "lands on the platform", |line| {
        stands_on(line, "Platforms[", 7.0) && has_normal(line, [0.0, -1.0])
    });
    at = first(&all, at, "drops through it", |line| inside(line) && number(line, "velocity", 1) > 0.0);
    at = first(&all, at, "lands below it", |line| stands_on(line, "Ground[", 9.0) && (26.0..29.0).contains(&x(line)));

    at = first(&all, at, "stands on the ferry", |line| stands_on(line, "ferry", 9.0));
    let rides = |line: &Value, id: &str, axis, speed: f64| {
        stands_on(line, id, feet(line)) && (number(line, "velocity", axis) - speed).abs() < 1e-6
    };
    // The pit is 6 tiles wide, and the ferry covers 2 of them.
    let east = all.iter().skip(at).filter(|line| rides(line, "ferry", 0, 192.0)).count();
    assert!(east as f64 * 192.0 / 60.0 > 2.0 * TILE, "rides {east} frames to the east");
    at = first(&all, at, "leaves the ferry", |line| stands_on(line, "Ground[37,9]", 9.0));
    at = first(&all, at, "stands on the lift", |line| ground(line) == "lift");
    let up = all.iter().skip(at).filter(|line| rides(line, "lift", 1, -128.0)).count();
    assert!(up as f64 * 128.0 / 60.0 > 2.0 * TILE, "rides {up} frames up");
    at = first(&all, at, "leaves the lift", |line| stands_on(line, "Ground[43,6]", 6.0));
    // The mask of the gate names another layer, and the goal is a sensor.
    first(&all, at, "stands in the goal", |line| stands_on(line, "Ground[46,6]", 6.0));
    assert!(!text.contains("gate") && !text.contains("goal"), "neither is touched");
}

#[test]
fn every_run_writes_the_same_bytes() {
    let (summary, trace) = whole();
    assert_eq!(whole(), (summary.clone(), trace.clone()));
    let (summary, all): (Value, _) = (serde_json::from_str(&summary).unwrap(), lines(&trace));
    let stood = |line: &&Value| line["grounded"] == true;
    assert_eq!(summary["frames"], all.len());
    assert_eq!(summary["grounded"], all.iter().filter(stood).count());
    assert_eq!(summary["end"], all[all.len() - 1]["position"]);
    for line in summary["grounds"].as_array().unwrap() {
        let on = |frame: &&Value| ground(frame) == line["id"];
        assert_eq!(line["frames"], all.iter().filter(on).count(), "{line}");
        assert_eq!(line["first"], all.iter().find(on).unwrap()["frame"], "{line}");
    }
    let counts = ["jumps", "drops"].map(|key| summary[key].as_u64().unwrap());
    assert_eq!(counts, [1, 1]);
}

#[test]
fn files_are_valid_by_their_schemas() {
    let schema = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(path(&format!("docs/schemas/{name}.json"))).unwrap()).unwrap()
    };
    let (summary, trace) = whole();
    let script: Value = serde_json::from_str(&std::fs::read_to_string(path("scenes/walk.json")).unwrap()).unwrap();
    assert!(jsonschema::is_valid(&schema("walk-input"), &script));
    assert!(jsonschema::is_valid(&schema("walk"), &serde_json::from_str(&summary).unwrap()));
    let line = jsonschema::validator_for(&schema("walk-trace")).unwrap();
    assert!(lines(&trace).iter().all(|frame| line.is_valid(frame)));
    for key in ["jmp", "velocity"] {
        let mut wrong = script.clone();
        wrong[key] = 1.into();
        assert!(!jsonschema::is_valid(&schema("walk-input"), &wrong), "{key}");
    }
}

/// The script of the documentation. A jump starts at 8 units per second, with gravity 20 and 60
/// frames per second. It rises in 24 frames by Σ (8 − 20 k/60) / 60 = 5/3.
#[test]
fn jumps_are_as_high_as_physics_says() {
    let script = r#"{"start": [0, 1],
        "mover": {"shape": {"circle": {"radius": 0.5}}, "skin": 0.01, "max_slope": 50, "step_height": 0.3},
        "input": [{"frames": 30}, {"frames": 30, "velocity": [3, 0], "jump": true, "drop": false}, {"frames": 60}]}"#;
    let all = trace(FLOOR, script);
    let height = |line: &Value| number(line, "position", 1);
    assert!(all[29]["grounded"] == true && (height(&all[29]) - 0.51).abs() < 1e-6, "{}", all[29]);
    let top = all.iter().skip(30).map(height).fold(0.0, f64::max);
    assert!((top - height(&all[29]) - 5.0 / 3.0).abs() < 1e-9, "{top}");
    assert!((number(&all[59], "position", 0) - 1.5).abs() < 1e-9, "3 units per second for half a second");
    assert_eq!(all[119]["grounded"], true);
    let y_down = FLOOR.replace("\"carom\": 1", "\"carom\": 1, \"y\": \"down\"").replace("[0, -1]", "[0, 1]");
    let mirrored = trace(&y_down, &script.replace("[0, 1]", "[0, -1]"));
    for (up, down) in all.iter().zip(&mirrored) {
        assert_eq!(height(up), -height(down), "up is up on the screen");
    }
}

/// A scale multiplies everything: the same walk in a level that is 64 times as large.
#[test]
fn scale_is_the_size_of_a_unit() {
    let script = r#"{"start": [0, 1], "mover": {"shape": {"circle": {"radius": 0.5}}},
        "input": [{"frames": 20}, {"frames": 40, "velocity": [-3, 0], "jump": true}]}"#;
    let large = FLOOR
        .replace("\"width\": 40, \"height\": 2", "\"width\": 2560, \"height\": 128")
        .replace("[0, -1]", "[0, -64]");
    let [small, scaled] =
        [trace(FLOOR, script), trace(&large, &script.replace("{\"start\"", "{\"scale\": 64, \"start\""))];
    for (one, other) in small.iter().zip(&scaled) {
        for axis in [0, 1] {
            let difference = number(one, "position", axis) * 64.0 - number(other, "position", axis);
            assert!(difference.abs() < 1e-3, "{one} {other}");
        }
    }
}

/// Without up there is no gravity. A wall at x = 2 stops the circle at 2 − 0.5 − 0.01.
#[test]
fn levels_seen_from_above_have_no_gravity() {
    let wall = r#"{"carom": 1, "colliders": [{"id": "wall", "shape": {"rectangle": {"width": 2, "height": 40}}, "position": [3, 0]}]}"#;
    let script = r#"{"start": [0, 0], "top_down": true, "mover": {"shape": {"circle": {"radius": 0.5}}},
        "input": [{"frames": 60, "velocity": [3, 1]}]}"#;
    let all = trace(wall, script);
    assert!((number(&all[14], "position", 0) - 0.75).abs() < 1e-9 && all[14]["grounded"] == false);
    assert!((number(&all[59], "position", 0) - 1.49).abs() < 1e-5, "{}", all[59]);
    assert!((number(&all[59], "position", 1) - 1.0).abs() < 1e-5, "it slides along the wall: {}", all[59]);
    assert_eq!(all[59]["surfaces"][0]["id"], "wall");
}

/// A thin solid wall that moves farther than its thickness in each frame pushes a character that stands still:
/// its face is one skin away.
#[test]
fn moving_walls_push() {
    let level = r#"{"carom": 1, "colliders": [
        {"shape": {"rectangle": {"width": 40, "height": 2}}, "position": [0, -1]},
        {"shape": {"rectangle": {"width": 0.1, "height": 4}}, "position": [-3, 2.1],
         "moving": {"path": [[0, 0], [16, 0]], "speed": 48}}]}"#;
    let script = r#"{"start": [0, 0.52], "mover": {"shape": {"circle": {"radius": 0.5}}, "skin": 0.01},
        "input": [{"frames": 8}]}"#;
    let all = trace(level, script);
    // After 8 frames the face of the wall is at -3 + 8 * 0.8 + 0.05.
    let x = number(all.last().unwrap(), "position", 0);
    assert!((x - (3.45 + 0.5 + 0.01)).abs() < 1e-6, "{x}");
}

#[test]
fn masks_select_the_colliders_that_stop_the_character() {
    let level = FLOOR.replace("\"id\"", "\"layers\": [\"water\"], \"id\"");
    let script = |mask: &str| {
        format!(
            r#"{{"start": [0, 1], "mover": {{"shape": {{"circle": {{"radius": 0.5}}}}, "mask": [{mask}]}}, "input": [{{"frames": 60}}]}}"#
        )
    };
    assert_eq!(trace(&level, &script("\"water\""))[59]["grounded"], true);
    assert_eq!(trace(&level, &script(""))[59]["grounded"], false);
    let folder = Folder::new();
    let (level, script) = (folder.file("l.json", level), folder.file("s.json", script("\"watr\"")));
    let ran = carom(&["walk", &level, "--input", &script]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("no layer is called `watr`: did you mean `water`?"), "{}", ran.stderr);
}

#[test]
fn scripts_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    let level = folder.file("level.json", FLOOR);
    let run = |script: &str, args: &[&str]| -> Ran {
        carom_with(&[&["walk", &level, "--input", "-"], args].concat(), script)
    };
    let with = |start: &str, mover: &str, input: &str| {
        format!(
            r#"{{"start": [0, 1]{start}, "mover": {{"shape": {{"circle": {{"radius": 0.5}}}}{mover}}}, "input": [{{"frames": 3{input}}}]}}"#
        )
    };
    assert_eq!(run(&with("", "", ""), &[]).code, 0);
    for (script, words) in [
        ("{".to_owned(), vec!["stdin", "line 1, column 1"]),
        ("{}".to_owned(), vec!["missing field `start`"]),
        (with(", \"speed\": 1", "", ""), vec!["unknown field `speed`", "jump_speed"]),
        (with("", ", \"hight\": 1", ""), vec!["unknown field `hight`", "step_height"]),
        (with("", "", ", \"jmp\": true"), vec!["unknown field `jmp`", "`jump`"]),
        (with("", "", ", \"velocity\": [1]"), vec!["line 1", "array of length 2"]),
        (with("", "", ", \"velocity\": [1e31, 0]"), vec!["input[0].velocity", "1e30"]),
        (with(", \"scale\": 0", "", ""), vec!["scale", "above 0"]),
        (with(", \"gravity\": -1", "", ""), vec!["gravity", "from 0"]),
        (with(", \"up\": [0, 0]", "", ""), vec!["up", "must have a length"]),
        (with(", \"top_down\": true", "", ", \"jump\": true"), vec!["jump", "top_down"]),
        (with("", ", \"skin\": -1", ""), vec!["mover.skin", "from 0"]),
        (with("", ", \"max_slope\": 91", ""), vec!["mover.max_slope", "from 0 to 90"]),
        (
            with("", "", "").replace("{\"circle\": {\"radius\": 0.5}}", "{\"chain\": {\"points\": [[0, 0], [1, 0]]}}"),
            vec!["mover.shape", "chain is not convex"],
        ),
        (with("", "", "").replace("0.5", "-0.5"), vec!["mover.shape.circle", "radius"]),
        (with("", "", "").replace("\"frames\": 3", "\"frames\": 10000001"), vec!["10000001 frames"]),
    ] {
        let ran = run(&script, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{script}");
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{script}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("carom: stdin: "), "{script}: {}", ran.stderr);
    }
    for (args, word) in [
        (&["--step", "0"][..], "above 0"),
        (&["--render", "film.mp4"], ".gif"),
        (&["--trace", "no/such/folder/x"], "cannot be written"),
    ] {
        let ran = run(&with("", "", ""), args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
    }
    let ran = carom_with(&["walk", "-", "--input", "-"], FLOOR);
    assert!(ran.code == 2 && ran.stderr.contains("stdin is either"), "{}", ran.stderr);
}

#[test]
fn the_suffix_selects_the_format_of_a_picture() {
    let folder = Folder::new();
    let script = r#"{"start": [0, 1], "mover": {"shape": {"circle": {"radius": 0.5}}}, "input": [{"frames": 9, "velocity": [3, 0]}]}"#;
    let (level, script) = (folder.file("level.json", FLOOR), folder.file("script.json", script));
    for (file, written, magic) in [
        ("walk.svg", "walk.svg", &b"<svg"[..]),
        ("walk.gif", "walk.gif", b"GIF89a"),
        ("walk.png", "walk.png", b"\x89PNG"),
        ("f-##.png", "f-04.png", b"\x89PNG"),
    ] {
        let out = folder.path().join(file);
        carom(&["walk", &level, "--input", &script, "--render", out.to_str().unwrap()]).data();
        assert!(std::fs::read(folder.path().join(written)).unwrap().starts_with(magic), "{file}");
    }
}
