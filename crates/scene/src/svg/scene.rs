//! Converts painted elements to colliders.
//!
//! Input: a drawing and the options. Output: a scene.
//!
//! ```text
//! tolerance = options × the larger side of the drawing
//! for each element: an exact shape stays
//!     filled: flatten its subpaths, sort the rings by the fill rule, build polygons with holes
//!     stroked only: flatten its subpaths to chains
//!     refused: an error, or an entry of the skipped objects
//! ```
//!
//! The tolerance depends on the size of the drawing, which may follow from the elements themselves.
//! So it is known only after all of them are read. A limit on the number of vertices bounds the
//! memory.

use std::sync::Arc;

use carom::broad_phase::Filter;
use carom::decompose::{FillRule, convex_hull};
use carom::{Aabb, DVec2, Pose, Shape, collide, overlaps};

use super::curve::{Edge, TooFine, plain};
use super::document::{Drawing, Element};
use super::element::ElementGeometry;
use super::fill_rule::{Regions, regions};
use super::path::Subpath;
use crate::geometry::{BuildError, Geometry, Rings};
use crate::ids::Ids;
use crate::layers::{COUNT, Layers};
use crate::line_index::LineIndex;
use crate::repair::Repairs;
use crate::{Error, Options, Origin, Scene, SceneCollider, SkippedObject, YAxis};

/// Largest number of vertices of a drawing after flattening.
const MOST_VERTICES: usize = 1 << 23;

/// Distance below which the end of a path is its start, relative to the size of the drawing.
/// Relative coordinates return to the start up to rounding.
const NOISE: f64 = 1e-9;

/// Builds the scene.
pub(super) fn scene(file: &str, text: &str, drawing: Drawing, options: &Options) -> Result<Scene, Error> {
    let mut lines = LineIndex::new(text);
    let mut scene = Scene { y: YAxis::Down, ..Scene::default() };
    let size = size(&drawing);
    // Bit 0 is for elements without a group.
    let mut layers = Layers::new(1);
    let named = layer_names(&drawing, &mut scene);
    let tolerance = size * options.flatten_tolerance.unwrap_or(Options::DEFAULT_FLATTEN_TOLERANCE);
    let repairs = Repairs::new(options.repair);
    let mut builder = SvgBuilder { tolerance, noise: size * NOISE, vertices: 0, repairs };
    let mut ids = Ids::default();
    for (index, element) in drawing.elements.into_iter().enumerate() {
        let id = element.id.clone().unwrap_or_else(|| format!("#{index}"));
        match builder.build(&element) {
            Ok(Some((shape, pose))) => {
                let bit = named.of(&element).map_or(Ok(1), |name| layers.bit(name)).map_err(|m| Error::new(file, m))?;
                let filter = Filter { layers: bit, ..Filter::default() };
                let origin = Origin { name: element.id.as_deref().map(Arc::from), ..Origin::default() };
                let id = ids.unique(id);
                scene.repaired.extend(builder.repairs.take(&id));
                let collider = SceneCollider::new(id, shape, pose);
                scene.colliders.push(SceneCollider { filter, origin, ..collider });
            }
            Ok(None) => {}
            Err(message) => {
                let (line, column) = lines.at(element.at);
                let name = element.id.as_ref().map_or(String::new(), |id| format!(" \"{id}\""));
                let location = format!("line {line}, column {column}, <{}>{name}", element.name);
                if !options.skip_invalid {
                    return Err(Error::at(file, location, message));
                }
                scene
                    .skipped
                    .push(SkippedObject { object: id, reason: format!("line {line}, column {column}: {message}") });
            }
        }
    }
    scene.warnings.extend(drawing.notes.into_texts().0);
    scene.layers = layers.into_names();
    Ok(scene)
}

/// Returns the larger side of the drawing.
fn size(drawing: &Drawing) -> f64 {
    drawing.size.unwrap_or_else(|| {
        let outlines = drawing.elements.iter().filter_map(|element| element.outline.as_ref().ok());
        let corners = outlines.flat_map(|outline| match outline {
            ElementGeometry::Paths(paths) => paths.iter().flat_map(bounds).collect(),
            ElementGeometry::Exact(figure) => extent(figure),
        });
        let finite = corners.filter(|p| p.is_finite());
        let bounds = finite
            .fold(None, |bounds: Option<(DVec2, DVec2)>, p| Some(bounds.map_or((p, p), |(l, h)| (l.min(p), h.max(p)))));
        bounds.map_or(1.0, |(low, high)| (high - low).max_element())
    })
}

