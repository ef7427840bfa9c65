//! Yes or no: do the shapes of each pair meet?
//!
//! The same filters as in [`kernel`](crate::query::kernel), a pair a lane; what they leave in doubt is asked by itself.

use alloc::vec;

use super::Batch;
use super::columns::{Column, Due, Lanes, Poses, ROWS, gather_pose, load_all, rounding};
use super::groups::{
    Asked, BLOCK, Block, ByClass, CIRCLE_POLYGON, CIRCLE_RECTANGLE, CIRCLES, Groups, POLYGON_CIRCLE, POLYGON_RECTANGLE, POLYGONS, Question,
    RECTANGLE_CIRCLE, RECTANGLE_POLYGON, RECTANGLES,
};
use super::nearest::Nearest;
use super::separations::{PLACED, RELATIVE, Relative, any_above, limit_and_doubt, of_edges, of_rectangle, prepare};
use crate::math::cores;
use crate::math::lanes::prelude::*;
use crate::math::lanes::{Simd, no_wider};
use crate::math::vector::U;
use crate::query::exact::Relation;
use crate::query::{intersects, overlaps};

/// The fewest pairs that are worth a core of their own: about 20 µs of work.
const LEAST: usize = 8 * BLOCK;

/// Answers [`Batch::intersects`] and [`Batch::overlaps`]: `enough` says which relation is a yes. Or else the first number that is of no placed shape.
pub(super) fn all(batch: &Batch, pairs: &[[u32; 2]], enough: Relation, answers: &mut [bool]) -> Result<(), u32> {
    let parts = cores::parts(pairs.len(), LEAST);
    if parts == 1 {
        return some(batch, pairs, enough, answers);
    }
    let chunk = pairs.len().div_ceil(parts).next_multiple_of(BLOCK);
    let mut done = vec![Ok(()); parts];
    let tasks = pairs.chunks(chunk).zip(answers.chunks_mut(chunk)).zip(&mut done);
    cores::each(tasks.collect(), |((pairs, answers), done)| *done = some(batch, pairs, enough, answers));
    done.into_iter().collect()
}

/// On one core.
fn some(batch: &Batch, pairs: &[[u32; 2]], enough: Relation, answers: &mut [bool]) -> Result<(), u32> {
    let (view, mut groups, mut scratch) = (batch.view(), Groups::EMPTY, Scratch::EMPTY);
    for (pairs, answers) in pairs.chunks(BLOCK).zip(answers.chunks_mut(BLOCK)) {
        groups.sort(view.ids, pairs)?;
        let mut asked = Asked::default();
        let yes = Yes { block: Block { view, groups: &groups, pairs }, answers, asked: &mut asked };
        no_wider(batch.lanes, ByClass { groups: &groups, question: Whether { yes, scratch: &mut scratch } });
        if !asked.is_empty() {
            ask(batch, pairs, asked, enough, answers);
        }
    }
    Ok(())
}

/// Asks about pairs by themselves.
#[cold]
fn ask(batch: &Batch, pairs: &[[u32; 2]], asked: Asked, enough: Relation, answers: &mut [bool]) {
    for row in asked.rows().map(usize::from) {
        let [a, b] = pairs[row].map(|i| batch.get(i));
        if let (Some(a), Some(b)) = (a, b) {
            answers[row] = if enough == Relation::Touching { intersects(a, b) } else { overlaps(a, b) };
        }
    }
}

/// The question.
struct Whether<'a> {
    yes: Yes<'a>,
    scratch: &'a mut Scratch,
}

/// Pairs, and their answers.
struct Yes<'a> {
    block: Block<'a>,
    answers: &'a mut [bool],
    asked: &'a mut Asked,
}

/// Columns of a kernel's numbers.
const COLUMNS: usize = 14;

/// What kernels write to on their way.
struct Scratch {
    columns: [Column; COLUMNS],
    relatives: [Column; RELATIVE],
    nearest: Nearest,
}

impl Scratch {
    const EMPTY: Self = Self { columns: [Column::ZERO; COLUMNS], relatives: [Column::ZERO; RELATIVE], nearest: Nearest::EMPTY };
}

