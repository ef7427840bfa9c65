//! What the corners of an outline tell, eight edges at a time: every test with a margin of a step and of rounding.

use super::interval::Interval;
use crate::math::simd::prelude::*;
use crate::math::simd::{Simd, SimdKernel, f32x8, i16x8};

/// Most edges of an outline.
pub(super) const EDGES: usize = 8;

/// How many steps the farthest coordinate of a corner is from the middle.
pub(super) const STEPS: f64 = 32_767.0;

/// Farther away than so many steps, products of coordinates could overflow.
const FAR: f32 = 1e12;

/// More than the relative rounding errors of all that is computed here.
pub(super) const ROUNDING: f32 = 32.0 * f32::EPSILON;

/// The corners of an outline counter-clockwise, in steps from its middle; a polygon of fewer has its last one several times.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Corners {
    pub(super) x: [i16; EDGES],
    pub(super) y: [i16; EDGES],
}

impl Corners {
    pub(super) const NONE: Self = Self { x: [0; EDGES], y: [0; EDGES] };

    /// All edges.
    #[inline(always)]
    fn edges<S: Simd>(&self, simd: S) -> Edges<S> {
        let (x, y) = (i16x8::from_slice(simd, &self.x), i16x8::from_slice(simd, &self.y));
        let (from_x, from_y) = (widened(simd, x), widened(simd, y));
        let (way_x, way_y) = (widened(simd, x.slide::<1>(x)) - from_x, widened(simd, y.slide::<1>(y)) - from_y);
        Edges { from_x, from_y, way_x, way_y }
    }
}

/// A point relative to an outline's middle, in steps.
#[derive(Clone, Copy)]
pub(super) struct GridPoint {
    pub(super) x: f32,
    pub(super) y: f32,
    /// A bound on the error of every distance that is computed from it, that of the rounded corners included.
    pub(super) doubt: f32,
}

impl GridPoint {
    #[inline(always)]
    pub(super) fn is_near(self) -> bool {
        self.x.abs() + self.y.abs() < FAR
    }
}

#[inline(always)]
pub(super) fn first_bit(set: u32) -> Option<u8> {
    (set != 0).then_some(set.trailing_zeros() as u8)
}

#[inline(always)]
pub(super) fn widened<S: Simd>(simd: S, whole: i16x8<S>) -> f32x8<S> {
    let (low, high) = simd.widen_i16x8(whole);
    simd.combine_f32x4(simd.cvt_f32_i32x4(low), simd.cvt_f32_i32x4(high))
}

/// The edges side by side: where they begin, and the way to where they end, both without rounding.
struct Edges<S: Simd> {
    from_x: f32x8<S>,
    from_y: f32x8<S>,
    way_x: f32x8<S>,
    way_y: f32x8<S>,
}

impl<S: Simd> Edges<S> {
    /// At least the lengths, and at most half as much again; 0 of those that are no edges.
    #[inline(always)]
    fn lengths(&self) -> f32x8<S> {
        self.way_x.abs() + self.way_y.abs()
    }

    /// How far a way leads to the left of each edge, times its length.
    #[inline(always)]
    fn to_left(&self, x: f32x8<S>, y: f32x8<S>) -> f32x8<S> {
        self.way_x * y - self.way_y * x
    }

    /// How far a point is to the left of each edge's line, times the edge's length.
    #[inline(always)]
    fn depths(&self, simd: S, point: GridPoint) -> f32x8<S> {
        self.to_left(splat(simd, point.x) - self.from_x, splat(simd, point.y) - self.from_y)
    }
}

#[inline(always)]
fn splat<S: Simd>(simd: S, x: f32) -> f32x8<S> {
    f32x8::splat(simd, x)
}

/// The least of eight numbers, none of them NaN.
#[inline(always)]
fn least<S: Simd>(numbers: f32x8<S>) -> f32 {
    let (low, high) = numbers.split();
    low.min(high).reduce_min()
}

/// Does an outline hold a point? None where that is in doubt, as it is wherever something overflows.
pub(super) struct ContainsTest<'a> {
    pub(super) corners: &'a Corners,
    pub(super) point: GridPoint,
}

impl SimdKernel for ContainsTest<'_> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<bool> {
        let edges = self.corners.edges(simd);
        let (depths, room) = (edges.depths(simd, self.point), edges.lengths() * splat(simd, self.point.doubt));
        if depths.simd_lt(-room).any_true() {
            return Some(false);
        }
        // What is no edge is in nobody's way.
        let inside = depths.simd_gt(room) | room.simd_eq(splat(simd, 0.0));
        inside.all_true().then_some(true)
    }
}

/// How a point lies that may not be inside.
pub(super) struct Situation {
    pub(super) is_outside: bool,
    /// The square of the distance from the nearest edge.
    pub(super) square: f32,
    /// The edges, by lanes, that the point is surely in front of between both ends: one at most, to which it is nearest.
    pub(super) over: u32,
    /// Those whose beginning or end it surely lies beyond.
    pub(super) before: u32,
    pub(super) behind: u32,
}

