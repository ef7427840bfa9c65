//! Converts a scene to the text of carom's own format.
//!
//! Input: a scene. Output: JSON with one collider per line.
//!
//! A scene must be equal after writing and reading. Numbers are written in their shortest exact
//! form. A pose is stored as cosine and sine, but written in degrees. So the writer searches for
//! degrees that give the same bits: rounded values first, then neighbours of the computed angle.

use std::io::{self, Write};

use carom::world::OneWay;
use carom::{DVec2, Pose};
use serde::Serialize;

use super::number::{Number, Numbers, Point};
use super::shape::ShapeSpec;
use super::types::{BodySpec, ColliderSpec, Group, Layer, MotionSpec, MovingSpec};
use crate::{Scene, SceneCollider, YAxis};

/// Writes a scene as JSON that reads back equal, one collider per line.
///
/// Every number has the shortest form that reads back to the same f64. A pose that was made from
/// degrees reads back to the same bits. Other poses read back to the nearest that degrees can make.
/// The same holds for the front direction of one-way colliders.
/// Layer names keep their numbers if these were assigned in order of appearance, as by reading.
/// Refused objects are not written, nor are ids that begin with `#`, because they follow from the
/// order of the list.
///
/// # Errors
/// The errors of the writer.
pub fn write_json(scene: &Scene, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    out.write_all(b"{\"carom\": 1")?;
    if scene.y == YAxis::Down {
        out.write_all(b", \"y\": \"down\"")?;
    }
    if let Some(gravity) = scene.gravity {
        write!(out, ", \"gravity\": {}", json(&point(gravity)))?;
    }
    if let Some(walls) = scene.walls {
        let [min, max] = [walls.min(), walls.max()];
        write!(out, ", \"walls\": {}", json(&Numbers([min.x, min.y, max.x, max.y])))?;
    }
    out.write_all(b", \"colliders\": [")?;
    let mut line = Vec::new();
    for (index, collider) in scene.colliders.iter().enumerate() {
        line.clear();
        line.extend_from_slice(if index == 0 { b"\n  " } else { b",\n  " });
        serde_json::to_writer(&mut line, &spec(collider, &scene.layers))?;
        out.write_all(&line)?;
    }
    out.write_all(if scene.colliders.is_empty() { b"]}\n" } else { b"\n]}\n" })
}

/// Returns the text that [`write_json`] writes.
#[expect(clippy::missing_panics_doc, reason = "a vector takes all bytes, and JSON is UTF-8")]
#[must_use]
pub fn to_json(scene: &Scene) -> String {
    let mut text = Vec::new();
    write_json(scene, &mut text).expect("a vector takes all");
    String::from_utf8(text).expect("JSON is UTF-8")
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a scene holds finite numbers and string keys only")
}

fn spec(collider: &SceneCollider, names: &[Option<String>]) -> ColliderSpec {
    let filter = collider.filter;
    ColliderSpec {
        id: (!collider.id.starts_with('#')).then(|| collider.id.clone()),
        shape: ShapeSpec::of(&collider.shape),
        position: point(collider.pose.translation()),
        rotation: Number(degrees(collider.pose)),
        layers: layers(filter.layers, names),
        mask: (filter.mask != u64::MAX).then(|| layers(filter.mask, names)),
        group: (filter.group != 0).then_some(Group(filter.group)),
        sensor: collider.sensor,
        fixed: collider.fixed,
        one_way: collider.one_way.map(|one_way| point(front(one_way))),
        moving: collider.moving.as_ref().map(|moving| MovingSpec {
            path: moving.path().iter().copied().map(point).collect(),
            speed: Number(moving.speed()),
        }),
        motion: collider.motion.map(|m| MotionSpec { translation: point(m.translation), rotation: Number(m.rotation) }),
        body: collider.body.map(|b| BodySpec {
            mass: Number(b.mass),
            velocity: point(b.velocity),
            restitution: Number(b.restitution),
        }),
    }
}

fn point(p: DVec2) -> Point {
    Numbers(p.to_array())
}

fn layers(set: u64, names: &[Option<String>]) -> Vec<Layer> {
    let layer = |i: u32| match names.get(i as usize).and_then(Option::as_ref) {
        Some(name) => Layer::Name(name.clone()),
        None => Layer::Number(i),
    };
    (0..64).filter(|i| set >> i & 1 == 1).map(layer).collect()
}

/// Returns a direction that makes exactly this front; if none is found, the nearest.
///
/// A unit vector is written in decimals, and normalized again when it is read. That may change the
/// last bit. Multiples of it and their neighbours round differently.
fn front(one_way: OneWay) -> DVec2 {
    let unit = one_way.front();
    let makes = |p: &DVec2| OneWay::new(*p).is_ok_and(|read| read == one_way);
    let short = unit / unit.abs().max_element();
    let near = |x: f64| [x, x.next_up(), x.next_down()];
    let neighbours = |p: DVec2| near(p.x).into_iter().flat_map(move |x| near(p.y).map(|y| DVec2::new(x, y)));
    let multiples = (0..64).map(|i| unit * (1.0 + f64::from(i) / 64.0)).flat_map(neighbours);
    [short, unit].into_iter().chain(multiples).find(makes).unwrap_or(unit)
}

/// Returns the degrees with the fewest digits that make exactly this pose; if there are none, the
/// nearest.
pub(super) fn degrees(pose: Pose) -> f64 {
    // Poses without rotation are common, and the search below is slow.
    if (pose.cos(), pose.sin().to_bits()) == (1.0, 0) {
        return 0.0;
    }
    let near = pose.angle().to_degrees();
    let makes = |d: &f64| {
        Pose::from_degrees(pose.translation(), *d).is_ok_and(|p| p.cos() == pose.cos() && p.sin() == pose.sin())
    };
    let rounded = (0..17).map(|digits| format!("{near:.digits$e}").parse().unwrap_or(near));
    // A cosine and a sine belong to a few neighbouring angles. The written one is within 64 steps.
    let up = std::iter::successors(Some(near), |d| Some(d.next_up())).take(64);
    let down = std::iter::successors(Some(near), |d| Some(d.next_down())).take(64);
    rounded.chain(up).chain(down).find(makes).unwrap_or(near)
}
