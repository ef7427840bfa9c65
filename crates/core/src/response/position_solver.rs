//! Position correction: pushes overlapping colliders apart. Velocities do not change.
//!
//! ```text
//! every contact deeper than the slop      one push along its normal, as long as the contact is deep, split by inverse mass
//! many bodies at one position             spread in a spiral first
//! all pushes of a round at once           the order of the contacts does not matter; each counts less if one body gets several
//! a step under gravity                    bodies that rest on something fixed do not give way to those on them, for the first rounds
//! next round                              the pairs near the bodies that were moved
//! a step's overlaps that remain           those bodies go back to where the step began, which was free
//! ```
//!
//! No body is pushed through a collider that nothing moves. A body whose overlaps and pushes together are shorter than its own thinnest half cannot
//! come out on the other side of anything; a longer push is a cast that ends at the first such collider.

use alloc::vec::Vec;

use glam::DVec2;

use super::masses::Masses;
use super::resting::Carriers;
use super::spread;
use super::tolerance::{PENETRATION_SLOP, thickness};
use super::walls::Walls;
use crate::math::vector::{in_range, length, sqrt};
use crate::query::collide;
use crate::world::{Handle, World};

/// Rounds after which the rest is left to the next call.
const MAX_ITERATIONS: usize = 64;

/// Rounds after which what still overlaps is shared evenly: a light body between heavy ones would let them part by a tiny share a round.
const STUCK: usize = 12;

/// Rounds of a step after which bodies that carry others give way too: there may be no room above.
const CARRIED: usize = 40;

/// What [`resolve_penetration`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PenetrationReport {
    /// How often everything was pushed.
    pub iterations: usize,
    /// Whether all overlaps that a body could leave are within the slop now; if not, call again, or there is no room.
    pub converged: bool,
    /// No overlap of two that a body could leave is deeper than this now, in units of length.
    pub max_penetration: f64,
}

/// Moves overlapping colliders apart along their least way out, each by its share of the inverse mass, until no overlap is deeper than [`PENETRATION_SLOP`] or 64 rounds are over.
///
/// Starts from the contacts of the last [`update`](World::update) and looks at the neighbours of everything it moves; sensors, filters, pairs that are switched off and one-way colliders are
/// respected. The report agrees with the next update. Colliders that are no bodies, and those of inverse mass 0, stay where they are, and no body is pushed through them. All pushes
/// of a round are made at once, so the order in which colliders came makes no difference beyond rounding. After twelve rounds, overlaps that remain (a light body between heavy ones) are shared
/// evenly from then on. Three and more bodies at one position are spread in a spiral about it, the heaviest in the middle, equal ones in the order of their handles. Contacts and events remain
/// those of the last update.
///
/// ```
/// use carom::response::{Masses, resolve_penetration};
/// use carom::{Collider, Shape, World};
///
/// let mut world = World::new();
/// let [light, heavy] = [0.0, 1.5].map(|x| world.insert(Collider::new(Shape::circle(1.0).unwrap()).at([x, 0.0]).unwrap()));
/// let mut bodies = Masses::new();
/// bodies.set_mass(light, 1.0)?;
/// bodies.set_mass(heavy, 4.0)?;
/// world.update();
/// assert!(resolve_penetration(&mut world, &bodies).converged);
/// let x = |handle| world.pose(handle).unwrap().translation().x;
/// assert!((x(light) + 0.4).abs() < 1e-12 && (x(heavy) - 1.6).abs() < 1e-12); // four fifths of 0.5, and one
/// # Ok::<(), carom::Error>(())
/// ```
pub fn resolve_penetration(world: &mut World, bodies: &Masses) -> PenetrationReport {
    Separator::default().run(world, bodies, &Surroundings::default())
}

/// State of a step of particles that position correction respects; nothing of it outside of a step.
#[derive(Clone, Copy, Default)]
pub(super) struct Surroundings<'a> {
    pub(super) walls: Option<&'a Walls>,
    /// Position of each body before the step.
    pub(super) starts: Option<&'a [DVec2]>,
    pub(super) carriers: Carriers<'a>,
}

