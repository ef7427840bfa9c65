//! Draws scenes in motion, as still and moving parts or as an animated SVG.
//!
//! Input: a scene, and the position of each moving collider in each frame. Output: an SVG with one
//! animated transform per moving collider, or separate pictures of the background and of each
//! moving collider.
//!
//! A film of separate SVG files would draw every shape in every frame. Here a shape is drawn once
//! and translated, because colliders of `simulate` do not rotate. The command line renders the
//! separate pictures once and composes the frames of a GIF from their pixels.

use std::fmt::Write;

use carom::{Aabb, DVec2};
use svg::node::element::{Element, Group, Rectangle};

use super::page::{self, FAINT, FIRST, IN_CONTACT, MARGIN, NO_CONTACT, Page, SECOND, WIDTH, short};
use super::scene::{on_page, placed};
use super::shape;
use super::transform::View;
use crate::{Scene, YAxis};

/// Largest height of the drawing.
const TALLEST: f64 = 760.0;

/// Pictures of a scene whose colliders translate.
///
/// ```
/// # use carom_scene::{Options, draw::Animation, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}, "body": {"mass": 1, "velocity": [1, 0]}}]}"#;
/// # let scene = read("one.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let frames = [vec![[0.0, 0.0].into()], vec![[5.0, 0.0].into()]];
/// let film = Animation::new(&scene, &frames);
/// assert!(film.animated(0.5).contains("<animateTransform"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub struct Animation<'a> {
    scene: &'a Scene,
    /// Position of the origin of each moving collider, for each frame.
    frames: &'a [Vec<DVec2>],
    view: View,
    height: f64,
    /// Index of each moving collider.
    bodies: Vec<usize>,
    /// Position of each moving collider in the scene.
    starts: Vec<DVec2>,
    masses: Vec<u64>,
    /// Index of the colour of each moving collider, for each frame.
    tints: &'a [Vec<u8>],
    /// Stroke and fill.
    colours: &'a [[String; 2]],
}

impl<'a> Animation<'a> {
    /// Returns an animation. Each frame has the positions of the colliders with a body, in file
    /// order.
    #[must_use]
    pub fn new(scene: &'a Scene, frames: &'a [Vec<DVec2>]) -> Self {
        let mut bounds = scene.walls;
        let mut add = |aabb: Aabb| bounds = Some(bounds.map_or(aabb, |all| all.union(&aabb)));
        scene.colliders.iter().for_each(|collider| add(placed(collider).aabb()));
        for (k, collider) in scene.colliders.iter().filter(|collider| collider.body.is_some()).enumerate() {
            let positions = frames.iter().filter_map(|frame| frame.get(k));
            let Some((low, high)) = positions.map(|&p| (p, p)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
                continue;
            };
            let (aabb, origin) = (placed(collider).aabb(), collider.pose.translation());
            let corner = |p: DVec2, corner: DVec2| p + (corner - origin);
            if let Ok(reached) = Aabb::new(corner(low, aabb.min()), corner(high, aabb.max())) {
                add(reached);
            }
        }
        let available = DVec2::new(WIDTH - 2.0 * MARGIN, TALLEST);
        let bounds = bounds.unwrap_or_else(nowhere);
        let (view, height) = View::fit(&bounds, scene.y == YAxis::Up, DVec2::splat(MARGIN), available, 40.0);
        let bodies = scene.colliders.iter().filter_map(|collider| collider.body);
        let mut masses: Vec<u64> = bodies.map(|body| body.mass.to_bits()).collect();
        masses.sort_unstable();
        masses.dedup();
        let bodies: Vec<usize> = (0..scene.colliders.len()).filter(|&i| scene.colliders[i].body.is_some()).collect();
        let starts = bodies.iter().map(|&i| scene.colliders[i].pose.translation()).collect();
        Self { scene, frames, view, height, bodies, starts, masses, tints: &[], colours: &[] }
    }

    /// Sets the colours of the moving colliders. `tints` has the index of a colour for each collider
    /// in each frame, `colours` the stroke and the fill of each index. Without colours, they stand
    /// for masses.
    #[must_use]
    pub fn tinted(self, tints: &'a [Vec<u8>], colours: &'a [[String; 2]]) -> Self {
        Self { tints, colours, ..self }
    }

