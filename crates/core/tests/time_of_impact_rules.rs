//! Time of impact, rule by rule: contacts at the start, bullets, needles, many parts, and motions
//! at the limits (P5, P6, P21, P22).

use carom::query::Impact;
use carom::{DVec2, ErrorKind, Placed, Pose, Shape, Sweep, collide, intersects, overlaps, time_of_impact};

use crate::support;
use crate::support::dice::Dice;
use crate::support::random_pairs::{self, Range};
use crate::support::recipe::Pair;
use crate::support::run::pairs;
use crate::support::sweeps::{self, Motions};

fn square() -> Shape {
    Shape::rectangle(1.0, 1.0).unwrap()
}

#[test]
fn without_motion_it_is_overlaps() {
    let mut counts = [0; 3];
    for index in 0..pairs(5_000) {
        let mut dice = Dice::new(1, index);
        let pair = if index % 2 == 0 {
            random_pairs::any(&mut dice, Range { sizes: (1e-3, 1e3), offset: 1e6 })
        } else {
            (support::adversarial::family(index).1)(&mut dice)
        };
        let (a, b) = (pair.a.placed(), pair.b.placed());
        let found = time_of_impact(a, b);
        assert_eq!(found.is_some(), overlaps(a, b), "{pair}");
        assert_eq!(found.and_then(|i| i.initial_depth), collide(a, b).map(|m| m.depth).filter(|&d| d > 0.0), "{pair}");
        counts[usize::from(intersects(a, b)) + usize::from(overlaps(a, b))] += 1;
    }
    assert!(counts.iter().all(|&n| n > 100), "apart, touching, overlapping: {counts:?}");
}

/// P6: a shape that touches is free to move in any direction that leads to no overlap.
#[test]
fn touching_counts_only_if_the_motion_continues_into_the_shape() {
    let floor = Shape::rectangle(100.0, 1.0).unwrap();
    let chain = Shape::chain(&[[-50.0, 0.5], [50.0, 0.5]]).unwrap();
    let movers = [
        square(),
        Shape::circle(0.5).unwrap(),
        Shape::capsule([-0.25, -0.25], [0.25, -0.25], 0.25).unwrap(),
        Shape::segment([0.0, -0.5], [1.0, 0.5]).unwrap(),
    ];
    for mover in &movers {
        for floor in [&floor, &chain] {
            let (a, b) = (mover.at([0.0, 1.0]).unwrap(), floor.at([0.0, 0.0]).unwrap());
            assert!(intersects(a, b) && !overlaps(a, b));
            for (displacement, meets) in [
                ([1.0, 0.0], false),
                ([-3.0, 0.0], false),
                ([0.0, 2.0], false),
                ([1.0, 1e-3], false),
                ([0.0, -1.0], true),
                ([5.0, -1e-3], true),
            ] {
                let (moved, swapped) = (
                    time_of_impact(a.sweep(displacement).unwrap(), b),
                    time_of_impact(b, a.sweep(displacement).unwrap()),
                );
                for found in [moved, swapped] {
                    assert_eq!(
                        found.map(|i| (i.time, i.initial_depth)),
                        meets.then_some((0.0, None)),
                        "{mover:?} {displacement:?}"
                    );
                }
                if let (Some(p), Some(q)) = (moved, swapped) {
                    assert!((p.normal - DVec2::NEG_Y).length() < 1e-12 && (q.normal - DVec2::Y).length() < 1e-12);
                }
            }
        }
    }
    // Corner upon corner: past each other, or into each other.
    let (a, b) = (square(), square());
    let (a, b) = (a.at([0.0, 0.0]).unwrap(), b.at([1.0, 1.0]).unwrap());
    assert!(time_of_impact(a.sweep([1.0, 0.0]).unwrap(), b).is_none());
    assert!(time_of_impact(a.sweep([1.0, -1e-3]).unwrap(), b).is_none());
    assert_eq!(time_of_impact(a.sweep([1.0, 1.0]).unwrap(), b).unwrap().time, 0.0);
}

