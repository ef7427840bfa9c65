//! Build times: of a crate that depends on the library, and of a fresh clone.

use std::process::Command;

use super::{PARRY, Row};
use crate::cargo::{Duration, Error, TemporaryCrate, cargo, carom, root};

fn seconds(duration: Duration) -> String {
    format!("{:.0} s ({:.0} s of processor time)", duration.wall, duration.processor)
}

/// Builds a small program with each library, debug and release in turn.
pub(super) fn dependent_crate() -> Result<Vec<Row>, Error> {
    let profiles: [(&str, &[&str]); 2] = [("debug", &["build"]), ("release", &["build", "--release"])];
    let programs = [
        (include_str!("../../programs/collide.rs"), carom("")),
        (include_str!("../../programs/collide_parry.rs"), PARRY.to_string()),
    ];
    let mut rows = Vec::new();
    for (profile, arguments) in profiles {
        let mut times = Vec::new();
        for (source, dependencies) in &programs {
            let folder = tempfile::tempdir()?;
            TemporaryCrate { source, dependencies, profile: "", is_library: false }.write(folder.path())?;
            times.push(seconds(cargo(folder.path(), arguments, &[])?));
        }
        let [carom, parry] = times.try_into().expect("one time a program");
        rows.push(Row::new(format!("a crate that depends on it, {profile}"), carom, parry, "as parry2d"));
    }
    Ok(rows)
}

/// Runs the commands of the README on a fresh clone.
pub(super) fn fresh_clone() -> Result<Vec<Row>, Error> {
    let commands: [(&str, &[&str], &str); 3] = [
        ("first command: `cargo run --release`", &["run", "--release"], "120 s"),
        ("all tests: `cargo test --workspace`, build", &["test", "--workspace", "--no-run"], ""),
        ("all tests, run", &["test", "--workspace"], "360 s with build"),
    ];
    let folder = tempfile::tempdir()?;
    let clone = folder.path().join("carom");
    let status = Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(&clone).status()?;
    if !status.success() {
        return Err("git clone failed".into());
    }
    cargo(&clone, &["fetch"], &[])?;
    let mut rows = Vec::new();
    for (what, arguments, goal) in commands {
        rows.push(Row::new(format!("fresh clone, {what}"), seconds(cargo(&clone, arguments, &[])?), "", goal));
    }
    let program = clone.join("target/release/carom").metadata()?.len();
    rows.push(Row::new("command line, release binary", format!("{:.1} MB", program as f64 / 1e6), "", "10 MB"));
    Ok(rows)
}
