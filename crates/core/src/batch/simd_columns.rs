//! Numbers of many pairs side by side: a column for each number, a row for each pair, as many rows at a time as there are lanes.

use core::ops::{Index, IndexMut};

use super::view::View;
use crate::math::simd::Simd;
use crate::math::simd::prelude::*;
use crate::query::pair::ErrorBounds;

/// Pairs whose numbers are gathered at a time.
pub(crate) const ROWS: usize = 64;

/// As many numbers as the machine has lanes.
pub(super) type Lanes<S> = <S as Simd>::f64s;

/// Numbers of features, as many.
pub(super) type Codes<S> = <S as Simd>::u64s;

/// A vector in each lane.
pub(super) type Vectors<S> = [Lanes<S>; 2];

/// One number of every row.
///
/// Vectors are loaded whole from lines of the cache; the padding keeps equal rows of two columns from lying 4096 bytes apart, where a load waits for a store.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct F64Column([f64; ROWS + 8]);

impl F64Column {
    pub(crate) const ZERO: Self = Self([0.0; ROWS + 8]);
}

impl Index<usize> for F64Column {
    type Output = f64;

    #[inline(always)]
    fn index(&self, row: usize) -> &f64 {
        &self.0[row]
    }
}

impl IndexMut<usize> for F64Column {
    #[inline(always)]
    fn index_mut(&mut self, row: usize) -> &mut f64 {
        &mut self.0[row]
    }
}

/// A vector of every row, both coordinates side by side as they are copied.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Vec2Column([[f64; 2]; ROWS + 4]);

impl Vec2Column {
    pub(super) const ZERO: Self = Self([[0.0; 2]; ROWS + 4]);

    #[inline(always)]
    pub(super) fn set(&mut self, row: usize, vector: [f64; 2]) {
        self.0[row] = vector;
    }

    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> [f64; 2] {
        self.0[row]
    }

    /// The vectors as lanes, from a row on.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, row: usize) -> Vectors<S> {
        let numbers = &self.0.as_flattened()[2 * row..][..2 * Lanes::<S>::LEN];
        let (first, second) = numbers.split_at(Lanes::<S>::LEN);
        let (x, y) = Lanes::<S>::from_slice(simd, first).deinterleave(Lanes::<S>::from_slice(simd, second));
        [x, y]
    }
}

/// The number of a feature of every row.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct CodeColumn([u64; ROWS + 8]);

impl CodeColumn {
    pub(super) const ZERO: Self = Self([0; ROWS + 8]);

    #[inline(always)]
    pub(super) fn set(&mut self, row: usize, number: u32) {
        self.0[row] = u64::from(number);
    }

    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, row: usize) -> Codes<S> {
        Codes::<S>::from_slice(simd, &self.0[row..row + Codes::<S>::LEN])
    }

    /// The vertices of these numbers, as codes.
    #[inline(always)]
    pub(super) fn vertices<S: Simd>(&self, simd: S, row: usize) -> Codes<S> {
        self.load(simd, row) << 1
    }

    /// The edges.
    #[inline(always)]
    pub(super) fn edges<S: Simd>(&self, simd: S, row: usize) -> Codes<S> {
        self.vertices(simd, row) | 1
    }
}

/// A row's numbers as lanes, from a row on.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, column: &F64Column, row: usize) -> Lanes<S> {
    Lanes::<S>::from_slice(simd, &column.0[row..row + Lanes::<S>::LEN])
}

/// [`load`] of the columns from a first one on.
#[inline(always)]
pub(super) fn load_all<S: Simd, const N: usize>(
    simd: S,
    columns: &[F64Column],
    first: usize,
    row: usize,
) -> [Lanes<S>; N] {
    // Closures of `map` and `from_fn`, and what `skip` calls, are not sure to be compiled for wide vectors.
    let mut all = [load(simd, &columns[first], row); N];
    for (k, lanes) in all.iter_mut().enumerate() {
        *lanes = load(simd, &columns[first + k], row);
    }
    all
}

/// The opposite of [`load`].
#[inline(always)]
pub(super) fn store<S: Simd>(lanes: Lanes<S>, column: &mut F64Column, row: usize) {
    lanes.store_slice(&mut column.0[row..row + Lanes::<S>::LEN]);
}

/// `|x| + |y|`.
#[inline(always)]
pub(super) fn norm1<S: Simd>([x, y]: Vectors<S>) -> Lanes<S> {
    x.abs() + y.abs()
}

/// The scalar product.
#[inline(always)]
pub(super) fn dot<S: Simd>(p: Vectors<S>, q: Vectors<S>) -> Lanes<S> {
    p[0] * q[0] + p[1] * q[1]
}

/// `p − q`.
#[inline(always)]
pub(super) fn sub<S: Simd>(p: Vectors<S>, q: Vectors<S>) -> Vectors<S> {
    [p[0] - q[0], p[1] - q[1]]
}

