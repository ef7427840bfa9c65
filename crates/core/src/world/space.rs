//! The boxes of a world: a broad phase, and the frame that its boxes are relative to.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::DVec2;

use super::columns::{Columns, ENABLED, FIXED};
use crate::broad::{Box32, BroadPhase, Filter, Frame};
use crate::math::aabb::Aabb;
use crate::math::ray::Ray;

/// A broad phase that a world can hold: any, as long as it can be cloned and sent to other threads.
///
/// Worlds are cloned (that is a snapshot), so their broad phases are; and a world without a type parameter is easier to hold, to store and to name. One call
/// through a pointer for each box that moves costs less than the box does.
pub(super) trait Strategy: BroadPhase + Send + Sync {
    fn boxed_clone(&self) -> Box<dyn Strategy>;
}

impl<B: BroadPhase + Clone + Send + Sync + 'static> Strategy for B {
    fn boxed_clone(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }
}

/// The broad phase of a world.
pub(super) struct Space {
    pub(super) broad: Box<dyn Strategy>,
    frame: Frame,
    origin: DVec2,
    /// Half the boxes lay within this of the origin when it was chosen, by the larger coordinate.
    reach: f64,
    /// How many boxes were put in or moved far out since.
    strays: usize,
}

impl Clone for Space {
    fn clone(&self) -> Self {
        Self { broad: self.broad.boxed_clone(), ..*self }
    }
}

impl Space {
    pub(super) fn new(broad: impl Strategy + 'static) -> Self {
        Self { broad: Box::new(broad), frame: Frame::new(DVec2::ZERO), origin: DVec2::ZERO, reach: 0.0, strays: 0 }
    }

    pub(super) fn insert(&mut self, slot: u32, aabb: &Aabb, filter: Filter, moving: bool) {
        self.notice(aabb);
        self.broad.insert(slot, self.frame.localize(aabb), filter, moving);
    }

    #[inline]
    pub(super) fn update(&mut self, slot: u32, aabb: &Aabb) {
        self.notice(aabb);
        self.broad.update(slot, self.frame.localize(aabb));
    }

    /// A box in the frame of the broad phase.
    #[inline(always)]
    pub(super) fn localize(&mut self, aabb: &Aabb) -> Box32 {
        self.notice(aabb);
        self.frame.localize(aabb)
    }

    pub(super) fn remove(&mut self, slot: u32) {
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
    pub(super) fn recentre(&mut self, columns: &Columns) {
        if self.strays * 4 <= columns.len {
            self.strays = 0;
            return;
        }
        let enabled = || columns.alive().filter(|&slot| columns.is(slot, ENABLED));
        let median = |of: &dyn Fn(u32) -> f64| {
            let mut all: Vec<f64> = enabled().map(of).collect();
            let middle = all.len() / 2;
            if all.is_empty() { 0.0 } else { *all.select_nth_unstable_by(middle, f64::total_cmp).1 }
        };
        let corner = |slot: u32| columns.spots[slot as usize].aabb.min();
        let origin = DVec2::new(median(&|slot| corner(slot).x), median(&|slot| corner(slot).y));
        let reach = median(&|slot| (corner(slot) - origin).abs().max_element());
        (self.origin, self.frame, self.reach, self.strays) = (origin, Frame::new(origin), reach, 0);
        for slot in enabled() {
            let i = slot as usize;
            self.broad.insert(slot, self.frame.localize(&columns.spots[i].aabb), columns.filters[i], !columns.is(slot, FIXED));
        }
    }

    /// Every box that may meet a box.
    pub(super) fn visit_box(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.broad.visit_box(self.frame.localize(aabb), visit);
    }

    /// Every box that a ray may meet.
    pub(super) fn visit_ray(&self, ray: &Ray, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) {
        self.broad.visit_ray(&self.frame.localize_ray(ray), visit);
    }

    /// Boxes that a ray may meet, near ones first where the broad phase can; those met after the fraction of its way that `visit` returns may be left out.
    pub(super) fn search_ray(&self, ray: &Ray, visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>) {
        self.broad.search_ray(&self.frame.localize_ray(ray), visit);
    }

    /// Boxes by their distance from a point, nearest first; a box may be farther than it says by rounding, never nearer.
    pub(super) fn visit_nearest(&self, point: DVec2, visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>) {
        let local = point - self.origin;
        // The point was rounded when it was moved, and so was the distance.
        let slack = f64::EPSILON * 64.0 * (point.abs().max_element() + self.origin.abs().max_element());
        self.broad.visit_nearest(local.to_array(), &mut |slot, distance| visit(slot, distance * (1.0 - 8.0 * f64::EPSILON) - slack));
    }
}
