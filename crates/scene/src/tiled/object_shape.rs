//! Converts an object to a shape and a pose as Tiled draws it.
//!
//! Input: an object, and for collision shapes of tiles the drawing of the tile. Output: a shape of
//! the library with its pose.
//!
//! An object rotates about its own position. For a rectangle, an ellipse or a capsule this is the
//! top left corner. For a polygon it is the origin of its points, and for a tile its aligned point.
//! So an [`ObjectShape`] has that position as its origin.
//!
//! Shapes stay exact if they can: a circle under a uniform scale, a rectangle under quarter turns.
//! Otherwise they become polygons. A rectangle about its centre can miss a contact of its corners
//! by a rounding error. Then it becomes the polygon of these corners.

use super::grid::Grid;
use super::loader::Flip;
use super::model::{Kind, Object};
use crate::geometry;
use crate::repair::Repairs;
use carom::decompose::convex_hull;
use carom::{DVec2, Error, Pose, Shape};

/// Largest deviation of the polygon that approximates an ellipse, relative to the larger radius.
const ELLIPSE_DEVIATION: f64 = 1e-3;

/// Geometry of an object, relative to its position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ObjectShape {
    Circle {
        centre: DVec2,
        radius: f64,
    },
    Ellipse {
        centre: DVec2,
        radii: DVec2,
    },
    Rectangle {
        min: DVec2,
        max: DVec2,
    },
    /// Convex or concave.
    Polygon(Vec<DVec2>),
    /// Polygons of a repaired outline: the outer ring of each, then its holes.
    Polygons(Vec<Vec<Vec<DVec2>>>),
    Polyline(Vec<DVec2>),
    /// A segment, or a capsule if it has a radius.
    Segment {
        a: DVec2,
        b: DVec2,
        radius: f64,
    },
}

impl ObjectShape {
    /// Returns `None` for a text, which has no shape.
    ///
    /// An object without width and height is a point. An object with only one of them is a segment.
    pub(super) fn of(object: &Object) -> Result<Option<Self>, String> {
        let size = object.size;
        let sized = |outline: fn(DVec2) -> Self| match (size.x, size.y) {
            (w, h) if w < 0.0 || h < 0.0 => Err(format!("width {w}, height {h}: expected sizes of 0 or more")),
            (0.0, 0.0) => Ok(Some(Self::POINT)),
            (0.0, _) | (_, 0.0) => Ok(Some(Self::Segment { a: DVec2::ZERO, b: size, radius: 0.0 })),
            _ => Ok(Some(outline(size))),
        };
        match &object.kind {
            None => sized(|max| Self::Rectangle { min: DVec2::ZERO, max }),
            Some(Kind::Ellipse) => sized(|size| match size * 0.5 {
                r if r.x == r.y => Self::Circle { centre: r, radius: r.x },
                radii => Self::Ellipse { centre: radii, radii },
            }),
            Some(Kind::Capsule) => sized(Self::capsule),
            Some(Kind::Point) => Ok(Some(Self::POINT)),
            Some(Kind::Polygon(points)) => Ok(Some(Self::Polygon(points.clone()))),
            Some(Kind::Polyline(points)) => Ok(Some(Self::Polyline(points.clone()))),
            Some(Kind::Text) => Ok(None),
        }
    }

    const POINT: Self = Self::Circle { centre: DVec2::ZERO, radius: 0.0 };

    /// Rectangle whose shorter sides are half circles.
    fn capsule(size: DVec2) -> Self {
        let radius = size.min_element() * 0.5;
        let (a, b) = (DVec2::splat(radius), size - DVec2::splat(radius));
        if a == b { Self::Circle { centre: a, radius } } else { Self::Segment { a, b, radius } }
    }

    /// Returns the shape with an outline that is valid, if repairs are on.
    pub(super) fn repaired(self, repairs: &mut Repairs) -> Result<Self, String> {
        match self {
            Self::Polygon(points) => match repairs.outline(&points).map_err(|error| error.to_string())? {
                Some(polygons) => Ok(Self::Polygons(polygons)),
                None => Ok(Self::Polygon(points)),
            },
            other => Ok(other),
        }
    }

