//! Generates one random outline as WKB: a rectangle, an L or a star.
//!
//! Six of ten outlines are rectangles, three are Ls, one is a star with 10 to 40 vertices, rotated
//! by a random angle. Sizes are about log-normal, as those of buildings: most are small, some are
//! large. The sum of four uniform numbers replaces the normal distribution.

use std::f64::consts::TAU;

/// Writes the outline about a center into `wkb`.
pub(crate) fn write(center: [f64; 2], size: f64, random: &mut fastrand::Rng, wkb: &mut Vec<u8>) {
    // Most outlines are small, few are large: log-normal, as buildings are.
    let normal = (0..4).map(|_| random.f64()).sum::<f64>() - 2.0;
    let size = size * (0.9 * normal).exp() * 0.5;
    let mut points = Vec::with_capacity(41);
    match random.u32(0..10) {
        0..6 => {
            let (w, h) = (size, size * (0.4 + 0.6 * random.f64()));
            points.extend([[-w, -h], [w, -h], [w, h], [-w, h]]);
        }
        6..9 => {
            let (w, h, notch) = (size, size * (0.6 + 0.4 * random.f64()), 0.2 + 0.4 * random.f64());
            let (x, y) = (w - 2.0 * w * notch, h - 2.0 * h * notch);
            points.extend([[-w, -h], [w, -h], [w, y], [x, y], [x, h], [-w, h]]);
        }
        _ => {
            let count = random.u32(10..41);
            for i in 0..count {
                let radius = size * (0.5 + 0.5 * random.f64());
                let (sin, cos) = (TAU * f64::from(i) / f64::from(count)).sin_cos();
                points.push([radius * cos, radius * sin]);
            }
        }
    }
    let (sin, cos) = (random.f64() * TAU).sin_cos();
    wkb.clear();
    wkb.push(1);
    // A polygon of one ring, closed by its first point.
    for word in [3, 1, points.len() as u32 + 1] {
        wkb.extend(word.to_le_bytes());
    }
    for [x, y] in points.iter().chain(points.first()) {
        let at = [center[0] + cos * x - sin * y, center[1] + sin * x + cos * y];
        for value in at {
            wkb.extend(value.to_le_bytes());
        }
    }
}
