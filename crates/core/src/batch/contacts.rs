//! Defines the list of contacts that [`Batch::collide`](super::Batch::collide) returns.
//!
//! With several threads, each computes chunks of pairs into an own list. The lists are appended in
//! the order of the chunks as soon as all earlier ones are.

use alloc::vec::Vec;
use core::ops::Range;

use super::contact_columns::ContactColumns;
use super::pair_contact::PairContact;
use super::prefetch::BLOCK;
use crate::math::parallel::{self, OutputBuffers};

/// The contacts of an array of pairs, in the order of the pairs. Keeps its memory when it is
/// reused.
///
/// Stored as columns: reading only the pair indices, normals or depths does not touch the other
/// data.
///
/// ```
/// use carom::batch::{Batch, Contacts};
/// use carom::{Pose, Shape};
///
/// let mut batch = Batch::new();
/// let tile = batch.add_shape(&Shape::rectangle(1.0, 1.0)?);
/// for x in [0.0, 0.75, 1.75] {
///     batch.add_instance(tile, Pose::from_translation([x, 0.0])?)?;
/// }
/// let mut contacts = Contacts::new();
/// batch.collide(&[[0, 2], [0, 1], [1, 2]], &mut contacts)?;
/// assert_eq!(contacts.pair_indices(), [1, 2]);
/// assert_eq!(contacts.depths(), [0.25, 0.0]);
/// for contact in &contacts {
///     assert_eq!(contact.manifold.points().len(), 2);
/// }
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// All contacts, in the order of the pairs.
    columns: ContactColumns,
    /// The contacts of chunks on several threads, until they are appended in order.
    buffers: OutputBuffers<ContactColumns>,
    /// By thread: the first pair of its first chunk with an error, and the error.
    errors: Vec<Option<(usize, u32)>>,
}

/// Number of pairs per chunk of parallel work. The contacts of a chunk stay in the core's cache
/// until they are copied to the output.
const PAIRS_PER_CHUNK: usize = 8 * BLOCK;

impl Contacts {
    /// Returns an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of contacts.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Returns true if there are no contacts.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the contact at index `i` of this list.
    #[inline]
    #[must_use]
    pub fn get(&self, i: usize) -> Option<PairContact> {
        self.columns.get(i)
    }

    /// Returns an iterator over all contacts, each built from the columns.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> Iter<'_> {
        Iter { columns: &self.columns, indices: 0..self.len() }
    }

    /// Returns the indices of the pairs that intersect, ascending.
    #[inline]
    #[must_use]
    pub fn pair_indices(&self) -> &[u32] {
        self.columns.pairs()
    }

    /// Returns the x and the y coordinates of the normals, as
    /// [`Manifold::normal`](crate::Manifold::normal).
    #[inline]
    #[must_use]
    pub fn normals(&self) -> [&[f64]; 2] {
        [self.columns.numbers(0), self.columns.numbers(1)]
    }

    /// Returns the depths, as [`Manifold::depth`](crate::Manifold::depth).
    #[inline]
    #[must_use]
    pub fn depths(&self) -> &[f64] {
        self.columns.numbers(2)
    }

    /// Replaces the contents by the results of `run`, which appends the contacts of a chunk of
    /// pairs.
    ///
    /// The first argument of `run` is the index of the chunk's first pair. Returns the first error
    /// of `run`.
    pub(super) fn fill(
        &mut self,
        pairs: &[[u32; 2]],
        run: impl Fn(usize, &[[u32; 2]], &mut ContactColumns) -> Result<(), u32> + Sync,
    ) -> Result<(), u32> {
        self.columns.clear();
        let count = parallel::chunk_count(pairs.len(), PAIRS_PER_CHUNK);
        let chunk = if count == 1 { pairs.len().max(1) } else { PAIRS_PER_CHUNK };
        let chunks = (0..).step_by(chunk).zip(pairs.chunks(chunk));
        self.errors.clear();
        self.errors.resize(parallel::worker_count(count), None);
        let Self { columns, buffers, errors } = self;
        parallel::collect_in_order(chunks, errors, buffers, columns, |(first, pairs), error, columns| {
            if error.is_none() {
                *error = run(first, pairs, columns).err().map(|index| (first, index));
            }
        });
        let Some((_, index)) = errors.iter().flatten().min() else { return Ok(()) };
        columns.clear();
        Err(*index)
    }
}

/// An iterator over contacts, returned by [`Contacts::iter`].
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    /// The columns of the list.
    columns: &'a ContactColumns,
    /// The indices that remain.
    indices: Range<usize>,
}

impl Iterator for Iter<'_> {
    type Item = PairContact;

    #[inline]
    fn next(&mut self) -> Option<PairContact> {
        self.columns.get(self.indices.next()?)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<PairContact> {
        self.columns.get(self.indices.nth(n)?)
    }
}

impl DoubleEndedIterator for Iter<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<PairContact> {
        self.columns.get(self.indices.next_back()?)
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Contacts {
    type Item = PairContact;
    type IntoIter = Iter<'a>;

    #[inline]
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
