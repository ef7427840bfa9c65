//! Platforms that stop what comes from their front and let pass all else.
//!
//! The state is of the pair, not of the frame: how two colliders came together decides, once, and holds until they are apart again (P18).

use alloc::format;

use glam::DVec2;

use super::World;
use super::columns::Columns;
use super::handle::Handle;
use crate::error::{Error, ErrorKind};
use crate::math::vector::{LIMIT, check_point, unit};
use crate::query::{ContactPoint, Impact, Manifold, collide_within};
use crate::shape::{Placed, Shape};

/// Which way a one-way collider faces: the side from which it is solid, a direction of its own frame.
///
/// Whoever was in front of it at the last update (beyond its face, or the way to it within 60° of the front) and touches it now is stopped until the two are apart. Whoever comes
/// from behind or from the side, or appears inside of it, passes until then: it is no contact, however it moves meanwhile.
///
/// Known: among ten thousand random scenes of leaning and moving platforms there is one in which a jumper is caught half of its size deep. Whether that is right has not been settled.
///
/// ```
/// use carom::{Collider, OneWay, Pose, Shape, World};
///
/// let mut world = World::new();
/// let plank = world.insert(Collider::new(Shape::rectangle(4.0, 0.5)?).fixed(true).one_way([0.0, 1.0])?);
/// let ball = world.insert(Collider::new(Shape::circle(0.5)?).at([0.0, -2.0])?);
/// let mut move_to = |y: f64| {
///     world.set_pose(ball, Pose::from_translation([0.0, y]).unwrap()).unwrap();
///     world.update();
///     world.contacts().len()
/// };
/// assert_eq!([-2.0, -0.5, 0.5, 1.0].map(&mut move_to), [0, 0, 0, 0]); // up through it
/// assert_eq!(move_to(0.7), 1); // and down onto it
/// assert_eq!(OneWay::new([0.0, 2.0])?.front(), [0.0, 1.0].into());
/// # let _ = plank;
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneWay {
    front: DVec2,
}

/// What meets at this angle to the front at most, as its cosine, comes from there: 60°.
const IN_FRONT: f64 = 0.5;
/// What is held is pushed out as it meets, unless that leads beside or behind.
const BESIDE: f64 = 1e-3;
/// The cosine of the angle from which on a way out leads backward.
const BACKWARD: f64 = -0.7;
/// What overlaps by no more than this part of its size only touches: responses leave as much.
const SLOP: f64 = 1e-6;

impl OneWay {
    /// Solid from the side that a direction (of any length) leads to.
    ///
    /// # Errors
    /// A direction without length, or with a coordinate that is not finite or above 1e30 in magnitude.
    pub fn new(front: impl Into<DVec2>) -> Result<Self, Error> {
        let front = check_point("front", front.into())?;
        let unit = unit(front).ok_or_else(|| Error::new(ErrorKind::ZeroSize, format!("the front is {front}; it must have a length")))?;
        Ok(Self { front: unit })
    }

    /// A direction that was stored, bit for bit.
    pub(super) fn from_stored(front: DVec2) -> Option<Self> {
        ((front.length_squared() - 1.0).abs() < 1e-12).then_some(Self { front })
    }

    /// The direction, a unit vector of the collider's own frame.
    pub fn front(&self) -> DVec2 {
        self.front
    }
}

/// What becomes of a pair that meets.
pub(super) enum Verdict {
    /// A contact.
    Solid(Manifold),
    /// None, until they are apart.
    Pass,
}

