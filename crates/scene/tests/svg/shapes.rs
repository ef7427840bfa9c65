//! The basic shapes under transforms.
use super::{assert_circle, assert_points, only, points, read};
use carom::{DVec2, Shape, ShapeKind};

#[test]
fn circles_stay_circles_under_similar_transforms() {
    assert_circle(&only(r#"<circle cx="3" cy="4" r="2.5"/>"#), [3.0, 4.0], 2.5);
    assert_circle(
        &only(r#"<circle cx="3" cy="4" r="2" transform="translate(10 20) scale(2) rotate(90)"/>"#),
        [2.0, 26.0],
        4.0,
    );
    assert_circle(&only(r#"<g transform="scale(-3 3)"><circle cx="1" r="1"/></g>"#), [-3.0, 0.0], 3.0);
    assert_circle(&only(r#"<ellipse cx="1" cy="2" rx="4" ry="4"/>"#), [1.0, 2.0], 4.0);
    // The product of the factors is one up to rounding.
    let circle = only(r#"<circle r="1" transform="scale(0.1 0.7) scale(7 1)"/>"#);
    assert_eq!(circle.shape.kind(), ShapeKind::Circle);
}

#[test]
fn rectangles_keep_their_size_and_their_corners() {
    let block = only(r#"<rect x="10" y="20" width="30" height="8"/>"#);
    assert_eq!(
        (&block.shape, block.pose.translation()),
        (&Shape::rectangle(30.0, 8.0).unwrap(), DVec2::new(25.0, 24.0))
    );
    // With unequal scales and a rotation of 90 degrees it stays axis-aligned.
    let turned = only(r#"<rect width="4" height="2" transform="rotate(90) scale(2 3)"/>"#);
    assert_eq!(
        (&turned.shape, turned.pose.translation()),
        (&Shape::rectangle(6.0, 8.0).unwrap(), DVec2::new(-3.0, 4.0))
    );
    // Rotated by 30 degrees about its centre it is a rotated rectangle. The offset (12, 5) becomes
    // 12·cos 30° − 5·sin 30° along x.
    let turned = only(r#"<rect x="8" y="15" width="24" height="10" transform="rotate(30 20 20)"/>"#);
    assert_eq!(turned.shape.kind(), ShapeKind::Rectangle);
    let corner = points(&turned)[2] - DVec2::new(20.0, 20.0);
    let expected = DVec2::new(12.0 * 0.75f64.sqrt() - 2.5, 6.0 + 5.0 * 0.75f64.sqrt());
    assert!(corner.distance(expected) < 1e-13, "{corner} is not {expected}");
    // With a skew it is a parallelogram: x grows by y · tan 45°.
    let skewed = only(r#"<rect width="4" height="2" transform="skewX(45)"/>"#);
    assert_eq!(skewed.shape.kind(), ShapeKind::ConvexPolygon);
    assert_points(&skewed, &[[0.0, 0.0], [4.0, 0.0], [6.0, 2.0], [2.0, 2.0]]);
}

/// 0.1 + 0.2 is not 0.3. Neighbours touch nevertheless, because vertices are computed, not centres.
#[test]
fn neighbours_touch() {
    let scene = read(
        r#"<svg xmlns="http://www.w3.org/2000/svg"><rect x="0.1" width="0.2" height="1"/><rect x="0.3" width="0.7" height="1"/>
        <rect x="0.30000000000000004" width="0.7" height="1"/></svg>"#,
    );
    let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
    // The first one ends at 0.1 + 0.2 = 0.30000000000000004.
    assert!(carom::overlaps(placed(0), placed(1)), "0.3 lies before its end");
    assert!(carom::intersects(placed(0), placed(2)) && !carom::overlaps(placed(0), placed(2)));
}

#[test]
fn rounded_rectangles_shrink_before_they_are_rounded() {
    let rounded = only(r#"<rect x="10" y="10" width="30" height="20" rx="4"/>"#);
    assert_eq!(rounded.shape, Shape::rectangle(22.0, 12.0).unwrap().rounded(4.0).unwrap());
    assert_eq!(rounded.pose.translation(), DVec2::new(25.0, 20.0));
    let same = only(r#"<rect x="10" y="10" width="30" height="20" ry="4" transform="scale(2)"/>"#);
    assert_eq!(same.shape, Shape::rectangle(44.0, 24.0).unwrap().rounded(8.0).unwrap());
    // A radius is at most half the side: a pill, and a disc.
    let pill = only(r#"<rect width="30" height="20" rx="10"/>"#);
    assert_eq!((pill.shape.kind(), pill.shape.radius()), (ShapeKind::Capsule, 10.0));
    assert_points(&pill, &[[10.0, 10.0], [20.0, 10.0]]);
    assert_circle(&only(r#"<rect x="1" width="8" height="8" rx="99"/>"#), [5.0, 4.0], 4.0);
    // Elliptic corners: the ends of the straight sides are vertices of the polygon, and the polygon
    // lies in the box.
    let elliptic = only(r#"<rect width="30" height="20" rx="6" ry="2"/>"#);
    let found = points(&elliptic);
    for end in [[6.0, 0.0], [24.0, 0.0], [30.0, 2.0], [30.0, 18.0], [24.0, 20.0], [6.0, 20.0], [0.0, 18.0], [0.0, 2.0]]
    {
        assert!(found.contains(&DVec2::from(end)), "{end:?} in {found:?}");
    }
    // Each corner loses 6 · 2 · (1 − π/4). The polygon loses at most its perimeter times the
    // tolerance of 0.01 more.
    let lost = 600.0 - elliptic.shape.mass_properties().area - 4.0 * 12.0 * (1.0 - std::f64::consts::FRAC_PI_4);
    assert!((0.0..=0.01 * 40.0).contains(&lost), "{lost}");
}

#[test]
fn ellipses_stay_within_the_tolerance() {
    // The singular values of [[2, 1], [0, 2]] have the product 4, and their squares have the sum 9.
    let large = (0.5 * (9.0 + 17f64.sqrt())).sqrt();
    for (element, radii) in [
        (r#"<ellipse cx="50" cy="50" rx="30" ry="10"/>"#, [30.0, 10.0]),
        (r#"<ellipse cx="50" cy="50" rx="10" ry="30" transform="rotate(90 50 50)"/>"#, [30.0, 10.0]),
        (r#"<circle r="10" transform="translate(50 50) scale(1 3)"/>"#, [30.0, 10.0]),
        (r#"<circle r="10" transform="matrix(2 0 1 2 50 50)"/>"#, [10.0 * large, 40.0 / large]),
        (r#"<circle r="10" transform="translate(50 50) rotate(20) scale(3 1) rotate(70)"/>"#, [30.0, 10.0]),
    ] {
        let ellipse = only(element);
        assert_eq!(
            (ellipse.shape.kind(), ellipse.pose.translation()),
            (ShapeKind::ConvexPolygon, DVec2::splat(50.0)),
            "{element}"
        );
        let spans: Vec<f64> = points(&ellipse).iter().map(|p| p.distance(DVec2::splat(50.0))).collect();
        let (long, short) =
            (spans.iter().copied().fold(0.0, f64::max), spans.iter().copied().fold(f64::INFINITY, f64::min));
        assert!(
            (long - radii[0]).abs() < 1e-12 * 50.0 && (short - radii[1]).abs() < 1e-12 * 50.0,
            "{element}: {long}, {short}"
        );
        // Inscribed: the missing area is at most a strip of 0.01 (1e-4 of the drawing) along the
        // boundary, which is shorter than 2π · 30.
        let missed = std::f64::consts::PI * radii[0] * radii[1] - ellipse.shape.mass_properties().area;
        assert!((0.0..0.01 * 190.0).contains(&missed), "{element}: {missed}");
    }
}

#[test]
fn elements_without_size_or_paint_cover_nothing() {
    let scene = read(&super::drawing(
        r#"<circle r="0"/><circle/><rect width="0" height="5"/><rect width="5"/><ellipse rx="0" ry="5"/><path d=""/><path d="M1 1"/>
        <polygon points=""/><polyline points="1 1"/><line x2="5"/><path d="M0 0 L5 5"/><circle r="5" fill="none"/>
        <circle r="5" style="fill:none;stroke:none"/><circle r="5" display="none"/><g display="none"><circle r="5"/></g>
        <g visibility="hidden"><circle r="5"/><circle id="shown" r="7" visibility="visible"/></g>
        <line x2="5" stroke="red" stroke-width="0"/>"#,
    ));
    let ids: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
    assert_eq!((ids, scene.warnings.len()), (vec!["shown"], 0));
}

#[test]
fn strokes_without_fill_are_chains() {
    let open = only(r#"<polyline points="0,0 5,5 10,0" fill="none" stroke="black"/>"#);
    assert_eq!((open.shape.kind(), open.shape.is_closed_chain()), (ShapeKind::Chain, false));
    assert_points(&open, &[[0.0, 0.0], [5.0, 5.0], [10.0, 0.0]]);
    let closed = only(r#"<rect width="2" height="1" fill="none" stroke="black" transform="translate(1 1)"/>"#);
    assert!(closed.shape.is_closed_chain());
    assert_points(&closed, &[[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]]);
    let circle = only(r#"<circle cx="50" cy="50" r="40" fill="none" stroke="black"/>"#);
    assert!(circle.shape.is_closed_chain());
    assert!(points(&circle).iter().all(|p| (p.distance(DVec2::splat(50.0)) - 40.0).abs() < 1e-12));
    // A line has no area to fill.
    let line = only(r#"<line x1="1" y1="2" x2="3" y2="4" stroke="black"/>"#);
    assert_points(&line, &[[1.0, 2.0], [3.0, 4.0]]);
    let line = only(r#"<path d="M1 2 L3 4 Z" stroke="black"/>"#);
    assert_eq!(line.shape.kind(), ShapeKind::Chain);
}
