//! Serializes contacts, events and impacts.
//!
//! Input: contacts, events and impacts of the last update. Output: bytes, and back. A contact of
//! two unchanged colliders is stored without its manifolds: the reader computes them again, bit for
//! bit. A manifold takes more than ten times as many bytes as the two slots.
//!
//! Contacts of changed or one-way colliders are stored as a whole, because they depend on poses
//! that are gone. A state hash contains all manifolds, so that it detects any difference.
//!
//! ```text
//! contact         kind byte; then two slots, or two handles and the manifolds
//! manifolds       the deepest; number of manifolds − 1; if there are several: all of them
//! manifold        number of points, normal, depth, two part indices, points
//! point           positions on both shapes, depth, two features
//! feature         2 · number + 1 for an edge, 2 · number for a vertex
//! events          number; per event: 0 and the index of a contact that begins, or a whole contact that ended
//! impact          flags, two handles, time, normal, point, two part indices
//! ```
//!
//! The reader requires contacts in order of their slots and indices in range. A contact without
//! manifolds must still intersect, or the bytes are invalid.

use alloc::vec::Vec;

use super::colliders::{read_handle, write_handle};
use super::is_settled;
use crate::error::Error;
use crate::math::codec::{Reader, Writer};
use crate::query::{ContactId, ContactPoint, Feature, Impact, Manifold};
use crate::world::ccd::{Collision, MotionCollision};
use crate::world::collider_set::{ColliderSet, ONE_WAY, SENSOR};
use crate::world::contact::ContactRef;
use crate::world::contact_diff::compute_manifolds;
use crate::world::contact_graph::ContactGraph;
use crate::world::contact_store::deepest;
use crate::world::events::{Change, Events};
use crate::world::handle::Handle;

/// Selects which manifolds are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Only manifolds that the reader cannot compute: for snapshots and recordings.
    Needed,
    /// All manifolds: for state hashes.
    Everything,
}

const FOUND_AGAIN: u8 = 0;
const STORED: u8 = 1;
const STORED_SENSOR: u8 = 2;

pub(super) fn write_contacts(
    contacts: &ContactGraph,
    events: &Events,
    columns: &ColliderSet,
    detail: Detail,
    out: &mut Writer,
) {
    let contacts = &contacts.store;
    out.varint_u64(contacts.len() as u64);
    for contact in contacts.iter() {
        let settled =
            contact.pair().iter().all(|&handle| is_settled(columns, handle) && !columns.is(handle.slot(), ONE_WAY));
        if settled && detail == Detail::Needed {
            out.byte(FOUND_AGAIN);
            out.varint_u64(contact.a.slot().into());
            out.varint_u64(contact.b.slot().into());
        } else {
            write_contact(contact, out);
        }
    }
    out.list(&events.changes, |out, change| match *change {
        Change::Begin(index) => {
            out.byte(0);
            out.varint_u64(index.into());
        }
        Change::End(index) => write_contact(events.ended.at(index), out),
    });
}

pub(super) fn read_contacts(from: &mut Reader<'_>, columns: &ColliderSet) -> Result<(ContactGraph, Events), Error> {
    let (mut contacts, mut events) = (ContactGraph::default(), Events::default());
    let (store, mut manifolds) = (&mut contacts.store, Vec::new());
    for _ in 0..from.count(3)? {
        let kind = from.byte()?;
        let (pair, sensor) = if kind == FOUND_AGAIN {
            find_again(from, columns, &mut manifolds)?
        } else {
            read_contact(from, kind, &mut manifolds)?
        };
        store.push_all(pair, sensor, &manifolds);
    }
    let slots = |pair: &[Handle; 2]| [pair[0].slot(), pair[1].slot()];
    let in_order = store.pairs.is_sorted_by(|p, q| slots(p) < slots(q));
    let known = store.pairs.iter().all(|[a, b]| a.slot() < b.slot() && b.index() < columns.slots());
    if !in_order || !known {
        return Err(from.invalid_data("the contacts are not sorted"));
    }
    for _ in 0..from.count(2)? {
        match from.byte()? {
            0 => match from.varint_u32()? as usize {
                index if index < store.len() => events.begin(index),
                _ => return Err(from.invalid_data("an event has an unknown contact")),
            },
            kind => {
                let (pair, sensor) = read_contact(from, kind, &mut manifolds)?;
                if let Some(manifold) = deepest(&manifolds) {
                    events.end_of(pair, sensor, manifold);
                }
            }
        }
    }
    contacts.link(columns.slots());
    Ok((contacts, events))
}

