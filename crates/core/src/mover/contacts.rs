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
use super::plane_solver::Plane;
use super::settings::Settings;
use super::{MoverSurface, SurfaceClass};
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::pair_result::Manifold;
use crate::query::ShapeHit;
use crate::shape::Placed;
use crate::world::{ColliderAt, Handle, Margins, SurfaceBuffers, World};

/// Reusable memory, and the surfaces touched by the last call.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub(super) surfaces: Vec<MoverSurface>,
    pub(super) contacts: Vec<(Handle, Manifold)>,
    pub(super) planes: Vec<Plane>,
    pub(super) search: SurfaceBuffers,
    /// Memory of the list of one-way colliders, for its next version.
    pub(super) passing: Vec<Handle>,
    /// Position and largest distance of the search that `contacts` are of, if they serve the next call. The next call
    /// starts there. It has the same contacts if nothing near the mover has changed: no pose, no revision of the
    /// world, and not the mover's angle.
    kept: Option<(DVec2, f64)>,
}

/// The state of a mover during one call.
pub(super) struct Slide<'w, 'b> {
    pub(super) world: &'w World,
    pub(super) handle: Handle,
    /// The mover at the position of the last query.
    mover: ColliderAt<'w>,
    pub(super) position: DVec2,
    pub(super) settings: &'b Settings,
    /// The skin of the settings, or the least one.
    pub(super) skin: f64,
    /// Error bound of gaps: those of a cast, and rounding.
    pub(super) slack: f64,
    pub(super) body: &'b Body,
    pub(super) buffers: &'b mut Buffers,
    pub(super) passing: &'b mut Vec<Handle>,
    /// The search that the present contacts are of: position, distance beyond the skin, left out.
    pub(super) found: Option<(DVec2, f64, Option<Handle>)>,
}

impl<'w, 'b> Slide<'w, 'b> {
    /// Prepares a call. `wanted` bounds the coordinates that occur in it.
    #[inline]
    pub(super) fn new(
        world: &'w World,
        mover: ColliderAt<'w>,
        (settings, body): (&'b Settings, &'b Body),
        wanted: DVec2,
        buffers: &'b mut Buffers,
        passing: &'b mut Vec<Handle>,
    ) -> Self {
        let position = mover.placed.pose_ref().translation();
        let (size, rounding) = (body.size, UNIT_ROUNDOFF * power_of_two_above(norm1(position) + norm1(wanted)));
        let slack = 4e-7 * size + 32.0 * rounding;
        let skin = settings.skin.max(1e-5 * size + 512.0 * rounding);
        // Most queries of a call stay near the start, and those of a few calls.
        let lift = settings.up.map_or(0.0, |_| settings.step.max(settings.snap)).min(size);
        let near = length(wanted).min(size) + skin + 4.0 * slack;
        let margins = Margins {
            fixed: lift + near + 0.25 * size,
            movable: lift.max(settings.farthest(size)) + near,
            longest: 3.0 * size + lift + near,
        };
        buffers.search.nearby.begin_call(margins);
        let handle = mover.handle;
        Self { world, handle, mover, position, settings, skin, slack, body, buffers, passing, found: None }
    }

    /// Uses the contacts of the last call, if they are those of the present position and `may_reuse`. Returns true if
    /// they are.
    pub(super) fn reuse_contacts(&mut self, may_reuse: bool) -> bool {
        let margin = self.skin + self.slack;
        let is_same = may_reuse
            && self.buffers.kept == Some((self.position, margin))
            && self.passing.is_empty()
            && self.world.has_same_poses(&self.mover, margin, &mut self.buffers.search);
        if is_same {
            self.found = Some((self.position, self.slack, None));
        } else {
            self.buffers.search.gaps.clear();
        }
        is_same
    }

    /// Keeps the contacts of the end of the call for the next one.
    pub(super) fn keep_contacts(&mut self) {
        let is_kept = self.found == Some((self.position, self.slack, None)) && self.passing.is_empty();
        self.buffers.kept = is_kept.then_some((self.position, self.skin + self.slack));
        if is_kept {
            self.world.keep_poses(&mut self.buffers.search);
        }
    }

    /// Returns true if the contacts are kept, and no query of the call has met a collider that can move.
    pub(super) fn is_alone(&self) -> bool {
        self.buffers.kept.is_some() && self.buffers.search.nearby.is_alone
    }

    /// Returns the mover at a position.
    pub(super) fn at(&self, position: DVec2) -> Placed<'w> {
        let placed = &self.mover.placed;
        placed.pose_ref().with_translation(position).map_or(*placed, |pose| placed.shape().placed(pose))
    }

    /// Returns the mover at the present position, with its box.
    #[inline]
    pub(super) fn collider(&mut self) -> &ColliderAt<'w> {
        self.put(self.position);
        &self.mover
    }

    /// Puts the mover of the next query at a position.
    #[inline]
    fn put(&mut self, position: DVec2) {
        if self.mover.placed.pose_ref().translation() != position {
            let placed = self.at(position);
            (self.mover.placed, self.mover.aabb) = (placed, self.body.aabb(&placed));
        }
    }

    /// Returns true if the mover passes a collider.
    pub(super) fn passes(&self, handle: Handle) -> bool {
        self.passing.contains(&handle)
    }

    /// Finds the contacts at the present position within the skin + `more`. Does nothing if the last
    /// search was the same.
    #[inline(always)]
    pub(super) fn find_contacts(&mut self, more: f64, without: Option<Handle>) {
        if self.found != Some((self.position, more, without)) {
            self.search_contacts(more, without);
        }
    }

    #[inline(never)]
    fn search_contacts(&mut self, more: f64, without: Option<Handle>) {
        self.found = Some((self.position, more, without));
        self.put(self.position);
        let (world, passing, margin) = (self.world, &*self.passing, self.skin + more);
        let Buffers { contacts, search, .. } = &mut *self.buffers;
        contacts.clear();
        world.collect_surface(&self.mover, margin, search, contacts, &mut |other, manifolds| {
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
        self.put(from);
        let distances = [self.target(), self.slack];
        let Ok(sweep) = self.mover.placed.sweep(motion) else { return (0.0, None) };
        let (world, passing) = (self.world, &*self.passing);
        let hit = world.cast_collider(&self.mover, &sweep, distances, &mut self.buffers.search, |other, hit| {
            Some(other) != without && !passing.contains(&other) && world.faces_front(other, hit.normal)
        });
        let Some((_, found)) = hit else { return (1.0, None) };
        // Back to the skin.
        ((found.time + 2.0 * self.slack / found.normal.dot(motion).min(-f64::MIN_POSITIVE)).max(0.0), hit)
    }

    /// Returns the gap at which casts stop. It is above 0, because the skin is at least 16 times the slack.
    pub(super) fn target(&self) -> f64 {
        self.skin - 2.0 * self.slack
    }

    /// Returns the width of the mover along a unit direction.
    pub(super) fn width(&self, direction: DVec2) -> f64 {
        let extent = |direction: DVec2| self.mover.placed.support_point(direction).dot(direction);
        extent(direction) + extent(-direction)
    }

    /// Returns the height of the mover's lowest point at a position.
    pub(super) fn lowest(&self, position: DVec2, up: DVec2) -> f64 {
        let lowest = self.mover.placed.support_point(-up) - self.mover.placed.pose().translation();
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
