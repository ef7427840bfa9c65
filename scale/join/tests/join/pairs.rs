//! The pairs are those of shapely (GEOS), from every format and in every partitioning.

use crate::maps::{csv, ndjson, parquet, write};
use crate::run::{digest, expected, join, map, run, stderr};

const COUNTIES: &str = "new-england-counties.geojson";
const STATES: &str = "new-england-states.geojson";

const PREDICATES: [&[&str]; 4] =
    [&["--on", "intersects"], &["--on", "overlaps"], &["--on", "contains"], &["--on", "within-distance", "5"]];

/// Joins inputs with a predicate and more options, and compares with shapely.
fn check(case: &str, inputs: &[&str], predicate: &[&str], options: &[&str]) {
    let args = [inputs, predicate, options].concat();
    assert_eq!(join(&args), expected(&format!("{case} {}", predicate[1..].join(":"))), "{args:?}");
}

#[test]
fn geojson() {
    for predicate in PREDICATES {
        check("new-england", &[&map(STATES), &map(COUNTIES)], predicate, &[]);
        check("new-england-self", &[&map(COUNTIES)], predicate, &[]);
    }
}

#[test]
fn parquet_in_any_partitioning() {
    let folder = tempfile::tempdir().unwrap();
    let (states, counties) = (parquet(STATES, folder.path(), 1), parquet(COUNTIES, folder.path(), 3));
    for (partitions, threads) in [("1", "1"), ("3", "2"), ("16", "2")] {
        let options = ["--partitions", partitions, "--threads", threads];
        check("new-england", &[&states, &counties], PREDICATES[0], &options);
        check("new-england-self", &[&counties], PREDICATES[3], &options);
    }
}

#[test]
fn lines_of_geojson() {
    let folder = tempfile::tempdir().unwrap();
    check("new-england-self", &[&ndjson(COUNTIES, folder.path())], PREDICATES[0], &[]);
}

/// The ids have a letter in front; the pairs are the same.
#[test]
fn csv_with_wkt() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&[&csv(COUNTIES, folder.path())]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(digest(&text), expected("new-england-self intersects"));
}

/// The order of the inputs is that of the columns, whichever side the engine keeps in memory.
#[test]
fn the_first_input_is_the_first_column() {
    let there = run(&[&map(STATES), &map(COUNTIES)]);
    let back = run(&[&map(COUNTIES), &map(STATES)]);
    let swapped: String = String::from_utf8(back.stdout)
        .unwrap()
        .lines()
        .map(|line| line.split_once(',').map(|(a, b)| format!("{b},{a}\n")).unwrap())
        .collect();
    assert_eq!(digest(&swapped), digest(&String::from_utf8(there.stdout).unwrap()));
}

#[test]
fn a_condition_holds_on_both_sides() {
    let output = run(&[&map(COUNTIES), "--where", "id LIKE '23%'"]);
    let text = String::from_utf8(output.stdout).unwrap();
    // All pairs within Maine, from the pairs of all counties.
    let all = String::from_utf8(run(&[&map(COUNTIES)]).stdout).unwrap();
    let both = |line: &&str| line.split(',').all(|id| id.starts_with("23"));
    let expected: Vec<&str> = all.lines().filter(both).collect();
    assert!(expected.len() > 10);
    assert_eq!(digest(&text), digest(&format!("a,b\n{}\n", expected.join("\n"))));
}

