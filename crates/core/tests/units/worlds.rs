//! Families of worlds, and of queries over many shapes.

use carom::broad_phase::{Bvh, Filter, LocalOrigin};
use carom::query::{QuantizedShapes, QueryPipeline};
use carom::world::{CastOptions, ViewCone};
use carom::{Aabb, DVec2, Placed, Ray};

use super::unit::{Results, Unit};

pub(super) fn spatial_queries(unit: &mut Unit, out: &mut Results) {
    let world = unit.world(12);
    let point = unit.point(6.0);
    for (handle, gap) in world.nearest(point, 4, u64::MAX).unwrap() {
        out.count("nearest", handle.index());
        out.length("nearest", gap.distance);
    }
    let direction = unit.point(1.0);
    let view = ViewCone::new(point, direction, 0.6, unit.of(5.0)).unwrap();
    let handles = [
        world.intersecting_cone(&view, u64::MAX),
        world.containing_point(point, u64::MAX).unwrap(),
        world.overlapping(unit.convex().placed(unit.pose(6.0)), u64::MAX),
        world.intersecting_aabb(&Aabb::new(point, point + unit.vector(2.0, 3.0)).unwrap(), u64::MAX),
    ];
    for found in handles {
        out.count("found", found.len());
        for handle in &found {
            out.count("found", handle.index());
        }
    }
    // Corners can occur twice, up to rounding. So their number does not matter.
    let region = world.visibility_polygon(point, unit.of(7.0), unit.of(0.05), u64::MAX).unwrap();
    let corners: Vec<DVec2> = region.iter().map(|&corner| (corner - point) / unit.of(1.0)).collect();
    let twice: f64 = (0..corners.len()).map(|i| corners[i].perp_dot(corners[(i + 1) % corners.len()])).sum();
    out.number("visibility polygon", 0.5 * twice);
    for (handle, hit) in world.ray_cast_all(Ray::new(point, direction * 9.0).unwrap(), u64::MAX) {
        out.count("rays", handle.index());
        out.number("rays", hit.time);
    }
    let handle = world.handles().nth(3).unwrap();
    let mut contacts = Vec::new();
    world.surface_contacts(handle, unit.of(0.5), &mut contacts).unwrap();
    for (other, found) in contacts {
        out.count("surface contacts", other.index());
        out.manifold("surface contacts", &found);
    }
    pipelines(unit, out);
    let shape = unit.convex();
    let sweep = shape.placed(unit.pose(8.0)).sweep(unit.point(8.0)).unwrap();
    out.after_cast();
    let options = CastOptions::new().target_distance(unit.of(0.1)).ignore_internal_edges();
    if let Some((other, hit)) = world.shape_cast_with(sweep, u64::MAX, options) {
        out.count("surface cast", other.index());
        out.direction("surface cast", hit.normal);
        out.point("surface cast", hit.point);
    }
}

fn pipelines(unit: &mut Unit, out: &mut Results) {
    let (shapes, frame) = (unit.shapes(8), LocalOrigin::new(unit.point(2.0)));
    let placed: Vec<Placed<'_>> = shapes.iter().map(|(shape, pose)| shape.placed(*pose)).collect();
    let item = |(id, one): (u32, &Placed<'_>)| (id, frame.to_local(&one.aabb()), Filter::default(), false);
    let bvh = Bvh::from_boxes((0..).zip(&placed).map(item));
    let quantized = QuantizedShapes::packed(frame, (0..).zip(placed.iter().copied()));
    let pipeline = QueryPipeline::new(&bvh, frame, |id| Some(placed[id as usize])).with_outlines(&quantized);
    if let Some((id, gap)) = pipeline.nearest(unit.point(8.0), unit.of(3.0)).unwrap() {
        out.count("pipeline nearest", id as usize);
        out.length("pipeline nearest", gap.distance);
    }
    if let Some((id, hit)) = pipeline.ray_cast(Ray::new(unit.point(8.0), unit.point(12.0)).unwrap()) {
        out.count("pipeline ray", id as usize);
        out.number("pipeline ray", hit.time);
    }
}

pub(super) fn worlds(unit: &mut Unit, out: &mut Results) {
    let mut world = unit.world(12);
    world.set_default_contact_margin(unit.of(0.1)).unwrap();
    let handles: Vec<_> = world.handles().collect();
    for _ in 0..3 {
        world.update();
        for contact in world.contacts() {
            out.count("contact", contact.a.index() * 100 + contact.b.index());
            out.length("contact", contact.depth);
        }
        out.count("events", world.events().len());
        for &handle in &handles {
            let by = unit.point(1.0);
            if world.get(handle).unwrap().fixed {
                continue;
            }
            world.translate(handle, by).unwrap();
        }
        world.set_motion(handles[0], unit.point(8.0), 0.2).unwrap();
        out.after_cast();
    }
}
