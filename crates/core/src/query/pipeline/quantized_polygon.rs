//! Quantizes a convex polygon at a fixed pose: its placed vertices become 16-bit integers in one
//! cache line.
//!
//! Input: a placed polygon of 3 to 8 edges without a radius. Output: contains, ray and distance
//! tests that are certain or undecided, and the closest feature if it is certain.
//!
//! The vertices are rounded to steps of 1/32767 of the half extent about their mean. Each is off by
//! at most half a step along each axis, so the quantized outline is within one step of the exact
//! one. All tests add this step to their error bound.
//!
//! Rounding can merge vertices, or make the outline concave. Then numbers of vertices are
//! ambiguous, or there is no quantized polygon. An edge is reported only if its angles to both
//! neighbours exceed the rounding.
//!
//! ```text
//! middle = mean of the vertices; half extent = greatest distance of a coordinate from it
//! vertex = round((vertex − middle) · 32767 / half extent)
//! query:   transform the point to steps in f32; its error bound = 1 step + rounding of f32 and of the transformation
//! ```
//!
//! Integers make the vertices and the vectors between them exact in f32. So only the point, the
//! products and the sums are rounded.

use glam::DVec2;

use super::exact_data::{ExactSlot, ShapeRef};
use super::interval::{ClosestFeature, Interval, NONE};
use super::quantized_tests::{EDGES, GridPoint, QuantizedVertices, ROUNDING, STEPS, first_bit};
use crate::math::ray::Ray;
use crate::math::simd::Simd;
use crate::math::vector::{UNIT_ROUNDOFF, norm1, sqrt};
use crate::shape::Placed;

/// One cache line. The quantized vertices form a convex polygon too. Its distance from the exact
/// polygon is at most one step, in both directions.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct QuantizedPolygon {
    /// The placed vertices, in steps from the middle.
    vertices: QuantizedVertices,
    /// Mean of the placed vertices.
    middle: DVec2,
    /// Number of steps per unit length. 0 if there is no polygon.
    pub(super) per_unit: f64,
    /// Number of vertices. 0 if some of them have the same quantized position, so that numbers are
    /// ambiguous.
    vertex_count: u8,
    /// Bit mask of the edges with a visible angle to both of their neighbours after quantization.
    sharp: u8,
    /// Kind of the exact data of a packed polygon.
    slot: ExactSlot,
    /// Id of a packed polygon, or [`NONE`].
    pub(super) id: u32,
}

/// No polygon: every query is undecided.
pub(super) const NO_OUTLINE: QuantizedPolygon = QuantizedPolygon {
    vertices: QuantizedVertices::NONE,
    middle: DVec2::ZERO,
    per_unit: 0.0,
    vertex_count: 0,
    sharp: 0,
    slot: ExactSlot::Nowhere,
    id: NONE,
};

impl QuantizedPolygon {
    /// Returns the quantized polygon of a placed shape, if it has one.
    pub(super) fn of(placed: Placed<'_>) -> Option<Self> {
        let part = placed.as_part()?;
        let (count, radius) = (part.convex.edge_count(), part.convex.radius);
        if !(3..=EDGES).contains(&count) || radius > 0.0 {
            return None;
        }
        let middle = (0..count).map(|i| part.placed(i)).sum::<DVec2>() / count as f64;
        let half_extent = (0..count).map(|i| (part.placed(i) - middle).abs().max_element()).fold(0.0, f64::max);
        let mut outline = Self { middle, per_unit: STEPS / half_extent, ..NO_OUTLINE };
        let mut vertex = 0;
        for lane in 0..EDGES {
            let steps = ((part.placed(vertex) - middle) * outline.per_unit).round();
            (outline.vertices.x[lane], outline.vertices.y[lane]) = (steps.x as i16, steps.y as i16);
            if lane + 1 < count {
                vertex = part.convex.next(vertex);
            }
        }
        let edges = (0..EDGES).filter(|&lane| outline.edge_vector(lane, lane + 1) != [0; 2]).count();
        if edges == count {
            outline.vertex_count = count as u8;
            outline.sharp = outline.sharp_edges();
        }
        let of_a_size = (1e-25..1e25).contains(&outline.per_unit);
        // Vertices at one quantized position give no edge.
        (of_a_size && edges > 0 && outline.is_convex()).then_some(outline)
    }

    /// Returns the edges that certainly turn at both ends, by more than a step at the end of the
    /// longer one. Each end is off by at most half a step along both axes.
    fn sharp_edges(&self) -> u8 {
        let count = usize::from(self.vertex_count);
        let lane = |vertex: usize| if vertex % count == count - 1 { EDGES - 1 } else { vertex % count };
        let turns = |edge: usize| {
            let [here, next, last] = [0, 1, 2].map(|i| lane(edge + i));
            let ([x, y], [next_x, next_y]) = (self.edge_vector(here, next), self.edge_vector(next, last));
            x * next_y - y * next_x > 4 * (x.abs() + y.abs() + next_x.abs() + next_y.abs() + 1)
        };
        (0..count).filter(|&edge| turns(edge) && turns(edge + count - 1)).fold(0, |edges, edge| edges | 1 << edge)
    }

