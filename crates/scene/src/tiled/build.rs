//! From a map in memory to a scene: layers, ids and groups.
use super::files::{Files, Gids, Home};
use super::model::{Content, Layer, Map, Object};
use super::place::{Outline, Part};
use super::tiles::TileShape;
use crate::ids::Ids;
use crate::layers::Layers;
use crate::{Collider, Error, Options, Refusal, Scene, YAxis};
use carom::broad::Filter;
use carom::{DVec2, Pose};
use std::collections::HashMap;
use std::rc::Rc;

/// Makes the scene.
pub(super) fn scene<'a>(file: &'a str, map: Map, mut files: Files<'a>, options: &'a Options) -> Result<Scene, Error> {
    let gids = files.gids("", map.tilesets)?;
    let mut layers = map.layers;
    name_layers(&mut layers, &mut 0);
    check_solid(file, &layers, &options.solid)?;
    let mut builder = Builder {
        file,
        options,
        files,
        gids,
        cell: map.cell,
        layers: Layers::new(0),
        scene: Scene { y: YAxis::Down, ..Scene::default() },
        ids: Ids::default(),
        objects: 0,
        groups: 0,
        from_tiles: 0,
        tile_shapes: HashMap::new(),
    };
    builder.walk(&layers, DVec2::ZERO)?;
    builder.scene.layers = builder.layers.into_names();
    Ok(builder.scene)
}

/// A layer without a name is called by its number in the file, groups counted too.
fn name_layers(layers: &mut [Layer], next: &mut usize) {
    for layer in layers {
        if layer.name.is_empty() {
            layer.name = format!("#{next}");
        }
        *next += 1;
        if let Content::Group(inner) = &mut layer.content {
            name_layers(inner, next);
        }
    }
}

fn check_solid(file: &str, layers: &[Layer], solid: &[String]) -> Result<(), Error> {
    let mut names = Vec::new();
    let mut open: Vec<&Layer> = layers.iter().rev().collect();
    while let Some(layer) = open.pop() {
        match &layer.content {
            Content::Group(inner) => open.extend(inner.iter().rev()),
            Content::Tiles(_) => names.push(layer.name.as_str()),
            Content::Objects(_) | Content::Image => {}
        }
    }
    let Some(unknown) = solid.iter().find(|s| !names.contains(&s.as_str())) else { return Ok(()) };
    let known = match names.as_slice() {
        [] => "the map has no tile layers".to_owned(),
        names => format!("the tile layers are \"{}\"", names.join("\", \"")),
    };
    Err(Error::new(file, format!("there is no tile layer \"{unknown}\" to take as solid: {known}")))
}

/// The scene while it grows.
pub(super) struct Builder<'a> {
    pub(super) file: &'a str,
    pub(super) options: &'a Options,
    pub(super) files: Files<'a>,
    pub(super) gids: Gids,
    /// Size of a grid cell.
    pub(super) cell: DVec2,
    layers: Layers,
    scene: Scene,
    ids: Ids,
    /// Objects of object layers so far.
    objects: usize,
    /// Groups given out so far.
    groups: u32,
    /// Colliders that came from tiles so far.
    pub(super) from_tiles: usize,
    /// The collision shapes of each tile that was met, by tileset and number.
    pub(super) tile_shapes: HashMap<(usize, u32), Rc<Vec<TileShape>>>,
}

/// A shape of an object or a cell, with its number where there are several.
pub(super) struct Piece {
    pub(super) number: Option<usize>,
    pub(super) part: Part,
}

impl Builder<'_> {
    fn walk(&mut self, layers: &[Layer], offset: DVec2) -> Result<(), Error> {
        for layer in layers {
            let offset = offset + layer.offset;
            match &layer.content {
                Content::Group(inner) => self.walk(inner, offset)?,
                Content::Objects(objects) => {
                    for object in objects {
                        self.object(&layer.name, offset, object)?;
                    }
                }
                Content::Tiles(chunks) => self.tile_layer(&layer.name, offset, chunks)?,
                Content::Image => {}
            }
        }
        Ok(())
    }

    fn object(&mut self, layer: &str, offset: DVec2, written: &Object) -> Result<(), Error> {
        let index = self.objects;
        self.objects += 1;
        let mut name = written.name.clone();
        let placed = self.pieces(written, offset, &mut name);
        let id = match (written.id, name.as_str()) {
            (0, "") => format!("#{index}"),
            (0, name) => name.to_owned(),
            (id, _) => id.to_string(),
        };
        let done = match placed {
            Ok((pieces, _)) if pieces.is_empty() => return Ok(()),
            Ok((pieces, pose)) => {
                // The shapes of one tile object belong together: they do not report each other.
                let filter = self.filter(layer, pieces.len() > 1)?;
                pieces.iter().try_for_each(|piece| self.push(&id, piece, pose, filter))
            }
            Err(reason) => Err(reason),
        };
        done.or_else(|reason| {
            let name = if name.is_empty() { String::new() } else { format!(" \"{name}\"") };
            let place = format!("object {id}{name} in layer \"{layer}\"");
            self.refuse(id, place, reason)
        })
    }

    /// What an object covers (a text nothing) and where it is; `name` becomes the template's if it was empty.
    fn pieces(&mut self, written: &Object, offset: DVec2, name: &mut String) -> Result<(Vec<Piece>, Pose), String> {
        let resolved = self.files.resolve(written, Home { path: "", gids: &self.gids })?;
        let object = resolved.object;
        name.clone_from(&object.name);
        let pose = Pose::from_degrees(offset + object.position, object.rotation.unwrap_or(0.0)).map_err(reason)?;
        let pieces = match resolved.tile {
            Some(tile) => self.tile_object(tile, object.size)?,
            None => match Outline::of(&object)? {
                Some(outline) => vec![Piece { number: None, part: outline.part().map_err(reason)? }],
                None => Vec::new(),
            },
        };
        Ok((pieces, pose))
    }

    /// The filter of colliders of this layer, with a group of their own if they are to have one.
    pub(super) fn filter(&mut self, layer: &str, grouped: bool) -> Result<Filter, Error> {
        let layers = self.layers.bit(layer).map_err(|m| Error::new(self.file, m))?;
        self.groups += u32::from(grouped);
        Ok(Filter { layers, group: if grouped { self.groups } else { 0 }, ..Filter::default() })
    }

    pub(super) fn push(&mut self, id: &str, piece: &Piece, pose: Pose, filter: Filter) -> Result<(), String> {
        let (shape, pose) = piece.part.placed(pose).map_err(reason)?;
        let id = self.ids.unique(piece.number.map_or_else(|| id.to_owned(), |n| format!("{id}.{n}")));
        self.scene.colliders.push(Collider { id, shape, pose, filter, sensor: false, motion: None, body: None });
        Ok(())
    }

    pub(super) fn refuse(&mut self, object: String, place: String, reason: String) -> Result<(), Error> {
        if !self.options.skip_invalid {
            return Err(Error::at(self.file, place, reason));
        }
        self.scene.refused.push(Refusal { object, reason });
        Ok(())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "an adapter for map_err")]
pub(super) fn reason(error: carom::Error) -> String {
    error.to_string()
}
