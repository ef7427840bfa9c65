//! Records all calls that change a world, as a start state and a list of commands.
//!
//! Input: the calls of a world from `start_recording` on. Output: bytes with the start state, one
//! tag and its arguments per call, and the state hash at the end. A replay of the commands gives
//! the same states, so a recording reproduces a bug on any machine.
//!
//! Commands are serialized when they are called. A list of snapshots would need the whole state for
//! each frame.
//!
//! ```text
//! recording   length and bytes of the start state; commands; 0; 8 bytes of state hash
//! command     tag; handle; arguments
//! insert      1; table with the shape; collider
//! restore     16; length; bytes of the snapshot
//! update      17, or 18 with the sorted list of refused pairs
//! ```
//!
//! A pair filter is a function and cannot be stored. So an update with a filter stores the pairs
//! that it refused.

use alloc::vec::Vec;

use super::colliders::{
    read_collider, read_filter, read_handle, read_margin, read_one_way, read_pairs, write_collider, write_filter,
    write_handle, write_pairs,
};
use super::contacts::Detail;
use super::header::{DataKind, decode, encode};
use super::shapes::{ReadShapes, WriteShapes};
use crate::error::Error;
use crate::math::codec::{Reader, Writer};
use crate::shape::Shape;
use crate::world::World;
use crate::world::collider::Collider;
use crate::world::command::Command;
use crate::world::revision::Revision;

/// The recording in progress, if any. A clone of a world does not record.
#[derive(Default)]
pub(in crate::world) struct Recorder(Option<Recorded>);

/// The bytes of a recording in progress.
struct Recorded {
    bytes: Writer,
    /// Always [`write_call`]. A program that never records links none of its code.
    write: fn(&Command, &mut Writer),
}

impl Clone for Recorder {
    fn clone(&self) -> Self {
        Self(None)
    }
}

/// All calls that changed a world since its recording began, for replay: for example in a bug
/// report.
///
/// ```
/// use carom::{Collider, Pose, Shape, World};
/// use carom::world::{Command, Recording};
///
/// let mut world = World::new();
/// let ball = world.insert(Collider::new(Shape::circle(1.0)?));
/// world.start_recording();
/// world.set_pose(ball, Pose::from_translation([5.0, 0.0])?)?;
/// world.update();
/// let bytes = world.stop_recording().unwrap();
///
/// let recording = Recording::from_bytes(&bytes)?;
/// assert_eq!(recording.calls().last(), Some(&Command::Update));
/// let mut again = recording.start().clone();
/// for call in recording.calls() {
///     call.apply(&mut again)?;
/// }
/// assert_eq!(again.state_hash(), world.state_hash());
/// assert_eq!(again.state_hash(), recording.final_hash());
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    start: World,
    calls: Vec<Command>,
    hash: u64,
}

impl World {
    /// Starts to record all calls that change the world. A recording in progress is discarded.
    pub fn start_recording(&mut self) {
        let mut out = Writer::default();
        self.write_state(&mut out, Detail::Needed);
        let state = core::mem::take(&mut out.0);
        out.varint_u64(state.len() as u64);
        out.0.extend_from_slice(&state);
        self.recorder = Recorder(Some(Recorded { bytes: out, write: write_call }));
    }

    /// Ends the recording and returns its bytes for [`Recording::from_bytes`]; `None` if none was
    /// started.
    pub fn stop_recording(&mut self) -> Option<Vec<u8>> {
        let calls = self.recorder.0.take()?;
        let hash = self.state_hash();
        Some(encode(DataKind::RECORDING, |out| {
            out.0.extend_from_slice(&calls.bytes.0);
            out.byte(END);
            out.0.extend_from_slice(&hash.to_le_bytes());
        }))
    }

    /// Returns true if the world records.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.recorder.0.is_some()
    }

    /// Records a call that has changed, or is about to change, the world.
    #[inline]
    pub(in crate::world) fn record(&mut self, call: impl FnOnce() -> Command) {
        if let Some(recorded) = &mut self.recorder.0 {
            (recorded.write)(&call(), &mut recorded.bytes);
        }
    }

    /// Records a call that changes more than poses, motions, contact margins and user data.
    #[inline]
    pub(in crate::world) fn record_change(&mut self, call: impl FnOnce() -> Command) {
        self.columns.revision = Revision::next();
        self.record(call);
    }
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    /// Bytes that are not a recording, are damaged or have another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut from = decode(DataKind::RECORDING, bytes)?;
        let length = from.count(1)?;
        let mut start = World::new();
        start.adopt(World::read_state(&mut Reader::new(from.take(length)?))?);
        let mut calls = Vec::new();
        while let Some(call) = read_call(&mut from)? {
            calls.push(call);
        }
        let hash = from.take(8)?.iter().rev().fold(0, |hash, &byte| hash << 8 | u64::from(byte));
        if from.is_done() { Ok(Self { start, calls, hash }) } else { Err(from.invalid_data("there are extra bytes")) }
    }

    /// Returns the world at the start of the recording, with the default broad phase.
    #[must_use]
    pub fn start(&self) -> &World {
        &self.start
    }

    /// Returns the recorded calls, in order.
    #[must_use]
    pub fn calls(&self) -> &[Command] {
        &self.calls
    }

    /// Returns the [hash](World::state_hash) of the recorded world at the end. If a replay gives
    /// another hash, there is a bug, or the version differs.
    #[must_use]
    pub fn final_hash(&self) -> u64 {
        self.hash
    }
}

