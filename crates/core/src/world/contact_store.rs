//! Stores contacts as structure of arrays, so that each reader loads only the columns it needs.
//!
//! ```text
//! pairs     16 bytes per contact    handles of both colliders: for comparing, searching, linking
//! headers   32 bytes per contact    normal, depth, sensor flag, range of its points or manifolds
//! points    56 bytes per point      one or two points of a contact of two convex shapes
//! parts     whole manifolds         one per intersecting pair of parts, if a shape is composite
//! ```
//!
//! Most contacts are between convex shapes and have one manifold. A whole manifold has space for
//! two points (112 bytes), which most readers do not need. So points and manifolds are in separate
//! columns, and a header has the range of its rows.

use alloc::vec::Vec;

use glam::DVec2;

use super::handle::Handle;
use crate::query::{ContactPoint, Manifold};

/// A contact without its points.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactHeader {
    pub(super) normal: DVec2,
    pub(super) depth: f64,
    /// Index of its first point or manifold; `count` is their number and the flags below.
    first: u32,
    count: u32,
}

/// Flags in the bits above the count: `SENSOR` if one of the two is a sensor, `PARTS` if the range
/// is of manifolds.
const SENSOR: u32 = 1 << 31;
const PARTS: u32 = 1 << 30;

/// Contacts in columns.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactStore {
    pub(super) pairs: Vec<[Handle; 2]>,
    pub(super) headers: Vec<ContactHeader>,
    points: Vec<ContactPoint>,
    parts: Vec<Manifold>,
}

impl ContactHeader {
    #[inline(always)]
    pub(super) fn is_sensor(&self) -> bool {
        self.count & SENSOR != 0
    }

    #[inline(always)]
    fn has_parts(&self) -> bool {
        self.count & PARTS != 0
    }

    /// Returns the index range of its points or manifolds.
    #[inline(always)]
    fn range(&self) -> core::ops::Range<usize> {
        let from = self.first as usize;
        from..from + (self.count & !(SENSOR | PARTS)) as usize
    }
}

impl ContactStore {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.headers.clear();
        self.points.clear();
        self.parts.clear();
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Appends a contact of two convex shapes.
    #[inline(always)]
    pub(super) fn push(&mut self, pair: [Handle; 2], sensor: bool, manifold: &Manifold) {
        let &Manifold { normal, depth, .. } = manifold;
        let (from, points) = (self.points.len() as u32, manifold.points());
        self.pairs.push(pair);
        self.headers.push(ContactHeader {
            normal,
            depth,
            first: from,
            count: points.len() as u32 | sensor_bit(sensor),
        });
        // One or two points: two pushes are cheaper than a copy of unknown length.
        self.points.push(points[0]);
        if let [_, second] = points {
            self.points.push(*second);
        }
    }

    /// Appends a contact with all its manifolds. Does nothing if there are none.
    pub(super) fn push_all(&mut self, pair: [Handle; 2], sensor: bool, manifolds: &[Manifold]) {
        let Some(deepest) = deepest(manifolds) else { return };
        if manifolds.len() == 1 && [deepest.part_a, deepest.part_b] == [0; 2] {
            return self.push(pair, sensor, deepest);
        }
        let (from, count) = (self.parts.len() as u32, manifolds.len() as u32);
        self.pairs.push(pair);
        self.headers.push(ContactHeader {
            normal: deepest.normal,
            depth: deepest.depth,
            first: from,
            count: count | PARTS | sensor_bit(sensor),
        });
        self.parts.extend_from_slice(manifolds);
    }

    /// Appends a copy of a contact of another store.
    pub(super) fn push_copy(&mut self, store: &Self, index: usize) {
        let header = &store.headers[index];
        let from = if header.has_parts() { self.parts.len() } else { self.points.len() } as u32;
        self.pairs.push(store.pairs[index]);
        self.headers.push(ContactHeader { first: from, ..*header });
        if header.has_parts() {
            self.parts.extend_from_slice(&store.parts[header.range()]);
        } else {
            self.points.extend_from_slice(&store.points[header.range()]);
        }
    }

    /// Moves all contacts of another store to the end of this one.
    pub(super) fn append(&mut self, next: &mut Self) {
        let (points, parts) = (self.points.len() as u32, self.parts.len() as u32);
        self.pairs.append(&mut next.pairs);
        self.points.append(&mut next.points);
        self.parts.append(&mut next.parts);
        for header in &mut next.headers {
            header.first += if header.has_parts() { parts } else { points };
        }
        self.headers.append(&mut next.headers);
    }

    #[inline]
    pub(super) fn points(&self, header: &ContactHeader) -> &[ContactPoint] {
        if header.has_parts() {
            deepest(&self.parts[header.range()]).map_or(&[], Manifold::points)
        } else {
            &self.points[header.range()]
        }
    }

    #[inline]
    pub(super) fn manifold(&self, header: &ContactHeader) -> Manifold {
        if !header.has_parts() {
            return self.of_points(header);
        }
        deepest(&self.parts[header.range()]).copied().unwrap_or_else(|| self.of_points(header))
    }

    /// Returns the manifold of two convex shapes.
    #[inline(always)]
    fn of_points(&self, header: &ContactHeader) -> Manifold {
        let points = &self.points[header.range()];
        Manifold::from_stored(
            header.normal,
            header.depth,
            [0, 0],
            [points[0], points[points.len() - 1]],
            points.len() as u8,
        )
    }

    /// Returns all manifolds of a contact.
    pub(super) fn manifolds<'a>(
        &'a self,
        header: &'a ContactHeader,
    ) -> impl ExactSizeIterator<Item = Manifold> + Clone + use<'a> {
        let parts = if header.has_parts() { &self.parts[header.range()] } else { &[] };
        (0..parts.len().max(1)).map(|i| parts.get(i).copied().unwrap_or_else(|| self.of_points(header)))
    }
}

#[inline(always)]
fn sensor_bit(sensor: bool) -> u32 {
    if sensor { SENSOR } else { 0 }
}

/// Returns the deepest manifold. Tie: the first one.
pub(super) fn deepest(manifolds: &[Manifold]) -> Option<&Manifold> {
    manifolds.iter().reduce(|best, next| if next.depth > best.depth { next } else { best })
}
