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
use super::ccd::{MotionCollision, PendingMotion, PendingMotions};
use super::collider::Collider;
use super::collider_set::{ALIVE, CHANGED, ColliderSet, ENABLED, FIXED, HAS_DISABLED_PAIRS};
use super::command::Command;
use super::contact_graph::ContactGraph;
use super::disabled_pairs::DisabledPairs;
use super::events::Events;
use super::handle::Handle;
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

/// The state that the next update depends on, and the readable results of the last one.
struct WorldState {
    columns: ColliderSet,
    rules: DisabledPairs,
    contacts: ContactGraph,
    events: Events,
    removed: Vec<(Handle, Collider)>,
    leaving: Vec<(Handle, Collider)>,
    passing: Vec<[Handle; 2]>,
    motions: Vec<PendingMotion>,
    collisions: Vec<MotionCollision>,
    filtered: bool,
    candidates: usize,
}

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
        encode(DataKind::Snapshot, |out| self.write_state(out, Detail::Needed))
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
        let state = WorldState::read(&mut decode(DataKind::Snapshot, bytes)?)?;
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
            body.varint_u64(list.len() as u64);
            for (handle, collider) in list {
                write_handle(*handle, &mut body);
                write_collider(collider, &mut shapes, &mut body);
            }
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

    fn adopt(&mut self, state: WorldState) {
        let enabled =
            |columns: &ColliderSet, slot: u32| columns.flags[slot as usize] & (ALIVE | ENABLED) == ALIVE | ENABLED;
        for slot in 0..self.columns.slots() as u32 {
            if enabled(&self.columns, slot) {
                self.space.remove(slot);
            }
        }
        let WorldState {
            columns,
            rules,
            contacts,
            events,
            removed,
            leaving,
            passing,
            motions,
            collisions,
            filtered,
            candidates,
        } = state;
        for slot in 0..columns.slots() as u32 {
            if enabled(&columns, slot) {
                let moving = !columns.is(slot, FIXED);
                self.space.insert(slot, &columns.search_box(slot), columns.filters[slot as usize], moving);
            }
        }
        (self.columns, self.disabled_pairs, self.contacts, self.events) = (columns, rules, contacts, events);
        self.motions = PendingMotions::restored(motions, collisions);
        self.passing = passing;
        (self.removed, self.removed_since, self.filtered, self.candidates) = (removed, leaving, filtered, candidates);
    }
}

impl WorldState {
    fn read(from: &mut Reader<'_>) -> Result<Self, Error> {
        let shapes = ReadShapes::read(from)?;
        let mut columns = read_columns(from, &shapes)?;
        let mut rules = DisabledPairs::default();
        for _ in 0..from.count(4)? {
            let (a, b) = (read_handle(from)?, read_handle(from)?);
            if a == b || columns.find(a).is_none() || columns.find(b).is_none() {
                return Err(from.invalid_data("a disabled pair has an unknown collider"));
            }
            rules.set(a, b, false);
            for handle in [a, b] {
                columns.set(handle.slot(), HAS_DISABLED_PAIRS, true);
            }
        }
        let (contacts, events) = read_contacts(from, &columns)?;
        let read_list =
            |from: &mut Reader<'_>| from.list(2, |from| Ok((read_handle(from)?, read_collider(from, &shapes)?)));
        let (removed, leaving) = (read_list(from)?, read_list(from)?);
        let passing = read_pairs(from)?;
        let motions = read_motions(from, &mut columns)?;
        let collisions = read_collisions(from)?;
        let (filtered, candidates) = (from.byte()? != 0, from.varint_u32()? as usize);
        let sorted = removed.is_sorted_by_key(|(handle, _)| *handle) && passing.is_sorted();
        if from.is_done() && sorted {
            return Ok(Self {
                columns,
                rules,
                contacts,
                events,
                removed,
                leaving,
                passing,
                motions,
                collisions,
                filtered,
                candidates,
            });
        }
        Err(from.invalid_data("the snapshot has unsorted lists or extra bytes"))
    }
}

/// Returns true if the collider exists and did not change since the last update.
fn is_settled(columns: &ColliderSet, handle: Handle) -> bool {
    columns.find(handle).is_some_and(|slot| !columns.is(slot, CHANGED))
}
