//! Stores the colliders of a world as structure of arrays, and checks handles.
//!
//! Input: colliders and handles. Output: one column per property, indexed by slot. A removed
//! collider's slot is reused with the next generation, so that old handles become stale (a
//! generational arena, or slot map).
//!
//! A loop of the update reads one or two properties of each collider. In an array of structures,
//! each read would load a whole collider. Columns load only the property (Ericson, *Real-Time
//! Collision Detection*, 13.3). Pose and box are one record, because every candidate reads both.
//!
//! The set also lists the slots that changed since the last update. So the cost of an update
//! without changes does not depend on the number of colliders.

use alloc::format;
use alloc::vec::Vec;

use glam::DVec2;

use super::collider::{Collider, ColliderRef};
use super::contact_margins::ContactMargins;
use super::handle::Handle;
use super::one_way::OneWay;
use super::revision::Revision;
use crate::batch::ShapeId;
use crate::batch::shape_interner::ShapeInterner;
use crate::batch::shape_kind::circle_radius;
use crate::broad_phase::Filter;
use crate::error::{Error, ErrorKind};
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::prefetch::prefetch;
use crate::shape::convex::Convex;
use crate::shape::{Placed, Shape};

/// Boolean properties of a slot, one bit each.
pub(super) type Flags = u8;
/// The slot is in use by a collider.
pub(super) const ALIVE: Flags = 1;
/// The collider is enabled, hence in the broad phase.
pub(super) const ENABLED: Flags = 2;
pub(super) const SENSOR: Flags = 4;
pub(super) const FIXED: Flags = 8;
/// Some property that contacts depend on changed since the last update.
pub(super) const CHANGED: Flags = 16;
/// A pair with this collider was disabled by hand.
pub(super) const HAS_DISABLED_PAIRS: Flags = 32;
/// The collider is one-way: others pass from behind.
pub(super) const ONE_WAY: Flags = 64;
/// The collider has a motion that the next update executes.
pub(super) const IN_MOTION: Flags = 128;

/// The generation at which a slot is retired, so that generations never repeat.
pub(super) const LAST_GENERATION: u32 = u32::MAX;

/// Pose and bounding box of a collider, in one 64-byte-aligned record because every candidate reads
/// both.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct PoseAndAabb {
    pub(super) pose: Pose,
    pub(super) aabb: Aabb,
}

impl PoseAndAabb {
    /// Returns true if two positions are certainly farther apart than a distance.
    #[inline(always)]
    fn is_farther(&self, other: &Self, distance: f64) -> bool {
        let offset = other.pose.translation() - self.pose.translation();
        // False if the distance is NaN (no circle). The relative term covers rounding,
        // `MIN_POSITIVE` squares that underflow.
        offset.x * offset.x + offset.y * offset.y > distance * distance * (1.0 + 1e-9) + f64::MIN_POSITIVE
    }
}

/// All colliders, as structure of arrays indexed by slot. Free slots are reused last in, first out.
#[derive(Clone, Debug, Default)]
pub(super) struct ColliderSet {
    pub(super) generations: Vec<u32>,
    pub(super) flags: Vec<Flags>,
    pub(super) shapes: Vec<Shape>,
    pub(super) poses_and_boxes: Vec<PoseAndAabb>,
    /// Radii of circles that are centred on their own origin; NaN for all other shapes.
    pub(super) circle_radii: Vec<f64>,
    /// Shape ids for the narrow phase. The id of a circle is its slot.
    pub(super) ids: Vec<ShapeId>,
    pub(super) interner: ShapeInterner,
    pub(super) filters: Vec<Filter>,
    pub(super) user_data: Vec<u64>,
    /// By slot: true if the collider was inserted since the last update. Such a slot is in `changed`.
    pub(super) is_new: Vec<bool>,
    pub(super) margins: ContactMargins,
    /// Slots and fronts of the one-way colliders, sorted by slot.
    fronts: Vec<(u32, OneWay)>,
    /// Poses of changed colliders at the last update; empty until the first one-way collider.
    pub(super) last_poses: Vec<Pose>,
    pub(super) free: Vec<u32>,
    /// Number of colliders.
    pub(super) len: usize,
    /// Slots with the flag [`CHANGED`].
    pub(super) changed: Vec<u32>,
    pub(super) revision: Revision,
}

impl ColliderSet {
    /// Returns the number of slots, free ones included.
    pub(super) fn slots(&self) -> usize {
        self.flags.len()
    }

