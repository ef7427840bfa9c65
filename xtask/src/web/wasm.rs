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

/// The settings of a module.
struct Recipe {
    file: &'static str,
    /// Features of `carom-wasm`.
    features: &'static str,
    simd: bool,
}

const MODULES: [Recipe; 4] = [
    Recipe { file: "carom.wasm", features: "world", simd: true },
    Recipe { file: "carom-narrow.wasm", features: "", simd: false },
    Recipe { file: "carom-baseline.wasm", features: "world", simd: false },
    Recipe { file: "carom-files.wasm", features: "files", simd: false },
];

/// - The linker writes the indices of functions in as few bytes as possible, not in five: 3 % less after gzip.
/// - LLVM inlines functions up to a cost of 20, not of 50 as usual for `s`: 3 % less, and a step of 10 000 balls takes
///   as long. Functions with `#[inline]` up to 200, not 325.
/// - Messages contain the bits of numbers, and `package/src/module.js` formats them.
const FLAGS: &str = "-C link-arg=--compress-relocations -C llvm-args=-inline-threshold=20 \
                     -C llvm-args=-inlinehint-threshold=200 --cfg carom_number_bits";

/// Builds all modules with link-time optimization. One codegen unit uses one core, so two modules are built at a time.
pub(super) fn build() -> Result<Vec<Module>, Error> {
    let target = root().join("target/web");
    // Errors of threads are texts, because the error type cannot be sent.
    let build = |modules: &[Recipe]| -> Result<Vec<Module>, String> {
        modules.iter().map(|module| build_one(&target, module).map_err(|error| error.to_string())).collect()
    };
    let (first, second) = MODULES.split_at(MODULES.len() / 2);
    let (first, second) = thread::scope(|scope| {
        let other = scope.spawn(|| build(second));
        (build(first), other.join().unwrap_or_else(|_| Err("the build of a module stopped".to_owned())))
    });
    Ok(first?.into_iter().chain(second?).collect())
}

/// Builds a module in a target folder of its own. In a shared one, each module would replace the file of the others,
/// and cargo would link all of them again in the next build.
fn build_one(target: &Path, module: &Recipe) -> Result<Module, Error> {
    eprintln!("\n== {}", module.file);
    let target = target.join(module.file.trim_end_matches(".wasm"));
    let mut command = Command::new("cargo");
    command
        .current_dir(root())
        .args(["build", "--package", "carom-wasm", "--profile", "web", "--target", TARGET, "--no-default-features"])
        .args(["--features", module.features, "--target-dir"])
        .arg(&target)
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    let simd = if module.simd { " -C target-feature=+simd128" } else { "" };
    command.env("RUSTFLAGS", format!("{FLAGS}{simd}"));
    run(&mut command)?;
    Ok(Module { file: module.file, path: target.join(TARGET).join("web/carom_wasm.wasm") })
}
