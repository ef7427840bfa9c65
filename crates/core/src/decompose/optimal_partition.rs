//! The fewest convex parts of a simple polygon without new vertices.
//!
//! Keil's dynamic program, as refined by Keil and Snoeyink (2002): for each diagonal that ends at a reflex vertex, the fewest diagonals that the
//! polygon beyond it needs, and how narrow the part next to the diagonal can then be at either end. Of those that are narrowest for their number nothing
//! else matters: a decomposition with one diagonal more can do without any of that.
//!
//! ```text
//! for i < k, nearest first, that see each other:
//!     the part next to i k has a side j k (or i j): for each j
//!         what i j and j k need; one diagonal more unless the narrowest part at i j can be widened by the triangle i j k
//! ```

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::convex_parts::ConvexParts;
use super::visibility::{Line, VisibilityQuery};
use crate::math::predicates::orientation;

const NONE: u32 = u32::MAX;

/// How the part next to a diagonal `i k` can look where the fewest diagonals stand beyond: its sides at `i` and at `k` lead to the vertices `first` and `last`.
#[derive(Clone, Copy)]
struct NarrowestPair {
    first: u32,
    last: u32,
    /// The third corner of the triangle at the diagonal, or [`NONE`] where vertices beyond lie on it.
    apex: u32,
    /// The one of these below the side that the triangle was merged across, or [`NONE`]; that side leads to `k`, or else to `i`.
    merged: u32,
    at_last: bool,
}

/// Which vertices lie on a diagonal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CollinearVertices {
    Nowhere,
    /// Some of the polygon beyond it: they part that polygon in two, and a part reaches across the diagonal to have them in the middle of a straight side.
    Inside,
    /// Some on this side: a part must reach across it from beyond, to have them in the middle of a straight side.
    Outside,
}

/// What is known of the polygon beyond a diagonal.
#[derive(Clone, Copy)]
struct Subproblem {
    diagonals: u32,
    /// The narrowest parts, from `start` to `end` in one long list: both sides turn the same way along it.
    start: u32,
    end: u32,
    touched: CollinearVertices,
}

impl Subproblem {
    fn is_clear(&self) -> bool {
        self.touched == CollinearVertices::Nowhere
    }
}

struct Program<'a> {
    points: &'a [DVec2],
    reflex: Vec<bool>,
    /// For `i < k` at `i n + k`: nothing where the two do not see each other or where neither is reflex.
    table: Vec<Option<Subproblem>>,
    narrow: Vec<NarrowestPair>,
    found: Vec<NarrowestPair>,
}

/// The fewest parts of a simple polygon: `trace_ring` holds the indices of its points, counter-clockwise, none repeated.
pub(super) fn fewest_parts(points: &[DVec2], ring: &[u32], sight: &VisibilityQuery) -> ConvexParts {
    let n = ring.len();
    let at = |i: usize| points[ring[i % n] as usize];
    let bends_inward = |i: usize| orientation(at(i + n - 1), at(i), at(i + 1)) == Ordering::Less;
    let Some(start) = (0..n).find(|&i| bends_inward(i)) else {
        return faces(ring, &[]);
    };
    // Turned so that the first vertex is reflex: the edge before it is then a pair that the program knows.
    let turned: Vec<u32> = (0..n).map(|i| ring[(i + start) % n]).collect();
    let mut place = vec![0; points.len()];
    turned.iter().enumerate().for_each(|(i, &v)| place[v as usize] = i as u32);
    let corners: Vec<DVec2> = turned.iter().map(|&v| points[v as usize]).collect();
    let reflex = (0..n).map(|i| bends_inward(i + start)).collect();
    let mut program =
        Program { points: &corners, reflex, table: vec![None; n * n], narrow: Vec::new(), found: Vec::new() };
    program
        .mark_visible(|i| sight.from(turned[i as usize]).iter().map(|&(v, line)| (place[v as usize], line)).collect());
    program.solve();
    faces(&turned, &program.diagonals(0, n as u32 - 1))
}

