//! Queries against many shapes return the results of a loop over all shapes.

use std::ops::ControlFlow::{Break, Continue};

use carom::broad_phase::{BroadPhase, BruteForce, Bvh, Filter, LocalOrigin, SortAndSweep};
use carom::query::{QuantizedShapes, QueryPipeline};
use carom::{DVec2, Placed, Pose, Ray, Shape, distance, intersects, ray_cast};
use fastrand::Rng;

/// Shapes of every kind about a place, some of them on a grid so that they touch, and the broad
/// phases that have their boxes.
struct Scene {
    shapes: Vec<Shape>,
    poses: Vec<Pose>,
    home: DVec2,
    frame: LocalOrigin,
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
        Self { shapes, poses: poses.collect(), home, frame: LocalOrigin::new(frame) }
    }

    fn placed(&self, id: u32) -> Placed<'_> {
        let id = id as usize;
        self.shapes[id % self.shapes.len()].placed(self.poses[id])
    }

    fn ids(&self) -> std::ops::Range<u32> {
        0..self.poses.len() as u32
    }

    fn broad_phases(&self) -> [Box<dyn BroadPhase>; 3] {
        let mut all: [Box<dyn BroadPhase>; 3] =
            [Box::new(BruteForce::new()), Box::new(SortAndSweep::new()), Box::new(Bvh::new())];
        for broad in &mut all {
            for id in self.ids() {
                broad.insert(id, self.frame.to_local(&self.placed(id).aabb()), Filter::default(), id % 2 == 0);
            }
        }
        all
    }

    /// All shapes, in an order that is not that of their ids.
    fn packed(&self) -> QuantizedShapes {
        QuantizedShapes::packed(self.frame, self.ids().rev().map(|id| (id, self.placed(id))))
    }

    fn position(&self, rng: &mut Rng) -> DVec2 {
        self.home
            + if rng.bool() {
                DVec2::new(rng.f64(), rng.f64()) * 12.0
            } else {
                DVec2::new(rng.u32(..24).into(), rng.u32(..24).into()) * 0.5
            }
    }
}

/// Law: for every broad phase, in every frame, each query returns the result of a loop over all
/// shapes that pass the filter.
#[test]
fn queries_agree_with_asking_every_shape() {
    let far = DVec2::new(3e9, -1e9);
    for (seed, home, frame) in
        [(1, DVec2::ZERO, DVec2::ZERO), (2, DVec2::ZERO, DVec2::new(1e5, 7.0)), (3, far, far), (4, far, DVec2::ZERO)]
    {
        let mut rng = Rng::with_seed(seed);
        let scene = Scene::new(&mut rng, 150, home, frame);
        let there = |id: u32| id % 7 != 3;
        let mut outlines = QuantizedShapes::new();
        scene.ids().for_each(|id| outlines.set(id, scene.placed(id)));
        let packed = scene.packed();
        let kinds = [None, Some(&outlines), Some(&packed)];
        for (broad, kind) in scene.broad_phases().iter().flat_map(|broad| [(broad, 0), (broad, 1), (broad, 2)]) {
            println!("{} with seed {seed}, outlines: {}", broad.name(), ["none", "by id", "packed"][kind]);
            let among = QueryPipeline::new(&**broad, scene.frame, |id| there(id).then(|| scene.placed(id)));
            let among = match kinds[kind] {
                Some(outlines) => among.with_outlines(outlines),
                None => among,
            };
            let all = || scene.ids().filter(|&id| there(id));
            for _ in 0..100 {
                let (from, to) = (scene.position(&mut rng), scene.position(&mut rng));
                let ray = Ray::new(from, to - from).unwrap().with_radius(if rng.bool() { 0.0 } else { 0.25 }).unwrap();
                let ray = if rng.bool() { ray } else { ray.hollow() };
                let hits = all().filter_map(|id| Some((id, ray_cast(ray, scene.placed(id))?)));
                let expected = hits.min_by(|(i, a), (j, b)| a.time.total_cmp(&b.time).then(i.cmp(j)));
                assert_eq!(among.ray_cast(ray), expected);

                let point = Shape::circle(0.0).unwrap();
                let at = point.at(from).unwrap();
                for within in [f64::INFINITY, 0.5, 0.0] {
                    let near =
                        all().map(|id| (id, distance(scene.placed(id), at))).filter(|(_, d)| d.distance <= within);
                    let expected = near.min_by(|(i, a), (j, b)| a.distance.total_cmp(&b.distance).then(i.cmp(j)));
                    assert_eq!(among.nearest(from, within).unwrap(), expected);
                }

                assert_eq!(
                    holding(&among, from),
                    all().filter(|&id| intersects(scene.placed(id), at)).collect::<Vec<_>>()
                );

                let other = scene.shapes[rng.usize(..6)].placed(Pose::new(to, 0.5).unwrap());
                for tested in [at, other] {
                    let mut found = Vec::new();
                    among.visit_intersecting(tested, |id| {
                        found.push(id);
                        Continue(())
                    });
                    found.sort_unstable();
                    assert_eq!(found, all().filter(|&id| intersects(scene.placed(id), tested)).collect::<Vec<_>>());
                }
            }
        }
    }
}

