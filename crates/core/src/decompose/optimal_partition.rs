//! Splits a simple polygon into the smallest number of convex parts, without new vertices.
//!
//! Input: one ring and the visibility between its vertices. Output: convex parts as vertex indices.
//! Time: O(r² n) for n vertices, r of them reflex. The algorithm is the dynamic program of J. M.
//! Keil and J. Snoeyink, *On the time bound for convex decomposition of simple polygons*, 2002.
//!
//! The simple version tries every set of diagonals, which takes exponential time:
//!
//! ```text
//! fewest(polygon) = 1 if it is convex
//!     else the minimum over its diagonals of fewest(one side) + fewest(other side)
//! ```
//!
//! The dynamic program solves each side once. The subproblem of a diagonal `i k` is the polygon on
//! the side of the vertices between `i` and `k`. Its value is the minimum number of diagonals in an
//! optimal partition of this polygon. For the part next to `i k`, the program also stores the
//! narrowest pairs. These are the sides of this part at `i` and at `k` with the smallest angles. A
//! narrow part can be merged across `i k` without a reflex angle. Only pairs of optimal solutions
//! are stored: a solution with one more diagonal can keep `i k` and is never better.
//!
//! ```text
//! for length = 2 .. n - 1, for each diagonal i k with k = i + length
//!         that is visible and has a reflex end:
//!     for each j between i and k for which i j and j k are edges or diagonals:
//!         cost = cost(i j) + cost(j k) + 1 for each of i j and j k that is a diagonal
//!         if a narrowest part at i j (or j k) is still convex after adding the
//!                 triangle i j k: cost -= 1, because that diagonal is not needed
//!         keep the pairs of the lowest cost
//!     remove each pair that is wider than another one at both ends
//! follow the stored choices from the diagonal 0 (n - 1) to list the diagonals
//! cut the polygon along these diagonals
//! ```
//!
//! A greedy method (`hertel_mehlhorn.rs`) is faster, but may return up to four times as many parts.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::convex_parts::ConvexParts;
use super::visibility::{LineOfSight, VisibilityQuery};
use crate::math::lists::{filter_mapped, gather, mapped};
use crate::math::predicates::{is_on_segment, orientation};
use crate::math::sort::sort_cold;

const NONE: u32 = u32::MAX;

/// A narrowest pair: the part next to a diagonal `i k` in an optimal partition of the subproblem.
/// Its sides at `i` and at `k` lead to the vertices `first` and `last`.
#[derive(Clone, Copy)]
struct NarrowestPair {
    first: u32,
    last: u32,
    /// Third vertex of the triangle at the diagonal, or [`NONE`] if vertices of the subproblem lie
    /// on the diagonal.
    apex: u32,
    /// Index in `narrow` of the part that the triangle was merged with, or [`NONE`]. If `at_last`,
    /// this part lies across the side from the apex to `k`, else across the side from `i`.
    merged: u32,
    at_last: bool,
}

/// Position of the vertices that lie in the middle of a diagonal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CollinearVertices {
    Nowhere,
    /// Vertices of the subproblem. They split its polygon. A part on the other side of the diagonal
    /// must reach across it, with these vertices in the middle of a straight side.
    Inside,
    /// Vertices outside of the subproblem. A part of the subproblem must reach across the diagonal,
    /// with these vertices in the middle of a straight side.
    Outside,
}

/// Solution for the polygon beyond a diagonal.
#[derive(Clone, Copy)]
struct Subproblem {
    diagonals: u32,
    /// Range of the narrowest pairs in `narrow`, sorted: along the range, both sides turn in the
    /// same direction.
    start: u32,
    end: u32,
    collinear: CollinearVertices,
}

impl Subproblem {
    fn is_clear(&self) -> bool {
        self.collinear == CollinearVertices::Nowhere
    }
}

struct Program<'a> {
    points: &'a [DVec2],
    reflex: Vec<bool>,
    /// Subproblem of `i < k` at index `i * n + k`. `None` if the two vertices do not see each other,
    /// or if neither is reflex.
    table: Vec<Option<Subproblem>>,
    narrow: Vec<NarrowestPair>,
    candidates: Vec<NarrowestPair>,
}

