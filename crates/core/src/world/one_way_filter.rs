//! Platforms that stop what comes from their front and let pass all else.
//!
//! The state is of the pair, not of the frame: how two colliders came together decides, once, and holds until they are apart again (P18).
//!
//! ```text
//! it passed at the last update                                      it passes on
//! it was no contact: where did the way since then first touch?      within 60° of the front: solid; else it passes
//! solid: how does it meet each part of the platform?                within 60° of the front: as it does
//!        else bring it down onto that part along the front:         within 60°: out the way it came down; else not this part
//! solid, and stopped by no part                                     it has slipped off: it passes
//! ```

use glam::DVec2;

use super::World;
use super::collider_set::ColliderSet;
use super::contact::ContactRef;
use super::contact_store::deepest;
use super::handle::Handle;
use super::one_way::OneWay;
use crate::math::pose::Pose;
use crate::query::{ContactPoint, Impact, Manifold, time_of_impact};
use crate::shape::{Placed, Shape, Sweep};

/// What meets at this angle to the front at most, as its cosine, comes from there: 60°.
const IN_FRONT: f64 = 0.5;
/// What overlaps by no more than this part of its size only touches: responses leave as much.
const SLOP: f64 = 1e-6;

/// Judges a pair of which one is one-way, by how its parts meet and how they did at the last update, if it was a contact. What stops it comes to the front of the manifolds; says how many
/// these are, 0 where it passes until they are apart.
pub(super) fn filter_one_way(
    columns: &ColliderSet,
    slots: [u32; 2],
    manifolds: &mut [Manifold],
    last: Option<ContactRef<'_>>,
    was_passing: bool,
) -> usize {
    if was_passing {
        return 0;
    }
    let [a, b] = slots;
    let mut count = manifolds.len();
    // From the one-way collider to the other, whichever is first.
    for (platform, other, flip) in [(a, b, false), (b, a, true)] {
        let Some(one_way) = columns.one_way(platform) else { continue };
        let turned = |manifold: &Manifold| if flip { manifold.flipped() } else { *manifold };
        let before = columns.pose_before(platform);
        let held_before = |parts: Option<[u32; 2]>| {
            let all = last.into_iter().flat_map(|last| last.manifolds());
            let mut held = all.map(|last| turned(&last)).filter(|last| faces(last.normal, before, one_way));
            held.any(|last| parts.is_none_or(|parts| [last.part_a, last.part_b] == parts))
        };
        let pair = Pair { columns, platform, other, one_way };
        let Some(deepest) = deepest(&manifolds[..count]) else { return 0 };
        if !(if last.is_some() { held_before(None) } else { pair.came_from_the_front(None, &turned(deepest)) }) {
            return 0;
        }
        let mut kept = 0;
        for i in 0..count {
            let seen = turned(&manifolds[i]);
            let up = columns.spots[platform as usize].pose;
            let stop = if faces(seen.normal, up, one_way) {
                Some(seen)
            } else if held_before(Some([seen.part_a, seen.part_b]))
                || pair.came_from_the_front(Some([seen.part_a, seen.part_b]), &seen)
            {
                pair.brought_down(&seen)
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
    // Where both are one-way, each way out leads to both fronts.
    let [front_a, front_b] =
        slots.map(|slot| columns.one_way(slot).map(|one_way| (columns.spots[slot as usize].pose, one_way)));
    let (Some(front_a), Some(front_b)) = (front_a, front_b) else { return count };
    let mut kept = 0;
    for i in 0..count {
        let normal = manifolds[i].normal;
        if faces(normal, front_a.0, front_a.1) && faces(-normal, front_b.0, front_b.1) {
            manifolds.swap(kept, i);
            kept += 1;
        }
    }
    kept
}

/// Does a way out of a one-way collider lead to its front?
fn faces(normal: DVec2, pose: Pose, one_way: OneWay) -> bool {
    normal.dot(pose.rotate_vector(one_way.front())) >= IN_FRONT
}

/// A one-way collider, and one that meets it.
struct Pair<'a> {
    columns: &'a ColliderSet,
    platform: u32,
    other: u32,
    one_way: OneWay,
}

impl Pair<'_> {
    /// Two that were apart at the last update, or these parts of them: where have they first touched since?
    fn came_from_the_front(&self, parts: Option<[u32; 2]>, now: &Manifold) -> bool {
        let Self { columns, platform, other, one_way } = *self;
        let (platform, slop) = (way(columns, platform), slop(columns.placed(platform), columns.placed(other)));
        let (Some(platform), Some(other)) = (platform, way(columns, other)) else { return false };
        let impact = match parts {
            None => time_of_impact(platform, other),
            Some([p, q]) => {
                let ((p, from_p, to_p), (q, from_q, to_q)) = (way_of_part(&platform, p), way_of_part(&other, q));
                let (Some(p), Some(q)) = (between(&p, from_p, to_p), between(&q, from_q, to_q)) else { return false };
                time_of_impact(p, q)
            }
        };
        match impact {
            // It appeared inside of it, unless it was put down upon it.
            Some(impact) if impact.initial_depth.is_some_and(|depth| depth > slop) => false,
            Some(impact) => faces(impact.normal, platform.at(impact.time).pose(), one_way),
            // They graze, or were put side by side.
            None => now.depth <= slop && faces(now.normal, platform.at(1.0).pose(), one_way),
        }
    }

    /// The least way out of a part leads beside it or through it: by the front instead, the way back to where the other one first touches when it is brought down from there. `None` where
    /// it does not touch the front.
    fn brought_down(&self, seen: &Manifold) -> Option<Manifold> {
        let (p, q) = (self.columns.placed(self.platform), self.columns.placed(self.other));
        let up = p.pose().rotate_vector(self.one_way.front());
        let slop = slop(p, q);
        let [p, q] = [p.part(seen.part_a), q.part(seen.part_b)];
        let shapes = [p, q].map(|part| Shape::from(part.convex.clone()));
        let (part, q) = (shapes[0].placed(p.pose), shapes[1].placed(q.pose));
        let low = q.support_point(-up);
        let shadow = (part.support_point(up) - low).dot(up);
        let stop = |depth: f64, on_a: DVec2| {
            let point = ContactPoint { on_a, on_b: on_a - up * depth, depth, id: seen.points().first()?.id };
            Some(Manifold::from_stored(up, depth, [seen.part_a, seen.part_b], [point; 2], 1))
        };
        if shadow <= slop {
            // Side by side at the very edge.
            return stop(shadow.max(0.0), low + up * shadow.max(0.0));
        }
        // Twice as far is apart.
        let start = q.pose().translation() + up * (2.0 * shadow);
        let down = q.shape().placed(q.pose().with_translation(start).ok()?).sweep(up * (-2.0 * shadow)).ok()?;
        let impact = time_of_impact(part, down)
            .filter(|impact| impact.initial_depth.is_none() && impact.normal.dot(up) >= IN_FRONT)?;
        // Impacts are never late; of what lies flat on the face the shadows are exact.
        stop((2.0 * shadow * (1.0 - impact.time)).min(shadow), impact.point)
    }
}

/// The motion of a collider since the last update; `None` if it leads out of range.
fn way(columns: &ColliderSet, slot: u32) -> Option<Sweep<'_>> {
    between(&columns.shapes[slot as usize], columns.pose_before(slot), columns.spots[slot as usize].pose)
}

