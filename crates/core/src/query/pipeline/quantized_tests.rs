//! Tests points and rays against quantized polygons, eight edges at a time.
//!
//! Input: eight vertices in steps, and a point or ray with an error bound. Output: a certain
//! result, or none. The simple versions in real numbers:
//!
//! ```text
//! contains:  the point is to the left of every edge
//! distance:  the least distance from an edge, for a point outside
//! ray:       latest entry and earliest exit through the lines of the edges   (Cyrus and Beck 1978)
//! ```
//!
//! Here each comparison has a margin of one step plus rounding, in units of the edge's length. A
//! result within its margin is undecided. So no test is wrong, for any position of the exact
//! vertices.
//!
//! Polygons with fewer vertices repeat the last one. Such an edge has length 0, its margin is 0,
//! and it limits nothing. So all polygons take the same instructions.

use super::interval::Interval;
use crate::math::simd::{Simd, f32x8, i16x8};

/// Maximum number of edges.
pub(super) const EDGES: usize = 8;

/// Maximum coordinate of a vertex in steps from the centre.
pub(super) const STEPS: f64 = 32_767.0;

/// Beyond this number of steps, products may overflow.
const FAR: f32 = 1e12;

/// Upper bound of all relative rounding errors here.
pub(super) const ROUNDING: f32 = 32.0 * f32::EPSILON;

/// The vertices counter-clockwise, in steps from the centre. Polygons with fewer vertices repeat
/// the last one.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct QuantizedVertices {
    /// The x coordinates.
    pub(super) x: [i16; EDGES],
    /// The y coordinates.
    pub(super) y: [i16; EDGES],
}

impl QuantizedVertices {
    /// All vertices at the centre: no polygon.
    pub(super) const NONE: Self = Self { x: [0; EDGES], y: [0; EDGES] };

    /// All edges.
    #[inline(always)]
    fn edges<S: Simd>(&self, simd: S) -> Edges<S> {
        let (x, y) = (i16x8::load(simd, &self.x), i16x8::load(simd, &self.y));
        let (from_x, from_y) = (x.to_f32(), y.to_f32());
        let (edge_x, edge_y) = (x.rotate().to_f32() - from_x, y.rotate().to_f32() - from_y);
        Edges { from_x, from_y, edge_x, edge_y }
    }

    /// Returns true if the polygon contains a point. `None` if undecided, also after an overflow.
    #[inline(always)]
    pub(super) fn contains<S: Simd>(&self, simd: S, point: GridPoint) -> Option<bool> {
        let edges = self.edges(simd);
        let (depths, tolerance) = (edges.depths(simd, point), edges.lengths() * splat(simd, point.error_bound));
        if depths.simd_lt(-tolerance).any_true() {
            return Some(false);
        }
        // Lanes without an edge do not limit the result.
        let inside = depths.simd_gt(tolerance) | tolerance.simd_eq(splat(simd, 0.0));
        inside.all_true().then_some(true)
    }

    /// Returns the position of a point. `None` if it is certainly inside.
    #[inline(always)]
    pub(super) fn situation<S: Simd>(&self, simd: S, point: GridPoint) -> Option<Situation> {
        let edges = self.edges(simd);
        let (zero, one, error_bound) = (splat(simd, 0.0), splat(simd, 1.0), splat(simd, point.error_bound));
        let (away_x, away_y) = (splat(simd, point.x) - edges.from_x, splat(simd, point.y) - edges.from_y);
        let (depths, lengths) = (edges.to_left(away_x, away_y), edges.lengths());
        let tolerance = lengths * error_bound;
        let outside = depths.simd_lt(-tolerance);
        let is_outside = outside.any_true();
        // Lanes without an edge do not limit the result.
        if !is_outside && (depths.simd_gt(tolerance) | tolerance.simd_eq(zero)).all_true() {
            return None;
        }
        let (edge_x, edge_y) = (edges.edge_x, edges.edge_y);
        let (along, squares) = (away_x * edge_x + away_y * edge_y, edge_x * edge_x + edge_y * edge_y);
        // Squares of integers: below 1 there is no edge, only its vertex.
        let part = (along / squares.max(one)).max(zero).min(one);
        let (foot_x, foot_y) = (away_x - edge_x * part, away_y - edge_y * part);
        // Both ends and the point may be off by the error bound. This rotates and shifts the edge.
        let margin = (away_x.abs() + away_y.abs() + lengths + lengths + one) * (error_bound + error_bound);
        let rest = along - squares;
        let over = outside & along.simd_gt(margin) & rest.simd_lt(-margin);
        Some(Situation {
            is_outside,
            square: (foot_x * foot_x + foot_y * foot_y).reduce_min(),
            over: over.to_bitmask() as u32,
            before: along.simd_lt(-margin).to_bitmask() as u32,
            behind: rest.simd_gt(margin).to_bitmask() as u32,
        })
    }

