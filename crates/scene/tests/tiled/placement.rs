//! P36: objects lie where Tiled draws them. The expected numbers follow from Tiled's documentation.
//! x and y are the top left corner (of tile objects the aligned point), and +y points down. The
//! rotation is clockwise about this point, in degrees.
use super::{assert_near, assert_points, find, map, objects, points, read, refused};
use carom::{DVec2, ShapeKind};

#[test]
fn a_rectangle_stands_on_its_top_left_corner() {
    let scene = read(&objects(r#"<object id="1" x="100" y="50" width="40" height="20"/>"#));
    assert_points(&scene, "1", &[[100.0, 50.0], [140.0, 50.0], [140.0, 70.0], [100.0, 70.0]]);
    assert_eq!(find(&scene, "1").shape.kind(), ShapeKind::Rectangle);
    assert_eq!(find(&scene, "1").pose.translation(), DVec2::new(120.0, 60.0));
}

#[test]
fn a_rectangle_turns_clockwise_about_its_top_left_corner() {
    let at = |degrees: &str| {
        read(&objects(&format!(r#"<object id="1" x="100" y="50" width="40" height="20" rotation="{degrees}"/>"#)))
    };
    assert_points(&at("90"), "1", &[[100.0, 50.0], [100.0, 90.0], [80.0, 90.0], [80.0, 50.0]]);
    assert_points(&at("-270"), "1", &[[100.0, 50.0], [100.0, 90.0], [80.0, 90.0], [80.0, 50.0]]);
    assert_points(&at("180"), "1", &[[100.0, 50.0], [60.0, 50.0], [60.0, 30.0], [100.0, 30.0]]);
    let (c, s) = (f64::sqrt(0.75), 0.5);
    let far = [100.0 + 40.0 * c - 20.0 * s, 50.0 + 40.0 * s + 20.0 * c];
    let expected = [[100.0, 50.0], [100.0 + 40.0 * c, 50.0 + 40.0 * s], far, [100.0 - 20.0 * s, 50.0 + 20.0 * c]];
    assert_near(&at("30"), "1", &expected);
}

/// An object at a corner stays there exactly, at any angle.
#[test]
fn the_corner_that_a_rectangle_rotates_about_stays() {
    for degrees in 0..360 {
        let scene = read(&objects(&format!(
            r#"<object id="1" x="1152.3" y="640.7" width="260.1" height="24" rotation="{degrees}.7"/>"#
        )));
        assert!(points(&scene, "1").contains(&DVec2::new(1152.3, 640.7)), "at {degrees}.7 degrees");
    }
}

#[test]
fn equal_sides_make_an_ellipse_a_circle() {
    let scene = read(&objects(
        r#"<object id="1" x="10" y="20" width="8" height="8"><ellipse/></object>
           <object id="2" x="10" y="20" width="8" height="8" rotation="90"><ellipse/></object>"#,
    ));
    for id in ["1", "2"] {
        assert_eq!((find(&scene, id).shape.kind(), find(&scene, id).shape.radius()), (ShapeKind::Circle, 4.0));
    }
    assert_points(&scene, "1", &[[14.0, 24.0]]);
    assert_points(&scene, "2", &[[6.0, 24.0]]);
}

/// Every vertex of the polygon lies on the ellipse within 1/1000 of the larger radius, and so does
/// the midpoint of every edge.
#[test]
fn an_ellipse_is_a_polygon_that_deviates_as_little_as_stated() {
    let scene =
        read(&objects(r#"<object id="1" x="100" y="200" width="60" height="20" rotation="90"><ellipse/></object>"#));
    // Rotated by 90° about (100, 200): centre (90, 230), extents 10 and 30.
    let outline = points(&scene, "1");
    for (i, &p) in outline.iter().enumerate() {
        for p in [p, (p + outline[(i + 1) % outline.len()]) * 0.5] {
            let v = (p - DVec2::new(90.0, 230.0)) / DVec2::new(10.0, 30.0);
            // The gradient is at least 2/30 there. This bounds the distance to the ellipse.
            assert!((v.length_squared() - 1.0).abs() <= 0.03 * 2.0 / 10.0 * 1.01, "{p} lies off the ellipse");
        }
    }
    let (min, max) = outline.iter().fold((outline[0], outline[0]), |(l, h), &p| (l.min(p), h.max(p)));
    assert!(min.distance(DVec2::new(80.0, 200.0)) < 0.05 && max.distance(DVec2::new(100.0, 260.0)) < 0.05);
}

#[test]
fn a_polygon_turns_about_its_origin_whether_or_not_a_point_is_there() {
    let scene = read(&objects(
        r#"<object id="1" x="10" y="20" rotation="90"><polygon points="5,0 15,0 15,10"/></object>
           <object id="2" x="10" y="20"><polygon points="5,0 15,10 15,0"/></object>"#,
    ));
    assert_points(&scene, "1", &[[10.0, 25.0], [10.0, 35.0], [0.0, 35.0]]);
    assert_points(&scene, "2", &[[15.0, 20.0], [25.0, 20.0], [25.0, 30.0]]);
}

#[test]
fn points_and_objects_without_size() {
    let scene = read(&objects(
        r#"<object id="1" x="3" y="4"><point/></object>
           <object id="2" x="3" y="4" rotation="77"/>
           <object id="3" x="3" y="4"><ellipse/></object>
           <object id="4" x="3" y="4" width="5"/>
           <object id="5" x="3" y="4" height="5" rotation="90"><ellipse/></object>"#,
    ));
    for id in ["1", "2", "3"] {
        assert_eq!((find(&scene, id).shape.kind(), find(&scene, id).shape.radius()), (ShapeKind::Circle, 0.0));
        assert_points(&scene, id, &[[3.0, 4.0]]);
    }
    for (id, end) in [("4", [8.0, 4.0]), ("5", [-2.0, 4.0])] {
        assert_eq!(find(&scene, id).shape.kind(), ShapeKind::Segment);
        assert_points(&scene, id, &[[3.0, 4.0], end]);
    }
}

#[test]
fn capsules_of_newer_maps() {
    let scene = read(&objects(
        r#"<object id="1" x="10" y="20" width="30" height="8"><capsule/></object>
           <object id="2" x="10" y="20" width="8" height="8"><capsule/></object>"#,
    ));
    assert_eq!((find(&scene, "1").shape.kind(), find(&scene, "1").shape.radius()), (ShapeKind::Capsule, 4.0));
    assert_points(&scene, "1", &[[14.0, 24.0], [36.0, 24.0]]);
    assert_eq!((find(&scene, "2").shape.kind(), find(&scene, "2").shape.radius()), (ShapeKind::Circle, 4.0));
}

#[test]
fn texts_and_images_cover_nothing() {
    let scene = read(&map(r#"<imagelayer name="sky" offsetx="3"><image source="sky.png"/></imagelayer>
           <objectgroup name="notes"><object id="1" x="1" y="2" width="30" height="9"><text>hello</text></object></objectgroup>"#));
    assert!(scene.colliders.is_empty() && scene.skipped.is_empty() && scene.layers.is_empty());
}

/// Visibility affects rendering only: collision layers are usually hidden.
#[test]
fn hidden_objects_still_collide() {
    let scene = read(&map(r#"<group name="g" visible="0"><objectgroup name="walls" visible="0">
           <object id="1" x="1" y="2" width="3" height="4" visible="0"/></objectgroup></group>"#));
    assert_points(&scene, "1", &[[1.0, 2.0], [4.0, 2.0], [4.0, 6.0], [1.0, 6.0]]);
}

#[test]
fn offsets_of_groups_and_layers_add_up() {
    let scene = read(&map(r#"<group name="a" offsetx="100" offsety="-10"><group name="b" offsetx="0.5">
             <objectgroup name="c" offsetx="20" offsety="3">
               <object id="1" x="1" y="2" width="4" height="8" rotation="90"/>
             </objectgroup></group></group>
           <objectgroup name="d"><object id="2" x="1" y="2"><point/></object></objectgroup>"#));
    // The offset moves the object. The object still rotates about its own corner.
    assert_points(&scene, "1", &[[121.5, -5.0], [121.5, -1.0], [113.5, -1.0], [113.5, -5.0]]);
    assert_points(&scene, "2", &[[1.0, 2.0]]);
}

/// Numbers never pass through f32.
#[test]
fn numbers_keep_their_f64_value() {
    let scene = read(&objects(r#"<object id="1" x="16777217.1" y="0.1"><point/></object>"#));
    assert_points(&scene, "1", &[[16_777_217.1, 0.1]]);
}

/// A dart stays concave, a rope is a chain, and a polygon that crosses itself is refused with the
/// location.
#[test]
fn polygons_of_any_outline_and_polylines() {
    let scene = read(&objects(
        r#"<object id="7" name="dart" x="100" y="0" rotation="90"><polygon points="0,0 10,5 20,0 10,20"/></object>
        <object id="8" x="0" y="7"><polyline points="0,0 10,5 20,0"/></object>"#,
    ));
    let dart = find(&scene, "7");
    assert_eq!((dart.shape.kind(), dart.shape.mass_properties().area), (ShapeKind::Polygon, 150.0));
    // Rotated by 90 degrees, (x, y) becomes (100 − y, x).
    let contains = |x: f64, y: f64| dart.shape.placed(dart.pose).contains_point([x, y]).unwrap();
    assert!(contains(94.0, 10.0) && !contains(96.0, 10.0) && contains(95.0, 10.0), "the bay reaches to (10, 5)");
    let rope = find(&scene, "8");
    assert_eq!((rope.shape.kind(), rope.shape.is_closed_chain()), (ShapeKind::Chain, false));
    assert_eq!(
        rope.shape.points().iter().map(|&p| rope.pose.transform_point(p)).collect::<Vec<_>>(),
        [[0.0, 7.0], [10.0, 12.0], [20.0, 7.0]].map(DVec2::from)
    );
    let bow_tie = r#"<object id="9" name="bow tie" x="0" y="0"><polygon points="0,0 8,8 8,0 0,8"/></object>"#;
    let message = refused(&objects(bow_tie));
    assert!(
        message.starts_with(r#"map: object 9 "bow tie" in layer "things": "#) && message.contains("(4.0, 4.0)"),
        "{message}"
    );
}
