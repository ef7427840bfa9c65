//! Rays: whether they meet is exact, when is close, and one rule holds for those that start inside (P3, P7, P8).

mod support;

use carom::{DVec2, Placed, Pose, Ray, RayHit, Shape, intersects, ray_cast};
use support::dice::{Dice, ulp};
use support::exact::{Difference, Outline, Relation};
use support::{run, shapes};

fn ray(from: impl Into<DVec2>, way: impl Into<DVec2>) -> Ray {
    Ray::new(from, way).unwrap()
}

/// What a ray sweeps, as a shape.
fn capsule(ray: &Ray) -> Shape {
    Shape::capsule(ray.origin(), ray.end(), ray.radius()).unwrap()
}

fn swept(from: DVec2, to: DVec2, radius: f64) -> Outline {
    Outline { points: vec![from, to], radius }
}

/// The point that the ray's middle is at.
fn middle(ray: &Ray, time: f64) -> DVec2 {
    ray.origin() + (ray.end() - ray.origin()) * time
}

fn expect_sane(ray: &Ray, hit: &RayHit, story: &str) {
    assert!((0.0..=1.0).contains(&hit.time) && hit.point.is_finite(), "{story}: {hit:?}");
    assert!((hit.normal.length() - 1.0).abs() < 1e-14, "unit: {story}: {hit:?}");
    let length = (ray.end() - ray.origin()).length();
    assert!(hit.normal.dot(ray.end() - ray.origin()) <= 1e-7 * length, "against the ray: {story}: {hit:?}");
}

/// A ray about a shape of a size: aimed at it, past it, from inside it, from one of its points, along one of its edges.
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

/// Hits are those of the judge, times are within the stated bound, and the swept capsule meets what the ray does.
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
                assert!(witness.abs() <= bound, "the point on the surface: {witness:e}, not {bound:e}: {story}, {hit:?}");
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

/// A fraction in lowest or other terms, its denominator above 0.
#[derive(Clone, Copy, Debug)]
struct Fraction(i64, i64);

impl Fraction {
    fn new(numerator: i64, denominator: i64) -> Self {
        if denominator < 0 { Self(-numerator, -denominator) } else { Self(numerator, denominator) }
    }

    fn compare(self, other: Self) -> std::cmp::Ordering {
        (i128::from(self.0) * i128::from(other.1)).cmp(&(i128::from(other.0) * i128::from(self.1)))
    }

    fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

type Whole = [i64; 2];

fn minus(p: Whole, q: Whole) -> Whole {
    [p[0] - q[0], p[1] - q[1]]
}

fn cross(u: Whole, v: Whole) -> i64 {
    u[0] * v[1] - u[1] * v[0]
}

fn dot(u: Whole, v: Whole) -> i64 {
    u[0] * v[0] + u[1] * v[1]
}

/// The first time that the segment o → e shares a point with the segment a → b.
fn meets_edge(o: Whole, e: Whole, a: Whole, b: Whole) -> Option<Fraction> {
    let (way, edge, from) = (minus(e, o), minus(b, a), minus(a, o));
    let area = cross(way, edge);
    if area != 0 {
        let (time, along) = (Fraction::new(cross(from, edge), area), Fraction::new(cross(from, way), area));
        let within = |f: Fraction| (0..=f.1).contains(&f.0);
        return (within(time) && within(along)).then_some(time);
    }
    if cross(way, from) != 0 {
        return None;
    }
    let square = dot(way, way);
    let (s, t) = (dot(from, way), dot(minus(b, o), way));
    let (first, last) = (s.min(t).max(0), s.max(t).min(square));
    (first <= last).then(|| Fraction::new(first, square))
}

/// Is a point inside an outline, by the number of edges that a level ray from it crosses? Not for points on the outline.
fn crossings_are_odd(p: Whole, outline: &[Whole]) -> bool {
    let crossed = |a: Whole, b: Whole| {
        let (low, high) = if a[1] < b[1] { (a, b) } else { (b, a) };
        low[1] <= p[1] && p[1] < high[1] && cross(minus(high, low), minus(p, low)) > 0
    };
    edges(outline).filter(|&[a, b]| crossed(a, b)).count() % 2 == 1
}

fn edges(outline: &[Whole]) -> impl Iterator<Item = [Whole; 2]> {
    outline.iter().zip(outline.iter().cycle().skip(1)).map(|(&a, &b)| [a, b])
}

fn float(p: Whole) -> DVec2 {
    DVec2::new(p[0] as f64, p[1] as f64)
}

/// A ray between two whole points near to `points`: often through a vertex, along an edge, or from on the boundary.
fn whole_ray(dice: &mut Dice, points: &[Whole], reach: i32) -> [Whole; 2] {
    let anywhere = |dice: &mut Dice| [dice.whole(-reach, reach), dice.whole(-reach, reach)].map(i64::from);
    let vertex = |dice: &mut Dice| points[dice.index(points.len())];
    match dice.index(5) {
        0 => [anywhere(dice), vertex(dice)],
        1 => [vertex(dice), anywhere(dice)],
        2 => {
            let (from, over) = (anywhere(dice), vertex(dice));
            [from, [2 * over[0] - from[0], 2 * over[1] - from[1]]]
        }
        3 => {
            let i = dice.index(points.len());
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            let (s, t) = (i64::from(dice.whole(-2, 1)), i64::from(dice.whole(0, 3)));
            let along = |k: i64| [a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k];
            [along(s), along(t)]
        }
        _ => [anywhere(dice), anywhere(dice)],
    }
}

/// A ray against an outline and, where it has an inside, the crossing number of the ray's start.
fn expect_first(shape: Placed<'_>, outline: &[Whole], closed: bool, solid: bool, [o, e]: [Whole; 2], story: &str) -> bool {
    let count = if closed { outline.len() } else { outline.len() - 1 };
    let times = edges(outline).take(count).filter_map(|[a, b]| if o == e { point_on_edge(o, a, b) } else { meets_edge(o, e, a, b) });
    let first = times.min_by(|s, t| s.compare(*t));
    let starts_inside = first.is_some_and(|f| f.0 == 0) || (solid && crossings_are_odd(o, outline));
    let expected = if starts_inside { Some(0.0) } else { first.map(Fraction::value) };
    let hit = ray_cast(ray(float(o), float(minus(e, o))), shape);
    match (hit, expected) {
        (None, None) => {}
        (Some(hit), Some(time)) => {
            // A time as sharp as the ray: what rounding does to a height over the edge, over the rate at which the ray loses height.
            let way = float(minus(e, o));
            let largest = outline.iter().chain([&o, &e]).flatten().fold(1, |m, v| m.max(v.abs())) as f64;
            let bound = 1e-13 + 8e-15 * largest / hit.normal.dot(way).abs();
            assert!((hit.time - time).abs() < bound && (hit.time == 0.0) == (time == 0.0), "{story}: {hit:?}, not {time}");
            expect_sane(&ray(float(o), float(minus(e, o))), &hit, story);
        }
        _ => panic!("{story}: {hit:?}, not {expected:?}"),
    }
    expected.is_some()
}

fn point_on_edge(p: Whole, a: Whole, b: Whole) -> Option<Fraction> {
    let on = cross(minus(b, a), minus(p, a)) == 0 && dot(minus(a, p), minus(b, p)) <= 0;
    on.then_some(Fraction(0, 1))
}

/// Chains of whole points, crossing themselves, one of them of ten thousand: against every edge in whole numbers.
#[test]
fn rays_meet_chains_as_every_edge_says() {
    let (rays, mut hits) = (run::pairs(20_000), 0);
    let mut dice = Dice::new(12, 0);
    for index in 0..rays.div_ceil(100) {
        let count = if index == 0 { 10_000 } else { dice.count(3, if index % 10 == 0 { 400 } else { 12 }) };
        let outline: Vec<Whole> = (0..count).map(|i| [i as i64 - 10, i64::from(dice.whole(-20, 20))]).collect();
        let points: Vec<DVec2> = outline.iter().map(|&p| float(p)).collect();
        let closed = dice.chance(0.5);
        let chain = if closed { Shape::closed_chain(&points) } else { Shape::chain(&points) }.unwrap();
        for k in 0..100 {
            let at = whole_ray(&mut dice, &outline, 25);
            let story = format!("chain {index}, ray {k}: {outline:?}, {at:?}");
            hits += u32::from(expect_first(chain.at([0.0, 0.0]).unwrap(), &outline, closed, false, at, &story));
        }
    }
    println!("{hits} of {rays} hit");
    assert!(u64::from(hits) > rays / 4);
}

/// Convex polygons with up to a thousand whole corners, small ones and such that not all edges are looked at.
#[test]
fn rays_meet_convex_polygons_as_crossing_numbers_say() {
    let (rays, mut hits) = (run::pairs(20_000), 0);
    for index in 0..rays.div_ceil(100) {
        let mut dice = Dice::new(13, index);
        let directions = if index % 10 == 0 { dice.count(16, 300) } else { dice.count(2, 8) };
        let points = shapes::lattice_ring(&mut dice, directions);
        let outline: Vec<Whole> = points.iter().map(|p| [p.x as i64, p.y as i64]).collect();
        let polygon = Shape::polygon(&points).unwrap();
        let reach = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max) as i32;
        for k in 0..100 {
            let at = whole_ray(&mut dice, &outline, reach + 5);
            let story = format!("polygon {index}, ray {k}: {outline:?}, {at:?}");
            hits += u32::from(expect_first(polygon.at([0.0, 0.0]).unwrap(), &outline, true, true, at, &story));
        }
    }
    println!("{hits} of {rays} hit");
    assert!(u64::from(hits) > rays / 4);
}

