//! Known results, computed by hand: the touch rule, the examples of the classic articles, zero
//! sizes, large polygons, windings, quarter turns. `refusals.rs` has the inputs that constructors
//! refuse.

use carom::query::collide_within;
use carom::{DVec2, Manifold, Placed, Pose, Shape, collide, distance, explain_sat, intersects, overlaps};

use crate::support::dice::{heading, ulps_off};

type Outcome = Result<(), carom::Error>;

/// Result of a table row: disjoint with a distance, touching, or overlapping with a depth.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Apart(f64),
    Touching,
    Deep(f64),
}

use Answer::{Apart, Deep, Touching};

/// Asks everything in both orders; lengths may be off by four ulp.
#[track_caller]
fn expect(a: Placed<'_>, b: Placed<'_>, answer: Answer) {
    let near = |x: f64, y: f64| (x - y).abs() <= 4.0 * f64::EPSILON * y.abs();
    for (a, b) in [(a, b), (b, a)] {
        let (gap, found) = (distance(a, b).distance, collide(a, b));
        let results = (intersects(a, b), overlaps(a, b));
        let why = explain_sat(a, b);
        assert_eq!((why.intersects(), why.overlaps()), results, "{a:?} {b:?}");
        match answer {
            Apart(expected) => {
                assert_eq!((results, found), ((false, false), None), "{a:?} {b:?}");
                assert!(gap > 0.0 && near(gap, expected), "{gap} is not {expected}: {a:?} {b:?}");
            }
            Touching => {
                assert_eq!(results, (true, false), "{a:?} {b:?}");
                assert_eq!((gap, found.map(|m| m.depth)), (0.0, Some(0.0)), "{a:?} {b:?}");
            }
            Deep(expected) => {
                assert_eq!((results, gap), ((true, true), 0.0), "{a:?} {b:?}");
                let depth = found.expect("a contact").depth;
                assert!(depth > 0.0 && near(depth, expected), "{depth} is not {expected}: {a:?} {b:?}");
            }
        }
    }
}

/// The push has the given components, to four ulp, and its normal is a unit vector.
#[track_caller]
fn expect_push(found: Option<Manifold>, x: f64, y: f64) {
    let m = found.expect("a contact");
    let off = (m.mtv() - DVec2::new(x, y)).length();
    assert!(off <= 4.0 * f64::EPSILON * x.hypot(y), "{:?} is not ({x}, {y})", m.mtv());
    assert!((m.normal.length() - 1.0).abs() <= 2.0 * f64::EPSILON, "{m:?}");
}

/// P16: the table of cases in which libraries differ.
#[test]
fn touching_intersects_and_does_not_overlap() -> Outcome {
    let unit = Shape::rectangle(1.0, 1.0)?;
    let a = unit.at([0.0, 0.0])?;
    expect(a, unit.at([1.0, 0.25])?, Touching); // boxes share an edge
    expect(a, unit.at([1.0 + 1e-6, 0.0])?, Apart(1.0 + 1e-6 - 1.0)); // a gap of a millionth
    expect(a, unit.at([1.0, 1.0])?, Touching); // corner on corner
    expect(a, unit.at([ulps_off(1.0, 1), 0.0])?, Apart(f64::EPSILON)); // an ulp on either side
    expect(a, unit.at([ulps_off(1.0, -1), 0.0])?, Deep(f64::EPSILON / 2.0));
    Ok(())
}

/// P16: a shape without area overlaps if it crosses, and touches if it lies along a boundary.
#[test]
fn segments_and_points_follow_the_same_rule() -> Outcome {
    let level = Shape::segment([-1.0, 0.0], [1.0, 0.0])?;
    let upright = Shape::segment([0.0, -1.0], [0.0, 1.0])?;
    let (dot, square) = (Shape::circle(0.0)?, Shape::rectangle(2.0, 2.0)?);
    let a = level.at([0.0, 0.0])?;
    expect(a, upright.at([0.0, 0.0])?, Deep(1.0)); // cross
    expect(a, upright.at([0.0, 1.0])?, Touching); // a T
    expect(a, level.at([1.5, 0.0])?, Touching); // along each other
    expect(a, level.at([2.0, 0.0])?, Touching); // end to end
    expect(a, level.at([2.5, 0.0])?, Apart(0.5));
    expect(a, dot.at([0.5, 0.0])?, Touching); // a point on a segment
    expect(square.at([0.0, 0.0])?, dot.at([0.25, 0.0])?, Deep(0.75)); // a point within
    expect(square.at([0.0, 0.0])?, dot.at([1.0, 0.5])?, Touching);
    expect(dot.at([3.0, 4.0])?, dot.at([3.0, 4.0])?, Touching);
    expect(dot.at([3.0, 4.0])?, dot.at([0.0, 0.0])?, Apart(5.0));
    Ok(())
}

