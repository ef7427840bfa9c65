//! Which edge or corner of a polygon of up to eight corners is nearest to a circle: lanes are edges first, then pairs.
//!
//! The edge that the center is farthest in front of decides: itself where the center is beside it, else its end on that side. For there the center lies on this edge's side of the bisector of the
//! two normals, so both edges lead away from it. Where another edge is as good up to rounding, or the center is beside the very end, the pair is asked by itself.

use core::hint::select_unpredictable;

use super::columns::{Column, Due, Lanes, Poses, ROWS, Vectors, along, dot, gather_pose, load_all, minus, pick, rounding, store};
use super::outlines::Outlines;
use super::separations::{at_least, best, of_point};
use super::view::View;
use crate::math::lanes::Simd;
use crate::math::lanes::prelude::*;
use crate::query::Feature;

/// Columns of what is given of a pair, of what is made of it, and of the edge that decides.
const GIVEN: usize = 9;
const SEEN: usize = 4;
const EDGE: usize = 6;

/// Polygons and circles, a pair a row.
pub(super) struct Nearest {
    /// The polygon's pose, the center, the radii of the polygon and of the circle, the polygon's reach.
    given: [Column; GIVEN],
    /// The center in the polygon's frame, and [`Rounding`](crate::query::pair::Rounding)'s slack and doubt.
    seen: [Column; SEEN],
    /// Start, end and normal.
    edge: [Column; EDGE],
    /// Where the polygons are among the outlines, their deciding edges, and where those end.
    outlines: [u32; ROWS],
    places: [[u8; 2]; ROWS],
    /// A bit for each pair whose deciding edge is better than all others.
    alone: u64,
    /// A bit for each pair that is nearest at the edge, and for each whose center lies before the edge's start.
    on_edge: u64,
    before: u64,
}

/// Where a circle's center lies to the deciding edge, in each lane.
pub(super) struct Foot<S: Simd> {
    pose: Poses<S>,
    center: Vectors<S>,
    radii: [Lanes<S>; 2],
    /// What is computed from here on may be wrong by this much.
    pub(super) doubt: Lanes<S>,
    /// The edge, and its outward normal, in the polygon's frame.
    ends: [Vectors<S>; 2],
    normal: Vectors<S>,
    /// The center in that frame.
    point: Vectors<S>,
    /// Is the edge nearest, not a corner?
    is_on: S::mask64s,
    /// If a corner is: the edge's start, not its end?
    is_before: S::mask64s,
    /// The pairs to be asked by themselves.
    pub(super) is_rare: S::mask64s,
}

impl Nearest {
    pub(super) const EMPTY: Self = Self {
        given: [Column::ZERO; GIVEN],
        seen: [Column::ZERO; SEEN],
        edge: [Column::ZERO; EDGE],
        outlines: [0; ROWS],
        places: [[0; 2]; ROWS],
        alone: 0,
        on_edge: 0,
        before: 0,
    };

    /// Takes in a pair of which number `of` is a polygon and the other one a circle: their numbers, and where they are among their kinds.
    #[inline(always)]
    pub(super) fn gather(&mut self, view: View<'_>, i: usize, pair: [u32; 2], indices: [usize; 2], of: usize) {
        let (size, radius) = (&view.outlines.sizes[indices[of]], view.circles[indices[1 - of]]);
        let [x, y] = view.translations[pair[1 - of] as usize];
        gather_pose(view, pair[of], &mut self.given[..4], i);
        for (number, column) in [x, y, size.radius, radius, size.reach].into_iter().zip(&mut self.given[4..]) {
            column[i] = number;
        }
        self.outlines[i] = indices[of] as u32;
    }

    /// Finds the deciding edges; a bit for each of the first pairs that they do not part.
    #[inline(always)]
    pub(super) fn find_edges<S: Simd>(&mut self, simd: S, outlines: &Outlines, rows: usize) -> u64 {
        let mut near = 0;
        for from in (0..rows).step_by(Lanes::<S>::LEN) {
            let pose = Poses::load(simd, &self.given[..4], from);
            let [x, y, radius_own, radius_other, reach] = load_all(simd, &self.given, 4, from);
            let (apart, radius) = (minus::<S>([x, y], pose.translation), radius_own + radius_other);
            let rounding = rounding::<S>(reach + radius, apart, pose.translation, [x, y]);
            near |= (apart[0].abs().max(apart[1].abs()) - reach).simd_le(radius + rounding.doubt()).to_bitmask() << from;
            let [px, py] = pose.unrotate(apart);
            for (column, lanes) in self.seen.iter_mut().zip([px, py, rounding.slack(), rounding.doubt()]) {
                store::<S>(lanes, column, from);
            }
        }
        (self.alone, self.on_edge, self.before) = (0, 0, 0);
        let mut left = 0;
        for i in Due::of(near, rows).rows() {
            let polygon = outlines.polygon(self.outlines[i] as usize);
            let [x, y, slack, doubt] = [self.seen[0][i], self.seen[1][i], self.seen[2][i], self.seen[3][i]];
            let separations = of_point(simd, polygon.octagon, [x, y]);
            let (separation, edge) = best(simd, &separations);
            left |= u64::from(separation <= self.given[6][i] + self.given[7][i] + doubt) << i;
            // What the polygon has too few of are copies.
            let as_good = at_least(simd, &separations, separation - 3.0 * slack) & ((1 << polygon.count) - 1);
            self.alone |= u64::from(as_good & as_good.wrapping_sub(1) == 0) << i;
            let end = polygon.next(edge);
            self.places[i] = [edge as u8, end as u8];
            let ([sx, sy], [ex, ey], [nx, ny]) = (polygon.corner(edge), polygon.corner(end), polygon.normal(edge));
            for (number, column) in [sx, sy, ex, ey, nx, ny].into_iter().zip(&mut self.edge) {
                column[i] = number;
            }
        }
        left
    }

