//! Writes the folder `dist` of the npm package: scripts, wasm modules, and scripts that contain a module.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::wasm::Module;
use super::web;
use crate::cargo::Error;

/// Modules that a script contains: the script and the module.
const INLINED: [(&str, &str); 2] = [("inline-carom.js", "carom.wasm"), ("inline-narrow.js", "carom-narrow.wasm")];

/// Writes `dist` anew and prints the sizes.
pub(super) fn write(modules: &[Module]) -> Result<(), Error> {
    let package = web("package");
    let dist = package.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    fs::create_dir_all(&dist)?;
    for entry in fs::read_dir(package.join("src"))? {
        let path = entry?.path();
        if let Some(name) = path.file_name() {
            fs::copy(&path, dist.join(name))?;
        }
    }
    for module in modules {
        let bytes = fs::read(&module.path)?;
        // Modules that only a script contains are no files of the package.
        if module.file != "carom-narrow.wasm" {
            fs::write(dist.join(module.file), &bytes)?;
        }
        if let Some((script, _)) = INLINED.iter().find(|(_, file)| *file == module.file) {
            fs::write(dist.join(script), format!("export default \"{}\";\n", STANDARD.encode(&bytes)))?;
        }
        print_size(module.file, &bytes)?;
    }
    for (script, _) in INLINED {
        print_size(script, &fs::read(dist.join(script))?)?;
    }
    eprintln!("wrote {}", dist.display());
    Ok(())
}

fn print_size(name: &str, bytes: &[u8]) -> Result<(), Error> {
    let kilobytes = |length: usize| length as f64 / 1000.0;
    eprintln!("{name}: {:.1} kB, gzip {:.1} kB", kilobytes(bytes.len()), kilobytes(gzip_length(bytes)?));
    Ok(())
}

/// Returns the length of the bytes after gzip at its best level.
fn gzip_length(bytes: &[u8]) -> Result<usize, Error> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

/// Copies a folder with all that it contains.
pub(super) fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
