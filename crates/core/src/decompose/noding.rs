//! Nodes the rings during the sweep: handles vertices that lie on other vertices or on edges.
//!
//! Input: all vertices at one position. Each edge that passes through the position is split there.
//! Output: simple vertices of the sweep. Around the position, the edges bound sectors, which must
//! alternate between inside and outside. Each inside sector becomes a separate vertex, as if it
//! were moved into the sector by an infinitesimal distance. After that, the plane sweep
//! (`sweep_line.rs`) sees simple vertices only.
//!
//! The simple version refuses such input. But outlines of pixels and tiles touch themselves at
//! corners all the time. A real displacement would change the polygon, and could make rings cross.
//!
//! ```text
//! lefts  = edges that end at the position, from below to above
//! split the edges that pass through it (they have no vertex there)
//! rights = edges that begin at the position, sorted by angle
//! invalid if two rights overlap, if sectors do not alternate, or if rings cross here
//! for each inside sector: one vertex of the sweep (end, start, split, merge or regular)
//! ```

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use glam::DVec2;

use super::half_edge::NONE;
use super::monotone::ChainSide::{self, Lower, Upper};
use super::sweep_line::{InvalidAt, SweepLine};
use super::sweep_status::Bound;
use crate::math::predicates::orientation;
use crate::math::sort::sort_cold;

/// An active edge that ends at the position, on its left: the lower or the upper bound of an
/// interval.
#[derive(Clone, Copy)]
struct EndingEdge {
    interval: u32,
    bound: ChainSide,
}

/// An edge that begins at the position, on its right.
#[derive(Clone, Copy)]
struct BeginningEdge {
    end: DVec2,
    /// The vertex at which the edge begins along the ring: at the position for a lower edge, else
    /// at the right end.
    edge: u32,
    lower: bool,
}

/// The neighbourhood of a position on the sweep line.
struct Neighbourhood {
    /// The edges on the left of the position, from below to above.
    lefts: Vec<EndingEdge>,
    /// The interval at or below the position, under these edges.
    below: u32,
    /// True if the region just below these edges is inside.
    inside: bool,
}

