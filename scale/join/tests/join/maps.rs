//! The bundled maps in other formats.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::run::{map, run, stderr};

/// Writes the rows of a map as Parquet, in `parts` files, and returns a glob.
pub(crate) fn parquet(name: &str, folder: &Path, parts: usize) -> String {
    let stem = Path::new(name).file_name().unwrap().display();
    for part in 0..parts {
        let query = format!(
            "SELECT id, name, geometry FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM m) WHERE n % {parts} = {part}"
        );
        let file = folder.join(format!("{stem}-{part}.parquet")).display().to_string();
        let output = run(&["sql", &query, "--table", &format!("m={}", map(name)), "-o", &file]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    folder.join(format!("{stem}-*.parquet")).display().to_string()
}

fn features(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(map(name)).unwrap();
    let map: Value = serde_json::from_str(&text).unwrap();
    map["features"].as_array().unwrap().clone()
}

/// Writes a map with one feature per line.
pub(crate) fn ndjson(name: &str, folder: &Path) -> String {
    let lines: Vec<String> = features(name).iter().map(Value::to_string).collect();
    write(folder, &format!("{name}.ndjson"), &lines.join("\n"))
}

/// Writes a map as CSV with a WKT column.
pub(crate) fn csv(name: &str, folder: &Path) -> String {
    let mut text = "id,wkt\n".to_owned();
    for feature in features(name) {
        let geometry = &feature["geometry"];
        let kind = geometry["type"].as_str().unwrap().to_uppercase();
        let (id, wkt) = (feature["id"].as_str().unwrap(), coordinates(&geometry["coordinates"]));
        writeln!(text, "{id},\"{kind} {wkt}\"").unwrap();
    }
    write(folder, &format!("{name}.csv"), &text)
}

/// Returns `x y` for a position, and `(…, …)` for a list.
fn coordinates(value: &Value) -> String {
    let list = value.as_array().unwrap();
    if list[0].is_number() {
        return format!("{} {}", list[0], list[1]);
    }
    format!("({})", list.iter().map(coordinates).collect::<Vec<_>>().join(", "))
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}
