//! Finds the numbers of a scene file that read back to the same rotation and the same front.
//!
//! A pose is stored as cosine and sine, but written in degrees. So the writer searches for
//! degrees that give the same bits: rounded values first, then neighbours of the computed angle.

use carom::world::OneWay;
use carom::{DVec2, Pose};

/// Returns a direction that makes exactly this front; if none is found, the nearest.
///
/// A unit vector is written in decimals, and normalized again when it is read. That may change the
/// last bit. Multiples of it and their neighbours round differently.
pub(super) fn front(one_way: OneWay) -> DVec2 {
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
