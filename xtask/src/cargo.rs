//! Runs cargo in temporary crates and measures wall time and processor time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};

/// The error of a developer command: a message for the terminal.
pub(crate) type Error = Box<dyn std::error::Error>;

/// Duration of a child process and of all that it started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duration {
    /// Seconds on the clock.
    pub(crate) wall: f64,
    /// Seconds of processor time, all cores together.
    pub(crate) processor: f64,
}

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_path_buf()
}

/// Returns the processor seconds of all child processes that have ended.
fn processor_seconds() -> Result<f64, Error> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + 1e-6 * time.tv_usec() as f64;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// Runs cargo in a folder with its own target folder. Settings of the calling cargo are not passed on.
pub(crate) fn cargo(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Result<Duration, Error> {
    let mut command = Command::new("cargo");
    command.current_dir(folder).args(arguments).envs(environment.iter().copied());
    command.env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_INCREMENTAL", "0");
    for inherited in ["RUSTFLAGS", "CARGO", "CARGO_MANIFEST_DIR", "RUSTUP_TOOLCHAIN"] {
        if !environment.iter().any(|(name, _)| *name == inherited) {
            command.env_remove(inherited);
        }
    }
    let (start, before) = (Instant::now(), processor_seconds()?);
    let output = command.stdin(Stdio::null()).output()?;
    let duration = Duration { wall: start.elapsed().as_secs_f64(), processor: processor_seconds()? - before };
    if output.status.success() {
        return Ok(duration);
    }
    Err(format!(
        "cargo {} failed in {}:\n{}",
        arguments.join(" "),
        folder.display(),
        String::from_utf8_lossy(&output.stderr)
    )
    .into())
}

/// A crate of one file that depends on some libraries.
pub(crate) struct TemporaryCrate<'a> {
    pub(crate) source: &'a str,
    /// Lines of `[dependencies]`.
    pub(crate) dependencies: &'a str,
    /// Lines of `[profile.release]`.
    pub(crate) profile: &'a str,
    /// True for a `cdylib`, false for a program.
    pub(crate) is_library: bool,
}

impl TemporaryCrate<'_> {
    /// Writes the crate into an empty folder and downloads its dependencies.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        fs::create_dir_all(folder.join("src"))?;
        let (file, library) =
            if self.is_library { ("src/lib.rs", "[lib]\ncrate-type = [\"cdylib\"]\n") } else { ("src/main.rs", "") };
        fs::write(folder.join(file), self.source)?;
        let manifest = format!(
            "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \
             \"2024\"\n{library}[dependencies]\n{}\n[profile.release]\n{}\n[workspace]\n",
            self.dependencies, self.profile
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        cargo(folder, &["fetch"], &[])?;
        Ok(())
    }
}

/// Returns the line of `[dependencies]` that names the library of this repository.
pub(crate) fn carom(options: &str) -> String {
    format!("carom = {{ path = '{}'{options} }}", root().join("crates/core").display())
}
