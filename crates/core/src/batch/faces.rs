//! Contacts of an edge with what of another shape's edge lies over it, a pair a lane: [`clip`](crate::query) without its rare cases.

use core::hint::select_unpredictable;

use glam::DVec2;

use super::columns::{Column, Due, Lanes, Poses, ROWS, Vectors, along, dot, gather_pose, load_all, minus, pick, rounding, store};
use super::contacts::Sink;
use super::outline::{Names, Polygon};
use super::view::View;
use crate::math::lanes::Simd;
use crate::math::lanes::prelude::*;
use crate::query::{ContactId, ContactPoint, Feature, Manifold};

/// Columns of what is known of a pair before, and after.
const GIVEN: usize = 28;
const FOUND: usize = 12;

/// The deciding features of a pair: an edge of shape number `of` and a corner of the other.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) row: u16,
    pub(super) of: u8,
    pub(super) edge: u8,
    pub(super) corner: u8,
    /// The corner where the edge ends, and the neighbors of the deciding one.
    pub(super) edge_end: u8,
    pub(super) previous: u8,
    pub(super) next: u8,
}

impl Place {
    #[inline(always)]
    pub(super) fn new(row: u16, of: usize, edge: usize, corner: usize) -> Self {
        Self { row, of: of as u8, edge: edge as u8, corner: corner as u8, ..Self::default() }
    }
}

/// What is known of a pair in each lane: the reference shape, its deciding edge, the incident shape, its deciding corner.
pub(super) struct Given<S: Simd> {
    pub(super) own: Poses<S>,
    pub(super) other: Poses<S>,
    /// The ends of the edge, and its outward normal.
    pub(super) ends: [Vectors<S>; 2],
    pub(super) normal: Vectors<S>,
    pub(super) corner: Vectors<S>,
    /// The corners before and behind the deciding one.
    pub(super) neighbors: [Vectors<S>; 2],
    /// The normals of the edges from and to them.
    pub(super) sides: [Vectors<S>; 2],
    pub(super) radius_own: Lanes<S>,
    pub(super) radius_other: Lanes<S>,
    /// The sum of both reaches.
    pub(super) reach: Lanes<S>,
    /// 1 where the reference shape is the first of the pair, −1 where it is the second.
    pub(super) sign: Lanes<S>,
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
        given: [Column::ZERO; GIVEN],
        found: [Column::ZERO; FOUND],
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
    pub(super) fn gather(&mut self, view: View<'_>, place: Place, pair: [u32; 2], reference: &Polygon<'_>, incident: &Polygon<'_>) {
        let i = self.count % ROWS;
        self.count += 1;
        let (edge, corner, of) = (usize::from(place.edge), usize::from(place.corner), usize::from(place.of));
        gather_pose(view, pair[of], &mut self.given[..4], i);
        gather_pose(view, pair[1 - of], &mut self.given[4..8], i);
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
        (self.given[24][i], self.given[25][i]) = (reference.size.radius, incident.size.radius);
        self.given[26][i] = reference.size.reach + incident.size.reach;
        self.given[27][i] = [1.0, -1.0][of];
    }

    /// Works out the contacts of all pairs that were taken in.
    #[inline(always)]
    pub(super) fn clip<S: Simd>(&mut self, simd: S) {
        for from in (0..self.count).step_by(Lanes::<S>::LEN) {
            let [sx, sy, ex, ey, nx, ny, cx, cy] = load_all(simd, &self.given, 8, from);
            let [px, py, qx, qy, mx, my, kx, ky] = load_all(simd, &self.given, 16, from);
            let [radius_own, radius_other, reach, sign] = load_all(simd, &self.given, 24, from);
            let given = Given {
                own: Poses::load(simd, &self.given[..4], from),
                other: Poses::load(simd, &self.given[4..8], from),
                ends: [[sx, sy], [ex, ey]],
                normal: [nx, ny],
                corner: [cx, cy],
                neighbors: [[px, py], [qx, qy]],
                sides: [[mx, my], [kx, ky]],
                radius_own,
                radius_other,
                reach,
                sign,
            };
            self.clip_lanes(simd, &given, from);
        }
    }

    /// The first pairs were given in lanes; those without a bit do not meet.
    #[inline(always)]
    pub(super) fn given(&mut self, count: usize, near: u64) {
        self.count = count;
        self.bits.meets &= near;
        self.bits.rare &= near;
    }

    /// Where a pair that was taken in has its features.
    #[inline(always)]
    pub(super) fn place(&self, i: usize) -> Place {
        self.places[i % ROWS]
    }

