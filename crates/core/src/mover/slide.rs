//! Slides the mover by a wanted motion.
//!
//! Input: a wanted motion from the present position. Output: a new position, and the part of the
//! motion that was stopped. It approximates the motion of a point that is pulled along the wanted
//! direction and never comes nearer to a collider than the skin. The simple version removes the
//! blocked part at each hit:
//!
//! ```text
//! repeat: cast along the motion; remove the part of the rest against the normal that was hit
//! ```
//!
//! It loses motion in three ways. It jitters between two walls. Motion that one wall has turned stays
//! turned after the end of that wall. And each seam of flush tiles can stop it. Here:
//!
//! ```text
//! rest = 1
//! repeat
//!     planes = contacts within the skin, without internal edges
//!     motion = the allowed motion nearest to rest · wanted           // plane_solver.rs
//!     if a wall stops it on the ground: try a step                   // step.rs
//!     cast along the motion, at most half the mover's width while planes turn it
//!     if the wall ends before: stop at its end, by bisection
//!     rest = rest − the fraction of the motion that was made
//! ```
//!
//! So the motion is always the projection of the wanted one, also around corners. Source: the planes
//! are those of `b2SolvePlanes` (Box2D), the repetition that of Quake's `PM_StepSlideMove`.

use glam::DVec2;

use super::contacts::Slide;
use super::plane_solver::{Plane, nearest_allowed};
use super::{SurfaceClass, across, side};
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1};
use crate::pair_result::Manifold;
use crate::world::Handle;

/// Maximum number of casts per motion.
const ITERATIONS: usize = 128;

/// Maximum number of casts in a row that make no progress.
const STILL: usize = 6;

/// Largest number of casts into which a slide along one surface is divided.
const PIECES: f64 = 32.0;

/// Number of bisections of the end of a wall.
const BISECTIONS: usize = 12;

/// Sine of the smallest angle between a motion and a plane that stops it.
const APPROACH: f64 = 1e-9;

/// The end of a slide.
pub(super) struct Slid {
    /// The part of the wanted motion that was stopped.
    pub(super) remaining: DVec2,
    /// The ground after a step, if the last motion was one.
    pub(super) stepped: Option<Handle>,
}

impl Slide<'_, '_> {
    /// Slides by a motion, without `without`.
    pub(super) fn slide(&mut self, wanted: DVec2, without: Option<Handle>) -> Slid {
        self.slide_along(wanted, without, false)
    }

    /// Slides by a motion. If `walks`, steep slopes count as walls, floors do not slow the motion, and
    /// steps are climbed.
    pub(super) fn slide_along(&mut self, mut wanted: DVec2, without: Option<Handle>, mut walks: bool) -> Slid {
        let up = self.settings.up.unwrap_or(DVec2::ZERO);
        let (mut rest, mut stepped, mut still) = (1.0, None, 0);
        let mut hit: Option<(Handle, DVec2)> = None;
        for _ in 0..ITERATIONS {
            let left = wanted * rest;
            if length(left) <= UNIT_ROUNDOFF * (length(wanted) + norm1(self.position)) {
                return Slid { remaining: DVec2::ZERO, stepped };
            }
            self.find_contacts(self.slack, without);
            self.collect_planes(left);
            if let Some((other, normal)) = hit
                && (still > 0 || !self.buffers.planes.iter().any(|plane| stops(plane.normal, left)))
            {
                // The contact of the cast is beyond the tolerance.
                self.touch(other, normal);
                self.buffers.planes.push(Plane { normal, least: 0.0 });
            }
            if !walks && without.is_none() && left.dot(up) < 0.0 && self.lands(left) {
                (walks, wanted, rest) = (true, across(left, up), 1.0);
                continue;
            }
            let mut motion = self.allowed(left, walks);
            if walks
                && self.blocks(motion, left)
                && let Some((ground, made)) = self.step(left)
            {
                (rest, stepped, hit) = (rest * (1.0 - made), Some(ground), None);
                continue;
            }
            if motion == DVec2::ZERO || motion.dot(wanted) < -APPROACH * length(motion) * length(wanted) {
                return Slid { remaining: left, stepped };
            }
            if walks && self.follows_floor(motion) {
                motion *= length(left) / length(motion);
            }
            let is_turned = motion != left;
            let reach = if is_turned { (self.radius / length(motion)).clamp(1.0 / PIECES, 1.0) } else { 1.0 };
            let start = self.position;
            let (time, found) = self.cast(start, motion * reach, without);
            let mut made = time * reach;
            if is_turned && !walks {
                (self.position, made) = self.end_of_wall(start, (motion, left), made, without);
            } else {
                self.position = start + motion * made;
            }
            rest *= 1.0 - made;
            // The hit counts only at its position.
            hit = found.filter(|_| made == time * reach).map(|(other, hit)| (other, hit.normal));
            stepped = if made > 0.0 { None } else { stepped };
            still = if length(motion) * made > self.slack { 0 } else { still + 1 };
            if still > STILL {
                break;
            }
        }
        Slid { remaining: wanted * rest, stepped }
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

    /// Returns the end of a motion along a wall: `made`, or less if the wall that stops `left` ends
    /// before. Returns the position there and the fraction.
    ///
    /// Bisects the motion. Near a corner the gap grows with the square of the motion, so a tenth of the
    /// skin more still counts as a contact.
    fn end_of_wall(
        &mut self,
        start: DVec2,
        (motion, left): (DVec2, DVec2),
        made: f64,
        without: Option<Handle>,
    ) -> (DVec2, f64) {
        self.position = start + motion * made;
        if made == 0.0 || self.is_stopped(left, self.slack, without) {
            return (self.position, made);
        }
        let more = self.slack.max(0.1 * self.settings.skin);
        let (mut low, mut high) = (0.0, made);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            self.position = start + motion * middle;
            *(if self.is_stopped(left, more, without) { &mut low } else { &mut high }) = middle;
        }
        // Beyond the end, so that the next motion does not start on the wall.
        self.position = start + motion * high;
        (self.position, high)
    }

    /// Returns true if a contact within the skin + `more` opposes a motion.
    fn is_stopped(&mut self, motion: DVec2, more: f64, without: Option<Handle>) -> bool {
        self.find_contacts(more, without);
        self.buffers.contacts.iter().any(|(_, found)| stops(found.normal, motion))
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
        let planes = &self.buffers.planes;
        planes
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
            self.class(plane.normal) == SurfaceClass::Floor
                && plane.normal.dot(motion).abs() <= APPROACH * length(motion)
        })
    }
}

/// Returns true if a plane with this normal stops a motion.
fn stops(normal: DVec2, motion: DVec2) -> bool {
    normal.dot(motion) < -APPROACH * length(motion)
}
