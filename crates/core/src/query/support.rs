//! Which corner of a convex shape is farthest along a direction.

use glam::DVec2;

use crate::shape::convex::Convex;

/// From this many corners on not all are looked at.
const CLIMB: usize = 16;

/// The corner that is lowest along a direction; of several the first, where all are looked at.
#[inline(always)]
pub(super) fn lowest(convex: &Convex, direction: DVec2) -> usize {
    if convex.corner_count() >= CLIMB {
        return descend(convex, direction);
    }
    let mut best = (f64::INFINITY, 0);
    for (i, block) in convex.blocks().as_slice().iter().enumerate() {
        let along: [f64; 4] = core::array::from_fn(|l| direction.x * block.x[l] + direction.y * block.y[l]);
        for (lane, &along) in along.iter().enumerate() {
            let lower = along < best.0;
            best = (if lower { along } else { best.0 }, if lower { 4 * i + lane } else { best.1 });
        }
    }
    best.1
}

/// Around a convex polygon the height has one valley: from the lowest of a few corners, strides apart, down to its bottom.
fn descend(convex: &Convex, direction: DVec2) -> usize {
    let count = convex.corner_count();
    let stride = count.isqrt();
    let height = |i: usize| direction.dot(convex.corner(i));
    let mut best = (height(0), 0);
    for i in (stride..count).step_by(stride) {
        let here = height(i);
        if here < best.0 {
            best = (here, i);
        }
    }
    for step in [Convex::next, Convex::previous] {
        loop {
            let next = step(convex, best.1);
            let here = height(next);
            if here >= best.0 {
                break;
            }
            best = (here, next);
        }
    }
    best.1
}
