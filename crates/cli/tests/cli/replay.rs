//! Tests `carom replay`: the same states frame by frame, and errors for other files.
use carom::world::Recording;
use carom::{Collider, Shape, World};
use serde_json::Value;

use crate::carom::{BROADS, Folder, carom, root};

/// Returns a recording of three frames: a ball moves onto a floor, up, and away.
pub(crate) fn recording() -> Vec<u8> {
    let mut world = World::new();
    world.insert(Collider::new(Shape::rectangle(10.0, 1.0).unwrap()).fixed(true));
    world.start_recording();
    let ball = world.insert(Collider::new(Shape::circle(0.5).unwrap()).at([0.0, 0.75]).unwrap());
    world.update();
    world.set_motion(ball, [0.0, 3.0], 0.0).unwrap();
    world.update();
    world.set_motion(ball, [0.0, -9.0], 0.0).unwrap();
    world.update();
    world.remove(ball);
    world.stop_recording().unwrap()
}

#[test]
fn frames_are_printed_one_by_one_and_the_end_is_the_recorded_one() {
    let folder = Folder::new();
    let file = folder.file("ball.carom", recording());
    let report: Value = serde_json::from_str(&carom(&["replay", &file, "--format", "json"]).data()).unwrap();
    let counts =
        |key: &str| report["frames"].as_array().unwrap().iter().map(|f| f[key].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(counts("frame"), [1, 2, 3]);
    assert_eq!(counts("calls"), [2, 2, 2]);
    assert_eq!(
        (counts("contacts"), counts("begins"), counts("ends"), counts("collisions")),
        (vec![1, 0, 0], vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1])
    );
    assert_eq!(
        (&report["calls"], &report["same"], &report["first_difference"]),
        (&7.into(), &true.into(), &Value::Null)
    );
    assert_eq!(report["hash"], report["recorded_hash"]);
    assert_eq!(report["hash"], format!("{:016x}", Recording::from_bytes(&recording()).unwrap().final_hash()));
    let table = carom(&["replay", &file]).data();
    assert!(
        table.lines().next().unwrap().split_whitespace().eq([
            "frame",
            "calls",
            "colliders",
            "contacts",
            "begin",
            "end",
            "collisions"
        ]),
        "{table}"
    );
    assert!(table.contains("3 frames, 7 calls") && table.contains("the state that was recorded"), "{table}");
    let lines = carom(&["replay", &file, "--format", "ndjson"]).data();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&lines[0]["begin"], &lines[1]["end"]),
        (&serde_json::json!([["0.0", "1.0"]]), &serde_json::json!([["0.0", "1.0"]]))
    );
    assert!(
        lines[2]["hits"][0]["a"] == "0.0" && (lines[2]["hits"][0]["time"].as_f64().unwrap() - 2.75 / 9.0).abs() < 1e-6
    );
}

#[test]
fn it_stops_at_the_given_frame_and_draws_it() {
    let folder = Folder::new();
    let file = folder.file("ball.carom", recording());
    for (until, circles) in [("0", 0), ("1", 1), ("3", 1)] {
        let picture = folder.path().join("state.svg");
        let args = ["replay", &file, "--until", until, "--format", "json", "--render", picture.to_str().unwrap()];
        let report: Value = serde_json::from_str(&carom(&args).data()).unwrap();
        assert_eq!(
            (report["frames"].as_array().unwrap().len().to_string(), &report["same"]),
            (until.to_owned(), &Value::Null)
        );
        let svg = std::fs::read_to_string(&picture).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("1.0") == (circles > 0), "{until}: {svg}");
    }
    let ran = carom(&["replay", &file, "--until", "4"]);
    assert!(ran.code == 2 && ran.stdout.is_empty() && ran.stderr.contains("there are 3 frames"), "{}", ran.stderr);
}

#[test]
fn a_simulation_is_recorded_and_ends_in_the_same_state_with_every_broad_phase() {
    let folder = Folder::new();
    let (scene, file) = (root().join("scenes/motion/billiard-break.json"), folder.path().join("break.carom"));
    let file = file.to_str().unwrap();
    let ran =
        carom(&["simulate", scene.to_str().unwrap(), "--steps", "40", "--record", file, "--format", "json"]).data();
    let summary: Value = serde_json::from_str(&ran).unwrap();
    let mut hashes = Vec::new();
    for broad in BROADS {
        let report: Value = serde_json::from_str(
            &carom(&["replay", file, "--broad", broad, "--against", "brute", "--format", "json"]).data(),
        )
        .unwrap();
        let sum =
            |key: &str| report["frames"].as_array().unwrap().iter().map(|f| f[key].as_u64().unwrap()).sum::<u64>();
        assert_eq!((report["same"].as_bool(), &report["first_difference"]), (Some(true), &Value::Null), "{broad}");
        assert_eq!(
            (sum("begins"), sum("ends")),
            (summary["begins"].as_u64().unwrap(), summary["ends"].as_u64().unwrap())
        );
        hashes.push(report["hash"].clone());
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    let nowhere = carom(&["simulate", "--balls", "3", "--steps", "1", "--record", "no/such/folder/x"]);
    assert!(nowhere.code == 2 && nowhere.stdout.is_empty(), "{}", nowhere.stderr);
}

#[test]
fn files_that_are_no_recording_are_refused_with_one_message() {
    let folder = Folder::new();
    let good = recording();
    let mut world = World::new();
    world.insert(Collider::new(Shape::circle(1.0).unwrap()));
    let mut flipped = good.clone();
    flipped[20] ^= 4;
    let mut newer = good.clone();
    newer[6] = 9;
    let scene = std::fs::read(root().join("scenes/example.json")).unwrap();
    for (name, bytes, reason) in [
        ("empty", Vec::new(), "damaged"),
        ("cut", good[..good.len() / 2].to_vec(), "damaged"),
        ("flipped", flipped, "damaged"),
        ("newer", newer, "version 9"),
        ("snapshot", world.to_bytes(), "do not begin as a recording"),
        ("scene", scene, "do not begin as a recording"),
    ] {
        let file = folder.file(name, bytes);
        let ran = carom(&["replay", &file]);
        assert!(ran.code == 2 && ran.stdout.is_empty(), "{name}: {}", ran.stderr);
        assert!(
            ran.stderr.contains(name) && ran.stderr.contains(reason) && ran.stderr.lines().count() == 1,
            "{name}: {}",
            ran.stderr
        );
    }
    assert_eq!(carom(&["replay", "no-such-file"]).code, 2);
    assert_eq!(carom(&["replay"]).code, 2);
}
