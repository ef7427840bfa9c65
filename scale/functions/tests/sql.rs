//! The functions in SQL, against values worked out by hand.

use carom_functions::register;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::SessionContext;

const SQUARE: &str = "'POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))'";

/// Returns the only value of a query as text; an error as its message.
fn value(query: &str) -> String {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let session = SessionContext::new();
        register(&session);
        let batches = async { session.sql(query).await?.collect().await }.await;
        match batches {
            Err(error) => error.strip_backtrace(),
            Ok(batches) => {
                let options = FormatOptions::default().with_null("NULL");
                let column = ArrayFormatter::try_new(batches[0].column(0), &options).unwrap();
                column.value(0).to_string()
            }
        }
    })
}

#[test]
fn predicates() {
    for (function, other, expected) in [
        ("carom_intersects", "POLYGON ((4 0, 8 0, 8 4, 4 4, 4 0))", "true"),
        ("carom_overlaps", "POLYGON ((4 0, 8 0, 8 4, 4 4, 4 0))", "false"),
        ("carom_overlaps", "POLYGON ((3 0, 8 0, 8 4, 3 4, 3 0))", "true"),
        ("carom_contains", "POLYGON ((0 0, 4 0, 4 4, 0 0))", "true"),
        ("carom_contains", "POLYGON ((1 1, 5 1, 1 2, 1 1))", "false"),
        ("carom_intersects", "POINT (4 4)", "true"),
        ("carom_intersects", "POINT (4 4.0000000000000009)", "false"),
        ("carom_intersects", "LINESTRING (-1 2, 5 2)", "true"),
        ("carom_intersects", "LINESTRING (-1 2, -1 5, 9 5)", "false"),
        ("carom_intersects", "MULTIPOINT ((9 9), (2 2))", "true"),
        ("carom_intersects", "MULTIPOLYGON (((9 9, 10 9, 9 10, 9 9)), ((-1 -1, 0 -1, 0 0, -1 -1)))", "true"),
        ("carom_intersects", "GEOMETRYCOLLECTION (POINT (9 9), LINESTRING (8 8, 7 7))", "false"),
        ("carom_distance", "POINT (7 8)", "5.0"),
        ("carom_distance", "POINT (2 2)", "0.0"),
        ("carom_depth", "POLYGON ((3 0, 8 0, 8 4, 3 4, 3 0))", "1.0"),
        ("carom_depth", "POINT (9 9)", "NULL"),
    ] {
        assert_eq!(value(&format!("SELECT {function}({SQUARE}, '{other}')")), expected, "{function} {other}");
    }
    assert_eq!(value(&format!("SELECT carom_within({SQUARE}, 'POINT (7 8)', 5)")), "true");
    assert_eq!(value(&format!("SELECT carom_within({SQUARE}, 'POINT (7 8)', 4.999)")), "false");
}

/// The distance is exactly 5, but its rounded square root is not.
#[test]
fn a_distance_at_the_limit() {
    let pair = "'POINT (0 3)', 'LINESTRING (4 0, 7 4)'";
    assert_eq!(value(&format!("SELECT carom_distance({pair}) > 5")), "true");
    assert_eq!(value(&format!("SELECT carom_within({pair}, 5)")), "true");
    assert_eq!(value(&format!("SELECT carom_within({pair}, 4.999999999999999)")), "false");
}

