//! Runs `carom-join sql`: any query of the engine, with the functions of carom.
//!
//! Tables are files named in the query, or `--table NAME=INPUT`, which also reads GeoJSON. The
//! result is printed as a table, or written to a file batch by batch.

use std::sync::Arc;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::physical_plan::execute_stream;
use futures::StreamExt as _;

use crate::args::SqlArgs;
use crate::engine::{self, Options};
use crate::error::Failure;
use crate::input::{Sizes, Source};
use crate::join::temporary;
use crate::memory::Budget;
use crate::output::Output;

/// Runs a query.
pub(crate) async fn run(args: SqlArgs, threads: usize) -> Result<(), Failure> {
    let temp = temporary(args.temp.as_deref())?;
    let options = Options {
        budget: Budget::new(args.memory, threads)?,
        partitions: threads,
        temp: temp.path(),
        sizes: Sizes::default(),
        hash_join: true,
        cluster: None,
    };
    let session = engine::session(&options).await?.enable_url_table();
    for table in &args.table {
        let Some((name, input)) = table.split_once('=') else {
            return Err(Failure::input(format!("--table {table}: write NAME=INPUT")));
        };
        Source::open_table(&session, name, input, temp.path()).await?;
    }
    let plan = session.sql(&args.query).await?.create_physical_plan().await?;
    let mut stream = execute_stream(Arc::clone(&plan), session.task_ctx())?;
    if args.output.is_some() {
        let mut output = Output::create(args.output.as_deref(), None, &plan.schema(), temp.path())?;
        while let Some(batch) = stream.next().await {
            output.write(&batch?)?;
        }
        return output.finish();
    }
    let mut batches = Vec::new();
    while let Some(batch) = stream.next().await {
        batches.push(batch?);
    }
    println!("{}", pretty_format_batches(&batches)?);
    Ok(())
}
