//! The examples of the five articles: the intersecting pairs and their depths, computed by hand.
use carom_scene::{Options, read};

/// Returns the depth of each intersecting pair, in file order.
fn depths(file: &str) -> Vec<(String, String, f64)> {
    let path = format!("{}/../../scenes/articles/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap();
    let scene = read(&path, &bytes, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into())).unwrap();
    let mut depths = Vec::new();
    for (i, a) in scene.colliders.iter().enumerate() {
        for b in &scene.colliders[i + 1..] {
            if let Some(manifold) = carom::collide(a.shape.placed(a.pose), b.shape.placed(b.pose)) {
                depths.push((a.id.clone(), b.id.clone(), manifold.depth));
            }
        }
    }
    depths
}

fn check(file: &str, expected: &[(&str, &str, f64)]) {
    let found = depths(file);
    let names = |a: &str, b: &str| format!("{a} and {b}");
    let pairs: Vec<String> = found.iter().map(|(a, b, _)| names(a, b)).collect();
    assert_eq!(pairs, expected.iter().map(|(a, b, _)| names(a, b)).collect::<Vec<_>>(), "{file}");
    for ((a, b, depth), (_, _, expected)) in found.iter().zip(expected) {
        assert!((depth - expected).abs() <= 1e-14 * 8.0, "{file}: {a} and {b} are {depth} deep, not {expected}");
    }
}

#[test]
fn squares() {
    check("squares-meet", &[("first", "second", 5.0)]);
    check("squares-apart", &[]);
}

#[test]
fn polygons() {
    // Along the normal (8, 5) of the right edge: 80 wide, shifted by 8·4 + 5·4.
    check("triangles-need-an-edge-normal", &[("lower", "upper", (80.0 - 52.0) / 89f64.sqrt())]);
    // Along the normal (5, −2) of the edge from (9, 7) to (7, 2), the pentagon ends at 31. The
    // hexagon begins at 11, at (5, 7).
    check("pentagon-meets-hexagon", &[("pentagon", "hexagon", 20.0 / 29f64.sqrt())]);
}

#[test]
fn circles_and_rectangles() {
    check(
        "circles-at-an-upright-rectangle",
        &[("rectangle", "at the side", 0.5), ("rectangle", "at the top", 0.0), ("rectangle", "touching the side", 0.0)],
    );
    // In the frame of the rectangle, which is 8 by 4 and rotated by 30 degrees.
    let (s, c) = (0.5, 0.75f64.sqrt());
    let local = |x: f64, y: f64| (c * x + s * y, c * y - s * x);
    let (side, corner, inside) = (local(4.4, 2.1), local(-5.0, -0.2), local(-0.5, 0.2));
    check(
        "circles-at-a-turned-rectangle",
        &[
            ("rectangle", "at the side", 4.0 + 1.5 - side.0),
            ("rectangle", "at the corner", 1.0 - (corner.0 + 4.0).hypot(corner.1 - 2.0)),
            ("rectangle", "inside", 2.0 - inside.1 + 0.7),
        ],
    );
}

#[test]
fn turned_rectangles() {
    // Along its own length, the rotated rectangle begins 3 before its centre. The vertex (3, 1.5)
    // is (1 + 0.9)/√2 before it.
    check("rectangles-turned", &[("upright", "turned", 3.0 - 1.9 / 2f64.sqrt())]);
}

#[test]
fn circles_near_a_corner() {
    // The circle beside the vertex overlaps on all edge normals. Only the axis through the vertex
    // separates it.
    check(
        "circles-near-a-corner",
        &[
            ("polygon", "over the corner", 1.0 - 0.2f64.hypot(0.7)),
            // From the edge through the origin with normal (−1, −6).
            ("polygon", "at the edge", 1.0 - (-3.0 + 6.0 * 1.3) / 37f64.sqrt()),
        ],
    );
}
