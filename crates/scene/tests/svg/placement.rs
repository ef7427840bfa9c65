//! Positions: viewports, units, transforms, uses.
use super::{assert_circle, assert_points, only, read};

/// Returns the circle of a whole file.
fn circle(root: &str) -> carom_scene::SceneCollider {
    let mut scene =
        read(&format!(r#"<svg xmlns="http://www.w3.org/2000/svg" {root}<circle cx="10" cy="20" r="5"/></svg>"#));
    scene.colliders.remove(0)
}

#[test]
fn the_outermost_viewport() {
    assert_circle(&circle(">"), [10.0, 20.0], 5.0);
    assert_circle(&circle(r#"width="50" height="50">"#), [10.0, 20.0], 5.0);
    assert_circle(&circle(r#"viewBox="5 5 100 50">"#), [5.0, 15.0], 5.0);
    assert_circle(&circle(r#"viewBox="0 0 100 50" width="200" height="100">"#), [20.0, 40.0], 10.0);
    // With one side given, the other follows. Percentages refer to the view box.
    assert_circle(&circle(r#"viewBox="0 0 100 50" width="200">"#), [20.0, 40.0], 10.0);
    assert_circle(&circle(r#"viewBox="0 0 100 50" height="100">"#), [20.0, 40.0], 10.0);
    assert_circle(&circle(r#"viewBox="0 0 100 50" width="100%" height="100%">"#), [10.0, 20.0], 5.0);
    // An inch is 96 px, 6 pc, 72 pt, 2.54 cm.
    for width in ["2in", "12pc", "144pt", "5.08cm", "50.8mm", "192px", "192"] {
        assert_circle(
            &circle(&format!(r#"viewBox="0 0 96 96" width="{width}" height="{width}">"#)),
            [20.0, 40.0],
            10.0,
        );
    }
}

/// A square of 10 in a viewport of 40 by 20: scale 2 with `meet`, 4 with `slice`.
#[test]
fn preserve_aspect_ratio() {
    let at = |ratio: &str| {
        let root = format!(r#"viewBox="0 0 10 10" width="40" height="20" preserveAspectRatio="{ratio}">"#);
        let circle = circle(&root);
        (circle.pose.translation().to_array(), circle.shape.radius())
    };
    assert_eq!(at("xMidYMid"), ([30.0, 40.0], 10.0));
    assert_eq!(at("xMinYMin meet"), ([20.0, 40.0], 10.0));
    assert_eq!(at("xMaxYMax meet"), ([40.0, 40.0], 10.0));
    assert_eq!(at("xMidYMin slice"), ([40.0, 80.0], 20.0));
    assert_eq!(at("xMidYMid slice"), ([40.0, 70.0], 20.0));
    assert_eq!(at("xMaxYMax slice"), ([40.0, 60.0], 20.0));
    let stretched = circle(r#"viewBox="0 0 10 10" width="40" height="20" preserveAspectRatio="none">"#);
    assert_eq!(stretched.shape.kind(), carom::ShapeKind::ConvexPolygon);
    let bounds = stretched.shape.placed(stretched.pose).aabb();
    assert_eq!((bounds.min().to_array(), bounds.max().to_array()), ([20.0, 30.0], [60.0, 50.0]));
}

#[test]
fn percentages_are_of_the_viewport() {
    let scene = read(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 400"><rect width="10%" height="10%"/><circle cx="50%" cy="50%" r="10%"/></svg>"#,
    );
    assert_points(&scene.colliders[0], &[[0.0, 0.0], [30.0, 0.0], [30.0, 40.0], [0.0, 40.0]]);
    // A percentage of a radius refers to the diagonal over √2: √((300² + 400²) / 2) = 353.55….
    let circle = &scene.colliders[1];
    assert_eq!(circle.pose.translation().to_array(), [150.0, 200.0]);
    assert!((circle.shape.radius() - 12_500f64.sqrt() * 10f64.sqrt() * 0.1).abs() < 1e-12, "{}", circle.shape.radius());
}

#[test]
fn nested_viewports() {
    let inner = r#"<svg x="10" y="20" width="40" height="40" viewBox="0 0 10 10"><circle cx="5" cy="5" r="1"/></svg>"#;
    assert_circle(&only(inner), [30.0, 40.0], 4.0);
    let plain = r#"<svg x="10" y="20"><circle cx="5" cy="5" r="1"/></svg>"#;
    assert_circle(&only(plain), [15.0, 25.0], 1.0);
    let twice = r#"<g transform="scale(2)"><svg x="5" width="50%" height="50%" viewBox="0 0 10 10"><circle cx="5" cy="5" r="1"/></svg></g>"#;
    // Half of 100 is 50: a scale of 5 inside one of 2.
    assert_circle(&only(twice), [60.0, 50.0], 10.0);
}

#[test]
fn uses_and_symbols() {
    let shape = r#"<defs><circle id="c" cx="1" r="1"/><g id="g"><circle cx="2" r="1"/></g>
        <symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></symbol></defs>"#;
    assert_circle(&only(&format!("{shape}<use href=\"#c\"/>")), [1.0, 0.0], 1.0);
    assert_circle(&only(&format!("{shape}<use xlink:href=\"#c\" x=\"10\" y=\"20\"/>")), [11.0, 20.0], 1.0);
    // The transform is applied before x and y.
    assert_circle(&only(&format!("{shape}<use href=\"#g\" x=\"10\" transform=\"scale(2)\"/>")), [24.0, 0.0], 2.0);
    assert_circle(&only(&format!("{shape}<use href=\"#s\" x=\"10\" width=\"20\" height=\"20\"/>")), [20.0, 10.0], 10.0);
    assert_circle(&only(&format!("{shape}<use href=\"#s\"/>")), [50.0, 50.0], 50.0);
    // An element inherits its style from the use, unless it has its own.
    let painted = r##"<defs><path id="p" d="M0 0L5 5L0 9"/></defs><use href="#p" fill="none" stroke="red"/>"##;
    assert_eq!(only(painted).shape.kind(), carom::ShapeKind::Chain);
}

#[test]
fn transforms_compose_from_the_left() {
    let at = |transform: &str| {
        only(&format!("<circle cx=\"1\" r=\"1\" transform=\"{transform}\"/>")).pose.translation().to_array()
    };
    assert_eq!(at("translate(5) rotate(90)"), [5.0, 1.0]);
    assert_eq!(at("rotate(90),translate(5,0)"), [0.0, 6.0]);
    assert_eq!(at("rotate(180 3 3)"), [5.0, 6.0]);
    assert_eq!(at("matrix(0 2 -2 0 7 8)"), [7.0, 10.0]);
    assert_eq!(at("scale(2)scale(3)"), [6.0, 0.0]);
    assert_eq!(at("none"), [1.0, 0.0]);
    assert_eq!(at("rotate(3600090)"), [0.0, 1.0], "quarter turns are exact");
}

/// Every element of the example drawing, and the positions of the more complex ones.
#[test]
fn the_example_drawing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/drawing.svg");
    let scene = read(&std::fs::read_to_string(path).unwrap());
    let ids: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    let expected = [
        "ball",
        "block",
        "rounded",
        "elliptic",
        "pill",
        "egg",
        "turned",
        "scaled",
        "stretched",
        "skewed",
        "mirrored",
        "leaning",
        "ring",
        "islands",
        "heart",
        "wave",
        "zigzag",
        "rule",
        "first arrow",
        "second arrow",
        "medal.disc",
        "medal.bar",
        "diamond",
        "linked",
        "chosen",
    ];
    assert_eq!(ids, expected);
    let layers: Vec<Option<&str>> = scene.layers.iter().map(Option::as_deref).collect();
    assert_eq!(layers, [None, Some("basic"), Some("transformed"), Some("paths"), Some("shown")]);
    assert!(scene.skipped.is_empty());
    let find = |id: &str| scene.colliders.iter().find(|c| c.id == id).unwrap();
    assert_circle(find("scaled"), [90.0, 90.0], 18.0);
    assert_circle(find("medal.disc"), [150.0, 210.0], 20.0);
    assert_points(find("mirrored"), &[[285.0, 70.0], [255.0, 70.0], [255.0, 110.0]]);
    // A viewport of 46 by 40 at (184, 190) shows 100 by 100 at a scale of 0.4, moved right by 6.
    assert_points(find("diamond"), &[[210.0, 190.0], [230.0, 210.0], [210.0, 230.0], [190.0, 210.0]]);
    assert_points(
        find("second arrow"),
        &[[110.0, 216.0], [90.0, 216.0], [90.0, 224.0], [74.0, 210.0], [90.0, 196.0], [90.0, 204.0], [110.0, 204.0]],
    );
    let area = |id: &str| find(id).shape.mass_properties().area;
    // 20² − 10² + 18², and a ring between the radii 22 and 12, both inscribed within 0.036.
    assert_eq!(area("islands"), 624.0);
    let ring = std::f64::consts::PI * (22.0 * 22.0 - 12.0 * 12.0);
    assert!((area("ring") - ring).abs() < 0.036 * std::f64::consts::TAU * 22.0, "{} is not {ring}", area("ring"));
}

/// Ten icons of other projects: relative coordinates, arcs, holes by direction.
#[test]
fn icons() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/icons");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let scene = read(&std::fs::read_to_string(&path).unwrap());
        assert_eq!((scene.colliders.len(), scene.warnings.len()), (1, 0), "{}", path.display());
        let collider = &scene.colliders[0];
        let bounds = collider.shape.placed(collider.pose).aabb();
        // Each icon fills its box of 24 by 24 along one axis.
        assert!((bounds.size().max_element() - 24.0).abs() < 0.05, "{}: {:?}", path.display(), bounds.size());
        seen += 1;
    }
    assert_eq!(seen, 10);
}
