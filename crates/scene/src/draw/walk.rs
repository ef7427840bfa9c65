//! Draws a level and the path of a character through it.
//!
//! Input: a scene, the shape of the character, and its position in each frame. Output: the level,
//! the path in two colours (on the ground, in the air), and the character at the start and at the
//! end. Points of the path closer than 0.4 page units are omitted.

use carom::{Aabb, DVec2, Pose, Shape};
use svg::node::element::{Group, Path};

use super::legend::{Item, legend};
use super::marks::arrow;
use super::page::{FIRST, MARGIN, NO_CONTACT, NORMAL, Page, SECOND, WIDTH, short, xy};
use super::scene::placed;
use super::shape;
use super::transform::View;
use crate::{Scene, SceneCollider, YAxis};

/// Largest height of the drawing.
const TALLEST: f64 = 760.0;
/// Length of the arrows of one-way colliders.
const ARROW: f64 = 12.0;
/// Smallest distance of drawn points of a path.
const SPACE: f64 = 0.4;
/// Colours of one-way colliders and of platforms that move.
const ONE_WAY: [&str; 2] = ["#1d4ed8", "#93b4f5"];
const MOVING: [&str; 2] = ["#0f766e", "#5eb8ae"];

/// Position of a character at the end of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkPoint {
    /// Position of the origin of its shape.
    pub position: DVec2,
    /// True if it stands.
    pub grounded: bool,
}

/// Draws a level, the path of a character, and its shape at the start and at the end. Platforms that
/// move are at their start, with their path. One-way colliders have an arrow at their front.
///
/// ```
/// use carom::{Pose, Shape};
/// use carom_scene::draw::{WalkPoint, walk};
/// use carom_scene::{Scene, SceneCollider};
///
/// let floor = SceneCollider::new("floor", Shape::rectangle(20.0, 1.0)?, Pose::IDENTITY);
/// let level = Scene { colliders: vec![floor], ..Scene::default() };
/// let path = [1.0, 2.0].map(|x| WalkPoint { position: [x, 1.0].into(), grounded: true });
/// assert!(walk(&level, &Shape::circle(0.5)?, [0.0, 1.0].into(), &path).contains("2 frames"));
/// # Ok::<(), carom::Error>(())
/// ```
#[must_use]
pub fn walk(scene: &Scene, character: &Shape, start: DVec2, path: &[WalkPoint]) -> String {
    let mut page = Page::new("", &format!("{} shapes, {} frames", scene.colliders.len(), path.len()));
    let end = path.last().map_or(start, |point| point.position);
    let bounds =
        scene.colliders.iter().map(whole_box).chain(boxes_along(character, start, path)).reduce(|a, b| a.union(&b));
    let Some(bounds) = bounds else { return page.finish() };
    let available = DVec2::new(WIDTH - 2.0 * MARGIN, TALLEST);
    let (view, height) = View::fit(&bounds, scene.y == YAxis::Up, DVec2::new(MARGIN, page.y), available, 40.0);
    for collider in &scene.colliders {
        page.add(level_shape(collider, &view));
    }
    for stroke in line(start, path, &view) {
        page.add(stroke);
    }
    for (position, opacity) in [(start, 0.25), (end, 0.8)] {
        if let Ok(pose) = Pose::from_translation(position) {
            let element = shape::element(character.placed(pose), "character", &view);
            page.add(group(FIRST, opacity).add(element));
        }
    }
    page.y += height + MARGIN;
    legend(&mut page, &items(scene, path), Some((view.scale(), scene.y)));
    page.finish()
}

fn group([stroke, fill]: [&str; 2], opacity: f64) -> Group {
    Group::new().set("stroke", stroke).set("stroke-width", 1).set("fill", fill).set("fill-opacity", opacity)
}