/// Returns an optimal convex partition of a simple polygon. `ring`: indices of its points,
/// counter-clockwise, without repeated points.
pub(super) fn fewest_parts(points: &[DVec2], ring: &[u32], sight: &VisibilityQuery) -> ConvexParts {
    let n = ring.len();
    let at = |i: usize| points[ring[i % n] as usize];
    let bends_inward = |i: usize| orientation(at(i + n - 1), at(i), at(i + 1)) == Ordering::Less;
    let Some(start) = (0..n).find(|&i| bends_inward(i)) else {
        return cut_along(ring, &[]);
    };
    // Rotates the ring so that the first vertex is reflex: then the edge before it is a subproblem
    // of the program.
    let turned: Vec<u32> = mapped(0..n, |i| ring[(i + start) % n]);
    let mut index_in_ring = vec![0; points.len()];
    (0..n).for_each(|i| index_in_ring[turned[i] as usize] = i as u32);
    let vertices = gather(points, &turned);
    let reflex = mapped(0..n, |i| bends_inward(i + start));
    let mut program =
        Program { points: &vertices, reflex, table: vec![None; n * n], narrow: Vec::new(), candidates: Vec::new() };
    program.mark_visible(&turned, &index_in_ring, sight);
    program.solve();
    cut_along(&turned, &program.diagonals(0, n as u32 - 1))
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

    fn mark_visible(&mut self, turned: &[u32], index_in_ring: &[u32], sight: &VisibilityQuery) {
        let (n, unknown) =
            (self.n(), Subproblem { diagonals: NONE, start: 0, end: 0, collinear: CollinearVertices::Nowhere });
        for i in (0..n).filter(|&i| self.reflex[i as usize]) {
            for (v, line) in sight.visible_from(turned[i as usize]) {
                let j = index_in_ring[v as usize];
                // Seen from its lower end, the subproblem lies to the right of a diagonal.
                let touched = match line {
                    LineOfSight::Clear => CollinearVertices::Nowhere,
                    LineOfSight::PastRight if i < j => CollinearVertices::Inside,
                    LineOfSight::PastLeft if i > j => CollinearVertices::Inside,
                    _ => CollinearVertices::Outside,
                };
                self.table[(i.min(j) * n + i.max(j)) as usize] = Some(Subproblem { collinear: touched, ..unknown });
            }
        }
        // Edges: their subproblems are empty.
        (0..n - 1).for_each(|i| self.table[(i * n + i + 1) as usize] = Some(Subproblem { diagonals: 0, ..unknown }));
        self.table[n as usize - 1] = Some(unknown);
    }

    fn solve(&mut self) {
        let n = self.n();
        for length in 2..n {
            for i in 0..n - length {
                let k = i + length;
                let Some(Subproblem { collinear: touched, .. }) = self.get(i, k) else { continue };
                let mut best = NONE;
                self.candidates.clear();
                if touched == CollinearVertices::Inside {
                    self.split_at_collinear(i, k, &mut best);
                } else if self.reflex[i as usize] {
                    for j in i + 1..k {
                        self.extend_first(i, j, k, &mut best);
                    }
                } else {
                    for j in (i + 1..k).rev() {
                        self.extend_last(i, j, k, &mut best);
                    }
                }
                self.store(i, k, best, touched);
            }
        }
    }

    /// Tries the part with the side `j k` that extends the part next to `i j` by the triangle
    /// `i j k`.
    fn extend_first(&mut self, i: u32, j: u32, k: u32, best: &mut u32) {
        let (Some(near), Some(far)) = (self.get(i, j), self.get(j, k).filter(Subproblem::is_clear)) else { return };
        let base = near.diagonals + far.diagonals + u32::from(k - j > 1);
        // The pairs that are narrow enough at j are a prefix of the list. The last one of them is
        // the narrowest at i.
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
        self.add_candidate(cost, narrow, best);
    }

    /// Tries the part with the side `i j` that extends the part next to `j k` by the triangle
    /// `i j k`.
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
        self.add_candidate(cost, narrow, best);
    }

    /// Returns the ends of a diagonal and the vertices of its subproblem that lie on it.
    fn vertices_on_diagonal(&self, i: u32, k: u32) -> Vec<u32> {
        let diagonal = [self.at(i), self.at(k)];
        filter_mapped(i..=k, |j| is_on_segment(diagonal, self.at(j)).then_some(j))
    }

    /// Solves a subproblem with vertices on the diagonal. They split it into smaller ones; the part
    /// on the other side of the diagonal will contain them in the middle of a straight side.
    fn split_at_collinear(&mut self, i: u32, k: u32, best: &mut u32) {
        let stops = self.vertices_on_diagonal(i, k);
        let mut cost = 0;
        for pair in stops.windows(2) {
            let Some(piece) = self.get(pair[0], pair[1]).filter(Subproblem::is_clear) else { return };
            cost += piece.diagonals + u32::from(pair[1] - pair[0] > 1);
        }
        let narrow =
            NarrowestPair { first: stops[1], last: stops[stops.len() - 2], apex: NONE, merged: NONE, at_last: false };
        self.add_candidate(cost, narrow, best);
    }

    fn add_candidate(&mut self, cost: u32, narrow: NarrowestPair, best: &mut u32) {
        if cost < *best {
            self.candidates.clear();
            *best = cost;
        }
        if cost == *best {
            self.candidates.push(narrow);
        }
    }

    /// Stores the best pairs, without those that are wider than another one at both ends. A higher
    /// `first` and a lower `last` are narrower.
    fn store(&mut self, i: u32, k: u32, best: u32, touched: CollinearVertices) {
        let start = self.narrow.len() as u32;
        sort_cold(&mut self.candidates, |p, q| p.first.cmp(&q.first).then(q.last.cmp(&p.last)));
        let mut lowest = NONE;
        for p in self.candidates.iter().rev() {
            if p.last < lowest {
                lowest = p.last;
                self.narrow.push(*p);
            }
        }
        self.narrow[start as usize..].reverse();
        let n = self.n();
        let known = (best != NONE).then_some(Subproblem {
            diagonals: best,
            start,
            end: self.narrow.len() as u32,
            collinear: touched,
        });
        self.table[(i * n + k) as usize] = known;
    }

    /// Returns the diagonals of the solution of a subproblem, by following the stored choices.
    fn diagonals(&self, i: u32, k: u32) -> Vec<[u32; 2]> {
        let mut out = Vec::new();
        let whole = |i: u32, k: u32| self.get(i, k).filter(|b| b.start < b.end).map(|b| (i, k, b.start));
        let mut pending: Vec<_> = whole(i, k).into_iter().collect();
        while let Some((i, k, at)) = pending.pop() {
            let NarrowestPair { apex: j, merged, at_last, .. } = self.narrow[at as usize];
            if j == NONE {
                for pair in self.vertices_on_diagonal(i, k).windows(2).filter(|pair| pair[1] - pair[0] > 1) {
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

/// Cuts a polygon along diagonals that do not cross, and returns the parts.
fn cut_along(ring: &[u32], diagonals: &[[u32; 2]]) -> ConvexParts {
    let n = ring.len() as u32;
    let mut ends: Vec<Vec<u32>> = vec![Vec::new(); n as usize];
    for &[a, b] in diagonals {
        ends[a as usize].push(b);
        ends[b as usize].push(a);
    }
    // Sorts the diagonals of each vertex by their other ends along the ring, farthest first.
    for (v, list) in ends.iter_mut().enumerate() {
        let turns = |w: u32| (w + n - v as u32) % n;
        sort_cold(list, |&w, &x| turns(x).cmp(&turns(w)));
    }
    let mut parts = ConvexParts::with_capacity(n as usize + 2 * diagonals.len(), diagonals.len() + 1);
    let mut seen: Vec<bool> = vec![false; n as usize];
    let mut used: Vec<Vec<bool>> = mapped(ends.iter(), |list| vec![false; list.len()]);
    for start in 0..n {
        // Each part is traced once, from its first edge or diagonal that was not visited yet.
        for lead in 0..=ends[start as usize].len() {
            let mut at = (start, lead.checked_sub(1));
            let mut any = false;
            loop {
                let (v, diagonal) = at;
                let flag = diagonal.map_or_else(|| &mut seen[v as usize], |i| &mut used[v as usize][i]);
                if core::mem::replace(flag, true) {
                    break;
                }
                any = true;
                parts.push(ring[v as usize]);
                let w = diagonal.map_or((v + 1) % n, |i| ends[v as usize][i]);
                // The next diagonal around the vertex: just before the one that leads back.
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
