//! Builds polygons, chains, compounds and masks from their descriptions in a scene file.
//!
//! An error gets the path of the invalid value, for example `shape.polygon.holes[0][3]`. Each image
//! is loaded and decoded once, also if many masks use it.

use std::collections::HashMap;
use std::io;

use carom::{DVec2, Pose, Shape};

use super::{Chain, Child, Mask, Polygon};
use crate::geometry;
use crate::json::number::Point;
use crate::png;

/// Error of a shape, with its path.
pub(crate) struct Refused {
    /// Path below the collider, for example `shape.polygon.points[3]`.
    pub(crate) location: String,
    pub(crate) message: String,
}

impl Refused {
    pub(super) fn new(location: impl Into<String>, message: impl Into<String>) -> Self {
        Self { location: location.into(), message: message.into() }
    }
}

/// Source of the images of masks.
pub(crate) struct Images<'l> {
    load: &'l mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    /// Masks of images by path and threshold. Each image is decoded once.
    known: HashMap<(String, u8), Result<Shape, String>>,
}

impl<'l> Images<'l> {
    pub(crate) fn new(load: &'l mut dyn FnMut(&str) -> io::Result<Vec<u8>>) -> Self {
        Self { load, known: HashMap::new() }
    }

    /// Returns the mask of an image, or an error.
    fn mask(&mut self, path: &str, threshold: u8) -> Result<Shape, String> {
        let key = (path.to_owned(), threshold);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let bytes = (self.load)(path).map_err(|e| format!("\"{path}\" cannot be read: {e}"));
        let mask = bytes.and_then(|bytes| Ok(png::mask(&bytes, threshold).map_err(|m| format!("\"{path}\": {m}"))?.0));
        self.known.insert(key, mask.clone());
        mask
    }
}

fn points(list: &[Point]) -> Vec<DVec2> {
    list.iter().map(|p| p.0.into()).collect()
}

impl Polygon {
    pub(super) fn build(&self) -> Result<Shape, Refused> {
        let holes: Vec<Vec<DVec2>> = self.holes.iter().map(|hole| points(hole)).collect();
        let built = Shape::polygon_with_holes(&points(&self.points), &holes).and_then(|s| s.rounded(self.radius.0));
        built.map_err(|error| {
            let vertex =
                error.vertex().map_or(String::new(), |v| match geometry::ring_of(v, &self.points, &self.holes) {
                    (0, v) => format!(".points[{v}]"),
                    (hole, v) => format!(".holes[{}][{v}]", hole - 1),
                });
            Refused::new(format!("shape.polygon{vertex}"), error.to_string())
        })
    }
}

impl Chain {
    pub(super) fn build(&self) -> Result<Shape, carom::Error> {
        let points = points(&self.points);
        let chain = if self.closed { Shape::closed_chain(&points) } else { Shape::chain(&points) }?;
        let chain = if self.one_sided { chain.one_sided()? } else { chain };
        chain.rounded(self.radius.0)
    }
}

pub(super) fn compound(children: &[Child], images: &mut Images<'_>) -> Result<Shape, Refused> {
    let child = |(i, child): (usize, &Child)| {
        let inside = |location: &str| format!("shape.compound[{i}].{location}");
        let shape =
            child.shape.build(images).map_err(|refused| Refused { location: inside(&refused.location), ..refused })?;
        let pose = Pose::from_degrees(child.position.0, child.rotation.0);
        Ok((shape, pose.map_err(|error| Refused::new(inside("position"), error.to_string()))?))
    };
    let parts = children.iter().enumerate().map(child).collect::<Result<Vec<_>, Refused>>()?;
    Shape::compound(parts).map_err(|error| Refused::new("shape.compound", error.to_string()))
}

impl Mask {
    pub(super) fn build(&self, images: &mut Images<'_>) -> Result<Shape, Refused> {
        let fail = |key: &str, message: String| Refused::new(format!("shape.mask{key}"), message);
        if self.threshold == 0 {
            return Err(fail(
                ".threshold",
                "a threshold is from 1 to 255, not 0: at 0 every pixel would be solid".to_owned(),
            ));
        }
        let shape = match (&self.image, &self.rows) {
            (Some(path), None) => images.mask(path, self.threshold).map_err(|message| fail(".image", message))?,
            (None, Some(rows)) => {
                if let Some((i, wrong)) = rows
                    .iter()
                    .enumerate()
                    .find_map(|(i, row)| Some((i, row.chars().find(|c| !matches!(c, '#' | '.'))?)))
                {
                    return Err(fail(
                        &format!(".rows[{i}]"),
                        format!("{wrong:?} in a row: expected # where it is solid and . where it is not"),
                    ));
                }
                let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
                carom::Mask::from_rows(&rows).and_then(Shape::mask).map_err(|e| fail(".rows", e.to_string()))?
            }
            _ => return Err(fail("", "expected either \"image\" or \"rows\"".to_owned())),
        };
        let [x, y] = self.scale.0;
        let sized = if [x, y] == [1.0; 2] { Ok(shape) } else { shape.scaled(x, y) };
        sized.and_then(|shape| shape.rounded(self.radius.0)).map_err(|e| fail("", e.to_string()))
    }
}