impl SweepLine<'_> {
    /// Processes all vertices at one position, and the edges that pass through it.
    #[cold]
    pub(super) fn step_touching(&mut self, vertices: Range<u32>) -> Result<(), InvalidAt> {
        let trouble = InvalidAt { vertex: vertices.start };
        let p = self.point(vertices.start);
        let mut here: Vec<u32> = vertices.collect();
        let around = self.ending_edges(&here, p).ok_or(trouble)?;
        self.split_edges(&around.lefts, &mut here, p);
        for &v in &here {
            self.mesh_vertex[v as usize] = here[0];
        }
        let rights = self.beginning_edges(&here, p).ok_or(trouble)?;
        let mut inside = around.inside;
        for right in &rights {
            if right.lower == inside {
                return Err(trouble);
            }
            inside = !inside;
        }
        if inside != around.lefts.last().map_or(around.inside, |last| last.bound == Lower) {
            return Err(trouble);
        }
        if self.rings_cross(&around.lefts, &rights) {
            return Err(trouble);
        }
        self.pieces.mesh.touched = true;
        self.process_sectors(&around, &rights)
    }

    /// Finds the edges that end at or pass through the position, on its left. Returns `None` if
    /// edges are out of order there.
    fn ending_edges(&self, here: &[u32], p: DVec2) -> Option<Neighbourhood> {
        let mut active = Vec::new();
        for &v in here {
            for edge in [v, self.rings.prev[v as usize]] {
                let k = self.interval[edge as usize];
                if k != NONE {
                    active.push(k);
                }
            }
        }
        // Goes down to the first edge strictly below the position, then up again.
        let interval = active.first().copied().unwrap_or_else(|| self.status.search(p));
        let mut at = EndingEdge { interval, bound: Upper };
        while self.bound(at).line.side(p) != Ordering::Greater {
            at = match at.bound {
                Lower => EndingEdge { interval: self.status.at(at.interval).below, bound: Upper },
                Upper => EndingEdge { bound: Lower, ..at },
            };
        }
        let (below, inside) = (at.interval, at.bound == Lower);
        let (mut lefts, mut ending) = (Vec::new(), 0);
        loop {
            at = match at.bound {
                Lower => EndingEdge { bound: Upper, ..at },
                Upper => EndingEdge { interval: self.status.at(at.interval).above, bound: Lower },
            };
            let line = self.bound(at).line;
            match line.side(p) {
                Ordering::Equal => {
                    lefts.push(at);
                    ending += usize::from(line.right == p);
                }
                Ordering::Less => break,
                Ordering::Greater => return None,
            }
        }
        (ending == active.len()).then_some(Neighbourhood { lefts, below, inside })
    }

    fn bound(&self, EndingEdge { interval, bound }: EndingEdge) -> Bound {
        self.status.at(interval).bounds[bound as usize]
    }

    /// Splits each edge that passes through the position: inserts a vertex there.
    fn split_edges(&mut self, lefts: &[EndingEdge], here: &mut Vec<u32>, p: DVec2) {
        for &left in lefts {
            let Bound { line, edge } = self.bound(left);
            if line.right == p {
                continue;
            }
            let made = self.rings.points.len() as u32;
            let next = core::mem::replace(&mut self.rings.next[edge as usize], made);
            self.rings.prev[next as usize] = made;
            self.rings.points.push(p);
            self.rings.next.push(next);
            self.rings.prev.push(edge);
            self.mesh_vertex.push(NONE);
            here.push(made);
            // An edge is identified by the vertex where it begins. The left half keeps the old
            // vertex if the edge is a lower bound, and gets the new one if it is an upper bound.
            let bound = &mut self.status.at_mut(left.interval).bounds[left.bound as usize];
            bound.line.right = p;
            if left.bound == Lower {
                self.interval.push(NONE);
            } else {
                bound.edge = made;
                self.interval[edge as usize] = NONE;
                self.interval.push(left.interval);
            }
        }
    }

    /// Returns the edges on the right, from below to above; `None` if two of them overlap.
    fn beginning_edges(&self, here: &[u32], p: DVec2) -> Option<Vec<BeginningEdge>> {
        let idle = |edge: u32| self.interval[edge as usize] == NONE;
        let mut rights = Vec::new();
        for &v in here {
            let (next, prev) = (self.rings.next[v as usize], self.rings.prev[v as usize]);
            if idle(v) {
                rights.push(BeginningEdge { end: self.point(next), edge: v, lower: true });
            }
            if idle(prev) {
                rights.push(BeginningEdge { end: self.point(prev), edge: prev, lower: false });
            }
        }
        sort_cold(&mut rights, |a, b| orientation(p, b.end, a.end));
        let apart = |pair: &[BeginningEdge]| orientation(p, pair[0].end, pair[1].end) == Ordering::Greater;
        rights.windows(2).all(apart).then_some(rights)
    }

    /// Returns true if the rings cross at the position. Each passage of a ring has two ends around
    /// the position; the ends of all passages must be nested like brackets. Two passages that cross
    /// also break the alternation of sectors, but three can cross without breaking it.
    fn rings_cross(&self, lefts: &[EndingEdge], rights: &[BeginningEdge]) -> bool {
        let passage = |edge: u32, leaving: bool| if leaving { edge } else { self.rings.next[edge as usize] };
        let left = |l: &EndingEdge| passage(self.bound(*l).edge, l.bound == Upper);
        let mut open: Vec<u32> = Vec::new();
        for w in rights.iter().map(|r| passage(r.edge, r.lower)).chain(lefts.iter().rev().map(left)) {
            if open.last() == Some(&w) {
                open.pop();
            } else {
                open.push(w);
            }
        }
        !open.is_empty()
    }

    /// Turns the sector between an incoming and a leaving edge into a vertex, and returns it. The
    /// vertex has the number of the leaving edge.
    fn add_sector_vertex(&mut self, incoming: u32, leaving: u32) -> u32 {
        self.rings.prev[leaving as usize] = incoming;
        self.rings.next[incoming as usize] = leaving;
        leaving
    }

    fn process_sectors(&mut self, around: &Neighbourhood, rights: &[BeginningEdge]) -> Result<(), InvalidAt> {
        let lefts = &around.lefts[..];
        let edge = |sweep: &Self, l: EndingEdge| sweep.bound(l).edge;
        // Sectors that open to the left are end vertices.
        for pair in lefts[usize::from(around.inside).min(lefts.len())..].chunks_exact(2) {
            let v = self.add_sector_vertex(edge(self, pair[0]), edge(self, pair[1]));
            self.end(pair[0].interval, v)?;
        }
        // A sector that opens upward or downward is a regular vertex; one around the position
        // splits or merges.
        let above = lefts.last().is_some_and(|l| l.bound == Lower);
        match (lefts, rights) {
            ([], []) => {}
            ([], [first, .., last]) if around.inside => {
                let v = self.add_sector_vertex(first.edge, last.edge);
                self.split(around.below, v);
            }
            ([first, .., last], []) if around.inside => {
                let v = self.add_sector_vertex(edge(self, *last), edge(self, *first));
                self.merge(first.interval, last.interval, v);
            }
            _ => {
                if let ([first, ..], [right, ..]) = (lefts, rights)
                    && around.inside
                {
                    let v = self.add_sector_vertex(right.edge, edge(self, *first));
                    self.append(first.interval, v, Upper);
                }
                if let ([.., last], [.., right]) = (lefts, rights)
                    && above
                {
                    let v = self.add_sector_vertex(edge(self, *last), right.edge);
                    self.append(last.interval, v, Lower);
                }
            }
        }
        // Sectors that open to the right are start vertices.
        let mut below = around.below;
        for pair in rights[usize::from(around.inside).min(rights.len())..].chunks_exact(2) {
            let v = self.add_sector_vertex(pair[1].edge, pair[0].edge);
            below = self.start(below, v);
        }
        Ok(())
    }
}
