//! Composite shapes are the union of their parts. Compares every query with a loop over all part
//! pairs.

use carom::query::{Feature, collide_within};
use carom::{
    DVec2, ErrorKind, Manifold, Placed, Pose, Shape, collide, distance, explain_sat, intersects, manifolds, overlaps,
};

/// A composite of random kind and size, some with dozens of parts.
fn random_composite(rng: &mut fastrand::Rng) -> Shape {
    let coordinate = |rng: &mut fastrand::Rng| f64::from(rng.i32(-8..=8)) / 2.0;
    let point = |rng: &mut fastrand::Rng| [coordinate(rng), coordinate(rng)];
    let count = if rng.bool() { rng.usize(2..5) } else { rng.usize(5..40) };
    match rng.u8(0..3) {
        0 => Shape::chain(&(0..=count).map(|i| [i as f64 / 4.0, coordinate(rng)]).collect::<Vec<_>>()).unwrap(),
        1 => {
            let points: Vec<_> = (0..=count).map(|_| point(rng)).chain([[9.0, 9.0]]).collect();
            Shape::closed_chain(&points).unwrap().rounded(f64::from(rng.u8(0..3)) / 8.0).unwrap()
        }
        _ => {
            let children = (0..count).map(|_| {
                let child = match rng.u8(0..3) {
                    0 => Shape::circle(0.25).unwrap(),
                    1 => Shape::rectangle(0.5, 1.0).unwrap(),
                    _ => Shape::chain(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]).unwrap(),
                };
                (child, Pose::from_degrees(point(rng), f64::from(rng.u16(0..4)) * 90.0).unwrap())
            });
            Shape::compound(children.collect::<Vec<_>>()).unwrap()
        }
    }
}

fn random_shape(rng: &mut fastrand::Rng) -> Shape {
    match rng.u8(0..4) {
        0 => Shape::circle(f64::from(rng.u8(0..5)) / 4.0).unwrap(),
        1 => Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [1.0, 1.5]]).unwrap(),
        _ => random_composite(rng),
    }
}

/// Quarter turns and grid positions: touching pairs are common.
fn random_pose(rng: &mut fastrand::Rng) -> Pose {
    let at = [f64::from(rng.i32(-12..=12)) / 2.0, f64::from(rng.i32(-12..=12)) / 2.0];
    let degrees = if rng.u8(0..4) > 0 { f64::from(rng.u8(0..4)) * 90.0 } else { rng.f64() * 360.0 };
    Pose::from_degrees(at, degrees).unwrap()
}

/// The parts of a placed shape as shapes with poses in the world. Parts in the shape's own frame
/// have its pose. Children of a compound have a composed pose, which is rounded. The oracle must
/// start from the same numbers.
fn parts(placed: Placed<'_>) -> Vec<(Shape, Pose)> {
    let whole = Shape::compound([(placed.shape().clone(), placed.pose())]).unwrap();
    whole.parts().collect()
}

#[test]
fn every_query_is_that_of_all_pairs_of_parts() {
    let mut counts = [0; 3];
    for seed in 0..2_000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (first, second) = (random_composite(&mut rng), random_shape(&mut rng));
        let a = first.placed(random_pose(&mut rng));
        let (point, corner) = (Shape::circle(0.0).unwrap(), a.points().nth(rng.usize(0..2)).unwrap());
        let b = if rng.u8(0..4) > 0 { second.placed(random_pose(&mut rng)) } else { point.at(corner).unwrap() };
        let (of_a, of_b) = (parts(a), parts(b));
        let pairs: Vec<([u32; 2], Placed<'_>, Placed<'_>)> = (0..)
            .zip(&of_a)
            .flat_map(|(i, (p, at))| (0..).zip(&of_b).map(move |(j, (q, to))| ([i, j], p.placed(*at), q.placed(*to))))
            .collect();
        let meet = pairs.iter().any(|(_, p, q)| intersects(*p, *q));
        let overlap = pairs.iter().any(|(_, p, q)| overlaps(*p, *q));
        counts[usize::from(meet) + usize::from(overlap)] += 1;
        for (a, b) in [(a, b), (b, a)] {
            assert_eq!((intersects(a, b), overlaps(a, b)), (meet, overlap), "seed {seed}");
        }

        let nearest = pairs.iter().map(|(_, p, q)| distance(*p, *q).distance).fold(f64::INFINITY, f64::min);
        let found = distance(a, b);
        assert_eq!(found.distance, nearest, "seed {seed}");
        assert_eq!(found.distance == 0.0, meet, "seed {seed}");

        let all: Vec<([u32; 2], Manifold)> =
            pairs.iter().filter_map(|(ids, p, q)| Some((*ids, collide(*p, *q)?))).collect();
        let deepest = all.iter().map(|(_, m)| m.depth).fold(f64::NEG_INFINITY, f64::max);
        let hit = collide(a, b);
        assert_eq!(hit.is_some(), meet, "seed {seed}");
        assert_eq!(explain_sat(a, b).intersects(), meet, "seed {seed}");
        if let Some(hit) = hit {
            let first = all.iter().find(|(_, m)| m.depth == deepest).unwrap();
            assert_eq!(
                (hit.depth, [hit.part_a, hit.part_b], hit.normal),
                (deepest, first.0, first.1.normal),
                "seed {seed}"
            );
            assert_eq!(explain_sat(a, b).depth(), Some(deepest), "seed {seed}");
        } else {
            let near = collide_within(a, b, nearest * 1.001).unwrap();
            assert_eq!((near.depth, explain_sat(a, b).distance()), (-nearest, nearest), "seed {seed}");
        }

        let mut listed = Vec::new();
        manifolds(a, b, &mut listed);
        let listed: Vec<_> = listed.iter().map(|m| ([m.part_a, m.part_b], m.normal, m.depth)).collect();
        assert_eq!(listed, all.iter().map(|(ids, m)| (*ids, m.normal, m.depth)).collect::<Vec<_>>(), "seed {seed}");
    }
    assert!(counts.iter().all(|&n| n > 50), "apart, touching, overlapping: {counts:?}");
}

