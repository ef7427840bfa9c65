//! Finds the edge or vertex of a polygon with up to eight hull vertices that is closest to a
//! circle.
//!
//! Input: pairs of a polygon and a circle. Output: the closest feature and the contact. Lanes are
//! edges first, to find the deciding edge, and then pairs. Source: C. Ericson, *Real-Time Collision
//! Detection*, 2005, 5.1.2 and 5.2.1.
//!
//! The simple version computes the distance from the centre to each edge, with a clamp and a square
//! root each:
//!
//! ```text
//! for each edge: closest point on it; keep the nearest
//! ```
//!
//! One separation per edge, without clamp and root, suffices to choose the edge:
//!
//! ```text
//! edge = the edge with the greatest separation from the circle's centre
//! if the centre projects onto the edge: the edge is the closest feature
//! else: the end of the edge on that side is the closest feature
//! ```
//!
//! That end is closest because the centre lies on this edge's side of the bisector of the two
//! normals. From there, the distance to the centre grows along both edges away from the vertex.
//!
//! A pair goes to the fallback set in two cases. Either another edge is as good up to rounding, or
//! the projection is within rounding of the end of the edge.

use super::kind_buckets::Bucket;
use super::pair_columns::PairColumns;
use super::sat::{at_least, best, point_separations};
use super::simd_columns::{
    CodeColumn, Codes, CompactedRows, F64Column, Lanes, Poses, Vec2Column, Vectors, dot, load, load_all, mul_add,
    rounding, select, store, sub,
};
use super::small_polygons::SmallPolygons;
use crate::math::simd::{Simd, mask64s};

/// Number of columns computed per pair.
const COMPUTED: usize = 6;

/// The deciding edges of pairs of a polygon and a circle, one pair per row.
pub(super) struct CirclePolygon {
    /// Computed columns:
    ///
    /// - the centre in the polygon's frame (x, y)
    /// - the position and separation errors of [`ErrorBounds`](crate::query::pair::ErrorBounds)
    /// - the sum of the radii plus the separation error
    /// - three times the position error
    computed: [F64Column; COMPUTED],
    /// Start, end and normal of the deciding edge.
    edge: [Vec2Column; 3],
    /// Feature ids of the deciding edge and of its ends.
    ids: [CodeColumn; 3],
    /// Bit mask of the pairs whose deciding edge is better than all others by more than the
    /// tolerance.
    is_unique: u64,
}

/// The position of the circle's centre relative to the deciding edge, one pair per lane.
pub(super) struct ClosestEdge<S: Simd> {
    /// Feature codes of the edge and of both its ends.
    codes: [Codes<S>; 3],
    /// The polygon's pose.
    pose: Poses<S>,
    /// The circle's centre in world coordinates.
    center: Vectors<S>,
    /// The rounding radius of the polygon, and the radius of the circle.
    radii: [Lanes<S>; 2],
    /// Error bound of the computed distance.
    pub(super) error_bound: Lanes<S>,
    /// The ends of the edge and its outward normal, in the polygon's frame.
    ends: [Vectors<S>; 2],
    normal: Vectors<S>,
    /// The centre in the polygon's frame.
    point: Vectors<S>,
    /// Mask of the lanes whose closest feature is the edge, not a vertex.
    is_on: mask64s<S>,
    /// If the closest feature is a vertex: mask of the lanes in which it is the edge's start.
    is_before: mask64s<S>,
    /// Mask of the lanes that need the scalar fallback.
    pub(super) needs_fallback: mask64s<S>,
}

impl CirclePolygon {
    /// All columns zero: the state before the first pair.
    pub(super) const EMPTY: Self = Self {
        computed: [F64Column::ZERO; COMPUTED],
        edge: [Vec2Column::ZERO; 3],
        ids: [CodeColumn::ZERO; 3],
        is_unique: 0,
    };

