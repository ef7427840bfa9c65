//! Collects warnings about content of a map that has no colliders, and about properties that are
//! not read.
//!
//! Equal content is counted and named once, with the option that reads it if there is one.

use super::properties::Properties;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Largest number of names of properties in a warning.
const MOST_NAMES: usize = 10;

/// Content without colliders.
#[derive(Debug, Default)]
pub(super) struct TiledNotes {
    /// Tile layers with their number of tiles that are neither solid nor have collision shapes.
    tiles: Vec<(String, usize)>,
    /// Number of text objects.
    pub(super) texts: usize,
    images: Vec<String>,
    /// Custom properties that are not read.
    properties: BTreeSet<Rc<str>>,
}

impl TiledNotes {
    /// Adds tiles without colliders. Layers with equal names count together.
    pub(super) fn tiles(&mut self, layer: &str, count: usize) {
        match self.tiles.iter_mut().find(|(name, _)| name == layer) {
            Some((_, sum)) => *sum += count,
            None if count > 0 => self.tiles.push((layer.to_owned(), count)),
            None => {}
        }
    }

    /// Adds the properties that are not read.
    pub(super) fn properties(&mut self, properties: &Properties) {
        self.properties.extend(properties.unread.iter().cloned());
    }

    /// Adds a property that has no effect.
    pub(super) fn property(&mut self, name: &str) {
        self.properties.insert(name.into());
    }

    /// Adds an image layer.
    pub(super) fn image(&mut self, layer: &str) {
        self.images.push(layer.to_owned());
    }

    /// Returns the warnings.
    pub(super) fn texts(self) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.tiles.is_empty() {
            let layers: Vec<String> =
                self.tiles.iter().map(|(name, count)| format!("{count} of layer \"{name}\"")).collect();
            warnings.push(format!(
                "tiles without collision shapes are not read: {}; --solid \"{}\" makes the tiles of a layer solid, \
                 --solid-all those of every layer",
                layers.join(", "),
                self.tiles[0].0
            ));
        }
        if !self.images.is_empty() {
            warnings.push(format!("image layers have no shapes and are not read: \"{}\"", self.images.join("\", \"")));
        }
        if !self.properties.is_empty() {
            let names: Vec<&str> = self.properties.iter().take(MOST_NAMES).map(|name| &**name).collect();
            let more = match self.properties.len() - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            warnings.push(format!(
                "custom properties have no effect: \"{}\"{more}; read are one_way, moving with speed, sensor and mask",
                names.join("\", \"")
            ));
        }
        match self.texts {
            0 => {}
            1 => warnings.push("1 text object has no shape and is not read".to_owned()),
            count => warnings.push(format!("{count} text objects have no shape and are not read")),
        }
        warnings
    }
}
