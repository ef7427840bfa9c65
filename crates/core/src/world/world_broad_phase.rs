//! The boxes of a world: a broad phase, and the frame that its boxes are relative to.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::DVec2;

use super::circle_bounds::CircleBounds;
use super::collider_set::{ColliderSet, ENABLED};
use super::pair_adjacency::PairAdjacency;
use super::radix_sort::Pair;
use crate::broad_phase::{Aabb32, BroadPhase, Filter, LocalOrigin};
use crate::math::aabb::Aabb;
use crate::math::prefetch::prefetch;
use crate::math::ray::Ray;

/// A broad phase that a world can hold: any, as long as it can be cloned and sent to other threads.
///
/// Worlds are cloned (that is a snapshot), so their broad phases are; and a world without a type parameter is easier to hold, to store and to name. One call
/// through a pointer for each box that moves costs less than the box does.
pub(super) trait DynBroadPhase: BroadPhase + Send + Sync {
    fn boxed_clone(&self) -> Box<dyn DynBroadPhase>;
}

impl<B: BroadPhase + Clone + Send + Sync + 'static> DynBroadPhase for B {
    fn boxed_clone(&self) -> Box<dyn DynBroadPhase> {
        Box::new(self.clone())
    }
}

/// The broad phase of a world.
pub(super) struct WorldBroadPhase {
    pub(super) broad: Box<dyn DynBroadPhase>,
    /// By slot: what the broad phase was told last, or is to be told next: of those in `moved`, or of all.
    boxes: Vec<Aabb32>,
    moved: Vec<u32>,
    tell_all: bool,
    /// All pairs whose boxes meet as the broad phase knows them, if it is whole.
    near: Vec<Pair>,
    near_is_whole: bool,
    /// May pairs stand there twice?
    near_repeats: bool,
    /// Of `near`, as far as somebody asked for it.
    links: PairAdjacency,
    /// By slot: true while [`near_to_any`](Space::near_to_any) looks for its pairs.
    wanted: Vec<bool>,
    frame: LocalOrigin,
    origin: DVec2,
    /// Half the boxes lay within this of the origin when it was chosen, by the larger coordinate.
    reach: f64,
    /// How many boxes were put in or moved far out since.
    strays: usize,
}

impl Clone for WorldBroadPhase {
    fn clone(&self) -> Self {
        let (broad, boxes) = (self.broad.boxed_clone(), self.boxes.clone());
        Self {
            broad,
            boxes,
            moved: Vec::new(),
            near: Vec::new(),
            near_is_whole: false,
            links: PairAdjacency::default(),
            wanted: Vec::new(),
            ..*self
        }
    }
}

/// Boxes that the broad phase is told of, or asked about, together.
const MANY: usize = 64;

/// So many boxes, at least, tell where most are.
const SAMPLE: usize = 1024;

/// An origin that lies no more than so many times as far from most boxes as the best one stays: single precision loses two bits.
const WORTH: f64 = 4.0;

/// The box of a slot that never had one.
const NOWHERE: Aabb32 = Aabb32 { min: [0.0; 2], max: [0.0; 2] };

impl WorldBroadPhase {
    pub(super) fn new(broad: impl DynBroadPhase + 'static) -> Self {
        Self {
            broad: Box::new(broad),
            boxes: Vec::new(),
            moved: Vec::new(),
            tell_all: false,
            near: Vec::new(),
            near_is_whole: false,
            near_repeats: false,
            links: PairAdjacency::default(),
            wanted: Vec::new(),
            frame: LocalOrigin::new(DVec2::ZERO),
            origin: DVec2::ZERO,
            reach: 0.0,
            strays: 0,
        }
    }

    /// Finds all pairs whose boxes meet as the broad phase knows them, unless they are known; each `once`, or perhaps again.
    pub(super) fn find_near(&mut self, once: bool) {
        if !self.near_is_whole || (once && self.near_repeats) {
            self.near.clear();
            self.links.clear();
            self.broad.pairs(&mut self.near);
            (self.near_is_whole, self.near_repeats) = (true, false);
        }
    }

    /// The pairs that were found, in any order.
    #[inline]
    pub(super) fn near(&self) -> &[Pair] {
        &self.near
    }

