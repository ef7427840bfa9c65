//! Faults in the middle of a job on a cluster: the same pairs, or a clear error and no output, within a minute.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::cluster::Cluster;
use crate::maps::write;
use crate::run::{LIMIT, digest, leftovers, program, stderr};

/// Squares along each side of the grid: enough for several seconds of work.
const SIDE: usize = 120;

/// Writes squares of side 1.5 at a distance of 1: each meets its eight neighbours only.
fn grid(folder: &Path) -> String {
    let mut text = String::from("id,wkt\n");
    for id in 0..SIDE * SIDE {
        let (x, y) = (id % SIDE, id / SIDE);
        let (right, top) = (x + 1, y + 1);
        writeln!(text, "{id},\"POLYGON (({x} {y}, {right}.5 {y}, {right}.5 {top}.5, {x} {top}.5, {x} {y}))\"").unwrap();
    }
    write(folder, "grid.csv", &text)
}

/// Returns the pairs of the grid, from its construction.
fn pairs() -> (u64, String) {
    let mut text = String::from("a,b\n");
    for id in 0..SIDE * SIDE {
        let (x, y) = (id % SIDE, id / SIDE);
        let right = x + 1 < SIDE;
        if right {
            writeln!(text, "{id},{}", id + 1).unwrap();
        }
        if y + 1 < SIDE {
            let above = id + SIDE;
            let (first, last) = (above - usize::from(x > 0), above + usize::from(right));
            (first..=last).for_each(|other| writeln!(text, "{id},{other}").unwrap());
        }
    }
    digest(&text)
}

/// A join on a cluster that is still running.
struct Running {
    client: Child,
    folder: TempDir,
    before: usize,
}

impl Running {
    /// Starts a join and returns once executor `executor` has finished a task of it, after the check of the input.
    fn start(cluster: &Cluster, executor: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let input = grid(folder.path());
        let before = leftovers(folder.path()).len();
        let client = program()
            .args([&input, "--cluster", &cluster.url, "--partitions", "8", "-o"])
            .arg(folder.path().join("out.csv"))
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut running = Self { client, folder, before };
        let start = Instant::now();
        while !has_joined(cluster, executor) {
            assert!(start.elapsed() < LIMIT, "executor {executor} gets no task");
            assert!(running.client.try_wait().unwrap().is_none(), "the join ended too early");
            thread::sleep(Duration::from_millis(20));
        }
        running
    }

    /// Waits for the end, at most [`LIMIT`] after the fault.
    fn finish(mut self) -> (Output, TempDir) {
        let start = Instant::now();
        while self.client.try_wait().unwrap().is_none() {
            if start.elapsed() > LIMIT {
                self.client.kill().ok();
                panic!("not done {LIMIT:?} after the fault: {}", stderr(&self.client.wait_with_output().unwrap()));
            }
            thread::sleep(Duration::from_millis(20));
        }
        (self.client.wait_with_output().unwrap(), self.folder)
    }

    /// Waits for the end with an error and without output, and returns the message.
    #[track_caller]
    fn fails(self, code: i32) -> String {
        let before = self.before;
        let (output, folder) = self.finish();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert_eq!(leftovers(folder.path()).len(), before, "{:?}", leftovers(folder.path()));
        stderr(&output)
    }
}

/// Returns true if an executor has results of the second job: the join. The first job is the check.
fn has_joined(cluster: &Cluster, executor: usize) -> bool {
    let jobs = |executor: usize| -> Vec<_> {
        let own = leftovers(cluster.work[executor].path());
        let mut jobs: Vec<_> = own.iter().flat_map(|folder| leftovers(folder)).collect();
        jobs.retain(|job| job.is_dir());
        jobs
    };
    // Names of jobs grow with time.
    let folders = (0..cluster.work.len()).flat_map(jobs);
    let mut all: Vec<_> = folders.filter_map(|job| Some(job.file_name()?.to_owned())).collect();
    all.sort();
    all.dedup();
    let Some(join) = all.get(1) else { return false };
    jobs(executor).iter().any(|job| job.ends_with(join) && files(job) >= 2)
}

fn files(folder: &Path) -> usize {
    leftovers(folder).iter().map(|path| if path.is_dir() { files(path) } else { 1 }).sum()
}

/// The results of the killed executor are lost; the other one computes them again.
#[test]
fn an_executor_killed_in_the_middle_changes_nothing() {
    let mut cluster = Cluster::start(2);
    let running = Running::start(&cluster, 1);
    cluster.executors[1].kill();
    let (output, folder) = running.finish();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(digest(&std::fs::read_to_string(folder.path().join("out.csv")).unwrap()), pairs());
}

#[test]
fn without_executors_a_job_ends_with_an_error() {
    let mut cluster = Cluster::start(1);
    let running = Running::start(&cluster, 0);
    cluster.executors[0].kill();
    assert!(running.fails(2).contains("executors were lost"));
}

#[test]
fn a_scheduler_killed_in_the_middle_is_named() {
    let mut cluster = Cluster::start(1);
    let running = Running::start(&cluster, 0);
    cluster.scheduler.kill();
    let message = running.fails(2);
    assert!(message.contains(&format!("the scheduler at {} was lost", cluster.url)), "{message}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_join_leaves_no_output() {
    let cluster = Cluster::start(1);
    let running = Running::start(&cluster, 0);
    let signal = Command::new("kill").args(["-INT", &running.client.id().to_string()]).status().unwrap();
    assert!(signal.success());
    assert!(running.fails(130).contains("interrupted"));
}

/// A limit on the size of a file has the effect of a full disk of the executors. Their messages go through `cat`, which
/// has no limit: the messages of this test can go to a file that is larger.
#[cfg(unix)]
#[test]
fn a_full_disk_of_the_executors_is_an_error() {
    let cluster = Cluster::start_with(2, || {
        let mut command = Command::new("bash");
        command
            .args(["-c", "exec 2> >(cat >&2); trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_carom-join"));
        command
    });
    let folder = tempfile::tempdir().unwrap();
    let input = grid(folder.path());
    let before = leftovers(folder.path()).len();
    let client = program()
        .args([&input, "--cluster", &cluster.url, "-o"])
        .arg(folder.path().join("out.csv"))
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let message = Running { client, folder, before }.fails(2);
    assert!(message.contains("File too large"), "{message}");
}
