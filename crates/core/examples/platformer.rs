//! A platformer character with gravity and jumps: slope, stairs, one-way platform, lift.
//!
//! Prints each change of the ground and draws the path as an SVG file. The first argument is its path.

use std::error::Error;
use std::fmt::Write;

use carom::mover::Mover;
use carom::{Collider, DVec2, Handle, Shape, World};

const SECONDS: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 25.0;
const JUMP: f64 = 11.0;

/// Recorded input: number of frames, speed, jump in the first frame, drop in the first frame.
const INPUT: [(u32, f64, bool, bool); 9] = [
    (30, 0.0, false, false),  // fall to the floor
    (195, 4.0, false, false), // up the slope, down the stairs, below the platform
    (70, 1.0, true, false),   // jump through the platform and land on it
    (60, 0.0, false, true),   // drop
    (45, 4.0, false, false),  // onto the lift
    (60, 0.0, false, false),  // ride
    (80, 0.0, true, false),   // jump: it keeps the velocity of the lift
    (45, 4.0, false, false),  // off the lift
    (30, 0.0, false, false),
];

fn rectangle([left, right]: [f64; 2], [bottom, top]: [f64; 2]) -> [[f64; 2]; 4] {
    [[left, bottom], [right, bottom], [right, top], [left, top]]
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut world, mut names, mut svg) = (World::new(), Vec::new(), String::new());
    let mut insert = |name: &'static str, points: &[[f64; 2]]| -> Result<Handle, Box<dyn Error>> {
        let mut collider = Collider::new(Shape::polygon(points)?).fixed(name != "lift");
        if name == "one-way platform" {
            collider = collider.one_way([0.0, 1.0])?;
        }
        svg += "<polygon fill=\"#bcd\" stroke=\"#fff\" stroke-width=\"0.03\" points=\"";
        for [x, y] in points {
            write!(svg, "{x},{y} ")?;
        }
        svg += "\"/>\n";
        names.push((world.insert(collider), name));
        Ok(names[names.len() - 1].0)
    };
    for x in [0.0, 1.0, 2.0, 3.0, 12.0, 13.0, 14.0, 15.0, 22.0, 23.0, 24.0, 25.0] {
        insert("floor", &rectangle([x, x + 1.0], [-1.0, 0.0]))?;
    }
    insert("slope", &[[4.0, -1.0], [7.0, -1.0], [7.0, 1.5], [4.0, 0.0]])?;
    insert("plateau", &rectangle([7.0, 9.0], [-1.0, 1.5]))?;
    for step in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
        insert("stairs", &rectangle([9.0 + 0.5 * step, 9.5 + 0.5 * step], [-1.0, 1.25 - 0.25 * step]))?;
    }
    insert("one-way platform", &rectangle([12.8, 15.6], [1.8, 2.0]))?;
    let lift = insert("lift", &rectangle([17.7, 20.3], [-0.3, 0.0]))?;

    let (mut position, mut velocity, mut below) = (DVec2::new(0.7, 2.0), DVec2::ZERO, "");
    let hero = world.insert(Collider::new(Shape::capsule([0.0, -0.4], [0.0, 0.4], 0.3)?).at(position)?);
    let mut mover = Mover::new(hero).up([0.0, 1.0])?;
    let (mut frame, mut path) = (0, String::new());
    for (frames, speed, jump, drop) in INPUT {
        for i in 0..frames {
            frame += 1;
            // First the ground moves, then the hero.
            world.set_position(lift, [-1.6 * f64::sin(0.02 * f64::from(frame)), 0.0])?;
            if mover.is_grounded() {
                velocity = DVec2::new(speed, if i == 0 && jump { JUMP } else { 0.0 });
            }
            if i == 0 && drop {
                mover.drop_through();
            }
            velocity.y -= GRAVITY * SECONDS;
            let moved = mover.move_by(&mut world, velocity * SECONDS)?.translation;
            // With the motion of the ground, without the part that walls, ceilings and floors have stopped.
            velocity = moved / SECONDS;
            position += moved;
            write!(path, "{:.3},{:.3} ", position.x, position.y)?;
            let ground = names.iter().find(|(handle, _)| mover.ground().is_some_and(|ground| ground.handle == *handle));
            let now = ground.map_or("air", |(_, name)| name);
            if now != below {
                let time = f64::from(frame) * SECONDS;
                println!("{time:5.2} s at ({:5.2}, {:5.2}), velocity {velocity:.1}: {now}", position.x, position.y);
                below = now;
            }
        }
    }
    assert!(mover.is_grounded() && position.x > 22.0, "the hero reaches the last floor: {position}");

    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -5 26 6\"><g transform=\"scale(1,-1)\">\n\
         {svg}<polyline points=\"{path}\" fill=\"none\" stroke=\"#c40\" stroke-width=\"0.06\"/></g></svg>\n"
    );
    let file = std::env::args_os().nth(1).map_or(std::env::temp_dir().join("platformer.svg"), Into::into);
    std::fs::write(&file, svg)?;
    println!("path drawn to {}", file.display());
    Ok(())
}
