//! Limits of spatial queries: `QueryPipeline::nearest`, `World::intersecting_cone` and `World::surface_contacts`.
//! Compares them with distances in rational numbers, for limits at the distance and next to it.
//!
//! `CAROM_PAIRS` sets the number of scenes, `CAROM_SEED` selects them.

use carom::broad_phase::{Bvh, Filter, LocalOrigin};
use carom::query::{QuantizedShapes, QueryPipeline};
use carom::world::ViewCone;
use carom::{Collider, DVec2, Placed, Shape, World, distance};

use crate::support::dice::{Dice, ulps_off};
use crate::support::gaps::{Drawn, Point, Square, draw, is_within, square};
use crate::support::run::{pairs, seed};

/// A shape with integer coordinates, as a collider has it: shape and position.
struct Placement {
    drawn: Drawn,
    shape: Shape,
    position: DVec2,
}

fn to_vector(p: Point) -> DVec2 {
    DVec2::new(p[0] as f64, p[1] as f64)
}

fn ring(points: &[Point]) -> Vec<[Point; 2]> {
    (0..points.len()).map(|i| [points[i], points[(i + 1) % points.len()]]).collect()
}

/// Returns a random shape near the origin: a triangle or a rectangle, which have quantized polygons, or any other.
fn shape(dice: &mut Dice) -> Placement {
    let mut whole = |low: i32, high: i32| i64::from(dice.whole(low, high));
    match whole(0, 2) {
        0 => loop {
            let points: [Point; 3] = std::array::from_fn(|_| [whole(-9, 9), whole(-9, 9)]);
            if let Ok(shape) = Shape::polygon(&points.map(to_vector)) {
                let drawn = Drawn { shape: shape.clone(), segments: ring(&points) };
                break Placement { drawn, shape, position: DVec2::ZERO };
            }
        },
        1 => {
            let ([w, h], [x, y]) = ([whole(1, 5), whole(1, 5)], [whole(-5, 5), whole(-5, 5)]);
            let corners = [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]];
            let shape = Shape::rectangle(2.0 * w as f64, 2.0 * h as f64).unwrap();
            let drawn = Drawn { shape: shape.clone(), segments: ring(&corners) };
            Placement { drawn, shape, position: to_vector([x, y]) }
        }
        _ => {
            let drawn = draw(dice, -5);
            Placement { shape: drawn.shape.clone(), drawn, position: DVec2::ZERO }
        }
    }
}

/// Returns limits at the root of a squared distance and next to it.
fn limits(dice: &mut Dice, square: Square) -> [f64; 7] {
    let root = (square.0 as f64 / square.1 as f64).sqrt();
    [root, root.next_down(), root.next_up(), ulps_off(root, dice.whole(-5, 5)), root.floor(), root.ceil(), 1e12]
}

/// Distances from the origin. At the largest one, neighbouring numbers differ by 1/8.
const FAR: [f64; 5] = [0.0, 0.0, 1e6, 1e12, 1e15];

