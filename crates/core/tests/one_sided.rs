//! A shape that overlaps a one-sided chain is pushed to its front.

use carom::query::{Feature, collide_within};
use carom::{DVec2, Manifold, Pose, Shape, collide, distance, manifolds};

/// The MTV of a pair of parts ends their overlap; that of a one-sided chain leads to the front (P18 builds on it).
#[test]
fn one_sided_chains_push_to_the_front() {
    let floor = Shape::chain(&[[5.0, 0.0], [0.0, 0.0], [-5.0, 0.0]]).unwrap();
    let one_sided = floor.clone().one_sided().unwrap();
    let block = Shape::rectangle(1.0, 1.0).unwrap();
    for height in [0.45, 0.25, 0.0, -0.25, -0.45] {
        let b = block.at([2.0, height]).unwrap();
        let (either, front) = (
            collide(floor.at([0.0, 0.0]).unwrap(), b).unwrap(),
            collide(one_sided.at([0.0, 0.0]).unwrap(), b).unwrap(),
        );
        assert_eq!(front.normal, DVec2::Y);
        assert_eq!(front.depth, 0.5 - height);
        assert_eq!(either.normal, if height >= 0.0 { DVec2::Y } else { DVec2::NEG_Y });
        assert_eq!(collide(b, one_sided.at([0.0, 0.0]).unwrap()).unwrap().normal, DVec2::NEG_Y);
    }
    // Behind it, but apart: not pushed.
    assert!(collide(one_sided.at([0.0, 0.0]).unwrap(), block.at([2.0, -0.75]).unwrap()).is_none());
}

/// The distance to a front may be longer than the overlap of two boxes. So no box proves that a
/// part is not the deepest. `collide` must agree with the list of all manifolds.
#[test]
fn the_deepest_part_of_a_one_sided_chain_is_the_deepest_of_all() {
    let mut dice = fastrand::Rng::with_seed(11);
    let mut pushed_farthest = 0;
    for index in 0..400 {
        let mut point = |range: f64| DVec2::new(dice.f64() - 0.5, dice.f64() - 0.5) * range;
        let points: Vec<DVec2> = (0..6).map(|_| point(4.0)).collect();
        let (position, other) = (point(3.0), point(3.0));
        let chain = Shape::chain(&points).unwrap().one_sided().unwrap();
        let chain = match index % 3 {
            0 => chain,
            1 => chain.rounded(0.125).unwrap(),
            _ => Shape::compound([
                (chain, Pose::new(other, 1.0).unwrap()),
                (Shape::circle(0.25).unwrap(), Pose::IDENTITY),
            ])
            .unwrap(),
        };
        let block = Shape::rectangle(1.0, 2.0).unwrap();
        let (a, b) = (chain.at(position).unwrap(), block.placed(Pose::new([0.0, 0.0], f64::from(index)).unwrap()));
        for (a, b) in [(a, b), (b, a)] {
            let mut all = Vec::new();
            manifolds(a, b, &mut all);
            let deepest = all.iter().copied().reduce(|best, next| if next.depth > best.depth { next } else { best });
            assert_eq!(collide(a, b), deepest, "{index}");
            let depth = |m: Option<Manifold>| m.map(|m| m.depth).filter(|&depth| depth >= 0.0);
            assert_eq!(depth(collide_within(a, b, 0.5)), depth(deepest), "{index}");
            pushed_farthest += usize::from(deepest.is_some_and(|m| m.depth > 1.5));
        }
    }
    assert!(pushed_farthest > 20, "{pushed_farthest}");
}