    pub(super) fn insert(&mut self, collider: Collider) -> Handle {
        let Collider { shape, pose, filter, sensor, fixed, enabled, one_way, user_data, contact_margin } = collider;
        let aabb = shape.placed(pose).aabb();
        let flags = ALIVE | flag(ENABLED, enabled) | flag(SENSOR, sensor) | flag(FIXED, fixed);
        let slot = self.free.pop().unwrap_or(self.flags.len() as u32);
        let i = slot as usize;
        let (id, circle_radius) = self.shape_id_and_radius(slot, &shape);
        let flags = flags | self.flags.get(i).copied().unwrap_or(0);
        put(&mut self.ids, i, id);
        put(&mut self.circle_radii, i, circle_radius);
        put(&mut self.flags, i, flags);
        put(&mut self.shapes, i, shape);
        put(&mut self.poses_and_boxes, i, PoseAndAabb { pose, aabb });
        put(&mut self.filters, i, filter);
        put(&mut self.user_data, i, user_data);
        put(&mut self.is_new, i, true);
        if !self.last_poses.is_empty() {
            put(&mut self.last_poses, i, pose);
        }
        if i == self.generations.len() {
            self.generations.push(0);
        }
        self.set_one_way(slot, one_way);
        self.margins.set_own(slot, contact_margin);
        self.len += 1;
        self.mark_changed(slot);
        Handle::new(slot, self.generations[slot as usize])
    }

    pub(super) fn remove(&mut self, slot: u32) -> Collider {
        let i = slot as usize;
        let collider = self.view(slot).to_collider();
        // Drops the shape's shared data.
        self.shapes[i] = placeholder();
        self.remove_front(slot);
        self.margins.set_own(slot, None);
        self.interner.remove(core::mem::replace(&mut self.ids[i], ShapeId::OTHER));
        self.len -= 1;
        self.is_new[i] = false;
        self.flags[i] &= CHANGED;
        self.generations[i] += 1;
        if self.generations[i] < LAST_GENERATION {
            self.free.push(slot);
        }
        collider
    }

    /// Appends a slot of a snapshot. The caller fills the list of free slots afterwards.
    pub(super) fn restore(&mut self, flags: Flags, is_new: bool, generation: u32, collider: Option<Collider>) {
        let taken = collider.is_some();
        let slot = self.insert(collider.unwrap_or_else(|| Collider::new(placeholder()))).slot();
        let i = slot as usize;
        self.len -= usize::from(!taken);
        self.generations[i] = generation;
        self.is_new[i] = is_new;
        let properties = if taken { self.flags[i] & (ENABLED | SENSOR | FIXED | ONE_WAY) } else { 0 };
        self.flags[i] = properties | flags;
        if flags & CHANGED == 0 {
            self.changed.pop();
        }
    }

    /// Replaces the shape of a slot, without updating its box.
    pub(super) fn reshape(&mut self, slot: u32, shape: Shape) {
        let i = slot as usize;
        self.interner.remove(self.ids[i]);
        (self.ids[i], self.circle_radii[i]) = self.shape_id_and_radius(slot, &shape);
        self.shapes[i] = shape;
    }

    /// Returns the narrow-phase id of a shape, and its radius if it is a circle, else NaN.
    fn shape_id_and_radius(&mut self, slot: u32, shape: &Shape) -> (ShapeId, f64) {
        if let Some(radius) = circle_radius(shape) {
            return (ShapeId::of_circle(slot as usize), radius);
        }
        // Contacts need the convex parts. Computed now, they cost no time and no memory in an update.
        let _ = shape.part_count();
        (self.interner.add(shape).unwrap_or(ShapeId::OTHER), f64::NAN)
    }

