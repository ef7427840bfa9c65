//! Splits edges at their crossings until no edge crosses, overlaps or passes through a point of
//! another one.
//!
//! Input: an arrangement. Output: the same with split edges. A tree of edge boxes returns the
//! candidates (`edge_bvh.rs`). Orientation predicates decide exactly. A point that lies on an edge
//! splits it there, without rounding. Only proper crossings get a new, rounded point.

use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use super::super::edge_bvh::{EdgeBvh, edge_box};
use super::FillRule;
use super::arrangement::{Arrangement, Edge};
use super::crossing::rounded_crossing;
use crate::error::{Error, ErrorKind};
use crate::math::lists::mapped;
use crate::math::predicates::{is_in_box_of, is_on_segment, orientation};
use crate::math::sort::sort_cold;

/// Maximum number of points, with those of all crossings.
const MAX_POINTS: usize = 1 << 22;

/// Maximum number of points at which edges are split in one round.
const MAX_SPLITS: usize = 1 << 23;

/// Maximum number of rounds. Random rings, with crossings at neighbouring numbers, need at most 7.
const MAX_ROUNDS: usize = 64;

/// Number of rounds after which crossings may move by one more ulp to the end of an edge.
const ROUNDS_PER_ULP: usize = 4;

/// A point at which an edge must be split.
#[derive(Clone, Copy)]
struct Split {
    edge: u32,
    point: u32,
}

/// Splits edges at crossings until there are none.
pub(super) fn resolve_crossings(arrangement: &mut Arrangement, rule: FillRule) -> Result<(), Error> {
    arrangement.merge_edges(rule);
    for round in 0..MAX_ROUNDS {
        let splits = find_splits(arrangement, (round / ROUNDS_PER_ULP) as f64)?;
        if splits.is_empty() {
            return Ok(());
        }
        split_edges(arrangement, splits);
        arrangement.merge_edges(rule);
    }
    let message = format!(
        "the rings still cross after {MAX_ROUNDS} rounds of rounding their crossings: scale them up, or simplify them"
    );
    Err(Error::new(ErrorKind::TooManyCrossings, message))
}

/// Returns the points at which edges must be split. Appends the new ones to the points.
///
/// `snap_ulps`: a crossing within so many ulp of the end of an edge is moved there. Without it, three edges
/// that nearly meet at one point can push their crossings on and on, by an ulp each round.
fn find_splits(arrangement: &mut Arrangement, snap_ulps: f64) -> Result<Vec<Split>, Error> {
    let Arrangement { points, edges, .. } = arrangement;
    let lines: Vec<[DVec2; 2]> = mapped(edges.iter(), |e| [points[e.from as usize], points[e.to as usize]]);
    let mut splits = Vec::new();
    let full = EdgeBvh::new(lines.iter().map(|&[p, q]| edge_box(p, q))).find_pair(|i, j| {
        let ends = |edge: usize| [edges[edge].from, edges[edge].to];
        if splits_of_pair([ends(i), ends(j)], [lines[i], lines[j]], |which, point| {
            splits.push(Split { edge: [i, j][which] as u32, point });
        }) {
            let crossing = rounded_crossing(lines[i], lines[j]);
            let near = near_end([ends(i), ends(j)], [lines[i], lines[j]], crossing, snap_ulps);
            let point = near.unwrap_or(points.len() as u32);
            if near.is_none() {
                points.push(crossing);
            }
            splits.push(Split { edge: i as u32, point });
            splits.push(Split { edge: j as u32, point });
        }
        (points.len() > MAX_POINTS || splits.len() > MAX_SPLITS).then_some(())
    });
    if full.is_some() {
        let message = format!(
            "the rings have more than {MAX_POINTS} points and crossings, or touch more than {MAX_SPLITS} times: \
             split them"
        );
        return Err(Error::new(ErrorKind::TooManyCrossings, message));
    }
    Ok(splits)
}

