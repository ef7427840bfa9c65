//! Computes collision tests in batches: [`intersects`](crate::intersects()),
//! [`overlaps`](crate::overlaps()) and [`collide`](crate::collide()) for arrays of pairs, with
//! bit-identical results.
//!
//! A [`Batch`] stores placed shapes as columns. Pairs are grouped by the kinds of their shapes.
//! Circles, rectangles and polygons with up to eight hull vertices are computed by SIMD kernels,
//! one pair or one edge per lane (as in M. Pharr, W. R. Mark, *ispc*, 2012). All other pairs take
//! the scalar path. With the feature `parallel`, large arrays are distributed to rayon's current
//! thread pool.
//!
//! ```
//! use carom::batch::{Batch, Contacts};
//! use carom::{Pose, Shape};
//!
//! let mut batch = Batch::new();
//! let ball = batch.add_shape(&Shape::circle(0.5)?);
//! let block = batch.add_shape(&Shape::rectangle(2.0, 1.0)?);
//! let a = batch.add_instance(ball, Pose::from_translation([0.0, 0.0])?)?;
//! let b = batch.add_instance(block, Pose::new([1.2, 0.3], 0.4)?)?;
//! let c = batch.add_instance(ball, Pose::from_translation([4.0, 0.0])?)?;
//!
//! let pairs = [[a, b], [b, c]];
//! let mut answers = Vec::new();
//! batch.intersects(&pairs, &mut answers)?;
//! assert_eq!(answers, [true, false]);
//!
//! let mut contacts = Contacts::new(); // keeps its memory from frame to frame
//! batch.collide(&pairs, &mut contacts)?;
//! assert_eq!(contacts.len(), 1);
//! assert_eq!(contacts.pair_indices(), [0]); // pairs[0]
//! assert!(contacts.depths()[0] > 0.0);
//! for contact in &contacts {
//!     println!("{:?} meet at {:?}", pairs[contact.pair as usize], contact.manifold.points());
//! }
//! # Ok::<(), carom::Error>(())
//! ```

mod bounding_circle_filter;
mod circle_polygon;
pub(crate) mod circles;
mod clip;
mod collide;
mod contact_columns;
mod contact_writer;
mod contacts;
mod intersects;
mod kind_buckets;
pub(crate) mod pair_block;
mod pair_columns;
mod pair_contact;
mod pair_kernel;
mod prefetch;
mod rectangles;
mod sat;
pub(crate) mod shape_interner;
pub(crate) mod shape_kind;
mod shape_pool;
pub(crate) mod simd_columns;
mod small_polygon;
mod small_polygons;
mod view;

use alloc::format;
use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};
use crate::math::pose::Pose;
pub use crate::math::simd::simd_level;
use crate::pair_result::Relation;
use crate::shape::Placed;
pub use contacts::{Contacts, Iter};
pub use pair_contact::PairContact;
pub use shape_kind::ShapeId;
use shape_pool::ShapePool;
use view::View;

/// Placed shapes stored as columns, for queries on arrays of pairs.
///
/// A shape is [added](Batch::add_shape) once and may be placed several times. Placed shapes are
/// identified by index, in the order of [`add_instance`](Batch::add_instance). See the
/// [module](self) for an example.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The added shapes.
    pool: ShapePool,
    /// The shape of each placed shape.
    ids: Vec<ShapeId>,
    /// Stored apart from the rotations, because circles do not need rotations.
    translations: Vec<[f64; 2]>,
    /// Cosine and sine.
    rotations: Vec<[f64; 2]>,
    /// Maximum SIMD width to use, in bits.
    max_simd_bits: u32,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            pool: ShapePool::default(),
            ids: Vec::new(),
            translations: Vec::new(),
            rotations: Vec::new(),
            max_simd_bits: u32::MAX,
        }
    }
}

impl Batch {
    /// Returns an empty batch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a shape of any kind. Returns its id, which [`add_instance`](Batch::add_instance) takes.
    pub fn add_shape(&mut self, shape: &crate::shape::Shape) -> ShapeId {
        self.pool.add(shape)
    }

    /// Places a shape. Returns the index of the placed shape.
    ///
    /// # Errors
    /// If the id does not belong to this batch. An id of another batch is not always detected.
    pub fn add_instance(&mut self, shape: ShapeId, pose: Pose) -> Result<u32, Error> {
        self.check_shape(shape)?;
        self.ids.push(shape);
        self.translations.push(pose.translation().to_array());
        self.rotations.push([pose.cos(), pose.sin()]);
        Ok(self.ids.len() as u32 - 1)
    }

