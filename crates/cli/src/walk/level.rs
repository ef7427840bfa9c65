//! Converts a scene and a script to a world with a mover and platforms.
use carom::broad_phase::Filter;
use carom::mover::Mover;
use carom::{Collider, DVec2, Handle, Shape, World};
use carom_scene::{Moving, Scene, YAxis};

use super::script::{Character, Script};
use crate::error::CliError;
use crate::suggest;

/// Acceleration against up if neither the script nor the level has one, in units of the script.
const GRAVITY: f64 = 20.0;

/// A level and the character in it.
pub(super) struct Level {
    pub(super) world: World,
    pub(super) mover: Mover,
    pub(super) shape: Shape,
    pub(super) start: DVec2,
    /// None in a level that is seen from above.
    pub(super) up: Option<DVec2>,
    /// Acceleration against up.
    pub(super) gravity: f64,
    platforms: Vec<Platform>,
}

/// A collider with a path.
struct Platform {
    handle: Handle,
    start: DVec2,
    moving: Moving,
}

impl Level {
    /// Inserts all colliders in file order, so that the slot of a handle is the index in the scene.
    /// Colliders without a path are fixed. The others push the mover.
    pub(super) fn new(scene: &Scene, script: &Script) -> Result<Self, CliError> {
        let character = script.character().map_err(CliError::new)?;
        let mut world = World::new();
        let mut platforms = Vec::new();
        for collider in &scene.colliders {
            let handle = world.insert(collider.to_collider().fixed(collider.moving.is_none()));
            if let Some(moving) = &collider.moving {
                platforms.push(Platform { handle, start: collider.pose.translation(), moving: moving.clone() });
            }
        }
        let up = match (script.top_down, script.up, scene.y) {
            (true, ..) => None,
            (false, Some(up), _) => Some(DVec2::from(up)),
            (false, None, YAxis::Up) => Some(DVec2::Y),
            (false, None, YAxis::Down) => Some(DVec2::NEG_Y),
        };
        let up = up.map(unit).transpose()?;
        let mover = mover(&mut world, scene, &character, up)?;
        let of_level = scene.gravity.zip(up).map(|(gravity, up)| (-gravity.dot(up)).max(0.0));
        let gravity = script.gravity().or(of_level).unwrap_or(GRAVITY * script.scale);
        Ok(Self { world, mover, shape: character.shape, start: character.start, up, gravity, platforms })
    }

    /// Moves the platforms to their positions at a time.
    pub(super) fn move_platforms(&mut self, time: f64) -> Result<(), CliError> {
        for platform in &self.platforms {
            let position = platform.start + platform.moving.offset(time);
            self.world.set_position(platform.handle, position).map_err(|error| CliError::new(error.to_string()))?;
        }
        Ok(())
    }

    /// Returns the positions of the platforms, in file order.
    pub(super) fn platform_positions(&self) -> impl Iterator<Item = DVec2> {
        let position = |platform: &Platform| self.world.pose(platform.handle).map(|pose| pose.translation());
        self.platforms.iter().map(move |platform| position(platform).unwrap_or(platform.start))
    }

    /// Returns the position of the character.
    pub(super) fn position(&self) -> DVec2 {
        self.world.pose(self.mover.handle()).map_or(DVec2::ZERO, |pose| pose.translation())
    }

    /// Returns true if the character stands on a one-way collider.
    pub(super) fn is_on_one_way(&self) -> bool {
        let ground = self.mover.ground().and_then(|ground| self.world.get(ground.handle));
        ground.is_some_and(|ground| ground.one_way.is_some())
    }
}

/// Inserts the character.
fn mover(world: &mut World, scene: &Scene, character: &Character<'_>, up: Option<DVec2>) -> Result<Mover, CliError> {
    let filter = Filter {
        layers: character.layers.map_or_else(|| free_layer(scene), |names| bits(scene, "mover.layers", names))?,
        mask: character.mask.map_or(Ok(u64::MAX), |names| bits(scene, "mover.mask", names))?,
        ..Filter::default()
    };
    let fail = |error: carom::Error| CliError::at("mover", error);
    let mut collider = Collider::new(character.shape.clone()).at(character.start).map_err(fail)?;
    collider.filter = filter;
    let mover = Mover::new(world.insert(collider));
    let set = || {
        let mover = mover
            .skin(character.skin)?
            .max_slope(character.max_slope)?
            .step_height(character.step_height)?
            .snap_distance(character.snap_distance)?
            .max_push(character.max_push)?;
        if let Some(up) = up { mover.up(up) } else { Ok(mover) }
    };
    set().map_err(fail)
}

fn unit(up: DVec2) -> Result<DVec2, CliError> {
    let one_way = carom::world::OneWay::new(up).map_err(|error| CliError::at("up", error))?;
    Ok(one_way.front())
}

/// Returns a layer that no collider of the level names in its layers or its mask.
fn free_layer(scene: &Scene) -> Result<u64, CliError> {
    let free = scene.free_layer();
    free.ok_or_else(|| CliError::new("mover: the level uses all 64 layers: give the mover \"layers\""))
}

/// Returns the bits of names and numbers of layers.
fn bits(scene: &Scene, location: &str, names: &[String]) -> Result<u64, CliError> {
    names.iter().try_fold(0, |bits, name| {
        let named = scene.layers.iter().position(|layer| layer.as_deref() == Some(name));
        let number = || name.parse().ok().filter(|number: &usize| *number < 64);
        let Some(bit) = named.or_else(number) else {
            let known: Vec<&str> = scene.layers.iter().flatten().map(String::as_str).collect();
            let hint = suggest::known(name, &known, "the level names no layers; a number from 0 to 63 serves too");
            return Err(CliError::at(location, format!("no layer is called `{name}`: {hint}")));
        };
        Ok(bits | 1 << bit)
    })
}