/// A point shared by two links is one point at any position of the chain: `Placed` places each
/// vertex once, so parts that share vertices have no gap.
#[test]
fn chains_are_shut_at_their_points() {
    let points: Vec<DVec2> = (0..50).map(|i| DVec2::new(f64::from(i), f64::from(i * i % 7))).collect();
    let chain = Shape::chain(&points).unwrap();
    let point = Shape::circle(0.0).unwrap();
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..200 {
        let pose = Pose::new([rng.f64() * 1e6, rng.f64() * 1e6], rng.f64() * 7.0).unwrap();
        for &p in &points {
            assert!(intersects(chain.placed(pose), point.at(pose.transform_point(p)).unwrap()));
        }
    }
}

#[test]
fn features_carry_the_numbers_of_the_input() {
    let chain = Shape::chain(&[[0.0, 0.0], [0.0, 0.0], [4.0, 0.0], [8.0, 0.0]]).unwrap();
    let ball = Shape::circle(1.0).unwrap();
    let at = |x: f64| collide(chain.at([0.0, 0.0]).unwrap(), ball.at([x, 0.5]).unwrap()).unwrap();
    assert_eq!((at(2.0).part_a, at(2.0).points()[0].id.a), (0, Feature::Edge(1)));
    assert_eq!((at(6.0).part_a, at(6.0).points()[0].id.a), (1, Feature::Edge(2)));
    assert_eq!(at(8.75).points()[0].id.a, Feature::Vertex(3));
}

#[test]
fn scaled_compounds_keep_every_point() {
    let arm = Shape::polygon(&[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]]).unwrap();
    let children = |degrees: f64| [(arm.clone(), Pose::from_degrees([2.0, 1.0], degrees).unwrap())];
    for (degrees, factor) in [
        (0.0, [2.0, -3.0]),
        (90.0, [2.0, 3.0]),
        (90.0, [-2.0, 3.0]),
        (270.0, [-2.0, -3.0]),
        (30.0, [-2.0, 2.0]),
        (30.0, [-2.0, -2.0]),
    ] {
        let whole = Shape::compound(children(degrees)).unwrap();
        let scaled = whole.scaled(factor[0], factor[1]).unwrap();
        let points = |shape: &Shape| shape.placed(Pose::IDENTITY).points().collect::<Vec<_>>();
        for (p, q) in points(&whole).iter().zip(points(&scaled)) {
            assert!((*p * DVec2::from(factor) - q).length() < 1e-14, "{degrees} {factor:?}: {p} became {q}");
        }
    }
    let error = Shape::compound(children(30.0)).unwrap().scaled(1.0, 2.0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnequalScale);
}

#[test]
fn refusals() {
    let none: [[f64; 2]; 0] = [];
    assert_eq!(Shape::chain(&none).unwrap_err().kind(), ErrorKind::TooFewPoints);
    assert_eq!(Shape::chain(&[[1.0, 1.0]]).unwrap_err().to_string(), "a chain needs at least 2 points, not 1");
    assert_eq!(Shape::closed_chain(&[[1.0, 1.0], [2.0, 1.0]]).unwrap_err().kind(), ErrorKind::TooFewPoints);
    assert_eq!(Shape::chain(&[[1.0, 1.0]; 4]).unwrap_err().kind(), ErrorKind::ZeroSize);
    let error = Shape::chain(&[[1.0, 1.0], [f64::NAN, 0.0]]).unwrap_err();
    assert_eq!((error.kind(), error.vertex()), (ErrorKind::NotFinite, Some(1)));
    assert_eq!(Shape::compound([]).unwrap_err().kind(), ErrorKind::Empty);
    assert_eq!(Shape::circle(1.0).unwrap().one_sided().unwrap_err().kind(), ErrorKind::NotAChain);
    let far = Pose::from_translation([1e30, 0.0]).unwrap();
    let inner = Shape::compound([(Shape::circle(1.0).unwrap(), far)]).unwrap();
    assert_eq!(Shape::compound([(inner, far)]).unwrap_err().kind(), ErrorKind::OutOfRange);
}
