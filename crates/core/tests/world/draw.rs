//! Debug drawing: outlines lie on the shapes, and fills cover them.

use carom::world::{DebugDraw, DebugDrawKind, DebugDrawOptions};
use carom::{Collider, DVec2, Pose, Shape, World};

#[derive(Default)]
struct Seen {
    lines: Vec<(DVec2, DVec2, DebugDrawKind)>,
    fills: Vec<(Vec<DVec2>, DebugDrawKind)>,
}

impl DebugDraw for Seen {
    fn line(&mut self, from: DVec2, to: DVec2, ink: DebugDrawKind) {
        self.lines.push((from, to, ink));
    }

    fn fill(&mut self, outline: &[DVec2], ink: DebugDrawKind) {
        self.fills.push((outline.to_vec(), ink));
    }
}

#[test]
fn outlines_lie_on_the_shapes_within_the_deviation() {
    let shapes = [
        Shape::circle(2.0).unwrap(),
        Shape::capsule([-1.0, 0.0], [1.0, 0.5], 0.5).unwrap(),
        Shape::rectangle(2.0, 1.0).unwrap().rounded(0.25).unwrap(),
        Shape::rectangle(2.0, 1.0).unwrap(),
        Shape::segment([0.0, 0.0], [1.0, 1.0]).unwrap(),
    ];
    for shape in shapes {
        let mut world = World::new();
        let handle = world.insert(Collider::new(shape.clone()).pose(Pose::new([3.0, 4.0], 0.7).unwrap()));
        let mut seen = Seen::default();
        world.draw(&DebugDrawOptions { deviation: 1e-3, ..DebugDrawOptions::default() }, &mut seen);
        let placed = world.placed(handle).unwrap();
        let mut area = 0.0;
        for (from, to, ink) in &seen.lines {
            assert_eq!(*ink, DebugDrawKind::Moving);
            for p in [*from, (*from + *to) * 0.5] {
                let off = placed.signed_distance(p).unwrap();
                assert!((-1.001e-3..=1e-12).contains(&off), "{:?} is off by {off}", shape.kind());
            }
            area += from.perp_dot(*to) / 2.0;
        }
        let expected = shape.mass_properties().area;
        assert!(
            expected == 0.0 || (area > expected * 0.99 && area <= expected * (1.0 + 1e-12)),
            "{area} of {expected}"
        );
        assert_eq!(seen.fills.len(), usize::from(expected > 0.0));
    }
}

#[test]
fn boxes_contacts_and_candidates_are_drawn_if_selected() {
    let mut world = World::new();
    world.insert(Collider::new(Shape::rectangle(2.0, 2.0).unwrap()).fixed(true));
    world.insert(Collider::new(Shape::rectangle(1.0, 1.0).unwrap()).at([0.0, 1.25]).unwrap().sensor(true));
    world.insert(Collider::new(Shape::circle(1.0).unwrap()).at([9.0, 0.0]).unwrap().enabled(false));
    world.update();
    let mut seen = Seen::default();
    world.draw(
        &DebugDrawOptions { shapes: true, boxes: true, contacts: true, candidates: true, deviation: 0.01 },
        &mut seen,
    );
    let count = |ink: DebugDrawKind| seen.lines.iter().filter(|line| line.2 == ink).count();
    assert_eq!(
        [
            DebugDrawKind::Fixed,
            DebugDrawKind::Sensor,
            DebugDrawKind::Box,
            DebugDrawKind::Candidate,
            DebugDrawKind::Overlap,
            DebugDrawKind::Normal
        ]
        .map(count),
        [4, 4, 12, 1, 2, 2]
    );
    assert!(count(DebugDrawKind::Disabled) >= 8);
    let overlaps: f64 =
        seen.lines.iter().filter(|line| line.2 == DebugDrawKind::Overlap).map(|line| (line.1 - line.0).length()).sum();
    assert_eq!(overlaps, 0.5);
}
