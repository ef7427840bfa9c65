//! Sizes of programs and of WebAssembly modules.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{PARRY, Row};
use crate::cargo::{Error, TemporaryCrate, cargo, carom};

/// The usual settings of a small program.
const SMALL: &str = "opt-level = 3\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\nstrip = \"symbols\"";

/// Returns the size of a release program in bytes.
fn program(source: &str, dependencies: &str, profile: &str) -> Result<u64, Error> {
    let folder = tempfile::tempdir()?;
    TemporaryCrate { source, dependencies, profile, is_library: false }.write(folder.path())?;
    cargo(folder.path(), &["build", "--release"], &[])?;
    Ok(folder.path().join("target/release/program").metadata()?.len())
}

/// Measures stripped release programs above an empty `main` with the same settings: those of a
/// plain `cargo build --release`, and the smallest ones.
pub(super) fn programs() -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for (settings, profile) in
        [("default settings, stripped", "strip = \"symbols\""), ("fat LTO, one unit, abort, stripped", SMALL)]
    {
        let empty = program(include_str!("../../programs/empty.rs"), "", profile)?;
        let above = |source: &str, dependencies: &str| -> Result<String, Error> {
            Ok(format!("{} KB", program(source, dependencies, profile)?.saturating_sub(empty) / 1000))
        };
        let collide = above(include_str!("../../programs/collide.rs"), &carom(""))?;
        let parry = above(include_str!("../../programs/collide_parry.rs"), PARRY)?;
        let game = above(include_str!("../../programs/game.rs"), &carom(""))?;
        rows.push(Row::new(
            format!("program that calls `collide` once, {settings}, above an empty one"),
            collide,
            parry,
            "150 KB",
        ));
        rows.push(Row::new(format!("small game with a world, {settings}, above an empty one"), game, "", "700 KB"));
    }
    Ok(rows)
}

/// Returns the size of a module for wasm32 after gzip.
fn module(source: &str, dependencies: &str, level: &str, flags: &str) -> Result<usize, Error> {
    let folder = tempfile::tempdir()?;
    let profile =
        format!("opt-level = {level}\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\nstrip = \"symbols\"");
    TemporaryCrate { source, dependencies, profile: &profile, is_library: true }.write(folder.path())?;
    cargo(folder.path(), &["build", "--release", "--target", "wasm32-unknown-unknown"], &[("RUSTFLAGS", flags)])?;
    let bytes = fs::read(folder.path().join("target/wasm32-unknown-unknown/release/program.wasm"))?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes)?;
    Ok(encoder.finish()?.len())
}

/// Measures modules with the whole world, and with pair queries only.
pub(super) fn wasm() -> Result<Vec<Row>, Error> {
    let world = include_str!("../../programs/wasm_world.rs");
    let mut rows = Vec::new();
    for (level, goal) in [("\"z\"", "200 KB"), ("3", "")] {
        let size = module(world, &carom(""), level, "-C target-feature=+simd128")?;
        rows.push(Row::new(
            format!("wasm32 with simd128, world, `opt-level = {level}`, gzip"),
            format!("{} KB", size / 1000),
            "",
            goal,
        ));
    }
    let size = module(include_str!("../../programs/wasm_pairs.rs"), &carom(", default-features = false"), "\"s\"", "")?;
    rows.push(Row::new(
        "wasm32, pair queries only, `opt-level = \"s\"`, gzip",
        format!("{} KB", size / 1000),
        "",
        "60 KB",
    ));
    Ok(rows)
}
