//! Filters the manifolds of one-way platforms: a platform stops only colliders that come from its
//! front.
//!
//! Input: all manifolds of a pair with a one-way collider, and the pair's state at the last update.
//! Output: the manifolds that are contacts. If there are none, the pair is "passing".
//!
//! The simple version tests the present normal:
//!
//! ```text
//! keep a manifold if its normal is within 60 degrees of the front
//! ```
//!
//! It does not suffice. A collider that rises through the platform overlaps it, and would be pushed
//! out at the top. So the decision is made once, at the first touch, and stays until the two
//! separate.
//!
//! In a row of platforms, the first touch of the next platform is often at its side. So two more cases stop a collider:
//! it lies on the front within the slop, or it comes from a flush floor. A floor is flush if the collider stood on it
//! at the last update, and its height there is that of the platform's face.
//!
//! ```text
//! if there are manifolds with a gap only (contact margin): keep those within 60 degrees of the front; done
//! drop manifolds with a gap
//! if the other one stood on a flush floor at the last update: the pair is solid
//! else if the pair was passing at the last update: it stays passing
//! else if the deepest manifold faces the front, and is at most as deep as the slop: the pair is solid
//! else if it did not intersect
//!     find the first touch of the two motions since the last update
//!     if its normal is more than 60 degrees off the front: the pair becomes passing
//! for each manifold of the solid pair
//!     if its normal is within 60 degrees of the front: keep it
//!     else if these parts touched from the front before, first touch from the front now, or come from a flush floor
//!         cast the other part down onto the platform part, against the front direction
//!         if the hit normal is within 60 degrees of the front: replace the manifold by that translation
//!         else drop it
//!     else drop it
//! if no manifold is left: the other has slipped off the platform, and the pair becomes passing
//! ```

use alloc::vec::Vec;

use glam::DVec2;

use super::World;
use super::collider_set::{ColliderSet, FIXED, ONE_WAY};
use super::contact_graph::ContactGraph;
use super::contact_store::deepest;
use super::handle::Handle;
use super::one_way::OneWay;
use crate::math::both::both;
use crate::math::pose::Pose;
use crate::query::{ContactPoint, Impact, Manifold, time_of_impact};
use crate::shape::{Placed, Shape, Sweep};

/// Cosine of the largest angle between a normal and the front that counts as "from the front": 60°.
const IN_FRONT: f64 = 0.5;
/// Overlaps up to this fraction of the smaller collider's size count as touching. Responses leave
/// overlaps of this order.
const SLOP: f64 = 1e-6;

/// The type of [`filter_manifolds`].
pub(super) type Filter = fn(&ColliderSet, [u32; 2], &mut [Manifold], &ContactGraph, bool) -> usize;

/// Calls [`filter_manifolds`] through the pointer of a front. Without a front, all manifolds are kept.
pub(super) fn filter_one_way(
    columns: &ColliderSet,
    slots: [u32; 2],
    manifolds: &mut [Manifold],
    contacts: &ContactGraph,
    was_passing: bool,
) -> usize {
    let front = columns.one_way(slots[0]).or_else(|| columns.one_way(slots[1]));
    front.map_or(manifolds.len(), |front| (front.filter)(columns, slots, manifolds, contacts, was_passing))
}

