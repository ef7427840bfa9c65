//! Inputs in object stores and on web servers.

use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::maps::parquet;
use crate::run::{digest, expected, finish, join, map, program, run, stderr};
use crate::store::Store;

const COUNTIES: &str = "new-england-counties.geojson";
const STATES: &str = "new-england-states.geojson";

/// Writes the counties as three Parquet files, and returns their paths.
fn counties(folder: &std::path::Path) -> Vec<String> {
    let glob = parquet(COUNTIES, folder, 3);
    (0..3).map(|part| glob.replace('*', &part.to_string())).collect()
}

/// The pairs of files in a store are those of local files, for each format and for a pattern.
#[test]
fn objects_have_the_same_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let counties = counties(folder.path());
    let store = Store::start(&[
        ("maps/all in/states of 2020.geojson", map(STATES)),
        ("maps/all in/counties-0.parquet", counties[0].clone()),
        ("maps/all in/counties-1.parquet", counties[1].clone()),
        ("maps/all in/counties-2.parquet", counties[2].clone()),
        // A pattern does not reach into folders, and not beyond its suffix.
        ("maps/all in/old/counties-2.parquet", counties[2].clone()),
        ("maps/all in/counties-0.parquet.bak", counties[0].clone()),
    ]);
    let mut command = program();
    command
        .envs(store.environment())
        .args(["s3://maps/all in/states of 2020.geojson", "s3://maps/all in/counties-*.parquet"]);
    let output = finish(&mut command);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(digest(&String::from_utf8(output.stdout).unwrap()), expected("new-england intersects"));
}

/// The executors read an address themselves: they have no copy of the client's file.
#[test]
fn executors_read_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let states = parquet(STATES, folder.path(), 1).replace('*', "0");
    let counties = parquet(COUNTIES, folder.path(), 1).replace('*', "0");
    let store = Store::start(&[("states.parquet", states.clone()), ("counties.parquet", counties.clone())]);
    std::fs::remove_file(states).unwrap();
    std::fs::remove_file(counties).unwrap();
    let [states, counties] = ["states", "counties"].map(|name| format!("http://{}/{name}.parquet", store.address));
    assert_eq!(join(&[&states, &counties]), expected("new-england intersects"));
    let cluster = Cluster::start(2);
    assert_eq!(join(&[&states, &counties, "--cluster", &cluster.url]), expected("new-england intersects"));
}

#[test]
fn sql_reads_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::start(&[("counties.parquet", parquet(COUNTIES, folder.path(), 1).replace('*', "0"))]);
    let query = format!("SELECT count(*) AS n FROM 'http://{}/counties.parquet'", store.address);
    let output = run(&["sql", &query]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("| 67 |"), "{}", String::from_utf8_lossy(&output.stdout));
}

/// An address that cannot be read ends the program soon, with its name and the reason.
#[test]
fn unreadable_addresses_are_named() {
    let store = Store::start(&[("bad.parquet", map(STATES))]);
    let server = format!("http://{}", store.address);
    let cases = [
        (format!("{server}/none.parquet"), "not found"),
        (format!("{server}/bad.parquet"), "Invalid Parquet file"),
        (format!("{server}/*.parquet"), "name each file"),
        (format!("{server}/bad.parquet?token=1"), "name each file"),
        ("http://user@localhost/a.parquet".to_owned(), "before an @"),
        ("ftp://localhost/a.parquet".to_owned(), "ftp:// cannot be read"),
        ("s3://maps/none-*.parquet".to_owned(), "no such file"),
        ("s3://maps*/a.parquet".to_owned(), "bucket"),
        ("http://127.0.0.1:1/a.parquet".to_owned(), "error sending request"),
    ];
    for (address, reason) in cases {
        let start = Instant::now();
        let output = finish(program().envs(store.environment()).arg(&address));
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{address}: {text}");
        assert!(text.to_lowercase().contains(&reason.to_lowercase()), "{address}: {text}");
        assert!(text.contains(&address), "{address}: {text}");
        assert!(start.elapsed() < Duration::from_secs(30), "{address}");
    }
}
