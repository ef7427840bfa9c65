//! A top-down character: slides along walls, stops in a corner, is pushed by a door, moves out of a crate.
//!
//! Prints each change of the touched surfaces and draws the path as an SVG file. The first argument is its path.

use std::error::Error;
use std::fmt::Write;

use carom::mover::Mover;
use carom::{Collider, DVec2, Pose, Shape, World};

const RADIUS: f64 = 0.4;

/// Name, center, width, height and angle in degrees of the blocks.
const BLOCKS: [(&str, [f64; 2], [f64; 2], f64); 7] = [
    ("south wall", [6.0, -0.25], [13.0, 0.5], 0.0),
    ("north wall", [6.0, 8.25], [13.0, 0.5], 0.0),
    ("west wall", [-0.25, 4.0], [0.5, 8.0], 0.0),
    ("east wall", [12.25, 4.0], [0.5, 8.0], 0.0),
    ("crate", [2.0, 2.0], [1.4, 1.4], 20.0),
    ("diagonal wall", [8.5, 2.5], [5.0, 0.4], 35.0),
    ("pillar", [5.0, 6.0], [1.2, 1.2], 45.0),
];

/// Number of frames, and translation per frame.
const INPUT: [(u32, [f64; 2]); 6] = [
    (20, [0.0, 0.0]),     // out of the crate
    (70, [0.05, -0.05]),  // to the south wall and along it
    (90, [0.06, 0.05]),   // along the diagonal wall
    (110, [0.08, 0.05]),  // into a corner
    (150, [-0.06, 0.04]), // along the north wall
    (120, [0.0, 0.0]),    // the door pushes
];

fn main() -> Result<(), Box<dyn Error>> {
    let (mut world, mut svg, mut names) = (World::new(), String::new(), Vec::new());
    for (name, center, [width, height], degrees) in BLOCKS {
        let pose = Pose::from_degrees(center, degrees)?;
        names.push((world.insert(Collider::new(Shape::rectangle(width, height)?).pose(pose).fixed(true)), name));
        writeln!(
            svg,
            "<rect transform=\"translate({},{}) rotate({degrees}) translate({},{})\" \
             width=\"{width}\" height=\"{height}\" fill=\"#bcd\"/>",
            center[0],
            center[1],
            -0.5 * width,
            -0.5 * height
        )?;
    }
    let door = world.insert(Collider::new(Shape::rectangle(0.3, 3.0)?).at([-2.0, 6.4])?);
    names.push((door, "door"));
    let mut position = DVec2::new(2.4, 2.2);
    let hero = world.insert(Collider::new(Shape::circle(RADIUS)?).at(position)?);
    let mut mover = Mover::new(hero); // without an up direction all surfaces are walls

    let (mut frame, mut path, mut before) = (0, format!("{},{} ", position.x, position.y), String::new());
    for (frames, wanted) in INPUT {
        for _ in 0..frames {
            frame += 1;
            if frame > 440 {
                world.set_position(door, [f64::from(frame - 440) * 0.04 - 2.0, 6.4])?;
            }
            position += mover.move_by(&mut world, wanted)?.translation;
            write!(path, "{:.3},{:.3} ", position.x, position.y)?;
            let mut now = String::from("free");
            for surface in mover.surfaces() {
                let name = names.iter().find(|(handle, _)| *handle == surface.handle).map_or("", |(_, name)| name);
                now = if now == "free" { name.to_owned() } else { now + ", " + name };
            }
            if now != before {
                println!("frame {frame:3} at ({:5.2}, {:5.2}): {now}", position.x, position.y);
                before = now;
            }
        }
        writeln!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"{RADIUS}\" fill=\"#fc8\"/>", position.x, position.y)?;
    }
    let is_inside = (RADIUS..=12.0 - RADIUS).contains(&position.x) && (RADIUS..=8.0 - RADIUS).contains(&position.y);
    assert!(is_inside, "the hero stays inside the walls: {position}");

    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-0.5 -8.5 13 9\"><g transform=\"scale(1,-1)\">\n\
         {svg}<polyline points=\"{path}\" fill=\"none\" stroke=\"#c40\" stroke-width=\"0.06\"/></g></svg>\n"
    );
    let file = std::env::args_os().nth(1).map_or(std::env::temp_dir().join("top_down.svg"), Into::into);
    std::fs::write(&file, svg)?;
    println!("path drawn to {}", file.display());
    Ok(())
}
