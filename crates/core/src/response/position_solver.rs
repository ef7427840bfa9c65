//! Pushes overlapping colliders apart. Velocities do not change.
//!
//! Input: the contacts of the last [`World::update`] and the inverse masses. Output: new poses, and
//! a [`PenetrationReport`]. The method is an iterated projection of positions (Jacobi), with
//! averaged corrections (Macklin et al., *Unified particle physics for real-time applications*,
//! 2014).
//!
//! The simple version moves each pair at once:
//!
//! ```text
//! for each contact: move both bodies along the normal, by depth times their share
//! ```
//!
//! Its result depends on the order of the contacts, and it pushes bodies through walls. Here all
//! corrections of a round are computed before any body moves:
//!
//! ```text
//! spread three or more bodies at one position on a spiral (`spread.rs`)
//! repeat, at most 64 rounds, while a contact is deeper than the slop:
//!     for each contact deeper than the slop:
//!         correction = normal * depth, split between both bodies by inverse mass
//!         (in a step under gravity, for the first rounds: a body that rests on
//!          something fixed does not give way to the bodies on it)
//!         if a body has n > 2 corrections: scale them by 2 / n
//!     move every body by the sum of its corrections
//!     contacts = overlapping pairs that contain a moved body
//! if overlaps remain after a step: move these bodies back to their start positions,
//!     if the pair did not overlap there
//! ```
//!
//! No body is pushed through a collider of inverse mass 0. Each body has an inner radius, half its
//! smallest width. If the first overlap and all pushes together are shorter than the inner radius,
//! the body cannot pass through any collider. A longer push is a shape cast that ends at the first
//! collider of inverse mass 0.

use alloc::vec::Vec;

use glam::DVec2;

use super::masses::Masses;
use super::resting::Carriers;
use super::spread;
use super::tolerance::{PENETRATION_SLOP, inner_radius};
use super::walls::Walls;
use crate::math::vector::{in_range, length, magnification, times_power_of_two, vector_times_power_of_two};
use crate::query::collide;
use crate::world::{Handle, World};

/// Maximum number of rounds. Overlaps that remain are left to the next call.
const MAX_ITERATIONS: usize = 64;

/// Number of rounds after which corrections are split evenly instead of by inverse mass.
/// A light body between two heavy ones would otherwise separate them by a tiny share per round.
const EQUAL_SHARES_AFTER: usize = 12;

/// Number of rounds of a step after which a body that carries others gives way too.
/// The bodies above may have no space to move up.
const CARRIERS_YIELD_AFTER: usize = 40;

/// Result of [`resolve_penetration`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PenetrationReport {
    /// Number of rounds that were run, 0 to 64.
    pub iterations: usize,
    /// True if every overlap that involves a movable body is at most the slop. If false, call
    /// again; if it stays false, there is not enough space.
    pub converged: bool,
    /// Upper bound of the remaining depth of all overlaps that involve a movable body, in units of
    /// length.
    pub max_penetration: f64,
}

/// Moves overlapping colliders apart until no overlap is deeper than [`PENETRATION_SLOP`], or for
/// 64 rounds.
///
/// Each pair moves along its MTV, split by inverse mass. The first round starts from the contacts
/// of the last [`update`](World::update). Later rounds test the neighbours of all moved bodies.
///
/// - Sensors, filters, disabled pairs and one-way colliders are respected.
/// - The report agrees with the next update, if no pose changed after the last one.
/// - Colliders without a mass, and bodies of inverse mass 0, do not move. No body is pushed through
///   them.
/// - All pushes of a round are made at once. So the insertion order changes only the rounding.
/// - After twelve rounds, the remaining corrections are split evenly (a light body between heavy
///   ones).
/// - Three or more bodies at one position are spread on a spiral about this position. The heaviest
///   is nearest to the middle. Bodies of equal mass are in the order of their handles.
/// - Contacts and events remain those of the last update.
///
/// ```
/// use carom::response::{Masses, resolve_penetration};
/// use carom::{Collider, Shape, World};
///
/// let mut world = World::new();
/// let ball = Collider::new(Shape::circle(1.0)?);
/// let light = world.insert(ball.clone());
/// let heavy = world.insert(ball.at([1.5, 0.0])?);
/// let mut bodies = Masses::new();
/// bodies.set_mass(light, 1.0)?;
/// bodies.set_mass(heavy, 4.0)?;
/// world.update();
/// assert!(resolve_penetration(&mut world, &bodies).converged);
/// let x = |handle| world.pose(handle).unwrap().translation().x;
/// assert!((x(light) + 0.4).abs() < 1e-12 && (x(heavy) - 1.6).abs() < 1e-12); // four fifths of 0.5, and one
/// # Ok::<(), carom::Error>(())
/// ```
#[doc(alias = "separate")]
pub fn resolve_penetration(world: &mut World, bodies: &Masses) -> PenetrationReport {
    PositionSolver::default().run(world, bodies, &StepState::default())
}

