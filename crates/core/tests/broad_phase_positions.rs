//! Box queries between two pair searches, after single moves and after moves of all boxes.

use std::ops::ControlFlow::Continue;

use carom::broad_phase::{Aabb32, Adaptive, BroadPhase, Bvh, Filter, StripSweep};
use fastrand::Rng;

const COUNT: usize = 400;
const NOWHERE: Aabb32 = Aabb32 { min: [f32::NAN; 2], max: [f32::NAN; 2] };

fn anywhere(rng: &mut Rng, size: [f32; 2]) -> Aabb32 {
    let (x, y) = (rng.f32() * size[0], rng.f32() * size[1]);
    let width = if rng.u8(..) < 8 { 12.0 } else { rng.f32() };
    Aabb32 { min: [x, y], max: [x + width, y + rng.f32()] }
}

/// Moves a box by up to so much, and makes it a little wider or not.
fn shift(aabb: &mut Aabb32, most: f32, wider: f32, rng: &mut Rng) {
    for side in 0..2 {
        let displacement = (rng.f32() - 0.5) * most;
        aabb.min[side] += displacement;
        aabb.max[side] += displacement + rng.f32() * wider;
    }
}

/// Law: both forms of the box query report each intersecting box once, and no other.
fn check(mut broad: impl BroadPhase) {
    let seed = 12;
    let (mut rng, mut report_count) = (Rng::with_seed(seed), 0);
    // Wide and low worlds, and high ones, whose strips stand side by side.
    for size in [[40.0, 40.0], [2.0, 900.0], [900.0, 2.0]] {
        let mut boxes = [None; COUNT];
        (0..COUNT as u32).for_each(|id| broad.remove(id));
        for step in 0..6000 {
            let id = rng.usize(..COUNT);
            match rng.u32(..100) {
                0 => broad.pairs(&mut Vec::new()),
                1 => {
                    broad.remove(id as u32);
                    boxes[id] = None;
                }
                2..10 => {
                    let aabb = anywhere(&mut rng, size);
                    broad.insert(id as u32, aabb, Filter::default(), rng.bool());
                    boxes[id] = Some(aabb);
                }
                10..13 => {
                    boxes.iter_mut().flatten().for_each(|aabb| shift(aabb, 0.06, 0.0, &mut rng));
                    broad.update_all(&boxes.map(|aabb| aabb.unwrap_or(NOWHERE)));
                }
                13..50 => {
                    if let Some(aabb) = &mut boxes[id] {
                        let most = if rng.u8(..) == 0 { 3.0 } else { 0.2 };
                        shift(aabb, most, 0.01, &mut rng);
                        broad.update(id as u32, *aabb);
                    }
                }
                _ => {
                    let query = anywhere(&mut rng, size);
                    let (mut one, mut many) = (Vec::new(), Vec::new());
                    broad.query_aabb(query, &mut |id| {
                        one.push(id);
                        Continue(())
                    });
                    broad.visit_boxes(&[query], &mut |_, id| many.push(id));
                    one.sort_unstable();
                    many.sort_unstable();
                    let meets = |(_, aabb): &(u32, &Option<Aabb32>)| aabb.is_some_and(|aabb| aabb.intersects(&query));
                    let expected: Vec<u32> = (0..).zip(&boxes).filter(meets).map(|(id, _)| id).collect();
                    assert_eq!([&one, &many], [&expected; 2], "{}, seed {seed}, step {step}, {size:?}", broad.name());
                    report_count += expected.len();
                }
            }
        }
    }
    assert!(report_count > 1000, "{report_count}");
}

#[test]
fn each_box_at_a_point_is_reported_once_after_any_motion() {
    check(StripSweep::new());
    check(Adaptive::new());
    check(Bvh::new());
}

/// A box was inserted while others grew in their strips. The grid missed the new width of the
/// others, and its next search for them did not go far enough.
#[test]
fn a_growing_box_is_found_while_another_is_inserted() {
    fn run(mut broad: impl BroadPhase) {
        let tile = |id: u32, width: f32| {
            let min = [(id % 20) as f32 * 2.0, (id / 20) as f32 * 2.0];
            Aabb32 { min, max: [min[0] + width, min[1] + 1.0] }
        };
        let mut boxes: Vec<Aabb32> = (0..301).map(|id| tile(id, 1.0)).collect();
        (0..300).zip(&boxes).for_each(|(id, &aabb)| broad.insert(id, aabb, Filter::default(), true));
        broad.pairs(&mut Vec::new());
        broad.insert(300, boxes[300], Filter::default(), true);
        boxes[20] = tile(20, 35.0);
        broad.update_all(&boxes);
        for when in ["before the next search", "after it"] {
            let mut found = Vec::new();
            broad.query_aabb(Aabb32 { min: [34.5, 2.5], max: [34.75, 2.75] }, &mut |id| {
                found.push(id);
                Continue(())
            });
            found.sort_unstable();
            assert_eq!(found, [20, 37], "{}, {when}", broad.name());
            broad.pairs(&mut Vec::new());
        }
    }
    run(StripSweep::new());
    run(Adaptive::new());
    run(Bvh::new());
}
