//! Slides a collider along contact planes: planes, cast, repeat.

use alloc::vec::Vec;

use glam::DVec2;

use super::plane_solver::{Plane, nearest_allowed};
use super::{MoverSurface, Settings, SurfaceClass, side};
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1, unit};
use crate::pair_result::Manifold;
use crate::query::ShapeHit;
use crate::shape::{Placed, Shape};
use crate::world::{Handle, SurfaceBuffers, World};

/// Maximum number of casts per motion, and of steps out of overlaps.
const ITERATIONS: usize = 8;

/// Reusable memory, and the surfaces touched by the last call.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub(super) surfaces: Vec<MoverSurface>,
    pub(super) contacts: Vec<(Handle, Manifold)>,
    planes: Vec<Plane>,
    search: SurfaceBuffers,
}

/// The state of a mover during one call.
pub(super) struct Slide<'w, 'b> {
    pub(super) world: &'w World,
    handle: Handle,
    shape: &'w Shape,
    placed: Placed<'w>,
    pub(super) position: DVec2,
    pub(super) settings: Settings,
    /// Tolerance of gaps: those of a cast, and rounding.
    pub(super) slack: f64,
    pub(super) buffers: &'b mut Buffers,
    passing: &'b mut Vec<Handle>,
}

/// The end of a slide.
pub(super) struct Slid {
    /// The wanted motion that was not made.
    pub(super) remaining: DVec2,
    /// The ground after a step, if the last motion was one.
    pub(super) stepped: Option<Handle>,
}

impl<'w, 'b> Slide<'w, 'b> {
    pub(super) fn new(
        world: &'w World,
        handle: Handle,
        placed: Placed<'w>,
        settings: Settings,
        buffers: &'b mut Buffers,
        passing: &'b mut Vec<Handle>,
    ) -> Self {
        let (position, size) = (placed.pose().translation(), length(placed.aabb().size()));
        let slack = 4e-7 * size + 32.0 * UNIT_ROUNDOFF * norm1(position);
        Self { world, handle, shape: placed.shape(), placed, position, settings, slack, buffers, passing }
    }

