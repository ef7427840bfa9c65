//! Serializes convex shapes, bit for bit.
//!
//! Input: a convex shape. Output: a code of its kind, an optional radius, its points and the ids of
//! its features. Reading checks all values.
//!
//! A polygon's hull is computed again when it is read. The hull is a function of the points, so all
//! bits are equal. The ids are stored, because a part of a polygon has the ids of the whole
//! polygon.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use glam::DVec2;

use super::{ChainLink, Convex, Points};
use crate::decompose::hull::hull_of;
use crate::error::Error;
use crate::math::codec::{Reader, Writer};
use crate::math::vector::check_size;
use crate::shape::ShapeKind;

const POINT: u8 = 0;
const SEGMENT: u8 = 1;
const LINK: u8 = 2;
const RECTANGLE: u8 = 3;
/// The code of a polygon whose points are clockwise. [`ShapeKind::polygon_code`] returns the codes
/// of the other polygons.
const CLOCKWISE: u8 = 5;
/// Mask of the kind in the first byte. The remaining bit, `RADIUS`, is set if a radius follows.
const KIND: u8 = 0x7f;
const RADIUS: u8 = 0x80;

impl Convex {
    pub(crate) fn write(&self, out: &mut Writer) {
        let kind = match &self.points {
            Points::One(_) => POINT,
            Points::Two { link, .. } if *link == ChainLink::ALONE => SEGMENT,
            Points::Two { .. } => LINK,
            Points::Four(_) => RECTANGLE,
            Points::Many { clockwise: false, kind, .. } => kind.polygon_code().unwrap_or(CLOCKWISE),
            Points::Many { .. } => CLOCKWISE,
        };
        out.byte(if self.radius == 0.0 { kind } else { kind | RADIUS });
        if self.radius != 0.0 {
            out.float(self.radius);
        }
        match &self.points {
            Points::One(p) => out.point(*p),
            Points::Two { ends, link, .. } => {
                for &end in ends {
                    out.point(end);
                }
                if kind == LINK {
                    [link.vertex_ids, link.edge_ids].as_flattened().iter().for_each(|&id| out.varint_u64(id.into()));
                    out.byte(link.one_sided.into());
                }
            }
            Points::Four(vertices) => out.point(vertices[2]),
            Points::Many { points, .. } => {
                out.points(points);
                out.varint_u64(self.count as u64);
                (0..self.count).for_each(|i| out.varint_u64(self.vertex_id(i).into()));
            }
        }
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, Error> {
        let kind = from.byte()?;
        let radius = if kind & RADIUS == 0 { 0.0 } else { from.float()? };
        let radius = check_size("radius", radius).map_err(|_| from.invalid_data("a radius is out of range"))?;
        match kind & KIND {
            POINT => Ok(Self::point(from.point()?, radius)),
            SEGMENT => Ok(Self::segment(from.point()?, from.point()?, radius)),
            LINK => {
                let ends = [from.point()?, from.point()?];
                let (vertex_ids, edge_ids) =
                    ([from.varint_u32()?, from.varint_u32()?], [from.varint_u32()?, from.varint_u32()?]);
                let one_sided = from.byte()? != 0;
                Ok(Self::link(ends[0], ends[1], ChainLink { vertex_ids, edge_ids, one_sided }, radius))
            }
            RECTANGLE => {
                let half = from.point()?;
                let proper = half.x > 0.0 && half.y > 0.0;
                if proper {
                    Ok(Self::rectangle(half, radius))
                } else {
                    Err(from.invalid_data("a rectangle has no area"))
                }
            }
            CLOCKWISE => polygon(from, (true, ShapeKind::ConvexPolygon), radius),
            code => match ShapeKind::from_polygon_code(code) {
                Some(kind) => polygon(from, (false, kind), radius),
                None => Err(from.invalid_data("the kind of a shape is unknown")),
            },
        }
    }
}

/// Reads a polygon. Computes the hull of the points again; its hull vertices get the stored ids.
fn polygon(from: &mut Reader<'_>, order: (bool, ShapeKind), radius: f64) -> Result<Convex, Error> {
    let points: Arc<[DVec2]> = from.points()?.into();
    let ids = from.list(1, Reader::varint_u32)?;
    let hull = if points.is_empty() { Vec::new() } else { hull_of(&points) };
    if hull.len() < 3 || hull.len() != ids.len() {
        return Err(from.invalid_data("a polygon is not convex or has no area"));
    }
    let mut vertex_ids = vec![0; points.len()];
    for (&vertex, id) in hull.iter().zip(ids) {
        vertex_ids[vertex as usize] = id;
    }
    Ok(Convex::from_hull(points, &hull, Some(&vertex_ids), order, radius))
}
