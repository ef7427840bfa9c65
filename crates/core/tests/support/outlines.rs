//! Random simple polygons as rings of points. The exterior ring is first.

use std::collections::{BTreeMap, BTreeSet};

use carom::DVec2;

use super::dice::{Dice, heading};

/// Rings of points.
pub type Rings = Vec<Vec<DVec2>>;

/// A vertex in each of `n` directions, at random distances.
pub fn star(dice: &mut Dice, n: usize, nearest: f64) -> Rings {
    vec![(0..n).map(|i| heading(std::f64::consts::TAU * i as f64 / n as f64) * dice.between(nearest, 1.0)).collect()]
}

/// A regular polygon.
pub fn regular(n: usize) -> Rings {
    vec![(0..n).map(|i| heading(std::f64::consts::TAU * i as f64 / n as f64)).collect()]
}

/// A comb with teeth of random lengths and a given width.
pub fn comb(dice: &mut Dice, teeth: usize, width: f64) -> Rings {
    let mut ring = vec![DVec2::new(teeth as f64, -1.0), DVec2::new(teeth as f64, 0.0)];
    for i in (0..teeth).rev() {
        let x = i as f64 + dice.between(0.2, 0.6);
        let (length, lean) = (dice.between(0.1, 5.0), dice.between(-0.1, 0.1));
        ring.extend([DVec2::new(x + width, 0.0), DVec2::new(x + width / 2.0 + lean, length), DVec2::new(x, 0.0)]);
    }
    ring.extend([DVec2::new(0.0, 0.0), DVec2::new(0.0, -1.0)]);
    vec![ring]
}

/// A band around a centre, several times.
pub fn spiral(dice: &mut Dice, n: usize) -> Rings {
    let turn = dice.between(0.1, 0.9);
    let side =
        |shift: f64| move |i: usize| heading(turn * i as f64) * (1.0 + turn * i as f64 / std::f64::consts::TAU + shift);
    vec![(0..n).map(side(0.0)).chain((0..n).rev().map(side(dice.between(0.05, 0.45)))).collect()]
}

/// A long triangle whose sides are dented by next to nothing.
pub fn sliver(dice: &mut Dice, n: usize) -> Rings {
    let thin = dice.magnitude(1e-12, 1e-2);
    let mut ring = vec![DVec2::ZERO];
    ring.extend((1..n).map(|i| DVec2::new(i as f64, -thin * dice.between(0.5, 1.0))));
    ring.push(DVec2::new(n as f64, 0.0));
    ring.extend((1..n).rev().map(|i| DVec2::new(i as f64, thin * dice.between(0.0, 1.0))));
    vec![ring]
}

/// A directed edge of the lattice, inside on its left.
type Edge = ((i32, i32), (i32, i32));

/// The edges around a random connected set of triangles: squares of side 2, each cut in four at its centre.
fn patch(dice: &mut Dice, width: i32, height: i32, share: f64) -> Vec<Edge> {
    let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)];
    let mut triangles = Vec::new();
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (2 * x + 1, 2 * y + 1))) {
        for k in 0..4 {
            let corner = |k: usize| (x + corners[k % 4].0, y + corners[k % 4].1);
            if dice.chance(share) {
                triangles.push([corner(k), corner(k + 1), (x, y)]);
            }
        }
    }
    let edges = |t: &[(i32, i32); 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let owner: BTreeMap<Edge, usize> =
        triangles.iter().enumerate().flat_map(|(i, t)| edges(t).map(|e| (e, i))).collect();
    let (mut seen, mut best) = (BTreeSet::new(), BTreeSet::new());
    for start in 0..triangles.len() {
        let (mut pending, mut found) = (vec![start], BTreeSet::new());
        while let Some(i) = pending.pop() {
            if seen.insert(i) {
                found.insert(i);
                pending.extend(edges(&triangles[i]).iter().filter_map(|&(a, b)| owner.get(&(b, a))));
            }
        }
        if found.len() > best.len() {
            best = found;
        }
    }
    let all: BTreeSet<Edge> = best.iter().flat_map(|&i| edges(&triangles[i])).collect();
    all.iter().copied().filter(|&(a, b)| !all.contains(&(b, a))).collect()
}

