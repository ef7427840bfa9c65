//! A shape that slides over flush neighbours feels one smooth surface (P17), and nothing that is real is smoothed away.

use carom::{
    DVec2, FLUSH, Manifold, Mask, Placed, Pose, Shape, SurfaceContact, collide, manifolds, manifolds_within, overlaps, slide_contacts,
    smooth_seams,
};

mod support;

const NO_HOLES: [[[f64; 2]; 3]; 0] = [];
/// The width of a tile: a tenth, so that hardly any seam is a number that floating point has.
const TILE: f64 = 0.1;
const TILES: i32 = 1_000;

/// Where the scene lies: it is built around the origin, with the surface at y = 0.
#[derive(Clone, Copy, Debug)]
struct World {
    origin: DVec2,
    angle: f64,
}

const HERE: World = World { origin: DVec2::ZERO, angle: 0.0 };

impl World {
    fn pose(&self, at: DVec2, angle: f64) -> Pose {
        Pose::new(Pose::new(self.origin, self.angle).unwrap().apply(at), self.angle + angle).unwrap()
    }

    fn up(&self) -> DVec2 {
        DVec2::from_angle(self.angle).perp()
    }

    /// The place in the scene's own frame.
    fn local(&self, p: DVec2) -> DVec2 {
        DVec2::from_angle(-self.angle).rotate(p - self.origin)
    }

    /// What rounding does to a coordinate.
    fn rounding(&self) -> f64 {
        32.0 * f64::EPSILON * (self.origin.abs().max_element() + 100.0)
    }
}

/// Flat ground from x = 0 to 100, its top at y = 0.
struct Ground {
    name: &'static str,
    shapes: Vec<(Shape, Pose)>,
}

fn square(height: f64) -> Shape {
    Shape::rectangle(TILE, height).unwrap()
}

fn seam(i: i32) -> f64 {
    f64::from(i) * TILE
}

/// Where the middle of a tile lies whose top is at y = 0.
fn tile_at(i: i32, height: f64) -> DVec2 {
    DVec2::new((f64::from(i) + 0.5) * TILE, -height / 2.0)
}

fn row(points: impl Iterator<Item = i32>) -> Vec<[f64; 2]> {
    points.map(|i| [seam(i), 0.0]).collect()
}

/// Every kind of ground; each has a seam at every tenth.
fn grounds(world: World) -> Vec<Ground> {
    let one = |name, shape: Shape| Ground { name, shapes: vec![(shape, world.pose(DVec2::ZERO, 0.0))] };
    let tiles =
        |name, height: f64| Ground { name, shapes: (0..TILES).map(|i| (square(height), world.pose(tile_at(i, height), 0.0))).collect() };
    let compound = (0..TILES).map(|i| (square(0.4), Pose::from_translation(tile_at(i, 0.4)).unwrap()));
    // Teeth below make it concave: its parts meet the top in edges and in single corners.
    let teeth = (0..TILES).flat_map(|i| [[seam(i), -0.9], [seam(i) + TILE / 2.0, -0.4]]);
    let comb: Vec<[f64; 2]> = teeth.chain([[seam(TILES), -0.9]]).chain(row((0..=TILES).rev())).collect();
    let mask = Mask::from_fn(TILES as u32, 8, |x, y| y > 4 || x % 2 == 0).unwrap();
    let mask = Shape::mask(mask).unwrap().scaled(TILE, TILE).unwrap();
    let bricks = (0..TILES).flat_map(|i| {
        [(0, 0.0), (1, TILE / 2.0)].map(|(layer, shift)| {
            let at = tile_at(i, TILE) + DVec2::new(shift, -TILE * f64::from(layer));
            (square(TILE), world.pose(at, 0.0))
        })
    });
    vec![
        tiles("tall tiles", 0.4),
        tiles("square tiles", TILE),
        Ground { name: "bricks in two layers", shapes: bricks.collect() },
        one("compound", Shape::compound(compound.collect::<Vec<_>>()).unwrap()),
        one("concave polygon", Shape::concave(&comb, &NO_HOLES).unwrap()),
        Ground { name: "mask", shapes: vec![(mask, world.pose(DVec2::new(0.0, -8.0 * TILE), 0.0))] },
        one("chain", Shape::chain(&row(0..=TILES)).unwrap()),
        one("chain, the other way", Shape::chain(&row((0..=TILES).rev())).unwrap()),
        one("one-sided chain", Shape::chain(&row((0..=TILES).rev())).unwrap().one_sided().unwrap()),
        Ground {
            name: "segments",
            shapes: (0..TILES)
                .map(|i| (Shape::segment([seam(i), 0.0], [seam(i + 1), 0.0]).unwrap(), world.pose(DVec2::ZERO, 0.0)))
                .collect(),
        },
    ]
}

