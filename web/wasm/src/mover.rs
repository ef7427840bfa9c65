//! Exports movers.

use carom::World;
use carom::mover::{Mover, SurfaceClass};

use crate::export;
use crate::failure::Failure;
use crate::ids::id_of;
use crate::space::Space;

/// Returns a mover and the world that it belongs to.
fn mover(space: &mut Space, number: usize) -> Result<(&mut World, &mut Mover), Failure> {
    let mover = space.movers.get_mut(number).ok_or_else(|| Failure::new("this mover was disposed"))?;
    Ok((&mut space.world, mover))
}

export! {
    /// Creates a mover. NaN stands for the default of a setting. Writes its number.
    fn mover_new(
        buffers, world: usize, id: f64, up_x: f64, up_y: f64, skin: f64, max_slope: f64, step_height: f64,
        snap_distance: f64, max_push: f64
    ) {
        let (space, _, output) = buffers.split(world)?;
        let mut mover = Mover::new(space.handle(id)?);
        if !(up_x.is_nan() && up_y.is_nan()) {
            mover = mover.up([up_x, up_y])?;
        }
        if !skin.is_nan() {
            mover = mover.skin(skin)?;
        }
        if !max_slope.is_nan() {
            mover = mover.max_slope(max_slope)?;
        }
        if !step_height.is_nan() {
            mover = mover.step_height(step_height)?;
        }
        if !snap_distance.is_nan() {
            mover = mover.snap_distance(snap_distance)?;
        }
        if !max_push.is_nan() {
            mover = mover.max_push(max_push)?;
        }
        output.clear();
        output.push(space.movers.insert(mover) as f64);
        Ok(true)
    }

    /// Frees a mover.
    fn mover_free(buffers, world: usize, number: usize) {
        buffers.space(world)?.movers.remove(number);
        Ok(true)
    }

    /// Moves the collider. Writes the translation that was made and the remaining one.
    fn mover_move(buffers, world: usize, number: usize, dx: f64, dy: f64) {
        let (space, _, output) = buffers.split(world)?;
        let (world, mover) = mover(space, number)?;
        let moved = mover.move_by(world, [dx, dy])?;
        output.clear();
        output.extend(moved.translation.to_array());
        output.extend(moved.remaining.to_array());
        Ok(true)
    }

    /// Passes the one-way collider below in the next move.
    fn mover_drop_through(buffers, world: usize, number: usize) {
        mover(buffers.space(world)?, number)?.1.drop_through();
        Ok(true)
    }

    /// Writes the ground: id, normal, motion. Returns 0 if there is none.
    fn mover_ground(buffers, world: usize, number: usize) {
        let (space, _, output) = buffers.split(world)?;
        output.clear();
        if let Some(ground) = mover(space, number)?.1.ground() {
            output.push(id_of(ground.handle));
            output.extend(ground.normal.to_array());
            output.extend(ground.motion.to_array());
        }
        Ok(!output.is_empty())
    }

    /// Writes the surfaces of the last move: id, normal, class (0 floor, 1 wall, 2 ceiling).
    fn mover_surfaces(buffers, world: usize, number: usize) {
        let (space, _, output) = buffers.split(world)?;
        output.clear();
        for surface in mover(space, number)?.1.surfaces() {
            let class = match surface.class {
                SurfaceClass::Floor => 0.0,
                SurfaceClass::Wall => 1.0,
                SurfaceClass::Ceiling => 2.0,
            };
            let [x, y] = surface.normal.to_array();
            output.extend([id_of(surface.handle), x, y, class]);
        }
        Ok(!output.is_empty())
    }
}
