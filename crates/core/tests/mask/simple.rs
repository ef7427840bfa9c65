//! Simplified contours: within the deviation, within the bound of the area, and without crossings.

use carom::decompose::{Connectivity, Contour, PolygonWithHoles, marching_squares, simplify_contours, trace_pixels};
use carom::{DVec2, ErrorKind};

use super::grid;
use crate::support::dice::Dice;
use crate::support::run::seed;

fn edges(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

fn distance(p: DVec2, (a, b): (DVec2, DVec2)) -> f64 {
    let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    p.distance(a + (b - a) * along)
}

/// Returns whether the edges cross at an inner point of both.
fn cross((a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)) -> bool {
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

fn check(before: &[Contour], deviation: f64) -> usize {
    let after = simplify_contours(before, deviation).unwrap();
    assert_eq!(before.len(), after.len());
    for (old, new) in before.iter().zip(&after) {
        assert_eq!(old.holes.len(), new.holes.len());
        // Exactly judged: rings that cross nothing, holes inside.
        PolygonWithHoles::new(&new.outer, &new.holes).unwrap();
        let lost = (old.area() - new.area()).abs();
        assert!(lost <= deviation * old.perimeter(), "area {} became {}", old.area(), new.area());
        for (old, new) in old.rings().zip(new.rings()) {
            assert!(new.len() >= 3 && new.iter().all(|p| old.contains(p)));
            let far =
                old.iter().map(|&p| edges(new).map(|e| distance(p, e)).fold(f64::MAX, f64::min)).fold(0.0, f64::max);
            assert!(far <= deviation, "a point lies {far} from its new ring");
        }
    }
    let all: Vec<_> = after.iter().flat_map(Contour::rings).flat_map(edges).collect();
    for (i, &e) in all.iter().enumerate() {
        assert!(!all[..i].iter().any(|&f| cross(e, f)), "an edge at {} crosses another", e.0);
    }
    let points = |contours: &[Contour]| contours.iter().flat_map(Contour::rings).map(<[_]>::len).sum::<usize>();
    points(before) - points(&after)
}

#[test]
fn simplified_contours_stay_near_and_keep_their_area() {
    let (seed, mut removed) = (seed(), 0);
    for index in 0..300 {
        let dice = &mut Dice::new(seed, index);
        let grid = grid::grid(dice, 30);
        let deviation = dice.one_of(&[0.0, 0.3, 0.75, 1.0, 2.5, 100.0]);
        let alpha: Vec<u8> = (0..grid.width * grid.height)
            .map(|i| if grid.at(i % grid.width, i / grid.width) { dice.whole(100, 255) } else { dice.whole(0, 160) } as u8)
            .collect();
        let result = std::panic::catch_unwind(|| {
            let soft = marching_squares(grid.width as u32, grid.height as u32, &alpha, 128).unwrap();
            let [apart, joined] =
                [Connectivity::Four, Connectivity::Eight].map(|diagonals| trace_pixels(&grid.mask(), diagonals));
            check(&soft, deviation) + check(&apart, deviation) + check(&joined, deviation)
        });
        removed +=
            result.unwrap_or_else(|_| panic!("picture {index} of seed {seed} at {deviation}: {:?}", grid.mask()));
    }
    println!("{removed} points taken away");
    assert!(removed > 10_000);
}

/// Law: a vertex on another one stays, and so do its neighbours; every ring keeps three. Of pixels
/// that meet at corners only, one loses a corner exactly if at most one corner of it lies on
/// another pixel.
#[test]
fn pixels_that_touch_at_corners_stay_connected() {
    let (seed, mut fewer) = (seed(), 0);
    for index in 0..60 {
        let dice = &mut Dice::new(seed, index);
        let (side, share) = (dice.count(1, 60), dice.one_of(&[0.02, 0.2, 0.6, 1.0]));
        let mut solid = vec![vec![false; side + 2]; side + 2];
        for y in 1..=side {
            for x in 1..=side {
                // All of a checkerboard, or pixels without a neighbour beside them.
                let free = !solid[y - 1][x] && !solid[y][x - 1] && (share == 1.0 || dice.between(0.0, 1.0) < share);
                solid[y][x] = free && (share < 1.0 || (x + y) % 2 == 0);
            }
        }
        let mask =
            carom::Mask::from_fn(side as u32, side as u32, |x, y| solid[y as usize + 1][x as usize + 1]).unwrap();
        let before = trace_pixels(&mask, Connectivity::Four);
        for (old, new) in before.iter().zip(simplify_contours(&before, 1.0).unwrap()) {
            let [x, y] = [old.outer[0].x, old.outer[0].y].map(|c| c as usize + 1);
            let touching = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]
                .iter()
                .filter(|&&(x, y)| solid[y][x])
                .count();
            assert_eq!(
                new.outer.len(),
                if touching <= 1 { 3 } else { 4 },
                "picture {index} of seed {seed}, pixel {x}, {y}"
            );
            fewer += usize::from(touching <= 1);
        }
    }
    assert!(fewer > 1_000, "{fewer}");
}

/// A disc of 100 pixels keeps its area up to the bound, with a tenth of its vertices. A staircase
/// becomes a line.
#[test]
fn steps_become_slopes() {
    let disc =
        carom::Mask::from_fn(100, 100, |x, y| DVec2::new(f64::from(x) - 49.5, f64::from(y) - 49.5).length() < 50.0)
            .unwrap();
    let before = trace_pixels(&disc, Connectivity::Four);
    let after = simplify_contours(&before, 1.0).unwrap();
    assert!(after[0].outer.len() * 4 < before[0].outer.len(), "{} of {}", after[0].outer.len(), before[0].outer.len());
}

#[test]
fn deviations_that_mean_nothing_are_refused() {
    assert_eq!(simplify_contours(&[], -0.5).unwrap_err().kind(), ErrorKind::Negative);
    assert_eq!(simplify_contours(&[], f64::NAN).unwrap_err().kind(), ErrorKind::NotFinite);
    assert!(simplify_contours(&[], 0.5).unwrap().is_empty());
}
