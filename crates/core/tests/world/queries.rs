//! Every query equals a loop over all colliders, directly after any write (P27).

use carom::query::{Impact, ShapeHit};
use carom::world::{CastOptions, QueryFilter, ViewCone};
use carom::{
    Aabb, Collider, DVec2, Handle, Placed, Pose, Ray, Shape, World, distance, intersects, overlaps, ray_cast,
    time_of_impact,
};

use super::brute::Brute;

/// One question of a kind by chance, with a filter by chance.
pub(crate) fn check(rng: &mut fastrand::Rng, world: &World, brute: &Brute) {
    let layers = if rng.bool() { u64::MAX } else { rng.u64(..) };
    let without = brute.colliders.keys().nth(rng.usize(0..60)).copied().unwrap_or(Handle::NONE);
    let solid = rng.bool();
    let odd = |handle: Handle, _: &carom::world::ColliderRef<'_>| handle.index() % 2 == 1;
    let only_odd = rng.u8(0..4) == 0;
    let mut filter = QueryFilter::from(layers).exclude_collider(without);
    filter = if solid { filter.exclude_sensors() } else { filter };
    filter = if only_odd { filter.predicate(&odd) } else { filter };
    let admitted = |(handle, collider): &(&Handle, &Collider)| {
        collider.enabled
            && (layers == u64::MAX || collider.filter.layers & layers != 0)
            && **handle != without
            && !(solid && collider.sensor)
            && (!only_odd || handle.index() % 2 == 1)
    };
    let all: Vec<(Handle, Placed<'_>)> = brute
        .colliders
        .iter()
        .filter(admitted)
        .map(|(&handle, collider)| (handle, collider.shape.placed(collider.pose)))
        .collect();
    let position = |rng: &mut fastrand::Rng| {
        let position = DVec2::new(rng.f64(), rng.f64()) * 16.0 - 2.0;
        if rng.bool() { position.round() } else { position }
    };
    let (from, to) = (position(rng), position(rng));
    match rng.u8(0..5) {
        0 => check_points(world, &all, filter, from, to),
        1 => check_rays(world, &all, filter, Ray::new(from, to - from).unwrap()),
        2 => {
            let ray = Ray::new(from, to - from).unwrap().with_radius(rng.f64()).unwrap().hollow();
            check_rays(world, &all, filter, ray);
        }
        3 => check_casts(world, &all, filter, from, to, rng.f64() * 4.0 * f64::from(rng.u8(0..2))),
        _ => check_nearest(world, &all, filter, from, rng.usize(0..6)),
    }
}

fn those(all: &[(Handle, Placed<'_>)], test: impl Fn(Placed<'_>) -> bool) -> Vec<Handle> {
    all.iter().filter(|(_, placed)| test(*placed)).map(|(handle, _)| *handle).collect()
}

fn check_points(world: &World, all: &[(Handle, Placed<'_>)], filter: QueryFilter<'_>, from: DVec2, to: DVec2) {
    let dot = Shape::circle(0.0).unwrap();
    let dot = dot.at(from).unwrap();
    assert_eq!(world.containing_point(from, filter).unwrap(), those(all, |p| intersects(p, dot)));
    let block = Shape::rectangle(1.5, 3.0).unwrap();
    let block = block.placed(Pose::new(from, to.x).unwrap());
    assert_eq!(world.intersecting(block, filter), those(all, |p| intersects(p, block)));
    assert_eq!(world.overlapping(block, filter), those(all, |p| overlaps(p, block)));
    let (min, max) = (from.min(to), from.max(to));
    let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
    if let Ok(shape) = Shape::polygon(&corners) {
        let found = world.intersecting_aabb(&Aabb::new(min, max).unwrap(), filter);
        assert_eq!(found, those(all, |p| intersects(p, shape.placed(Pose::IDENTITY))));
    }
    if let Ok(view) = ViewCone::new(from, to - from, 0.7, 4.0) {
        assert_eq!(world.intersecting_cone(&view, filter), those(all, |p| view.intersects(p)));
    }
}

/// One-way colliders stop a cast only from within 60° of the front, and never one that starts inside.
fn stops(world: &World, handle: Handle, normal: DVec2, inside: bool) -> bool {
    let collider = world.get(handle).unwrap();
    collider.one_way.is_none_or(|one_way| !inside && normal.dot(collider.pose.rotate_vector(one_way.front())) >= 0.5)
}

fn check_rays(world: &World, all: &[(Handle, Placed<'_>)], filter: QueryFilter<'_>, ray: Ray) {
    let mut hits: Vec<_> = all.iter().filter_map(|(handle, placed)| Some((*handle, ray_cast(ray, *placed)?))).collect();
    hits.retain(|(handle, hit)| stops(world, *handle, hit.normal, hit.feature.is_none()));
    hits.sort_by(|(a, p), (b, q)| p.time.total_cmp(&q.time).then(a.cmp(b)));
    assert_eq!(world.ray_cast(ray, filter), hits.first().copied());
    assert_eq!(world.ray_cast_any(ray, filter), !hits.is_empty());
    assert_eq!(world.ray_cast_all(ray, filter), hits);
}

/// An impact of two shapes as seen by the first one.
fn seen_by_first(impact: Impact) -> ShapeHit {
    let Impact { time, normal, point, initial_depth, part_a, part_b } = impact;
    ShapeHit { time, point, normal: -normal, initial_depth, part: part_b, mover_part: part_a }
}

fn check_casts(
    world: &World,
    all: &[(Handle, Placed<'_>)],
    filter: QueryFilter<'_>,
    from: DVec2,
    to: DVec2,
    turning: f64,
) {
    let shape = Shape::rectangle(1.0, 0.5).unwrap();
    let motion = shape.at(from).unwrap().sweep(to - from).unwrap().with_rotation(turning).unwrap();
    let near = all.iter().filter(|(_, placed)| placed.aabb().intersects(&motion.aabb()));
    let mut hits: Vec<_> =
        near.filter_map(|(handle, placed)| Some((*handle, seen_by_first(time_of_impact(motion, *placed)?)))).collect();
    hits.retain(|(handle, hit)| stops(world, *handle, hit.normal, hit.initial_depth.is_some()));
    hits.sort_by(|(a, p), (b, q)| p.time.total_cmp(&q.time).then(a.cmp(b)));
    assert_eq!(world.shape_cast(motion, filter), hits.first().copied());
    assert_eq!(world.shape_cast_all(motion, filter), hits);
}

fn check_nearest(world: &World, all: &[(Handle, Placed<'_>)], filter: QueryFilter<'_>, from: DVec2, count: usize) {
    let dot = Shape::circle(0.0).unwrap();
    let dot = dot.at(from).unwrap();
    let mut gaps: Vec<_> = all.iter().map(|(handle, placed)| (*handle, distance(dot, *placed))).collect();
    gaps.sort_by(|(a, p), (b, q)| p.distance.total_cmp(&q.distance).then(a.cmp(b)));
    // A limit that is the distance of one of them, and one between two of them.
    let at = gaps.len() / 2;
    for limit in
        gaps.get(at).into_iter().flat_map(|(_, gap)| [gap.distance, gap.distance.next_down(), 1.1 * gap.distance])
    {
        let mut near = gaps.clone();
        near.retain(|(_, gap)| gap.distance <= limit.max(0.0));
        near.truncate(count);
        assert_eq!(world.nearest_within(from, limit, count, filter).unwrap(), near);
    }
    gaps.truncate(count);
    assert_eq!(world.nearest(from, count, filter).unwrap(), gaps);
    assert_eq!(world.nearest_within(from, f64::INFINITY, count, filter).unwrap(), gaps);
}

/// A kind of query, by its name: true if it finds a disk of radius 1 at the origin.
type Query = (&'static str, fn(&World, QueryFilter<'_>) -> bool);

/// Every kind of query with a filter.
const QUERIES: [Query; 14] = [
    ("ray_cast", |world, filter| world.ray_cast(ray(), filter).is_some()),
    ("ray_cast_all", |world, filter| world.ray_cast_all(ray(), filter).len() == 1),
    ("ray_cast_any", |world, filter| world.ray_cast_any(ray(), filter)),
    ("shape_cast", |world, filter| {
        world.shape_cast(dot().at([-3.0, 0.0]).unwrap().sweep([6.0, 0.0]).unwrap(), filter).is_some()
    }),
    ("shape_cast_with", |world, filter| {
        let options = CastOptions::new().ignore_internal_edges();
        world.shape_cast_with(dot().at([-3.0, 0.0]).unwrap().sweep([6.0, 0.0]).unwrap(), filter, options).is_some()
    }),
    ("shape_cast_all", |world, filter| {
        world.shape_cast_all(dot().at([-3.0, 0.0]).unwrap().sweep([6.0, 0.0]).unwrap(), filter).len() == 1
    }),
    ("intersecting", |world, filter| world.intersecting(dot().placed(Pose::IDENTITY), filter).len() == 1),
    ("overlapping", |world, filter| world.overlapping(dot().placed(Pose::IDENTITY), filter).len() == 1),
    ("intersecting_aabb", |world, filter| {
        world.intersecting_aabb(&Aabb::new([0.0, 0.0], [1.0, 1.0]).unwrap(), filter).len() == 1
    }),
    ("intersecting_cone", |world, filter| {
        world.intersecting_cone(&ViewCone::new([-3.0, 0.0], [1.0, 0.0], 0.5, 5.0).unwrap(), filter).len() == 1
    }),
    ("containing_point", |world, filter| world.containing_point([0.5, 0.0], filter).unwrap().len() == 1),
    ("nearest", |world, filter| world.nearest([3.0, 0.0], 1, filter).unwrap().len() == 1),
    ("nearest_within", |world, filter| world.nearest_within([3.0, 0.0], 2.0, 1, filter).unwrap().len() == 1),
    ("visibility_polygon", |world, filter| world.visibility_polygon([0.5, 0.0], 5.0, 0.1, filter).unwrap().is_empty()),
];

fn ray() -> Ray {
    Ray::new([-3.0, 0.0], [6.0, 0.0]).unwrap()
}

fn dot() -> Shape {
    Shape::circle(0.25).unwrap()
}

/// Law: a filter of all layers excludes no collider. Any other filter finds no collider without a layer.
#[test]
fn a_query_of_all_layers_finds_colliders_without_a_layer() {
    let mut world = World::new();
    let disk = world.insert(Collider::new(Shape::circle(1.0).unwrap()).layers(0, u64::MAX));
    for (name, finds) in QUERIES {
        for all in [QueryFilter::ALL, QueryFilter::default(), u64::MAX.into(), QueryFilter::ALL.layers(u64::MAX)] {
            assert!(finds(&world, all), "{name}");
            assert!(!finds(&world, all.exclude_collider(disk)), "{name}");
        }
        for some in [0, 1, u64::MAX >> 1, u64::MAX << 1] {
            assert!(!finds(&world, some.into()), "{name}, layers {some:#x}");
        }
    }
}

/// A view that is a polygon but for its arc: inside it, inscribed; outside, circumscribed.
#[test]
fn a_view_cone_is_the_sector() {
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut seen, mut hidden) = (0, 0);
    for _ in 0..2000 {
        let (half, range, turn) = (0.1 + rng.f64() * 1.4, 1.0 + rng.f64() * 3.0, rng.f64() * 6.0);
        let heading = |angle: f64| DVec2::new(libm::cos(angle), libm::sin(angle));
        let view = ViewCone::new([0.5, 0.25], heading(turn) * 3.0, half, range).unwrap();
        let fan = |scale: f64, half: f64| {
            let arc = (0..=60)
                .map(|i| DVec2::new(0.5, 0.25) + heading(turn - half + half * f64::from(i) / 30.0) * range * scale);
            Shape::polygon(&std::iter::once(DVec2::new(0.5, 0.25)).chain(arc).collect::<Vec<_>>()).unwrap()
        };
        let step = half / 60.0;
        let (inner, outer) = (fan(1.0 - 1e-9, half - 1e-9), fan((1.0 + 1e-9) / libm::cos(step), half + 1e-9));
        let shape = [Shape::circle(0.3).unwrap(), Shape::rectangle(0.2, 2.0).unwrap()][rng.usize(0..2)].clone();
        let placed = shape.placed(Pose::new(DVec2::new(rng.f64(), rng.f64()) * 8.0 - 4.0, turn).unwrap());
        let meets = view.intersects(placed);
        assert!(meets || !intersects(inner.placed(Pose::IDENTITY), placed), "{view:?} {placed:?}");
        assert!(!meets || intersects(outer.placed(Pose::IDENTITY), placed), "{view:?} {placed:?}");
        (seen, hidden) = (seen + usize::from(meets), hidden + usize::from(!meets));
    }
    assert!(seen > 200 && hidden > 200);
}

#[test]
fn bad_views_and_points_are_refused() {
    let world = World::new();
    let nan = f64::NAN;
    assert!(world.containing_point([nan, 0.0], u64::MAX).is_err() && world.nearest([0.0, 1e300], 1, u64::MAX).is_err());
    assert!(ViewCone::new([0.0, 0.0], [0.0, 0.0], 1.0, 1.0).is_err());
    assert!(
        ViewCone::new([0.0, 0.0], [1.0, 0.0], nan, 1.0).is_err()
            && ViewCone::new([0.0, 0.0], [1.0, 0.0], 1.0, -1.0).is_err()
    );
    assert!(ViewCone::new([1e30, 0.0], [1.0, 0.0], 1.0, 1e30).is_err());
}

/// A box of a width of one rounding error is no segment, and no smaller than it says.
#[test]
fn a_box_may_be_as_thin_as_a_rounding_error() {
    let xs = [0, 1, 2].map(|ulps| f64::from_bits(1e10_f64.to_bits() + ulps));
    let mut world = World::new();
    let points = xs.map(|x| world.insert(Collider::new(Shape::circle(0.0).unwrap()).at([x, 0.5]).unwrap()));
    world.update();
    let found = |from: f64, to: f64| world.intersecting_aabb(&Aabb::new([from, 0.0], [to, 1.0]).unwrap(), u64::MAX);
    assert_eq!(found(xs[0], xs[1]), points[..2]);
    assert_eq!(found(xs[2], xs[2]), points[2..]);
}
