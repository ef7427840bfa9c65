//! One-way platforms: a state per pair (P18). A collider that has landed never falls through. A
//! collider from below or the side is never pushed.
//!
//! `CAROM_JUMPS` asks for more.

use carom::{Collider, DVec2, Handle, Manifold, Pose, Shape, World, overlaps};

use crate::support::run::from_environment;

/// A jumper under gravity that is pushed out of its contacts, and moving platforms.
struct Scene {
    world: World,
    jumper: Handle,
    /// Point that carries the weight.
    foot: DVec2,
    /// Depth by which the foot may be below a face, as a function of the tilt. The foot touches the
    /// end of the face within 60° of the front.
    hang: fn(f64) -> f64,
    velocity: DVec2,
    platforms: Vec<Platform>,
}

#[derive(Clone, Copy)]
struct Platform {
    handle: Handle,
    drift: DVec2,
    tilt: f64,
}

/// Result of a step.
struct Step {
    /// Displacement of the jumper.
    displacement: DVec2,
    /// Correction of its position after that.
    out: DVec2,
    /// Contacts that stop it. Normals point towards it.
    on: Vec<(Handle, Manifold)>,
    /// For each platform: true if the jumper overlapped it before.
    contact: Vec<bool>,
}

impl Scene {
    fn new(rng: &mut fastrand::Rng) -> Self {
        let mut world = World::new();
        // A box touches with its bottom, and an end of it may lie beside the platform. A round foot
        // may touch up to half its radius beside an end.
        let (shape, foot, hang): (_, _, fn(f64) -> f64) = [
            (
                Shape::rectangle(0.8, 1.0).unwrap(),
                DVec2::new(0.0, -0.5),
                (|tilt| 0.8 * tilt.abs().sin()) as fn(f64) -> f64,
            ),
            (Shape::circle(0.5).unwrap(), DVec2::ZERO, |_| 0.25),
            (Shape::capsule([0.0, -0.3], [0.0, 0.3], 0.4).unwrap(), DVec2::new(0.0, -0.3), |_| 0.2),
        ][rng.usize(0..3)]
        .clone();
        let jumper = world.insert(Collider::new(shape).at([(rng.f64() - 0.5) * 6.0, (rng.f64() - 0.3) * 6.0]).unwrap());
        let mut platforms = Vec::new();
        for k in 0..rng.usize(1..4) {
            // Flat, sloped and moving; some close above each other.
            let tilt = [0.0, (rng.f64() - 0.5) * 1.0][rng.usize(0..2)];
            let position = DVec2::new((rng.f64() - 0.5) * 2.0, -1.0 + k as f64 * (0.8 + rng.f64()));
            let plank = Shape::rectangle(4.0, [0.05, 0.3, 1.0][rng.usize(0..3)]).unwrap();
            let platform =
                Collider::new(plank).pose(Pose::new(position, tilt).unwrap()).fixed(true).one_way([0.0, 1.0]).unwrap();
            let drift = if rng.bool() { DVec2::ZERO } else { DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * 0.04 };
            platforms.push(Platform { handle: world.insert(platform), drift, tilt });
        }
        let velocity = DVec2::new((rng.f64() - 0.5) * 0.2, rng.f64() * 0.35);
        Self { world, jumper, foot, hang, velocity, platforms }
    }

    /// Moves all, then pushes the jumper out of its contacts.
    fn step(&mut self) -> Step {
        let move_by = |world: &mut World, handle: Handle, by: DVec2| {
            let pose = world.pose(handle).unwrap();
            world
                .set_pose(handle, Pose::from_cos_sin(pose.translation() + by, pose.cos(), pose.sin()).unwrap())
                .unwrap();
        };
        for platform in &self.platforms {
            move_by(&mut self.world, platform.handle, platform.drift);
        }
        self.velocity.y = (self.velocity.y - 0.01).max(-0.2);
        let displacement = self.velocity;
        move_by(&mut self.world, self.jumper, displacement);
        self.world.update();
        let jumper = self.world.placed(self.jumper).unwrap();
        let contact = self
            .platforms
            .iter()
            .map(|platform| overlaps(jumper, self.world.placed(platform.handle).unwrap()))
            .collect();
        let contacts = self.world.contacts_of(self.jumper).map(|contact| {
            let manifold = self.world.contact_between(contact.other, self.jumper).unwrap().manifold();
            (contact.other, if contact.other < self.jumper { manifold } else { manifold.flipped() })
        });
        let on: Vec<_> = contacts.collect();
        // Out of all of them: between two that lean toward each other that takes some rounds.
        let mut out = DVec2::ZERO;
        for _ in 0..200 {
            for (_, manifold) in &on {
                out += manifold.normal * (manifold.depth - out.dot(manifold.normal)).max(0.0);
                self.velocity -= manifold.normal * self.velocity.dot(manifold.normal).min(0.0);
            }
        }
        move_by(&mut self.world, self.jumper, out);
        Step { displacement, out, on, contact }
    }

