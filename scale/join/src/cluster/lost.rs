//! Distinguishes the loss of a scheduler from other failures of a job.
//!
//! If the scheduler ends, the engine reports an error of the connection, which can have other
//! causes. So this module connects to the scheduler again, several times: if that fails, the error
//! names the scheduler and the remedy.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::thread;
use std::time::Duration;

use crate::error::Failure;

/// The longest wait for an answer of the scheduler.
const PATIENCE: Duration = Duration::from_secs(3);

/// Attempts to reach the scheduler: a process that ends closes its connections before its port.
const ATTEMPTS: u32 = 5;

/// The time before each attempt.
const PAUSE: Duration = Duration::from_millis(100);

/// Returns an error that names the scheduler at `url` if it no longer listens, else `failure` as it is.
pub(crate) fn or_lost_scheduler(url: Option<&str>, failure: Failure) -> Failure {
    match (url, &failure) {
        (Some(url), Failure::Engine(error)) if !keeps_listening(url) => Failure::input(format!(
            "the scheduler at {url} was lost; no output was written: start it again, then the join ({})",
            error.strip_backtrace()
        )),
        _ => failure,
    }
}

/// Returns true if all attempts to reach an address succeed.
fn keeps_listening(url: &str) -> bool {
    (0..ATTEMPTS).all(|_| {
        thread::sleep(PAUSE);
        listens(url)
    })
}

/// Returns true if an address `df://host:port` accepts connections.
fn listens(url: &str) -> bool {
    let address = url.split_once("://").map_or(url, |(_, address)| address);
    address
        .to_socket_addrs()
        .is_ok_and(|mut all| all.any(|address| TcpStream::connect_timeout(&address, PATIENCE).is_ok()))
}
