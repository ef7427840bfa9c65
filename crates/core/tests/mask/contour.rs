//! Compares contours with flood fills: one polygon per connected component, with one hole per
//! enclosed part of the plane, and exactly its pixels inside.

use std::collections::BTreeMap;

use carom::decompose::{Connectivity, Contour, PolygonWithHoles, marching_squares, trace_pixels};
use carom::{DVec2, Mask};

use super::grid::{self, Grid};
use crate::support::dice::Dice;
use crate::support::run::seed;

type Pixel = (i64, i64);

/// Returns whether two pixels that share a corner are connected. Input: the lower one, and whether
/// the other is to its right.
type Across<'a> = &'a dyn Fn(Pixel, bool) -> bool;

/// The connected parts of a set of pixels, in the order of their first ones, each sorted by row, then column.
fn parts(width: i64, height: i64, inside: impl Fn(i64, i64) -> bool, across: Across<'_>) -> Vec<Vec<Pixel>> {
    // One more pixel on each side, so that the exterior is one component.
    let mut rest = Grid::new(width + 2, height + 2, |x, y| inside(x - 1, y - 1));
    let mut parts = Vec::new();
    let order: Vec<Pixel> = rest.pixels().collect();
    for start in order {
        let (mut part, mut open) = (Vec::new(), vec![start]);
        while let Some((x, y)) = open.pop() {
            if !rest.take(x, y) {
                continue;
            }
            part.push((y - 1, x - 1));
            open.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
            let corners = [(x, y, true), (x - 1, y - 1, true), (x, y, false), (x + 1, y - 1, false)];
            let ends = [(x + 1, y + 1), (x - 1, y - 1), (x - 1, y + 1), (x + 1, y - 1)];
            open.extend(
                corners
                    .into_iter()
                    .zip(ends)
                    .filter(|&((u, v, right), _)| across((u - 1, v - 1), right))
                    .map(|(_, end)| end),
            );
        }
        if !part.is_empty() {
            part.sort_unstable();
            parts.push(part.into_iter().map(|(y, x)| (x, y)).collect());
        }
    }
    parts
}

fn twice_area(ring: &[DVec2]) -> f64 {
    edges(ring).map(|(p, q)| p.perp_dot(q)).sum()
}