fn find_again(
    from: &mut Reader<'_>,
    columns: &ColliderSet,
    manifolds: &mut Vec<Manifold>,
) -> Result<([Handle; 2], bool), Error> {
    let slots = [from.varint_u32()?, from.varint_u32()?];
    if slots.iter().any(|&slot| slot as usize >= columns.slots() || !is_settled(columns, columns.handle(slot))) {
        return Err(from.invalid_data("a contact has an unknown collider"));
    }
    compute_manifolds(columns, slots, columns.margins.of_pair(slots), manifolds);
    if manifolds.is_empty() {
        return Err(from.invalid_data("the colliders of a contact do not intersect"));
    }
    Ok((columns.handles(slots), slots.iter().any(|&slot| columns.is(slot, SENSOR))))
}

fn write_contact(contact: ContactRef<'_>, out: &mut Writer) {
    out.byte(if contact.sensor { STORED_SENSOR } else { STORED });
    write_handle(contact.a, out);
    write_handle(contact.b, out);
    write_manifold(&contact.manifold(), out);
    // If there is only one manifold, it is the one above.
    let all = contact.manifolds();
    out.varint_u64(all.len() as u64 - 1);
    if all.len() > 1 {
        all.for_each(|manifold| write_manifold(&manifold, out));
    }
}

fn read_contact(from: &mut Reader<'_>, kind: u8, manifolds: &mut Vec<Manifold>) -> Result<([Handle; 2], bool), Error> {
    if ![STORED, STORED_SENSOR].contains(&kind) {
        return Err(from.invalid_data("the kind of a contact is unknown"));
    }
    let pair = [read_handle(from)?, read_handle(from)?];
    let deepest = read_manifold(from)?;
    manifolds.clear();
    match from.count(1)? {
        0 => manifolds.push(deepest),
        more => {
            // The list includes the deepest one.
            for _ in 0..=more {
                manifolds.push(read_manifold(from)?);
            }
        }
    }
    Ok((pair, kind == STORED_SENSOR))
}

fn write_manifold(manifold: &Manifold, out: &mut Writer) {
    out.byte(manifold.points().len() as u8);
    out.point(manifold.normal);
    out.float(manifold.depth);
    out.varint_u64(manifold.part_a.into());
    out.varint_u64(manifold.part_b.into());
    for point in manifold.points() {
        out.point(point.on_a);
        out.point(point.on_b);
        out.float(point.depth);
        for feature in [point.id.a, point.id.b] {
            out.varint_u64(feature.code());
        }
    }
}

fn read_manifold(from: &mut Reader<'_>) -> Result<Manifold, Error> {
    let count = from.byte()?;
    let (normal, depth) = (from.vector()?, from.finite()?);
    let (part_a, part_b) = (from.varint_u32()?, from.varint_u32()?);
    let mut points = [read_point(from)?; 2];
    match count {
        1 => {}
        2 => points[1] = read_point(from)?,
        _ => return Err(from.invalid_data("a contact has neither one nor two points")),
    }
    Ok(Manifold::from_stored(normal, depth, [part_a, part_b], points, count))
}

fn read_point(from: &mut Reader<'_>) -> Result<ContactPoint, Error> {
    let (on_a, on_b, depth) = (from.vector()?, from.vector()?, from.finite()?);
    let (a, b) = (Feature::from_code(from.varint_u64()?), Feature::from_code(from.varint_u64()?));
    Ok(ContactPoint { on_a, on_b, depth, id: ContactId { a, b } })
}

pub(super) fn write_collisions(collisions: &[MotionCollision], detail: Detail, out: &mut Writer) {
    out.varint_u64(collisions.len() as u64);
    for MotionCollision { collision: Collision { a, b, impact, sensor }, by_second } in collisions {
        // Not part of the hash: it follows from data that is hashed.
        let by_second = *by_second && matches!(detail, Detail::Needed);
        out.byte(u8::from(*sensor) | u8::from(by_second) << 1);
        write_handle(*a, out);
        write_handle(*b, out);
        out.float(impact.time);
        out.point(impact.normal);
        out.point(impact.point);
        out.varint_u64(impact.part_a.into());
        out.varint_u64(impact.part_b.into());
    }
}

pub(super) fn read_collisions(from: &mut Reader<'_>) -> Result<Vec<MotionCollision>, Error> {
    from.list(47, |from| {
        let flags = from.byte()?;
        let (a, b) = (read_handle(from)?, read_handle(from)?);
        let (time, normal, point) = (from.finite()?, from.vector()?, from.vector()?);
        let (part_a, part_b) = (from.varint_u32()?, from.varint_u32()?);
        let impact = Impact { time, normal, point, initial_depth: None, part_a, part_b };
        Ok(MotionCollision { collision: Collision { a, b, impact, sensor: flags & 1 != 0 }, by_second: flags & 2 != 0 })
    })
}
