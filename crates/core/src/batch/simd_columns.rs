//! Defines columns of numbers for SIMD kernels: one column per number, one row per pair.
//!
//! Kernels load as many rows at once as the machine has lanes. This module has the column types, 2D
//! vector operations on lanes, and poses in lanes. It also has a list of selected rows, which is
//! written without branches.
//!
//! Poses are at random addresses. Gather instructions load them one by one too, and do not exist on
//! all machines. So plain loops copy them into columns of 64 rows, and the kernels load whole
//! vectors.
//!
//! ```text
//! gather:   for each of 64 rows: copy pose and sizes of both shapes to the columns     (scalar)
//! compute:  for each vector of rows: load, compute, store                               (SIMD)
//! select:   rows[count] = row; count += 1 if the row is selected                        (no branch)
//! ```
//!
//! Columns are aligned to cache lines, and padded. Without the padding, equal rows of two columns
//! could be 4096 bytes apart. Then a load would wait for an unrelated store (4K aliasing).

use core::ops::{Index, IndexMut};

use super::view::View;
use crate::math::simd::{Simd, f64s, mask64s, u64s};
use crate::query::pair::ErrorBounds;

/// Number of pairs gathered at a time.
pub(crate) const ROWS: usize = 64;

/// One `f64` per lane, as many lanes as the machine has.
pub(super) type Lanes<S> = f64s<S>;

/// One feature code per lane.
pub(super) type Codes<S> = u64s<S>;

/// A 2D vector in each lane.
pub(super) type Vectors<S> = [Lanes<S>; 2];

/// One number per row.
///
/// Aligned so that vectors are loaded from whole cache lines. The padding prevents equal rows of
/// two columns from being 4096 bytes apart, which would stall loads after stores (4K aliasing).
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct F64Column([f64; ROWS + 8]);

impl F64Column {
    /// All rows 0.
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

/// A 2D vector per row, with x and y interleaved as in the source.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Vec2Column([[f64; 2]; ROWS + 4]);

impl Vec2Column {
    /// All rows (0, 0).
    pub(super) const ZERO: Self = Self([[0.0; 2]; ROWS + 4]);

    /// Stores a vector in a row.
    #[inline(always)]
    pub(super) fn set(&mut self, row: usize, vector: [f64; 2]) {
        self.0[row] = vector;
    }

    /// Returns the vector of a row.
    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> [f64; 2] {
        self.0[row]
    }

    /// Loads vectors, from row `row` on, one per lane.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, row: usize) -> Vectors<S> {
        let numbers = &self.0.as_flattened()[2 * row..][..2 * Lanes::<S>::LEN];
        let (first, second) = numbers.split_at(Lanes::<S>::LEN);
        let (x, y) = Lanes::from_slice(simd, first).deinterleave(Lanes::from_slice(simd, second));
        [x, y]
    }
}

/// A feature id per row.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct CodeColumn([u64; ROWS + 8]);

impl CodeColumn {
    /// All rows 0.
    pub(super) const ZERO: Self = Self([0; ROWS + 8]);

    /// Stores a feature id in a row.
    #[inline(always)]
    pub(super) fn set(&mut self, row: usize, number: u32) {
        self.0[row] = u64::from(number);
    }

    /// Loads ids, from row `row` on, one per lane.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, row: usize) -> Codes<S> {
        Codes::from_slice(simd, &self.0[row..row + Codes::<S>::LEN])
    }

    /// Loads the ids as feature codes of vertices.
    #[inline(always)]
    pub(super) fn vertices<S: Simd>(&self, simd: S, row: usize) -> Codes<S> {
        let ids = self.load(simd, row);
        ids + ids
    }

    /// Loads the ids as feature codes of edges.
    #[inline(always)]
    pub(super) fn edges<S: Simd>(&self, simd: S, row: usize) -> Codes<S> {
        self.vertices(simd, row) | 1
    }
}

/// Loads numbers, from row `row` on, one per lane.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, column: &F64Column, row: usize) -> Lanes<S> {
    Lanes::from_slice(simd, &column.0[row..row + Lanes::<S>::LEN])
}

/// Runs [`load`] on `N` columns, beginning with column `first`.
#[inline(always)]
pub(super) fn load_all<S: Simd, const N: usize>(
    simd: S,
    columns: &[F64Column],
    first: usize,
    row: usize,
) -> [Lanes<S>; N] {
    // A plain loop: closures of `map`, `from_fn` and `skip` may be compiled for narrow vectors
    // only.
    let mut all = [load(simd, &columns[first], row); N];
    for (k, lanes) in all.iter_mut().enumerate() {
        *lanes = load(simd, &columns[first + k], row);
    }
    all
}

/// Stores lanes to a column, from row `row` on.
#[inline(always)]
pub(super) fn store<S: Simd>(lanes: Lanes<S>, column: &mut F64Column, row: usize) {
    lanes.store_slice(&mut column.0[row..row + Lanes::<S>::LEN]);
}

/// Returns `|x| + |y|`.
#[inline(always)]
pub(super) fn norm1<S: Simd>([x, y]: Vectors<S>) -> Lanes<S> {
    x.abs() + y.abs()
}

/// Returns the dot product.
#[inline(always)]
pub(super) fn dot<S: Simd>(p: Vectors<S>, q: Vectors<S>) -> Lanes<S> {
    p[0] * q[0] + p[1] * q[1]
}

