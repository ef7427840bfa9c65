//! Tests `carom explain` with `--gjk`, `--sweep` and `--contains`: additions to the contract, and
//! the sentences.
use serde::Deserialize;

use crate::carom::{Ran, carom_with};

/// Scene: a ball of radius 1 at the origin, a wall with its near side at x = 5. A plate contains
/// the ball, and a second plate has a hole.
const ROOM: &str = r#"{"carom": 1, "colliders": [
    {"id": "ball", "shape": {"circle": {"radius": 1}}, "motion": {"translation": [8, 0]}},
    {"id": "wall", "shape": {"rectangle": {"width": 2, "height": 10}}, "position": [6, 0]},
    {"id": "plate", "shape": {"polygon": {"points": [[-4, -4], [4, -4], [4, 4], [-4, 4]], "holes": [[[2, -1], [3, -1], [3, 1], [2, 1]]]}}}]}"#;

/// The fields of every explanation, and the optional ones.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    a: String,
    b: String,
    intersects: bool,
    overlaps: bool,
    depth: Option<f64>,
    distance: Option<f64>,
    axes: Vec<serde_json::Value>,
    gjk: Option<Gjk>,
    sweep: Option<Sweep>,
    contains: Option<Holding>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gjk {
    contains_origin: bool,
    radius: f64,
    steps: Vec<Step>,
    simplex: Vec<Corner>,
    difference: Vec<[f64; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    simplex: Vec<Corner>,
    direction: [f64; 2],
    support: Corner,
    upper: f64,
    lower: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corner {
    vertex_a: u32,
    vertex_b: u32,
    point: [f64; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    method: String,
    hit: Option<Hit>,
    steps: Vec<Moment>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hit {
    time: f64,
    normal: [f64; 2],
    point: [f64; 2],
    initial_depth: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Moment {
    time: f64,
    gap: f64,
    normal: [f64; 2],
    point_a: [f64; 2],
    point_b: [f64; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Holding {
    contains: bool,
    outside: Option<[f64; 2]>,
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    held: bool,
    by: Option<u32>,
    outside: Option<[f64; 2]>,
}

fn explain(a: &str, b: &str, args: &[&str]) -> Ran {
    carom_with(&[&["explain", "-", a, b], args].concat(), ROOM)
}

fn report(a: &str, b: &str, args: &[&str]) -> Report {
    let json = explain(a, b, &[args, &["--format", "json"]].concat()).data();
    serde_json::from_str(&json).expect("the contract's fields")
}

#[test]
fn the_steps_of_gjk() {
    let found = report("ball", "wall", &["--gjk"]);
    assert_eq!((found.a.as_str(), found.b.as_str(), found.intersects, found.overlaps), ("ball", "wall", false, false));
    assert_eq!((found.distance, found.depth, found.axes.is_empty()), (Some(4.0), None, false));
    let gjk = found.gjk.expect("asked for");
    // The Minkowski difference of centre and wall: a box from (−7, −5) to (−5, 5), 5 from the
    // origin, without the ball's radius.
    assert_eq!((gjk.contains_origin, gjk.radius, gjk.difference.len()), (false, 1.0, 4));
    assert!(gjk.difference.iter().all(|p| (p[0] == -7.0 || p[0] == -5.0) && p[1].abs() == 5.0), "{:?}", gjk.difference);
    let last = gjk.steps.last().expect("a step");
    assert_eq!((last.upper, last.lower, last.direction), (5.0, 5.0, [1.0, 0.0]));
    assert!(
        last.simplex.len() == 2 && last.simplex.iter().all(|corner| corner.vertex_a == 0 && corner.point[0] == -5.0)
    );
    assert_eq!((last.support.point[0], gjk.simplex.len()), (-5.0, 2));
    assert!(gjk.simplex.iter().all(|corner| corner.vertex_b == 0 || corner.vertex_b == 3), "the wall's left side");
    // Lines may be broken at any space.
    let words = explain("ball", "wall", &["--gjk"]).data().replace('\n', " ");
    assert!(words.contains("have distance 4") && words.contains("The sum of the radii is 1"), "{words}");
}

#[test]
fn the_steps_of_a_cast() {
    let found = report("ball", "wall", &["--sweep"]).sweep.expect("asked for");
    let hit = found.hit.expect("it hits");
    // The distance is 4, the speed is 8 per second.
    assert_eq!((found.method.as_str(), hit.normal, hit.initial_depth), ("clip", [1.0, 0.0], None));
    assert!((hit.time - 0.5).abs() < 1e-7 && (hit.point[0] - 5.0).abs() < 1e-6, "{}", hit.time);
    let [start, end] = &found.steps[..] else { panic!("the start and the impact") };
    assert_eq!((start.time, start.gap, start.point_a, start.point_b), (0.0, 4.0, [1.0, 0.0], [5.0, 0.0]));
    assert_eq!((end.time, end.normal), (hit.time, [1.0, 0.0]));

    // A rotating motion is solved in steps. A motion of the command line replaces that of the
    // scene.
    let turning = report("ball", "wall", &["--sweep", "--move", "ball", "16,0", "--move", "wall", "0,0,5"])
        .sweep
        .expect("asked for");
    assert_eq!(turning.method, "advancement");
    assert!((turning.hit.expect("it hits").time - 0.25).abs() < 0.01 && turning.steps.len() > 1);
    let miss = report("ball", "wall", &["--sweep", "--move", "ball", "-8,0"]).sweep.expect("asked for");
    assert!(miss.hit.is_none());
    let words = explain("ball", "wall", &["--sweep"]).data();
    assert!(words.contains("ball hits wall at time 0.5,") && words.contains("Minkowski difference"), "{words}");
    let words = explain("ball", "plate", &["--sweep"]).data();
    assert!(words.contains("overlap at the start of the motion"), "{words}");
}

#[test]
fn why_a_shape_lies_in_another() {
    let found = report("plate", "ball", &["--contains"]).contains.expect("asked for");
    assert!(found.contains && found.outside.is_none() && found.parts.len() == 1 && found.parts[0].held);
    let wall = report("plate", "wall", &["--contains"]).contains.expect("asked for");
    let [part] = &wall.parts[..] else { panic!("a rectangle is one part") };
    assert!(
        !wall.contains && !part.held && part.by.is_none() && part.outside == wall.outside && wall.outside.is_some()
    );
    assert!(explain("plate", "ball", &["--contains"]).data().contains(") contains ball (a "));
    assert!(explain("ball", "plate", &["--contains"]).data().contains("is outside"));
}

#[test]
fn only_one_question_at_a_time() {
    for args in [["--gjk", "--sweep"], ["--gjk", "--contains"], ["--sweep", "--contains"]] {
        let ran = explain("ball", "wall", &args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
    }
    let ran = explain("ball", "wall", &["--move", "ball", "1,0"]);
    assert!(ran.code == 2 && ran.stderr.contains("--sweep"), "{}", ran.stderr);
    let ran = explain("ball", "wall", &["--sweep", "--move", "bal", "1,0"]);
    assert!(ran.code == 2 && ran.stderr.contains("did you mean `ball`"), "{}", ran.stderr);
}
