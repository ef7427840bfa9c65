//! The normal of a hit is one of the boundary of the union, never that of an inner side of a part.

use carom::query::Feature;
use carom::{Collider, DVec2, Pose, Ray, RayHit, Shape, World, ray_cast};

use super::whole::{Fraction, Whole, cross, dot, edges, float, meets_edge, minus, whole_ray};
use super::{expect_sane, ray};
use crate::support::boundary::{Gap, Rational, gaps, union_contains};
use crate::support::dice::{Dice, heading};
use crate::support::run;

/// A shape and its convex or concave polygons of whole points; a chain's are segments.
struct Union {
    shape: Shape,
    polygons: Vec<Vec<Whole>>,
    /// Returns true if the polygons equal the shape's parts, in order.
    are_parts: bool,
}

fn points_of(polygon: &[Whole]) -> Vec<DVec2> {
    polygon.iter().map(|&p| float(p)).collect()
}

fn concave(dice: &mut Dice) -> Option<Union> {
    let count = dice.count(4, 10);
    let outline: Vec<Whole> = if dice.chance(0.5) {
        let hills = (0..count as i64).map(|i| [2 * i - 8, i64::from(dice.whole(0, 6))]);
        [[-8, -3], [2 * count as i64 - 10, -3]].into_iter().chain(hills.rev()).collect()
    } else {
        let star =
            (0..count).map(|i| heading(i as f64 * std::f64::consts::TAU / count as f64) * dice.between(2.0, 11.0));
        star.map(|p| [p.x as i64, p.y as i64]).collect()
    };
    let shape = Shape::polygon(&points_of(&outline)).ok()?;
    Some(Union { shape, polygons: vec![outline], are_parts: false })
}

fn chain(dice: &mut Dice) -> Option<Union> {
    let mut outline: Vec<Whole> = (0..dice.count(3, 7)).map(|_| [0; 2].map(|_| i64::from(dice.whole(-6, 6)))).collect();
    outline.dedup();
    let shape = Shape::chain(&points_of(&outline)).ok()?;
    Some(Union { shape, polygons: outline.windows(2).map(<[Whole]>::to_vec).collect(), are_parts: true })
}

fn compound(dice: &mut Dice) -> Option<Union> {
    let mut polygons = Vec::new();
    let mut children = Vec::new();
    let boxes = dice.chance(0.5);
    for _ in 0..dice.count(2, 6) {
        let at: Whole = [0; 2].map(|_| i64::from(dice.whole(-5, 5)));
        let (shape, own) = if boxes {
            let half = [0; 2].map(|_| i64::from(dice.whole(1, 3)));
            let corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(|s| [s[0] * half[0], s[1] * half[1]]);
            (Shape::rectangle(2.0 * half[0] as f64, 2.0 * half[1] as f64), corners.to_vec())
        } else {
            let own: Vec<Whole> = (0..3).map(|_| [0; 2].map(|_| i64::from(dice.whole(-4, 4)))).collect();
            (Shape::polygon(&points_of(&own)), own)
        };
        children.push((shape.ok()?, Pose::from_translation(float(at)).unwrap()));
        polygons.push(own.iter().map(|p| [p[0] + at[0], p[1] + at[1]]).collect());
    }
    Some(Union { shape: Shape::compound(children).ok()?, polygons, are_parts: true })
}

fn any_union(dice: &mut Dice) -> Option<Union> {
    match dice.index(4) {
        0 | 1 => concave(dice),
        2 => compound(dice),
        _ => chain(dice),
    }
}

fn at_time([o, e]: [Whole; 2], time: Fraction) -> Rational {
    let numerators =
        [0, 1].map(|k| i128::from(o[k]) * i128::from(time.1) + i128::from(e[k] - o[k]) * i128::from(time.0));
    Rational { numerators, denominator: i128::from(time.1) }
}

/// Times at which a ray intersects an edge of any polygon. Both ends of an edge along the ray.
fn all_times(union: &Union, [o, e]: [Whole; 2]) -> Vec<Fraction> {
    let translation = minus(e, o);
    let along = |p: Whole| Fraction::new(dot(minus(p, o), translation), dot(translation, translation));
    let mut times = vec![Fraction(0, 1), Fraction(1, 1)];
    for [a, b] in union.polygons.iter().flat_map(|polygon| edges(polygon)) {
        if cross(minus(b, a), translation) != 0 {
            times.extend(meets_edge(o, e, a, b));
        } else if cross(minus(a, o), translation) == 0 {
            times.extend([a, b].map(along).into_iter().filter(|f| 0 <= f.0 && f.0 <= f.1));
        }
    }
    times.sort_by(|s, t| s.compare(*t));
    times.dedup_by(|s, t| s.compare(*t).is_eq());
    times
}

