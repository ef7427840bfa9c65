//! Ways in through the lines of edges, eight edges at a time.

use glam::DVec2;

use crate::math::simd::prelude::*;
use crate::math::simd::{Simd, f64x8, i64x8};
use crate::query::pair::Relative;
use crate::query::support::eight;
use crate::shape::convex::VertexBlock4;

/// Two blocks, or one twice.
#[inline(always)]
fn both(blocks: &[VertexBlock4]) -> [&VertexBlock4; 2] {
    [&blocks[0], blocks.get(1).unwrap_or(&blocks[0])]
}

/// What the edges of one shape say, of every eighth edge.
pub(super) struct EntryTimes<S: Simd> {
    /// When the way goes in through lines of edges for the last time, but for a rounding error.
    pub(super) last: f64x8<S>,
    /// The same as a quotient: how far it is from those edges at the start, and how much nearer it comes.
    pub(super) separations: f64x8<S>,
    pub(super) rates: f64x8<S>,
    /// The corners of the other shape that are lowest over those edges; of several the first.
    pub(super) lowest: i64x8<S>,
    /// The number of the first of the eight edges that these are of; 0 where there are no more.
    first: Option<[f64; 8]>,
    /// How far it is outside from the start, before edges which it does not come nearer to; negative where it is not.
    pub(super) outside: f64x8<S>,
}

impl<S: Simd> EntryTimes<S> {
    /// The edges of one shape and the corners of the other, which comes nearer by `closing` in the frame of the edges, until there is no more than `room` between them.
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        edges: &[VertexBlock4],
        corners: &[VertexBlock4],
        pose: Relative,
        closing: DVec2,
        room: f64,
    ) -> Self {
        let mut all = Self::of(simd, both(edges), corners, pose, closing, room);
        if edges.len() <= 2 {
            return all;
        }
        let (mut first, mut i) = (f64x8::splat(simd, 0.0), 2);
        while i < edges.len() {
            let next = Self::of(simd, both(&edges[i..]), corners, pose, closing, room);
            let later = next.last.simd_gt(all.last);
            first = later.select(f64x8::splat(simd, 4.0 * i as f64), first);
            (all.last, all.lowest) = (later.select(next.last, all.last), later.select(next.lowest, all.lowest));
            (all.separations, all.rates) =
                (later.select(next.separations, all.separations), later.select(next.rates, all.rates));
            all.outside = all.outside.max(next.outside);
            i += 2;
        }
        Self { first: Some(first.into()), ..all }
    }

    /// The number of the first of the eight edges of which the one in a lane is.
    #[inline(always)]
    pub(super) fn first_edge(&self, lane: usize) -> usize {
        self.first.map_or(0, |first| first[lane] as usize)
    }

    /// When the way goes in through the lines of eight edges that come nearer, and how far it is before those that do not.
    #[inline(always)]
    fn of(
        simd: S,
        edges: [&VertexBlock4; 2],
        corners: &[VertexBlock4],
        pose: Relative,
        closing: DVec2,
        room: f64,
    ) -> Self {
        let (normal_x, normal_y) =
            (eight(simd, &edges[0].normal_x, &edges[1].normal_x), eight(simd, &edges[0].normal_y, &edges[1].normal_y));
        let (never, zero) = (f64x8::splat(simd, f64::NEG_INFINITY), f64x8::splat(simd, 0.0));
        // Divided by before it is known what: which edge it is that counts need not wait for a quotient. What comes nearer more slowly does not do so by what counts.
        let rates = normal_x * closing.x + normal_y * closing.y;
        let (nearer, per_length) = (rates.simd_gt(f64x8::splat(simd, 1e-300)), f64x8::splat(simd, 1.0) / rates);
        let x = normal_x * pose.cos + normal_y * pose.sin;
        let y = normal_y * pose.cos - normal_x * pose.sin;
        let mut low = Low::of_four(x, y, &corners[0], 0);
        for (block, number) in corners[1..].iter().zip(1..) {
            low = low.lower(Low::of_four(x, y, block, 4 * number));
        }
        let moved = normal_x * pose.translation.x + normal_y * pose.translation.y
            - eight(simd, &edges[0].offset, &edges[1].offset);
        let separations = low.height + moved - room;
        let outside = rates.simd_le(zero).select(separations, never);
        let last = nearer.select(separations * per_length, never);
        Self { last, separations, rates, lowest: low.corner, first: None, outside }
    }
}

/// The lowest of some corners, along each of eight directions.
#[derive(Clone, Copy)]
struct Low<S: Simd> {
    height: f64x8<S>,
    corner: i64x8<S>,
}

impl<S: Simd> Low<S> {
    #[inline(always)]
    fn of(x: f64x8<S>, y: f64x8<S>, block: &VertexBlock4, lane: usize, number: i64) -> Self {
        Self { height: x * block.x[lane] + y * block.y[lane], corner: i64x8::splat(x.simd, number + lane as i64) }
    }

    /// Not one after the other: each would wait for the one before it.
    #[inline(always)]
    fn of_four(x: f64x8<S>, y: f64x8<S>, block: &VertexBlock4, number: i64) -> Self {
        let (p, q) = (Self::of(x, y, block, 0, number), Self::of(x, y, block, 1, number));
        let (r, s) = (Self::of(x, y, block, 2, number), Self::of(x, y, block, 3, number));
        p.lower(q).lower(r.lower(s))
    }

    /// The lower of two; the first where they are equal.
    #[inline(always)]
    fn lower(self, other: Self) -> Self {
        let corner = other.height.simd_lt(self.height).select(other.corner, self.corner);
        Self { height: self.height.min(other.height), corner }
    }
}
