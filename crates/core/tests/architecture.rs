//! Checks the structure: layers import downward only, folders are flat, every test file is short and compiled, and
//! documents name existing files.

use std::fs;
use std::path::Path;

use crate::support::import_graph::{imports, sources};

/// Layers of a crate, from the ground up. A layer may use those below it. A file or folder may use itself.
type Layers = &'static [&'static [&'static str]];

const LAYERS: [(&str, Layers); 3] = [
    (
        "core",
        &[
            &["error"],
            &["math"],
            &["decompose", "broad_phase", "pair_result"],
            &["shape"],
            &["query"],
            &["composite"],
            &["batch"],
            &["world"],
            &["response", "mover"],
            &["serde_impls"],
            // These re-export public items.
            &["explain", "internal_edges", "mask"],
        ],
    ),
    (
        "scene",
        &[
            &["error", "format", "ids", "line_index", "moving", "repair", "unread"],
            &["geometry", "model", "options", "xml"],
            &["decompose", "draw", "layers", "merge_tiles", "png", "world"],
            &["csv_wkt", "json", "merge", "svg", "tiled", "trace"],
            // Uses the numbers and the errors of syntax of `json`.
            &["geojson"],
            &["coverage", "detect_format"],
        ],
    ),
    (
        "cli",
        &[
            &[
                "broad_phase",
                "json_number",
                "json_schema",
                "large_files",
                "lettering",
                "number_format",
                "progress",
                "read_files",
                "stats",
                "suggest",
                "table",
            ],
            &["error", "names"],
            &["balls", "input", "layers", "output", "render", "threads"],
            &["film", "pipeline", "report_json"],
            &["containment", "stream", "sweep"],
            &[
                "bench",
                "check",
                "completions",
                "decompose",
                "explain",
                "join",
                "man",
                "replay",
                "simulate",
                "trace",
                "walk",
            ],
        ],
    ),
];

#[test]
fn layers_import_downward_only() {
    for (name, layers) in LAYERS {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let level = |module: &str| {
            let level = layers.iter().position(|layer| layer.contains(&module));
            level.unwrap_or_else(|| panic!("{name}: {module} is in no layer"))
        };
        let mut checked = 0;
        for (file, used) in imports(&root) {
            let Some(own) = file.first() else { continue };
            for used in used.iter().map(|path| &path[0]).filter(|used| *used != own) {
                assert!(level(used) < level(own), "{name}: {} must not use {used}", file.join("/"));
                checked += 1;
            }
        }
        assert!(checked > 40, "{name}: only {checked} imports were seen: the test looks at the wrong place");
    }
}

/// Fails for a test file that no `mod` names: it would never be compiled.
#[test]
fn every_test_file_is_a_module_of_its_test_binary() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in ["core", "scene", "cli"] {
        let (tests, mut files) = (crates.join(name).join("tests"), Vec::new());
        sources(&tests, &mut files);
        // A folder with a manifest is a crate of its own.
        let is_crate = |folder: &Path| folder != tests && folder.join("Cargo.toml").is_file();
        files.retain(|file| {
            !file.ends_with("main.rs") && !file.ancestors().any(|folder| folder.starts_with(&tests) && is_crate(folder))
        });
        assert!(!files.is_empty());
        for file in files {
            let folder = file.parent().unwrap();
            // `a/mod.rs` is the module `a` of the folder above, `a/b.rs` the module `b` of its folder.
            let (module, above) =
                if file.ends_with("mod.rs") { (folder, folder.parent().unwrap()) } else { (file.as_path(), folder) };
            let declaration = format!("mod {};", module.file_stem().unwrap().to_str().unwrap());
            let roots = ["main.rs", "mod.rs"].map(|root| fs::read_to_string(above.join(root)).unwrap_or_default());
            let declared =
                roots.iter().any(|text| text.lines().any(|line| line.trim_start_matches("pub ") == declaration));
            assert!(
                declared,
                "{} is in no test binary: `{declaration}` is missing in {}",
                file.display(),
                above.display()
            );
        }
    }
}

/// Returns the rows of the glossary of ARCHITECTURE.md as word and meaning.
fn glossary() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let text = fs::read_to_string(path).unwrap();
    let section = text.split("\n## Glossary\n").nth(1).expect("a glossary").split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 2, "{row}");
        (cells[0].to_owned(), cells[1].to_owned())
    })
    .collect()
}

/// The glossary defines each special word of the code exactly once.
#[test]
fn every_glossary_word_is_defined_once() {
    const WORDS: [&str; 12] = [
        "part",
        "hull vertex",
        "feature",
        "error bound",
        "bounding radius",
        "margin",
        "lane",
        "block",
        "column",
        "strip",
        "class",
        "packed",
    ];
    let rows = glossary();
    for word in WORDS {
        assert_eq!(rows.iter().filter(|(other, _)| other == word).count(), 1, "{word}");
    }
    for (word, meaning) in &rows {
        assert!(meaning.split_whitespace().count() >= 3, "{word} has no meaning");
        assert_eq!(rows.iter().filter(|(other, _)| other == word).count(), 1, "{word} is defined twice");
    }
}

/// Returns the names of files and folders in the code spans of a page: they end with `.rs` or `/`.
fn named_paths(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2).filter(|span| {
        let is_source = Path::new(span).extension().is_some_and(|extension| extension == "rs");
        (is_source || span.ends_with('/')) && span.chars().all(|c| c.is_ascii_alphanumeric() || "_/.".contains(c))
    })
}

/// A page must not name files that have moved. A name without a folder may belong to any folder.
#[test]
fn files_named_on_architecture_pages_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut known = Vec::new();
    for folder in ["src", "tests", "../scene", "../cli"] {
        sources(&root.join(folder), &mut known);
    }
    let mut pages = vec![root.join("../../ARCHITECTURE.md"), root.join("../../docs/MOVER.md")];
    pages.extend(std::fs::read_dir(root.join("../../docs/architecture")).unwrap().map(|entry| entry.unwrap().path()));
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    assert!(pages.len() > 8, "seven pages, MOVER.md and ARCHITECTURE.md");
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for name in named_paths(&text) {
            let exists = ["src", "", "..", "../..", "../scene/src", "../cli/src"]
                .iter()
                .any(|base| root.join(base).join(name).exists())
                || known.iter().any(|path| path.ends_with(name));
            assert!(exists, "{} names {name}, which does not exist", page.display());
        }
    }
}

#[test]
fn folders_are_at_most_three_deep() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in ["core", "simd", "scene", "cli"] {
        let (root, mut files) = (crates.join(name).join("src"), Vec::new());
        sources(&root, &mut files);
        for file in files {
            let depth = file.strip_prefix(&root).unwrap().iter().count() - 1;
            assert!(depth <= 3, "{} is {depth} folders deep", file.display());
        }
    }
}

#[test]
fn test_files_have_at_most_500_lines() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in ["core", "simd", "scene", "cli"] {
        let mut files = Vec::new();
        sources(&crates.join(name).join("tests"), &mut files);
        for file in files {
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            assert!(lines <= 500, "{} has {lines} lines", file.display());
        }
    }
}