/// When a ray that starts outside comes to the union, or one that starts inside leaves it.
fn expected_time(union: &Union, at: [Whole; 2], starts_inside: bool) -> Option<Fraction> {
    let times = all_times(union, at);
    if !starts_inside {
        return times.into_iter().find(|&time| union_contains(&union.polygons, at_time(at, time)));
    }
    let middle = |s: Fraction, t: Fraction| Fraction(s.0 * t.1 + t.0 * s.1, 2 * s.1 * t.1);
    let gap = times
        .windows(2)
        .find(|pair| !union_contains(&union.polygons, at_time(at, middle(pair[0], pair[1]))))
        .map(|pair| pair[0]);
    gap.or_else(|| (!gaps(&union.polygons, at_time(at, Fraction(1, 1))).is_empty()).then_some(Fraction(1, 1)))
}

/// Returns true if the feature of a hit contains the hit point and has the hit's normal.
fn names_the_boundary(union: &Union, hit: &RayHit, point: DVec2, outward: DVec2) -> bool {
    let Some(feature) = hit.feature else { return false };
    let polygon = if union.are_parts { &union.polygons[hit.part as usize] } else { &union.polygons[0] };
    match feature {
        Feature::Vertex(_) => polygon.iter().any(|&v| float(v).distance(point) < 1e-9),
        Feature::Edge(_) => edges(polygon).any(|[a, b]| {
            let along = (float(b) - float(a)).normalize();
            let foot = (point - float(a)).dot(along).clamp(0.0, float(a).distance(float(b)));
            (float(a) + along * foot).distance(point) < 1e-9 && along.dot(outward).abs() < 1e-9
        }),
    }
}

fn is_allowed(around: &[Gap], look: Whole, outward: DVec2, tolerance: f64) -> bool {
    match around.iter().find(|gap| gap.holds(look)) {
        Some(gap) => gap.has_outward_normal(outward, tolerance),
        // The ray ends on the boundary and would go on in the union.
        None => around.iter().any(|gap| gap.has_outward_normal(outward, tolerance)),
    }
}

/// A hit has the outward normal of the union at the exact point, and names its feature.
#[test]
fn normals_are_those_of_the_boundary_of_the_union() {
    let (mut entered, mut left, mut corners) = (0, 0, 0);
    for index in 0..run::pairs(20_000).div_ceil(20) {
        let mut dice = Dice::new(31, index);
        let Some(union) = any_union(&mut dice) else { continue };
        let vertices = union.polygons.concat();
        let placed = union.shape.at([0.0, 0.0]).unwrap();
        let mut world = World::new();
        world.insert(Collider::new(union.shape.clone()));
        for k in 0..20 {
            let [o, e] = whole_ray(&mut dice, &vertices, 13);
            if o == e {
                continue;
            }
            let story = format!("union {index}, ray {k}: {:?}, {o:?} to {e:?}", union.polygons);
            let starts_inside = union_contains(&union.polygons, at_time([o, e], Fraction(0, 1)));
            let ray = ray(float(o), float(minus(e, o))).hollow();
            let (hit, expected) = (ray_cast(ray, placed), expected_time(&union, [o, e], starts_inside));
            assert_eq!(world.ray_cast(ray, u64::MAX).map(|(_, hit)| hit), hit, "{story}");
            let (Some(hit), Some(time)) = (hit, expected) else {
                assert!(hit.is_none() && expected.is_none(), "{story}: {hit:?}, not {expected:?}");
                continue;
            };
            expect_sane(&ray, &hit, &story);
            assert!((hit.time - time.value()).abs() < 1e-12, "{story}: {hit:?}, not {time:?}");
            let position = at_time([o, e], time);
            let around = gaps(&union.polygons, position);
            let (look, outward) = if starts_inside { (minus(e, o), -hit.normal) } else { (minus(o, e), hit.normal) };
            assert!(is_allowed(&around, look, outward, 1e-9), "{story}: {hit:?} of {around:?}");
            let point = float(o) + float(minus(e, o)) * time.value();
            let end_on =
                cross(minus(e, o), [0, 0]) == 0 && hit.normal.dot(float(minus(e, o)).normalize()) < -1.0 + 1e-12;
            assert!(names_the_boundary(&union, &hit, point, outward) || end_on, "{story}: {hit:?}");
            let at_corner = vertices.iter().any(|&v| float(v).distance(point) < 1e-9);
            (entered, left) = (entered + u32::from(!starts_inside), left + u32::from(starts_inside));
            corners += u32::from(at_corner);
        }
    }
    println!("{entered} come in, {left} leave, {corners} at corners");
    assert!(entered > 1_000 && left > 300 && corners > 1_000);
}

