//! A shape that slides over flush neighbours feels one smooth surface (P17), and nothing that is real is smoothed away.

use carom::{DVec2, Manifold, Mask, Placed, Pose, Shape, collide, slide_contacts};

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
fn near<'a>(ground: &'a Ground, mover: Placed<'_>) -> Vec<Placed<'a>> {
    let placed = ground.shapes.iter().map(|(shape, pose)| shape.placed(*pose));
    if ground.shapes.len() == 1 {
        return placed.collect();
    }
    let around = mover.aabb().grown(TILE);
    placed
        .filter(|p| (p.pose().translation() - mover.pose().translation()).abs().max_element() < 200.0 && p.aabb().intersects(&around))
        .collect()
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
                                if let Some(what) = wrong(world, mover, &near(ground, mover), size, depth * size) {
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

const DEPTHS: [f64; 5] = [1e-9, 1e-5, 1e-3, 0.03, 0.2];

#[test]
fn flat_ground_is_smooth() {
    let places = slide_all(HERE, &[0.03, 0.3], &[500, 731], &DEPTHS);
    assert!(places > 50_000, "{places}");
}

#[test]
fn flat_ground_is_smooth_for_movers_of_many_tiles() {
    slide_all(HERE, &[1.0], &[333], &DEPTHS);
}

#[test]
fn flat_ground_is_smooth_at_any_angle() {
    for angle in [0.3, 2.0, -1.234, 3.0] {
        slide_all(World { origin: DVec2::ZERO, angle }, &[0.3], &[617], &[1e-5, 0.05, 0.2]);
    }
}

#[test]
fn flat_ground_is_smooth_far_from_the_origin() {
    for angle in [0.0, 0.7] {
        slide_all(World { origin: DVec2::new(1e6, -1e6), angle }, &[0.03, 0.3], &[617], &[1e-5, 0.05, 0.2]);
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
                    let contacts = slide(mover, &near(ground, mover));
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
