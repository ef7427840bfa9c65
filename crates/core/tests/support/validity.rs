//! Decides which small integer rings bound an area, by the definition: every pair of edges, and the
//! winding number on both sides of every edge.

use std::f64::consts::TAU;

use carom::DVec2;

type Point = [i64; 2];

/// Number of units of a lattice step. It is so fine that a point beside the middle of an edge is
/// nearer to this edge than to any other.
const FINE: i64 = 2_000;

fn cross(a: Point, b: Point, c: Point) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn strictly_between(a: Point, b: Point, p: Point) -> bool {
    cross(a, b, p) == 0 && a.min(b) < p && p < a.max(b)
}

fn cross_or_overlap([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let s = [cross(a, b, c), cross(a, b, d), cross(c, d, a), cross(c, d, b)].map(i64::signum);
    if s == [0; 4] {
        return a.min(b).max(c.min(d)) < a.max(b).min(c.max(d));
    }
    s[0] * s[1] < 0 && s[2] * s[3] < 0
}

/// The edges of rings that run as they must (the outer one counter-clockwise), and which edge
/// follows each; `None` for a ring without area.
fn edges(rings: &[Vec<Point>]) -> Option<(Vec<[Point; 2]>, Vec<usize>)> {
    let (mut all, mut following) = (Vec::new(), Vec::new());
    for (k, ring) in rings.iter().enumerate() {
        let ring: Vec<Point> = ring.iter().map(|p| p.map(|c| c * FINE)).collect();
        let pairs = || (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).filter(|e| e[0] != e[1]);
        let area: i64 = pairs().map(|[p, q]| p[0] * q[1] - p[1] * q[0]).sum();
        if area == 0 {
            return None;
        }
        let (start, n, turned) = (all.len(), pairs().count(), (area < 0) == (k == 0));
        all.extend(pairs().map(|[p, q]| if turned { [q, p] } else { [p, q] }));
        following.extend((0..n).map(|i| start + (i + if turned { n - 1 } else { 1 }) % n));
    }
    Some((all, following))
}

fn cut(edges: &[[Point; 2]]) -> Vec<[Point; 2]> {
    let mut pieces = Vec::new();
    for &[a, b] in edges {
        let mut stops: Vec<Point> =
            edges.iter().map(|e| e[0]).filter(|&p| strictly_between(a, b, p)).chain([a, b]).collect();
        stops.sort_unstable();
        stops.dedup();
        if a > b {
            stops.reverse();
        }
        pieces.extend(stops.windows(2).map(|w| [w[0], w[1]]));
    }
    pieces
}

fn winding(edges: &[[Point; 2]], p: Point) -> i64 {
    let mut sum = 0;
    for &[a, b] in edges {
        let side = cross(a, b, p);
        assert_ne!((side, strictly_between(a, b, p)), (0, true), "a sample lies on an edge");
        if a[1] <= p[1] && p[1] < b[1] && side > 0 {
            sum += 1;
        } else if b[1] <= p[1] && p[1] < a[1] && side < 0 {
            sum -= 1;
        }
    }
    sum
}

/// Returns true if paths of the rings through a common vertex cross there.
fn passages_cross(edges: &[[Point; 2]], following: &[usize]) -> bool {
    let mut passages: Vec<(Point, Point, Point)> = Vec::new();
    for (i, &[a, p]) in edges.iter().enumerate() {
        passages.push((p, a, edges[following[i]][1]));
        for e in edges.iter().filter(|e| strictly_between(a, p, e[0])) {
            passages.push((e[0], a, p));
        }
    }
    passages.sort_unstable();
    passages.dedup();
    let angle = |p: Point, q: Point| ((q[1] - p[1]) as f64).atan2((q[0] - p[0]) as f64);
    passages.iter().enumerate().any(|(i, &(p, a, b))| {
        let inside =
            |q: Point| (angle(p, q) - angle(p, a)).rem_euclid(TAU) < (angle(p, b) - angle(p, a)).rem_euclid(TAU);
        passages[..i].iter().any(|&(o, c, d)| o == p && inside(c) != inside(d))
    })
}

/// Returns true if the rings bound an area: no edges cross or overlap, and no point is inside twice.
pub fn is_valid(rings: &[Vec<Point>]) -> bool {
    let Some((edges, following)) = edges(rings) else { return false };
    if (0..edges.len()).any(|i| (0..i).any(|j| cross_or_overlap(edges[i], edges[j]))) {
        return false;
    }
    !passages_cross(&edges, &following)
        && cut(&edges).iter().all(|&[a, b]| {
            let step = [(b[0] - a[0]) / FINE, (b[1] - a[1]) / FINE];
            let middle = [a[0].midpoint(b[0]), a[1].midpoint(b[1])];
            let left = [middle[0] - step[1], middle[1] + step[0]];
            let right = [middle[0] + step[1], middle[1] - step[0]];
            winding(&edges, left) == 1 && winding(&edges, right) == 0
        })
}

/// The rings in floating point.
pub fn floats(rings: &[Vec<Point>]) -> Vec<Vec<DVec2>> {
    rings.iter().map(|r| r.iter().map(|p| DVec2::new(p[0] as f64, p[1] as f64)).collect()).collect()
}
