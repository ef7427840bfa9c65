//! Builds shapes from geometries.

use carom::{Pose, Shape};
use geo_traits::{
    CoordTrait, GeometryCollectionTrait, GeometryTrait, GeometryType, LineStringTrait, LineTrait, MultiLineStringTrait,
    MultiPointTrait, MultiPolygonTrait, PointTrait, PolygonTrait, RectTrait, TriangleTrait,
};

use super::bounds::Bounds;
use super::error::OutlineError;

/// Builds the shape of a geometry: the union of all its members.
pub(super) fn shape(geometry: &impl GeometryTrait<T = f64>) -> Result<Shape, OutlineError> {
    let mut members = Vec::new();
    add(geometry, &mut members)?;
    match members.len() {
        0 => Err(OutlineError::Empty),
        1 => Ok(members.swap_remove(0)),
        _ => Ok(Shape::compound(members.into_iter().map(|member| (member, Pose::IDENTITY)))?),
    }
}

/// Appends the shape of each member that is not empty.
fn add(geometry: &impl GeometryTrait<T = f64>, members: &mut Vec<Shape>) -> Result<(), OutlineError> {
    match geometry.as_type() {
        GeometryType::Point(point) => members.extend(point_shape(point)?),
        GeometryType::MultiPoint(points) => {
            for point in points.points() {
                members.extend(point_shape(&point)?);
            }
        }
        GeometryType::LineString(line) => members.extend(line_shape(line)?),
        GeometryType::MultiLineString(lines) => {
            for line in lines.line_strings() {
                members.extend(line_shape(&line)?);
            }
        }
        GeometryType::Polygon(polygon) => members.extend(polygon_shape(polygon)?),
        GeometryType::MultiPolygon(polygons) => {
            for polygon in polygons.polygons() {
                members.extend(polygon_shape(&polygon)?);
            }
        }
        GeometryType::GeometryCollection(collection) => {
            for member in collection.geometries() {
                add(&member, members)?;
            }
        }
        GeometryType::Rect(rect) => {
            let (min, max) = (xy(&rect.min()), xy(&rect.max()));
            members.push(Shape::polygon(&[min, [max[0], min[1]], max, [min[0], max[1]]])?);
        }
        GeometryType::Triangle(triangle) => members.push(Shape::polygon(&triangle.coords().map(|c| xy(&c)))?),
        GeometryType::Line(line) => members.push(Shape::segment(xy(&line.start()), xy(&line.end()))?),
    }
    Ok(())
}

/// Returns a point as a segment of length 0 at its coordinates; `None` for an empty point.
fn point_shape(point: &impl PointTrait<T = f64>) -> Result<Option<Shape>, OutlineError> {
    let Some(coord) = point.coord() else { return Ok(None) };
    let at = xy(&coord);
    // WKB has no other way to write an empty point.
    if at.iter().all(|value| value.is_nan()) {
        return Ok(None);
    }
    Ok(Some(Shape::segment(at, at)?))
}

/// Returns a line as a segment or a chain; `None` for an empty line.
fn line_shape(line: &impl LineStringTrait<T = f64>) -> Result<Option<Shape>, OutlineError> {
    match points(line)[..] {
        [] => Ok(None),
        [a, b] => Ok(Some(Shape::segment(a, b)?)),
        ref points => Ok(Some(Shape::chain(points)?)),
    }
}

/// Returns a polygon with its holes; `None` for an empty polygon. Empty holes remove nothing.
fn polygon_shape(polygon: &impl PolygonTrait<T = f64>) -> Result<Option<Shape>, OutlineError> {
    let Some(exterior) = polygon.exterior() else { return Ok(None) };
    let outer = ring(&exterior);
    if outer.is_empty() {
        return Ok(None);
    }
    let holes: Vec<_> = polygon.interiors().map(|hole| ring(&hole)).filter(|hole| !hole.is_empty()).collect();
    Ok(Some(Shape::polygon_with_holes(&outer, &holes)?))
}

/// Returns the points of a ring without the last one, which repeats the first one.
fn ring(line: &impl LineStringTrait<T = f64>) -> Vec<[f64; 2]> {
    let mut points = points(line);
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    points
}

/// Returns the points of a line as given.
fn points(line: &impl LineStringTrait<T = f64>) -> Vec<[f64; 2]> {
    line.coords().map(|coord| xy(&coord)).collect()
}

/// Returns x and y. Other dimensions are ignored.
fn xy(coord: &impl CoordTrait<T = f64>) -> [f64; 2] {
    [coord.x(), coord.y()]
}

/// Returns the box of all points of a geometry.
pub(super) fn bounds(geometry: &impl GeometryTrait<T = f64>) -> Result<Bounds, OutlineError> {
    let mut bounds = Bounds::EMPTY;
    extend(geometry, &mut bounds);
    if bounds == Bounds::EMPTY {
        return Err(OutlineError::Empty);
    }
    if bounds.is_finite() { Ok(bounds) } else { shape(geometry).map(|_| bounds) }
}

/// Adds all points of a geometry. The holes of a polygon lie inside its outer ring.
fn extend(geometry: &impl GeometryTrait<T = f64>, bounds: &mut Bounds) {
    match geometry.as_type() {
        GeometryType::Point(point) => extend_point(point, bounds),
        GeometryType::MultiPoint(points) => points.points().for_each(|point| extend_point(&point, bounds)),
        GeometryType::LineString(line) => extend_line(line, bounds),
        GeometryType::MultiLineString(lines) => lines.line_strings().for_each(|line| extend_line(&line, bounds)),
        GeometryType::Polygon(polygon) => extend_polygon(polygon, bounds),
        GeometryType::MultiPolygon(polygons) => polygons.polygons().for_each(|one| extend_polygon(&one, bounds)),
        GeometryType::GeometryCollection(collection) => {
            collection.geometries().for_each(|member| extend(&member, bounds));
        }
        GeometryType::Rect(rect) => [rect.min(), rect.max()].iter().for_each(|corner| bounds.extend(xy(corner))),
        GeometryType::Triangle(triangle) => triangle.coords().iter().for_each(|corner| bounds.extend(xy(corner))),
        GeometryType::Line(line) => [line.start(), line.end()].iter().for_each(|end| bounds.extend(xy(end))),
    }
}

fn extend_point(point: &impl PointTrait<T = f64>, bounds: &mut Bounds) {
    if let Some(coord) = point.coord() {
        bounds.extend(xy(&coord));
    }
}

fn extend_line(line: &impl LineStringTrait<T = f64>, bounds: &mut Bounds) {
    line.coords().for_each(|coord| bounds.extend(xy(&coord)));
}

fn extend_polygon(polygon: &impl PolygonTrait<T = f64>, bounds: &mut Bounds) {
    if let Some(exterior) = polygon.exterior() {
        extend_line(&exterior, bounds);
    }
}
