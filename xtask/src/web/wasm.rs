//! Builds the wasm modules.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use super::tools::{TARGET, run};
use crate::cargo::{Error, root};

/// A wasm module of the package.
pub(super) struct Module {
    /// Name of its file in the package.
    pub(super) file: &'static str,
    pub(super) path: PathBuf,
}

/// Name of the file, features, and whether the module uses SIMD.
const MODULES: [(&str, &str, bool); 4] = [
    ("carom.wasm", "world", true),
    ("carom-narrow.wasm", "", false),
    ("carom-baseline.wasm", "world", false),
    ("carom-files.wasm", "files", false),
];

/// Builds all modules with link-time optimization. One codegen unit uses one core, so the module with SIMD and the
/// others, which share no compiled crate with it, are built at the same time.
pub(super) fn build() -> Result<Vec<Module>, Error> {
    let target = root().join("target/web");
    let build = |simd: bool| {
        let modules = MODULES.into_iter().filter(move |module| module.2 == simd);
        // Errors of threads are texts, because the error type cannot be sent.
        modules.map(|module| build_one(&target, module).map_err(|error| error.to_string())).collect()
    };
    let (with, without): (Result<Vec<_>, String>, Result<Vec<_>, String>) = thread::scope(|scope| {
        let with = scope.spawn(|| build(true));
        let without = build(false);
        (with.join().unwrap_or_else(|_| Err("the build of carom.wasm stopped".to_owned())), without)
    });
    Ok(with?.into_iter().chain(without?).collect())
}

/// Builds a module. Each set of features has its own file, because cargo gives all the same name.
fn build_one(target: &Path, (file, features, simd): (&'static str, &str, bool)) -> Result<Module, Error> {
    eprintln!("\n== {file}");
    let target = target.join(if simd { "simd" } else { "baseline" });
    let mut command = Command::new("cargo");
    command
        .current_dir(root())
        .args(["build", "--package", "carom-wasm", "--profile", "web", "--target", TARGET, "--no-default-features"])
        .args(["--features", features, "--target-dir"])
        .arg(&target)
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    if simd {
        command.env("RUSTFLAGS", "-C target-feature=+simd128");
    } else {
        command.env_remove("RUSTFLAGS");
    }
    run(&mut command)?;
    let built = target.join(TARGET).join("web/carom_wasm.wasm");
    let path = target.join(file);
    std::fs::copy(&built, &path).map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(Module { file, path })
}
