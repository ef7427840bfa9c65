//! How do the shapes of each pair meet?
//!
//! The same sums and products as in [`kernel`](crate::query::kernel), a pair a lane, so the manifolds have the same bits; what is rare or in doubt is asked by itself.

use super::columns::{Column, Due, Lanes, Poses, ROWS, gather_pose, load_all, rounding, store};
use super::contacts::{Sink, Writer};
use super::faces::{Faces, Place};
use super::groups::{
    BLOCK, Block, ByClass, CIRCLE_POLYGON, CIRCLE_RECTANGLE, CIRCLES, Groups, POLYGON_CIRCLE, POLYGON_RECTANGLE, POLYGONS, Question,
    RECTANGLE_CIRCLE, RECTANGLE_POLYGON, RECTANGLES,
};
use super::nearest::Nearest;
use super::outline::OF_RECTANGLE;
use super::rectangles::{Corners, Rectangles};
use super::separations::{PLACED, RELATIVE, Relative, TIES, best, limit_and_doubt, lowest, of_edges, prepare};
use super::{Batch, circles};
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Simd, no_wider};
use crate::query::support::lowest_of_rectangle;
use crate::query::{ContactId, ContactPoint, Feature, Manifold, collide};

/// Answers [`Batch::collide`] for pairs, the first of which has a number; or else the first number that is of no placed shape.
pub(super) fn all(batch: &Batch, pairs: &[[u32; 2]], first: usize, writer: &mut Writer) -> Result<(), u32> {
    let (view, mut groups, mut scratch) = (batch.view(), Groups::EMPTY, Scratch::EMPTY);
    for (first, pairs) in (first..).step_by(BLOCK).zip(pairs.chunks(BLOCK)) {
        groups.sort(view.ids, pairs)?;
        let mut sink = writer.block(first, groups.are_in_order());
        let block = Block { view, groups: &groups, pairs };
        no_wider(batch.lanes, ByClass { groups: &groups, question: How { met: Met { block, sink: &mut sink }, scratch: &mut scratch } });
        if !sink.asked.is_empty() {
            ask(batch, pairs, &mut sink);
        }
        sink.finish();
    }
    Ok(())
}

/// Asks about pairs by themselves.
#[cold]
fn ask(batch: &Batch, pairs: &[[u32; 2]], sink: &mut Sink<'_>) {
    for row in sink.asked.rows() {
        let [a, b] = pairs[usize::from(row)].map(|i| batch.get(i));
        if let (Some(a), Some(b)) = (a, b)
            && let Some(manifold) = collide(a, b)
        {
            sink.put(row, manifold);
        }
    }
}

/// The question.
pub(super) struct How<'a, 's> {
    pub(super) met: Met<'a, 's>,
    pub(super) scratch: &'a mut Scratch,
}

/// Pairs, and where their manifolds go.
pub(super) struct Met<'a, 's> {
    pub(super) block: Block<'a>,
    pub(super) sink: &'a mut Sink<'s>,
}

/// Columns of a kernel's numbers.
const COLUMNS: usize = 15;

/// What kernels write to on their way.
pub(super) struct Scratch {
    columns: [Column; COLUMNS],
    relatives: [Column; RELATIVE],
    bests: [[(f64, usize); 2]; ROWS],
    faces: Faces,
    nearest: Nearest,
}

impl Scratch {
    pub(super) const EMPTY: Self = Self {
        columns: [Column::ZERO; COLUMNS],
        relatives: [Column::ZERO; RELATIVE],
        bests: [[(0.0, 0); 2]; ROWS],
        faces: Faces::EMPTY,
        nearest: Nearest::EMPTY,
    };
}

impl Question for How<'_, '_> {
    #[inline(always)]
    fn answer<S: Simd>(&mut self, simd: S, class: usize, rows: &[u16]) {
        let Self { met, scratch } = self;
        match class {
            CIRCLES => met.circles(simd, rows, &mut scratch.columns),
            CIRCLE_RECTANGLE => met.with_circle(simd, rows, &mut scratch.columns, 1),
            RECTANGLE_CIRCLE => met.with_circle(simd, rows, &mut scratch.columns, 0),
            CIRCLE_POLYGON => met.circle_and_polygon(simd, rows, scratch, 1),
            POLYGON_CIRCLE => met.circle_and_polygon(simd, rows, scratch, 0),
            RECTANGLES => met.rectangles(simd, rows, scratch),
            POLYGONS | RECTANGLE_POLYGON | POLYGON_RECTANGLE => {
                met.polygons(simd, rows, scratch, [class == RECTANGLE_POLYGON, class == POLYGON_RECTANGLE]);
            }
            _ => rows.iter().for_each(|&row| met.sink.asked.insert(row)),
        }
    }
}