    /// Bounds the time at which a ray is in all half-planes (Cyrus and Beck 1978). For the lower bound,
    /// edges are offset outward by the error bound. For the upper bound, they are offset inward.
    ///
    /// `displacement` is the vector of the ray in steps, `error_bound` that of the distances of both ends. Also
    /// returns the lane of the edge if the ray certainly enters from outside between the ends of one.
    #[inline(always)]
    pub(super) fn time<S: Simd>(
        &self,
        simd: S,
        start: GridPoint,
        displacement: [f32; 2],
        error_bound: f32,
    ) -> Option<(Interval, u32)> {
        let (zero, one, edges) = (splat(simd, 0.0), splat(simd, 1.0), self.edges(simd));
        let tolerance = edges.lengths() * splat(simd, error_bound);
        let depths = edges.depths(simd, start);
        let speeds = edges.to_left(splat(simd, displacement[0]), splat(simd, displacement[1]));
        // The ray enters through edges whose left side it approaches, and leaves through the
        // others. If it changes its distance by less than the error bound, it stays inside or
        // outside.
        let (coming, going) = (speeds.simd_gt(tolerance), speeds.simd_lt(-tolerance));
        let inverse = one / (coming | going).select(speeds, one);
        let (times, wide) = (-depths * inverse, (tolerance * inverse).abs());
        let inside = |sure: bool| {
            let still = if sure { depths - (tolerance + tolerance) } else { depths + (tolerance + tolerance) };
            still.simd_ge(zero).select(one, -one)
        };
        let enter = |times: f32x8<S>| -coming.select(-times, zero).reduce_min();
        let leave =
            |times: f32x8<S>, still: f32x8<S>| going.select(times, coming.select(one, still)).min(one).reduce_min();
        let (first, last) = (enter(times - wide), leave(times + wide, inside(false)));
        if first > last + ROUNDING {
            return None;
        }
        let (sure, sure_end) = (enter(times + wide), leave(times - wide, inside(true)));
        let (least, intersects) = (f64::from(first - ROUNDING), sure + ROUNDING < sure_end);
        if !intersects {
            return Some((Interval { least, ..Interval::UNKNOWN }, 0));
        }
        // It starts outside, gets inside, and has the start of the edge to its left and the end to
        // its right. Both are off by at most one step, for any length of the edge.
        let (edge_x, edge_y) = (splat(simd, displacement[0]), splat(simd, displacement[1]));
        let (away_x, away_y) = (edges.from_x - splat(simd, start.x), edges.from_y - splat(simd, start.y));
        let beginning = edge_x * away_y - edge_y * away_x;
        let margin = (edge_x.abs() + edge_y.abs()) * splat(simd, error_bound + error_bound);
        let between = coming & beginning.simd_gt(margin) & (beginning - speeds).simd_lt(-margin);
        let through = if first > ROUNDING { between.to_bitmask() as u32 } else { 0 };
        Some((Interval { least, most: f64::from(sure + ROUNDING), feature: None }, through))
    }
}

/// A point relative to the centre of a polygon, in steps.
#[derive(Clone, Copy)]
pub(super) struct GridPoint {
    /// Along x, in steps.
    pub(super) x: f32,
    /// Along y, in steps.
    pub(super) y: f32,
    /// Error bound of every distance computed from it, that of quantized vertices included.
    pub(super) error_bound: f32,
}

impl GridPoint {
    /// Returns true if no product of coordinates or of the error bound overflows.
    #[inline(always)]
    pub(super) fn is_near(self) -> bool {
        self.x.abs() + self.y.abs() + self.error_bound < FAR
    }
}

/// Returns the lowest bit of a set.
#[inline(always)]
pub(super) fn first_bit(set: u32) -> Option<u8> {
    (set != 0).then_some(set.trailing_zeros() as u8)
}

/// The edges side by side: start points and vectors, both without rounding.
struct Edges<S: Simd> {
    /// The x coordinate of the start of each edge.
    from_x: f32x8<S>,
    /// The y coordinate of the start.
    from_y: f32x8<S>,
    /// The x component of the vector along each edge.
    edge_x: f32x8<S>,
    /// The y component of the vector.
    edge_y: f32x8<S>,
}

impl<S: Simd> Edges<S> {
    /// Returns upper bounds of the lengths, at most 1.5 times too large. 0 for lanes without an
    /// edge.
    #[inline(always)]
    fn lengths(&self) -> f32x8<S> {
        self.edge_x.abs() + self.edge_y.abs()
    }

    /// Returns the displacement to the left of each edge, times its length.
    #[inline(always)]
    fn to_left(&self, x: f32x8<S>, y: f32x8<S>) -> f32x8<S> {
        self.edge_x * y - self.edge_y * x
    }

    /// Returns the distance of a point to the left of each edge's line, times the edge's length.
    #[inline(always)]
    fn depths(&self, simd: S, point: GridPoint) -> f32x8<S> {
        self.to_left(splat(simd, point.x) - self.from_x, splat(simd, point.y) - self.from_y)
    }
}

/// Returns a number in every lane.
#[inline(always)]
fn splat<S: Simd>(simd: S, x: f32) -> f32x8<S> {
    f32x8::splat(simd, x)
}

/// Position of a point that may be outside.
pub(super) struct Situation {
    /// True if the point is certainly outside.
    pub(super) is_outside: bool,
    /// Square of the distance to the nearest edge.
    pub(super) square: f32,
    /// Lanes of edges that the point certainly projects onto: at most one, the nearest.
    pub(super) over: u32,
    /// Lanes of edges that the point certainly lies before, ahead of their start.
    pub(super) before: u32,
    /// Lanes of edges that the point certainly lies behind, past their end.
    pub(super) behind: u32,
}
