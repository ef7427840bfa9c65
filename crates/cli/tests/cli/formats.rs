//! Formats are detected by content. Ignored input is reported on stderr.
use crate::carom::{Folder, carom, carom_with, root};

fn scene(name: &str) -> String {
    root().join("scenes").join(name).display().to_string()
}

#[test]
fn formats_are_detected_by_content() {
    for (file, summary) in [
        ("countries.geojson", "12 shapes: 25 pairs intersect, 25 only touching"),
        ("tiles/saw.png", "1 shape: no pair intersects"),
        ("fields.csv", "7 shapes: 11 pairs intersect, 5 only touching"),
    ] {
        let ran = carom(&["check", &scene(file)]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{file}");
        assert!(ran.stdout.trim_end().ends_with(summary), "{file}: {}", ran.stdout);
    }
}

/// CSV comes from stdin too, and `--id` chooses the column of the ids.
#[test]
fn csv_is_read_from_stdin_with_the_ids_of_a_column() {
    let csv = "code;shape\n7;POLYGON ((0 0, 2 0, 2 2, 0 0))\n8;POINT (1 1)\n";
    let args = ["check", "-", "--input-format", "csv", "--id", "code", "--pairs", "--format", "csv"];
    assert_eq!(carom_with(&args, csv).data(), "a,b\n7,8\n");
    let ran = carom_with(&["check", "-", "--input-format", "csv", "--id", "name"], csv);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(ran.stderr, "carom: stdin: no column is called `name`; the columns are code, shape\n");
}

/// The report names everything that a beginner's map loses, with the flag that reads it.
#[test]
fn tiles_without_collision_shapes_are_named_with_the_flag_that_makes_them_solid() {
    let file = scene("dungeon.tmj");
    let ran = carom(&["check", &file]);
    let said = "tiles without collision shapes are not read: 600 of layer \"Floor\", 147 of layer \"Walls\"; \
                --solid \"Floor\" makes the tiles of a layer solid, --solid-all those of every layer";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let shapes = |args: &[&str]| {
        let ran = carom(&[&["check", &file, "--format", "json"], args].concat());
        let solid = !ran.stderr.contains("tiles without");
        (crate::contract::report(&ran.data()).shapes, solid)
    };
    let (none, _) = shapes(&[]);
    assert_eq!(shapes(&["--solid", "Walls"]), (none + 147, false));
    assert_eq!(shapes(&["--solid-all"]), (none + 600 + 147, true));
    assert_eq!(carom(&["check", &file, "--solid-all", "--solid", "Walls"]).code, 2);
}

#[test]
fn verbose_lists_unread_parts() {
    let file = scene("countries.geojson");
    assert_eq!(carom(&["check", &file]).stderr, "");
    let folder = Folder::new();
    let json = r#"{"type": "Feature", "bbox": [0, 0, 0, 0], "properties": {"height": 3}, "crs": {"type": "name"}, "geometry": {"type": "Point", "coordinates": [0, 0]}}"#;
    let file = folder.file("one.geojson", json);
    let [quiet, verbose] = [&["check", &*file][..], &["check", &*file, "--verbose"]].map(|args| carom(args).stderr);
    assert!(quiet.contains("one.geojson: the coordinate reference system (crs) is not read"), "{quiet}");
    assert_eq!(quiet.lines().count(), 1);
    assert!(
        verbose.contains("one.geojson: without effect on shapes: Feature bbox, Feature properties other than the id"),
        "{verbose}"
    );
}

#[test]
fn two_images_are_compared_by_their_pixels() {
    let ran = carom(&["check", &scene("tiles/saw.png"), &scene("tiles/rock.png"), "--deny", "--format", "ndjson"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1), "{}", ran.stderr);
    assert!(ran.stdout.contains(&format!("\"b\":\"{}\"", scene("tiles/rock.png"))), "{}", ran.stdout);
}

#[test]
fn unread_and_refused_parts_are_reported() {
    let folder = Folder::new();
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg"><text>hello</text><circle r="1"/><path id="bow" d="M0 0 9 9 9 0 0 9"/></svg>"#;
    let file = folder.file("drawing.svg", svg);
    let ran = carom(&["check", &file]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr
            .contains("drawing.svg: line 1, column 74, <path> \"bow\": the outer ring crosses itself near (4.5, 4.5)"),
        "{}",
        ran.stderr
    );
    let ran = carom(&["check", &file, "--skip-invalid"]);
    assert_eq!((ran.code, ran.stdout.trim_end()), (0, "1 shape: no pair intersects"));
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert!(
        lines[0].contains("skipped bow: line 1, column 74: ")
            && lines[1].ends_with("<text> is not read: turn it into paths (line 1)"),
        "{lines:?}"
    );
}

#[test]
fn the_tolerance_of_curves_is_a_share() {
    let file = scene("drawing.svg");
    assert_eq!(carom(&["check", &file, "--flatten", "0.01"]).code, 0);
    for wrong in ["0", "-1", "2", "NaN", "x"] {
        assert_eq!(carom(&["check", &file, &format!("--flatten={wrong}")]).code, 2, "{wrong}");
    }
}

/// Without `--repair` an outline that crosses itself is refused, and the message names the option.
#[test]
fn outlines_are_repaired_on_request() {
    let folder = Folder::new();
    let json = r#"{"type": "Feature", "id": "lake", "geometry": {"type": "Polygon", "coordinates": [
        [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[3, 1], [5, 1], [5, 2], [3, 2], [3, 1]]]}}"#;
    let file = folder.file("lake.geojson", json);
    let ran = carom(&["check", &file]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("reorder or split it, or repair it (--repair)"), "{}", ran.stderr);
    let changes = |args: &[&str]| {
        let ran = carom(&[&["decompose", &file], args].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stderr.trim_end().to_owned()
    };
    let even_odd = format!("carom: {file}: repaired lake: 2 crossings became vertices; 2 polygons");
    assert_eq!(changes(&["--repair"]), even_odd);
    assert_eq!(changes(&["--repair", "--fill-rule", "evenodd"]), even_odd);
    let non_zero = format!("carom: {file}: repaired lake: 2 crossings became vertices; 1 polygon");
    assert_eq!(changes(&["--repair", "--fill-rule", "nonzero"]), non_zero);
    assert_eq!(carom(&["decompose", &file, "--fill-rule", "nonzero"]).code, 2);
    for command in ["check", "explain", "simulate"] {
        let args = if command == "explain" { vec!["lake", "lake"] } else { Vec::new() };
        let ran = carom(&[&[command, &*file], &args[..], &["--repair"]].concat());
        assert!(ran.stderr.contains("repaired lake"), "{command}: {}", ran.stderr);
    }
}
