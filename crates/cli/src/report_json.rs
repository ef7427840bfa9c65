//! JSON output of `check`: a contract. The order of the fields is the order in the output.
use carom_scene::Scene;
use carom_scene::draw::Contact;
use serde::{Serialize, Serializer};

use crate::json_number::{pair, plain};
use crate::layers::Layers;

/// One pair that intersects. A line of `--format ndjson`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Row<'s> {
    a: &'s str,
    b: &'s str,
    normal: [f64; 2],
    depth: f64,
    mtv: [f64; 2],
    sensor: bool,
    #[cfg_attr(test, schemars(with = "Vec<Point>"))]
    points: Points<'s>,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    layers_a: Layers<'s>,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    layers_b: Layers<'s>,
}

/// Contact points, serialized without a copy.
struct Points<'s>(&'s [carom::query::ContactPoint]);

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Point {
    position: [f64; 2],
    depth: f64,
}

impl<'s> Row<'s> {
    pub(crate) fn new(scene: &'s Scene, contact: &'s Contact) -> Self {
        let (a, b) = (&scene.colliders[contact.a], &scene.colliders[contact.b]);
        let manifold = &contact.manifold;
        Self {
            a: &a.id,
            b: &b.id,
            normal: pair(manifold.normal),
            depth: plain(manifold.depth),
            mtv: pair(manifold.mtv()),
            sensor: a.sensor || b.sensor,
            points: Points(&contact.points),
            layers_a: Layers(scene, a),
            layers_b: Layers(scene, b),
        }
    }
}

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|p| Point { position: pair(p.position()), depth: plain(p.depth) }))
    }
}
