//! Defines generational handles: ids of colliders that are never reused.
//!
//! A handle is a slot and a generation. Removal increments the generation of the slot. So a stale
//! handle is detected with one comparison, and never names the next collider of the slot. A slot is
//! retired after 2³² − 1 generations.

use alloc::vec::Vec;
use core::fmt;

use crate::math::lists::mapped;

/// The id of a collider in a [`World`](super::World): a slot and its generation.
///
/// The handle of a removed collider is stale. It never refers to the collider that reuses the slot.
/// Handles are ordered by slot, and so are contacts and events. The same calls give the same
/// handles on every machine.
///
/// ```
/// use carom::{Collider, Handle, Shape, World};
///
/// let mut world = World::new();
/// let first = world.insert(Collider::new(Shape::circle(1.0)?));
/// world.remove(first);
/// let second = world.insert(Collider::new(Shape::circle(2.0)?)); // takes the same slot
/// assert!(first.index() == second.index() && first != second);
/// assert!(world.get(first).is_none());
/// assert_eq!(Handle::from_bits(second.to_bits()), second);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Handle {
    index: u32,
    generation: u32,
}

impl Handle {
    /// A handle that is stale in every world.
    pub const NONE: Self = Self { index: u32::MAX, generation: u32::MAX };

    #[inline]
    pub(super) const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// Returns the slot: a small number, usable as an index into your own arrays. At most one
    /// collider has it at a time.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }

    #[inline]
    pub(super) const fn slot(self) -> u32 {
        self.index
    }

    #[inline]
    pub(super) const fn generation(self) -> u32 {
        self.generation
    }

    /// Returns the handle as one number, for other languages.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// Returns the handle of a number from [`to_bits`](Handle::to_bits). Any other number gives a
    /// handle that may be stale or that of some collider.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self { index: bits as u32, generation: (bits >> 32) as u32 }
    }
}

/// Sorts a list of any length. Allocates one integer for each handle;
/// [`sort_in_place`](crate::math::sort::sort_in_place) is for short lists.
#[inline(never)]
pub(super) fn sort_handles(handles: &mut [Handle]) {
    let mut keys: Vec<u64> = mapped(handles.iter(), |handle| handle.to_bits().rotate_left(32));
    keys.sort_unstable();
    handles.iter_mut().zip(keys).for_each(|(handle, key)| *handle = Handle::from_bits(key.rotate_left(32)));
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({}.{})", self.index, self.generation)
    }
}