/// The pixels whose centres lie inside, by counting how often the rings cross the way to each from the left.
fn filled(outline: &Contour, width: i64, height: i64) -> Vec<Pixel> {
    let turns = |x: i64, y: i64| -> i32 {
        let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
        let left = |p: DVec2, q: DVec2| p.x + (y - p.y) / (q.y - p.y) * (q.x - p.x) < x;
        let crossing = |(p, q): (DVec2, DVec2)| match (p.y < y, q.y < y) {
            (true, false) if left(p, q) => -1,
            (false, true) if left(p, q) => 1,
            _ => 0,
        };
        outline.rings().flat_map(edges).map(crossing).sum()
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    pixels.filter(|&(x, y)| turns(x, y) == 1).collect()
}

fn edges(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

/// Every edge of a pixel between solid and empty belongs to exactly one ring, solid on its left;
/// and rings turn at each point.
fn check_edges(grid: &Grid, outlines: &[Contour]) {
    let mut seen = BTreeMap::new();
    for ring in outlines.iter().flat_map(Contour::rings) {
        for i in 0..ring.len() {
            let (p, q, r) = (ring[i], ring[(i + 1) % ring.len()], ring[(i + 2) % ring.len()]);
            assert_ne!((q - p).perp_dot(r - q), 0.0, "no turn at {q}");
            let (mut at, step) = (p, (q - p).signum() * (q - p).abs().min(DVec2::ONE));
            while at != q {
                *seen.entry([at.x as i64, at.y as i64, step.x as i64, step.y as i64]).or_insert(0) += 1;
                at += step;
            }
        }
    }
    let mut expected = BTreeMap::new();
    for (x, y) in grid.pixels() {
        // Below, right, above, left of the pixel, around it.
        let around = [
            (0, -1, [x, y, 1, 0]),
            (1, 0, [x + 1, y, 0, 1]),
            (0, 1, [x + 1, y + 1, -1, 0]),
            (-1, 0, [x, y + 1, 0, -1]),
        ];
        expected
            .extend(around.into_iter().filter(|&(dx, dy, _)| !grid.at(x + dx, y + dy)).map(|(_, _, edge)| (edge, 1)));
    }
    assert_eq!(seen, expected);
}

/// Each outline is one connected piece. It has the piece's pixels inside, one hole for each part of
/// the plane that it cuts off, and rings in the right direction.
fn check_pieces(outlines: &[Contour], solid: &Grid, joined: Across<'_>, joined_around: Across<'_>) {
    let (width, height) = (solid.width, solid.height);
    let pieces = parts(width, height, |x, y| solid.at(x, y), joined);
    assert_eq!(outlines.len(), pieces.len(), "one outline for each piece");
    for (outline, piece) in outlines.iter().zip(&pieces) {
        assert_eq!(filled(outline, width, height), *piece, "its pixels inside");
        let mut rest = Grid::new(width, height, |_, _| true);
        for &(x, y) in piece {
            assert!(rest.take(x, y));
        }
        let outside = |x, y| !(0..width).contains(&x) || !(0..height).contains(&y);
        let around = parts(width, height, |x, y| outside(x, y) || rest.at(x, y), joined_around);
        assert_eq!(outline.holes.len(), around.len() - 1, "one hole for each part but the outside");
        assert!(twice_area(&outline.outer) > 0.0 && outline.holes.iter().all(|hole| twice_area(hole) < 0.0), "winding");
    }
}

/// The decomposition accepts all rings, and the areas of its parts add up. In integers, so that
/// sums are exact.
fn area_of_parts(contour: &Contour) -> f64 {
    let outline = PolygonWithHoles::new(&contour.outer, &contour.holes).unwrap();
    let twice = outline
        .convex_parts()
        .iter()
        .map(|part| twice_area(&part.iter().map(|&i| outline.points()[i as usize]).collect::<Vec<_>>()));
    twice.sum::<f64>() / 2.0
}

fn check_trace(grid: &Grid, diagonals: Connectivity) -> usize {
    let outlines = trace_pixels(&grid.mask(), diagonals);
    let join = diagonals == Connectivity::Eight;
    check_pieces(&outlines, grid, &|_, _| join, &|_, _| false);
    for outline in &outlines {
        assert_eq!(outline.area(), filled(outline, grid.width, grid.height).len() as f64, "area");
        assert_eq!(area_of_parts(outline), outline.area(), "the convex parts of it");
        for ring in outline.rings() {
            let mut points: Vec<_> = ring.iter().map(|p| (p.x as i64, p.y as i64)).collect();
            points.sort_unstable();
            points.dedup();
            assert!(join || points.len() == ring.len(), "a ring visits no point twice");
        }
    }
    check_edges(grid, &outlines);
    outlines.iter().map(|outline| outline.holes.len()).sum()
}

#[test]
fn outlines_agree_with_flood_fills() {
    let (seed, mut holes) = (seed(), 0);
    for index in 0..250 {
        let grid = grid::grid(&mut Dice::new(seed, index), 18);
        for diagonals in [Connectivity::Four, Connectivity::Eight] {
            let found = std::panic::catch_unwind(|| check_trace(&grid, diagonals));
            holes += found.unwrap_or_else(|_| panic!("mask {index} of seed {seed}, {diagonals:?}: {:?}", grid.mask()));
        }
    }
    println!("{holes} holes");
    assert!(holes > 1_000);
}

/// Counted by bits: the resulting rings on both sides of a word boundary.
#[test]
fn corners_and_edges_are_counted_without_walking() {
    let seed = seed();
    for (index, width) in [1, 2, 63, 64, 65, 127, 128, 129, 200].into_iter().enumerate() {
        let mut dice = Dice::new(seed, index as u64);
        for (height, part) in [(1, 0.5), (7, 0.1), (9, 0.9), (20, 0.5), (3, 0.0), (3, 1.0)] {
            let solid: Vec<u8> = (0..width * height).map(|_| if dice.chance(part) { 255 } else { 0 }).collect();
            let mask = Mask::from_alpha(width, height, &solid, 128).unwrap();
            for diagonals in [Connectivity::Four, Connectivity::Eight] {
                let outlines = trace_pixels(&mask, diagonals);
                let points: usize = outlines.iter().flat_map(Contour::rings).map(<[DVec2]>::len).sum();
                let length: f64 = outlines.iter().map(Contour::perimeter).sum();
                assert_eq!(
                    (mask.contour_point_count(), mask.perimeter() as f64),
                    (points as u64, length),
                    "seed {seed}, {mask:?}"
                );
            }
            let smooth = marching_squares(width, height, &solid, 128).unwrap();
            let points: usize = smooth.iter().flat_map(Contour::rings).map(<[DVec2]>::len).sum();
            assert_eq!(mask.perimeter(), points as u64, "seed {seed}, {mask:?}");
        }
    }
}

/// A picture with the alpha of its pixels.
struct Picture {
    width: i64,
    height: i64,
    alpha: Vec<u8>,
    threshold: u8,
}

impl Picture {
    fn at(&self, x: i64, y: i64) -> i64 {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if inside { i64::from(self.alpha[(y * self.width + x) as usize]) } else { 0.min(i64::from(self.threshold) - 1) }
    }

    fn solid(&self) -> Grid {
        Grid::new(self.width, self.height, |x, y| self.at(x, y) >= i64::from(self.threshold))
    }

    /// Returns whether the bilinear surface is above the threshold at its saddle, for the corner
    /// above a pixel and to one side.
    fn above_at_saddle(&self, (x, y): Pixel, right: bool) -> bool {
        let x = if right { x } else { x - 1 };
        let [a, b, c, d] = [self.at(x, y), self.at(x + 1, y), self.at(x, y + 1), self.at(x + 1, y + 1)];
        // f(u, v) = a + (b − a) u + (c − a) v + s u v is level at u = (a − c) / s, v = (a − b) / s.
        let s = a - b - c + d;
        let level = a * s + (b - a) * (a - c) + (c - a) * (a - b) + (a - c) * (a - b);
        s != 0 && (2 * level - (2 * i64::from(self.threshold) - 1) * s) * s.signum() > 0
    }
}

/// Every point lies between two neighbours, one solid and one not, at the value of the threshold
/// less a half. Each such pair has one point.
fn check_points(picture: &Picture, outlines: &[Contour]) {
    let solid = picture.solid();
    let beside = |(x, y): Pixel| {
        [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)].into_iter().filter(|&(x, y)| !solid.at(x, y)).count()
    };
    let mut seen = std::collections::BTreeSet::new();
    for &point in outlines.iter().flat_map(Contour::rings).flatten() {
        let position = point - 0.5;
        let (low, high) = (position.floor(), position.ceil());
        let part = (position - low).element_sum();
        let [p, q] = [low, high].map(|p| (p.x as i64, p.y as i64));
        assert_eq!((q.0 - p.0) + (q.1 - p.1), 1, "{point} is not between two neighbours");
        let (from, to) = (picture.at(p.0, p.1), picture.at(q.0, q.1));
        assert_ne!(solid.at(p.0, p.1), solid.at(q.0, q.1));
        let value = from as f64 + (to - from) as f64 * part;
        assert!((value - (f64::from(picture.threshold) - 0.5)).abs() < 1e-10, "{point} has the value {value}");
        assert!(seen.insert((p, q)), "two points between {p:?} and {q:?}");
    }
    assert_eq!(seen.len(), solid.pixels().map(beside).sum::<usize>());
}

/// No two edges that do not follow each other share a point.
fn check_simple(outlines: &[Contour]) {
    let rings = outlines.iter().flat_map(Contour::rings);
    let edges: Vec<_> = rings.flat_map(edges).collect();
    let side = |(p, q): (DVec2, DVec2), r: DVec2| (q - p).perp_dot(r - p);
    for (i, &e) in edges.iter().enumerate() {
        for &f in &edges[..i] {
            let follow = e.0 == f.1 || e.1 == f.0;
            let parted = |e, f: (DVec2, DVec2)| side(e, f.0) * side(e, f.1) > 0.0;
            let far = e.0.min(e.1).cmpgt(f.0.max(f.1)).any() || f.0.min(f.1).cmpgt(e.0.max(e.1)).any();
            assert!(follow || far || parted(e, f) || parted(f, e), "{e:?} meets {f:?}");
        }
    }
}

#[test]
fn contours_pass_between_the_pixels() {
    let seed = seed();
    let mut saddles = [0, 0];
    for index in 0..400 {
        let dice = &mut Dice::new(seed, index);
        let (width, height) = (i64::from(dice.whole(1, 12)), i64::from(dice.whole(1, 12)));
        let levels = dice.one_of::<&[i32]>(&[&[0, 255], &[0, 100, 127, 128, 129, 200, 255], &[0, 1]]);
        let smooth = dice.chance(0.5);
        let alpha =
            (0..width * height).map(|_| if smooth { dice.whole(0, 255) } else { dice.one_of(levels) } as u8).collect();
        let picture = Picture { width, height, alpha, threshold: dice.one_of(&[0, 1, 128, 128, 128, 255]) };
        let result = std::panic::catch_unwind(|| {
            let outlines = marching_squares(width as u32, height as u32, &picture.alpha, picture.threshold).unwrap();
            let above = |pixel, right| picture.above_at_saddle(pixel, right);
            check_pieces(&outlines, &picture.solid(), &above, &|pixel, right| !above(pixel, right));
            check_points(&picture, &outlines);
            check_simple(&outlines);
        });
        assert!(result.is_ok(), "picture {index} of seed {seed}: {width} × {height}, threshold {}", picture.threshold);
        for (x, y) in (0..height - 1).flat_map(|y| (0..width - 1).map(move |x| (x, y))) {
            let [a, b, c, d] = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| picture.solid().at(x, y));
            if a == d && b == c && a != b {
                saddles[usize::from(picture.above_at_saddle((x, y), true))] += 1;
            }
        }
    }
    println!("{saddles:?} saddles below and above");
    assert!(saddles[0] > 200 && saddles[1] > 200);
}

