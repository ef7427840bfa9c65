//! `carom join` starts the program `carom-join` of the path, or says how to install it.
use std::time::Duration;

use crate::carom::{command, run};

#[test]
fn a_missing_program_is_named_with_its_installation() {
    let empty = tempfile::tempdir().unwrap();
    let ran = run(command().args(["join", "a.parquet"]).env("PATH", empty.path()), b"", Duration::from_mins(1));
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    for word in ["carom-join", "PATH", "cargo install --locked --path scale/join"] {
        assert!(ran.stderr.contains(word), "no {word:?} in {}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn arguments_output_and_exit_code_pass_through() {
    use std::os::unix::fs::PermissionsExt;

    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("carom-join");
    std::fs::write(&program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 7\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::join_paths([directory.path(), std::path::Path::new("/bin")]).unwrap();
    let args = ["join", "--help", "two words", "-o", "out.csv", "--", "-x"];
    let ran = run(command().args(args).env("PATH", path), b"", Duration::from_mins(1));
    assert_eq!(ran.code, 7, "{}", ran.stderr);
    assert_eq!(ran.stdout, "--help\ntwo words\n-o\nout.csv\n--\n-x\n");
}
