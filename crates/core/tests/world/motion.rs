//! No moving collider passes an obstacle, and impacts are ordered by time (P21).

use carom::{Collider, DVec2, Handle, Pose, Shape, World, intersects, overlaps, time_of_impact};

use crate::support::run::from_environment;

fn dice(rng: &mut fastrand::Rng, range: f64) -> DVec2 {
    (DVec2::new(rng.f64(), rng.f64()) * 2.0 - 1.0) * range
}

/// One in motion among many at rest stops where a shape cast says, and notices the sensors before that.
#[test]
fn a_single_mover_stops_at_its_first_impact() {
    let mut rng = fastrand::Rng::with_seed(0x51_0e);
    let (mut stopped, mut noticed, mut tried) = (0, 0, 0);
    for round in 0..300 {
        let mut world = World::new();
        for _ in 0..30 {
            let shape = [Shape::circle(0.4).unwrap(), Shape::rectangle(0.01, 2.0).unwrap()][rng.usize(0..2)].clone();
            let pose = Pose::new(dice(&mut rng, 8.0), rng.f64() * 3.0).unwrap();
            world.insert(Collider::new(shape).pose(pose).sensor(rng.u8(0..3) == 0).fixed(rng.bool()));
        }
        let shape = Shape::rectangle(0.3, 0.2).unwrap();
        let mover = world.insert(Collider::new(shape.clone()).at(dice(&mut rng, 8.0)).unwrap());
        let (displacement, turning) = (dice(&mut rng, 1e3), (rng.f64() - 0.5) * 8.0);
        let start = world.pose(mover).unwrap();
        let sweep = shape.placed(start).sweep(displacement).unwrap().with_rotation(turning).unwrap();
        let mut hits: Vec<(f64, Handle, bool)> = Vec::new();
        let mut is_free = true;
        for (handle, collider) in world.colliders().filter(|(handle, _)| *handle != mover) {
            if let Some(impact) = time_of_impact(collider.placed(), sweep) {
                is_free &= impact.initial_depth.is_none() || collider.sensor;
                hits.extend(impact.initial_depth.is_none().then_some((impact.time, handle, collider.sensor)));
            }
        }
        // `motion_overlap` tests the other starts.
        if !is_free {
            continue;
        }
        tried += 1;
        hits.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        let stop = hits.iter().position(|(_, _, sensor)| !sensor);
        hits.truncate(stop.map_or(hits.len(), |stop| stop + 1));
        world.set_motion(mover, displacement, turning).unwrap();
        world.update();
        let found: Vec<_> = world.motion_hits().map(|c| (c.hit.time, c.other, c.sensor)).collect();
        assert_eq!(found, hits, "round {round}");
        assert!(world.motion_hits().all(|c| c.mover == mover));
        let end = sweep.at(stop.map_or(1.0, |stop| hits[stop].0)).pose();
        assert_eq!(world.pose(mover), Some(end), "round {round}");
        (stopped, noticed) =
            (stopped + usize::from(stop.is_some()), noticed + hits.len() - usize::from(stop.is_some()));
    }
    assert!(stopped > 50 && noticed > 50 && tried > 200, "{stopped} {noticed} {tried}");
}

/// Many in motion: none ends in another, and restarting after every stop gives the same impacts.
#[test]
fn many_movers_stop_each_other_in_the_order_of_time() {
    let mut rng = fastrand::Rng::with_seed(0x9e37);
    let ball = Shape::circle(0.25).unwrap();
    let mut total = 0;
    for round in 0..60 {
        let mut world = World::new();
        let mut motions = Vec::new();
        for i in 0..20 {
            let handle =
                world.insert(Collider::new(ball.clone()).at([f64::from(i % 5) * 2.0, f64::from(i / 5) * 2.0]).unwrap());
            let displacement = if i % 3 == 0 { DVec2::ZERO } else { dice(&mut rng, 20.0) };
            motions.push((handle, displacement));
            world.set_motion(handle, displacement, 0.0).unwrap();
        }
        let expected = by_restarts(&ball, &world, &motions);
        world.update();
        let found: Vec<_> =
            world.motion_hits().map(|c| (c.mover.min(c.other), c.mover.max(c.other), c.hit.time)).collect();
        assert_eq!(found.len(), expected.len(), "round {round}: {found:?} {expected:?}");
        for (p, q) in found.iter().zip(&expected) {
            assert!((p.0, p.1) == (q.0, q.1) && (p.2 - q.2).abs() < 1e-5, "round {round}: {p:?} {q:?}");
        }
        assert!(found.is_sorted_by(|p, q| p.2 <= q.2));
        for (i, (a, _)) in motions.iter().enumerate() {
            for (b, _) in &motions[i + 1..] {
                assert!(!overlaps(world.placed(*a).unwrap(), world.placed(*b).unwrap()), "round {round}");
            }
        }
        total += found.len();
    }
    assert!(total > 100, "{total}");
}

