//! Compares the normal and the depth of two masks with their definition in fractions.
//!
//! Let d be the difference of two pixel positions, and let b move by v. The squares overlap if and
//! only if both components of d + v lie strictly between −1 and 1. Along a direction, each
//! difference that occurs gives an open interval. The escape vector ends at the end of the
//! connected intervals that contain 0.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use carom::{DVec2, Mask};

use super::grid::{self, Grid};
use crate::support::dice::Dice;
use crate::support::run::seed;

/// A fraction with a positive denominator, and infinity as 1/0.
#[derive(Clone, Copy)]
struct Fraction(i128, i128);

impl Fraction {
    fn cmp(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    fn max(self, other: Self) -> Self {
        if self.cmp(other).is_ge() { self } else { other }
    }

    fn min(self, other: Self) -> Self {
        if self.cmp(other).is_le() { self } else { other }
    }
}

/// For which parts of the direction the component stays strictly between −1 and 1, if ever.
fn inside(d: i64, direction: i64) -> Option<(Fraction, Fraction)> {
    let (d, g) = (i128::from(d), i128::from(direction));
    match g.cmp(&0) {
        Ordering::Equal => (d == 0).then_some((Fraction(-1, 0), Fraction(1, 0))),
        Ordering::Greater => Some((Fraction(-1 - d, g), Fraction(1 - d, g))),
        Ordering::Less => Some((Fraction(d - 1, -g), Fraction(d + 1, -g))),
    }
}

/// Returns the factor of the direction at which the overlap ends.
fn end(a: &Grid, b: &Grid, offset: [i64; 2], direction: [i64; 2]) -> Fraction {
    let differences: BTreeSet<[i64; 2]> =
        a.pixels().flat_map(|(x, y)| b.pixels().map(move |(u, v)| [u + offset[0] - x, v + offset[1] - y])).collect();
    let interval = |d: &[i64; 2]| {
        let ((low, high), (lower, upper)) = (inside(d[0], direction[0])?, inside(d[1], direction[1])?);
        let (from, to) = (low.max(lower), high.min(upper));
        from.cmp(to).is_lt().then_some((from, to))
    };
    let mut intervals: Vec<_> = differences.iter().filter_map(interval).collect();
    intervals.sort_by(|p, q| p.0.cmp(q.0));
    // Intervals that share an end are connected.
    intervals.into_iter().fold(Fraction(0, 1), |end, (from, to)| if from.cmp(end).is_le() { end.max(to) } else { end })
}

fn check(a: &Grid, b: &Grid, offset: [i64; 2]) -> Option<&'static str> {
    let overlap = a.mask().overlap(&b.mask(), offset)?;
    let at = |x: i64, y: i64| a.count(b, [offset[0] + x, offset[1] + y]);
    let gradient = [at(1, 0) - at(-1, 0), at(0, 1) - at(0, -1)];
    let (direction, kind) = if gradient == [0, 0] {
        let axes = [[1, 0], [-1, 0], [0, 1], [0, -1]];
        // min_by_key takes the first of equals.
        let ends = axes.map(|axis| end(a, b, offset, axis));
        (axes[(0..4).min_by(|&i, &j| ends[i].cmp(ends[j])).unwrap()], "level")
    } else {
        (gradient.map(|g| -g), "sloped")
    };
    let toward = DVec2::new(direction[0] as f64, direction[1] as f64);
    assert!((overlap.normal - toward.normalize()).length() < 1e-15, "{overlap:?}, expected {toward}");
    let Fraction(part, whole) = end(a, b, offset, direction);
    let depth = part as f64 / whole as f64 * toward.length();
    assert!((overlap.depth - depth).abs() <= 1e-15 * depth, "{overlap:?}, expected {depth}");
    let step = direction.map(|d| d.signum() * ((i128::from(d.abs()) * part + whole - 1) / whole) as i64);
    assert_eq!(overlap.mtv_pixels, step, "{overlap:?}");
    Some(kind)
}

#[test]
fn normal_and_depth_match_the_definition() {
    let (seed, mut seen) = (seed(), [0, 0]);
    for index in 0..1_500 {
        let dice = &mut Dice::new(seed, index);
        let (a, b) = (grid::grid(dice, 14), grid::grid(dice, 14));
        // Concentric ones now and then: no gradient.
        let offset = if dice.chance(0.3) {
            [(a.width - b.width) / 2, (a.height - b.height) / 2]
        } else {
            grid::offset(dice, &a, &b)
        };
        let kind = std::panic::catch_unwind(|| check(&a, &b, offset));
        match kind.unwrap_or_else(|_| panic!("pair {index} of seed {seed} at {offset:?}")) {
            Some("level") => seen[0] += 1,
            Some(_) => seen[1] += 1,
            None => {}
        }
    }
    println!("{} with a gradient, {} without", seen[1], seen[0]);
    assert!(seen[0] > 50 && seen[1] > 300, "{seen:?}");
}

#[test]
fn the_normal_points_from_a_to_b() {
    let block = Mask::from_rows(&["####"; 4]).unwrap();
    for (offset, normal) in [([3, 0], DVec2::X), ([-3, 0], DVec2::NEG_X), ([0, 3], DVec2::Y), ([0, -3], DVec2::NEG_Y)] {
        let overlap = block.overlap(&block, offset).unwrap();
        assert_eq!((overlap.normal, overlap.depth), (normal, 1.0));
    }
    // On each other: no slope; +x is the first of four equals.
    let overlap = block.overlap(&block, [0, 0]).unwrap();
    assert_eq!((overlap.normal, overlap.depth, overlap.mtv_pixels), (DVec2::X, 4.0, [4, 0]));
    // A dot in a wide block leaves by the shorter side.
    let (wide, dot) = (Mask::from_rows(&["#######"; 3]).unwrap(), Mask::from_rows(&["#"]).unwrap());
    let overlap = wide.overlap(&dot, [3, 1]).unwrap();
    assert_eq!((overlap.normal, overlap.depth), (DVec2::Y, 2.0));
}
