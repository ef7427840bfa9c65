//! Iterates over the edges of closed rings.

use glam::DVec2;

/// Returns the edges of a closed ring: from each vertex to the next one, and from the last one to the first. A single
/// point has none.
pub(crate) fn edges(ring: &[DVec2]) -> impl ExactSizeIterator<Item = [DVec2; 2]> + DoubleEndedIterator {
    let count = if ring.len() > 1 { ring.len() } else { 0 };
    (0..count).map(move |i| [ring[i], ring[(i + 1) % count]])
}