#[test]
fn a_wheel_rolls_and_a_block_that_tips_is_stopped() {
    let floor = Shape::rectangle(100.0, 1.0).unwrap();
    let wheel = Shape::circle(0.5).unwrap();
    let (rolling, ground) = (wheel.at([0.0, 1.0]).unwrap(), floor.at([0.0, 0.0]).unwrap());
    assert!(time_of_impact(rolling.sweep([6.0, 0.0]).unwrap().with_rotation(-12.0).unwrap(), ground).is_none());
    let block = square();
    let tipping = block.at([0.0, 1.0]).unwrap().sweep([0.0, 0.0]).unwrap().with_rotation(0.1).unwrap();
    assert_eq!(time_of_impact(tipping, ground).unwrap().time, 0.0);
    // Up and away, and down again on another corner: the first contact does not count, the later one does.
    let lifted = block.at([0.0, 1.0]).unwrap().sweep([0.0, 0.1]).unwrap().with_rotation(1e-3).unwrap();
    assert!(time_of_impact(lifted, ground).is_none());
}

/// A quarter turn brings the corner of a needle to where it is known to hit.
#[test]
fn a_needle_that_turns_hits_when_trigonometry_says() {
    let needle = Shape::segment([0.0, 0.0], [2.0, 0.0]).unwrap();
    let wall = Shape::segment([1.0, -5.0], [1.0, 5.0]).unwrap();
    // From straight up, clockwise: its end reaches x = 1 at an angle of 60°.
    let up = Pose::from_degrees([0.0, 0.0], 90.0).unwrap();
    let turning = needle.placed(up).sweep([0.0, 0.0]).unwrap().with_rotation(-std::f64::consts::FRAC_PI_2).unwrap();
    for hit in
        [time_of_impact(turning, wall.at([0.0, 0.0]).unwrap()), time_of_impact(wall.at([0.0, 0.0]).unwrap(), turning)]
    {
        let hit = hit.unwrap();
        assert!(hit.time <= 1.0 / 3.0 && hit.time > 1.0 / 3.0 - 1e-6, "{hit:?}");
        assert!((hit.point - DVec2::new(1.0, 3.0_f64.sqrt())).length() < 1e-6, "{hit:?}");
    }
}

/// P21: a million units per second against a wall a thousandth thick, from any side, anywhere, aimed at it.
#[test]
fn bullets_never_pass() {
    let shapes = [
        Shape::circle(0.0).unwrap(),
        Shape::circle(0.01).unwrap(),
        Shape::segment([-0.01, 0.0], [0.01, 0.003]).unwrap(),
        Shape::rectangle(0.02, 0.01).unwrap(),
        Shape::polygon(&[[-0.01, 0.0], [0.01, -0.005], [0.01, 0.005]]).unwrap().rounded(0.001).unwrap(),
    ];
    let walls = [
        Shape::rectangle(1e-3, 20.0).unwrap(),
        Shape::segment([0.0, -10.0], [0.0, 10.0]).unwrap(),
        Shape::chain(&[[0.0, -10.0], [0.0, 0.1], [0.0, 10.0]]).unwrap(),
    ];
    for index in 0..pairs(20_000) {
        let mut dice = Dice::new(21, index);
        let (bullet, wall) = (&shapes[dice.index(5)], &walls[dice.index(3)]);
        let position = Pose::new(dice.direction() * dice.magnitude(1e-3, 1e6), dice.angle()).unwrap();
        let (inward, along) = (position.rotate_vector(DVec2::X), position.rotate_vector(DVec2::Y));
        let displacement =
            (inward * if dice.chance(0.5) { 1.0 } else { -1.0 } + along * dice.between(-0.5, 0.5)).normalize() * 1e6;
        let target = position.translation() + along * dice.between(-9.0, 9.0);
        let time = dice.between(0.01, 0.99);
        let start = Pose::new(target - displacement * time, dice.angle()).unwrap();
        let turning = if dice.chance(0.3) { dice.between(-30.0, 30.0) } else { 0.0 };
        let shot = bullet.placed(start).sweep(displacement).unwrap().with_rotation(turning).unwrap();
        let hit = time_of_impact(shot, wall.placed(position)).unwrap_or_else(|| panic!("bullet {index} passed"));
        assert!((hit.time - time).abs() < 1e-7, "bullet {index}: {hit:?} at {time}");
    }
}

