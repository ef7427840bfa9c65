//! Clips edges with SIMD: contact points between a reference edge and an incident edge, one pair
//! per lane.
//!
//! Input: the reference edge and the deepest incident vertex of each pair. Output: normal, depth
//! and up to two contact points with feature ids. The algorithm is that of `query/clip.rs`, without
//! its rare cases, which go to the fallback set. Sources: C. Ericson, *Real-Time Collision
//! Detection*, 2005, 5.3.3; E. Catto, *Contact manifolds*, 2007 (feature ids).
//!
//! ```text
//! incident edge = the edge at the incident vertex whose normal faces the reference edge most
//! clip the incident edge to the side planes of the reference edge
//! first point: the deepest end; its depth is the depth of the manifold
//! second point: the other end, if its depth >= 0 and it is at another position
//! normal and points are given for the reference shape; exchange them if that is shape b
//! ```
//!
//! The scalar version has a branch for each case: end cut or not, one point or two, reference shape
//! a or b. Lanes cannot branch, so both values are computed and selected by masks. Vertices are
//! gathered to columns first, because lanes load from consecutive addresses only.

use super::contact_columns::NUMBERS;
use super::contact_writer::{BlockWriter, LaneMasks, LaneRows};
use super::simd_columns::{
    CodeColumn, Codes, F64Column, Lanes, Poses, ROWS, Vec2Column, Vectors, dot, load, mul_add, rounding, select, sub,
};
use super::small_polygon::SmallPolygon;
use crate::math::simd::{Simd, mask64s};
use crate::query::pair::ErrorBounds;

/// The input of the clip, one pair per lane: the reference shape and its edge, and the incident
/// shape and its vertex.
pub(super) struct ClipLanes<S: Simd> {
    /// Pose of the reference shape.
    pub(super) own: Poses<S>,
    /// Pose of the incident shape.
    pub(super) other: Poses<S>,
    /// The ends of the reference edge, and its outward normal.
    pub(super) ends: [Vectors<S>; 2],
    pub(super) normal: Vectors<S>,
    /// The incident vertex.
    pub(super) vertex: Vectors<S>,
    /// The vertices before and after the incident vertex.
    pub(super) neighbors: [Vectors<S>; 2],
    /// The normals of the edges before and after the incident vertex.
    pub(super) sides: [Vectors<S>; 2],
    /// The rounding radius of the reference shape.
    pub(super) radius_own: Lanes<S>,
    /// The rounding radius of the incident shape.
    pub(super) radius_other: Lanes<S>,
    /// The incident shape's pose in the reference shape's frame.
    pub(super) relative: Poses<S>,
    /// Error bounds of the computed separations and positions.
    pub(super) rounding: ErrorBounds<Lanes<S>>,
    /// 1 if the reference shape is the first of the pair, −1 if it is the second.
    pub(super) sign: Lanes<S>,
    /// The feature codes of the edges and vertices above.
    pub(super) codes: FeatureCodes<S>,
}

/// The feature codes of the pair in each lane.
#[derive(Clone, Copy)]
pub(super) struct FeatureCodes<S: Simd> {
    /// The reference edge, and its ends.
    pub(super) edge: Codes<S>,
    pub(super) ends: [Codes<S>; 2],
    /// The incident vertex, its neighbours, and the edges before and after it.
    pub(super) vertex: Codes<S>,
    pub(super) neighbors: [Codes<S>; 2],
    pub(super) sides: [Codes<S>; 2],
}

/// Pairs with known features: an edge of shape number `of` and a vertex of the other shape.
pub(super) struct ClipInput {
    /// Translation and rotation of the reference shape.
    own: [Vec2Column; 2],
    /// Translation and rotation of the incident shape.
    other: [Vec2Column; 2],
    /// Ends and normal of the reference edge; the incident vertex and its two neighbours; the
    /// normals of the edges before and after it; both radii.
    vectors: [Vec2Column; 9],
    /// The sum of the bounding radii, and the sign.
    numbers: [F64Column; 2],
    /// In the order of [`FeatureCodes`].
    ids: [CodeColumn; 8],
    /// The row of each pair in its block.
    rows: [u32; ROWS],
    /// Number of pairs, 0 to [`ROWS`].
    count: usize,
}

/// The reference edge and the incident vertex of a pair.
#[derive(Clone, Copy)]
pub(super) struct ReferenceEdgeLanes {
    /// The row of the pair in its block.
    pub(super) row: u32,
    /// The reference shape: 0 or 1.
    pub(super) of: usize,
    /// The index of the reference edge.
    pub(super) edge: usize,
    /// The index of the incident vertex in the other shape.
    pub(super) vertex: usize,
}