/// First article: separating axes of boxes and triangles.
#[test]
fn the_squares_and_triangles_of_the_articles() -> Outcome {
    let square = Shape::polygon(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])?;
    let a = square.at([0.0, 0.0])?;
    expect(a, square.at([5.0, 5.0])?, Deep(5.0));
    expect(a, square.at([20.0, 20.0])?, Apart(200f64.sqrt()));
    // Triangles overlap by 4 along y and by 68/√89 along (8, −5). Along (8, 5) the intervals are
    // 0..80 and 52..132, so they overlap by 28/√89, the minimum. So the MTV of the second is 28/89
    // · (8, 5).
    let first = Shape::polygon(&[[0.0, 0.0], [10.0, 0.0], [5.0, 8.0]])?;
    let second = Shape::polygon(&[[4.0, 4.0], [14.0, 4.0], [9.0, 12.0]])?;
    let (a, b) = (first.at([0.0, 0.0])?, second.at([0.0, 0.0])?);
    expect(a, b, Deep(28.0 / 89f64.sqrt()));
    expect_push(collide(a, b), 224.0 / 89.0, 140.0 / 89.0);
    expect_push(collide(b, a), -224.0 / 89.0, -140.0 / 89.0);
    Ok(())
}

/// Fourth article: the pentagon and the hexagon with their minimum translation vector.
#[test]
fn the_pentagon_and_the_hexagon() -> Outcome {
    let pentagon = Shape::polygon(&[[0.0, 5.0], [4.0, 9.0], [9.0, 7.0], [7.0, 2.0], [2.0, 0.0]])?;
    let hexagon = Shape::polygon(&[[5.0, 3.0], [8.0, 1.0], [11.0, 3.0], [11.0, 7.0], [8.0, 9.0], [5.0, 7.0]])?;
    let (a, b) = (pentagon.at([0.0, 0.0])?, hexagon.at([0.0, 0.0])?);
    // Across the edge (7, 2)-(9, 7), 5x − 2y: the pentagon reaches 31, the hexagon begins at 11 (its corner
    // (5, 7)): 20/√29 = 3.71. Next comes x with 9 − 5 = 4, then 19/√13 = 5.27, 20/√13, 32/√29 and more.
    expect(a, b, Deep(20.0 / 29f64.sqrt()));
    expect_push(collide(a, b), 100.0 / 29.0, -40.0 / 29.0);
    Ok(())
}

/// Second and third article: circles, rectangles at 0° and turned, a circle near a corner.
#[test]
fn circles_and_turned_rectangles() -> Outcome {
    let (block, ball) = (Shape::rectangle(4.0, 2.0)?, Shape::circle(1.5)?);
    expect_push(collide(block.at([0.0, 0.0])?, ball.at([3.0, 0.0])?), 0.5, 0.0);
    // Turned by the angle of the 3-4-5 triangle, the ball moved along: the same push, turned.
    let turned = block.placed(Pose::from_cos_sin([0.0, 0.0], 0.8, 0.6)?);
    expect_push(collide(turned, ball.at([2.4, 1.8])?), 0.4, 0.3);
    // Before the corner (2, 1), at (1.2, 1.6) from it: 2 - 1.5 too far for one ball, 0.5 too near for another.
    expect(block.at([0.0, 0.0])?, ball.at([3.2, 2.6])?, Apart(0.5));
    expect_push(collide(block.at([0.0, 0.0])?, Shape::circle(2.5)?.at([3.2, 2.6])?), 0.3, 0.4);
    // A tip at 2.5 − √2 inside a face at 1.
    let (square, tip) = (Shape::rectangle(2.0, 2.0)?, Pose::from_degrees([2.25, 0.0], 45.0)?);
    let m = collide(square.at([0.0, 0.0])?, square.placed(tip)).expect("the tip is inside");
    assert!((m.mtv() - DVec2::new(2f64.sqrt() - 1.25, 0.0)).length() <= 1e-15, "{m:?}");
    // No edge of the triangle separates it from this ball, yet they are disjoint. Only the axis
    // through the vertex (10, 0), √5 from the centre, separates them.
    let triangle = Shape::polygon(&[[0.0, 0.0], [10.0, 0.0], [5.0, 8.0]])?;
    let (a, near) = (triangle.at([0.0, 0.0])?, Shape::circle(2.0)?);
    let gap = distance(a, near.at([12.0, -1.0])?).distance;
    assert!((gap - (5f64.sqrt() - 2.0)).abs() <= 1e-15, "{gap}");
    expect(a, near.at([5.0, 9.5])?, Deep(0.5));
    Ok(())
}

