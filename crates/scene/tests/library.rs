//! The scene format has everything that the library has, or a reason why not.
//!
//! The lists of the library come from its source and from `Debug`. A new kind of shape, constructor
//! or field of a collider fails a test here. Then it needs a key or a reason.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use carom::{Collider, Shape};
use serde_json::Value;

/// Constructors and kinds of shapes whose key in a scene file is not their own name.
const OTHER_KEYS: [(&str, &str); 6] = [
    ("convex_polygon", "polygon"),
    ("polygon_with_holes", "polygon.holes"),
    ("closed_chain", "chain.closed"),
    ("one_sided", "chain.one_sided"),
    ("rounded", "polygon.radius"),
    ("convexpolygon", "polygon"),
];

/// Constructors without a key, and the reason.
const NOT_IN_FILES: [(&str, &str); 2] =
    [("from_outline", "as polygon_with_holes"), ("scaled", "a scene has the scaled points; masks have a scale")];

/// Fields of a collider, and their keys.
const SETTINGS: [(&str, &[&str]); 6] = [
    ("shape", &["shape"]),
    ("pose", &["position", "rotation"]),
    ("filter", &["layers", "mask", "group"]),
    ("sensor", &["sensor"]),
    ("fixed", &["fixed"]),
    ("one_way", &["one_way"]),
];

/// Fields of a collider without a key, and the reason.
const STATE: [(&str, &str); 3] = [
    ("contact_margin", "near misses are a question of the caller, as in `check --margin`"),
    ("enabled", "state of a running game, not of a level: leave the collider out"),
    ("user_data", "a number of the program: the id names the collider"),
];

/// Settings that a world has for one collider or body, and their key or the reason why they have none.
const SETTERS: [(&str, &str); 22] = [
    ("set_pose", "position"),
    ("set_position", "position"),
    ("set_rotation", "rotation"),
    ("set_poses", "position"),
    ("set_shape", "shape"),
    ("set_shapes", "shape"),
    ("set_filter", "layers"),
    ("set_sensor", "sensor"),
    ("set_fixed", "fixed"),
    ("set_one_way", "one_way"),
    ("set_motion", "motion"),
    ("set_enabled", "no key: state of a running game"),
    ("set_user_data", "no key: a number of the program"),
    ("set_pair_enabled", "no key: state of a running game"),
    ("set_gravity", "gravity"),
    ("set_walls", "walls"),
    ("set_velocity", "body"),
    ("set_mass", "body"),
    ("set_inverse_mass", "body"),
    ("set_contact_margin", "no key: near misses are a question of the caller, as in `check --margin`"),
    ("set_default_contact_margin", "no key: as set_contact_margin"),
    ("set_restitution_threshold", "no key: a choice of the solver"),
];

fn core(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src").join(path)
}

fn sources(folder: &str) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(core(folder)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|suffix| suffix == "rs") {
            text += &fs::read_to_string(path).unwrap();
        }
    }
    text
}

/// Returns the names of the public functions whose signature contains a text.
fn functions<'t>(source: &'t str, wanted: &'t str) -> impl Iterator<Item = &'t str> {
    let signatures = source.split("    pub fn ").skip(1).filter_map(|rest| rest.split('{').next());
    signatures
        .filter(move |signature| signature.contains(wanted))
        .map(|signature| signature.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""))
}

/// Returns the keys of an object in the schema, with those of the objects in it (`chain.closed`).
fn keys(definition: &str) -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(&carom_scene::schema()).unwrap();
    let of = |value: &Value| value["properties"].as_object().map_or(vec![], |map| map.keys().cloned().collect());
    let mut found = BTreeSet::new();
    let whole = &schema["$defs"][definition];
    for part in std::iter::once(whole).chain(whole["oneOf"].as_array().into_iter().flatten()) {
        for key in of(part) {
            let target = part["properties"][&key]["$ref"].as_str().and_then(|path| path.rsplit('/').next());
            let inner = target.map_or(vec![], |target| of(&schema["$defs"][target]));
            found.extend(inner.into_iter().map(|inner| format!("{key}.{inner}")));
            found.insert(key);
        }
    }
    found
}

#[test]
fn every_constructor_and_kind_of_shape_has_a_key() {
    let source = sources("shape") + &sources("composite");
    let mut found: BTreeSet<&str> = functions(&source, "-> Result<Self, Error>").collect();
    // Poses and sweeps have constructors in the same folders.
    for other in ["with_rotation", "with_rotation_degrees"] {
        found.remove(other);
    }
    for (name, _) in NOT_IN_FILES {
        assert!(found.remove(name), "{name} is no constructor");
    }
    let kinds = fs::read_to_string(core("shape/kind.rs")).unwrap();
    let list = kinds.split("pub enum ShapeKind {").nth(1).unwrap().split("\n}").next().unwrap();
    let variants = list.lines().filter_map(|line| line.trim().strip_suffix(',')).filter(|line| !line.starts_with("//"));
    let names: BTreeSet<String> = found.into_iter().map(str::to_owned).chain(variants.map(str::to_lowercase)).collect();
    assert!(names.len() > 14, "{names:?}");
    assert!(OTHER_KEYS.iter().all(|(name, _)| names.contains(*name)), "{names:?}");
    let keys = keys("Shape");
    for name in &names {
        let key = OTHER_KEYS.iter().find(|(other, _)| other == name).map_or(name.as_str(), |(_, key)| key);
        assert!(keys.contains(key), "{name}: there is no key {key} in {keys:?}");
    }
}

#[test]
fn every_field_of_a_collider_has_a_key() {
    let text = format!("{:#?}", Collider::new(Shape::circle(1.0).unwrap()));
    let name = |line: &str| {
        let (name, _) = line.strip_prefix("    ")?.split_once(": ")?;
        (!name.starts_with(' ')).then(|| name.to_owned())
    };
    let fields: Vec<String> = text.lines().filter_map(name).collect();
    let listed: BTreeSet<&str> =
        SETTINGS.iter().map(|(name, _)| *name).chain(STATE.iter().map(|(name, _)| *name)).collect();
    let fields: BTreeSet<&str> = fields.iter().map(String::as_str).collect();
    assert!(fields.is_subset(&listed), "without a key or a reason: {:?}", fields.difference(&listed));
    assert!(SETTINGS.iter().all(|(name, _)| fields.contains(name)), "{fields:?}");
    let keys = keys("Collider");
    for (name, written) in SETTINGS {
        assert!(written.iter().all(|key| keys.contains(*key)), "{name}: {written:?} are not all in {keys:?}");
    }
}

#[test]
fn every_setting_of_the_world_has_a_key_or_a_reason() {
    let source = sources("world") + &sources("response");
    let found: BTreeSet<&str> = functions(&source, "&mut self").filter(|name| name.starts_with("set_")).collect();
    let listed: BTreeSet<&str> = SETTERS.iter().map(|(name, _)| *name).collect();
    assert!(found.is_subset(&listed), "without a key or a reason: {:?}", found.difference(&listed));
    let schema: Value = serde_json::from_str(&carom_scene::schema()).unwrap();
    let keys = keys("Collider");
    for (name, key) in SETTERS {
        let known = keys.contains(key) || schema["properties"].get(key).is_some() || key.starts_with("no key: ");
        assert!(known, "{name}: there is no key {key}");
    }
}
