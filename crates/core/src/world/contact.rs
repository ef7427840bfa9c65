//! Defines the public views of a contact of two colliders.
//!
//! [`ContactRef`] borrows from the columns of `contact_store.rs` and copies only header fields.
//! [`Contact`] is an owned copy. [`ContactSide`] is a contact as seen by one of the two. Its normal
//! points to that collider, so a caller needs no test of the order.

use core::fmt;

use glam::DVec2;

use super::contact_store::{ContactHeader, ContactStore};
use super::handle::Handle;
use crate::query::{ContactPoint, Manifold};

/// A contact of two colliders, owned: the copy that [`ContactRef::to_contact`] returns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Contact {
    /// The first collider: the one with the lower handle.
    pub a: Handle,
    /// The second collider.
    pub b: Handle,
    /// Manifold with the normal from `a` to `b`. For composites: the deepest one.
    pub manifold: Manifold,
    /// If true, one of them is a sensor.
    pub sensor: bool,
}

impl Contact {
    /// Returns the other collider, if `handle` is one of the two.
    #[must_use]
    pub fn other(&self, handle: Handle) -> Option<Handle> {
        self.from(handle).map(|side| side.other)
    }

    /// Returns the contact as seen by `handle`; `None` if it is neither of the two.
    #[must_use]
    pub fn from(&self, handle: Handle) -> Option<ContactSide> {
        ContactSide::new([self.a, self.b], (self.manifold.normal, self.manifold.depth), self.sensor, handle)
    }
}

/// A contact as seen by one of its two colliders.
///
/// ```
/// use carom::{Collider, DVec2, Shape, World};
///
/// let mut world = World::new();
/// let hero = world.insert(Collider::new(Shape::circle(1.0)?).at([0.0, 1.75])?);
/// let floor = world.insert(Collider::new(Shape::rectangle(9.0, 2.0)?).fixed(true));
/// world.update();
/// let [contact] = world.contacts_of(hero).collect::<Vec<_>>()[..] else { panic!() };
/// assert_eq!((contact.other, contact.normal, contact.depth), (floor, DVec2::Y, 0.25));
/// world.set_position(hero, DVec2::new(0.0, 1.75) + contact.mtv())?; // out of the floor
///
/// let as_pair = world.contacts().next().unwrap();
/// assert_eq!((as_pair.a, as_pair.normal), (hero, DVec2::NEG_Y)); // from a to b
/// assert_eq!(as_pair.from(hero), Some(contact));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactSide {
    /// The other collider.
    pub other: Handle,
    /// Unit normal of the other collider's surface, from the other collider to this one.
    pub normal: DVec2,
    /// Depth of the overlap along the normal; 0 if they only touch. Negative: minus the gap, within
    /// the contact margin.
    pub depth: f64,
    /// If true, one of them is a sensor.
    pub sensor: bool,
}

impl ContactSide {
    #[inline]
    fn new([a, b]: [Handle; 2], (normal, depth): (DVec2, f64), sensor: bool, handle: Handle) -> Option<Self> {
        if handle == a {
            // Subtraction from zero gives 0.0 instead of -0.0.
            Some(Self { other: b, normal: DVec2::ZERO - normal, depth, sensor })
        } else {
            (handle == b).then_some(Self { other: a, normal, depth, sensor })
        }
    }

    /// Returns the minimum translation vector: moving this collider by it ends the overlap. If there
    /// is a gap, the vector closes it.
    #[inline]
    #[must_use]
    pub fn mtv(&self) -> DVec2 {
        self.normal * self.depth
    }
}

/// A contact of two colliders that intersect or are within the contact margin, borrowed from the
/// [`World`](super::World).
///
/// Reading only these fields loads no points from memory. [`manifold`](ContactRef::manifold)
/// returns the manifold of [`collide_within`](crate::query::collide_within) with the contact
/// margin, for composites the deepest one.
/// [`manifolds`](ContactRef::manifolds) returns all of them.
///
/// ```
/// use carom::{Collider, DVec2, Shape, World};
///
/// let mut world = World::new();
/// let floor = world.insert(Collider::new(Shape::rectangle(10.0, 2.0)?).fixed(true));
/// let crate_ = world.insert(Collider::new(Shape::rectangle(1.0, 1.0)?).at([2.0, 1.25])?);
/// world.update();
/// let contact = world.contact_between(crate_, floor).unwrap();
/// assert_eq!((contact.a, contact.b), (floor, crate_));
/// assert_eq!((contact.normal, contact.depth), (DVec2::Y, 0.25));
/// assert_eq!(contact.points().len(), 2);
/// assert_eq!(contact.manifold().mtv(), DVec2::new(0.0, 0.25));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ContactRef<'a> {
    /// The first collider: the one with the lower handle.
    pub a: Handle,
    /// The second collider.
    pub b: Handle,
    /// Unit normal from the first collider to the second. For composites: that of the deepest
    /// manifold.
    pub normal: DVec2,
    /// Depth of the overlap along the normal; 0 if they only touch. Negative: minus the gap, within
    /// the contact margin.
    pub depth: f64,
    /// If true, one of them is a sensor.
    pub sensor: bool,
    header: &'a ContactHeader,
    store: &'a ContactStore,
}