const END: u8 = 0;

/// Writes a tag for the kind of call, the same as in [`read_call`], then the arguments.
fn write_call(call: &Command, out: &mut Writer) {
    let mut tagged = |tag: u8, handle| {
        out.byte(tag);
        write_handle(handle, out);
    };
    match call {
        Command::Insert(collider) => write_insert(collider, out),
        Command::Remove(handle) => tagged(2, *handle),
        Command::SetPose(handle, pose) => {
            tagged(3, *handle);
            out.pose(pose);
        }
        Command::SetShape(handle, shape) => {
            tagged(4, *handle);
            shape.write(out);
        }
        Command::SetFilter(handle, filter) => {
            tagged(5, *handle);
            write_filter(filter, out);
        }
        Command::SetSensor(handle, yes) => tagged(6 + u8::from(*yes), *handle),
        Command::SetFixed(handle, yes) => tagged(8 + u8::from(*yes), *handle),
        Command::SetEnabled(handle, yes) => tagged(10 + u8::from(*yes), *handle),
        Command::SetUserData(handle, number) => {
            tagged(12, *handle);
            out.varint_u64(*number);
        }
        Command::SetOneWay(handle, one_way) => {
            tagged(19 + u8::from(one_way.is_some()), *handle);
            if let Some(one_way) = one_way {
                out.point(one_way.front());
            }
        }
        Command::SetContactMargin(handle, margin) => {
            tagged(21 + u8::from(margin.is_some()), *handle);
            if let Some(margin) = margin {
                out.float(*margin);
            }
        }
        Command::SetDefaultContactMargin(margin) => {
            out.byte(23);
            out.float(*margin);
        }
        Command::SetPair(a, b, allowed) => {
            tagged(13 + u8::from(*allowed), *a);
            write_handle(*b, out);
        }
        Command::SetMotion(handle, translation, turning) => {
            tagged(15, *handle);
            out.point(*translation);
            out.float(*turning);
        }
        Command::Restore(bytes) => {
            out.byte(16);
            out.varint_u64(bytes.len() as u64);
            out.0.extend_from_slice(bytes);
        }
        Command::Update => out.byte(17),
        Command::UpdateWith(refused) => {
            out.byte(18);
            write_pairs(refused, out);
        }
    }
}

/// Writes a collider, after a shape table with its shape.
fn write_insert(collider: &Collider, out: &mut Writer) {
    let (mut shapes, mut body) = (WriteShapes::default(), Writer::default());
    write_collider(collider, &mut shapes, &mut body);
    out.byte(1);
    shapes.finish(out);
    out.0.extend_from_slice(&body.0);
}

/// Reads the next call; `None` at the end.
fn read_call(from: &mut Reader<'_>) -> Result<Option<Command>, Error> {
    let tag = from.byte()?;
    let odd = |base: u8| tag - base == 1;
    Ok(Some(match tag {
        END => return Ok(None),
        1 => {
            let shapes = ReadShapes::read(from)?;
            Command::Insert(read_collider(from, &shapes)?)
        }
        2 => Command::Remove(read_handle(from)?),
        3 => Command::SetPose(read_handle(from)?, from.pose()?),
        4 => Command::SetShape(read_handle(from)?, Shape::read(from)?),
        5 => Command::SetFilter(read_handle(from)?, read_filter(from)?),
        6 | 7 => Command::SetSensor(read_handle(from)?, odd(6)),
        8 | 9 => Command::SetFixed(read_handle(from)?, odd(8)),
        10 | 11 => Command::SetEnabled(read_handle(from)?, odd(10)),
        12 => Command::SetUserData(read_handle(from)?, from.varint_u64()?),
        13 | 14 => Command::SetPair(read_handle(from)?, read_handle(from)?, odd(13)),
        15 => Command::SetMotion(read_handle(from)?, from.point()?, from.finite()?),
        16 => {
            let count = from.count(1)?;
            Command::Restore(from.take(count)?.to_vec())
        }
        17 => Command::Update,
        18 => {
            let refused = read_pairs(from)?;
            if !refused.is_sorted() {
                return Err(from.invalid_data("the refused pairs are not sorted"));
            }
            Command::UpdateWith(refused)
        }
        19 => Command::SetOneWay(read_handle(from)?, None),
        20 => Command::SetOneWay(read_handle(from)?, Some(read_one_way(from)?)),
        21 => Command::SetContactMargin(read_handle(from)?, None),
        22 => Command::SetContactMargin(read_handle(from)?, Some(read_margin(from)?)),
        23 => Command::SetDefaultContactMargin(read_margin(from)?),
        _ => return Err(from.invalid_data("the kind of a call is unknown")),
    }))
}
