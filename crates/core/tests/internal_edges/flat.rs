//! Flat ground of a thousand tiles.

use carom::{DVec2, Manifold, Placed, Pose, collide, manifolds};

use super::scene::{HERE, TILE, TILES, World, below, grounds, movers, near, seam, slide, some, summary};

/// Returns the errors in the contacts of a mover at this depth in flat ground.
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
    let out =
        Pose::from_cos_sin(mover.pose().translation() + up * deepest, mover.pose().cos(), mover.pose().sin()).unwrap();
    let out = mover.shape().placed(out);
    let left = surface.iter().filter_map(|&s| collide(s, out)).map(|m| m.depth).fold(0.0, f64::max);
    (left > bound).then(|| format!("still {left:e} deep when moved out by {deepest:e}"))
}

/// Slides every mover over every ground; how many places there were.
fn slide_all(world: World, sizes: &[f64], seams: &[i32], depths: &[f64]) -> usize {
    let (mut failures, mut positions) = (Vec::new(), 0);
    for ground in &grounds(world) {
        for &size in sizes {
            for (name, shape, angle) in movers(size) {
                for &i in seams {
                    for &depth in depths {
                        // Some positions are at the seam, and a rounding error and a millionth away
                        // from it. The others are all over a tile, on both sides.
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
                                positions += 1;
                                if let Some(what) = wrong(world, mover, &near(world, ground, mover), size, depth * size)
                                {
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
    assert!(
        failures.is_empty(),
        "{world:?}: {} of {positions} positions, such as\n{}",
        failures.len(),
        summary(&failures)
    );
    positions
}

const DEPTHS: [f64; 5] = [1e-9, 1e-5, 1e-3, 0.03, 0.2];

#[test]
fn flat_ground_is_smooth() {
    let positions = slide_all(HERE, &[0.03, 0.3], some(&[731, 500, 233, 964]), &DEPTHS);
    assert!(positions > 40_000, "{positions}");
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
fn nothing_bumps_along_a_thousand_tiles() {
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
                    // At a seam rounding lets a ball's normal lean by 32 u × 100 / 0.1 = 4e-12, times the speed.
                    let calm = velocity.y.abs() < 5e-11
                        && (velocity.x - 7.0 * direction).abs() < 5e-11
                        && (at.y - rest).abs() < 1e-12;
                    assert!(calm, "{name} on {} at {at}, velocity {velocity}: {contacts:?}", ground.name);
                    steps += 1;
                }
                assert!(steps > 800, "{steps}");
            }
        }
    }
}

/// Places a box, circle, capsule and polygon over the thousand tiles of a ground, at twenty
/// positions beside each seam, in both directions. Gravity pulls them in, and the deepest contact
/// pushes them out. Neither the normals nor the height nor the speed depend on the seams.
fn slides_at_twenty_offsets(ground: &str) {
    let grounds = grounds(HERE);
    let ground = grounds.iter().find(|g| g.name == ground).expect("a ground of this name");
    let (dt, gravity, speed) = (1.0 / 60.0, -10.0, TILE * 60.0);
    for (name, shape, angle) in
        movers(0.3).into_iter().filter(|(name, ..)| ["box", "circle", "capsule", "pentagon"].contains(name))
    {
        for (direction, offset) in
            [1.0, -1.0].iter().flat_map(|&direction| (0..20).map(move |k| (direction, f64::from(k) / 20.0 * TILE)))
        {
            let rest = below(&shape, angle);
            let (mut height, mut velocity) = (rest, DVec2::new(speed * direction, 0.0));
            for i in 0..TILES {
                let tile = if direction > 0.0 { i } else { TILES - 1 - i };
                // Beyond its ends the ground has corners.
                let x = (seam(tile) + offset).clamp(0.3, seam(TILES) - 0.3);
                velocity.y += gravity * dt;
                height += velocity.y * dt;
                let mover = shape.placed(Pose::new([x, height], angle).unwrap());
                let contacts = slide(mover, &near(HERE, ground, mover));
                let deepest = contacts.iter().map(|m| m.depth).fold(0.0, f64::max);
                for m in &contacts {
                    assert!(
                        (m.normal - DVec2::Y).length() <= 1e-4,
                        "{name}, {direction}, offset {offset}, tile {tile}: {m:?}"
                    );
                    velocity -= m.normal * velocity.dot(m.normal).min(0.0);
                }
                height += deepest;
                let is_calm = (height - rest).abs() < 1e-12
                    && velocity.y.abs() < 1e-9
                    && (velocity.x - speed * direction).abs() < 1e-9;
                assert!(
                    is_calm,
                    "{name}, {direction}, offset {offset}, tile {tile}: {height}, {velocity}: {contacts:?}"
                );
            }
        }
    }
}

#[test]
fn twenty_offsets_on_separate_tiles() {
    slides_at_twenty_offsets("square tiles");
}

#[test]
fn twenty_offsets_on_a_chain() {
    slides_at_twenty_offsets("chain");
}

#[test]
fn twenty_offsets_on_the_other_side_of_a_chain() {
    slides_at_twenty_offsets("chain, the other way");
}

#[test]
fn twenty_offsets_on_a_compound() {
    slides_at_twenty_offsets("compound");
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
                for tile in near(HERE, ground, mover) {
                    manifolds(tile, mover, &mut raw);
                }
                bumps += usize::from(raw.iter().any(|m| m.normal.y < 0.999));
            }
        }
    }
    assert!(bumps > 1_000, "{bumps} of 2400 places");
}

/// All thousand tiles as neighbours, in any order, give the result of the near ones.
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