    /// Sets the pose of a placed shape.
    ///
    /// # Errors
    /// If no placed shape has this index.
    pub fn set_pose(&mut self, placed: u32, pose: Pose) -> Result<(), Error> {
        self.check_placed(placed)?;
        self.translations[placed as usize] = pose.translation().to_array();
        self.rotations[placed as usize] = [pose.cos(), pose.sin()];
        Ok(())
    }

    /// Replaces the shape of a placed shape; its pose stays.
    ///
    /// # Errors
    /// If no placed shape has this index, or if the id does not belong to this batch.
    pub fn set_shape(&mut self, placed: u32, shape: ShapeId) -> Result<(), Error> {
        self.check_placed(placed)?;
        self.check_shape(shape)?;
        self.ids[placed as usize] = shape;
        Ok(())
    }

    /// Returns a placed shape by index.
    #[must_use]
    pub fn get(&self, placed: u32) -> Option<Placed<'_>> {
        let i = placed as usize;
        let shape = self.pool.get(*self.ids.get(i)?)?;
        Some(shape.placed(Pose::from_parts(self.translations[i], self.rotations[i])))
    }

    /// Returns the number of placed shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns true if there are no placed shapes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Removes all placed shapes. The added shapes stay.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.translations.clear();
        self.rotations.clear();
    }

    /// Limits the SIMD width to `bits` (128, 256 or 512), for measurements and tests. The results
    /// do not change.
    pub fn limit_simd_width(&mut self, bits: u32) {
        self.max_simd_bits = bits;
    }

    /// Computes [`intersects`](crate::intersects()) for every pair of placed shapes. Overwrites
    /// `answers` with one result per pair.
    ///
    /// # Errors
    /// If a pair contains an index without a placed shape. Then `answers` is empty.
    pub fn intersects(&self, pairs: &[[u32; 2]], answers: &mut Vec<bool>) -> Result<(), Error> {
        self.test_pairs(pairs, Relation::Touching, answers)
    }

    /// Computes [`overlaps`](crate::overlaps()) for every pair of placed shapes. Overwrites
    /// `answers` with one result per pair.
    ///
    /// # Errors
    /// As [`Batch::intersects`].
    pub fn overlaps(&self, pairs: &[[u32; 2]], answers: &mut Vec<bool>) -> Result<(), Error> {
        self.test_pairs(pairs, Relation::Overlapping, answers)
    }

    /// Computes [`collide`](crate::collide()) for every pair of placed shapes. Overwrites
    /// `contacts` with the contacts of all pairs that intersect, in the order of the pairs.
    ///
    /// # Errors
    /// If a pair contains an index without a placed shape. Then `contacts` is empty.
    pub fn collide(&self, pairs: &[[u32; 2]], contacts: &mut Contacts) -> Result<(), Error> {
        let run = |first, pairs: &[_], columns: &mut _| collide::all(self, pairs, first, columns);
        contacts.fill(pairs, run).map_err(|placed| self.no_such_instance(placed))
    }

    /// Computes a relation for all pairs. Clears `answers` if an index is invalid.
    fn test_pairs(&self, pairs: &[[u32; 2]], enough: Relation, answers: &mut Vec<bool>) -> Result<(), Error> {
        answers.clear();
        answers.resize(pairs.len(), false);
        intersects::all(self, pairs, enough, answers).map_err(|placed| {
            answers.clear();
            self.no_such_instance(placed)
        })
    }

    /// Returns the columns that the kernels read.
    fn view(&self) -> View<'_> {
        let Self { pool, ids, translations, rotations, .. } = self;
        View { circles: &pool.circles, polygons: &pool.polygons, ids, translations, rotations }
    }

    /// Returns an error if no placed shape has this index.
    fn check_placed(&self, placed: u32) -> Result<(), Error> {
        if (placed as usize) < self.len() { Ok(()) } else { Err(self.no_such_instance(placed)) }
    }

    /// Returns an error if the id does not belong to this batch.
    fn check_shape(&self, shape: ShapeId) -> Result<(), Error> {
        if self.pool.get(shape).is_some() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::OutOfRange,
            format!("{shape:?} does not belong to this batch: pass an id returned by its own `add_shape`"),
        ))
    }

    /// Returns the error for an index without a placed shape.
    #[cold]
    fn no_such_instance(&self, placed: u32) -> Error {
        let message = format!(
            "no placed shape has index {placed}: the batch has {} placed shapes, with indices from 0",
            self.len()
        );
        Error::new(ErrorKind::OutOfRange, message)
    }
}
