//! Defines the arguments of the command line, and parses the predicate.
//!
//! The doc comments of the fields are the texts of `--help`. `--on within-distance D` is one option
//! with a value of two words, so [`joined`] connects them before `clap` parses the arguments.

use std::ffi::OsString;
use std::path::PathBuf;

use bytesize::ByteSize;
use carom_functions::Predicate;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Join outlines with outlines: which pairs intersect, overlap, contain each other or are near.
///
/// Reads Parquet and GeoParquet (WKB), GeoJSON, newline-delimited GeoJSON, and CSV with a WKT
/// column. With one input, the input is joined with itself.
///
/// Exit codes: 0 done; 2 bad input, bad arguments or not enough resources; 130 interrupted.
#[derive(Parser)]
#[command(name = "carom-join", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) join: JoinArgs,
}

impl Cli {
    /// Returns the number of worker threads. None and 0 are one per core.
    pub(crate) fn threads(&self) -> usize {
        let wanted = match &self.command {
            None => self.join.threads,
            Some(Command::Sql(args)) => args.threads,
            Some(Command::Executor(args)) => args.slots,
            Some(Command::Scheduler(_)) => None,
        };
        let wanted = wanted.filter(|&count| count > 0);
        wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Sql(SqlArgs),
    Scheduler(SchedulerArgs),
    Executor(ExecutorArgs),
}

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct JoinArgs {
    /// Files of the two inputs: paths, or addresses such as `s3://bucket/a.parquet`; globs such as
    /// 'buildings/*.parquet' (quoted) name many files
    #[arg(required = true, num_args = 1..=2, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,

    /// intersects (touching counts), overlaps, contains (the first input contains the second), or
    /// within-distance D
    #[arg(long, default_value = "intersects", value_name = "PREDICATE", value_parser = predicate)]
    pub(crate) on: Predicate,

    /// Write the pairs to this file: .parquet, .ndjson or .csv; without it, CSV goes to stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Format of the output, if its name does not say it
    #[arg(long)]
    pub(crate) format: Option<Format>,

    /// Column with the id of an outline; twice if the inputs differ [default: id]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Vec<String>,

    /// Column with the geometry; twice if the inputs differ [default: from the file's metadata, or
    /// geometry, geom, wkb or wkt]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) geometry: Vec<String>,

    /// Keep only the rows of both inputs for which this SQL condition holds
    #[arg(long = "where", value_name = "SQL")]
    pub(crate) filter: Option<String>,

    /// Add the penetration depth of each pair
    #[arg(long)]
    pub(crate) depth: bool,

    /// Add the distance of each pair
    #[arg(long)]
    pub(crate) distance: bool,

    /// Leave out outlines that are not valid, and list them on stderr
    #[arg(long)]
    pub(crate) skip_invalid: bool,

    /// Bound the resident memory of this process, for instance 2GB; on a cluster, each executor has a
    /// budget of its own [default: half of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,

    /// Number of worker threads; 0 is one per core [default: 0]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Number of partitions of the engine; 0 is one per thread, or 16 with --cluster [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) partitions: Option<usize>,

    /// Join: index (a tree in memory), or one of the engine: hash (in memory) or sort-merge
    /// (spills) [default: by the memory]. Not with --cluster
    #[arg(long, conflicts_with = "cluster")]
    pub(crate) join: Option<Algorithm>,

    /// Directory for temporary files; with --cluster, all machines must see it
    #[arg(long, value_name = "DIR")]
    pub(crate) temp: Option<PathBuf>,

    /// Run on a cluster: the address of its scheduler, such as `df://host:50050`
    #[arg(long, value_name = "URL")]
    pub(crate) cluster: Option<String>,

    /// Print the query and the plan of the engine on stderr
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Run a SQL query with the functions of carom.
///
/// A table is a file, quoted: SELECT count(*) FROM 'buildings.parquet'.
#[derive(Args)]
pub(crate) struct SqlArgs {
    /// The query
    pub(crate) query: String,

    /// Give an input a name: --table roads=roads.geojson
    #[arg(long, value_name = "NAME=INPUT")]
    pub(crate) table: Vec<String>,

    /// Write the rows to this file: .parquet, .ndjson or .csv; without it, a table goes to stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Bound the memory of the engine; row groups and pages of Parquet are not counted [default: half
    /// of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,

    /// Number of worker threads; 0 is one per core [default: 0]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Directory for temporary files
    #[arg(long, value_name = "DIR")]
    pub(crate) temp: Option<PathBuf>,
}

/// Run the scheduler of a cluster.
#[derive(Args)]
pub(crate) struct SchedulerArgs {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) bind: String,

    /// Port to listen on
    #[arg(long, default_value_t = 50050)]
    pub(crate) port: u16,

    /// Host name by which executors reach this machine
    #[arg(long, default_value = "localhost")]
    pub(crate) host: String,

    /// Seconds without a sign of life after which an executor counts as lost
    #[arg(long, default_value_t = 15, value_name = "SECONDS")]
    pub(crate) executor_timeout: u64,
}

/// Run an executor of a cluster.
#[derive(Args)]
pub(crate) struct ExecutorArgs {
    /// Scheduler to work for, host:port
    #[arg(long, default_value = "localhost:50050")]
    pub(crate) scheduler: String,

    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) bind: String,

    /// Host name by which other machines reach this executor [default: as the scheduler sees it]
    #[arg(long)]
    pub(crate) host: Option<String>,

    /// Port for results; the next port is for tasks
    #[arg(long, default_value_t = 50051)]
    pub(crate) port: u16,

    /// Tasks at a time; 0 is one per core [default: 0]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) slots: Option<usize>,

    /// Bound the memory of the engine; row groups and pages of Parquet are not counted [default: half
    /// of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,

    /// Directory for intermediate results [default: a new one in the directory for temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
}

/// A format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Parquet,
    Ndjson,
    Csv,
}

/// A way to join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Algorithm {
    /// A tree of one input in memory.
    Index,
    /// The hash join of the engine, in memory.
    Hash,
    /// The sort-merge join of the engine, which spills.
    SortMerge,
}

/// Threads of the program, at most. The system takes minutes to start thousands.
const MOST_THREADS: usize = 1024;

/// Reads a number of threads.
fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count <= MOST_THREADS => Ok(count),
        _ => Err(format!("expected a number up to {MOST_THREADS}")),
    }
}

/// Reads the condition on a pair.
fn predicate(text: &str) -> Result<Predicate, String> {
    match text.split_once(':').unwrap_or((text, "")) {
        ("intersects", "") => Ok(Predicate::Intersects),
        ("overlaps", "") => Ok(Predicate::Overlaps),
        ("contains", "") => Ok(Predicate::Contains),
        ("within-distance", distance) => match distance.parse::<f64>() {
            Ok(distance) if distance.is_finite() && distance >= 0.0 => Ok(Predicate::Within(distance)),
            _ => Err("write `within-distance D` with a number D of 0 or more, in units of the map".into()),
        },
        _ => Err("expected intersects, overlaps, contains or within-distance D".into()),
    }
}

/// Joins `--on within-distance D` to one argument, `--on within-distance:D`.
pub(crate) fn joined(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    for arg in args {
        let waits = match &out[..] {
            [.., on, last] if on == "--on" => last == "within-distance",
            [.., last] => last == "--on=within-distance",
            [] => false,
        };
        if waits && let Some(last) = out.last_mut() {
            last.push(":");
            last.push(arg);
        } else {
            out.push(arg);
        }
    }
    out
}
