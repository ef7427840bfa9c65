//! The state of one call: the position of the mover, its contacts, and casts from a position.
//!
//! Input: a world, a collider, and a position that changes during the call. Output of
//! [`Slide::find_contacts`]: the surfaces within the skin, with internal edges of flush neighbours
//! removed. Output of [`Slide::cast`]: the fraction of a motion that is free.
//!
//! ```text
//! contacts: all surfaces nearer than skin + slack        // they become planes
//! cast:     stop at the gap skin − 2 slack, then go back to the gap skin
//! ```
//!
//! The two distances differ, so a surface along which the mover slides at the skin is a contact, but
//! never stops a cast. With one distance for both, rounding would stop the mover at every seam of
//! flush tiles. The slack is the error bound of both queries.

use alloc::vec::Vec;

use glam::DVec2;

use super::body::{Body, power_of_two_above};
use super::moving::FARTHEST;
use super::plane_solver::Plane;
use super::settings::Settings;
use super::{MoverSurface, SurfaceClass};
use crate::math::aabb::Aabb;
use crate::math::pose::Pose;
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::pair_result::Manifold;
use crate::query::ShapeHit;
use crate::shape::{Placed, Shape};
use crate::world::{ColliderAt, Handle, Margins, Revision, SurfaceBuffers, World};

/// Reusable memory, and the surfaces touched by the last call.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub(super) surfaces: Vec<MoverSurface>,
    pub(super) contacts: Vec<(Handle, Manifold)>,
    pub(super) planes: Vec<Plane>,
    pub(super) search: SurfaceBuffers,
    /// Memory of the list of one-way colliders, for its next version.
    pub(super) passing: Vec<Handle>,
    /// The search that `contacts` are of, if they serve the next call.
    kept: Option<Kept>,
    /// The lengths of the mover in the last call.
    body: Option<Body>,
}

/// A search for contacts at the end of a call. The next call starts there. It has the same contacts if
/// the colliders near the mover have the same poses, and nothing else has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kept {
    pose: Pose,
    /// Largest distance of a contact.
    margin: f64,
    skin: f64,
    world: Revision,
}

/// The state of a mover during one call.
pub(super) struct Slide<'w, 'b> {
    pub(super) world: &'w World,
    pub(super) handle: Handle,
    shape: &'w Shape,
    placed: Placed<'w>,
    pub(super) position: DVec2,
    pub(super) settings: Settings,
    /// Error bound of gaps: those of a cast, and rounding.
    pub(super) slack: f64,
    body: Body,
    /// The last result of [`Slide::collider_at`].
    last_at: ColliderAt<'w>,
    /// Half the smaller side of the mover's box.
    pub(super) radius: f64,
    pub(super) buffers: &'b mut Buffers,
    pub(super) passing: &'b mut Vec<Handle>,
    /// The search that the present contacts are of: position, distance beyond the skin, left out.
    pub(super) found: Option<(DVec2, f64, Option<Handle>)>,
}

impl<'w, 'b> Slide<'w, 'b> {
    /// Prepares a call. `wanted` bounds the coordinates that occur in it.
    pub(super) fn new(
        world: &'w World,
        handle: Handle,
        (placed, aabb): (Placed<'w>, Aabb),
        (mut settings, wanted): (Settings, DVec2),
        buffers: &'b mut Buffers,
        passing: &'b mut Vec<Handle>,
    ) -> Self {
        let (position, shape) = (placed.pose().translation(), placed.shape());
        let body = Body::cached(&mut buffers.body, &placed, world.revision());
        let (size, rounding) = (body.size, UNIT_ROUNDOFF * power_of_two_above(norm1(position) + norm1(wanted)));
        let slack = 4e-7 * size + 32.0 * rounding;
        settings.skin = settings.skin.max(1e-5 * size + 512.0 * rounding);
        let last_at = ColliderAt { handle, placed, aabb };
        // Most queries of a call stay near the start, and those of a few calls.
        let lift = settings.up.map_or(0.0, |_| settings.step.max(settings.snap)).min(size);
        let near = length(wanted).min(size) + settings.skin + 4.0 * slack;
        let margins = Margins {
            fixed: lift + near + 0.5 * size,
            movable: lift.max(settings.push.min(FARTHEST * size)) + near,
            longest: 3.0 * size + lift + near,
        };
        buffers.search.nearby.begin_call(margins);
        let mut slide = Self {
            world,
            handle,
            shape,
            placed,
            position,
            settings,
            slack,
            radius: body.radius,
            body,
            last_at,
            buffers,
            passing,
            found: None,
        };
        slide.reuse_contacts();
        slide
    }

    /// Uses the contacts of the last call, if they are those of the present position.
    fn reuse_contacts(&mut self) {
        let now = self.present_search();
        if self.buffers.kept.take() == Some(now) && self.passing.is_empty() {
            let mover = self.collider_at(self.position);
            let is_same = self.world.has_same_poses(&mover, now.margin, &mut self.buffers.search);
            self.found = is_same.then_some((self.position, self.slack, None));
        }
        if self.found.is_none() {
            self.buffers.search.gaps.clear();
        }
    }

    /// Keeps the contacts of the end of the call for the next one.
    pub(super) fn keep_contacts(&mut self) {
        if self.found == Some((self.position, self.slack, None)) && self.passing.is_empty() {
            self.buffers.kept = Some(self.present_search());
            self.world.keep_poses(&mut self.buffers.search);
        }
    }

    fn present_search(&self) -> Kept {
        let (skin, pose) = (self.settings.skin, self.at(self.position).pose());
        Kept { pose, margin: skin + self.slack, skin, world: self.world.revision() }
    }

    /// Returns the mover at a position.
    pub(super) fn at(&self, position: DVec2) -> Placed<'w> {
        self.placed.pose().with_translation(position).map_or(self.placed, |pose| self.shape.placed(pose))
    }

