//! Exports queries of a world. The output is ids, or rows that begin with an id.

use alloc::vec::Vec;

use carom::{DVec2, Handle};

use crate::export;
use crate::ids::id_of;
use crate::shape_input::Reader;
use crate::world::bits;

fn write_ids(output: &mut Vec<f64>, handles: &[Handle]) -> bool {
    output.clear();
    output.extend(handles.iter().map(|&handle| id_of(handle)));
    !handles.is_empty()
}

export! {
    /// Writes the colliders that contain a point.
    fn world_at_point(
        buffers, world: usize, x: f64, y: f64, low: u32, high: u32, without_sensors: u32, exclude: f64
    ) {
        let (space, _, output) = buffers.split(world)?;
        let filter = space.filter(bits(low, high), without_sensors, exclude)?;
        Ok(write_ids(output, &space.world.containing_point([x, y], filter)?))
    }

    /// Writes the colliders that intersect a box.
    fn world_in_box(
        buffers, world: usize, min_x: f64, min_y: f64, max_x: f64, max_y: f64, low: u32, high: u32,
        without_sensors: u32, exclude: f64
    ) {
        let (space, _, output) = buffers.split(world)?;
        let filter = space.filter(bits(low, high), without_sensors, exclude)?;
        let aabb = carom::Aabb::new([min_x, min_y], [max_x, max_y])?;
        Ok(write_ids(output, &space.world.intersecting_aabb(&aabb, filter)))
    }

    /// Writes the colliders that intersect the placed shape of the input.
    fn world_in_shape(buffers, world: usize, low: u32, high: u32, without_sensors: u32, exclude: f64) {
        let (space, input, output) = buffers.split(world)?;
        let filter = space.filter(bits(low, high), without_sensors, exclude)?;
        let (shape, pose) = Reader::new(input).placed()?;
        Ok(write_ids(output, &space.world.intersecting(shape.placed(pose), filter)))
    }

    /// Writes the nearest colliders: id, distance, closest point to the query point and on the collider, part.
    fn world_nearest(
        buffers, world: usize, x: f64, y: f64, max_distance: f64, count: usize, low: u32, high: u32, without_sensors: u32,
        exclude: f64
    ) {
        let (space, _, output) = buffers.split(world)?;
        let filter = space.filter(bits(low, high), without_sensors, exclude)?;
        output.clear();
        for (handle, found) in space.world.nearest_within([x, y], max_distance, count, filter)? {
            output.extend([id_of(handle), found.distance]);
            output.extend(found.point_a.to_array());
            output.extend(found.point_b.to_array());
            output.push(found.part_b.into());
        }
        Ok(!output.is_empty())
    }

    /// Writes the index of the part of a collider that contains a point. Returns 0 if none does.
    fn world_part_at(buffers, world: usize, id: f64, x: f64, y: f64) {
        let (space, _, output) = buffers.split(world)?;
        let handle = space.handle(id)?;
        output.clear();
        if let Some(placed) = space.world.placed(handle) {
            let dot = carom::Shape::circle(0.0)?;
            let found = carom::distance(dot.at([x, y])?, placed);
            if found.distance == 0.0 {
                output.push(found.part_b.into());
            }
        }
        Ok(!output.is_empty())
    }

    /// Writes the visible region: x and y of each vertex.
    fn world_visibility(
        buffers, world: usize, x: f64, y: f64, range: f64, deviation: f64, low: u32, high: u32, without_sensors: u32,
        exclude: f64
    ) {
        let (space, _, output) = buffers.split(world)?;
        let filter = space.filter(bits(low, high), without_sensors, exclude)?;
        let region = space.world.visibility_polygon([x, y], range, deviation, filter)?;
        output.clear();
        output.extend(region.iter().flat_map(DVec2::to_array));
        Ok(!output.is_empty())
    }

    /// Writes statistics: strategy by number, box tests, swaps, candidates. The bytes are the strategy, a line feed
    /// and the reason.
    fn world_stats(buffers, world: usize) {
        let space = buffers.space(world)?;
        let (stats, candidates) = (space.world.broad_phase_stats(), space.world.candidate_count());
        buffers.bytes = [stats.strategy, stats.reason].join("\n").into_bytes();
        buffers.write(&[stats.box_tests as f64, stats.swaps as f64, candidates as f64]);
        Ok(true)
    }

    /// Writes the contact of two colliders: sensor, then the manifold. Returns 0 if there is none.
    fn world_contact(buffers, world: usize, a: f64, b: f64) {
        let (space, _, output) = buffers.split(world)?;
        let (a, b) = (space.handle(a)?, space.handle(b)?);
        output.clear();
        if let Some(contact) = space.world.contact_between(a, b) {
            output.extend([id_of(contact.a), id_of(contact.b), f64::from(contact.sensor)]);
            crate::pairs::write_manifold(output, &contact.manifold());
        }
        Ok(!output.is_empty())
    }
}