    /// Returns the height of the jumper's lowest point above a platform's face, along its front.
    /// Also returns true if its center of mass is between the sides of the platform.
    fn height_above(&self, platform: Handle) -> (f64, bool) {
        let (plank, jumper) = (self.world.placed(platform).unwrap(), self.world.placed(self.jumper).unwrap());
        let (up, along) = (plank.pose().rotate_vector(DVec2::Y), plank.pose().rotate_vector(DVec2::X));
        let offset = (jumper.pose().transform_point(self.foot) - plank.pose().translation()).dot(along);
        ((jumper.support_point(-up) - plank.support_point(up)).dot(up), offset.abs() < 2.0)
    }
}

#[test]
fn landed_colliders_stay_and_those_from_below_are_not_pushed() {
    let jumps = from_environment("CAROM_JUMPS").unwrap_or(400);
    let (mut landed, mut passed) = (0, 0);
    for seed in 0..jumps {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut scene = Scene::new(&mut rng);
        // The collider that stopped it, the one that it stands on, and the length of the last push.
        let (mut last_on, mut stands, mut last_out) = (Vec::new(), Vec::new(), DVec2::ZERO);
        scene.world.update();
        for step in 0..160 {
            let heights: Vec<f64> = scene.platforms.iter().map(|p| scene.height_above(p.handle).0).collect();
            let Step { displacement, out, on, contact } = scene.step();
            for (k, &Platform { handle, drift, tilt }) in scene.platforms.iter().enumerate() {
                let context = format!("seed {seed}, step {step}, platform {k}");
                let (height, within) = scene.height_above(handle);
                let up = DVec2::new(-libm::sin(tilt), libm::cos(tilt));
                let stop = on.iter().find(|(other, _)| *other == handle).map(|(_, manifold)| manifold);
                if stands.contains(&handle) && within {
                    // The collider that it stood on and overlaps carries it. No more than a part of
                    // half its bottom extends beyond an end.
                    assert!(!contact[k] || stop.is_some(), "{context}: let go");
                    assert!(
                        height > -(scene.hang)(tilt).min(0.4 * tilt.abs().sin()) - 1e-6,
                        "{context}: fell through to {height}"
                    );
                }
                if let Some(stop) = stop {
                    assert!(stop.normal.dot(up) > 0.5 - 1e-9, "{context}: pushed sideways, by {}", stop.mtv());
                    // At the first touch it had moved down by at most its displacement. Along the
                    // front, that is at most twice as far, at 60°.
                    let first = !last_on.contains(&handle);
                    let moved = displacement - drift + if first { last_out } else { DVec2::ZERO };
                    assert!(
                        stop.depth <= 2.0 * moved.length() + 1e-6,
                        "{context}: snapped by {} after a displacement of {moved}",
                        stop.depth
                    );
                    if first {
                        // They touched somewhere on the way: not lower than both of its ends.
                        let touched = (heights[k] - last_out.dot(up)).max(height - out.dot(up));
                        assert!(touched > -(scene.hang)(tilt) - 1e-6, "{context}: caught at {touched}");
                        landed += 1;
                    }
                }
                if on.is_empty() && heights[k] < -0.6 && height > -0.6 && scene.velocity.dot(up) > 0.0 {
                    passed += 1;
                }
            }
            last_out = out;
            last_on = on.iter().map(|(handle, _)| *handle).collect();
            stands.retain(|platform| scene.height_above(*platform).0 < 0.1 && last_on.contains(platform));
            stands.extend(last_on.iter().filter(|p| scene.height_above(**p).0.abs() < 0.05));
        }
    }
    println!("{landed} landed, {passed} passed");
    assert!(landed > 100 && passed > 100, "{landed} {passed}");
}

