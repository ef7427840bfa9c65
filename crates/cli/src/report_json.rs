//! JSON output of `check`: a contract. The order of the fields is the order in the output.
use crate::layers::Layers;
use carom_scene::Scene;
use carom_scene::draw::Contact;
use serde::{Serialize, Serializer};

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

/// Removes the sign of zero. Other numbers stay as they are.
pub(crate) fn plain(x: f64) -> f64 {
    x + 0.0
}

/// Returns both coordinates of a vector as [`plain`] numbers.
pub(crate) fn pair(v: carom::DVec2) -> [f64; 2] {
    [plain(v.x), plain(v.y)]
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn only_minus_zero_changes() {
        assert_eq!(plain(-0.0).to_bits(), 0);
        for x in [0.0, -1.5, f64::MIN_POSITIVE, -f64::from_bits(1), 1e30] {
            assert_eq!(plain(x).to_bits(), x.to_bits());
        }
    }
}