impl Question for Whether<'_> {
    #[inline(always)]
    fn answer<S: Simd>(&mut self, simd: S, class: usize, rows: &[u16]) {
        let (yes, Scratch { columns, relatives, nearest }) = (&mut self.yes, &mut *self.scratch);
        match class {
            CIRCLES => yes.circles(simd, rows, columns),
            CIRCLE_RECTANGLE => yes.with_circle(simd, rows, columns, 1),
            RECTANGLE_CIRCLE => yes.with_circle(simd, rows, columns, 0),
            CIRCLE_POLYGON => yes.circle_and_polygon(simd, rows, nearest, 1),
            POLYGON_CIRCLE => yes.circle_and_polygon(simd, rows, nearest, 0),
            RECTANGLES => yes.rectangles(simd, rows, columns),
            POLYGONS | RECTANGLE_POLYGON | POLYGON_RECTANGLE => yes.polygons(simd, rows, columns, relatives),
            _ => rows.iter().for_each(|&row| yes.asked.insert(row)),
        }
    }
}

impl Yes<'_> {
    /// Writes as many answers as there are lanes, from a bit for each.
    #[inline(always)]
    fn settle<S: Simd>(&mut self, rows: &[u16], from: usize, overlap: u64, doubtful: u64) {
        let rows = &rows[from..rows.len().min(from + Lanes::<S>::LEN)];
        for (lane, &row) in rows.iter().enumerate() {
            self.answers[usize::from(row)] = overlap >> lane & 1 != 0;
        }
        self.asked.insert_some(rows, doubtful);
    }

    #[inline(always)]
    fn circles<S: Simd>(&mut self, simd: S, rows: &[u16], columns: &mut [Column; COLUMNS]) {
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let ([a, b], [p, q]) = self.block.pair(row);
            let (from, to) = (self.block.view.translations[a as usize], self.block.view.translations[b as usize]);
            (columns[0][i], columns[1][i]) = (to[0] - from[0], to[1] - from[1]);
            columns[2][i] = self.block.view.circles[p] + self.block.view.circles[q];
        }
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let [x, y, radius] = load_all(simd, columns, 0, from);
            let (distance, reach) = (x * x + y * y, radius * radius);
            let doubt = (distance + reach) * (8.0 * U) + 1e-290;
            let above = distance - reach;
            self.settle::<S>(rows, from, above.simd_lt(0.0).to_bitmask(), above.abs().simd_le(doubt).to_bitmask());
        }
    }

    /// A rectangle, number `of` of the pair, and a circle.
    #[inline(always)]
    fn with_circle<S: Simd>(&mut self, simd: S, rows: &[u16], columns: &mut [Column; COLUMNS], of: usize) {
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let (pair, indices) = self.block.pair(row);
            let (rectangle, radius) = (self.block.view.outlines.sizes[indices[of]], self.block.view.circles[indices[1 - of]]);
            let [x, y] = self.block.view.translations[pair[1 - of] as usize];
            gather_pose(self.block.view, pair[of], &mut columns[..4], i);
            let numbers = [x, y, rectangle.half[0], rectangle.half[1], rectangle.radius + radius, rectangle.reach];
            numbers.into_iter().zip(&mut columns[4..]).for_each(|(number, column)| column[i] = number);
        }
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let pose = Poses::load(simd, &columns[..4], from);
            let [x, y, half_x, half_y, radius, reach] = load_all(simd, columns, 4, from);
            let apart = [x - pose.translation[0], y - pose.translation[1]];
            let point = pose.unrotate(apart);
            let doubt = rounding::<S>(reach + radius, apart, pose.translation, [x, y]).doubt();
            let beyond = [point[0].abs() - half_x, point[1].abs() - half_y];
            let zero = Lanes::<S>::splat(simd, 0.0);
            let outside = [beyond[0].max(zero), beyond[1].max(zero)];
            let square = outside[0] * outside[0] + outside[1] * outside[1];
            let signed = square.sqrt() + beyond[0].max(beyond[1]).min(zero) - radius;
            // Tiny squares underflow.
            let is_tiny = square.simd_lt(1e-280) & (outside[0] + outside[1]).simd_gt(zero);
            self.settle::<S>(rows, from, signed.simd_lt(zero).to_bitmask(), (signed.abs().simd_le(doubt) | is_tiny).to_bitmask());
        }
    }

    /// A polygon, number `of` of the pair, and a circle.
    #[inline(always)]
    fn circle_and_polygon<S: Simd>(&mut self, simd: S, rows: &[u16], nearest: &mut Nearest, of: usize) {
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let (pair, indices) = self.block.pair(row);
            nearest.gather(self.block.view, i, pair, indices, of);
        }
        let left = nearest.find_edges(simd, self.block.view.outlines, rows.len());
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let foot = nearest.feet(simd, from);
            let (signed, is_tiny) = foot.distance();
            let doubtful = signed.abs().simd_le(foot.doubt) | foot.is_rare | is_tiny;
            let left = left >> from;
            self.settle::<S>(rows, from, signed.simd_lt(0.0).to_bitmask() & left, doubtful.to_bitmask() & left);
        }
    }

    #[inline(always)]
    fn rectangles<S: Simd>(&mut self, simd: S, rows: &[u16], columns: &mut [Column; COLUMNS]) {
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let ([a, b], [p, q]) = self.block.pair(row);
            let (p, q) = (self.block.view.outlines.sizes[p], self.block.view.outlines.sizes[q]);
            gather_pose(self.block.view, a, &mut columns[..4], i);
            gather_pose(self.block.view, b, &mut columns[4..8], i);
            let numbers = [p.half[0], p.half[1], q.half[0], q.half[1], p.radius + q.radius, p.reach + q.reach];
            numbers.into_iter().zip(&mut columns[8..]).for_each(|(number, column)| column[i] = number);
        }
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let (p, q) = (Poses::load(simd, &columns[..4], from), Poses::load(simd, &columns[4..8], from));
            let [ax, ay, bx, by, radius, reach] = load_all(simd, columns, 8, from);
            let relative = p.to(&q);
            let doubt = rounding::<S>(reach + radius, relative.apart, p.translation, q.translation).doubt();
            let (cos, sin) = (relative.cos.abs(), relative.sin.abs());
            let of_a = of_rectangle::<S>([ax, ay], relative.b_in_a, [cos * bx + sin * by, sin * bx + cos * by]);
            let of_b = of_rectangle::<S>([bx, by], relative.a_in_b, [cos * ax + sin * ay, sin * ax + cos * ay]);
            let separation = of_a[0].max(of_a[1]).max(of_b[0].max(of_b[1]));
            let (overlap, apart) = (separation.simd_lt(-doubt), separation.simd_gt(radius + doubt));
            self.settle::<S>(rows, from, overlap.to_bitmask(), (!(overlap | apart)).to_bitmask());
        }
    }

    #[inline(always)]
    fn polygons<S: Simd>(&mut self, simd: S, rows: &[u16], columns: &mut [Column; COLUMNS], relatives: &mut [Column; RELATIVE]) {
        for (i, &row) in rows.iter().enumerate().take(ROWS) {
            let ([a, b], [p, q]) = self.block.pair(row);
            let (p, q) = (&self.block.view.outlines.sizes[p], &self.block.view.outlines.sizes[q]);
            gather_pose(self.block.view, a, &mut columns[..4], i);
            gather_pose(self.block.view, b, &mut columns[4..8], i);
            (columns[8][i], columns[9][i]) = (p.radius + q.radius, p.reach + q.reach);
            columns[10][i] = p.half[0].min(p.half[1]) + q.half[0].min(q.half[1]);
        }
        let Some(placed) = columns.first_chunk::<PLACED>() else { return };
        let (mut near, mut inside) = (0, 0);
        for from in (0..rows.len()).step_by(Lanes::<S>::LEN) {
            let [is_near, is_inside] = prepare(simd, placed, relatives, from);
            near |= is_near << from;
            inside |= is_inside << from;
        }
        // In two passes, each over what is left by then.
        for (i, &row) in rows.iter().enumerate() {
            self.answers[usize::from(row)] = inside >> i & 1 != 0;
        }
        let mut deep = u64::MAX;
        let left = self.separate::<S, 0>(simd, rows, relatives, &Due::of(near & !inside, rows.len()), &mut deep);
        let left = self.separate::<S, 1>(simd, rows, relatives, &left, &mut deep);
        for i in left.rows() {
            self.answers[usize::from(rows[i])] = true;
            if deep >> i & 1 == 0 {
                self.asked.insert(rows[i]);
            }
        }
    }

    /// The pairs that no edge of polygon number `SIDE` separates; takes the bits away of those that do not overlap by more than the doubt.
    #[inline(always)]
    fn separate<S: Simd, const SIDE: usize>(
        &self,
        simd: S,
        rows: &[u16],
        relatives: &[Column; RELATIVE],
        due: &Due,
        deep: &mut u64,
    ) -> Due {
        let polygons = &self.block.view.outlines.polygons;
        let mut left = Due::of(0, 0);
        for i in due.rows() {
            let indices = self.block.groups.indices(rows[i]);
            let (own, other) = (&polygons[indices[SIDE]], &polygons[indices[1 - SIDE]]);
            let separations = of_edges(simd, own, other, Relative::load::<SIDE>(relatives, i));
            let [limit, doubt] = limit_and_doubt(relatives, i);
            left.keep_if(i, !any_above(simd, &separations, limit));
            *deep &= !(u64::from(any_above(simd, &separations, -doubt)) << i);
        }
        left
    }
}
