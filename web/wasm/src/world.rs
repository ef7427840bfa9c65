//! Exports the changes of a world.

use alloc::boxed::Box;
use alloc::vec::Vec;

use carom::broad_phase::{
    Adaptive, BruteForce, Bvh, CoherentSortAndSweep, Filter, SortAndSweep, StripSweep, SweepAndPrune,
};
use carom::world::OneWay;
use carom::{Collider, Pose, World};

use crate::export;
use crate::failure::Failure;
use crate::ids::id_of;
use crate::shape_input::Reader;
use crate::space::Space;

/// Returns a pair of 32-bit halves as one number.
pub(crate) fn bits(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Returns 64 bits as two halves, lower half first.
pub(crate) fn halves(bits: u64) -> [f64; 2] {
    [f64::from(bits as u32), f64::from((bits >> 32) as u32)]
}

/// Reads a placed shape and returns its collider.
fn read_collider(reader: &mut Reader<'_>, filter: Filter, flags: u32, front: [f64; 2]) -> Result<Collider, Failure> {
    let flag = |bit: u32| flags & bit != 0;
    let [x, y, angle] = reader.numbers()?;
    let shape = reader.shape()?;
    let pose = if flag(16) { Pose::from_degrees([x, y], angle) } else { Pose::new([x, y], angle) }?;
    let collider = Collider::new(shape)
        .pose(pose)
        .layers(filter.layers, filter.mask)
        .group(filter.group)
        .sensor(flag(1))
        .fixed(flag(2))
        .enabled(!flag(4));
    Ok(if flag(8) { collider.one_way(front)? } else { collider })
}

export! {
    /// Creates a world with a broad phase by number. Writes the number of the world.
    fn world_new(buffers, broad_phase: u32) {
        let world = match broad_phase {
            0 => World::with_broad_phase(Adaptive::new()),
            1 => World::with_broad_phase(BruteForce::new()),
            2 => World::with_broad_phase(StripSweep::new()),
            3 => World::with_broad_phase(Bvh::new()),
            4 => World::with_broad_phase(SortAndSweep::new()),
            5 => World::with_broad_phase(CoherentSortAndSweep::new()),
            6 => World::with_broad_phase(SweepAndPrune::new()),
            _ => return Err(Failure::new("unknown broad phase")),
        };
        let number = buffers.spaces.insert(Box::new(Space::new(world)));
        buffers.write(&[number as f64]);
        Ok(true)
    }

    /// Frees a world.
    fn world_free(buffers, world: usize) {
        buffers.spaces.remove(world);
        Ok(true)
    }

    /// Adds the placed shape of the input. `flags`: 1 sensor, 2 fixed, 4 disabled, 8 one-way, 16 angle in degrees.
    /// Writes the id.
    fn world_add(
        buffers, world: usize, layers_low: u32, layers_high: u32, mask_low: u32, mask_high: u32, group: u32,
        flags: u32, front_x: f64, front_y: f64
    ) {
        let (space, input, output) = buffers.split(world)?;
        let filter = Filter { layers: bits(layers_low, layers_high), mask: bits(mask_low, mask_high), group };
        let collider = read_collider(&mut Reader::new(input), filter, flags, [front_x, front_y])?;
        output.clear();
        output.push(space.insert(collider));
        Ok(true)
    }

    /// Adds the colliders of the input, or none if one of them is refused. Each has the parameters of `world_add`, then
    /// its placed shape. Writes the ids.
    fn world_add_all(buffers, world: usize, count: usize) {
        let (space, input, output) = buffers.split(world)?;
        let mut reader = Reader::new(input);
        let mut colliders = Vec::new();
        for i in 0..count {
            let [layers_low, layers_high, mask_low, mask_high, group, flags] = reader.numbers()?.map(|word| word as u32);
            let filter = Filter { layers: bits(layers_low, layers_high), mask: bits(mask_low, mask_high), group };
            let front = reader.numbers()?;
            let collider = read_collider(&mut reader, filter, flags, front);
            colliders.push(collider.map_err(|failure| failure.of(format_args!("colliders[{i}]")))?);
        }
        output.clear();
        output.extend(colliders.into_iter().map(|collider| space.insert(collider)));
        Ok(true)
    }

    /// Removes a collider.
    fn world_remove(buffers, world: usize, id: f64) {
        let space = buffers.space(world)?;
        let handle = space.handle(id)?;
        space.world.remove(handle);
        Ok(true)
    }

    /// Removes all colliders, and all particles of each set.
    fn world_clear(buffers, world: usize) {
        let space = buffers.space(world)?;
        let handles: Vec<_> = space.world.handles().collect();
        for handle in handles {
            space.world.remove(handle);
        }
        for particles in space.particles.iter_mut() {
            let handles = particles.bodies().handles().to_vec();
            for handle in handles {
                particles.remove(handle);
            }
        }
        Ok(true)
    }

    /// Writes the number of colliders.
    fn world_size(buffers, world: usize) {
        let size = buffers.space(world)?.world.len();
        buffers.write(&[size as f64]);
        Ok(true)
    }

    /// Returns 1 if the collider exists.
    fn world_has(buffers, world: usize, id: f64) {
        Ok(buffers.space(world)?.find(id).is_some())
    }

    /// Writes the pose of a collider: x, y, angle.
    fn world_pose(buffers, world: usize, id: f64) {
        let (space, _, output) = buffers.split(world)?;
        let pose = space.world.pose(space.handle(id)?).unwrap_or_default();
        let [x, y] = pose.translation().to_array();
        output.clear();
        output.extend([x, y, pose.angle()]);
        Ok(true)
    }

    /// Writes the box of a collider.
    fn world_box(buffers, world: usize, id: f64) {
        let (space, _, output) = buffers.split(world)?;
        output.clear();
        if let Some(placed) = space.world.placed(space.handle(id)?) {
            let aabb = placed.aabb();
            output.extend(aabb.min().to_array());
            output.extend(aabb.max().to_array());
        }
        Ok(true)
    }

    /// Sets the position and angle of a collider.
    fn world_move(buffers, world: usize, id: f64, x: f64, y: f64, angle: f64) {
        let space = buffers.space(world)?;
        let handle = space.handle(id)?;
        space.world.set_pose(handle, Pose::new([x, y], angle)?)?;
        Ok(true)
    }

    /// Sets the position of a collider. The rotation stays.
    fn world_move_to(buffers, world: usize, id: f64, x: f64, y: f64) {
        let space = buffers.space(world)?;
        let handle = space.handle(id)?;
        space.world.set_position(handle, [x, y])?;
        Ok(true)
    }

    /// Sets the poses of colliders. The input is `count` ids, then x, y and angle of each. Without ids (`count` is
    /// −1) the input is x, y and angle of all colliders.
    fn world_move_all(buffers, world: usize, count: i32) {
        let (space, input, _) = buffers.split(world)?;
        let (ids, rows) = input.split_at_checked(count.max(0) as usize).unwrap_or((&[], input));
        let handles = if count < 0 { space.world.handles().collect() } else { space.handles(ids)? };
        if rows.len() != 3 * handles.len() {
            return Err(Failure::new(format_args!(
                "{} numbers are given for {} colliders: each has three, x, y and angle",
                rows.len(),
                handles.len()
            )));
        }
        let pose = |row: &[f64]| Pose::new([row[0], row[1]], row[2]);
        let poses = rows.chunks_exact(3).map(pose).collect::<Result<Vec<_>, _>>()?;
        space.world.set_poses(&handles, &poses)?;
        Ok(true)
    }

    /// Sets the motion of a collider for the next update.
    fn world_set_motion(buffers, world: usize, id: f64, dx: f64, dy: f64, rotation: f64) {
        let space = buffers.space(world)?;
        let handle = space.handle(id)?;
        space.world.set_motion(handle, [dx, dy], rotation)?;
        Ok(true)
    }

    /// Replaces the shape of a collider by that of the input.
    fn world_set_shape(buffers, world: usize, id: f64) {
        let (space, input, _) = buffers.split(world)?;
        let shape = Reader::new(input).shape()?;
        let handle = space.handle(id)?;
        space.world.set_shape(handle, shape)?;
        Ok(true)
    }

    /// Writes the state of a collider: the halves of its layers and of its mask, lower half first, its group, the flags
    /// of `world_add`, its front (0 if there is none), and its pose: x, y, angle.
    fn world_get(buffers, world: usize, id: f64) {
        let (space, _, output) = buffers.split(world)?;
        output.clear();
        if let Some(collider) = space.world.get(space.handle(id)?) {
            let flags = u32::from(collider.sensor)
                | u32::from(collider.fixed) << 1
                | u32::from(!collider.enabled) << 2
                | u32::from(collider.one_way.is_some()) << 3;
            output.extend(halves(collider.filter.layers));
            output.extend(halves(collider.filter.mask));
            output.extend([collider.filter.group, flags].map(f64::from));
            output.extend(collider.one_way.map_or([0.0; 2], |front| front.front().to_array()));
            output.extend(collider.pose.translation().to_array());
            output.push(collider.pose.angle());
        }
        Ok(true)
    }

    /// Sets the layers, mask and group of a collider.
    fn world_set_filter(
        buffers, world: usize, id: f64, layers_low: u32, layers_high: u32, mask_low: u32, mask_high: u32, group: u32
    ) {
        let space = buffers.space(world)?;
        let handle = space.handle(id)?;
        let filter = Filter { layers: bits(layers_low, layers_high), mask: bits(mask_low, mask_high), group };
        space.world.set_filter(handle, filter)?;
        Ok(true)
    }

    /// Sets a flag of a collider. `flag`: 0 sensor, 1 fixed, 2 enabled.
    fn world_set_flag(buffers, world: usize, id: f64, flag: u32, value: u32) {
        let space = buffers.space(world)?;
        let (handle, value) = (space.handle(id)?, value != 0);
        match flag {
            0 => space.world.set_sensor(handle, value)?,
            1 => space.world.set_fixed(handle, value)?,
            _ => space.world.set_enabled(handle, value)?,
        }
        Ok(true)
    }

    /// Makes a collider one-way, or solid from all sides if `one_way` is 0.
    fn world_set_one_way(buffers, world: usize, id: f64, one_way: u32, x: f64, y: f64) {
        let space = buffers.space(world)?;
        let handle = space.handle(id)?;
        let front = if one_way == 0 { None } else { Some(OneWay::new([x, y])?) };
        space.world.set_one_way(handle, front)?;
        Ok(true)
    }

    /// Allows or forbids contacts of a pair.
    fn world_set_pair_enabled(buffers, world: usize, a: f64, b: f64, enabled: u32) {
        let space = buffers.space(world)?;
        let (a, b) = (space.handle(a)?, space.handle(b)?);
        space.world.set_pair_enabled(a, b, enabled != 0)?;
        Ok(true)
    }

    /// Updates contacts and events.
    fn world_update(buffers, world: usize) {
        buffers.space(world)?.world.update();
        Ok(true)
    }

    /// Writes the impacts of motions: mover, other, sensor, time, point, normal.
    fn world_motion_hits(buffers, world: usize) {
        let (space, _, output) = buffers.split(world)?;
        output.clear();
        for found in space.world.motion_hits() {
            let ([x, y], [nx, ny]) = (found.hit.point.to_array(), found.hit.normal.to_array());
            let (mover, other) = (id_of(found.mover), id_of(found.other));
            output.extend([mover, other, f64::from(found.sensor), found.hit.time, x, y, nx, ny]);
        }
        Ok(true)
    }
}
