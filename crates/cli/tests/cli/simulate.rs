//! Tests `carom simulate`: summary, step log, animations, errors.
use std::fs;

use serde_json::Value;

use crate::carom::{BROADS, carom, carom_with, root};

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&carom(args).data()).expect("one object")
}

#[test]
fn the_summary_is_the_contract() {
    let text = carom(&["simulate", "--balls", "50", "--steps", "100", "--format", "json"]).data();
    let keys = [
        "steps",
        "dt",
        "bodies",
        "tests",
        "possible_tests",
        "begins",
        "ends",
        "energy",
        "momentum",
        "deepest",
        "ns_per_body_step",
        "kinetic",
        "potential",
        "dissipated",
        "drift",
    ];
    let places: Vec<usize> = keys
        .iter()
        .map(|key| text.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no {key} in {text}")))
        .collect();
    assert!(places.is_sorted(), "{text}");
    let summary: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&summary["bodies"], &summary["steps"]), (&50.into(), &100.into()));
    assert_eq!(summary["possible_tests"], 50 * 49 / 2 * 100);
    let energy = |i: usize| summary["energy"][i].as_f64().unwrap();
    assert!((energy(1) / energy(0) - 1.0).abs() < 1e-12 && summary["deepest"].as_f64().unwrap() <= 0.005);
}

#[test]
fn every_broad_phase_leaves_the_same_trace_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let scene = root().join("scenes/motion/gas-of-two-masses.json");
    let traces: Vec<Vec<u8>> = BROADS
        .iter()
        .map(|broad| {
            let path = folder.path().join(broad);
            let args = [
                "simulate",
                scene.to_str().unwrap(),
                "--steps",
                "150",
                "--broad",
                broad,
                "--trace",
                path.to_str().unwrap(),
            ];
            carom(&args).data();
            fs::read(path).unwrap()
        })
        .collect();
    assert!(traces.iter().all(|trace| *trace == traces[0]));
    let lines: Vec<Value> = traces[0]
        .split(|&b| b == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(
        (lines.len(), lines[0]["step"].as_u64(), lines[149]["poses"].as_array().unwrap().len()),
        (150, Some(1), 200)
    );
    assert!(
        lines.iter().any(|line| line["begin"][0][0].is_string())
            && lines.iter().any(|line| line["end"][0][1].is_string())
    );
}

#[test]
fn newtons_cradle_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, path) = (root().join("scenes/motion/newtons-cradle.json"), folder.path().join("cradle.ndjson"));
    let summary = json(&[
        "simulate",
        scene.to_str().unwrap(),
        "--steps",
        "150",
        "--trace",
        path.to_str().unwrap(),
        "--format",
        "json",
    ]);
    assert_eq!(summary["momentum"], serde_json::json!([[2.0, 0.0], [2.0, 0.0]]));
    let text = fs::read_to_string(path).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    // 2.5 s with 2 balls a second are 5 balls: 3 in the row that ends at 5, and 2 beyond it.
    // Position correction moves balls by less than one step.
    assert!((last["poses"][5][0].as_f64().unwrap() - 7.0).abs() < 0.05, "{last}");
}

/// The centre of the ball has a free range of 9 between the blocks. A displacement of 36 in one
/// step from the middle hits a block after 4.5, then after each 9.
#[test]
fn impacts_on_the_path_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("to-and-fro.json");
    let blocks = [-5.5, 5.5].map(|x| {
        format!(r#"{{"id": "at {x}", "shape": {{"rectangle": {{"width": 1, "height": 50}}}}, "position": [{x}, 0]}}"#)
    });
    let ball = r#"{"id": "ball", "shape": {"circle": {"radius": 0.5}}, "body": {"mass": 1, "velocity": [36, 0], "restitution": 1}}"#;
    fs::write(&scene, format!(r#"{{"carom": 1, "colliders": [{}, {}, {ball}]}}"#, blocks[0], blocks[1])).unwrap();
    let text = carom(&["simulate", scene.to_str().unwrap(), "--steps", "1", "--dt", "1"]).data();
    assert!(text.contains("\n4 impacts between the ends of steps\n"), "{text}");
    let cradle = root().join("scenes/motion/newtons-cradle.json");
    assert!(
        !carom(&["simulate", cradle.to_str().unwrap(), "--steps", "150"]).data().contains("impacts"),
        "no body passes another within a step there"
    );
}

#[test]
fn the_suffix_selects_the_format_of_a_film() {
    let folder = tempfile::tempdir().unwrap();
    for (suffix, magic) in [("svg", &b"<svg"[..]), ("gif", b"GIF89a"), ("png", b"\x89PNG")] {
        let path = folder.path().join("film").with_extension(suffix);
        carom(&["simulate", "--balls", "9", "--steps", "20", "--render", path.to_str().unwrap()]).data();
        assert!(fs::read(path).unwrap().starts_with(magic), "{suffix}");
    }
    assert_eq!(carom(&["simulate", "--balls", "9", "--render", "film.mp4"]).code, 2);
}

#[test]
fn invalid_values_are_refused_and_a_step_of_0_moves_nothing() {
    for args in [
        &["simulate"][..],
        &["simulate", "--balls", "5", "--dt", "-1"],
        &["simulate", "--balls", "5", "--dt", "nan"],
        &["simulate", "--balls", "5", "--broad", "magic"],
        &["simulate", "--balls", "5", "x.json"],
        &["simulate", "--seed", "5", "scenes/motion/newtons-cradle.json"],
        &["simulate", "no-such-file.json"],
    ] {
        let ran = carom(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
    }
    let summary = json(&["simulate", "--balls", "5", "--dt", "0", "--steps", "3", "--format", "json"]);
    assert_eq!(summary["energy"][0], summary["energy"][1]);
    let empty = carom_with(&["simulate", "-"], r#"{"carom": 1, "colliders": []}"#).data();
    assert!(empty.starts_with("0 bodies"), "{empty}");
}
