//! The program `carom-generate`: writes random outlines as GeoParquet.
//!
//! On one platform, the same arguments give the same file. Two files with the same `--world` and
//! `--seed` share their cities, so they can be joined.

mod cities;
mod outline;

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use datafusion::arrow::array::{BinaryBuilder, Int64Builder, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::metadata::KeyValue;
use datafusion::parquet::file::properties::WriterProperties;

use cities::Cities;

/// Rows of a batch.
const ROWS: u64 = 8192;

/// Rows of a row group.
const ROW_GROUP: usize = 1 << 17;

/// GeoParquet metadata: WKB polygons in a column `geometry`, without a coordinate reference system.
const GEO: &str = r#"{"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Polygon"], "crs": null}}}"#;

/// Write random outlines, skewed as cities are, as GeoParquet.
#[derive(Parser)]
#[command(name = "carom-generate", version)]
struct Args {
    /// File to write
    output: PathBuf,

    /// Number of outlines
    #[arg(long)]
    count: u64,

    /// Number of outlines for which the world has room; the same for files that are to be joined
    /// [default: count]
    #[arg(long)]
    world: Option<u64>,

    /// Mean diameter of an outline; a building has 12
    #[arg(long, default_value_t = 12.0)]
    size: f64,

    /// Seed of the cities
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Seed of the outlines; another one for each file
    #[arg(long, default_value_t = 1)]
    outlines: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match write(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("carom-generate: {}: {error}", args.output.display());
            ExitCode::from(2)
        }
    }
}

/// Writes the file batch by batch, so that the memory does not grow with the number of outlines.
fn write(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let schema = Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("geometry", DataType::Binary, false),
    ]));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .set_key_value_metadata(Some(vec![KeyValue::new("geo".to_owned(), GEO.to_owned())]))
        .build();
    let mut writer = ArrowWriter::try_new(File::create(&args.output)?, Arc::clone(&schema), Some(properties))?;
    let cities = Cities::new(args.world.unwrap_or(args.count), args.seed);
    let mut random = fastrand::Rng::with_seed(args.seed.rotate_left(32) ^ args.outlines);
    let mut wkb = Vec::new();
    let mut next = 0;
    while next < args.count {
        let end = args.count.min(next + ROWS);
        let (mut ids, mut geometries) = (Int64Builder::new(), BinaryBuilder::new());
        for id in next..end {
            let center = cities.random_position(&mut random);
            outline::write(center, args.size, &mut random, &mut wkb);
            ids.append_value(id as i64);
            geometries.append_value(&wkb);
        }
        let batch =
            RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(ids.finish()), Arc::new(geometries.finish())])?;
        writer.write(&batch)?;
        next = end;
    }
    writer.close()?;
    Ok(())
}