/// An SRID is no part of the geometry. `carom_of_srid` refuses others than the expected one.
#[test]
fn an_srid_before_the_text() {
    assert_eq!(value("SELECT carom_distance('SRID=4326;POINT (0 0)', 'srid=3857; POINT (3 4)')"), "5.0");
    for (text, reason) in [
        ("SRID=x;POINT (0 0)", "SRID=x"),
        ("SRID=4326;SRID=3857;POINT (1 2)", "SRID=4326 and a second SRID"),
        ("SRID=4326; srid=4326;POINT (1 2)", "SRID=4326 and a second SRID"),
        (r#"SRID=4326; {"type": "Point", "coordinates": [1, 2]}"#, "SRID=4326 before GeoJSON"),
    ] {
        let reason = format!("not readable as EWKT: {reason}");
        assert_eq!(value(&format!("SELECT carom_invalid('{text}')")), reason);
        assert_eq!(value(&format!("SELECT carom_invalid(carom_of_srid('{text}', 4326))")), reason);
        assert_eq!(carom_functions::srid_of_text(text), None);
    }
    for (text, srid, expected) in [
        ("SRID=4326;POINT (0 0)", 4326, "POINT (0 0)"),
        ("POINT (0 0)", 4326, "POINT (0 0)"),
        ("SRID=0;POINT (0 0)", 4326, "POINT (0 0)"),
        ("SRID=3857;POINT (0 0)", 4326, "SRID=3857, but the input has SRID=4326"),
        ("SRID=3857;POINT (0 0)", 0, "SRID=3857, but the first geometry of the file has none"),
    ] {
        assert_eq!(value(&format!("SELECT carom_of_srid('{text}', {srid})")), expected);
    }
    assert_eq!(value("SELECT carom_of_srid(NULL, 4326)"), "NULL");
}

/// EWKB with the expected SRID stays, in any binary type. Another SRID gives an invalid geometry.
#[test]
fn an_srid_in_the_bytes() {
    // POINT (1 1), little endian.
    let point = |head: &str| format!("x'01{head}000000000000f03f000000000000f03f'");
    let (plain, degrees) = (point("01000000"), point("01000020e6100000"));
    for data_type in ["Binary", "LargeBinary", "BinaryView"] {
        for (bytes, srid) in [(&plain, 4326), (&plain, 0), (&degrees, 4326)] {
            let column = format!("arrow_cast({bytes}, '{data_type}')");
            assert_eq!(value(&format!("SELECT carom_of_srid({column}, {srid}) = {bytes}")), "true", "{column}");
            assert_eq!(value(&format!("SELECT arrow_typeof(carom_of_srid({column}, {srid}))")), data_type);
        }
        for (srid, reason) in [(3857, "the input has SRID=3857"), (0, "the first geometry of the file has none")] {
            let column = format!("carom_of_srid(arrow_cast({degrees}, '{data_type}'), {srid})");
            let reason = format!("not readable as EWKB: SRID=4326, but {reason}");
            assert_eq!(value(&format!("SELECT carom_invalid({column})")), reason);
        }
    }
}

#[test]
fn a_hole_is_outside() {
    let ring = "'POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 8 1, 8 8, 1 8, 1 1))'";
    assert_eq!(value(&format!("SELECT carom_intersects({ring}, 'POINT (4 4)')")), "false");
    assert_eq!(value(&format!("SELECT carom_intersects({ring}, 'POINT (8 4)')")), "true");
}

#[test]
fn wkb_wkt_and_geojson_are_the_same_outline() {
    let geojson = r#"{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}"#;
    assert_eq!(value(&format!("SELECT carom_wkb({SQUARE}) = carom_wkb('{geojson}')")), "true");
    assert_eq!(value(&format!("SELECT carom_contains('{geojson}', carom_wkb({SQUARE}))")), "true");
}

#[test]
fn refused_geometries_say_why() {
    for (geometry, reason) in [
        ("'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))'", "crosses"),
        ("'POLYGON EMPTY'", "empty"),
        ("'POLYGON ((0 0, 1 0))'", "at least 3"),
        ("'no geometry'", "WKT"),
        ("'{\"type\": \"Polygon\"}'", "GeoJSON"),
        ("arrow_cast('abc', 'Binary')", "WKB"),
        ("NULL", "empty"),
    ] {
        let text = value(&format!("SELECT carom_invalid({geometry})"));
        assert!(text.contains(reason), "{geometry}: {text}");
    }
    assert_eq!(value(&format!("SELECT carom_invalid({SQUARE})")), "NULL");
    let error = value(&format!("SELECT carom_intersects({SQUARE}, 'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))')"));
    assert!(error.contains("carom_intersects") && error.contains("crosses"), "{error}");
}

/// NULL does not hide an outline that is not valid.
#[test]
fn an_invalid_outline_beside_null_is_an_error() {
    let tie = "'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))'";
    for call in [
        format!("carom_intersects({tie}, NULL)"),
        format!("carom_contains(NULL, {tie})"),
        format!("carom_distance(NULL, {tie})"),
        format!("carom_within({SQUARE}, {tie}, NULL)"),
    ] {
        let error = value(&format!("SELECT {call}"));
        assert!(error.contains("crosses"), "{call}: {error}");
    }
}

#[test]
fn null_gives_null_and_wrong_types_an_error() {
    assert_eq!(value(&format!("SELECT carom_intersects({SQUARE}, NULL)")), "NULL");
    assert_eq!(value(&format!("SELECT carom_within({SQUARE}, {SQUARE}, NULL)")), "NULL");
    assert_eq!(value("SELECT carom_box(arrow_cast(NULL, 'Binary'))"), "NULL");
    for query in [
        "SELECT carom_intersects(1, 2)",
        "SELECT carom_intersects('POINT (0 0)')",
        "SELECT carom_cells(1, 'grid')",
        "SELECT carom_cells(carom_box('POINT (0 0)'), 'grid')",
        "SELECT carom_owns(carom_box('POINT (0 0)'), 1, 2, 'grid')",
    ] {
        let text = value(query);
        assert!(text.contains("carom_"), "{query}: {text}");
        assert!(!["true", "false", "NULL"].contains(&text.as_str()), "{query}: {text}");
    }
}

/// The same outline in many rows, and many outlines in one batch: the cache returns the right one.
#[test]
fn many_rows_keep_their_outlines_apart() {
    let near = "SELECT count(*) FROM generate_series(1, 20000) AS t(i) WHERE abs(carom_distance(\
                concat('POINT (', i, ' 0)'), concat('POINT (0 ', i % 7, ')')) - sqrt(i * i + (i % 7) * (i % 7))) > 1e-9";
    assert_eq!(value(near), "0");
}

#[test]
fn integers() {
    assert_eq!(value("SELECT carom_integer('-17')"), "-17");
    assert_eq!(value("SELECT carom_integer('9223372036854775807')"), "9223372036854775807");
    assert_eq!(value("SELECT carom_integer(NULL)"), "NULL");
    for text in ["007", "-0", "+7", "7 ", "", "-", "1e5", "9223372036854775808"] {
        let message = value(&format!("SELECT carom_integer('{text}')"));
        assert!(message.contains(&format!("{text:?} {}", carom_functions::NOT_AN_INTEGER)), "{message}");
    }
}

/// Text of GeoJSON in a binary column is refused with the reason of the text.
#[test]
fn geojson_as_bytes() {
    let text = r#"{"type": "Curve", "coordinates": [1, 2]}"#;
    let message = value(&format!("SELECT carom_invalid(CAST('{text}' AS BYTEA))"));
    assert!(message.contains("GeoJSON") && message.contains("Curve"), "{message}");
}