/// The contacts of one SIMD vector of pairs.
pub(super) struct ClipOutput<S: Simd> {
    /// The lanes that overlap, and the lanes that need the scalar fallback.
    pub(super) masks: LaneMasks,
    /// The lanes with two points.
    is_two: mask64s<S>,
    /// The columns of [`ContactColumns`](super::contact_columns::ContactColumns), one pair per
    /// lane.
    numbers: [Lanes<S>; NUMBERS],
    /// The feature codes of the first point on a and b, then of the second point on a and b.
    ids: [Codes<S>; 4],
}

impl ClipInput {
    /// No pairs.
    pub(super) const EMPTY: Self = Self {
        own: [Vec2Column::ZERO; 2],
        other: [Vec2Column::ZERO; 2],
        vectors: [Vec2Column::ZERO; 9],
        numbers: [F64Column::ZERO; 2],
        ids: [CodeColumn::ZERO; 8],
        rows: [0; ROWS],
        count: 0,
    };

    /// Removes all pairs.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a pair: its features, the poses of the reference shape and the incident shape, and both
    /// polygons. `at` is the row of the poses.
    #[inline(always)]
    pub(super) fn gather(
        &mut self,
        features: ReferenceEdgeLanes,
        poses: [&[Vec2Column; 2]; 2],
        at: usize,
        [own, other]: [&SmallPolygon; 2],
    ) {
        let i = self.count % ROWS;
        self.count += 1;
        let ReferenceEdgeLanes { row, of, edge, vertex } = features;
        self.rows[i] = row;
        for (columns, poses) in [&mut self.own, &mut self.other].into_iter().zip(poses) {
            columns[0].set(i, poses[0].get(at));
            columns[1].set(i, poses[1].get(at));
        }
        let (edge, end) = (edge % 8, own.next(edge));
        let (vertex, previous, next) = (vertex % 8, other.previous(vertex), other.next(vertex));
        let vectors = [
            own.vertex(edge),
            own.vertex(end),
            own.normal(edge),
            other.vertex(vertex),
            other.vertex(previous),
            other.vertex(next),
            other.normal(previous),
            other.normal(vertex),
            [own.size.radius, other.size.radius],
        ];
        for (column, vector) in self.vectors.iter_mut().zip(vectors) {
            column.set(i, vector);
        }
        self.numbers[0][i] = own.size.bounding_radius + other.size.bounding_radius;
        self.numbers[1][i] = [1.0, -1.0][of];
        let ids = [
            own.ids.edges[edge],
            own.ids.vertices[edge],
            own.ids.vertices[end],
            other.ids.vertices[vertex],
            other.ids.vertices[previous],
            other.ids.vertices[next],
            other.ids.edges[previous],
            other.ids.edges[vertex],
        ];
        for (column, id) in self.ids.iter_mut().zip(ids) {
            column.set(i, id);
        }
    }

    /// Computes the contacts of all added pairs.
    #[inline(always)]
    pub(super) fn clip<S: Simd>(&self, simd: S, sink: &mut BlockWriter<'_>) {
        let count = self.count.min(ROWS);
        for from in (0..count).step_by(Lanes::<S>::LEN) {
            let [start, end, normal, incident, previous, next, before, behind, radii] = &self.vectors;
            let [edge, first, second, vertex, vertex_before, vertex_behind, edge_before, edge_behind] = &self.ids;
            let [radius_own, radius_other] = radii.load(simd, from);
            // Load features and vectors, one pair per lane.
            let codes = FeatureCodes {
                edge: edge.edges(simd, from),
                ends: [first.vertices(simd, from), second.vertices(simd, from)],
                vertex: vertex.vertices(simd, from),
                neighbors: [vertex_before.vertices(simd, from), vertex_behind.vertices(simd, from)],
                sides: [edge_before.edges(simd, from), edge_behind.edges(simd, from)],
            };
            let (own, other) = (Poses::of(simd, &self.own, from), Poses::of(simd, &self.other, from));
            let relative = own.relative_to(&other);
            let sizes = load(simd, &self.numbers[0], from) + (radius_own + radius_other);
            let input = ClipLanes {
                own,
                other,
                ends: [start.load(simd, from), end.load(simd, from)],
                normal: normal.load(simd, from),
                vertex: incident.load(simd, from),
                neighbors: [previous.load(simd, from), next.load(simd, from)],
                sides: [before.load(simd, from), behind.load(simd, from)],
                radius_own,
                radius_other,
                relative: Poses { translation: relative.b_in_a, cos: relative.cos, sin: relative.sin },
                rounding: rounding::<S>(sizes, relative.apart, own.translation, other.translation),
                sign: load(simd, &self.numbers[1], from),
                codes,
            };
            input.clip(simd).push_to(simd, LaneRows { rows: &self.rows[..count], from }, sink);
        }
        sink.end_rows(simd, &self.rows[..count]);
    }
}