/// Filters the manifolds of a pair with at least one one-way collider. `contacts` are those of the last update.
///
/// Moves the manifolds that stop the pair to the front of the slice, and returns their count. If
/// the two intersect, 0 means that the pair is passing until they are apart.
///
/// A gap within the contact margin counts only if nothing intersects, and does not change whether
/// the pair is passing. So the contacts that intersect do not depend on the margin.
pub(super) fn filter_manifolds(
    columns: &ColliderSet,
    slots: [u32; 2],
    manifolds: &mut [Manifold],
    contacts: &ContactGraph,
    was_passing: bool,
) -> usize {
    let [a, b] = slots;
    if manifolds.iter().all(Manifold::is_gap) {
        return keep(manifolds, |manifold| faces_fronts(columns, slots, manifold.normal));
    }
    let mut count = keep(manifolds, |manifold| !manifold.is_gap());
    let Some(&first) = deepest(&manifolds[..count]) else { return 0 };
    let lies_on_front =
        || first.depth <= slop(columns.placed(a), columns.placed(b)) && faces_fronts(columns, slots, first.normal);
    let [handle_a, handle_b] = columns.handles(slots);
    let last = contacts.between(handle_a, handle_b).filter(|last| !last.is_gap());
    // Each one-way collider as platform; `turned` makes the normals point from the platform to the
    // other.
    for (platform, other, flip) in [(a, b, false), (b, a, true)] {
        let Some(one_way) = columns.one_way(platform) else { continue };
        let turned = |manifold: &Manifold| if flip { manifold.flipped() } else { *manifold };
        let before = columns.pose_before(platform);
        let was_solid = |parts: Option<[u32; 2]>| {
            let all = last.into_iter().flat_map(|last| last.manifolds()).filter(|last| !last.is_gap());
            let mut solid = all.map(|last| turned(&last)).filter(|last| faces(last.normal, before, one_way));
            solid.any(|last| parts.is_none_or(|parts| [last.part_a, last.part_b] == parts))
        };
        let pair = PlatformPair { columns, platform, other, one_way };
        let Some(deepest) = deepest(&manifolds[..count]) else { return 0 };
        let deepest = turned(deepest);
        let came_from_the_front = || {
            last.is_some() && was_solid(None)
                || lies_on_front()
                || last.is_none() && pair.came_from_the_front(None, &deepest)
        };
        let is_solid = !was_passing && came_from_the_front() || pair.came_from_a_flush_floor(contacts, &deepest);
        if !is_solid {
            return 0;
        }
        let mut kept = 0;
        for i in 0..count {
            let manifold = turned(&manifolds[i]);
            let up = columns.poses_and_boxes[platform as usize].pose;
            let stop = if faces(manifold.normal, up, one_way) {
                Some(manifold)
            } else if was_solid(Some([manifold.part_a, manifold.part_b]))
                || pair.came_from_the_front(Some([manifold.part_a, manifold.part_b]), &manifold)
                || pair.came_from_a_flush_floor(contacts, &manifold)
            {
                pair.cast_onto_front(&manifold)
            } else {
                None
            };
            if let Some(stop) = stop {
                manifolds[kept] = turned(&stop);
                kept += 1;
            }
        }
        count = kept;
    }
    // If both are one-way, a normal must agree with both fronts.
    if slots.iter().all(|&slot| columns.is(slot, ONE_WAY)) {
        count = keep(&mut manifolds[..count], |manifold| faces_fronts(columns, slots, manifold.normal));
    }
    count
}

/// Moves the manifolds that satisfy a condition to the front of the slice, in their order. Returns
/// their count.
fn keep(manifolds: &mut [Manifold], is_kept: impl Fn(&Manifold) -> bool) -> usize {
    let mut kept = 0;
    for i in 0..manifolds.len() {
        if is_kept(&manifolds[i]) {
            manifolds.swap(kept, i);
            kept += 1;
        }
    }
    kept
}

/// Returns true if a normal from the first to the second points within 60° of the front of each
/// one-way collider of the pair.
fn faces_fronts(columns: &ColliderSet, [a, b]: [u32; 2], normal: DVec2) -> bool {
    faces_front(columns, a, normal) && faces_front(columns, b, -normal)
}

/// Returns true if a normal that points away from a collider leaves its front, or if it has none.
pub(super) fn faces_front(columns: &ColliderSet, slot: u32, normal: DVec2) -> bool {
    let pose = columns.poses_and_boxes[slot as usize].pose;
    columns.one_way(slot).is_none_or(|one_way| faces(normal, pose, one_way))
}

/// Returns true if a normal points within 60° of the front of a one-way collider.
pub(super) fn faces(normal: DVec2, pose: Pose, one_way: OneWay) -> bool {
    normal.dot(pose.rotate_vector(one_way.front())) >= IN_FRONT
}

/// A one-way collider, and another collider that intersects it.
struct PlatformPair<'a> {
    columns: &'a ColliderSet,
    platform: u32,
    other: u32,
    one_way: OneWay,
}