impl Met<'_, '_> {
    #[inline(always)]
    fn circles<S: Simd>(&mut self, simd: S, rows: &[u16], columns: &mut [Column; COLUMNS]) {
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let ([a, b], [p, q]) = self.block.pair(row);
            let ([px, py], [qx, qy]) = (self.block.view.translations[a as usize], self.block.view.translations[b as usize]);
            let numbers = [px, py, qx, qy, self.block.view.circles[p], self.block.view.circles[q]];
            numbers.into_iter().zip(&mut *columns).for_each(|(number, column)| column[i] = number);
        }
        let [meets, rare] = circles::meet(simd, columns, rows.len());
        self.put_points(rows, columns, meets, rare, 0, |_| Feature::Vertex(0));
    }

    /// A rectangle, number `of` of the pair, and a circle.
    #[inline(always)]
    fn with_circle<S: Simd>(&mut self, simd: S, rows: &[u16], columns: &mut [Column; COLUMNS], of: usize) {
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let (pair, indices) = self.block.pair(row);
            let (rectangle, radius) = (self.block.view.outlines.sizes[indices[of]], self.block.view.circles[indices[1 - of]]);
            let [x, y] = self.block.view.translations[pair[1 - of] as usize];
            gather_pose(self.block.view, pair[of], &mut columns[..4], i);
            let numbers = [x, y, rectangle.half[0], rectangle.half[1], rectangle.radius, rectangle.reach, radius];
            numbers.into_iter().zip(&mut columns[4..]).for_each(|(number, column)| column[i] = number);
        }
        let mut seen = Quarters::default();
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let pose = Poses::load(simd, &columns[..4], from);
            let [x, y, half_x, half_y, radius_own, reach, radius_other] = load_all(simd, columns, 4, from);
            let (zero, one) = (Lanes::<S>::splat(simd, 0.0), Lanes::<S>::splat(simd, 1.0));
            let apart = [x - pose.translation[0], y - pose.translation[1]];
            let point = pose.unrotate(apart);
            let radius = radius_own + radius_other;
            let rounding = rounding::<S>(reach + radius, apart, pose.translation, [x, y]);
            let beyond = [point[0].abs() - half_x, point[1].abs() - half_y];
            let (left, above) = (point[0].simd_lt(zero), point[1].simd_gt(zero));
            let sideways = beyond[0].simd_gt(beyond[1]) | (beyond[0].simd_eq(beyond[1]) & !left & above);
            let at_corner = beyond[0].min(beyond[1]).simd_gt(rounding.slack());
            let (sign_x, sign_y) = (left.select(-one, one), above.select(one, -one));

            let length = (beyond[0] * beyond[0] + beyond[1] * beyond[1]).sqrt();
            let face_x = sideways.select(sign_x, zero);
            let face_y = sideways.select(zero, sign_y);
            let normal_x = at_corner.select(beyond[0] / length * sign_x, face_x);
            let normal_y = at_corner.select(beyond[1] / length * sign_y, face_y);
            let distance = at_corner.select(length, beyond[0].max(beyond[1]));
            let foot_x = sideways.select(half_x, point[0].abs().min(half_x)) * sign_x;
            let foot_y = sideways.select(point[1].abs().min(half_y), half_y) * sign_y;

            let depth = radius - distance;
            let is_tiny = at_corner & length.simd_le(1e-140);
            let [nx, ny] = pose.rotate([normal_x, normal_y]);
            let on_own = pose.apply([foot_x, foot_y]);
            let on_own = [on_own[0] + nx * radius_own, on_own[1] + ny * radius_own];
            let on_other = [x - nx * radius_other, y - ny * radius_other];
            seen.rare |= (depth.abs().simd_le(rounding.doubt()) | is_tiny).to_bitmask() << from;
            seen.meets |= depth.simd_gt(zero).to_bitmask() << from;
            seen.left |= left.to_bitmask() << from;
            seen.above |= above.to_bitmask() << from;
            seen.sideways |= sideways.to_bitmask() << from;
            seen.at_corner |= at_corner.to_bitmask() << from;
            for (column, lanes) in columns.iter_mut().zip([nx, ny, depth, on_own[0], on_own[1], on_other[0], on_other[1]]) {
                store::<S>(lanes, column, from);
            }
        }
        self.put_points(rows, columns, seen.meets, seen.rare, of, |i| seen.feature(i));
    }

    /// A polygon, number `of` of the pair, and a circle.
    #[inline(always)]
    fn circle_and_polygon<S: Simd>(&mut self, simd: S, rows: &[u16], scratch: &mut Scratch, of: usize) {
        let (columns, nearest, outlines) = (&mut scratch.columns, &mut scratch.nearest, self.block.view.outlines);
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let (pair, indices) = self.block.pair(row);
            nearest.gather(self.block.view, i, pair, indices, of);
        }
        let left = nearest.find_edges(simd, outlines, rows.len());
        let (mut meets, mut rare) = (0, 0);
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let foot = nearest.feet(simd, from);
            let (found, is_tiny) = foot.contact(simd, of);
            let depth = found[2];
            meets |= depth.simd_gt(0.0).to_bitmask() << from;
            rare |= (foot.is_rare | is_tiny | depth.abs().simd_le(foot.doubt)).to_bitmask() << from;
            for (column, lanes) in columns.iter_mut().zip(found) {
                store::<S>(lanes, column, from);
            }
        }
        self.put_points(
            rows,
            columns,
            meets & left,
            rare & left,
            of,
            #[inline(always)]
            |i| nearest.feature(outlines, i),
        );
    }

    /// Manifolds of one point, from their columns and bits: of shape number `of` and a circle.
    #[inline(always)]
    fn put_points(&mut self, rows: &[u16], columns: &[Column], meets: u64, rare: u64, of: usize, feature: impl Fn(usize) -> Feature) {
        let sign = [1.0, -1.0][of];
        for i in Due::of(meets | rare, rows.len()).rows() {
            if rare >> i & 1 != 0 {
                self.sink.asked.insert(rows[i]);
                continue;
            }
            let number = |k: usize| columns[k][i];
            let surfaces = [[number(3), number(4)], [number(5), number(6)]];
            let features = [feature(i), Feature::Vertex(0)];
            let id = ContactId { a: features[of], b: features[1 - of] };
            let depth = number(2);
            let point = ContactPoint { on_a: surfaces[of].into(), on_b: surfaces[1 - of].into(), depth, id };
            self.sink.put(rows[i], Manifold::one(glam::DVec2::new(number(0) * sign, number(1) * sign), depth, point));
        }
    }

    #[inline(always)]
    fn rectangles<S: Simd>(&mut self, simd: S, rows: &[u16], scratch: &mut Scratch) {
        let (columns, faces) = (&mut scratch.columns, &mut scratch.faces);
        let outlines = self.block.view.outlines;
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let ([a, b], [p, q]) = self.block.pair(row);
            let (p, q) = (&outlines.sizes[p], &outlines.sizes[q]);
            gather_pose(self.block.view, a, &mut columns[..4], i);
            gather_pose(self.block.view, b, &mut columns[4..8], i);
            let numbers = [p.half[0], p.half[1], q.half[0], q.half[1], p.radius, q.radius, p.reach + q.reach];
            numbers.into_iter().zip(&mut columns[8..]).for_each(|(number, column)| column[i] = number);
        }
        faces.clear();
        let (mut near, mut seen) = (0, Corners::default());
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let (p, q) = (Poses::load(simd, &columns[..4], from), Poses::load(simd, &columns[4..8], from));
            let [ax, ay, bx, by, radius_p, radius_q, reach] = load_all(simd, columns, 8, from);
            let rectangles = Rectangles { poses: [p, q], halves: [[ax, ay], [bx, by]], radii: [radius_p, radius_q], reach };
            let (given, is_near) = rectangles.decide(simd, &mut seen, from);
            near |= is_near << from;
            faces.clip_lanes(simd, &given, from);
        }
        faces.given(rows.len(), near);
        faces.each(self.sink, |i| (seen.place(rows[i], i), [&OF_RECTANGLE; 2]));
    }

    /// Polygons, or a polygon and a rectangle.
    #[inline(always)]
    fn polygons<S: Simd>(&mut self, simd: S, rows: &[u16], scratch: &mut Scratch, is_rectangle: [bool; 2]) {
        let Scratch { columns, relatives, bests, faces, .. } = scratch;
        let outlines = self.block.view.outlines;
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let ([a, b], [p, q]) = self.block.pair(row);
            gather_pose(self.block.view, a, &mut columns[..4], i);
            gather_pose(self.block.view, b, &mut columns[4..8], i);
            let (p, q) = (&outlines.sizes[p], &outlines.sizes[q]);
            (columns[8][i], columns[9][i]) = (p.radius + q.radius, p.reach + q.reach);
        }
        let Some(placed) = columns.first_chunk::<PLACED>() else { return };
        let mut near = 0;
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let [is_near, _] = prepare(simd, placed, relatives, from);
            near |= is_near << from;
        }
        faces.clear();
        let all = Due::of(near, rows.len());
        let left = self.separate::<S, 0>(simd, rows, relatives, &all, bests);
        let left = self.separate::<S, 1>(simd, rows, relatives, &left, bests);
        for i in left.rows() {
            let (pair, indices) = self.block.pair(rows[i]);
            let [first, second] = bests[i];
            let of = usize::from(second.0 - relatives[TIES][i] > first.0);
            let edge = bests[i][of].1;
            let (own, other) = (outlines.polygon(indices[of]), outlines.polygon(indices[1 - of]));
            let (cos, sin) = (relatives[0][i], relatives[1][i] * [1.0, -1.0][of]);
            let (nx, ny) = (own.octagon.normal_x[edge], own.octagon.normal_y[edge]);
            let direction = [cos * nx + sin * ny, cos * ny - sin * nx];
            let corner = if is_rectangle[1 - of] { lowest_of_rectangle(direction.into()) } else { lowest(simd, other.octagon, direction) };
            faces.gather(self.block.view, Place::new(rows[i], of, edge, corner), pair, &own, &other);
        }
        faces.clip(simd);
        let groups = self.block.groups;
        faces.each(
            self.sink,
            #[inline(always)]
            |i| {
                let place = faces.place(i);
                let (indices, of) = (groups.indices(place.row), usize::from(place.of));
                (place, [&outlines.names[indices[of]], &outlines.names[indices[1 - of]]])
            },
        );
    }
}