/// A pair shallower than this share of both sizes is not at one position: of rectangles only if one side is four times the other.
const CONCENTRIC: f64 = 0.125;

/// A pair, and the way from the first to the second that parts them.
#[derive(Clone, Copy, Debug)]
struct Correction {
    handles: [Handle; 2],
    /// Places among the bodies; `None` for what nothing moves.
    bodies: [Option<u32>; 2],
    inverse_masses: [f64; 2],
    way: DVec2,
    /// Sum of the sizes of both: the longer sides of their boxes.
    sizes: f64,
}

impl Correction {
    /// The depth that is pushed away.
    fn depth(&self) -> f64 {
        length(self.way)
    }

    /// Returns the share of the push that each of the two takes, the first one backward: by inverse mass, and nothing if a wall is behind it.
    /// In the first rounds of a step under gravity, a body that carries the other takes none.
    fn shares(&self, world: &World, bodies: &Masses, around: &Surroundings<'_>, round: usize) -> [f64; 2] {
        let mut inverse_masses = self.inverse_masses;
        if let Some(low) =
            around.carriers.low(self.bodies, self.way).filter(|&low| round < CARRIED && inverse_masses[1 - low] > 0.0)
        {
            inverse_masses[low] = 0.0;
        }
        let [wa, wb] = inverse_masses;
        let plain = if round >= STUCK { [f64::from(wa > 0.0), f64::from(wb > 0.0)] } else { [wa, wb] };
        let mut yielding = plain;
        for (side, way) in [(0, -self.way), (1, self.way)] {
            let Some((walls, place)) = around.walls.zip(self.bodies[side]) else { continue };
            if let Some(seen) = world.seen(bodies.handles()[place as usize]) {
                let origin = seen.pose.translation();
                let free = walls.clamp(origin + way, origin, seen.aabb) - origin;
                let square = way.dot(way);
                // Of a way so short that its square underflows, walls do not matter.
                yielding[side] *= if square > 0.0 { (free.dot(way) / square).clamp(0.0, 1.0) } else { 1.0 };
            }
        }
        // If both have a wall behind them the push is made all the same, and the walls have the last word.
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
    fn of(handle: Handle, world: &World, bodies: &Masses) -> Self {
        let place = bodies.place(handle);
        let inverse_mass = place.map_or(0.0, |place| bodies.inverse_masses()[place]);
        Self {
            place: place.filter(|_| inverse_mass > 0.0).map(|place| place as u32),
            inverse_mass,
            size: world.size(handle),
        }
    }
}

/// The buffers of [`resolve_penetration`].
#[derive(Clone, Debug, Default)]
pub(super) struct Separator {
    /// Slots.
    pairs: Vec<[u32; 2]>,
    pushes: Vec<Correction>,
    /// Of each body: how many pushes it gets, and their sum.
    counts: Vec<u32>,
    sums: Vec<DVec2>,
    /// The bodies that get any.
    pushed: Vec<u32>,
    /// How deep the first overlaps are, at most.
    first_depth: f64,
    /// Of each body: how far it was pushed since, at most.
    strays: Vec<f64>,
    /// The bodies that were pushed since the beginning.
    strayed: Vec<u32>,
    /// Those that were moved, and where to.
    moved: Vec<Handle>,
    places: Vec<DVec2>,
    /// The deepest overlap that was left as it is.
    deepest: f64,
    /// True if the world has a collider that nothing moves.
    has_obstacles: bool,
    /// The bodies that went back to where the step began.
    pub(super) back: Vec<u32>,
}

impl Separator {
    /// Pushes apart.
    pub(super) fn run(&mut self, world: &mut World, bodies: &Masses, around: &Surroundings<'_>) -> PenetrationReport {
        self.counts.resize(bodies.len(), 0);
        self.sums.resize(bodies.len(), DVec2::ZERO);
        self.strays.resize(bodies.len(), 0.0);
        self.deepest = 0.0;
        self.back.clear();
        self.first_pushes(world, bodies);
        if self.pushes.is_empty() {
            return PenetrationReport { iterations: 0, converged: true, max_penetration: self.deepest };
        }
        let movable = bodies
            .handles()
            .iter()
            .filter(|&&handle| bodies.inverse_mass(handle) > 0.0 && world.get(handle).is_some())
            .count();
        self.has_obstacles = movable < world.len();
        self.spread(world, bodies, around.walls);
        let mut rounds = 0;
        while !self.pushes.is_empty() && rounds < MAX_ITERATIONS {
            self.push(world, bodies, around, rounds);
            self.look_around(world, bodies);
            rounds += 1;
        }
        if let Some(starts) = around.starts {
            self.go_back(world, bodies, starts);
        }
        let left = self.pushes.iter().map(Correction::depth).fold(0.0, f64::max);
        self.forget_pushed();
        for place in self.strayed.drain(..) {
            self.strays[place as usize] = 0.0;
        }
        PenetrationReport {
            iterations: rounds,
            converged: self.pushes.is_empty(),
            max_penetration: self.deepest.max(left),
        }
    }

