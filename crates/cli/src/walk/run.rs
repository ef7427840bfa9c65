//! Runs the recorded input frame by frame.
//!
//! ```text
//! platforms to their positions at the time of the frame
//! rise: speed along up; a jump sets it, gravity lowers it, ground and ceilings end it
//! move by (velocity + up · rise) · step
//! ```
use carom::DVec2;
use carom::mover::{MoverSurface, SurfaceClass};

use super::level::Level;
use super::script::Script;
use crate::error::CliError;

/// The character at the end of a frame.
pub(super) struct Frame<'l> {
    /// From 1.
    pub(super) number: usize,
    pub(super) time: f64,
    pub(super) position: DVec2,
    pub(super) velocity: DVec2,
    /// Index in the scene and normal.
    pub(super) ground: Option<(usize, DVec2)>,
    pub(super) surfaces: &'l [MoverSurface],
}

/// Result of a run.
pub(super) struct Summary {
    pub(super) frames: usize,
    pub(super) step: f64,
    pub(super) start: DVec2,
    pub(super) end: DVec2,
    /// Length of the path.
    pub(super) distance: f64,
    /// Number of frames on the ground.
    pub(super) grounded: usize,
    pub(super) jumps: usize,
    pub(super) drops: usize,
    pub(super) landings: usize,
    /// In the order of the first frame.
    pub(super) grounds: Vec<GroundCount>,
}

/// Frames on one collider.
pub(super) struct GroundCount {
    /// Index in the scene.
    pub(super) index: usize,
    /// First frame.
    pub(super) first: usize,
    pub(super) frames: usize,
}

/// Runs all frames. `each` gets the level and the character after each of them.
pub(super) fn run(
    level: &mut Level,
    script: &Script,
    step: f64,
    mut each: impl FnMut(&Level, &Frame<'_>) -> Result<(), CliError>,
) -> Result<Summary, CliError> {
    let mut summary = Summary::new(level.start, step);
    let mut rise = 0.0;
    for press in &script.input {
        let (mut jump, mut drop) = (press.jump, press.drop);
        let velocity = script.velocity(press);
        for _ in 0..press.frames {
            let time = (summary.frames + 1) as f64 * step;
            level.move_platforms(time)?;
            let stands = level.mover.is_grounded();
            if jump && stands {
                (rise, jump) = (script.jump_speed(), false);
                summary.jumps += 1;
            } else {
                rise -= level.gravity * step;
            }
            if drop && level.is_on_one_way() {
                level.mover.drop_through();
                drop = false;
                summary.drops += 1;
            }
            let wanted = (velocity + level.up.map_or(DVec2::ZERO, |up| up * rise)) * step;
            let fail = |error: carom::Error| CliError::at(format!("frame {}", summary.frames + 1), error);
            let moved = level.mover.move_by(&mut level.world, wanted).map_err(fail)?.translation;
            if let Some(up) = level.up {
                rise = next_rise(level, rise, (moved / step - velocity).dot(up));
            }
            let ground = level.mover.ground().map(|ground| (ground.handle.index(), ground.normal));
            summary.add(moved, ground.map(|(index, _)| index), stands);
            let frame = Frame {
                number: summary.frames,
                time,
                position: level.position(),
                velocity: moved / step,
                ground,
                surfaces: level.mover.surfaces(),
            };
            summary.end = frame.position;
            each(level, &frame)?;
        }
    }
    Ok(summary)
}

/// Returns the speed along up after a frame. `real` is the part of the motion made along up.
fn next_rise(level: &Level, rise: f64, real: f64) -> f64 {
    let hits_ceiling = || level.mover.surfaces().iter().any(|surface| surface.class == SurfaceClass::Ceiling);
    if rise > 0.0 {
        if hits_ceiling() { 0.0 } else { rise }
    } else if level.mover.is_grounded() {
        0.0
    } else {
        // A steep slope slows the fall.
        rise.max(real.min(0.0))
    }
}

impl Summary {
    fn new(start: DVec2, step: f64) -> Self {
        let (frames, grounded, jumps, drops, landings) = (0, 0, 0, 0, 0);
        let (end, distance, grounds) = (start, 0.0, Vec::new());
        Self { frames, step, start, end, distance, grounded, jumps, drops, landings, grounds }
    }

    fn add(&mut self, moved: DVec2, ground: Option<usize>, stood: bool) {
        self.frames += 1;
        self.distance += moved.length();
        let Some(index) = ground else { return };
        self.grounded += 1;
        self.landings += usize::from(!stood);
        match self.grounds.iter_mut().find(|count| count.index == index) {
            Some(count) => count.frames += 1,
            None => self.grounds.push(GroundCount { index, first: self.frames, frames: 1 }),
        }
    }
}
