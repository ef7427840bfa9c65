//! One mask: constructors, errors, mass and transforms.

use carom::mask::PixelBox;
use carom::{Error, ErrorKind, Mask};

use super::grid::{self, Grid};
use crate::support::dice::Dice;
use crate::support::run::seed;

#[test]
fn every_pixel_comes_back() -> Result<(), Error> {
    let seed = seed();
    for index in 0..500 {
        let dice = &mut Dice::new(seed, index);
        let grid = grid::grid(dice, 200);
        let mask = grid.mask();
        let (width, height) = (mask.width(), mask.height());
        assert!(Grid::of(&mask) == grid, "mask {index} of seed {seed}");
        assert_eq!(Mask::from_fn(width, height, |x, y| grid.at(i64::from(x), i64::from(y)))?, mask);
        let mut set = Mask::new(width, height)?;
        for (x, y) in grid.pixels() {
            set.set(x as u32, y as u32, true)?;
        }
        assert_eq!(set, mask);
        assert_eq!(mask.count(), grid.pixels().count() as u64);
        let far = grid
            .pixels()
            .fold([i64::MAX, i64::MAX, 0, 0], |b, (x, y)| [b[0].min(x), b[1].min(y), b[2].max(x + 1), b[3].max(y + 1)]);
        let bounds = PixelBox { min: [far[0] as u32, far[1] as u32], max: [far[2] as u32, far[3] as u32] };
        assert_eq!(mask.bounds(), (mask.count() > 0).then_some(bounds));
        for (x, y) in grid.pixels() {
            set.set(x as u32, y as u32, false)?;
        }
        assert_eq!(set, Mask::new(width, height)?);
        assert!(!mask.get(width, 0) && !mask.get(0, height) && !mask.get(u32::MAX, u32::MAX));
    }
    Ok(())
}

#[test]
fn flips_and_quarter_turns_move_every_pixel() {
    let seed = seed();
    for index in 0..400 {
        let grid = grid::grid(&mut Dice::new(seed, index), 200);
        let (mask, w, h) = (grid.mask(), grid.width, grid.height);
        let expect = |name: &str, turned: Mask, width, height, from: &dyn Fn(i64, i64) -> (i64, i64)| {
            let expected = Grid::new(width, height, |x, y| {
                let (x, y) = from(x, y);
                grid.at(x, y)
            });
            // Equal masks, so no bit beyond the width either.
            assert_eq!(turned, expected.mask(), "{name} of mask {index} of seed {seed}");
        };
        expect("flipped_horizontally", mask.flipped_horizontally(), w, h, &|x, y| (w - 1 - x, y));
        expect("flipped_vertically", mask.flipped_vertically(), w, h, &|x, y| (x, h - 1 - y));
        expect("transposed", mask.transposed(), h, w, &|x, y| (y, x));
        // After one quarter (x, y) is (h − 1 − y, x).
        expect("one quarter", mask.rotated_90(1), h, w, &|x, y| (y, h - 1 - x));
        expect("two quarters", mask.rotated_90(2), w, h, &|x, y| (w - 1 - x, h - 1 - y));
        expect("a quarter back", mask.rotated_90(-1), h, w, &|x, y| (w - 1 - y, x));
        expect("no quarter", mask.rotated_90(i32::MIN), w, h, &|x, y| (x, y));
    }
}