/// Movers of about this size, with the angles at which they slide.
fn movers(size: f64) -> Vec<(&'static str, Shape, f64)> {
    let half = size / 2.0;
    let square = Shape::rectangle(size, size).unwrap();
    let capsule = Shape::capsule([-half, 0.0], [half, 0.0], size / 4.0).unwrap();
    let kite = Shape::polygon(&[[0.0, -half], [half, 0.0], [0.0, half], [-half, 0.0]]).unwrap();
    let five: Vec<DVec2> = (0..5).map(|i| DVec2::from_angle(f64::from(i) * 1.2566) * half).collect();
    let five = Shape::polygon(&five).unwrap();
    vec![
        ("box", square.clone(), 0.0),
        ("box, 1e-5 rad", square.clone(), 1e-5),
        ("box, 0.01 rad", square.clone(), 0.01),
        ("box, 0.5 rad", square.clone(), -0.5),
        ("rounded box, 0.2 rad", square.rounded(size / 8.0).unwrap(), 0.2),
        ("circle", Shape::circle(half).unwrap(), 0.0),
        ("capsule", capsule.clone(), 0.0),
        ("capsule, upright", capsule.clone(), std::f64::consts::FRAC_PI_2),
        ("capsule, 0.3 rad", capsule, 0.3),
        ("kite on its corner", kite, 0.0),
        ("pentagon", five.clone(), 0.1),
        ("pentagon on its corner", five, 0.3142),
    ]
}

/// How far the shape reaches below its origin where it is turned by an angle.
fn below(shape: &Shape, angle: f64) -> f64 {
    let lowest = shape.placed(Pose::new([0.0, 0.0], angle).unwrap()).points().map(|p| p.y).fold(f64::INFINITY, f64::min);
    shape.radius() - lowest
}

/// The shapes that a broad phase would find.
fn near<'a>(world: World, ground: &'a Ground, mover: Placed<'_>) -> Vec<Placed<'a>> {
    let (count, bounds) = (ground.shapes.len(), mover.aabb());
    let per_tile = count as f64 / f64::from(TILES) / TILE;
    let (middle, reach) = (world.local(bounds.center()).x, bounds.size().length());
    let at = |x: f64| if count == 1 { 0 } else { ((x * per_tile).max(0.0) as usize).min(count) };
    let range = at(middle - reach - TILE)..at(middle + reach + TILE).max(1);
    ground.shapes[range].iter().map(|(shape, pose)| shape.placed(*pose)).collect()
}

fn slide(mover: Placed<'_>, surface: &[Placed<'_>]) -> Vec<Manifold> {
    let mut contacts = Vec::new();
    slide_contacts(mover, surface, 0.0, &mut contacts);
    contacts.into_iter().map(|contact| contact.manifold).collect()
}

/// What is wrong with the contacts of a mover that is this deep in flat ground.
fn wrong(world: World, mover: Placed<'_>, surface: &[Placed<'_>], size: f64, depth: f64) -> Option<String> {
    let (up, contacts) = (world.up(), slide(mover, surface));
    let bound = 1e-9 * size + world.rounding();
    let Some(deepest) = contacts.iter().map(|m| m.depth).reduce(f64::max) else { return Some("no contact".into()) };
    if (deepest - depth).abs() > bound {
        return Some(format!("the deepest is {deepest:e}, not {depth:e}: {contacts:?}"));
    }
    for m in &contacts {
        if (m.normal - up).length() > 1e-4 {
            return Some(format!("normal {} at {:?}", m.normal, m.points()));
        }
        for p in m.points() {
            let (on_a, on_b) = (world.local(p.on_a).y, world.local(p.on_b).y);
            // A corner that the normal may miss by a millionth of its size.
            if on_a.abs() > bound || (on_b + p.depth).abs() > bound + 1e-6 * size || p.depth > m.depth {
                return Some(format!("heights {on_a:e} and {on_b:e} of a point {:e} deep of {m:?}", p.depth));
            }
        }
    }
    let out = Pose::from_cos_sin(mover.pose().translation() + up * deepest, mover.pose().cos(), mover.pose().sin()).unwrap();
    let out = mover.shape().placed(out);
    let left = surface.iter().filter_map(|&s| collide(s, out)).map(|m| m.depth).fold(0.0, f64::max);
    (left > bound).then(|| format!("still {left:e} deep when moved out by {deepest:e}"))
}

