//! Contacts of an edge with what of another shape's edge lies over it, a pair a lane: [`clip`](crate::query) without its rare cases.

use core::hint::select_unpredictable;

use super::Batch;
use super::columns::{Column, Lanes, Poses, ROWS, along, dot, gather_pose, load_all, minus, rounding, store};
use super::outline::Outline;
use super::pool::Names;
use crate::math::lanes::Simd;
use crate::math::lanes::prelude::*;
use crate::query::{ContactId, ContactPoint, Feature, Manifold};

/// Columns of what is known of a pair before, and after.
const GIVEN: usize = 27;
const FOUND: usize = 12;

/// The deciding features of a pair: an edge of shape number `of` and a corner of the other.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) row: u16,
    pub(super) of: u8,
    pub(super) edge: u8,
    pub(super) corner: u8,
    /// The corner where the edge ends, and the neighbors of the deciding one.
    edge_end: u8,
    previous: u8,
    next: u8,
}

impl Place {
    #[inline(always)]
    pub(super) fn new(row: u16, of: usize, edge: usize, corner: usize) -> Self {
        Self { row, of: of as u8, edge: edge as u8, corner: corner as u8, ..Self::default() }
    }
}

/// The contacts of some pairs.
pub(super) struct Faces {
    given: [Column; GIVEN],
    found: [Column; FOUND],
    places: [Place; ROWS],
    count: usize,
    bits: Bits,
}

/// A bit for each pair.
#[derive(Default)]
struct Bits {
    /// They meet.
    meets: u64,
    /// A rare case: ask by itself.
    rare: u64,
    /// There are two points.
    two: u64,
    /// The edge before the deciding corner faces the reference edge, not the one behind.
    before: u64,
    /// Is the end of the incident edge, the deciding corner first, cut, and where: beyond the second end of the reference edge or the first?
    cut: [u64; 2],
    beyond_second: [u64; 2],
}

