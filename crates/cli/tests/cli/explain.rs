//! Tests the sentences and the JSON contract of `carom explain`.
use serde::{Deserialize, Serialize};

use crate::carom::{Ran, carom_with};

/// The contract for shapes that intersect.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Intersecting {
    a: String,
    b: String,
    intersects: bool,
    overlaps: bool,
    depth: f64,
    axes: Vec<Axis>,
}

/// The contract for disjoint shapes.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Disjoint {
    a: String,
    b: String,
    intersects: bool,
    overlaps: bool,
    distance: f64,
    axes: Vec<Axis>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Axis {
    normal: [f64; 2],
    shadow_a: [f64; 2],
    shadow_b: [f64; 2],
    overlap: f64,
    decides: bool,
}

/// Returns two squares of side 2. The second is `x` to the right of the first.
fn explain(x: f64, args: &[&str]) -> Ran {
    let square = r#""shape": {"rectangle": {"width": 2, "height": 2}}"#;
    let scene = format!(
        r#"{{"carom": 1, "colliders": [{{"id": "first", {square}}}, {{"id": "second", {square}, "position": [{x}, 0.5]}}]}}"#
    );
    carom_with(&[&["explain", "-", "first", "second"], args].concat(), &scene)
}

/// Parses a report and checks that serializing it gives the same bytes.
fn report<T: Serialize + for<'de> Deserialize<'de>>(ran: Ran) -> T {
    let json = ran.data();
    let report: T = serde_json::from_str(&json).expect("the contract's fields");
    assert_eq!(serde_json::to_string(&report).expect("a report is JSON") + "\n", json);
    report
}

/// Compares the projections with those of two squares, computed by hand.
fn lawful(axes: &[Axis], x: f64) {
    assert_eq!(axes.iter().filter(|axis| axis.decides).count(), 1);
    for axis in axes {
        let [nx, ny] = axis.normal;
        let half_extent = nx.abs() + ny.abs();
        let center = nx * x + ny * 0.5;
        let expected = [-half_extent, half_extent, center - half_extent, center + half_extent];
        let shadows = [axis.shadow_a, axis.shadow_b].concat();
        assert!(shadows.iter().zip(expected).all(|(p, q)| (p - q).abs() < 1e-12), "{shadows:?}, {expected:?}");
    }
}

#[test]
fn squares_that_overlap() {
    let result: Intersecting = report(explain(1.25, &["--format", "json"]));
    assert_eq!((result.a.as_str(), result.b.as_str()), ("first", "second"));
    assert!(result.intersects && result.overlaps);
    assert_eq!(result.depth, 0.75);
    lawful(&result.axes, 1.25);
    let decides = result.axes.iter().find(|axis| axis.decides).expect("one decides");
    assert_eq!((decides.normal, decides.overlap), ([1.0, 0.0], 0.75));

    let words = explain(1.25, &[]).data();
    for word in ["first (a rectangle of 2 by 2)", "overlap", "0.75", "vector is (0.75, 0)"] {
        assert!(words.contains(word), "no \"{word}\" in {words}");
    }
}

#[test]
fn squares_that_touch() {
    let result: Intersecting = report(explain(2.0, &["--format", "json"]));
    assert!(result.intersects && !result.overlaps);
    assert_eq!(result.depth, 0.0);
    lawful(&result.axes, 2.0);
    assert!(explain(2.0, &[]).data().contains("touch"));
}

#[test]
fn disjoint_squares() {
    let disjoint: Disjoint = report(explain(5.0, &["--format", "json"]));
    assert!(!disjoint.intersects && !disjoint.overlaps);
    assert_eq!(disjoint.distance, 3.0);
    lawful(&disjoint.axes, 5.0);
    let words = explain(5.0, &[]).data();
    assert!(words.contains("disjoint") && words.contains("a gap of 3"), "{words}");
}

/// The closest points of two circles lie on the line of centres: 5 − 1 − 1 = 3 disjoint.
#[test]
fn disjoint_circles() {
    let scene = r#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}},
                                              {"shape": {"circle": {"radius": 1}}, "position": [3, 4]}]}"#;
    let disjoint: Disjoint = report(carom_with(&["explain", "-", "#0", "#1", "--format", "json"], scene));
    assert!((disjoint.distance - 3.0).abs() < 1e-12);
    let decides = disjoint.axes.iter().find(|axis| axis.decides).expect("one decides");
    assert!((decides.normal[0] - 0.6).abs() < 1e-12 && (decides.normal[1] - 0.8).abs() < 1e-12);
}

#[test]
fn swapped_shapes_turn_the_normal() {
    let forth: Intersecting = report(explain(1.25, &["--format", "json"]));
    let scene = r#"{"carom": 1, "colliders": [
        {"id": "second", "shape": {"rectangle": {"width": 2, "height": 2}}, "position": [1.25, 0.5]},
        {"id": "first", "shape": {"rectangle": {"width": 2, "height": 2}}}]}"#;
    let back: Intersecting = report(carom_with(&["explain", "-", "second", "first", "--format", "json"], scene));
    assert_eq!(back.a, "second");
    assert_eq!(back.depth, forth.depth);
    assert_eq!(back.axes.iter().find(|axis| axis.decides).expect("one decides").normal, [-1.0, 0.0]);
}

#[test]
fn pairs_that_check_leaves_out_are_said_to_be() {
    let scene = r#"{"carom": 1, "colliders": [
        {"id": "a", "shape": {"circle": {"radius": 1}}, "group": 1},
        {"id": "b", "shape": {"circle": {"radius": 1}}, "group": 1}]}"#;
    let words = carom_with(&["explain", "-", "a", "b"], scene).data();
    assert!(words.contains("`carom check` leaves this pair out"), "{words}");
}

#[test]
fn unknown_ids_are_answered_with_near_ones() {
    let scene = r#"{"carom": 1, "colliders": [{"id": "block", "shape": {"circle": {"radius": 1}}},
                                              {"id": "ball", "shape": {"circle": {"radius": 1}}}]}"#;
    let refused = |a: &str, b: &str| {
        let ran = carom_with(&["explain", "-", a, b], scene);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        ran.stderr
    };
    assert!(refused("blok", "ball").contains("no shape has the id `blok`: did you mean `block`"));
    assert!(refused("ball", "zzz").contains("there are `block`, `ball`"));
    assert!(refused("ball", "ball").contains("named twice"));
}
