//! Builds the scene of a map: filters, colliders and refused objects.
//!
//! `objects.rs` and `tiles.rs` add their methods to [`Builder`]. This file has its fields and the
//! steps that both share. The steps assign layers, groups, ids and properties, and decide between
//! an error and a skipped object.

use super::grid::Grid;
use super::loader::{GidTable, Loader};
use super::notes::TiledNotes;
use super::paths::Paths;
use super::properties::{LayerMask, Properties};
use super::tile_shape::{ColliderShape, TileShape, reason};
use crate::ids::Ids;
use crate::layers::Layers;
use crate::repair::Repairs;
use crate::{Error, Moving, Options, Origin, Scene, SceneCollider, SkippedObject, YAxis};
use carom::Pose;
use carom::broad_phase::Filter;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Properties of the colliders of an object or a layer.
pub(super) struct Settings<'p> {
    /// Those of the object and its template.
    pub(super) own: &'p Properties,
    /// Those of the layer and its groups.
    pub(super) outer: &'p Properties,
    pub(super) moving: Option<Moving>,
}

/// Scene under construction.
pub(super) struct Builder<'a> {
    pub(super) file: &'a str,
    pub(super) options: &'a Options,
    pub(super) files: Loader<'a>,
    pub(super) gids: GidTable,
    pub(super) grid: Grid,
    layers: Layers,
    scene: Scene,
    ids: Ids,
    /// Number of objects of object layers.
    pub(super) objects: usize,
    /// Number of assigned groups.
    groups: u32,
    /// Number of colliders from tiles.
    pub(super) from_tiles: usize,
    /// Content without colliders.
    pub(super) notes: TiledNotes,
    pub(super) paths: Paths,
    pub(super) repairs: Repairs,
    /// Collision shapes of each tile in use, by tileset and number.
    pub(super) tile_shapes: HashMap<(usize, u32), Rc<Vec<TileShape>>>,
}

impl<'a> Builder<'a> {
    /// Returns an empty scene for a map with this grid.
    pub(super) fn new(file: &'a str, files: Loader<'a>, gids: GidTable, grid: Grid, options: &'a Options) -> Self {
        Self {
            file,
            options,
            files,
            gids,
            grid,
            layers: Layers::new(0),
            scene: Scene { y: YAxis::Down, ..Scene::default() },
            ids: Ids::default(),
            objects: 0,
            groups: 0,
            from_tiles: 0,
            notes: TiledNotes::default(),
            paths: Paths::default(),
            repairs: Repairs::new(options.repair),
            tile_shapes: HashMap::new(),
        }
    }

    /// Returns the scene.
    pub(super) fn into_scene(self) -> Scene {
        let mut warnings = self.notes.texts();
        let (named, ignored) = self.files.unread.into_texts();
        warnings.extend(named);
        Scene { layers: self.layers.into_names(), warnings, ignored, ..self.scene }
    }

    /// Returns the filter for colliders of this layer, with a new group if requested.
    pub(super) fn filter(&mut self, layer: &str, grouped: bool) -> Result<Filter, Error> {
        let layers = self.layers.bit(layer).map_err(|m| Error::new(self.file, m))?;
        self.groups += u32::from(grouped);
        Ok(Filter { layers, group: if grouped { self.groups } else { 0 }, ..Filter::default() })
    }

    /// Adds the shapes of an object or a cell.
    pub(super) fn push(
        &mut self,
        id: String,
        pieces: &[ColliderShape],
        pose: Pose,
        filter: Filter,
        settings: &Settings<'_>,
        origin: &Origin,
    ) -> Result<(), String> {
        let placed: Vec<_> = pieces.iter().map(|p| p.part.placed(pose)).collect::<Result<_, _>>().map_err(reason)?;
        let object = self.ids.unique(id);
        let name: Option<Arc<str>> = pieces.iter().any(|p| p.number.is_some()).then(|| Arc::from(&*object));
        for (piece, (shape, pose)) in pieces.iter().zip(placed) {
            let id = match piece.number {
                Some(number) => self.ids.unique(format!("{object}.{number}")),
                None => object.clone(),
            };
            let origin = Origin { object: piece.number.and(name.clone()), ..origin.clone() };
            // Between the object and its layer are the properties of the collision shape of its tile.
            let properties = settings.own.or(&piece.properties).or(settings.outer);
            let filter = Filter { mask: self.mask(&properties)?, ..filter };
            self.scene.colliders.push(SceneCollider {
                filter,
                sensor: properties.sensor.unwrap_or(false),
                one_way: properties.one_way(),
                moving: settings.moving.clone(),
                origin,
                ..SceneCollider::new(id, shape, pose)
            });
        }
        Ok(())
    }

    /// Returns the layers of the property `mask`.
    fn mask(&mut self, properties: &Properties) -> Result<u64, String> {
        match &properties.mask {
            None | Some(LayerMask::All) => Ok(u64::MAX),
            Some(LayerMask::Layers(names)) => names.iter().try_fold(0, |bits, name| Ok(bits | self.layers.bit(name)?)),
        }
    }

    /// Lists the outlines that were repaired since the last call.
    pub(super) fn note_repair(&mut self, object: &str) {
        self.scene.repaired.extend(self.repairs.take(object));
    }

    pub(super) fn refuse(&mut self, object: String, location: String, reason: String) -> Result<(), Error> {
        // An object that is refused is not repaired.
        let _ = self.repairs.take("");
        if !self.options.skip_invalid {
            return Err(Error::at(self.file, location, reason));
        }
        self.scene.skipped.push(SkippedObject { object, reason });
        Ok(())
    }
}
