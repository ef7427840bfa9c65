//! Runs `carom-join sql`: any query of the engine, with the functions of carom.
//!
//! Tables are files named in the query, or `--table NAME=INPUT`, which also reads GeoJSON. The
//! result is printed as a table, or written to a file batch by batch.

use std::sync::Arc;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::datasource::listing::ListingTable;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use futures::StreamExt as _;
use url::Url;

use crate::args::SqlArgs;
use crate::engine::{self, Options};
use crate::error::Failure;
use crate::input::{Sizes, Source};
use crate::join::temporary;
use crate::memory::Budget;
use crate::output::{self, Output};

/// Runs a query.
pub(crate) async fn run(args: SqlArgs, threads: usize) -> Result<(), Failure> {
    output::check(args.output.as_deref(), None, std::iter::empty())?;
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
    let mut inputs = Vec::new();
    for table in &args.table {
        let Some((name, input)) = table.split_once('=') else {
            return Err(Failure::input(format!("--table {table}: write NAME=INPUT")));
        };
        let source = Source::open_table(&session, name, input, temp.path()).await?;
        inputs.extend(source.files().iter().map(|file| file.name.clone()));
    }
    let query = session.sql(&args.query).await?;
    inputs.extend(tables_named(query.logical_plan())?);
    let plan = query.create_physical_plan().await?;
    inputs.extend(files_read(&plan)?);
    output::check(args.output.as_deref(), None, inputs.iter().map(String::as_str))?;
    let mut stream = execute_stream(Arc::clone(&plan), session.task_ctx())?;
    if args.output.is_some() {
        let mut output = Output::create(args.output.as_deref(), None, &plan.schema(), temp.path())?;
        while let Some(batch) = stream.next().await {
            output.write(&batch?)?;
        }
        return output.finish().await;
    }
    let mut batches = Vec::new();
    while let Some(batch) = stream.next().await {
        batches.push(batch?);
    }
    println!("{}", pretty_format_batches(&batches)?);
    Ok(())
}

/// Returns the addresses of the tables that a query names. The metadata of a file can be the whole answer, so a plan
/// need not read it.
fn tables_named(query: &LogicalPlan) -> Result<Vec<String>, Failure> {
    let mut tables = Vec::new();
    query.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && let Ok(table) = source_as_provider(&scan.source)
            && let Some(table) = table.downcast_ref::<ListingTable>()
        {
            tables.extend(table.table_paths().iter().map(ToString::to_string));
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(tables)
}

/// Returns the addresses of the files that a plan reads, those in a folder too.
fn files_read(plan: &Arc<dyn ExecutionPlan>) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    plan.apply(|node| {
        let scan = node.downcast_ref::<DataSourceExec>().map(DataSourceExec::data_source);
        if let Some(scan) = scan.and_then(|source| source.downcast_ref::<FileScanConfig>()) {
            for file in scan.file_groups.iter().flat_map(FileGroup::files) {
                let mut url: Url = AsRef::<Url>::as_ref(&scan.object_store_url).clone();
                if let Ok(mut segments) = url.path_segments_mut() {
                    segments.clear().extend(file.object_meta.location.as_ref().split('/'));
                }
                files.push(url.to_string());
            }
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(files)
}