/// How a point lies to an outline; none where it is surely inside.
pub(super) struct DistanceTest<'a> {
    pub(super) corners: &'a Corners,
    pub(super) point: GridPoint,
}

impl SimdKernel for DistanceTest<'_> {
    type Output = Option<Situation>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Situation> {
        let edges = self.corners.edges(simd);
        let (zero, one, doubt) = (splat(simd, 0.0), splat(simd, 1.0), splat(simd, self.point.doubt));
        let (away_x, away_y) = (splat(simd, self.point.x) - edges.from_x, splat(simd, self.point.y) - edges.from_y);
        let (depths, lengths) = (edges.to_left(away_x, away_y), edges.lengths());
        let room = lengths * doubt;
        let outside = depths.simd_lt(-room);
        let is_outside = outside.any_true();
        // What is no edge is in nobody's way.
        if !is_outside && (depths.simd_gt(room) | room.simd_eq(zero)).all_true() {
            return None;
        }
        let (way_x, way_y) = (edges.way_x, edges.way_y);
        let (along, squares) = (away_x * way_x + away_y * way_y, way_x * way_x + way_y * way_y);
        // Squares of whole numbers: where they are less than 1 there is no edge, but its corner.
        let part = (along / squares.max(one)).max(zero).min(one);
        let (foot_x, foot_y) = (away_x - way_x * part, away_y - way_y * part);
        // Both ends may be off by the doubt, and so may the point: that turns and moves the edge.
        let margin = (away_x.abs() + away_y.abs() + lengths + lengths + one) * (doubt + doubt);
        let rest = along - squares;
        let over = outside & along.simd_gt(margin) & rest.simd_lt(-margin);
        Some(Situation {
            is_outside,
            square: least(foot_x * foot_x + foot_y * foot_y),
            over: over.to_bitmask() as u32,
            before: along.simd_lt(-margin).to_bitmask() as u32,
            behind: rest.simd_gt(margin).to_bitmask() as u32,
        })
    }
}

/// When a ray is in all half-planes: of edges moved outward by the doubt at the earliest, of such moved inward at the latest (Cyrus and Beck 1978).
pub(super) struct RayTest<'a> {
    pub(super) corners: &'a Corners,
    pub(super) start: GridPoint,
    pub(super) way: [f32; 2],
    pub(super) doubt: f32,
}

impl SimdKernel for RayTest<'_> {
    /// With the edge, by its lane, where the ray surely comes in from outside between both ends of one.
    type Output = Option<(Interval, u32)>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<(Interval, u32)> {
        let Self { corners, start, way, doubt } = self;
        let (zero, one, edges) = (splat(simd, 0.0), splat(simd, 1.0), corners.edges(simd));
        let room = edges.lengths() * splat(simd, doubt);
        let depths = edges.depths(simd, start);
        let speeds = edges.to_left(splat(simd, way[0]), splat(simd, way[1]));
        // Through edges to whose left it leads it comes in, through the others it goes out; one that it comes nearer to or away from by less than the doubt it is inside or
        // outside of for good.
        let (coming, going) = (speeds.simd_gt(room), speeds.simd_lt(-room));
        let inverse = one / (coming | going).select(speeds, one);
        let (times, wide) = (-depths * inverse, (room * inverse).abs());
        let inside = |sure: bool| {
            let still = if sure { depths - (room + room) } else { depths + (room + room) };
            still.simd_ge(zero).select(one, -one)
        };
        let enter = |times: f32x8<S>| -least(coming.select(-times, zero));
        let leave = |times: f32x8<S>, still: f32x8<S>| least(going.select(times, coming.select(one, still)).min(one));
        let (first, last) = (enter(times - wide), leave(times + wide, inside(false)));
        if first > last + ROUNDING {
            return None;
        }
        let (sure, sure_end) = (enter(times + wide), leave(times - wide, inside(true)));
        let (least, meets) = (f64::from(first - ROUNDING), sure + ROUNDING < sure_end);
        if !meets {
            return Some((Interval { least, most: f64::INFINITY }, 0));
        }
        // It starts outside, gets inside, and has the beginning of the edge to its left and the end to its right. Both are but a step off, however short the edge is.
        let (way_x, way_y) = (splat(simd, way[0]), splat(simd, way[1]));
        let (away_x, away_y) = (edges.from_x - splat(simd, start.x), edges.from_y - splat(simd, start.y));
        let beginning = way_x * away_y - way_y * away_x;
        let margin = (way_x.abs() + way_y.abs()) * splat(simd, doubt + doubt);
        let between = coming & beginning.simd_gt(margin) & (beginning - speeds).simd_lt(-margin);
        let through = if first > ROUNDING { between.to_bitmask() as u32 } else { 0 };
        Some((Interval { least, most: f64::from(sure + ROUNDING) }, through))
    }
}