    /// Finds the deciding edges of pairs whose shape number `of` is the polygon. Returns a bit mask
    /// of the rows whose shapes are not apart along them.
    #[inline(always)]
    pub(super) fn find_edges<S: Simd>(
        &mut self,
        simd: S,
        columns: &PairColumns,
        polygons: &SmallPolygons,
        group: Bucket<'_>,
        of: usize,
    ) -> u64 {
        let rows = group.rows.len();
        let mut candidates = 0;
        for from in (0..rows).step_by(Lanes::<S>::LEN) {
            let (pose, center) = (Poses::of(simd, &columns.poses[0], from), columns.poses[1][0].load(simd, from));
            let [radius_own, bounding_radius] = columns.radius_pairs[0].load(simd, from);
            let (apart, radius) =
                (sub::<S>(center, pose.translation), radius_own + load(simd, &columns.radii[0], from));
            let rounding = rounding::<S>(bounding_radius + radius, apart, pose.translation, center);
            candidates |= (apart[0].abs().max(apart[1].abs()) - bounding_radius)
                .simd_le(radius + rounding.separation())
                .to_bitmask()
                << from;
            // Store the columns that later steps need.
            let [px, py] = pose.unrotate(apart);
            let (position_error, error_bound) = (rounding.position(), rounding.separation());
            for (column, lanes) in self.computed.iter_mut().zip([
                px,
                py,
                position_error,
                error_bound,
                radius + error_bound,
                position_error * 3.0,
            ]) {
                store::<S>(lanes, column, from);
            }
        }
        self.is_unique = 0;
        let mut remaining = 0;
        for i in CompactedRows::of(candidates, rows).rows() {
            let polygon = &polygons.all[group.indices(i)[of]];
            let [x, y, limit, tolerance] =
                [self.computed[0][i], self.computed[1][i], self.computed[4][i], self.computed[5][i]];
            let separations = point_separations(simd, &polygon.soa, [x, y]);
            // The deciding edge, one edge per lane.
            let (separation, edge) = best(simd, &separations);
            remaining |= u64::from(separation <= limit) << i;
            // Unused lanes are copies of the first edge, so they are masked out.
            let equal_edges = at_least(simd, &separations, separation - tolerance) & ((1 << polygon.count) - 1);
            self.is_unique |= u64::from(equal_edges & equal_edges.wrapping_sub(1) == 0) << i;
            let end = polygon.next(edge);
            for (column, vector) in
                self.edge.iter_mut().zip([polygon.vertex(edge), polygon.vertex(end), polygon.normal(edge)])
            {
                column.set(i, vector);
            }
            for (column, id) in self.ids.iter_mut().zip([
                polygon.ids.edges[edge],
                polygon.ids.vertices[edge],
                polygon.ids.vertices[end],
            ]) {
                column.set(i, id);
            }
        }
        remaining
    }

    /// Computes the projections of the centres onto the deciding edges, from row `from` on.
    #[inline(always)]
    pub(super) fn closest_edges<S: Simd>(&self, simd: S, columns: &PairColumns, from: usize) -> ClosestEdge<S> {
        let pose = Poses::of(simd, &columns.poses[0], from);
        let [px, py, position_error, error_bound] = load_all(simd, &self.computed, 0, from);
        let [ends @ .., [nx, ny]] =
            [self.edge[0].load(simd, from), self.edge[1].load(simd, from), self.edge[2].load(simd, from)];
        let (point, tangent) = ([px, py], [-ny, nx]);
        // Distances of the projection beyond the start and beyond either end.
        let before = -dot::<S>(tangent, sub::<S>(point, ends[0]));
        let beyond = before.max(dot::<S>(tangent, sub::<S>(point, ends[1])));
        let (is_on, is_before) = (beyond.simd_le(position_error), before.simd_gt(position_error));
        let is_vertex = beyond.simd_gt(position_error * 3.0) & mask64s::from_bitmask(simd, self.is_unique >> from);
        ClosestEdge {
            codes: [self.ids[0].edges(simd, from), self.ids[1].vertices(simd, from), self.ids[2].vertices(simd, from)],
            pose,
            center: columns.poses[1][0].load(simd, from),
            radii: [columns.radius_pairs[0].load(simd, from)[0], load(simd, &columns.radii[0], from)],
            error_bound,
            ends,
            normal: [nx, ny],
            point,
            is_on,
            is_before,
            needs_fallback: !(is_on | is_vertex),
        }
    }
}

