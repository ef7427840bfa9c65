//! P22: any bit pattern as input causes no panic, no endless loop and no NaN.

use carom::query::collide_within;
use carom::{
    Aabb, DVec2, Pose, Ray, Shape, broad_phase::LocalOrigin, collide, distance, explain_sat, intersects, overlaps,
    time_of_impact,
};

use crate::support::run;

/// Numbers of any kind: arbitrary bits half of the time, else the places where arithmetic breaks.
fn number(dice: &mut fastrand::Rng) -> f64 {
    const EDGES: [f64; 12] =
        [0.0, -0.0, 1.0, -1.0, 1e30, -1e30, 1.000_000_1e30, 5e-324, -2.2e-308, f64::MAX, f64::INFINITY, f64::NAN];
    match dice.u8(..4) {
        0 | 1 => f64::from_bits(dice.u64(..)),
        2 => EDGES[dice.usize(..EDGES.len())],
        // Within the range, any exponent: arbitrary bits are mostly beyond it.
        _ => f64::from_bits(dice.u64(..) & !(0x7ff << 52) | dice.u64(..0x462) << 52),
    }
}

fn shape(dice: &mut fastrand::Rng) -> Result<Shape, carom::Error> {
    let point = |dice: &mut fastrand::Rng| DVec2::new(number(dice), number(dice));
    let shape = match dice.u8(..6) {
        0 => Shape::circle(number(dice)),
        1 => Shape::segment(point(dice), point(dice)),
        2 => Shape::capsule(point(dice), point(dice), number(dice)),
        3 => Shape::rectangle(number(dice), number(dice)),
        // As fine as a thousandth: finer ones take up to a million vertices, which is slow and nothing else.
        4 => {
            let (x, y) = (number(dice), number(dice));
            Shape::ellipse(x, y, 1e-3 * if x > y { x } else { y })
        }
        _ => Shape::polygon(&(0..dice.usize(..6)).map(|_| point(dice)).collect::<Vec<_>>()),
    }?;
    match dice.u8(..4) {
        0 => shape.rounded(number(dice)),
        1 => shape.scaled(number(dice), number(dice)),
        _ => Ok(shape),
    }
}

fn pose(dice: &mut fastrand::Rng) -> Result<Pose, carom::Error> {
    let position = [number(dice), number(dice)];
    match dice.u8(..3) {
        0 => Pose::new(position, number(dice)),
        1 => Pose::from_degrees(position, number(dice)),
        _ => Pose::from_cos_sin(position, number(dice), number(dice)).or_else(|_| Pose::from_translation(position)),
    }
}

/// Whatever can be built answers everything with numbers.
fn run_queries(a: (&Shape, Pose), b: (&Shape, Pose), margin: f64) {
    let (p, q) = (a.0.placed(a.1), b.0.placed(b.1));
    let gap = distance(p, q);
    assert!(gap.distance >= 0.0 && gap.point_a.is_finite() && gap.point_b.is_finite(), "{gap:?}");
    assert_eq!(gap.distance == 0.0, intersects(p, q));
    let manifold = collide(p, q);
    assert_eq!(manifold.is_some(), intersects(p, q));
    assert_eq!(manifold.is_some_and(|m| m.depth > 0.0), overlaps(p, q));
    for m in manifold.iter().chain(&collide_within(p, q, margin)) {
        assert!(
            m.normal.is_finite()
                && m.depth.is_finite()
                && m.points().iter().all(|c| c.on_a.is_finite() && c.on_b.is_finite()),
            "{m:?}"
        );
    }
    assert!(explain_sat(p, q).axes().iter().all(|axis| axis.normal.is_finite() && axis.overlap.is_finite()));
    // A rotation of few radians. Other tests cover large rotations.
    let swept = p.sweep([margin, -margin]).and_then(|sweep| sweep.with_rotation(f64::from(margin.is_sign_negative())));
    if let Some(impact) = swept.ok().and_then(|sweep| time_of_impact(sweep, q)) {
        assert!(
            (0.0..=1.0).contains(&impact.time) && impact.normal.is_finite() && impact.point.is_finite(),
            "{impact:?}"
        );
    }
    assert_eq!(time_of_impact(p, q).is_some(), overlaps(p, q));
    let (bounds, mass) = (p.aabb(), a.0.mass_properties());
    assert!(bounds.min().is_finite() && bounds.max().is_finite() && p.support_point([margin, 1.0]).is_finite());
    assert!(mass.area >= 0.0 && mass.centroid.is_finite() && mass.inertia >= 0.0, "{mass:?} of {:?}", a.0);
}

#[test]
fn any_bits_are_refused_or_answered() {
    let seed = run::seed();
    println!("CAROM_SEED={seed}");
    let mut dice = fastrand::Rng::with_seed(seed);
    let (mut built, mut refused) = (0, 0);
    while built < 1_000 {
        let _ = Ray::new([number(&mut dice), number(&mut dice)], [number(&mut dice), number(&mut dice)]);
        if let Ok(aabb) = Aabb::new([number(&mut dice), number(&mut dice)], [number(&mut dice), number(&mut dice)]) {
            let local = LocalOrigin::new([number(&mut dice), number(&mut dice)]).to_local(&aabb);
            assert!(local.min.iter().zip(&local.max).all(|(low, high)| low <= high));
        }
        match (shape(&mut dice), pose(&mut dice), shape(&mut dice), pose(&mut dice)) {
            (Ok(a), Ok(p), Ok(b), Ok(q)) => {
                run_queries((&a, p), (&b, q), number(&mut dice));
                built += 1;
            }
            (a, p, b, q) => {
                let message = [a.err(), p.err(), b.err(), q.err()]
                    .into_iter()
                    .flatten()
                    .next()
                    .map(|e| e.to_string())
                    .unwrap_or_default();
                assert!(message.len() > 20 && message.len() < 400, "{message}");
                refused += 1;
            }
        }
    }
    println!("{built} answered, {refused} refused");
}
