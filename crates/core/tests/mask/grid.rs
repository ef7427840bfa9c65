//! Masks as plain arrays, with queries that visit every pixel.
#![allow(unreachable_pub, reason = "shared by the modules of this test")]

use carom::Mask;

use crate::support::dice::Dice;

/// One flag per pixel, row after row.
#[derive(Clone, PartialEq)]
pub struct Grid {
    pub width: i64,
    pub height: i64,
    solid: Vec<bool>,
}

impl Grid {
    pub fn new(width: i64, height: i64, mut solid: impl FnMut(i64, i64) -> bool) -> Self {
        let solid = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| solid(x, y)).collect();
        Self { width, height, solid }
    }

    pub fn of(mask: &Mask) -> Self {
        Self::new(i64::from(mask.width()), i64::from(mask.height()), |x, y| mask.get(x as u32, y as u32))
    }

    pub fn mask(&self) -> Mask {
        let alpha: Vec<u8> = self.solid.iter().map(|&solid| if solid { 200 } else { 199 }).collect();
        Mask::from_alpha(self.width as u32, self.height as u32, &alpha, 200).unwrap()
    }

    pub fn at(&self, x: i64, y: i64) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y) && self.solid[(y * self.width + x) as usize]
    }

    /// Solid pixels, by row and then column.
    pub fn pixels(&self) -> impl Iterator<Item = (i64, i64)> {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))).filter(|&(x, y)| self.at(x, y))
    }

    /// Clears a pixel. Returns whether it was solid.
    pub fn take(&mut self, x: i64, y: i64) -> bool {
        let solid = self.at(x, y);
        if solid {
            self.solid[(y * self.width + x) as usize] = false;
        }
        solid
    }

    /// Pixels of `self` on which one of `b` lies.
    pub fn common<'g>(&'g self, b: &'g Self, [x, y]: [i64; 2]) -> impl Iterator<Item = (i64, i64)> {
        self.pixels().filter(move |&(px, py)| b.at(px - x, py - y))
    }

    pub fn count(&self, b: &Self, offset: [i64; 2]) -> i64 {
        self.common(b, offset).count() as i64
    }

    /// Returns whether closed pixels share a point.
    pub fn touches(&self, b: &Self, [x, y]: [i64; 2]) -> bool {
        let near = |p: i64| p - 1..=p + 1;
        self.pixels().any(|(px, py)| near(py - y).any(|v| near(px - x).any(|u| b.at(u, v))))
    }
}

/// A side that is likely to lie at the border of a word.
pub fn side(dice: &mut Dice, most: i64) -> i64 {
    let side = if dice.chance(0.5) {
        dice.whole(1, 200)
    } else {
        dice.one_of(&[1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 200])
    };
    i64::from(side).min(most)
}

/// Noise of any density, a shape with an inside, stripes, or a single pixel.
pub fn grid(dice: &mut Dice, most: i64) -> Grid {
    let (width, height) = (side(dice, most), side(dice, most));
    let (w, h) = (width as f64, height as f64);
    match dice.index(9) {
        0 | 1 => {
            let density = dice.one_of(&[0.003, 0.03, 0.1, 0.4, 0.6, 0.9, 1.0]);
            Grid::new(width, height, |_, _| dice.chance(density))
        }
        2 | 3 => {
            let (rx, ry) = (w * dice.between(0.1, 0.6), h * dice.between(0.1, 0.6));
            let hole = dice.one_of(&[0.0, 0.5, 0.9]);
            Grid::new(width, height, |x, y| {
                let (u, v) = ((x as f64 + 0.5 - w / 2.0) / rx, (y as f64 + 0.5 - h / 2.0) / ry);
                (hole * hole..=1.0).contains(&(u * u + v * v))
            })
        }
        4 | 5 => {
            let (p, q, period) =
                (i64::from(dice.whole(-3, 3)), i64::from(dice.whole(-3, 3)), i64::from(dice.whole(2, 9)));
            Grid::new(width, height, |x, y| (p * x + q * y).rem_euclid(period) == 0)
        }
        6 | 7 => {
            // Boxes on each other.
            let boxes: Vec<[f64; 4]> =
                (0..6).map(|_| [w, h, w / 3.0, h / 3.0].map(|most| dice.between(0.0, most))).collect();
            let inside =
                |x: i64, y: i64, b: &[f64; 4]| (x as f64 - b[0]).abs() < b[2] && (y as f64 - b[1]).abs() < b[3];
            Grid::new(width, height, |x, y| boxes.iter().filter(|b| inside(x, y, b)).count() % 2 == 1)
        }
        _ => {
            let (px, py) = (dice.index(width as usize) as i64, dice.index(height as usize) as i64);
            Grid::new(width, height, |x, y| (x, y) == (px, py))
        }
    }
}

/// Mostly offsets at which the pictures lie on each other, some just beside it, a few far away.
pub fn offset(dice: &mut Dice, a: &Grid, b: &Grid) -> [i64; 2] {
    if dice.chance(0.02) {
        return [i64::MIN, -1 << 40, 0, i64::MAX].map(|_| dice.one_of(&[i64::MIN, -1 << 40, 0, 1 << 33, i64::MAX]))
            [..2]
            .try_into()
            .unwrap();
    }
    let mut one = |a: i64, b: i64| match dice.index(8) {
        0 => -b + i64::from(dice.whole(-2, 2)),
        1 => a + i64::from(dice.whole(-2, 2)),
        _ => i64::from(dice.whole((-b) as i32, a as i32)),
    };
    [one(a.width, b.width), one(a.height, b.height)]
}
