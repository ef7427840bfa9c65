//! The textbook loop of the classic articles, in f64, without data between calls. Transforms every
//! vertex, takes an axis from every edge, and projects every vertex.

use std::hint::black_box;
use std::rc::Rc;

use crate::input::{Input, Pools, Pose, Record, Vec2};
use crate::narrow::Stream;
use crate::race::{Call, Library, Question};

/// Largest polygon of the race. Transformed vertices are on the stack.
const MOST_VERTICES: usize = 64;

const INTERSECTS: Call = Call { library: Library::Textbook, column: "textbook bool", question: Question::Intersects };
const CONTACT: Call = Call { library: Library::Textbook, column: "textbook contact", question: Question::Contact };

/// Minimum translation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Contact {
    /// Unit normal from the first shape to the second.
    normal: Vec2,
    /// Distance that the second shape must move along it.
    depth: f64,
}

/// Intersection test and contact of the textbook, for one row.
pub(crate) fn contestants(input: &Input) -> Vec<Stream> {
    let records: Rc<[Record<Pose>]> = input.records.as_slice().into();
    match &input.pools {
        Pools::Circles(radii) => entries(
            (radii, radii),
            &records,
            |a, p, b, q| circles_intersect(*a, p, *b, q),
            |a, p, b, q| circles_contact(*a, p, *b, q),
        ),
        Pools::CirclesAndRectangles(radii, halves) => entries(
            (radii, halves),
            &records,
            |a, p, b, q| rectangle_intersects(*a, p, *b, q),
            |a, p, b, q| rectangle_contact(*a, p, *b, q),
        ),
        Pools::Rectangles(halves) => {
            let pool: Vec<_> = halves.iter().map(|&h| corners(h)).collect();
            entries(
                (&pool, &pool),
                &records,
                |a, p, b, q| polygons_intersect(a, p, b, q),
                |a, p, b, q| outlines_contact(a, p, b, q),
            )
        }
        Pools::Polygons(pool) => entries(
            (pool, pool),
            &records,
            |a, p, b, q| polygons_intersect(a, p, b, q),
            |a, p, b, q| outlines_contact(a, p, b, q),
        ),
    }
}

/// Returns the number of records that intersect.
pub(crate) fn hits(pools: &Pools, records: &[Record<Pose>]) -> usize {
    let intersects = |r: &Record<Pose>| {
        let (a, b, p, q) = (r.a as usize, r.b as usize, r.pose_a, r.pose_b);
        match pools {
            Pools::Circles(radii) => circles_intersect(radii[a], p, radii[b], q),
            Pools::CirclesAndRectangles(radii, halves) => rectangle_intersects(radii[a], p, halves[b], q),
            Pools::Rectangles(halves) => polygons_intersect(&corners(halves[a]), p, &corners(halves[b]), q),
            Pools::Polygons(pool) => polygons_intersect(&pool[a], p, &pool[b], q),
        }
    };
    records.iter().filter(|r| intersects(r)).count()
}

fn entries<A: Clone + 'static, B: Clone + 'static>(
    (a, b): (&[A], &[B]),
    records: &Rc<[Record<Pose>]>,
    intersect: impl Fn(&A, Pose, &B, Pose) -> bool + 'static,
    contact: impl Fn(&A, Pose, &B, Pose) -> Option<Contact> + 'static,
) -> Vec<Stream> {
    let (pool_a, pool_b): (Rc<[A]>, Rc<[B]>) = (a.into(), b.into());
    let (other_a, other_b) = (Rc::clone(&pool_a), Rc::clone(&pool_b));
    vec![
        INTERSECTS.over(records, move |r| {
            let (a, b) = (&pool_a[r.a as usize], &pool_b[r.b as usize]);
            intersect(a, r.pose_a, b, r.pose_b)
        }),
        CONTACT.over(records, move |r| {
            let (a, b) = (&other_a[r.a as usize], &other_b[r.b as usize]);
            black_box(contact(a, r.pose_a, b, r.pose_b)).is_some()
        }),
    ]
}

fn circles_intersect(a: f64, pose_a: Pose, b: f64, pose_b: Pose) -> bool {
    let d = minus(pose_b.translation, pose_a.translation);
    dot(d, d) <= (a + b) * (a + b)
}

fn circles_contact(a: f64, pose_a: Pose, b: f64, pose_b: Pose) -> Option<Contact> {
    let d = minus(pose_b.translation, pose_a.translation);
    let squared = dot(d, d);
    if squared > (a + b) * (a + b) {
        return None;
    }
    let distance = squared.sqrt();
    let normal = if distance > 0.0 { [d[0] / distance, d[1] / distance] } else { [1.0, 0.0] };
    Some(Contact { normal, depth: a + b - distance })
}

/// Returns the circle's centre in the rectangle's frame, and the nearest point of the rectangle.
fn nearest_of_rectangle(circle: Pose, half: Vec2, rectangle: Pose) -> (Vec2, Vec2) {
    let center = unturned(minus(circle.translation, rectangle.translation), rectangle);
    let nearest = [0, 1].map(|axis| center[axis].clamp(-half[axis], half[axis]));
    (center, nearest)
}

fn rectangle_intersects(radius: f64, circle: Pose, half: Vec2, rectangle: Pose) -> bool {
    let (center, nearest) = nearest_of_rectangle(circle, half, rectangle);
    let d = minus(center, nearest);
    dot(d, d) <= radius * radius
}