/// Judges a pair of which one is one-way: how it meets, whether it was a contact or passing at the last update.
pub(super) fn judge(columns: &Columns, slots: [u32; 2], manifold: Manifold, was_contact: bool, was_passing: bool) -> Verdict {
    if was_passing {
        return Verdict::Pass;
    }
    let [a, b] = slots;
    let mut solid = manifold;
    // From the one-way collider to the other, whichever is first.
    for (platform, other, flipped) in [(a, b, false), (b, a, true)] {
        if let Some(one_way) = columns.one_way(platform) {
            let seen = if flipped { solid.flipped() } else { solid };
            if !was_contact && !came_from_the_front(columns, platform, other, one_way) {
                return Verdict::Pass;
            }
            match held(columns, platform, other, one_way, seen) {
                Some(held) => solid = if flipped { held.flipped() } else { held },
                None => return Verdict::Pass,
            }
        }
    }
    Verdict::Solid(solid)
}

/// Were they apart at the last update, or touching, with the other one in front? It is if the way to it leads there, or if all of it lies beyond the face.
fn came_from_the_front(columns: &Columns, platform: u32, other: u32, one_way: OneWay) -> bool {
    let pose = columns.pose_before(platform);
    let (p, q) = (columns.shapes[platform as usize].placed(pose), columns.shapes[other as usize].placed(columns.pose_before(other)));
    // Nothing is farther: both are in range.
    let Some(way) = collide_within(p, q, 8.0 * LIMIT) else { return false };
    let (up, slop) = (pose.rotate(one_way.front), slop(p, q));
    way.depth <= slop && (way.normal.dot(up) >= IN_FRONT || face(p, way.part_a, up).0 <= slop + q.support_point(-up).dot(up))
}

/// How far to the front a part reaches, and where.
fn face(p: Placed<'_>, part: u32, up: DVec2) -> (f64, DVec2) {
    let part = p.part(part);
    let top = Shape::from(part.convex.clone()).placed(part.pose).support_point(up);
    (top.dot(up), top)
}

fn slop(p: Placed<'_>, q: Placed<'_>) -> f64 {
    let size = |placed: Placed<'_>| placed.aabb().size().max_element();
    SLOP * size(p).min(size(q)).max(f64::MIN_POSITIVE)
}

/// The contact of a pair that is solid: its way out leads to the front. `None` where it has slipped off sideways.
fn held(columns: &Columns, platform: u32, other: u32, one_way: OneWay, seen: Manifold) -> Option<Manifold> {
    let (p, q) = (columns.placed(platform), columns.placed(other));
    let up = p.pose().rotate(one_way.front);
    let leads = seen.normal.dot(up);
    if leads > BESIDE {
        return Some(seen);
    }
    // The least way out leads through it: straight out of the front instead, off the part that is met.
    let (top, low) = (face(p, seen.part_a, up).1, q.support_point(-up));
    let depth = (top - low).dot(up).max(0.0);
    let way = |slot: u32| (columns.spots[slot as usize].pose.translation() - columns.pose_before(slot).translation()).dot(up);
    let fallen = (way(platform) - way(other)).max(0.0);
    // Beside it, deeper than it fell: it comes down along the side.
    if leads > BACKWARD && depth > fallen + slop(p, q) {
        return None;
    }
    let id = seen.points().first()?.id;
    let point = ContactPoint { on_a: low + up * depth, on_b: low, depth, id };
    Some(Manifold::from_stored(up, depth, [seen.part_a, seen.part_b], [point; 2], 1))
}

impl World {
    /// Does an impact come from the fronts of those of the two that are one-way?
    pub(super) fn is_from_the_front(&self, [a, b]: [u32; 2], impact: &Impact) -> bool {
        let faces = |platform: u32, normal: DVec2| {
            let one_way = self.columns.one_way(platform);
            // Turning in motion is neglected.
            one_way.is_none_or(|one_way| normal.dot(self.columns.spots[platform as usize].pose.rotate(one_way.front)) >= IN_FRONT)
        };
        faces(a, impact.normal) && faces(b, -impact.normal) && !self.is_passing([a, b].map(|slot| self.columns.handle(slot)))
    }

    fn is_passing(&self, pair: [Handle; 2]) -> bool {
        self.passing.binary_search(&pair).is_ok()
    }
}
