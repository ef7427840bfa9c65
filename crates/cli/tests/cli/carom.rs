//! Runs the binary, at most one minute per run.
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Every value of `--broad`, for tests that hold the same promise for each. A test in `options.rs` compares the list
/// with the values that the command line accepts.
pub(crate) const BROADS: [&str; 7] = ["auto", "brute", "strips", "bvh", "sweep", "sweep-insertion", "sweep-swaps"];

/// The output of a run.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Returns stdout. Fails if the run failed.
    pub(crate) fn data(self) -> String {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self.stdout
    }
}

/// Runs `carom` and waits for it.
pub(crate) fn carom(args: &[&str]) -> Ran {
    run(command().args(args), b"", Duration::from_mins(1))
}

/// Runs `carom` with something on stdin.
pub(crate) fn carom_with(args: &[&str], stdin: &str) -> Ran {
    run(command().args(args), stdin.as_bytes(), Duration::from_mins(1))
}

/// Returns a command that runs the binary without environment variables for colours.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// Runs a command to its end. Kills it after `limit` and fails the test.
pub(crate) fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> Ran {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("stdin is piped");
    let mut output = child.stdout.take().expect("stdout is piped");
    let mut errors = child.stderr.take().expect("stderr is piped");
    let input_bytes = stdin.to_vec();
    // A command that does not read its input may close the pipe.
    let feeder = thread::spawn(move || input.write_all(&input_bytes).unwrap_or(()));
    let reader = thread::spawn(move || text(&mut output));
    let error_reader = thread::spawn(move || text(&mut errors));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            break status;
        }
        if start.elapsed() > limit {
            child.kill().expect("the child can be killed");
            panic!("{command:?} took longer than {limit:?}");
        }
        thread::sleep(Duration::from_millis(5));
    };
    feeder.join().expect("stdin was fed");
    Ran {
        code: status.code().expect("the binary was not killed by a signal"),
        stdout: reader.join().expect("stdout was read"),
        stderr: error_reader.join().expect("stderr was read"),
    }
}

fn text(from: &mut impl Read) -> String {
    let mut text = String::new();
    from.read_to_string(&mut text).expect("the output is UTF-8");
    text
}

/// A temporary folder of one test. Deleted on drop.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and returns its path as an argument.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, bytes).expect("a temporary file");
        path.into_os_string().into_string().expect("a UTF-8 path")
    }
}

/// Returns the root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
