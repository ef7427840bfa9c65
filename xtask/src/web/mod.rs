//! Builds the wasm modules, the npm package and the page, serves the page, and writes it for any web host.

mod mime;
mod package;
mod request;
mod server;
mod site;
mod tools;
mod wasm;

use std::path::PathBuf;

use crate::cargo::{Error, root};

pub(crate) use server::play;
pub(crate) use site::site;

/// Returns a folder below `web/`.
fn web(folder: &str) -> PathBuf {
    root().join("web").join(folder)
}

/// Builds the wasm modules and the package.
pub(crate) fn build_package() -> Result<(), Error> {
    tools::require_wasm_target()?;
    package::write(&wasm::build()?)
}

/// Builds the wasm modules, the package and the page. Returns the folder of the page.
fn build_page() -> Result<PathBuf, Error> {
    tools::require_node()?;
    build_package()?;
    let play = web("play");
    if !play.join("node_modules").is_dir() {
        tools::npm(&play, &["ci"])?;
    }
    tools::npm(&play, &["run", "build"])?;
    let dist = play.join("dist");
    if dist.join("index.html").is_file() {
        return Ok(dist);
    }
    Err(format!("the build of the page wrote no {}", dist.join("index.html").display()).into())
}