/// The earliest impact of all pairs; both stop; all pairs again for the rest of the time.
fn by_restarts(ball: &Shape, world: &World, motions: &[(Handle, DVec2)]) -> Vec<(Handle, Handle, f64)> {
    let starts: Vec<DVec2> = motions.iter().map(|(handle, _)| world.pose(*handle).unwrap().translation()).collect();
    let mut stops = vec![1.0; motions.len()];
    let (mut now, mut found) = (0.0, Vec::<(Handle, Handle, f64)>::new());
    loop {
        let sweep = |i: usize| {
            let (position, displacement) = (
                starts[i] + motions[i].1 * f64::min(now, stops[i]),
                if stops[i] > now { motions[i].1 * (1.0 - now) } else { DVec2::ZERO },
            );
            ball.at(position).unwrap().sweep(displacement).unwrap()
        };
        let mut first: Option<(f64, usize, usize)> = None;
        for i in 0..motions.len() {
            for j in i + 1..motions.len() {
                let is_known = found.iter().any(|&(a, b, _)| (a, b) == (motions[i].0, motions[j].0));
                if let Some(impact) = time_of_impact(sweep(i), sweep(j)).filter(|_| !is_known) {
                    let time = now + impact.time * (1.0 - now);
                    if first.is_none_or(|first| time < first.0) {
                        first = Some((time, i, j));
                    }
                }
            }
        }
        let Some((time, i, j)) = first else { return found };
        found.push((motions[i].0, motions[j].0, time));
        for k in [i, j] {
            stops[k] = f64::min(stops[k], time);
        }
        now = time;
    }
}

#[test]
fn bullets_never_pass_a_thin_wall() {
    let mut rng = fastrand::Rng::with_seed(77);
    let shots = from_environment("CAROM_SHOTS").unwrap_or(2000);
    let (bullet, wall) = (Shape::circle(0.05).unwrap(), Shape::rectangle(1e-3, 50.0).unwrap());
    for _ in 0..shots {
        let mut world = World::new();
        let wall = world.insert(
            Collider::new(wall.clone()).pose(Pose::new([0.0, 0.0], (rng.f64() - 0.5) * 1.5).unwrap()).fixed(true),
        );
        let from = DVec2::new(-30.0 - rng.f64(), (rng.f64() - 0.5) * 20.0);
        let shot = world.insert(Collider::new(bullet.clone()).at(from).unwrap());
        world.set_motion(shot, (dice(&mut rng, 2.0) - from) * 1e5, 0.0).unwrap();
        world.update();
        let [hit] = world.motion_hits().collect::<Vec<_>>()[..] else { panic!("missed from {from}") };
        assert_eq!((hit.mover, hit.other), (shot, wall));
        // The point of impact lies where they touch, within the tolerance: 1e-7 of the wall's length.
        let near = Shape::circle(1e-5).unwrap();
        let point = near.at(hit.hit.point).unwrap();
        assert!(intersects(world.placed(wall).unwrap(), point) && intersects(world.placed(shot).unwrap(), point));
    }
}

#[test]
fn a_motion_ends_with_the_update_or_a_pose() {
    let mut world = World::new();
    let ball = world.insert(Collider::new(Shape::circle(1.0).unwrap()));
    world.set_motion(ball, [1.0, 0.0], 0.0).unwrap();
    world.set_motion(ball, [5.0, 0.0], 0.0).unwrap();
    let saved = world.to_bytes();
    world.update();
    world.update();
    assert_eq!(world.pose(ball).unwrap().translation(), DVec2::new(5.0, 0.0));
    world.restore(&saved).unwrap();
    assert_eq!(world.to_bytes(), saved);
    world.set_pose(ball, Pose::IDENTITY).unwrap();
    world.update();
    assert_eq!(world.pose(ball), Some(Pose::IDENTITY));
    assert!(
        world.set_motion(ball, [f64::NAN, 0.0], 0.0).is_err()
            && world.set_motion(ball, [1e30, 0.0], f64::INFINITY).is_err()
    );
    assert!(world.set_motion(Handle::NONE, [0.0, 0.0], 0.0).is_err());
}
