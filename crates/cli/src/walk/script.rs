//! Reads the recorded input of `--input`.
//!
//! Its types are the contract: their schema is `docs/schemas/walk-input.json`.
use std::path::Path;

use carom::{DVec2, Shape, ShapeKind};
use carom_scene::ShapeJson;
use serde::Deserialize;

use crate::error::CliError;
use crate::input::{bytes, name};

/// Largest number of frames.
const MOST_FRAMES: usize = 10_000_000;

/// Start and settings of a character, and its input.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object with \"start\", \"mover\" and \"input\"")]
pub(super) struct Script {
    /// Address of this schema, for editors.
    #[serde(rename = "$schema", default)]
    #[expect(dead_code, reason = "allowed and of no meaning to the reader")]
    schema: Option<String>,
    /// Position of the origin of the shape, in the coordinates of the level.
    start: [f64; 2],
    mover: MoverSpec,
    /// Moves along both axes, without gravity, as seen from above. Excludes `up`, `gravity` and
    /// `jump_speed`.
    #[serde(default)]
    pub(super) top_down: bool,
    /// Direction against gravity. Default: [0, -1] if +y of the level points down, else [0, 1].
    #[serde(default)]
    pub(super) up: Option<[f64; 2]>,
    /// Acceleration against `up`. Default: that of the level, else 20.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1e30)))]
    gravity: Option<f64>,
    /// Speed along `up` at the start of a jump. Default: 8.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1e30)))]
    jump_speed: Option<f64>,
    /// Level units in one unit of this file, such as pixels per metre. Multiplies all positions,
    /// lengths, speeds and shapes.
    #[serde(default = "one")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30)))]
    pub(super) scale: f64,
    /// In order of time.
    pub(super) input: Vec<Press>,
}

/// Shape and settings of the character.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Mover"))]
#[serde(deny_unknown_fields, expecting = "a mover, such as {\"shape\": {\"circle\": {\"radius\": 0.5}}}")]
struct MoverSpec {
    /// Convex shape, as in a scene file.
    shape: ShapeJson,
    /// Distance to other colliders that is kept.
    #[serde(default = "skin")]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1e30)))]
    skin: f64,
    /// Steepest slope that it stands on and climbs, in degrees.
    #[serde(default = "max_slope")]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 90.0)))]
    max_slope: f64,
    /// Highest step that it climbs.
    #[serde(default = "step_height")]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1e30)))]
    step_height: f64,
    /// Largest height by which it snaps down to the ground.
    #[serde(default = "step_height")]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1e30)))]
    snap_distance: f64,
    /// Largest distance by which one frame moves it out of overlaps.
    #[serde(default = "one")]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1e30)))]
    max_push: f64,
    /// Names or numbers of its layers. Default: a layer without a collider of the level.
    #[serde(default)]
    layers: Option<Vec<String>>,
    /// Names or numbers of the layers that stop it. Default: all.
    #[serde(default)]
    mask: Option<Vec<String>>,
}

/// Input that stays the same for some frames.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Input"))]
#[serde(deny_unknown_fields, expecting = "an input, such as {\"frames\": 30, \"velocity\": [3, 0]}")]
pub(super) struct Press {
    pub(super) frames: u32,
    /// Wanted velocity, in the axes of the level. Gravity and jumps are added.
    #[serde(default)]
    velocity: [f64; 2],
    /// Jumps at the first of the frames at which it stands.
    #[serde(default)]
    pub(super) jump: bool,
    /// Drops through one-way ground at the first of the frames at which it stands on it.
    #[serde(default)]
    pub(super) drop: bool,
}

fn one() -> f64 {
    1.0
}

fn skin() -> f64 {
    0.01
}

fn max_slope() -> f64 {
    50.0
}

fn step_height() -> f64 {
    0.3
}

/// Settings of a character in level units.
pub(super) struct Character<'s> {
    pub(super) start: DVec2,
    pub(super) shape: Shape,
    pub(super) skin: f64,
    pub(super) max_slope: f64,
    pub(super) step_height: f64,
    pub(super) snap_distance: f64,
    pub(super) max_push: f64,
    pub(super) layers: Option<&'s [String]>,
    pub(super) mask: Option<&'s [String]>,
}

