//! `--by`: sums up the contacts of the shapes of an object, of a layer, or of the tiles of a layer.
use std::collections::HashMap;

use carom_scene::Scene;
use carom_scene::draw::Contact;
use clap::ValueEnum;
use serde::Serialize;

use crate::json_number::plain;
use crate::layers::{Layers, joined};

/// Colliders that share a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// One row per pair of shapes
    Shape,
    /// One row per pair of objects
    Object,
    /// One row per pair of layers
    Layer,
    /// One row per pair of shapes, but one for all tiles of a layer
    TileLayer,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Object => "object",
            Self::Layer => "layer",
            Self::TileLayer => "tile-layer",
        }
    }
}

/// Contacts between two groups.
pub(crate) struct Row {
    /// Groups, in the order of their first colliders.
    pub(crate) groups: [usize; 2],
    /// Number of contacts, near misses included.
    pub(crate) pairs: usize,
    /// Number of contacts with depth 0.
    pub(crate) touching: usize,
    /// Sum of the depths above 0.
    pub(crate) total: f64,
    /// Index of the deepest contact. Of equal ones the first.
    pub(crate) deepest: usize,
    pub(crate) depth: f64,
    /// Colliders of both groups that are in a contact, each once.
    pub(crate) members: [Vec<usize>; 2],
}

/// Groups of the colliders of a scene, and rows of their contacts.
pub(crate) struct Groups<'s> {
    scene: &'s Scene,
    by: By,
    /// Group of each collider.
    of: Vec<usize>,
    /// First collider of each group.
    first: Vec<usize>,
    pub(crate) rows: Vec<Row>,
}

/// Same key, same group.
#[derive(PartialEq, Eq, Hash)]
enum Key<'s> {
    Collider(usize),
    Object(&'s str),
    Layers(u64, u32),
}

impl<'s> Groups<'s> {
    /// Sums up contacts. Rows are in the order of their first contacts.
    pub(crate) fn new(scene: &'s Scene, by: By, contacts: &[Contact]) -> Self {
        let (mut known, mut first) = (HashMap::new(), Vec::new());
        let of = (0..scene.colliders.len()).map(|index| {
            *known.entry(key(scene, by, index)).or_insert_with(|| {
                first.push(index);
                first.len() - 1
            })
        });
        let of = of.collect();
        let mut groups = Self { scene, by, of, first, rows: Vec::new() };
        let mut rows: HashMap<[usize; 2], usize> = HashMap::new();
        for (index, contact) in contacts.iter().enumerate() {
            groups.add(index, contact, &mut rows);
        }
        for members in groups.rows.iter_mut().flat_map(|row| &mut row.members) {
            members.sort_unstable();
            members.dedup();
        }
        groups
    }

    fn add(&mut self, index: usize, contact: &Contact, rows: &mut HashMap<[usize; 2], usize>) {
        let mut pair = [contact.a, contact.b];
        if self.of[pair[0]] > self.of[pair[1]] {
            pair.swap(0, 1);
        }
        let (groups, depth) = (pair.map(|i| self.of[i]), contact.manifold.depth);
        let number = *rows.entry(groups).or_insert(self.rows.len());
        if number == self.rows.len() {
            let members = [Vec::new(), Vec::new()];
            self.rows.push(Row { groups, pairs: 0, touching: 0, total: 0.0, deepest: index, depth, members });
        }
        let row = &mut self.rows[number];
        row.pairs += 1;
        row.touching += usize::from(depth == 0.0);
        row.total += depth.max(0.0);
        if depth > row.depth {
            (row.deepest, row.depth) = (index, depth);
        }
        for (members, collider) in row.members.iter_mut().zip(pair) {
            members.push(collider);
        }
    }

    /// Returns the name of a group. `members`: its colliders in a row.
    pub(crate) fn name(&self, group: usize, members: &[usize]) -> String {
        let first = &self.scene.colliders[self.first[group]];
        match (self.by, members) {
            (By::Shape, _) => first.id.clone(),
            (By::Object, _) => first.origin.object.as_deref().unwrap_or(&first.id).to_owned(),
            (By::Layer, _) => joined(self.scene, first),
            (By::TileLayer, [only]) => self.scene.colliders[*only].id.clone(),
            (By::TileLayer, tiles) => format!("{} ({} tiles)", joined(self.scene, first), tiles.len()),
        }
    }

    /// Returns the rows as a contract.
    pub(crate) fn json(&self, contacts: &'s [Contact]) -> Vec<JsonRow<'s>> {
        let scene = self.scene;
        let id = |i: usize| scene.colliders[i].id.as_str();
        let row = |row: &Row| {
            let [a, b] = [0, 1].map(|side| self.name(row.groups[side], &row.members[side]));
            let [first, second] = row.groups.map(|group| &scene.colliders[self.first[group]]);
            let deepest = &contacts[row.deepest];
            JsonRow {
                a,
                b,
                layers_a: Layers(scene, first),
                layers_b: Layers(scene, second),
                pairs: row.pairs,
                touching: row.touching,
                depth: plain(row.depth),
                total: plain(row.total),
                deepest: [id(deepest.a), id(deepest.b)],
            }
        };
        self.rows.iter().map(row).collect()
    }

    /// Returns the whole object of `--format json`.
    pub(crate) fn report(&self, candidates: usize, contacts: &'s [Contact]) -> Report<'s> {
        Report { shapes: self.scene.colliders.len(), candidates, by: self.by.name(), rows: self.json(contacts) }
    }
}

fn key(scene: &Scene, by: By, index: usize) -> Key<'_> {
    let collider = &scene.colliders[index];
    let file = if scene.files.len() > 1 { collider.origin.file } else { 0 };
    match by {
        By::Layer => Key::Layers(collider.filter.layers, file),
        By::TileLayer if collider.origin.is_tile => Key::Layers(collider.filter.layers, file),
        By::Object => collider.origin.object.as_deref().map_or(Key::Collider(index), Key::Object),
        By::Shape | By::TileLayer => Key::Collider(index),
    }
}

/// One row. A line of `--format ndjson`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct JsonRow<'s> {
    pub(crate) a: String,
    pub(crate) b: String,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    layers_a: Layers<'s>,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    layers_b: Layers<'s>,
    pub(crate) pairs: usize,
    pub(crate) touching: usize,
    pub(crate) depth: f64,
    pub(crate) total: f64,
    pub(crate) deepest: [&'s str; 2],
}

/// Output of `check --by --format json`: a contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Report<'s> {
    shapes: usize,
    candidates: usize,
    by: &'static str,
    rows: Vec<JsonRow<'s>>,
}
