// Exports a world to JavaScript.

use std::cell::RefCell;

use carom::{Collider, Handle, Mask, Pose, Ray, Shape, World};

thread_local! {
    static WORLD: RefCell<(World, Vec<Handle>)> = RefCell::new((World::new(), Vec::new()));
}

fn shape(kind: u32, size: f64) -> Result<Shape, carom::Error> {
    match kind {
        0 => Shape::circle(size),
        1 => Shape::rectangle(size, size),
        2 => Shape::capsule([0.0, 0.0], [size, 0.0], size),
        3 => Shape::segment([0.0, 0.0], [size, size]),
        4 => Shape::polygon(&[[0.0, 0.0], [size, 0.0], [size, size], [0.5 * size, 0.1 * size]]),
        5 => Shape::chain(&[[0.0, 0.0], [size, 0.0], [size, size]]),
        6 => Shape::mask(Mask::from_rows(&["##.", ".##"])?),
        _ => Shape::compound([(Shape::circle(size)?, Pose::IDENTITY), (Shape::rectangle(size, size)?, Pose::new([size, 0.0], 0.1)?)]),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn insert(kind: u32, size: f64, x: f64, y: f64) -> u32 {
    WORLD.with_borrow_mut(|(world, handles)| {
        let Ok(collider) = shape(kind, size).and_then(|shape| Collider::new(shape).at([x, y])) else { return u32::MAX };
        handles.push(world.insert(collider.fixed(kind == 5)));
        handles.len() as u32 - 1
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn remove(index: u32) {
    WORLD.with_borrow_mut(|(world, handles)| drop(world.remove(handles[index as usize])));
}

#[unsafe(no_mangle)]
pub extern "C" fn place(index: u32, x: f64, y: f64, angle: f64) -> u32 {
    WORLD.with_borrow_mut(|(world, handles)| {
        let moved = Pose::new([x, y], angle).and_then(|pose| world.set_pose(handles[index as usize], pose));
        u32::from(moved.is_ok())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn motion(index: u32, x: f64, y: f64, turning: f64) -> u32 {
    WORLD.with_borrow_mut(|(world, handles)| u32::from(world.set_motion(handles[index as usize], [x, y], turning).is_ok()))
}

#[unsafe(no_mangle)]
pub extern "C" fn update() -> f64 {
    WORLD.with_borrow_mut(|(world, _)| {
        world.update();
        let deepest = world.contacts().map(|contact| contact.depth).fold(0.0, f64::max);
        deepest + world.take_events().count() as f64
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn ray_cast(x: f64, y: f64, dx: f64, dy: f64) -> f64 {
    WORLD.with_borrow(|(world, _)| {
        let hit = Ray::new([x, y], [dx, dy]).ok().and_then(|ray| world.ray_cast(ray, u64::MAX));
        hit.map_or(f64::NAN, |(_, hit)| hit.time)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn shape_cast(kind: u32, size: f64, x: f64, y: f64, dx: f64, dy: f64) -> f64 {
    WORLD.with_borrow(|(world, _)| {
        let Ok(shape) = shape(kind, size) else { return f64::NAN };
        let sweep = shape.at([x, y]).and_then(|placed| placed.sweep([dx, dy]));
        sweep.ok().and_then(|sweep| world.shape_cast(sweep, u64::MAX)).map_or(f64::NAN, |(_, hit)| hit.time)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn overlapping(kind: u32, size: f64, x: f64, y: f64) -> u32 {
    WORLD.with_borrow(|(world, _)| {
        let Ok(shape) = shape(kind, size) else { return u32::MAX };
        shape.at([x, y]).map_or(u32::MAX, |placed| world.overlapping(placed, u64::MAX).len() as u32)
    })
}