#[test]
fn the_state_is_of_the_pair_and_lasts_until_they_part() {
    let mut world = World::new();
    let plank = Collider::new(Shape::rectangle(4.0, 0.5).unwrap()).fixed(true).one_way([0.0, 1.0]).unwrap();
    let plank = world.insert(plank.pose(Pose::from_degrees([0.0, 0.0], 90.0).unwrap())); // faces −x
    let block = world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([3.0, 0.0]).unwrap());
    let go = |world: &mut World, x: f64| {
        world.set_pose(block, Pose::from_translation([x, 0.0]).unwrap()).unwrap();
        world.update();
        world.contact_between(plank, block).map(|contact| contact.normal)
    };
    // From behind, halfway, back, and again: it passes, wherever it reverses.
    for x in [1.0, 0.5, 0.0, -0.5, 0.3, -0.7] {
        assert_eq!(go(&mut world, x), None, "{x}");
    }
    let saved = world.to_bytes();
    assert_eq!(go(&mut world, -0.74), None);
    assert_eq!(go(&mut world, -1.0), None);
    // From the front it is stopped, however deep it sinks.
    for x in [-0.7, -0.5, 0.0, 0.2] {
        assert_eq!(go(&mut world, x), Some(DVec2::NEG_X), "{x}");
    }
    assert_eq!(go(&mut world, 3.0), None);
    // A snapshot contains the passing pairs.
    world.restore(&saved).unwrap();
    assert_eq!(go(&mut world, -0.6), None);
    // A motion too passes from behind, and stops at the front.
    go(&mut world, 5.0);
    world.set_motion(block, [-10.0, 0.0], 0.0).unwrap();
    world.update();
    assert_eq!((world.motion_hits().len(), world.pose(block).unwrap().translation().x), (0, -5.0));
    world.set_motion(block, [10.0, 0.0], 0.0).unwrap();
    world.update();
    assert!(world.motion_hits().len() == 1 && world.pose(block).unwrap().translation().x < -0.7);
}

/// A block that is moved by hand, and a plank.
struct Pair {
    world: World,
    plank: Handle,
    block: Handle,
}

impl Pair {
    fn new(plank: Collider, block: Shape) -> Self {
        let mut world = World::new();
        let plank = world.insert(plank.fixed(true).one_way([0.0, 1.0]).unwrap());
        let block = world.insert(Collider::new(block).at([0.0, 100.0]).unwrap());
        world.update();
        Self { world, plank, block }
    }

    /// Moves the block for one frame, and returns the contact with the plank that stops it.
    fn go(&mut self, to: [f64; 2]) -> Option<Manifold> {
        self.world.set_pose(self.block, Pose::from_translation(to).unwrap()).unwrap();
        self.world.update();
        self.world.contact_between(self.plank, self.block).map(|contact| contact.manifold())
    }
}

fn plank() -> Collider {
    Collider::new(Shape::rectangle(4.0, 0.5).unwrap())
}

fn block() -> Shape {
    Shape::rectangle(1.0, 1.0).unwrap()
}

/// A jumper came down on the last hundredth of a platform that drifted toward it. Regression: the
/// MTV was sideways, so the end of the platform pushed the foot like a wall during the fall. It
/// neither landed nor passed.
#[test]
fn a_foot_that_lands_on_the_end_stands_there() {
    let mut pair = Pair::new(plank(), block());
    pair.go([2.492_187_5, 0.875]);
    // Deeper (0.125) than it overlaps sideways (0.0078125).
    let landed = pair.go([2.492_187_5, 0.625]).unwrap();
    assert!(landed.normal == DVec2::Y && (landed.depth - 0.125).abs() < 1e-6, "{landed:?}");
    // Moved out, pulled down again; the plank creeps toward it: as long as it is above, it stands.
    for step in 1..9 {
        let at = Pose::from_translation([f64::from(step) / 1024.0, 0.0]).unwrap();
        pair.world.set_pose(pair.plank, at).unwrap();
        let stands = pair.go([2.492_187_5, 0.734_375]).unwrap();
        assert!(stands.normal == DVec2::Y && (stands.depth - 0.015_625).abs() < 1e-6, "step {step}: {stands:?}");
    }
    // One that is pushed from the side is let through, however little it overlaps.
    let mut pair = Pair::new(plank(), block());
    pair.go([2.507_812_5, 0.5]);
    assert_eq!(pair.go([2.492_187_5, 0.5]), None);
    assert_eq!(pair.go([0.0, 0.5]), None);
}

