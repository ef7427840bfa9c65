//! Two circles: the closed form of the kernel for one point each.

use glam::DVec2;

use super::exact::{self, Relation};
use crate::math::vector::U;
use crate::shape::Placed;

/// The relation of two shapes of one point each.
#[inline(always)]
pub(super) fn relation(a: Placed<'_>, b: Placed<'_>, p: DVec2, q: DVec2) -> Relation {
    // The placed points are the exact set, so only this difference and what is made of it is rounded: 3 roundings on either side of the comparison.
    let apart = b.pose().apply(q) - a.pose().apply(p);
    let radius = a.shape().radius() + b.shape().radius();
    let (distance, reach) = (apart.x * apart.x + apart.y * apart.y, radius * radius);
    // Squares below 1e-290 may have lost digits to underflow.
    let doubt = 8.0 * U * (distance + reach) + 1e-290;
    if distance - reach > doubt {
        Relation::Apart
    } else if reach - distance > doubt {
        Relation::Overlapping
    } else {
        exact::relation(a, b)
    }
}
