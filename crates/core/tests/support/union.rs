//! Overlap of unions on a lattice, from outlines alone: brute force in exact rational arithmetic.
//!
//! It knows nothing of how a shape is cut. A point is in the interior of a union if its
//! neighbourhood is covered by the outlines, in every direction that matters.

use std::collections::BTreeSet;

use carom::DVec2;

use super::exact::Outline;
use super::measure::outside;

/// A point whose coordinates are `x / scale` and `y / scale`.
#[derive(Clone, Copy, Debug)]
pub struct Rational {
    pub x: i128,
    pub y: i128,
    pub scale: i128,
}

pub type Lattice = [i64; 2];

/// A union of simple polygons and of segments.
#[derive(Clone, Debug, Default)]
pub struct Union {
    pub areas: Vec<Vec<Lattice>>,
    pub lines: Vec<[Lattice; 2]>,
}

/// The neighbourhood of a point is sampled at a distance of 1 / `NEAR`, in lattices up to 16.
const NEAR: i128 = 1_000_000_000;

fn cross(a: [i128; 2], b: [i128; 2]) -> i128 {
    a[0] * b[1] - a[1] * b[0]
}

fn minus(a: Lattice, b: Lattice) -> [i128; 2] {
    [i128::from(a[0] - b[0]), i128::from(a[1] - b[1])]
}

fn edges(outline: &[Lattice]) -> impl Iterator<Item = [Lattice; 2]> {
    (0..outline.len()).map(move |i| [outline[i], outline[(i + 1) % outline.len()]])
}

/// Returns true if a closed simple polygon contains a point.
fn polygon_contains(outline: &[Lattice], p: Rational) -> bool {
    let mut inside = false;
    for [a, b] in edges(outline) {
        let seen = |v: Lattice| [i128::from(v[0]) * p.scale - p.x, i128::from(v[1]) * p.scale - p.y];
        let (u, v) = (seen(a), seen(b));
        let area = cross(u, v);
        if area == 0 && u[0] * v[0] + u[1] * v[1] <= 0 {
            return true;
        }
        if (u[1] > 0) != (v[1] > 0) && (area > 0) == (v[1] > 0) {
            inside = !inside;
        }
    }
    inside
}

impl Union {
    /// Returns true if a point lies in the interior of the areas.
    pub fn is_interior(&self, p: Rational) -> bool {
        // Edges have coordinates up to 8 here, so a direction between two edges has up to 16.
        directions().all(|[x, y]| {
            let near = Rational { x: p.x * NEAR + x * p.scale, y: p.y * NEAR + y * p.scale, scale: p.scale * NEAR };
            self.areas.iter().any(|outline| polygon_contains(outline, near))
        })
    }

    /// Returns true if a segment or point intersects the interior of the areas.
    pub fn interior_meets(&self, [p, q]: [Lattice; 2]) -> bool {
        let direction = minus(q, p);
        // Fractions of the way, as quotients.
        let mut stops = vec![(0, 1), (1, 1)];
        for [a, b] in self.areas.iter().flat_map(|outline| edges(outline)) {
            let (edge, apart) = (minus(b, a), minus(a, p));
            let whole = cross(direction, edge);
            if whole != 0 {
                let along = cross(apart, edge) * whole.signum();
                stops.extend(((0..=whole.abs()).contains(&along)).then_some((along, whole.abs())));
            } else {
                let square = direction[0] * direction[0] + direction[1] * direction[1];
                let on = [a, b].map(|v| minus(v, p)).into_iter().filter(|v| cross(direction, *v) == 0);
                stops.extend(
                    on.map(|v| (direction[0] * v[0] + direction[1] * v[1], square))
                        .filter(|s| s.1 > 0 && (0..=s.1).contains(&s.0)),
                );
            }
        }
        stops.sort_by(|s, t| (s.0 * t.1).cmp(&(t.0 * s.1)));
        let middles: Vec<(i128, i128)> =
            stops.windows(2).map(|w| (w[0].0 * w[1].1 + w[1].0 * w[0].1, 2 * w[0].1 * w[1].1)).collect();
        stops.into_iter().chain(middles).map(reduced).any(|(n, d)| {
            self.is_interior(Rational {
                x: i128::from(p[0]) * d + direction[0] * n,
                y: i128::from(p[1]) * d + direction[1] * n,
                scale: d,
            })
        })
    }
}

/// A quotient in lowest terms.
fn reduced((n, d): (i128, i128)) -> (i128, i128) {
    let (mut p, mut q) = (n.abs(), d);
    while q != 0 {
        (p, q) = (q, p % q);
    }
    (n / p, d / p)
}

fn directions() -> impl Iterator<Item = [i128; 2]> {
    (-16..=16).flat_map(|x| (-16..=16).map(move |y| [x, y])).filter(|v| *v != [0, 0])
}

