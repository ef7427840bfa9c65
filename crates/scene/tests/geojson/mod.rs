//! GeoJSON (RFC 7946): each feature is one collider, in planar coordinates as given.
mod countries;
mod hostile;

use carom::{DVec2, ShapeKind};
use carom_scene::{Error, Options, Scene, YAxis, read};

use crate::support;

fn try_read(json: &str, skip_invalid: bool) -> Result<Scene, Error> {
    let options = Options { skip_invalid, ..Options::default() };
    read("map.geojson", json.as_bytes(), &options, &mut |path| panic!("{path} was asked for"))
}

fn scene(json: &str) -> Scene {
    match try_read(json, false) {
        Ok(scene) => scene,
        Err(error) => panic!("{error}\n{json}"),
    }
}

/// Returns a feature collection of these geometries with other keys.
fn features(list: &[&str]) -> String {
    let list: Vec<String> = list.iter().map(|feature| format!("{{\"type\": \"Feature\", {feature}}}")).collect();
    format!("{{\"type\": \"FeatureCollection\", \"features\": [\n{}]}}", list.join(",\n"))
}

const SQUARE: &str = "[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]";
const WINDOW: &str = "[[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]";

fn points(list: &[[f64; 2]]) -> Vec<DVec2> {
    list.iter().map(|&p| p.into()).collect()
}

