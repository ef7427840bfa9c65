//! Pictures of scenes and of single pairs, as SVG.
//!
//! Everything is mapped to a canvas of fixed width first, so a picture of a 1e-3 scene and one of a 1e6 scene have the same
//! strokes and letters, and the numbers in the file are short.
mod explanation;
mod labels;
mod legend;
mod marks;
mod outline;
mod page;
mod rows;
mod scene;
mod view;

pub use explanation::explanation;
pub use scene::scene;

/// One contact to be drawn: two colliders of the scene, and how they meet.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Index of the first collider.
    pub a: usize,
    /// Index of the second collider.
    pub b: usize,
    /// How they meet, or nearly meet (negative depth).
    pub manifold: carom::Manifold,
}

/// What a picture says beside its shapes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The heading; none if empty.
    pub title: String,
    /// Whether ids and depths are written where they fit.
    pub labels: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { title: String::new(), labels: true }
    }
}