/// P21: needles that spin past each other; the truth by steps that cannot jump over a contact.
#[test]
fn spinning_needles_miss_nothing() {
    let mut hits = 0;
    let count = pairs(1_000);
    for index in 0..count {
        let mut dice = Dice::new(22, index);
        let (p, q) = (dice.between(0.5, 1.0), dice.between(0.5, 1.0));
        let needle = |half: f64, dice: &mut Dice| {
            let base = if dice.chance(0.5) {
                support::recipe::Base::Segment([-half, 0.0].into(), [half, 0.0].into())
            } else {
                support::recipe::Base::Rectangle(2.0 * half, 1e-3)
            };
            (base, dice.angle())
        };
        let ((base_a, angle_a), (base_b, angle_b)) = (needle(p, &mut dice), needle(q, &mut dice));
        let position = dice.direction() * dice.between(0.0, 1.2 * (p + q));
        let pair = Pair {
            a: support::recipe::Body::new(base_a, Pose::new([0.0, 0.0], angle_a).unwrap()),
            b: support::recipe::Body::new(base_b, Pose::new(position, angle_b).unwrap()),
        };
        let drift = |dice: &mut Dice| dice.in_disk(1.0);
        let motions = Motions {
            translations: [drift(&mut dice), drift(&mut dice)],
            turnings: [dice.between(-10.0, 10.0), dice.between(-10.0, 10.0)],
        };
        if overlaps(pair.a.placed(), pair.b.placed()) {
            continue;
        }
        let [a, b] = motions.sweeps(&pair);
        let found = time_of_impact(a, b);
        let tolerance = sweeps::tolerance(&pair, &motions);
        let truth = first_within(&pair, &motions, tolerance);
        match (found, truth) {
            (Some(hit), Some(_)) => {
                let gap = sweeps::gap(&pair, &motions, hit.time);
                assert!((-1e-9..=tolerance).contains(&gap), "needle {index}: gap {gap:e} at {hit:?}");
                let before = lowest(&pair, &motions, hit.time, 0.1 * tolerance);
                assert!(before >= -0.1 * tolerance, "needle {index}: overlap {before:e} before {hit:?}");
                hits += 1;
            }
            (None, None) => {}
            (Some(hit), None) => panic!("needle {index}: {hit:?} where no pair intersects"),
            // Either a graze or a miss.
            (None, Some(_)) => {
                let deepest = lowest(&pair, &motions, 1.0, tolerance);
                assert!(deepest >= -tolerance, "needle {index}: overlap {deepest:e} is missed");
            }
        }
    }
    assert!(hits > count / 4, "{hits} of {count} hit");
}

/// The first time at which the gap is within the tolerance, by steps of the gap over the greatest speed.
fn first_within(pair: &Pair, motions: &Motions, tolerance: f64) -> Option<f64> {
    let (speed, mut time) = (sweeps::speed(pair, motions), 0.0);
    while time <= 1.0 {
        let gap = sweeps::gap(pair, motions, time);
        if gap <= tolerance {
            return Some(time);
        }
        time += gap / speed;
    }
    None
}