    fn forget_pushed(&mut self) {
        for place in self.pushed.drain(..) {
            self.counts[place as usize] = 0;
        }
    }

    /// From the contacts of the last update.
    fn first_pushes(&mut self, world: &World, bodies: &Masses) {
        self.pushes.clear();
        for contact in world.contacts().filter(|contact| !contact.sensor) {
            if world.is_settled(contact.a) && world.is_settled(contact.b) {
                self.add(world, bodies, [contact.a, contact.b], contact.depth, contact.normal);
            } else if let Some((depth, normal, _)) = world.meets_within([contact.a, contact.b], 0.0) {
                self.add(world, bodies, [contact.a, contact.b], depth, normal);
            }
        }
        self.first_depth = sqrt(self.pushes.iter().map(|push| push.way.length_squared()).fold(0.0, f64::max));
    }

    /// Spreads bodies that are at one position: their overlaps say nothing about where to go.
    fn spread(&mut self, world: &mut World, bodies: &Masses, walls: Option<&Walls>) {
        let deep = self
            .pushes
            .iter()
            .filter(|push| push.way.length_squared() > CONCENTRIC * CONCENTRIC * push.sizes * push.sizes);
        let targets = spread::targets(deep.filter_map(|push| push.bodies[0].zip(push.bodies[1])), world, bodies);
        if targets.is_empty() {
            return;
        }
        self.moved.clear();
        self.places.clear();
        let mut farthest: f64 = 0.0;
        for &(place, way) in &targets {
            farthest = farthest.max(self.move_by(world, bodies, walls, place, way));
        }
        world.push_to(&self.moved, &self.places, sqrt(farthest));
        // Pairs that were not spread are found again with their neighbours.
        self.look_around(world, bodies);
    }

    /// Every pair of which one was moved.
    fn look_around(&mut self, world: &mut World, bodies: &Masses) {
        let mut pairs = core::mem::take(&mut self.pairs);
        pairs.clear();
        world.near_pairs(self.pushed.iter().map(|&place| bodies.handles()[place as usize]), &mut pairs);
        self.forget_pushed();
        self.pushes.clear();
        world.for_each_contact(&pairs, |world, pair, depth, normal| self.add(world, bodies, pair, depth, normal));
        self.pairs = pairs;
    }