    /// Returns true if no vertex is to the right of an edge. If the steps are too long for the
    /// shortest edges, one may be.
    fn is_convex(&self) -> bool {
        (0..EDGES).all(|edge| {
            let [x, y] = self.edge_vector(edge, edge + 1);
            (0..EDGES).map(|lane| self.edge_vector(edge, lane)).all(|[to_x, to_y]| x * to_y >= y * to_x)
        })
    }

    /// Returns the vector from one vertex to another, in steps.
    fn edge_vector(&self, from: usize, to: usize) -> [i64; 2] {
        [&self.vertices.x, &self.vertices.y].map(|steps| i64::from(steps[to % EDGES]) - i64::from(steps[from % EDGES]))
    }

    /// Returns the same polygon as that of an id, with exact data, if there is one.
    pub(super) fn with_exact_data(self, slot: ExactSlot, id: u32) -> Self {
        Self { slot: if self.per_unit > 0.0 { slot } else { ExactSlot::Nowhere }, id, ..self }
    }

    /// Returns the location of the exact data, which begin at `first`.
    #[inline(always)]
    pub(super) fn exact_data(&self, first: u32) -> ShapeRef {
        ShapeRef { slot: self.slot, first, vertex_count: self.vertex_count }
    }

    /// Returns true if the shape contains a point. `None` if undecided.
    #[inline(always)]
    pub(super) fn contains<S: Simd>(&self, simd: S, point: DVec2) -> Option<bool> {
        if self.per_unit == 0.0 {
            return None;
        }
        self.vertices.contains(simd, self.local(point))
    }

    /// Bounds the time and the edge at which a thin solid ray hits the shape. `None` if it misses.
    #[inline(always)]
    pub(super) fn time<S: Simd>(&self, simd: S, ray: &Ray) -> Option<Interval> {
        let (start, end) = (self.local(ray.origin()), self.local(ray.end()));
        if !(self.per_unit > 0.0 && start.is_near() && end.is_near()) {
            return Some(Interval::UNKNOWN);
        }
        let displacement = (ray.end() - ray.origin()) * self.per_unit;
        let displacement = [displacement.x as f32, displacement.y as f32];
        let (between, through) = self.vertices.time(simd, start, displacement, start.error_bound + end.error_bound)?;
        let sharp = self.in_order(through) & u32::from(self.sharp);
        Some(Interval { feature: first_bit(sharp).map(ClosestFeature::Edge), ..between })
    }

    /// Bounds the distance of a point from the shape, with the closest feature if known.
    #[inline(always)]
    pub(super) fn distance<S: Simd>(&self, simd: S, point: DVec2) -> Interval {
        let local = self.local(point);
        if !(self.per_unit > 0.0 && local.is_near()) {
            return Interval::UNKNOWN;
        }
        let Some(around) = self.vertices.situation(simd, local) else {
            return Interval { least: 0.0, most: 0.0, feature: Some(ClosestFeature::Inside) };
        };
        let (distance, error_bound, step) =
            (sqrt(f64::from(around.square)), f64::from(local.error_bound), 1.0 / self.per_unit);
        // A point that may be inside may have distance 0, for any distance of the edges.
        let least = if around.is_outside { (distance - error_bound).max(0.0) } else { 0.0 };
        let edge = first_bit(self.in_order(around.over)).map(ClosestFeature::Edge);
        let feature = edge.or_else(|| self.vertex_between(around.before, around.behind));
        Interval { least: least * step, most: (distance + error_bound) * step, feature }
    }

    /// Converts a point to steps, with its error bound.
    #[inline(always)]
    fn local(&self, point: DVec2) -> GridPoint {
        let relative = (point - self.middle) * self.per_unit;
        let (x, y) = (relative.x as f32, relative.y as f32);
        let rounded = 32.0 * UNIT_ROUNDOFF * (norm1(point) + norm1(self.middle)) * self.per_unit;
        GridPoint {
            x,
            y,
            error_bound: ROUNDING * (x.abs() + y.abs() + 2.0 * STEPS as f32) + rounded as f32 * 1.001 + 1.0,
        }
    }

    /// Returns the vertex between two adjacent edges, from the lanes of edges that a point is
    /// before or behind.
    #[inline(always)]
    fn vertex_between(&self, before: u32, behind: u32) -> Option<ClosestFeature> {
        let (before, behind) = (self.in_order(before), self.in_order(behind));
        let next = (behind << 1) | (behind >> (self.vertex_count.wrapping_sub(1) % 32));
        first_bit(before & next).map(ClosestFeature::Vertex)
    }

    /// Converts lanes to edge numbers. The last edge is the last lane.
    #[inline(always)]
    fn in_order(&self, lanes: u32) -> u32 {
        if self.vertex_count == 0 {
            return 0;
        }
        let last = self.vertex_count - 1;
        (lanes & ((1 << last) - 1)) | (lanes >> (EDGES - 1)) << last
    }
}