/// Every format of the output has the same rows.
#[test]
fn outputs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in ["out.csv", "out.ndjson", "out.parquet"] {
        let output = run(&[&map(COUNTIES), "--depth", "--distance", "-o", &path(name)]);
        assert!(output.status.success() && output.stdout.is_empty(), "{}", stderr(&output));
    }
    let csv = std::fs::read_to_string(path("out.csv")).unwrap();
    assert!(csv.starts_with("a,b,depth,distance\n"), "{csv}");
    assert_eq!(csv.lines().count(), 154);
    let json = std::fs::read_to_string(path("out.ndjson")).unwrap();
    for line in json.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(row["depth"].as_f64().unwrap() >= 0.0 && row["distance"] == 0.0, "{line}");
    }
    let pairs: Vec<String> = json
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{},{}", row["a"].as_str().unwrap(), row["b"].as_str().unwrap())
        })
        .collect();
    assert_eq!(digest(&format!("a,b\n{}\n", pairs.join("\n"))), expected("new-england-self intersects"));
    let back = path("back.csv");
    let query = format!("SELECT a, b FROM '{}'", path("out.parquet"));
    assert!(run(&["sql", &query, "-o", &back]).status.success());
    assert_eq!(digest(&std::fs::read_to_string(back).unwrap()), expected("new-england-self intersects"));
    // Nothing else is left in the folder.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// Every way to join gives the same pairs.
#[test]
fn all_joins() {
    let folder = tempfile::tempdir().unwrap();
    let (states, counties) = (parquet(STATES, folder.path(), 1), parquet(COUNTIES, folder.path(), 2));
    for join in ["index", "hash", "sort-merge"] {
        for predicate in PREDICATES {
            check("new-england", &[&states, &counties], predicate, &["--join", join, "--partitions", "3"]);
            check("new-england-self", &[&counties], predicate, &["--join", join]);
        }
    }
}

/// The distance is exactly 5, but its rounded square root is above 5. The printed distance is not above the limit.
#[test]
fn a_distance_at_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let point = write(folder.path(), "point.csv", "id,wkt\n1,POINT (0 3)\n");
    let line = write(folder.path(), "line.csv", "id,wkt\n2,\"LINESTRING (4 0, 7 4)\"\n");
    let both = write(folder.path(), "both.csv", "id,wkt\n1,POINT (0 3)\n2,\"LINESTRING (4 0, 7 4)\"\n");
    for join in ["index", "hash", "sort-merge"] {
        for inputs in [&[point.as_str(), &line][..], &[&both]] {
            let found = |limit: &str| {
                let output = run(&[inputs, &["--join", join, "--on", "within-distance", limit, "--distance"]].concat());
                String::from_utf8(output.stdout).unwrap()
            };
            assert_eq!(found("5"), "a,b,distance\n1,2,5.0\n", "{join}");
            assert_eq!(found("4.999999999999999"), "a,b,distance\n", "{join}");
        }
    }
}

/// 0 is one thread per core, and one partition per thread.
#[test]
fn no_threads_and_no_partitions() {
    let text = stderr(&run(&[&map(STATES), "--threads", "0", "--memory", "1MB"]));
    let cores = std::thread::available_parallelism().unwrap().get();
    let threads = if cores == 1 { "thread:" } else { "threads:" };
    assert!(text.contains(&format!("too little for {cores} {threads}")), "{text}");
    let text = stderr(&run(&[&map(STATES), "--threads", "1", "--memory", "1MB"]));
    assert!(text.contains("too little for 1 thread:") && !text.contains("fewer"), "{text}");
    let states = map(STATES);
    let plan = |partitions: &[&str]| {
        let options = ["--join", "sort-merge", "--threads", "3", "--explain"];
        stderr(&run(&[&[states.as_str()], &options[..], partitions].concat()))
    };
    let zero = plan(&["--partitions", "0"]);
    assert!(zero.contains("], 3)"), "{zero}");
    let partitions = |plan: &str| plan.matches("], 3)").count();
    assert_eq!(partitions(&zero), partitions(&plan(&[])));
}

/// The numbers of a pair do not depend on which input is in memory.
#[test]
fn depths_and_distances() {
    let rows = |join: &str, inputs: &[&str]| {
        let options = ["--join", join, "--depth", "--distance", "--on", "within-distance", "5"];
        let output = run(&[inputs, &options].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        digest(&String::from_utf8(output.stdout).unwrap())
    };
    let (states, counties) = (map(STATES), map(COUNTIES));
    for inputs in [&[states.as_str(), &counties][..], &[&counties, &states], &[&counties]] {
        assert_eq!(rows("index", inputs), rows("hash", inputs));
    }
}
