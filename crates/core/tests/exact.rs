//! Tests the oracle itself with cases whose result is known by hand. Nothing here runs the
//! library's kernel.

use carom::DVec2;

use crate::support::exact::Relation::{Apart, Overlapping, Touching};
use crate::support::exact::{Difference, Outline, Relation};

fn outline(points: &[[f64; 2]], radius: f64) -> Outline {
    Outline { points: points.iter().map(|&p| DVec2::from(p)).collect(), radius }
}

fn disk(x: f64, y: f64, radius: f64) -> Outline {
    outline(&[[x, y]], radius)
}

fn square(x: f64, y: f64, side: f64) -> Outline {
    outline(&[[x, y], [x + side, y], [x + side, y + side], [x, y + side]], 0.0)
}

/// Both argument orders, and all of it again turned by 90° and mirrored.
#[track_caller]
fn expect(a: &Outline, b: &Outline, relation: Relation, gap: f64) {
    let turned = |o: &Outline| Outline { points: o.points.iter().map(|p| DVec2::new(-p.y, p.x)).collect(), ..*o };
    let mirrored = |o: &Outline| Outline { points: o.points.iter().map(|p| DVec2::new(-p.x, p.y)).collect(), ..*o };
    for (a, b) in [(a.clone(), b.clone()), (turned(a), turned(b)), (mirrored(a), mirrored(b))] {
        for (first, second) in [(&a, &b), (&b, &a)] {
            let difference = Difference::of(first, second);
            assert_eq!(difference.relation(), relation, "{first:?} {second:?}");
            let error = (difference.gap() - gap).abs();
            assert!(error <= 1e-15 * gap.abs(), "gap {} is not {gap}: {first:?} {second:?}", difference.gap());
        }
    }
}

#[test]
fn squares_follow_the_touch_rule() {
    expect(&square(0.0, 0.0, 10.0), &square(5.0, 5.0, 10.0), Overlapping, -5.0);
    expect(&square(0.0, 0.0, 10.0), &square(20.0, 20.0, 10.0), Apart, 200f64.sqrt());
    expect(&square(0.0, 0.0, 1.0), &square(1.0, 0.25, 1.0), Touching, 0.0); // an edge
    expect(&square(0.0, 0.0, 1.0), &square(1.0, 1.0, 1.0), Touching, 0.0); // a corner
    let after_one = 1f64.next_up();
    expect(&square(0.0, 0.0, 1.0), &square(after_one, 0.25, 1.0), Apart, f64::EPSILON);
    let before_one = 1f64.next_down();
    expect(&square(0.0, 0.0, 1.0), &square(before_one, 0.25, 1.0), Overlapping, -f64::EPSILON / 2.0);
}

#[test]
fn segments_overlap_only_where_they_cross_properly() {
    let level = outline(&[[-1.0, 0.0], [1.0, 0.0]], 0.0);
    expect(&level, &outline(&[[0.0, -1.0], [0.0, 1.0]], 0.0), Overlapping, -1.0);
    expect(&level, &outline(&[[0.0, 0.0], [0.0, 1.0]], 0.0), Touching, 0.0); // a T
    expect(&level, &outline(&[[1.0, 0.0], [2.0, 1.0]], 0.0), Touching, 0.0); // a shared end
    expect(&level, &outline(&[[0.0, 0.0], [3.0, 0.0]], 0.0), Touching, 0.0); // along each other
    expect(&level, &outline(&[[1.0, 0.0], [3.0, 0.0]], 0.0), Touching, 0.0); // end to end
    expect(&level, &outline(&[[2.0, 0.0], [3.0, 0.0]], 0.0), Apart, 1.0); // on one line
    expect(&level, &outline(&[[-5.0, 0.5], [5.0, 0.5]], 0.0), Apart, 0.5); // parallel
    expect(&level, &level, Touching, 0.0); // itself
}

#[test]
fn points_are_shapes_without_an_interior() {
    let triangle = outline(&[[0.0, 0.0], [10.0, 0.0], [5.0, 8.0]], 0.0);
    expect(&triangle, &disk(5.0, 1.0, 0.0), Overlapping, -1.0);
    expect(&triangle, &disk(3.0, 0.0, 0.0), Touching, 0.0);
    expect(&triangle, &disk(5.0, 8.0, 0.0), Touching, 0.0);
    expect(&triangle, &disk(5.0, -2.0, 0.0), Apart, 2.0);
    expect(&disk(1.0, 2.0, 0.0), &disk(1.0, 2.0, 0.0), Touching, 0.0);
    expect(&disk(1.0, 2.0, 0.0), &disk(1.0, 2.0, 0.5), Overlapping, -0.5);
    expect(&outline(&[[0.0, 0.0], [4.0, 2.0]], 0.0), &disk(2.0, 1.0, 0.0), Touching, 0.0);
    expect(&outline(&[[0.0, 0.0], [4.0, 2.0]], 0.0), &disk(6.0, 3.0, 0.0), Apart, 5f64.sqrt());
}

