//! Contacts that must not change, and unusual input.

use carom::internal_edges::{INTERNAL_EDGE_TOLERANCE, SurfaceContact, fix_internal_edges, surface_contacts};
use carom::query::manifolds_within;
use carom::{DVec2, Manifold, Placed, Pose, Shape, manifolds};

use super::scene::{below, movers, slide};

/// The contacts with shapes at places, each named by the number of its shape.
fn contacts_with(mover: (&Shape, DVec2), surface: &[(&Shape, DVec2)]) -> Vec<(usize, Manifold)> {
    let placed: Vec<Placed<'_>> = surface.iter().map(|(shape, at)| shape.at(*at).unwrap()).collect();
    let mut contacts = Vec::new();
    surface_contacts(mover.0.at(mover.1).unwrap(), &placed, 0.0, &mut contacts);
    contacts.into_iter().map(|c| (c.surface, c.manifold)).collect()
}

fn normals(contacts: &[(usize, Manifold)]) -> Vec<(usize, DVec2)> {
    contacts.iter().map(|(i, m)| (*i, m.normal)).collect()
}

/// A floor and a wall of tiles: both have contacts, and the tile in the corner has none.
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
                assert!(
                    found.iter().all(|m| is_true(m.normal)),
                    "{name}, {into_floor} and {into_wall} deep: {found:?}"
                );
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

/// A step of a thousandth stops a box. A step of a tenth of the flush tolerance does not, nor does
/// a gap of that width.
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

/// Two slopes that share a ridge: a body on the ridge has a normal between theirs.
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
            let plank =
                plank.placed(Pose::new(direction * 0.08, direction.to_angle() - std::f64::consts::FRAC_PI_2).unwrap());
            for (mover, depth) in [(ball.at(direction * 0.47).unwrap(), 0.03), (plank, 0.02)] {
                let found = slide(mover, surface);
                assert!(found.iter().any(|m| (m.normal - direction).length() < 1e-9), "{direction}: {found:?}");
                let is_between = |n: DVec2| n.perp_dot(left) > -1e-9 && right.perp_dot(n) > -1e-9;
                assert!(
                    found.iter().all(|m| is_between(m.normal) && m.depth <= depth + 1e-9),
                    "{direction}: {found:?}"
                );
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
            surface_contacts(mover, &surface, 0.1, &mut found);
            let nearest = found.iter().map(|c| c.manifold.depth).fold(f64::NEG_INFINITY, f64::max);
            assert!((nearest + 0.01).abs() < 1e-12, "{name} at {x}: {found:?}");
            assert!(found.iter().all(|c| (c.manifold.normal - DVec2::Y).length() < 1e-9), "{name} at {x}: {found:?}");
        }
    }
}

/// The seams of the mover count as well: an obstacle under the middle of a mover of two blocks is
/// no wall between them.
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
        assert!(
            !found.is_empty() && found.iter().all(|m| m.normal == DVec2::Y && (m.depth - 0.1).abs() < 1e-12),
            "{x}: {found:?}"
        );
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
        fix_internal_edges(mover, &surface, flush, &mut contacts);
        contacts
    };
    assert!(with(INTERNAL_EDGE_TOLERANCE).iter().any(|c| c.manifold.normal == DVec2::NEG_X));
    assert!(with(0.01).iter().all(|c| c.manifold.normal == DVec2::Y) && with(0.01).len() == 2);
    for flush in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(!with(flush).is_empty());
    }
    let strange = SurfaceContact { surface: 7, manifold: with(INTERNAL_EDGE_TOLERANCE)[0].manifold };
    let mut contacts = vec![strange];
    fix_internal_edges(mover, &surface, INTERNAL_EDGE_TOLERANCE, &mut contacts);
    assert_eq!(contacts, [strange]);
    // Buried under two layers there is no open way out: something is left all the same.
    let grid: Vec<_> = (0..49).map(|i| tile.at([f64::from(i % 7), f64::from(i / 7)]).unwrap()).collect();
    assert!(!slide(crate_.at([3.2, 3.1]).unwrap(), &grid).is_empty());
    for far in [1e-30, 1e29] {
        let (tile, ball) = (Shape::rectangle(far, far).unwrap(), Shape::circle(far / 2.0).unwrap());
        let surface = [tile.at([0.0, -far / 2.0]).unwrap(), tile.at([far, -far / 2.0]).unwrap()];
        let found = slide(ball.at([far * 0.3, far * 0.4]).unwrap(), &surface);
        assert!(
            found.len() == 1 && found[0].normal == DVec2::Y && (found[0].depth / far - 0.1).abs() < 1e-12,
            "{found:?}"
        );
    }
}
