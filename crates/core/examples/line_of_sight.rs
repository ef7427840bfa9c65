//! A guard with a field of view: the shapes inside it, the hidden ones, and the visible region.

use carom::world::{QueryFilter, ViewCone};
use carom::{Collider, Ray, Shape, World};

const WALL: u64 = 1;
const THIEF: u64 = 2;

fn main() -> Result<(), carom::Error> {
    let mut world = World::new();
    let pillar = Shape::rectangle(1.0, 1.0)?;
    for position in [[4.0, 1.0], [6.0, -2.0]] {
        world.insert(Collider::new(pillar.clone()).at(position)?.layers(WALL, u64::MAX).fixed(true));
    }
    for position in [[8.0, 2.0], [7.0, 0.0], [-3.0, 0.0]] {
        world.insert(Collider::new(Shape::circle(0.3)?).at(position)?.layers(THIEF, u64::MAX));
    }
    let view = ViewCone::new([0.0, 0.0], [1.0, 0.0], 0.6, 12.0)?;
    let in_view = world.intersecting_cone(&view, THIEF);
    for (thief, collider) in world.colliders().filter(|(_, collider)| collider.filter.layers == THIEF) {
        let position = collider.pose.translation();
        let hidden = world.ray_cast_any(Ray::new([0.0, 0.0], position)?, QueryFilter::from(WALL));
        let what = if !in_view.contains(&thief) {
            "out of view"
        } else if hidden {
            "hidden"
        } else {
            "seen!"
        };
        println!("thief at {position}: {what}");
    }
    let region = world.visibility_polygon([0.0, 0.0], 12.0, 0.01, WALL)?;
    let area: f64 = (0..region.len()).map(|i| region[i].perp_dot(region[(i + 1) % region.len()]) / 2.0).sum();
    println!("the guard could see {area:.1} of {:.1} around", std::f64::consts::PI * 144.0);
    Ok(())
}
