//! Hollow rays through adjacent tiles.

use carom::{Pose, Shape, ray_cast};

use super::ray;
use super::whole::{Fraction, Whole, float, minus};
use crate::support::dice::Dice;
use crate::support::run;

/// Tiles side by side: a hollow ray goes on through every seam and leaves where the next cell is empty (P7).
#[test]
fn hollow_rays_leave_the_union_of_tiles() {
    let tile = Shape::rectangle(2.0, 2.0).unwrap();
    let (mut left, mut stayed) = (0, 0);
    for index in 0..run::pairs(20_000).div_ceil(20) {
        let mut dice = Dice::new(14, index);
        let cells: Vec<Whole> = (0..64).map(|i| [i % 8, i / 8]).filter(|_| dice.chance(0.85)).collect();
        if cells.is_empty() {
            continue;
        }
        let at = |c: Whole| Pose::from_translation(float([2 * c[0] + 1, 2 * c[1] + 1])).unwrap();
        let shape = Shape::compound(cells.iter().map(|&c| (tile.clone(), at(c))).collect::<Vec<_>>()).unwrap();
        for k in 0..20 {
            let o = [dice.whole(0, 16), dice.whole(0, 16)].map(i64::from);
            let e = if dice.chance(0.3) {
                [o[0] + i64::from(dice.whole(-9, 9)), o[1]]
            } else {
                [dice.whole(-4, 20), dice.whole(-4, 20)].map(i64::from)
            };
            let story = format!("tiles {index}, ray {k}: {cells:?}, {o:?} to {e:?}");
            let hit = ray_cast(ray(float(o), float(minus(e, o))).hollow(), shape.at([0.0, 0.0]).unwrap());
            let expected = leaves_tiles(&cells, o, e);
            match (hit, expected) {
                (None, None) => stayed += 1,
                (Some(hit), Some(time)) => {
                    assert!((hit.time - time.value()).abs() < 1e-13, "{story}: {hit:?}, not {time:?}");
                    left += 1;
                }
                _ => panic!("{story}: {hit:?}, not {expected:?}"),
            }
        }
    }
    println!("{left} leave, {stayed} stay or miss");
    assert!(left > 1_000 && stayed > 100);
}

/// Returns the time at which a ray from o to e leaves the closed cells of side 2, in integers. If
/// it starts outside, the time at which it enters them.
fn leaves_tiles(cells: &[Whole], o: Whole, e: Whole) -> Option<Fraction> {
    let translation = minus(e, o);
    let stay = |c: Whole| {
        let (mut enter, mut leave) = (Fraction(0, 1), Fraction(1, 1));
        for axis in 0..2 {
            let (low, high) = (2 * c[axis] - o[axis], 2 * c[axis] + 2 - o[axis]);
            if translation[axis] == 0 {
                if low > 0 || high < 0 {
                    return None;
                }
                continue;
            }
            let (first, last) = if translation[axis] > 0 { (low, high) } else { (high, low) };
            let (first, last) = (Fraction::new(first, translation[axis]), Fraction::new(last, translation[axis]));
            enter = if first.compare(enter).is_gt() { first } else { enter };
            leave = if last.compare(leave).is_lt() { last } else { leave };
        }
        enter.compare(leave).is_le().then_some([enter, leave])
    };
    let mut stays: Vec<[Fraction; 2]> = cells.iter().filter_map(|&c| stay(c)).collect();
    stays.sort_by(|s, t| s[0].compare(t[0]));
    let first = stays.first()?;
    if first[0].0 > 0 {
        return Some(first[0]);
    }
    let mut until = Fraction(0, 1);
    for [enter, leave] in stays {
        if enter.compare(until).is_le() && leave.compare(until).is_gt() {
            until = leave;
        }
    }
    let ends_inside = until.0 == until.1 || translation == [0, 0];
    // The end is inside the union where all cells that it borders on are there.
    let around = [[0, 0], [-1, 0], [0, -1], [-1, -1]].map(|[dx, dy]| {
        let cell = |v: i64, d: i64| if v % 2 == 0 { v.div_euclid(2) + d } else { v.div_euclid(2) };
        [cell(e[0], dx), cell(e[1], dy)]
    });
    if ends_inside && around.iter().all(|c| cells.contains(c)) {
        None
    } else {
        Some(if translation == [0, 0] { Fraction(0, 1) } else { until })
    }
}