/// Pairwise distances give the second moment without a centroid: Σ|p − q|² over all pairs, divided
/// by n.
#[test]
fn mass_is_exact() {
    let seed = seed();
    for index in 0..300 {
        let grid = grid::grid(&mut Dice::new(seed, index), 40);
        let (mask, pixels) = (grid.mask(), grid.pixels().collect::<Vec<_>>());
        let n = pixels.len() as i64;
        let Some(centroid) = mask.centroid() else {
            assert_eq!((n, mask.inertia()), (0, 0.0));
            continue;
        };
        let sum = pixels.iter().fold((0, 0), |sum, p| (sum.0 + 2 * p.0 + 1, sum.1 + 2 * p.1 + 1));
        assert_eq!(centroid.to_array(), [sum.0 as f64 / (2 * n) as f64, sum.1 as f64 / (2 * n) as f64]);
        let pairs = pixels
            .iter()
            .enumerate()
            .flat_map(|(i, p)| pixels[..i].iter().map(move |q| (p.0 - q.0).pow(2) + (p.1 - q.1).pow(2)));
        // Exact in f64, so that one division rounds once.
        let numerator = 6 * pairs.sum::<i64>() + n * n;
        assert!(numerator < 1 << 53);
        assert_eq!(mask.inertia(), numerator as f64 / (6 * n) as f64, "mask {index} of seed {seed}");
    }
}

#[test]
fn the_largest_mask_overflows_nowhere() -> Result<(), Error> {
    let side = 1 << 14;
    let mut mask = Mask::new(side, side)?;
    let mut strip = Mask::from_fn(side, 1, |_, _| true)?;
    let mut rows = 1;
    while rows < side {
        let mut taller = Mask::new(side, 2 * rows)?;
        taller.draw(&strip, [0, 0]);
        taller.draw(&strip, [0, i64::from(rows)]);
        (strip, rows) = (taller, 2 * rows);
    }
    mask.draw(&strip, [0, 0]);
    assert_eq!(mask.count(), 1 << 28);
    // w h (w² + h²) / 12 with w = h = 2^14.
    assert_eq!(mask.inertia(), (1_u64 << 57) as f64 / 12.0);
    assert_eq!(mask.centroid().unwrap().to_array(), [8192.0, 8192.0]);
    assert_eq!(mask.overlap_area(&mask, [1, -1]), 16_383 * 16_383);
    Ok(())
}

/// Refused before allocation, with the number, the limit and the remedy.
#[test]
fn errors_name_the_reason() {
    let rows: [(Result<Mask, Error>, ErrorKind, &[&str]); 11] = [
        (Mask::new(0, 5), ErrorKind::ZeroSize, &["0 × 5", "at least one"]),
        (Mask::new(5, 0), ErrorKind::ZeroSize, &["5 × 0"]),
        (
            Mask::new(u32::MAX, u32::MAX),
            ErrorKind::TooManyPixels,
            &["4294967295 × 4294967295", "268435456", "65536", "tiles"],
        ),
        (Mask::new(65_537, 1), ErrorKind::TooManyPixels, &["65537", "65536"]),
        (Mask::new(1, 65_537), ErrorKind::TooManyPixels, &["65537", "65536"]),
        (Mask::new(16_385, 16_384), ErrorKind::TooManyPixels, &["16385 × 16384", "268435456"]),
        (Mask::from_alpha(40_000, 40_000, &[], 1), ErrorKind::TooManyPixels, &["40000"]),
        (Mask::from_alpha(3, 2, &[0; 5], 1), ErrorKind::WrongLength, &["3 × 2", "6", "not 5"]),
        (Mask::from_fn(1 << 20, 1 << 20, |_, _| true), ErrorKind::TooManyPixels, &["1048576"]),
        (Mask::from_rows(&["##", "#"]), ErrorKind::WrongLength, &["row 1 has 1", "row 0 has 2"]),
        (Mask::from_rows(&[]), ErrorKind::ZeroSize, &["0 × 0"]),
    ];
    for (number, (result, kind, words)) in rows.into_iter().enumerate() {
        let error = result.expect_err(&format!("row {number} must be refused"));
        assert_eq!(error.kind(), kind, "row {number}: {error}");
        for word in words {
            assert!(error.to_string().contains(word), "row {number} does not say {word:?}: {error}");
        }
    }
    let mut mask = Mask::new(7, 3).unwrap();
    let error = mask.set(7, 2, true).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    assert!(error.to_string().contains("(7, 2)") && error.to_string().contains("7 × 3"));
    assert!(Mask::new(65_536, 4_096).is_ok() && Mask::new(1, 65_536).is_ok());
}
