//! A ray hit names a vertex or an edge: the point is on it, grown by the radius.

use carom::query::Feature;
use carom::{DVec2, Pose, Ray, Shape, ray_cast};

use crate::support::dice::Dice;
use crate::support::exact::Outline;
use crate::support::recipe::Body;
use crate::support::{measure, run, shapes};

#[test]
fn the_point_is_on_the_feature() {
    let (seed, mut seen) = (run::seed(), [0; 2]);
    for index in 0..run::pairs(6_000) {
        let mut dice = Dice::new(seed, index);
        let body = Body::new(shapes::any(&mut dice, 1.0), Pose::new(dice.in_disk(10.0), dice.angle()).unwrap());
        if measure::has_redundant_points(&body) {
            continue;
        }
        let from = body.pose.translation() + dice.in_disk(3.0);
        let aim = body.pose.translation() + dice.in_disk(0.6) - from;
        let ray = Ray::new(from, aim * 1.5).unwrap().with_radius(if dice.chance(0.3) { 0.1 } else { 0.0 }).unwrap();
        let ray = if dice.chance(0.5) { ray.hollow() } else { ray };
        let Some(hit) = ray_cast(ray, body.placed()) else { continue };
        let story = || format!("seed {seed}, index {index}: {body}, {ray:?}, {hit:?}");
        let Some(feature) = hit.feature else {
            assert!(hit.time == 0.0 && !ray.is_hollow(), "{}", story());
            continue;
        };
        seen[usize::from(matches!(feature, Feature::Edge(_)))] += 1;
        let outline = body.outline();
        // A hollow ray that leaves is with its radius inside of the surface.
        let away = measure::to_feature(&Outline { radius: 0.0, ..outline.clone() }, feature, hit.point);
        let leaves = hit.normal.dot(ray.translation()) < 0.0 && body.placed().contains_point(from).unwrap();
        if !leaves || ray.radius() == 0.0 {
            assert!((away - outline.radius).abs() < 1e-9, "{away} from it; {}", story());
        }
    }
    assert!(seen.iter().all(|&times| times > 300), "vertices, edges: {seen:?}");
}

#[test]
fn sides_corners_and_rims_by_hand() {
    let feature = |shape: &Shape, from: [f64; 2], translation: [f64; 2]| {
        ray_cast(Ray::new(from, translation).unwrap(), shape.at([0.0, 0.0]).unwrap()).and_then(|hit| hit.feature)
    };
    // Edges from the lower one counter-clockwise, vertices from the lower left one.
    let block = Shape::rectangle(2.0, 2.0).unwrap();
    let sides = [[0.0, -5.0], [5.0, 0.0], [0.0, 5.0], [-5.0, 0.0]];
    let features = sides.map(|from| feature(&block, from, [-2.0 * from[0], -2.0 * from[1]]));
    assert_eq!(features, [0, 1, 2, 3].map(|edge| Some(Feature::Edge(edge))));
    let round = block.clone().rounded(0.5).unwrap();
    assert_eq!(feature(&round, [5.0, 5.0], [-8.0, -8.0]), Some(Feature::Vertex(2)));
    assert_eq!(feature(&round, [5.0, 0.5], [-8.0, 0.0]), Some(Feature::Edge(1)));
    assert_eq!(feature(&Shape::circle(1.0).unwrap(), [5.0, 0.5], [-8.0, 0.0]), Some(Feature::Vertex(0)));
    // Along a segment, its first end; across it, the side that faces the ray.
    let wall = Shape::segment([0.0, -1.0], [0.0, 1.0]).unwrap();
    assert_eq!(feature(&wall, [0.0, 5.0], [0.0, -8.0]), Some(Feature::Vertex(1)));
    assert_eq!(feature(&wall, [5.0, 0.0], [-8.0, 0.0]), Some(Feature::Edge(0)));
    assert_eq!(feature(&wall, [-5.0, 0.0], [8.0, 0.0]), Some(Feature::Edge(1)));
    // Numbers are the input's, whichever way it runs, and those of the part of an outline.
    let clockwise = Shape::polygon(&[[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]]).unwrap();
    assert_eq!(feature(&clockwise, [-5.0, 0.0], [8.0, 0.0]), Some(Feature::Edge(0)));
    let notch = Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]]).unwrap();
    assert_eq!(feature(&notch, [3.0, -5.0], [0.0, 8.0]), Some(Feature::Edge(0)));
    let steps = Shape::chain(&[DVec2::ZERO, DVec2::X, DVec2::new(1.0, 1.0), DVec2::new(2.0, 1.0)]).unwrap();
    assert_eq!(feature(&steps, [1.5, 5.0], [0.0, -8.0]), Some(Feature::Edge(2)));
    // A solid ray that starts inside hits no feature.
    assert_eq!(feature(&block, [0.0, 0.0], [8.0, 0.0]), None);
}