impl PlatformPair<'_> {
    /// Returns true if the first touch since the last update was from the front. `parts` limits the
    /// test to two parts. The two must have been apart at the last update.
    fn came_from_the_front(&self, parts: Option<[u32; 2]>, now: &Manifold) -> bool {
        let Self { columns, platform, other, one_way } = *self;
        let (platform, slop) = (last_motion(columns, platform), slop(columns.placed(platform), columns.placed(other)));
        let (Some(platform), Some(other)) = (platform, last_motion(columns, other)) else { return false };
        let impact = match parts {
            None => time_of_impact(platform, other),
            Some([p, q]) => {
                let ((p, from_p, to_p), (q, from_q, to_q)) = (part_motion(&platform, p), part_motion(&other, q));
                let (Some(p), Some(q)) = (between(&p, from_p, to_p), between(&q, from_q, to_q)) else { return false };
                time_of_impact(p, q)
            }
        };
        match impact {
            // They overlapped at the start: the other appeared inside. If they only touched, it was
            // put onto the platform.
            Some(impact) if impact.initial_depth.is_some_and(|depth| depth > slop) => false,
            Some(impact) => faces(impact.normal, platform.at(impact.time).pose(), one_way),
            // No impact: they graze each other, or were put side by side.
            None => now.depth <= slop && faces(now.normal, platform.at(1.0).pose(), one_way),
        }
    }

    /// Returns true if the other collider stood on a flush floor at the last update. The floor can be any collider. Its
    /// height is that of the platform part. Parts of the other collider below the part on the floor do not count.
    ///
    /// Example: a body walks along a row of platforms. Gravity has pulled it below the face, so it touches the next
    /// platform at its side.
    fn came_from_a_flush_floor(&self, contacts: &ContactGraph, now: &Manifold) -> bool {
        let Self { columns, platform, other, one_way } = *self;
        if columns.is(other, FIXED) {
            return false;
        }
        let [p, q] = both([platform, other], |slot| columns.shapes[slot as usize].placed(columns.pose_before(slot)));
        let up = p.pose().rotate_vector(one_way.front());
        let slop = slop(p, q);
        let extent = |placed: Placed<'_>, part: u32, direction: DVec2| {
            let part = placed.part(part);
            Shape::from(part.convex.clone()).placed(part.pose).support_point(direction).dot(up)
        };
        let other = columns.handle(other);
        contacts.of(other).filter(|contact| !contact.sensor).any(|contact| {
            let stood = contact.manifolds().map(|last| if contact.a == other { last.flipped() } else { last });
            stood.filter(|last| !last.is_gap() && last.normal.dot(up) >= IN_FRONT).any(|last| {
                last.points().iter().any(|point| {
                    (extent(p, now.part_a, up) - point.on_a.dot(up)).abs() <= slop
                        && extent(q, now.part_b, -up) >= point.on_b.dot(up) - slop
                })
            })
        })
    }

    /// Replaces a manifold whose MTV does not point to the front by one that does.
    ///
    /// Moves the other part out along the front, and casts it back onto the platform part. The
    /// depth is the distance from the hit to its present position. Returns `None` if the cast does
    /// not hit the front.
    fn cast_onto_front(&self, manifold: &Manifold) -> Option<Manifold> {
        let (p, q) = (self.columns.placed(self.platform), self.columns.placed(self.other));
        let up = p.pose().rotate_vector(self.one_way.front());
        let slop = slop(p, q);
        let [p, q] = [p.part(manifold.part_a), q.part(manifold.part_b)];
        let shapes = both([p, q], |part| Shape::from(part.convex.clone()));
        let (part, q) = (shapes[0].placed(p.pose), shapes[1].placed(q.pose));
        let lowest = q.support_point(-up);
        let overlap = (part.support_point(up) - lowest).dot(up);
        let stop = |depth: f64, on_a: DVec2| {
            let point = ContactPoint { on_a, on_b: on_a - up * depth, depth, id: manifold.points().first()?.id };
            Some(Manifold::from_stored(up, depth, [manifold.part_a, manifold.part_b], [point; 2], 1))
        };
        if overlap <= slop {
            // The two touch at the edge of their projections.
            return stop(overlap.max(0.0), lowest + up * overlap.max(0.0));
        }
        // At twice the overlap of the projections, the two are apart.
        let start = q.pose().translation() + up * (2.0 * overlap);
        let down = q.shape().placed(q.pose().with_translation(start).ok()?).sweep(up * (-2.0 * overlap)).ok()?;
        let impact = time_of_impact(part, down)
            .filter(|impact| impact.initial_depth.is_none() && impact.normal.dot(up) >= IN_FRONT)?;
        // The time of impact is never late, so the depth may be too large. The overlap of the
        // projections is an upper bound, exact if the contact lies flat on the face.
        stop((2.0 * overlap * (1.0 - impact.time)).min(overlap), impact.point)
    }
}