/// Law: a batch of queries returns the results of single queries, in the given order.
#[test]
fn batches_agree_with_single_queries() {
    let mut rng = Rng::with_seed(5);
    let scene = Scene::new(&mut rng, 300, DVec2::new(50.0, -1e4), DVec2::new(49.0, -1e4));
    let points: Vec<DVec2> = (0..1_000).map(|_| scene.position(&mut rng)).collect();
    let rays: Vec<Ray> = points.iter().map(|&from| Ray::new(from, scene.position(&mut rng) - from).unwrap()).collect();
    let packed = scene.packed();
    for (broad, is_packed) in scene.broad_phases().iter().flat_map(|broad| [(broad, false), (broad, true)]) {
        let among = QueryPipeline::new(&**broad, scene.frame, |id| (id % 5 > 0).then(|| scene.placed(id)));
        let among = if is_packed { among.with_outlines(&packed) } else { among };
        let mut hits = Vec::new();
        among.ray_cast_batch(&rays, &mut hits);
        assert_eq!(hits, rays.iter().map(|&ray| among.ray_cast(ray)).collect::<Vec<_>>());
        let mut near = Vec::new();
        among.nearest_batch(&points, 1.0, &mut near).unwrap();
        assert_eq!(near, points.iter().map(|&p| among.nearest(p, 1.0).unwrap()).collect::<Vec<_>>());
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        among.visit_containing_points(&points, |number, id| together.push((number, id))).unwrap();
        for (number, &point) in (0..).zip(&points) {
            among
                .visit_containing_point(point, |id| {
                    alone.push((number, id));
                    Continue(())
                })
                .unwrap();
        }
        together.sort_unstable();
        alone.sort_unstable();
        assert!(alone.len() > 100);
        assert_eq!(together, alone);
        assert!(among.visit_containing_points(&[DVec2::NAN], |_, _| panic!("nothing is visited")).is_err());
    }
}

#[test]
fn visits_end_on_break_and_bad_points_are_refused() {
    let mut rng = Rng::with_seed(8);
    let scene = Scene::new(&mut rng, 100, DVec2::ZERO, DVec2::ZERO);
    let hall = Shape::rectangle(100.0, 100.0).unwrap();
    for broad in scene.broad_phases() {
        let among = QueryPipeline::new(&*broad, scene.frame, |id| Some(scene.placed(id)));
        let mut count = 0;
        among.visit_intersecting(hall.at([0.0, 0.0]).unwrap(), |_| {
            count += 1;
            if count == 5 { Break(()) } else { Continue(()) }
        });
        assert_eq!(count, 5);
        assert!(among.visit_containing_point([f64::NAN, 0.0], |_| Continue(())).is_err());
        assert!(among.nearest([0.0, f64::INFINITY], 1.0).is_err());
        assert_eq!(among.nearest([0.0, 1e30], 1.0).unwrap(), None);
    }
}

