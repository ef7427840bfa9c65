//! Convex shapes as bytes and back, bit for bit.

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
/// A polygon whose points were given clockwise. [`ShapeKind::polygon_code`] has the codes of the others.
const CLOCKWISE: u8 = 5;
/// Without a flag that a radius follows.
const KIND: u8 = 0x7f;
const RADIUS: u8 = 0x80;

impl Convex {
    pub(in crate::shape) fn write(&self, out: &mut Writer) {
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
                    link.vertex_ids.iter().chain(&link.edge_ids).for_each(|&id| out.varint_u64(id.into()));
                    out.byte(link.one_sided.into());
                }
            }
            Points::Four(corners) => out.point(corners[2]),
            Points::Many { points, .. } => {
                out.points(points);
                out.varint_u64(self.count as u64);
                (0..self.count).for_each(|i| out.varint_u64(self.vertex_id(i).into()));
            }
        }
    }

    pub(in crate::shape) fn read(from: &mut Reader<'_>) -> Result<Self, Error> {
        let kind = from.byte()?;
        let radius = if kind & RADIUS == 0 { 0.0 } else { from.float()? };
        let radius = check_size("radius", radius).map_err(|_| from.invalid_data("a radius out of range"))?;
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
                    Err(from.invalid_data("a rectangle without area"))
                }
            }
            CLOCKWISE => polygon(from, (true, ShapeKind::ConvexPolygon), radius),
            code => match ShapeKind::of_polygon_code(code) {
                Some(kind) => polygon(from, (false, kind), radius),
                None => Err(from.invalid_data("a shape of an unknown kind")),
            },
        }
    }
}

/// The hull of the points is found anew; its corners have the numbers that were stored.
fn polygon(from: &mut Reader<'_>, order: (bool, ShapeKind), radius: f64) -> Result<Convex, Error> {
    let points: Arc<[DVec2]> = from.points()?.into();
    let count = from.count(1)?;
    let ids = (0..count).map(|_| from.varint_u32()).collect::<Result<Vec<u32>, Error>>()?;
    let hull = if points.is_empty() { Vec::new() } else { hull_of(&points) };
    if hull.len() < 3 || hull.len() != count {
        return Err(from.invalid_data("a polygon that is none"));
    }
    let mut numbers = vec![0; points.len()];
    hull.iter().zip(ids).for_each(|(&vertex, id)| numbers[vertex as usize] = id);
    Ok(Convex::many(points, &hull, |vertex| numbers[vertex as usize], order, radius))
}