/// Tiles side by side: a hollow ray goes on through every seam and leaves where the next cell is empty (P7).
#[test]
fn hollow_rays_leave_the_union_of_tiles() {
    let tile = Shape::rectangle(2.0, 2.0).unwrap();
    let (mut left, mut stayed) = (0, 0);
    for index in 0..run::pairs(20_000).div_ceil(20) {
        let mut dice = Dice::new(14, index);
        let cells: Vec<Whole> = (0..64).map(|i| [i % 8, i / 8]).filter(|_| dice.chance(0.85)).collect();
        if cells.is_empty() {
            continue;
        }
        let at = |c: Whole| Pose::from_translation(float([2 * c[0] + 1, 2 * c[1] + 1])).unwrap();
        let shape = Shape::compound(cells.iter().map(|&c| (tile.clone(), at(c))).collect::<Vec<_>>()).unwrap();
        for k in 0..20 {
            let o = [dice.whole(0, 16), dice.whole(0, 16)].map(i64::from);
            let e = if dice.chance(0.3) {
                [o[0] + i64::from(dice.whole(-9, 9)), o[1]]
            } else {
                [dice.whole(-4, 20), dice.whole(-4, 20)].map(i64::from)
            };
            let story = format!("tiles {index}, ray {k}: {cells:?}, {o:?} to {e:?}");
            let hit = ray_cast(ray(float(o), float(minus(e, o))).hollow(), shape.at([0.0, 0.0]).unwrap());
            let expected = leaves_tiles(&cells, o, e);
            match (hit, expected) {
                (None, None) => stayed += 1,
                (Some(hit), Some(time)) => {
                    assert!((hit.time - time.value()).abs() < 1e-13, "{story}: {hit:?}, not {time:?}");
                    left += 1;
                }
                _ => panic!("{story}: {hit:?}, not {expected:?}"),
            }
        }
    }
    println!("{left} leave, {stayed} stay or miss");
    assert!(left > 1_000 && stayed > 100);
}

