//! What a response looks up between two updates.

use core::ops::ControlFlow::Continue;

use super::World;
use super::columns::{CHANGED, ENABLED, ONE_WAY, SENSOR};
use super::handle::Handle;
use super::motion::may_meet;
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::shape::Shape;

/// A collider as responses see it.
pub(crate) struct Seen<'a> {
    pub(crate) pose: Pose,
    pub(crate) aabb: &'a Aabb,
    pub(crate) shape: &'a Shape,
    /// The radius of a circle about its own origin; NaN of all other shapes.
    pub(crate) round: f64,
}

impl World {
    /// Every collider that pushes another one and whose boxes meet as they stand now, in any order: filters and pairs that are switched off are
    /// respected, sensors push nothing. One-way colliders, and all where the last update had a filter of the user, push only what they had a contact with then.
    pub(crate) fn each_near(&self, handle: Handle, mut visit: impl FnMut(Handle)) {
        let columns = &self.columns;
        let Some(slot) = columns.find(handle).filter(|&slot| columns.is(slot, ENABLED) && !columns.is(slot, SENSOR)) else { return };
        let aabb = columns.spots[slot as usize].aabb;
        self.space.visit_box(&aabb, &mut |other| {
            if other != slot && columns.spots[other as usize].aabb.intersects(&aabb) && !columns.is(other, SENSOR) {
                let theirs = columns.handle(other);
                let told = self.filtered || columns.is(slot, ONE_WAY) || columns.is(other, ONE_WAY);
                if may_meet(columns, &self.rules, [slot, other]) && (!told || self.contacts.between(handle, theirs).is_some()) {
                    visit(theirs);
                }
            }
            Continue(())
        });
    }

    /// Every collider whose box meets a box, in any order.
    pub(crate) fn each_box_in(&self, aabb: &Aabb, mut visit: impl FnMut(Handle)) {
        self.space.visit_box(aabb, &mut |slot| {
            visit(self.columns.handle(slot));
            Continue(())
        });
    }

    /// All that a response asks of a collider, with one look.
    #[inline]
    pub(crate) fn seen(&self, handle: Handle) -> Option<Seen<'_>> {
        let slot = self.columns.find(handle)?;
        let (spot, round) = (&self.columns.spots[slot as usize], self.columns.rounds[slot as usize]);
        Some(Seen { pose: spot.pose, aabb: &spot.aabb, shape: &self.columns.shapes[slot as usize], round })
    }

    /// The box around a collider.
    #[inline]
    pub(crate) fn aabb(&self, handle: Handle) -> Option<Aabb> {
        self.columns.find(handle).map(|slot| self.columns.spots[slot as usize].aabb)
    }

    /// Was nothing of a collider written since the last update?
    #[inline]
    pub(crate) fn is_settled(&self, handle: Handle) -> bool {
        self.columns.find(handle).is_some_and(|slot| !self.columns.is(slot, CHANGED))
    }
}
