//! Outlines that cross themselves are refused, or repaired if the options say so.
use carom::decompose::FillRule;
use carom_scene::{Error, Options, Scene, read};

fn read_with(text: &str, repair: Option<FillRule>) -> Result<Scene, Error> {
    let options = Options { repair, ..Options::default() };
    read("file", text.as_bytes(), &options, &mut |_| Err(std::io::ErrorKind::NotFound.into()))
}

fn areas(scene: &Scene) -> Vec<f64> {
    scene.colliders.iter().map(|c| c.shape.mass_properties().area).collect()
}

/// Returns the notes of the reader about the repaired objects.
fn said(scene: &Scene) -> Vec<String> {
    scene.repaired.iter().map(ToString::to_string).collect()
}

/// Asserts that a file is refused, and that the message names the option.
fn refused(text: &str) {
    let error = read_with(text, None).unwrap_err().to_string();
    assert!(error.contains("--repair"), "{error}");
}

#[test]
fn geojson_is_repaired_by_the_rule_of_the_options() {
    // An outer ring, and a second ring that goes the same way around and reaches outside.
    let text = r#"{"type": "Feature", "id": "lake", "geometry": {"type": "Polygon", "coordinates": [
        [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[3, 1], [5, 1], [5, 2], [3, 2], [3, 1]]]}}"#;
    refused(text);
    let even_odd = read_with(text, Some(FillRule::EvenOdd)).unwrap();
    assert_eq!(areas(&even_odd), [16.0 - 1.0 + 1.0]);
    assert_eq!(said(&even_odd), ["lake: 2 crossings became vertices; 2 polygons"]);
    let non_zero = read_with(text, Some(FillRule::NonZero)).unwrap();
    assert_eq!(areas(&non_zero), [16.0 + 1.0]);
    assert_eq!(said(&non_zero), ["lake: 2 crossings became vertices; 1 polygon"]);
}

#[test]
fn only_invalid_parts_of_a_feature_are_repaired() {
    let text = r#"{"type": "MultiPolygon", "coordinates": [
        [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]], [[[5, 0], [7, 2], [7, 0], [5, 2], [5, 0]]]]}"#;
    refused(text);
    let scene = read_with(text, Some(FillRule::EvenOdd)).unwrap();
    assert_eq!(areas(&scene), [1.0 + 2.0]);
    assert_eq!(said(&scene), ["#0: 1 crossing became a vertex; 2 polygons"]);
    // A hole without area removes nothing.
    let text = r#"{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[1, 1], [2, 2], [3, 3], [1, 1]]]}"#;
    assert!(read_with(text, None).is_err());
    let scene = read_with(text, Some(FillRule::EvenOdd)).unwrap();
    assert_eq!(areas(&scene), [16.0]);
    assert_eq!(said(&scene), ["#0: 1 ring without area was removed; 1 polygon"]);
}

#[test]
fn valid_files_are_read_as_before() {
    for name in ["countries.geojson", "drawing.svg"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(read_with(&text, Some(FillRule::NonZero)), read_with(&text, None), "{name}");
    }
}

#[test]
fn outlines_without_area_stay_refused() {
    let text = r#"{"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [2, 2], [0, 0]]]}"#;
    let error = read_with(text, Some(FillRule::EvenOdd)).unwrap_err().to_string();
    assert_eq!(error, read_with(text, None).unwrap_err().to_string());
    assert!(error.contains("line"), "{error}");
}

