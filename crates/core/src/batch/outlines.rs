//! The numbers of many rectangles and convex polygons of up to eight corners, which meet each other as polygons do.

use alloc::vec::Vec;

use super::kind::{Kind, ShapeId};
use super::outline::{Names, Octagon, Polygon, Size};
use crate::shape::{Form, Shape};

/// Many of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlines {
    pub(super) sizes: Vec<Size>,
    pub(super) polygons: Vec<Octagon>,
    /// How many corners each has.
    pub(super) counts: Vec<u8>,
    pub(super) names: Vec<Names>,
    /// Places of those that were removed.
    free: Vec<u32>,
}

impl Outlines {
    /// Takes a shape in, if it is one of them.
    pub(crate) fn add(&mut self, shape: &Shape) -> Option<ShapeId> {
        let Form::Convex(convex) = &shape.0 else { return None };
        let half = convex.as_rectangle();
        if half.is_none() && convex.as_two_blocks().is_none() {
            return None;
        }
        let size = Size { half: half.unwrap_or_default().to_array(), radius: convex.radius, reach: convex.reach };
        let (octagon, count, names) = (Octagon::new(convex), convex.corner_count() as u8, Names::new(convex));
        let i = if let Some(free) = self.free.pop() {
            let i = free as usize;
            (self.sizes[i], self.polygons[i], self.counts[i], self.names[i]) = (size, octagon, count, names);
            i
        } else {
            self.sizes.push(size);
            self.polygons.push(octagon);
            self.counts.push(count);
            self.names.push(names);
            self.sizes.len() - 1
        };
        Some(ShapeId::new(if half.is_some() { Kind::Rectangle } else { Kind::Polygon }, i))
    }

    /// Lets the place of a shape be given away again, if it is one of them.
    pub(crate) fn remove(&mut self, id: ShapeId) {
        if id.kind() == Kind::Rectangle as usize || id.kind() == Kind::Polygon as usize {
            self.free.push(id.index());
        }
    }

    /// A shape by its place.
    #[inline(always)]
    pub(super) fn polygon(&self, i: usize) -> Polygon<'_> {
        Polygon { octagon: &self.polygons[i], size: &self.sizes[i], count: self.counts[i] }
    }
}