impl Script {
    /// Reads and checks a file.
    pub(super) fn read(file: &Path) -> Result<Self, CliError> {
        let name = name(file);
        let script: Self = serde_json::from_slice(&bytes(file)?).map_err(|error| {
            let text = error.to_string();
            let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
            CliError::at(&name, format!("line {}, column {}: {message}", error.line(), error.column()))
        })?;
        script.check().map_err(|message| CliError::at(&name, message))?;
        Ok(script)
    }

    fn check(&self) -> Result<(), String> {
        let mover = &self.mover;
        let positive = |name: &str, number: f64| {
            let message = || format!("{name}: a number above 0 and at most 1e30 is expected, not {number}");
            if number > 0.0 && number <= 1e30 { Ok(()) } else { Err(message()) }
        };
        positive("scale", self.scale)?;
        for (name, number) in [
            ("gravity", self.gravity.unwrap_or(0.0)),
            ("jump_speed", self.jump_speed.unwrap_or(0.0)),
            ("mover.skin", mover.skin),
            ("mover.step_height", mover.step_height),
            ("mover.snap_distance", mover.snap_distance),
            ("mover.max_push", mover.max_push),
        ] {
            if !(0.0..=1e30).contains(&(number * self.scale)) {
                return Err(format!("{name}: a number from 0 to 1e30 is expected, not {number}"));
            }
        }
        if !(0.0..=90.0).contains(&mover.max_slope) {
            return Err(format!("mover.max_slope: degrees from 0 to 90 are expected, not {}", mover.max_slope));
        }
        let excluded = [
            ("up", self.up.is_some()),
            ("gravity", self.gravity.is_some()),
            ("jump_speed", self.jump_speed.is_some()),
            ("jump", self.input.iter().any(|press| press.jump)),
            ("drop", self.input.iter().any(|press| press.drop)),
        ];
        if let Some((name, _)) = excluded.iter().find(|(_, is_there)| self.top_down && *is_there) {
            return Err(format!("{name}: with \"top_down\" there is no up and no gravity: leave one of the two out"));
        }
        let all = [("start".to_owned(), self.start)]
            .into_iter()
            .chain(self.input.iter().enumerate().map(|(i, press)| (format!("input[{i}].velocity"), press.velocity)));
        for (name, [x, y]) in all {
            if !(x.abs() * self.scale <= 1e30 && y.abs() * self.scale <= 1e30) {
                return Err(format!("{name}: {x}, {y} is beyond 1e30, the largest magnitude"));
            }
        }
        let frames: u64 = self.input.iter().map(|press| u64::from(press.frames)).sum();
        if frames > MOST_FRAMES as u64 {
            return Err(format!("input: {frames} frames; at most {MOST_FRAMES} are allowed"));
        }
        Ok(())
    }

    /// Returns the number of frames.
    pub(super) fn frames(&self) -> usize {
        self.input.iter().map(|press| press.frames as usize).sum()
    }

    /// Returns the wanted velocity of an input in level units.
    pub(super) fn velocity(&self, press: &Press) -> DVec2 {
        DVec2::from(press.velocity) * self.scale
    }

    /// Returns gravity in level units, if the file has it.
    pub(super) fn gravity(&self) -> Option<f64> {
        self.gravity.map(|gravity| gravity * self.scale)
    }

    /// Returns the speed of jumps in level units.
    pub(super) fn jump_speed(&self) -> f64 {
        self.jump_speed.unwrap_or(8.0) * self.scale
    }

    /// Returns the character in level units.
    pub(super) fn character(&self) -> Result<Character<'_>, String> {
        let (mover, scale) = (&self.mover, self.scale);
        let shape = mover.shape.build().map_err(|message| format!("mover.{message}"))?;
        if matches!(shape.kind(), ShapeKind::Polygon | ShapeKind::Chain | ShapeKind::Compound | ShapeKind::Mask) {
            return Err(format!("mover.shape: a {} is not convex: a mover has a convex shape", shape.kind().name()));
        }
        let shape = if scale == 1.0 { shape } else { shape.scaled(scale, scale).map_err(|e| format!("scale: {e}"))? };
        Ok(Character {
            start: DVec2::from(self.start) * scale,
            shape,
            skin: mover.skin * scale,
            max_slope: mover.max_slope.to_radians(),
            step_height: mover.step_height * scale,
            snap_distance: mover.snap_distance * scale,
            max_push: mover.max_push * scale,
            layers: mover.layers.as_deref(),
            mask: mover.mask.as_deref(),
        })
    }
}