impl Program<'_> {
    fn n(&self) -> u32 {
        self.points.len() as u32
    }

    fn at(&self, i: u32) -> DVec2 {
        self.points[i as usize]
    }

    fn get(&self, i: u32, k: u32) -> Option<Subproblem> {
        self.table[(i * self.n() + k) as usize]
    }

    fn mark_visible(&mut self, sees: impl Fn(u32) -> Vec<(u32, Line)>) {
        let (n, unknown) =
            (self.n(), Subproblem { diagonals: NONE, start: 0, end: 0, touched: CollinearVertices::Nowhere });
        for i in (0..n).filter(|&i| self.reflex[i as usize]) {
            for (j, line) in sees(i) {
                // Seen from its lower end, the polygon beyond lies to the right of a diagonal.
                let touched = match line {
                    Line::Clear => CollinearVertices::Nowhere,
                    Line::PastRight if i < j => CollinearVertices::Inside,
                    Line::PastLeft if i > j => CollinearVertices::Inside,
                    _ => CollinearVertices::Outside,
                };
                self.table[(i.min(j) * n + i.max(j)) as usize] = Some(Subproblem { touched, ..unknown });
            }
        }
        // Edges, with nothing beyond.
        (0..n - 1).for_each(|i| self.table[(i * n + i + 1) as usize] = Some(Subproblem { diagonals: 0, ..unknown }));
        self.table[n as usize - 1] = Some(unknown);
    }

    fn solve(&mut self) {
        let n = self.n();
        for length in 2..n {
            for (i, k) in (0..n - length).map(|i| (i, i + length)) {
                let Some(Subproblem { touched, .. }) = self.get(i, k) else { continue };
                let mut best = NONE;
                self.found.clear();
                if touched == CollinearVertices::Inside {
                    self.bridge(i, k, &mut best);
                } else if self.reflex[i as usize] {
                    for j in i + 1..k {
                        self.extend_first(i, j, k, &mut best);
                    }
                } else {
                    for j in (i + 1..k).rev() {
                        self.extend_last(i, j, k, &mut best);
                    }
                }
                self.keep(i, k, best, touched);
            }
        }
    }

    /// The part has the side `j k`, and grows out of the one next to `i j`.
    fn extend_first(&mut self, i: u32, j: u32, k: u32, best: &mut u32) {
        let (Some(near), Some(far)) = (self.get(i, j), self.get(j, k).filter(Subproblem::is_clear)) else { return };
        let base = near.diagonals + far.diagonals + u32::from(k - j > 1);
        // Narrow enough at j: those at the list's beginning; of these the last is the narrowest at i.
        let list = &self.narrow[near.start as usize..near.end as usize];
        let fits = list.partition_point(|p| orientation(self.at(p.last), self.at(j), self.at(k)) != Ordering::Less);
        let merged = fits
            .checked_sub(1)
            .filter(|&m| orientation(self.at(k), self.at(i), self.at(list[m].first)) != Ordering::Less);
        let (cost, narrow) = match merged {
            Some(m) => (
                base,
                NarrowestPair { first: list[m].first, last: j, apex: j, merged: near.start + m as u32, at_last: false },
            ),
            None if !near.is_clear() => return,
            None => (
                base + u32::from(j - i > 1),
                NarrowestPair { first: j, last: j, apex: j, merged: NONE, at_last: false },
            ),
        };
        self.offer(cost, narrow, best);
    }

    /// The part has the side `i j`, and grows out of the one next to `j k`.
    fn extend_last(&mut self, i: u32, j: u32, k: u32, best: &mut u32) {
        let (Some(far), Some(near)) = (self.get(i, j).filter(Subproblem::is_clear), self.get(j, k)) else { return };
        let base = near.diagonals + far.diagonals + u32::from(j - i > 1);
        let list = &self.narrow[near.start as usize..near.end as usize];
        let wide = list.partition_point(|p| orientation(self.at(i), self.at(j), self.at(p.first)) == Ordering::Less);
        let merged = Some(wide).filter(|&m| {
            m < list.len() && orientation(self.at(list[m].last), self.at(k), self.at(i)) != Ordering::Less
        });
        let (cost, narrow) = match merged {
            Some(m) => (
                base,
                NarrowestPair { first: j, last: list[m].last, apex: j, merged: near.start + m as u32, at_last: true },
            ),
            None if !near.is_clear() => return,
            None => (
                base + u32::from(k - j > 1),
                NarrowestPair { first: j, last: j, apex: j, merged: NONE, at_last: false },
            ),
        };
        self.offer(cost, narrow, best);
    }

    /// The ends of a diagonal and the vertices of the polygon beyond that lie on it.
    fn stops(&self, i: u32, k: u32) -> Vec<u32> {
        let (p, q) = (self.at(i), self.at(k));
        let between = |r: DVec2| r.cmpge(p.min(q)).all() && r.cmple(p.max(q)).all();
        let on_it = |j: &u32| between(self.at(*j)) && orientation(p, q, self.at(*j)) == Ordering::Equal;
        (i..=k).filter(on_it).collect()
    }

    /// The polygon beyond falls apart at vertices on the diagonal, which the part on this side will have in the middle of a straight side.
    fn bridge(&mut self, i: u32, k: u32, best: &mut u32) {
        let stops = self.stops(i, k);
        let mut cost = 0;
        for pair in stops.windows(2) {
            let Some(piece) = self.get(pair[0], pair[1]).filter(Subproblem::is_clear) else { return };
            cost += piece.diagonals + u32::from(pair[1] - pair[0] > 1);
        }
        let narrow =
            NarrowestPair { first: stops[1], last: stops[stops.len() - 2], apex: NONE, merged: NONE, at_last: false };
        self.offer(cost, narrow, best);
    }

    fn offer(&mut self, cost: u32, narrow: NarrowestPair, best: &mut u32) {
        if cost < *best {
            self.found.clear();
            *best = cost;
        }
        if cost == *best {
            self.found.push(narrow);
        }
    }

    /// Keeps those that no other one is narrower than at both ends: higher `first`, lower `last`.
    fn keep(&mut self, i: u32, k: u32, best: u32, touched: CollinearVertices) {
        let start = self.narrow.len() as u32;
        self.found.sort_unstable_by_key(|p| (p.first, core::cmp::Reverse(p.last)));
        let mut lowest = NONE;
        for p in self.found.iter().rev() {
            if p.last < lowest {
                lowest = p.last;
                self.narrow.push(*p);
            }
        }
        self.narrow[start as usize..].reverse();
        let n = self.n();
        let known =
            (best != NONE).then_some(Subproblem { diagonals: best, start, end: self.narrow.len() as u32, touched });
        self.table[(i * n + k) as usize] = known;
    }

    /// The diagonals beyond one, by following what was merged.
    fn diagonals(&self, i: u32, k: u32) -> Vec<[u32; 2]> {
        let mut out = Vec::new();
        let whole = |i: u32, k: u32| self.get(i, k).filter(|b| b.start < b.end).map(|b| (i, k, b.start));
        let mut pending: Vec<(u32, u32, u32)> = whole(i, k).into_iter().collect();
        while let Some((i, k, at)) = pending.pop() {
            let NarrowestPair { apex: j, merged, at_last, .. } = self.narrow[at as usize];
            if j == NONE {
                for pair in self.stops(i, k).windows(2).filter(|pair| pair[1] - pair[0] > 1) {
                    out.push([pair[0], pair[1]]);
                    pending.extend(whole(pair[0], pair[1]));
                }
                continue;
            }
            for (a, b, inner) in [(i, j, !at_last), (j, k, at_last)] {
                if b - a == 1 {
                    continue;
                }
                if inner && merged != NONE {
                    pending.push((a, b, merged));
                } else {
                    out.push([a, b]);
                    pending.extend(whole(a, b));
                }
            }
        }
        out
    }
}

