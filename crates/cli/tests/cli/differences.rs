//! Differences to a former result, watching files, CSV, counts, and the schemas of the JSON forms.
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::carom::{Folder, carom, command, root};

/// Circles of radius 1 on a line, with their x: `a` 0, `b` 1.5, `c` 3.4.
fn line(circles: &[(&str, f64)]) -> String {
    let one = |(id, x): &(&str, f64)| {
        format!(r#"{{"id": "{id}", "shape": {{"circle": {{"radius": 1}}}}, "position": [{x}, 0]}}"#)
    };
    format!(r#"{{"carom": 1, "colliders": [{}]}}"#, circles.iter().map(one).collect::<Vec<_>>().join(", "))
}

const BEFORE: [(&str, f64); 4] = [("a", 0.0), ("b", 1.5), ("c", 3.25), ("d", 5.0)];
/// `b` is 0.125 nearer to `a` and further from `c`; `d` is gone from `c`, and meets `e`.
const AFTER: [(&str, f64); 5] = [("a", 0.0), ("b", 1.375), ("c", 3.25), ("d", 8.0), ("e", 9.5)];

/// Returns the folder, the new file and the former result.
fn changed(form: &str) -> (Folder, String, String) {
    let folder = Folder::new();
    let before = folder.file("before.json", line(&BEFORE));
    let result = carom(&["check", &before, "--format", form]).data();
    let result = folder.file("result.json", result);
    let after = folder.file("after.json", line(&AFTER));
    (folder, after, result)
}

#[test]
fn a_baseline_leaves_new_gone_and_changed() {
    for form in ["json", "ndjson"] {
        let (_folder, after, result) = changed(form);
        let ran = carom(&["check", &after, "--baseline", &result, "--format", "json", "--deny"]);
        assert_eq!(ran.code, 1, "something is new");
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((&report["shapes"], &report["candidates"]), (&json!(5), &json!(3)));
        assert_eq!(
            (&report["new"][0]["a"], &report["new"][0]["b"], report["new"].as_array().unwrap().len()),
            (&json!("d"), &json!("e"), 1)
        );
        assert_eq!(report["gone"], json!([{"a": "c", "b": "d", "depth": 0.25}]));
        let changed: Vec<_> = report["changed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| json!([c["a"], c["b"], c["depth"], c["before"]]))
            .collect();
        assert_eq!(changed, [json!(["a", "b", 0.625, 0.5]), json!(["b", "c", 0.125, 0.25])]);
    }
}

#[test]
fn a_tolerance_and_the_exit_code() {
    let (folder, after, result) = changed("json");
    let table = |args: &[&str]| carom(&[&["check", &after, "--baseline", &result], args].concat()).data();
    assert!(table(&[]).ends_with("1 new, 1 gone, 2 changed\n"));
    assert!(table(&["--tolerance", "0.125"]).ends_with("1 new, 1 gone, 0 changed\n"));
    // Gone and changed contacts are not denied.
    let fewer = folder.file("fewer.json", line(&AFTER[..4]));
    assert_eq!(carom(&["check", &fewer, "--baseline", &result, "--deny"]).code, 0);
    let same = carom(&["check", &after, "--format", "json"]).data();
    let same = folder.file("same.json", same);
    assert_eq!(carom(&["check", &after, "--baseline", &same, "--deny"]).data(), "0 new, 0 gone, 0 changed\n");
    let ran = carom(&["check", &after, "--baseline", &after]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("not a result of `carom check --format json`"), "{}", ran.stderr);
}

#[test]
fn differences_as_lines() {
    let (_folder, after, result) = changed("json");
    let run = |form: &str| carom(&["check", &after, "--baseline", &result, "--format", form]).data();
    assert_eq!(
        run("csv"),
        "change,a,b,depth,before\nnew,d,e,0.5,\ngone,c,d,,0.25\nchanged,a,b,0.625,0.5\nchanged,b,c,0.125,0.25\n"
    );
    let first = run("ndjson").lines().next().unwrap().to_owned();
    assert_eq!(first, r#"{"change":"new","a":"d","b":"e","depth":0.5,"before":null}"#);
}

#[test]
fn csv_has_one_row_per_contact_or_hit() {
    let folder = Folder::new();
    let file = folder.file("line.json", line(&[("a,\"x\"", 0.0), ("b", 1.5)]).replace("a,\"x\"", r#"a,\"x\""#));
    let csv = carom(&["check", &file, "--format", "csv"]).data();
    let expected = "a,b,depth,normal_x,normal_y,mtv_x,mtv_y,point_x,point_y,points,sensor,layers_a,layers_b\n\
                    \"a,\"\"x\"\"\",b,0.5,1.0,0.0,0.5,0.0,0.75,0.0,1,false,,\n";
    assert_eq!(csv, expected);
    let csv = carom(&["check", &file, "--sweep", "--move", "b", "-1,0", "--format", "csv"]).data();
    assert!(
        csv.starts_with(
            "time,a,b,normal_x,normal_y,point_x,point_y,initial_depth,layers_a,layers_b\n0.0,\"a,\"\"x\"\"\",b,"
        ),
        "{csv}"
    );
    let csv = carom(&["check", &file, "--by", "object", "--format", "csv"]).data();
    assert!(csv.starts_with("a,b,pairs,touching,depth,total,deepest_a,deepest_b\n"), "{csv}");
}

#[test]
fn counts_and_silence() {
    let folder = Folder::new();
    let file = folder.file("line.json", line(&[("a", 0.0), ("b", 1.5), ("c", 3.5), ("d", 5.75)]));
    assert_eq!(carom(&["check", &file, "--count"]).data(), "2\n");
    let count = carom(&["check", &file, "--count", "--margin", "1", "--format", "json"]).data();
    assert_eq!(count, "{\"shapes\":4,\"candidates\":3,\"contacts\":3,\"touching\":1,\"near_misses\":1}\n");
    let count = carom(&["check", &file, "--sweep", "--move", "d", "-1,0", "--count", "--format", "json"]).data();
    assert_eq!(count, "{\"shapes\":4,\"hits\":1}\n");
    for args in [
        &["--deny", "--quiet"][..],
        &["--deny", "--quiet", "--format", "json"],
        &["--deny", "--quiet", "--sweep", "--move", "d", "-1,0"],
    ] {
        let ran = carom(&[&["check", &file], args].concat());
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (1, "", ""), "{args:?}");
    }
    // Messages are not printed either, but errors are.
    let map = root().join("scenes/dungeon.tmj").display().to_string();
    let ran = carom(&["check", &map, "--quiet"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    assert!(carom(&["check", "no-such-file", "--quiet"]).stderr.contains("no-such-file"));
}

/// The first check prints all contacts, later ones the difference. A broken file is reported.
#[test]
fn a_watched_file_is_checked_again() {
    let folder = Folder::new();
    let file = folder.file("line.json", line(&BEFORE));
    let picture = folder.path().join("line.svg");
    let mut child = command()
        .args(["check", &file, "--watch", "--format", "json", "--render", &picture.display().to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, lines) = mpsc::channel();
    for stream in [
        Box::new(child.stdout.take().unwrap()) as Box<dyn std::io::Read + Send>,
        Box::new(child.stderr.take().unwrap()),
    ] {
        let sender = sender.clone();
        std::thread::spawn(move || {
            BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
    }
    let next = || lines.recv_timeout(Duration::from_secs(50)).expect("a line within seconds");
    let first: Value = serde_json::from_str(&next()).unwrap();
    assert_eq!(first["contacts"].as_array().unwrap().len(), 3);
    let drawn = std::fs::read_to_string(&picture).unwrap();
    // Replaced at once, as editors do.
    let write = |text: &str| {
        let new = folder.file("new.json", text);
        std::fs::rename(new, &file).unwrap();
    };
    write(&line(&AFTER));
    let second: Value = serde_json::from_str(&next()).unwrap();
    assert_eq!((second["new"].as_array().unwrap().len(), second["gone"].as_array().unwrap().len()), (1, 1));
    assert!(std::fs::read_to_string(&picture).unwrap() != drawn, "the picture was drawn again");
    write("{");
    assert!(next().contains("line.json"), "the error names the file");
    write(&line(&BEFORE));
    let third: Value = serde_json::from_str(&next()).unwrap();
    assert_eq!(third["gone"][0]["a"], "d");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Every JSON form is valid by its schema, and the schema refuses another form.
#[test]
fn forms_have_schemas() {
    let (_folder, after, result) = changed("json");
    let schema = |name: &str| -> Value {
        let text = std::fs::read_to_string(root().join(format!("docs/schemas/{name}.json"))).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let forms: [(&str, &[&str]); 6] = [
        ("check", &[]),
        ("check-pairs", &["--pairs"]),
        ("check-by", &["--by", "object"]),
        ("check-baseline", &["--baseline", &result]),
        ("check-count", &["--count"]),
        ("check-sweep", &["--sweep", "--move", "a", "3,0"]),
    ];
    for (name, args) in forms {
        let json = carom(&[&["check", &after, "--format", "json"], args].concat()).data();
        let json: Value = serde_json::from_str(&json).unwrap();
        for (other, _) in forms {
            assert_eq!(jsonschema::is_valid(&schema(other), &json), other == name, "{name} by the schema of {other}");
        }
    }
}