/// State of a particle step that limits the correction. All fields are empty outside of a step.
#[derive(Clone, Copy, Default)]
pub(super) struct StepState<'a> {
    pub(super) walls: Option<&'a Walls>,
    /// Position of each body before the step.
    pub(super) starts: Option<&'a [DVec2]>,
    pub(super) carriers: Carriers<'a>,
}

/// Smallest ratio of depth to the sum of both sizes at which a pair may be concentric.
/// A concentric pair of rectangles has a smaller ratio only if one side is four times the other.
const CONCENTRIC: f64 = 0.125;

/// An overlapping pair and its correction: the MTV from the first to the second.
#[derive(Clone, Copy, Debug)]
struct Correction {
    handles: [Handle; 2],
    /// Indices of the bodies; `None` for a collider of inverse mass 0.
    bodies: [Option<u32>; 2],
    inverse_masses: [f64; 2],
    mtv: DVec2,
    /// Sum of both sizes. The size of a collider is the longer side of its AABB.
    sizes: f64,
}

impl Correction {
    /// Returns the penetration depth that is corrected.
    fn depth(&self) -> f64 {
        length(self.mtv)
    }

    /// Returns true if the overlap is so deep that both colliders may be at one position.
    fn is_concentric(&self) -> bool {
        let power = magnification(self.sizes);
        let (mtv, sizes) = (vector_times_power_of_two(self.mtv, power), times_power_of_two(self.sizes, power));
        mtv.length_squared() > CONCENTRIC * CONCENTRIC * sizes * sizes
    }

    /// Returns the signed share of the correction for each of the two; the first one is negative.
    ///
    /// Shares are proportional to the inverse masses. A share is reduced by the part of the motion
    /// that a wall blocks. In the first rounds of a step under gravity, a body that carries the
    /// other one gets 0.
    fn shares(&self, world: &World, bodies: &Masses, step_state: &StepState<'_>, round: usize) -> [f64; 2] {
        let mut inverse_masses = self.inverse_masses;
        if let Some(low) = step_state
            .carriers
            .low(self.bodies, self.mtv)
            .filter(|&low| round < CARRIERS_YIELD_AFTER && inverse_masses[1 - low] > 0.0)
        {
            inverse_masses[low] = 0.0;
        }
        let [wa, wb] = inverse_masses;
        let plain = if round >= EQUAL_SHARES_AFTER { [f64::from(wa > 0.0), f64::from(wb > 0.0)] } else { [wa, wb] };
        let mut yielding = plain;
        for (side, displacement) in [(0, -self.mtv), (1, self.mtv)] {
            let Some((walls, index)) = step_state.walls.zip(self.bodies[side]) else { continue };
            if let Some(state) = world.collider_state(bodies.handles()[index as usize]) {
                let origin = state.pose.translation();
                let free = walls.clamp(origin + displacement, origin, state.aabb) - origin;
                let power = magnification(displacement.abs().max_element());
                let direction = vector_times_power_of_two(displacement, power);
                let fraction = free.dot(direction) / direction.dot(direction);
                let fraction = if power == 0 { fraction } else { times_power_of_two(fraction, power) };
                yielding[side] *= fraction.clamp(0.0, 1.0);
            }
        }
        // If walls block both, the correction ignores the walls; `move_by` then clamps to them.
        let [wa, wb] = if yielding == [0.0, 0.0] { plain } else { yielding };
        [-wa / (wa + wb), wb / (wa + wb)]
    }
}