/// `p + direction · length`.
#[inline(always)]
pub(super) fn mul_add<S: Simd>(p: Vectors<S>, direction: Vectors<S>, length: Lanes<S>) -> Vectors<S> {
    [p[0] + direction[0] * length, p[1] + direction[1] * length]
}

/// A pose in each lane.
#[derive(Clone, Copy)]
pub(super) struct Poses<S: Simd> {
    pub(super) translation: Vectors<S>,
    pub(super) cos: Lanes<S>,
    pub(super) sin: Lanes<S>,
}

impl<S: Simd> Poses<S> {
    /// From translations and rotations.
    #[inline(always)]
    pub(super) fn of(simd: S, [translations, rotations]: &[Vec2Column; 2], row: usize) -> Self {
        let [cos, sin] = rotations.load(simd, row);
        Self { translation: translations.load(simd, row), cos, sin }
    }

    /// Turns a direction of the shape's own frame.
    #[inline(always)]
    pub(super) fn rotate(&self, [x, y]: Vectors<S>) -> Vectors<S> {
        [self.cos * x - self.sin * y, self.sin * x + self.cos * y]
    }

    /// The opposite of [`rotate`](Self::rotate).
    #[inline(always)]
    pub(super) fn unrotate(&self, [x, y]: Vectors<S>) -> Vectors<S> {
        [self.cos * x + self.sin * y, self.cos * y - self.sin * x]
    }

    /// Places a point of the shape's own frame.
    #[inline(always)]
    pub(super) fn apply(&self, point: Vectors<S>) -> Vectors<S> {
        let [x, y] = self.rotate(point);
        [x + self.translation[0], y + self.translation[1]]
    }

    /// How this pose and another one lie to each other, as [`Pair`](crate::query::pair::Pair) works it out.
    #[inline(always)]
    pub(super) fn relative_to(&self, other: &Self) -> Relatives<S> {
        let apart = sub::<S>(other.translation, self.translation);
        let back = other.unrotate(apart);
        Relatives {
            cos: self.cos * other.cos + self.sin * other.sin,
            sin: self.cos * other.sin - self.sin * other.cos,
            b_in_a: self.unrotate(apart),
            a_in_b: [-back[0], -back[1]],
            apart,
        }
    }
}

/// The pose of b in the frame of a, and the other way around, where the sine changes its sign.
pub(super) struct Relatives<S: Simd> {
    pub(super) cos: Lanes<S>,
    pub(super) sin: Lanes<S>,
    pub(super) b_in_a: Vectors<S>,
    pub(super) a_in_b: Vectors<S>,
    pub(super) apart: Vectors<S>,
}

/// What rounding may do to pairs that are `apart`, with the sum of their reaches and radii.
#[inline(always)]
pub(super) fn rounding<S: Simd>(
    sizes: Lanes<S>,
    apart: Vectors<S>,
    p: Vectors<S>,
    q: Vectors<S>,
) -> ErrorBounds<Lanes<S>> {
    ErrorBounds::new(sizes, norm1::<S>(apart), norm1::<S>(p) + norm1::<S>(q))
}

/// Copies the pose of a placed shape.
#[inline(always)]
pub(super) fn gather_pose(view: View<'_>, i: u32, [translations, rotations]: &mut [Vec2Column; 2], row: usize) {
    translations.set(row, view.translations[i as usize]);
    rotations.set(row, view.rotations[i as usize]);
}

/// In each lane the one or the other vector.
#[inline(always)]
pub(super) fn select<S: Simd>(first: S::mask64s, p: Vectors<S>, q: Vectors<S>) -> Vectors<S> {
    [first.select(p[0], q[0]), first.select(p[1], q[1])]
}

/// Rows that are due, listed: which ones they are cannot be foretold, so a branch for each would cost more.
pub(super) struct CompactedRows {
    rows: [u8; ROWS],
    count: usize,
}

impl CompactedRows {
    /// Those of the first rows that have a bit.
    #[inline(always)]
    pub(super) fn of(bits: u64, rows: usize) -> Self {
        let mut due = Self { rows: [0; ROWS], count: 0 };
        for row in 0..rows.min(ROWS) {
            due.keep_if(row, bits >> row & 1 != 0);
        }
        due
    }

    /// Appends a row, or not.
    #[inline(always)]
    pub(super) fn keep_if(&mut self, row: usize, kept: bool) {
        self.rows[self.count % ROWS] = row as u8;
        self.count += usize::from(kept);
    }

    /// How many are due.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count.min(ROWS)
    }

    /// Number `i` of them.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> usize {
        usize::from(self.rows[i % ROWS]) % ROWS
    }

    /// The rows, ascending.
    #[inline(always)]
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let (rows, count) = (self.rows, self.count);
        (0..count.min(ROWS)).map(move |k| usize::from(rows[k]) % ROWS)
    }
}