/// Calls `split` with the edge (0 or 1) and the point, for each end of one edge that lies inside the
/// other. Returns true if the edges cross properly.
fn splits_of_pair(ends: [[u32; 2]; 2], [[a, b], [c, d]]: [[DVec2; 2]; 2], mut split: impl FnMut(usize, u32)) -> bool {
    let touches = |end: u32, other: [u32; 2]| other.contains(&end);
    if touches(ends[0][0], ends[1]) || touches(ends[0][1], ends[1]) {
        return split_at_ends(ends, [[a, b], [c, d]], split);
    }
    let sides = [orientation(a, b, c), orientation(a, b, d)];
    if sides[0] == sides[1] && sides[0] != Ordering::Equal {
        return false;
    }
    let others = [orientation(c, d, a), orientation(c, d, b)];
    if ![sides, others].as_flattened().contains(&Ordering::Equal) {
        return others[0] != others[1];
    }
    for (edge, line, others, sides) in [(0, [a, b], [c, d], sides), (1, [c, d], [a, b], others)] {
        for k in 0..2 {
            if sides[k] == Ordering::Equal && is_in_box_of(line, others[k]) {
                split(edge, ends[1 - edge][k]);
            }
        }
    }
    false
}

/// Returns an end of one edge that is within `snap_ulps` ulp of the crossing and in the bounds of the other
/// edge.
fn near_end(ends: [[u32; 2]; 2], lines: [[DVec2; 2]; 2], crossing: DVec2, snap_ulps: f64) -> Option<u32> {
    let largest = crossing.abs().max_element();
    let tolerance = snap_ulps * (largest.next_up() - largest);
    let near = |&(edge, end): &(usize, usize)| {
        let p = lines[edge][end];
        is_in_box_of(lines[1 - edge], p) && (p - crossing).abs().max_element() <= tolerance
    };
    [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().find(near).map(|(edge, end)| ends[edge][end])
}

/// Handles two edges with a common end: they overlap if they go the same way along one line. Then the
/// end of the shorter one splits the longer one.
fn split_at_ends(ends: [[u32; 2]; 2], lines: [[DVec2; 2]; 2], mut split: impl FnMut(usize, u32)) -> bool {
    for long in 0..2 {
        for (&p, &end) in lines[1 - long].iter().zip(&ends[1 - long]) {
            if !lines[long].contains(&p) && is_on_segment(lines[long], p) {
                split(long, end);
            }
        }
    }
    false
}

/// Replaces each edge by its pieces.
fn split_edges(arrangement: &mut Arrangement, mut splits: Vec<Split>) {
    let index = arrangement.sort_points();
    for split in &mut splits {
        split.point = index[split.point as usize];
    }
    let points = &arrangement.points;
    let mut edges = Vec::with_capacity(arrangement.edges.len() + splits.len());
    sort_cold(&mut splits, |p, q| p.edge.cmp(&q.edge));
    let mut splits = &splits[..];
    for (i, edge) in arrangement.edges.iter().enumerate() {
        let count = splits.iter().take_while(|split| split.edge as usize == i).count();
        let (own, rest) = splits.split_at(count);
        splits = rest;
        let edge = Edge { from: index[edge.from as usize], to: index[edge.to as usize], ..*edge };
        if own.is_empty() {
            edges.push(edge);
            continue;
        }
        let mut chain: Vec<u32> = mapped(own.iter(), |split| split.point);
        sort_along(&mut chain, points, edge);
        chain.push(edge.to);
        let mut from = edge.from;
        for to in chain {
            if to != from {
                edges.push(Edge { from, to, ..edge }.low_to_high());
            }
            from = to;
        }
    }
    arrangement.edges = edges;
}

/// Sorts points along an edge: by x, those of equal x upward or downward as the edge.
fn sort_along(chain: &mut [u32], points: &[DVec2], edge: Edge) {
    let at = |i: u32| points[i as usize];
    let falls = at(edge.to).y < at(edge.from).y;
    chain.sort_unstable();
    if falls {
        chain.chunk_by_mut(|&i, &j| at(i).x == at(j).x).for_each(<[u32]>::reverse);
    }
}
