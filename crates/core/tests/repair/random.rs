//! Random rings: crossing, touching, overlapping, and so small that each crossing is rounded far.

use carom::DVec2;

use crate::support::dice::{Dice, ulps_off};

/// Returns one to three random rings.
pub(super) fn rings(dice: &mut Dice) -> Vec<Vec<DVec2>> {
    let family = dice.index(5);
    let count = dice.one_of(&[1, 1, 2, 3]);
    let transform = Transform::new(dice);
    let center = DVec2::new(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
    (0..count)
        .map(|_| {
            let n = dice.count(3, 24);
            let mut ring: Vec<DVec2> = (0..n)
                .map(|i| match family {
                    // Few lattice points: repeated points, spikes, overlaps along lines, rings without area.
                    0 => dice.lattice(2),
                    1 => dice.lattice(6),
                    // Any directions.
                    2 => dice.in_disk(1.0),
                    // A pencil of lines that nearly meet at one point.
                    3 => {
                        let out = dice.direction() * if i % 2 == 0 { 1.0 } else { -1.0 };
                        center + out + dice.lattice(1) * f64::EPSILON
                    }
                    // Neighbouring numbers: no room between the points.
                    _ => {
                        let [x, y] = dice.lattice(9).to_array().map(|v| ulps_off(1.0, v as i32));
                        DVec2::new(x, y)
                    }
                })
                .collect();
            disturb(dice, &mut ring);
            ring.into_iter().map(|p| transform.apply(p)).collect()
        })
        .collect()
}

/// Repeats points, adds spikes, and moves some points by an ulp.
fn disturb(dice: &mut Dice, ring: &mut Vec<DVec2>) {
    for _ in 0..dice.count(0, 2) {
        let i = dice.index(ring.len());
        let p = ring[i];
        match dice.index(4) {
            0 => ring.insert(i, p),
            1 => {
                let tip = ring[dice.index(ring.len())];
                ring.splice(i..i, [p, tip]);
            }
            2 => ring[i].x = ulps_off(p.x, dice.whole(-1, 1)),
            // A point near the middle of an edge.
            _ => {
                let q = ring[(i + 1) % ring.len()];
                ring.insert(i + 1, (p + q) * 0.5);
            }
        }
    }
}

/// A scale and an offset: huge, tiny, or far from the origin.
struct Transform {
    scale: f64,
    offset: DVec2,
}

impl Transform {
    fn new(dice: &mut Dice) -> Self {
        let scale = dice.one_of(&[1.0, 1.0, 1e-3, 7e28, 1e-300, 1e-307]);
        let far = dice.one_of(&[0.0, 0.0, 1.0, 1e6, 1e14]);
        let offset = if scale < 1e20 { dice.direction() * far * scale } else { DVec2::ZERO };
        Self { scale, offset }
    }

    fn apply(&self, p: DVec2) -> DVec2 {
        p * self.scale + self.offset
    }
}