    /// Converts an object of an isometric map to its shape on the screen. Others stay.
    pub(super) fn projected(self, grid: &Grid) -> Result<Self, String> {
        if !grid.is_isometric() {
            return Ok(self);
        }
        let map = |p: DVec2| grid.vector(p);
        let all = |points: Vec<DVec2>| points.into_iter().map(map).collect();
        let mapped_ellipse = |centre: DVec2, radii: DVec2| {
            let ellipse = ellipse(radii).map_err(|e| e.to_string())?;
            Ok::<_, String>(Self::Polygon(ellipse.points().iter().map(|&p| map(centre + p)).collect()))
        };
        Ok(match self {
            Self::Circle { centre, radius: 0.0 } => Self::Circle { centre: map(centre), radius: 0.0 },
            Self::Circle { centre, radius } => mapped_ellipse(centre, DVec2::splat(radius))?,
            Self::Ellipse { centre, radii } => mapped_ellipse(centre, radii)?,
            Self::Rectangle { min, max } => Self::Polygon(corners(min, max).map(map).to_vec()),
            Self::Polygon(points) => Self::Polygon(all(points)),
            Self::Polygons(_) => self.mapped(map),
            Self::Polyline(points) => Self::Polyline(all(points)),
            Self::Segment { a, b, radius: 0.0 } => Self::Segment { a: map(a), b: map(b), radius: 0.0 },
            Self::Segment { a, b, radius } => {
                let round = ellipse(DVec2::splat(radius)).map_err(|e| e.to_string())?;
                let ends: Vec<DVec2> =
                    [a, b].iter().flat_map(|&end| round.points().iter().map(move |&p| end + p)).collect();
                let hull = convex_hull(&ends).map_err(|e| e.to_string())?;
                Self::Polygon(hull.into_iter().map(|i| map(ends[i as usize])).collect())
            }
        })
    }

    /// Converts a collision shape of a tile, rotated about its position by `turn`, and drawn with
    /// the tile.
    pub(super) fn drawn(self, turn: Pose, tile: &TileTransform) -> Result<Self, String> {
        let map = |p| tile.map(turn.transform_point(p));
        let round = |radius| tile.even_scale().map(|scale| radius * scale);
        Ok(match self {
            Self::Circle { centre, radius } => match round(radius) {
                Some(radius) => Self::Circle { centre: map(centre), radius },
                None => Self::Ellipse { centre, radii: DVec2::splat(radius) }.drawn(turn, tile)?,
            },
            Self::Ellipse { centre, radii } => {
                let ellipse = ellipse(radii).map_err(|e| e.to_string())?;
                Self::Polygon(ellipse.points().iter().map(|&p| map(centre + p)).collect())
            }
            Self::Rectangle { min, max } => {
                let corners = corners(min, max).map(map);
                let (min, max) = corners.iter().fold((corners[0], corners[0]), |(l, h), &p| (l.min(p), h.max(p)));
                if (turn.cos() == 0.0 || turn.sin() == 0.0) && tile.turn.is_none() {
                    Self::Rectangle { min, max }
                } else {
                    Self::Polygon(corners.to_vec())
                }
            }
            Self::Polygon(points) => Self::Polygon(points.into_iter().map(map).collect()),
            Self::Polygons(_) => self.mapped(map),
            Self::Polyline(points) => Self::Polyline(points.into_iter().map(map).collect()),
            Self::Segment { a, b, radius } => match round(radius) {
                Some(radius) => Self::Segment { a: map(a), b: map(b), radius },
                None if radius == 0.0 => Self::Segment { a: map(a), b: map(b), radius },
                None => {
                    return Err("a capsule that is stretched is none: give the object its tile's proportions".into());
                }
            },
        })
    }

    fn mapped(self, map: impl Fn(DVec2) -> DVec2) -> Self {
        let Self::Polygons(mut polygons) = self else { return self };
        polygons.iter_mut().flatten().flatten().for_each(|p| *p = map(*p));
        Self::Polygons(polygons)
    }

    /// Returns the shape without a pose.
    pub(super) fn part(self) -> Result<UnplacedShape, Error> {
        let at_origin = |shape| UnplacedShape { shape, centre: DVec2::ZERO, corners: None };
        Ok(match self {
            Self::Circle { centre, radius } => UnplacedShape { shape: Shape::circle(radius)?, centre, corners: None },
            Self::Ellipse { centre, radii } => UnplacedShape { shape: ellipse(radii)?, centre, corners: None },
            Self::Rectangle { min, max } => {
                let size = max - min;
                UnplacedShape {
                    shape: Shape::rectangle(size.x, size.y)?,
                    centre: min + size * 0.5,
                    corners: Some(corners(min, max)),
                }
            }
            Self::Polygon(points) => at_origin(Shape::polygon(&points)?),
            Self::Polygons(polygons) => {
                let polygon =
                    |rings: &Vec<Vec<DVec2>>| Ok((Shape::polygon_with_holes(&rings[0], &rings[1..])?, Pose::IDENTITY));
                at_origin(match polygons.as_slice() {
                    [only] => polygon(only)?.0,
                    several => Shape::compound(several.iter().map(polygon).collect::<Result<Vec<_>, Error>>()?)?,
                })
            }
            Self::Polyline(points) => at_origin(geometry::chain(&points, false)?),
            Self::Segment { a, b, radius: 0.0 } => at_origin(Shape::segment(a, b)?),
            Self::Segment { a, b, radius } => at_origin(Shape::capsule(a, b, radius)?),
        })
    }
}

fn ellipse(radii: DVec2) -> Result<Shape, Error> {
    Shape::ellipse(radii.x, radii.y, radii.max_element() * ELLIPSE_DEVIATION)
}