/// The time at which a ray from o to e leaves the closed cells of side 2, in whole numbers; of one that starts outside, when it comes to them.
fn leaves_tiles(cells: &[Whole], o: Whole, e: Whole) -> Option<Fraction> {
    let way = minus(e, o);
    let stay = |c: Whole| {
        let (mut enter, mut leave) = (Fraction(0, 1), Fraction(1, 1));
        for axis in 0..2 {
            let (low, high) = (2 * c[axis] - o[axis], 2 * c[axis] + 2 - o[axis]);
            if way[axis] == 0 {
                if low > 0 || high < 0 {
                    return None;
                }
                continue;
            }
            let (first, last) = if way[axis] > 0 { (low, high) } else { (high, low) };
            let (first, last) = (Fraction::new(first, way[axis]), Fraction::new(last, way[axis]));
            enter = if first.compare(enter).is_gt() { first } else { enter };
            leave = if last.compare(leave).is_lt() { last } else { leave };
        }
        enter.compare(leave).is_le().then_some([enter, leave])
    };
    let mut stays: Vec<[Fraction; 2]> = cells.iter().filter_map(|&c| stay(c)).collect();
    stays.sort_by(|s, t| s[0].compare(t[0]));
    let first = stays.first()?;
    if first[0].0 > 0 {
        return Some(first[0]);
    }
    let mut until = Fraction(0, 1);
    for [enter, leave] in stays {
        if enter.compare(until).is_le() && leave.compare(until).is_gt() {
            until = leave;
        }
    }
    let ends_inside = until.0 == until.1 || way == [0, 0];
    // The end is inside the union where all cells that it borders on are there.
    let around = [[0, 0], [-1, 0], [0, -1], [-1, -1]].map(|[dx, dy]| {
        let cell = |v: i64, d: i64| if v % 2 == 0 { v.div_euclid(2) + d } else { v.div_euclid(2) };
        [cell(e[0], dx), cell(e[1], dy)]
    });
    if ends_inside && around.iter().all(|c| cells.contains(c)) { None } else { Some(if way == [0, 0] { Fraction(0, 1) } else { until }) }
}

/// An outline of whole points that does not cross itself: a hill side above a base line, or a star.
fn whole_outline(dice: &mut Dice, count: usize) -> Vec<Whole> {
    if dice.chance(0.5) {
        let hills = (0..count).map(|i| [i as i64 - count as i64 / 2, i64::from(dice.whole(0, 20))]);
        return [[count as i64 / 2 - 1, -5], [-(count as i64) / 2, -5]].into_iter().rev().chain(hills.rev()).rev().collect();
    }
    let star = (0..count).map(|i| {
        let (sin, cos) = libm::sincos(i as f64 * std::f64::consts::TAU / count as f64);
        let reach = dice.between(4.0, 12.0) * (count as f64).clamp(8.0, 200.0);
        [(cos * reach) as i64, (sin * reach) as i64]
    });
    star.collect()
}

/// Concave outlines: the first hit by every edge and the crossing number of the start, and where a hollow ray leaves by every edge too (P7, P9).
#[test]
fn rays_meet_concave_outlines_as_crossing_numbers_say() {
    let (rays, mut hits, mut left) = (run::pairs(20_000), 0, 0);
    for index in 0..rays.div_ceil(100) {
        let mut dice = Dice::new(15, index);
        let count = if index % 20 == 0 { 1_000 } else { dice.count(4, 24) };
        let outline = whole_outline(&mut dice, count);
        let points: Vec<DVec2> = outline.iter().map(|&p| float(p)).collect();
        let Ok(shape) = Shape::concave(&points, &[]) else { continue };
        let reach = outline.iter().flatten().map(|v| v.abs()).max().unwrap() as i32;
        for k in 0..100 {
            let [o, e] = whole_ray(&mut dice, &outline, reach + 3);
            let story = format!("outline {index}, ray {k}: {outline:?}, {o:?} to {e:?}");
            let placed = shape.at([0.0, 0.0]).unwrap();
            hits += u32::from(expect_first(placed, &outline, true, true, [o, e], &story));
            left += u32::from(expect_leave(placed, &outline, [o, e], &story));
        }
    }
    println!("{hits} of {rays} hit, {left} leave");
    assert!(u64::from(hits) > rays / 4 && u64::from(left) > rays / 20);
}

