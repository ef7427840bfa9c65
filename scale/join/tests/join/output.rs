//! The output: which files are replaced, and how.

use std::path::Path;

use crate::maps::write;
use crate::run::{leftovers, program, run, stderr};

const POINTS: &str = "id,wkt\n1,POINT (1 1)\n2,POINT (1 1)\n";
const PAIRS: &str = "a,b\n1,2\n";

/// Runs a join that fails, and returns its message. The folder stays as it is.
#[track_caller]
fn message(folder: &Path, args: &[&str]) -> String {
    let before = leftovers(folder).len();
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(leftovers(folder).len(), before);
    stderr(&output)
}

/// An output never replaces an input.
#[test]
fn an_input_as_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let points = write(folder.path(), "points.csv", POINTS);
    let same = folder.path().join("../").join(folder.path().file_name().unwrap()).join("points.csv");
    let glob = folder.path().join("*.csv").display().to_string();
    let address = format!("file://{points}");
    for input in [&points, &glob, &address] {
        let text = message(folder.path(), &[input, "-o", &same.display().to_string()]);
        assert!(text.contains("points.csv: is an input"), "{text}");
    }
    let table = format!("p={address}");
    let query = format!("SELECT * FROM '{points}'");
    let folder_query = format!("SELECT * FROM '{}/'", folder.path().display());
    for args in [&["SELECT 1", "--table", &table][..], &[query.as_str()], &[folder_query.as_str()]] {
        let text = message(folder.path(), &[&["sql", "-o", &points], args].concat());
        assert!(text.contains("points.csv: is an input"), "{text}");
    }
    #[cfg(unix)]
    {
        let link = folder.path().join("link.csv");
        std::fs::hard_link(&points, &link).unwrap();
        let text = message(folder.path(), &[&points, "-o", &link.display().to_string()]);
        assert!(text.contains("link.csv: is an input"), "{text}");
        std::fs::remove_file(link).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&points).unwrap(), POINTS);
    // The metadata is the whole answer.
    let parquet = folder.path().join("points.parquet").display().to_string();
    assert!(run(&["sql", "SELECT 1 AS id", "-o", &parquet]).status.success());
    let count = format!("SELECT count(*) AS n FROM '{parquet}'");
    let text = message(folder.path(), &["sql", "-o", &parquet, &count]);
    assert!(text.contains("points.parquet: is an input"), "{text}");
}

/// Ctrl-C ends the program while it waits for the reader of a pipe. A socket is refused before the join.
#[cfg(unix)]
#[test]
fn a_pipe_without_a_reader_and_a_socket() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let points = write(folder.path(), "points.csv", POINTS);
    let pipe = folder.path().join("pipe.csv").display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for join in ["index", "hash"] {
        let args = [points.as_str(), "-o", &pipe, "--join", join];
        let mut child = program().args(args).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(2));
        assert!(child.try_wait().unwrap().is_none(), "no reader opened the pipe");
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > Duration::from_secs(20) {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(status.code(), Some(130), "{join}");
    }
    let socket = folder.path().join("socket.csv");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let text = message(folder.path(), &[&points, "-o", &socket.display().to_string()]);
    assert!(text.contains("socket.csv: is a socket"), "{text}");
}

/// A path that cannot be written is refused before the inputs are checked.
#[test]
fn paths_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let bad = write(folder.path(), "bad.csv", "id,wkt\n1,POINT\n");
    for (path, words) in [("none/out.csv", "none"), (".", "is a directory"), ("out.txt", "suffix")] {
        let to = folder.path().join(path).display().to_string();
        let args: &[&str] = if path == "." { &["--format", "csv"] } else { &[] };
        let text = message(folder.path(), &[&[bad.as_str(), "-o", &to], args].concat());
        assert!(text.contains(words) && !text.contains("not valid"), "{text}");
    }
}

/// Without pairs, the file has its header.
#[test]
fn no_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let one = write(folder.path(), "one.csv", "id,wkt\n1,POINT (1 1)\n");
    for join in ["index", "hash", "sort-merge"] {
        let output = run(&[&one, "--distance", "--join", join]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "a,b,distance\n", "{}", stderr(&output));
    }
}

/// A symbolic link stays, its target is replaced and keeps its permissions. A pipe gets the rows.
#[cfg(unix)]
#[test]
fn links_permissions_and_pipes() {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let points = write(folder.path(), "points.csv", POINTS);
    let private = write(folder.path(), "private.csv", "old");
    std::fs::set_permissions(&private, std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink("private.csv", path("link.csv")).unwrap();
    symlink("new.csv", path("dangling.csv")).unwrap();
    for name in ["link.csv", "dangling.csv"] {
        let to = path(name).display().to_string();
        let output = run(&[&points, "-o", &to]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(path(name).is_symlink());
        assert_eq!(std::fs::read_to_string(path(name)).unwrap(), PAIRS);
    }
    assert_eq!(path("private.csv").metadata().unwrap().permissions().mode() & 0o777, 0o600);

    // The umask of the process counts for a new file.
    let to = path("masked.csv").display().to_string();
    let program = program().get_program().to_owned();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "umask 027; exec \"$0\" \"$@\""]).arg(program).args([&points, "-o", &to]);
    assert!(shell.status().unwrap().success());
    assert_eq!(path("masked.csv").metadata().unwrap().permissions().mode() & 0o777, 0o640);

    let pipe = path("pipe.csv");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    let output = run(&[&points, "-o", &pipe.display().to_string()]);
    let is_pipe = pipe.metadata().unwrap().file_type().is_fifo();
    assert!(is_pipe && output.status.success(), "{}", stderr(&output));
    assert_eq!(reader.join().unwrap(), PAIRS);
}

/// A help text that cannot be written is an error, as rows are.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_the_help() {
    for arg in ["--help", "--version"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program().arg(arg).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).starts_with("carom-join: stdout: "), "{}", stderr(&output));
    }
}