    /// Returns the colour of a moving collider in a frame.
    fn colour(&self, mover: usize, frame: usize) -> Option<&'a [String; 2]> {
        let index = *self.tints.get(frame)?.get(mover)?;
        self.colours.get(usize::from(index))
    }

    /// Returns an SVG that repeats the frames. Each is shown for the given number of seconds.
    #[must_use]
    pub fn animated(&self, seconds: f64) -> String {
        let mut page = self.page();
        let duration = format!("{}s", short(seconds * self.frames.len().max(1) as f64).max(0.01));
        for (k, mut element) in self.movers().enumerate() {
            let mut values = String::new();
            for frame in self.frames {
                let offset = self.offset(k, frame);
                write!(values, "{}{} {}", if values.is_empty() { "" } else { ";" }, short(offset.x), short(offset.y))
                    .expect("a String takes all");
            }
            let mut animation = Element::new("animateTransform");
            for (name, value) in [("attributeName", "transform"), ("type", "translate"), ("repeatCount", "indefinite")]
            {
                svg::Node::assign(&mut animation, name, value);
            }
            svg::Node::assign(&mut animation, "dur", duration.clone());
            svg::Node::assign(&mut animation, "values", values);
            svg::Node::append(&mut element, animation);
            for (i, attribute) in ["stroke", "fill"].into_iter().enumerate() {
                let colours: Vec<&str> =
                    (0..self.frames.len()).filter_map(|f| Some(self.colour(k, f)?[i].as_str())).collect();
                if let Some(first) = colours.first() {
                    svg::Node::assign(&mut element, attribute, *first);
                    svg::Node::append(&mut element, flashing(attribute, &duration, &colours));
                }
            }
            page.add(element);
        }
        self.finish(page)
    }

    /// Returns the page without the moving colliders.
    #[must_use]
    pub fn static_page(&self) -> String {
        self.finish(self.page())
    }

    /// Returns the number of moving colliders.
    #[must_use]
    pub fn mover_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns a moving collider alone, at its position in the scene, on a transparent page. Its
    /// colour is that of [`tinted`](Self::tinted) with this index, if there is one.
    #[must_use]
    pub fn mover_picture(&self, mover: usize, tint: u8) -> Option<String> {
        let mut element = self.mover(mover)?;
        if let Some(colour) = self.colours.get(usize::from(tint)) {
            svg::Node::assign(&mut element, "stroke", colour[0].clone());
            svg::Node::assign(&mut element, "fill", colour[1].clone());
        }
        Some(self.alone(element))
    }

    fn alone(&self, element: Group) -> String {
        let height = self.height + 2.0 * MARGIN;
        svg::Document::new()
            .set("viewBox", (0, 0, WIDTH, height.ceil()))
            .set("width", WIDTH)
            .set("height", height.ceil())
            .add(element)
            .to_string()
    }

    /// Returns the offset of a moving collider from its position in the scene, in page units.
    #[must_use]
    pub fn offset(&self, mover: usize, frame: &[DVec2]) -> DVec2 {
        match (self.starts.get(mover), frame.get(mover)) {
            (Some(&start), Some(&there)) => self.view.point(there) - self.view.point(start),
            _ => DVec2::ZERO,
        }
    }

    fn page(&self) -> Page {
        let bodies = self.scene.colliders.iter().filter(|collider| collider.body.is_some()).count();
        let mut page = Page::bare(&format!("{bodies} bodies in motion"));
        if let Some(walls) = &self.scene.walls {
            let area = on_page(walls, &self.view);
            let frame = Rectangle::new()
                .set("x", short(area.min.x))
                .set("y", short(area.min.y))
                .set("width", short(area.size().x))
                .set("height", short(area.size().y))
                .set("fill", "none")
                .set("stroke", FAINT);
            page.add(frame);
        }
        for collider in self.scene.colliders.iter().filter(|collider| collider.body.is_none()) {
            let element = styled(shape::element(placed(collider), &collider.id, &self.view), NO_CONTACT);
            page.add(if collider.sensor {
                element.set("stroke-dasharray", "4 3").set("fill-opacity", 0.12)
            } else {
                element
            });
        }
        page
    }

    fn finish(&self, mut page: Page) -> String {
        page.y = self.height + MARGIN;
        page.finish()
    }

    /// Returns all moving colliders.
    fn movers(&self) -> impl Iterator<Item = Group> {
        (0..self.bodies.len()).filter_map(|mover| self.mover(mover))
    }

    /// Chooses the colour by mass: the smallest, the second smallest, all others.
    fn mover(&self, mover: usize) -> Option<Group> {
        let collider = &self.scene.colliders[*self.bodies.get(mover)?];
        let colours = match self.masses.binary_search(&collider.body?.mass.to_bits()) {
            Ok(0) => FIRST,
            Ok(1) => SECOND,
            _ => IN_CONTACT,
        };
        Some(styled(shape::element(placed(collider), &collider.id, &self.view), colours))
    }
}

/// Returns an animation of a colour that changes at once from frame to frame.
fn flashing(attribute: &str, duration: &str, colours: &[&str]) -> Element {
    let mut animation = Element::new("animate");
    let values = colours.join(";");
    for (name, value) in [
        ("attributeName", attribute),
        ("calcMode", "discrete"),
        ("repeatCount", "indefinite"),
        ("dur", duration),
        ("values", &values),
    ] {
        svg::Node::assign(&mut animation, name, value);
    }
    animation
}

fn styled(element: Element, [stroke, fill]: [&str; 2]) -> Group {
    Group::new()
        .set("stroke", stroke)
        .set("stroke-width", page::short(1.0))
        .set("stroke-linejoin", "round")
        .set("fill", fill)
        .add(element)
}

/// Box of a scene without colliders.
fn nowhere() -> Aabb {
    carom::Shape::circle(1.0)
        .and_then(|shape| shape.at([0.0, 0.0]).map(|placed| placed.aabb()))
        .expect("a unit circle at the origin is in range")
}
