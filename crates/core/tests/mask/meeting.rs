//! Two masks at any offset have the results of two arrays of pixels.

use carom::Mask;
use carom::mask::PixelBox;

use super::grid::{self, Grid};
use crate::support::dice::Dice;
use crate::support::run::{pairs, seed};

fn expected_bounds(pixels: &[(i64, i64)]) -> Option<PixelBox> {
    let columns = || pixels.iter().map(|p| p.0 as u32);
    let rows = || pixels.iter().map(|p| p.1 as u32);
    Some(PixelBox { min: [columns().min()?, rows().min()?], max: [columns().max()? + 1, rows().max()? + 1] })
}

fn check(a: &Grid, b: &Grid, (p, q): (&Mask, &Mask), offset: [i64; 2]) -> bool {
    // Far away, pixels cannot be accessed, and none is solid.
    let far = offset.iter().any(|o| o.unsigned_abs() > 1_000);
    let common: Vec<_> = if far { Vec::new() } else { a.common(b, offset).collect() };
    assert_eq!(p.overlaps_at(q, offset), !common.is_empty(), "overlaps_at");
    assert_eq!(p.overlap_area(q, offset), common.len() as u64, "count_at");
    assert_eq!(p.intersects_at(q, offset), !far && a.touches(b, offset), "intersects_at");
    let overlap = p.overlap(q, offset);
    assert_eq!(overlap.is_some(), !common.is_empty(), "overlap");
    if let Some(overlap) = overlap {
        assert_eq!(overlap.count, common.len() as u64, "count");
        assert_eq!(overlap.first, [common[0].0 as u32, common[0].1 as u32], "first");
        let last = common[common.len() - 1];
        assert_eq!(overlap.last, [last.0 as u32, last.1 as u32], "last");
        assert_eq!(Some(overlap.bounds), expected_bounds(&common), "bounds");
        let parted = [offset[0] + overlap.mtv_pixels[0], offset[1] + overlap.mtv_pixels[1]];
        assert_eq!(a.count(b, parted), 0, "moved by its step, b must be free: {overlap:?}");
        assert!(overlap.depth > 0.0 && (overlap.normal.length() - 1.0).abs() < 4e-16, "{overlap:?}");
        for (step, component) in overlap.mtv_pixels.into_iter().zip(overlap.mtv().to_array()) {
            let (least, most) = (component.abs() * (1.0 - 1e-14), component.abs() * (1.0 + 1e-14) + 1.0);
            assert!((least..most).contains(&(step.unsigned_abs() as f64)), "{step} is {component} rounded away from 0");
            assert!(step as f64 * component >= 0.0);
        }
    }
    let rest = Grid::of(&p.overlap_mask(q, offset));
    assert!(rest.pixels().eq(common.iter().copied()), "overlap_mask");
    !common.is_empty()
}

#[test]
fn pairs_agree_with_single_pixels() {
    let (seed, mut overlapping) = (seed(), 0);
    let pairs = pairs(4_000);
    for index in 0..pairs {
        let dice = &mut Dice::new(seed, index);
        let (a, b) = (grid::grid(dice, 200), grid::grid(dice, 200));
        let offset = grid::offset(dice, &a, &b);
        let (p, q) = (a.mask(), b.mask());
        let overlap = std::panic::catch_unwind(|| check(&a, &b, (&p, &q), offset));
        overlapping +=
            u64::from(overlap.unwrap_or_else(|_| panic!("pair {index} of seed {seed}: {p:?} and {q:?} at {offset:?}")));
    }
    println!("{pairs} pairs, {overlapping} overlap");
    assert!(overlapping > pairs / 5);
}

/// Every offset of small masks: none is left to chance.
#[test]
fn every_offset_of_masks_around_the_border_of_a_word() {
    for (wide, width) in [(64, 3), (65, 64), (130, 5), (1, 1)] {
        let dice = &mut Dice::new(7, wide as u64);
        let (a, b) = (Grid::new(wide, 2, |_, _| dice.chance(0.5)), Grid::new(width, 3, |_, _| dice.chance(0.5)));
        let (p, q) = (a.mask(), b.mask());
        for x in -width - 2..=wide + 2 {
            for y in -5..=4 {
                check(&a, &b, (&p, &q), [x, y]);
                check(&b, &a, (&q, &p), [-x, -y]);
            }
        }
    }
}

#[test]
fn stamps_agree_with_single_pixels() {
    let seed = seed();
    for index in 0..500 {
        let dice = &mut Dice::new(seed, index);
        let (a, b) = (grid::grid(dice, 150), grid::grid(dice, 150));
        let offset = grid::offset(dice, &a, &b);
        let there = |x: i64, y: i64| match (x.checked_sub(offset[0]), y.checked_sub(offset[1])) {
            (Some(x), Some(y)) => b.at(x, y),
            _ => false,
        };
        let (mut drawn, mut erased) = (a.mask(), a.mask());
        drawn.draw(&b.mask(), offset);
        erased.erase(&b.mask(), offset);
        let with =
            |keep: fn(bool, bool) -> bool| Grid::new(a.width, a.height, |x, y| keep(a.at(x, y), there(x, y))).mask();
        // Equal masks, so no bit beyond the width either.
        assert_eq!(drawn, with(|a, b| a || b), "pair {index} of seed {seed}");
        assert_eq!(erased, with(|a, b| a && !b), "pair {index} of seed {seed}");
    }
}
