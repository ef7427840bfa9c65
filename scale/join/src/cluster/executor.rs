//! Runs `carom-join executor`: a process that computes tasks of a cluster.
//!
//! The executor fetches tasks from the scheduler, computes them in several threads, and serves
//! their intermediate results to other executors. Its functions include those of carom, because a
//! plan names functions only by name. The memory is bounded as in a join on one machine.

use std::sync::Arc;

use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};

use super::{HEARTBEAT, MESSAGE, POLICY};
use crate::args::ExecutorArgs;
use crate::error::Failure;
use crate::join::temporary;
use crate::memory::Budget;
use crate::messages::message;
use crate::stores;

/// Runs an executor until it is stopped.
pub(crate) async fn executor(args: ExecutorArgs, slots: usize) -> Result<(), Failure> {
    super::log::start();
    let Some((host, port)) = args.scheduler.rsplit_once(':') else {
        return Err(Failure::input(format!("--scheduler {}: write host:port", args.scheduler)));
    };
    let scheduler_port =
        port.parse().map_err(|_| Failure::input(format!("--scheduler {}: {port} is not a port", args.scheduler)))?;
    let Some(grpc_port) = args.port.checked_add(1) else {
        return Err(Failure::input("--port must be below 65535: the executor uses the next one, too"));
    };
    let budget = Budget::new(args.memory, slots)?;
    let work = temporary(args.work.as_deref())?;
    let spill = work.path().to_path_buf();
    let config = ExecutorProcessConfig {
        bind_host: args.bind,
        external_host: args.host,
        port: args.port,
        grpc_port,
        scheduler_host: host.to_owned(),
        scheduler_port,
        scheduler_connect_timeout_seconds: 30,
        vcores: slots,
        task_scheduling_policy: POLICY,
        work_dir: Some(work.path().display().to_string()),
        executor_heartbeat_interval_seconds: HEARTBEAT,
        grpc_max_decoding_message_size: MESSAGE,
        grpc_max_encoding_message_size: MESSAGE,
        memory_pool_size: Some(budget.pool as u64),
        override_runtime_producer: Some(Arc::new(move |_| stores::runtime().with_temp_file_path(&spill).build_arc())),
        override_function_registry: Some(Arc::new(functions())),
        ..ExecutorProcessConfig::default()
    };
    message(format_args!("executor at port {}, {slots} tasks at a time", args.port));
    start_executor_process(Arc::new(config))
        .await
        .map_err(|error| Failure::input(format!("executor of {}: {error}", args.scheduler)))
}

/// Returns the functions of the engine and of carom.
fn functions() -> BallistaFunctionRegistry {
    let mut registry = BallistaFunctionRegistry::default();
    for function in carom_functions::scalar_functions() {
        registry.scalar_functions.insert(function.name().to_owned(), Arc::new(function));
    }
    for function in carom_functions::aggregate_functions() {
        registry.aggregate_functions.insert(function.name().to_owned(), Arc::new(function));
    }
    registry
}