impl<S: Simd> ClipOutput<S> {
    /// Appends the contacts to the output.
    #[inline(always)]
    pub(super) fn push_to(&self, simd: S, at: LaneRows<'_>, sink: &mut BlockWriter<'_>) {
        sink.push_two(simd, at, &self.masks, self.is_two, &self.numbers, self.ids);
    }
}

impl<S: Simd> ClipLanes<S> {
    /// Computes the contacts of the pairs in the lanes.
    #[inline(always)]
    pub(super) fn clip(&self, simd: S) -> ClipOutput<S> {
        let Self { own, other, ends, radius_own, radius_other, rounding, sign, .. } = *self;
        let ([nx, ny], [cx, cy]) = (self.normal, self.vertex);
        let zero = Lanes::splat(simd, 0.0);
        let radius = radius_own + radius_other;
        let (error_bound, equal_length, projection_tolerance) =
            (rounding.separation(), rounding.length(), rounding.position());
        let tolerance = projection_tolerance * 3.0;

        // Projects the incident vertex onto the reference edge, in the reference shape's frame.
        let [point_x, point_y] = self.relative.apply([cx, cy]);
        let edge_tangent = [-ny, nx];
        let before_edge = -dot::<S>(edge_tangent, [point_x - ends[0][0], point_y - ends[0][1]]);
        let behind_edge = dot::<S>(edge_tangent, [point_x - ends[1][0], point_y - ends[1][1]]);
        let is_on = before_edge.max(behind_edge).simd_le(projection_tolerance);

        // The reference edge in world coordinates.
        let normal = own.rotate([nx, ny]);
        let tangent = [-normal[1], normal[0]];
        let start = own.apply(ends[0]);
        let length = dot::<S>(tangent, sub::<S>(own.apply(ends[1]), start)).max(zero);

        // Selects the incident edge: of the two edges at the incident vertex, the one that faces
        // the reference edge more.
        let facing = other.unrotate(normal);
        let is_before = dot::<S>(self.sides[0], facing).simd_lt(dot::<S>(self.sides[1], facing));
        let end = select::<S>(is_before, self.neighbors[0], self.neighbors[1]);
        let (p, q) = (sub::<S>(other.apply([cx, cy]), start), sub::<S>(other.apply(end), start));
        // Coordinates of both ends along the reference edge and in front of it.
        let (p_along, q_along) = (dot::<S>(tangent, p), dot::<S>(tangent, q));
        let (p_front, q_front) = (dot::<S>(normal, p), dot::<S>(normal, q));
        let is_over = p_along.max(q_along).simd_ge(-tolerance) & p_along.min(q_along).simd_le(length + tolerance);
        // The depth of the incident vertex is the depth of the manifold.
        let depth = radius - p_front;

        // The effect of the incident shape's radius on the second point, as in the scalar clip.
        let side = select::<S>(is_before, self.sides[0], self.sides[1]);
        let effect = if radius_other.simd_gt(zero).to_bitmask() == 0 {
            RoundingEffectLanes { along: zero, tilt: zero, back: [zero; 2] }
        } else {
            self.rounding_effect(normal, tangent, side)
        };
        let [p_side, q_side] = [p_along + effect.along, q_along + effect.along];
        let is_side_over = p_side.max(q_side).simd_ge(-tolerance) & p_side.min(q_side).simd_le(length + tolerance);

        // Clip both ends to the reference edge.
        let p_cut = Cut::new(simd, p_along, q_along, length, tolerance);
        let q_cut = Cut::new(simd, q_side, p_side, length, tolerance);
        let p_clipped = mul_add::<S>(p, sub::<S>(q, p), p_cut.part);
        let q_clipped = mul_add::<S>(q, sub::<S>(p, q), q_cut.part);
        let shallow = radius - (q_front + (p_front - q_front) * q_cut.part + effect.tilt);
        // The second point counts if it is elsewhere, not above the surface, and over the edge.
        let is_two = (p_cut.along - q_cut.along).abs().simd_gt(equal_length) & shallow.simd_ge(zero) & is_side_over;
        let other_depth = is_two.select(shallow.simd_lt(depth).select(shallow, depth), depth);
        let other_along = is_two.select(q_cut.along, p_cut.along);
        let other_clipped = select::<S>(is_two, q_clipped, p_clipped);

        // Points on the surfaces of both shapes.
        let own_first = mul_add::<S>(mul_add::<S>(start, tangent, p_cut.along), normal, radius_own);
        let own_second = mul_add::<S>(mul_add::<S>(start, tangent, other_along), normal, radius_own);
        let back = [normal[0] * radius_other, normal[1] * radius_other];
        let other_first = [start[0] + p_clipped[0] - back[0], start[1] + p_clipped[1] - back[1]];
        let second_back = select::<S>(is_two & radius_other.simd_gt(zero), effect.back, back);
        let other_second = [start[0] + other_clipped[0] - second_back[0], start[1] + other_clipped[1] - second_back[1]];
        // Exchange the shapes if the reference shape is the second of the pair.
        let is_swapped = sign.simd_lt(zero);
        let [ax, ay] = select::<S>(is_swapped, other_first, own_first);
        let [bx, by] = select::<S>(is_swapped, own_first, other_first);
        let [au, av] = select::<S>(is_swapped, other_second, own_second);
        let [bu, bv] = select::<S>(is_swapped, own_second, other_second);
        let numbers = [normal[0] * sign, normal[1] * sign, depth, ax, ay, bx, by, depth, au, av, bu, bv, other_depth];
        // Rare cases: the vertex is not over the edge, or the depth is near 0.
        let needs_fallback = !(is_on & is_over) | depth.abs().simd_le(error_bound);
        let masks = LaneMasks { hit: depth.simd_gt(zero).to_bitmask(), fallback: needs_fallback.to_bitmask() };
        let FeatureCodes { vertex, neighbors, sides, .. } = self.codes;
        // Feature ids: an end that is cut off is identified by edges, else by its vertex.
        let edge = is_before.select(sides[0], sides[1]);
        let [own_p, other_p] = self.codes.at_end(simd, &p_cut, p_along, [vertex, edge]);
        let [own_q, other_q] =
            self.codes.at_end(simd, &q_cut, q_side, [is_before.select(neighbors[0], neighbors[1]), edge]);
        let ids = [
            is_swapped.select(other_p, own_p),
            is_swapped.select(own_p, other_p),
            is_swapped.select(other_q, own_q),
            is_swapped.select(own_q, other_q),
        ];
        ClipOutput { masks, is_two, numbers, ids }
    }
}

