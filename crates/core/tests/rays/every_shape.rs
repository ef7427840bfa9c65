//! Rays against every convex kind, in exact arithmetic.

use carom::{DVec2, Placed, Pose, Ray, intersects, ray_cast};

use super::{capsule, expect_sane, ray};
use crate::support::dice::{Dice, ulp};
use crate::support::exact::{Difference, Outline, Relation};
use crate::support::{run, shapes};

fn swept(from: DVec2, to: DVec2, radius: f64) -> Outline {
    Outline { points: vec![from, to], radius }
}

/// The point that the ray's middle is at.
fn middle(ray: &Ray, time: f64) -> DVec2 {
    ray.origin() + (ray.end() - ray.origin()) * time
}

/// Returns a ray near a shape of a size. It is aimed at the shape, past it, from inside it, from
/// one of its points, or along an edge.
fn any_ray(dice: &mut Dice, placed: Placed<'_>, size: f64) -> Ray {
    let points: Vec<DVec2> = placed.points().collect();
    let center = placed.pose().translation();
    let point = points[dice.index(points.len())];
    let near = center + dice.in_disk(size);
    let far = center + dice.in_disk(5.0 * size);
    let (from, to) = match dice.index(8) {
        0 => (near, far),
        1 => (far, point),
        2 => (point, far),
        3 => (far, point + (point - far)),
        4 => (point + (point - points[0]), points[0] - (point - points[0])),
        5 => (near, near),
        _ => (far, near),
    };
    let thick = if dice.chance(0.3) { size * dice.magnitude(1e-3, 1.0) } else { 0.0 };
    ray(from, to - from).with_radius(thick).unwrap()
}

/// Hits are those of the oracle, times are within the documented bound, and the swept capsule has
/// the hits of the ray.
#[test]
fn rays_agree_with_exact_arithmetic() {
    let (mut hits, mut inside, mut misses) = (0, 0, 0);
    for index in 0..run::pairs(20_000) {
        let mut dice = Dice::new(11, index);
        let size = dice.magnitude(1e-3, 1e3);
        let recipe = shapes::any(&mut dice, size);
        let shape = recipe.build().unwrap();
        let offset = if dice.chance(0.5) { DVec2::ZERO } else { dice.direction() * dice.magnitude(1e-2, 1e6) };
        let placed = shape.placed(Pose::new(offset, dice.angle()).unwrap());
        let ray = any_ray(&mut dice, placed, size);
        let story = format!("index {index}: {recipe} at {:?}, {ray:?}", placed.pose());

        let outline = Outline::of(placed);
        let exact = |to: DVec2| Difference::of(&swept(ray.origin(), to, ray.radius()), &outline);
        let meets = exact(ray.end()).relation() != Relation::Apart;
        let starts_inside = exact(ray.origin()).relation() != Relation::Apart;
        let hit = ray_cast(ray, placed);
        assert_eq!(hit.is_some(), meets, "{story}");
        assert_eq!(intersects(capsule(&ray).at([0.0, 0.0]).unwrap(), placed), meets, "{story}");
        assert_eq!(hit.is_some_and(|hit| hit.time == 0.0), starts_inside, "{story}");

        let length = ray.translation().length();
        let bound = 1e-12 * (size + length + ray.radius() + shape.radius())
            + 8.0 * ulp(placed.points().chain([ray.origin()]).fold(0.0, |m: f64, p| m.max(p.abs().max_element())));
        match hit {
            Some(hit) if hit.time > 0.0 => {
                expect_sane(&ray, &hit, &story);
                let at = middle(&ray, hit.time);
                let here = Difference::of(&swept(at, at, ray.radius()), &outline).gap();
                assert!(here.abs() <= bound, "on the boundary: {here:e}, not {bound:e}: {story}, {hit:?}");
                let before = exact(at).gap();
                assert!(before >= -bound, "met before by {before:e}, not {bound:e}: {story}, {hit:?}");
                let witness = Difference::of(&Outline::point(hit.point), &outline).gap();
                assert!(
                    witness.abs() <= bound,
                    "the point on the surface: {witness:e}, not {bound:e}: {story}, {hit:?}"
                );
                hits += 1;
            }
            Some(hit) => {
                expect_sane(&ray, &hit, &story);
                assert_eq!(hit.point, ray.origin(), "{story}");
                inside += 1;
            }
            None => misses += 1,
        }

        let hollow = ray_cast(ray.hollow(), placed);
        if !starts_inside {
            assert_eq!(hollow, hit, "{story}");
            continue;
        }
        let ends = Difference::of(&swept(ray.end(), ray.end(), ray.radius()), &outline).relation();
        assert_eq!(hollow.is_none(), ends == Relation::Overlapping, "{story}");
        if let Some(hit) = hollow {
            expect_sane(&ray, &hit, &story);
            let at = middle(&ray, hit.time);
            let here = Difference::of(&swept(at, at, ray.radius()), &outline).gap();
            assert!(here.abs() <= bound, "leaves on the boundary: {here:e}, not {bound:e}: {story}, {hit:?}");
        }
    }
    println!("{hits} hits, {inside} start inside, {misses} misses");
    assert!(hits > 1_000 && inside > 1_000 && misses > 1_000);
}
