//! Pages of Parquet whose sizes differ within a file: the largest one counts, wherever it is.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{Array, BinaryBuilder, Int64Array, RecordBatch};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use datafusion::parquet::file::reader::{FileReader as _, SerializedFileReader};
use tempfile::TempDir;

use crate::large::{pairs_within, square_wkb, squares};
use crate::run::{run, stderr};
use crate::store::Store;

/// Points before the squares. None meets a square.
const POINTS: u32 = 4000;

/// Rows of a page.
const ROWS: usize = 400;

/// Returns properties of a file with pages of [`ROWS`] rows, whatever their bytes.
fn pages_of_rows() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).unwrap()))
        .set_dictionary_enabled(false)
        .set_data_page_size_limit(1 << 30)
        .set_data_page_row_count_limit(ROWS)
        .set_write_batch_size(100)
}

/// Writes points in small pages, and 400 squares at distances of 40 000 in one page of 64 MB. Square i has the id
/// `POINTS + i`. `flush` ends the row group after the points.
fn late_page(path: &Path, properties: WriterProperties, flush: bool) -> String {
    let batch = |ids: std::ops::Range<u32>| {
        let mut geometries = BinaryBuilder::new();
        for id in ids.clone() {
            geometries.append_value(match id.checked_sub(POINTS) {
                Some(square) => square_wkb(40_000 * square),
                None => point_wkb(-f64::from(id) - 1.0),
            });
        }
        let ids = Int64Array::from_iter_values(ids.map(i64::from));
        let columns: [(_, Arc<dyn Array>); 2] = [("id", Arc::new(ids)), ("geometry", Arc::new(geometries.finish()))];
        RecordBatch::try_from_iter(columns).unwrap()
    };
    let points = batch(0..POINTS);
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), points.schema(), Some(properties)).unwrap();
    writer.write(&points).unwrap();
    if flush {
        writer.flush().unwrap();
    }
    for start in (POINTS..POINTS + ROWS as u32).step_by(20) {
        writer.write(&batch(start..start + 20)).unwrap();
    }
    writer.close().unwrap();
    path.display().to_string()
}

/// Writes 60 squares, and the file of [`late_page`]. Returns the folder and both paths.
fn few_and_late(properties: WriterProperties, flush: bool) -> (TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let few = squares(folder.path(), "few.parquet", 60, 40_000);
    let late = late_page(&folder.path().join("late.parquet"), properties, flush);
    (folder, few, late)
}

/// Returns a point on the diagonal.
fn point_wkb(x: f64) -> Vec<u8> {
    [&[1, 1, 0, 0, 0], &x.to_le_bytes()[..], &x.to_le_bytes()[..]].concat()
}

/// Returns the pairs of the first squares with the same squares of a file from [`late_page`].
fn same_squares(count: u32) -> Vec<Vec<u32>> {
    (0..count).map(|i| vec![i, POINTS + i]).collect()
}

/// Fails unless the program refuses the join and names the page. Returns the budget in MB that it names.
#[track_caller]
fn refused(args: &[&str], words: &[&str]) -> u32 {
    let output = run(&[args, &["--threads", "1", "--memory", "263MB"]].concat());
    let log = stderr(&output);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{log}");
    for words in words {
        assert!(log.contains(words), "no {words:?}: {log}");
    }
    let budget = log.split("--memory to ").nth(1).and_then(|text| text.split_once(" MB")).expect("a budget is named").0;
    budget.parse::<f64>().unwrap().ceil() as u32
}

/// The page is the last one of its column chunk, behind ten small ones, or alone in the last row group.
#[test]
fn a_late_page_is_refused_by_its_size() {
    for (flush, group) in [(false, "row group 0"), (true, "row group 1")] {
        let (_folder, few, late) = few_and_late(pages_of_rows().build(), flush);
        let file = format!("late.parquet: {group} has ");
        let least = refused(&[&few, &late], &[&file, "column geometry has a page of 64.0 MB"]);
        assert!(least < 380, "{least}");
        assert!(pairs_within(least, &[&few, &late]) == same_squares(60));
    }
}