/// A part by itself, where it was and where it is.
fn way_of_part(whole: &Sweep<'_>, i: u32) -> (Shape, Pose, Pose) {
    let [before, now] = [0.0, 1.0].map(|time| whole.at(time).part(i));
    (Shape::from(now.convex.clone()), before.pose, now.pose)
}

/// Straight on, and turning the short way round.
fn between(shape: &Shape, before: Pose, now: Pose) -> Option<Sweep<'_>> {
    let start = shape.placed(before);
    if before == now {
        return Some(start.into());
    }
    let turn = before.inverse_rotate_vector(now.rotate_vector(DVec2::X));
    let turning =
        if before.rotate_vector(DVec2::X) == now.rotate_vector(DVec2::X) { 0.0 } else { libm::atan2(turn.y, turn.x) };
    start.sweep(now.translation() - before.translation()).and_then(|sweep| sweep.with_rotation(turning)).ok()
}

/// An overlap that only touches.
fn slop(p: Placed<'_>, q: Placed<'_>) -> f64 {
    let size = |placed: Placed<'_>| placed.aabb().size().max_element();
    SLOP * size(p).min(size(q)).max(f64::MIN_POSITIVE)
}

impl World {
    /// Does an impact come from the fronts of those of the two that are one-way, which are at these poses then?
    pub(super) fn is_from_the_front(&self, slots: [u32; 2], poses: [Pose; 2], impact: &Impact) -> bool {
        let stops =
            |i: usize, normal| self.columns.one_way(slots[i]).is_none_or(|one_way| faces(normal, poses[i], one_way));
        stops(0, impact.normal)
            && stops(1, -impact.normal)
            && !self.is_passing(slots.map(|slot| self.columns.handle(slot)))
    }

    pub(super) fn is_passing(&self, pair: [Handle; 2]) -> bool {
        self.passing.binary_search(&pair).is_ok()
    }
}
