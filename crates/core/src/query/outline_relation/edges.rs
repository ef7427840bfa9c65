//! Collects the edges of the parts of a shape, without the seams between parts.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use crate::math::lists::{filter_mapped, mapped};
use crate::math::pose::Pose;
use crate::math::predicates::compare_xy;
use crate::math::ring;
use crate::math::sort::sort_cold;
use crate::query::union_boundary::sub_segment::placed_hull;
use crate::shape::Placed;

/// Returns the edges of all parts, each once and as its lower and higher end, in order.
///
/// An edge that two parts have in opposite directions is a seam: both sides are inside the shape. A seam
/// of which one part has only a piece remains. It lies in the interior too, so no other shape that only
/// touches this one shares a segment with it.
pub(super) fn of(placed: Placed<'_>) -> Vec<[DVec2; 2]> {
    let mut edges = Vec::new();
    for part in placed.parts() {
        let convex = part.convex;
        let hull = if *placed.pose_ref() == Pose::IDENTITY && part.pose == Pose::IDENTITY {
            mapped(0..convex.hull_vertex_count(), |i| convex.hull_vertex(i))
        } else {
            placed_hull(part)
        };
        // Rounding can leave a part without area.
        if hull.len() > 2 {
            ring::edges(&hull).for_each(|[p, q]| edges.push(directed(p, q)));
        }
    }
    sort_cold(&mut edges, |p, q| compare_xy(p.ends[0], q.ends[0]).then(compare_xy(p.ends[1], q.ends[1])));
    filter_mapped(edges.chunk_by(|p, q| p.ends == q.ends), |group| {
        let is_seam = group.iter().any(|edge| edge.is_forward != group[0].is_forward);
        (!is_seam).then_some(group[0].ends)
    })
}

/// Edge of a part.
#[derive(Clone)]
struct Directed {
    /// Lower and higher end.
    ends: [DVec2; 2],
    /// True if the edge leads from its lower to its higher end.
    is_forward: bool,
}

fn directed(p: DVec2, q: DVec2) -> Directed {
    let is_forward = compare_xy(p, q) == Ordering::Less;
    Directed { ends: if is_forward { [p, q] } else { [q, p] }, is_forward }
}