#[test]
fn disks_are_compared_by_the_sum_of_their_exact_radii() {
    expect(&disk(0.0, 0.0, 2.0), &disk(3.0, 4.0, 3.0), Touching, 0.0);
    expect(&disk(0.0, 0.0, 2.0), &disk(6.0, 8.0, 3.0), Apart, 5.0);
    expect(&disk(0.0, 0.0, 2.0), &disk(0.0, 0.0, 3.0), Overlapping, -5.0);
    // 1 + 2^-60 rounds to 1, yet reaches further than 1.
    let hair = 2f64.powi(-60);
    let difference = Difference::of(&disk(0.0, 0.0, 1.0), &disk(1.0, 0.0, hair));
    assert_eq!(difference.relation(), Overlapping);
    assert_eq!(Difference::of(&disk(0.0, 0.0, 1.0), &disk(1f64.next_up(), 0.0, hair)).relation(), Apart);
}

#[test]
fn disks_and_edges_touch_at_exact_distances() {
    let slope = outline(&[[0.0, 0.0], [8.0, 6.0]], 0.0); // normal (-3, 4) / 5
    expect(&slope, &disk(1.0, 7.0, 5.0), Touching, 0.0);
    expect(&slope, &disk(1.0, 7.0, 5f64.next_up()), Overlapping, -(5f64.next_up() - 5.0));
    expect(&slope, &disk(1.0, 7.0, 5f64.next_down()), Apart, 5.0 - 5f64.next_down());
    // Beyond the end of an edge the corner counts, not the line through it.
    expect(&square(0.0, 0.0, 1.0), &disk(4.0, 5.0, 5.0), Touching, 0.0);
    expect(&square(0.0, 0.0, 1.0), &disk(4.0, 5.0, 4.5), Apart, 0.5);
    expect(&outline(&[[0.0, 0.0], [1.0, 0.0]], 1.0), &outline(&[[0.0, 3.0], [1.0, 3.0]], 2.0), Touching, 0.0);
    expect(&outline(&[[0.0, 0.0], [1.0, 0.0]], 1.0), &outline(&[[0.5, 0.0], [9.0, 0.0]], 1.0), Overlapping, -2.0);
}

#[test]
fn the_classic_polygons() {
    // Three directions of edges. Across y: 0..8 and 4..12, overlap 4. Across 8x - 5y: 0..80 and
    // 12..92, overlap 68 / sqrt(89). Across 8x + 5y: 0..80 and 52..132, 28 / sqrt(89) = 2.97, the least.
    let first = outline(&[[0.0, 0.0], [10.0, 0.0], [5.0, 8.0]], 0.0);
    let second = outline(&[[4.0, 4.0], [14.0, 4.0], [9.0, 12.0]], 0.0);
    expect(&first, &second, Overlapping, -28.0 / 89f64.sqrt());
    let pentagon = outline(&[[0.0, 5.0], [4.0, 9.0], [9.0, 7.0], [7.0, 2.0], [2.0, 0.0]], 0.0);
    let hexagon = outline(&[[5.0, 3.0], [8.0, 1.0], [11.0, 3.0], [11.0, 7.0], [8.0, 9.0], [5.0, 7.0]], 0.0);
    assert_eq!(Difference::of(&pentagon, &hexagon).relation(), Overlapping);
}

#[test]
fn the_hull_counts_whatever_order_the_points_come_in() {
    let shuffled = outline(&[[1.0, 1.0], [0.0, 0.0], [0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.0, 0.0]], 0.0);
    expect(&shuffled, &square(1.0, 0.0, 2.0), Touching, 0.0);
    let flat = outline(&[[0.0, 0.0], [2.0, 2.0], [1.0, 1.0]], 0.0);
    expect(&flat, &outline(&[[0.0, 2.0], [2.0, 0.0]], 0.0), Overlapping, -2f64.sqrt());
}

#[test]
fn no_number_is_too_small_or_too_large() {
    let least = f64::from_bits(1);
    expect(&square(0.0, 0.0, 1e30), &disk(-least, 0.0, least), Touching, 0.0);
    assert_eq!(Difference::of(&square(0.0, 0.0, 1e30), &disk(-2.0 * least, 0.0, least)).relation(), Apart);
    assert_eq!(Difference::of(&disk(0.0, 0.0, 1e30), &disk(1e30, least, 0.0)).relation(), Apart);
    assert_eq!(Difference::of(&disk(0.0, 0.0, 1e30), &disk(1e30, least, least)).relation(), Overlapping);
    expect(&square(-least, -least, 2.0 * least), &disk(0.0, 0.0, 0.0), Overlapping, -least);
}

#[test]
fn large_rings_are_quick_and_right() {
    let corner = |i: u32| DVec2::from_angle(std::f64::consts::TAU * f64::from(i) / 1000.0);
    let ring = Outline { points: (0..1000).map(corner).collect(), radius: 0.0 };
    let facing = |gap: f64| {
        let points = ring.points.iter().map(|p| DVec2::new(2.0 + gap - p.x, p.y)).collect();
        Difference::of(&ring, &Outline { points, radius: 0.0 }).relation()
    };
    let start = std::time::Instant::now();
    assert_eq!(facing(0.0), Touching); // (1, 0) is a corner of both
    assert_eq!(facing(-f64::EPSILON), Overlapping);
    assert_eq!(facing(f64::EPSILON * 2.0), Apart);
    assert!(start.elapsed().as_secs() < 5, "n log n, not n squared");
}