#[test]
fn a_round_foot_is_stopped_within_60_degrees_of_the_front_and_slips_off_beyond() {
    // Its centre comes down beside the end, on the way that touches the corner at an angle to the front.
    for (degrees, stops) in [(0.0, true), (30.0, true), (59.0, true), (61.0, false), (80.0, false)] {
        let mut pair = Pair::new(plank(), Shape::circle(1.0).unwrap());
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        pair.go([2.0 + sin, 2.0]);
        let contact = pair.go([2.0 + sin, 0.25 + cos - 0.01]);
        assert_eq!(contact.is_some(), stops, "{degrees}");
        assert!(
            contact.is_none_or(|contact| (contact.normal - DVec2::new(sin, cos)).length() < 0.02),
            "{degrees}: {contact:?}"
        );
    }
    // A roll over it: stopped at the first touch, then passing, and never lifted.
    let mut pair = Pair::new(plank(), Shape::circle(1.0).unwrap());
    for degrees in 0..90 {
        let (sin, cos) = f64::to_radians(f64::from(degrees) + 0.5).sin_cos();
        let contact = pair.go([2.0 + 0.999 * sin, 0.25 + 0.999 * cos]);
        assert_eq!(contact.is_some(), degrees < 60, "{degrees}: {contact:?}");
        assert!(contact.is_none_or(|contact| contact.depth < 0.0011), "{degrees}: {contact:?}");
    }
}

/// Set onto the platform, it stands. Set into the platform, it passes. If it is fast enough to get
/// below the middle in one frame, the platform still stops it.
#[test]
fn the_displacement_since_the_last_update_decides() {
    for (from, to, stops) in [
        ([0.0, 0.75], [0.0, 0.75], true),
        ([0.0, 0.75 - 1e-9], [0.0, 0.75 - 1e-9], true),
        ([0.0, 0.7], [0.0, 0.7], false),
        ([0.0, 9.0], [0.0, -0.5], true),
        ([0.0, -9.0], [0.0, 0.5], false),
        ([-9.0, 0.5], [0.0, 0.5], false),
        // Past the end at the height of the face, or not.
        ([4.5, 2.75], [2.0, 0.25], true),
        ([4.5, 2.25], [2.0, 0.25], false),
    ] {
        let mut world = World::new();
        let plank = world.insert(plank().fixed(true).one_way([0.0, 1.0]).unwrap());
        let ball = world.insert(Collider::new(block()).at(from).unwrap());
        if from != to {
            world.update();
            world.set_pose(ball, Pose::from_translation(to).unwrap()).unwrap();
        }
        world.update();
        let contact = world.contact_between(plank, ball).map(|contact| contact.manifold());
        assert_eq!(contact.is_some(), stops, "{from:?} to {to:?}");
        assert!(
            contact.is_none_or(|contact| contact.normal == DVec2::Y && (contact.depth - (0.75 - to[1])).abs() < 1e-5),
            "{contact:?}"
        );
    }
}

/// The end of a plank that turns sweeps through the feet on it, farther than it is thick.
#[test]
fn a_rotating_plank_carries_the_shape_on_it() {
    let thin = Collider::new(Shape::rectangle(8.0, 0.0625).unwrap());
    let mut pair = Pair::new(thin, Shape::circle(0.5).unwrap());
    let mut foot = [3.0, 0.6];
    for step in 1..8 {
        let angle = f64::from(step) * 0.125;
        pair.world.set_pose(pair.plank, Pose::new([0.0, 0.0], angle).unwrap()).unwrap();
        let contact = pair.go(foot).unwrap_or_else(|| panic!("let go at {angle}"));
        let up = DVec2::new(-libm::sin(angle), libm::cos(angle));
        assert!((contact.normal - up).length() < 1e-9, "{contact:?}");
        foot = (DVec2::from(foot) + contact.mtv()).into();
    }
    // A platform that rotates down onto a ball hits it with its back, so the ball passes.
    let mut pair = Pair::new(Collider::new(Shape::rectangle(8.0, 0.0625).unwrap()), Shape::circle(0.5).unwrap());
    pair.go([3.0, -0.6]);
    pair.world.set_pose(pair.plank, Pose::new([0.0, 0.0], -0.25).unwrap()).unwrap();
    assert_eq!(pair.go([3.0, -0.6]), None);
}

