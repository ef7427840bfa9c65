//! One scene of everything, frame after frame: the hash of its states is a number that every
//! machine comes to, with any lanes.
//!
//! `CAROM_FRAMES=10000` goes on that long. With `RUSTFLAGS="--cfg carom_simd_baseline"` the build
//! uses only the instructions of every machine of the target. With `--cfg carom_simd_max_avx2` it
//! uses none after AVX2.

use carom::{Collider, DVec2, Handle, Mask, Pose, Shape, World};

use crate::support::run::from_environment;

/// The hashes after so many frames. Another number is another answer somewhere: find out which before it is changed.
const AFTER_500: u64 = 0x7e9e_219e_092c_1c83;
const AFTER_10_000: u64 = 0xac8c_9704_0f8b_e6c6;

#[derive(Clone)]
pub(super) struct Scene {
    pub(super) rng: fastrand::Rng,
    pub(super) world: World,
    pub(super) movers: Vec<(Handle, DVec2, f64)>,
}

impl Scene {
    pub(super) fn new(world: World) -> Self {
        let mut scene = Self { rng: fastrand::Rng::with_seed(0xca20), world, movers: Vec::new() };
        for i in 0..6 {
            let plank = Collider::new(Shape::rectangle(4.0, 0.5).unwrap())
                .at([f64::from(i) * 3.0, f64::from(i % 3) * 5.0 + 2.0]);
            let plank = plank.unwrap().fixed(true);
            scene.world.insert(if i % 2 == 0 { plank } else { plank.one_way([0.0, 1.0]).unwrap() });
        }
        let ground = Shape::chain(&[[0.0, 0.0], [5.0, 0.3], [11.0, -0.2], [18.0, 0.0]]).unwrap();
        scene.world.insert(Collider::new(ground).fixed(true));
        (0..40).for_each(|_| scene.insert());
        scene
    }

    fn shape(&mut self) -> Shape {
        let size = 0.3 + self.rng.f64() * 0.5;
        match self.rng.u8(0..7) {
            0 => Shape::circle(size).unwrap(),
            1 => Shape::rectangle(size, 2.0 * size).unwrap(),
            2 => Shape::capsule([-size, 0.0], [size, 0.1], 0.2).unwrap(),
            3 => Shape::ellipse(size, 0.5 * size, 0.01).unwrap(),
            4 => Shape::polygon(&[[0.0, 0.0], [1.1 * size, 0.2], [0.4, 1.3 * size]]).unwrap().rounded(0.05).unwrap(),
            5 => Shape::mask(Mask::from_rows(&["##.#", "#..#", "####"]).unwrap()).unwrap().scaled(0.3, 0.3).unwrap(),
            _ => Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.5, 0.5], [0.5, 1.0], [0.0, 1.0]]).unwrap(),
        }
    }

    fn insert(&mut self) {
        let at = DVec2::new(self.rng.f64() * 18.0, self.rng.f64() * 15.0);
        let (shape, angle) = (self.shape(), self.rng.f64() * 6.0);
        let handle =
            self.world.insert(Collider::new(shape).pose(Pose::new(at, angle).unwrap()).sensor(self.rng.u8(0..8) == 0));
        self.movers.push((
            handle,
            DVec2::new(self.rng.f64() - 0.5, self.rng.f64() - 0.5) * 0.3,
            (self.rng.f64() - 0.5) * 0.1,
        ));
    }

    /// Some run freely, some as far as they get; now and then one goes and another one comes.
    pub(super) fn step(&mut self, frame: usize) {
        for i in 0..self.movers.len() {
            let (handle, velocity, spin) = self.movers[i];
            let pose = self.world.pose(handle).unwrap();
            let position = pose.translation() + velocity;
            let (width, height) = (18.0, 15.0);
            if !(0.0..width).contains(&position.x) || !(0.0..height).contains(&position.y) {
                let home = DVec2::new(width, height) * 0.5 - position;
                self.movers[i].1 = home * (velocity.length() / home.length());
            } else if i % 3 == 0 {
                self.world.set_motion(handle, velocity, spin).unwrap();
            } else {
                self.world.set_pose(handle, Pose::new(position, pose.angle() + spin).unwrap()).unwrap();
            }
        }
        if frame.is_multiple_of(7) {
            // Not `usize`, which takes other bits of the generator on 32-bit targets.
            let chosen = self.rng.u64(..self.movers.len() as u64) as usize;
            let removed = self.movers.swap_remove(chosen).0;
            self.world.remove(removed).unwrap();
            self.insert();
        }
        if frame.is_multiple_of(50) {
            let bytes = self.world.to_bytes();
            self.world.restore(&bytes).unwrap();
        }
        self.world.update();
        // Obstacles reverse the movers.
        let hits: Vec<_> = self
            .world
            .motion_hits()
            .filter(|hit| !hit.sensor)
            .map(|hit| (hit.other, hit.mover, hit.hit.normal))
            .collect();
        for (a, b, normal) in hits {
            for (handle, velocity, _) in self.movers.iter_mut().filter(|mover| mover.0 == a || mover.0 == b) {
                let away = if *handle == b { normal } else { -normal };
                *velocity -= away * (2.0 * velocity.dot(away)).min(0.0);
            }
        }
    }
}

#[test]
fn a_scene_of_everything_comes_to_one_number() {
    let frames = from_environment("CAROM_FRAMES").unwrap_or(500) as usize;
    let (mut scene, mut hash, mut begun, mut hits) = (Scene::new(World::new()), 0_u64, 0, 0);
    for frame in 1..=frames {
        scene.step(frame);
        hash = (hash ^ scene.world.state_hash()).wrapping_mul(0x0100_0000_01b3);
        begun += scene.world.events().filter(carom::Event::is_begin).count();
        hits += scene.world.motion_hits().len();
        if frame == 500 {
            println!("lanes {}: {begun} began, {hits} collisions, after 500 {hash:#018x}", carom::batch::simd_level());
            assert_eq!(hash, AFTER_500);
        }
    }
    println!("{begun} began, {hits} collisions, after {frames} {hash:#018x}");
    assert!(frames != 10_000 || hash == AFTER_10_000, "{hash:#018x}");
    assert!(begun > frames && hits > frames / 10, "hardly anything met");
}
