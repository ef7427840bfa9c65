//! Several movers among each other. The world knows the common filter of all colliders that can move, and gives a
//! mover a box with a margin in the broad phase. Neither may change a result.

use carom::mover::Mover;
use carom::{Collider, DVec2, Filter, Handle, Shape, World, intersects};

use super::kit::{block, position};
use super::rooms::convex;
use crate::support::dice::Dice;

const FRAMES: u32 = 150;
const MOVERS: usize = 8;

/// A row of tiles with a wall at each end, movers above it, and blocks that are not fixed.
fn crowd(dice: &mut Dice, filters: &[Filter]) -> (World, Vec<Mover>, Vec<Handle>) {
    let mut world = World::new();
    for column in 0..60 {
        block(&mut world, [0.2, 1.0], [0.2 * f64::from(column) - 5.9, -0.5], 0.0);
    }
    for x in [-6.5, 6.5] {
        block(&mut world, [1.0, 9.0], [x, 4.0], 0.0);
    }
    let mut insert = |at: [f64; 2]| {
        let Filter { layers, mask, group } = dice.one_of(filters);
        world.insert(Collider::new(convex(dice, 0.9)).at(at).unwrap().layers(layers, mask).group(group))
    };
    let blocks = (0..4).map(|number| insert([3.0 * f64::from(number) - 4.0, 0.4])).collect();
    let movers = (0..MOVERS).map(|number| insert([1.3 * number as f64 - 4.5, 1.4]));
    let movers = movers.map(|handle| Mover::new(handle).up([0.0, 1.0]).unwrap()).collect();
    (world, movers, blocks)
}

/// Puts a mover elsewhere, changes its filter, or fixes, frees, disables or enables a block.
fn disturb(dice: &mut Dice, world: &mut World, mover: Handle, block: Handle, filters: &[Filter]) {
    match dice.index(4) {
        0 => world.set_position(mover, [dice.between(-5.0, 5.0), dice.between(0.5, 4.0)]).unwrap(),
        1 => world.set_filter(mover, dice.one_of(filters)).unwrap(),
        2 => world.set_fixed(block, dice.chance(0.5)).unwrap(),
        _ => world.set_enabled(block, dice.chance(0.5)).unwrap(),
    }
}

/// The motions of the movers in a frame.
fn motions(dice: &mut Dice, sides: &mut [f64], frame: u32) -> Vec<DVec2> {
    let motion = |side: &mut f64| {
        if frame.is_multiple_of(40) {
            *side = dice.one_of(&[-0.1, 0.0, 0.1]);
        }
        DVec2::new(*side, if dice.chance(0.04) { 0.3 } else { -0.05 })
    };
    sides.iter_mut().map(motion).collect()
}

/// The pairs of colliders that may form a contact and intersect, by brute force.
fn touching(world: &World) -> Vec<[Handle; 2]> {
    let all: Vec<_> = world.colliders().collect();
    let mut pairs = Vec::new();
    for (i, (a, p)) in all.iter().enumerate() {
        for (b, q) in &all[i + 1..] {
            let may = !(p.fixed && q.fixed) && p.filter.should_collide(q.filter);
            if may && intersects(p.placed(), q.placed()) {
                pairs.push([*a, *b]);
            }
        }
    }
    pairs
}

/// Some of these filters exclude each other by layer and mask, others by group.
fn filters(dice: &mut Dice) -> Vec<Filter> {
    let hero = Filter { layers: 2, mask: 1, group: 0 };
    let ghost = Filter { layers: 1, mask: u64::MAX, group: 7 };
    let solid = Filter::default();
    match dice.index(4) {
        0 => vec![hero],
        1 => vec![ghost],
        2 => vec![hero, Filter { layers: 4, ..hero }],
        _ => vec![hero, ghost, solid],
    }
}

/// The other world also has a collider far away that may collide with everything.
#[test]
fn a_common_filter_of_all_movers_changes_no_result() {
    let mut changed = 0;
    for seed in 0..24 {
        let dice = &mut Dice::new(seed, 23);
        let some = filters(dice);
        let (mut world, mut movers, blocks) = crowd(dice, &some);
        let (mut other, mut others) = (world.clone(), movers.clone());
        let far = Collider::new(Shape::circle(1.0).unwrap()).at([0.0, 1e3]).unwrap();
        other.insert(far.layers(u64::MAX, u64::MAX));
        let (mut sides, any) = ([0.0; MOVERS], [some, vec![Filter::default()]].concat());
        let first_change = if seed.is_multiple_of(2) { 0 } else { FRAMES - 50 };
        for frame in 0..FRAMES {
            if frame >= first_change && dice.chance(0.05) {
                let (mover, block) = (movers[dice.index(MOVERS)].handle(), blocks[dice.index(blocks.len())]);
                for world in [&mut world, &mut other] {
                    disturb(&mut Dice::new(seed, u64::from(frame) + 99), world, mover, block, &any);
                }
                changed += 1;
            }
            let wanted = motions(dice, &mut sides, frame);
            for (i, wanted) in wanted.into_iter().enumerate() {
                let (made, expected) = (movers[i].move_by(&mut world, wanted), others[i].move_by(&mut other, wanted));
                assert_eq!(made, expected, "crowd {seed} frame {frame} mover {i}");
                assert_eq!(movers[i].ground(), others[i].ground(), "crowd {seed} frame {frame} mover {i}");
                assert_eq!(movers[i].surfaces(), others[i].surfaces(), "crowd {seed} frame {frame} mover {i}");
            }
        }
    }
    assert!(changed > 80, "{changed} changes");
}

#[test]
fn contacts_and_queries_of_moved_colliders_are_those_of_brute_force() {
    let (mut contacts, mut found) = (0, 0);
    for seed in 0..8 {
        let dice = &mut Dice::new(seed, 24);
        let some = [Filter::default(), Filter { layers: 2, mask: 1, group: 0 }];
        let (mut world, mut movers, _) = crowd(dice, &some);
        let (mut sides, probe) = ([0.0; MOVERS], Shape::circle(0.4).unwrap());
        for frame in 0..FRAMES {
            if dice.chance(0.1) {
                // Inside the floor or another mover, so that there are contacts.
                let at = position(&world, &movers[dice.index(MOVERS)]) - DVec2::new(0.2, 0.05);
                world.set_position(movers[dice.index(MOVERS)].handle(), at).unwrap();
            }
            let wanted = motions(dice, &mut sides, frame);
            for (mover, wanted) in movers.iter_mut().zip(wanted) {
                // Most moves do not push out, so overlaps last several frames.
                *mover = mover.clone().max_push(if dice.chance(0.02) { 1.0 } else { 0.0 }).unwrap();
                mover.move_by(&mut world, wanted).unwrap();
            }
            world.update();
            let mut pairs: Vec<[Handle; 2]> = world.contacts().map(|contact| [contact.a, contact.b]).collect();
            pairs.sort_unstable();
            assert_eq!(pairs, touching(&world), "crowd {seed} frame {frame}");
            contacts += pairs.len();
            let at = probe.at(position(&world, &movers[dice.index(MOVERS)]) + dice.in_disk(1.0)).unwrap();
            let expected =
                world.colliders().filter(|(_, other)| intersects(other.placed(), at)).map(|(handle, _)| handle);
            let expected: Vec<Handle> = expected.collect();
            found += expected.len();
            assert_eq!(world.overlapping(at, u64::MAX), expected, "crowd {seed} frame {frame}");
        }
    }
    assert!(contacts > 500 && found > 500, "{contacts} contacts, {found} found");
}
