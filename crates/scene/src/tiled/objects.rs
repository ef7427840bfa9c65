//! Converts a map to a scene: layers, ids and groups.
//!
//! Input: a map, its loader and the options. Output: a scene. The layers are visited in file order.
//! Group layers add their offset and properties to the layers inside.

use super::builder::{Builder, Settings};
use super::loader::{FileContext, Loader};
use super::model::{Content, Layer, Map, Object};
use super::object_shape::ObjectShape;
use super::paths::Paths;
use super::properties::Properties;
use super::tile_shape::{ColliderShape, reason};
use crate::{Error, Moving, Options, Origin, Scene};
use carom::{DVec2, Pose};
use std::sync::Arc;

/// Builds the scene.
pub(super) fn scene<'a>(file: &'a str, map: Map, mut files: Loader<'a>, options: &'a Options) -> Result<Scene, Error> {
    files.hexagonal = map.grid.is_hexagonal();
    let gids = files.gids("", map.tilesets)?;
    let mut layers = map.layers;
    name_layers(&mut layers, &mut 0);
    check_solid(file, &layers, &options.solid)?;
    let paths = Paths::new(&layers, &mut files, &gids, map.grid);
    let mut builder = Builder::new(file, files, gids, map.grid, options);
    builder.paths = paths;
    builder.add_layers(&layers, DVec2::ZERO, &Properties::default())?;
    Ok(builder.into_scene())
}

/// Returns the name of a layer, or its number in the file. Group layers are counted too.
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

impl Builder<'_> {
    /// `outer`: properties of the groups around the layers.
    fn add_layers(&mut self, layers: &[Layer], offset: DVec2, outer: &Properties) -> Result<(), Error> {
        for layer in layers {
            let offset = offset + layer.offset;
            let outer = layer.properties.or(outer);
            self.notes.properties(&layer.properties);
            match &layer.content {
                Content::Group(inner) => self.add_layers(inner, offset, &outer)?,
                Content::Objects(objects) => {
                    for object in objects {
                        self.object(&layer.name, offset, object, &outer)?;
                    }
                }
                Content::Tiles(chunks) => self.tile_layer(&layer.name, offset, chunks, &outer)?,
                Content::Image => self.notes.image(&layer.name),
            }
        }
        Ok(())
    }

    fn object(&mut self, layer: &str, offset: DVec2, written: &Object, outer: &Properties) -> Result<(), Error> {
        let index = self.objects;
        self.objects += 1;
        if self.paths.is_path(index) {
            return Ok(());
        }
        let mut name = written.name.clone();
        let mut own = Properties::default();
        let placed = self.pieces(written, offset, &mut name, &mut own);
        let id = match (written.id, name.as_str()) {
            (0, "") => format!("#{index}"),
            (id, "") => id.to_string(),
            (_, name) => name.to_owned(),
        };
        let number = (written.id > 0).then_some(written.id);
        let origin =
            Origin { number, name: Some(name.as_str()).filter(|n| !n.is_empty()).map(Arc::from), ..Origin::default() };
        let done = match placed {
            // A text. A tile object has the rectangle of its tile, if its tile has no shapes.
            Ok((pieces, ..)) if pieces.is_empty() => {
                self.notes.texts += 1;
                return Ok(());
            }
            Ok((pieces, pose)) => {
                // The shapes of one tile object are one group, so they have no contacts with each
                // other.
                let filter = self.filter(layer, pieces.len() > 1)?;
                let copies = self.files.repeats.texts(&id, pieces.len() - 1);
                let moving = self.moving(&own, outer);
                copies.and(moving).and_then(|moving| {
                    let settings = Settings { own: &own, outer, moving };
                    self.push(id.clone(), &pieces, pose, filter, &settings, &origin)?;
                    self.note_repair(&id);
                    Ok(())
                })
            }
            Err(reason) => Err(reason),
        };
        done.or_else(|reason| {
            let location = match (written.id, name.as_str()) {
                (0, _) => format!("object {id} in layer \"{layer}\""),
                (number, "") => format!("object {number} in layer \"{layer}\""),
                (number, name) => format!("object {number} \"{name}\" in layer \"{layer}\""),
            };
            self.refuse(id, location, reason)
        })
    }

    /// Returns the path of an object.
    fn moving(&mut self, own: &Properties, outer: &Properties) -> Result<Option<Moving>, String> {
        let moving = self.paths.moving(&own.or(outer))?;
        self.notes.properties(own);
        if moving.is_none() && own.speed.is_some() {
            self.notes.property("speed");
        }
        Ok(moving)
    }

    /// Returns the shapes of an object and its pose. An empty `name` becomes that of the template.
    /// `own` becomes the properties of the object and its template.
    fn pieces(
        &mut self,
        written: &Object,
        offset: DVec2,
        name: &mut String,
        own: &mut Properties,
    ) -> Result<(Vec<ColliderShape>, Pose), String> {
        let resolved = self.files.resolve(written, FileContext { path: "", gids: &self.gids })?;
        let object = resolved.object;
        name.clone_from(&object.name);
        own.clone_from(&object.properties);
        let pose = Pose::from_degrees(offset + self.grid.position(object.position), object.rotation.unwrap_or(0.0))
            .map_err(reason)?;
        let pieces = match resolved.tile {
            Some(tile) => self.tile_object(tile, object.size)?,
            None => match ObjectShape::of(&object)? {
                Some(outline) => {
                    let outline = outline.projected(&self.grid)?.repaired(&mut self.repairs)?;
                    let part = outline.part().map_err(reason)?;
                    vec![ColliderShape { number: None, part, properties: Properties::default() }]
                }
                None => Vec::new(),
            },
        };
        Ok((pieces, pose))
    }
}
