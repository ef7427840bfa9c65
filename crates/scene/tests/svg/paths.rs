//! Path data: every command of SVG 2, chapter 9.
use super::{assert_points, only, points};
use carom::{DVec2, ShapeKind};
use carom_scene::Options;

#[test]
fn straight_commands() {
    let square = [[10.0, 10.0], [20.0, 10.0], [20.0, 20.0], [10.0, 20.0]];
    for data in [
        "M10 10 L20 10 L20 20 L10 20 Z",
        "m10,10 10,0 0,10 -10,0z",
        "M10 10H20V20H10Z",
        "M10 10h10v10h-10z",
        "M10 10 20 10 20 20 10 20",
        "M10 10h10v10h-10v-10",
        "M1e1+10H2E1V20H10z",
        "M 10,10 , 20,10 L20 20 20 20 10 20z",
    ] {
        let found = only(&format!("<path d=\"{data}\"/>"));
        let mut points = points(&found);
        points.dedup();
        assert_eq!(points, square.map(DVec2::from), "{data}");
    }
}

/// After a close, the next command begins at the start of the closed subpath.
#[test]
fn subpaths() {
    let path = only(r#"<path fill="none" stroke="red" d="M5 5h2v2zl-3 1M1 1m1 1l5 5"/>"#);
    assert_eq!(path.shape.kind(), ShapeKind::Compound);
    let chains: Vec<(bool, Vec<DVec2>)> =
        path.shape.children().iter().map(|(child, _)| (child.is_closed_chain(), child.points().to_vec())).collect();
    let expected = [
        (true, vec![[5.0, 5.0], [7.0, 5.0], [7.0, 7.0]]),
        (false, vec![[5.0, 5.0], [2.0, 6.0]]),
        (false, vec![[2.0, 2.0], [7.0, 7.0]]),
    ];
    assert_eq!(chains, expected.map(|(closed, points)| (closed, points.into_iter().map(DVec2::from).collect())));
}

/// Returns the chain of a path with one curve.
fn curve(data: &str) -> Vec<DVec2> {
    points(&only(&format!(r#"<path fill="none" stroke="red" d="{data}"/>"#)))
}

#[test]
fn curves_pass_through_the_points_of_their_formulas() {
    // The middle of a quadratic curve is (p + 2q + r) / 4, of a cubic one (p + 3q + 3r + s) / 8.
    let near =
        |points: &[DVec2], p: [f64; 2]| points.windows(2).any(|w| segment_distance(p.into(), w[0], w[1]) <= 0.01);
    let quadratic = curve("M0 0 Q20 40 60 0");
    assert!(near(&quadratic, [25.0, 20.0]));
    assert_eq!((quadratic[0], quadratic.last()), (DVec2::ZERO, Some(&DVec2::new(60.0, 0.0))));
    let cubic = curve("M0 0 C0 40 40 40 40 0");
    assert!(near(&cubic, [20.0, 30.0]));
    // Smooth commands mirror the last control point: T60 0 about (30, 15) gives (50, 30 − 20).
    // Relative ones start at the last end.
    assert_eq!(curve("M0 0 Q10 20 30 15 T60 0"), curve("M0 0 q10 20 30 15 q20 -5 30 -15"));
    assert_eq!(curve("M0 0 C5 10 10 20 20 20 S40 5 50 0"), curve("m0 0 c5 10 10 20 20 20 c10 0 20 -15 30 -20"));
    // After other commands the control point is the current point.
    assert_eq!(curve("M0 0 Q10 20 30 15 L35 15 T60 0"), curve("M0 0 Q10 20 30 15 L35 15 Q35 15 60 0"));
    assert_eq!(curve("M0 0 Q10 20 30 15 S40 5 50 0"), curve("M0 0 Q10 20 30 15 C30 15 40 5 50 0"));
}

fn segment_distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    p.distance(a + (b - a) * t)
}

/// The four arcs of the specification's figure. Two circles of radius 5 go through (0, 0) and (5,
/// 5), each with its small and its large arc.
#[test]
fn arcs_take_the_side_that_the_flags_say() {
    for (flags, centre, left) in
        [("0 1", [0.0, 5.0], false), ("0 0", [5.0, 0.0], true), ("1 1", [5.0, 0.0], false), ("1 0", [0.0, 5.0], true)]
    {
        let arc = curve(&format!("M0 0 A5 5 0 {flags} 5 5"));
        let centre = DVec2::from(centre);
        assert!(arc.iter().all(|p| (p.distance(centre) - 5.0).abs() < 1e-12), "{flags}");
        assert_eq!((arc[0], arc.last()), (DVec2::ZERO, Some(&DVec2::splat(5.0))), "{flags}");
        // Sweep 1 turns +x toward +y.
        assert!(arc.windows(2).all(|w| ((w[0] - centre).perp_dot(w[1] - centre) < 0.0) == left), "{flags}");
        let turned: f64 = arc.windows(2).map(|w| (w[0] - centre).angle_to(w[1] - centre).abs()).sum();
        let quarters = if flags.starts_with('1') { 3.0 } else { 1.0 };
        assert!((turned - quarters * std::f64::consts::FRAC_PI_2).abs() < 1e-9, "{flags}: {turned}");
    }
}

#[test]
fn arcs_that_need_repair() {
    // A radius of 0 gives a line. Equal ends give no arc.
    assert_eq!(curve("M0 0 A0 5 0 0 1 5 5"), [DVec2::ZERO, DVec2::splat(5.0)]);
    assert_eq!(curve("M0 0 A5 5 0 0 1 0 0 L7 7"), curve("M0 0 L0 0 L7 7"));
    // Radii that are too small are scaled up until the ellipse fits: a half circle of radius 5.
    // Negative radii count as positive.
    for data in ["M0 0 A1 1 0 0 1 10 0", "M0 0 A-3 3 0 0 1 10 0"] {
        let half = curve(data);
        assert!(
            half.iter().all(|p| (p.distance(DVec2::new(5.0, 0.0)) - 5.0).abs() < 1e-12 && p.y <= 1e-12),
            "{data}: {half:?}"
        );
    }
    // Rotated by 90 degrees the radii are exchanged: half the ellipse about (0, 10) with radii 5
    // and 10.
    let turned = curve("M0 0 A10 5 90 0 1 0 20");
    let on = |p: &DVec2| ((p.x / 5.0).powi(2) + ((p.y - 10.0) / 10.0).powi(2) - 1.0).abs() < 1e-12;
    assert!(turned.iter().all(|p| on(p) && p.x >= -1e-12), "{turned:?}");
    // Flags need no separator.
    assert_eq!(curve("M0 0a5 5 0 015 5"), curve("M0 0 A5 5 0 0 1 5 5"));
    // Underflow must not give NaN.
    assert!(curve("M0 0 A1 1 0 0 1 1e-200 0 L1 1").iter().all(|p| p.is_finite()));
}

#[test]
fn the_tolerance_is_a_share_of_the_drawing() {
    let edges = |svg: &str, flatten: Option<f64>| {
        let scene = super::read_with(svg, &Options { flatten_tolerance: flatten, ..Options::default() }).unwrap();
        scene.colliders[0].shape.points().len()
    };
    let circle = r#"<circle cx="50" cy="50" r="50" fill="none" stroke="red"/>"#;
    // n chords of a circle of radius 50 deviate by 50 (1 − cos π/n). These are the counts for 0.01
    // and 1.
    let needed = |deviation: f64| (std::f64::consts::PI / (1.0 - deviation / 50.0).acos()).ceil() as usize;
    assert_eq!(edges(&super::drawing(circle), None), needed(0.01));
    assert_eq!(edges(&super::drawing(circle), Some(0.01)), needed(1.0));
    // The same drawing ten times as large, and without a size, so that the bounding box counts.
    let large = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="1000" viewBox="0 0 100 100">{circle}</svg>"#);
    assert_eq!(edges(&large, None), needed(0.01));
    assert_eq!(edges(&format!(r#"<svg xmlns="http://www.w3.org/2000/svg">{circle}</svg>"#), None), needed(0.01));
}

#[test]
fn fills_close_open_paths_and_omit_paths_without_area() {
    let open = only(r#"<path d="M0 0 L10 0 L10 10"/>"#);
    assert_points(&open, &[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]);
    let only_one = only(r#"<path stroke="red" d="M1 1L2 2M0 0 L10 0 L10 10M3 3L4 4L5 5z"/>"#);
    assert_eq!(only_one.shape.kind(), ShapeKind::ConvexPolygon);
    let two = only(r#"<path d="M0 0h5v5zM10 10h5v5z"/>"#);
    assert_eq!((two.shape.kind(), two.shape.children().len()), (ShapeKind::Compound, 2));
}
