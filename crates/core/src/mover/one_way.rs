//! Lists the one-way colliders that the mover passes.
//!
//! Input: the one-way colliders near the mover, at the start and at the end of a call. Output: the
//! list of ignored colliders. The simple version tests the normal of each contact:
//!
//! ```text
//! ignore a one-way collider if its contact does not face the front
//! ```
//!
//! It would lift a mover that rises through a platform, as soon as its centre is above the middle of
//! the platform. Then the shortest MTV leads to the front. So the decision is a state. It begins with
//! an overlap, or with a gap below the skin at the end of a jump. It ends when the gap is the skin.
//! [`one_way_filter`](crate::world) keeps the same state for contacts of a world.

use glam::DVec2;

use super::SurfaceClass;
use super::contacts::Slide;
use crate::world::Handle;

impl Slide<'_, '_> {
    /// Updates the list at the start of a call. The mover overlaps the ignored colliders, or is
    /// beside or behind them. With `drop`, the platforms below the mover are ignored too, and those beside
    /// them at the same height. Otherwise a round mover would fall onto the corner of the next tile. An
    /// ignored platform stays ignored as long as it reaches as high as the mover's lowest point.
    pub(super) fn update_passing(&mut self, drop: bool) {
        let (skin, slack, floor) = (self.skin, self.slack, self.settings.floor);
        let is_wide = self.settings.up.is_some() && (drop || !self.passing.is_empty());
        let near = skin + if drop { slack } else { -slack } + if is_wide { self.body.radius } else { 0.0 };
        if !self.has_one_way_within(near) {
            self.passing.clear();
            return;
        }
        let bottom = self.settings.up.map(|up| (up, self.lowest(self.position, up)));
        let mut found = core::mem::take(&mut self.buffers.contacts);
        found.clear();
        self.found = None;
        core::mem::swap(self.passing, &mut self.buffers.passing);
        let mover = *self.collider();
        let (world, old, passing) = (self.world, &self.buffers.passing, &mut *self.passing);
        passing.clear();
        world.collect_surface(&mover, near, &mut self.buffers.search, &mut found, &mut |other, manifolds| {
            // The nearest part decides: a part farther away may face another way.
            let Some(nearest) = manifolds.iter().reduce(|p, q| if q.depth > p.depth { q } else { p }) else { return };
            let is_held = nearest.depth <= 0.0 && world.faces_front(other, nearest.normal);
            let reaches = |gap: f64| match bottom {
                Some((up, bottom)) => {
                    world.front(other).is_some_and(|front| front.dot(up) >= floor)
                        && nearest.points().iter().any(|point| point.on_a.dot(up) >= bottom - gap)
                }
                None => false,
            };
            let was_ignored = old.contains(&other);
            let is_passed = nearest.depth >= slack - skin && (was_ignored || !is_held);
            let is_dropped = drop && (nearest.depth >= -skin - slack || reaches(skin + slack));
            if (is_passed || is_dropped || was_ignored && reaches(skin - slack)) && world.is_one_way(other) {
                passing.push(other);
            }
        });
        self.buffers.contacts = found;
    }

    /// Adds the one-way colliders that are nearer than the skin at the end of a call, except the
    /// ground: a jump ended above them. Otherwise the next call would lift the mover onto them.
    pub(super) fn ignore_near(&mut self, ground: Option<Handle>) {
        let near = self.skin - 4.0 * self.slack;
        if !self.has_one_way_within(near) {
            return;
        }
        let mut found = core::mem::take(&mut self.buffers.contacts);
        found.clear();
        self.found = None;
        let mover = *self.collider();
        let (world, passing) = (self.world, &mut *self.passing);
        world.collect_surface(&mover, near, &mut self.buffers.search, &mut found, &mut |other, manifolds| {
            if !manifolds.is_empty() && world.is_one_way(other) && Some(other) != ground && !passing.contains(&other) {
                passing.push(other);
            }
        });
        self.buffers.contacts = found;
    }

    /// Returns true if a one-way collider is near the mover, by its box.
    fn has_one_way_within(&mut self, distance: f64) -> bool {
        let aabb = self.collider().aabb.loosely_grown(distance);
        self.world.has_one_way_nearby(&mut self.buffers.search.nearby, self.handle, &aabb)
    }

    /// Ignores the one-way floors that stop a walk with a steep contact: the corner of a platform beside a
    /// round mover. Otherwise the mover would climb it as a step. Returns true if there is one.
    pub(super) fn ignore_platforms_aside(&mut self, walk: DVec2, hit: Option<(Handle, DVec2)>) -> bool {
        let count = self.passing.len();
        let contacts = self.buffers.contacts.iter().map(|(other, found)| (*other, found.normal));
        for (other, normal) in contacts.chain(hit) {
            let is_floor = self.world.front(other).is_some_and(|front| self.class(front) == SurfaceClass::Floor);
            if is_floor && self.class(normal) == SurfaceClass::Wall && normal.dot(walk) < 0.0 {
                self.passing.push(other);
            }
        }
        self.found = None;
        self.passing.len() > count
    }
}
