//! Tests `carom check --sweep` and `--contains`: contracts, order, motions of the command line.
use serde::{Deserialize, Serialize};

use crate::carom::{carom, carom_with};

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Report {
    shapes: usize,
    hits: Vec<Hit>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Hit {
    a: String,
    b: String,
    time: f64,
    normal: [f64; 2],
    point: [f64; 2],
    initial_depth: Option<f64>,
    layers_a: Vec<String>,
    layers_b: Vec<String>,
}

/// Scene: a ball of radius 1 at the origin, and a wall with its near side at x = 5. The ball
/// overlaps a box by 0.5.
const ROOM: &str = r#"{"carom": 1, "colliders": [
    {"id": "ball", "shape": {"circle": {"radius": 1}}},
    {"id": "wall", "shape": {"rectangle": {"width": 2, "height": 10}}, "position": [6, 0]},
    {"id": "box", "shape": {"rectangle": {"width": 1, "height": 1}}, "position": [-1, 0]}]}"#;

fn sweep(args: &[&str]) -> Report {
    let json = carom_with(&[&["check", "-", "--sweep", "--format", "json"], args].concat(), ROOM).data();
    let report: Report = serde_json::from_str(&json).expect("the contract's fields");
    assert_eq!(serde_json::to_string(&report).unwrap() + "\n", json);
    report
}

#[test]
fn nothing_moves_nothing_is_hit() {
    let report = sweep(&[]);
    assert_eq!((report.shapes, report.hits.len()), (3, 0));
}

#[test]
fn hits_come_in_the_order_of_their_times() {
    let report = sweep(&["--move", "ball", "8,0"]);
    let found: Vec<_> =
        report.hits.iter().map(|hit| (hit.a.as_str(), hit.b.as_str(), hit.initial_depth.is_some())).collect();
    assert_eq!(found, [("ball", "box", true), ("ball", "wall", false)]);
    let [first, second] = &report.hits[..] else { panic!("two hits") };
    // The ball reaches from −1 to 1, the box to −0.5.
    assert_eq!((first.time, first.initial_depth), (0.0, Some(0.5)));
    // 4 of 8 units. The time is never late, and early by at most 1e-7 of the larger shape's size.
    assert!(second.time <= 0.5 && second.time > 0.5 - 1e-7 * 10.3 / 8.0, "{}", second.time);
    assert_eq!(second.normal, [1.0, 0.0]);
    assert!((second.point[0] - 5.0).abs() < 2e-6 && second.point[1] == 0.0, "{:?}", second.point);
}

#[test]
fn a_motion_may_turn_and_go_backward() {
    // The box rotates about its centre at −1. Its vertices reach at most 0.71 + 0.5 to either side.
    assert_eq!(sweep(&["--move", "wall", "-4.9,0,0"]).hits.iter().filter(|hit| hit.b == "wall").count(), 1);
    assert_eq!(sweep(&["--move", "wall", "-3.9,0"]).hits.iter().filter(|hit| hit.b == "wall").count(), 0);
    // Half the diagonal of the wall is 5.1. Rotated by 90 degrees it extends from 1 to 11, so it
    // hits the ball no earlier.
    let turned = sweep(&["--move", "wall", "0,0,90", "--move", "ball", "0.5,0"]);
    assert!(turned.hits.iter().any(|hit| hit.a == "ball" && hit.b == "wall" && hit.time > 0.0), "touches on the way");
}

#[test]
fn errors_name_the_expected_value() {
    for (args, expected) in [
        (["--move", "bal", "1,0"], "did you mean `ball`?"),
        (["--move", "ball", "1"], "expected dx,dy or dx,dy,degrees"),
        (["--move", "ball", "1,x"], "expected dx,dy or dx,dy,degrees"),
        (["--move", "ball", "1e31,0"], "the limit is 1e30"),
    ] {
        let ran = carom_with(&[&["check", "-", "--sweep"], &args[..]].concat(), ROOM);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn the_example_scene_is_printed_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("sweep.svg");
    let scene = format!("{}/../../scenes/sweep.json", env!("CARGO_MANIFEST_DIR"));
    let text = carom(&["check", &scene, "--sweep", "--render", picture.to_str().unwrap()]).data();
    assert!(text.contains("bullet  thin wall") && text.contains("6 shapes: "), "{text}");
    let svg = std::fs::read_to_string(picture).unwrap();
    assert!(svg.contains("6 shapes, ") && svg.contains("stroke-dasharray"));
    assert_eq!(carom(&["check", &scene, "--sweep", "--deny"]).code, 1);
}

#[test]
fn contains_lists_pairs_of_outer_and_inner() {
    let cells = r#"{"carom": 1, "colliders": [
        {"id": "big", "shape": {"circle": {"radius": 3}}}, {"id": "small", "shape": {"circle": {"radius": 1}}, "position": [2, 0]},
        {"id": "beside", "shape": {"circle": {"radius": 1}}, "position": [2.5, 0]}, {"id": "twin", "shape": {"circle": {"radius": 3}}}]}"#;
    let json = carom_with(&["check", "-", "--contains", "--format", "json"], cells).data();
    let pair = |outer: &str, inner: &str| format!(r#"{{"outer":"{outer}","inner":"{inner}"}}"#);
    let expected = [pair("big", "small"), pair("big", "twin"), pair("twin", "big"), pair("twin", "small")].join(",");
    assert_eq!(json, format!("{{\"shapes\":4,\"contained\":[{expected}]}}\n"));
    assert!(carom_with(&["check", "-", "--contains"], cells).data().ends_with("4 shapes: 4 contained pairs\n"));
}