impl Met<'_, '_> {
    /// Finds the best edges of polygon number `SIDE`; the pairs that they do not separate.
    #[inline(always)]
    fn separate<S: Simd, const SIDE: usize>(
        &self,
        simd: S,
        rows: &[u16],
        relatives: &[Column; RELATIVE],
        due: &Due,
        bests: &mut [[(f64, usize); 2]; ROWS],
    ) -> Due {
        let polygons = &self.block.view.outlines.polygons;
        let mut left = Due::of(0, 0);
        for i in due.rows() {
            let indices = self.block.groups.indices(rows[i]);
            let (own, other) = (&polygons[indices[SIDE]], &polygons[indices[1 - SIDE]]);
            let found = best(simd, &of_edges(simd, own, other, Relative::load::<SIDE>(relatives, i)));
            bests[i][SIDE] = found;
            left.keep_if(i, found.0 <= limit_and_doubt(relatives, i)[0]);
        }
        left
    }
}

/// Where a circle lies about a rectangle, a bit for each pair; as [`WithRectangle`](crate::query) names it.
#[derive(Clone, Copy, Default)]
struct Quarters {
    meets: u64,
    rare: u64,
    left: u64,
    above: u64,
    sideways: u64,
    at_corner: u64,
}

impl Quarters {
    /// The feature of the rectangle that is nearest.
    #[inline(always)]
    fn feature(&self, i: usize) -> Feature {
        let bit = |bits: u64| (bits >> i & 1) as u32;
        let (left, above, sideways) = (bit(self.left), bit(self.above), bit(self.sideways));
        let corner = (left ^ above ^ 1) + 2 * above;
        let edge = sideways + 2 * ((sideways & left) | ((sideways ^ 1) & above));
        core::hint::select_unpredictable(bit(self.at_corner) != 0, Feature::Vertex(corner), Feature::Edge(edge))
    }
}