/// One collider of a pair.
struct PairMember {
    /// Index of the body; `None` for a collider of inverse mass 0.
    body_index: Option<u32>,
    inverse_mass: f64,
    /// Longer side of the AABB.
    size: f64,
}

impl PairMember {
    #[inline(always)]
    fn of(handle: Handle, world: &World, bodies: &Masses) -> Self {
        let index = bodies.index(handle);
        let inverse_mass = index.map_or(0.0, |index| bodies.inverse_masses()[index]);
        Self {
            body_index: index.filter(|_| inverse_mass > 0.0).map(|index| index as u32),
            inverse_mass,
            size: world.size(handle),
        }
    }
}

/// Reusable buffers of [`resolve_penetration`].
#[derive(Clone, Debug, Default)]
pub(super) struct PositionSolver {
    /// Slots of candidate pairs.
    pairs: Vec<[u32; 2]>,
    corrections: Vec<Correction>,
    /// Per body: number of corrections in this round, and their sum.
    counts: Vec<u32>,
    sums: Vec<DVec2>,
    /// Indices of the bodies with at least one correction.
    pushed: Vec<u32>,
    /// Largest depth of the first overlaps.
    first_depth: f64,
    /// Per body: upper bound of the distance moved by pushes in this call.
    travelled: Vec<f64>,
    /// Indices of the bodies that were pushed in this call.
    travelled_bodies: Vec<u32>,
    /// Bodies that move in this round, and their target positions.
    moved: Vec<Handle>,
    targets: Vec<DVec2>,
    /// Largest depth of an overlap within the slop, which is not corrected.
    deepest: f64,
    /// True if the world contains a collider of inverse mass 0. Computed when it is first needed.
    has_obstacles: Option<bool>,
    /// Indices of the bodies that were moved back to their start positions.
    pub(super) restored: Vec<u32>,
}

impl PositionSolver {
    /// Runs all rounds and returns the report.
    pub(super) fn run(&mut self, world: &mut World, bodies: &Masses, step_state: &StepState<'_>) -> PenetrationReport {
        self.counts.resize(bodies.len(), 0);
        self.sums.resize(bodies.len(), DVec2::ZERO);
        self.travelled.resize(bodies.len(), 0.0);
        self.deepest = 0.0;
        self.restored.clear();
        self.first_pushes(world, bodies);
        if self.corrections.is_empty() {
            return PenetrationReport { iterations: 0, converged: true, max_penetration: self.deepest };
        }
        self.has_obstacles = None;
        self.spread(world, bodies, step_state.walls);
        let mut iterations = 0;
        while !self.corrections.is_empty() && iterations < MAX_ITERATIONS {
            self.push(world, bodies, step_state, iterations);
            self.find_neighbour_overlaps(world, bodies);
            iterations += 1;
        }
        if let Some(starts) = step_state.starts {
            self.restore_start_positions(world, bodies, starts);
        }
        let remaining = self.corrections.iter().map(Correction::depth).fold(0.0, f64::max);
        self.forget_pushed();
        for index in self.travelled_bodies.drain(..) {
            self.travelled[index as usize] = 0.0;
        }
        PenetrationReport {
            iterations,
            converged: self.corrections.is_empty(),
            max_penetration: self.deepest.max(remaining),
        }
    }

    fn forget_pushed(&mut self) {
        for index in self.pushed.drain(..) {
            self.counts[index as usize] = 0;
        }
    }

