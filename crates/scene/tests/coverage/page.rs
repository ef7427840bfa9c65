//! `docs/FORMATS.md` is written from the lists of the formats.
use std::fmt::Write as _;

use carom_scene::Format;
use carom_scene::coverage::{Part, Treatment, parts};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/FORMATS.md");

const HEAD: &str = "# What is read of each format

This page is written from the lists that the readers use, by `CAROM_BLESS=1 cargo test -p carom-scene`.

- **Read**: decides shapes, poses, ids or layers.
- **Named**: could change a collider, but is not read. A message on stderr names it, if a file has it
  with an effective value. A part that is on no list is named too.
- **Ignored**: appearance, bookkeeping and other data that no collider depends on. `--verbose` prints
  the ignored parts of a file.

Of the custom properties of Tiled, `one_way`, `moving`, `speed`, `sensor` and `mask` are read, in layers,
objects and the collision shapes of tiles. [CLI.md](CLI.md#tiled-maps) says what they mean. Every other
property is named.

Tests feed each part that the documentation of a format knows, and compare with this page.

## Scene JSON

All keys of [scene.schema.json](../scenes/scene.schema.json) are read. Any other key is an error.
";

fn names(all: &[Part], parent: &str, treatment: Treatment) -> String {
    let wanted = all.iter().filter(|part| part.parent == parent && part.treatment == treatment);
    wanted.map(|part| format!("`{}`", part.name)).collect::<Vec<_>>().join(", ")
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (format, title) in [
        (Format::Tmx, "Tiled maps in XML"),
        (Format::Tmj, "Tiled maps in JSON"),
        (Format::GeoJson, "GeoJSON"),
        (Format::Csv, "CSV with a WKT column"),
        (Format::Svg, "SVG"),
        (Format::Png, "PNG"),
    ] {
        write!(page, "\n## {title}\n\n| in | read | named | ignored |\n|---|---|---|---|\n").unwrap();
        let all = parts(format);
        let mut parents: Vec<&str> = all.iter().map(|part| part.parent).collect();
        parents.dedup();
        for parent in parents {
            let [read, named, ignored] =
                [Treatment::Read, Treatment::Named, Treatment::Ignored].map(|treatment| names(&all, parent, treatment));
            writeln!(page, "| {parent} | {read} | {named} | {ignored} |").unwrap();
        }
    }
    page
}

#[test]
fn the_page_is_up_to_date() {
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::write(FILE, page()).unwrap();
    }
    assert!(
        std::fs::read_to_string(FILE).unwrap_or_default() == page(),
        "the lists changed: run CAROM_BLESS=1 cargo test -p carom-scene, look at the difference, commit it"
    );
}
