//! Named cases with expected vertices.

use carom::decompose::{FillRule, PolygonWithHoles, Repair, RepairChanges, repair};
use carom::{DVec2, ErrorKind, Shape};

use super::RULES;
use super::oracle::rings_of;
use crate::support::dice::{Dice, heading};
use crate::support::{fixtures, outlines};

type Ring = Vec<[f64; 2]>;

fn square(x: f64, y: f64, side: f64) -> Ring {
    vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
}

fn backward(mut ring: Ring) -> Ring {
    ring.reverse();
    ring
}

/// Repairs rings, and returns the rings of each polygon beside the changes.
fn repaired(rings: &[Ring], rule: FillRule) -> (Vec<Vec<Ring>>, RepairChanges) {
    let Repair { polygons, changes } = repair(rings, rule).unwrap();
    assert_eq!((changes.rings, changes.polygons), (rings.len(), polygons.len()));
    let plain = |ring: Vec<DVec2>| ring.iter().map(DVec2::to_array).collect();
    (polygons.iter().map(|polygon| rings_of(polygon).into_iter().map(plain).collect()).collect(), changes)
}

#[test]
fn a_bow_tie_becomes_two_triangles() {
    let bow_tie = vec![[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
    for rule in RULES {
        let (polygons, changes) = repaired(std::slice::from_ref(&bow_tie), rule);
        let left = vec![[0.0, 0.0], [1.0, 1.0], [0.0, 2.0]];
        // This half runs clockwise in the input, and does so in the result.
        let right = vec![[2.0, 2.0], [2.0, 0.0], [1.0, 1.0]];
        assert_eq!(polygons, [[left], [right]]);
        assert_eq!(changes, RepairChanges { crossings: 1, rings: 1, polygons: 2, ..RepairChanges::default() });
    }
}

/// The pentagram {5/2}: the inner pentagon has winding number 2.
#[test]
fn a_pentagram_is_one_outline_or_five_triangles() {
    let tip = |k: i32| (heading(f64::from(2 * k) * 0.4 * std::f64::consts::PI) * 5.0).to_array();
    let star: Ring = (0..5).map(tip).collect();
    let (polygons, changes) = repaired(std::slice::from_ref(&star), FillRule::NonZero);
    assert_eq!((polygons.len(), polygons[0].len(), polygons[0][0].len()), (1, 1, 10));
    assert_eq!(changes.crossings, 5);
    let (polygons, changes) = repaired(std::slice::from_ref(&star), FillRule::EvenOdd);
    assert_eq!(polygons.iter().map(|rings| (rings.len(), rings[0].len())).collect::<Vec<_>>(), [(1, 3); 5]);
    assert_eq!(changes.crossings, 5);
    let tips: Vec<[f64; 2]> = polygons.iter().map(|rings| rings[0][0]).collect();
    assert_eq!(tips, star);
}

#[test]
fn a_repeated_ring_counts_twice() {
    let ring = square(0.0, 0.0, 4.0);
    let twice = [ring.clone(), ring.clone()];
    let (polygons, changes) = repaired(&twice, FillRule::NonZero);
    assert_eq!(polygons, [[ring.clone()]]);
    assert_eq!((changes.overlaps, changes.absorbed_rings, changes.crossings), (4, 1, 0));
    let (polygons, changes) = repaired(&twice, FillRule::EvenOdd);
    assert_eq!((polygons.len(), changes.absorbed_rings), (0, 2));
    let (polygons, changes) = repaired(&[ring.clone(), backward(ring)], FillRule::NonZero);
    assert_eq!((polygons.len(), changes.absorbed_rings), (0, 2));
}

#[test]
fn the_common_part_of_two_borders_disappears() {
    let (low, high) = (square(0.0, 0.0, 2.0), square(2.0, 1.0, 2.0));
    for rule in RULES {
        let (polygons, changes) = repaired(&[low.clone(), high.clone()], rule);
        let union =
            vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [4.0, 1.0], [4.0, 3.0], [2.0, 3.0], [2.0, 2.0], [0.0, 2.0]];
        assert_eq!(polygons, [[union]]);
        assert_eq!((changes.overlaps, changes.crossings, changes.absorbed_rings), (1, 0, 0));
    }
}

#[test]
fn spikes_disappear() {
    // A spike out of a corner, and one out of the middle of an edge to the inside.
    let ring = vec![
        [0.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [2.0, 0.0],
        [4.0, 0.0],
        [4.0, 4.0],
        [6.0, 4.0],
        [4.0, 4.0],
        [0.0, 4.0],
    ];
    for rule in RULES {
        let (polygons, changes) = repaired(std::slice::from_ref(&ring), rule);
        assert_eq!(polygons, [[vec![[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]]]);
        assert_eq!((changes.overlaps, changes.crossings), (2, 0));
    }
}

#[test]
fn rings_without_area_and_repeated_points_are_counted() {
    let mut ring = square(0.0, 0.0, 4.0);
    ring.push(ring[0]); // closed, as in GeoJSON
    ring.insert(1, ring[1]);
    let flat = vec![[-1.0, -1.0], [5.0, 5.0], [2.0, 2.0]];
    let rings = [flat, ring, vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0], [3.0, 1.0]]];
    let (polygons, changes) = repaired(&rings, FillRule::NonZero);
    assert_eq!(polygons, [[square(0.0, 0.0, 4.0)]]);
    let expected =
        RepairChanges { flat_rings: 4, duplicate_points: 2, rings: 5, polygons: 1, ..RepairChanges::default() };
    assert_eq!(changes, expected);
}

#[test]
fn rings_inside_rings_are_holes_by_their_direction_or_by_parity() {
    let (outer, inner, island) = (square(0.0, 0.0, 9.0), square(2.0, 2.0, 5.0), square(3.0, 3.0, 2.0));
    let same = [outer.clone(), inner.clone(), island.clone()];
    let (polygons, changes) = repaired(&same, FillRule::NonZero);
    assert_eq!((polygons, changes.absorbed_rings), (vec![vec![outer.clone()]], 2));
    let (polygons, changes) = repaired(&same, FillRule::EvenOdd);
    assert_eq!(polygons, [vec![outer.clone(), inner.clone()], vec![island.clone()]]);
    assert!(changes.is_empty());
    let turned = [outer.clone(), backward(inner.clone()), island.clone()];
    let (polygons, changes) = repaired(&turned, FillRule::NonZero);
    assert_eq!(polygons, [vec![outer, backward(inner)], vec![island]]);
    assert!(changes.is_empty());
}

#[test]
fn a_hole_that_reaches_outside_is_cut() {
    let hole = vec![[3.0, 1.0], [5.0, 1.0], [5.0, 2.0], [3.0, 2.0]];
    let (polygons, changes) = repaired(&[square(0.0, 0.0, 4.0), backward(hole)], FillRule::NonZero);
    // The part of the hole outside has winding number −1.
    let notched = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [3.0, 1.0], [3.0, 2.0], [4.0, 2.0], [4.0, 4.0], [0.0, 4.0]];
    let outside = vec![[5.0, 2.0], [5.0, 1.0], [4.0, 1.0], [4.0, 2.0]];
    assert_eq!(polygons, [[notched], [outside]]);
    assert_eq!(changes.crossings, 2);
}