impl Faces {
    pub(super) const EMPTY: Self = Self {
        given: [[0.0; ROWS]; GIVEN],
        found: [[0.0; ROWS]; FOUND],
        places: [Place { row: 0, of: 0, edge: 0, corner: 0, edge_end: 0, previous: 0, next: 0 }; ROWS],
        count: 0,
        bits: Bits { meets: 0, rare: 0, two: 0, before: 0, cut: [0; 2], beyond_second: [0; 2] },
    };

    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.bits = Bits::default();
    }

    /// Takes in a pair: the reference shape's place and outline, and the incident shape's.
    #[inline(always)]
    pub(super) fn gather<O: Outline>(&mut self, batch: &Batch, place: Place, pair: [u32; 2], reference: &O, incident: &O) {
        let i = self.count % ROWS;
        self.count += 1;
        let (edge, corner, of) = (usize::from(place.edge), usize::from(place.corner), usize::from(place.of));
        gather_pose(batch, pair[of], &mut self.given[..4], i);
        gather_pose(batch, pair[1 - of], &mut self.given[4..8], i);
        let (edge_end, previous, next) = (reference.next(edge), incident.previous(corner), incident.next(corner));
        self.places[i] = Place { edge_end: edge_end as u8, previous: previous as u8, next: next as u8, ..place };
        let vectors = [
            reference.corner(edge),
            reference.corner(edge_end),
            reference.normal(edge),
            incident.corner(corner),
            incident.corner(previous),
            incident.corner(next),
            incident.normal(previous),
            incident.normal(corner),
        ];
        for (k, [x, y]) in vectors.into_iter().enumerate() {
            (self.given[8 + 2 * k][i], self.given[9 + 2 * k][i]) = (x, y);
        }
        (self.given[24][i], self.given[25][i]) = (reference.radius(), incident.radius());
        self.given[26][i] = reference.reach() + incident.reach();
    }

    /// Works out all contacts.
    #[inline(always)]
    pub(super) fn clip<S: Simd>(&mut self, simd: S) {
        for from in (0..self.count).step_by(Lanes::<S>::LEN) {
            self.clip_lanes(simd, from);
        }
    }

    #[inline(always)]
    fn clip_lanes<S: Simd>(&mut self, simd: S, from: usize) {
        let (own, other) = (Poses::load(simd, &self.given[..4], from), Poses::load(simd, &self.given[4..8], from));
        let [sx, sy, ex, ey, nx, ny, cx, cy] = load_all(simd, &self.given, 8, from);
        let [px, py, qx, qy, mx, my, kx, ky] = load_all(simd, &self.given, 16, from);
        let [radius_own, radius_other, reach] = load_all(simd, &self.given, 24, from);
        let zero = Lanes::<S>::splat(simd, 0.0);
        let relative = own.to(&other);
        let radius = radius_own + radius_other;
        let rounding = rounding::<S>(reach + radius, relative.apart, own.translation, other.translation);
        let (doubt, ties, foot_slack) = (rounding.doubt(), rounding.ties(), rounding.slack());
        let slack = foot_slack * 3.0;

        // The foot of the corner, in the frame of the edge.
        let point_x = relative.cos * cx - relative.sin * cy + relative.b_in_a[0];
        let point_y = relative.sin * cx + relative.cos * cy + relative.b_in_a[1];
        let edge_tangent = [-ny, nx];
        let before_edge = -dot::<S>(edge_tangent, [point_x - sx, point_y - sy]);
        let behind_edge = dot::<S>(edge_tangent, [point_x - ex, point_y - ey]);
        let is_on = before_edge.max(behind_edge).simd_le(foot_slack);

        let normal = own.rotate([nx, ny]);
        let tangent = [-normal[1], normal[0]];
        let start = own.apply([sx, sy]);
        let length = dot::<S>(tangent, minus::<S>(own.apply([ex, ey]), start)).max(zero);

        // Which of the two edges at the corner faces the reference edge more, and its other end.
        let facing = other.unrotate(normal);
        let is_before = dot::<S>([mx, my], facing).simd_lt(dot::<S>([kx, ky], facing));
        let end = [is_before.select(px, qx), is_before.select(py, qy)];
        let (p, q) = (minus::<S>(other.apply([cx, cy]), start), minus::<S>(other.apply(end), start));
        let (p_along, q_along) = (dot::<S>(tangent, p), dot::<S>(tangent, q));
        let (p_front, q_front) = (dot::<S>(normal, p), dot::<S>(normal, q));
        let is_over = p_along.max(q_along).simd_ge(-slack) & p_along.min(q_along).simd_le(length + slack);
        let depth = radius - p_front;

        let p_cut = Cut::new(simd, p_along, q_along, length, slack);
        let q_cut = Cut::new(simd, q_along, p_along, length, slack);
        let p_place = along::<S>(p, minus::<S>(q, p), p_cut.part);
        let q_place = along::<S>(q, minus::<S>(p, q), q_cut.part);
        let shallow = radius - (q_front + (p_front - q_front) * q_cut.part);
        let is_two = (p_cut.along - q_cut.along).abs().simd_gt(ties) & shallow.simd_ge(zero);
        let other_depth = is_two.select(shallow.simd_lt(depth).select(shallow, depth), depth);
        let other_along = is_two.select(q_cut.along, p_cut.along);
        let other_place = [is_two.select(q_place[0], p_place[0]), is_two.select(q_place[1], p_place[1])];

        let [own_x, own_y] = along::<S>(along::<S>(start, tangent, p_cut.along), normal, radius_own);
        let [own_u, own_v] = along::<S>(along::<S>(start, tangent, other_along), normal, radius_own);
        let (back_x, back_y) = (normal[0] * radius_other, normal[1] * radius_other);
        let (other_x, other_y) = (start[0] + p_place[0] - back_x, start[1] + p_place[1] - back_y);
        let (other_u, other_v) = (start[0] + other_place[0] - back_x, start[1] + other_place[1] - back_y);
        let found = [normal[0], normal[1], depth, other_depth, own_x, own_y, other_x, other_y, own_u, own_v, other_u, other_v];
        for (column, lanes) in self.found.iter_mut().zip(found) {
            store::<S>(lanes, column, from);
        }
        let bits = &mut self.bits;
        let is_rare = !(is_on & is_over) | depth.abs().simd_le(doubt);
        bits.meets |= depth.simd_gt(zero).to_bitmask() << from;
        bits.rare |= is_rare.to_bitmask() << from;
        bits.two |= is_two.to_bitmask() << from;
        bits.before |= is_before.to_bitmask() << from;
        for (i, (cut, x)) in [(p_cut.is_cut, p_along), (q_cut.is_cut, q_along)].into_iter().enumerate() {
            bits.cut[i] |= cut.to_bitmask() << from;
            bits.beyond_second[i] |= x.simd_ge(zero).to_bitmask() << from;
        }
    }

    /// Of the pairs in order those that meet, each with its manifold, and the rare cases, with none.
    #[inline(always)]
    pub(super) fn each<'n>(&self, names: impl Fn(&Place) -> [&'n Names; 2], mut put: impl FnMut(u16, Option<Manifold>)) {
        let (mut due, mut count) = ([0_u8; ROWS], 0);
        for i in 0..self.count.min(ROWS) {
            due[count % ROWS] = i as u8;
            count += ((self.bits.meets | self.bits.rare) >> i & 1) as usize;
        }
        for &i in &due[..count] {
            let place = &self.places[usize::from(i) % ROWS];
            let found = (self.bits.rare >> i & 1 == 0).then(|| self.manifold(usize::from(i) % ROWS, place, names(place)));
            put(place.row, found);
        }
    }

    #[inline(always)]
    fn manifold(&self, i: usize, place: &Place, names: [&Names; 2]) -> Manifold {
        let bit = |bits: u64| (bits >> i & 1) as usize;
        let number = |k: usize| self.found[k][i];
        let of = usize::from(place.of);
        let two = bit(self.bits.two);
        let point = |k: usize, depth: f64, from: usize| {
            let surfaces = [[number(from), number(from + 1)], [number(from + 2), number(from + 3)]];
            let features = self.features(i, k, place, names);
            ContactPoint {
                on_a: surfaces[of].into(),
                on_b: surfaces[1 - of].into(),
                depth,
                id: ContactId { a: features[of], b: features[1 - of] },
            }
        };
        let sign = [1.0, -1.0][of];
        let normal = glam::DVec2::new(number(0) * sign, number(1) * sign);
        let points = [point(0, number(2), 4), point(two, number(3), 8)];
        Manifold::of(normal, number(2), points, 1 + two as u8)
    }

    /// What makes end number `k` of the incident edge, of the reference and of the incident shape.
    #[inline(always)]
    fn features(&self, i: usize, k: usize, place: &Place, [own, other]: [&Names; 2]) -> [Feature; 2] {
        let bit = |bits: u64| bits >> i & 1 != 0;
        let (is_cut, is_before) = (bit(self.bits.cut[k]), bit(self.bits.before));
        let [first, second] = [place.edge, place.edge_end].map(|corner| own.vertices[usize::from(corner) % 8]);
        let [corner, previous, next] = [place.corner, place.previous, place.next].map(|corner| usize::from(corner) % 8);
        let end = [corner, select_unpredictable(is_before, previous, next)][k];
        let edge = select_unpredictable(is_before, previous, corner);
        let cutting = Feature::Vertex(select_unpredictable(bit(self.bits.beyond_second[k]), second, first));
        [
            select_unpredictable(is_cut, cutting, Feature::Edge(own.edges[usize::from(place.edge) % 8])),
            select_unpredictable(is_cut, Feature::Edge(other.edges[edge]), Feature::Vertex(other.vertices[end])),
        ]
    }
}

/// Ends of incident edges over reference edges.
struct Cut<S: Simd> {
    is_cut: S::mask64s,
    /// How far along the reference edge.
    along: Lanes<S>,
    /// How much of the incident edge is missing at this end.
    part: Lanes<S>,
}

impl<S: Simd> Cut<S> {
    #[inline(always)]
    fn new(simd: S, x: Lanes<S>, other: Lanes<S>, length: Lanes<S>, slack: Lanes<S>) -> Self {
        let (zero, one) = (Lanes::<S>::splat(simd, 0.0), Lanes::<S>::splat(simd, 1.0));
        let along = x.simd_lt(zero).select(zero, x);
        let along = along.simd_gt(length).select(length, along);
        let is_cut = (x - along).abs().simd_gt(slack);
        // 0 / 0 is no more than 0, and where nothing is cut nothing is missing.
        let part = (along - x) / (other - x);
        let part = part.simd_gt(zero).select(part, zero);
        let part = part.simd_lt(one).select(part, one);
        Self { is_cut, along, part: is_cut.select(part, zero) }
    }
}
