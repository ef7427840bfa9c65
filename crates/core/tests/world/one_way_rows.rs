//! Rows of one-way tiles act as one platform. A collider that stands on a row never falls through the next tile,
//! although it touches that tile at its side first. A collider from below or from the side passes.

use carom::response::{PENETRATION_SLOP, Particle, Particles};
use carom::{Collider, DVec2, Handle, Pose, Shape, World};

/// Number of tiles of size 1 in a row. The face is y = 0, the first tile is at x = 0.
const LONG: u32 = 8;
const GAPS: [f64; 3] = [0.0, 1e-9, -1e-9];

/// A row with a gap between neighbours. A block in place of the first `solid` tiles is not one-way.
fn row(gap: f64, solid: u32) -> World {
    let mut world = World::new();
    if solid > 0 {
        let width = f64::from(solid) * (1.0 + gap) - gap;
        let block = Collider::new(Shape::rectangle(width, 1.0).unwrap()).at([0.5 * width - 0.5, -0.5]).unwrap();
        world.insert(block.fixed(true));
    }
    for i in solid..LONG {
        let at = [f64::from(i) * (1.0 + gap), -0.5];
        let tile = Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at(at).unwrap().fixed(true);
        world.insert(tile.one_way([0.0, 1.0]).unwrap());
    }
    world
}

/// Shapes with their lowest point 0.5 below the origin.
fn shapes() -> Vec<Shape> {
    let mut all: Vec<_> =
        [0.01, 0.3, 0.9, 1.0, 1.1, 2.0, 2.7].iter().map(|&width| Shape::rectangle(width, 1.0).unwrap()).collect();
    let legs = [-0.4, 0.4].map(|x| (Shape::rectangle(0.2, 1.0).unwrap(), Pose::from_translation([x, 0.0]).unwrap()));
    all.extend([
        Shape::circle(0.5).unwrap(),
        Shape::capsule([-0.6, 0.0], [0.6, 0.0], 0.5).unwrap(),
        Shape::rectangle(0.6, 0.8).unwrap().rounded(0.1).unwrap(),
        Shape::compound(legs).unwrap(),
    ]);
    all
}

fn insert(world: &mut World, shape: &Shape, at: [f64; 2]) -> Handle {
    let body = world.insert(Collider::new(shape.clone()).at(at).unwrap());
    world.update();
    body
}

/// The example of the defect: a motion to the right, then one down.
#[test]
fn motions_along_a_row_stay_on_it() {
    for gap in GAPS {
        for (kind, shape) in shapes().iter().enumerate() {
            for sink in [0.0, 1e-9, -1e-9, 1e-7] {
                for (start, by) in [(0.0, 4.0), (6.0, -4.0), (0.0, 0.5), (1.2, 0.37), (3.5, 1.0)] {
                    let mut world = row(gap, 0);
                    let body = insert(&mut world, shape, [start, 0.5 - sink]);
                    let at = format!("gap {gap:e}, shape {kind}, sink {sink:e}, from {start} by {by}");
                    for _ in 0..2 {
                        world.set_motion(body, [0.5 * by, 0.0], 0.0).unwrap();
                        world.update();
                    }
                    let end = world.position(body).unwrap();
                    assert!((end - DVec2::new(start + by, 0.5 - sink)).length() < 1e-12, "{at}: {end}");
                    world.set_motion(body, [0.0, -2.0], 0.0).unwrap();
                    world.update();
                    let end = world.position(body).unwrap();
                    assert!(end.y > 0.5 - 1e-6, "{at}: {end}");
                }
            }
        }
    }
}

/// A box comes through the air at the height of the face. No floor held it before.
#[test]
fn a_box_from_the_air_at_the_height_of_the_face_stays() {
    for sink in [0.0, 1e-9, 1e-7] {
        for is_motion in [true, false] {
            let mut world = row(0.0, 0);
            let body = insert(&mut world, &Shape::rectangle(0.9, 1.0).unwrap(), [-3.0, 0.5 - sink]);
            if is_motion {
                world.set_motion(body, [4.0, 0.0], 0.0).unwrap();
            } else {
                world.translate(body, [4.0, 0.0]).unwrap();
            }
            world.update();
            world.set_motion(body, [0.0, -2.0], 0.0).unwrap();
            world.update();
            let end = world.position(body).unwrap();
            assert!((end - DVec2::new(1.0, 0.5)).length() < 1e-6, "sink {sink:e}, {is_motion}: {end}");
        }
    }
}

/// Moves a body under gravity for a frame, and pushes it out of its contacts upwards. Returns its height.
fn walk(world: &mut World, body: Handle, by: DVec2) -> f64 {
    world.translate(body, by).unwrap();
    world.update();
    let mut out: f64 = 0.0;
    for contact in world.contacts_of(body) {
        // The MTV at the end of the plain block can be sideways.
        let is_up = contact.normal.y > 0.5;
        assert!(is_up || world.get(contact.other).unwrap().one_way.is_none(), "pushed sideways: {contact:?}");
        out = out.max(if is_up { contact.depth / contact.normal.y } else { 0.0 });
    }
    world.translate(body, DVec2::new(0.0, out)).unwrap();
    world.position(body).unwrap().y
}

