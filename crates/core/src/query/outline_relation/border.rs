//! Finds the segments that the edges of two outlines share.
//!
//! Two edges share a segment if they are collinear and overlap. Collinearity is decided by the exact
//! orientation predicate. The ends of the segment are ends of the edges, so they are not rounded.
//!
//! The simple version tests all pairs of edges. Here a sweep along the longer side of the intersection of
//! both boxes finds the pairs whose intervals overlap:
//!
//! ```text
//! edges of both outlines in the intersection of the boxes, by their lower end along the axis
//! for each edge: drop the active edges of the other outline that ended before it; test the rest
//! ```

use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Less};
use core::ops::ControlFlow::{self, Break, Continue};

use glam::DVec2;

use super::PreparedOutline;
use crate::decompose::edge_bvh::edge_box;
use crate::math::predicates::{compare_xy, orientation};
use crate::math::sort::{sort_by_distance, sort_cold};
use crate::math::vector::length_and_direction;

/// Segment with its lower end first.
type Segment = [DVec2; 2];

/// Returns true if an edge of one outline and an edge of the other share a segment.
pub(super) fn has_segment(a: &PreparedOutline<'_>, b: &PreparedOutline<'_>) -> bool {
    visit(a, b, &mut |_| Break(())).is_break()
}

/// Returns the length of all shared segments. A segment that several edges share counts once.
pub(super) fn length(a: &PreparedOutline<'_>, b: &PreparedOutline<'_>) -> f64 {
    let mut segments = Vec::new();
    // The visitor never breaks.
    let _ = visit(a, b, &mut |segment| {
        segments.push(segment);
        Continue(())
    });
    // Sorted, so that the sum is the same for both argument orders.
    sort_cold(&mut segments, |p, q| compare_xy(p[0], q[0]).then(compare_xy(p[1], q[1])));
    if a.may_overlap_itself() || b.may_overlap_itself() {
        segments = without_repeats(&segments);
    }
    segments.iter().map(|[p, q]| length_and_direction(*q - *p, DVec2::X).0).sum()
}

/// Removes the pieces that earlier segments of the same line cover. The segments are sorted by
/// their lower ends.
fn without_repeats(segments: &[Segment]) -> Vec<Segment> {
    let (mut kept, mut active): (Vec<Segment>, Vec<Segment>) = (Vec::new(), Vec::new());
    for &[start, end] in segments {
        active.retain(|earlier| compare_xy(start, earlier[1]) == Less);
        let mut from = start;
        for &earlier in &active {
            if on_line(earlier, start) && on_line(earlier, end) && compare_xy(from, earlier[1]) == Less {
                from = earlier[1];
            }
        }
        if compare_xy(from, end) == Less {
            kept.push([from, end]);
            active.push([from, end]);
        }
    }
    kept
}

/// Visits the shared segments of all pairs of edges.
fn visit(
    a: &PreparedOutline<'_>,
    b: &PreparedOutline<'_>,
    each: &mut dyn FnMut(Segment) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let common = a.bounds.common(&b.bounds);
    let axis = usize::from(common.size().y > common.size().x);
    let (mut edges, mut order) = (Vec::new(), Vec::new());
    for (is_b, outline) in [(false, a), (true, b)] {
        for &edge in &outline.edges {
            if edge_box(edge[0], edge[1]).meets(&common) {
                order.push((edge[0][axis].min(edge[1][axis]), edges.len() as u32));
                edges.push(EdgeInterval { edge, to: edge[0][axis].max(edge[1][axis]), is_b });
            }
        }
    }
    sort_by_distance(&mut order);
    let mut active: [Vec<&EdgeInterval>; 2] = [Vec::new(), Vec::new()];
    for &(from, i) in &order {
        let edge = &edges[i as usize];
        let others = &mut active[usize::from(!edge.is_b)];
        others.retain(|other| other.to >= from);
        for other in others.iter() {
            if let Some(segment) = shared(edge.edge, other.edge) {
                each(segment)?;
            }
        }
        active[usize::from(edge.is_b)].push(edge);
    }
    Continue(())
}

/// Edge with the end of its interval along the axis of the sweep.
struct EdgeInterval {
    edge: Segment,
    to: f64,
    /// True for an edge of the second outline.
    is_b: bool,
}

/// Returns the segment that two edges share, if they are collinear and overlap along a length.
fn shared(edge: Segment, other: Segment) -> Option<Segment> {
    let start = if compare_xy(edge[0], other[0]) == Less { other[0] } else { edge[0] };
    let end = if compare_xy(edge[1], other[1]) == Less { edge[1] } else { other[1] };
    (compare_xy(start, end) == Less && on_line(edge, other[0]) && on_line(edge, other[1])).then_some([start, end])
}

/// Returns true if a point lies on the line of an edge. Exact.
fn on_line([p, q]: Segment, point: DVec2) -> bool {
    point == p || point == q || orientation(p, q, point) == Equal
}
