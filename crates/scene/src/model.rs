//! What a scene is once it has been read, whichever format it came from.
use carom::{Aabb, DVec2, Pose, Shape, Sweep, broad_phase::Filter};

/// A set of colliders with ids, ready to be checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// In file order.
    pub colliders: Vec<SceneCollider>,
    /// Which way +y points; only drawing looks at it.
    pub y: YAxis,
    /// Names of the layer bits: `layers[i]` names bit i (`None`: a bare number, or unused).
    pub layers: Vec<Option<String>>,
    /// Acceleration of all bodies, in units per second squared, if the scene names one.
    pub gravity: Option<DVec2>,
    /// The box that bodies stay in, if the scene names one.
    pub walls: Option<Aabb>,
    /// What could not be read, where the reader was asked to go on.
    pub skipped: Vec<crate::SkippedObject>,
    /// What was read, but not all of it, or not as it stands: each kind once.
    pub warnings: Vec<String>,
}

/// Which way +y points in the scene's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum YAxis {
    /// Up, as in mathematics.
    #[default]
    Up,
    /// Down, as on screens, in Tiled and in SVG.
    Down,
}

/// One collider.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneCollider {
    /// Unique in the scene.
    pub id: String,
    /// The shape in its own frame.
    pub shape: Shape,
    /// Where it is.
    pub pose: Pose,
    /// Layers, mask and group.
    pub filter: Filter,
    /// Reports contacts but does not push.
    pub sensor: bool,
    /// How it moves during a sweep, if it moves.
    pub motion: Option<Motion>,
    /// Mass and velocity, for simulation.
    pub body: Option<Body>,
}

impl SceneCollider {
    /// The collider in its motion; without one it stays where it is.
    ///
    /// # Errors
    /// A motion that leads farther than 1e30, or turns by more than 572 957 degrees.
    pub fn sweep(&self) -> Result<Sweep<'_>, carom::Error> {
        let start = self.shape.placed(self.pose);
        match self.motion {
            Some(motion) => start.sweep(motion.translation)?.with_rotation_degrees(motion.rotation),
            None => Ok(start.into()),
        }
    }
}

/// A movement during one sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// In scene units.
    pub translation: DVec2,
    /// In degrees; positive turns +x toward +y.
    pub rotation: f64,
}

/// What a body needs to be simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Above 0.
    pub mass: f64,
    /// In units per second.
    pub velocity: DVec2,
    /// Share of the speed that a bounce keeps, 0 to 1.
    pub restitution: f64,
}