/// Returns the motion of a collider since the last update; `None` if it leaves the range of
/// coordinates.
fn last_motion(columns: &ColliderSet, slot: u32) -> Option<Sweep<'_>> {
    between(&columns.shapes[slot as usize], columns.pose_before(slot), columns.poses_and_boxes[slot as usize].pose)
}

/// Returns a part as a shape, with its poses at the last update and now.
fn part_motion(whole: &Sweep<'_>, i: u32) -> (Shape, Pose, Pose) {
    let [before, now] = both([0.0, 1.0], |time| whole.at(time).part(i));
    (Shape::from(now.convex.clone()), before.pose, now.pose)
}

/// Returns the sweep between two poses: straight, and rotating by the smaller angle.
pub(super) fn between(shape: &Shape, before: Pose, now: Pose) -> Option<Sweep<'_>> {
    let start = shape.placed(before);
    if before == now {
        return Some(start.into());
    }
    let turn = before.inverse_rotate_vector(now.rotate_vector(DVec2::X));
    let turning =
        if before.rotate_vector(DVec2::X) == now.rotate_vector(DVec2::X) { 0.0 } else { libm::atan2(turn.y, turn.x) };
    start.sweep(now.translation() - before.translation()).and_then(|sweep| sweep.with_rotation(turning)).ok()
}

/// Returns the largest depth at which two colliders count as touching.
fn slop(p: Placed<'_>, q: Placed<'_>) -> f64 {
    let size = |placed: Placed<'_>| placed.aabb().size().max_element();
    SLOP * size(p).min(size(q)).max(f64::MIN_POSITIVE)
}

impl World {
    /// Returns true if an impact is from the front of each one-way collider of the pair, at these
    /// poses, and the pair is not passing.
    pub(super) fn is_from_the_front(&self, slots: [u32; 2], poses: [Pose; 2], impact: &Impact) -> bool {
        let stops =
            |i: usize, normal| self.columns.one_way(slots[i]).is_none_or(|one_way| faces(normal, poses[i], one_way));
        stops(0, impact.normal) && stops(1, -impact.normal) && !self.is_passing(self.columns.handles(slots))
    }

    /// Returns true if a normal from the first to the second points within 60° of the front of each
    /// one-way collider of the pair.
    pub(super) fn faces_fronts(&self, slots: [u32; 2], normal: DVec2) -> bool {
        faces_fronts(&self.columns, slots, normal)
    }

    /// Returns true if the one-way colliders of an overlapping pair stop the other collider.
    ///
    /// This is so if the pair was a contact at the last update, or if the overlap is within the slop: responses
    /// leave overlaps of this order.
    pub(super) fn is_stopped_by_fronts(&self, slots: [u32; 2], depth: f64) -> bool {
        if slots.iter().all(|&slot| self.columns.one_way(slot).is_none()) {
            return true;
        }
        let [a, b] = self.columns.handles(slots);
        let was_solid = || self.contacts.between(a, b).is_some_and(|last| !last.is_gap());
        let [p, q] = both(slots, |slot| self.columns.placed(slot));
        !self.is_passing([a, b]) && (depth <= slop(p, q) || was_solid())
    }

    /// Removes the manifolds of a pair that its one-way fronts let pass, as the next update will.
    pub(super) fn retain_stopping(&self, slots: [u32; 2], manifolds: &mut Vec<Manifold>) {
        let pair = self.columns.handles(slots);
        let count = filter_one_way(&self.columns, slots, manifolds, &self.contacts, self.is_passing(pair));
        manifolds.truncate(count);
    }

    pub(super) fn is_passing(&self, pair: [Handle; 2]) -> bool {
        self.passing.binary_search(&pair).is_ok()
    }
}
