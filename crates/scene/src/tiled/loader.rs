//! Loads the files of a map (tilesets and templates), each once, and finds the tile of a number.
//!
//! Input: paths as written in the map, and a function that reads files. Output: tilesets, and
//! objects with the values of their templates.
//!
//! A global tile number is the sum of the first number of its tileset and its number in it. Its
//! highest bits are flips, or turns in hexagonal maps. Templates may refer to templates and to
//! tilesets of their own, so each file has a table of tile numbers.

use super::model::{Object, Source, Template, TileIds, Tileset, TilesetRef};
use super::properties::Properties;
use super::repeats::Repeats;
use super::{json, xml};
use crate::Error;
use crate::unread::Unread;
use carom::DVec2;
use std::collections::HashMap;
use std::io;

/// Largest depth of templates of templates. A greater depth is a cycle.
const MAX_TEMPLATES: usize = 16;

/// Bit of a cell: mirrored horizontally.
const FLIP_X: u32 = 1 << 31;
/// Bit of a cell: mirrored vertically.
const FLIP_Y: u32 = 1 << 30;
/// Bit of a cell: x and y swapped. On hexagonal maps a turn by 60°.
const SWAP: u32 = 1 << 29;
/// Turn by 120° on hexagonal maps, where [`SWAP`] is a turn by 60°. Tiled ignores it on others.
const HEXAGONAL: u32 = 1 << 28;

/// Orientation of a tile: first x and y are swapped, then the two flips follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Flip {
    pub(super) x: bool,
    pub(super) y: bool,
    pub(super) swap: bool,
    /// Turn by multiples of 60° about the centre, after the flips. Only in hexagonal maps.
    pub(super) sixths: u8,
}

/// Tile of a tileset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TileRef {
    /// Index into [`Loader::tilesets`].
    pub(super) tileset: usize,
    pub(super) id: u32,
    pub(super) flip: Flip,
}

/// Tilesets of a map or a template by their first global tile number.
#[derive(Clone, Debug, Default)]
pub(super) struct GidTable {
    first_gids: Vec<(u32, usize)>,
    /// Two flags are turns, because the map is hexagonal.
    hexagonal: bool,
}

impl GidTable {
    /// Returns the tile of a global number. `None` for an empty cell.
    pub(super) fn tile(&self, gid: u32, tilesets: &[Tileset]) -> Result<Option<TileRef>, String> {
        let number = gid & !(FLIP_X | FLIP_Y | SWAP | HEXAGONAL);
        if number == 0 {
            return Ok(None);
        }
        let Some(&(first, tileset)) = self.first_gids.iter().rev().find(|(first, _)| *first <= number) else {
            return Err(format!("tile number {number} is in no tileset: the map names {}", self.first_gids.len()));
        };
        let id = number - first;
        let set = &tilesets[tileset];
        match set.ids {
            TileIds::Listed if !set.tiles.contains_key(&id) => {
                Err(format!("tile number {number}: the collection \"{}\" has no tile {id}", set.name))
            }
            TileIds::Below(count) if id >= count => {
                Err(format!("tile number {number}: tileset \"{}\" ({first} onward) has only {count} tiles", set.name))
            }
            _ => {
                let [x, y, swap, turn] = [FLIP_X, FLIP_Y, SWAP, HEXAGONAL].map(|flag| gid & flag != 0);
                let flip = if self.hexagonal {
                    Flip { x, y, swap: false, sixths: u8::from(swap) + 2 * u8::from(turn) }
                } else {
                    Flip { x, y, swap, sixths: 0 }
                };
                Ok(Some(TileRef { tileset, id, flip }))
            }
        }
    }
}

/// Object with the values of its templates filled in.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) object: Object,
    pub(super) tile: Option<TileRef>,
}

/// File that contains an object, and the tile numbers of that file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileContext<'a> {
    /// Path relative to the map. Empty for the map itself.
    pub(super) path: &'a str,
    pub(super) gids: &'a GidTable,
}

/// Files that have been loaded.
pub(super) struct Loader<'a> {
    map: &'a str,
    load: &'a mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    pub(super) tilesets: Vec<Tileset>,
    /// File of each tileset, relative to the map. Empty for the map itself.
    pub(super) homes: Vec<String>,
    loaded: HashMap<String, usize>,
    templates: HashMap<String, Result<Resolved, String>>,
    pub(super) repeats: Repeats,
    /// True if the map is hexagonal.
    pub(super) hexagonal: bool,
    /// Parts of all files that were not read.
    pub(super) unread: Unread,
}

impl<'a> Loader<'a> {
    pub(super) fn new(map: &'a str, load: &'a mut dyn FnMut(&str) -> io::Result<Vec<u8>>, unread: Unread) -> Self {
        let (loaded, templates, repeats) = (HashMap::new(), HashMap::new(), Repeats::default());
        Self {
            map,
            load,
            tilesets: Vec::new(),
            homes: Vec::new(),
            loaded,
            templates,
            repeats,
            hexagonal: false,
            unread,
        }
    }

    /// Loads the tilesets of the file at `path`.
    pub(super) fn gids(&mut self, path: &str, refs: Vec<TilesetRef>) -> Result<GidTable, Error> {
        let mut gids = Vec::new();
        for TilesetRef { first_gid, source } in refs {
            let tileset = match source {
                Source::Inline(tileset) => self.keep(path, tileset),
                Source::File(source) => self.tileset_file(path, first_gid, &source)?,
            };
            gids.push((first_gid, tileset));
        }
        gids.sort_unstable();
        Ok(GidTable { first_gids: gids, hexagonal: self.hexagonal })
    }