/// Where a ray from inside comes to the outside: between two crossings of the outline it lies inside or outside as a whole, and the middle says which.
fn expect_leave(shape: Placed<'_>, outline: &[Whole], [o, e]: [Whole; 2], story: &str) -> bool {
    let on_edge = |p: Whole| edges(outline).any(|[a, b]| point_on_edge(p, a, b).is_some());
    if o == e || !(on_edge(o) || crossings_are_odd(o, outline)) {
        return false;
    }
    let mut times: Vec<Fraction> = edges(outline)
        .flat_map(|[a, b]| {
            // Along an edge both its ends count.
            let way = minus(e, o);
            let along = |p: Whole| Fraction::new(dot(minus(p, o), way), dot(way, way));
            let flush = cross(minus(b, a), way) == 0 && cross(minus(a, o), way) == 0;
            let ends = [a, b].map(along).into_iter().filter(move |f| flush && 0 <= f.0 && f.0 <= f.1);
            ends.chain(meets_edge(o, e, a, b).filter(|_| !flush))
        })
        .chain([Fraction(0, 1), Fraction(1, 1)])
        .collect();
    times.sort_by(|s, t| s.compare(*t));
    times.dedup_by(|s, t| s.compare(*t).is_eq());
    // The middle of two times, as a point with a denominator: the outline grows by that factor instead.
    let is_in = |s: Fraction, t: Fraction| {
        let (n, d) = (i128::from(s.0) * i128::from(t.1) + i128::from(t.0) * i128::from(s.1), 2 * i128::from(s.1) * i128::from(t.1));
        let p = [0, 1].map(|k| i128::from(o[k]) * d + i128::from(e[k] - o[k]) * n);
        point_in(p, d, outline)
    };
    let gap = times.windows(2).find(|pair| !is_in(pair[0], pair[1])).map(|pair| pair[0]);
    let expected = gap.or_else(|| on_edge(e).then_some(Fraction(1, 1)));
    let ray = ray(float(o), float(minus(e, o))).hollow();
    match (ray_cast(ray, shape), expected) {
        (None, None) => {}
        (Some(hit), Some(time)) => {
            let largest = outline.iter().chain([&o, &e]).flatten().fold(1, |m, v| m.max(v.abs())) as f64;
            let bound = 1e-13 + 8e-15 * largest / hit.normal.dot(float(minus(e, o))).abs();
            assert!((hit.time - time.value()).abs() < bound, "{story}: leaves at {hit:?}, not {time:?}");
            expect_sane(&ray, &hit, story);
        }
        (hit, _) => panic!("{story}: leaves at {hit:?}, not {expected:?}"),
    }
    expected.is_some()
}

/// Is p / d in the outline or on it?
fn point_in(p: [i128; 2], d: i128, outline: &[Whole]) -> bool {
    let mut odd = false;
    for [a, b] in edges(outline) {
        let [a, b] = [a, b].map(|q| q.map(|v| i128::from(v) * d));
        let side = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let between = (a[0] - p[0]) * (b[0] - p[0]) + (a[1] - p[1]) * (b[1] - p[1]) <= 0;
        if side == 0 && between {
            return true;
        }
        let up = a[1] <= p[1] && p[1] < b[1];
        let down = b[1] <= p[1] && p[1] < a[1];
        odd ^= (up && side > 0) || (down && side < 0);
    }
    odd
}

/// Numbers where arithmetic breaks: denormal, huge, and next to each other (P22).
fn odd_number(dice: &mut Dice) -> f64 {
    const ODD: [f64; 10] = [0.0, -0.0, 5e-324, -2.2e-308, 1e-160, 1.0, -1.0, 1e30, -1e30, 5e29];
    match dice.index(3) {
        0 => dice.magnitude(1e-300, 1e30),
        _ => dice.one_of(&ODD),
    }
}

