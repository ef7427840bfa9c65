//! Damaged files and full disks: a clear error, and no output.

use std::fs::File;
use std::process::Command;

use datafusion::parquet::file::reader::{FileReader as _, SerializedFileReader};

use crate::maps::parquet;
use crate::run::{finish, leftovers, map, run, stderr};

const COUNTIES: &str = "new-england-counties.geojson";

#[test]
fn a_truncated_file() {
    let folder = tempfile::tempdir().unwrap();
    parquet(COUNTIES, folder.path(), 2);
    let whole = std::fs::read(folder.path().join(format!("{COUNTIES}-1.parquet"))).unwrap();
    std::fs::write(folder.path().join("cut.parquet"), &whole[..whole.len() / 2]).unwrap();
    let to = folder.path().join("out.csv");
    let output = run(&[&folder.path().join("cut.parquet").display().to_string(), "-o", &to.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cut.parquet"), "{}", stderr(&output));
    assert!(!to.exists());
}

/// The footer is whole, but the data of a row group is not: the file among many is named.
#[test]
fn an_unreadable_row_group() {
    let folder = tempfile::tempdir().unwrap();
    let glob = parquet(COUNTIES, folder.path(), 3);
    let path = folder.path().join(format!("{COUNTIES}-1.parquet"));
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len() / 2;
    bytes[4..end].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let to = folder.path().join("out.csv");
    let output = run(&[&glob, "-o", &to.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(&format!("{COUNTIES}-1.parquet")), "{}", stderr(&output));
    assert!(!to.exists());
}

/// Only the geometries are damaged, not the ids.
#[test]
fn an_unreadable_geometry_column() {
    let folder = tempfile::tempdir().unwrap();
    let glob = parquet(COUNTIES, folder.path(), 3);
    let path = folder.path().join(format!("{COUNTIES}-1.parquet"));
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let columns = reader.metadata().row_group(0).columns();
    let geometry = columns.iter().find(|column| column.column_path().string() == "geometry").unwrap();
    let (start, length) = geometry.byte_range();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[start as usize..][..length as usize].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    for join in ["index", "hash", "sort-merge"] {
        let output = run(&[&glob, "--join", join]);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty());
        assert!(stderr(&output).contains(&format!("{COUNTIES}-1.parquet")), "{join}: {}", stderr(&output));
    }
}

/// A limit on the size of a file has the effect of a full disk: a write fails.
#[cfg(unix)]
#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let counties = parquet(COUNTIES, folder.path(), 1);
    let before = leftovers(folder.path()).len();
    let to = folder.path().join("out.csv").display().to_string();
    // 1 block is 512 or 1024 bytes: less than the pairs need. The signal of the limit is ignored.
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} '{counties}' --on within-distance 5 -o '{to}'",
        env!("CARGO_BIN_EXE_carom-join")
    );
    let output = finish(Command::new("bash").args(["-c", &line]));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("out.csv"), "{}", stderr(&output));
    assert_eq!(leftovers(folder.path()).len(), before, "{:?}", leftovers(folder.path()));
}

#[cfg(unix)]
#[test]
fn an_output_that_cannot_be_written() {
    let output = run(&[&map(COUNTIES), "-o", "/no/such/folder/out.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("/no/such/folder/out.csv"), "{}", stderr(&output));
}