/// Effect of the radii of the incident shapes on the second contact points.
struct RoundingEffectLanes<S: Simd> {
    /// Displacement of the side along the reference edge.
    along: Lanes<S>,
    /// Loss of depth against the full radius.
    tilt: Lanes<S>,
    /// Vector from the side back to the edge.
    back: Vectors<S>,
}

impl<S: Simd> ClipLanes<S> {
    /// Computes the effect of the incident radius; zero if the incident shape is not rounded.
    ///
    /// `normal` and `tangent` belong to the reference edge. `side` is the incident edge's normal in
    /// its own frame.
    #[inline(always)]
    fn rounding_effect(&self, normal: Vectors<S>, tangent: Vectors<S>, side: Vectors<S>) -> RoundingEffectLanes<S> {
        let [x, y] = self.other.rotate(side);
        let out = [x * self.radius_other, y * self.radius_other];
        RoundingEffectLanes {
            along: dot::<S>(tangent, out),
            tilt: dot::<S>(normal, out) + self.radius_other,
            back: [-out[0], -out[1]],
        }
    }
}

impl<S: Simd> FeatureCodes<S> {
    /// Returns the feature codes of an end of the clipped incident edge: that of the reference
    /// shape and that of the incident shape.
    #[inline(always)]
    fn at_end(&self, simd: S, cut: &Cut<S>, x: Lanes<S>, [vertex, side]: [Codes<S>; 2]) -> [Codes<S>; 2] {
        let nearer = x.simd_ge(Lanes::splat(simd, 0.0)).select(self.ends[1], self.ends[0]);
        [cut.beyond.select(nearer, self.edge), cut.beyond.select(side, vertex)]
    }
}

/// One end of the incident edges, clipped to the reference edges.
struct Cut<S: Simd> {
    /// The lanes in which this end is cut off.
    beyond: mask64s<S>,
    /// Position along the reference edge.
    along: Lanes<S>,
    /// The fraction of the incident edge cut off at this end.
    part: Lanes<S>,
}

impl<S: Simd> Cut<S> {
    /// Clips position `x` to `0..=length`. `other` is the position of the other end.
    #[inline(always)]
    fn new(simd: S, x: Lanes<S>, other: Lanes<S>, length: Lanes<S>, tolerance: Lanes<S>) -> Self {
        let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
        let along = x.simd_lt(zero).select(zero, x);
        let along = along.simd_gt(length).select(length, along);
        // Less than the tolerance is not a cut.
        let is_cut = (x - along).abs().simd_gt(tolerance);
        // NaN (0 / 0) becomes 0. If nothing is cut, the fraction is 0.
        let part = (along - x) / (other - x);
        let part = part.simd_gt(zero).select(part, zero);
        let part = part.simd_lt(one).select(part, one);
        Self { beyond: is_cut, along, part: is_cut.select(part, zero) }
    }
}