    /// Returns the mover at a position, with its box.
    pub(super) fn collider_at(&mut self, position: DVec2) -> ColliderAt<'w> {
        if self.last_at.placed.pose_ref().translation() != position {
            let placed = self.at(position);
            self.last_at = ColliderAt { handle: self.handle, placed, aabb: self.body.aabb(&placed) };
        }
        self.last_at
    }

    /// Returns true if the mover passes a collider.
    pub(super) fn passes(&self, handle: Handle) -> bool {
        self.passing.contains(&handle)
    }

    /// Finds the contacts at the present position within the skin + `more`. Does nothing if the last
    /// search was the same.
    pub(super) fn find_contacts(&mut self, more: f64, without: Option<Handle>) {
        let search = Some((self.position, more, without));
        if self.found == search {
            return;
        }
        self.found = search;
        let mover = self.collider_at(self.position);
        let (world, passing, margin) = (self.world, &*self.passing, self.settings.skin + more);
        let Buffers { contacts, search, .. } = &mut *self.buffers;
        contacts.clear();
        world.collect_surface(&mover, margin, search, contacts, |other, _, manifolds| {
            let passes = passing.contains(&other);
            manifolds.retain(|found| !passes && (found.depth <= 0.0 && world.faces_front(other, found.normal)));
        });
        if without.is_some() {
            contacts.retain(|(other, _)| Some(*other) != without);
        }
    }

    /// Casts the mover from a position. Returns the fraction of the motion that is free, and the hit.
    /// Parts that overlap at the start do not stop it: their contacts are planes.
    pub(super) fn cast(
        &mut self,
        from: DVec2,
        motion: DVec2,
        without: Option<Handle>,
    ) -> (f64, Option<(Handle, ShapeHit)>) {
        let mover = self.collider_at(from);
        let Ok(sweep) = mover.placed.sweep(motion) else { return (0.0, None) };
        let below = 2.0 * self.slack;
        let distances = [self.target(), self.slack];
        let (world, passing) = (self.world, &*self.passing);
        let hit = world.cast_collider(&mover, &sweep, distances, &mut self.buffers.search, |other, hit| {
            Some(other) != without && !passing.contains(&other) && world.faces_front(other, hit.normal)
        });
        let Some((_, found)) = hit else { return (1.0, None) };
        // Back to the skin.
        ((found.time + below / found.normal.dot(motion).min(-f64::MIN_POSITIVE)).max(0.0), hit)
    }

    /// Returns the gap at which casts stop. It is above 0, because the skin is at least 16 times the slack.
    pub(super) fn target(&self) -> f64 {
        self.settings.skin - 2.0 * self.slack
    }

    /// Returns the width of the mover along a unit direction.
    pub(super) fn width(&self, direction: DVec2) -> f64 {
        let extent = |direction: DVec2| self.placed.support_point(direction).dot(direction);
        extent(direction) + extent(-direction)
    }

    /// Returns the height of the mover's lowest point at a position.
    pub(super) fn lowest(&self, position: DVec2, up: DVec2) -> f64 {
        let lowest = self.placed.support_point(-up) - self.placed.pose().translation();
        (lowest + position).dot(up)
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
