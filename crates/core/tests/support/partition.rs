//! Oracle of decompositions, in integers, by the definition alone.
//!
//! Parts tile a polygon if and only if two conditions hold. Each part is a convex polygon in
//! counter-clockwise order. The boundaries of the parts add up to that of the polygon. An edge of
//! two parts occurs once in each direction and cancels. The rest is the boundary of the polygon.
//! Then the winding numbers of the parts add up to that of the polygon everywhere. So they do not
//! overlap, leave no gap, and are inside.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use carom::DVec2;
use dashu_int::IBig;

use super::integer;

/// A point in units of the smallest power of two that all coordinates share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lattice {
    x: IBig,
    y: IBig,
}

/// All points on one lattice.
pub fn lattice(points: &[DVec2]) -> Vec<Lattice> {
    let unit = points.iter().flat_map(|p| [p.x, p.y]).filter_map(integer::lowest_bit).min().unwrap_or(0);
    points.iter().map(|p| Lattice { x: integer::in_units(p.x, unit), y: integer::in_units(p.y, unit) }).collect()
}

/// Returns the side of the line from `a` to `b` on which `c` lies.
pub fn orientation(a: &Lattice, b: &Lattice, c: &Lattice) -> Ordering {
    let left = (&b.x - &a.x) * (&c.y - &a.y);
    left.cmp(&((&b.y - &a.y) * (&c.x - &a.x)))
}

/// Returns whether `c` is on the closed segment.
fn on_segment(a: &Lattice, b: &Lattice, c: &Lattice) -> bool {
    orientation(a, b, c) == Ordering::Equal && a.min(b) <= c && c <= a.max(b)
}

/// Twice the signed area of a ring.
pub fn area(ring: impl Iterator<Item = usize> + Clone, at: &[Lattice]) -> IBig {
    let next = ring.clone().cycle().skip(1);
    ring.zip(next).map(|(i, j)| &at[i].x * &at[j].y - &at[i].y * &at[j].x).fold(IBig::ZERO, |sum, term| sum + term)
}

/// Checks that the parts tile the outline: convex, conforming, no area lost or added.
pub fn check<'a>(
    points: &[DVec2],
    rings: &[std::ops::Range<usize>],
    parts: impl Iterator<Item = &'a [u32]>,
) -> Result<(), String> {
    let at = lattice(points);
    let mut border: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let mut sum = IBig::ZERO;
    for part in parts {
        convex(part, &at)?;
        sum += area(part.iter().map(|&i| i as usize), &at);
        for (i, &v) in part.iter().enumerate() {
            let w = part[(i + 1) % part.len()];
            if border.insert((v, w), i).is_some() {
                return Err(format!("two parts have the side {v} → {w}"));
            }
        }
    }
    let mut whole = IBig::ZERO;
    for (k, ring) in rings.iter().enumerate() {
        let signed = area(ring.clone(), &at);
        let size = if signed < IBig::ZERO { -signed } else { signed };
        whole += if k == 0 { size } else { -size };
    }
    if sum != whole {
        return Err(format!("the parts' area {sum} is not the outline's {whole}"));
    }
    let open: Vec<(u32, u32)> = border.keys().copied().filter(|&(v, w)| !border.contains_key(&(w, v))).collect();
    outline_covers(&open, rings, &at)
}

fn convex(part: &[u32], at: &[Lattice]) -> Result<(), String> {
    let n = part.len();
    let p = |i: usize| &at[part[i % n] as usize];
    if n < 3 || (0..n).any(|i| orientation(p(i), p(i + 1), p(i + 2)) == Ordering::Less) {
        return Err(format!("part {part:?} is not convex"));
    }
    // Once around: the points rise once and fall once; and not flat.
    let turns = (0..n).filter(|&i| (p(i) < p(i + 1)) != (p(i + 1) < p(i + 2))).count();
    if turns != 2 || (0..n).all(|i| orientation(p(i), p(i + 1), p(i + 2)) == Ordering::Equal) {
        return Err(format!("part {part:?} is no simple polygon"));
    }
    Ok(())
}

/// Checks that the sides of only one part form the outline's edges, cut at the vertices on them.
fn outline_covers(open: &[(u32, u32)], rings: &[std::ops::Range<usize>], at: &[Lattice]) -> Result<(), String> {
    let mut from: BTreeMap<&Lattice, Vec<(u32, bool)>> = BTreeMap::new();
    for &(v, w) in open {
        from.entry(&at[v as usize]).or_default().push((w, false));
    }
    for (k, ring) in rings.iter().enumerate() {
        let mut order: Vec<usize> = ring.clone().collect();
        if (area(ring.clone(), at) < IBig::ZERO) == (k == 0) {
            order.reverse();
        }
        for (i, &v) in order.iter().enumerate() {
            let (start, end) = (&at[v], &at[order[(i + 1) % order.len()]]);
            let mut here = start;
            while here != end {
                let leads = |&(w, used): &(u32, bool)| !used && on_segment(here, end, &at[w as usize]);
                let Some(side) = from.get_mut(here).and_then(|sides| sides.iter_mut().find(|s| leads(s))) else {
                    return Err(format!("no part's side runs along the edge from vertex {v}"));
                };
                side.1 = true;
                here = &at[side.0 as usize];
            }
        }
    }
    if from.values().flatten().any(|side| !side.1) {
        Err("a part's side is neither shared nor on the outline".into())
    } else {
        Ok(())
    }
}

/// Returns true if two edges of the rings cross or overlap at a point, which is rounded.
pub fn edges_meet_at(rings: &[Vec<DVec2>], position: DVec2) -> bool {
    let points: Vec<DVec2> = rings.iter().flatten().copied().collect();
    let at = lattice(&points);
    let size = points.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let near = |i: usize, j: usize| {
        let (p, q) = (points[i], points[j]);
        let slack = DVec2::splat(1e-9 * size);
        let boxed = position.cmpge(p.min(q) - slack).all() && position.cmple(p.max(q) + slack).all();
        boxed && (q - p).perp_dot(position - p).abs() <= 1e-9 * size * (q - p).length()
    };
    let (mut start, mut edges) = (0, Vec::new());
    for ring in rings {
        let n = ring.len();
        edges.extend(
            (0..n).map(|i| (start + i, start + (i + 1) % n)).filter(|&(i, j)| points[i] != points[j] && near(i, j)),
        );
        start += n;
    }
    edges.iter().enumerate().any(|(k, e)| edges[..k].iter().any(|f| meet([&at[e.0], &at[e.1]], [&at[f.0], &at[f.1]])))
}

fn meet([a, b]: [&Lattice; 2], [c, d]: [&Lattice; 2]) -> bool {
    let sides = [orientation(a, b, c), orientation(a, b, d), orientation(c, d, a), orientation(c, d, b)];
    if sides == [Ordering::Equal; 4] {
        return a.min(b).max(c.min(d)) < a.max(b).min(c.max(d));
    }
    !sides.contains(&Ordering::Equal) && sides[0] != sides[1] && sides[2] != sides[3]
}
