//! Files import each other without cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::architecture::sources;

/// A module path below the crate.
type Module = Vec<String>;

/// Files that need each other: a compound has members that are composites, a convex shape stores its kind and a kind has
/// a constructor, and a one-way front has a pointer to code that reads the columns of colliders.
const RECURSIVE_TYPES: [&[&str]; 3] = [
    &["shape::convex", "shape::kind", "shape::polygon"],
    &["shape::composite", "shape::members"],
    &["world::collider", "world::collider_set", "world::one_way", "world::one_way_filter"],
];

/// Appends the paths of a `use` tree, or of an expression, to `found`. Returns the text behind it.
fn paths<'t>(mut path: Vec<&'t str>, mut text: &'t str, found: &mut Vec<Vec<&'t str>>) -> &'t str {
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
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        path.extend((end > 0).then_some(&text[..end]));
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(rest) if end > 0 => text = rest,
            _ => {
                found.push(path);
                return text;
            }
        }
    }
}

/// Returns the paths of a source text that begin with `crate`, `super` or `self`.
fn local_paths(text: &str) -> Vec<Vec<&str>> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(at) = ["crate::", "super::", "self::"].iter().filter_map(|start| rest.find(start)).min() {
        let is_whole_word = !rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$');
        rest = if is_whole_word { paths(Vec::new(), &rest[at..], &mut found) } else { &rest[at + 5..] };
    }
    found
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
    let names = found.iter().map(|path| ((*path.last().unwrap()).to_owned(), resolve(own, path, modules)));
    names.filter(|(_, child)| child != own && child.starts_with(own)).collect()
}

/// Returns for each module the modules that it imports, without those above it.
fn imports() -> BTreeMap<Module, BTreeSet<Module>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let module = |file: &Path| -> Module {
        let path = file.strip_prefix(&root).unwrap().with_extension("");
        let names = path.iter().map(|name| name.to_str().unwrap().to_owned());
        names.filter(|name| name != "mod" && name != "lib").collect()
    };
    let code = |file: &Path| {
        let text = fs::read_to_string(file).unwrap();
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    };
    let names: Modules = files.iter().map(|file| (module(file), BTreeMap::new())).collect();
    let with_exports = |file| (module(file), re_exports(&module(file), &code(file), &names));
    let modules: Modules = files.iter().map(|file| with_exports(file)).collect();
    let mut found = BTreeMap::new();
    for file in &files {
        let (own, code) = (module(file), code(file));
        let others = local_paths(&code).into_iter().map(|path| resolve(&own, &path, &modules));
        let others = others.filter(|other| !own.starts_with(other)).collect::<BTreeSet<_>>();
        found.insert(own, others);
    }
    found
}

#[test]
fn no_file_imports_itself_through_others() {
    let imports = imports();
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 1000, "the imports are not found");
    let mut cycles: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for module in imports.keys() {
        let (mut reached, mut stack) = (BTreeSet::new(), vec![module]);
        while let Some(next) = stack.pop() {
            stack.extend(imports[next].iter().filter(|other| reached.insert(*other)));
        }
        let returns = reached.iter().filter(|other| {
            let (mut seen, mut stack) = (BTreeSet::new(), vec![**other]);
            while let Some(next) = stack.pop() {
                stack.extend(imports[next].iter().filter(|other| seen.insert(*other)));
            }
            seen.contains(module)
        });
        let cycle: Vec<String> = returns.map(|other| other.join("::")).collect();
        if !cycle.is_empty() {
            cycles.insert(module.join("::"), cycle);
        }
    }
    let known: BTreeSet<&str> = RECURSIVE_TYPES.iter().flat_map(|cycle| cycle.iter().copied()).collect();
    for (module, cycle) in &cycles {
        let same = RECURSIVE_TYPES.iter().find(|known| known.contains(&module.as_str()));
        assert!(same.is_some_and(|known| cycle == known), "{module} is in a cycle of imports: {cycle:?}");
    }
    assert!(known.iter().all(|module| cycles.contains_key(*module)), "a known cycle is gone: {cycles:?}");
}

#[test]
fn paths_of_nested_groups_are_found() {
    let text = "use crate::a::{b, c::{self, d as e}, f}; use super::g; let x = self::h::I { j }; mycrate::k;";
    let found: Vec<String> = local_paths(text).iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["crate::a::b", "crate::a::c::self", "crate::a::c::d", "crate::a::f", "super::g", "self::h::I"]);
}
