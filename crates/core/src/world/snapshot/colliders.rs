//! Serializes handles, colliders and pending motions.
//!
//! Input: the columns of a world. Output: bytes, and back. A collider is a byte of flags, the index
//! of its shape in the table, and its position. Properties with default values are not written, so
//! a collider takes about 20 bytes. Free slots are written with their generations: a restored world
//! returns the same handles as the original.
//!
//! Every value is checked while reading, because bytes can come from a file or a network.
//!
//! ```text
//! slots       number; per slot: flags, generation, and the collider if it is alive;
//!             the flags include whether it was inserted since the last update
//! collider    flags of the properties below, index of its shape, position
//!             then, if set: rotation, filter, user data, one-way front, contact margin
//! free list   number, slots
//! last flags  1 if last poses are recorded, plus 2 if the world has a contact margin
//!             then, if set: one pose per changed collider, the margin
//! motion      slot, displacement, angle
//! ```
//!
//! The free list must contain exactly the slots that are neither alive nor retired. Otherwise a
//! restored world could return one handle twice.

use alloc::vec::Vec;

use super::shapes::{ReadShapes, WriteShapes};
use crate::broad_phase::Filter;
use crate::error::Error;
use crate::math::codec::{Reader, Writer};
use crate::math::lists::mapped;
use crate::math::pose::Pose;
use crate::math::vector::check_size;
use crate::world::ccd::PendingMotion;
use crate::world::collider::Collider;
use crate::world::collider_set::{ALIVE, CHANGED, ColliderSet, HAS_DISABLED_PAIRS, IN_MOTION, LAST_GENERATION};
use crate::world::handle::Handle;
use crate::world::one_way::OneWay;

pub(super) fn write_handle(handle: Handle, out: &mut Writer) {
    out.varint_u64(handle.slot().into());
    out.varint_u64(handle.generation().into());
}

pub(super) fn read_handle(from: &mut Reader<'_>) -> Result<Handle, Error> {
    Ok(Handle::new(from.varint_u32()?, from.varint_u32()?))
}

/// Writes a list of pairs of handles.
pub(super) fn write_pairs(pairs: &[[Handle; 2]], out: &mut Writer) {
    out.list(pairs, |out, pair| pair.iter().for_each(|&handle| write_handle(handle, out)));
}

pub(super) fn read_pairs(from: &mut Reader<'_>) -> Result<Vec<[Handle; 2]>, Error> {
    from.list(4, |from| Ok([read_handle(from)?, read_handle(from)?]))
}

pub(super) fn write_filter(filter: &Filter, out: &mut Writer) {
    for bits in [filter.layers, filter.mask, filter.group.into()] {
        out.varint_u64(bits);
    }
}

pub(super) fn read_filter(from: &mut Reader<'_>) -> Result<Filter, Error> {
    Ok(Filter { layers: from.varint_u64()?, mask: from.varint_u64()?, group: from.varint_u32()? })
}

/// Flags of a stored collider: properties that differ from the default. Only these are written.
const TURNED: u8 = 1;
const FILTERED: u8 = 2;
const MARKED: u8 = 4;
const SENSOR: u8 = 8;
const FIXED: u8 = 16;
const DISABLED: u8 = 32;
const ONE_WAY: u8 = 64;
const CONTACT_MARGIN: u8 = 128;

/// Flags after the slots.
const LAST_POSES: u8 = 1;
const WORLD_MARGIN: u8 = 2;

pub(super) fn write_collider(collider: &Collider, shapes: &mut WriteShapes, out: &mut Writer) {
    let Collider { shape, pose, filter, sensor, fixed, enabled, one_way, user_data, contact_margin } = collider;
    let upright = pose.cos() == 1.0 && pose.sin().to_bits() == 0;
    let has = |which: u8, yes: bool| if yes { which } else { 0 };
    let flags = has(TURNED, !upright) | has(FILTERED, *filter != Filter::default()) | has(MARKED, *user_data != 0);
    let flags = flags | has(ONE_WAY, one_way.is_some()) | has(CONTACT_MARGIN, contact_margin.is_some());
    out.byte(flags | has(SENSOR, *sensor) | has(FIXED, *fixed) | has(DISABLED, !enabled));
    out.varint_u64(shapes.number(shape).into());
    if upright {
        out.point(pose.translation());
    } else {
        out.pose(pose);
    }
    if flags & FILTERED != 0 {
        write_filter(filter, out);
    }
    if flags & MARKED != 0 {
        out.varint_u64(*user_data);
    }
    if let Some(one_way) = one_way {
        out.point(one_way.front());
    }
    if let Some(margin) = contact_margin {
        out.float(*margin);
    }
}

/// Reads a contact margin.
pub(super) fn read_margin(from: &mut Reader<'_>) -> Result<f64, Error> {
    check_size("contact margin", from.finite()?).map_err(|_| from.invalid_data("a contact margin is out of range"))
}

/// Reads the front of a one-way collider.
pub(super) fn read_one_way(from: &mut Reader<'_>) -> Result<OneWay, Error> {
    OneWay::from_stored(from.vector()?).ok_or_else(|| from.invalid_data("the one-way front is not a unit vector"))
}