    /// Works out as many contacts as there are lanes, from a row on.
    #[inline(always)]
    pub(super) fn clip_lanes<S: Simd>(&mut self, simd: S, given: &Given<S>, from: usize) {
        let Given { own, other, ends, radius_own, radius_other, reach, sign, .. } = *given;
        let ([nx, ny], [cx, cy]) = (given.normal, given.corner);
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
        let before_edge = -dot::<S>(edge_tangent, [point_x - ends[0][0], point_y - ends[0][1]]);
        let behind_edge = dot::<S>(edge_tangent, [point_x - ends[1][0], point_y - ends[1][1]]);
        let is_on = before_edge.max(behind_edge).simd_le(foot_slack);

        let normal = own.rotate([nx, ny]);
        let tangent = [-normal[1], normal[0]];
        let start = own.apply(ends[0]);
        let length = dot::<S>(tangent, minus::<S>(own.apply(ends[1]), start)).max(zero);

        // Which of the two edges at the corner faces the reference edge more, and its other end.
        let facing = other.unrotate(normal);
        let is_before = dot::<S>(given.sides[0], facing).simd_lt(dot::<S>(given.sides[1], facing));
        let end = pick::<S>(is_before, given.neighbors[0], given.neighbors[1]);
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
        let other_place = pick::<S>(is_two, q_place, p_place);

        let own_first = along::<S>(along::<S>(start, tangent, p_cut.along), normal, radius_own);
        let own_second = along::<S>(along::<S>(start, tangent, other_along), normal, radius_own);
        let back = [normal[0] * radius_other, normal[1] * radius_other];
        let other_first = [start[0] + p_place[0] - back[0], start[1] + p_place[1] - back[1]];
        let other_second = [start[0] + other_place[0] - back[0], start[1] + other_place[1] - back[1]];
        let is_swapped = sign.simd_lt(zero);
        let [ax, ay] = pick::<S>(is_swapped, other_first, own_first);
        let [bx, by] = pick::<S>(is_swapped, own_first, other_first);
        let [au, av] = pick::<S>(is_swapped, other_second, own_second);
        let [bu, bv] = pick::<S>(is_swapped, own_second, other_second);
        let found = [normal[0] * sign, normal[1] * sign, depth, other_depth, ax, ay, bx, by, au, av, bu, bv];
        for (column, lanes) in self.found.iter_mut().zip(found) {
            store::<S>(lanes, column, from);
        }
        let bits = &mut self.bits;
        let is_rare = !(is_on & is_over) | depth.abs().simd_le(doubt);
        bits.meets |= depth.simd_gt(zero).to_bitmask() << from;
        bits.rare |= is_rare.to_bitmask() << from;
        bits.two |= is_two.to_bitmask() << from;
        bits.before |= is_before.to_bitmask() << from;
        for (i, (cut, x)) in [(p_cut.beyond, p_along), (q_cut.beyond, q_along)].into_iter().enumerate() {
            bits.cut[i] |= cut.to_bitmask() << from;
            bits.beyond_second[i] |= x.simd_ge(zero).to_bitmask() << from;
        }
    }

    /// Of the pairs in order gives those that meet with their manifolds, and the rare cases without.
    #[inline(always)]
    pub(super) fn each<'n>(&self, sink: &mut Sink<'_>, named: impl Fn(usize) -> (Place, [&'n Names; 2])) {
        let due = Due::of(self.bits.meets | self.bits.rare, self.count);
        for i in due.rows() {
            let (place, names) = named(i);
            if self.bits.rare >> i & 1 != 0 {
                sink.asked.insert(place.row);
                continue;
            }
            let features = |k: usize| self.features(i, k, place, names);
            let two = (self.bits.two >> i & 1) as usize;
            let (first, second) = (features(0), features(two));
            let number = |k: usize| self.found[k][i];
            let depth = number(2);
            let points = [
                ContactPoint { on_a: DVec2::new(number(4), number(5)), on_b: DVec2::new(number(6), number(7)), depth, id: first },
                ContactPoint {
                    on_a: DVec2::new(number(8), number(9)),
                    on_b: DVec2::new(number(10), number(11)),
                    depth: number(3),
                    id: second,
                },
            ];
            sink.put(place.row, Manifold::of(DVec2::new(number(0), number(1)), depth, points, 1 + two as u8));
        }
    }

    /// What makes end number `k` of the incident edge.
    #[inline(always)]
    fn features(&self, i: usize, k: usize, place: Place, [own, other]: [&Names; 2]) -> ContactId {
        let bit = |bits: u64| bits >> i & 1 != 0;
        let (is_cut, is_before) = (bit(self.bits.cut[k]), bit(self.bits.before));
        let (first, second) = (own.vertices[usize::from(place.edge) % 8], own.vertices[usize::from(place.edge_end) % 8]);
        let (corner, previous, next) = (usize::from(place.corner) % 8, usize::from(place.previous) % 8, usize::from(place.next) % 8);
        let end = select_unpredictable(k == 0, corner, select_unpredictable(is_before, previous, next));
        let edge = select_unpredictable(is_before, previous, corner);
        let cutting = Feature::Vertex(select_unpredictable(bit(self.bits.beyond_second[k]), second, first));
        let of_own = select_unpredictable(is_cut, cutting, Feature::Edge(own.edges[usize::from(place.edge) % 8]));
        let of_other = select_unpredictable(is_cut, Feature::Edge(other.edges[edge]), Feature::Vertex(other.vertices[end]));
        let is_swapped = place.of != 0;
        ContactId { a: select_unpredictable(is_swapped, of_other, of_own), b: select_unpredictable(is_swapped, of_own, of_other) }
    }
}

/// Ends of incident edges over reference edges.
struct Cut<S: Simd> {
    beyond: S::mask64s,
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
        Self { beyond: is_cut, along, part: is_cut.select(part, zero) }
    }
}