    /// Appends the pairs near each other that have at least one of some slots, each as often as it was found, in any order. `count` is the number of all slots.
    pub(super) fn near_to_any(
        &mut self,
        slots: impl Iterator<Item = u32> + Clone,
        count: usize,
        pairs: &mut Vec<Pair>,
    ) {
        self.find_near(false);
        let Self { links, near, wanted, .. } = self;
        links.link_new(near, count);
        wanted.resize(count, false);
        slots.clone().for_each(|slot| wanted[slot as usize] = true);
        for slot in slots.clone() {
            // The smaller slot of two that are wanted brings their pair.
            let mine = |pair: &Pair| pair[0] == slot || !wanted[pair[0] as usize];
            pairs.extend(links.of(slot).map(|place| near[place]).filter(mine));
        }
        slots.for_each(|slot| wanted[slot as usize] = false);
    }

    pub(super) fn insert(&mut self, slot: u32, aabb: &Aabb, filter: Filter, moving: bool) {
        if self.boxes.len() <= slot as usize {
            self.boxes.resize(slot as usize + 1, NOWHERE);
        }
        let local = self.localize(slot, aabb, 0.0);
        self.broad.insert(slot, local, filter, moving);
    }

    #[inline]
    pub(super) fn update(&mut self, slot: u32, aabb: &Aabb) {
        let local = self.localize(slot, aabb, 0.0);
        self.broad.update(slot, local);
    }

    /// The new box of a slot that is in, in the frame of the broad phase, with room on all sides.
    #[inline(always)]
    fn localize(&mut self, slot: u32, aabb: &Aabb, room: f64) -> Aabb32 {
        self.notice(aabb);
        self.near_is_whole = false;
        let local = self.frame.localize_with_room(aabb, room);
        self.boxes[slot as usize] = local;
        local
    }

    /// Has the box of a slot brought near.
    #[inline(always)]
    pub(super) fn fetch(&self, slot: u32) {
        prefetch(&self.boxes, slot as usize);
    }

    /// The new box of a slot that is in: the broad phase learns of it, with room on all sides, only where it leaves the one that it knows. To be followed by
    /// [`meet_others`](Space::meet_others): then all pairs are still known.
    #[inline]
    pub(super) fn push(&mut self, slot: u32, aabb: &Aabb, room: f64) {
        if self.boxes[slot as usize].contains(&self.frame.to_local(aabb)) {
            return;
        }
        let whole = self.near_is_whole;
        let local = self.localize(slot, aabb, room);
        self.near_is_whole = whole;
        self.broad.update(slot, local);
        self.moved.push(slot);
    }

    /// Adds the pairs of those that left their boxes, as far as the two may meet.
    pub(super) fn meet_others(&mut self, may_meet: impl Fn(Pair) -> bool) {
        let Self { broad, boxes, moved, near, near_repeats, .. } = self;
        let mut queries = [NOWHERE; MANY];
        for slots in moved.chunks(MANY) {
            for (&slot, query) in slots.iter().zip(&mut queries) {
                *query = boxes[slot as usize];
            }
            broad.visit_boxes(&queries[..slots.len()], &mut |number, other| {
                let slot = slots[number as usize];
                let pair = [slot.min(other), slot.max(other)];
                if other != slot && may_meet(pair) {
                    near.push(pair);
                    *near_repeats = true;
                }
            });
        }
        moved.clear();
    }

    /// Boxes are going to be noted, so many of all. Where they are most of them, the broad phase is told of all in the order of slots: that is faster.
    pub(super) fn reserve(&mut self, count: usize, len: usize) {
        self.near_is_whole = false;
        self.tell_all = count * 2 > len;
    }

    /// Notes the new box of a slot that is in; the broad phase learns of it by [`flush`](Space::tell).
    #[inline(always)]
    pub(super) fn record(&mut self, slot: u32, aabb: &Aabb, room: f64) {
        self.localize(slot, aabb, room);
        if !self.tell_all {
            self.moved.push(slot);
        }
    }

