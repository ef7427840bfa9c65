//! Particles that move far in a step: swept, so that they pass nothing.

use alloc::vec::Vec;

use glam::DVec2;

use super::far::Swept;
use super::particles::Particles;
use super::walls::Walls;
use crate::math::aabb::Aabb;
use crate::world::{Handle, World};

impl Particles {
    /// Before the step: what overlaps a swept particle already does not stop it, so such pairs bounce first.
    pub(super) fn bounce_early(&mut self, world: &mut World) {
        self.touches.clear();
        let mut pairs = Vec::new();
        world.near_pairs(self.swept.places.iter().map(|&place| self.bodies.handles()[place]), &mut pairs);
        world.each_meeting(&pairs, |_, pair, _, normal| self.touches.add(&self.bodies, &self.restitutions, pair, normal));
        self.touches.bounce(&mut self.velocities);
    }

    /// Lets the swept ones, and all that may come into their way, move as far as they get; the others are put where they go.
    pub(super) fn sweep(&mut self, world: &mut World) -> usize {
        self.sweep_neighbours(world);
        self.swept.at_wall.clear();
        self.swept.parts.clear();
        let mut next = self.swept.places.iter().peekable();
        for (place, (&handle, &target)) in self.bodies.handles().iter().zip(&self.next_places).enumerate() {
            // All handles were found while planning.
            let (Some(start), Some(aabb)) = (world.pose(handle), world.aabb(handle)) else { continue };
            let Some(&place) = next.next_if(|&&swept| swept == place) else {
                let _ = world.set_pose(handle, start.put_at(target));
                continue;
            };
            let origin = start.translation();
            let walls = self.walls.as_ref().filter(|_| self.bodies.inverse_masses()[place] > 0.0);
            let (part, at_wall) = walls.map_or((1.0, [false; 2]), |walls| walls.cut(target, origin, &aabb));
            self.swept.at_wall.push(at_wall);
            self.swept.parts.push(part);
            // A motion out of range is refused; the target is within it, so the particle goes there.
            if world.set_motion(handle, (target - origin) * part, 0.0).is_err() {
                let _ = world.set_pose(handle, start.put_at(target));
            }
        }
        self.swept.places.len()
    }

    /// Adds the slow particles that a fast one may meet.
    fn sweep_neighbours(&mut self, world: &World) {
        let (bodies, targets, places) = (&self.bodies, &self.next_places, &mut self.swept.places);
        let fast = core::mem::take(places);
        let way = |place: usize| {
            let start = world.pose(bodies.handles()[place]).map_or(DVec2::ZERO, |pose| pose.translation());
            (targets[place] - start).abs()
        };
        let mut is_fast = fast.iter().peekable();
        let slow = (0..bodies.len()).filter(|place| is_fast.next_if(|&fast| fast == place).is_none());
        let farthest = slow.map(|place| way(place).max_element()).fold(0.0, f64::max);
        places.extend(&fast);
        for &place in &fast {
            let Some(aabb) = swept_box(world, bodies.handles()[place], targets[place]) else { continue };
            world.each_box_in(&aabb.grown(farthest), |other| places.extend(bodies.place(other)));
        }
        places.sort_unstable();
        places.dedup();
    }

    /// After the update: takes back the gravity of the time that a particle did not move for, or it would gain speed without falling.
    pub(super) fn take_back(&mut self, world: &World, seconds: f64) {
        let Swept { places, parts, stopped, .. } = &mut self.swept;
        stopped.clear();
        stopped.resize(places.len(), false);
        // Sorted by time: the first one stops it.
        for hit in world.collisions().iter().filter(|hit| !hit.sensor) {
            for place in [hit.a, hit.b].into_iter().filter_map(|handle| self.bodies.place(handle)) {
                let Ok(k) = places.binary_search(&place) else { continue };
                if !core::mem::replace(&mut stopped[k], true) {
                    parts[k] *= hit.impact.time;
                }
            }
        }
        for (&place, part) in places.iter().zip(parts) {
            if self.bodies.inverse_masses()[place] > 0.0 {
                self.velocities[place] -= self.gravity * (seconds * (1.0 - *part));
            }
        }
    }

    /// After the update: off the walls that swept particles reached, and back inside them.
    pub(super) fn bounce_at_walls(&mut self, world: &mut World) {
        let Some(walls) = self.walls.filter(|_| self.swept.any()) else { return };
        for ((&place, at_wall), &stopped) in self.swept.places.iter().zip(&self.swept.at_wall).zip(&self.swept.stopped) {
            let handle = self.bodies.handles()[place];
            let (Some(pose), Some(aabb)) = (world.pose(handle), world.aabb(handle)) else { continue };
            if self.bodies.inverse_masses()[place] == 0.0 {
                continue;
            }
            let origin = pose.translation();
            let inside = walls.clamp(origin, origin, &aabb);
            if inside != origin {
                let _ = pose.moved_to(inside).and_then(|pose| world.set_pose(handle, pose));
            }
            if !stopped {
                let velocity = &mut self.velocities[place];
                *velocity = walls.reflect(*velocity, *at_wall, inside, self.restitutions[place]);
            }
        }
    }
}

/// The box around a whole motion.
fn swept_box(world: &World, handle: Handle, end: DVec2) -> Option<Aabb> {
    let placed = world.placed(handle)?;
    let there = placed.shape().placed(placed.pose().put_at(end));
    Some(placed.aabb().union(&there.aabb()))
}

impl Walls {
    /// The velocity after a bounce along the axes of the walls that were reached.
    fn reflect(&self, velocity: DVec2, at_wall: [bool; 2], place: DVec2, restitution: f64) -> DVec2 {
        let middle = self.0.center();
        let axis = |v: f64, at: bool, out: f64| if at && v * out > 0.0 { -restitution * v } else { v };
        DVec2::new(axis(velocity.x, at_wall[0], place.x - middle.x), axis(velocity.y, at_wall[1], place.y - middle.y))
    }
}
