//! Contacts in columns: what is compared, what is asked of every contact, and the rest, each side by side.
//!
//! ```text
//! pairs     16 bytes a contact    the colliders: what the frame, searching and linking read
//! faces     32 bytes a contact    normal and depth, all that responses read; what kind of contact, and where its rest is
//! points    56 bytes a point      of convex shapes: one or two
//! parts     whole manifolds       of composites: one for each pair of parts
//! ```

use alloc::vec::Vec;

use glam::DVec2;

use super::handle::Handle;
use crate::query::{ContactPoint, Manifold};

/// How two colliders meet, without points.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactHeader {
    pub(super) normal: DVec2,
    pub(super) depth: f64,
    /// Where its points are, or its manifolds, and how many.
    from: u32,
    count: u32,
}

/// Bits above the count: one of the two is a sensor; the rest is manifolds, not points.
const SENSOR: u32 = 1 << 31;
const PARTS: u32 = 1 << 30;

/// Contacts, one behind the other.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactStore {
    pub(super) pairs: Vec<[Handle; 2]>,
    pub(super) faces: Vec<ContactHeader>,
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

    /// The places of its points, or of its manifolds.
    #[inline(always)]
    fn places(&self) -> core::ops::Range<usize> {
        let from = self.from as usize;
        from..from + (self.count & !(SENSOR | PARTS)) as usize
    }
}

impl ContactStore {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.faces.clear();
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
        self.faces.push(ContactHeader { normal, depth, from, count: points.len() as u32 | sensor_bit(sensor) });
        // Nearly all have one or two: no copying of who knows how many.
        self.points.push(points[0]);
        if let [_, second] = points {
            self.points.push(*second);
        }
    }

    /// Appends a contact with all its manifolds; without any it is none.
    pub(super) fn push_all(&mut self, pair: [Handle; 2], sensor: bool, manifolds: &[Manifold]) {
        let Some(deepest) = deepest(manifolds) else { return };
        if manifolds.len() == 1 && [deepest.part_a, deepest.part_b] == [0; 2] {
            return self.push(pair, sensor, deepest);
        }
        let (from, count) = (self.parts.len() as u32, manifolds.len() as u32);
        self.pairs.push(pair);
        self.faces.push(ContactHeader {
            normal: deepest.normal,
            depth: deepest.depth,
            from,
            count: count | PARTS | sensor_bit(sensor),
        });
        self.parts.extend_from_slice(manifolds);
    }

    /// Appends a contact of another store.
    pub(super) fn push_copy(&mut self, store: &Self, index: usize) {
        let face = &store.faces[index];
        let from = if face.has_parts() { self.parts.len() } else { self.points.len() } as u32;
        self.pairs.push(store.pairs[index]);
        self.faces.push(ContactHeader { from, ..*face });
        if face.has_parts() {
            self.parts.extend_from_slice(&store.parts[face.places()]);
        } else {
            self.points.extend_from_slice(&store.points[face.places()]);
        }
    }

    /// Appends all contacts of another store, which is left without any.
    pub(super) fn append(&mut self, next: &mut Self) {
        let (points, parts) = (self.points.len() as u32, self.parts.len() as u32);
        self.pairs.append(&mut next.pairs);
        self.points.append(&mut next.points);
        self.parts.append(&mut next.parts);
        let moved = |face: ContactHeader| ContactHeader {
            from: face.from + if face.has_parts() { parts } else { points },
            ..face
        };
        self.faces.extend(next.faces.drain(..).map(moved));
    }

    #[inline]
    pub(super) fn points(&self, face: &ContactHeader) -> &[ContactPoint] {
        if face.has_parts() {
            deepest(&self.parts[face.places()]).map_or(&[], Manifold::points)
        } else {
            &self.points[face.places()]
        }
    }

    #[inline]
    pub(super) fn manifold(&self, face: &ContactHeader) -> Manifold {
        if !face.has_parts() {
            return self.of_points(face);
        }
        deepest(&self.parts[face.places()]).copied().unwrap_or_else(|| self.of_points(face))
    }

    /// The manifold of two convex shapes.
    #[inline(always)]
    fn of_points(&self, face: &ContactHeader) -> Manifold {
        let points = &self.points[face.places()];
        Manifold::from_stored(
            face.normal,
            face.depth,
            [0, 0],
            [points[0], points[points.len() - 1]],
            points.len() as u8,
        )
    }

    /// All manifolds of a contact.
    pub(super) fn manifolds<'a>(
        &'a self,
        face: &'a ContactHeader,
    ) -> impl ExactSizeIterator<Item = Manifold> + Clone + use<'a> {
        let parts = if face.has_parts() { &self.parts[face.places()] } else { &[] };
        (0..parts.len().max(1)).map(|i| parts.get(i).copied().unwrap_or_else(|| self.of_points(face)))
    }
}

#[inline(always)]
fn sensor_bit(sensor: bool) -> u32 {
    if sensor { SENSOR } else { 0 }
}

/// The deepest of the manifolds of a pair; of equal ones the first.
pub(super) fn deepest(manifolds: &[Manifold]) -> Option<&Manifold> {
    manifolds.iter().reduce(|best, next| if next.depth > best.depth { next } else { best })
}
