//! Pose of a rotating body at a time, in integers with 320 fractional bits. For shapes so far from
//! their pivot that `f64` cannot resolve the tolerance.

use carom::DVec2;
use dashu_int::IBig;

use super::integer::{lowest_bit, product_in_units, to_float};
use super::recipe::Body;

const BITS: i32 = 320;
/// The series is of an angle that is so many times halved.
const HALVINGS: usize = 40;

type Vector = [IBig; 2];

fn times(p: &IBig, q: &IBig) -> IBig {
    (p * q) >> BITS as usize
}

/// `p · q`, exact where its lowest bit is not below the last one, else rounded down.
fn product(p: f64, q: f64) -> IBig {
    let (Some(low), Some(lower)) = (lowest_bit(p), lowest_bit(q)) else { return IBig::ZERO };
    let unit = (low + lower).min(-BITS);
    product_in_units(p, q, unit) >> usize::try_from(-BITS - unit).expect("not above the unit")
}

/// The cosine and sine of `turning · time`.
fn cos_sin(turning: f64, time: f64) -> [IBig; 2] {
    let one = product(1.0, 1.0);
    let x = product(turning, time) >> HALVINGS;
    // x² is below 2⁻⁷⁰ for angles below 30: five terms are right to the last bits.
    let (square, mut term, mut cos, mut sin) = (times(&x, &x), one.clone(), one.clone(), IBig::ZERO);
    let mut power = x;
    for n in 0..8_u32 {
        sin += &power;
        term = -times(&term, &square) / ((2 * n + 1) * (2 * n + 2));
        power = -times(&power, &square) / ((2 * n + 2) * (2 * n + 3));
        cos += &term;
    }
    for _ in 0..HALVINGS {
        (cos, sin) = (times(&cos, &cos) - times(&sin, &sin), IBig::from(2) * times(&cos, &sin));
    }
    [cos, sin]
}

/// Every point of a body that moves and turns for a time.
fn placed(body: &Body, translation: DVec2, turning: f64, time: f64) -> Vec<Vector> {
    let rotate = |[c, s]: &[IBig; 2], [x, y]: &Vector| [times(c, x) - times(s, y), times(s, x) + times(c, y)];
    let start = [body.pose.cos(), body.pose.sin()].map(|v| product(v, 1.0));
    let (turn, at) = (cos_sin(turning, time), body.pose.translation());
    let origin = [0, 1].map(|axis| product(at[axis], 1.0) + product(translation[axis], time));
    let position = |p: &DVec2| {
        let [x, y] = rotate(&turn, &rotate(&start, &[product(p.x, 1.0), product(p.y, 1.0)]));
        [x + &origin[0], y + &origin[1]]
    };
    body.shape.points().iter().map(position).collect()
}

/// Both bodies after a time, seen from the first point of the first one, or from a point of the world.
pub fn seen(
    bodies: [&Body; 2],
    translations: [DVec2; 2],
    turnings: [f64; 2],
    time: f64,
    from: Option<DVec2>,
) -> [Vec<DVec2>; 2] {
    let points = [0, 1].map(|i| placed(bodies[i], translations[i], turnings[i], time));
    let origin = from.map_or_else(|| points[0][0].clone(), |p| [product(p.x, 1.0), product(p.y, 1.0)]);
    points.map(|points| {
        let rounded = |p: &Vector, axis: usize| to_float(&(&p[axis] - &origin[axis])).times_power(-BITS);
        points.iter().map(|p| DVec2::new(rounded(p, 0), rounded(p, 1))).collect()
    })
}