    /// Collects the corrections from the contacts of the last update.
    fn first_pushes(&mut self, world: &World, bodies: &Masses) {
        self.corrections.clear();
        for contact in world.contacts().filter(|contact| !contact.sensor && !contact.is_gap()) {
            if world.is_settled(contact.a) && world.is_settled(contact.b) {
                self.add(world, bodies, [contact.a, contact.b], contact.depth, contact.normal);
            } else if let Some((depth, normal, _)) = world.contact_within([contact.a, contact.b], 0.0) {
                self.add(world, bodies, [contact.a, contact.b], depth, normal);
            }
        }
        self.first_depth = self.corrections.iter().map(Correction::depth).fold(0.0, f64::max);
    }

    /// Spreads bodies at one position on a spiral: their overlaps give no useful direction.
    fn spread(&mut self, world: &mut World, bodies: &Masses, walls: Option<&Walls>) {
        let concentric = self.corrections.iter().filter(|push| push.is_concentric());
        let targets = spread::targets(concentric.filter_map(|push| push.bodies[0].zip(push.bodies[1])), world, bodies);
        if targets.is_empty() {
            return;
        }
        self.moved.clear();
        self.targets.clear();
        let mut farthest: f64 = 0.0;
        for &(index, displacement) in &targets {
            farthest = farthest.max(self.move_by(world, bodies, walls, index, displacement));
        }
        world.set_positions(&self.moved, &self.targets, farthest);
        // Finds the remaining overlaps of the spread bodies and their neighbours again.
        self.find_neighbour_overlaps(world, bodies);
    }

    /// Recomputes the corrections: tests every pair that contains a moved body.
    fn find_neighbour_overlaps(&mut self, world: &mut World, bodies: &Masses) {
        let mut pairs = core::mem::take(&mut self.pairs);
        pairs.clear();
        world.near_pairs(self.pushed.iter().map(|&index| bodies.handles()[index as usize]), &mut pairs);
        self.forget_pushed();
        self.corrections.clear();
        world.for_each_contact(&pairs, |world, pair, depth, normal| self.add(world, bodies, pair, depth, normal));
        self.pairs = pairs;
    }

    /// Adds a correction if the pair is deeper than the slop and one of the two can move.
    #[inline]
    fn add(&mut self, world: &World, bodies: &Masses, handles: [Handle; 2], depth: f64, normal: DVec2) {
        let [a, b] = handles;
        let (a, b) = (PairMember::of(a, world, bodies), PairMember::of(b, world, bodies));
        if a.inverse_mass == 0.0 && b.inverse_mass == 0.0 {
            return;
        }
        if depth <= PENETRATION_SLOP * a.size.min(b.size) {
            self.deepest = self.deepest.max(depth);
            return;
        }
        for index in [a.body_index, b.body_index].into_iter().flatten() {
            let count = &mut self.counts[index as usize];
            *count += 1;
            if *count == 1 {
                self.pushed.push(index);
            }
        }
        let inverse_masses = [a.inverse_mass, b.inverse_mass];
        self.corrections.push(Correction {
            handles,
            bodies: [a.body_index, b.body_index],
            inverse_masses,
            mtv: normal * depth,
            sizes: a.size + b.size,
        });
    }

    /// Applies all corrections of a round at once.
    fn push(&mut self, world: &mut World, bodies: &Masses, step_state: &StepState<'_>, round: usize) {
        for push in &self.corrections {
            let most = push.bodies.into_iter().flatten().map(|index| self.counts[index as usize]).max().unwrap_or(1);
            // Two corrections may add up. If a body has more, each one is scaled down: otherwise a
            // crowd would be pushed farther apart than it is deep.
            let displacement = push.mtv / f64::from(most.max(2)) * 2.0;
            let shares = push.shares(world, bodies, step_state, round);
            for (index, share) in push.bodies.into_iter().zip(shares) {
                if let Some(index) = index {
                    self.sums[index as usize] += displacement * share;
                }
            }
        }
        self.moved.clear();
        self.targets.clear();
        let mut farthest: f64 = 0.0;
        for k in 0..self.pushed.len() {
            let index = self.pushed[k];
            let sum = core::mem::take(&mut self.sums[index as usize]);
            farthest = farthest.max(self.move_by(world, bodies, step_state.walls, index, sum));
        }
        // A body that leaves its fat AABB gets the largest displacement as the new margin: it will
        // hardly be pushed as far again.
        world.set_positions(&self.moved, &self.targets, farthest);
    }

