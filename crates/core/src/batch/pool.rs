//! The shapes of a batch, those that have wide kernels as plain numbers.

use alloc::vec::Vec;
use core::array;

use crate::shape::convex::Convex;
use crate::shape::{Form, Shape};

/// A shape of a [`Batch`](super::Batch): many placed shapes may share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(u32);

/// Bits of a [`ShapeId`] that number the shapes; its kind stands above them.
const INDEX_BITS: u32 = 30;

/// What a kernel can take several of at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A circle about its own origin.
    Circle,
    Rectangle,
    /// A convex polygon of up to eight corners.
    Polygon,
    /// Whatever is asked pair by pair.
    Other,
}

impl ShapeId {
    fn new(kind: Kind, index: usize) -> Self {
        Self((kind as u32) << INDEX_BITS | index as u32)
    }

    /// The number of its [`Kind`].
    #[inline(always)]
    pub(super) fn kind(self) -> usize {
        (self.0 >> INDEX_BITS) as usize
    }

    /// Its place among the shapes of its kind; rectangles and polygons are counted together.
    #[inline(always)]
    pub(super) fn index(self) -> u32 {
        self.0 & ((1 << INDEX_BITS) - 1)
    }
}

/// What is asked of a rectangle or polygon before its corners are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// Half the width and height of a rectangle; nothing of a polygon.
    pub(super) half: [f64; 2],
    pub(super) radius: f64,
    pub(super) reach: f64,
}

/// The corners of a rectangle or convex polygon and the unit normals of the edges that begin at them, side by side in four lines of the cache. What it has too few of
/// are copies of the first.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Octagon {
    pub(super) x: [f64; 8],
    pub(super) y: [f64; 8],
    pub(super) normal_x: [f64; 8],
    pub(super) normal_y: [f64; 8],
}

/// The numbers that the input gave to the features of an [`Octagon`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub(super) vertices: [u32; 8],
    pub(super) edges: [u32; 8],
}

impl Octagon {
    fn new(convex: &Convex) -> Self {
        let of = |i: usize| if i < convex.corner_count() { i } else { 0 };
        let (corner, normal) = (|i| convex.corner(of(i)), |i| convex.normal(of(i)));
        Self {
            x: array::from_fn(|i| corner(i).x),
            y: array::from_fn(|i| corner(i).y),
            normal_x: array::from_fn(|i| normal(i).x),
            normal_y: array::from_fn(|i| normal(i).y),
        }
    }
}

impl Names {
    fn new(convex: &Convex) -> Self {
        let of = |i: usize| if i < convex.corner_count() { i } else { 0 };
        let (vertices, edges) = (array::from_fn(|i| convex.vertex_id(of(i))), array::from_fn(|i| convex.edge_id(of(i))));
        Self { vertices, edges }
    }
}

/// Shapes by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    /// Radii.
    pub(super) circles: Vec<f64>,
    /// Of rectangles and polygons, which meet each other as polygons do.
    pub(super) sizes: Vec<Size>,
    pub(super) polygons: Vec<Octagon>,
    /// How many corners each has.
    pub(super) counts: Vec<u8>,
    pub(super) names: Vec<Names>,
    /// All shapes with their ids: circles, rectangles and polygons, others; in the order of the numbers above.
    shapes: [Vec<(ShapeId, Shape)>; 3],
}

/// Which of the lists of shapes holds a kind.
const LIST: [usize; 4] = [0, 1, 1, 2];

impl Pool {
    /// Takes a shape in.
    pub(super) fn add(&mut self, shape: &Shape) -> ShapeId {
        let kind = self.add_numbers(shape);
        let shapes = &mut self.shapes[LIST[kind as usize]];
        let id = ShapeId::new(kind, shapes.len());
        shapes.push((id, shape.clone()));
        id
    }

    fn add_numbers(&mut self, shape: &Shape) -> Kind {
        let Form::Convex(convex) = &shape.0 else { return Kind::Other };
        if convex.as_point().is_some_and(|p| p == glam::DVec2::ZERO) {
            self.circles.push(convex.radius);
            return Kind::Circle;
        }
        let half = convex.as_rectangle();
        if half.is_none() && convex.as_two_blocks().is_none() {
            return Kind::Other;
        }
        self.sizes.push(Size { half: half.unwrap_or_default().to_array(), radius: convex.radius, reach: convex.reach });
        self.polygons.push(Octagon::new(convex));
        self.counts.push(convex.corner_count() as u8);
        self.names.push(Names::new(convex));
        if half.is_some() { Kind::Rectangle } else { Kind::Polygon }
    }

    /// The shape of a number; `None` where it is another batch's.
    pub(super) fn get(&self, id: ShapeId) -> Option<&Shape> {
        let (own, shape) = self.shapes[LIST[id.kind()]].get(id.index() as usize)?;
        (*own == id).then_some(shape)
    }
}