/// Returns the box of a collider along its path.
fn whole_box(collider: &SceneCollider) -> Aabb {
    let bounds = placed(collider).aabb();
    let Some(moving) = &collider.moving else { return bounds };
    let all = moving.path().iter().map(|&p| p - moving.path()[0]);
    let corners = all.filter_map(|offset| Aabb::new(bounds.min() + offset, bounds.max() + offset).ok());
    corners.fold(bounds, |all, moved| all.union(&moved))
}

/// Returns the boxes of the character along its path.
fn boxes_along(character: &Shape, start: DVec2, path: &[WalkPoint]) -> impl Iterator<Item = Aabb> {
    let positions = std::iter::once(start).chain(path.iter().map(|point| point.position));
    positions.filter_map(|position| character.at(position).ok()).map(|placed| placed.aabb())
}

fn level_shape(collider: &SceneCollider, view: &View) -> Group {
    let colours = match (&collider.moving, collider.one_way) {
        (Some(_), _) => MOVING,
        (None, Some(_)) => ONE_WAY,
        (None, None) => NO_CONTACT,
    };
    let mut group = group(colours, if collider.sensor { 0.12 } else { 0.6 });
    if collider.sensor {
        group = group.set("stroke-dasharray", "4 3");
    }
    let placed = placed(collider);
    let mut group = Group::new().add(group.add(shape::element(placed, &collider.id, view)));
    let centre = placed.aabb().center();
    if let Some(moving) = &collider.moving {
        let mut data = String::new();
        for (i, &point) in moving.path().iter().enumerate() {
            data += if i == 0 { "M" } else { "L" };
            data += &xy(view.point(centre + point - moving.path()[0]));
        }
        group = group.add(stroke(data, MOVING[0], 1.2).set("stroke-dasharray", "2 3"));
    }
    if let Some(one_way) = collider.one_way {
        let front = view.direction(collider.pose.rotate_vector(one_way.front()));
        group = group.add(arrow(view.point(centre), front, ARROW, NORMAL, 1.2));
    }
    group
}

fn stroke(data: String, colour: &str, width: f64) -> Path {
    Path::new().set("d", data).set("fill", "none").set("stroke", colour).set("stroke-width", short(width))
}

/// Returns the path: one line for each time on the ground or in the air.
fn line(start: DVec2, path: &[WalkPoint], view: &View) -> Vec<Path> {
    let (mut lines, mut last) = (Vec::new(), view.point(start));
    let mut open: Option<(bool, String)> = None;
    for (i, point) in path.iter().enumerate() {
        let here = view.point(point.position);
        let turns = open.as_ref().is_some_and(|(grounded, _)| *grounded != point.grounded);
        if turns && let Some((grounded, data)) = open.take() {
            lines.push(stroke(data, colour(grounded), 1.6));
        }
        let (_, data) = open.get_or_insert_with(|| (point.grounded, format!("M{}", xy(last))));
        let leaves = path.get(i + 1).is_none_or(|next| next.grounded != point.grounded);
        if leaves || here.distance(last) >= SPACE {
            data.push('L');
            data.push_str(&xy(here));
            last = here;
        }
    }
    lines.extend(open.map(|(grounded, data)| stroke(data, colour(grounded), 1.6)));
    lines
}

fn colour(grounded: bool) -> &'static str {
    if grounded { FIRST[0] } else { SECOND[0] }
}

/// Returns the entries of the legend.
fn items(scene: &Scene, path: &[WalkPoint]) -> Vec<Item> {
    let any = |is_it: fn(&SceneCollider) -> bool| scene.colliders.iter().any(is_it);
    [
        (Item::Line("stands", FIRST[0]), path.iter().any(|point| point.grounded)),
        (Item::Line("in the air", SECOND[0]), path.iter().any(|point| !point.grounded)),
        (Item::Swatch("one-way", ONE_WAY), any(|c| c.one_way.is_some() && c.moving.is_none())),
        (Item::Swatch("moves", MOVING), any(|c| c.moving.is_some())),
        (Item::Sensor, any(|c| c.sensor)),
    ]
    .into_iter()
    .filter_map(|(item, there)| there.then_some(item))
    .collect()
}
