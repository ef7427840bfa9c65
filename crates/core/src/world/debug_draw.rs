//! Draws a world as lines and filled convex polygons with a user's renderer.
//!
//! Input: a world, the selected items, and a renderer with two functions. Output: calls of these
//! functions, sorted by handles. Arcs become chords with a maximum deviation. The outline of a
//! rounded part is computed here, and used by the visibility polygon too.

use alloc::vec::Vec;

use glam::DVec2;

use super::World;
use super::collider_set::{ENABLED, FIXED, SENSOR};
use crate::math::both::both;
use crate::math::sort::sort_pairs;
use crate::shape::part::Part;

/// The kind of a drawn item, which selects its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DebugDrawKind {
    /// A collider that moves.
    Moving,
    /// A fixed collider.
    Fixed,
    /// A sensor.
    Sensor,
    /// A collider that is disabled.
    Disabled,
    /// The bounding box of a collider.
    Box,
    /// A candidate pair of the last update: a line from box centre to box centre.
    Candidate,
    /// A contact point: a line through the overlap, from one surface to the other.
    Overlap,
    /// The normal of a contact, from its point.
    Normal,
}

/// A renderer for debug drawing.
///
/// ```
/// use carom::{Collider, DVec2, Shape, World};
/// use carom::world::{DebugDraw, DebugDrawOptions, DebugDrawKind};
///
/// #[derive(Default)]
/// struct Count([usize; 2]);
///
/// impl DebugDraw for Count {
///     fn line(&mut self, _: DVec2, _: DVec2, _: DebugDrawKind) {
///         self.0[0] += 1;
///     }
///     fn fill(&mut self, outline: &[DVec2], ink: DebugDrawKind) {
///         self.0[1] += 1;
///         assert!(outline.len() >= 3 && ink == DebugDrawKind::Moving);
///     }
/// }
///
/// let mut world = World::new();
/// world.insert(Collider::new(Shape::circle(1.0)?));
/// let mut canvas = Count::default();
/// world.draw(&DebugDrawOptions { boxes: true, ..DebugDrawOptions::default() }, &mut canvas);
/// assert_eq!(canvas.0[1], 1);
/// assert!(canvas.0[0] >= 4 + 8); // the box, and the circle's outline
/// # Ok::<(), carom::Error>(())
/// ```
pub trait DebugDraw {
    /// Draws a line segment.
    fn line(&mut self, from: DVec2, to: DVec2, ink: DebugDrawKind);

    /// Fills a convex polygon, counter-clockwise. Its border follows as lines.
    fn fill(&mut self, outline: &[DVec2], ink: DebugDrawKind);
}

/// Selects which parts of a world are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is drawn or not, whatever else is")]
pub struct DebugDrawOptions {
    /// If true, draws the shapes of all colliders, part by part.
    pub shapes: bool,
    /// If true, draws the bounding boxes.
    pub boxes: bool,
    /// If true, draws the contacts of the last update.
    pub contacts: bool,
    /// If true, draws the candidate pairs of the last update.
    pub candidates: bool,
    /// Maximum deviation of chords from an arc, in world units. If it is not above 0: a hundredth
    /// of the radius.
    pub deviation: f64,
}

impl Default for DebugDrawOptions {
    /// Draws shapes and contacts.
    fn default() -> Self {
        Self { shapes: true, boxes: false, contacts: true, candidates: false, deviation: 0.0 }
    }
}

impl World {
    /// Draws the selected items: shapes, then boxes, candidates and contacts, each sorted by
    /// handles.
    pub fn draw(&self, drawing: &DebugDrawOptions, canvas: &mut dyn DebugDraw) {
        let columns = &self.columns;
        let mut outline = Vec::new();
        for slot in columns.live_slots().filter(|_| drawing.shapes) {
            let ink = match columns.flags[slot as usize] {
                flags if flags & ENABLED == 0 => DebugDrawKind::Disabled,
                flags if flags & SENSOR != 0 => DebugDrawKind::Sensor,
                flags if flags & FIXED != 0 => DebugDrawKind::Fixed,
                _ => DebugDrawKind::Moving,
            };
            for part in columns.placed(slot).parts() {
                outline_of(part, drawing.deviation, &mut outline);
                if outline.len() > 2 {
                    canvas.fill(&outline, ink);
                }
                border(&outline, ink, canvas);
            }
        }
        for slot in columns.live_slots().filter(|_| drawing.boxes) {
            border(&columns.poses_and_boxes[slot as usize].aabb.corners(), DebugDrawKind::Box, canvas);
        }
        let mut candidates = if drawing.candidates { self.boxes.all.clone() } else { Vec::new() };
        sort_pairs(&mut candidates);
        for [a, b] in candidates {
            let center = |slot: u32| columns.poses_and_boxes[slot as usize].aabb.center();
            canvas.line(center(a), center(b), DebugDrawKind::Candidate);
        }
        for contact in self.contacts().filter(|_| drawing.contacts) {
            for manifold in contact.manifolds() {
                for point in manifold.points() {
                    canvas.line(point.on_a, point.on_b, DebugDrawKind::Overlap);
                    let length = columns.poses_and_boxes[contact.a.index()].aabb.size().min_element() * 0.25;
                    canvas.line(point.position(), point.position() + manifold.normal * length, DebugDrawKind::Normal);
                }
            }
        }
    }
}

fn border(outline: &[DVec2], ink: DebugDrawKind, canvas: &mut dyn DebugDraw) {
    let next = |i: usize| outline[(i + 1) % outline.len()];
    // Two points give one line.
    let count = if outline.len() == 2 { 1 } else { outline.len() };
    (0..count).for_each(|i| canvas.line(outline[i], next(i), ink));
}

/// Computes the outline of a part, counter-clockwise: its hull vertices, or arcs around them if the
/// part has a radius.
pub(super) fn outline_of(part: Part<'_>, deviation: f64, out: &mut Vec<DVec2>) {
    let (convex, pose) = (part.convex, part.pose);
    out.clear();
    let count = convex.hull_vertex_count();
    if convex.radius == 0.0 {
        return out.extend((0..count).map(|i| part.placed(i)));
    }
    let step = step_of(convex.radius, deviation);
    let arc = |out: &mut Vec<DVec2>, vertex: DVec2, from: f64, angle: f64| {
        let steps = libm::ceil(angle / step).max(1.0);
        for k in 0..=steps as u32 {
            let (sin, cos) = libm::sincos(from + angle * f64::from(k) / steps);
            out.push(vertex + DVec2::new(cos, sin) * convex.radius);
        }
    };
    if count == 1 {
        arc(out, part.placed(0), 0.0, core::f64::consts::TAU);
        // The last point equals the first.
        out.pop();
        return;
    }
    for i in 0..count {
        let [before, after] =
            both([convex.normal(convex.previous(i)), convex.normal(i)], |normal| pose.rotate_vector(normal));
        let from = libm::atan2(before.y, before.x);
        let angle = libm::atan2(before.perp_dot(after), before.dot(after));
        // The two sides of a segment have opposite normals: an angle of -π means π.
        arc(out, part.placed(i), from, if angle < 0.0 { angle + core::f64::consts::TAU } else { angle });
    }
}

/// Returns the angle of the longest chord that deviates from its arc by at most `deviation`.
pub(super) fn step_of(radius: f64, deviation: f64) -> f64 {
    let part = if deviation > 0.0 { (deviation / radius).clamp(1e-6, 0.1) } else { 0.01 };
    2.0 * libm::acos(1.0 - part)
}
