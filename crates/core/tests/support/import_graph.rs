//! Finds the files of a crate and their imports of each other. Follows re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module path below the crate.
pub type Module = Vec<String>;

/// Appends all Rust files below a folder.
pub fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// A path, and the name that it has afterwards: its last segment, or the name behind `as`.
type Named<'t> = (Vec<&'t str>, &'t str);

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the name at the start of a text, and the text behind it.
fn split_name(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()))
}

/// Appends the paths of a `use` tree, or of an expression, to `found`. Returns the text behind it.
fn paths<'t>(mut path: Vec<&'t str>, mut text: &'t str, found: &mut Vec<Named<'t>>) -> &'t str {
    loop {
        if let Some(mut rest) = text.strip_prefix('{') {
            loop {
                rest = paths(path.clone(), rest.trim_start(), found).trim_start_matches(|c| c != ',' && c != '}');
                match rest.strip_prefix(',') {
                    Some(next) => rest = next,
                    None => return rest.strip_prefix('}').unwrap_or(rest),
                }
            }
        }
        let (name, rest) = split_name(text);
        path.extend((!name.is_empty()).then_some(name));
        match rest.strip_prefix("::") {
            Some(rest) if !name.is_empty() => text = rest,
            _ => {
                found.push((path, rest.strip_prefix(" as ").map_or(name, |alias| split_name(alias).0)));
                return rest;
            }
        }
    }
}

/// Returns the paths of a source text whose first name is `crate`, `super`, `self` or the name of a child module.
fn local_paths<'t>(text: &'t str, is_child: &dyn Fn(&str) -> bool) -> Vec<Vec<&'t str>> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find("::") {
        let start = rest[..at].trim_end_matches(is_name).len();
        let first = &rest[start..at];
        let is_local = matches!(first, "crate" | "super" | "self") || is_child(first);
        let is_start = !rest[..start].ends_with(['$', ':', '\'']);
        if is_local && is_start {
            rest = paths(Vec::new(), &rest[start..], &mut found);
        } else {
            // The rest of a path of another crate.
            rest = rest[at + 2..].trim_start_matches(is_name);
        }
    }
    found.into_iter().map(|(path, _)| path).collect()
}

/// Modules by path, each with the names that it re-exports and the modules which define them.
type Modules = BTreeMap<Module, BTreeMap<String, Module>>;

/// Returns the module that defines the last name of `path`, as seen from `own`.
fn resolve(own: &Module, path: &[&str], modules: &Modules) -> Module {
    let mut full = own.clone();
    for segment in path {
        match *segment {
            "crate" => full.clear(),
            "super" => drop(full.pop()),
            "self" => {}
            name => full.push(name.to_owned()),
        }
    }
    let mut name = None;
    while !full.is_empty() && !modules.contains_key(&full) {
        name = full.pop();
    }
    match name.and_then(|name| modules[&full].get(&name)) {
        Some(child) => child.clone(),
        None => full,
    }
}

/// Returns the names that a module re-exports from its children, with these children.
fn re_exports(own: &Module, code: &str, modules: &Modules) -> BTreeMap<String, Module> {
    let mut found = Vec::new();
    for text in code.split("\npub").skip(1) {
        if let Some(tree) = text.trim_start_matches("(crate)").strip_prefix(" use ") {
            paths(Vec::new(), tree, &mut found);
        }
    }
    let names = found.iter().map(|(path, name)| ((*name).to_owned(), resolve(own, path, modules)));
    names.filter(|(_, child)| child != own && child.starts_with(own)).collect()
}

/// Returns for each module of a crate the modules that it imports, without those above it.
pub fn imports(root: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut files = Vec::new();
    sources(root, &mut files);
    let module = |file: &Path| -> Module {
        let path = file.strip_prefix(root).unwrap().with_extension("");
        let names = path.iter().map(|name| name.to_str().unwrap().to_owned());
        names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str())).collect()
    };
    let mut code: BTreeMap<Module, String> = BTreeMap::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        // The program of a library is a second root.
        let code = code.entry(module(file)).or_default();
        text.lines().filter(|line| !line.trim_start().starts_with("//")).for_each(|line| code.extend([line, "\n"]));
    }
    let mut modules: Modules = code.keys().map(|own| (own.clone(), BTreeMap::new())).collect();
    // A name can be re-exported by each folder above its file.
    loop {
        let next = code.iter().map(|(own, code)| (own.clone(), re_exports(own, code, &modules))).collect();
        if next == modules {
            break;
        }
        modules = next;
    }
    let is_macro = |name: &str| code.values().any(|code| code.contains(&format!("macro_rules! {name} ")));
    let others = |own: &Module, code: &str| {
        let is_child = |name: &str| modules.contains_key(&[own.as_slice(), &[name.to_owned()]].concat());
        let mut others = BTreeSet::new();
        for path in local_paths(code, &is_child) {
            let other = resolve(own, &path, &modules);
            let is_of_root = other.is_empty() && path[0] == "crate" && path.last().is_some_and(|name| !is_macro(name));
            assert!(!is_of_root, "{}: {} is an item of the root, above all layers", own.join("::"), path.join("::"));
            others.insert(other);
        }
        others.retain(|other| !own.starts_with(other));
        others
    };
    code.iter().map(|(own, code)| (own.clone(), others(own, code))).collect()
}

#[test]
fn paths_of_nested_groups_are_found() {
    let text = "use crate::a::{b, c::{self, d as e}, f}; use super::g; let x = self::h::I { j }; mycrate::k; \
                use std::fmt::child::L; child::M";
    let found: Vec<String> = local_paths(text, &|name| name == "child").iter().map(|path| path.join("::")).collect();
    let expected =
        ["crate::a::b", "crate::a::c::self", "crate::a::c::d", "crate::a::f", "super::g", "self::h::I", "child::M"];
    assert_eq!(found, expected);
}