/// Integer outlines with holes and many collinear vertices. Rings touch at vertices and, if
/// collinear vertices were left out, in the middle of edges.
pub fn lattice(dice: &mut Dice) -> Option<Rings> {
    let (width, height, share) = (dice.whole(1, 6), dice.whole(1, 6), dice.between(0.4, 0.95));
    let edges = patch(dice, width, height, share);
    let direction = |from: (i32, i32), to: (i32, i32)| f64::from(to.1 - from.1).atan2(f64::from(to.0 - from.0));
    // At each vertex either the edges that bound one sector inside follow each other, or those that
    // bound one outside: neither way crosses.
    let rule: BTreeMap<(i32, i32), bool> = edges.iter().map(|e| (e.1, dice.chance(0.5))).collect();
    let following = |e: &Edge| {
        let clockwise = |o: &Edge| (direction(e.1, e.0) - direction(o.0, o.1)).rem_euclid(std::f64::consts::TAU);
        let sign = if rule[&e.1] { 1.0 } else { -1.0 };
        let leaving = edges.iter().filter(|o| o.0 == e.1);
        leaving.copied().min_by(|a, b| (sign * clockwise(a)).total_cmp(&(sign * clockwise(b))))
    };
    let (mut seen, mut rings) = (BTreeSet::new(), Rings::new());
    for first in &edges {
        let (mut ring, mut at) = (Vec::new(), *first);
        while seen.insert(at) {
            ring.push(DVec2::new(f64::from(at.0.0), f64::from(at.0.1)));
            at = following(&at)?;
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    let area = |r: &Vec<DVec2>| (0..r.len()).map(|i| r[i].perp_dot(r[(i + 1) % r.len()])).sum::<f64>();
    let outer = rings.iter().position(|r| area(r) > 0.0)?;
    rings.swap(0, outer);
    Some(rings.iter().map(|r| without_some_collinear(dice, r)).collect())
}

/// Leaves out some vertices that lie between their neighbours.
fn without_some_collinear(dice: &mut Dice, ring: &[DVec2]) -> Vec<DVec2> {
    let share = dice.one_of(&[0.0, 0.5, 1.0]);
    let n = ring.len();
    let between = |i: usize| {
        let (u, v) = (ring[i] - ring[(i + n - 1) % n], ring[(i + 1) % n] - ring[i]);
        u.perp_dot(v) == 0.0 && u.dot(v) > 0.0
    };
    (0..n).filter(|&i| !(between(i) && dice.chance(share))).map(|i| ring[i]).collect()
}

/// Changes without effect: repeated points, another first point, the other winding.
pub fn disguise(dice: &mut Dice, rings: &mut Rings) {
    for ring in rings {
        if dice.chance(0.3) {
            let again = dice.index(ring.len());
            (0..dice.count(1, 3)).for_each(|_| ring.insert(again, ring[again]));
        }
        let start = dice.index(ring.len());
        ring.rotate_left(start);
        if dice.chance(0.5) {
            ring.reverse();
        }
    }
}

/// Another scale and place that keeps integer rings exact: a power of two, a turn of the lattice, an offset.
pub fn move_exactly(dice: &mut Dice, rings: &mut Rings) {
    let scale = libm::ldexp(1.0, dice.whole(-20, 20));
    let (a, b) = (f64::from(dice.whole(-3, 3)), f64::from(dice.whole(1, 3)));
    let offset = dice.lattice(1_000_000);
    for p in rings.iter_mut().flatten() {
        *p = (DVec2::new(a * p.x - b * p.y, b * p.x + a * p.y) + offset) * scale;
    }
}

/// Another scale, turn and place, rounded.
pub fn move_roughly(dice: &mut Dice, rings: &mut Rings) {
    let turn = dice.direction() * dice.magnitude(1e-6, 1e6);
    let radius = turn.length() * dice.one_of(&[0.0, 1.0, 100.0]);
    let offset = dice.in_disk(radius);
    for p in rings.iter_mut().flatten() {
        *p = turn.rotate(*p) + offset;
    }
}
