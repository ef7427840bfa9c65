//! Queries against many shapes: the same as asking every shape.

use std::ops::ControlFlow::{Break, Continue};

use carom::broad::{BroadPhase, Brute, Bvh, Filter, Frame, Sweep};
use carom::{Among, DVec2, Outlines, Placed, Pose, Ray, Shape, distance, intersects, ray_cast};
use fastrand::Rng;

/// Shapes of every kind about a place, some of them on a grid so that they touch, and the broad phases that have their boxes.
struct Scene {
    shapes: Vec<Shape>,
    poses: Vec<Pose>,
    home: DVec2,
    frame: Frame,
}

impl Scene {
    fn new(rng: &mut Rng, count: usize, home: DVec2, frame: DVec2) -> Self {
        let shapes = vec![
            Shape::circle(0.5).unwrap(),
            Shape::rectangle(1.0, 0.5).unwrap(),
            Shape::polygon(&[[0.0, -0.5], [0.75, 0.25], [-0.5, 0.5]]).unwrap(),
            Shape::rectangle(0.5, 0.5).unwrap(),
            Shape::capsule([-0.5, 0.0], [0.5, 0.0], 0.25).unwrap(),
            Shape::chain(&[[-1.0, 0.0], [0.0, 0.5], [1.0, 0.0]]).unwrap(),
        ];
        let poses = (0..count).map(|_| {
            let on_grid = rng.bool();
            let at = [0, 1].map(|_| if on_grid { f64::from(rng.u32(..24)) * 0.5 } else { rng.f64() * 12.0 });
            let angle = if on_grid { 0.0 } else { rng.f64() };
            Pose::new(home + DVec2::from(at), angle).unwrap()
        });
        Self { shapes, poses: poses.collect(), home, frame: Frame::new(frame) }
    }

    fn placed(&self, id: u32) -> Placed<'_> {
        let id = id as usize;
        self.shapes[id % self.shapes.len()].placed(self.poses[id])
    }

    fn ids(&self) -> std::ops::Range<u32> {
        0..self.poses.len() as u32
    }

    fn broad_phases(&self) -> [Box<dyn BroadPhase>; 3] {
        let mut all: [Box<dyn BroadPhase>; 3] = [Box::new(Brute::new()), Box::new(Sweep::new()), Box::new(Bvh::new())];
        for broad in &mut all {
            for id in self.ids() {
                broad.insert(id, self.frame.localize(&self.placed(id).aabb()), Filter::default(), id % 2 == 0);
            }
        }
        all
    }

    fn place(&self, rng: &mut Rng) -> DVec2 {
        self.home
            + if rng.bool() {
                DVec2::new(rng.f64(), rng.f64()) * 12.0
            } else {
                DVec2::new(rng.u32(..24).into(), rng.u32(..24).into()) * 0.5
            }
    }
}

