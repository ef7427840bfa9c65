//! Tests two shapes: intersection, contact, distance, separation.
//!
//!     cargo run -p carom --example two_shapes

use carom::{Error, Pose, Shape, collide, distance, explain_sat, intersects, overlaps};

fn main() -> Result<(), Error> {
    let house = Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 5.0], [0.0, 3.0]])?;
    let ball = Shape::circle(1.0)?;
    for x in [4.5, 5.0, 6.25] {
        let (a, b) = (house.placed(Pose::IDENTITY), ball.at([x, 1.5])?);
        println!(
            "ball at {x}: intersects {}, overlaps {}, distance {}",
            intersects(a, b),
            overlaps(a, b),
            distance(a, b).distance
        );
        if let Some(manifold) = collide(a, b) {
            println!("  normal {}, depth {}, move the ball by {}", manifold.normal, manifold.depth, manifold.mtv());
            for point in manifold.points() {
                println!("  at {}: {:?} of the house, {:?} of the ball", point.position(), point.id.a, point.id.b);
            }
        }
        let why = explain_sat(a, b);
        println!("  decided among {} axes by {:?}", why.axes().len(), why.min_axis().source);
    }
    Ok(())
}