#[test]
fn a_curl_becomes_a_hole_or_disappears() {
    // A path that loops once inside itself, clockwise and counter-clockwise.
    let curl = vec![[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [2.0, 8.0], [2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [0.0, 4.0]];
    let (polygons, changes) = repaired(std::slice::from_ref(&curl), FillRule::NonZero);
    assert_eq!((polygons.len(), polygons[0].len(), changes.crossings), (1, 1, 1));
    assert_eq!(repair(&[curl], FillRule::EvenOdd).unwrap().changes.crossings, 1);
}

#[test]
fn negative_zero_and_vertices_on_edges_stay() {
    // The hole touches the outer ring inside an edge and at a corner.
    let outer = vec![[-0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];
    let holes = [vec![[4.0, 0.0], [5.0, 1.0], [3.0, 1.0]], vec![[8.0, 8.0], [6.0, 7.0], [7.0, 6.0]]];
    let rings = [&[outer.clone()][..], &holes].concat();
    let fixed = repair(&rings, FillRule::EvenOdd).unwrap();
    assert_eq!(fixed.polygons, [PolygonWithHoles::new(&outer, &holes).unwrap()]);
    assert!(fixed.polygons[0].points()[0].x.is_sign_negative());
    assert!(fixed.changes.is_empty());
}

/// Valid polygons of all kinds, with touching rings too, are returned as they are.
#[test]
fn valid_polygons_are_returned_bit_for_bit() {
    let mut count = 0;
    for i in 0..600 {
        let mut dice = Dice::new(5, i);
        let n = dice.count(3, 120);
        let rings = match i % 4 {
            0 => outlines::star(&mut dice, n, 0.4),
            1 => outlines::comb(&mut dice, 1 + n / 4, 0.1),
            2 => outlines::spiral(&mut dice, 2 + n / 2),
            _ => outlines::lattice(&mut dice).unwrap_or_default(),
        };
        let Some(polygon) = rings.first().and_then(|outer| PolygonWithHoles::new(outer, &rings[1..]).ok()) else {
            continue;
        };
        let fixed = repair(&rings, FillRule::EvenOdd).unwrap();
        let repeated = rings.iter().any(|ring| (0..ring.len()).any(|k| ring[k] == ring[(k + 1) % ring.len()]));
        assert!(!repeated, "{rings:?}");
        assert!(fixed.changes.is_empty(), "{:?}: {rings:?}", fixed.changes);
        assert_eq!(fixed.polygons, [polygon], "{rings:?}");
        count += 1;
    }
    assert!(count > 400, "only {count} polygons were valid");
}

/// The outlines of the library earcut: many of them cross or touch themselves.
#[test]
fn collected_outlines_become_shapes() {
    let mut refused = 0;
    for (name, rings) in fixtures::earcut() {
        let fixed = repair(&rings, FillRule::EvenOdd).unwrap_or_else(|e| panic!("{name}: {e}"));
        for polygon in &fixed.polygons {
            Shape::from_outline(polygon).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        match PolygonWithHoles::new(&rings[0], &rings[1..]) {
            Ok(polygon) if fixed.changes.is_empty() => assert_eq!(fixed.polygons, [polygon], "{name}"),
            Ok(_) => assert_eq!((fixed.changes.crossings, fixed.changes.overlaps), (0, 0), "{name}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 3, "only {refused} outlines need repair");
}

#[test]
fn bad_coordinates_are_errors_with_their_vertex() {
    let bad = |x: f64| [square(0.0, 0.0, 1.0), vec![[x, 0.0]]];
    let error = repair(&bad(f64::NAN), FillRule::NonZero).unwrap_err();
    assert_eq!((error.kind(), error.vertex()), (ErrorKind::NotFinite, Some(4)));
    let error = repair(&bad(2e30), FillRule::EvenOdd).unwrap_err();
    assert_eq!((error.kind(), error.vertex()), (ErrorKind::OutOfRange, Some(4)));
    assert!(repair::<[f64; 2]>(&[], FillRule::NonZero).unwrap().polygons.is_empty());
}

/// 3 000 spikes along one line overlap each other in 4.5 million pairs.
#[test]
fn too_many_overlaps_are_an_error() {
    let spikes = (0..3_000).map(|i| [f64::from(if i % 2 == 0 { i } else { 4_000 + i }), 0.0]);
    let ring: Ring = spikes.chain([[0.0, 1.0]]).collect();
    let error = repair(&[ring], FillRule::NonZero).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooManyCrossings);
}

/// The star {n/3}: each edge crosses four others, so there are 2 n crossings. The outline has n tips and
/// the n outermost crossings.
#[test]
fn long_rings_are_repaired() {
    let n = 10_000_i32;
    let tip = |i: i32| heading(f64::from(3 * i % n) / f64::from(n) * std::f64::consts::TAU) * 100.0;
    let star: Vec<DVec2> = (0..n).map(tip).collect();
    let fixed = repair(&[star], FillRule::NonZero).unwrap();
    let [outline] = fixed.polygons.as_slice() else { panic!("{:?}", fixed.changes) };
    assert_eq!((outline.rings().len(), outline.points().len()), (1, 2 * n as usize));
    assert_eq!((fixed.changes.crossings, fixed.changes.overlaps), (2 * n as usize, 0));
}
