//! Stores the data of a rectangle, or of a convex polygon with up to eight hull vertices, for SIMD
//! kernels.
//!
//! Vertices and normals are arrays of eight, padded with copies of the first. So a kernel has fixed
//! loops and no test of the number of vertices. Half extents and radii are separate, because
//! bounding circles are tested before any vertex is read.
//!
//! ```text
//! x, y               hull vertices, counter-clockwise: eight numbers each
//! normal_x, normal_y outward unit normal of the edge that begins at each vertex
//! ids                number of each vertex and edge in the input
//! size               half extents, rounding radius, bounding radius
//! ```
//!
//! A `Convex` has its vertices in blocks of four behind a pointer. A kernel would load that pointer
//! first, and then the vertices at an unrelated address.

use core::array;
use core::hint::select_unpredictable;

use glam::DVec2;

use crate::math::pose::Pose;
use crate::shape::convex::Convex;

/// The data needed before the vertices: half extents and radii.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfExtents {
    /// For a rectangle: half the width and half the height. For a polygon: twice the same number,
    /// the radius of the largest inscribed circle about the origin.
    pub(super) half: [f64; 2],
    /// The rounding radius.
    pub(super) radius: f64,
    /// The bounding radius about the origin, without the rounding radius.
    pub(super) bounding_radius: f64,
}

/// Hull vertices, and the outward unit normals of the edges that begin at them, as a structure of
/// arrays in four cache lines. Unused elements are copies of the first.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct PolygonSoa8 {
    /// The x coordinates of the hull vertices, in the frame of the shape.
    pub(super) x: [f64; 8],
    /// The y coordinates.
    pub(super) y: [f64; 8],
    /// The x coordinates of the normals.
    pub(super) normal_x: [f64; 8],
    /// The y coordinates of the normals.
    pub(super) normal_y: [f64; 8],
}

/// The feature ids of the elements of a [`PolygonSoa8`], as numbered in the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureIds {
    /// The id of each hull vertex.
    pub(super) vertices: [u32; 8],
    /// The id of the edge that begins at each hull vertex.
    pub(super) edges: [u32; 8],
}

impl PolygonSoa8 {
    /// Copies the hull of a convex shape with up to eight hull vertices.
    pub(super) fn new(convex: &Convex) -> Self {
        let of = |i: usize| if i < convex.hull_vertex_count() { i } else { 0 };
        let (vertex, normal) = (|i| convex.hull_vertex(of(i)), |i| convex.normal(of(i)));
        Self {
            x: array::from_fn(|i| vertex(i).x),
            y: array::from_fn(|i| vertex(i).y),
            normal_x: array::from_fn(|i| normal(i).x),
            normal_y: array::from_fn(|i| normal(i).y),
        }
    }

    /// Returns the least and greatest coordinates of the first `count` vertices after
    /// transformation, with the bits of [`Pose::transform_point`].
    #[inline(always)]
    pub(super) fn bounds(&self, count: usize, pose: &Pose) -> [DVec2; 2] {
        let (cos, sin, origin) = (pose.cos(), pose.sin(), pose.translation());
        let [mut low_x, mut low_y, mut high_x, mut high_y] =
            [[f64::INFINITY; 2], [f64::INFINITY; 2], [f64::NEG_INFINITY; 2], [f64::NEG_INFINITY; 2]];
        let mut i = 0;
        // Two vertices at a time. If `count` is odd, the last one is paired with a copy of the
        // first vertex.
        while i < count.min(8) {
            for k in 0..2 {
                let (x, y) = (self.x[i + k], self.y[i + k]);
                let (x, y) = (cos * x - sin * y + origin.x, sin * x + cos * y + origin.y);
                low_x[k] = if x < low_x[k] { x } else { low_x[k] };
                low_y[k] = if y < low_y[k] { y } else { low_y[k] };
                high_x[k] = if x > high_x[k] { x } else { high_x[k] };
                high_y[k] = if y > high_y[k] { y } else { high_y[k] };
            }
            i += 2;
        }
        let least = DVec2::new(low_x[0].min(low_x[1]), low_y[0].min(low_y[1]));
        [least, DVec2::new(high_x[0].max(high_x[1]), high_y[0].max(high_y[1]))]
    }
}

impl FeatureIds {
    /// Copies the feature ids of a convex shape with up to eight hull vertices.
    pub(super) fn new(convex: &Convex) -> Self {
        let of = |i: usize| if i < convex.hull_vertex_count() { i } else { 0 };
        let (vertices, edges) =
            (array::from_fn(|i| convex.vertex_id(of(i))), array::from_fn(|i| convex.edge_id(of(i))));
        Self { vertices, edges }
    }
}

/// All data of a rectangle or of a polygon with up to eight hull vertices.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct SmallPolygon {
    /// Vertices and normals.
    pub(super) soa: PolygonSoa8,
    /// Feature ids.
    pub(super) ids: FeatureIds,
    /// Half extents and radii, as in
    /// [`SmallPolygons::sizes`](super::small_polygons::SmallPolygons::sizes).
    pub(super) size: HalfExtents,
    /// Number of hull vertices.
    pub(super) count: u8,
    /// If true, every vertex is a hull vertex.
    pub(super) all_on_hull: bool,
}

impl SmallPolygon {
    /// Returns hull vertex `i`.
    #[inline(always)]
    pub(super) fn vertex(&self, i: usize) -> [f64; 2] {
        [self.soa.x[i % 8], self.soa.y[i % 8]]
    }

    /// Returns the outward unit normal of the edge that begins at vertex `i`.
    #[inline(always)]
    pub(super) fn normal(&self, i: usize) -> [f64; 2] {
        [self.soa.normal_x[i % 8], self.soa.normal_y[i % 8]]
    }

    /// Returns the index of the vertex after `i`.
    #[inline(always)]
    pub(super) fn next(&self, i: usize) -> usize {
        select_unpredictable(i + 1 == usize::from(self.count), 0, i + 1) % 8
    }

    /// Returns the index of the vertex before `i`.
    #[inline(always)]
    pub(super) fn previous(&self, i: usize) -> usize {
        (select_unpredictable(i == 0, usize::from(self.count), i) - 1) % 8
    }

    /// Returns all data as words; equal exactly if two shapes are bit-identical.
    pub(super) fn bits(&self) -> [u64; 46] {
        let Self {
            size: HalfExtents { half, radius, bounding_radius },
            soa: PolygonSoa8 { x, y, normal_x, normal_y },
            count,
            ids,
            all_on_hull,
        } = self;
        let mut words = [0; 46];
        for (i, part) in [x, y, normal_x, normal_y].into_iter().enumerate() {
            for (k, number) in part.iter().enumerate() {
                words[8 * i + k] = number.to_bits();
            }
        }
        for (i, (&vertex, &edge)) in ids.vertices.iter().zip(&ids.edges).enumerate() {
            words[32 + i] = u64::from(vertex) << 32 | u64::from(edge);
        }
        for (k, number) in [half[0], half[1], *radius, *bounding_radius].iter().enumerate() {
            words[40 + k] = number.to_bits();
        }
        (words[44], words[45]) = ((*count).into(), (*all_on_hull).into());
        words
    }
}