impl<S: Simd> ClosestEdge<S> {
    /// Returns the distance of the shapes, negative if they overlap.
    ///
    /// The mask contains the lanes whose centre is too near to a vertex for a squared distance.
    #[inline(always)]
    pub(super) fn distance(&self) -> (Lanes<S>, mask64s<S>) {
        // Distance to the vertex, and separation from the edge.
        let away = sub::<S>(self.point, self.closest_end(self.ends));
        let length = dot::<S>(away, away).sqrt();
        let distance = self.is_on.select(dot::<S>(self.normal, sub::<S>(self.point, self.ends[0])), length);
        (distance - (self.radii[0] + self.radii[1]), !self.is_on & length.simd_le(1e-140))
    }

    /// Returns the code of the polygon's closest feature.
    #[inline(always)]
    pub(super) fn feature(&self) -> Codes<S> {
        let [edge, start, end] = self.codes;
        self.is_on.select(edge, self.is_before.select(start, end))
    }

    /// Returns the closest vertex of the two given ends.
    #[inline(always)]
    fn closest_end(&self, [start, end]: [Vectors<S>; 2]) -> Vectors<S> {
        select::<S>(self.is_before, start, end)
    }

    /// Computes the contact with the arithmetic of the scalar path. Shape number `of` is the
    /// polygon.
    ///
    /// Returns the normal away from the polygon, the depth, and the points on the polygon and on
    /// the circle. The mask contains the lanes whose centre is too near to a vertex for a squared
    /// distance.
    #[inline(always)]
    pub(super) fn contact(&self, simd: S, of: usize) -> ([Lanes<S>; 7], mask64s<S>) {
        let (pose, center, zero) = (&self.pose, self.center, Lanes::splat(simd, 0.0));
        let ends = [pose.apply(self.ends[0]), pose.apply(self.ends[1])];
        let (outward, tangent) = (pose.rotate(self.normal), pose.rotate([-self.normal[1], self.normal[0]]));
        let from_start = sub::<S>(center, ends[0]);
        // Projection onto the edge, clamped to its ends.
        let length = dot::<S>(tangent, sub::<S>(ends[1], ends[0])).max(zero);
        let along = dot::<S>(tangent, from_start);
        let along = along.simd_lt(zero).select(zero, along);
        let along = along.simd_gt(length).select(length, along);

        let vertex = self.closest_end(ends);
        // Subtract in the order of the pair, so that zeros have the same signs as in the scalar
        // path.
        let away = if of == 0 { sub::<S>(center, vertex) } else { sub::<S>(vertex, center) };
        let distance = dot::<S>(away, away).sqrt();
        let direction = [away[0] / distance, away[1] / distance];
        let direction = if of == 0 { direction } else { [-direction[0], -direction[1]] };

        // Select the edge or the vertex, lane by lane.
        let [nx, ny] = select::<S>(self.is_on, outward, direction);
        let [fx, fy] = select::<S>(self.is_on, mul_add::<S>(ends[0], tangent, along), vertex);
        let [own, other] = self.radii;
        let depth = own + other - self.is_on.select(dot::<S>(outward, from_start), distance);
        let numbers = [nx, ny, depth, fx + nx * own, fy + ny * own, center[0] - nx * other, center[1] - ny * other];
        (numbers, !self.is_on & distance.simd_le(1e-140))
    }
}