/// Law: for every broad phase, in every frame, each query gives what asking all shapes gives; those that are filtered out are not there.
#[test]
fn queries_agree_with_asking_every_shape() {
    let far = DVec2::new(3e9, -1e9);
    for (seed, home, frame) in [(1, DVec2::ZERO, DVec2::ZERO), (2, DVec2::ZERO, DVec2::new(1e5, 7.0)), (3, far, far), (4, far, DVec2::ZERO)]
    {
        let mut rng = Rng::with_seed(seed);
        let scene = Scene::new(&mut rng, 150, home, frame);
        let there = |id: u32| id % 7 != 3;
        let mut outlines = Outlines::new();
        scene.ids().for_each(|id| outlines.set(id, scene.placed(id)));
        for (broad, with_outlines) in scene.broad_phases().iter().flat_map(|broad| [(broad, false), (broad, true)]) {
            println!("{} with seed {seed}, outlines: {with_outlines}", broad.name());
            let among = Among::new(&**broad, scene.frame, |id| there(id).then(|| scene.placed(id)));
            let among = if with_outlines { among.with_outlines(&outlines) } else { among };
            let all = || scene.ids().filter(|&id| there(id));
            for _ in 0..100 {
                let (from, to) = (scene.place(&mut rng), scene.place(&mut rng));
                let ray = Ray::new(from, to - from).unwrap().with_radius(if rng.bool() { 0.0 } else { 0.25 }).unwrap();
                let ray = if rng.bool() { ray } else { ray.hollow() };
                let hits = all().filter_map(|id| Some((id, ray_cast(ray, scene.placed(id))?)));
                let expected = hits.min_by(|(i, a), (j, b)| a.time.total_cmp(&b.time).then(i.cmp(j)));
                assert_eq!(among.ray_cast(ray), expected);

                let point = Shape::circle(0.0).unwrap();
                let at = point.at(from).unwrap();
                for within in [f64::INFINITY, 0.5, 0.0] {
                    let near = all().map(|id| (id, distance(scene.placed(id), at))).filter(|(_, d)| d.distance <= within);
                    let expected = near.min_by(|(i, a), (j, b)| a.distance.total_cmp(&b.distance).then(i.cmp(j)));
                    assert_eq!(among.nearest(from, within).unwrap(), expected);
                }

                let other = scene.shapes[rng.usize(..6)].placed(Pose::new(to, 0.5).unwrap());
                for asked in [at, other] {
                    let mut found = Vec::new();
                    among.visit_meeting(asked, |id| {
                        found.push(id);
                        Continue(())
                    });
                    found.sort_unstable();
                    assert_eq!(found, all().filter(|&id| intersects(scene.placed(id), asked)).collect::<Vec<_>>());
                }
            }
        }
    }
}

/// Law: many at once give what each gives alone, in the order given.
#[test]
fn batches_agree_with_single_queries() {
    let mut rng = Rng::with_seed(5);
    let scene = Scene::new(&mut rng, 300, DVec2::new(50.0, -1e4), DVec2::new(49.0, -1e4));
    let points: Vec<DVec2> = (0..1_000).map(|_| scene.place(&mut rng)).collect();
    let rays: Vec<Ray> = points.iter().map(|&from| Ray::new(from, scene.place(&mut rng) - from).unwrap()).collect();
    for broad in scene.broad_phases() {
        let among = Among::new(&*broad, scene.frame, |id| (id % 5 > 0).then(|| scene.placed(id)));
        let mut hits = Vec::new();
        among.ray_casts(&rays, &mut hits);
        assert_eq!(hits, rays.iter().map(|&ray| among.ray_cast(ray)).collect::<Vec<_>>());
        let mut near = Vec::new();
        among.nearest_of_all(&points, 1.0, &mut near).unwrap();
        assert_eq!(near, points.iter().map(|&p| among.nearest(p, 1.0).unwrap()).collect::<Vec<_>>());
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        among.visit_all_holding(&points, |number, id| together.push((number, id))).unwrap();
        for (number, &point) in (0..).zip(&points) {
            among
                .visit_holding(point, |id| {
                    alone.push((number, id));
                    Continue(())
                })
                .unwrap();
        }
        together.sort_unstable();
        alone.sort_unstable();
        assert!(alone.len() > 100);
        assert_eq!(together, alone);
        assert!(among.visit_all_holding(&[DVec2::NAN], |_, _| panic!("nothing is visited")).is_err());
    }
}

#[test]
fn visits_end_when_they_are_told_to_and_bad_points_are_refused() {
    let mut rng = Rng::with_seed(8);
    let scene = Scene::new(&mut rng, 100, DVec2::ZERO, DVec2::ZERO);
    let hall = Shape::rectangle(100.0, 100.0).unwrap();
    for broad in scene.broad_phases() {
        let among = Among::new(&*broad, scene.frame, |id| Some(scene.placed(id)));
        let mut count = 0;
        among.visit_meeting(hall.at([0.0, 0.0]).unwrap(), |_| {
            count += 1;
            if count == 5 { Break(()) } else { Continue(()) }
        });
        assert_eq!(count, 5);
        assert!(among.visit_holding([f64::NAN, 0.0], |_| Continue(())).is_err());
        assert!(among.nearest([0.0, f64::INFINITY], 1.0).is_err());
        assert_eq!(among.nearest([0.0, 1e30], 1.0).unwrap(), None);
    }
}
