//! What pairs that meet are told.

use alloc::vec::Vec;
use core::ops::Deref;

use super::groups::{Asked, BLOCK};
use crate::math::cores;
use crate::query::Manifold;

/// How the shapes of one pair of many meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The place of the pair among those that were asked about.
    pub pair: u32,
    /// How they meet.
    pub manifold: Manifold,
}

/// The contacts of many pairs, in the order of the pairs; it keeps its memory for the next time.
///
/// ```
/// use carom::batch::{Batch, Contacts};
/// use carom::{Pose, Shape};
///
/// let mut batch = Batch::new();
/// let tile = batch.add(&Shape::rectangle(1.0, 1.0)?);
/// for x in [0.0, 0.75, 1.75] {
///     batch.push(tile, Pose::from_translation([x, 0.0])?)?;
/// }
/// let mut contacts = Contacts::new();
/// batch.collide(&[[0, 2], [0, 1], [1, 2]], &mut contacts)?;
/// let met: Vec<(u32, f64)> = contacts.iter().map(|c| (c.pair, c.manifold.depth)).collect();
/// assert_eq!(met, [(1, 0.25), (2, 0.0)]);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The first `len` are those of this time.
    list: Vec<Contact>,
    len: usize,
    writers: Vec<Writer>,
}

/// Pairs that a core is given at a time: their contacts stay in its cache until they are copied to where they belong.
const CHUNK: usize = 8 * BLOCK;

impl Contacts {
    /// Without contacts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Overwrites all with what `run` writes for pairs, the first of which has a number, and more after them; or else the first refusal.
    pub(super) fn fill<E: Send>(
        &mut self,
        pairs: &[[u32; 2]],
        run: impl Fn(usize, &[[u32; 2]], &mut Writer) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E> {
        self.len = 0;
        let count = cores::parts(pairs.len(), CHUNK);
        if self.writers.len() < count {
            self.writers.resize_with(count, Writer::default);
        }
        self.writers.iter_mut().for_each(|writer| writer.list.clear());
        if count == 1 {
            let writer = &mut self.writers[0];
            core::mem::swap(&mut self.list, &mut writer.list);
            writer.list.clear();
            let done = run(0, pairs, writer);
            core::mem::swap(&mut self.list, &mut writer.list);
            self.len = if done.is_ok() { self.list.len() } else { 0 };
            return done;
        }
        // The last round only copies what the one before has found.
        let rounds = pairs.chunks(count * CHUNK).chain(core::iter::once(&[][..]));
        for (first, round) in (0..).step_by(count * CHUNK).zip(rounds) {
            if let Err(refusal) = self.round(first, round, count, &run) {
                self.len = 0;
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// Each writer copies what it has found in the last round to where that belongs, then looks at pairs of this one.
    fn round<E: Send>(
        &mut self,
        first: usize,
        pairs: &[[u32; 2]],
        count: usize,
        run: &(impl Fn(usize, &[[u32; 2]], &mut Writer) -> Result<(), E> + Sync + Send),
    ) -> Result<(), E> {
        let writers = &mut self.writers[..count];
        let (from, found) = (self.len, writers.iter().map(|writer| writer.list.len()).sum::<usize>());
        self.len += found;
        if self.list.len() < self.len
            && let Some(&any) = writers.iter().find_map(|writer| writer.list.first())
        {
            self.list.resize(self.len, any);
        }
        let mut free = &mut self.list[from..self.len];
        let mut chunks = (first..).step_by(CHUNK).zip(pairs.chunks(CHUNK));
        let mut refusals: Vec<Option<E>> = Vec::new();
        refusals.resize_with(count, || None);
        let mut tasks = Vec::with_capacity(count);
        for (writer, refusal) in writers.iter_mut().zip(&mut refusals) {
            tasks.push((free.split_off_mut(..writer.list.len()).unwrap_or_default(), writer, chunks.next(), refusal));
        }
        cores::each(tasks, |(place, writer, chunk, refusal)| {
            place.copy_from_slice(&writer.list);
            writer.list.clear();
            *refusal = chunk.and_then(|(first, pairs)| run(first, pairs, writer).err());
        });
        refusals.into_iter().flatten().next().map_or(Ok(()), Err)
    }
}

impl Deref for Contacts {
    type Target = [Contact];

    #[inline]
    fn deref(&self) -> &[Contact] {
        &self.list[..self.len]
    }
}

/// Contacts of some of the pairs on their way out.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    list: Vec<Contact>,
    /// The manifolds of a block whose pairs are not looked at in order.
    block: Vec<Option<Manifold>>,
}

impl Writer {
    /// A block of pairs is looked at next, the first of which has a number.
    #[inline(always)]
    pub(super) fn block(&mut self, first: usize, in_order: bool) -> Sink<'_> {
        if !in_order {
            self.block.clear();
            self.block.resize(BLOCK, None);
        }
        Sink {
            begun: self.list.len(),
            list: &mut self.list,
            block: &mut self.block,
            first: first as u32,
            in_order,
            asked: Asked::default(),
        }
    }

    /// How a pair of the last block meets, if it was not in order.
    #[inline(always)]
    pub(super) fn found(&self, row: usize) -> Option<&Manifold> {
        self.block.get(row)?.as_ref()
    }
}

/// Where the manifolds of a block go.
pub(super) struct Sink<'a> {
    list: &'a mut Vec<Contact>,
    /// How many of them were there before.
    begun: usize,
    block: &'a mut [Option<Manifold>],
    first: u32,
    in_order: bool,
    /// Instead of a manifold.
    pub(super) asked: Asked,
}

impl Sink<'_> {
    #[inline(always)]
    pub(super) fn put(&mut self, row: u16, manifold: Manifold) {
        if self.in_order {
            self.list.push(Contact { pair: self.first + u32::from(row), manifold });
        } else if let Some(place) = self.block.get_mut(usize::from(row)) {
            *place = Some(manifold);
        }
    }

    /// All pairs were looked at.
    #[inline(always)]
    pub(super) fn finish(self) {
        if !self.in_order {
            let met = (self.first..).zip(self.block).filter_map(|(pair, found)| found.map(|manifold| Contact { pair, manifold }));
            self.list.extend(met);
        } else if !self.asked.is_empty() {
            // Those that were asked about by themselves came last.
            self.list[self.begun..].sort_unstable_by_key(|contact| contact.pair);
        }
    }
}
