//! Stores a world of colliders: insert, move and update them, then read contacts and events.
//!
//! A world has no bodies, masses or time. [`World`] and the types that most users need are exported
//! at the crate root too.
//!
//! | layer | modules |
//! |---|---|
//! | columns of colliders | `collider_set`, `handle`, `collider`, `contact_margins` |
//! | changes between updates | `mutation`, `contact_margin`, `command`, `disabled_pairs` |
//! | an update | `ccd`, `world_broad_phase`, `update`, `narrow_phase`, `one_way_filter`, `contact_diff` |
//! | results | `contact_store`, `contact_graph`, `contact`, `events` |
//! | queries, snapshots, drawing | `spatial`, `snapshot`, `debug_draw` |
//!
//! ```
//! use carom::world::QueryFilter;
//! use carom::{Collider, Shape, World};
//!
//! let mut world = World::new();
//! let ball = world.insert(Collider::new(Shape::circle(1.0)?));
//! assert_eq!(world.containing_point([0.5, 0.0], QueryFilter::ALL)?, [ball]);
//! # Ok::<(), carom::Error>(())
//! ```

mod ccd;
mod ccd_surface;
mod circle_bounds;
mod collider;
mod collider_set;
mod command;
mod contact;
mod contact_diff;
mod contact_graph;
mod contact_margin;
mod contact_margins;
mod contact_store;
mod debug_draw;
mod disabled_pairs;
mod events;
mod handle;
mod moving_filters;
mod mutation;
mod narrow_phase;
mod one_way;
mod one_way_filter;
mod pair_adjacency;
mod radix_sort;
mod revision;
mod snapshot;
mod solver_access;
mod spatial;
mod start_overlap;
mod surface_stop;
mod update;
mod world_broad_phase;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use glam::DVec2;

use crate::broad_phase::{Adaptive, BroadPhase, Stats};
use crate::math::pose::Pose;
use crate::shape::{Placed, Shape};
use ccd::PendingMotions;
pub use ccd::{Collision, MotionHit};
pub use collider::{Collider, ColliderRef};
use collider_set::ColliderSet;
pub use command::Command;
pub use contact::{Contact, ContactRef, ContactSide};
use contact_diff::WorkerBuffers;
use contact_graph::ContactGraph;
pub use debug_draw::{DebugDraw, DebugDrawKind, DebugDrawOptions};
use disabled_pairs::DisabledPairs;
use events::Events;
pub use events::{Event, TakenEvents};
pub use handle::Handle;
pub use one_way::OneWay;
use radix_sort::PairSorter;
pub(crate) use revision::Revision;
use snapshot::Recorder;
pub use snapshot::Recording;
pub(crate) use solver_access::ColliderState;
pub use spatial::{CastOptions, OneWayCast, QueryFilter, ViewCone};
pub(crate) use spatial::{ColliderAt, Margins, SurfaceBuffers};
use update::{Candidates, ChunkOutputs};
use world_broad_phase::WorldBroadPhase;

/// A set of colliders that reports contacts, events and query results.
///
/// Insert colliders, move them, call [`update`](World::update), then read
/// [`contacts`](World::contacts) and [`events`](World::events). Only these calls move colliders.
/// Contacts and events are sorted by [`Handle`]. They do not depend on the broad phase.
///
/// A clone is a snapshot: it continues exactly as the original does, but does not record.
///
/// ```
/// use carom::{Collider, Event, Pose, Shape, World};
///
/// let mut world = World::new();
/// let ball = world.insert(Collider::new(Shape::circle(0.5)?).at([0.0, 3.0])?);
/// let floor = world.insert(Collider::new(Shape::rectangle(10.0, 1.0)?).fixed(true));
/// world.update();
/// assert_eq!(world.contacts().len(), 0);
///
/// world.set_pose(ball, Pose::from_translation([0.0, 0.75])?)?;
/// world.update();
/// let Some(Event::Begin(contact)) = world.events().next() else { panic!() };
/// assert_eq!((contact.a, contact.b, contact.depth), (ball, floor, 0.25));
///
/// world.remove(ball);
/// world.update();
/// assert!(matches!(world.events().next(), Some(Event::End(contact)) if contact.a == ball));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone)]
pub struct World {
    columns: ColliderSet,
    space: WorldBroadPhase,
    disabled_pairs: DisabledPairs,
    /// Contacts of the last update.
    contacts: ContactGraph,
    /// During an update: contacts of the update before. Else empty, kept to reuse its memory.
    last: ContactGraph,
    events: Events,
    /// The buffer of [`World::take_events`].
    taken_events: Arc<Vec<Event>>,
    /// Colliders that were removed between the last two updates, sorted by handle.
    removed: Vec<(Handle, Collider)>,
    /// Colliders that were removed since the last update.
    removed_since: Vec<(Handle, Collider)>,
    motions: PendingMotions,
    /// Pairs that intersect but are no contact, because one of the two is one-way and lets the
    /// other pass. Sorted.
    passing: Vec<[Handle; 2]>,
    /// During an update: passing pairs of the update before. Else empty.
    last_passing: Vec<[Handle; 2]>,
    recorder: Recorder,
    /// If true, the last update had a user filter.
    filtered: bool,
    candidates: usize,
    /// Candidate pairs of the last update, in any order, and those that needed the narrow phase.
    boxes: Candidates,
    sorter: PairSorter,
    /// Buffers of the threads.
    worker_buffers: Vec<WorkerBuffers>,
    lists: ChunkOutputs,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// Creates an empty world with the adaptive broad phase, which selects a strategy from its
    /// content and queries.
    #[must_use]
    pub fn new() -> Self {
        Self::with_broad_phase(Adaptive::new())
    }

