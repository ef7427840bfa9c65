// One `collide` of two shapes: a small program for sizes and build times.

use carom::{Shape, collide};

fn main() -> Result<(), carom::Error> {
    let x = std::env::args().len() as f64;
    let (ball, block) = (Shape::circle(0.5)?, Shape::rectangle(2.0, 1.0)?);
    let depth = collide(ball.at([0.0, 0.0])?, block.at([x, 0.3])?).map_or(0.0, |manifold| manifold.depth);
    std::process::exit(i32::from(depth > 0.1));
}