/// Returns the smallest gap until a time, with the resolution `floor`.
fn lowest(pair: &Pair, motions: &Motions, end: f64, floor: f64) -> f64 {
    let (speed, mut time, mut lowest) = (sweeps::speed(pair, motions), 0.0, f64::INFINITY);
    while time <= end && lowest >= -floor {
        let gap = sweeps::gap(pair, motions, time);
        lowest = lowest.min(gap);
        time += (gap + floor) / speed;
    }
    lowest
}

fn random_composite(rng: &mut fastrand::Rng) -> Shape {
    let coordinate = |rng: &mut fastrand::Rng| f64::from(rng.i32(-8..=8)) / 2.0;
    let count = rng.usize(2..20);
    if rng.bool() {
        return Shape::chain(&(0..=count).map(|i| [i as f64 / 4.0, coordinate(rng)]).collect::<Vec<_>>()).unwrap();
    }
    let children = (0..count).map(|_| {
        let child = match rng.u8(0..3) {
            0 => Shape::circle(0.25).unwrap(),
            1 => square(),
            _ => Shape::chain(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]).unwrap(),
        };
        let position = [coordinate(rng), coordinate(rng)];
        (child, Pose::from_degrees(position, f64::from(rng.u16(0..8)) * 45.0).unwrap())
    });
    Shape::compound(children.collect::<Vec<_>>()).unwrap()
}

/// A composite hits the same shape as its first part. Compares with a loop over all pairs, each as
/// a compound of one, so that it rotates about the same point.
#[test]
fn composites_are_hit_at_the_first_part() {
    let (mut hits, mut inside) = (0, 0);
    for seed in 0..pairs(600) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (first, second) =
            (random_composite(&mut rng), if rng.bool() { random_composite(&mut rng) } else { square() });
        let around = |rng: &mut fastrand::Rng, range: f64| DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * range;
        let pose = |rng: &mut fastrand::Rng| Pose::new(around(rng, 30.0), rng.f64() * 6.0).unwrap();
        let (p, q) = (pose(&mut rng), pose(&mut rng));
        let displacements = [around(&mut rng, 10.0), p.translation() - q.translation() + around(&mut rng, 8.0)];
        let turnings = if rng.bool() { [0.0; 2] } else { [rng.f64() * 4.0 - 2.0, rng.f64() * 4.0 - 2.0] };
        let sweep = |placed, i: usize| moving(placed, displacements[i], turnings[i]);
        let (a, b) = (sweep(first.placed(p), 0), sweep(second.placed(q), 1));
        let found = time_of_impact(a, b);
        let alone = |shape: &Shape| shape.parts().map(|part| Shape::compound([part]).unwrap()).collect::<Vec<_>>();
        let (of_a, of_b) = (alone(&first), alone(&second));
        let mut earliest: Option<(f64, f64)> = None;
        for part in &of_a {
            for other in &of_b {
                if let Some(hit) = time_of_impact(sweep(part.placed(p), 0), sweep(other.placed(q), 1)) {
                    let key = (hit.time, -hit.initial_depth.unwrap_or(0.0));
                    earliest = Some(earliest.map_or(key, |best| if key < best { key } else { best }));
                }
            }
        }
        assert_eq!(found.is_some(), earliest.is_some(), "seed {seed}: {found:?} {earliest:?}");
        let (Some(found), Some((time, depth))) = (found, earliest) else { continue };
        assert!((found.time - time).abs() < 1e-6, "seed {seed}: {found:?} {time}");
        assert!((found.initial_depth.unwrap_or(0.0) + depth).abs() < 1e-12, "seed {seed}: {found:?} {depth}");
        let (i, j) = (found.part_a as usize, found.part_b as usize);
        let of_parts = time_of_impact(sweep(of_a[i].placed(p), 0), sweep(of_b[j].placed(q), 1)).unwrap();
        assert!(
            (of_parts.time - found.time).abs() < 1e-6 && (of_parts.normal - found.normal).length() < 1e-6,
            "seed {seed}: {found:?} {of_parts:?}"
        );
        if found.initial_depth.is_some() { inside += 1 } else { hits += 1 }
    }
    assert!(hits > 100 && inside > 20, "{hits} hits, {inside} inside at the start");
}