/// The joins of the engine hold the rows of the page, too.
#[test]
fn a_late_page_in_the_joins_of_the_engine() {
    let (_folder, few, late) = few_and_late(pages_of_rows().build(), false);
    for join in ["index", "hash", "sort-merge"] {
        assert!(pairs_within(500, &[&few, &late, "--join", join]) == same_squares(60), "{join}");
    }
}

/// All squares are values of a dictionary. Its page is the first one, and larger than all others.
#[test]
fn a_large_dictionary_is_refused_by_its_size() {
    let properties = pages_of_rows().set_dictionary_enabled(true).set_dictionary_page_size_limit(1 << 30).build();
    let (_folder, few, late) = few_and_late(properties, false);
    // 4000 points of 21 bytes are in it, and 4 bytes per value.
    let least = refused(&[&few, &late], &["late.parquet: row group 0 has ", "column geometry has a page of 64.1 MB"]);
    assert!(pairs_within(least, &[&few, &late]) == same_squares(60));
}

/// The metadata have smaller sizes than the pages.
#[test]
fn metadata_that_are_not_true() {
    let (_folder, few, late) = few_and_late(pages_of_rows().build(), false);
    let mut bytes = std::fs::read(&late).unwrap();
    let reader = SerializedFileReader::new(File::open(&late).unwrap()).unwrap();
    let size = reader.metadata().row_group(0).column(1).uncompressed_size();
    assert!(size > 64_000_000);
    // Zigzag numbers of the same length. The second one is 1000.
    let (old, new) = (number(2 * size as u64, 4), number(2000, 4));
    let places: Vec<usize> = (0..bytes.len() - 4).filter(|&at| bytes[at..at + 4] == old).collect();
    let [.., place] = places[..] else { panic!("no size") };
    bytes[place..place + 4].copy_from_slice(&new);
    std::fs::write(&late, bytes).unwrap();
    let reader = SerializedFileReader::new(File::open(&late).unwrap()).unwrap();
    assert_eq!(reader.metadata().row_group(0).column(1).uncompressed_size(), 1000);
    let least = refused(&[&few, &late], &["row group 0 has ", "column geometry has a page of 64.0 MB"]);
    assert!(pairs_within(least, &[&few, &late]) == same_squares(60));
}

/// Returns a number with 7 bits per byte, the lowest ones first.
fn number(value: u64, length: usize) -> Vec<u8> {
    let more = |i| if i + 1 == length { 0 } else { 0x80 };
    (0..length).map(|i| (value >> (7 * i) & 0x7f) as u8 | more(i)).collect()
}

/// A file at an address is measured by its metadata if that suffices, else by the headers of its pages.
#[test]
fn pages_at_an_address() {
    let (folder, few, late) = few_and_late(pages_of_rows().build(), false);
    // 192 MB in pages of 3.2 MB.
    let many = squares(folder.path(), "many.parquet", 1200, 40_000);
    let store = Store::start(&[("late.parquet", late), ("many.parquet", many)]);
    let [late, many] = ["late", "many"].map(|name| format!("http://{}/{name}.parquet", store.address));
    let least = refused(&[&few, &late], &["row group 0 has ", "column geometry has a page of 64.0 MB"]);
    assert!(pairs_within(least, &[&few, &late]) == same_squares(60));
    let same: Vec<Vec<u32>> = (0..60).map(|i| vec![i, i]).collect();
    let requests = |budget| {
        let before = store.requests();
        assert!(pairs_within(budget, &[&few, &many]) == same);
        store.requests() - before
    };
    // A page has a header. Beside these, the joins read the same.
    let (little, much) = (requests(263), requests(900));
    assert!((50..=1024).contains(&(little - much)), "{little} {much}");
}
