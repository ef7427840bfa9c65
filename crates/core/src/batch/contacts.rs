//! What pairs that meet are told.

use alloc::vec::Vec;
use core::ops::Deref;

use super::groups::BLOCK;
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
    list: Vec<Contact>,
    /// The manifolds of a block whose pairs are not looked at in order.
    block: Vec<Option<Manifold>>,
}

impl Contacts {
    /// Without contacts.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// A block of pairs is looked at next, the first of which has a number.
    #[inline(always)]
    pub(super) fn block(&mut self, first: usize, in_order: bool) -> Sink<'_> {
        if !in_order {
            self.block.clear();
            self.block.resize(BLOCK, None);
        }
        Sink { list: &mut self.list, block: &mut self.block, first: first as u32, in_order }
    }
}

impl Deref for Contacts {
    type Target = [Contact];

    #[inline]
    fn deref(&self) -> &[Contact] {
        &self.list
    }
}

/// Whoever is told about pairs.
pub(super) trait Taker {
    /// A pair meets like this.
    fn put(&mut self, row: u16, manifold: Manifold);

    /// A pair is to be asked about by itself.
    fn ask(&mut self, row: u16);
}

/// Where the manifolds of a block go.
pub(super) struct Sink<'a> {
    list: &'a mut Vec<Contact>,
    block: &'a mut [Option<Manifold>],
    first: u32,
    in_order: bool,
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
        }
    }
}
