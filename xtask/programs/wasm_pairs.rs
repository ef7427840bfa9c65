// Exports the queries of two shapes to JavaScript.

use carom::{Placed, Pose, Shape, collide, distance, intersects, overlaps};

fn shape(kind: u32, size: f64) -> Option<Shape> {
    match kind {
        0 => Shape::circle(size),
        1 => Shape::rectangle(size, size),
        2 => Shape::capsule([0.0, 0.0], [size, 0.0], size),
        3 => Shape::segment([0.0, 0.0], [size, size]),
        _ => Shape::convex_polygon(&[[0.0, 0.0], [size, 0.0], [0.0, size]]),
    }
    .ok()
}

#[unsafe(no_mangle)]
pub extern "C" fn query(call: u32, kinds: u32, size: f64, x: f64, y: f64, angle: f64) -> f64 {
    let (Some(a), Some(b)) = (shape(kinds & 7, size), shape(kinds >> 3, size)) else { return f64::NAN };
    let (Ok(at_a), Ok(at_b)) = (Pose::new([0.0, 0.0], 0.0), Pose::new([x, y], angle)) else { return f64::NAN };
    let (a, b): (Placed<'_>, Placed<'_>) = (a.placed(at_a), b.placed(at_b));
    match call {
        0 => f64::from(u8::from(intersects(a, b))),
        1 => f64::from(u8::from(overlaps(a, b))),
        2 => collide(a, b).map_or(0.0, |manifold| manifold.depth),
        _ => distance(a, b).distance,
    }
}