/// Law: the depth is the distance to the front until both only touch. Each point of the contact is
/// on both surfaces, at its depth. Links end: a vertex beyond an end leaves through that end, not
/// through the line of the link, as in an earlier version.
#[test]
fn a_shape_pushed_to_the_front_touches_it() {
    let seed = 5;
    let mut dice = fastrand::Rng::with_seed(seed);
    let (mut pushed, mut before_an_end) = (0, 0);
    for round in 0..3000 {
        let mut point = |range: f64| DVec2::new(dice.f64() - 0.5, dice.f64() - 0.5) * range;
        let (points, position, other_position) = ([point(2.0), point(2.0)], point(1.0), point(2.0));
        let round_of = |i: usize| [0.0, 0.0625, 0.25][i % 3];
        let either = Shape::chain(&points).unwrap().rounded(round_of(round)).unwrap();
        let link = either.clone().one_sided().unwrap();
        let (tip, width) = (point(1.5), 0.2 + dice.f64());
        let count = 3 + round % 20;
        let corner =
            |i: usize| DVec2::from_angle(std::f64::consts::TAU * i as f64 / count as f64) * DVec2::new(0.75, width);
        let other = match round % 4 {
            0 => Shape::circle(0.1 + dice.f64()).unwrap(),
            1 => Shape::rectangle(0.2 + dice.f64(), 0.2 + dice.f64()).unwrap(),
            2 => Shape::capsule([0.0, 0.0], tip, 0.125).unwrap(),
            _ => Shape::polygon(&(0..count).map(corner).collect::<Vec<_>>()).unwrap(),
        };
        let other = other.rounded(round_of(round / 3)).unwrap();
        let turn = |upright: bool, angle: f64| if upright { 0.0 } else { angle };
        let p = Pose::new(position, turn(dice.bool(), 6.0 * dice.f64())).unwrap();
        let q = Pose::new(other_position, turn(dice.bool(), 6.0 * dice.f64())).unwrap();
        for flip in [false, true] {
            let (a, b) = if flip { (other.placed(q), link.placed(p)) } else { (link.placed(p), other.placed(q)) };
            let Some(hit) = collide(a, b) else { continue };
            let outward = if flip { -hit.normal } else { hit.normal };
            let what = format!("seed {seed}, round {round}, flip {flip}");
            let usual = collide(either.placed(p), other.placed(q)).unwrap();
            pushed += usize::from((usual.normal - outward).length() > 1e-9);

            let moved =
                other.placed(Pose::from_cos_sin(q.translation() + outward * hit.depth, q.cos(), q.sin()).unwrap());
            let left = collide(either.placed(p), moved)
                .map_or(0.0, |hit| hit.depth)
                .max(distance(either.placed(p), moved).distance);
            assert!(left < 1e-9, "{what}: {left}");
            for point in hit.points() {
                let off = (point.on_a - hit.normal * point.depth - point.on_b).length();
                assert!(off < 1e-9 && (-1e-12..hit.depth + 1e-12).contains(&point.depth), "{what}: {off}");
                let id = if flip { point.id.b } else { point.id.a };
                before_an_end += usize::from(
                    outward.dot(p.rotate_vector(points[1] - points[0])).abs() < 1e-9
                        && matches!(id, Feature::Vertex(_)),
                );
            }
            assert!(hit.points().iter().any(|point| point.depth == hit.depth), "{what}");
            for point in hit.points() {
                let heights = [a.signed_distance(point.on_a).unwrap(), b.signed_distance(point.on_b).unwrap()];
                assert!(heights.iter().all(|height| height.abs() < 1e-9), "{what}: {heights:?}");
            }
        }
    }
    assert!(pushed > 1000 && before_an_end > 300, "{pushed} {before_an_end}");
}

/// Checks the contacts of a rounded one-sided chain with the parts of a concave polygon. Each point
/// lies on the surfaces of both parts, and its depth is right.
#[test]
fn contacts_of_a_rounded_one_sided_chain_with_a_concave_polygon_lie_on_both() {
    let mut dice = fastrand::Rng::with_seed(17);
    let (mut singles, mut seconds) = (0, 0);
    for round in 0..3000 {
        let mut point = |range: f64| DVec2::new(dice.f64() - 0.5, dice.f64() - 0.5) * range;
        let points: Vec<DVec2> = (0..3).map(|_| point(4.0)).collect();
        let (position, other_position) = (point(1.0), point(2.0));
        let radii: Vec<f64> = (0..5 + round % 6).map(|_| 0.3 + dice.f64()).collect();
        let corner = |(i, range): (usize, &f64)| {
            DVec2::from_angle(std::f64::consts::TAU * i as f64 / radii.len() as f64) * *range
        };
        let star: Vec<DVec2> = radii.iter().enumerate().map(corner).collect();
        let chain = Shape::chain(&points).unwrap().one_sided().unwrap().rounded([0.0625, 0.25][round % 2]).unwrap();
        let star = Shape::polygon(&star).unwrap().rounded([0.0, 0.125][round / 2 % 2]).unwrap();
        let (p, q) =
            (Pose::new(position, 6.0 * dice.f64()).unwrap(), Pose::new(other_position, 6.0 * dice.f64()).unwrap());
        let mut all = Vec::new();
        manifolds(chain.placed(p), star.placed(q), &mut all);
        for hit in &all {
            let (link, part) =
                (chain.parts().nth(hit.part_a as usize).unwrap().0, star.parts().nth(hit.part_b as usize).unwrap().0);
            let (link, part) = (link.placed(p), part.placed(q));
            for point in hit.points() {
                let off = (point.on_a - hit.normal * point.depth - point.on_b).length();
                let heights = [link.signed_distance(point.on_a).unwrap(), part.signed_distance(point.on_b).unwrap()];
                assert!(
                    off < 1e-9 && heights.iter().all(|height| height.abs() < 1e-9),
                    "round {round}: {off}, {heights:?}, {hit:?}"
                );
            }
            let is_two = hit.points().len() == 2;
            (singles, seconds) = (singles + usize::from(!is_two), seconds + usize::from(is_two));
        }
    }
    assert!(singles > 500 && seconds > 500, "{singles} {seconds}");
}
