//! `--balls` and `--gravity`: generates a scene of moving balls in a box, and parses the values of
//! these options.
use std::f64::consts::PI;

use carom::{Aabb, DVec2, Pose, Shape};
use carom_scene::{Body, Scene, SceneCollider};

use crate::error::CliError;
use crate::number_format::number;

/// Fraction of the area that balls cover if no box is given.
const COVER: f64 = 0.3;

/// Options of the balls.
#[derive(clap::Args)]
pub(crate) struct Balls {
    /// Simulate N balls in a box instead of a file
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "files",
        value_parser = clap::value_parser!(u32).range(..=4_000_000)
    )]
    #[expect(clippy::struct_field_names, reason = "the name of the flag")]
    pub(crate) balls: Option<u32>,

    /// Seed of the random numbers of --balls
    #[arg(long, value_name = "N", default_value_t = 1, requires = "balls", conflicts_with = "files")]
    pub(crate) seed: u64,

    /// Radius of the balls
    #[arg(
        long,
        value_name = "R",
        default_value_t = 0.5,
        requires = "balls",
        conflicts_with = "files",
        value_parser = positive
    )]
    pub(crate) radius: f64,

    /// Largest speed of the balls; the smallest is a fifth of it
    #[arg(
        long,
        value_name = "V",
        default_value_t = 5.0,
        requires = "balls",
        conflicts_with = "files",
        value_parser = not_negative
    )]
    pub(crate) speed: f64,

    /// Restitution of the balls: the share of the speed that a bounce keeps, from 0 to 1
    #[arg(
        long,
        value_name = "E",
        default_value_t = 1.0,
        requires = "balls",
        conflicts_with = "files",
        value_parser = fraction
    )]
    pub(crate) restitution: f64,

    /// Width and height of the box [default: a square of which the balls cover 30 %]
    #[arg(
        long = "box",
        id = "box",
        value_name = "W,H",
        requires = "balls",
        conflicts_with = "files",
        value_parser = size
    )]
    pub(crate) size: Option<DVec2>,
}

pub(crate) fn scene(count: u32, seed: u64) -> Scene {
    let balls = Balls { balls: Some(count), seed, radius: 0.5, speed: 5.0, restitution: 1.0, size: None };
    balls.scene(count).expect("balls of the default size fit in their box")
}

impl Balls {
    /// Places balls on a lattice with small random offsets, in a box about the origin. No balls
    /// overlap.
    pub(crate) fn scene(&self, count: u32) -> Result<Scene, CliError> {
        let mut rng = fastrand::Rng::with_seed(self.seed);
        let ball = Shape::circle(self.radius).map_err(|error| CliError::at("--radius", error))?;
        let (columns, cell) = self.lattice(count)?;
        let rows = (f64::from(count) / columns).ceil().max(1.0);
        let half = match self.size {
            Some(size) => size * 0.5,
            None => DVec2::splat(0.5 * columns) * cell,
        };
        debug_assert!(rows * cell.y <= 2.0 * half.y * (1.0 + 1e-9));
        let mut one = |i: u32| {
            let at = DVec2::new(f64::from(i) % columns, (f64::from(i) / columns).floor()) + 0.5;
            let jitter = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * (cell - 2.0 * self.radius);
            let speed = self.speed * (0.2 + 0.8 * rng.f64());
            // The library computes the same sine and cosine on every machine.
            let direction = Pose::from_degrees(DVec2::ZERO, rng.f64() * 360.0).expect("an angle in range");
            let pose =
                Pose::from_translation(at * cell + jitter - half).map_err(|error| CliError::at("--box", error))?;
            let velocity = DVec2::new(direction.cos(), direction.sin()) * speed;
            let body = Some(Body { mass: 1.0, velocity, restitution: self.restitution });
            Ok(SceneCollider { body, ..SceneCollider::new(format!("#{i}"), ball.clone(), pose) })
        };
        let colliders = (0..count).map(&mut one).collect::<Result<_, CliError>>()?;
        let walls = Aabb::new(-half, half).map_err(|error| CliError::at("--box", error))?;
        Ok(Scene { colliders, walls: Some(walls), ..Scene::default() })
    }

    /// Returns the number of columns and the size of a cell of the lattice.
    fn lattice(&self, count: u32) -> Result<(f64, DVec2), CliError> {
        let count = f64::from(count);
        let Some(size) = self.size else {
            let pitch = self.radius * (PI / COVER).sqrt();
            return Ok((count.sqrt().ceil().max(1.0), DVec2::splat(pitch)));
        };
        let diameter = 2.0 * self.radius;
        // Square cells, if the sides of the box allow it.
        let columns = (count * size.x / size.y).sqrt().round().max(1.0);
        let most = (size.x / diameter).floor().max(1.0);
        let columns = columns.min(most);
        let rows = (count / columns).ceil().max(1.0);
        let cell = size / DVec2::new(columns, rows);
        if cell.min_element() < diameter {
            let fits = (size / diameter).floor();
            return Err(CliError::new(format!(
                "--box {},{}: {count} balls of radius {} do not fit; at most {} in rows and columns do: make the box \
                 larger, or the balls smaller or fewer",
                number(size.x),
                number(size.y),
                number(self.radius),
                number(fits.x * fits.y)
            )));
        }
        Ok((columns, cell))
    }
}

fn parsed(text: &str, is_valid: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && is_valid(*x))
        .ok_or_else(|| format!("expected {expected}"))
}

fn positive(text: &str) -> Result<f64, String> {
    parsed(text, |x| x > 0.0 && x <= 1e30, "a number above 0, at most 1e30")
}

fn not_negative(text: &str) -> Result<f64, String> {
    parsed(text, |x| (0.0..=1e30).contains(&x), "a number from 0 to 1e30")
}

fn fraction(text: &str) -> Result<f64, String> {
    parsed(text, |x| (0.0..=1.0).contains(&x), "a number from 0 to 1")
}

fn size(text: &str) -> Result<DVec2, String> {
    let (width, height) = text.split_once(',').ok_or("expected width and height, such as 20,10")?;
    Ok(DVec2::new(positive(width)?, positive(height)?))
}

/// Reads `x,y`, or one number: the acceleration downwards.
pub(crate) fn gravity(text: &str) -> Result<DVec2, String> {
    let number = |text: &str| parsed(text, |x| x.abs() <= 1e30, "numbers such as 0,-9.8, or one number for downwards");
    match text.split_once(',') {
        Some((x, y)) => Ok(DVec2::new(number(x)?, number(y)?)),
        None => Ok(DVec2::new(0.0, -number(text)?)),
    }
}
