//! Finds the objects that are paths of moving colliders.
//!
//! Two passes over the objects of the map come before the colliders. The first collects the names
//! and numbers in the property `moving`. The second collects the points of these objects.
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use carom::{DVec2, Pose};

use super::grid::Grid;
use super::loader::{FileContext, GidTable, Loader};
use super::model::{Content, Kind, Layer, Object};
use super::properties::{PathRef, Properties};
use crate::Moving;

/// Points of an object, or `None` if it is neither a polyline nor a polygon.
type Points = Option<Arc<[DVec2]>>;

/// Paths of moving colliders.
#[derive(Debug, Default)]
pub(super) struct Paths {
    /// All objects of a name.
    by_name: HashMap<Rc<str>, Vec<Points>>,
    by_number: HashMap<u32, Points>,
    /// The grid of the map. Points in the property `moving` are those of an object.
    grid: Option<Grid>,
    /// Indices of the objects that are paths, in file order.
    used: HashSet<usize>,
}

impl Paths {
    /// Returns the paths that the map names.
    pub(super) fn new(layers: &[Layer], files: &mut Loader<'_>, gids: &GidTable, grid: Grid) -> Self {
        let mut paths = Self { grid: Some(grid), ..Self::default() };
        let mut objects = Vec::new();
        paths.collect(layers, files, &mut objects);
        if paths.by_name.is_empty() && paths.by_number.is_empty() {
            return paths;
        }
        for (index, object) in objects.into_iter().enumerate() {
            let name = if object.name.is_empty() {
                files.template_of(object).map_or_else(String::new, |base| base.name.clone())
            } else {
                object.name.clone()
            };
            let (by_name, by_number) = (paths.by_name.get_mut(&*name), paths.by_number.get_mut(&object.id));
            if by_name.is_none() && by_number.is_none() {
                continue;
            }
            // An error is one of the object, and reported there.
            let Ok(resolved) = files.resolve(object, FileContext { path: "", gids }) else { continue };
            let found = points(&resolved.object, &grid);
            if found.is_some() {
                paths.used.insert(index);
            }
            if let Some(known) = by_name {
                known.push(found.clone());
            }
            if let Some(known) = by_number {
                *known = found;
            }
        }
        paths
    }

    /// Collects all objects in file order, and the names and numbers of paths.
    fn collect<'l>(&mut self, layers: &'l [Layer], files: &mut Loader<'_>, objects: &mut Vec<&'l Object>) {
        for layer in layers {
            self.want(&layer.properties);
            match &layer.content {
                Content::Group(inner) => self.collect(inner, files, objects),
                Content::Objects(list) => {
                    for object in list {
                        self.want(&object.properties);
                        if let Some(base) = files.template_of(object) {
                            self.want(&base.properties);
                        }
                    }
                    objects.extend(list);
                }
                Content::Tiles(_) | Content::Image => {}
            }
        }
    }

    fn want(&mut self, properties: &Properties) {
        match &properties.moving {
            Some(PathRef::Name(name)) => drop(self.by_name.entry(Rc::clone(name)).or_default()),
            Some(PathRef::Number(number)) => drop(self.by_number.entry(*number).or_default()),
            Some(PathRef::Points(_) | PathRef::None) | None => {}
        }
    }

    /// Returns true if the object with this index is a path.
    pub(super) fn is_path(&self, index: usize) -> bool {
        self.used.contains(&index)
    }

    /// Returns the path of a collider with these properties.
    pub(super) fn moving(&self, properties: &Properties) -> Result<Option<Moving>, String> {
        let fail = |what: String| Err(format!("property moving: {what}: expected a polyline or a polygon"));
        let path = match &properties.moving {
            None | Some(PathRef::None) => return Ok(None),
            Some(PathRef::Points(points)) => {
                points.iter().map(|&p| self.grid.map_or(p, |grid| grid.vector(p))).collect()
            }
            Some(PathRef::Number(number)) => match self.by_number.get(number) {
                Some(Some(points)) => Arc::clone(points),
                _ => return fail(format!("object {number} is no path")),
            },
            Some(PathRef::Name(name)) => match self.by_name.get(name).map_or(&[][..], Vec::as_slice) {
                [Some(points)] => Arc::clone(points),
                [] => return fail(format!("there is no object \"{name}\"")),
                [None] => return fail(format!("object \"{name}\" is no path")),
                several => return fail(format!("{} objects have the name \"{name}\"", several.len())),
            },
        };
        let Some(speed) = properties.speed else {
            return Err("property moving: the property speed, in map units per second, is missing".to_owned());
        };
        Moving::new(path, speed).map(Some).map_err(|error| format!("property moving: {error}"))
    }
}

/// Returns the points of a polyline or a polygon, rotated as the object is.
fn points(object: &Object, grid: &Grid) -> Points {
    let turn = Pose::from_degrees([0.0, 0.0], object.rotation.unwrap_or(0.0)).ok()?;
    let (list, closed) = match &object.kind {
        Some(Kind::Polyline(list)) => (list, false),
        Some(Kind::Polygon(list)) => (list, true),
        _ => return None,
    };
    let end = list.first().filter(|_| closed);
    Some(list.iter().chain(end).map(|&p| turn.rotate_vector(grid.vector(p))).collect())
}
