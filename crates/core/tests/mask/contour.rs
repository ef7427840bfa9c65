//! Outlines against flood fills: one for each connected piece, with one hole for each part of the plane that the piece cuts off, and exactly its pixels inside.

use std::collections::BTreeMap;

use carom::DVec2;
use carom::decompose::{Diagonals, Outline, contours, trace};

use crate::grid::{self, Grid};
use crate::support::dice::Dice;
use crate::support::run::seed;

type Pixel = (i64, i64);

/// Are two neighbours across a corner joined? They are told by the lower one of them, and whether the other lies to its right.
type Across<'a> = &'a dyn Fn(Pixel, bool) -> bool;

/// The connected parts of a set of pixels, in the order of their first ones, each sorted by row, then column.
fn parts(width: i64, height: i64, inside: impl Fn(i64, i64) -> bool, across: Across<'_>) -> Vec<Vec<Pixel>> {
    // One more pixel on each side, so that what surrounds the picture is one part.
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
            open.extend(corners.into_iter().zip(ends).filter(|&((u, v, right), _)| across((u - 1, v - 1), right)).map(|(_, end)| end));
        }
        if !part.is_empty() {
            part.sort_unstable();
            parts.push(part.into_iter().map(|(y, x)| (x, y)).collect());
        }
    }
    parts
}

fn twice_area(ring: &[DVec2]) -> f64 {
    (0..ring.len()).map(|i| ring[i].perp_dot(ring[(i + 1) % ring.len()])).sum()
}

/// The pixels inside, by counting how often the rings cross the way to each pixel's centre from the left.
fn filled(outline: &Outline, width: i64, height: i64) -> Vec<Pixel> {
    let crosses = |x: i64, y: i64| {
        let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
        let edges = outline.rings().flat_map(|ring| (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()])));
        let turns = edges.map(|(p, q)| match (p.x < x, p.y < y, q.y < y) {
            (true, true, false) => -1,
            (true, false, true) => 1,
            _ => 0,
        });
        turns.sum::<i32>()
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let count = pixels.map(|(x, y)| (x, y, crosses(x, y)));
    count
        .filter(|&(x, y, n)| {
            n != 0 && {
                assert_eq!(n, 1, "({x}, {y})");
                true
            }
        })
        .map(|(x, y, _)| (x, y))
        .collect()
}

/// Every edge of a pixel between solid and empty belongs to exactly one ring, solid on its left; and rings turn at each point.
fn check_edges(grid: &Grid, outlines: &[Outline]) {
    let mut seen = BTreeMap::new();
    for ring in outlines.iter().flat_map(Outline::rings) {
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
        let around = [(0, -1, [x, y, 1, 0]), (1, 0, [x + 1, y, 0, 1]), (0, 1, [x + 1, y + 1, -1, 0]), (-1, 0, [x, y + 1, 0, -1])];
        expected.extend(around.into_iter().filter(|&(dx, dy, _)| !grid.at(x + dx, y + dy)).map(|(_, _, edge)| (edge, 1)));
    }
    assert_eq!(seen, expected);
}

fn check_trace(grid: &Grid, diagonals: Diagonals) -> usize {
    let outlines = trace(&grid.mask(), diagonals);
    let join = diagonals == Diagonals::Join;
    let pieces = parts(grid.width, grid.height, |x, y| grid.at(x, y), &|_, _| join);
    assert_eq!(outlines.len(), pieces.len(), "one outline for each piece");
    for (outline, piece) in outlines.iter().zip(&pieces) {
        let cut_off = parts(grid.width, grid.height, |x, y| piece.binary_search_by_key(&(y, x), |p| (p.1, p.0)).is_err(), &|_, _| false);
        // One of them is the outside: the plane beyond the picture belongs to it.
        let around =
            parts(grid.width + 2, grid.height + 2, |x, y| piece.binary_search_by_key(&(y - 1, x - 1), |p| (p.1, p.0)).is_err(), &|_, _| {
                false
            });
        assert!(cut_off.len() + 1 >= around.len());
        assert_eq!(outline.holes.len(), around.len() - 1, "one hole for each part that is cut off");
        assert_eq!(filled(outline, grid.width, grid.height), *piece, "its pixels inside");
        assert_eq!(outline.area(), piece.len() as f64, "area");
        assert!(twice_area(&outline.outer) > 0.0 && outline.holes.iter().all(|hole| twice_area(hole) < 0.0), "winding");
        for ring in outline.rings() {
            let mut points: Vec<_> = ring.iter().map(|p| (p.x as i64, p.y as i64)).collect();
            let all = points.len();
            points.sort_unstable();
            points.dedup();
            assert!(join || points.len() == all, "a ring visits no point twice");
        }
    }
    check_edges(grid, &outlines);
    outlines.iter().map(|outline| outline.holes.len()).sum()
}

#[test]
fn outlines_agree_with_flood_fills() {
    let (seed, mut holes) = (seed(), 0);
    for index in 0..600 {
        let grid = grid::grid(&mut Dice::new(seed, index), 24);
        for diagonals in [Diagonals::Separate, Diagonals::Join] {
            let found = std::panic::catch_unwind(|| check_trace(&grid, diagonals));
            holes += found.unwrap_or_else(|_| panic!("mask {index} of seed {seed}, {diagonals:?}: {:?}", grid.mask()));
        }
    }
    println!("{holes} holes");
    assert!(holes > 1_000);
}
