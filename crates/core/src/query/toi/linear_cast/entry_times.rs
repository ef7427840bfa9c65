//! Computes the entry times through the lines of edges, eight edges at a time.
//!
//! Input: the edges of one shape, the vertices of the other, the relative pose and the
//! displacement. Output: per lane the latest entry time, its edge and the lowest vertex. Source:
//! Cyrus and Beck 1978.
//!
//! ```text
//! for each edge: separation = lowest height of the vertices − radii; time = separation / closing speed
//! latest = greatest time of the approached edges; outside = greatest separation of the others
//! ```
//!
//! Each lane keeps the maximum of its own edges, and the lanes are compared once at the end. The
//! quotient is computed before the deciding edge is known, so that no later step waits for a
//! division.

use glam::DVec2;

use crate::math::simd::{Simd, f64x8, i64x8};
use crate::query::pair::Relative;
use crate::query::support::eight;
use crate::shape::convex::VertexBlock4;

/// Returns two blocks, or one block twice.
#[inline(always)]
fn both(blocks: &[VertexBlock4]) -> [&VertexBlock4; 2] {
    [&blocks[0], blocks.get(1).unwrap_or(&blocks[0])]
}

/// The results of the edges of one shape, for every eighth edge.
pub(super) struct EntryTimes<S: Simd> {
    /// Latest entry time, up to rounding.
    pub(super) last: f64x8<S>,
    /// The same as a quotient, of which these are the dividends: distances to the edge at the start.
    pub(super) separations: f64x8<S>,
    /// The divisors of the quotients: closing displacements.
    pub(super) rates: f64x8<S>,
    /// Lowest vertices of the other shape over these edges. Tie: lowest index.
    pub(super) lowest: i64x8<S>,
    /// Index of the first edge of the block of eight that they belong to. 0 if there is one block.
    first: Option<[f64; 8]>,
    /// Distance at the start to edges that the shape does not approach. Negative if there is none
    /// outside.
    pub(super) outside: f64x8<S>,
}

impl<S: Simd> EntryTimes<S> {
    /// Computes the entry times for the edges of one shape and the vertices of the other. The
    /// vertices move by `closing` in the frame of the edges, until their distance from the edges is `gap`.
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        edges: &[VertexBlock4],
        vertices: &[VertexBlock4],
        pose: Relative,
        closing: DVec2,
        gap: f64,
    ) -> Self {
        let mut all = Self::of(simd, both(edges), vertices, pose, closing, gap);
        if edges.len() <= 2 {
            return all;
        }
        let (mut first, mut i) = (f64x8::splat(simd, 0.0), 2);
        while i < edges.len() {
            let next = Self::of(simd, both(&edges[i..]), vertices, pose, closing, gap);
            let later = next.last.simd_gt(all.last);
            first = later.select(f64x8::splat(simd, 4.0 * i as f64), first);
            (all.last, all.lowest) = (later.select(next.last, all.last), later.select(next.lowest, all.lowest));
            (all.separations, all.rates) =
                (later.select(next.separations, all.separations), later.select(next.rates, all.rates));
            all.outside = all.outside.max(next.outside);
            i += 2;
        }
        Self { first: Some(first.to_array()), ..all }
    }

    /// Returns the index of the first edge of the block that a lane belongs to.
    #[inline(always)]
    pub(super) fn first_edge(&self, lane: usize) -> usize {
        self.first.map_or(0, |first| first[lane] as usize)
    }

    /// Adds the entry times through the lines of eight approached edges, and the distances to the
    /// others.
    #[inline(always)]
    fn of(
        simd: S,
        edges: [&VertexBlock4; 2],
        vertices: &[VertexBlock4],
        pose: Relative,
        closing: DVec2,
        gap: f64,
    ) -> Self {
        let (normal_x, normal_y) =
            (eight(simd, &edges[0].normal_x, &edges[1].normal_x), eight(simd, &edges[0].normal_y, &edges[1].normal_y));
        let (never, zero) = (f64x8::splat(simd, f64::NEG_INFINITY), f64x8::splat(simd, 0.0));
        // Divide before the deciding edge is known, so that it does not wait for a quotient. A
        // slower approach is irrelevant.
        let rates = normal_x * closing.x + normal_y * closing.y;
        let (nearer, per_length) = (rates.simd_gt(f64x8::splat(simd, 1e-300)), f64x8::splat(simd, 1.0) / rates);
        let x = normal_x * pose.cos + normal_y * pose.sin;
        let y = normal_y * pose.cos - normal_x * pose.sin;
        let mut low = Low::of_four(x, y, &vertices[0], 0);
        for (block, number) in vertices[1..].iter().zip(1..) {
            low = low.lower(Low::of_four(x, y, block, 4 * number));
        }
        let moved = normal_x * pose.translation.x + normal_y * pose.translation.y
            - eight(simd, &edges[0].offset, &edges[1].offset);
        let separations = low.height + moved - gap;
        let outside = rates.simd_le(zero).select(separations, never);
        let last = nearer.select(separations * per_length, never);
        Self { last, separations, rates, lowest: low.vertex, first: None, outside }
    }
}

/// The lowest of several vertices along each of eight directions.
#[derive(Clone, Copy)]
struct Low<S: Simd> {
    /// Its height along each direction.
    height: f64x8<S>,
    /// Its index.
    vertex: i64x8<S>,
}

impl<S: Simd> Low<S> {
    /// Evaluates one vertex along eight directions.
    #[inline(always)]
    fn of(x: f64x8<S>, y: f64x8<S>, block: &VertexBlock4, lane: usize, number: i64) -> Self {
        Self { height: x * block.x[lane] + y * block.y[lane], vertex: i64x8::splat(x.simd, number + lane as i64) }
    }

    /// Not sequentially: each step would wait for the previous one.
    #[inline(always)]
    fn of_four(x: f64x8<S>, y: f64x8<S>, block: &VertexBlock4, number: i64) -> Self {
        let (p, q) = (Self::of(x, y, block, 0, number), Self::of(x, y, block, 1, number));
        let (r, s) = (Self::of(x, y, block, 2, number), Self::of(x, y, block, 3, number));
        p.lower(q).lower(r.lower(s))
    }

    /// Returns the lower of two. Tie: the first.
    #[inline(always)]
    fn lower(self, other: Self) -> Self {
        let vertex = other.height.simd_lt(self.height).select(other.vertex, self.vertex);
        Self { height: self.height.min(other.height), vertex }
    }
}
