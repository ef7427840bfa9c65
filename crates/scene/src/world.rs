//! Converts a scene to a world, and keeps the handles of its colliders by id.

use std::ops::Index;

use carom::{Collider, Handle, World};

use crate::{Scene, SceneCollider};

impl SceneCollider {
    /// Returns the collider for a [`World`]: shape, pose, filter, sensor, fixed and one-way. It has
    /// no path, no motion and no body.
    #[must_use]
    pub fn to_collider(&self) -> Collider {
        let mut collider = Collider::new(self.shape.clone()).pose(self.pose).sensor(self.sensor).fixed(self.fixed);
        (collider.filter, collider.one_way) = (self.filter, self.one_way);
        collider
    }
}

impl Scene {
    /// Returns a world with all colliders of the scene, and their handles by id.
    ///
    /// The world has been updated once. Its contacts are those of `carom check`, except at one-way
    /// colliders: the world ignores colliders inside them at the start. Only colliders with `fixed`
    /// are fixed: call [`World::set_fixed`] for other level geometry. Bodies, motions and paths are
    /// not in the world. They are fields of [`SceneCollider`].
    ///
    /// ```
    /// use carom_scene::{Options, read};
    ///
    /// let json = br#"{"carom": 1, "colliders": [
    ///     {"id": "floor", "shape": {"rectangle": {"width": 10, "height": 2}}},
    ///     {"id": "ball", "shape": {"circle": {"radius": 1}}, "position": [0, 1.75]}
    /// ]}"#;
    /// let scene = read("level.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
    /// let (mut world, handles) = scene.to_world();
    /// let contact = world.contacts_of(handles["ball"]).next().unwrap();
    /// assert_eq!((handles.id(contact.other), contact.depth), (Some("floor"), 0.25));
    /// world.set_position(handles["ball"], [0.0, 5.0]).unwrap();
    /// # Ok::<(), carom_scene::Error>(())
    /// ```
    #[must_use]
    pub fn to_world(&self) -> (World, Handles) {
        let mut world = World::new();
        let handles = self.insert_into(&mut world);
        world.update();
        (world, handles)
    }

    /// Inserts all colliders of the scene into a world, in file order, and returns their handles by
    /// id.
    pub fn insert_into(&self, world: &mut World) -> Handles {
        let insert = |collider: &SceneCollider| (collider.id.clone(), world.insert(collider.to_collider()));
        Handles::new(self.colliders.iter().map(insert).collect())
    }
}

/// Handles of the colliders of a scene, by id and in file order. See [`Scene::to_world`].
///
/// `handles["ball"]` panics if the scene has no such id; [`get`](Handles::get) returns an `Option`.
///
/// ```
/// use carom::{Pose, Shape, World};
/// use carom_scene::{Scene, SceneCollider};
///
/// let shape = Shape::circle(1.0)?;
/// let ball = SceneCollider::new("ball", shape, Pose::IDENTITY);
/// let handles = Scene { colliders: vec![ball], ..Scene::default() }.insert_into(&mut World::new());
/// assert_eq!((handles.len(), handles.id(handles["ball"]), handles.get("block")), (1, Some("ball"), None));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handles {
    /// In file order.
    entries: Vec<(String, Handle)>,
    /// Indices of `entries`, sorted by id.
    by_id: Vec<usize>,
    /// Indices of `entries`, sorted by handle.
    by_handle: Vec<usize>,
}

impl Handles {
    fn new(entries: Vec<(String, Handle)>) -> Self {
        let (mut by_id, mut by_handle): (Vec<usize>, Vec<usize>) =
            ((0..entries.len()).collect(), (0..entries.len()).collect());
        by_id.sort_by_key(|&i| &entries[i].0);
        by_handle.sort_by_key(|&i| entries[i].1);
        Self { entries, by_id, by_handle }
    }

    /// Returns the handle of an id. If two colliders have the id, the handle of the first.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Handle> {
        let first = self.by_id.partition_point(|&i| self.entries[i].0.as_str() < id);
        let (found, handle) = &self.entries[*self.by_id.get(first)?];
        (found == id).then_some(*handle)
    }

    /// Returns the id of a handle. `None` if the collider is not in the scene.
    #[must_use]
    pub fn id(&self, handle: Handle) -> Option<&str> {
        let found = self.by_handle.binary_search_by_key(&handle, |&i| self.entries[i].1).ok()?;
        Some(&self.entries[self.by_handle[found]].0)
    }

    /// Returns all ids and handles in file order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Handle)> {
        self.entries.iter().map(|(id, handle)| (id.as_str(), *handle))
    }

    /// Returns the number of colliders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the scene had no colliders.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Index<&str> for Handles {
    type Output = Handle;

    fn index(&self, id: &str) -> &Handle {
        let first = self.by_id.partition_point(|&i| self.entries[i].0.as_str() < id);
        match self.by_id.get(first).map(|&i| &self.entries[i]) {
            Some((found, handle)) if found == id => handle,
            _ => panic!("the scene has no collider {id:?}"),
        }
    }
}