    /// Creates an empty world with the given broad phase, which must be empty.
    ///
    /// ```
    /// use carom::World;
    /// use carom::broad_phase::BruteForce;
    ///
    /// let world = World::with_broad_phase(BruteForce::new());
    /// assert_eq!(world.broad_phase_name(), "brute");
    /// ```
    #[must_use]
    pub fn with_broad_phase(broad: impl BroadPhase + Clone + Send + Sync + 'static) -> Self {
        Self {
            columns: ColliderSet::default(),
            space: WorldBroadPhase::new(broad),
            disabled_pairs: DisabledPairs::default(),
            contacts: ContactGraph::default(),
            last: ContactGraph::default(),
            events: Events::default(),
            taken_events: Arc::default(),
            removed: Vec::new(),
            removed_since: Vec::new(),
            motions: PendingMotions::default(),
            passing: Vec::new(),
            last_passing: Vec::new(),
            recorder: Recorder::default(),
            filtered: false,
            candidates: 0,
            boxes: Candidates::default(),
            sorter: PairSorter::default(),
            worker_buffers: Vec::new(),
            lists: ChunkOutputs::default(),
        }
    }

    /// Returns the name of the broad phase.
    #[must_use]
    pub fn broad_phase_name(&self) -> &'static str {
        self.space.broad.name()
    }

    /// Returns statistics of the last pair search of the broad phase.
    ///
    /// ```
    /// use carom::World;
    /// use carom::broad_phase::SortAndSweep;
    ///
    /// let mut world = World::with_broad_phase(SortAndSweep::new());
    /// world.update();
    /// assert_eq!((world.broad_phase_stats().strategy, world.broad_phase_stats().box_tests), ("sweep", 0));
    /// ```
    #[must_use]
    pub fn broad_phase_stats(&self) -> Stats {
        self.space.broad.stats()
    }

    /// Returns the number of colliders, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len
    }

    /// Returns true if the world contains no collider.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.len == 0
    }

    /// Returns true if the handle is not stale: its collider was not removed.
    #[must_use]
    pub fn contains(&self, handle: Handle) -> bool {
        self.columns.find(handle).is_some()
    }

    /// Returns the present state of a collider; `None` if the handle is stale.
    #[must_use]
    pub fn get(&self, handle: Handle) -> Option<ColliderRef<'_>> {
        self.columns.find(handle).map(|slot| self.columns.view(slot))
    }

    /// Returns the shape of a collider; `None` if the handle is stale.
    #[inline]
    #[must_use]
    pub fn shape(&self, handle: Handle) -> Option<&Shape> {
        self.columns.find(handle).map(|slot| &self.columns.shapes[slot as usize])
    }

    /// Returns the pose of a collider; `None` if the handle is stale.
    #[inline]
    #[must_use]
    pub fn pose(&self, handle: Handle) -> Option<Pose> {
        self.columns.find(handle).map(|slot| self.columns.poses_and_boxes[slot as usize].pose)
    }

    /// Returns the position of a collider, the translation of its [`pose`](World::pose); `None` if the handle is stale.
    #[inline]
    #[must_use]
    #[doc(alias = "translation")]
    pub fn position(&self, handle: Handle) -> Option<DVec2> {
        self.pose(handle).map(|pose| pose.translation())
    }

    /// Returns the shape of a collider at its pose, for pair queries; `None` if the handle is
    /// stale.
    #[inline]
    #[must_use]
    pub fn placed(&self, handle: Handle) -> Option<Placed<'_>> {
        self.columns.find(handle).map(|slot| self.columns.placed(slot))
    }

    /// Returns a collider that was removed since the update before the last one. Contacts and events may still refer to
    /// it. Returns `None` for a collider that was inserted and removed between two updates: no contact and no event
    /// refers to it.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let ball = Collider::new(Shape::circle(1.0)?);
    /// let coin = world.insert(ball.clone().user_data(7));
    /// world.update();
    /// let spark = world.insert(ball);
    /// world.remove(coin);
    /// world.remove(spark);
    /// world.update();
    /// assert_eq!(world.removed_collider(coin).map(|coin| coin.user_data), Some(7));
    /// assert_eq!(world.removed_collider(spark), None);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn removed_collider(&self, handle: Handle) -> Option<&Collider> {
        let before =
            self.removed.binary_search_by_key(&handle, |(handle, _)| *handle).ok().map(|found| &self.removed[found].1);
        before
            .or_else(|| self.removed_since.iter().find(|(removed, _)| *removed == handle).map(|(_, collider)| collider))
    }

    /// Returns all handles, sorted.
    pub fn handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.columns.live_slots().map(|slot| self.columns.handle(slot))
    }

    /// Returns all colliders, sorted by handle.
    #[doc(alias = "iter")]
    pub fn colliders(&self) -> impl Iterator<Item = (Handle, ColliderRef<'_>)> {
        self.columns.live_slots().map(|slot| (self.columns.handle(slot), self.columns.view(slot)))
    }

    /// Returns the contacts of the last update, one per pair, sorted by handles. With a [contact
    /// margin](World::set_default_contact_margin), pairs with a gap are among them.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 1.5, 3.25] {
    ///     world.insert(Collider::new(Shape::circle(1.0)?).at([x, 0.0])?);
    /// }
    /// world.update();
    /// let depths: Vec<f64> = world.contacts().map(|contact| contact.depth).collect();
    /// assert_eq!(depths, [0.5, 0.25]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn contacts(&self) -> impl ExactSizeIterator<Item = ContactRef<'_>> + Clone {
        self.contacts.store.iter()
    }

    /// Returns the contacts of one collider at the last update as seen by it, sorted by the other
    /// handle. Works for colliders that were removed since, too.
    ///
    /// [`contact_between`](World::contact_between) has the points and manifolds.
    ///
    /// ```
    /// use carom::{Collider, DVec2, Shape, World};
    ///
    /// let mut world = World::new();
    /// let ball = Collider::new(Shape::circle(1.0)?);
    /// let a = world.insert(ball.clone());
    /// let b = world.insert(ball.clone().at([1.5, 0.0])?);
    /// let c = world.insert(ball.at([3.0, 0.0])?);
    /// world.update();
    /// let seen: Vec<_> = world.contacts_of(b).map(|contact| (contact.other, contact.mtv())).collect();
    /// assert_eq!(seen, [(a, DVec2::new(0.5, 0.0)), (c, DVec2::new(-0.5, 0.0))]); // each moves b out
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[doc(alias = "collisions")]
    pub fn contacts_of(&self, handle: Handle) -> impl Iterator<Item = ContactSide> + '_ {
        self.contacts.of(handle).filter_map(move |contact| contact.from(handle))
    }

    /// Returns the contact of two colliders at the last update, in either order; `None` if there is
    /// none.
    #[must_use]
    pub fn contact_between(&self, a: Handle, b: Handle) -> Option<ContactRef<'_>> {
        self.contacts.between(a, b)
    }

    /// Returns the contacts that began or ended at the last update, sorted by handles.
    #[must_use]
    pub fn events(&self) -> impl ExactSizeIterator<Item = Event<ContactRef<'_>>> + Clone {
        self.events.iter(&self.contacts.store)
    }

    /// Returns copies of the [`events`](World::events) that do not borrow the world, so that a loop
    /// over them may change it.
    ///
    /// The events themselves stay readable until the next update. The next call reuses the memory
    /// if the iterator was dropped by then.
    ///
    /// ```
    /// use carom::{Collider, Shape, World};
    ///
    /// let mut world = World::new();
    /// let player = world.insert(Collider::new(Shape::circle(1.0)?));
    /// world.insert(Collider::new(Shape::circle(0.5)?).at([1.0, 0.0])?.sensor(true)); // a coin
    /// world.update();
    /// for event in world.take_events() {
    ///     if event.is_begin() && let Some(coin) = event.other(player) {
    ///         world.remove(coin);
    ///     }
    /// }
    /// assert_eq!(world.len(), 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn take_events(&mut self) -> TakenEvents {
        if Arc::get_mut(&mut self.taken_events).is_none() {
            self.taken_events = Arc::default();
        }
        if let Some(taken) = Arc::get_mut(&mut self.taken_events) {
            taken.clear();
            self.events.iter(&self.contacts.store).for_each(|event| taken.push(event.copied()));
        }
        TakenEvents::new(self.taken_events.clone())
    }

    /// Returns the number of candidates of the last update. Their boxes intersect, or are within
    /// the contact margin along both axes, and their filters allow a contact. It is the same for
    /// every broad phase.
    #[must_use]
    pub fn candidate_count(&self) -> usize {
        self.candidates
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("broad_phase", &self.broad_phase_name())
            .field("colliders", &self.len())
            .field("contacts", &self.contacts().len())
            .field("events", &self.events().len())
            .finish_non_exhaustive()
    }
}