    /// Computes the box of a collider from its present shape and pose.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(super) fn compute_aabb(&self, slot: u32) -> Aabb {
        let (i, pose) = (slot as usize, &self.poses_and_boxes[slot as usize].pose);
        if self.circle_radii[i].is_nan() {
            return self.interner.aabb(self.ids[i], pose).unwrap_or_else(|| self.placed(slot).aabb());
        }
        Aabb::around([pose.transform_point(DVec2::ZERO)].into_iter(), self.circle_radii[i])
    }

    /// Stores the box of a collider; returns true if the collider is enabled.
    #[inline(always)]
    pub(super) fn set_aabb(&mut self, slot: u32, aabb: Aabb) -> bool {
        self.poses_and_boxes[slot as usize].aabb = aabb;
        self.is(slot, ENABLED)
    }

    /// Returns the box of a collider for the broad phase: grown by its share of the contact
    /// margins.
    pub(super) fn search_box(&self, slot: u32) -> Aabb {
        self.grown_box(slot, self.poses_and_boxes[slot as usize].aabb)
    }

    /// Returns a tight box of a collider, grown as that of [`search_box`](Self::search_box).
    #[inline(always)]
    pub(super) fn grown_box(&self, slot: u32, aabb: Aabb) -> Aabb {
        if self.margins.is_active() { aabb.grown(self.margins.share(slot)) } else { aabb }
    }

    /// Prefetches the data that `prefilter` reads.
    #[inline(always)]
    pub(super) fn prefetch(&self, slot: u32) {
        prefetch(&self.poses_and_boxes, slot as usize);
        prefetch(&self.circle_radii, slot as usize);
    }

    /// Returns whether the boxes of two colliders intersect, and whether their shapes may. The
    /// latter excludes only circles that are certainly apart.
    #[inline(always)]
    pub(super) fn prefilter(&self, [a, b]: [u32; 2]) -> [bool; 2] {
        let (i, j) = (a as usize, b as usize);
        let (p, q) = (&self.poses_and_boxes[i], &self.poses_and_boxes[j]);
        let boxes_intersect = p.aabb.min().cmple(q.aabb.max()).all() & q.aabb.min().cmple(p.aabb.max()).all();
        let apart = p.is_farther(q, self.circle_radii[i] + self.circle_radii[j]);
        [boxes_intersect, boxes_intersect & !apart]
    }

    /// Does [`prefilter`](Self::prefilter) with the contact margin of the pair. Returns two flags:
    /// the boxes are within the margin along both axes; the shapes may be.
    #[inline(never)]
    pub(super) fn prefilter_within(&self, [a, b]: [u32; 2]) -> [bool; 2] {
        let (margin, i, j) = (self.margins.of_pair([a, b]), a as usize, b as usize);
        let (p, q) = (&self.poses_and_boxes[i], &self.poses_and_boxes[j]);
        // Rounding is monotonic: a gap within the margin stays within it.
        let gaps = (q.aabb.min() - p.aabb.max()).max(p.aabb.min() - q.aabb.max());
        let boxes_are_near = gaps.max_element() <= margin;
        let apart = p.is_farther(q, self.circle_radii[i] + self.circle_radii[j] + margin);
        [boxes_are_near, boxes_are_near & !apart]
    }

    /// Moves up to `N` colliders and cancels their motions; does not update boxes. `to` gets the
    /// index and present pose, and returns the new pose, if it differs. `moved` gets the slot, the
    /// new position and the circle's radius (NaN for other shapes).
    #[inline(always)]
    pub(super) fn set_poses<const N: usize>(
        &mut self,
        handles: &[Handle],
        mut to: impl FnMut(usize, &Pose) -> Option<Pose>,
        mut moved: impl FnMut(u32, DVec2, f64),
    ) {
        let Self { flags, poses_and_boxes, circle_radii: radii, last_poses: before, changed, revision, .. } = self;
        // Equal lengths: the compiler needs one bounds check for all.
        let slots = flags.len();
        let (poses_and_boxes, radii) = (&mut poses_and_boxes[..slots], &radii[..slots]);
        let (mut new_slots, mut count, mut all_flags) = ([0; N], 0, 0);
        for (number, handle) in handles.iter().enumerate().take(N) {
            let (slot, i) = (handle.slot(), handle.index());
            let Some(flags) = flags.get_mut(i) else { continue };
            *flags &= !IN_MOTION;
            let Some(pose) = to(number, &poses_and_boxes[i].pose) else { continue };
            let is_new = *flags & CHANGED == 0;
            if is_new && let Some(before) = before.get_mut(i) {
                *before = poses_and_boxes[i].pose;
            }
            // As in `mark_changed`, but the slots are appended to `changed` in one call.
            *flags |= CHANGED;
            all_flags |= *flags;
            new_slots[count] = slot;
            count += usize::from(is_new);
            poses_and_boxes[i].pose = pose;
            moved(slot, pose.translation(), radii[i]);
        }
        changed.extend_from_slice(&new_slots[..count]);
        if all_flags & FIXED != 0 {
            *revision = Revision::next();
        }
    }

    /// Marks a slot as changed. Call this before the change: it stores the old pose.
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    pub(super) fn mark_changed(&mut self, slot: u32) {
        let i = slot as usize;
        if self.flags[i] & FIXED != 0 {
            self.revision = Revision::next();
        }
        if self.flags[i] & CHANGED == 0 {
            self.flags[i] |= CHANGED;
            self.changed.push(slot);
            if let Some(before) = self.last_poses.get_mut(i) {
                *before = self.poses_and_boxes[i].pose;
            }
        }
    }

    /// Clears all [`CHANGED`] flags and all marks of new colliders at the end of an update.
    pub(super) fn clear_changed(&mut self) {
        if self.changed.len() > self.flags.len() / 8 {
            // One linear pass is faster than random access.
            self.flags.iter_mut().for_each(|flags| *flags &= !CHANGED);
            self.is_new.fill(false);
            self.changed.clear();
        }
        for slot in self.changed.drain(..) {
            self.flags[slot as usize] &= !CHANGED;
            self.is_new[slot as usize] = false;
        }
    }

    /// Returns the slot of a handle; `None` if the handle is stale.
    #[inline]
    pub(super) fn find(&self, handle: Handle) -> Option<u32> {
        let i = handle.index();
        let alive = i < self.flags.len() && self.flags[i] & ALIVE != 0 && self.generations[i] == handle.generation();
        alive.then_some(handle.slot())
    }

    /// Returns the slot of a handle, or an error if the handle is stale.
    #[inline]
    pub(super) fn expect(&self, handle: Handle) -> Result<u32, Error> {
        self.find(handle).ok_or_else(|| stale(handle))
    }

    #[inline]
    pub(super) fn is(&self, slot: u32, flag: Flags) -> bool {
        self.flags[slot as usize] & flag != 0
    }

    pub(super) fn set(&mut self, slot: u32, which: Flags, on: bool) {
        let flags = &mut self.flags[slot as usize];
        *flags = *flags & !which | flag(which, on);
    }

    #[inline]
    pub(super) fn handle(&self, slot: u32) -> Handle {
        Handle::new(slot, self.generations[slot as usize])
    }

    /// Returns the handles of a pair of slots.
    #[inline]
    pub(super) fn handles(&self, [a, b]: [u32; 2]) -> [Handle; 2] {
        [self.handle(a), self.handle(b)]
    }

    #[inline]
    pub(super) fn placed(&self, slot: u32) -> Placed<'_> {
        self.shapes[slot as usize].placed(self.poses_and_boxes[slot as usize].pose)
    }

    pub(super) fn view(&self, slot: u32) -> ColliderRef<'_> {
        let i = slot as usize;
        ColliderRef {
            shape: &self.shapes[i],
            pose: self.poses_and_boxes[i].pose,
            aabb: self.poses_and_boxes[i].aabb,
            filter: self.filters[i],
            sensor: self.is(slot, SENSOR),
            fixed: self.is(slot, FIXED),
            enabled: self.is(slot, ENABLED),
            one_way: self.one_way(slot),
            user_data: self.user_data[i],
            contact_margin: self.margins.own(slot),
        }
    }

    /// Returns the front of a one-way collider.
    pub(super) fn one_way(&self, slot: u32) -> Option<OneWay> {
        if !self.is(slot, ONE_WAY) {
            return None;
        }
        self.find_front(slot).ok().map(|i| self.fronts[i].1)
    }

    pub(super) fn set_one_way(&mut self, slot: u32, one_way: Option<OneWay>) {
        self.set(slot, ONE_WAY, one_way.is_some());
        if let Some(one_way) = one_way {
            match self.find_front(slot) {
                Ok(i) => self.fronts[i].1 = one_way,
                Err(i) => self.fronts.insert(i, (slot, one_way)),
            }
            if self.last_poses.is_empty() {
                // Colliders that already moved since the last update are treated as if they had
                // not.
                self.last_poses.extend(self.poses_and_boxes.iter().map(|record| record.pose));
            }
        } else {
            self.remove_front(slot);
        }
    }

    /// Returns true if any collider is one-way.
    pub(super) fn has_one_way(&self) -> bool {
        !self.fronts.is_empty()
    }

    fn find_front(&self, slot: u32) -> Result<usize, usize> {
        self.fronts.binary_search_by_key(&slot, |&(slot, _)| slot)
    }

    fn remove_front(&mut self, slot: u32) {
        if let Ok(i) = self.find_front(slot) {
            self.fronts.remove(i);
        }
    }

    /// Returns the pose of a collider at the last update.
    pub(super) fn pose_before(&self, slot: u32) -> Pose {
        let i = slot as usize;
        if self.is(slot, CHANGED) {
            self.last_poses.get(i).copied().unwrap_or(self.poses_and_boxes[i].pose)
        } else {
            self.poses_and_boxes[i].pose
        }
    }

    /// Returns the slots in use, in increasing order.
    pub(super) fn live_slots(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.flags.len() as u32).filter(|&slot| self.is(slot, ALIVE))
    }

    /// Iterates over the slots of enabled colliders, in order.
    pub(super) fn enabled_slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.live_slots().filter(|&slot| self.is(slot, ENABLED))
    }
}

/// Stores an element at an index, which is at most the length of the list.
fn put<T>(list: &mut Vec<T>, i: usize, element: T) {
    match list.get_mut(i) {
        Some(old) => *old = element,
        None => list.push(element),
    }
}

#[inline]
fn flag(which: Flags, on: bool) -> Flags {
    if on { which } else { 0 }
}

/// Returns the shape of a free slot: a point.
fn placeholder() -> Shape {
    Convex::point(DVec2::ZERO, 0.0).into()
}

/// Creates the error for a stale handle.
#[cold]
pub(super) fn stale(handle: Handle) -> Error {
    let message = format!("{handle:?} names no collider of this world: it was removed, or is of another world");
    Error::new(ErrorKind::StaleHandle, message)
}
