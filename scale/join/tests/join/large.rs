//! Outlines of 160 kB: the resident memory stays within the budget. Only Linux reports it.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{BinaryBuilder, Int64Array, RecordBatch};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::WriterProperties;

use crate::maps::write;
use crate::run::{run, stderr};

/// Points on each side of a square, one unit apart.
const SIDE: u32 = 2500;

/// Returns the corners and the points on the sides of a square, from its low corner `[x, 0]`.
fn square(x: u32) -> Vec<[u32; 2]> {
    let side = |at: fn(u32) -> [u32; 2]| (0..SIDE).map(at);
    let sides = side(|i| [i, 0]).chain(side(|i| [SIDE, i])).chain(side(|i| [SIDE - i, SIDE]));
    sides.chain(side(|i| [0, SIDE - i])).chain([[0, 0]]).map(|[dx, dy]| [x + dx, dy]).collect()
}

/// Returns a square as WKB.
pub(crate) fn square_wkb(x: u32) -> Vec<u8> {
    let points = square(x);
    let mut wkb = vec![1];
    wkb.extend([3, 1, points.len() as u32].into_iter().flat_map(u32::to_le_bytes));
    wkb.extend(points.into_iter().flatten().flat_map(|value| f64::from(value).to_le_bytes()));
    wkb
}

/// Writes squares of 160 kB each as one row group of Parquet. They compress well. Square i starts at `step` i.
pub(crate) fn squares(folder: &Path, name: &str, count: u32, step: u32) -> String {
    let compression = Compression::ZSTD(ZstdLevel::try_new(1).unwrap());
    let properties = WriterProperties::builder().set_compression(compression).build();
    written(&folder.join(name), count, step, &properties)
}

/// Writes squares with properties of the file.
fn written(path: &Path, count: u32, step: u32, properties: &WriterProperties) -> String {
    let mut writer = None;
    for start in (0..count).step_by(20) {
        let ids = start..(start + 20).min(count);
        let mut geometries = BinaryBuilder::new();
        for id in ids.clone() {
            geometries.append_value(square_wkb(step * id));
        }
        let ids = Int64Array::from_iter_values(ids.map(i64::from));
        let columns: [(_, Arc<dyn datafusion::arrow::array::Array>); 2] =
            [("id", Arc::new(ids)), ("geometry", Arc::new(geometries.finish()))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let writer = writer.get_or_insert_with(|| {
            ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties.clone())).unwrap()
        });
        writer.write(&batch).unwrap();
    }
    writer.unwrap().close().unwrap();
    path.display().to_string()
}

/// Returns the largest resident memory in MB, which `--explain` prints.
pub(crate) fn peak(log: &str) -> u32 {
    let peak = log.lines().find_map(|line| line.strip_prefix("largest resident memory: ")?.strip_suffix(" MB"));
    peak.expect("the peak is printed").parse().unwrap()
}

/// Returns the pairs of a join, sorted. Fails if the largest resident memory exceeds the budget in MB.
#[track_caller]
pub(crate) fn pairs_within(budget: u32, args: &[&str]) -> Vec<Vec<u32>> {
    let memory = format!("{budget}MB");
    let output = run(&[args, &["--explain", "--threads", "1", "--memory", &memory]].concat());
    let log = stderr(&output);
    assert!(output.status.success(), "{}", log.lines().last().unwrap_or_default());
    assert!(peak(&log) <= budget, "{} MB", peak(&log));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut found: Vec<Vec<u32>> =
        text.lines().skip(1).map(|line| line.split(',').map(|id| id.parse().unwrap()).collect()).collect();
    found.sort_unstable();
    found
}

/// The rows of a batch follow from their sizes: 1200 of these squares have 192 MB.
#[test]
fn large_outlines() {
    let folder = tempfile::tempdir().unwrap();
    let many = squares(folder.path(), "many.parquet", 1200, 2000);
    let few = squares(folder.path(), "few.parquet", 60, 40_000);
    assert!(pairs_within(263, &[&few, &many]) == neighbours(60));
    assert!(pairs_within(500, &[&few, &many, "--join", "sort-merge"]) == neighbours(60));
}

/// Both inputs have a row group of 64 MB. The readers of both together do not fit, but the joins of the engine read one
/// input after the other.
#[test]
fn large_row_groups_of_both_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
    let [many, few] = [("many.parquet", 2000), ("few.parquet", 40_000)]
        .map(|(name, step)| written(&folder.path().join(name), 400, step, &properties));
    let mut expected = neighbours(400);
    expected.retain(|pair| pair[1] < 400);
    for join in ["hash", "sort-merge"] {
        assert!(pairs_within(500, &[&few, &many, "--join", join]) == expected);
    }
    // Without a choice: neither an index nor a hash join fits.
    assert!(pairs_within(320, &[&few, &many]) == expected);
}

/// 500 squares are one page of 80 MB, which compresses well.
#[test]
fn a_large_page_is_refused_by_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).unwrap()))
        .set_dictionary_enabled(false)
        .set_data_page_size_limit(1 << 30)
        .build();
    let page = written(&folder.path().join("page.parquet"), 500, 40_000, &properties);
    let output = run(&[&page, "--threads", "1", "--memory", "263MB"]);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{}", stderr(&output));
    for words in ["page.parquet: row group 0 has ", "pages of 80.0 MB", "--memory"] {
        assert!(stderr(&output).contains(words), "no {words}: {}", stderr(&output));
    }
    assert!(pairs_within(500, &[&page]).is_empty());
}

/// Samples of the text give the sizes of the rows.
#[test]
fn large_outlines_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let few = squares(folder.path(), "few.parquet", 35, 40_000);
    let mut text = "id,wkt\n".to_owned();
    for i in 0..700 {
        let points: Vec<String> = square(2000 * i).iter().map(|[x, y]| format!("{x} {y}")).collect();
        writeln!(text, "{i},\"POLYGON (({}))\"", points.join(", ")).unwrap();
    }
    let many = write(folder.path(), "many.csv", &text);
    assert!(pairs_within(263, &[&few, &many]) == neighbours(35));
}

/// Returns the pairs of `count` squares at distances of 40 000 with squares at distances of 2000. Each intersects the
/// one at its place and the neighbours of that.
fn neighbours(count: u32) -> Vec<Vec<u32>> {
    let near = |i: u32| (20 * i).saturating_sub(1)..=20 * i + 1;
    (0..count).flat_map(|i| near(i).map(move |other| vec![i, other])).collect()
}