/// Points in the order of [`Shape::rectangle`].
fn corners(min: DVec2, max: DVec2) -> [DVec2; 4] {
    [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
}

/// Shape without a pose. Those of tiles are placed many times.
#[derive(Clone, Debug)]
pub(super) struct UnplacedShape {
    shape: Shape,
    /// Origin of the shape relative to the position of the object.
    centre: DVec2,
    /// Corners of a rectangle relative to the position of the object.
    corners: Option<[DVec2; 4]>,
}

impl UnplacedShape {
    /// `pose`: position and rotation of the object.
    pub(super) fn placed(&self, pose: Pose) -> Result<(Shape, Pose), Error> {
        if self.centre == DVec2::ZERO && self.corners.is_none() {
            return Ok((self.shape.clone(), pose));
        }
        let centred = Pose::from_cos_sin(pose.transform_point(self.centre), pose.cos(), pose.sin())?;
        if let Some(corners) = &self.corners {
            // Tiled rotates a rectangle about a corner, which may touch another object. A rectangle
            // about its centre can miss that contact by a rounding error. The four corners cannot.
            if !self.shape.placed(centred).points().eq(corners.iter().map(|&p| pose.transform_point(p))) {
                return Ok((Shape::polygon(corners)?, pose));
            }
        }
        Ok((self.shape.clone(), centred))
    }
}

/// Map of the pixels of a tile: rotated, scaled to `drawn`, translated to `corner`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileTransform {
    /// Size of the tile in its own pixels.
    size: DVec2,
    /// Drawn size before width and height are swapped.
    drawn: DVec2,
    flip: Flip,
    /// Top left corner of the drawn tile.
    corner: DVec2,
    /// Turn about the centre, in hexagonal maps.
    turn: Option<Pose>,
}

/// Values of a tileset for drawing its tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawing {
    /// Size of the tile, if the files contain it.
    pub(super) size: Option<DVec2>,
    pub(super) offset: DVec2,
    pub(super) keeps_aspect: bool,
}

impl TileTransform {
    /// Returns the map of a tile in a box of the size `area` with its bottom left corner at `base`.
    pub(super) fn new(tile: Drawing, area: DVec2, base: DVec2, flip: Flip) -> Self {
        let size = tile.size.unwrap_or(area);
        let mut drawn = area;
        if tile.keeps_aspect {
            // The smaller scale is used for both sides.
            if area.x * size.y <= area.y * size.x {
                drawn.y = size.y * area.x / size.x;
            } else {
                drawn.x = size.x * area.y / size.y;
            }
        }
        let turned = |v: DVec2| if flip.swap { DVec2::new(v.y, v.x) } else { v };
        let (area, shown) = (turned(area), turned(drawn));
        let corner = base - DVec2::new(0.0, area.y) + (area - shown) * 0.5 + stretched(tile.offset, size, drawn);
        // The pose turns about the origin, then translates: the centre stays.
        let centre = corner + shown * 0.5;
        let turn = (flip.sixths > 0)
            .then(|| Pose::from_degrees(DVec2::ZERO, 60.0 * f64::from(flip.sixths)).ok())
            .flatten()
            .and_then(|turn| Pose::from_cos_sin(centre - turn.rotate_vector(centre), turn.cos(), turn.sin()).ok());
        Self { size, drawn, flip, corner, turn }
    }

    /// Returns the rectangle of the tile.
    pub(super) fn outline(&self) -> ObjectShape {
        let shown = if self.flip.swap { DVec2::new(self.drawn.y, self.drawn.x) } else { self.drawn };
        let (min, max) = (self.corner, self.corner + shown);
        match self.turn {
            Some(turn) => ObjectShape::Polygon(corners(min, max).map(|p| turn.transform_point(p)).to_vec()),
            None => ObjectShape::Rectangle { min, max },
        }
    }

    /// Maps a direction.
    pub(super) fn direction(&self, direction: DVec2) -> DVec2 {
        self.map(direction) - self.map(DVec2::ZERO)
    }

    fn map(&self, p: DVec2) -> DVec2 {
        // Tiled swaps x and y first and flips then, so a flip of x applies to the swapped x.
        let (flip_x, flip_y) = if self.flip.swap { (self.flip.y, self.flip.x) } else { (self.flip.x, self.flip.y) };
        let p = DVec2::new(if flip_x { self.size.x - p.x } else { p.x }, if flip_y { self.size.y - p.y } else { p.y });
        let p = stretched(p, self.size, self.drawn);
        let p = self.corner + if self.flip.swap { DVec2::new(p.y, p.x) } else { p };
        self.turn.map_or(p, |turn| turn.transform_point(p))
    }

    /// Returns the scale, if it is equal in both directions.
    fn even_scale(&self) -> Option<f64> {
        (self.drawn.x * self.size.y == self.drawn.y * self.size.x).then(|| self.drawn.x / self.size.x)
    }
}

/// Scales `v` from a tile of `size` to `drawn`. Multiplying first keeps the far edge exact.
fn stretched(v: DVec2, size: DVec2, drawn: DVec2) -> DVec2 {
    if size == drawn { v } else { v * drawn / size }
}
