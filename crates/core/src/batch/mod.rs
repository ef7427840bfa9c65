//! Many pairs at a time: the answers of [`intersects`](crate::intersects()), [`overlaps`](crate::overlaps()) and [`collide`](crate::collide()), bit for bit.
//!
//! A [`Batch`] keeps placed shapes in columns. Pairs are grouped by the kinds of their shapes, and circles, rectangles and polygons of up to eight corners go
//! through kernels that work on several pairs, or on several edges of a pair, at once; all others are asked pair by pair. With the feature `parallel` many pairs are
//! shared by the cores of rayon's current thread pool.
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
mod pair_contact;
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
use crate::query::exact::Relation;
use crate::shape::Placed;
use contact_writer::ContactWriter;
pub use contacts::{Contacts, Iter};
pub use pair_contact::PairContact;
pub use shape_kind::ShapeId;
use shape_pool::ShapePool;
use view::View;

/// Placed shapes in columns, to be asked about in pairs.
///
/// Shapes are [added](Batch::add_shape) once and may be placed many times; placed shapes are numbered in the order in which they were [pushed](Batch::add_instance).
/// See the [module](self) for an example.
#[derive(Clone, Debug)]
pub struct Batch {
    pool: ShapePool,
    ids: Vec<ShapeId>,
    /// Apart from the rotations: circles do not need those.
    translations: Vec<[f64; 2]>,
    /// Cosine and sine.
    rotations: Vec<[f64; 2]>,
    /// Bits of the widest vectors to use.
    lanes: u32,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            pool: ShapePool::default(),
            ids: Vec::new(),
            translations: Vec::new(),
            rotations: Vec::new(),
            lanes: u32::MAX,
        }
    }
}

impl Batch {
    /// Without shapes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a shape of any kind, to be placed by its id.
    pub fn add_shape(&mut self, shape: &crate::shape::Shape) -> ShapeId {
        self.pool.add(shape)
    }

    /// Places a shape; returns the number of the placed shape.
    ///
    /// # Errors
    /// An id that is none of this batch's. One that another batch gave may by chance be one of this batch's too.
    pub fn add_instance(&mut self, shape: ShapeId, pose: Pose) -> Result<u32, Error> {
        self.check_shape(shape)?;
        self.ids.push(shape);
        self.translations.push(pose.translation().to_array());
        self.rotations.push([pose.cos(), pose.sin()]);
        Ok(self.ids.len() as u32 - 1)
    }

    /// Moves a placed shape.
    ///
    /// # Errors
    /// A number that no placed shape has.
    pub fn set_pose(&mut self, placed: u32, pose: Pose) -> Result<(), Error> {
        self.check_placed(placed)?;
        self.translations[placed as usize] = pose.translation().to_array();
        self.rotations[placed as usize] = [pose.cos(), pose.sin()];
        Ok(())
    }

    /// Makes a placed shape another shape at the same pose.
    ///
    /// # Errors
    /// A number that no placed shape has, or an id that is none of this batch's.
    pub fn set_shape(&mut self, placed: u32, shape: ShapeId) -> Result<(), Error> {
        self.check_placed(placed)?;
        self.check_shape(shape)?;
        self.ids[placed as usize] = shape;
        Ok(())
    }

    /// A placed shape by its number.
    #[must_use]
    pub fn get(&self, placed: u32) -> Option<Placed<'_>> {
        let i = placed as usize;
        let shape = self.pool.get(*self.ids.get(i)?)?;
        Some(shape.placed(Pose::from_parts(self.translations[i], self.rotations[i])))
    }

    /// How many placed shapes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Is nothing placed?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Forgets all placed shapes; the shapes that were added stay.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.translations.clear();
        self.rotations.clear();
    }

    /// Uses no vectors wider than this many bits (128, 256, 512), where the machine has wider ones: for measurements and tests. The answers are the same.
    pub fn limit_simd_width(&mut self, bits: u32) {
        self.lanes = bits;
    }

    /// [`intersects`](crate::intersects()) of every pair of placed shapes, in the order of the pairs; `answers` is overwritten.
    ///
    /// # Errors
    /// A pair with a number that no placed shape has. Then `answers` is empty.
    pub fn intersects(&self, pairs: &[[u32; 2]], answers: &mut Vec<bool>) -> Result<(), Error> {
        self.test_pairs(pairs, Relation::Touching, answers)
    }

    /// [`overlaps`](crate::overlaps()) of every pair of placed shapes, in the order of the pairs; `answers` is overwritten.
    ///
    /// # Errors
    /// As [`Batch::intersects`].
    pub fn overlaps(&self, pairs: &[[u32; 2]], answers: &mut Vec<bool>) -> Result<(), Error> {
        self.test_pairs(pairs, Relation::Overlapping, answers)
    }

    /// [`collide`](crate::collide()) of every pair of placed shapes: of those that meet, in the order of the pairs; `contacts` is overwritten.
    ///
    /// # Errors
    /// A pair with a number that no placed shape has. Then `contacts` is empty.
    pub fn collide(&self, pairs: &[[u32; 2]], contacts: &mut Contacts) -> Result<(), Error> {
        let run =
            |first: usize, pairs: &[[u32; 2]], writer: &mut ContactWriter| collide::all(self, pairs, first, writer);
        contacts.fill(pairs, run).map_err(|placed| self.no_such(placed))
    }

    fn test_pairs(&self, pairs: &[[u32; 2]], enough: Relation, answers: &mut Vec<bool>) -> Result<(), Error> {
        answers.clear();
        answers.resize(pairs.len(), false);
        intersects::all(self, pairs, enough, answers).map_err(|placed| {
            answers.clear();
            self.no_such(placed)
        })
    }

    fn view(&self) -> View<'_> {
        let Self { pool, ids, translations, rotations, .. } = self;
        View { circles: &pool.circles, outlines: &pool.outlines, ids, translations, rotations }
    }

    fn check_placed(&self, placed: u32) -> Result<(), Error> {
        if (placed as usize) < self.len() { Ok(()) } else { Err(self.no_such(placed)) }
    }

    fn check_shape(&self, shape: ShapeId) -> Result<(), Error> {
        if self.pool.get(shape).is_some() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::OutOfRange,
            format!("{shape:?} is no shape of this batch: place what its own `add` returned"),
        ))
    }

    #[cold]
    fn no_such(&self, placed: u32) -> Error {
        let message = format!("there is no placed shape {placed}: the batch has {}, counted from 0", self.len());
        Error::new(ErrorKind::OutOfRange, message)
    }
}
