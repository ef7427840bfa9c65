//! Exports ray casts and shape casts in a world.

use alloc::vec::Vec;

use carom::world::CastOptions;
use carom::{Handle, Ray, RayHit};

use crate::explain::optional;
use crate::export;
use crate::failure::Failure;
use crate::ids::id_of;
use crate::shape_input::Reader;
use crate::world::bits;

fn write_ray_hit(output: &mut Vec<f64>, handle: Handle, hit: &RayHit) {
    let ([x, y], [nx, ny]) = (hit.point.to_array(), hit.normal.to_array());
    output.extend([id_of(handle), hit.time, x, y, nx, ny, hit.part.into()]);
}

export! {
    /// Writes the first hit of a ray: id, time, point, normal, part. With `all`: the first hit on each collider.
    fn world_ray_cast(
        buffers, world: usize, x: f64, y: f64, dx: f64, dy: f64, radius: f64, all: u32, low: u32, high: u32,
        without_sensors: u32, exclude: f64
    ) {
        let (space, _, output) = buffers.split(world)?;
        let filter = space.filter(bits(low, high), without_sensors, exclude)?;
        let ray = Ray::new([x, y], [dx, dy])?.with_radius(radius)?;
        output.clear();
        if all == 0 {
            if let Some((handle, hit)) = space.world.ray_cast(ray, filter) {
                write_ray_hit(output, handle, &hit);
            }
        } else {
            for (handle, hit) in space.world.ray_cast_all(ray, filter) {
                write_ray_hit(output, handle, &hit);
            }
        }
        Ok(!output.is_empty())
    }

    /// Writes the first contact of the placed shape of the input with a motion: id, time, point, normal, part,
    /// initial depth or NaN.
    fn world_shape_cast(
        buffers, world: usize, dx: f64, dy: f64, rotation: f64, target_distance: f64, low: u32, high: u32,
        without_sensors: u32, exclude: f64
    ) {
        let (space, input, output) = buffers.split(world)?;
        let filter = space.filter(bits(low, high), without_sensors, exclude)?;
        let (shape, pose) = Reader::new(input).placed()?;
        let sweep = shape.placed(pose).sweep([dx, dy])?.with_rotation(rotation)?;
        if !(0.0..=1e30).contains(&target_distance) {
            return Err(Failure::new("targetDistance must be from 0 to 1e30"));
        }
        let options = CastOptions::new().target_distance(target_distance);
        output.clear();
        if let Some((handle, hit)) = space.world.shape_cast_with(sweep, filter, options) {
            let ([x, y], [nx, ny]) = (hit.point.to_array(), hit.normal.to_array());
            output.extend([id_of(handle), hit.time, x, y, nx, ny, hit.part.into(), optional(hit.initial_depth)]);
        }
        Ok(!output.is_empty())
    }
}
