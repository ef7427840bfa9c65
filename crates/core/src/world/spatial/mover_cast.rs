//! Casts a mover against the colliders near it.
//!
//! Input: a mover and a translation. Output: the first collider that stops it at a distance (the skin). The simple
//! version computes a time of impact for each collider whose box intersects the box of the motion:
//!
//! ```text
//! for each collider near the motion: time of impact; keep the earliest
//! ```
//!
//! It computes the distance at the start for each of them, because a mover that is nearer than the skin may move away.
//! Most colliders are never hit: the floor along which the mover walks, and those behind the first hit. Here the
//! contacts at the start are known already, with normal and gap:
//!
//! ```text
//! for each collider near the motion: if the gap along the normal of its contact stays above the skin, it is not hit
//! for each other collider near the motion, by the time at which its box is hit
//!     if that time is after the first hit: end
//!     time of impact; the distance at the start is that of the contact, or above the skin
//! ```

use glam::DVec2;

use super::gaps::Gaps;
use super::nearby::ColliderAt;
use super::surface::SurfaceBuffers;
use crate::math::aabb::Aabb;
use crate::math::sort::sort_in_place;
use crate::math::vector::{UNIT_ROUNDOFF, length};
use crate::query::{Impact, ShapeHit, first_that_counts, time_of_impact_closed, time_of_impact_within};
use crate::shape::Sweep;
use crate::world::World;
use crate::world::handle::Handle;

impl World {
    /// Returns the first hit of a translation of a collider that `stops` accepts, at the distance `skin`. Tie: lowest
    /// handle. Only colliders that can form contacts with it count, and no sensors. Parts that overlap at the start
    /// do not stop it; other parts of the same collider do. Gaps are known up to `tolerance`.
    pub(crate) fn cast_collider(
        &self,
        mover: &ColliderAt<'_>,
        motion: &Sweep<'_>,
        [skin, tolerance]: [f64; 2],
        buffers: &mut SurfaceBuffers,
        stops: impl Fn(Handle, &ShapeHit) -> bool,
    ) -> Option<(Handle, ShapeHit)> {
        let SurfaceBuffers { nearby, gaps, candidates, .. } = buffers;
        let (start, translation) = (mover.aabb, motion.translation());
        let far = UNIT_ROUNDOFF * (start.min().abs().max(start.max().abs()).max_element() + length(translation));
        let distance = skin + tolerance + 8.0 * far;
        candidates.clear();
        let whole = start.union(&start.moved(translation));
        let position = mover.placed.pose_ref().translation();
        let is_passed = |other: Handle| {
            let known =
                gaps.gap(other, position, skin + tolerance).filter(|(_, gap)| *gap > 0.0 && *gap < f64::INFINITY);
            known.is_some_and(|(normal, gap)| gap.min(gap + normal.dot(translation)) > skin + tolerance)
        };
        let (radius, reach) =
            (mover.placed.as_convex().map_or(0.0, |(own, _)| own.radius), distance + length(translation));
        self.each_nearby(nearby, mover.handle, &whole.loosely_grown(distance), &mut |other| {
            if is_passed(other) {
                return;
            }
            let aabb = &self.columns.poses_and_boxes[other.index()].aabb;
            let time = first_time(&start, aabb, translation, distance);
            if time <= 1.0 && !mover.is_farther(aabb, radius, reach) {
                candidates.push((time, other));
            }
        });
        sort_in_place(candidates, |(s, p), (t, q)| s.total_cmp(t).then(p.cmp(q)));
        let mut best = None::<(Handle, ShapeHit)>;
        for &(time, other) in candidates.iter() {
            if best.is_some_and(|(_, best)| time > best.time) {
                break;
            }
            let Some(impact) = self.impact_of_mover(mover, motion, other, [skin, tolerance], gaps) else { continue };
            let hit = ShapeHit::of_first(&impact);
            if best.is_none_or(|(first, b)| (hit.time, other) < (b.time, first)) && stops(other, &hit) {
                best = Some((other, hit));
            }
        }
        best
    }

    /// Returns the first impact of a mover with a collider at rest, at the distance `skin`.
    fn impact_of_mover(
        &self,
        mover: &ColliderAt<'_>,
        motion: &Sweep<'_>,
        other: Handle,
        [skin, tolerance]: [f64; 2],
        gaps: &Gaps,
    ) -> Option<Impact> {
        let placed = self.columns.placed(other.slot());
        let known = placed.as_part().and_then(|_| gaps.gap(other, mover.placed.pose().translation(), skin + tolerance));
        if let Some((_, gap)) = known.filter(|(_, gap)| *gap > 0.0) {
            return time_of_impact_closed(&motion.until_gap(skin.min(gap)), &placed.into());
        }
        if mover.aabb.gap(&self.columns.poses_and_boxes[other.index()].aabb) > skin {
            // The distance at the start does not matter.
            return time_of_impact_closed(&motion.until_gap(skin), &placed.into());
        }
        let impact = time_of_impact_within(*motion, placed, skin)?;
        first_that_counts(impact, motion, &placed.into(), &|impact| impact.initial_depth.is_none())
    }
}

/// Returns a time before which a moving box is farther than `distance` from another box, along an axis. Infinite if it
/// always is (Kay and Kajiya 1986).
fn first_time(moving: &Aabb, other: &Aabb, translation: DVec2, distance: f64) -> f64 {
    let (ahead, behind) = (other.min() - moving.max() - distance, other.max() - moving.min() + distance);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for [ahead, behind, speed] in [[ahead.x, behind.x, translation.x], [ahead.y, behind.y, translation.y]] {
        if speed == 0.0 {
            if ahead > 0.0 || behind < 0.0 {
                return f64::INFINITY;
            }
            continue;
        }
        let [p, q] = [ahead / speed, behind / speed];
        (first, last) = (first.max(p.min(q)), last.min(p.max(q)));
    }
    // The quotients are rounded.
    if first <= last * (1.0 + 8.0 * UNIT_ROUNDOFF) { first * (1.0 - 8.0 * UNIT_ROUNDOFF) } else { f64::INFINITY }
}
