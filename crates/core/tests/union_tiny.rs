//! Unions of the smallest sizes: lattice shapes scaled by powers of two have the results of the
//! originals.

use crate::support::lattice::{along_seams, sample};
use crate::support::run::pairs;
use carom::{Placed, collide, distance, intersects, manifolds, overlaps, time_of_impact};

type Dice = fastrand::Rng;

fn answers(a: Placed<'_>, b: Placed<'_>) -> [bool; 2] {
    [intersects(a, b), overlaps(a, b)]
}

#[test]
fn tiny_copies_overlap_with_depth_as_the_originals_do() {
    let rounds = pairs(600);
    let (mut dice, mut counts) = (Dice::with_seed(29), [0; 2]);
    for round in 0..rounds {
        let a = sample(&mut dice);
        let b = if round % 2 == 0 { sample(&mut dice) } else { along_seams(&mut dice, &a.shape) };
        let expected = answers(a.shape.at([0.0, 0.0]).unwrap(), b.shape.at([0.0, 0.0]).unwrap());
        for power in [-900, -970, -1000, -1040, -1060] {
            let scale = 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2);
            let [p, q] = [&a, &b].map(|sample| sample.shape.scaled(scale, scale).unwrap());
            let (p, q) = (p.at([0.0, 0.0]).unwrap(), q.at([0.0, 0.0]).unwrap());
            let name = format!("round {round}, 2^{power}: {:?} and {:?}", a.union, b.union);
            assert_eq!(answers(p, q), expected, "{name}");
            let found = [collide(p, q), collide(q, p)];
            for m in found {
                assert_eq!([m.is_some(), m.is_some_and(|m| m.depth > 0.0)], expected, "{name}: {m:?}");
                assert!(m.is_none_or(|m| m.depth >= 0.0 && (m.normal.length() - 1.0).abs() < 1e-12), "{name}: {m:?}");
                assert!(m.is_none_or(|m| m.depth <= 20.0 * scale), "{name}: {m:?}");
            }
            let mut all = Vec::new();
            manifolds(p, q, &mut all);
            assert_eq!([!all.is_empty(), all.iter().any(|m| m.depth > 0.0)], expected, "{name}: {all:?}");
            assert_eq!(distance(p, q).distance == 0.0, expected[0], "{name}");
            assert_eq!(time_of_impact(p, q).is_some_and(|hit| hit.initial_depth > Some(0.0)), expected[1], "{name}");
            counts[usize::from(expected[1])] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n > rounds), "{counts:?}");
}