/// Returns true if lines of two unions share a stretch.
pub fn share_a_stretch(a: &Union, b: &Union) -> bool {
    a.lines.iter().any(|&[p, q]| {
        b.lines.iter().any(|&[r, s]| {
            let direction = minus(q, p);
            let along = |v: Lattice| direction[0] * minus(v, p)[0] + direction[1] * minus(v, p)[1];
            let square = direction[0] * direction[0] + direction[1] * direction[1];
            let on_line = cross(direction, minus(r, p)) == 0 && cross(direction, minus(s, p)) == 0;
            on_line && along(r).min(along(s)).max(0) < along(r).max(along(s)).min(square)
        })
    })
}

/// Returns true if lines of two unions that share no stretch alternate around a vertex, outside of
/// the areas of their own unions.
pub fn lines_cross(a: &Union, b: &Union) -> bool {
    let ends: BTreeSet<Lattice> = a.lines.iter().chain(&b.lines).flatten().copied().collect();
    ends.into_iter().any(|at| {
        let mut rays: Vec<(f64, usize)> = Vec::new();
        for (set, union) in [a, b].into_iter().enumerate() {
            let through = union.lines.iter().filter(|[p, q]| {
                let (u, v) = (minus(*p, at), minus(*q, at));
                cross(u, v) == 0 && u[0] * v[0] + u[1] * v[1] <= 0
            });
            // A line that runs along or inside an area of its own union adds nothing to it.
            let is_covered = |end: Lattice| {
                let [x, y] = [0, 1].map(|k| i128::from(at[k]) * NEAR + i128::from(end[k] - at[k]));
                union.areas.iter().any(|outline| polygon_contains(outline, Rational { x, y, scale: NEAR }))
            };
            let away = through.flatten().filter(|end| **end != at && !is_covered(**end));
            // Lattice directions of up to 16 differ by more than 1e-3 in their angles.
            rays.extend(
                away.map(|end| ((end[1] - at[1]) as f64).atan2((end[0] - at[0]) as f64)).map(|angle| (angle, set)),
            );
        }
        rays.sort_by(|p, q| p.0.total_cmp(&q.0));
        (0..rays.len()).filter(|&i| rays[i].1 != rays[(i + 1) % rays.len()].1).count() >= 4
    })
}

/// Returns true if unions overlap whose parts only touch. Samples densely: for parts of sizes about 1, without slivers.
pub fn sampled_overlap(a: &[Outline], b: &[Outline]) -> bool {
    let thin = |parts: &[Outline]| -> Vec<[DVec2; 2]> {
        let flat = parts.iter().filter(|part| part.radius == 0.0 && part.points.len() < 3);
        flat.map(|part| [part.points[0], part.points[part.points.len() - 1]]).collect()
    };
    let (lines_a, lines_b) = (thin(a), thin(b));
    meets_sampled(&lines_b, a) || meets_sampled(&lines_a, b) || alternate(&lines_a, &lines_b)
}

/// Returns true if a line intersects the interior of a union.
fn meets_sampled(lines: &[[DVec2; 2]], parts: &[Outline]) -> bool {
    let areas: Vec<&Outline> = parts.iter().filter(|part| part.radius > 0.0 || part.points.len() > 2).collect();
    let is_inside = |p: DVec2| {
        let ring = (0..48).map(|k| p + DVec2::from_angle(f64::from(k) * 0.1309) * 1e-7);
        areas.len() > 1 && ring.into_iter().all(|q| areas.iter().any(|part| outside(part, q) < 1e-10))
    };
    let corners: Vec<DVec2> = areas.iter().flat_map(|part| part.points.iter().copied()).collect();
    lines.iter().any(|&[p, q]| {
        let along = (0..=16).map(|k| p + (q - p) * (f64::from(k) / 16.0));
        let on = corners.iter().copied().filter(|&c| outside(&Outline { points: vec![p, q], radius: 0.0 }, c) < 1e-12);
        along.chain(on).any(is_inside)
    })
}

/// Returns true if lines alternate around an end of one of them.
fn alternate(a: &[[DVec2; 2]], b: &[[DVec2; 2]]) -> bool {
    let ends = a.iter().chain(b).flatten().copied();
    ends.into_iter().any(|at| {
        let mut rays: Vec<(f64, usize)> = Vec::new();
        for (set, lines) in [a, b].into_iter().enumerate() {
            let through =
                lines.iter().filter(|line| outside(&Outline { points: line.to_vec(), radius: 0.0 }, at) == 0.0);
            rays.extend(
                through.flatten().filter(|&&end| end != at).map(|end| ((end.y - at.y).atan2(end.x - at.x), set)),
            );
        }
        rays.sort_by(|p, q| p.0.total_cmp(&q.0));
        let shared = rays.windows(2).any(|w| w[0].1 != w[1].1 && (w[0].0 - w[1].0).abs() < 1e-9);
        !shared && (0..rays.len()).filter(|&i| rays[i].1 != rays[(i + 1) % rays.len()].1).count() >= 4
    })
}
