//! Replaces concave shapes of a scene by compounds of convex shapes.
//!
//! Other engines accept only convex polygons. The command `carom decompose` writes scenes for them.

use carom::decompose::PolygonWithHoles;
use carom::{DVec2, Error, Pose, Shape, ShapeKind};

use crate::Scene;

/// Replaces each concave shape with area by a compound of its convex parts. Chains stay, because
/// they have no area.
///
/// `fewest`: polygons without holes and with up to a few hundred vertices get the smallest possible
/// number of parts. Other polygons get at most four times that number.
///
/// ```
/// use carom_scene::{Options, decompose, read, to_json};
///
/// let json = br#"{"carom": 1, "colliders": [{"shape": {"polygon": {"points": [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]}}}]}"#;
/// let mut scene = read("l.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// decompose(&mut scene, true);
/// assert_eq!(scene.colliders[0].shape.children().len(), 2);
/// assert_eq!(to_json(&scene).matches("polygon").count(), 2);
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub fn decompose(scene: &mut Scene, fewest: bool) {
    for collider in &mut scene.colliders {
        // The parts were built before, so building them again cannot fail.
        if let Some(Ok(split)) = split(&collider.shape, fewest) {
            collider.shape = split;
        }
    }
}

/// Returns the compound of the convex parts of a shape. `None` if the shape needs no split.
fn split(shape: &Shape, fewest: bool) -> Option<Result<Shape, Error>> {
    match shape.kind() {
        ShapeKind::Polygon if fewest && shape.rings().count() == 1 => {
            Some(few_parts(shape).or_else(|_| Shape::compound(shape.parts())))
        }
        ShapeKind::Polygon | ShapeKind::Mask => Some(Shape::compound(shape.parts())),
        ShapeKind::Compound => {
            let child =
                |(child, pose): &(Shape, Pose)| Ok((split(child, fewest).unwrap_or_else(|| Ok(child.clone()))?, *pose));
            let children: Result<Vec<_>, Error> = shape.children().iter().map(child).collect();
            Some(children.and_then(Shape::compound).and_then(|compound| compound.rounded(shape.radius())))
        }
        _ => None,
    }
}

/// Returns the smallest number of parts of a polygon.
fn few_parts(shape: &Shape) -> Result<Shape, Error> {
    let points = shape.points();
    let outline = PolygonWithHoles::new(points, &[])?;
    let part = |part: &[u32]| {
        let corners: Vec<DVec2> = part.iter().map(|&i| points[i as usize]).collect();
        Ok((Shape::convex_polygon(&corners)?.rounded(shape.radius())?, Pose::IDENTITY))
    };
    Shape::compound(outline.optimal_convex_parts()?.iter().map(part).collect::<Result<Vec<_>, Error>>()?)
}
