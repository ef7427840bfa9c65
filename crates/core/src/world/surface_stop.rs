//! Decides whether a surface of several shapes stops a motion at a time, without internal edges of flush neighbours.
//!
//! Input: a motion, a time, and the shapes near the moving shape with their own motions. Output: the contact that stops
//! the motion. The simple version tests the normal of the hit:
//!
//! ```text
//! the motion stops if it leads against the normal of the hit
//! ```
//!
//! A shape that slides along a row of tiles stops at the next tile: the normal is that of an internal edge. So the
//! contacts with all neighbours at that time decide:
//!
//! ```text
//! contacts = contacts within a margin at the time, without internal edges      (query/internal_edges)
//! the motion stops if it leads against the normal of one of them
//! ```

use alloc::vec::Vec;

use glam::DVec2;
use smallvec::SmallVec;

use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::pair_result::Manifold;
use crate::query::internal_edges::{INTERNAL_EDGE_TOLERANCE, SurfaceContact, fix_internal_edges};
use crate::query::manifolds_within;
use crate::shape::part::Part;
use crate::shape::{Placed, Sweep};

/// Sine of the smallest angle between a motion and a surface that stops it.
const APPROACH: f64 = 1e-9;
/// Largest gap at a hit, relative to the size.
const GAP_AT_HIT: f64 = 1e-7;
/// Number of neighbours that are stored without an allocation.
const NEAR: usize = 64;

/// A moving shape at a time, and its contacts with the shapes near it.
pub(super) struct SurfaceStop<'a> {
    motion: Sweep<'a>,
    mover: Placed<'a>,
    time: f64,
    surface: Vec<Sweep<'a>>,
    /// Their normals point to the mover.
    pub(super) contacts: Vec<SurfaceContact>,
    manifolds: Vec<Manifold>,
}

impl<'a> SurfaceStop<'a> {
    /// Prepares a motion at a time.
    pub(super) fn new(motion: Sweep<'a>, time: f64) -> Self {
        let (surface, contacts, manifolds) = (Vec::new(), Vec::new(), Vec::new());
        Self { motion, mover: motion.at(time), time, surface, contacts, manifolds }
    }

    /// Returns the moving shape at the time.
    pub(super) fn mover(&self) -> Placed<'a> {
        self.mover
    }

    /// Adds a neighbour and its contacts within `margin`. `keep` removes ignored contacts. It returns false if the
    /// neighbour is no part of the surface.
    pub(super) fn add(&mut self, neighbour: Sweep<'a>, margin: f64, keep: impl Fn(&mut Vec<Manifold>) -> bool) {
        self.manifolds.clear();
        manifolds_within(neighbour.at(self.time), self.mover, margin, &mut self.manifolds);
        if keep(&mut self.manifolds) {
            let surface = self.surface.len();
            self.surface.push(neighbour);
            self.contacts.extend(self.manifolds.drain(..).map(|manifold| SurfaceContact { surface, manifold }));
        }
    }

    /// Replaces or drops contacts with internal edges.
    pub(super) fn smooth(&mut self) {
        let mut placed: SmallVec<[Placed<'_>; NEAR]> = SmallVec::new();
        for neighbour in &self.surface {
            placed.push(neighbour.at(self.time));
        }
        smooth(self.mover, &placed, &mut self.contacts);
    }

    /// Returns the accepted contact with the largest closing speed. `counts` returns true for accepted contacts.
    pub(super) fn fastest(&self, counts: impl Fn(&SurfaceContact) -> bool) -> Option<&SurfaceContact> {
        let (mut first, mut fastest) = (None, 0.0);
        for contact in self.contacts.iter().filter(|contact| counts(contact)) {
            let other = &self.surface[contact.surface];
            let speed = self.closing(other, &contact.manifold);
            if speed > fastest && self.is_stopped(other, speed) {
                (first, fastest) = (Some(contact), speed);
            }
        }
        first
    }

    /// Returns true if the mover comes closer to a neighbour along a normal at a point of contact.
    pub(super) fn approaches(&self, neighbour: &Sweep<'_>, normal: DVec2, point: DVec2) -> bool {
        let velocity = self.velocity(&self.motion, point) - self.velocity(neighbour, point);
        self.is_stopped(neighbour, -normal.dot(velocity))
    }

    /// Returns true if a neighbour stops the mover at a closing speed. A motion along a surface has a rounding error.
    fn is_stopped(&self, neighbour: &Sweep<'_>, speed: f64) -> bool {
        speed > APPROACH * (self.max_speed(&self.motion) + self.max_speed(neighbour))
    }

    /// Returns an upper bound of the speed of the points of a shape.
    fn max_speed(&self, motion: &Sweep<'_>) -> f64 {
        if motion.is_still() {
            return 0.0;
        }
        let placed = motion.at(self.time);
        let (aabb, pivot) = (placed.aabb(), placed.pose().translation());
        let radius = length(aabb.max() - pivot).max(length(aabb.min() - pivot));
        length(motion.translation()) + motion.angle().abs() * radius
    }

    /// Returns the largest speed at which the mover comes closer along the normal of a manifold, at one of its points.
    fn closing(&self, other: &Sweep<'_>, manifold: &Manifold) -> f64 {
        let speeds = manifold.points().iter().map(|point| {
            let velocity = self.velocity(&self.motion, point.on_b) - self.velocity(other, point.on_a);
            -manifold.normal.dot(velocity)
        });
        let translation = self.motion.translation() - other.translation();
        speeds.reduce(f64::max).unwrap_or(-manifold.normal.dot(translation))
    }

    /// Returns the velocity of a point of a shape at the time.
    fn velocity(&self, motion: &Sweep<'_>, point: DVec2) -> DVec2 {
        let arm = point - motion.at(self.time).pose().translation();
        motion.translation() + arm.perp() * motion.angle()
    }
}

/// Replaces or drops the contacts of a mover with internal edges of its neighbours.
pub(super) fn smooth(mover: Placed<'_>, surface: &[Placed<'_>], contacts: &mut Vec<SurfaceContact>) {
    let is_alone = matches!(surface, [only] if mover.as_part().is_some() && only.as_part().is_some());
    if is_alone || contacts.is_empty() {
        // Two convex shapes have no internal edges.
        return;
    }
    fix_internal_edges(mover, surface, INTERNAL_EDGE_TOLERANCE, contacts);
}

/// Returns the largest gap between two parts at a hit.
pub(super) fn gap_at_hit(motion: &Sweep<'_>, parts: [Part<'_>; 2]) -> f64 {
    let size = parts.iter().map(|part| length(part.aabb().size())).fold(0.0, f64::max);
    let far = norm1(parts[0].pose.translation()) + norm1(parts[1].pose.translation()) + norm1(motion.translation());
    GAP_AT_HIT * size + 32.0 * UNIT_ROUNDOFF * far
}