/// Each update sees the body below the face, by the fall of a frame. The first tiles may be plain ground.
#[test]
fn steps_along_a_row_stay_on_it() {
    for gap in GAPS {
        for (kind, shape) in shapes().iter().enumerate() {
            for solid in [0, 3] {
                for fall in [0.0, 1e-9, 1e-5, 0.003, 0.02] {
                    // A walk to the left leads to the side of the block.
                    for step in if solid == 0 { &[0.03, 0.17, 0.6, -0.11][..] } else { &[0.03, 0.17, 0.6] } {
                        let step = *step;
                        let mut world = row(gap, solid);
                        let mut x = if step > 0.0 { 0.1 } else { 6.9 };
                        let body = insert(&mut world, shape, [x, 0.5]);
                        while x + step > 0.0 && x + step < 7.0 {
                            x += step;
                            let height = walk(&mut world, body, DVec2::new(step, -fall));
                            assert!(
                                height > 0.5 - 1e-6,
                                "gap {gap:e}, shape {kind}, solid {solid}, fall {fall}, step {step}: {height} at {x}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// A jump ends at the side of a tile, below its face, in the frame in which it lands on the tile before.
#[test]
fn a_jump_onto_a_row_stays_on_it() {
    for (kind, shape) in shapes().iter().enumerate() {
        // A box that is narrower than its step skips the tile before.
        for phase in 0..if kind == 0 { 0 } else { 40 } {
            let mut world = row(0.0, 0);
            let start = 0.5 + f64::from(phase) * 0.05;
            let body = insert(&mut world, shape, [start, 1.5]);
            let (mut x, mut speed) = (start, 0.0);
            let mut landed = false;
            while x < 6.8 {
                speed -= 0.02;
                x += 0.13;
                let before = world.position(body).unwrap().y;
                let height = walk(&mut world, body, DVec2::new(0.13, speed));
                if height - before - speed > 1e-9 {
                    (landed, speed) = (true, 0.0);
                }
                assert!(height > 0.5 - 1e-6, "shape {kind}, phase {phase}: {height} at {x}");
            }
            assert!(landed);
        }
    }
}

#[test]
fn a_jump_from_below_passes_the_seams_and_lands() {
    for gap in GAPS {
        for (kind, shape) in shapes().iter().enumerate().skip(1) {
            for (start, drift) in [(3.5, 0.0), (3.0, 0.0), (1.3, 0.05), (6.0, -0.07)] {
                let mut world = row(gap, 0);
                let body = insert(&mut world, shape, [start, -2.0]);
                for _ in 0..28 {
                    world.translate(body, [drift, 0.11]).unwrap();
                    world.update();
                    assert_eq!(world.contacts_of(body).count(), 0, "gap {gap:e}, shape {kind}, from {start}");
                }
                let mut height = world.position(body).unwrap().y;
                assert!(height > 1.0);
                for _ in 0..30 {
                    height = walk(&mut world, body, DVec2::new(0.0, -0.07));
                }
                assert!((height - 0.5).abs() < 1e-6, "gap {gap:e}, shape {kind}, from {start}: {height}");
            }
        }
    }
}

/// It is lower than the face from the beginning, on a lower floor. A rounded bottom that touches the corner within 60°
/// of the front would land on it.
#[test]
fn a_collider_from_the_side_passes() {
    for (kind, shape) in shapes().iter().enumerate() {
        let is_round = matches!(kind, 7..=9);
        for depth in if is_round { [0.3, 0.6, 0.9] } else { [0.01, 0.3, 0.9] } {
            let mut world = row(0.0, 0);
            let floor = Shape::rectangle(30.0, 1.0).unwrap();
            world.insert(Collider::new(floor).at([0.0, -0.5 - depth]).unwrap().fixed(true));
            let body = insert(&mut world, shape, [-4.0, 0.5 - depth]);
            for _ in 0..80 {
                let height = walk(&mut world, body, DVec2::new(0.1, -0.003));
                assert!((height - (0.5 - depth)).abs() < 1e-6, "shape {kind}, depth {depth}: {height}");
            }
        }
    }
}

/// A body stands with one leg. The other leg hangs below the face, beside the next tile.
#[test]
fn a_lower_leg_is_not_lifted() {
    let at = |x: f64, y: f64| Pose::from_translation([x, y]).unwrap();
    let legs =
        [(Shape::rectangle(0.2, 1.0).unwrap(), at(-0.9, 0.0)), (Shape::rectangle(0.2, 1.0).unwrap(), at(0.9, -0.3))];
    let mut world = World::new();
    for x in [0.0, 2.0] {
        let tile = Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([x, -0.5]).unwrap();
        world.insert(tile.fixed(true).one_way([0.0, 1.0]).unwrap());
    }
    let body = insert(&mut world, &Shape::compound(legs).unwrap(), [0.45, 0.5]);
    for _ in 0..8 {
        let height = walk(&mut world, body, DVec2::new(0.1, -0.003));
        assert!((height - 0.5).abs() < 1e-6, "{height}");
    }
}

#[test]
fn particles_slide_along_a_row() {
    for gap in [0.0, 1e-9, -1e-9] {
        for (kind, shape) in shapes().iter().enumerate() {
            for speed in [0.5, 3.0, 40.0] {
                let mut world = row(gap, 0);
                let body = insert(&mut world, shape, [0.5, 0.6]);
                let mut particles = Particles::new();
                particles.set_gravity([0.0, -10.0]).unwrap();
                let particle = Particle::new(1.0).unwrap().velocity([speed, 0.0]).unwrap().restitution(0.0).unwrap();
                particles.insert(body, particle).unwrap();
                let mut frames = 0;
                while world.position(body).unwrap().x < 7.0 - speed / 60.0 && frames < 900 {
                    particles.step(&mut world, 1.0 / 60.0).unwrap();
                    let at = world.position(body).unwrap();
                    let least = 0.5 - PENETRATION_SLOP;
                    assert!(at.y > least, "gap {gap:e}, shape {kind}, speed {speed}: {at} in frame {frames}");
                    frames += 1;
                }
                assert!(frames < 900, "gap {gap:e}, shape {kind}, speed {speed}: it stopped");
            }
        }
    }
}