/// P13: every kind with every kind, each built to reach from (-1, 0) to (1, 0).
#[test]
fn the_pair_matrix_is_full() -> Outcome {
    let specimens = [
        Shape::circle(1.0)?,
        Shape::circle(0.25)?.rounded(0.75)?,
        Shape::segment([-1.0, 0.0], [1.0, 0.0])?,
        Shape::segment([-0.5, 0.0], [0.5, 0.0])?.rounded(0.5)?,
        Shape::capsule([-0.75, 0.0], [0.75, 0.0], 0.25)?,
        Shape::rectangle(2.0, 1.0)?,
        Shape::rectangle(1.0, 2.0)?.rounded(0.5)?,
        Shape::polygon(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -2.0]])?,
        Shape::polygon(&[[0.5, 0.0], [0.0, 1.0], [-0.5, 0.0]])?.rounded(0.5)?,
        Shape::ellipse(1.0, 0.5, 0.01)?,
    ];
    for first in &specimens {
        for second in &specimens {
            let a = first.at([0.0, 0.0])?;
            expect(a, second.at([2.0, 0.0])?, Touching);
            expect(a, second.at([3.5, 0.0])?, Apart(1.5));
            let flat = first.radius() + second.radius() == 0.0 && first.points().len() + second.points().len() == 4;
            assert_eq!(overlaps(a, second.at([0.25, 0.0])?), !flat, "two collinear segments only touch");
        }
    }
    Ok(())
}

/// P12: a size of zero makes a point, never something that always or never collides.
#[test]
fn zero_sizes_are_points() -> Outcome {
    let dots = [
        Shape::circle(0.0)?.placed_at([2.0, 1.0])?,
        Shape::segment([0.0, 0.0], [0.0, 0.0])?.placed_at([2.0, 1.0])?,
        Shape::segment([2.0, 1.0], [2.0, 1.0])?.placed_at([0.0, 0.0])?,
        Shape::capsule([1.0, 1.0], [1.0, 1.0], 0.0)?.placed_at([1.0, 0.0])?,
    ];
    let square = Shape::rectangle(2.0, 2.0)?;
    for (dot, pose) in &dots {
        let dot = dot.placed(*pose);
        for (x, answer) in [(2.0, Deep(1.0)), (3.0, Touching), (4.0, Apart(1.0)), (1000.0, Apart(997.0))] {
            expect(dot, square.at([x, 1.0])?, answer);
        }
    }
    Ok(())
}

trait PlacedAt: Sized {
    fn placed_at(self, position: [f64; 2]) -> Result<(Self, Pose), carom::Error>;
}

impl PlacedAt for Shape {
    fn placed_at(self, position: [f64; 2]) -> Result<(Self, Pose), carom::Error> {
        Ok((self, Pose::from_translation(position)?))
    }
}

/// P14: no cap on the number of vertices.
#[test]
fn ten_thousand_corners() -> Outcome {
    let corner = |i: u32| heading(std::f64::consts::TAU * f64::from(i) / 10_000.0);
    let ring: Vec<DVec2> = (0..10_000).map(corner).collect();
    let wheel = Shape::polygon(&ring)?;
    assert_eq!(wheel.points().len(), 10_000);
    let (a, post) = (wheel.at([0.0, 0.0])?, Shape::rectangle(2.0, 1.0)?);
    expect(a, post.at([2.0, 0.0])?, Touching); // at the corner (1, 0)
    expect(a, post.at([2.5, 0.0])?, Apart(0.5));
    expect(a, post.at([1.5, 0.0])?, Deep(0.5));
    let mirrored: Vec<DVec2> = ring.iter().map(|p| DVec2::new(-p.x, p.y)).collect();
    let other = Shape::polygon(&mirrored)?;
    assert!(intersects(a, other.at([2.0, 0.0])?) && !overlaps(a, other.at([2.0, 0.0])?));
    Ok(())
}

/// P11: both windings, bit for bit.
#[test]
fn winding_changes_nothing() -> Outcome {
    let points = [[0.1, 5.3], [2.7, 0.4], [7.1, 2.2], [9.3, 7.9], [4.6, 9.1]];
    let reversed: Vec<[f64; 2]> = points.iter().rev().copied().collect();
    let (one, other) = (Shape::polygon(&points)?, Shape::polygon(&reversed)?);
    let probes = [Shape::circle(1.3)?, Shape::rectangle(3.1, 1.7)?, Shape::segment([-2.2, 0.3], [4.1, 1.9])?];
    for probe in &probes {
        for step in 0..200 {
            let b = probe.placed(Pose::new([f64::from(step % 20) - 3.3, f64::from(step / 20) + 0.7], f64::from(step))?);
            let pose = Pose::new([0.3, -0.2], 0.35)?;
            let results = |a: Placed<'_>| {
                let d = distance(a, b);
                let m = collide_within(a, b, 1.0);
                let point_pairs = m.map(|m| m.points().iter().map(|p| (p.on_a, p.on_b, p.depth)).collect::<Vec<_>>());
                (
                    intersects(a, b),
                    overlaps(a, b),
                    (d.distance, d.point_a, d.point_b),
                    m.map(|m| (m.normal, m.depth)),
                    point_pairs,
                )
            };
            assert_eq!(results(one.placed(pose)), results(other.placed(pose)), "step {step}");
        }
    }
    assert_eq!(one.mass_properties(), other.mass_properties());
    Ok(())
}

