//! The numbers of many rectangles and convex polygons of up to eight corners, which meet each other as polygons do.

use alloc::vec::Vec;

use super::kind::{Kind, ShapeId};
use super::outline::{Names, Octagon, Polygon, Size};
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::shape::{Form, Shape};

/// A column for each of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlines {
    pub(super) sizes: Vec<Size>,
    pub(super) polygons: Vec<Octagon>,
    /// How many corners each has.
    pub(super) counts: Vec<u8>,
    pub(super) names: Vec<Names>,
    /// Have they no points but their corners?
    bare: Vec<bool>,
}

impl Outlines {
    /// Takes a shape in, if it is one of them.
    pub(super) fn add(&mut self, shape: &Shape) -> Option<ShapeId> {
        let (kind, numbers) = Numbers::of(shape)?;
        self.push(&numbers);
        Some(ShapeId::new(kind, self.counts.len() - 1))
    }

    pub(super) fn push(&mut self, numbers: &Numbers) {
        self.sizes.push(numbers.size);
        self.polygons.push(numbers.octagon);
        self.counts.push(numbers.count);
        self.names.push(numbers.names);
        self.bare.push(numbers.bare);
    }

    /// A shape by its place.
    #[inline(always)]
    pub(super) fn polygon(&self, i: usize) -> Polygon<'_> {
        Polygon { octagon: &self.polygons[i], size: &self.sizes[i], count: self.counts[i] }
    }

    /// All of a shape.
    pub(super) fn numbers(&self, i: usize) -> Numbers {
        Numbers { size: self.sizes[i], octagon: self.polygons[i], count: self.counts[i], names: self.names[i], bare: self.bare[i] }
    }

    /// The box around a placed one, bit for bit that of the shape, unless it has other points than its corners: where these are placed may be rounded out of the hull of the others.
    #[inline(always)]
    pub(super) fn aabb(&self, i: usize, pose: &Pose) -> Option<Aabb> {
        let span = || self.polygons[i].span(usize::from(self.counts[i]), pose);
        self.bare[i].then(span).map(|[min, max]| Aabb::spanning(min, max, self.sizes[i].radius))
    }

    /// Another shape instead.
    pub(super) fn set(&mut self, i: usize, numbers: &Numbers) {
        (self.sizes[i], self.polygons[i], self.counts[i]) = (numbers.size, numbers.octagon, numbers.count);
        (self.names[i], self.bare[i]) = (numbers.names, numbers.bare);
    }
}

/// What is kept of a shape.
pub(super) struct Numbers {
    size: Size,
    octagon: Octagon,
    count: u8,
    names: Names,
    bare: bool,
}

impl Numbers {
    /// With its kind, if it is a shape that they are kept of.
    pub(super) fn of(shape: &Shape) -> Option<(Kind, Self)> {
        let Form::Convex(convex) = &shape.0 else { return None };
        let half = convex.as_rectangle();
        if half.is_none() && convex.as_two_blocks().is_none() {
            return None;
        }
        let size = Size { half: half.map_or([convex.inner(); 2], |half| half.to_array()), radius: convex.radius, reach: convex.reach };
        let kind = if half.is_some() { Kind::Rectangle } else { Kind::Polygon };
        let (count, bare) = (convex.corner_count(), convex.points().len() == convex.corner_count());
        Some((kind, Self { size, octagon: Octagon::new(convex), count: count as u8, names: Names::new(convex), bare }))
    }

    /// All that tells shapes apart, to the last bit.
    pub(super) fn bits(&self) -> impl Iterator<Item = u64> {
        let Self { size: Size { half, radius, reach }, octagon: Octagon { x, y, normal_x, normal_y }, count, names, bare } = self;
        let numbers = half.iter().chain([radius, reach]).chain(x).chain(y).chain(normal_x).chain(normal_y).map(|x| x.to_bits());
        let ids = names.vertices.iter().zip(&names.edges).map(|(&vertex, &edge)| u64::from(vertex) << 32 | u64::from(edge));
        numbers.chain(ids).chain([u64::from(*count), u64::from(*bare)])
    }
}
