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

use super::plane_solver::Plane;
use super::settings::Settings;
use super::{MoverSurface, SurfaceClass};
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::pair_result::Manifold;
use crate::query::ShapeHit;
use crate::shape::{Placed, Shape};
use crate::world::{Handle, SurfaceBuffers, World};

/// Reusable memory, and the surfaces touched by the last call.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub(super) surfaces: Vec<MoverSurface>,
    pub(super) contacts: Vec<(Handle, Manifold)>,
    pub(super) planes: Vec<Plane>,
    pub(super) search: SurfaceBuffers,
    /// Memory of the list of one-way colliders, for its next version.
    pub(super) passing: Vec<Handle>,
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
        placed: Placed<'w>,
        (mut settings, wanted): (Settings, DVec2),
        buffers: &'b mut Buffers,
        passing: &'b mut Vec<Handle>,
    ) -> Self {
        let (position, sides) = (placed.pose().translation(), placed.aabb().size());
        let (size, rounding) = (length(sides), UNIT_ROUNDOFF * (norm1(position) + norm1(wanted)));
        let slack = 4e-7 * size + 32.0 * rounding;
        settings.skin = settings.skin.max(1e-5 * size + 512.0 * rounding);
        let radius = 0.5 * sides.min_element();
        let shape = placed.shape();
        Self { world, handle, shape, placed, position, settings, slack, radius, buffers, passing, found: None }
    }

    /// Returns the mover at a position.
    pub(super) fn at(&self, position: DVec2) -> Placed<'w> {
        self.placed.pose().with_translation(position).map_or(self.placed, |pose| self.shape.placed(pose))
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
    /// Parts that overlap at the start do not stop it: their contacts are planes.
    pub(super) fn cast(
        &self,
        from: DVec2,
        motion: DVec2,
        without: Option<Handle>,
    ) -> (f64, Option<(Handle, ShapeHit)>) {
        let Ok(sweep) = self.at(from).sweep(motion) else { return (0.0, None) };
        let below = 2.0 * self.slack;
        let target = self.target();
        let hit = self.world.cast_collider(self.handle, &sweep, target, |other, hit| {
            Some(other) != without && !self.passing.contains(&other) && self.world.faces_front(other, hit.normal)
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
        let reach = |direction: DVec2| self.placed.support_point(direction).dot(direction);
        reach(direction) + reach(-direction)
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
