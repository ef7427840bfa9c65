//! Defines the scene, which is the same for all formats.
//!
//! A reader of a format returns a [`Scene`]. Drawings, writers, worlds and the command line see no
//! other type. Fields that a format does not have keep their default.

use std::sync::Arc;

use carom::{Aabb, DVec2, Pose, Shape, Sweep, broad_phase::Filter, world::OneWay};

use crate::Moving;

/// Set of colliders with ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// In file order.
    pub colliders: Vec<SceneCollider>,
    /// Direction of +y. Only drawing uses it.
    pub y: YAxis,
    /// Names of the layer bits. `layers[i]` is the name of bit i, or `None` if the bit has no name. Names have the bits
    /// from 1 on. Bit 0 is the layer of colliders without layers. It has a name only if all 64 bits are used.
    pub layers: Vec<Option<String>>,
    /// Acceleration of all bodies in units per second squared. `None` if the scene has none.
    pub gravity: Option<DVec2>,
    /// Box that encloses the bodies. `None` if the scene has none.
    pub walls: Option<Aabb>,
    /// Files of a merged scene, as written. See [`Origin::file`].
    pub files: Vec<String>,
    /// Objects that were refused, if the reader was told to continue.
    pub skipped: Vec<crate::SkippedObject>,
    /// Objects whose outlines were repaired, if the reader was told to.
    pub repaired: Vec<crate::RepairedObject>,
    /// Kinds of content that were not read completely, each once.
    pub warnings: Vec<String>,
    /// Parts of the file that no collider depends on, each once: appearance and bookkeeping. See
    /// [`coverage`](crate::coverage).
    pub ignored: Vec<String>,
}

/// Direction of +y in the coordinates of the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum YAxis {
    /// Up, as in mathematics.
    #[default]
    Up,
    /// Down, as on screens, in Tiled and in SVG.
    Down,
}

/// Collider of a scene.
///
/// ```
/// use carom::{Pose, Shape};
/// use carom_scene::SceneCollider;
///
/// let wall = SceneCollider { fixed: true, ..SceneCollider::new("wall", Shape::rectangle(1.0, 9.0)?, Pose::IDENTITY) };
/// assert!(wall.to_collider().fixed);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SceneCollider {
    /// Unique in the scene.
    pub id: String,
    /// Shape in local coordinates.
    pub shape: Shape,
    /// Pose of the shape in the scene.
    pub pose: Pose,
    /// Layers, mask and group.
    pub filter: Filter,
    /// Reports contacts, but is not separated from other colliders.
    pub sensor: bool,
    /// Belongs to the level. Two fixed colliders have no contact.
    pub fixed: bool,
    /// Front direction, in local coordinates, of a collider that others can pass from behind.
    pub one_way: Option<OneWay>,
    /// Path and speed of a platform that moves. Only [`Moving::offset`] moves it.
    pub moving: Option<Moving>,
    /// Motion during a sweep, if there is one.
    pub motion: Option<Motion>,
    /// Mass and velocity, for simulation.
    pub body: Option<Body>,
    /// Location of the collider in its file.
    pub origin: Origin,
}

impl SceneCollider {
    /// Creates a solid collider on layer 0 that does not move.
    #[must_use]
    pub fn new(id: impl Into<String>, shape: Shape, pose: Pose) -> Self {
        Self {
            id: id.into(),
            shape,
            pose,
            filter: Filter::default(),
            sensor: false,
            fixed: false,
            one_way: None,
            moving: None,
            motion: None,
            body: None,
            origin: Origin::default(),
        }
    }

    /// Returns the collider with its motion. Without a motion it does not move.
    ///
    /// # Errors
    /// The motion is longer than 1e30, or rotates by more than 572 957 degrees.
    pub fn sweep(&self) -> Result<Sweep<'_>, carom::Error> {
        let start = self.shape.placed(self.pose);
        match self.motion {
            Some(motion) => start.sweep(motion.translation)?.with_rotation_degrees(motion.rotation),
            None => Ok(start.into()),
        }
    }
}

/// Location of a collider in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name in the file. The id is the name, or the name and `#2`, `#3`, … if others have it too.
    pub name: Option<Arc<str>>,
    /// Number in the file. Tiled numbers its objects.
    pub number: Option<u32>,
    /// Id of the object, if it has several colliders.
    pub object: Option<Arc<str>>,
    /// True for the tiles of a tile layer.
    pub is_tile: bool,
    /// Index into [`Scene::files`].
    pub file: u32,
}

/// Motion during a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// In scene units.
    pub translation: DVec2,
    /// In degrees. Positive angles rotate +x towards +y.
    pub rotation: f64,
}

/// Physical values of a body for simulations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Above 0.
    pub mass: f64,
    /// In units per second.
    pub velocity: DVec2,
    /// Restitution: fraction of the speed after a bounce, from 0 to 1.
    pub restitution: f64,
}