fn odd_shape(dice: &mut Dice) -> Option<Shape> {
    let point = |dice: &mut Dice| [odd_number(dice), odd_number(dice)];
    let (p, q, r) = (point(dice), point(dice), point(dice));
    let size = odd_number(dice).abs();
    let shape = match dice.index(6) {
        0 => Shape::circle(size),
        1 => Shape::capsule(p, q, if dice.chance(0.5) { size } else { 0.0 }),
        2 => Shape::rectangle(size, odd_number(dice).abs()),
        3 => Shape::polygon(&[p, q, r]),
        4 => Shape::chain(&[p, q, r]),
        _ => Shape::concave(&[p, q, r, point(dice), point(dice)], &[]),
    };
    let shape = shape.ok()?;
    if dice.chance(0.2) { shape.rounded(odd_number(dice).abs()).ok() } else { Some(shape) }
}

/// Whatever can be built is answered, with numbers, and whether the ray meets it stays exact.
#[test]
fn odd_numbers_are_answered_exactly() {
    let (mut asked, mut hits) = (0, 0);
    for index in 0..run::pairs(4_000) {
        let mut dice = Dice::new(16, index);
        let Some(shape) = odd_shape(&mut dice) else { continue };
        let place = if dice.chance(0.6) { [0.0, 0.0] } else { [odd_number(&mut dice), odd_number(&mut dice)] };
        let Ok(pose) = Pose::from_degrees(place, f64::from(dice.whole(0, 12)) * 30.0) else { continue };
        let placed = shape.placed(pose);
        let points: Vec<DVec2> = placed.points().collect();
        let end = |dice: &mut Dice| {
            if dice.chance(0.5) { points[dice.index(points.len())].to_array() } else { [odd_number(dice), odd_number(dice)] }
        };
        let (from, to) = (DVec2::from(end(&mut dice)), DVec2::from(end(&mut dice)));
        let Ok(ray) = Ray::new(from, to - from) else { continue };
        let Ok(ray) = ray.with_radius(if dice.chance(0.3) { odd_number(&mut dice).abs() } else { 0.0 }) else { continue };
        let story = format!("index {index}: {shape:?} at {pose:?}, {ray:?}");
        let meets = intersects(capsule(&ray).at([0.0, 0.0]).unwrap(), placed);
        for ray in [ray, ray.hollow()] {
            let hit = ray_cast(ray, placed);
            assert!(hit.is_some() == meets || (ray.is_hollow() && meets), "{story}: {hit:?}");
            if let Some(hit) = hit {
                assert!((0.0..=1.0).contains(&hit.time) && hit.point.is_finite(), "{story}: {hit:?}");
                assert!((hit.normal.length() - 1.0).abs() < 1e-14, "{story}: {hit:?}");
                hits += 1;
            }
        }
        if let Ok(nearest) = placed.closest_boundary_point(from) {
            assert!(
                nearest.point.is_finite() && nearest.distance.is_finite() && (nearest.normal.length() - 1.0).abs() < 1e-14,
                "{story}: {nearest:?}"
            );
            assert_eq!(nearest.distance <= 0.0, placed.contains_point(from).unwrap(), "{story}: {nearest:?}");
        }
        assert!(carom::contains(placed, placed) || shape.radius() > 0.0, "{story}");
        asked += 1;
    }
    println!("{asked} asked, {hits} hits");
    assert!(asked > 1_000 && hits > 1_000);
}