fn bounds(path: &Subpath) -> Vec<DVec2> {
    let corners = path.edges.iter().flat_map(Edge::bounds);
    corners.chain([path.start]).map(plain).collect()
}

/// Returns two opposite corners of a bounding box.
fn extent(figure: &Geometry) -> Vec<DVec2> {
    let around =
        |centre: DVec2, half_size: f64| vec![centre - DVec2::splat(half_size), centre + DVec2::splat(half_size)];
    match figure {
        Geometry::Circle { centre, radius } => around(*centre, *radius),
        Geometry::Ellipse { radii, pose, .. } => around(pose.translation(), radii.max_element()),
        Geometry::Rectangle { size, radius, pose } => around(pose.translation(), size.length() * 0.5 + radius),
        Geometry::Capsule { ends, radius } => ends.iter().flat_map(|end| around(*end, *radius)).collect(),
        Geometry::Area { rings, .. } => rings.outer.clone(),
        Geometry::Line { points, .. } => points.clone(),
        Geometry::Several(_) => Vec::new(),
    }
}

/// Decides which groups are layers.
enum LayerRule {
    Inkscape,
    Groups,
    None,
}

impl LayerRule {
    fn of<'e>(&self, element: &'e Element) -> Option<&'e str> {
        match self {
            Self::Inkscape => element.layer.as_deref(),
            Self::Groups => element.group.as_deref(),
            Self::None => None,
        }
    }
}

fn layer_names(drawing: &Drawing, scene: &mut Scene) -> LayerRule {
    let inkscape = drawing.elements.iter().any(|element| element.layer.is_some());
    let named = if inkscape { LayerRule::Inkscape } else { LayerRule::Groups };
    let mut names: Vec<&str> = drawing.elements.iter().filter_map(|element| named.of(element)).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < COUNT {
        return named;
    }
    scene.warnings.push(format!("{} groups have names, more than the 63 that can be layers: none is", names.len()));
    LayerRule::None
}

/// Makes colliders from the elements of a drawing.
struct SvgBuilder {
    tolerance: f64,
    /// Distance below which the end is the start.
    noise: f64,
    vertices: usize,
    repairs: Repairs,
}

impl SvgBuilder {
    /// Returns the shape of an element. `None` if it has no area and no stroke.
    fn build(&mut self, element: &Element) -> Result<Option<(Shape, Pose)>, String> {
        let figure = match element.outline.as_ref().map_err(String::clone)? {
            ElementGeometry::Exact(Geometry::Ellipse { radii, pose, .. }) => {
                let deviation = self.tolerance.min(radii.min_element());
                Geometry::Ellipse { radii: *radii, deviation, pose: *pose }
            }
            ElementGeometry::Exact(figure) => figure.clone(),
            ElementGeometry::Paths(paths) => {
                let mut rings = Vec::new();
                if element.style.fill {
                    for path in paths {
                        rings.extend(self.ring(path)?);
                    }
                }
                match (rings.is_empty(), element.style.stroke) {
                    (false, _) => return self.area(rings, element.style.even_odd).map(Some),
                    (true, true) => self.lines(paths)?,
                    (true, false) => return Ok(None),
                }
            }
        };
        figure.build(&mut Repairs::new(None)).map(Some).map_err(|error| worded(&error))
    }

    /// Returns the regions of a fill rule as one shape. Repairs all rings together if they are invalid.
    fn area(&mut self, rings: Vec<Vec<DVec2>>, even_odd: bool) -> Result<(Shape, Pose), String> {
        if !self.repairs.are_on() {
            return area(rings, even_odd);
        }
        let built = area(rings.clone(), even_odd);
        if built.is_ok() {
            return built;
        }
        let rule = if even_odd { FillRule::EvenOdd } else { FillRule::NonZero };
        let shape = self.repairs.rings(&rings, rule).map_err(|error| error.to_string())?;
        shape.map_or(built, |shape| Ok((shape, Pose::IDENTITY)))
    }

    fn flatten(&mut self, path: &Subpath) -> Result<Vec<DVec2>, String> {
        let mut points = vec![plain(path.start)];
        let mut at = path.start;
        for edge in &path.edges {
            edge.flatten(at, self.tolerance, &mut points).map_err(|TooFine| {
                format!(
                    "a curve needs more than 65536 edges to deviate by at most {:?}: choose a larger tolerance \
                     (--flatten)",
                    self.tolerance
                )
            })?;
            at = edge.end();
            if self.vertices + points.len() > MOST_VERTICES {
                return Err(format!(
                    "the drawing's curves become more than {MOST_VERTICES} edges: choose a larger tolerance (--flatten)"
                ));
            }
        }
        self.vertices += points.len();
        Ok(points)
    }