    fn keep(&mut self, path: &str, tileset: Tileset) -> usize {
        self.tilesets.push(tileset);
        self.homes.push(path.to_owned());
        self.tilesets.len() - 1
    }

    fn tileset_file(&mut self, from: &str, first_gid: u32, source: &str) -> Result<usize, Error> {
        let path = joined(from, source);
        if let Some(&tileset) = self.loaded.get(&path) {
            return Ok(tileset);
        }
        let referrer = if from.is_empty() { self.map } else { from };
        let text = self.text(&path, "tileset").map_err(|m| Error::at(referrer, format!("tileset {first_gid}"), m))?;
        let read = if is_xml(&text) { xml::tileset } else { json::tileset };
        let tileset = read(&path, &text, &mut self.unread)?;
        let index = self.keep(&path, tileset);
        self.loaded.insert(path, index);
        Ok(index)
    }

    fn text(&mut self, path: &str, what: &str) -> Result<String, String> {
        let bytes = (self.load)(path).map_err(|e| format!("the {what} \"{path}\" cannot be read: {e}"))?;
        let text = String::from_utf8(bytes).map_err(|e| format!("the {what} \"{path}\" is not UTF-8: {e}"))?;
        Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
    }

    /// Fills in the values of the object's template. Values of the object itself have priority, by
    /// Tiled's rules: the size if both sides are above 0, the name if it is not empty.
    pub(super) fn resolve(&mut self, object: &Object, home: FileContext<'_>) -> Result<Resolved, String> {
        self.resolve_deep(object, home, 0)
    }

    /// Returns the object of the template of an object of the map. `None` if it has no valid template.
    pub(super) fn template_of(&mut self, object: &Object) -> Option<&Object> {
        let path = joined("", object.template.as_ref()?);
        if !self.templates.contains_key(&path) {
            // An error is kept, and reported for the object.
            let _ = self.template(&path, 0);
        }
        self.templates.get(&path)?.as_ref().ok().map(|base| &base.object)
    }

    fn resolve_deep(&mut self, object: &Object, home: FileContext<'_>, depth: usize) -> Result<Resolved, String> {
        let mut object = object.clone();
        let mut tile = match object.gid {
            Some(gid) => home.gids.tile(gid, &self.tilesets)?,
            None => None,
        };
        if let Some(source) = object.template.take() {
            let base = self.template(&joined(home.path, &source), depth)?;
            if object.name.is_empty() {
                object.name = base.object.name;
            }
            if object.size.min_element() <= 0.0 {
                object.size = base.object.size;
            }
            object.rotation = object.rotation.or(base.object.rotation);
            object.kind = object.kind.or(base.object.kind);
            let unread = [object.properties.unread.as_slice(), &base.object.properties.unread].concat();
            object.properties = Properties { unread, ..object.properties.or(&base.object.properties) };
            tile = tile.or(base.tile);
        }
        Ok(Resolved { object, tile })
    }

    fn template(&mut self, path: &str, depth: usize) -> Result<Resolved, String> {
        if let Some(known) = self.templates.get(path) {
            if let Ok(known) = known {
                self.repeats.objects(std::slice::from_ref(&known.object))?;
            }
            return known.clone();
        }
        if depth == MAX_TEMPLATES {
            return Err(format!("template \"{path}\": templates that name templates more than {MAX_TEMPLATES} deep"));
        }
        let read = self.read_template(path, depth);
        self.templates.insert(path.to_owned(), read.clone());
        read
    }

    fn read_template(&mut self, path: &str, depth: usize) -> Result<Resolved, String> {
        let text = self.text(path, "template")?;
        let read = if is_xml(&text) { xml::template } else { json::template };
        let within = |e: Error| format!("in the template {e}");
        let Template { tileset, object } = read(path, &text, &mut self.unread).map_err(within)?;
        let gids = self.gids(path, tileset.into_iter().collect()).map_err(within)?;
        self.resolve_deep(&object, FileContext { path, gids: &gids }, depth + 1)
    }

    /// Returns the size of a tile in pixels, if the files contain it.
    pub(super) fn tile_size(&self, tile: TileRef) -> Option<DVec2> {
        let set = &self.tilesets[tile.tileset];
        match set.ids {
            // The size of an image collection is that of its largest tile.
            TileIds::Listed => set.tiles.get(&tile.id).and_then(|t| t.size),
            _ => (set.tile_size.min_element() > 0.0).then_some(set.tile_size),
        }
    }
}

fn is_xml(text: &str) -> bool {
    text.trim_start().starts_with('<')
}

/// Converts `path`, written in the file `from`, to a path relative to the map. `a/../b` becomes
/// `b`.
fn joined(from: &str, path: &str) -> String {
    let folder = from.rfind('/').map_or("", |i| &from[..=i]);
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|p| !matches!(*p, ".." | "")) => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn paths_are_relative_to_the_map() {
        assert_eq!(joined("", "a.tsx"), "a.tsx");
        assert_eq!(joined("templates/crate.tx", "../tiles/a.tsx"), "tiles/a.tsx");
        assert_eq!(joined("templates/crate.tx", "./a.tsx"), "templates/a.tsx");
        assert_eq!(joined("../t/crate.tx", "../a.tsx"), "../a.tsx");
        assert_eq!(joined("t/crate.tx", "/all/a.tsx"), "/all/a.tsx");
        assert_eq!(joined("../../t.tx", "../a.tsx"), "../../../a.tsx");
    }
}
