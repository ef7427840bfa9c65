//! Defines the list of contacts that [`Batch::collide`](super::Batch::collide) returns.
//!
//! With several threads, the pairs are computed in rounds of one chunk per thread. In each round, a
//! thread first copies its contacts of the last round to the output, then computes its next chunk.
//! So the copy is parallel too, and its source is still in the cache of the same thread. Offsets
//! are known only after a round, which is why the copy is one round late.
//!
//! ```text
//! for each round of as many chunks as threads, and one more
//!     make space for the contacts of the last round in the output
//!     for each thread, in parallel: copy its contacts of the last round; compute its next chunk
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use super::contact_columns::{ColumnsMut, ContactColumns};
use super::pair_contact::PairContact;
use super::prefetch::BLOCK;
use crate::math::lists::resize;
use crate::math::parallel;

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
    /// One list per thread, with its contacts of the last round.
    writers: Vec<ContactColumns>,
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

    /// Replaces the contents by the results of `run`, which writes the contacts of a chunk of
    /// pairs.
    ///
    /// The first argument of `run` is the index of the chunk's first pair. Returns the first error
    /// of `run`.
    pub(super) fn fill<E: Send>(
        &mut self,
        pairs: &[[u32; 2]],
        run: impl Fn(usize, &[[u32; 2]], &mut ContactColumns) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E> {
        self.columns.clear();
        let count = parallel::chunk_count(pairs.len(), PAIRS_PER_CHUNK);
        if self.writers.len() < count {
            resize(&mut self.writers, count);
        }
        self.writers.iter_mut().for_each(ContactColumns::clear);
        if count == 1 {
            let writer = &mut self.writers[0];
            core::mem::swap(&mut self.columns, writer);
            let result = run(0, pairs, writer);
            core::mem::swap(&mut self.columns, writer);
            return result.inspect_err(|_| self.columns.clear());
        }
        // One additional round copies the results of the last chunks.
        let rounds = pairs.chunks(count * PAIRS_PER_CHUNK).chain(core::iter::once(&[][..]));
        for (first, round) in (0..).step_by(count * PAIRS_PER_CHUNK).zip(rounds) {
            if let Err(error) = self.round(first, round, count, &run) {
                self.columns.clear();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Runs one round: each writer copies its results of the last round to the output, then
    /// computes a new chunk.
    fn round<E: Send>(
        &mut self,
        first: usize,
        pairs: &[[u32; 2]],
        count: usize,
        run: &(impl Fn(usize, &[[u32; 2]], &mut ContactColumns) -> Result<(), E> + Sync + Send),
    ) -> Result<(), E> {
        let writers = &mut self.writers[..count];
        let mut free: ColumnsMut<'_> = self.columns.extend(writers.iter().map(ContactColumns::len).sum());
        let mut chunks = (first..).step_by(PAIRS_PER_CHUNK).zip(pairs.chunks(PAIRS_PER_CHUNK));
        let mut errors: Vec<Option<E>> = Vec::new();
        resize(&mut errors, count);
        let mut tasks = Vec::with_capacity(count);
        for (writer, error) in writers.iter_mut().zip(&mut errors) {
            tasks.push((free.split_off(writer.len()), writer, chunks.next(), error));
        }
        parallel::for_each(tasks, |(mut output, writer, chunk, error)| {
            output.copy_from(writer);
            writer.clear();
            *error = chunk.and_then(|(first, pairs)| run(first, pairs, writer).err());
        });
        errors.into_iter().flatten().next().map_or(Ok(()), Err)
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