    /// Removes points that return to the start: within the flattening tolerance for paths with
    /// curves, within rounding for others.
    fn shut(&self, path: &Subpath, points: &mut Vec<DVec2>) {
        let curved = path.edges.iter().any(|edge| !matches!(edge, Edge::Line(_)));
        let near = if curved { self.tolerance.max(self.noise) } else { self.noise };
        while points.len() > 1 && points[0].distance(points[points.len() - 1]) <= near {
            points.pop();
        }
    }

    /// Returns the ring without repeated points, if it has an area.
    fn ring(&mut self, path: &Subpath) -> Result<Option<Vec<DVec2>>, String> {
        let mut points = self.flatten(path)?;
        points.dedup();
        self.shut(path, &mut points);
        let degenerate = points.len() < 3 || convex_hull(&points).is_ok_and(|hull| hull.len() < 3);
        Ok((!degenerate).then_some(points))
    }

    fn lines(&mut self, paths: &[Subpath]) -> Result<Geometry, String> {
        let line = |(i, path): (usize, &Subpath)| {
            let mut points = self.flatten(path)?;
            let closed = path.closed && {
                self.shut(path, &mut points);
                points.len() > 2
            };
            Ok((subpath(i, paths.len()), Geometry::Line { points, closed }))
        };
        Ok(Geometry::Several(paths.iter().enumerate().map(line).collect::<Result<_, String>>()?))
    }
}

/// Returns the regions of a fill rule as one shape.
fn area(rings: Vec<Vec<DVec2>>, even_odd: bool) -> Result<(Shape, Pose), String> {
    let Regions { islands, inside, apart } = regions(rings, even_odd)?;
    // A ring inside filled area does not change it, if it is inside. Building it as a hole checks
    // that.
    for (island, ring) in inside {
        let Rings { outer, holes } = &islands[island];
        let holes = holes.iter().cloned().chain([ring]).collect();
        let figure = Geometry::Area { rings: Rings { outer: outer.clone(), holes }, radius: 0.0 };
        figure.build(&mut Repairs::new(None)).map_err(|error| worded(&error))?;
    }
    if islands.is_empty() {
        return Err("the fill rule fills nothing".to_owned());
    }
    let count = islands.len();
    let figure = |(i, rings)| (subpath(i, count), Geometry::Area { rings, radius: 0.0 });
    let figure = Geometry::Several(islands.into_iter().enumerate().map(figure).collect());
    let (shape, pose) = figure.build(&mut Repairs::new(None)).map_err(|error| worded(&error))?;
    if apart {
        disjoint(&shape)?;
    }
    Ok((shape, pose))
}

/// Refuses overlapping islands if the rule does not fill their union.
fn disjoint(shape: &Shape) -> Result<(), String> {
    let islands = shape.children();
    let boxes: Vec<Aabb> = islands.iter().map(|(island, pose)| island.placed(*pose).aabb()).collect();
    let mut order: Vec<usize> = (0..islands.len()).collect();
    order.sort_by(|&i, &j| boxes[i].min().x.total_cmp(&boxes[j].min().x));
    for (k, &i) in order.iter().enumerate() {
        for &j in order[k + 1..].iter().take_while(|&&j| boxes[j].min().x <= boxes[i].max().x) {
            if !boxes[i].intersects(&boxes[j]) {
                continue;
            }
            let placed = |i: usize| islands[i].0.placed(islands[i].1);
            if let Some(contact) = overlaps(placed(i), placed(j)).then(|| collide(placed(i), placed(j))).flatten() {
                let at = contact.points()[0].position();
                return Err(format!(
                    "subpaths cross each other near ({:?}, {:?}): part them, join them to one, or \
                     repair them (--repair)",
                    at.x, at.y
                ));
            }
        }
    }
    Ok(())
}

fn subpath(index: usize, of: usize) -> String {
    if of == 1 { String::new() } else { format!("part {}", index + 1) }
}

fn worded(error: &BuildError) -> String {
    let part = if error.part.is_empty() { String::new() } else { format!("{}: ", error.part) };
    format!("{part}{}", error.message)
}
