//! Pushing overlapping colliders apart: positions only.
//!
//! ```text
//! every contact deeper than the slop       a push along its normal, as long as it is deep, split by inverse mass
//! all pushes at once                       so that no order matters; less of each where many push one body
//! whatever was moved is looked at again    with what is near it now
//! ```

use alloc::vec::Vec;

use glam::DVec2;

use super::bodies::Bodies;
use super::walls::Walls;
use crate::math::vector::length;
use crate::query::collide;
use crate::world::{Handle, World};

/// Overlaps up to this share of the smaller collider's size (the longer side of its box) are left as they are: 0.2 % of a ball's radius.
pub const SLOP: f64 = 1e-3;

/// Rounds after which the rest is left to the next call.
const MOST_ROUNDS: usize = 64;

/// Rounds after which what still overlaps is shared evenly: a light body between heavy ones would let them part by a tiny share a round.
const STUCK: usize = 12;

/// What [`separate`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Separation {
    /// How often everything was pushed.
    pub rounds: usize,
    /// Whether all overlaps that a body could leave are within the slop now; if not, call again, or there is no room.
    pub settled: bool,
    /// No overlap of two that a body could leave is deeper than this now, in units of length.
    pub deepest: f64,
}

/// Moves overlapping colliders apart along their least way out, each by its share of the inverse mass, until no overlap is deeper than [`SLOP`] or 64 rounds are over.
///
/// Starts from the contacts of the last [`update`](World::update) and looks at the neighbours of everything it moves; sensors, filters, pairs that are switched off and one-way colliders are
/// respected. Colliders that are no bodies, and those of inverse mass 0, stay where they are. All pushes of a round are made at once, so the order in which colliders came makes no
/// difference beyond rounding. What is stuck after a dozen rounds, a light body between heavy ones, is shared evenly from then on. Contacts and events remain those of the last update.
///
/// ```
/// use carom::response::{Bodies, separate};
/// use carom::{Collider, Shape, World};
///
/// let mut world = World::new();
/// let [light, heavy] = [0.0, 1.5].map(|x| world.insert(Collider::new(Shape::circle(1.0).unwrap()).at([x, 0.0]).unwrap()));
/// let mut bodies = Bodies::new();
/// bodies.set_mass(light, 1.0)?;
/// bodies.set_mass(heavy, 4.0)?;
/// world.update();
/// assert!(separate(&mut world, &bodies).settled);
/// let x = |handle| world.pose(handle).unwrap().translation().x;
/// assert!((x(light) + 0.4).abs() < 1e-12 && (x(heavy) - 1.6).abs() < 1e-12); // four fifths of 0.5, and one
/// # Ok::<(), carom::Error>(())
/// ```
pub fn separate(world: &mut World, bodies: &Bodies) -> Separation {
    Separator::default().run(world, bodies, None)
}

/// A pair, and the way from the first to the second that parts them.
#[derive(Clone, Copy, Debug)]
struct Push {
    /// Places among the bodies; `None` for what nothing moves.
    bodies: [Option<u32>; 2],
    inverse_masses: [f64; 2],
    way: DVec2,
}

impl Push {
    /// Which part of its way each of the two goes, the first one backward: by inverse mass, and nothing where a wall is behind it.
    fn shares(&self, world: &World, bodies: &Bodies, walls: Option<&Walls>, evenly: bool) -> [f64; 2] {
        let plain = self.inverse_masses.map(|w| if evenly && w > 0.0 { 1.0 } else { w });
        let mut yielding = plain;
        for (side, way) in [(0, -self.way), (1, self.way)] {
            let Some((walls, place)) = walls.zip(self.bodies[side]) else { continue };
            let handle = bodies.handles()[place as usize];
            if let (Some(pose), Some(aabb)) = (world.pose(handle), world.aabb(handle)) {
                let origin = pose.translation();
                let free = walls.clamp(origin + way, origin, &aabb) - origin;
                let square = way.dot(way);
                // Of a way so short that its square underflows, walls do not matter.
                yielding[side] *= if square > 0.0 { (free.dot(way) / square).clamp(0.0, 1.0) } else { 1.0 };
            }
        }
        // Where both have a wall behind them the push is made all the same, and the walls have the last word.
        let [wa, wb] = if yielding == [0.0, 0.0] { plain } else { yielding };
        [-wa / (wa + wb), wb / (wa + wb)]
    }
}

/// A pair that meets, how deep, and along which normal.
type Meeting = ([Handle; 2], f64, DVec2);

/// How a pair meets now.
fn meets(world: &World, [a, b]: [Handle; 2]) -> Option<Meeting> {
    let manifold = collide(world.placed(a)?, world.placed(b)?)?;
    Some(([a, b], manifold.depth, manifold.normal))
}

/// The buffers of [`separate`].
#[derive(Clone, Debug, Default)]
pub(super) struct Separator {
    pairs: Vec<[Handle; 2]>,
    meeting: Vec<Meeting>,
    pushes: Vec<Push>,
    /// Of each body: how many pushes it gets, and their sum.
    counts: Vec<u32>,
    sums: Vec<DVec2>,
    /// The bodies that get any.
    pushed: Vec<u32>,
    /// The deepest overlap that was left as it is.
    deepest: f64,
}

