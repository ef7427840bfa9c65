//! Interns shapes: equal shapes are stored once, with a reference count, so that they stay in the
//! cache.
//!
//! Input: shapes that are added and removed. Output: ids; bit-identical shapes share one id. A
//! shape is found by a 64-bit hash of its data (FNV: G. Fowler, L. C. Noll, K.-P. Vo, with a
//! rotation), and compared bit by bit.
//!
//! Worlds have few different shapes and many colliders. Without interning, each collider would have
//! its own copy of more than 300 bytes, and kernels would miss the cache for each.
//!
//! ```text
//! add(shape):  if the hash is known and the stored data are equal: count one more reference
//!              else: store the data at an unused index, and remember the hash
//! remove(id):  count one reference less; at 0 the index is unused, and the hash is forgotten
//! ```

use alloc::vec::Vec;

use super::shape_kind::ShapeId;
use super::small_polygons::{self, SmallPolygons};
use crate::math::aabb::Aabb;
use crate::math::codec::fnv_hash;
use crate::math::ordered_map::KeyMap;
use crate::math::pose::Pose;
use crate::shape::Shape;

/// Interned rectangles and small polygons.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShapeInterner {
    /// The data of each index; unused indices keep old data.
    pub(super) polygons: SmallPolygons,
    /// Reference count by index.
    ref_counts: Vec<u32>,
    /// The index of the shape with a given hash.
    index_of_hash: KeyMap,
    /// Unused indices.
    free: Vec<u32>,
}

impl ShapeInterner {
    /// Adds a reference to a shape. Returns `None` if the shape is neither rectangle nor small
    /// polygon.
    pub(crate) fn add(&mut self, shape: &Shape) -> Option<ShapeId> {
        let (kind, polygon) = small_polygons::from_shape(shape)?;
        let hash = [fnv_hash(&polygon.bits()), 0, 0];
        let known = self.index_of_hash.get(&hash).map(|i| i as usize);
        if let Some(i) = known.filter(|&i| self.polygons.all[i].bits() == polygon.bits()) {
            self.ref_counts[i] += 1;
            return Some(ShapeId::new(kind, i));
        }
        // A new shape: reuse an unused index, if there is one.
        let i = if let Some(i) = self.free.pop() {
            self.polygons.set(i as usize, &polygon);
            self.ref_counts[i as usize] = 1;
            i
        } else {
            self.polygons.push(&polygon);
            self.ref_counts.push(1);
            self.ref_counts.len() as u32 - 1
        };
        // If two different shapes have the same hash, which is very rare, only the first is found
        // again.
        if known.is_none() {
            self.index_of_hash.insert(hash, i);
        }
        Some(ShapeId::new(kind, i as usize))
    }

    /// Returns the AABB of a placed shape, bit-identical to that of the shape itself. `None` if the
    /// shape is not interned or its AABB cannot be computed from the interned data.
    #[inline(always)]
    pub(crate) fn aabb(&self, id: ShapeId, pose: &Pose) -> Option<Aabb> {
        if id.is_small_polygon() { self.polygons.aabb(id.index() as usize, pose) } else { None }
    }

    /// Removes a reference to a shape. Ids of other kinds are ignored.
    pub(crate) fn remove(&mut self, id: ShapeId) {
        if !id.is_small_polygon() {
            return;
        }
        let i = id.index();
        self.ref_counts[i as usize] -= 1;
        if self.ref_counts[i as usize] == 0 {
            let hash = [fnv_hash(&self.polygons.all[i as usize].bits()), 0, 0];
            if self.index_of_hash.get(&hash) == Some(i) {
                self.index_of_hash.remove(&hash);
            }
            self.free.push(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: an AABB is equal to that of the shape, also for shapes with vertices inside an edge.
    /// Rounding may move the images of such vertices out of the hull.
    #[test]
    fn boxes_are_those_of_the_shapes() {
        let seed = 23;
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut shared, mut checked) = (ShapeInterner::default(), 0);
        for round in 0..3000 {
            let count = rng.usize(3..9);
            let point = |i: usize| [libm::cos(i as f64 * 0.7) * 3.0, libm::sin(i as f64 * 0.7) * 3.0];
            let mut points: Vec<[f64; 2]> = (0..count).map(point).collect();
            if round % 3 == 0 {
                // Exactly between two vertices of an edge along x.
                points = [[0.1, 0.3], [0.7, 0.3], [1.3, 0.3], [1.0, 2.0]].into();
            }
            let plain = if round % 4 == 1 {
                Shape::rectangle(0.1 + rng.f64(), 3.0 * rng.f64() + 0.1)
            } else {
                Shape::polygon(&points)
            };
            let shape = plain.unwrap().rounded(if rng.bool() { rng.f64() } else { 0.0 }).unwrap();
            let scale = 10f64.powi(rng.i32(-2..9));
            let pose = Pose::new([(rng.f64() - 0.5) * scale, (rng.f64() - 0.5) * scale], 7.0 * rng.f64()).unwrap();
            let id = shared.add(&shape).unwrap();
            if let Some(aabb) = shared.aabb(id, &pose) {
                checked += 1;
                assert_eq!(aabb, shape.placed(pose).aabb(), "seed {seed}, round {round}");
            }
        }
        assert!((1500..3000).contains(&checked), "{checked}");
    }
}