/// Multiples of 90° are exact, however often round: a tile turned so still touches its neighbour.
#[test]
fn quarter_turns_are_exact() -> Outcome {
    let tile = Shape::rectangle(16.0, 16.0)?;
    for quarter in -8..=8_i32 {
        let (cos, sin) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][quarter.rem_euclid(4) as usize];
        let pose = Pose::from_degrees([8.0, 8.0], 90.0 * f64::from(quarter))?;
        assert_eq!((pose.cos(), pose.sin()), (cos, sin), "{quarter} quarters");
        for neighbour in [[24.0, 8.0], [8.0, 24.0], [-8.0, 8.0], [8.0, -8.0], [24.0, 24.0]] {
            expect(tile.placed(pose), tile.at(neighbour)?, Touching);
        }
        expect(tile.placed(pose), tile.at([23.0, 8.0])?, Deep(1.0));
    }
    Ok(())
}

/// P2, P4: where several normals serve, the documented one, every time.
#[test]
fn normals_without_a_direction_of_their_own() -> Outcome {
    let (small, large) = (Shape::circle(1.0)?, Shape::circle(2.0)?);
    let m = collide(small.at([3.0, 3.0])?, large.at([3.0, 3.0])?).expect("concentric");
    assert_eq!((m.normal, m.depth), (DVec2::X, 3.0)); // a's +x axis
    let square = Shape::rectangle(2.0, 2.0)?;
    let m = collide(square.at([0.0, 0.0])?, square.at([0.0, 0.0])?).expect("identical");
    assert_eq!((m.normal, m.depth), (DVec2::NEG_Y, 2.0)); // the first edge from the lowest x, then y
    let m = collide(square.at([0.0, 0.0])?, square.at([2.0, 2.0])?).expect("corner on corner");
    assert!(m.normal.x >= 0.0 && m.normal.y >= 0.0, "in the cone of the corner: {m:?}");
    assert_eq!((m.depth, m.points().len()), (0.0, 1));
    assert_eq!(m.points()[0].on_a, DVec2::ONE);
    Ok(())
}

/// Feature ids stay while the features do: a box that slides over a floor.
#[test]
fn ids_stay_while_a_box_slides() -> Outcome {
    let (floor, block) = (Shape::rectangle(20.0, 1.0)?, Shape::rectangle(1.0, 1.0)?);
    let ids = |x: f64| -> Result<Vec<_>, carom::Error> {
        let m = collide(floor.at([0.0, 0.0])?, block.at([x, 0.9375])?).expect("it rests on the floor");
        assert_eq!((m.normal, m.depth, m.points().len()), (DVec2::Y, 0.0625, 2));
        let mut ids: Vec<_> = m.points().iter().map(|p| p.id).collect();
        ids.sort_unstable();
        Ok(ids)
    };
    let first = ids(-9.0)?;
    for step in 0..1800 {
        assert_eq!(ids(-9.0 + 0.01 * f64::from(step))?, first, "step {step}");
    }
    Ok(())
}

/// The exact set is made of these points and no others.
#[test]
fn shapes_keep_the_points_they_were_given() -> Outcome {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [0.0, 1.0]].map(DVec2::from);
    assert_eq!(Shape::polygon(&outline)?.points(), outline);
    assert_eq!(Shape::circle(3.0)?.points(), [DVec2::ZERO]);
    assert_eq!(Shape::capsule([1.0, 2.0], [3.0, 4.0], 5.0)?.points(), [[1.0, 2.0], [3.0, 4.0]].map(DVec2::from));
    let corners = [[-1.5, -0.5], [1.5, -0.5], [1.5, 0.5], [-1.5, 0.5]].map(DVec2::from);
    assert_eq!(Shape::rectangle(3.0, 1.0)?.points(), corners);
    let rounded = Shape::rectangle(3.0, 1.0)?.rounded(0.25)?.rounded(0.5)?;
    assert_eq!((rounded.points(), rounded.radius()), (&corners[..], 0.75));
    let flipped = Shape::polygon(&outline)?.scaled(-2.0, 0.5)?;
    assert_eq!(flipped.points(), outline.map(|p| DVec2::new(-2.0 * p.x, 0.5 * p.y)));
    Ok(())
}
