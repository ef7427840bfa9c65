//! A cluster of real processes: the same pairs, and an end within a minute if a process is lost.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::maps::parquet;
use crate::run::{LIMIT, expected, finish, join, map, program, stderr};

const COUNTIES: &str = "new-england-counties.geojson";
const STATES: &str = "new-england-states.geojson";

/// A process that is killed at the end of a test.
pub(crate) struct Process(Child);

impl Process {
    /// Kills the process at once.
    pub(crate) fn kill(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A scheduler and its executors.
pub(crate) struct Cluster {
    pub(crate) scheduler: Process,
    pub(crate) executors: Vec<Process>,
    pub(crate) url: String,
    /// The folders with the intermediate results of the executors.
    pub(crate) work: Vec<TempDir>,
}

/// Returns two free ports, one after the other.
fn ports() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        if port < u16::MAX && TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return port;
        }
    }
}

/// Starts a process that listens at a free port, and returns the port. Between the search for a free port and its use,
/// another process can take it. Then the process ends, and the next attempt takes another port.
fn start(program: fn() -> Command, args: &[&str]) -> (Process, u16) {
    for _ in 0..5 {
        let port = ports();
        let mut command = program();
        command.args(args).args(["--port", &port.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
        let mut process = Process(command.spawn().unwrap());
        let start = Instant::now();
        while process.0.try_wait().unwrap().is_none() {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return (process, port);
            }
            assert!(start.elapsed() < LIMIT, "{args:?} does not listen at {port}");
            thread::sleep(Duration::from_millis(50));
        }
    }
    panic!("{args:?} ends at once");
}

impl Cluster {
    pub(crate) fn start(executors: usize) -> Self {
        Self::start_with(executors, program)
    }

    /// Starts a cluster whose executors are the commands that `executor` returns.
    pub(crate) fn start_with(executors: usize, executor: fn() -> Command) -> Self {
        let (scheduler, port) = start(program, &["scheduler", "--executor-timeout", "8"]);
        let work: Vec<TempDir> = (0..executors).map(|_| tempfile::tempdir().unwrap()).collect();
        let address = format!("localhost:{port}");
        let executors = work
            .iter()
            .map(|work| {
                let work = work.path().to_str().unwrap();
                let args = ["executor", "--scheduler", &address, "--slots", "1", "--memory", "500MB", "--work", work];
                start(executor, &args).0
            })
            .collect();
        Self { scheduler, executors, url: format!("df://localhost:{port}"), work }
    }
}

#[test]
fn two_executors_find_the_same_pairs() {
    let cluster = Cluster::start(2);
    let folder = tempfile::tempdir().unwrap();
    let (states, counties) = (parquet(STATES, folder.path(), 1), parquet(COUNTIES, folder.path(), 3));
    for partitions in ["2", "7"] {
        let options = ["--cluster", &cluster.url, "--partitions", partitions];
        assert_eq!(join(&[&[states.as_str(), &counties], &options[..]].concat()), expected("new-england intersects"));
    }
    let options = ["--cluster", &cluster.url, "--on", "within-distance", "5"];
    let geojson = map(COUNTIES);
    assert_eq!(join(&[&[geojson.as_str()], &options[..]].concat()), expected("new-england-self within-distance:5"));
}

/// The executor that remains does the work of both.
#[test]
fn a_lost_executor_changes_nothing() {
    let mut cluster = Cluster::start(2);
    cluster.executors.pop();
    let options = ["--cluster", &cluster.url];
    assert_eq!(join(&[&[map(COUNTIES).as_str()], &options[..]].concat()), expected("new-england-self intersects"));
}

#[test]
fn a_lost_scheduler_is_an_error() {
    let cluster = Cluster::start(1);
    let url = cluster.url.clone();
    drop(cluster.scheduler);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("out.csv");
    let output = finish(program().args([&map(COUNTIES), "--cluster", &url, "-o", &to.display().to_string()]));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!to.exists());
    drop(cluster.executors);
}