/// The rules on page one, in numbers.
#[test]
fn the_rules_of_starting_inside_and_of_length_zero() {
    let square = Shape::rectangle(2.0, 2.0).unwrap();
    let square = square.at([0.0, 0.0]).unwrap();
    // Features are asked for elsewhere.
    let ray_cast = |ray, placed| ray_cast(ray, placed).map(|hit| RayHit { feature: None, ..hit });
    let cast = |from: [f64; 2], way: [f64; 2]| (ray_cast(ray(from, way), square), ray_cast(ray(from, way).hollow(), square));
    let hit = |time, point: [f64; 2], normal| Some(RayHit { time, point: point.into(), normal, part: 0, feature: None });
    let (back, left, right) = (DVec2::NEG_X, DVec2::NEG_X, DVec2::X);
    // From inside, from the boundary inward and outward, along an edge.
    assert_eq!(cast([0.0, 0.0], [4.0, 0.0]), (hit(0.0, [0.0, 0.0], back), hit(0.25, [1.0, 0.0], left)));
    assert_eq!(cast([-1.0, 0.0], [4.0, 0.0]), (hit(0.0, [-1.0, 0.0], back), hit(0.5, [1.0, 0.0], left)));
    assert_eq!(cast([1.0, 0.0], [4.0, 0.0]), (hit(0.0, [1.0, 0.0], back), hit(0.0, [1.0, 0.0], left)));
    assert_eq!(cast([-3.0, 1.0], [8.0, 0.0]), (hit(0.25, [-1.0, 1.0], left), hit(0.25, [-1.0, 1.0], left)));
    // Ends inside, ends on the boundary.
    assert_eq!(cast([0.0, 0.0], [0.5, 0.0]).1, None);
    assert_eq!(cast([0.0, 0.0], [1.0, 0.0]).1, hit(1.0, [1.0, 0.0], left));
    // Without length.
    assert_eq!(cast([0.0, 0.0], [0.0, 0.0]), (hit(0.0, [0.0, 0.0], back), None));
    assert_eq!(cast([1.0, 0.0], [0.0, 0.0]), (hit(0.0, [1.0, 0.0], back), hit(0.0, [1.0, 0.0], back)));
    assert_eq!(cast([1.0f64.next_up(), 0.0], [0.0, 0.0]), (None, None));
    // A line has no inside: a hollow ray leaves it where it starts.
    let wall = Shape::segment([0.0, -1.0], [0.0, 1.0]).unwrap();
    let wall = wall.at([0.0, 0.0]).unwrap();
    assert_eq!(ray_cast(ray([0.0, 0.0], [2.0, 0.0]).hollow(), wall), hit(0.0, [0.0, 0.0], left));
    assert_eq!(ray_cast(ray([4.0, 0.5], [-8.0, 0.0]), wall), hit(0.5, [0.0, 0.5], right));
    assert_eq!(ray_cast(ray([0.0, 3.0], [0.0, -4.0]), wall), hit(0.5, [0.0, 1.0], DVec2::Y));
    // Beyond the range.
    assert!(Ray::new([1e30, 0.0], [1e30, 0.0]).is_err() && ray([0.0, 0.0], [1.0, 0.0]).with_radius(-1.0).is_err());
}

/// A graze of a vertex is the same from both sides, in both directions, and a circle cast meets what its capsule does (P8).
#[test]
fn grazes_are_decided_the_same_way_from_both_sides() {
    for index in 0..run::pairs(4_000) {
        let mut dice = Dice::new(17, index);
        let shape = shapes::any(&mut dice, 1.0).build().unwrap();
        let placed = shape.placed(Pose::new(dice.in_disk(10.0), dice.angle()).unwrap());
        let points: Vec<DVec2> = placed.points().collect();
        let (vertex, way) = (points[dice.index(points.len())], dice.direction());
        let (from, to) = (vertex - way, vertex + way);
        let there = ray(from, to - from);
        let back = ray(there.end(), from - there.end());
        if back.end() == there.origin() {
            assert_eq!(ray_cast(there, placed).is_some(), ray_cast(back, placed).is_some(), "index {index}: {shape:?}, {there:?}");
        }
    }
}

