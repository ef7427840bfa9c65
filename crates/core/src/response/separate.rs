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
use crate::math::vector::{in_range, length, sqrt};
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
        let [wa, wb] = self.inverse_masses;
        let plain = if evenly { [f64::from(wa > 0.0), f64::from(wb > 0.0)] } else { [wa, wb] };
        let mut yielding = plain;
        for (side, way) in [(0, -self.way), (1, self.way)] {
            let Some((walls, place)) = walls.zip(self.bodies[side]) else { continue };
            if let Some(seen) = world.seen(bodies.handles()[place as usize]) {
                let origin = seen.pose.translation();
                let free = walls.clamp(origin + way, origin, seen.aabb) - origin;
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

/// One of two that meet.
struct Side {
    /// Its place among the bodies; `None` for what nothing moves.
    place: Option<u32>,
    inverse_mass: f64,
    /// The longer side of its box.
    size: f64,
}

impl Side {
    #[inline(always)]
    fn of(handle: Handle, world: &World, bodies: &Bodies) -> Self {
        let place = bodies.place(handle);
        let inverse_mass = place.map_or(0.0, |place| bodies.inverse_masses()[place]);
        Self { place: place.filter(|_| inverse_mass > 0.0).map(|place| place as u32), inverse_mass, size: world.size(handle) }
    }
}

/// The buffers of [`separate`].
#[derive(Clone, Debug, Default)]
pub(super) struct Separator {
    /// Slots.
    pairs: Vec<[u32; 2]>,
    pushes: Vec<Push>,
    /// Of each body: how many pushes it gets, and their sum.
    counts: Vec<u32>,
    sums: Vec<DVec2>,
    /// The bodies that get any.
    pushed: Vec<u32>,
    /// Those that were moved, and where to.
    moved: Vec<Handle>,
    places: Vec<DVec2>,
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
        for contact in world.contacts().filter(|contact| !contact.sensor) {
            if world.is_settled(contact.a) && world.is_settled(contact.b) {
                self.add(world, bodies, [contact.a, contact.b], contact.depth, contact.normal);
            } else if let Some((depth, normal)) = world.meets_now(contact) {
                self.add(world, bodies, [contact.a, contact.b], depth, normal);
            }
        }
    }

    /// Every pair of which one was moved.
    fn look_around(&mut self, world: &mut World, bodies: &Bodies) {
        let mut pairs = core::mem::take(&mut self.pairs);
        pairs.clear();
        world.near_pairs(self.pushed.iter().map(|&place| bodies.handles()[place as usize]), &mut pairs);
        for place in self.pushed.drain(..) {
            self.counts[place as usize] = 0;
        }
        self.pushes.clear();
        world.each_meeting(&pairs, |world, pair, depth, normal| self.add(world, bodies, pair, depth, normal));
        self.pairs = pairs;
    }

    /// Notes a push where a pair is too deep.
    #[inline]
    fn add(&mut self, world: &World, bodies: &Bodies, [a, b]: [Handle; 2], depth: f64, normal: DVec2) {
        let (a, b) = (Side::of(a, world, bodies), Side::of(b, world, bodies));
        if a.inverse_mass == 0.0 && b.inverse_mass == 0.0 {
            return;
        }
        if depth <= SLOP * a.size.min(b.size) {
            self.deepest = self.deepest.max(depth);
            return;
        }
        for place in [a.place, b.place].into_iter().flatten() {
            let count = &mut self.counts[place as usize];
            *count += 1;
            if *count == 1 {
                self.pushed.push(place);
            }
        }
        self.pushes.push(Push { bodies: [a.place, b.place], inverse_masses: [a.inverse_mass, b.inverse_mass], way: normal * depth });
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
        self.moved.clear();
        self.places.clear();
        let mut farthest: f64 = 0.0;
        for &place in &self.pushed {
            let i = place as usize;
            let sum = core::mem::take(&mut self.sums[i]);
            let handle = bodies.handles()[i];
            let Some(seen) = world.seen(handle) else { continue };
            let origin = seen.pose.translation();
            let target = walls.map_or(origin + sum, |walls| walls.clamp(origin + sum, origin, seen.aabb));
            // Out of range it stays.
            self.moved.push(handle);
            self.places.push(if in_range(target) { target } else { origin });
            farthest = farthest.max(sum.length_squared());
        }
        // Whatever is pushed out of the room that it had will hardly be pushed as far again.
        world.push_to(&self.moved, &self.places, sqrt(farthest));
    }
}
