//! Builds the wasm modules, the npm package and the page, serves the page, and writes it for any web host.

mod mime;
mod package;
mod request;
mod server;
mod site;
mod tools;
mod wasm;

use std::path::{Path, PathBuf};

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
    if lacks_packages(&play) {
        tools::npm(&play, &["ci"])?;
    }
    tools::npm(&play, &["run", "build"])?;
    let dist = play.join("dist");
    if dist.join("index.html").is_file() {
        return Ok(dist);
    }
    Err(format!("the build of the page wrote no {}", dist.join("index.html").display()).into())
}

/// Returns true if the packages of a folder are not installed, or were installed before its lock file changed.
fn lacks_packages(folder: &Path) -> bool {
    let modified = |path: &str| folder.join(path).metadata().and_then(|file| file.modified()).ok();
    let installed = modified("node_modules/.package-lock.json"); // npm writes it last
    installed.is_none_or(|installed| modified("package-lock.json").is_some_and(|lock| lock > installed))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use super::*;

    /// After a pull that changed the lock file, the page was built with packages that were missing.
    #[test]
    fn packages_are_installed_again_after_a_change_of_the_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(lacks_packages(folder.path()));
        fs::create_dir(folder.path().join("node_modules")).unwrap();
        let write = |path: &str, age: u64| {
            let file = fs::File::create(folder.path().join(path)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        };
        write("package-lock.json", 10);
        assert!(lacks_packages(folder.path()));
        write("node_modules/.package-lock.json", 5);
        assert!(!lacks_packages(folder.path()));
        write("package-lock.json", 0);
        assert!(lacks_packages(folder.path()));
    }
}
