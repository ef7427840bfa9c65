//! A broad phase finds candidates, and pair queries test them.
//!
//!     cargo run -p carom --example many_shapes

use carom::broad_phase::{BroadPhase, Filter, LocalOrigin, SortAndSweep};
use carom::{Error, Pose, Shape, collide};

fn main() -> Result<(), Error> {
    let tile = Shape::rectangle(1.0, 1.0)?;
    // A thousand tiles along a wave, each rotated a little.
    let poses = (0..1_000)
        .map(|i| f64::from(i) * 0.9)
        .map(|x| Pose::new([x, (x * 0.1).sin() * 5.0], x))
        .collect::<Result<Vec<_>, _>>()?;

    let frame = LocalOrigin::new([450.0, 0.0]);
    let mut broad = SortAndSweep::new();
    for (id, &pose) in (0..).zip(&poses) {
        broad.insert(id, frame.to_local(&tile.placed(pose).aabb()), Filter::default(), true);
    }
    let mut candidates = Vec::new();
    broad.pairs(&mut candidates);

    let at = |id: u32| tile.placed(poses[id as usize]);
    let contacts = candidates.iter().filter_map(|&[a, b]| collide(at(a), at(b)));
    let (count, deepest) = contacts.fold((0, 0.0_f64), |(count, deepest), m| (count + 1, deepest.max(m.depth)));
    println!("{} tiles, {} candidates, {count} contacts, the deepest {deepest}", poses.len(), candidates.len());
    Ok(())
}