/// A member that encloses nothing adds no point to the union of the others.
#[test]
fn members_without_area_are_left_out_of_a_multipolygon() {
    let square = "[[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]";
    let line = "[[[5, 5], [6, 6], [5, 5]]]";
    let twice = "[[[5, 0], [7, 0], [7, 2], [5, 0]], [[5, 0], [7, 0], [7, 2], [5, 0]]]";
    let read = |members: &[&str], repair| {
        read_with(&format!(r#"{{"type": "MultiPolygon", "coordinates": [{}]}}"#, members.join(", ")), repair)
    };
    for members in [[line, square], [square, line]] {
        let scene = read(&members, Some(FillRule::EvenOdd)).unwrap();
        assert_eq!(areas(&scene), [4.0]);
        assert_eq!(said(&scene), ["#0: 1 ring that bounds nothing was removed"]);
        assert!(read(&members, None).is_err());
    }
    let scene = read(&[twice, square], Some(FillRule::EvenOdd)).unwrap();
    assert_eq!(
        (areas(&scene), said(&scene)),
        (vec![4.0], vec!["#0: 2 rings that bound nothing were removed".to_owned()])
    );
    let error = read(&[twice], Some(FillRule::EvenOdd)).unwrap_err().to_string();
    assert!(error.contains("coordinates[0]: by the even-odd rule its rings enclose nothing"), "{error}");
    let error = read(&[line, line], Some(FillRule::EvenOdd)).unwrap_err().to_string();
    assert!(error.contains("coordinates[0]"), "{error}");
}

/// A message names the option exactly if it removes the error.
#[test]
fn messages_name_the_option_if_it_helps() {
    let refused = |rings: &str, repair| {
        let text =
            format!(r#"{{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], {rings}]}}"#);
        read_with(&text, repair).map(|_| ()).map_err(|error| error.to_string())
    };
    for hole in ["[[1, 1], [2, 2], [1, 1]]", "[[1, 1], [2, 2], [3, 3], [1, 1]]", "[[9, 9], [10, 9], [9, 10], [9, 9]]"] {
        assert!(refused(hole, None).unwrap_err().ends_with("or repair it (--repair)"), "{hole}");
        assert_eq!(refused(hole, Some(FillRule::NonZero)), Ok(()));
    }
    let same = "[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]";
    assert!(refused(same, None).unwrap_err().ends_with("or repair it (--repair)"));
    assert!(!refused(same, Some(FillRule::EvenOdd)).unwrap_err().contains("--repair"));
}

#[test]
fn svg_is_repaired_by_its_own_rule() {
    // A square around a square of the same direction, whose outline goes on to cross itself.
    let path = |rule: &str| format!(r#"<svg><path id="p" fill-rule="{rule}" d="M0 0 H8 V8 H2 V2 H4 V4 H0 Z"/></svg>"#);
    for rule in ["nonzero", "evenodd"] {
        refused(&path(rule));
    }
    for options in [FillRule::EvenOdd, FillRule::NonZero] {
        // The square from 2, 2 to 4, 4 is passed twice.
        let scene = read_with(&path("nonzero"), Some(options)).unwrap();
        assert_eq!(areas(&scene), [64.0 - 2.0 * 4.0]);
        assert_eq!(said(&scene), ["p: 1 crossing became a vertex; 1 polygon"]);
        let scene = read_with(&path("evenodd"), Some(options)).unwrap();
        assert_eq!(areas(&scene), [64.0 - 2.0 * 4.0 - 4.0]);
    }
}

#[test]
fn tiled_polygons_are_repaired() {
    let map = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8">
        <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1"><image source="t.png" width="8" height="8"/>
        <tile id="0"><objectgroup><object><polygon points="0,0 8,8 8,0 0,8"/></object></objectgroup></tile></tileset>
        <objectgroup name="things"><object id="1" x="10" y="0"><polygon points="0,0 2,2 2,0 0,2"/></object>
        <object id="2" gid="1" x="0" y="8" width="16" height="16"/></objectgroup></map>"#;
    refused(map);
    let scene = read_with(map, Some(FillRule::EvenOdd)).unwrap();
    assert_eq!(areas(&scene), [2.0, 128.0]);
    assert_eq!(
        said(&scene),
        [
            "1: 1 crossing became a vertex; 2 polygons",
            "tile 0 of tileset \"t\", collision shape 1: 1 crossing became a vertex; 2 polygons"
        ]
    );
}

#[test]
fn refused_objects_are_not_listed_as_repaired() {
    let text = r#"{"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": "bad", "geometry": {"type": "MultiPolygon", "coordinates": [
            [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]], [[[0, 0], [1e31, 0], [2, 2], [0, 0]]]]}},
        {"type": "Feature", "id": "good", "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}}]}"#;
    let options = Options { repair: Some(FillRule::EvenOdd), skip_invalid: true, ..Options::default() };
    let scene = read("file", text.as_bytes(), &options, &mut |_| Err(std::io::ErrorKind::NotFound.into())).unwrap();
    assert_eq!(scene.skipped.len(), 1);
    assert_eq!(said(&scene), ["good: 1 crossing became a vertex; 2 polygons"]);
}