pub(super) fn read_collider(from: &mut Reader<'_>, shapes: &ReadShapes) -> Result<Collider, Error> {
    let flags = from.byte()?;
    let has = |which: u8| flags & which != 0;
    let mut collider = Collider::new(shapes.get(from)?).sensor(has(SENSOR)).fixed(has(FIXED)).enabled(!has(DISABLED));
    collider.pose = if has(TURNED) { from.pose()? } else { Pose::from_translation(from.point()?)? };
    if has(FILTERED) {
        collider.filter = read_filter(from)?;
    }
    if has(MARKED) {
        collider.user_data = from.varint_u64()?;
    }
    if has(ONE_WAY) {
        collider.one_way = Some(read_one_way(from)?);
    }
    if has(CONTACT_MARGIN) {
        collider.contact_margin = Some(read_margin(from)?);
    }
    Ok(collider)
}

/// Slot flags that are not a property of the collider, hence stored separately.
const OF_SLOT: u8 = ALIVE | CHANGED | HAS_DISABLED_PAIRS;

/// Stored with the flags of a slot: the collider was inserted since the last update. Not a flag of the slot itself.
const NEW: u8 = 2;

pub(super) fn write_columns(columns: &ColliderSet, shapes: &mut WriteShapes, out: &mut Writer) {
    out.varint_u64(columns.slots() as u64);
    for slot in 0..columns.slots() as u32 {
        let new = if columns.is_new[slot as usize] { NEW } else { 0 };
        out.byte(columns.flags[slot as usize] & OF_SLOT | new);
        out.varint_u64(columns.generations[slot as usize].into());
        if columns.is(slot, ALIVE) {
            write_collider(&columns.view(slot).to_collider(), shapes, out);
        }
    }
    out.list(&columns.free, |out, &slot| out.varint_u64(slot.into()));
    // Poses of changed colliders at the last update, if they are recorded (one-way colliders).
    let (poses, margin) = (!columns.last_poses.is_empty(), columns.margins.world());
    out.byte(if poses { LAST_POSES } else { 0 } | if margin > 0.0 { WORLD_MARGIN } else { 0 });
    if poses {
        for (slot, pose) in columns.last_poses.iter().enumerate() {
            if columns.is(slot as u32, CHANGED) {
                out.pose(pose);
            }
        }
    }
    if margin > 0.0 {
        out.float(margin);
    }
}

pub(super) fn read_columns(from: &mut Reader<'_>, shapes: &ReadShapes) -> Result<ColliderSet, Error> {
    let mut columns = ColliderSet::default();
    for _ in 0..from.count(2)? {
        let (stored, generation) = (from.byte()?, from.varint_u32()?);
        let (flags, is_new) = (stored & OF_SLOT, stored & NEW != 0);
        if stored & !(OF_SLOT | NEW) != 0 || is_new && flags & (ALIVE | CHANGED) != ALIVE | CHANGED {
            return Err(from.invalid_data("a slot has unknown flags"));
        }
        let collider = if flags & ALIVE == 0 { None } else { Some(read_collider(from, shapes)?) };
        columns.restore(flags, is_new, generation, collider);
    }
    columns.free = from.list(1, Reader::varint_u32)?;
    let flags = from.byte()?;
    if flags & !(LAST_POSES | WORLD_MARGIN) != 0 {
        return Err(from.invalid_data("the colliders have unknown flags"));
    }
    if flags & LAST_POSES != 0 {
        columns.last_poses = mapped(columns.poses_and_boxes.iter(), |entry| entry.pose);
        for slot in 0..columns.slots() as u32 {
            if columns.is(slot, CHANGED) {
                columns.last_poses[slot as usize] = from.pose()?;
            }
        }
    } else {
        columns.last_poses.clear();
    }
    if flags & WORLD_MARGIN != 0 {
        columns.margins.set_world(read_margin(from)?);
    }
    check_free(&columns).then_some(()).ok_or_else(|| from.invalid_data("the list of free slots is wrong"))?;
    Ok(columns)
}

/// Returns true if the free list contains exactly the unused slots that are not retired, each once.
fn check_free(columns: &ColliderSet) -> bool {
    let mut sorted = columns.free.clone();
    sorted.sort_unstable();
    let mut unused = (0..columns.slots() as u32)
        .filter(|&slot| !columns.is(slot, ALIVE) && columns.generations[slot as usize] < LAST_GENERATION);
    sorted.iter().all(|&slot| unused.next() == Some(slot)) && unused.next().is_none()
}

/// Writes the pending motions.
pub(super) fn write_motions(motions: &[PendingMotion], out: &mut Writer) {
    out.list(motions, |out, motion| {
        out.varint_u64(motion.slot.into());
        out.point(motion.translation);
        out.float(motion.turning);
    });
}

pub(super) fn read_motions(from: &mut Reader<'_>, columns: &mut ColliderSet) -> Result<Vec<PendingMotion>, Error> {
    from.list(25, |from| {
        let (slot, translation, turning) = (from.varint_u32()?, from.point()?, from.finite()?);
        let alive = (slot as usize) < columns.slots() && columns.is(slot, ALIVE);
        let sweep =
            alive.then(|| columns.placed(slot).sweep(translation).and_then(|sweep| sweep.with_rotation(turning)));
        if sweep.is_none_or(|sweep| sweep.is_err()) {
            return Err(from.invalid_data("a motion is invalid"));
        }
        columns.set(slot, IN_MOTION, true);
        Ok(PendingMotion { slot, translation, turning })
    })
}