/// Law: packed shapes find the results of a loop over all shapes. Holds for any number of shapes,
/// at one position, on a line, with extreme sizes. Holds after a shape is set or removed.
#[test]
fn packed_shapes_find_all_shapes() {
    let mut rng = Rng::with_seed(21);
    let [dwarf, square, giant] = [1e-3, 0.5, 300.0].map(|size| Shape::rectangle(size, size).unwrap());
    let octagon = Shape::polygon(&[
        [3.0, 1.0],
        [1.0, 3.0],
        [-1.0, 3.0],
        [-3.0, 1.0],
        [-3.0, -1.0],
        [-1.0, -3.0],
        [1.0, -3.0],
        [3.0, -1.0],
    ])
    .unwrap();
    // Leaves of octagons alone too, which have most that is kept.
    let kind = |i: u32| match i {
        _ if i % 50 == 49 => &giant,
        _ if i % 3 == 1 => &dwarf,
        200.. => &octagon,
        _ => &square,
    };
    for (count, home) in
        [0, 1, 8, 9, 64, 65, 70, 600].into_iter().flat_map(|count| [(count, 0.0), (count, 1e7), (count, -1e29)])
    {
        for spread in [0.0, 1e-9, 10.0, 1e4] {
            println!("{count} shapes about {home}, spread {spread}");
            let frame = LocalOrigin::new([home, home * 0.75]);
            let placed: Vec<Placed<'_>> =
                (0..count).map(|i| kind(i).at(position(home, spread, &mut rng)).unwrap()).collect();
            let mut broad = BruteForce::new();
            (0..)
                .zip(&placed)
                .for_each(|(id, one)| broad.insert(id, frame.to_local(&one.aabb()), Filter::default(), false));
            let mut outlines = QuantizedShapes::packed(frame, (0..).zip(placed.iter().copied()));
            for change in 0..3 {
                match (change, placed.first()) {
                    (1, Some(&first)) => outlines.set(0, first),
                    (2, _) => outlines.remove(0),
                    _ => {}
                }
                let among =
                    QueryPipeline::new(&broad, frame, |id| placed.get(id as usize).copied()).with_outlines(&outlines);
                for _ in 0..10 {
                    let (from, to) = (
                        position(home, spread, &mut rng),
                        position(home, spread, &mut rng) + DVec2::new(rng.f64(), rng.f64()),
                    );
                    agrees(&among, &placed, from, to);
                }
            }
        }
    }
}

/// A place in a square or in a line, or one of a few spots.
fn position(home: f64, spread: f64, rng: &mut Rng) -> DVec2 {
    let along = if rng.bool() { rng.f64() } else { f64::from(rng.u32(..4)) };
    DVec2::new(home + spread * along, home * 0.75 + if rng.bool() { spread * rng.f64() } else { 0.0 })
}

/// Shapes that contain a point, in the order of ids.
fn holding<'s, B: BroadPhase + ?Sized, F: Fn(u32) -> Option<Placed<'s>>>(
    among: &QueryPipeline<'_, B, F>,
    point: DVec2,
) -> Vec<u32> {
    let mut holding = Vec::new();
    among
        .visit_containing_point(point, |id| {
            holding.push(id);
            Continue(())
        })
        .unwrap();
    holding.sort_unstable();
    holding
}

/// The results are those of a loop over all shapes.
fn agrees<'s, F: Fn(u32) -> Option<Placed<'s>>>(
    among: &QueryPipeline<'_, BruteForce, F>,
    placed: &[Placed<'_>],
    from: DVec2,
    to: DVec2,
) {
    let all = || (0..).zip(placed.iter().copied());
    let (point, ray) = (Shape::circle(0.0).unwrap(), Ray::new(from, to - from).unwrap());
    let at = point.at(from).unwrap();
    let near = all().map(|(id, one)| (id, distance(one, at)));
    let nearest = near.min_by(|(i, a), (j, b)| a.distance.total_cmp(&b.distance).then(i.cmp(j)));
    assert_eq!(among.nearest(from, f64::INFINITY).unwrap(), nearest);
    let hits = all().filter_map(|(id, one)| Some((id, ray_cast(ray, one)?)));
    assert_eq!(among.ray_cast(ray), hits.min_by(|(i, a), (j, b)| a.time.total_cmp(&b.time).then(i.cmp(j))));
    assert_eq!(
        holding(among, from),
        all().filter(|&(_, one)| intersects(one, at)).map(|(id, _)| id).collect::<Vec<_>>()
    );
}
