//! One-way platforms: a state for each pair (P18). Whoever has landed never falls through, whoever comes from below or the side is never pushed.
//!
//! `CAROM_JUMPS` asks for more.

use carom::{Collider, DVec2, Handle, Pose, Shape, World, overlaps};

/// A jumper under gravity that is moved out of what it meets, and platforms that move.
struct Scene {
    world: World,
    jumper: Handle,
    velocity: DVec2,
    platforms: Vec<(Handle, DVec2, f64)>,
}

impl Scene {
    fn new(rng: &mut fastrand::Rng) -> Self {
        let mut world = World::new();
        let shape =
            [Shape::rectangle(0.8, 1.0).unwrap(), Shape::circle(0.5).unwrap(), Shape::capsule([0.0, -0.3], [0.0, 0.3], 0.4).unwrap()];
        let shape = shape[rng.usize(0..3)].clone();
        let jumper = world.insert(Collider::new(shape).at([(rng.f64() - 0.5) * 6.0, (rng.f64() - 0.3) * 6.0]).unwrap());
        let mut platforms = Vec::new();
        for k in 0..rng.usize(1..4) {
            // Flat, sloped and moving; some close above each other.
            let tilt = [0.0, (rng.f64() - 0.5) * 1.0][rng.usize(0..2)];
            let place = DVec2::new((rng.f64() - 0.5) * 2.0, -1.0 + k as f64 * (0.8 + rng.f64()));
            let plank = Shape::rectangle(4.0, [0.05, 0.3, 1.0][rng.usize(0..3)]).unwrap();
            let platform = Collider::new(plank).pose(Pose::new(place, tilt).unwrap()).fixed(true).one_way([0.0, 1.0]).unwrap();
            let drift = if rng.bool() { DVec2::ZERO } else { DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * 0.04 };
            platforms.push((world.insert(platform), drift, tilt));
        }
        let velocity = DVec2::new((rng.f64() - 0.5) * 0.2, rng.f64() * 0.35);
        Self { world, jumper, velocity, platforms }
    }

    /// Moves all, then the jumper out of what it meets; says how far it was moved, what it stands on with the depths, and which
    /// platforms it overlapped before.
    fn step(&mut self) -> (DVec2, Vec<(Handle, f64)>, Vec<bool>) {
        let move_by = |world: &mut World, handle: Handle, by: DVec2| {
            let pose = world.pose(handle).unwrap();
            world.set_pose(handle, Pose::from_cos_sin(pose.translation() + by, pose.cos(), pose.sin()).unwrap()).unwrap();
        };
        for &(platform, drift, _) in &self.platforms {
            move_by(&mut self.world, platform, drift);
        }
        self.velocity.y = (self.velocity.y - 0.01).max(-0.2);
        move_by(&mut self.world, self.jumper, self.velocity);
        self.world.update();
        let jumper = self.world.placed(self.jumper).unwrap();
        let met = self.platforms.iter().map(|platform| overlaps(jumper, self.world.placed(platform.0).unwrap())).collect();
        let (mut out, mut on) = (DVec2::ZERO, Vec::new());
        for contact in self.world.contacts_of(self.jumper) {
            let manifold = if contact.a == self.jumper { contact.manifold.flipped() } else { contact.manifold };
            let mtv = manifold.mtv();
            out += mtv - out * (out.dot(mtv) / out.length_squared().max(1e-30)).clamp(0.0, 1.0);
            let into = self.velocity.dot(manifold.normal);
            self.velocity -= manifold.normal * into.min(0.0);
            on.extend(contact.other(self.jumper).map(|other| (other, manifold.depth)));
        }
        move_by(&mut self.world, self.jumper, out);
        (out, on, met)
    }

    /// How far the jumper's lowest point lies above the platform's face, along its front, and whether it is within its sides.
    fn height_above(&self, platform: Handle) -> (f64, bool) {
        let (plank, jumper) = (self.world.placed(platform).unwrap(), self.world.placed(self.jumper).unwrap());
        let (up, along) = (plank.pose().rotate(DVec2::Y), plank.pose().rotate(DVec2::X));
        let offset = (jumper.pose().translation() - plank.pose().translation()).dot(along);
        ((jumper.support_point(-up) - plank.support_point(up)).dot(up), offset.abs() < 2.0)
    }
}

#[test]
fn who_has_landed_stays_and_who_comes_from_below_is_not_pushed() {
    let jumps = std::env::var("CAROM_JUMPS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let (mut landed, mut passed) = (0, 0);
    for seed in 0..jumps {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut scene = Scene::new(&mut rng);
        let mut stands: Vec<Handle> = Vec::new();
        let mut last_out = 0.0;
        scene.world.update();
        for step in 0..160 {
            let heights: Vec<f64> = scene.platforms.iter().map(|p| scene.height_above(p.0).0).collect();
            let moved = scene.velocity.length() + 0.01;
            let (out, depths, met) = scene.step();
            let on: Vec<Handle> = depths.iter().map(|(handle, _)| *handle).collect();
            // Never more than it came down upon them (and they rose) in this step, with two at once at an angle.
            assert!(out.length() < 0.75, "seed {seed}, step {step}: snapped by {out}");
            for (k, &(platform, _, tilt)) in scene.platforms.iter().enumerate() {
                let (height, within) = scene.height_above(platform);
                let up = DVec2::new(-libm::sin(tilt), libm::cos(tilt));
                if stands.contains(&platform) && within {
                    // What it stood on and overlaps holds it. Between two that lean toward each other a response like this one leaves a part of a step.
                    assert!(!met[k] || on.contains(&platform), "seed {seed}, step {step}: let go");
                    assert!(height > -0.2, "seed {seed}, step {step}: fell through to {height}");
                }
                if on.contains(&platform) && !stands.contains(&platform) {
                    // It begins to stand only coming from the front: a round foot up to half its radius beside an end, a box over an end that is raised.
                    assert!(heights[k] > -0.4, "seed {seed}, step {step}: caught at {}", heights[k]);
                    // Never moved out farther than both moved in this step, and out of another one before.
                    let depth = depths.iter().find(|(handle, _)| *handle == platform).map_or(0.0, |(_, depth)| *depth);
                    let most = moved + 0.04 + last_out;
                    assert!(depth <= most, "seed {seed}, step {step}: snapped by {depth} of {most}");
                    landed += 1;
                }
                if on.is_empty() && heights[k] < -0.6 && height > -0.6 && scene.velocity.dot(up) > 0.0 {
                    passed += 1;
                }
            }
            last_out = out.length();
            stands.retain(|platform| scene.height_above(*platform).0 < 0.1 && on.contains(platform));
            stands.extend(on.iter().filter(|p| scene.height_above(**p).0.abs() < 0.05));
        }
    }
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
        world.contact_between(plank, block).map(|contact| contact.manifold.normal)
    };
    // From behind, halfway, back, and again: it passes, wherever it turns.
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
    // A snapshot knows who was passing.
    world.restore(&saved).unwrap();
    assert_eq!(go(&mut world, -0.6), None);
    // A motion too passes from behind, and stops at the front.
    go(&mut world, 5.0);
    world.set_motion(block, [-10.0, 0.0], 0.0).unwrap();
    world.update();
    assert_eq!((world.collisions(), world.pose(block).unwrap().translation().x), (&[][..], -5.0));
    world.set_motion(block, [10.0, 0.0], 0.0).unwrap();
    world.update();
    assert!(world.collisions().len() == 1 && world.pose(block).unwrap().translation().x < -0.7);
}
