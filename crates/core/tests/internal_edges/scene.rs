//! Flat ground of every kind, the shapes that slide over it, and their positions.

use carom::internal_edges::surface_contacts;
use carom::{DVec2, Manifold, Mask, Placed, Pose, Shape};

use crate::support;

/// The width of a tile: a tenth, so that hardly any seam is a number that floating point has.
pub(crate) const TILE: f64 = 0.1;
pub(crate) const TILES: i32 = 1_000;

/// Pose of the scene. It is built around the origin, with the surface at y = 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) origin: DVec2,
    pub(crate) angle: f64,
}

pub(crate) const HERE: World = World { origin: DVec2::ZERO, angle: 0.0 };

impl World {
    pub(crate) fn pose(&self, at: DVec2, angle: f64) -> Pose {
        Pose::new(Pose::new(self.origin, self.angle).unwrap().transform_point(at), self.angle + angle).unwrap()
    }

    pub(crate) fn up(&self) -> DVec2 {
        DVec2::from_angle(self.angle).perp()
    }

    /// The place in the scene's own frame.
    pub(crate) fn local(&self, p: DVec2) -> DVec2 {
        DVec2::from_angle(-self.angle).rotate(p - self.origin)
    }

    /// Rounding error of a coordinate.
    pub(crate) fn rounding(&self) -> f64 {
        32.0 * f64::EPSILON * (self.origin.abs().max_element() + 100.0)
    }
}

/// Flat ground from x = 0 to 100, its top at y = 0.
pub(crate) struct Ground {
    pub(crate) name: &'static str,
    pub(crate) shapes: Vec<(Shape, Pose)>,
}

pub(crate) fn square(height: f64) -> Shape {
    Shape::rectangle(TILE, height).unwrap()
}

pub(crate) fn seam(i: i32) -> f64 {
    f64::from(i) * TILE
}

/// Returns the centre of a tile whose top is at y = 0.
pub(crate) fn tile_at(i: i32, height: f64) -> DVec2 {
    DVec2::new((f64::from(i) + 0.5) * TILE, -height / 2.0)
}

pub(crate) fn row(points: impl Iterator<Item = i32>) -> Vec<[f64; 2]> {
    points.map(|i| [seam(i), 0.0]).collect()
}

/// Every kind of ground; each has a seam at every tenth.
pub(crate) fn grounds(world: World) -> Vec<Ground> {
    let one = |name, shape: Shape| Ground { name, shapes: vec![(shape, world.pose(DVec2::ZERO, 0.0))] };
    let tiles = |name, height: f64| Ground {
        name,
        shapes: (0..TILES).map(|i| (square(height), world.pose(tile_at(i, height), 0.0))).collect(),
    };
    let compound = (0..TILES).map(|i| (square(0.4), Pose::from_translation(tile_at(i, 0.4)).unwrap()));
    // Teeth below make it concave: its parts touch the top in edges and in single vertices.
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
        one("concave polygon", Shape::polygon(&comb).unwrap()),
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
pub(crate) fn movers(size: f64) -> Vec<(&'static str, Shape, f64)> {
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

/// Returns the extent of the rotated shape below its origin.
pub(crate) fn below(shape: &Shape, angle: f64) -> f64 {
    let lowest =
        shape.placed(Pose::new([0.0, 0.0], angle).unwrap()).points().map(|p| p.y).fold(f64::INFINITY, f64::min);
    shape.radius() - lowest
}

/// The shapes that a broad phase would find.
pub(crate) fn near<'a>(world: World, ground: &'a Ground, mover: Placed<'_>) -> Vec<Placed<'a>> {
    let (count, bounds) = (ground.shapes.len(), mover.aabb());
    let per_tile = count as f64 / f64::from(TILES) / TILE;
    let (middle, width) = (world.local(bounds.center()).x, bounds.size().length());
    let at = |x: f64| if count == 1 { 0 } else { ((x * per_tile).max(0.0) as usize).min(count) };
    let range = at(middle - width - TILE)..at(middle + width + TILE).max(1);
    ground.shapes[range].iter().map(|(shape, pose)| shape.placed(*pose)).collect()
}

pub(crate) fn slide(mover: Placed<'_>, surface: &[Placed<'_>]) -> Vec<Manifold> {
    let mut contacts = Vec::new();
    surface_contacts(mover, surface, 0.0, &mut contacts);
    contacts.into_iter().map(|contact| contact.manifold).collect()
}

pub(crate) fn summary(failures: &[String]) -> String {
    let step = failures.len().div_ceil(12);
    failures.iter().step_by(step).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Some of the seams; all where the environment asks for many pairs.
pub(crate) fn some(seams: &[i32]) -> &[i32] {
    if support::run::from_environment("CAROM_PAIRS").is_some() { seams } else { &seams[..1] }
}
