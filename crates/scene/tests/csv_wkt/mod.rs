//! CSV with a WKT column: each row is one collider, as a feature of GeoJSON is.
mod hostile;

use carom_scene::{Error, Options, Scene, YAxis, read};

fn read_with(name: &str, text: &str, options: &Options) -> Result<Scene, Error> {
    read(name, text.as_bytes(), options, &mut |path| panic!("{path} was asked for"))
}

fn try_read(csv: &str) -> Result<Scene, Error> {
    read_with("map.csv", csv, &Options::default())
}

fn scene(csv: &str) -> Scene {
    try_read(csv).unwrap_or_else(|error| panic!("{error}\n{csv}"))
}

fn error(csv: &str) -> String {
    try_read(csv).expect_err(csv).to_string()
}

fn ids(scene: &Scene) -> Vec<&str> {
    scene.colliders.iter().map(|collider| collider.id.as_str()).collect()
}

const SQUARE: &str = "((0 0, 4 0, 4 4, 0 4, 0 0))";

/// WKT and the coordinates of the same geometry in GeoJSON (RFC 7946, appendix A, and OGC 06-103r4, 7.2.6).
const SAME: [(&str, &str); 14] = [
    ("POINT (1 2)", r#""type": "Point", "coordinates": [1, 2]"#),
    ("point(-1.5e2 +2)", r#""type": "Point", "coordinates": [-150, 2]"#),
    ("MULTIPOINT ((1 2), (3 4))", r#""type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]"#),
    ("MULTIPOINT (1 2, 3 4)", r#""type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]"#),
    ("LINESTRING (0 0, 1 1, 2 0)", r#""type": "LineString", "coordinates": [[0, 0], [1, 1], [2, 0]]"#),
    ("LINESTRING (0 0, 1 1, 2 0, 0 0)", r#""type": "LineString", "coordinates": [[0, 0], [1, 1], [2, 0], [0, 0]]"#),
    ("LINEARRING (0 0, 1 1, 2 0, 0 0)", r#""type": "LineString", "coordinates": [[0, 0], [1, 1], [2, 0], [0, 0]]"#),
    (
        "MULTILINESTRING ((0 0, 1 1), (5 5, 6 5))",
        r#""type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], [[5, 5], [6, 5]]]"#,
    ),
    (
        "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
        r#""type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]"#,
    ),
    (
        "Polygon((0 0,4 0,4 4,0 4,0 0),(1 1,1 2,2 2,2 1,1 1))",
        r#""type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]]"#,
    ),
    (
        "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((9 9, 9 10, 10 9, 9 9)))",
        r#""type": "MultiPolygon", "coordinates": [[[[0, 0], [4, 0], [4, 4], [0, 0]]], [[[9, 9], [9, 10], [10, 9], [9, 9]]]]"#,
    ),
    (
        "GEOMETRYCOLLECTION (POINT (7 7), GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 0))))",
        r#""type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [7, 7]},
           {"type": "GeometryCollection", "geometries": [{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 0]]]}]}]"#,
    ),
    ("POINT Z (1 2 99)", r#""type": "Point", "coordinates": [1, 2]"#),
    ("LINESTRINGZM (0 0 7 8, 3 4 7 8)", r#""type": "LineString", "coordinates": [[0, 0], [3, 4]]"#),
];

#[test]
fn every_geometry_is_the_shape_of_the_same_geojson() {
    for (wkt, json) in SAME {
        let csv = scene(&format!("id,geometry\na,\"{wkt}\"\n"));
        let json = format!(r#"{{"type": "Feature", "id": "a", "geometry": {{{json}}}}}"#);
        let json = read_with("map.geojson", &json, &Options::default()).unwrap();
        assert_eq!(csv.colliders, json.colliders, "{wkt}");
        assert_eq!(csv.y, YAxis::Up);
    }
}

#[test]
fn the_separator_and_the_columns_are_detected_by_content() {
    let cases = [
        format!("id,wkt\na,\"POLYGON {SQUARE}\"\nb,POINT (9 9)\n"),
        format!("wkt;id\nPOLYGON {SQUARE};a\nPOINT (9 9);b\n"),
        format!("id\tname\twkt\r\na\tx\tPOLYGON {SQUARE}\r\nb\ty\tPOINT (9 9)\r\n"),
        format!("population|the_geom|ID\n7|POLYGON {SQUARE}|a\n8|POINT (9 9)|b\n"),
        // Empty fields come first, and blank lines and a byte-order mark are no rows.
        format!("\u{feff}geometry,Name\n,none\n\n\"POLYGON {SQUARE}\",a\nPOINT (9 9),b"),
        // A field may contain line breaks and doubled quotes.
        format!("note,name,geometry\n\"two\nlines, \"\"quoted\"\"\",a,\"POLYGON\n{SQUARE}\"\n,b,POINT (9 9)\n"),
    ];
    let first = scene(&cases[0]);
    assert_eq!(ids(&first), ["a", "b"]);
    for csv in &cases {
        assert_eq!(scene(csv).colliders, first.colliders, "{csv}");
    }
    let bare = scene(&format!("POLYGON {SQUARE};x\nPOINT (9 9);y\n"));
    assert_eq!(ids(&bare), ["#0", "#1"], "a first row with a geometry is no header");
}

#[test]
fn ids_come_from_the_named_column_else_id_else_name() {
    let csv = "name,code,id,wkt\nMitte,10,1,POINT (0 0)\nMitte,,1,POINT (1 0)\n,30,,POINT (2 0)\n";
    let with = |column: Option<&str>| {
        let options = Options { id_property: column.map(str::to_owned), ..Options::default() };
        read_with("map.csv", csv, &options)
    };
    assert_eq!(ids(&with(None).unwrap()), ["1", "1#2", "#2"]);
    assert_eq!(ids(&with(Some("name")).unwrap()), ["Mitte", "Mitte#2", "#2"]);
    assert_eq!(ids(&with(Some("code")).unwrap()), ["10", "#1", "30"]);
    let error = with(Some("Code")).unwrap_err().to_string();
    assert_eq!(error, "map.csv: no column is called `Code`; the columns are name, code, id, wkt");
}

/// Row 1 is the first after the header. Lines are those of an editor.
#[test]
fn errors_name_line_row_id_and_remedy() {
    let cases = [
        (
            "id,wkt\na,POINT (0 0)\nb,\"POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))\"\n",
            "map.csv: line 3, row 2 \"b\", POLYGON[0][0]: the outer ring crosses itself near (2.0, 2.0)",
        ),
        (
            "id,wkt\na,\"MULTIPOLYGON (((0 0, 1 0, 0 1, 0 0)), ((5 5, 6 6, 7 7, 5 5)))\"\n",
            "map.csv: line 2, row 1 \"a\", MULTIPOLYGON[1]: all 3 points of the polygon lie on one line",
        ),
        ("wkt\nPOINT (0 0)\n\"POLYGON ((0 0, 1 0, 1 x, 0 0))\"\n", "map.csv: line 3, row 2: not WKT: "),
        ("wkt\nPOINT (0 0)\nnone\n", "map.csv: line 3, row 2: \"none\" is not WKT: expected POINT, LINESTRING"),
        ("wkt\nPOINT (0 0) POINT (1 1)\n", "map.csv: line 2, row 1: text after the geometry: \"POINT (1 1)\""),
        ("wkt\nPOINT (0 0\n", "map.csv: line 2, row 1: the geometry has no end: a bracket ) is missing"),
        ("wkt\nPOINT (0 0\n", "a field with commas must be in quotes"),
        ("id,wkt\na,POINT (1e31 0)\n", "map.csv: line 2, row 1 \"a\", POINT: "),
        (
            "id,wkt\na,\"CIRCULARSTRING (0 0, 1 1, 2 0)\"\n",
            "map.csv: line 2, row 1 \"a\": CIRCULARSTRING is not read: convert",
        ),
        (
            "id,wkt\na,POINT (0 0)\nb,POINT (1 1),7\n",
            "map.csv: line 3, row 2 \"b\": 3 fields, but the first row has 2; a field that",
        ),
        (
            "wkt\nPOINT (1)\n",
            "map.csv: line 2, row 1: not WKT: the position \"1\" is not x and y, with or without Z and M",
        ),
        ("wkt\nPOINT (1 2 3 4 5)\n", "not WKT: the position \"1 2 3 4 5\" is not x and y"),
        ("wkt\n\"LINESTRING (0 0, 1 nan)\"\n", "not WKT: \"nan\" is not a finite number"),
        ("wkt\n\"LINESTRING (0 0, inf 1)\"\n", "not WKT: \"inf\" is not a finite number"),
        ("id;wkt\na;\"POLYGON ((0,0 0, 1 0, 1 1))\"\n", "not WKT: the position \"0\" is not x and y"),
    ];
    for (csv, message) in cases {
        let error = error(csv);
        assert!(error.contains(message), "{error}\nexpected {message}");
    }
}

/// A quote that is not closed, or closed within a field, would take later rows into its field. The line is that of the
/// quote. Spaces after a closing quote are allowed.
#[test]
fn a_quote_that_would_hide_rows_is_refused() {
    let open = "a field begins with a double quote that is not closed";
    let text = "text follows the closing double quote of a field; a quote in a field is written twice";
    let refused = [
        ("id,wkt,note\na,POINT (0 0),\"x\nb,POINT (0 0),y\nc,POINT (0 0),z\n", 2, open),
        ("id,wkt,note\na,POINT (0 0),y\n\"b,POINT (0 0),y\nc,POINT (0 0),z\n", 3, open),
        ("id,wkt\na,POINT (0 0)\nb,\"POINT (0 0)\n", 3, open),
        ("id,wkt\na,POINT (0 0)\nb,\"POINT (0 0)\"\"", 3, open),
        // The quote of the second row closes that of the first.
        ("id,wkt,note\na,POINT (0 0),\"x\nb,POINT (0 0),\"y\"\nc,POINT (0 0),z\n", 2, text),
        ("id;wkt\n\"a\"b;POINT (0 0)\nb;POINT (0 0)\n", 2, text),
    ];
    for (csv, line, fault) in refused {
        assert_eq!(error(csv), format!("map.csv: line {line}: {fault}"), "{csv}");
        let skip = Options { skip_invalid: true, ..Options::default() };
        assert!(read_with("map.csv", csv, &skip).is_err(), "the rows behind the quote are unknown: {csv}");
    }
    let accepted = [
        "id,wkt,note\na,POINT (0 0),5\" tall\nb,POINT (0 0),\n",
        "id,wkt,note\n\"a\" ,\"POINT (0 0)\"  ,\"x\"\r\n\"b\",\"POINT (0 0)\",\"\"",
        "\"id\"\t\"wkt\"\r\"a\"\t\"POINT (0 0)\"\r\"b\"\tPOINT (0 0)\r",
        "id,wkt,note\na,POINT (0 0),\"\"\"\"\nb,POINT (0 0),\"two\nlines\"\n",
    ];
    for csv in accepted {
        assert_eq!(scene(csv).colliders.len(), 2, "{csv}");
    }
}

/// A geometry with commas that is not in quotes is split into several fields. The message says so.
#[test]
fn a_geometry_without_quotes_is_refused_by_its_row() {
    let error = error("id,wkt\na,POLYGON ((0 0, 4 0, 4 4, 0 0))\n");
    assert!(error.contains("must be in") && error.contains("quotes") && error.contains("line 2"), "{error}");
}

#[test]
fn refused_rows_are_listed_and_the_others_are_read() {
    let csv = "id,wkt\na,POINT (0 0)\nb,\"LINESTRING (0 0, 1\"\n,\"POLYGON ((0 0, 1 1, 2 2, 0 0))\"\nd,POINT (3 0)\n";
    let scene = read_with("map.csv", csv, &Options { skip_invalid: true, ..Options::default() }).unwrap();
    assert_eq!(ids(&scene), ["a", "d"]);
    let skipped: Vec<String> = scene.skipped.iter().map(ToString::to_string).collect();
    assert!(skipped[0].starts_with("b: line 3: the geometry has no end"), "{}", skipped[0]);
    assert!(skipped[1].starts_with("#2: line 4, POLYGON: all 3 points"), "{}", skipped[1]);
    assert_eq!(skipped.len(), 2);
}

/// A row with a wrong number of fields is refused alone: the next row is read again.
#[test]
fn rows_with_a_wrong_number_of_fields_are_listed() {
    let csv = "id,wkt,kind\na,POINT (0 0),x\nb,POINT (1 0)\nc,POINT (2 0),x,y\nd,POINT (3 0),x\n";
    let scene = read_with("map.csv", csv, &Options { skip_invalid: true, ..Options::default() }).unwrap();
    assert_eq!(ids(&scene), ["a", "d"]);
    let skipped: Vec<String> = scene.skipped.iter().map(ToString::to_string).collect();
    assert!(skipped[0].starts_with("b: line 3: 2 fields, but the first row has 3"), "{skipped:?}");
    assert!(skipped[1].starts_with("c: line 4: 4 fields, but the first row has 3"), "{skipped:?}");
}

/// A sorted table can have hundreds of rows without a geometry first.
#[test]
fn the_first_geometry_may_come_late() {
    let empty = "0;\n".repeat(300);
    let scene = scene(&format!("id;wkt\n{empty}a;POLYGON {SQUARE}\n"));
    assert_eq!(ids(&scene), ["a"]);
    assert_eq!(scene.warnings, ["300 rows have no geometry and cover nothing"]);
}

/// `PostGIS` prints geometries in this form.
#[test]
fn wkb_is_named() {
    for separator in [',', ';', '\t'] {
        let csv = format!("id{separator}geom\n1{separator}0101000000000000000000F03F0000000000000040\n");
        for format in [None, Some(carom_scene::Format::Csv)] {
            let error = read_with("map.csv", &csv, &Options { format, ..Options::default() }).unwrap_err().to_string();
            let expected = "map.csv: the column `geom` has geometries as WKB, which is not read: \
                            write them as WKT, such as with ST_AsText(geom)";
            assert_eq!(error, expected);
        }
    }
    let error = read_with("map.csv", "1,0101000000000000000000F03F0000000000000040\n", &Options::default());
    let expected = "map.csv: the column 2 has geometries as WKB, which is not read: \
                    write them as WKT, such as with ST_AsText(…)";
    assert_eq!(error.unwrap_err().to_string(), expected);
}

#[test]
fn notes_count_omissions_and_changes() {
    let csv = "id,wkt\na,\"POLYGON ((0 0, 4 0, 4 4))\"\nb,\nc,POLYGON EMPTY\nd,\"MULTIPOINT (1 2, 3 4)\"\n\
               e,\"SRID=4326;LINESTRING Z (0 0 1, 1 1 2)\"\nf,\"GEOMETRYCOLLECTION (POINT EMPTY, POINT (5 5))\"\n";
    let scene = scene(csv);
    assert_eq!(ids(&scene), ["a", "d", "e", "f"]);
    let expected = [
        "1 ring does not end where it begins: it is closed by an edge",
        "2 rows have no geometry and cover nothing",
        "1 empty part of a row is skipped",
        "2 positions have numbers after x and y, such as an altitude: they are not read",
        "the coordinate system (SRID 4326) is not read: coordinates are planar, as given",
    ];
    assert_eq!(scene.warnings, expected);
}

#[test]
fn a_text_without_a_geometry_is_no_table() {
    for text in ["id,wkt\n", "id,x,y\n1,2,3\n", "hello", "point,of,view\nlinestring,b,c\n"] {
        let error = error(text);
        assert!(error.contains("expected a carom scene") && error.contains("CSV with a WKT column"), "{error}");
        let options = Options { format: Some(carom_scene::Format::Csv), ..Options::default() };
        let error = read_with("map.csv", text, &options).unwrap_err().to_string();
        assert!(error.starts_with("map.csv: no column has geometries as WKT"), "{error}");
    }
}