    /// Notes a push if a pair is too deep.
    #[inline]
    fn add(&mut self, world: &World, bodies: &Masses, handles: [Handle; 2], depth: f64, normal: DVec2) {
        let [a, b] = handles;
        let (a, b) = (Side::of(a, world, bodies), Side::of(b, world, bodies));
        if a.inverse_mass == 0.0 && b.inverse_mass == 0.0 {
            return;
        }
        if depth <= PENETRATION_SLOP * a.size.min(b.size) {
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
        let inverse_masses = [a.inverse_mass, b.inverse_mass];
        self.pushes.push(Correction {
            handles,
            bodies: [a.place, b.place],
            inverse_masses,
            way: normal * depth,
            sizes: a.size + b.size,
        });
    }

    /// Makes all pushes at once.
    fn push(&mut self, world: &mut World, bodies: &Masses, around: &Surroundings<'_>, round: usize) {
        for push in &self.pushes {
            let most = push.bodies.into_iter().flatten().map(|place| self.counts[place as usize]).max().unwrap_or(1);
            // Two pushes may add up; of more each counts less, or a crowd would be thrown farther apart than it is deep.
            let way = push.way / f64::from(most.max(2)) * 2.0;
            let shares = push.shares(world, bodies, around, round);
            for (place, share) in push.bodies.into_iter().zip(shares) {
                if let Some(place) = place {
                    self.sums[place as usize] += way * share;
                }
            }
        }
        self.moved.clear();
        self.places.clear();
        let mut farthest: f64 = 0.0;
        for k in 0..self.pushed.len() {
            let place = self.pushed[k];
            let sum = core::mem::take(&mut self.sums[place as usize]);
            farthest = farthest.max(self.move_by(world, bodies, around.walls, place, sum));
        }
        // What is pushed out of the room that it had will hardly be pushed as far again.
        world.push_to(&self.moved, &self.places, sqrt(farthest));
    }

    /// Notes where a body goes that is to be moved by a vector: inside the walls, and through nothing that nothing moves. Returns the square of the vector's length.
    fn move_by(&mut self, world: &World, bodies: &Masses, walls: Option<&Walls>, place: u32, way: DVec2) -> f64 {
        let i = place as usize;
        let handle = bodies.handles()[i];
        let Some(seen) = world.seen(handle) else { return 0.0 };
        let square = way.length_squared();
        let stray = &mut self.strays[i];
        if *stray == 0.0 {
            self.strayed.push(place);
        }
        *stray += sqrt(square);
        let inner = if seen.round.is_nan() { thickness(seen.shape) } else { seen.round };
        let way = if !self.has_obstacles || *stray + self.first_depth < inner {
            way
        } else {
            way * world.free_part(handle, way, |other| bodies.inverse_mass(other) == 0.0)
        };
        let origin = seen.pose.translation();
        let target = walls.map_or(origin + way, |walls| walls.clamp(origin + way, origin, seen.aabb));
        // Out of range it stays.
        self.moved.push(handle);
        self.places.push(if in_range(target) { target } else { origin });
        square
    }

    /// Lets bodies that still overlap go back to where they were before the step, if they were free there, and then those that they overlap there.
    fn go_back(&mut self, world: &mut World, bodies: &Masses, starts: &[DVec2]) {
        while !self.pushes.is_empty() {
            self.moved.clear();
            self.places.clear();
            let came = self.pushes.iter().filter(|push| was_free(push, world, starts));
            let mut places: Vec<u32> = came.flat_map(|push| push.bodies.into_iter().flatten()).collect();
            places.sort_unstable();
            places.dedup();
            let mut farthest: f64 = 0.0;
            for place in places {
                let (handle, start) = (bodies.handles()[place as usize], starts[place as usize]);
                let Some(pose) = world.pose(handle).filter(|pose| pose.translation() != start) else { continue };
                farthest = farthest.max((start - pose.translation()).length_squared());
                self.moved.push(handle);
                self.places.push(start);
                self.back.push(place);
            }
            if self.moved.is_empty() {
                return;
            }
            world.push_to(&self.moved, &self.places, sqrt(farthest));
            self.look_around(world, bodies);
        }
    }
}

/// Returns true if a pair that overlaps too much did not do so before the step.
fn was_free(push: &Correction, world: &World, starts: &[DVec2]) -> bool {
    let before = |side: usize| {
        let placed = world.placed(push.handles[side])?;
        let start = push.bodies[side].map_or(placed.pose().translation(), |place| starts[place as usize]);
        Some(placed.shape().placed(placed.pose().put_at(start)))
    };
    let Some((a, b)) = before(0).zip(before(1)) else { return false };
    let least = world.size(push.handles[0]).min(world.size(push.handles[1]));
    collide(a, b).is_none_or(|manifold| manifold.depth <= PENETRATION_SLOP * least)
}