/// Ground of one piece with a cliff in it: the ground holds, the cliff does not push.
#[test]
fn each_part_of_a_one_way_shape_stops_by_its_own_mtv() {
    let ground = Shape::chain(&[[-4.0, 0.0], [0.0, 0.0], [0.0, 3.0], [4.0, 3.0]]).unwrap();
    let mut pair = Pair::new(Collider::new(ground), block());
    pair.go([-1.0, 0.75]);
    let landed = pair.go([-1.0, 0.4375]).unwrap();
    assert!(landed.normal == DVec2::Y && (landed.depth - 0.0625).abs() < 1e-6);
    // Deeper into the cliff than into the ground.
    let at_the_cliff = pair.go([-0.375, 0.4375]).unwrap();
    assert!(at_the_cliff.normal == DVec2::Y && (at_the_cliff.depth - 0.0625).abs() < 1e-6, "{at_the_cliff:?}");
    let contact = pair.world.contact_between(pair.plank, pair.block).unwrap();
    assert!(contact.manifolds().all(|manifold| manifold.normal == DVec2::Y));
    // Two planks in one are stood on with both feet.
    let at = |x: f64| (block(), Pose::from_translation([x, 0.0]).unwrap());
    let mut pair =
        Pair::new(Collider::new(Shape::compound([at(-1.0), at(1.0)]).unwrap()), Shape::rectangle(3.0, 1.0).unwrap());
    pair.go([0.0, 1.5]);
    pair.go([0.0, 0.96875]).unwrap();
    let contact = pair.world.contact_between(pair.plank, pair.block).unwrap();
    assert_eq!(contact.manifolds().map(|manifold| manifold.depth).collect::<Vec<_>>(), [0.03125; 2]);
}

/// Regression: an object on two legs stands on one of them. The other leg touched the side of the
/// platform far below its face, and lifted the object by that distance.
#[test]
fn a_leg_beside_a_platform_is_not_lifted_upon_it() {
    let tall = Collider::new(Shape::rectangle(4.0, 4.0).unwrap());
    let at = |x: f64, y: f64| Pose::from_translation([x, y]).unwrap();
    let legs =
        [(Shape::rectangle(0.5, 1.0).unwrap(), at(-1.0, 0.0)), (Shape::rectangle(0.5, 3.0).unwrap(), at(1.0, -1.0))];
    for overlap in [0.0, 0.015_625] {
        let mut pair = Pair::new(tall.clone(), Shape::compound(legs.clone()).unwrap());
        // The left leg comes down upon it, then the right one comes to its side.
        pair.go([1.5, 4.0]);
        pair.go([1.5, 2.5]).unwrap();
        for step in 1..4 {
            let stands = pair.go([1.25 - overlap, 2.5 - f64::from(step) / 64.0]).unwrap();
            assert!(
                stands.normal == DVec2::Y && (stands.depth - f64::from(step) / 64.0).abs() < 1e-6,
                "overlap {overlap}, step {step}: {stands:?}"
            );
        }
    }
}

#[test]
fn a_collider_that_becomes_one_way_holds_shapes_on_its_front() {
    for (from, to, stops) in
        [([0.0, 0.625], [0.0, 0.5], true), ([2.375, 0.0], [2.25, 0.0], false), ([0.0, -0.625], [0.0, -0.5], false)]
    {
        let mut pair = Pair::new(plank(), block());
        pair.world.set_one_way(pair.plank, None).unwrap();
        pair.go(from).unwrap();
        pair.world.set_one_way(pair.plank, Some(carom::world::OneWay::new([0.0, 1.0]).unwrap())).unwrap();
        assert_eq!(pair.go(to).is_some(), stops, "{from:?} to {to:?}");
    }
}
