//! A crowd on several threads: any number of threads gives the same contacts, events and bytes
//! (P31).
//!
//! Without the feature `parallel` all do it alone, and the law holds all the more.

use carom::{Collider, DVec2, Event, Handle, Pose, Shape, World};
use rayon::ThreadPoolBuilder;

const SIDE: f64 = 60.0;

/// Readable state after a frame.
#[derive(Debug, PartialEq)]
struct Frame {
    hash: u64,
    candidates: usize,
    /// Whom, whether they began, and how deep.
    events: Vec<(Handle, Handle, bool, f64)>,
}

struct Crowd {
    rng: fastrand::Rng,
    world: World,
    handles: Vec<Handle>,
    begun: usize,
    ended: usize,
}

impl Crowd {
    fn new(seed: u64) -> Self {
        let mut crowd =
            Self { rng: fastrand::Rng::with_seed(seed), world: World::new(), handles: Vec::new(), begun: 0, ended: 0 };
        (0..3_000).for_each(|_| crowd.insert());
        crowd
    }

    fn insert(&mut self) {
        let rng = &mut self.rng;
        let shape = match rng.u8(0..8) {
            0..3 => Shape::circle(0.25 + 0.5 * rng.f64()),
            3 | 4 => Shape::rectangle(1.0, 0.5 + rng.f64()),
            5 => Shape::polygon(&[[-0.5, -0.5], [0.5, -0.4], [0.0, 0.5 + rng.f64()]]),
            6 => Shape::chain(&[[-1.0, 0.0], [0.0, 0.5], [1.0, 0.0]]),
            _ => Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.5, 0.5], [0.5, 1.0], [0.0, 1.0]]),
        };
        let pose = Pose::new([rng.f64() * SIDE, rng.f64() * SIDE], rng.f64() * 6.0).unwrap();
        let mut collider = Collider::new(shape.unwrap()).pose(pose).sensor(rng.u8(0..9) == 0).fixed(rng.u8(0..5) == 0);
        if rng.u8(0..12) == 0 {
            collider = collider.one_way([0.0, 1.0]).unwrap();
        }
        self.handles.push(self.world.insert(collider));
    }

    /// Most move, few move, or others come in the places of some.
    fn write(&mut self, frame: usize) {
        if frame % 4 == 3 {
            for _ in 0..40 {
                let removed = self.handles.swap_remove(self.rng.usize(..self.handles.len()));
                self.world.remove(removed).unwrap();
                self.insert();
            }
        }
        let share = [0.9, 0.02][usize::from(frame % 5 == 2)];
        for &handle in &self.handles {
            if self.rng.f64() < share {
                let (pose, by) =
                    (self.world.pose(handle).unwrap(), DVec2::new(self.rng.f64() - 0.5, self.rng.f64() - 0.5));
                self.world.set_pose(handle, pose.with_translation(pose.translation() + by * 0.4).unwrap()).unwrap();
            }
        }
    }

    fn step(&mut self, frame: usize) -> Frame {
        self.write(frame);
        if frame % 6 == 4 {
            self.world.update_with(|a, b| (a.to_bits() ^ b.to_bits()).count_ones() % 3 != 0);
        } else {
            self.world.update();
        }
        let begun = self.world.events().filter(Event::is_begin).count();
        (self.begun, self.ended) = (self.begun + begun, self.ended + self.world.events().len() - begun);
        assert_eq!(self.begun - self.ended, self.world.contacts().len(), "frame {frame}");
        let all = self.world.events().map(|event| (event.contact(), event.is_begin()));
        let events = all.map(|(contact, begins)| (contact.a, contact.b, begins, contact.depth)).collect();
        Frame { hash: self.world.state_hash(), candidates: self.world.candidate_count(), events }
    }
}

#[test]
fn any_number_of_threads_comes_to_the_same() {
    let seed = 7;
    println!("seed {seed}");
    let run = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut crowd = Crowd::new(seed);
            let frames: Vec<_> = (0..24).map(|frame| crowd.step(frame)).collect();
            assert!(crowd.world.candidate_count() > 4_000 && crowd.ended > 1_000, "too few to be shared");
            frames
        })
    };
    let alone = run(1);
    for threads in 2..=3 {
        for (frame, (one, many)) in alone.iter().zip(run(threads)).enumerate() {
            assert!(*one == many, "frame {frame}, {threads} threads: {:x} and {:x}", one.hash, many.hash);
        }
    }
}