    /// Where the centers lie to the deciding edges of as many pairs as there are lanes, from a row on.
    #[inline(always)]
    pub(super) fn feet<S: Simd>(&mut self, simd: S, from: usize) -> Foot<S> {
        let pose = Poses::load(simd, &self.given[..4], from);
        let [x, y, radius_own, radius_other, _] = load_all(simd, &self.given, 4, from);
        let [px, py, slack, doubt] = load_all(simd, &self.seen, 0, from);
        let [sx, sy, ex, ey, nx, ny] = load_all(simd, &self.edge, 0, from);
        let (point, ends, tangent) = ([px, py], [[sx, sy], [ex, ey]], [-ny, nx]);
        let before = -dot::<S>(tangent, minus::<S>(point, ends[0]));
        let beyond = before.max(dot::<S>(tangent, minus::<S>(point, ends[1])));
        let (is_on, is_before) = (beyond.simd_le(slack), before.simd_gt(slack));
        let is_corner = beyond.simd_gt(slack * 3.0) & S::mask64s::from_bitmask(simd, self.alone >> from);
        self.on_edge |= is_on.to_bitmask() << from;
        self.before |= is_before.to_bitmask() << from;
        Foot {
            pose,
            center: [x, y],
            radii: [radius_own, radius_other],
            doubt,
            ends,
            normal: [nx, ny],
            point,
            is_on,
            is_before,
            is_rare: !(is_on | is_corner),
        }
    }

    /// What of the polygon is nearest.
    #[inline(always)]
    pub(super) fn feature(&self, outlines: &Outlines, i: usize) -> Feature {
        let (names, [edge, end]) = (&outlines.names[self.outlines[i] as usize], self.places[i]);
        let corner = select_unpredictable(self.before >> i & 1 != 0, edge, end);
        let (edge, corner) = (names.edges[usize::from(edge) % 8], names.vertices[usize::from(corner) % 8]);
        select_unpredictable(self.on_edge >> i & 1 != 0, Feature::Edge(edge), Feature::Vertex(corner))
    }
}

impl<S: Simd> Foot<S> {
    /// How far the shapes are apart, or less than nothing; and the bits of those that are too near to a corner for squares.
    #[inline(always)]
    pub(super) fn distance(&self) -> (Lanes<S>, S::mask64s) {
        let away = minus::<S>(self.point, self.corner(self.ends));
        let length = dot::<S>(away, away).sqrt();
        let distance = self.is_on.select(dot::<S>(self.normal, minus::<S>(self.point, self.ends[0])), length);
        (distance - (self.radii[0] + self.radii[1]), !self.is_on & length.simd_le(1e-140))
    }

    /// The nearest corner, if it is one, of the ends of the edge.
    #[inline(always)]
    fn corner(&self, [start, end]: [Vectors<S>; 2]) -> Vectors<S> {
        pick::<S>(self.is_before, start, end)
    }

    /// As the pair functions find it, whose polygon is number `of`: the normal away from the polygon, the depth, the points on the polygon's surface and on the circle's; and the bits of those that
    /// are too near to a corner for squares.
    #[inline(always)]
    pub(super) fn contact(&self, simd: S, of: usize) -> ([Lanes<S>; 7], S::mask64s) {
        let (pose, center, zero) = (&self.pose, self.center, Lanes::<S>::splat(simd, 0.0));
        let ends = [pose.apply(self.ends[0]), pose.apply(self.ends[1])];
        let (outward, tangent) = (pose.rotate(self.normal), pose.rotate([-self.normal[1], self.normal[0]]));
        let from_start = minus::<S>(center, ends[0]);
        let length = dot::<S>(tangent, minus::<S>(ends[1], ends[0])).max(zero);
        let part = dot::<S>(tangent, from_start);
        let part = part.simd_lt(zero).select(zero, part);
        let part = part.simd_gt(length).select(length, part);

        let corner = self.corner(ends);
        // From the first shape to the second, so that zeros have their signs.
        let away = if of == 0 { minus::<S>(center, corner) } else { minus::<S>(corner, center) };
        let far = dot::<S>(away, away).sqrt();
        let way = [away[0] / far, away[1] / far];
        let way = if of == 0 { way } else { [-way[0], -way[1]] };

        let [nx, ny] = pick::<S>(self.is_on, outward, way);
        let [fx, fy] = pick::<S>(self.is_on, along::<S>(ends[0], tangent, part), corner);
        let [own, other] = self.radii;
        let depth = own + other - self.is_on.select(dot::<S>(outward, from_start), far);
        let found = [nx, ny, depth, fx + nx * own, fy + ny * own, center[0] - nx * other, center[1] - ny * other];
        (found, !self.is_on & far.simd_le(1e-140))
    }
}
