//! Compiles the panic handler of the modules that have no `std`.
//!
//! With link-time optimization LLVM sees that the handler reads no message. Then it removes the messages of all panics and
//! their places in the source. It does so only if the handler has the target features of `core`, which was compiled
//! without SIMD. So the handler is a library of its own, compiled without the flags of the module. `carom.wasm` is 3 %
//! smaller.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/panic_handler.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_ARCH") != "wasm32" || env::var_os("CARGO_FEATURE_FILES").is_some() {
        return;
    }
    let folder = PathBuf::from(variable("OUT_DIR"));
    let status = Command::new(variable("RUSTC"))
        .args(["--crate-name", "carom_panic_handler", "--crate-type", "rlib", "--edition", "2024"])
        .args(["--target", &variable("TARGET"), "-C", "opt-level=s", "-C", "panic=abort"])
        .args(["src/panic_handler.rs", "--out-dir"])
        .arg(&folder)
        .status();
    assert!(status.is_ok_and(|status| status.success()), "rustc could not compile src/panic_handler.rs");
    println!("cargo::rustc-link-search=all={}", folder.display());
}