fn moving(placed: Placed<'_>, displacement: DVec2, turning: f64) -> Sweep<'_> {
    placed.sweep(displacement).unwrap().with_rotation(turning).unwrap()
}

#[test]
fn motions_beyond_the_range_are_refused() {
    let ball = Shape::circle(1.0).unwrap();
    let placed = ball.at([9e29, 0.0]).unwrap();
    for (displacement, kind) in [
        ([f64::NAN, 0.0], ErrorKind::NotFinite),
        ([0.0, f64::INFINITY], ErrorKind::NotFinite),
        ([1.1e30, 0.0], ErrorKind::OutOfRange),
        ([2e29, 0.0], ErrorKind::OutOfRange),
    ] {
        assert_eq!(placed.sweep(displacement).unwrap_err().kind(), kind, "{displacement:?}");
    }
    assert_eq!(
        placed.sweep([2e29, 0.0]).unwrap_err().to_string(),
        "x of the end of the motion is 1.1e30; the limit is 1e30 in magnitude: choose a larger unit"
    );
    let still = placed.sweep([0.0, 0.0]).unwrap();
    assert_eq!(still.with_rotation(f64::NAN).unwrap_err().kind(), ErrorKind::NotFinite);
    assert_eq!(
        still.with_rotation(1e5).unwrap_err().to_string(),
        "rotation is 100000.0 radians; the limit is 10000 in one motion: split the motion"
    );
}

/// P22: any valid size and motion has a result without NaN, and a distant hit is found.
#[test]
fn extremes_are_answered() {
    let sizes = [5e-324, 1e-310, 1e-200, 1e-20, 1.0, 1e20, 4e29];
    for (size, distance) in sizes.iter().flat_map(|&s| sizes.map(|d| (s, d))) {
        let shapes =
            [Shape::circle(size), Shape::segment([0.0, 0.0], [size, size]), Shape::rectangle(2.0 * size, 2.0 * size)]
                .map(Result::unwrap);
        for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
            // Numbers without digits make small steps: a thousand turns of those would take a second.
            for turning in if size < 1e-300 { [0.0, 1.0, -1.0] } else { [0.0, 1.0, -9e3] } {
                let (a, b) = (a.at([-distance, 0.0]).unwrap(), b.at([distance, 0.0]).unwrap());
                let sweep = moving(a, DVec2::new(2.0 * distance.min(4e29), 0.0), turning);
                for found in [time_of_impact(sweep, b), time_of_impact(b, sweep)] {
                    let wide = |i: Impact| {
                        i.time.is_finite()
                            && i.normal.is_finite()
                            && i.point.is_finite()
                            && i.initial_depth.is_none_or(f64::is_finite)
                    };
                    assert!(found.is_none_or(wide), "{found:?}");
                    assert!(
                        found.is_some() || turning != 0.0 || !(1e-5..1e5).contains(&(size / distance)) || size < 1e-320,
                        "{size} {distance} {a:?} {b:?}"
                    );
                }
            }
        }
    }
}