/// An edge that is shorter than the numbers are apart where it stands is a corner: its strip has no width, and must not be taken for an endless one.
#[test]
fn edges_whose_ends_round_to_one_place_are_corners() {
    let crumbs = [
        Shape::rectangle(1e-17, 1e-17).unwrap(),
        Shape::polygon(&[[0.0, 0.0], [1e-17, 0.0], [0.0, 1e-17]]).unwrap(),
        Shape::segment([0.0, 0.0], [1e-17, 3e-18]).unwrap(),
        Shape::chain(&[[0.0, 0.0], [1e-17, 0.0], [0.0, 1e-17]]).unwrap(),
    ];
    for crumb in &crumbs {
        let placed = crumb.at([1.0, 1.0]).unwrap();
        assert!(placed.points().all(|p| p == DVec2::ONE));
        // A circle of radius 1 that passes half a unit above: its centre is at 1 − √(3/4) when it comes there, not at 0.
        let cast = ray([-4.0, 1.5], [8.0, 0.0]).with_radius(1.0).unwrap();
        let hit = ray_cast(cast, placed).unwrap();
        assert!((hit.time - (5.0 - 0.75_f64.sqrt()) / 8.0).abs() < 1e-15, "{crumb:?}: {hit:?}");
        assert!(hit.point.distance(DVec2::ONE) < 1e-14, "{crumb:?}: {hit:?}");
        // From inside it leaves at 1 + √(3/4).
        let leaving = ray([1.0, 1.5], [8.0, 0.0]).with_radius(1.0).unwrap().hollow();
        let hit = ray_cast(leaving, placed).unwrap();
        assert!((hit.time - 0.75_f64.sqrt() / 8.0).abs() < 1e-15, "{crumb:?}: {hit:?}");
    }
}

/// Shapes so small that their squares underflow are met when larger ones are: all lengths are the same powers of two smaller.
#[test]
fn rays_meet_tiny_round_shapes_when_they_meet_large_ones() {
    let mut met = 0;
    for power in [-400, -500, -600, -700, -800, -900] {
        let scale = 2.0_f64.powi(power);
        let shapes = |scale: f64| {
            [
                Shape::circle(scale).unwrap(),
                Shape::capsule([-scale, 0.0], [scale, 0.5 * scale], 0.5 * scale).unwrap(),
                Shape::rectangle(scale, scale).unwrap().rounded(0.5 * scale).unwrap(),
                Shape::polygon(&[[-scale, 0.0], [scale, -scale], [0.0, scale]]).unwrap().rounded(0.25 * scale).unwrap(),
            ]
        };
        for (large, tiny) in shapes(1.0).iter().zip(&shapes(scale)) {
            for y in [0.0, 0.25, 0.5, 0.75, 0.875] {
                for (from, radius) in [([-4.0, y], 0.0), ([-4.0, y], 0.5), ([-4.0, y + 0.25], 0.25), ([0.0, 0.0], 0.125)] {
                    let cast = |shape: &Shape, scale: f64| {
                        let ray = ray(DVec2::from(from) * scale, DVec2::new(8.0, 0.25) * scale).with_radius(radius * scale).unwrap();
                        [ray, ray.hollow()].map(|ray| ray_cast(ray, shape.at([0.0, 0.0]).unwrap()))
                    };
                    for (hit, expected) in cast(tiny, scale).iter().zip(cast(large, 1.0)) {
                        let (Some(hit), Some(expected)) = (hit, expected) else {
                            assert!(hit.is_none() && expected.is_none(), "2^{power} {tiny:?} {from:?} {radius}: {hit:?} {expected:?}");
                            continue;
                        };
                        met += 1;
                        assert!((hit.time - expected.time).abs() < 1e-12, "2^{power} {tiny:?} {from:?} {radius}: {hit:?}, {expected:?}");
                        assert!(hit.normal.distance(expected.normal) < 1e-6, "2^{power} {tiny:?} {from:?} {radius}: {hit:?}, {expected:?}");
                    }
                }
            }
        }
    }
    assert!(met > 500, "{met}");
}