#[test]
fn every_geometry() {
    let geometries = [
        "{\"type\": \"Point\", \"coordinates\": [1, 2, 99]}".to_owned(),
        "{\"coordinates\": [[1, 2], [3, 4]], \"type\": \"MultiPoint\"}".to_owned(),
        "{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 1], [2, 0]]}".to_owned(),
        "{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 1], [2, 0], [0, 0]]}".to_owned(),
        "{\"type\": \"MultiLineString\", \"coordinates\": [[[0, 0], [1, 1]], [[5, 5], [6, 5]]]}".to_owned(),
        format!("{{\"type\": \"Polygon\", \"coordinates\": [{SQUARE}]}}"),
        format!("{{\"type\": \"Polygon\", \"coordinates\": [{SQUARE}, {WINDOW}]}}"),
        format!(
            "{{\"type\": \"MultiPolygon\", \"coordinates\": [[{SQUARE}, {WINDOW}], [[[9, 9], [9, 10], [10, 9], [9, \
             9]]]]}}"
        ),
        format!("{{\"type\": \"MultiPolygon\", \"coordinates\": [[{SQUARE}]]}}"),
        format!(
            "{{\"type\": \"GeometryCollection\", \"geometries\": [{{\"type\": \"Point\", \"coordinates\": [7, 7]}}, \
             {{\"type\": \"GeometryCollection\", \"geometries\": [{{\"type\": \"Polygon\", \"coordinates\": \
             [{SQUARE}]}}]}}]}}"
        ),
    ];
    let kinds = [
        ShapeKind::Circle,
        ShapeKind::Compound,
        ShapeKind::Chain,
        ShapeKind::Chain,
        ShapeKind::Compound,
        ShapeKind::ConvexPolygon,
        ShapeKind::Polygon,
        ShapeKind::Compound,
        ShapeKind::ConvexPolygon,
        ShapeKind::Compound,
    ];
    // As features of a collection, as single features, and as bare geometries.
    let whole: Vec<String> =
        geometries.iter().map(|geometry| format!("\"properties\": null, \"geometry\": {geometry}")).collect();
    let all = scene(&features(&whole.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!((all.y, all.colliders.len()), (YAxis::Up, 10));
    assert_eq!(all.warnings, ["1 position has numbers after x and y, such as an altitude: they are not read"]);
    for (i, kind) in kinds.into_iter().enumerate() {
        let shape = &all.colliders[i].shape;
        assert_eq!(shape.kind(), kind, "{}", geometries[i]);
        assert_eq!(&scene(&format!("{{{}, \"type\": \"Feature\"}}", whole[i])).colliders[0].shape, shape);
        assert_eq!(&scene(&geometries[i]).colliders[0].shape, shape);
    }
    let shape = |i: usize| &all.colliders[i].shape;
    assert_eq!((all.colliders[0].pose.translation(), shape(0).radius()), (DVec2::new(1.0, 2.0), 0.0));
    assert_eq!(shape(2).points(), points(&[[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]));
    assert!(!shape(2).is_closed_chain() && shape(3).is_closed_chain());
    assert_eq!(shape(5).points(), points(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]));
    assert_eq!([6, 7, 9].map(|i| shape(i).mass_properties().area), [15.0, 15.5, 16.0]);
}

#[test]
fn ids() {
    let geometry = "\"geometry\": {\"type\": \"Point\", \"coordinates\": [0, 0]}";
    let json = features(&[
        &format!("\"id\": \"a\", \"properties\": {{\"name\": \"b\"}}, {geometry}"),
        &format!("\"id\": 7, {geometry}"),
        &format!("\"id\": 0.50, {geometry}"),
        &format!("\"properties\": {{\"x\": [[]], \"name\": \"Côte\"}}, {geometry}"),
        &format!("\"properties\": {{\"NAME\": \"Chad\", \"name\": null}}, {geometry}"),
        &format!("\"properties\": {{\"name\": \"\"}}, \"id\": null, {geometry}"),
        &format!("\"properties\": {{\"name\": [1]}}, {geometry}"),
        &format!("\"properties\": 3, \"id\": \"a\", {geometry}"),
    ]);
    let ids: Vec<String> = scene(&json).colliders.into_iter().map(|c| c.id).collect();
    assert_eq!(ids, ["a", "7", "0.50", "Côte", "Chad", "#5", "#6", "a#2"]);
}

#[test]
fn accepted_deviations_are_noted() {
    let json = features(&[
        "\"geometry\": null",
        "\"geometry\": {\"type\": \"Polygon\", \"coordinates\": []}",
        "\"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [4, 0], [4, 4]]]}",
        "\"geometry\": {\"type\": \"MultiPolygon\", \"coordinates\": []}",
        "\"geometry\": {\"type\": \"GeometryCollection\", \"geometries\": []}",
        "\"geometry\": {\"type\": \"MultiPoint\", \"coordinates\": []}",
    ]);
    let scene = scene(&json);
    assert_eq!(scene.colliders.len(), 1);
    assert_eq!(
        scene.warnings,
        [
            "1 ring does not end where it begins: it is closed by an edge",
            "5 features have no geometry and cover nothing"
        ]
    );
}

/// Points are circles of radius 0, as in Tiled. A file with points only is a valid scene.
#[test]
fn points_intersect_the_polygons_that_cover_them() {
    let json = features(&[
        &format!("\"id\": \"land\", \"geometry\": {{\"type\": \"Polygon\", \"coordinates\": [{SQUARE}, {WINDOW}]}}"),
        "\"id\": \"inland\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [3.3, 2.9]}",
        "\"id\": \"in the hole\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [1.5, 1.5]}",
        "\"id\": \"on the shore\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [1, 1.5]}",
    ]);
    let scene = scene(&json);
    let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
    let found: Vec<(bool, bool)> =
        (1..4).map(|i| (carom::intersects(placed(0), placed(i)), carom::overlaps(placed(0), placed(i)))).collect();
    assert_eq!(found, [(true, true), (false, false), (true, false)]);
}

/// An invalid feature, and the parts that its message must contain.
const REFUSED: [(&str, &str); 19] = [
    ("\"geometry\": 5", "column 44, feature 1 \"x\", geometry: invalid type: integer `5`, expected a GeoJSON object"),
    ("\"geometry\": {}", "feature 1 \"x\", geometry: missing field `type`"),
    (
        "\"geometry\": {\"type\": \"Circle\", \"coordinates\": []}",
        "geometry.type: \"Circle\": expected Point, MultiPoint, LineString",
    ),
    ("\"geometry\": {\"type\": \"Polygon\"}", "feature 1 \"x\", geometry: a Polygon without \"coordinates\""),
    ("\"geometry\": {\"type\": \"GeometryCollection\"}", "geometry: a GeometryCollection without \"geometries\""),
    (
        "\"geometry\": {\"type\": \"Point\", \"coordinates\": [1]}",
        "geometry.coordinates: invalid length 1, expected a position [x, y]",
    ),
    (
        "\"geometry\": {\"type\": \"Point\", \"coordinates\": [1, \"2\"]}",
        "geometry.coordinates[1]: invalid type: string \"2\", expected a number",
    ),
    (
        "\"geometry\": {\"type\": \"Point\", \"coordinates\": [1, 1e999]}",
        "geometry.coordinates[1]: number out of range",
    ),
    (
        "\"geometry\": {\"type\": \"Point\", \"coordinates\": [1, 1e31]}",
        "geometry.coordinates: y of the translation is 1e31",
    ),
    (
        "\"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[0, 0], [1, 0], [1, 1]]}",
        "geometry.coordinates[0][0]: invalid type: integer `0`",
    ),
    (
        "\"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [1, 0], [0, 0]]]}",
        "geometry.coordinates: a polygon of 2 points",
    ),
    (
        "\"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [4, 4], [4, 0], [0, 4], [0, 0]]]}",
        "geometry.coordinates[0][0]: the outer ring crosses itself near (2.0, 2.0)",
    ),
    (
        "\"geometry\": {\"type\": \"MultiPolygon\", \"coordinates\": [[[[0, 0], [4, 0], [0, 4], [0, 0]]], \
         [[[9, 9], [19, 9], [9, 19], [9, 9]], [[10, 10], [11, 10], [10, 11], [10, 10]], [[0, 1], [1, 1], [0, 2], [0, \
         1]]]]}",
        "geometry.coordinates[1][2][0]: hole 1 ",
    ),
    (
        "\"geometry\": {\"type\": \"LineString\", \"coordinates\": [[1, 1], [1, 1]]}",
        "geometry.coordinates: all 2 points of the chain are the same",
    ),
    (
        "\"geometry\": {\"type\": \"MultiLineString\", \"coordinates\": [[[1, 1], [2, 1]], [[1, 1], [1, 1e31]]]}",
        "geometry.coordinates[1][1]: y of the point 1 is 1e31",
    ),
    (
        "\"geometry\": {\"type\": \"GeometryCollection\", \"geometries\": [{\"type\": \"LineString\", \
         \"coordinates\": [[]]}]}",
        "geometry.geometries[0].coordinates[0]: invalid length 0",
    ),
    (
        "\"geometry\": {\"type\": \"Point\", \"coordinates\": [[]]}",
        "geometry.coordinates[0]: invalid type: sequence, expected a number",
    ),
    (
        "\"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [4, 0], [0, 4], [0, 0]], [], [[9, 9], [8, \
         9], [9, 8], [9, 9]]]}",
        "geometry.coordinates[2][0]: hole 0 ",
    ),
    ("\"geometry\": {\"type\": \"Feature\"}", "geometry.type: \"Feature\": expected Point"),
];

#[test]
fn features_that_are_refused_by_name() {
    for (feature, expected) in REFUSED {
        let good = "\"geometry\": {\"type\": \"Point\", \"coordinates\": [0, 0]}";
        let json = features(&[good, &format!("\"id\": \"x\", {feature}"), good]);
        let error = try_read(&json, false).expect_err(feature).to_string();
        assert!(
            error.starts_with("map.geojson: line 3, column ") && error.contains(expected),
            "{error}\nshould contain {expected}"
        );
        assert!(error.lines().count() == 1, "{error}");
        let scene = try_read(&json, true).unwrap();
        let ids: Vec<&str> = scene.colliders.iter().map(|c| c.id.as_str()).collect();
        assert_eq!((ids, scene.skipped.len()), (vec!["#0", "#2"], 1), "{feature}");
        let refusal = &scene.skipped[0];
        assert_eq!(
            (refusal.object.as_str(), error.replace(", feature 1 \"x\"", "")),
            ("x", format!("map.geojson: {}", refusal.reason))
        );
    }
}

#[test]
fn files_that_are_refused() {
    for (json, expected) in [
        (
            "{\"type\": \"FeatureCollection\", \"features\": 5}",
            "map.geojson: line 1, column 43, features: invalid type: integer `5`",
        ),
        ("{\"type\": \"Polygon\"", "map.geojson: line 1, column 18: the file ends too early"),
        ("{\"type\": \"FeatureCollection\", \"features\": [NaN]}", "map.geojson: line 1, column 44: expected value"),
        ("{\"features\": []}", "map.geojson: line 1, column 16: missing field `type`"),
        ("{\"type\": \"Map\", \"features\": []}", "type: \"Map\": expected"),
        (
            "{\"type\": \"Topology\", \"objects\": {}}",
            "map.geojson: this is TopoJSON, which is not read: convert it to GeoJSON",
        ),
    ] {
        for skip_invalid in [false, true] {
            match try_read(json, skip_invalid) {
                Err(error) => assert!(error.to_string().contains(expected), "{error}\nshould contain {expected}"),
                Ok(scene) => {
                    assert!(skip_invalid && scene.skipped[0].to_string().contains(expected), "{:?}", scene.skipped);
                }
            }
        }
    }
}

/// A geometry by its parts. It can be written with and without its empty parts.
#[derive(Clone)]
enum Tree {
    /// A number, or another value as a fault.
    Leaf(String),
    Array(Vec<Tree>),
    Geometry(&'static str, Box<Tree>),
}

impl Tree {
    fn json(&self) -> String {
        match self {
            Self::Leaf(text) => text.clone(),
            Self::Array(list) => format!("[{}]", list.iter().map(Self::json).collect::<Vec<_>>().join(", ")),
            Self::Geometry("GeometryCollection", list) => {
                format!("{{\"type\": \"GeometryCollection\", \"geometries\": {}}}", list.json())
            }
            Self::Geometry(kind, list) => format!("{{\"type\": \"{kind}\", \"coordinates\": {}}}", list.json()),
        }
    }

    /// Returns the numbers inside, each with its path.
    fn leaves<'t>(&'t mut self, path: &str, found: &mut Vec<(String, &'t mut String)>) {
        match self {
            Self::Leaf(text) => found.push((path.to_owned(), text)),
            Self::Array(list) => {
                list.iter_mut().enumerate().for_each(|(i, item)| item.leaves(&format!("{path}[{i}]"), found));
            }
            Self::Geometry(kind, list) => {
                let key = if *kind == "GeometryCollection" { "geometries" } else { "coordinates" };
                list.leaves(format!("{path}.{key}").trim_start_matches('.'), found);
            }
        }
    }
}

/// Returns random geometries of small squares, lines and points. Empty parts and holes are counted,
/// and left out if `full`.
struct Dice {
    next: Box<dyn FnMut(usize) -> usize>,
    placed: usize,
    empty: usize,
    holes: usize,
}

impl Dice {
    fn position(&mut self, x: usize, y: usize) -> Tree {
        Tree::Array([4 * self.placed + x, y].map(|n| Tree::Leaf(n.to_string())).to_vec())
    }

    fn ring(&mut self, low: usize, high: usize) -> Tree {
        let corners = [(low, low), (high, low), (high, high), (low, high), (low, low)];
        Tree::Array(corners.into_iter().map(|(x, y)| self.position(x, y)).collect())
    }

    /// Returns the coordinates of a point, a line or a polygon, with empty parts and without them.
    fn simple(&mut self, kind: &str) -> (Tree, Option<Tree>) {
        self.placed += 1;
        if (self.next)(3) == 0 {
            self.empty += 1;
            let nothing =
                if kind == "Polygon" && (self.next)(2) == 0 { vec![Tree::Array(Vec::new())] } else { Vec::new() };
            return (Tree::Array(nothing), None);
        }
        let whole = match kind {
            "Point" => self.position(0, 0),
            "LineString" => Tree::Array(vec![self.position(0, 0), self.position(2, 1)]),
            _ => {
                let (outer, hole) = (self.ring(0, 3), self.ring(1, 2));
                let holes = [vec![], vec![hole]][(self.next)(2)].clone();
                let full = Tree::Array([&outer].into_iter().chain(&holes).cloned().collect());
                let count = (self.next)(3);
                self.holes += count;
                let rings = [outer].into_iter().chain(vec![Tree::Array(Vec::new()); count]).chain(holes).collect();
                return (Tree::Array(rings), Some(full));
            }
        };
        (whole.clone(), Some(whole))
    }

    fn geometry(&mut self, depth: usize) -> (Tree, Option<Tree>) {
        const KINDS: [(&str, &str); 3] =
            [("Point", "MultiPoint"), ("LineString", "MultiLineString"), ("Polygon", "MultiPolygon")];
        let pick = (self.next)(if depth < 4 { 9 } else { 6 });
        let (single, multi) = KINDS[pick % 3];
        let geometry = |kind, tree: Tree| Tree::Geometry(kind, Box::new(tree));
        if pick < 3 {
            let (tree, full) = self.simple(single);
            return (geometry(single, tree), full.map(|full| geometry(single, full)));
        }
        let kind = if pick < 6 { multi } else { "GeometryCollection" };
        let count = (self.next)(4);
        self.empty += usize::from(count == 0);
        let parts: Vec<_> =
            (0..count).map(|_| if pick < 6 { self.simple(single) } else { self.geometry(depth + 1) }).collect();
        let full: Vec<Tree> = parts.iter().filter_map(|part| part.1.clone()).collect();
        let tree = Tree::Array(parts.into_iter().map(|part| part.0).collect());
        (geometry(kind, tree), (!full.is_empty()).then(|| geometry(kind, Tree::Array(full))))
    }
}

fn dice(seed: u64) -> Dice {
    Dice { next: Box::new(support::random(seed)), placed: 0, empty: 0, holes: 0 }
}

/// `{"type": "Point", "coordinates": []}`, an empty point of GEOS and shapely, was an error. An
/// empty hole was one too.
#[test]
fn empty_parts_change_nothing_and_are_noted() {
    let note = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    };
    let (mut bare, mut partly) = (0, 0);
    for seed in 0..2000 {
        let mut dice = dice(seed);
        let (tree, full) = dice.geometry(0);
        let found = scene(&tree.json());
        let Some(full) = full else {
            bare += 1;
            assert_eq!(
                (found.colliders.len(), found.warnings),
                (0, vec!["1 feature has no geometry and covers nothing".to_owned()])
            );
            continue;
        };
        let expected = scene(&full.json());
        assert_eq!(
            (found.colliders[0].shape.clone(), found.colliders[0].pose),
            (expected.colliders[0].shape.clone(), expected.colliders[0].pose)
        );
        assert!(expected.warnings.is_empty(), "{:?}", expected.warnings);
        let notes = [
            note(dice.empty, "empty part of a feature is skipped", "empty parts of features are skipped"),
            note(dice.holes, "empty hole is ignored", "empty holes are ignored"),
        ];
        assert_eq!(found.warnings, notes.into_iter().flatten().collect::<Vec<_>>(), "{}", tree.json());
        partly += usize::from(dice.empty > 0);
    }
    assert!(bare > 200 && partly > 200, "{bare} {partly}");
}

/// The path of an error begins at the feature and contains each key once.
#[test]
fn an_error_names_its_path_once() {
    let mut faults = 0;
    for seed in 0..2000 {
        let mut tree = dice(seed).geometry(0).0;
        let mut leaves = Vec::new();
        tree.leaves("", &mut leaves);
        let count = leaves.len();
        let Some((path, leaf)) = leaves.into_iter().nth(support::random(seed)(count.max(1))) else { continue };
        "\"3\"".clone_into(leaf);
        let json = tree.json();
        let error = try_read(&features(&[&format!("\"geometry\": {json}")]), false).unwrap_err();
        let location = format!("feature 0, geometry.{path}");
        assert_eq!(error.location().unwrap().splitn(3, ", ").nth(2), Some(location.as_str()));
        assert_eq!(error.message(), "invalid type: string \"3\", expected a number");
        assert!(try_read(&json, false).unwrap_err().location().unwrap().ends_with(&format!(", feature 0, {path}")));
        faults += 1;
    }
    assert!(faults > 1000, "{faults}");
    // The path of deeply nested collections would repeat one word, so it is shortened.
    let deep = (0..20)
        .fold("5".to_owned(), |inner, _| format!("{{\"type\": \"GeometryCollection\", \"geometries\": [{inner}]}}"));
    let error = try_read(&features(&[&format!("\"geometry\": {deep}")]), false).unwrap_err();
    let location = error.location().unwrap();
    assert!(location.starts_with("line 2, column ") && location.ends_with(", feature 0, geometry"), "{error}");
    assert_eq!(error.message(), "collections more than 16 deep inside each other");
}

/// Newline-delimited GeoJSON: one feature per line, as GDAL and `carom join` write it.
#[test]
fn features_may_follow_each_other() {
    let feature = |id: &str, geometry: &str| format!(r#"{{"type": "Feature", "id": "{id}", "geometry": {geometry}}}"#);
    let square = r#"{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}"#;
    let lines = format!("{}\n\n{}\r\n{}\n", feature("a", square), feature("b", "null"), feature("c", square));
    let read = scene(&lines);
    let collection = scene(&features(&[
        &format!("\"id\": \"a\", \"geometry\": {square}"),
        "\"id\": \"b\", \"geometry\": null",
        &format!("\"id\": \"c\", \"geometry\": {square}"),
    ]));
    assert_eq!(read, collection);
    // A GeoJSON text sequence (RFC 8142) has a record separator before each text.
    let sequence = |end: &str| {
        let texts = [feature("a", square), feature("b", "null"), feature("c", square)];
        texts.map(|text| format!("\u{1e}{}{end}", text.replace(", ", ",\n"))).concat()
    };
    assert_eq!(scene(&sequence("\n")), collection);
    assert_eq!(scene(&format!("\u{1e}{}", sequence("\r\n\n"))), collection);
    let error = try_read(&format!("{}\u{1e}7\n", sequence("\n")), false).unwrap_err().to_string();
    assert!(error.contains("line 26, column 2"), "{error}");
    let error = try_read(&feature("a\u{1e}b", square), false).unwrap_err().to_string();
    assert!(error.contains("control character"), "{error}");
    let error = try_read(&format!("{}\n{square}", feature("a", square)), false).unwrap_err().to_string();
    assert!(error.contains("line 2, column 1, feature 1, type: \"Polygon\": expected Feature"), "{error}");
    let error = try_read(&format!("{}\n{{\"type\":", feature("a", square)), false).unwrap_err().to_string();
    assert!(error.contains("line 2"), "{error}");
}

/// A misspelt property must not change the ids in silence.
#[test]
fn an_unknown_id_property_is_named() {
    let text = features(&[
        r#""id": 7, "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": {"code": "x"}"#,
        r#""id": 8, "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": null"#,
    ]);
    let with = |id: &str| {
        let options = Options { id_property: Some(id.to_owned()), ..Options::default() };
        let scene = read("map", text.as_bytes(), &options, &mut |_| panic!("a file was opened")).unwrap();
        (scene.colliders.iter().map(|collider| collider.id.clone()).collect::<Vec<_>>(), scene.warnings)
    };
    assert_eq!(with("code"), (vec!["x".to_owned(), "8".to_owned()], vec![]));
    let expected =
        "no feature has a text or a number in the property \"Code\", so their own ids or names are used".to_owned();
    assert_eq!(with("Code"), (vec!["7".to_owned(), "8".to_owned()], vec![expected]));
}