    /// [`record`](Space::note) of many circles: `write` is given their slots and boxes, and says which are in.
    #[inline(always)]
    pub(super) fn record_circles(
        &mut self,
        circles: &mut CircleBounds,
        room: f64,
        mut write: impl FnMut(u32, Aabb) -> bool,
    ) {
        self.strays += circles.measure(&self.frame, room, self.origin, 4.0 * self.reach);
        circles.drain(|slot, aabb, local| {
            if write(slot, aabb) {
                self.boxes[slot as usize] = local;
                if !self.tell_all {
                    self.moved.push(slot);
                }
            }
        });
    }

    /// Tells the broad phase of all that was noted.
    pub(super) fn flush(&mut self) {
        let Self { broad, boxes, moved, .. } = self;
        if core::mem::take(&mut self.tell_all) {
            return broad.update_all(boxes);
        }
        let mut told = [NOWHERE; MANY];
        for slots in moved.chunks(MANY) {
            for (&slot, to) in slots.iter().zip(&mut told) {
                *to = boxes[slot as usize];
            }
            broad.update_many(slots, &told[..slots.len()]);
        }
        moved.clear();
    }

    pub(super) fn remove(&mut self, slot: u32) {
        self.near_is_whole = false;
        self.broad.remove(slot);
    }

    /// Counts boxes for which the origin was not chosen.
    #[inline]
    fn notice(&mut self, aabb: &Aabb) {
        let off = (aabb.min() - self.origin).abs();
        // Within a few times the reach single precision loses two bits at most.
        self.strays += usize::from(off.x.max(off.y) > 4.0 * self.reach);
    }

    /// Chooses another origin where most boxes lie far from the one there is: the median of them, which a few that are lost in space do not move.
    ///
    /// What is found does not depend on it, only how many boxes are looked at in vain.
    pub(super) fn update_origin(&mut self, columns: &ColliderSet) {
        if self.strays * 4 <= columns.len {
            self.strays = 0;
            return;
        }
        let enabled = || columns.alive().filter(|&slot| columns.is(slot, ENABLED));
        let median = |of: &dyn Fn(u32) -> f64| {
            let mut all: Vec<f64> = enabled().step_by((columns.len / SAMPLE).max(1)).map(of).collect();
            let middle = all.len() / 2;
            if all.is_empty() { 0.0 } else { *all.select_nth_unstable_by(middle, f64::total_cmp).1 }
        };
        let corner = |slot: u32| columns.spots[slot as usize].aabb.min();
        let reach = |from: DVec2| median(&|slot| (corner(slot) - from).abs().max_element());
        let origin = DVec2::new(median(&|slot| corner(slot).x), median(&|slot| corner(slot).y));
        let (here, there) = (reach(self.origin), reach(origin));
        self.strays = 0;
        if here <= WORTH * there {
            self.reach = here;
            return;
        }
        (self.origin, self.frame, self.reach) = (origin, LocalOrigin::new(origin), there);
        for slot in enabled() {
            self.boxes[slot as usize] = self.frame.to_local(&columns.spots[slot as usize].aabb);
        }
        self.broad.update_all(&self.boxes);
        self.near_is_whole = false;
    }

    /// Every box that may meet a box.
    pub(super) fn visit_box(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.broad.query_aabb(self.frame.to_local(aabb), visit);
    }

    /// Every box that a ray may meet.
    pub(super) fn visit_ray(&self, ray: &Ray, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.broad.query_ray(&self.frame.localize_ray(ray), visit);
    }

    /// Boxes that a ray may meet, near ones first where the broad phase can; those met after the fraction of its way that `visit` returns may be left out.
    pub(super) fn search_ray(&self, ray: &Ray, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.broad.cast_ray(&self.frame.localize_ray(ray), visit);
    }

    /// Boxes by their distance from a point, nearest first; a box may be farther than it says by rounding, never nearer.
    pub(super) fn visit_nearest(&self, point: DVec2, visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        let local = point - self.origin;
        // The point was rounded when it was moved, and so was the distance.
        let slack = f64::EPSILON * 64.0 * (point.abs().max_element() + self.origin.abs().max_element());
        self.broad.visit_by_distance(local.to_array(), &mut |slot, distance| {
            visit(slot, distance * (1.0 - 8.0 * f64::EPSILON) - slack)
        });
    }
}