    /// Returns the mover at a position.
    fn at(&self, position: DVec2) -> Placed<'w> {
        self.placed.pose().with_translation(position).map_or(self.placed, |pose| self.shape.placed(pose))
    }

    /// Updates the list of ignored one-way colliders. The mover overlaps them, or touches their back or
    /// side. With `drop`, the platforms below the mover are ignored too.
    pub(super) fn update_passing(&mut self, drop: bool) {
        let near = self.settings.skin + if drop { self.slack } else { -self.slack };
        let mut found = core::mem::take(&mut self.buffers.contacts);
        found.clear();
        let (world, old) = (self.world, core::mem::take(self.passing));
        let mut passing = Vec::new();
        let mover = self.at(self.position);
        world.collect_surface(self.handle, mover, near, &mut self.buffers.search, &mut found, |other, _, manifolds| {
            let held = |found: &Manifold| found.depth <= 0.0 && world.faces_front(other, found.normal);
            if world.is_one_way(other)
                && !manifolds.is_empty()
                && (drop || old.contains(&other) || !manifolds.iter().all(held))
            {
                passing.push(other);
            }
        });
        *self.passing = passing;
        self.buffers.contacts = found;
    }

    /// Adds the one-way colliders to the ignored ones that are nearer than the skin at the end of a move, except the
    /// ground: a jump ended above them. Otherwise the next move would lift the mover onto them.
    pub(super) fn ignore_near(&mut self, ground: Option<Handle>) {
        let near = (self.settings.skin - 4.0 * self.slack).max(0.0);
        let mut found = core::mem::take(&mut self.buffers.contacts);
        found.clear();
        let mover = self.at(self.position);
        let (world, passing) = (self.world, &mut *self.passing);
        world.collect_surface(self.handle, mover, near, &mut self.buffers.search, &mut found, |other, _, manifolds| {
            if !manifolds.is_empty() && world.is_one_way(other) && Some(other) != ground && !passing.contains(&other) {
                passing.push(other);
            }
        });
        self.buffers.contacts = found;
    }

    /// Returns true if the mover passes a collider.
    pub(super) fn passes(&self, handle: Handle) -> bool {
        self.passing.contains(&handle)
    }

    /// Finds the contacts at the present position within the skin + `more`.
    pub(super) fn find_contacts(&mut self, more: f64, without: Option<Handle>) {
        let mut found = core::mem::take(&mut self.buffers.contacts);
        found.clear();
        let (world, passing, margin) = (self.world, &*self.passing, self.settings.skin + more);
        let (mover, search) = (self.at(self.position), &mut self.buffers.search);
        world.collect_surface(self.handle, mover, margin, search, &mut found, |other, _, manifolds| {
            let passes = passing.contains(&other);
            manifolds.retain(|found| !passes && (found.depth <= 0.0 && world.faces_front(other, found.normal)));
        });
        found.retain(|(other, _)| Some(*other) != without);
        self.buffers.contacts = found;
    }

    /// Casts the mover from a position. Returns the fraction of the motion that is free, and the hit.
    /// Colliders that overlap at the start do not stop it.
    pub(super) fn cast(
        &self,
        from: DVec2,
        motion: DVec2,
        without: Option<Handle>,
    ) -> (f64, Option<(Handle, ShapeHit)>) {
        let Ok(sweep) = self.at(from).sweep(motion) else { return (0.0, None) };
        // A little below the skin, so that surfaces along which the mover slides at the skin do not stop it.
        let below = 2.0 * self.slack;
        let target = (self.settings.skin - below).max(0.0);
        let hit = self.world.cast_collider(self.handle, &sweep, target, |other, hit| {
            hit.initial_depth.is_none()
                && Some(other) != without
                && !self.passing.contains(&other)
                && self.world.faces_front(other, hit.normal)
        });
        let Some((_, found)) = hit else { return (1.0, None) };
        // Back to the skin.
        ((found.time + below / found.normal.dot(motion).min(-f64::MIN_POSITIVE)).max(0.0), hit)
    }

    /// Moves out of colliders that are closer than the skin, up to the limit.
    pub(super) fn push_out(&mut self) {
        let mut left = self.settings.push;
        for _ in 0..ITERATIONS {
            self.find_contacts(self.slack, None);
            let (skin, slack) = (self.settings.skin, self.slack);
            let planes = &mut self.buffers.planes;
            planes.clear();
            planes.extend(self.buffers.contacts.iter().map(|(_, found)| {
                let least = skin + found.depth;
                Plane { normal: found.normal, least: if least > slack { least } else { 0.0 } }
            }));
            let deepest = planes.iter().copied().reduce(|p, q| if q.least > p.least { q } else { p });
            let Some(deepest) = deepest.filter(|plane| plane.least > 0.0 && left > 0.0) else { return };
            let way = nearest_allowed(DVec2::ZERO, planes).unwrap_or(deepest.normal * deepest.least);
            let way = if length(way) > left { unit(way).unwrap_or(DVec2::ZERO) * left } else { way };
            left -= length(way);
            let (time, _) = self.cast(self.position, way, None);
            self.position += way * time;
            for i in 0..self.buffers.contacts.len() {
                let (other, found) = self.buffers.contacts[i];
                self.touch(other, found.normal);
            }
            if time < 1.0 {
                return;
            }
        }
    }

    /// Slides by a motion, without `without`.
    pub(super) fn slide(&mut self, wanted: DVec2, without: Option<Handle>) -> Slid {
        self.slide_along(wanted, without, false)
    }

    /// Slides by a motion. If `walks`, steep slopes count as walls, floors do not slow the motion, and
    /// steps are climbed.
    pub(super) fn slide_along(&mut self, wanted: DVec2, without: Option<Handle>, mut walks: bool) -> Slid {
        let up = self.settings.up.unwrap_or(DVec2::ZERO);
        let (mut left, mut stepped) = (wanted, None);
        let mut hit: Option<(Handle, DVec2)> = None;
        for _ in 0..ITERATIONS {
            if length(left) <= UNIT_ROUNDOFF * (length(wanted) + norm1(self.position)) {
                return Slid { remaining: DVec2::ZERO, stepped };
            }
            self.find_contacts(self.slack, without);
            self.collect_planes(left);
            let stops = |plane: &Plane| plane.normal.dot(left) < -1e-9 * length(left);
            if let Some((other, normal)) = hit
                && !self.buffers.planes.iter().any(stops)
            {
                // The contact of the cast is beyond the tolerance.
                self.touch(other, normal);
                self.buffers.planes.push(Plane { normal, least: 0.0 });
            }
            if !walks && without.is_none() && left.dot(up) < 0.0 && self.lands(left) {
                (walks, left) = (true, super::across(left, up));
                continue;
            }
            let mut motion = self.allowed(left, walks);
            if walks
                && self.blocks(motion, left)
                && let Some((ground, rest)) = self.step(left)
            {
                (left, stepped, hit) = (rest, Some(ground), None);
                continue;
            }
            if motion == DVec2::ZERO || motion.dot(wanted) < -1e-9 * length(motion) * length(wanted) {
                break;
            }
            if walks && self.follows_floor(motion) {
                motion *= length(left) / length(motion);
            }
            let (time, found) = self.cast(self.position, motion, without);
            self.position += motion * time;
            left = motion * (1.0 - time);
            hit = found.map(|(other, hit)| (other, hit.normal));
            stepped = if time > 0.0 { None } else { stepped };
            if found.is_none() {
                return Slid { remaining: DVec2::ZERO, stepped };
            }
        }
        Slid { remaining: left, stepped }
    }

    /// Converts each contact to a plane. Records the contacts that oppose the motion.
    fn collect_planes(&mut self, motion: DVec2) {
        self.buffers.planes.clear();
        for i in 0..self.buffers.contacts.len() {
            let (other, Manifold { normal, .. }) = self.buffers.contacts[i];
            self.buffers.planes.push(Plane { normal, least: 0.0 });
            if normal.dot(motion) < 0.0 {
                self.touch(other, normal);
            }
        }
    }

    /// Returns the motion nearest to a wanted one that the planes allow, and that climbs no steep slope.
    fn allowed(&mut self, wanted: DVec2, walks: bool) -> DVec2 {
        let (up, floor) = (self.settings.up, self.settings.floor);
        let planes = &mut self.buffers.planes;
        let is_steep = |plane: &Plane, up: DVec2| plane.normal.dot(up) > 1e-9 && plane.normal.dot(up) < floor;
        if let Some(up) = up.filter(|_| walks) {
            for plane in planes.iter_mut().filter(|plane| is_steep(plane, up)) {
                plane.normal = side(plane.normal, up);
            }
        }
        let motion = nearest_allowed(wanted, planes).unwrap_or(DVec2::ZERO);
        let Some(up) = up.filter(|&up| !walks && motion.dot(up) > wanted.dot(up).max(0.0)) else { return motion };
        for i in 0..planes.len() {
            let plane = planes[i];
            if is_steep(&plane, up) {
                planes.push(Plane { normal: side(plane.normal, up), least: 0.0 });
            }
        }
        nearest_allowed(wanted, planes).unwrap_or(DVec2::ZERO)
    }

    /// Returns true if a falling motion leads onto a floor.
    fn lands(&self, motion: DVec2) -> bool {
        self.buffers
            .planes
            .iter()
            .any(|plane| self.class(plane.normal) == SurfaceClass::Floor && plane.normal.dot(motion) < 0.0)
    }

    /// Returns true if walls take most of a motion.
    fn blocks(&self, motion: DVec2, wanted: DVec2) -> bool {
        let is_wall = |plane: &Plane| self.class(plane.normal) == SurfaceClass::Wall;
        motion.dot(wanted) < 1e-6 * wanted.length_squared()
            && self.buffers.planes.iter().any(|plane| is_wall(plane) && plane.normal.dot(wanted) < 0.0)
    }

    /// Returns true if a motion leads along a floor.
    fn follows_floor(&self, motion: DVec2) -> bool {
        self.buffers.planes.iter().any(|plane| {
            self.class(plane.normal) == SurfaceClass::Floor && plane.normal.dot(motion).abs() <= 1e-9 * length(motion)
        })
    }

    /// Returns the width of the mover along a unit direction.
    pub(super) fn width(&self, direction: DVec2) -> f64 {
        let reach = |direction: DVec2| self.placed.support_point(direction).dot(direction);
        reach(direction) + reach(-direction)
    }

    /// Returns the class of a surface normal.
    pub(super) fn class(&self, normal: DVec2) -> SurfaceClass {
        match self.settings.up.map(|up| normal.dot(up)) {
            Some(height) if height >= self.settings.floor => SurfaceClass::Floor,
            Some(height) if height <= -self.settings.floor => SurfaceClass::Ceiling,
            _ => SurfaceClass::Wall,
        }
    }

    /// Records a touched surface.
    pub(super) fn touch(&mut self, handle: Handle, normal: DVec2) {
        let class = self.class(normal);
        let is_same = |seen: &MoverSurface| seen.handle == handle && (seen.normal - normal).length_squared() < 1e-12;
        if !self.buffers.surfaces.iter().any(is_same) {
            self.buffers.surfaces.push(MoverSurface { handle, normal, class });
        }
    }
}