/// Slides every mover over every ground; how many places there were.
fn slide_all(world: World, sizes: &[f64], seams: &[i32], depths: &[f64]) -> usize {
    let (mut failures, mut places) = (Vec::new(), 0);
    for ground in &grounds(world) {
        for &size in sizes {
            for (name, shape, angle) in movers(size) {
                for &i in seams {
                    for &depth in depths {
                        // A few are at the seam itself, and a rounding error and a millionth away from it; the others all over a tile, on both sides.
                        for step in -10..10 {
                            let offset = match step {
                                -2 => -1e-12,
                                -1 => -1e-7 * size,
                                0 => 0.0,
                                1 => 1e-12,
                                2 => 1e-7 * size,
                                step => f64::from(step) / 20.0 * TILE,
                            };
                            // Corners pass the seam as well as the middle.
                            for shift in [0.0, size / 2.0] {
                                let at = DVec2::new(seam(i) + offset + shift, below(&shape, angle) - depth * size);
                                let mover = shape.placed(world.pose(at, angle));
                                places += 1;
                                if let Some(what) = wrong(world, mover, &near(world, ground, mover), size, depth * size) {
                                    failures.push(format!(
                                        "{} of {size} on {}, seam {i} {offset:+e} {shift:+e}, {depth} deep: {what}",
                                        name, ground.name
                                    ));
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{world:?}: {} of {places} places, such as\n{}", failures.len(), summary(&failures));
    places
}

fn summary(failures: &[String]) -> String {
    let step = failures.len().div_ceil(12);
    failures.iter().step_by(step).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Some of the seams; all where the environment asks for many pairs.
fn some(seams: &[i32]) -> &[i32] {
    if support::run::from_environment("CAROM_PAIRS").is_some() { seams } else { &seams[..1] }
}

const DEPTHS: [f64; 5] = [1e-9, 1e-5, 1e-3, 0.03, 0.2];

#[test]
fn flat_ground_is_smooth() {
    let places = slide_all(HERE, &[0.03, 0.3], some(&[731, 500, 233, 964]), &DEPTHS);
    assert!(places > 40_000, "{places}");
}

#[test]
fn flat_ground_is_smooth_for_movers_of_many_tiles() {
    slide_all(HERE, &[1.0], some(&[333, 902]), &[1e-9, 1e-3, 0.2]);
}

#[test]
fn flat_ground_is_smooth_at_any_angle() {
    for angle in [0.3, 2.0, -1.234, 3.0] {
        slide_all(World { origin: DVec2::ZERO, angle }, &[0.3], some(&[617, 101]), &[1e-5, 0.2]);
    }
}

#[test]
fn flat_ground_is_smooth_far_from_the_origin() {
    for angle in [0.0, 0.7] {
        slide_all(World { origin: DVec2::new(1e6, -1e6), angle }, &[0.03, 0.3], some(&[617, 101]), &[1e-5, 0.2]);
    }
}

/// Gravity, and moved out by depth along the normals: over a thousand tiles the height stays, in both directions.
#[test]
fn nothing_bumps_on_the_way_over_a_thousand_tiles() {
    for ground in &grounds(HERE) {
        for (name, shape, angle) in movers(0.3) {
            for direction in [1.0, -1.0] {
                let (dt, gravity) = (1.0 / 60.0, DVec2::new(0.0, -10.0));
                let rest = below(&shape, angle);
                let mut at = DVec2::new(if direction > 0.0 { 0.5 } else { 99.5 }, rest);
                let mut velocity = DVec2::new(7.0 * direction, 0.0);
                let mut steps = 0;
                while (0.5..=99.5).contains(&at.x) {
                    velocity += gravity * dt;
                    at += velocity * dt;
                    let mover = shape.placed(Pose::new(at, angle).unwrap());
                    let contacts = slide(mover, &near(HERE, ground, mover));
                    for m in &contacts {
                        velocity -= m.normal * velocity.dot(m.normal).min(0.0);
                    }
                    let deepest = contacts.iter().max_by(|p, q| p.depth.total_cmp(&q.depth));
                    at += deepest.unwrap_or_else(|| panic!("{name} fell through {} at {at}", ground.name)).mtv();
                    let calm = velocity.y.abs() < 1e-6 && (velocity.x - 7.0 * direction).abs() < 1e-6 && (at.y - rest).abs() < 1e-6;
                    assert!(calm, "{name} on {} at {at}, velocity {velocity}: {contacts:?}", ground.name);
                    steps += 1;
                }
                assert!(steps > 800, "{steps}");
            }
        }
    }
}

/// Without the function there are bumps at these seams: else the tests above would show nothing.
#[test]
fn single_pairs_do_bump() {
    let mut bumps = 0;
    for ground in &grounds(HERE) {
        for (_, shape, angle) in movers(0.3) {
            for step in -10..10 {
                let at = DVec2::new(seam(500) + f64::from(step) / 20.0 * TILE, below(&shape, angle) - 0.03);
                let mover = shape.placed(HERE.pose(at, angle));
                let mut raw = Vec::new();
                near(HERE, ground, mover).into_iter().for_each(|s| manifolds(s, mover, &mut raw));
                bumps += usize::from(raw.iter().any(|m| m.normal.y < 0.999));
            }
        }
    }
    assert!(bumps > 1_000, "{bumps} of 2400 places");
}

/// All thousand tiles in the list, in any order, give what the near ones give.
#[test]
fn the_order_and_the_far_ones_change_nothing() {
    let ground = &grounds(HERE)[0];
    let mut rng = fastrand::Rng::with_seed(5);
    for (name, shape, angle) in movers(0.3) {
        let mover = shape.placed(HERE.pose(DVec2::new(50.013, below(&shape, angle) - 0.02), angle));
        let key = |m: &Manifold| (m.points()[0].on_a.x, m.depth, m.normal.x);
        let sorted = |mut list: Vec<Manifold>| {
            list.sort_by(|p, q| key(p).partial_cmp(&key(q)).unwrap());
            list
        };
        let expected = sorted(slide(mover, &near(HERE, ground, mover)));
        let mut all: Vec<Placed<'_>> = ground.shapes.iter().map(|(shape, pose)| shape.placed(*pose)).collect();
        rng.shuffle(&mut all);
        assert_eq!(sorted(slide(mover, &all)), expected, "{name}");
    }
}

/// Rectangles cut into rectangles, T-junctions and all, as separate colliders: their contacts are those of the whole, at its corners too.
#[test]
fn pieces_of_a_rectangle_are_the_rectangle() {
    let (mut meetings, mut ghosts) = (0, 0);
    for seed in support::run::seed()..support::run::seed() + support::run::pairs(3_000) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut pieces = vec![[DVec2::new(-3.0, -2.0), DVec2::new(3.0, 2.0)]];
        for _ in 0..rng.usize(1..12) {
            let (i, axis, part) = (rng.usize(0..pieces.len()), rng.usize(0..2), 0.3 + 0.4 * rng.f64());
            let [low, high] = pieces[i];
            if high[axis] - low[axis] > 1.0 {
                let (mut end, mut start) = (high, low);
                end[axis] = low[axis] + (high[axis] - low[axis]) * part;
                start[axis] = end[axis];
                pieces[i] = [low, end];
                pieces.push([start, high]);
            }
        }
        let outline = |[low, high]: [DVec2; 2]| Shape::polygon(&[low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]).unwrap();
        let (whole, parts) =
            (outline([DVec2::new(-3.0, -2.0), DVec2::new(3.0, 2.0)]), pieces.iter().map(|&p| outline(p)).collect::<Vec<_>>());
        let world = Pose::new([rng.f64() * 50.0, rng.f64() * 50.0], rng.f64() * 7.0).unwrap();
        let surface: Vec<Placed<'_>> = parts.iter().map(|p| p.placed(world)).collect();
        let size = 0.2 + 2.0 * rng.f64();
        let (name, shape, _) = movers(size).swap_remove(rng.usize(0..12));
        let angle = if rng.bool() { 0.0 } else { rng.f64() * 7.0 };
        let edge = [DVec2::new(3.0, 4.0 * rng.f64() - 2.0), DVec2::new(6.0 * rng.f64() - 3.0, 2.0)][rng.usize(0..2)];
        let toward = if edge.x == 3.0 { DVec2::X } else { DVec2::Y };
        let turn = toward.to_angle() - std::f64::consts::FRAC_PI_2;
        let at = edge + toward * (below(&shape, angle) - 0.2 * size * rng.f64() * rng.f64());
        let mover = shape.placed(Pose::new(world.apply(at), angle + turn + world.angle()).unwrap());
        let (Some(truth), contacts) = (collide(whole.placed(world), mover), slide(mover, &surface)) else { continue };
        meetings += 1;
        ghosts += usize::from(surface.iter().filter_map(|&s| collide(s, mover)).any(|m| m.normal.dot(truth.normal) < 0.999));
        let deepest = contacts.iter().map(|m| m.depth).fold(f64::NEG_INFINITY, f64::max);
        assert!((deepest - truth.depth).abs() < 1e-9, "seed {seed}, {name}: {deepest} not {}", truth.depth);
        for m in &contacts {
            // Its deepest place is on the outline of the whole, which lies behind the normal there.
            let height = whole.placed(world).points().map(|p| m.normal.dot(p - m.points()[0].on_a)).fold(f64::NEG_INFINITY, f64::max);
            assert!(height < 1e-6 * size, "seed {seed}, {name}: the rectangle reaches {height} beyond {m:?}");
        }
    }
    assert!(meetings > 2_000 && ghosts * 30 > meetings, "{ghosts} of {meetings}");
}

/// The points of a gentle arc; it bulges up for a positive sagitta.
fn arc(points: i32, bulge: f64) -> Vec<DVec2> {
    (-points..=points).map(|i| f64::from(i) / 10.0).map(|x| DVec2::new(x, -bulge * x * x)).collect()
}

/// Is the normal one of the polyline at its point, seen from above (or below)? Of a convex corner all between those of both sides, of a concave one theirs.
fn is_of_polyline(points: &[DVec2], m: &Manifold, side: f64) -> bool {
    let normal = |i: usize| (points[i + 1] - points[i]).normalize().perp() * side;
    let on = m.points()[0].on_a;
    let same = |n: DVec2| (n - m.normal).length() < 1e-4;
    (0..points.len() - 1).any(|i| {
        let (p, q) = (points[i], points[i + 1]);
        let along = (on - p).dot(q - p) / (q - p).length_squared();
        let is_on = normal(i).dot(on - p).abs() < 1e-9 && (-1e-9..=1.0 + 1e-9).contains(&along);
        let at_corner = i > 0 && (on - p).length() < 1e-9 && {
            let (before, after) = (normal(i - 1), normal(i));
            let convex = before.perp_dot(after) * side < 0.0;
            convex && m.normal.perp_dot(before) * side >= -1e-9 && after.perp_dot(m.normal) * side >= -1e-9
        };
        (is_on && same(normal(i))) || at_corner
    })
}

/// Chains that bend gently, from both sides: every normal is one of the polyline there, circles are as deep as they are, nothing is left overlapping.
#[test]
fn bent_chains_are_smooth_from_both_sides() {
    let mut failures = Vec::new();
    let (mut places, steps) = (0, support::run::pairs(50) as i32);
    for bulge in [0.05, -0.05, 0.002, -0.002] {
        let points = arc(100, bulge);
        let chain = Shape::chain(&points).unwrap();
        let chain = chain.at([0.0, 0.0]).unwrap();
        for side in [1.0, -1.0] {
            for (name, shape, angle) in movers(0.3).into_iter().chain(movers(0.06)) {
                for step in 0..steps {
                    for depth in [1e-7, 1e-4, 0.01, 0.06] {
                        // From below the scene is seen upside down.
                        let x = 2.0 + f64::from(step % 500) * 0.0137;
                        let (slope, turn) = (-2.0 * bulge * x, if side > 0.0 { 0.0 } else { std::f64::consts::PI });
                        let turn = turn + slope.atan() + angle;
                        let out = DVec2::new(-slope, 1.0).normalize() * side;
                        let depth = depth * shape.aabb_size();
                        let at = DVec2::new(x, -bulge * x * x) + out * (below(&shape, angle) - depth);
                        let mover = shape.placed(Pose::new(at, turn).unwrap());
                        if !overlaps(chain, mover) {
                            continue;
                        }
                        places += 1;
                        let contacts = slide(mover, &[chain]);
                        let deepest = contacts.iter().map(|m| m.depth).fold(f64::NEG_INFINITY, f64::max);
                        let is_round = name == "circle";
                        let distance = points.windows(2).map(|w| {
                            let t = ((at - w[0]).dot(w[1] - w[0]) / (w[1] - w[0]).length_squared()).clamp(0.0, 1.0);
                            (at - w[0].lerp(w[1], t)).length()
                        });
                        let truth = shape.radius() - distance.fold(f64::INFINITY, f64::min);
                        let right = contacts.iter().all(|m| is_of_polyline(&points, m, side)) && !contacts.is_empty();
                        if !right || (is_round && (deepest - truth).abs() > 1e-12) {
                            failures.push(format!("{name}, bulge {bulge}, side {side}, x {x}, depth {depth:e} ({truth}): {contacts:?}"));
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {places}, such as\n{}", failures.len(), summary(&failures));
    assert!(places > 20_000, "{places}");
}

trait Size {
    fn aabb_size(&self) -> f64;
}

impl Size for Shape {
    fn aabb_size(&self) -> f64 {
        self.placed(Pose::IDENTITY).aabb().size().max_element()
    }
}

/// The contacts with shapes at places, each named by the number of its shape.
fn contacts_with(mover: (&Shape, DVec2), surface: &[(&Shape, DVec2)]) -> Vec<(usize, Manifold)> {
    let placed: Vec<Placed<'_>> = surface.iter().map(|(shape, at)| shape.at(*at).unwrap()).collect();
    let mut contacts = Vec::new();
    slide_contacts(mover.0.at(mover.1).unwrap(), &placed, 0.0, &mut contacts);
    contacts.into_iter().map(|c| (c.surface, c.manifold)).collect()
}

fn normals(contacts: &[(usize, Manifold)]) -> Vec<(usize, DVec2)> {
    contacts.iter().map(|(i, m)| (*i, m.normal)).collect()
}

/// A floor and a wall of tiles meet: both are felt, and the tile in the corner is not.
#[test]
fn walls_stay_walls() {
    let tile = Shape::rectangle(1.0, 1.0).unwrap();
    let at = |x: f64, y: f64| (&tile, DVec2::new(x, y));
    // Floor under the wall too; the corner is at (2, 0).
    let surface = [at(0.5, -0.5), at(1.5, -0.5), at(2.5, -0.5), at(2.5, 0.5), at(2.5, 1.5)];
    for (name, shape, angle) in movers(0.8) {
        let turned = Pose::new([0.0, 0.0], angle).unwrap();
        let right = shape.placed(turned).points().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max) + shape.radius();
        for (into_floor, into_wall) in [(0.05, 0.02), (0.02, 0.05), (1e-4, 0.1), (0.1, 1e-4)] {
            let start = DVec2::new(2.0 - right + into_wall, below(&shape, angle) - into_floor);
            let placed: Vec<Placed<'_>> = surface.iter().map(|(s, at)| s.at(*at).unwrap()).collect();
            let (mut at, mut pushes) = (start, Vec::new());
            for _ in 0..6 {
                let found = slide(shape.placed(Pose::new(at, angle).unwrap()), &placed);
                let is_true = |n: DVec2| (n - DVec2::Y).length() < 1e-9 || (n - DVec2::NEG_X).length() < 1e-9;
                assert!(found.iter().all(|m| is_true(m.normal)), "{name}, {into_floor} and {into_wall} deep: {found:?}");
                at += found.iter().max_by(|p, q| p.depth.total_cmp(&q.depth)).map_or(DVec2::ZERO, Manifold::mtv);
                pushes.push(found);
            }
            // Pushed out of both, and no farther.
            let wanted = DVec2::new(-into_wall, into_floor);
            assert!((at - start - wanted).length() < 1e-9, "{name}: moved by {}, not {wanted}: {pushes:?}", at - start);
            let first: Vec<DVec2> = pushes[0].iter().map(|m| m.normal).collect();
            assert!(angle != 0.0 || (first.contains(&DVec2::Y) && first.contains(&DVec2::NEG_X)), "{name}: {first:?}");
        }
    }
}

/// A step of a thousandth stops a box; one of a tenth of what is flush does not, and neither does a gap of that width.
#[test]
fn steps_and_gaps_are_real_unless_they_are_flush() {
    let (tile, crate_) = (Shape::rectangle(1.0, 1.0).unwrap(), Shape::rectangle(0.8, 0.8).unwrap());
    let stops = |step: f64, gap: f64| {
        // The seam is at x = 0.5; the box has passed it by 0.01.
        let found = contacts_with(
            (&crate_, DVec2::new(0.11, 0.38)),
            &[(&tile, DVec2::new(0.0, -0.5)), (&tile, DVec2::new(1.0 + gap, -0.5 + step))],
        );
        assert!(found.iter().any(|(i, m)| *i == 0 && m.normal == DVec2::Y), "{found:?}");
        found.iter().any(|(i, m)| *i == 1 && m.normal == DVec2::NEG_X)
    };
    for step in [1e-3, 1e-4, 1e-5] {
        assert!(stops(step, 0.0), "a step up of {step}");
        assert!(!stops(-step, 0.0), "a step down of {step}");
    }
    for small in [0.0, 1e-7, -1e-7, 1e-12] {
        assert!(!stops(small, 0.0) && !stops(0.0, small), "{small}");
    }
    for gap in [1e-3, 1e-5] {
        assert!(stops(0.0, gap), "a gap of {gap}");
    }
}

/// Over the end of the row: a ball rolls around the corner, a box leaves to the side.
#[test]
fn the_end_of_a_row_is_an_end() {
    let tile = Shape::rectangle(1.0, 1.0).unwrap();
    let row: Vec<(&Shape, DVec2)> = (0..5).map(|i| (&tile, DVec2::new(f64::from(i) - 4.5, -0.5))).collect();
    let ball = Shape::circle(0.5).unwrap();
    for angle in [0.1_f64, 0.7, 1.3] {
        let out = DVec2::new(angle.sin(), angle.cos());
        let found = contacts_with((&ball, out * 0.45), &row);
        let [(4, m)] = found[..] else { panic!("{found:?}") };
        assert!((m.normal - out).length() < 1e-12 && (m.depth - 0.05).abs() < 1e-12, "{m:?}");
        assert_eq!(m.points()[0].on_a, DVec2::ZERO);
    }
    // A bar that reaches a little into the last tile and lies deep beside it.
    let bar = Shape::rectangle(0.2, 2.0).unwrap();
    let found = contacts_with((&bar, DVec2::new(0.07, 0.5)), &row);
    assert_eq!(normals(&found), [(4, DVec2::X)]);
    assert!((found[0].1.depth - 0.03).abs() < 1e-12);
}

/// Two slopes that meet in a ridge: what lies on the ridge has a normal between theirs.
#[test]
fn a_ridge_keeps_its_cone() {
    let (left, right) = (DVec2::new(-0.3, 1.0).normalize(), DVec2::new(0.5, 1.0).normalize());
    let roof = [[-4.0, -1.2], [0.0, 0.0], [4.0, -2.0]];
    let halves = [
        Shape::polygon(&[[-4.0, -1.2], [-4.0, -3.0], [0.0, -3.0], [0.0, 0.0]]).unwrap(),
        Shape::polygon(&[[0.0, 0.0], [0.0, -3.0], [4.0, -3.0], [4.0, -2.0]]).unwrap(),
    ];
    let chain = Shape::chain(&roof).unwrap();
    let (ball, plank) = (Shape::circle(0.5).unwrap(), Shape::rectangle(2.0, 0.2).unwrap());
    let solids: Vec<Placed<'_>> = halves.iter().map(|h| h.at([0.0, 0.0]).unwrap()).collect();
    for surface in [&solids[..], &[chain.at([0.0, 0.0]).unwrap()]] {
        for step in 0..=20 {
            let direction = left.lerp(right, f64::from(step) / 20.0).normalize();
            let plank = plank.placed(Pose::new(direction * 0.08, direction.to_angle() - std::f64::consts::FRAC_PI_2).unwrap());
            for (mover, depth) in [(ball.at(direction * 0.47).unwrap(), 0.03), (plank, 0.02)] {
                let found = slide(mover, surface);
                assert!(found.iter().any(|m| (m.normal - direction).length() < 1e-9), "{direction}: {found:?}");
                let is_between = |n: DVec2| n.perp_dot(left) > -1e-9 && right.perp_dot(n) > -1e-9;
                assert!(found.iter().all(|m| is_between(m.normal) && m.depth <= depth + 1e-9), "{direction}: {found:?}");
            }
        }
    }
}

/// Near misses are smoothed too: a ball that hovers beside a seam has the tile below it, not the corner of the next.
#[test]
fn near_misses_have_no_ghosts() {
    let tile = Shape::rectangle(1.0, 1.0).unwrap();
    let surface = [tile.at([0.0, -0.5]).unwrap(), tile.at([1.0, -0.5]).unwrap()];
    for (name, shape, angle) in movers(0.8) {
        for x in [0.05, 0.3, 0.45, 0.5, 0.5001, 0.52, 0.9] {
            let mover = shape.placed(Pose::new([x, below(&shape, angle) + 0.01], angle).unwrap());
            let mut found = Vec::new();
            slide_contacts(mover, &surface, 0.1, &mut found);
            let nearest = found.iter().map(|c| c.manifold.depth).fold(f64::NEG_INFINITY, f64::max);
            assert!((nearest + 0.01).abs() < 1e-12, "{name} at {x}: {found:?}");
            assert!(found.iter().all(|c| (c.manifold.normal - DVec2::Y).length() < 1e-9), "{name} at {x}: {found:?}");
        }
    }
}

/// The seams of the mover count as well: what stands up under the middle of a sledge of two blocks is no wall between them.
#[test]
fn movers_of_many_parts_are_one() {
    let block = Shape::rectangle(1.0, 1.0).unwrap();
    let children = [-0.5, 0.5].map(|x| (block.clone(), Pose::from_translation([x, 0.5]).unwrap()));
    let sledge = Shape::compound(children).unwrap();
    let post = Shape::rectangle(0.1, 1.0).unwrap();
    let mover = sledge.at([0.0, -0.1]).unwrap();
    for x in [-0.06, -0.04, 0.0, 0.03, 0.2] {
        let post = post.at([x, -0.5]).unwrap();
        let found = slide(mover, &[post]);
        assert!(!found.is_empty() && found.iter().all(|m| m.normal == DVec2::Y && (m.depth - 0.1).abs() < 1e-12), "{x}: {found:?}");
    }
    let mut raw = Vec::new();
    manifolds(post.at([-0.04, -0.5]).unwrap(), mover, &mut raw);
    assert!(raw.iter().any(|m| m.normal.x != 0.0), "{raw:?}");
}

/// A wider tolerance bridges gaps that are meant to be bridged; nonsense is survived.
#[test]
fn the_tolerance_is_a_choice_and_nothing_panics() {
    let (tile, crate_) = (Shape::rectangle(1.0, 1.0).unwrap(), Shape::rectangle(0.8, 0.8).unwrap());
    let surface = [tile.at([0.0, -0.5]).unwrap(), tile.at([1.002, -0.501]).unwrap()];
    let mover = crate_.at([0.115, 0.38]).unwrap();
    let with = |flush: f64| {
        let (mut found, mut contacts) = (Vec::new(), Vec::new());
        for (surface, &shape) in surface.iter().enumerate() {
            manifolds_within(shape, mover, 0.0, &mut found);
            contacts.extend(found.drain(..).map(|manifold| SurfaceContact { surface, manifold }));
        }
        smooth_seams(mover, &surface, flush, &mut contacts);
        contacts
    };
    assert!(with(FLUSH).iter().any(|c| c.manifold.normal == DVec2::NEG_X));
    assert!(with(0.01).iter().all(|c| c.manifold.normal == DVec2::Y) && with(0.01).len() == 2);
    for flush in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(!with(flush).is_empty());
    }
    let strange = SurfaceContact { surface: 7, manifold: with(FLUSH)[0].manifold };
    let mut contacts = vec![strange];
    smooth_seams(mover, &surface, FLUSH, &mut contacts);
    assert_eq!(contacts, [strange]);
    // Buried under two layers there is no open way out: something is left all the same.
    let grid: Vec<_> = (0..49).map(|i| tile.at([f64::from(i % 7), f64::from(i / 7)]).unwrap()).collect();
    assert!(!slide(crate_.at([3.2, 3.1]).unwrap(), &grid).is_empty());
    for far in [1e-30, 1e29] {
        let (tile, ball) = (Shape::rectangle(far, far).unwrap(), Shape::circle(far / 2.0).unwrap());
        let surface = [tile.at([0.0, -far / 2.0]).unwrap(), tile.at([far, -far / 2.0]).unwrap()];
        let found = slide(ball.at([far * 0.3, far * 0.4]).unwrap(), &surface);
        assert!(found.len() == 1 && found[0].normal == DVec2::Y && (found[0].depth / far - 0.1).abs() < 1e-12, "{found:?}");
    }
}
