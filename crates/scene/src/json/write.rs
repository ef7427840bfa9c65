//! Converts a scene to the text of carom's own format.
//!
//! Input: a scene. Output: JSON with one collider per line.
//!
//! A scene must be equal after writing and reading. Numbers are written in their shortest exact
//! form, and rotations and fronts as `round_trip.rs` finds them.

use std::io::{self, Write};

use serde::Serialize;

use super::number::{Number, Numbers, Point};
use super::round_trip::{degrees, front};
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
        write!(out, ", \"gravity\": {}", json(&Point::from(gravity)))?;
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
        position: Point::from(collider.pose.translation()),
        rotation: Number(degrees(collider.pose)),
        layers: layers(filter.layers, names),
        mask: (filter.mask != u64::MAX).then(|| layers(filter.mask, names)),
        group: (filter.group != 0).then_some(Group(filter.group)),
        sensor: collider.sensor,
        fixed: collider.fixed,
        one_way: collider.one_way.map(|one_way| Point::from(front(one_way))),
        moving: collider.moving.as_ref().map(|moving| MovingSpec {
            path: moving.path().iter().copied().map(Point::from).collect(),
            speed: Number(moving.speed()),
        }),
        motion: collider
            .motion
            .map(|m| MotionSpec { translation: Point::from(m.translation), rotation: Number(m.rotation) }),
        body: collider.body.map(|b| BodySpec {
            mass: Number(b.mass),
            velocity: Point::from(b.velocity),
            restitution: Number(b.restitution),
        }),
    }
}

fn layers(set: u64, names: &[Option<String>]) -> Vec<Layer> {
    let layer = |i: u32| match names.get(i as usize).and_then(Option::as_ref) {
        Some(name) => Layer::Name(name.clone()),
        None => Layer::Number(i),
    };
    // A name gets number 0 last. In this order, reading gives each name the same number again.
    let first = u32::from(names.first().is_some_and(Option::is_some));
    (first..64).chain(0..first).filter(|i| set >> i & 1 == 1).map(layer).collect()
}
