//! `--threads` never changes the output.
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::carom::{carom, carom_with};

/// Returns enough circles to share every stage. Each intersects some of its neighbours.
fn crowd() -> String {
    let mut scene = String::from(r#"{"carom": 1, "colliders": ["#);
    for i in 0..8_100_u32 {
        let comma = if i == 0 { "" } else { "," };
        // Positions are near the points of a lattice, in shuffled order.
        let (at, jitter) = (i * 4_801 % 8_100, i.wrapping_mul(2_654_435_761));
        let [x, y] = [(at % 90, jitter >> 8), (at / 90, jitter >> 20)]
            .map(|(cell, bits)| f64::from(cell) + f64::from(bits & 0xfff) / 8192.0);
        write!(scene, r#"{comma}{{"shape": {{"circle": {{"radius": 0.5}}}}, "position": [{x}, {y}]}}"#).unwrap();
    }
    scene + "]}"
}

#[test]
fn a_check_prints_the_same_bytes_on_any_number_of_threads() {
    let scene = crowd();
    let check = |args: &[&str]| carom_with(&[&["check", "-", "--format", "ndjson"], args].concat(), &scene).data();
    let expected = check(&["--threads", "1", "--broad", "sweep"]);
    assert!(expected.lines().count() > 4_000, "only {} contacts", expected.lines().count());
    for broad in ["auto", "strips", "bvh"] {
        for threads in ["0", "1", "2", "5"] {
            assert!(check(&["--broad", broad, "--threads", threads]) == expected, "{broad} on {threads} threads");
        }
    }
    assert!(check(&[]) == expected, "without --threads");
}

#[test]
fn a_simulation_leaves_the_same_trace_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let trace = |threads: &str| {
        let path = folder.path().join(threads);
        carom(&[
            "simulate",
            "--balls",
            "6000",
            "--steps",
            "4",
            "--threads",
            threads,
            "--trace",
            path.to_str().unwrap(),
        ])
        .data();
        fs::read_to_string(path).unwrap()
    };
    let expected = trace("1");
    assert_eq!(expected.lines().count(), 4);
    for threads in ["0", "2", "5"] {
        assert!(trace(threads) == expected, "on {threads} threads");
    }
}

#[test]
fn the_bench_races_on_one_thread_and_on_all() {
    let report: Value =
        serde_json::from_str(&carom(&["bench", "--most", "300", "--threads", "3", "--format", "json"]).data())
            .expect("one object");
    assert_eq!(report["threads"], 3);
    let of = |workload: &'static str, strategy: &'static str| {
        let rows = report["rows"].as_array().unwrap().iter();
        rows.filter(move |row| row["workload"] == workload && row["strategy"] == strategy)
    };
    let raced =
        |strategy| -> Vec<u64> { of("all move", strategy).map(|row| row["threads"].as_u64().unwrap()).collect() };
    assert_eq!([raced("strips"), raced("bvh"), raced("sweep")], [vec![1, 3], vec![1, 3], vec![1]]);
    // The memory limit in the same table.
    assert_eq!(raced("memory alone"), [1]);
    // Whole steps of balls: all strategies find the same contacts.
    let contacts = |strategy| -> Vec<u64> {
        of("balls that move and bounce", strategy).map(|row| row["pairs"].as_u64().unwrap()).collect()
    };
    let [found, ..] = contacts("auto")[..] else { panic!("{report}") };
    assert!(found > 0);
    assert_eq!(
        [contacts("auto"), contacts("strips"), contacts("sweep")],
        [vec![found; 2], vec![found; 2], vec![found]]
    );
    assert!(of("balls that move and bounce", "brute").all(|row| row["ns"].as_f64().unwrap() > 0.0));
}