impl Separator {
    pub(super) fn run(&mut self, world: &mut World, bodies: &Bodies, walls: Option<&Walls>) -> Separation {
        self.counts.resize(bodies.len(), 0);
        self.sums.resize(bodies.len(), DVec2::ZERO);
        self.deepest = 0.0;
        self.first_pushes(world, bodies);
        let mut rounds = 0;
        while !self.pushes.is_empty() && rounds < MOST_ROUNDS {
            self.push(world, bodies, walls, rounds >= STUCK);
            self.look_around(world, bodies);
            rounds += 1;
        }
        let left = self.pushes.iter().map(|push| length(push.way)).fold(0.0, f64::max);
        for place in self.pushed.drain(..) {
            self.counts[place as usize] = 0;
        }
        Separation { rounds, settled: self.pushes.is_empty(), deepest: self.deepest.max(left) }
    }

    /// From the contacts of the last update.
    fn first_pushes(&mut self, world: &World, bodies: &Bodies) {
        self.pushes.clear();
        for contact in world.contacts().iter().filter(|contact| !contact.sensor) {
            if world.is_settled(contact.a) && world.is_settled(contact.b) {
                self.add(world, bodies, [contact.a, contact.b], contact.manifold.depth, contact.manifold.normal);
            } else if let Some((pair, depth, normal)) = meets(world, [contact.a, contact.b]) {
                self.add(world, bodies, pair, depth, normal);
            }
        }
    }

    /// Every pair of which one was moved.
    fn look_around(&mut self, world: &World, bodies: &Bodies) {
        let (mut pairs, mut meeting) = (core::mem::take(&mut self.pairs), core::mem::take(&mut self.meeting));
        pairs.clear();
        for &place in &self.pushed {
            let handle = bodies.handles()[place as usize];
            world.each_near(handle, |other| {
                // Of two that were pushed the first one looks.
                if handle < other {
                    pairs.push([handle, other]);
                } else if bodies.place(other).is_none_or(|place| self.counts[place] == 0) {
                    pairs.push([other, handle]);
                }
            });
        }
        for place in self.pushed.drain(..) {
            self.counts[place as usize] = 0;
        }
        self.pushes.clear();
        meeting.clear();
        meeting.extend(pairs.iter().filter_map(|&pair| meets(world, pair)));
        meeting.sort_unstable_by_key(|(pair, ..)| *pair);
        for &(pair, depth, normal) in &meeting {
            self.add(world, bodies, pair, depth, normal);
        }
        (self.pairs, self.meeting) = (pairs, meeting);
    }

    /// Notes a push where a pair is too deep.
    fn add(&mut self, world: &World, bodies: &Bodies, pair: [Handle; 2], depth: f64, normal: DVec2) {
        let places = pair.map(|handle| bodies.place(handle));
        let inverse_masses = places.map(|place| place.map_or(0.0, |place| bodies.inverse_masses()[place]));
        let size = |handle| world.aabb(handle).map_or(0.0, |aabb| aabb.size().max_element());
        if inverse_masses == [0.0, 0.0] {
            return;
        }
        if depth <= SLOP * size(pair[0]).min(size(pair[1])) {
            self.deepest = self.deepest.max(depth);
            return;
        }
        let mut bodies = [None, None];
        for side in 0..2 {
            if let Some(place) = places[side].filter(|_| inverse_masses[side] > 0.0) {
                bodies[side] = Some(place as u32);
                self.counts[place] += 1;
                if self.counts[place] == 1 {
                    self.pushed.push(place as u32);
                }
            }
        }
        self.pushes.push(Push { bodies, inverse_masses, way: normal * depth });
    }

    /// Makes all pushes at once.
    fn push(&mut self, world: &mut World, bodies: &Bodies, walls: Option<&Walls>, evenly: bool) {
        for push in &self.pushes {
            let most = push.bodies.into_iter().flatten().map(|place| self.counts[place as usize]).max().unwrap_or(1);
            // Two pushes may add up; of more each counts less, or a crowd would be thrown farther apart than it is deep.
            let way = push.way / f64::from(most.max(2)) * 2.0;
            let shares = push.shares(world, bodies, walls, evenly);
            for (place, share) in push.bodies.into_iter().zip(shares) {
                if let Some(place) = place {
                    self.sums[place as usize] += way * share;
                }
            }
        }
        for &place in &self.pushed {
            let i = place as usize;
            let sum = core::mem::take(&mut self.sums[i]);
            let handle = bodies.handles()[i];
            let (Some(pose), Some(aabb)) = (world.pose(handle), world.aabb(handle)) else { continue };
            let target = pose.translation() + sum;
            let target = walls.map_or(target, |walls| walls.clamp(target, pose.translation(), &aabb));
            // Out of range, or of a collider that was removed: it stays.
            let _ = pose.moved_to(target).and_then(|pose| world.set_pose(handle, pose));
        }
    }
}
