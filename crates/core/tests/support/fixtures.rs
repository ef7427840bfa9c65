//! Polygons from files: arrays of rings of pairs of numbers.

use std::path::{Path, PathBuf};

use carom::DVec2;

use super::outlines::Rings;

/// The polygons of the crate `earcut` that are kept here, or those of the folder that `CAROM_EARCUT` names.
pub fn earcut() -> Vec<(String, Rings)> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/earcut");
    let folder = std::env::var_os("CAROM_EARCUT").map_or(kept, PathBuf::from);
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<(String, Rings)> = files
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .map(|path| {
            (path.file_stem().unwrap().to_string_lossy().into_owned(), rings(&std::fs::read_to_string(&path).unwrap()))
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Reads `[[[x, y], …], …]`.
fn rings(text: &str) -> Rings {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = compact.trim_start_matches('[').trim_end_matches(']');
    let pair = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        DVec2::new(x.parse().unwrap(), y.parse().unwrap())
    };
    inner.split("]],[[").map(|ring| ring.split("],[").map(pair).collect()).collect()
}