impl<'a> ContactRef<'a> {
    #[inline(always)]
    pub(super) fn new(&[a, b]: &[Handle; 2], header: &'a ContactHeader, store: &'a ContactStore) -> Self {
        Self { a, b, normal: header.normal, depth: header.depth, sensor: header.is_sensor(), header, store }
    }

    /// Returns the other collider, if `handle` is one of the two.
    #[must_use]
    pub fn other(&self, handle: Handle) -> Option<Handle> {
        self.from(handle).map(|side| side.other)
    }

    /// Returns the contact as seen by `handle`; `None` if it is neither of the two.
    #[inline]
    #[must_use]
    pub fn from(&self, handle: Handle) -> Option<ContactSide> {
        ContactSide::new(self.pair(), (self.normal, self.depth), self.sensor, handle)
    }

    /// Returns the minimum translation vector: moving `b` by it ends the overlap. If there is a gap,
    /// the vector closes it.
    #[inline]
    #[must_use]
    pub fn mtv(&self) -> DVec2 {
        self.normal * self.depth
    }

    /// Returns the points of the [`manifold`](ContactRef::manifold): one or two.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &'a [ContactPoint] {
        self.store.points(self.header)
    }

    /// Returns the manifold, with the normal from `a` to `b`. For composites: the deepest one. Tie:
    /// the first one.
    #[inline]
    #[must_use]
    pub fn manifold(&self) -> Manifold {
        self.store.manifold(self.header)
    }

    /// Returns one manifold for each pair of parts that intersects or is within the contact margin,
    /// sorted by parts. For a contact that has ended: only the deepest.
    #[must_use]
    pub fn manifolds(&self) -> impl ExactSizeIterator<Item = Manifold> + Clone + use<'a> {
        self.store.manifolds(self.header)
    }

    /// Returns a copy that does not borrow the world.
    #[must_use]
    pub fn to_contact(&self) -> Contact {
        Contact { a: self.a, b: self.b, manifold: self.manifold(), sensor: self.sensor }
    }

    /// Returns true if there is a gap, within the contact margin.
    #[inline]
    pub(crate) fn is_gap(&self) -> bool {
        self.depth < 0.0
    }

    #[inline]
    pub(super) fn pair(&self) -> [Handle; 2] {
        [self.a, self.b]
    }
}

/// A contact that each of its two colliders can view from its side. Implemented only by the
/// contacts of this module.
pub trait Sides: Copy {
    /// Returns the contact as seen by `handle`; `None` if it is neither of the two.
    fn seen_by(&self, handle: Handle) -> Option<ContactSide>;
}

impl Sides for Contact {
    fn seen_by(&self, handle: Handle) -> Option<ContactSide> {
        self.from(handle)
    }
}

impl Sides for ContactRef<'_> {
    fn seen_by(&self, handle: Handle) -> Option<ContactSide> {
        self.from(handle)
    }
}

/// Access by index.
impl ContactStore {
    #[inline(always)]
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = ContactRef<'_>> + Clone {
        self.pairs.iter().zip(&self.headers).map(|(pair, header)| ContactRef::new(pair, header, self))
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<ContactRef<'_>> {
        Some(ContactRef::new(self.pairs.get(index)?, self.headers.get(index)?, self))
    }

    /// Returns the contact at a valid index.
    #[inline]
    pub(super) fn at(&self, index: u32) -> ContactRef<'_> {
        ContactRef::new(&self.pairs[index as usize], &self.headers[index as usize], self)
    }
}

impl fmt::Debug for ContactRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("ContactRef");
        all.field("a", &self.a)
            .field("b", &self.b)
            .field("manifold", &self.manifold())
            .field("sensor", &self.sensor)
            .finish_non_exhaustive()
    }
}

impl PartialEq for ContactRef<'_> {
    /// Returns true if colliders, sensor flag and all manifolds are equal, in this world or
    /// another.
    fn eq(&self, other: &Self) -> bool {
        (self.pair(), self.sensor) == (other.pair(), other.sensor) && self.manifolds().eq(other.manifolds())
    }
}