/// Returns `p − q`.
#[inline(always)]
pub(super) fn sub<S: Simd>(p: Vectors<S>, q: Vectors<S>) -> Vectors<S> {
    [p[0] - q[0], p[1] - q[1]]
}

/// Returns `p + direction · length`.
#[inline(always)]
pub(super) fn mul_add<S: Simd>(p: Vectors<S>, direction: Vectors<S>, length: Lanes<S>) -> Vectors<S> {
    [p[0] + direction[0] * length, p[1] + direction[1] * length]
}

/// A pose in each lane.
#[derive(Clone, Copy)]
pub(super) struct Poses<S: Simd> {
    /// The origin of the shape in world coordinates.
    pub(super) translation: Vectors<S>,
    /// Cosine of the angle.
    pub(super) cos: Lanes<S>,
    /// Sine of the angle.
    pub(super) sin: Lanes<S>,
}

impl<S: Simd> Poses<S> {
    /// Loads poses from columns of translations and rotations.
    #[inline(always)]
    pub(super) fn of(simd: S, [translations, rotations]: &[Vec2Column; 2], row: usize) -> Self {
        let [cos, sin] = rotations.load(simd, row);
        Self { translation: translations.load(simd, row), cos, sin }
    }

    /// Rotates a direction from local to world coordinates.
    #[inline(always)]
    pub(super) fn rotate(&self, [x, y]: Vectors<S>) -> Vectors<S> {
        [self.cos * x - self.sin * y, self.sin * x + self.cos * y]
    }

    /// Rotates a direction from world to local coordinates; the inverse of
    /// [`rotate`](Self::rotate).
    #[inline(always)]
    pub(super) fn unrotate(&self, [x, y]: Vectors<S>) -> Vectors<S> {
        [self.cos * x + self.sin * y, self.cos * y - self.sin * x]
    }

    /// Transforms a point from local to world coordinates.
    #[inline(always)]
    pub(super) fn apply(&self, point: Vectors<S>) -> Vectors<S> {
        let [x, y] = self.rotate(point);
        [x + self.translation[0], y + self.translation[1]]
    }

    /// Returns the relative poses of two shapes, with the arithmetic of
    /// [`Pair`](crate::query::pair::Pair).
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

/// The pose of b in the frame of a. In the opposite direction, the sine has the opposite sign.
pub(super) struct Relatives<S: Simd> {
    /// Cosine of the angle of b minus the angle of a.
    pub(super) cos: Lanes<S>,
    /// Sine of that angle.
    pub(super) sin: Lanes<S>,
    /// The origin of b in the frame of a.
    pub(super) b_in_a: Vectors<S>,
    /// The origin of a in the frame of b.
    pub(super) a_in_b: Vectors<S>,
    /// The origin of b minus the origin of a, in world coordinates.
    pub(super) apart: Vectors<S>,
}

/// Returns the error bounds of pairs. `sizes` is the sum of the bounding radii and radii; `apart`
/// is the difference of the translations `p` and `q`.
#[inline(always)]
pub(super) fn rounding<S: Simd>(
    sizes: Lanes<S>,
    apart: Vectors<S>,
    p: Vectors<S>,
    q: Vectors<S>,
) -> ErrorBounds<Lanes<S>> {
    ErrorBounds::new(sizes, norm1::<S>(apart), norm1::<S>(p) + norm1::<S>(q))
}

/// Copies the pose of placed shape `i` to a row.
#[inline(always)]
pub(super) fn gather_pose(view: View<'_>, i: u32, [translations, rotations]: &mut [Vec2Column; 2], row: usize) {
    translations.set(row, view.translations[i as usize]);
    rotations.set(row, view.rotations[i as usize]);
}

/// Selects `p` or `q` in each lane.
#[inline(always)]
pub(super) fn select<S: Simd>(first: mask64s<S>, p: Vectors<S>, q: Vectors<S>) -> Vectors<S> {
    [first.select(p[0], q[0]), first.select(p[1], q[1])]
}

/// A compacted list of selected rows. A branch per row would be unpredictable and cost more.
pub(super) struct CompactedRows {
    /// The selected rows, ascending; only the first `count` are valid.
    rows: [u8; ROWS],
    /// Number of selected rows, 0 to [`ROWS`].
    count: usize,
}

impl CompactedRows {
    /// Returns the rows set in `bits` among the first `rows` rows.
    #[inline(always)]
    pub(super) fn of(bits: u64, rows: usize) -> Self {
        let mut selected = Self { rows: [0; ROWS], count: 0 };
        for row in 0..rows.min(ROWS) {
            selected.keep_if(row, bits >> row & 1 != 0);
        }
        selected
    }

    /// Appends a row if `kept` is true, without a branch.
    #[inline(always)]
    pub(super) fn keep_if(&mut self, row: usize, kept: bool) {
        self.rows[self.count % ROWS] = row as u8;
        self.count += usize::from(kept);
    }

    /// Returns the number of selected rows.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count.min(ROWS)
    }

    /// Returns the selected row at index `i`.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> usize {
        usize::from(self.rows[i % ROWS]) % ROWS
    }

    /// Returns the rows, ascending.
    #[inline(always)]
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let (rows, count) = (self.rows, self.count);
        (0..count.min(ROWS)).map(move |k| usize::from(rows[k]) % ROWS)
    }
}