#[test]
fn of_queries_with_a_point() {
    let (mut corrected, mut exactly) = (0, 0);
    for index in 0..pairs(5_000) {
        let mut dice = Dice::new(seed(), index);
        let shapes: Vec<Placement> = (0..dice.count(1, 4)).map(|_| shape(&mut dice)).collect();
        let right = shapes.iter().flat_map(|one| one.drawn.segments.iter().flatten()).map(|p| p[0]).max().unwrap();
        let eye = [right + i64::from(dice.whole(1, 30)), i64::from(dice.whole(-30, 30))];
        let eye_shape = Shape::segment(to_vector(eye), to_vector(eye)).unwrap();
        let drawn_eye = Drawn { shape: eye_shape, segments: vec![[eye; 2]] };
        let squares: Vec<Square> = shapes.iter().map(|one| square(&drawn_eye, &one.drawn)).collect();
        let nearest = squares.iter().copied().min_by(|(n, d), (m, e)| (n * e).cmp(&(m * d))).unwrap();

        let far = DVec2::new(dice.one_of(&FAR), -dice.one_of(&FAR));
        let (eye, frame) = (to_vector(eye) + far, LocalOrigin::new(far));
        let placed: Vec<Placed<'_>> = shapes.iter().map(|one| one.shape.at(one.position + far).unwrap()).collect();
        let item = |(id, one): (u32, &Placed<'_>)| (id, frame.to_local(&one.aabb()), Filter::default(), false);
        let bvh = Bvh::from_boxes((0..).zip(&placed).map(item));
        let all = || QueryPipeline::new(&bvh, frame, |id| Some(placed[id as usize]));
        let mut by_id = QuantizedShapes::new();
        (0..).zip(&placed).for_each(|(id, &one)| by_id.set(id, one));
        let packed = QuantizedShapes::packed(frame, (0..).zip(placed.iter().copied()));
        let mut world = World::new();
        let handles: Vec<_> =
            placed.iter().map(|&one| world.insert(Collider::new(one.shape().clone()).pose(one.pose()))).collect();

        for limit in limits(&mut dice, nearest) {
            let expected = is_within(nearest, limit);
            for (name, pipeline) in [
                ("broad phase", all()),
                ("quantized", all().with_outlines(&by_id)),
                ("packed", all().with_outlines(&packed)),
            ] {
                let found = pipeline.nearest(eye, limit).unwrap();
                assert_eq!(found.is_some(), expected, "{index}, {name}: {nearest:?}, {limit:e}, {far}");
                if let Some((id, gap)) = found {
                    assert!(is_within(squares[id as usize], limit) && gap.distance <= limit, "{index}, {name}");
                }
                let mut batch = Vec::new();
                pipeline.nearest_batch(&[eye], limit, &mut batch).unwrap();
                assert_eq!(batch, [found], "{index}, {name}");
            }
            let view = ViewCone::new(eye, [1.0, 0.5], 4.0, limit).unwrap();
            let seen: Vec<_> = handles
                .iter()
                .zip(&squares)
                .filter(|&(_, &square)| is_within(square, limit))
                .map(|(&h, _)| h)
                .collect();
            assert_eq!(world.intersecting_cone(&view, u64::MAX), seen, "{index}: {squares:?}, {limit:e}, {far}");
            let point = Shape::circle(0.0).unwrap();
            let rounded = placed.iter().any(|&one| distance(one, point.at(eye).unwrap()).distance <= limit);
            corrected += usize::from(rounded != expected);
            exactly += usize::from(expected && !is_within(nearest, limit.next_down()));
        }
    }
    // Limits that are the distance, and limits that the rounded distance decides wrongly.
    assert!(exactly > 1000 && corrected > 100, "{exactly}, {corrected}");
}

/// The legs and the hypotenuse of right triangles.
const TRIPLES: [[i32; 3]; 4] = [[3, 4, 5], [5, 12, 13], [8, 15, 17], [20, 21, 29]];

/// The corner of a box, or the side of a triangle, is exactly 3-4-5 away from a disk with radius.
#[test]
fn of_surface_contacts_and_contact_margins() {
    for index in 0..pairs(2_000) {
        let mut dice = Dice::new(seed(), index);
        let [a, b, c] = dice.one_of(&TRIPLES).map(f64::from);
        let (scale, far) = (f64::from(dice.whole(1, 9)) * 0.25, dice.one_of(&FAR[..4]));
        let position = DVec2::new(far, -far);
        let legs = DVec2::new(a, b) * scale;
        // The side of the second shape is perpendicular to the legs, and has the foot in the middle.
        let along = DVec2::new(-b, a) * scale;
        let shape = if dice.chance(0.5) {
            Shape::rectangle(2.0, 4.0).map(|shape| (shape, legs + DVec2::new(1.0, 2.0)))
        } else {
            Shape::polygon(&[legs + along, legs - along, legs * 2.0]).map(|shape| (shape, DVec2::ZERO))
        };
        let (shape, offset) = shape.unwrap();
        let radius = f64::from(dice.whole(0, 4)) * 0.125;
        let gap = c * scale - radius;
        let mut world = World::new();
        let disk = world.insert(Collider::new(Shape::circle(radius).unwrap()).at(position).unwrap());
        world.insert(Collider::new(shape).at(position + offset).unwrap());
        for (margin, expected) in [(gap.next_down(), 0), (gap, 1), (gap.next_up(), 1)] {
            let mut found = Vec::new();
            world.surface_contacts(disk, margin, &mut found).unwrap();
            assert_eq!(found.len(), expected, "{index}: {legs}, {far}, {margin}");
            world.set_default_contact_margin(margin).unwrap();
            world.update();
            assert_eq!(world.contacts_of(disk).count(), expected, "{index}: {legs}, {far}, {margin}");
        }
    }
}

/// Only the corner of a box is in the range of a narrow view. A side of the view points at the corner, up to rounding.
#[test]
fn of_narrow_views() {
    let mut certain = 0;
    for index in 0..pairs(2_000) {
        let mut dice = Dice::new(seed(), index);
        let [a, b, c] = dice.one_of(&TRIPLES).map(f64::from);
        let (scale, far) = (f64::from(dice.whole(1, 9)) * 0.25, dice.one_of(&FAR[..4]));
        let (eye, legs, gap) = (DVec2::new(far, -far), DVec2::new(a, b) * scale, c * scale);
        let shape = Shape::rectangle(2.0, 4.0).unwrap();
        let placed = shape.at(eye + legs + DVec2::new(1.0, 2.0)).unwrap();
        let half_angle = dice.between(0.01, 1.5);
        let turn = DVec2::from_angle(if dice.chance(0.5) { half_angle } else { -half_angle });
        let sees = |angle: f64, range: f64| {
            let view = ViewCone::new(eye, turn.rotate(legs), angle, range).unwrap();
            view.intersects(placed)
        };
        let seen = format!("{index}: {legs}, {far}, {half_angle}");
        for angle in [0.999, 1.0, 1.001] {
            assert!(!sees(half_angle * angle, gap.next_down()), "{seen}, {angle}");
        }
        // The angle is rounded: the ends of the sides are points of the plane.
        if half_angle * 0.001 * gap > 8.0 * f64::EPSILON * far {
            assert!(sees(half_angle * 1.001, gap) && !sees(half_angle * 0.999, gap), "{seen}");
            certain += 1;
        }
    }
    assert!(certain > 1_000, "{certain}");
    // The end of a side is one step beyond the range. One step less has no length.
    let view = ViewCone::new([0.0, 0.0], [1.0, 1.0], 0.5, 5e-324).unwrap();
    assert!(view.intersects(Shape::circle(0.0).unwrap().at([0.0, 0.0]).unwrap()));
}
