//! Serializes the state of a world: snapshots, state hashes and recordings.
//!
//! Input: a world. Output: bytes that contain everything that later updates depend on, and the
//! readable results of the last update. A restored world continues with the same bits.
//!
//! The broad phase is not stored: results do not depend on it, and it is built again from the
//! boxes. So a snapshot can be restored into a world with another broad phase, and both have the
//! same state hash.

mod colliders;
mod contacts;
mod header;
mod recording;
mod shapes;

use alloc::vec::Vec;

use super::World;
use super::ccd::PendingMotions;
use super::collider_set::{CHANGED, ColliderSet, ENABLED, HAS_DISABLED_PAIRS};
use super::command::Command;
use super::handle::Handle;
use crate::broad_phase::BruteForce;
use crate::error::Error;
use crate::math::codec::{Reader, Writer, hash};
use colliders::{
    read_collider, read_columns, read_handle, read_motions, read_pairs, write_collider, write_columns, write_handle,
    write_motions, write_pairs,
};
use contacts::{Detail, read_collisions, read_contacts, write_collisions, write_contacts};
use header::{DataKind, decode, encode};
pub(super) use recording::Recorder;
pub use recording::Recording;
use shapes::{ReadShapes, WriteShapes};

impl World {
    /// Returns the whole state as bytes: colliders, handles, contacts, events. A world that is
    /// [restored](World::restore) from the bytes continues bit for bit as this one does.
    ///
    /// The bytes contain a format version and a hash. Equal shapes are stored once; a circle
    /// without contacts takes about 30 bytes. Within a program, a clone is faster.
    ///
    /// ```
    /// use carom::{Collider, ErrorKind, Pose, Shape, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Collider::new(Shape::circle(1.0)?));
    /// world.update();
    /// let saved = world.to_bytes();
    /// world.set_pose(ball, Pose::from_translation([5.0, 0.0])?)?;
    /// world.restore(&saved)?;
    /// assert_eq!(world.pose(ball), Some(Pose::IDENTITY));
    ///
    /// let mut broken = saved.clone();
    /// broken[9] ^= 1;
    /// assert_eq!(world.restore(&broken).unwrap_err().kind(), ErrorKind::InvalidData);
    /// assert_eq!(world.to_bytes(), saved); // unchanged
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    #[doc(alias("snapshot", "save"))]
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(DataKind::SNAPSHOT, |out| self.write_state(out, Detail::Needed))
    }

    /// Returns a hash of the state, manifolds included. Two worlds with the same calls have the
    /// same hash, on every machine and with every broad phase.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut out = Writer::default();
        self.write_state(&mut out, Detail::Everything);
        hash(&out.0)
    }

    /// Restores a state of [`to_bytes`](World::to_bytes). The world keeps its broad phase.
    ///
    /// # Errors
    /// Bytes that are not a snapshot, are damaged or have another version. The world is unchanged
    /// then.
    #[doc(alias("load", "rollback"))]
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let state = Self::read_state(&mut decode(DataKind::SNAPSHOT, bytes)?)?;
        self.record_change(|| Command::Restore(bytes.to_vec()));
        self.adopt(state);
        Ok(())
    }

    /// Creates a world from the bytes of [`to_bytes`](World::to_bytes), with the default broad
    /// phase.
    ///
    /// # Errors
    /// As [`restore`](World::restore).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut world = Self::new();
        world.restore(bytes)?;
        Ok(world)
    }

    fn write_state(&self, out: &mut Writer, detail: Detail) {
        let mut shapes = WriteShapes::default();
        let mut body = Writer::default();
        write_columns(&self.columns, &mut shapes, &mut body);
        write_pairs(&self.disabled_pairs.pairs(), &mut body);
        write_contacts(&self.contacts, &self.events, &self.columns, detail, &mut body);
        for list in [&self.removed, &self.removed_since] {
            body.list(list, |out, (handle, collider)| {
                write_handle(*handle, out);
                write_collider(collider, &mut shapes, out);
            });
        }
        write_pairs(&self.passing, &mut body);
        let mut motions = self.motions.clone();
        motions.keep_last(&self.columns);
        write_motions(&motions.pending, &mut body);
        write_collisions(&self.motions.collisions, detail, &mut body);
        body.byte(self.filtered.into());
        body.varint_u64(self.candidates as u64);
        shapes.finish(out);
        out.0.extend_from_slice(&body.0);
    }

    /// Reads the bytes of [`write_state`](Self::write_state) into a world with an empty broad phase.
    fn read_state(from: &mut Reader<'_>) -> Result<Self, Error> {
        let mut world = Self::with_broad_phase(BruteForce::new());
        let shapes = ReadShapes::read(from)?;
        world.columns = read_columns(from, &shapes)?;
        for [a, b] in read_pairs(from)? {
            if a == b || !world.contains(a) || !world.contains(b) {
                return Err(from.invalid_data("a disabled pair has an unknown collider"));
            }
            world.disabled_pairs.set(a, b, false);
            for handle in [a, b] {
                world.columns.set(handle.slot(), HAS_DISABLED_PAIRS, true);
            }
        }
        (world.contacts, world.events) = read_contacts(from, &world.columns)?;
        for list in [&mut world.removed, &mut world.removed_since] {
            *list = from.list(2, |from| Ok((read_handle(from)?, read_collider(from, &shapes)?)))?;
        }
        world.passing = read_pairs(from)?;
        let motions = read_motions(from, &mut world.columns)?;
        world.motions = PendingMotions::restored(motions, read_collisions(from)?);
        (world.filtered, world.candidates) = (from.byte()? != 0, from.varint_u32()? as usize);
        let sorted = world.removed.is_sorted_by_key(|(handle, _)| *handle) && world.passing.is_sorted();
        if from.is_done() && sorted {
            return Ok(world);
        }
        Err(from.invalid_data("the snapshot has unsorted lists or extra bytes"))
    }

    /// Replaces the state by that of another world, and keeps the broad phase and the recording.
    fn adopt(&mut self, state: Self) {
        for slot in self.columns.enabled_slots() {
            self.space.remove(slot);
        }
        let Self { columns, disabled_pairs, contacts, events, motions, .. } = state;
        (self.columns, self.disabled_pairs, self.contacts) = (columns, disabled_pairs, contacts);
        (self.events, self.motions) = (events, motions);
        (self.removed, self.removed_since, self.passing) = (state.removed, state.removed_since, state.passing);
        (self.filtered, self.candidates) = (state.filtered, state.candidates);
        for slot in 0..self.columns.slots() as u32 {
            if self.columns.is(slot, ENABLED) {
                self.enter(slot);
            }
        }
    }
}

/// Returns true if the collider exists and did not change since the last update.
fn is_settled(columns: &ColliderSet, handle: Handle) -> bool {
    columns.find(handle).is_some_and(|slot| !columns.is(slot, CHANGED))
}
