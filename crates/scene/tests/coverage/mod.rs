//! No part of a file is lost in silence. Each test reads every part that the documentation of a
//! format lists, with a value that has an effect. It compares with the file without the part.
mod csv_wkt;
mod geojson;
mod page;
mod png;
mod svg;
mod tiled_json;
mod tiled_xml;

use carom_scene::coverage::{Treatment, parts};
use carom_scene::{Error, Format, Options, Scene};

fn read(name: &str, bytes: &[u8]) -> Result<Scene, Error> {
    carom_scene::read(name, bytes, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))
}

/// Returns the effect of a changed file: `Read` if the colliders differ or the file is refused.
/// Else `Named` if a warning is new, else `Ignored` if an ignored part is new. `None` if nothing
/// differs.
fn treatment(base: &[u8], changed: &[u8]) -> Option<Treatment> {
    let base = read("base", base).expect("the base is valid");
    let Ok(changed) = read("base", changed) else { return Some(Treatment::Read) };
    if (&changed.colliders, &changed.layers) != (&base.colliders, &base.layers) {
        return Some(Treatment::Read);
    }
    let news = |old: &[String], new: &[String]| new.iter().any(|text| !old.contains(text));
    if news(&base.warnings, &changed.warnings) {
        return Some(Treatment::Named);
    }
    news(&base.ignored, &changed.ignored).then_some(Treatment::Ignored)
}

/// Returns the treatment in the list of the format. A part that is on no list is named.
fn listed(format: Format, parent: &str, name: &str) -> Treatment {
    let part = parts(format).into_iter().find(|part| part.parent == parent && part.name == name);
    part.map_or(Treatment::Named, |part| part.treatment)
}

/// Fails unless the change has the treatment of the list.
fn check(format: Format, [parent, name]: [&str; 2], base: &[u8], changed: &[u8]) {
    let expected = listed(format, parent, name);
    let found = treatment(base, changed).or_else(|| {
        // The base has the part too, with another value.
        let ignored = read("base", changed).is_ok_and(|scene| scene.ignored.contains(&format!("{parent} {name}")));
        ignored.then_some(Treatment::Ignored)
    });
    assert_eq!(found, Some(expected), "{format:?} {parent} {name}:\n{}", String::from_utf8_lossy(changed));
}

#[test]
fn every_scene_of_the_repository_lists_its_losses() {
    // The test itself can fail: a part without any effect is not a treatment.
    let json = br#"{"carom": 1, "colliders": []}"#;
    assert_eq!(treatment(json, json), None);
    assert_eq!(treatment(json, br#"{"carom": 1, "colliders": [], "color": 1}"#), Some(Treatment::Read));
}
