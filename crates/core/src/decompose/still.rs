//! Selects the rings that simplification must process.
//!
//! Input: rings and the deviation. Output: a role for each ring: it changes, limits others, or is
//! apart. In an image of thousands of small components, most rings cannot change, and need no tree
//! and no queue.
//!
//! A vertex stays if it, or one of its neighbours, is equal to another vertex. If all vertices of a
//! ring stay, the ring does not change. It is an obstacle for rings that change, but only if its
//! box is near one of theirs. A grid with a summed-area table finds these: one look-up of four sums
//! per ring, whatever the size of its box.
//!
//! ```text
//! for each ring: it changes if a vertex may be removed
//! mark the grid cells of all rings that change; sum them up over rows and columns
//! for each other ring: it limits others if a marked cell is in its box, else it is apart
//! ```
//!
//! The sum over any box is then a combination of four entries of the table. The marks themselves
//! are set in the same way: four differences per box, and one pass of sums.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec2;

use super::segment_distance::distance;
use crate::math::aabb::Aabb;
use crate::math::both::both;
use crate::math::lists::mapped;

/// Maximum number of grid cells along each axis.
const MAX_CELLS: usize = 1024;

/// Role of a ring in a simplification.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The ring may lose vertices.
    Changes,
    /// The ring keeps its vertices, and its box is near a ring that changes.
    Limits,
    /// The ring keeps its vertices, and no ring that changes is near.
    Apart,
}

/// Returns the role of each ring.
pub(super) fn roles(points: &[DVec2], rings: &[Range<usize>], deviation: f64) -> Vec<Role> {
    let shared = shared(points);
    let role = |ring: &Range<usize>| {
        let changes = may_change(&points[ring.clone()], &shared[ring.clone()], deviation);
        if changes { Role::Changes } else { Role::Apart }
    };
    let mut roles: Vec<Role> = mapped(rings.iter(), role);
    if roles.iter().all(|&role| role == roles[0]) {
        return roles;
    }
    let grid = Grid::new(points, rings.len());
    let boxes: Vec<Cells> = mapped(rings.iter(), |ring| grid.cells(&points[ring.clone()]));
    let covered = grid.covered(&boxes, &roles);
    for (role, cells) in roles.iter_mut().zip(boxes) {
        if *role == Role::Apart && grid.sum(&covered, cells) > 0 {
            *role = Role::Limits;
        }
    }
    roles
}

/// Returns true if a vertex of the ring may be removed. `shared` marks vertices that are equal to
/// others.
fn may_change(ring: &[DVec2], shared: &[bool], deviation: f64) -> bool {
    let n = ring.len();
    (0..n).any(|v| {
        let (u, w) = ((v + n - 1) % n, (v + 1) % n);
        let free = n > 3 && ![u, v, w].iter().any(|&x| shared[x]);
        ring[v] == ring[w] || free && distance([ring[u], ring[w]], ring[v]) <= deviation
    })
}

/// Returns one flag per point: true if another point is equal. Uses a hash table with linear
/// probing.
fn shared(points: &[DVec2]) -> Vec<bool> {
    const EMPTY: u32 = u32::MAX;
    let bits = (2 * points.len()).max(2).next_power_of_two().trailing_zeros();
    let mut table = vec![EMPTY; 1 << bits];
    let mut shared = vec![false; points.len()];
    for (i, &p) in points.iter().enumerate() {
        // Adding 0 turns −0.0 into 0.0.
        let (x, y) = ((p.x + 0.0).to_bits(), (p.y + 0.0).to_bits());
        let hash = (x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ y).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mut slot = (hash >> (u64::BITS - bits)) as usize;
        while table[slot] != EMPTY && points[table[slot] as usize] != p {
            slot = (slot + 1) % table.len();
        }
        if table[slot] == EMPTY {
            table[slot] = i as u32;
        } else {
            (shared[table[slot] as usize], shared[i]) = (true, true);
        }
    }
    shared
}

/// First and last cell of a box: the lowest column and row, then the highest.
type Cells = [[usize; 2]; 2];

/// A uniform grid over the box of all points.
struct Grid {
    min: DVec2,
    scale: DVec2,
    side: usize,
}

impl Grid {
    fn new(points: &[DVec2], rings: usize) -> Self {
        let side = (rings / 4).isqrt().clamp(1, MAX_CELLS);
        let bounds = Aabb::of_points(points);
        Self { min: bounds.min(), scale: side as f64 / bounds.size(), side }
    }

    /// Returns the cells that the box of some points intersects. Rounding is monotone, so boxes
    /// that intersect share a cell.
    fn cells(&self, points: &[DVec2]) -> Cells {
        let bounds = Aabb::of_points(points);
        both([bounds.min(), bounds.max()], |p| {
            let cell = (p - self.min) * self.scale;
            [(cell.x as usize).min(self.side - 1), (cell.y as usize).min(self.side - 1)]
        })
    }

    /// Returns the summed-area table of the cells that are covered by boxes of rings that change, with an empty row and
    /// column before the first.
    fn covered(&self, boxes: &[Cells], roles: &[Role]) -> Vec<i64> {
        let width = self.side + 1;
        let mut table = vec![0; width * width];
        // Adds differences at the corners of each box. Their prefix sums are the number of boxes
        // over each cell.
        for (&[[left, low], [right, high]], &role) in boxes.iter().zip(roles) {
            if role != Role::Changes {
                continue;
            }
            for (x, y, sign) in [(left, low, 1), (right + 1, low, -1), (left, high + 1, -1), (right + 1, high + 1, 1)] {
                table[y * width + x] += sign;
            }
        }
        sum_up(&mut table, width);
        let mut sums = vec![0; width * width];
        for y in 0..self.side {
            for x in 0..self.side {
                sums[(y + 1) * width + x + 1] = i64::from(table[y * width + x] > 0);
            }
        }
        sum_up(&mut sums, width);
        sums
    }

    /// Returns the number of covered cells of a box.
    fn sum(&self, sums: &[i64], [[left, low], [right, high]]: Cells) -> i64 {
        let at = |x: usize, y: usize| sums[y * (self.side + 1) + x];
        at(right + 1, high + 1) - at(left, high + 1) - at(right + 1, low) + at(left, low)
    }
}

/// Replaces each number by the sum of all numbers in the rows and columns up to it.
fn sum_up(table: &mut [i64], width: usize) {
    for row in table.chunks_exact_mut(width) {
        for x in 1..width {
            row[x] += row[x - 1];
        }
    }
    for i in width..table.len() {
        table[i] += table[i - width];
    }
}
