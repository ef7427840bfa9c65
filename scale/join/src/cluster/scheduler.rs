//! Runs `carom-join scheduler`: the process that divides the jobs of a cluster into tasks.
//!
//! The scheduler plans the query of a client, keeps the state of its tasks, and gives them to
//! executors. It plans with the functions of carom. An executor without a sign of life counts as
//! lost after some seconds, and its tasks run again elsewhere.

use std::sync::Arc;

use ballista_core::extension::SessionConfigExt as _;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::SessionState;
use datafusion::prelude::{SessionConfig, SessionContext};

use super::{MESSAGE, POLICY};
use crate::args::SchedulerArgs;
use crate::error::Failure;
use crate::messages::message;
use crate::stores;

/// Runs a scheduler until it is stopped.
pub(crate) async fn scheduler(args: SchedulerArgs) -> Result<(), Failure> {
    super::log::start();
    let config = SchedulerConfig {
        external_host: args.host.clone(),
        bind_host: args.bind.clone(),
        bind_port: args.port,
        scheduling_policy: POLICY,
        executor_timeout_seconds: args.executor_timeout,
        expire_dead_executor_interval_seconds: 2,
        no_executors_grace_period_seconds: args.executor_timeout,
        grpc_server_max_decoding_message_size: MESSAGE,
        grpc_server_max_encoding_message_size: MESSAGE,
        grpc_client_max_message_size: MESSAGE,
        override_session_builder: Some(Arc::new(session)),
        override_config_producer: Some(Arc::new(SessionConfig::new_with_ballista)),
        ..SchedulerConfig::default()
    };
    let address = format!("{}:{}", args.bind, args.port);
    let failed = |error: &dyn std::fmt::Display| Failure::input(format!("scheduler at {address}: {error}"));
    let socket = address.parse().map_err(|error| failed(&error))?;
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(|error| failed(&error))?;
    message(format_args!("scheduler at df://{address}"));
    start_server(cluster, socket, Arc::new(config)).await.map_err(|error| failed(&error))
}

/// Creates the session of a client: with the functions of carom.
fn session(config: SessionConfig) -> datafusion::error::Result<SessionState> {
    let session = SessionContext::new_with_state(stores::session(config)?);
    carom_functions::register(&session);
    Ok(SessionStateBuilder::new_from_existing(session.state()).build())
}