/// Along a straight slope the contour is that straight line.
#[test]
fn a_slope_has_a_straight_contour() {
    let side = 20;
    let alpha: Vec<u8> = (0..side * side).map(|i| (40 + 5 * (i % side) + 3 * (i / side)) as u8).collect();
    let outlines = marching_squares(side, side, &alpha, 120).unwrap();
    let inside = outlines[0].outer.iter().filter(|p| p.min_element() > 0.5 && p.max_element() < f64::from(side) - 0.5);
    let errors: Vec<f64> = inside.map(|p| 40.0 + 5.0 * (p.x - 0.5) + 3.0 * (p.y - 0.5) - 119.5).collect();
    assert!(outlines.len() == 1 && errors.len() > 20);
    assert!(errors.iter().all(|e| e.abs() < 1e-12), "{errors:?}");
}

#[test]
fn contours_refuse_the_same_sizes_as_masks() {
    assert_eq!(marching_squares(0, 3, &[], 1).unwrap_err().kind(), carom::ErrorKind::ZeroSize);
    assert_eq!(marching_squares(1 << 20, 1 << 20, &[], 1).unwrap_err().kind(), carom::ErrorKind::TooManyPixels);
    assert_eq!(marching_squares(2, 2, &[0; 3], 1).unwrap_err().kind(), carom::ErrorKind::WrongLength);
    assert!(marching_squares(2, 2, &[0; 4], 1).unwrap().is_empty());
}