    /// Queues a displacement of a body, clamped to the walls and to the first collider of inverse
    /// mass 0. Returns the length of the displacement before clamping.
    fn move_by(
        &mut self,
        world: &World,
        bodies: &Masses,
        walls: Option<&Walls>,
        index: u32,
        displacement: DVec2,
    ) -> f64 {
        let i = index as usize;
        let handle = bodies.handles()[i];
        let Some(state) = world.collider_state(handle) else { return 0.0 };
        let distance = length(displacement);
        let travelled = &mut self.travelled[i];
        if *travelled == 0.0 {
            self.travelled_bodies.push(index);
        }
        *travelled += distance;
        let is_short = *travelled + self.first_depth < inner_radius(&state);
        let displacement = if is_short || !*self.has_obstacles.get_or_insert_with(|| has_obstacles(world, bodies)) {
            displacement
        } else {
            displacement * world.free_fraction(handle, displacement, |other| bodies.inverse_mass(other) == 0.0)
        };
        let origin = state.pose.translation();
        let target =
            walls.map_or(origin + displacement, |walls| walls.clamp(origin + displacement, origin, state.aabb));
        // If the target is out of range, the body does not move.
        self.moved.push(handle);
        self.targets.push(if in_range(target) { target } else { origin });
        distance
    }

    /// Moves bodies that still overlap back to their positions before the step, if the pair did not
    /// overlap there. Repeats this for the bodies that they overlap then.
    fn restore_start_positions(&mut self, world: &mut World, bodies: &Masses, starts: &[DVec2]) {
        while !self.corrections.is_empty() {
            self.moved.clear();
            self.targets.clear();
            let mut indices: Vec<u32> = Vec::new();
            for push in &self.corrections {
                if was_free(push, world, starts) {
                    let [first, second] = push.bodies;
                    indices.extend(first);
                    indices.extend(second);
                }
            }
            indices.sort_unstable();
            indices.dedup();
            let mut farthest: f64 = 0.0;
            for index in indices {
                let (handle, start) = (bodies.handles()[index as usize], starts[index as usize]);
                let Some(pose) = world.pose(handle).filter(|pose| pose.translation() != start) else { continue };
                farthest = farthest.max(length(start - pose.translation()));
                self.moved.push(handle);
                self.targets.push(start);
                self.restored.push(index);
            }
            if self.moved.is_empty() {
                return;
            }
            world.set_positions(&self.moved, &self.targets, farthest);
            self.find_neighbour_overlaps(world, bodies);
        }
    }
}

/// Returns true if a pair that is too deep now was not too deep before the step.
fn was_free(push: &Correction, world: &World, starts: &[DVec2]) -> bool {
    let before = |side: usize| {
        let placed = world.placed(push.handles[side])?;
        let start = push.bodies[side].map_or(placed.pose().translation(), |index| starts[index as usize]);
        Some(placed.shape().placed(placed.pose().with_valid_translation(start)))
    };
    let Some((a, b)) = before(0).zip(before(1)) else { return false };
    let min_size = world.size(push.handles[0]).min(world.size(push.handles[1]));
    collide(a, b).is_none_or(|manifold| manifold.depth <= PENETRATION_SLOP * min_size)
}

/// Returns true if the world contains a collider of inverse mass 0.
#[cold]
fn has_obstacles(world: &World, bodies: &Masses) -> bool {
    let is_movable = |handle| bodies.inverse_mass(handle) > 0.0 && world.get(handle).is_some();
    bodies.handles().iter().filter(|&&handle| is_movable(handle)).count() < world.len()
}
