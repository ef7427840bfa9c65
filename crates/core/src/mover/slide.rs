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
//! are those of `b2SolvePlanes` (`Box2D`), the repetition that of Quake's `PM_StepSlideMove`.

use glam::DVec2;

use super::contacts::Slide;
use super::plane_solver::{Plane, nearest_allowed};
use super::{SurfaceClass, across, side};
use crate::math::vector::{UNIT_ROUNDOFF, length, norm1, rescaled};
use crate::pair_result::Manifold;
use crate::world::Handle;

/// Maximum number of casts per motion. Half a turn around a corner takes about 120.
const ITERATIONS: usize = 512;

/// Maximum number of casts in a row that make no progress.
const STILL: usize = 6;

/// Largest number of casts into which a slide along one surface is divided.
const PIECES: f64 = 32.0;

/// Number of bisections of the end of a wall.
const BISECTIONS: usize = 12;

/// Part of the skin by which the mover leaves a round corner between two casts.
const CORNER: f64 = 0.03;

/// Cosine of the largest angle between two normals of one wall.
const SAME_WALL: f64 = 0.8;

/// Sine of the smallest angle between a motion and a plane that stops it.
const APPROACH: f64 = 1e-9;

/// Sine of the largest angle between a motion and the wall that turned it.
const ALONG: f64 = 1e-6;

/// A wall that turns a motion.
struct Wall {
    normal: DVec2,
    /// The motion that the wall turns.
    left: DVec2,
    /// The motion along the wall.
    motion: DVec2,
}

impl Wall {
    /// Returns true if a contact with this normal continues the wall. A wall with a convex curve turns away from the
    /// motion, so a contact that opposes the motion is another wall.
    fn continues(&self, normal: DVec2) -> bool {
        normal.dot(self.normal) > SAME_WALL && normal.dot(self.motion) >= -ALONG * length(self.motion)
    }
}

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
        // Products with `wanted` itself may underflow.
        let mut direction = rescaled(wanted).0;
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
                direction = rescaled(wanted).0;
                continue;
            }
            let mut motion = self.allowed(left, walks);
            if walks && self.blocks(motion, left, direction) {
                if self.ignore_platforms_aside(left, hit) {
                    hit = None;
                    continue;
                }
                if let Some((ground, made)) = self.step(left) {
                    (rest, stepped, hit) = (rest * (1.0 - made), Some(ground), None);
                    continue;
                }
            }
            if motion == DVec2::ZERO || motion.dot(direction) < -APPROACH * length(motion) * length(direction) {
                return Slid { remaining: left, stepped };
            }
            if walks && self.follows_floor(motion) {
                motion *= length(left) / length(motion);
            }
            let is_turned = motion != left;
            let part = if is_turned { (self.body.radius / length(motion)).clamp(1.0 / PIECES, 1.0) } else { 1.0 };
            let (time, found) = self.cast(self.position, motion * part, without);
            let mut made = time * part;
            let end = self.position + motion * made;
            if is_turned && !walks {
                made = self.move_along_wall((motion, left), made, without);
            } else {
                self.position = end;
            }
            rest = (rest * (1.0 - made)).max(0.0);
            // The hit counts only at its position.
            hit = found.filter(|_| self.position == end).map(|(other, hit)| (other, hit.normal));
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

    /// Moves along a wall: by the fraction `made` of a motion, or less if the wall that stops `left` ends
    /// before. Returns the used fraction of `left`.
    ///
    /// Bisects the motion. At a round corner the gap grows with the square of the motion, so a part of
    /// the skin more still counts as a contact. The speed along the corner changes meanwhile. So the
    /// fraction is the length over the mean of the speeds at both ends (trapezoidal rule).
    fn move_along_wall(&mut self, (motion, left): (DVec2, DVec2), made: f64, without: Option<Handle>) -> f64 {
        let (start, wall) = (self.position, self.wall_along(motion, left));
        self.position = start + motion * made;
        let Some(normal) = wall.filter(|_| made > 0.0) else { return made };
        let wall = Wall { normal, left, motion };
        if self.is_at(&wall, self.slack, without) {
            return made;
        }
        let more = self.slack.max(CORNER * self.skin);
        let (mut low, mut high) = (0.0, made);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            self.position = start + motion * middle;
            *(if self.is_at(&wall, more, without) { &mut low } else { &mut high }) = middle;
        }
        self.position = start + motion * low;
        self.find_contacts(more, without);
        self.collect_planes(left);
        // Another wall that is reached just here has not turned the motion yet.
        self.buffers.planes.retain(|plane| wall.continues(plane.normal));
        let last = nearest_allowed(left, &self.buffers.planes).unwrap_or(motion);
        // Beyond the end, so that the next motion does not start on the wall.
        self.position = start + motion * high;
        let speed = length(motion);
        high * speed / (0.5 * (speed + length(last)))
    }

    /// Returns the normal of the contact that turns `left` into `motion`.
    fn wall_along(&self, motion: DVec2, left: DVec2) -> Option<DVec2> {
        let (mut along, mut least) = (None, ALONG * length(motion));
        for (_, found) in &self.buffers.contacts {
            let speed = found.normal.dot(motion).abs();
            if stops(found.normal, left) && (speed < least || along.is_none() && speed <= least) {
                (along, least) = (Some(found.normal), speed);
            }
        }
        along
    }

    /// Returns true if a contact within the skin + `more` continues a wall and still turns the motion.
    fn is_at(&mut self, wall: &Wall, more: f64, without: Option<Handle>) -> bool {
        self.find_contacts(more, without);
        let mut normals = self.buffers.contacts.iter().map(|(_, found)| found.normal);
        normals.any(|normal| stops(normal, wall.left) && wall.continues(normal))
    }

    /// Returns the allowed motion nearest to the wanted motion. It leads into no plane and up no steep slope.
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
        planes.iter().any(|plane| self.class(plane.normal) == SurfaceClass::Floor && plane.normal.dot(motion) < 0.0)
    }

    /// Returns true if walls take most of a motion. `direction` is a multiple of `wanted`.
    fn blocks(&self, motion: DVec2, wanted: DVec2, direction: DVec2) -> bool {
        let is_wall = |plane: &Plane| self.class(plane.normal) == SurfaceClass::Wall;
        motion.dot(direction) < 1e-6 * wanted.dot(direction)
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