fn rectangle_contact(radius: f64, circle: Pose, half: Vec2, rectangle: Pose) -> Option<Contact> {
    let (center, nearest) = nearest_of_rectangle(circle, half, rectangle);
    let d = minus(nearest, center);
    let squared = dot(d, d);
    if squared > radius * radius {
        return None;
    }
    let distance = squared.sqrt();
    let (normal, depth) = if distance > 0.0 {
        ([d[0] / distance, d[1] / distance], radius - distance)
    } else {
        let gaps = [0, 1].map(|axis| half[axis] - center[axis].abs());
        let axis = usize::from(gaps[1] < gaps[0]);
        let mut inward = [0.0, 0.0];
        inward[axis] = -center[axis].signum();
        (inward, radius + gaps[axis])
    };
    Some(Contact { normal: turned(normal, rectangle), depth })
}

fn polygons_intersect(a: &[Vec2], pose_a: Pose, b: &[Vec2], pose_b: Pose) -> bool {
    let (mut buffer_a, mut buffer_b) = ([[0.0; 2]; MOST_VERTICES], [[0.0; 2]; MOST_VERTICES]);
    let a = transform(a, pose_a, &mut buffer_a);
    let b = transform(b, pose_b, &mut buffer_b);
    edge_normals(a).chain(edge_normals(b)).all(|axis| {
        let ([low_a, high_a], [low_b, high_b]) = (project(a, axis), project(b, axis));
        low_a <= high_b && low_b <= high_a
    })
}

fn outlines_contact(a: &[Vec2], pose_a: Pose, b: &[Vec2], pose_b: Pose) -> Option<Contact> {
    let (mut buffer_a, mut buffer_b) = ([[0.0; 2]; MOST_VERTICES], [[0.0; 2]; MOST_VERTICES]);
    let a = transform(a, pose_a, &mut buffer_a);
    let b = transform(b, pose_b, &mut buffer_b);
    let mut best = Contact { normal: [1.0, 0.0], depth: f64::INFINITY };
    for axis in edge_normals(a).chain(edge_normals(b)) {
        let length = dot(axis, axis).sqrt();
        let axis = [axis[0] / length, axis[1] / length];
        let ([low_a, high_a], [low_b, high_b]) = (project(a, axis), project(b, axis));
        let (forth, back) = (high_a - low_b, high_b - low_a);
        if forth < 0.0 || back < 0.0 {
            return None;
        }
        if forth < best.depth {
            best = Contact { normal: axis, depth: forth };
        }
        if back < best.depth {
            best = Contact { normal: [-axis[0], -axis[1]], depth: back };
        }
    }
    Some(best)
}

fn transform<'r>(points: &[Vec2], pose: Pose, buffer: &'r mut [Vec2; MOST_VERTICES]) -> &'r [Vec2] {
    let placed = &mut buffer[..points.len()];
    for (to, from) in placed.iter_mut().zip(points) {
        let [x, y] = turned(*from, pose);
        *to = [x + pose.translation[0], y + pose.translation[1]];
    }
    placed
}

/// Returns outward normals of a counter-clockwise polygon, as long as its edges.
fn edge_normals(points: &[Vec2]) -> impl Iterator<Item = Vec2> {
    (0..points.len()).map(|i| {
        let next = if i + 1 < points.len() { i + 1 } else { 0 };
        let edge = minus(points[next], points[i]);
        [edge[1], -edge[0]]
    })
}

fn project(points: &[Vec2], axis: Vec2) -> [f64; 2] {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for point in points {
        let x = dot(*point, axis);
        low = if x < low { x } else { low };
        high = if x > high { x } else { high };
    }
    [low, high]
}

fn corners(half: Vec2) -> [Vec2; 4] {
    let [x, y] = half;
    [[-x, -y], [x, -y], [x, y], [-x, y]]
}

fn minus(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn turned(v: Vec2, pose: Pose) -> Vec2 {
    [pose.cos * v[0] - pose.sin * v[1], pose.sin * v[0] + pose.cos * v[1]]
}

fn unturned(v: Vec2, pose: Pose) -> Vec2 {
    [pose.cos * v[0] + pose.sin * v[1], pose.cos * v[1] - pose.sin * v[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: Pose = at(0.0, 0.0);

    const fn at(x: f64, y: f64) -> Pose {
        Pose { translation: [x, y], cos: 1.0, sin: 0.0 }
    }

    #[test]
    fn the_articles_squares_intersect_at_five_and_not_at_twenty() {
        let square = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        assert!(polygons_intersect(&square, HOME, &square, at(5.0, 5.0)));
        assert!(!polygons_intersect(&square, HOME, &square, at(20.0, 20.0)));
        let contact = outlines_contact(&square, HOME, &square, at(7.0, 1.0));
        let expected = Contact { normal: [1.0, 0.0], depth: 3.0 };
        assert_eq!(contact, Some(expected));
    }

    #[test]
    fn round_shapes_touch_at_the_sum_of_their_sizes() {
        assert!(circles_intersect(2.0, HOME, 3.0, at(3.0, 4.0)));
        assert!(!circles_intersect(2.0, HOME, 3.0, at(3.0, 4.001)));
        assert!(rectangle_intersects(1.0, at(3.0, 0.5), [2.0, 1.0], HOME));
        assert!(!rectangle_intersects(1.0, at(3.0, 2.0), [2.0, 1.0], HOME));
        let inside = rectangle_contact(1.0, at(1.5, 0.0), [2.0, 3.0], HOME);
        let expected = Contact { normal: [-1.0, 0.0], depth: 1.5 };
        assert_eq!(inside, Some(expected));
    }
}
