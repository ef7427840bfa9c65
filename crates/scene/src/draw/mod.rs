//! Draws scenes and pairs as SVG.
//!
//! All coordinates are mapped to a canvas of fixed width first. So pictures of scenes of size 1e-3
//! and 1e6 have the same strokes and letters, and the numbers in the file are short.
mod animation;
mod contact_points;
mod containment;
mod gjk;
mod labels;
mod legend;
mod marks;
mod motions;
mod page;
mod pair;
mod plot;
mod sat;
mod sat_rows;
mod scene;
mod shape;
mod time_of_impact;
mod transform;
mod walk;

pub use animation::Animation;
pub use containment::containment;
pub use gjk::gjk;
pub use motions::{Hit, motions};
pub use plot::{Line, Panel, plot};
pub use sat::sat;
pub use scene::{contained, scene, shapes};
pub use time_of_impact::time_of_impact;
pub use walk::{WalkPoint, walk};

/// Contact of two colliders of the scene, for drawing.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Index of the first collider.
    pub a: usize,
    /// Index of the second collider.
    pub b: usize,
    /// Contact manifold. For composites that of the deepest part pair. Near misses have a negative
    /// depth.
    pub manifold: carom::Manifold,
    /// Contact points of all part pairs, each once.
    pub points: Vec<carom::query::ContactPoint>,
}

impl Contact {
    /// Returns the contact of two colliders at most the margin apart: the deepest manifold, and all
    /// points.
    ///
    /// ```
    /// use carom::{Pose, Shape};
    /// use carom_scene::draw::Contact;
    ///
    /// let ball = Shape::circle(1.0)?;
    /// let contact = Contact::between([0, 1], ball.at([0.0, 0.0])?, ball.at([1.5, 0.0])?, 0.0).unwrap();
    /// assert_eq!((contact.manifold.depth, contact.points.len()), (0.5, 1));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn between(
        [a, b]: [usize; 2],
        first: carom::Placed<'_>,
        second: carom::Placed<'_>,
        margin: f64,
    ) -> Option<Self> {
        let manifold = carom::query::collide_within(first, second, margin)?;
        let points = if first.shape().part_count() * second.shape().part_count() > 1 {
            let mut all = vec![];
            carom::query::manifolds_within(first, second, margin, &mut all);
            let all: Vec<_> = all.iter().flat_map(carom::Manifold::points).copied().collect();
            contact_points::unique(&all)
        } else {
            manifold.points().to_vec()
        };
        Some(Self { a, b, manifold, points })
    }
}

/// Text options of a picture.
#[derive(Clone, Debug)]
pub struct Options {
    /// Heading. None if empty.
    pub title: String,
    /// Writes ids and depths if there is space.
    pub labels: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { title: String::new(), labels: true }
    }
}