/// The parts between diagonals that do not cross.
fn faces(ring: &[u32], diagonals: &[[u32; 2]]) -> ConvexParts {
    let n = ring.len() as u32;
    let mut ends: Vec<Vec<u32>> = vec![Vec::new(); n as usize];
    for &[a, b] in diagonals {
        ends[a as usize].push(b);
        ends[b as usize].push(a);
    }
    // Around each vertex in the order in which the outline is met, farthest first.
    for (v, list) in ends.iter_mut().enumerate() {
        list.sort_unstable_by_key(|&w| core::cmp::Reverse((w + n - v as u32) % n));
    }
    let mut parts = ConvexParts::with_capacity(n as usize + 2 * diagonals.len(), diagonals.len() + 1);
    let mut seen: Vec<bool> = vec![false; n as usize];
    let mut used: Vec<Vec<bool>> = ends.iter().map(|list| vec![false; list.len()]).collect();
    for start in 0..n {
        // Each part begins once with its lowest edge of the outline or diagonal.
        let leads = core::iter::once(None).chain((0..ends[start as usize].len()).map(Some));
        for lead in leads {
            let mut at = (start, lead);
            let mut any = false;
            loop {
                let (v, way) = at;
                let flag = way.map_or_else(|| &mut seen[v as usize], |i| &mut used[v as usize][i]);
                if core::mem::replace(flag, true) {
                    break;
                }
                any = true;
                parts.push(ring[v as usize]);
                let w = way.map_or((v + 1) % n, |i| ends[v as usize][i]);
                // The next way around: just before the one back.
                let back = (v + n - w) % n;
                let list = &ends[w as usize];
                let next = list.partition_point(|&x| (x + n - w) % n >= back);
                at = (w, (next < list.len()).then_some(next));
            }
            if any {
                parts.close();
            }
        }
    }
    parts
}
