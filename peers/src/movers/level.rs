//! Generates a level of a platformer and the recorded input of its movers.

use crate::input::Vec2;
use crate::worlds::scene::Form;

/// Number of storeys, and of square tiles along each.
const STOREYS: usize = 20;
const COLUMNS: usize = 250;
/// Rows of square tiles of each floor.
const ROWS: usize = 2;
/// Height of a storey.
const HEIGHT: f64 = 16.0;
/// Number of square tiles: 10 000.
pub(crate) const TILES: usize = STOREYS * COLUMNS * ROWS;

/// A mover is a vertical capsule: distance of its centres from the middle, and radius.
pub(crate) const HALF: f64 = 0.4;
pub(crate) const RADIUS: f64 = 0.3;
/// Height of the highest step that is climbed, steepest slope in degrees, and distance kept to surfaces.
pub(crate) const STEP: f64 = 0.3;
pub(crate) const SLOPE: f64 = 50.0;
pub(crate) const SKIN: f64 = 0.01;

/// Duration of a frame.
pub(crate) const SECONDS: f64 = 1.0 / 60.0;
/// Units per second.
const SPEED: f64 = 4.0;

/// Floors of square tiles with slopes, stairs and walls on them.
pub(crate) struct Level {
    /// Shape and position of each piece; the square tiles are the first ones.
    pub(crate) pieces: Vec<(Form, Vec2)>,
    /// Least and largest x of each wall, by storey.
    walls: Vec<Vec<Vec2>>,
}

/// Input of a mover in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Control {
    /// Velocity along x.
    pub(crate) speed: f64,
    /// True if it jumps, provided that it stands on the ground.
    pub(crate) jump: bool,
}

impl Level {
    /// Generates the level of a seed.
    pub(crate) fn random(seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut level = Self { pieces: Vec::new(), walls: Vec::new() };
        for storey in 0..STOREYS {
            for column in 0..COLUMNS {
                for row in 0..ROWS {
                    level.square([column as f64, floor(storey) - 1.0 - row as f64]);
                }
            }
        }
        for storey in 0..STOREYS {
            level.furnish(floor(storey), &mut rng);
        }
        level
    }

    /// Puts slopes, stairs and walls on a floor.
    fn furnish(&mut self, y: f64, rng: &mut fastrand::Rng) {
        self.walls.push(Vec::new());
        let length = COLUMNS as f64;
        self.wall([-1.0, y], 4.0);
        self.wall([length, y], 4.0);
        let mut x = 5.0;
        while x < length - 20.0 {
            let top = rng.usize(1..5);
            x = match rng.usize(..4) {
                0 => self.hill([x, y], (2.0, 1), top),
                1 => self.hill([x, y], (3.0, 2), top),
                2 => self.stairs([x, y], top),
                _ => self.wall([x, y], if rng.bool() { 1.0 } else { 3.0 }),
            };
            x += rng.usize(2..7) as f64;
        }
    }

    /// A slope up, square tiles, and a slope down. Returns the x behind it.
    fn hill(&mut self, [x, y]: Vec2, (run, rows): (f64, usize), top: usize) -> f64 {
        let (rise, length) = (rows as f64, top as f64);
        self.pieces.push((Form::Polygon(vec![[0.0, 0.0], [run, 0.0], [run, rise]]), [x, y]));
        for column in 0..top {
            for row in 0..rows {
                self.square([x + run + column as f64, y + row as f64]);
            }
        }
        self.pieces.push((Form::Polygon(vec![[0.0, 0.0], [run, 0.0], [0.0, rise]]), [x + run + length, y]));
        x + 2.0 * run + length
    }

    /// Three steps up, square tiles, and three steps down. Returns the x behind it.
    fn stairs(&mut self, [x, y]: Vec2, top: usize) -> f64 {
        let length = top as f64;
        for step in 1..4 {
            let (height, along) = (0.25 * f64::from(step), f64::from(step) - 1.0);
            self.block([x + along, y], height);
            self.block([x + 5.0 + length - along, y], height);
        }
        for column in 0..top {
            self.square([x + 3.0 + column as f64, y]);
        }
        x + 6.0 + length
    }

    /// Returns the x behind it.
    fn wall(&mut self, [x, y]: Vec2, height: f64) -> f64 {
        self.block([x, y], height);
        self.walls.last_mut().expect("a storey").push([x, x + 1.0]);
        x + 1.0
    }

    fn square(&mut self, corner: Vec2) {
        self.block(corner, 1.0);
    }

    /// A rectangle of width 1, by its lower left corner.
    fn block(&mut self, [x, y]: Vec2, height: f64) {
        self.pieces.push((Form::Rectangle([0.5, 0.5 * height]), [x + 0.5, y + 0.5 * height]));
    }

    /// Returns true if no wall is near a place of a mover. Slopes and steps do not count: it climbs all of them.
    pub(crate) fn is_free(&self, mover: usize, x: f64) -> bool {
        self.walls[storey(mover)].iter().all(|wall| x < wall[0] - 1.0 || x > wall[1] + 1.0)
    }
}

/// Storey of a mover.
fn storey(mover: usize) -> usize {
    mover % STOREYS
}

/// Height of the floor of a storey.
fn floor(storey: usize) -> f64 {
    HEIGHT * storey as f64
}

/// Height of the floor of a mover's storey.
pub(crate) fn floor_of(mover: usize) -> f64 {
    floor(storey(mover))
}

/// Places in the air above the floors.
pub(crate) fn starts(movers: usize, seed: u64) -> Vec<Vec2> {
    let mut rng = fastrand::Rng::with_seed(seed ^ 0x57a7);
    (0..movers).map(|mover| [1.0 + rng.f64() * (COLUMNS as f64 - 2.0), floor_of(mover) + 5.0]).collect()
}

/// Recorded input: for each frame the control of each mover. A mover keeps its direction for a third of a second
/// to two and a half seconds, and jumps about once a second.
pub(crate) fn recording(frames: usize, movers: usize, seed: u64) -> Vec<Vec<Control>> {
    let mut rng = fastrand::Rng::with_seed(seed ^ 0x1e9);
    let mut now = vec![(0.0, 0); movers];
    let mut frame = |_| now.iter_mut().map(|(speed, left)| control(speed, left, &mut rng)).collect();
    (0..frames).map(&mut frame).collect()
}

fn control(speed: &mut f64, left: &mut usize, rng: &mut fastrand::Rng) -> Control {
    if *left == 0 {
        *left = rng.usize(20..150);
        *speed = SPEED * [-1.0, -1.0, -1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 1.0][rng.usize(..9)];
    }
    *left -= 1;
    Control { speed: *speed, jump: rng.usize(..60) == 0 }
}