/// P5: most linear casts are decided by the swept lane of a shape, the area behind it, and the end
/// of its path. Each case runs with polygons of one, two and three blocks of vertices. The tips of
/// diamonds are at known positions.
#[test]
fn straight_motions_pass_end_early_lead_away_or_hit_a_tip() {
    // Corners on a diamond's sides would be collinear: a ring of them lies a little inside a
    // circle, with tips at ±1 on both axes.
    let ring = |n: i32| -> Vec<[f64; 2]> {
        let turn = |k: i32| f64::from(k) * std::f64::consts::TAU / f64::from(n);
        (0..n)
            .map(|k| {
                if 4 * k % n == 0 {
                    [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][(4 * k / n) as usize]
                } else {
                    [turn(k).cos(), turn(k).sin()]
                }
            })
            .collect()
    };
    for (n, m) in [(4, 4), (4, 8), (8, 8), (12, 8), (12, 12)] {
        let (a, b) = (Shape::polygon(&ring(n)).unwrap(), Shape::polygon(&ring(m)).unwrap());
        let fixed = a.at([100.0, 50.0]).unwrap();
        for (from, displacement, time) in [
            // Tip to tip, 6 apart.
            ([108.0, 50.0], [-10.0, 0.0], Some(0.6)),
            ([100.0, 42.0], [0.0, 12.0], Some(0.5)),
            // Short of it by a thousandth, and beyond it by as much.
            ([108.0, 50.0], [-5.999, 0.0], None),
            ([108.0, 50.0], [-6.001, 0.0], Some(6.0 / 6.001)),
            // Away, and by the side.
            ([108.0, 50.0], [10.0, 0.0], None),
            ([108.0, 52.001], [-20.0, 0.0], None),
            ([97.999, 40.0], [0.0, 30.0], None),
        ] {
            let moving = b.at(from).unwrap().sweep(displacement).unwrap();
            for (found, sign) in [(time_of_impact(fixed, moving), -1.0), (time_of_impact(moving, fixed), 1.0)] {
                let story = format!("{n} and {m} corners from {from:?} by {displacement:?}: {found:?}");
                assert_eq!(found.is_some(), time.is_some(), "{story}");
                let Some((impact, time)) = found.zip(time) else { continue };
                assert!(impact.time <= time && impact.time > time - 1e-7, "{story}");
                assert!(impact.normal.dot(DVec2::from(displacement)) * sign > 0.0, "{story}");
            }
        }
    }
}

/// Edges and corners are looked at eight at a time, and which is lowest is kept by its number: each
/// of them has its turn.
#[test]
fn every_vertex_and_every_edge_is_hit_at_its_position() {
    let wall = Shape::polygon(&[[10.0, -5.0], [12.0, -5.0], [13.0, 0.0], [12.0, 5.0], [10.0, 5.0]]).unwrap();
    let tip = Shape::polygon(&[[10.0, 0.0], [11.0, -1.0], [11.0, 1.0]]).unwrap();
    for n in [3, 4, 5, 8, 9, 12, 15] {
        let step = std::f64::consts::TAU / f64::from(n);
        let ring: Vec<[f64; 2]> = (0..n).map(|i| (f64::from(i) * step).sin_cos()).map(|(y, x)| [x, y]).collect();
        let ring = Shape::polygon(&ring).unwrap();
        for k in 0..n {
            // A corner in front, against a side; a side in front, against a corner.
            for (target, half, front) in [(&wall, 0.0, 1.0), (&tip, 0.5, (0.5 * step).cos())] {
                let moving = ring
                    .placed(Pose::new([0.0, 0.0], -step * (f64::from(k) + half)).unwrap())
                    .sweep([20.0, 0.0])
                    .unwrap();
                let still = target.at([0.0, 0.0]).unwrap();
                for (found, sign) in [(time_of_impact(moving, still), 1.0), (time_of_impact(still, moving), -1.0)] {
                    let (impact, time) = (found.unwrap(), (10.0 - front) / 20.0);
                    assert!(
                        impact.time <= time + 1e-15 && impact.time > time - 1e-8,
                        "{n} corners, number {k}: {impact:?}"
                    );
                    assert!(
                        (impact.normal - DVec2::new(sign, 0.0)).length() < 1e-14,
                        "{n} corners, number {k}: {impact:?}"
                    );
                    assert!(
                        (impact.point - DVec2::new(10.0, 0.0)).length() < 1e-6,
                        "{n} corners, number {k}: {impact:?}"
                    );
                }
            }
        }
    }
}
