//! Files of all crates import each other without cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::import_graph::{Module, imports};

/// Files of the library that need each other: a compound has members that are composites, a convex shape stores its
/// kind and a kind has a constructor, and a one-way front has a pointer to code that reads the columns of colliders.
const RECURSIVE_TYPES: [&[&str]; 3] = [
    &["shape::convex", "shape::kind", "shape::polygon"],
    &["shape::composite", "shape::members"],
    &["world::collider", "world::collider_set", "world::one_way", "world::one_way_filter"],
];

/// Returns the cycles of a crate: for each module in a cycle all modules that it reaches and that reach it.
fn cycles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<String, Vec<String>> {
    let reached = |module| {
        let (mut reached, mut stack) = (BTreeSet::new(), vec![module]);
        while let Some(next) = stack.pop() {
            stack.extend(imports[next].iter().filter(|other| reached.insert(*other)));
        }
        reached
    };
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = imports.keys().map(|own| (own, reached(own))).collect();
    let cycle = |own| reached[own].iter().filter(|other| reached[**other].contains(own)).map(|other| other.join("::"));
    let cycles = imports.keys().map(|own| (own.join("::"), cycle(own).collect::<Vec<_>>()));
    cycles.filter(|(_, cycle)| !cycle.is_empty()).collect()
}

/// Returns the folders of all crates of the repository, but not of the measurements beside other libraries.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let folders = |name: &str| fs::read_dir(root.join(name)).unwrap().map(|entry| entry.unwrap().path());
    let all = folders("crates").chain(folders("scale")).chain(["web/wasm", "xtask"].map(|name| root.join(name)));
    all.filter(|folder| folder.join("Cargo.toml").is_file()).collect()
}

#[test]
fn no_file_imports_itself_through_others() {
    let known: BTreeSet<&str> = RECURSIVE_TYPES.iter().flat_map(|cycle| cycle.iter().copied()).collect();
    let (mut count, mut found, mut wrong) = (0, BTreeSet::new(), BTreeSet::new());
    for folder in crates() {
        let imports = imports(&folder.join("src"));
        count += imports.values().map(BTreeSet::len).sum::<usize>();
        let is_library = folder == Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
        for (module, cycle) in cycles(&imports) {
            if !(is_library && RECURSIVE_TYPES.iter().any(|known| cycle == *known)) {
                wrong.insert(format!("{}: {cycle:?}", folder.display()));
            }
            if is_library {
                found.insert(module);
            }
        }
    }
    assert!(wrong.is_empty(), "cycles of imports: {wrong:#?}");
    assert!(count > 1500, "only {count} imports were found");
    assert!(known.iter().all(|module| found.contains(*module)), "a known cycle is gone: {found:?}");
}

/// `a` imports `b` by a name that the crate re-exports from `c` as another name, and `c` uses `a`.
#[test]
fn cycles_through_re_exports_are_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import_cycles");
    fs::create_dir_all(folder.join("b")).unwrap();
    for (file, text) in [
        ("lib.rs", "mod a;\nmod b;\npub use b::Outer;\n"),
        ("a.rs", "use crate::Outer;\n"),
        ("b/mod.rs", "mod c;\npub(crate) use c::Inner as Outer;\n"),
        ("b/c.rs", "fn f() { crate::a::g() }\n"),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    let cycle = vec!["a".to_owned(), "b::c".to_owned()];
    assert_eq!(cycles(&imports(&folder)), BTreeMap::from([("a".into(), cycle.clone()), ("b::c".into(), cycle)]));
}