/// The same turned by any angle: corners that parts share are then an ulp apart, in compounds.
#[test]
fn normals_stay_those_of_the_union_if_rounding_opens_seams() {
    let mut corners = 0;
    for index in 0..run::pairs(20_000).div_ceil(20) {
        let mut dice = Dice::new(32, index);
        let Some(union) = any_union(&mut dice) else { continue };
        let vertices = union.polygons.concat();
        let pose = Pose::new(dice.in_disk(20.0), dice.angle()).unwrap();
        let placed = union.shape.placed(pose);
        for k in 0..20 {
            let [o, e] = whole_ray(&mut dice, &vertices, 13);
            if o == e || union_contains(&union.polygons, at_time([o, e], Fraction(0, 1))) {
                continue;
            }
            let Some(time) = expected_time(&union, [o, e], false) else { continue };
            let story = format!("union {index}, ray {k}: {:?} at {pose:?}, {o:?} to {e:?}", union.polygons);
            let from = pose.transform_point(float(o));
            let Some(hit) = ray_cast(ray(from, pose.transform_point(float(e)) - from), placed) else { continue };
            // A graze may be missed. Then the hit is elsewhere.
            if (hit.time - time.value()).abs() > 1e-12 {
                continue;
            }
            let around = gaps(&union.polygons, at_time([o, e], time));
            let normal = pose.inverse_rotate_vector(hit.normal);
            assert!(is_allowed(&around, minus(o, e), normal, 1e-9), "{story}: {hit:?}, {normal} of {around:?}");
            let point = float(o) + float(minus(e, o)) * time.value();
            corners += u32::from(vertices.iter().any(|&v| float(v).distance(point) < 1e-9));
        }
    }
    println!("{corners} at corners");
    assert!(corners > 1_000);
}

/// A circle cast has the normal from the nearest point of the shape to the circle's centre.
#[test]
fn normals_of_circle_casts_lead_to_the_centre() {
    let mut hits = 0;
    for index in 0..run::pairs(20_000).div_ceil(20) {
        let mut dice = Dice::new(33, index);
        let Some(union) = any_union(&mut dice) else { continue };
        let vertices = union.polygons.concat();
        let placed = union.shape.at([0.0, 0.0]).unwrap();
        for k in 0..20 {
            let [o, e] = whole_ray(&mut dice, &vertices, 13);
            let (radius, tolerance) = dice.one_of(&[(0.5, 1e-9), (1.0, 1e-9), (1e-6, 1e-4)]);
            let cast = ray(float(o), float(minus(e, o))).with_radius(radius).unwrap();
            let Some(hit) = ray_cast(cast, placed).filter(|hit| hit.time > 0.0) else { continue };
            let center = cast.origin() + cast.translation() * hit.time;
            let feet = union.polygons.iter().flat_map(|polygon| edges(polygon)).map(|[a, b]| {
                let (a, along) = (float(a), float(minus(b, a)));
                a + along * ((center - a).dot(along) / along.length_squared()).clamp(0.0, 1.0)
            });
            let near = feet.filter(|foot| (foot.distance(center) - radius).abs() < 1e-12);
            let allowed: Vec<DVec2> = near.map(|foot| (center - foot) / radius).collect();
            let story =
                format!("union {index}, ray {k}: {:?}, {o:?} to {e:?}, radius {radius}: {hit:?}", union.polygons);
            assert!(allowed.iter().any(|n| n.distance(hit.normal) < tolerance), "{story}, not {allowed:?}");
            hits += 1;
        }
    }
    assert!(hits > 1_000, "{hits}");
}

/// A ray against the corner of an L met the end of the diagonal between both parts, and named that diagonal's side.
#[test]
fn the_end_of_an_inner_diagonal_has_the_normals_outside() {
    let l = Shape::polygon(&[[0.0, 0.0], [5.0, 0.0], [5.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]]).unwrap();
    let hit = ray_cast(ray([-5.0, -7.0], [5.0, 7.0]), l.at([0.0, 0.0]).unwrap()).unwrap();
    assert_eq!(hit.point, DVec2::ZERO);
    assert!([DVec2::NEG_X, DVec2::NEG_Y].contains(&hit.normal), "{hit:?}");
}

/// Two blocks side by side: a ray down to the end of the seam met a side that both hide.
#[test]
fn the_end_of_a_seam_between_blocks_has_the_normal_of_their_tops() {
    let block = Shape::rectangle(2.0, 1.0).unwrap();
    let at = |x: f64| (block.clone(), Pose::from_translation([x, 0.5]).unwrap());
    let row = Shape::compound([at(1.0), at(3.0)]).unwrap();
    for (from, translation) in [([2.5, 9.0], [-0.5, -8.0]), ([1.5, 9.0], [0.5, -8.0])] {
        let hit = ray_cast(ray(from, translation), row.at([0.0, 0.0]).unwrap()).unwrap();
        assert_eq!((hit.normal, hit.feature), (DVec2::Y, Some(Feature::Edge(2))), "{hit:?}");
    }
    // The same from below, leaving.
    let leaving = Ray::new([1.5, 0.5], [1.0, 1.0]).unwrap().hollow();
    let hit = ray_cast(leaving, row.at([0.0, 0.0]).unwrap()).unwrap();
    assert_eq!((hit.point, hit.normal), (DVec2::new(2.0, 1.0), DVec2::NEG_Y), "{hit:?}");
}
